"""Pop-up with the figures of a pair that its header leaves out: raw shares, sentence shares, fingerprints."""

from collections.abc import Sequence
from functools import cached_property

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QIcon, QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QToolButton, QWidget

from simcompare.comparison.comparison_result import Comparison, Share
from simcompare.comparison.decided_shares import DecidedShares
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import Fingerprint, hamming_distance_bits
from simcompare.report.wording import (
    counted_in_words,
    enumerated,
    excluded_in_words,
    named,
    sentences_count,
    units_count,
)
from simcompare.support.display_text import percent
from simcompare.support.i18n import _
from simcompare.support.resources import resource_path
from simcompare.ui.compare.bars.fingerprint_strip import FingerprintStrip
from simcompare.ui.compare.matches.passage_filter import small_menu_button_style
from simcompare.ui.labels import recipe_label
from simcompare.ui.state.document_listing import NO_NAME, DocumentName
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.elided_label import ElidedName, MutedLabel
from simcompare.ui.style.popup_place import place_below
from simcompare.ui.style.theme import GRID_PX

# ruff: noqa: N802 - Qt names the methods it calls

_WIDTH_PX = 212 * GRID_PX
_SIDE_PX = 80 * GRID_PX
_ROW_COUNT = 6
_NO_FIGURE = "–"
_CHEVRON_PX = 12
_PADDING = f"QToolButton {{ padding: 2px {GRID_PX}px; }}"

Sides = tuple[PreparedDocument | None, PreparedDocument | None]
Names = tuple[DocumentName, DocumentName]


class PairDetails(QFrame):
    """Table of both documents; Esc or a click elsewhere closes it."""

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("pairDetails")
        self._names = ElidedName(), ElidedName()
        self._strips = FingerprintStrip(), FingerprintStrip()
        self._heads = [_top_left(MutedLabel()) for _row in range(_ROW_COUNT + 2)]
        self._values = [(_value_label(), _value_label()) for _row in range(_ROW_COUNT)]
        self._distance, self._meaning = _value_label(), MutedLabel()
        self._grid = QGridLayout(self)
        self._lay_out()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        follow_theme(self._apply_theme)

    def _lay_out(self) -> None:
        grid = self._grid
        grid.setContentsMargins(*[4 * GRID_PX] * 4)
        grid.setHorizontalSpacing(6 * GRID_PX)
        grid.setVerticalSpacing(2 * GRID_PX)
        for place, sides in enumerate((self._names, *self._values, self._strips)):
            for column, widget in enumerate(sides, start=1):
                grid.addWidget(widget, place, column)
        for place, head in enumerate(self._heads, start=1):
            grid.addWidget(head, place, 0)
        grid.addWidget(self._distance, _ROW_COUNT + 2, 1, 1, 2)
        grid.addWidget(self._meaning, _ROW_COUNT + 3, 1, 1, 2)
        for column in (1, 2):
            grid.setColumnMinimumWidth(column, _SIDE_PX)
            grid.setColumnStretch(column, 1)

    def show_pair(
        self, sides: Sides, names: Names, comparison: Comparison | None, decided: DecidedShares | None
    ) -> None:
        """Show a pair, with dashes for what is not known yet."""
        heads = (
            _("Share after decisions"),
            _("Share after exclusions"),
            _("Share before exclusions"),
            _("Sentence share"),
            _("Length"),
            _("Excluded"),
            _("Fingerprint"),
            _("Hamming distance"),
        )
        for head, text in zip(self._heads, heads, strict=True):
            head.setText(text)
        for title, name in zip(self._names, names, strict=True):
            title.show_name(name.text, name.shared)
            title.setToolTip(name.text)
        rows = list(zip(*_columns(sides, comparison, decided), strict=True))
        for labels, texts in zip(self._values, rows, strict=True):
            for label, text in zip(labels, texts, strict=True):
                label.setText(text)
        prints = [side.fingerprint if side else None for side in sides]
        self._show_fingerprints(prints, _note_on_exclusions(comparison))
        self.setAccessibleName(_("Details of the pair"))
        read = [named(head, enumerated(texts)) for head, texts in zip(heads, rows, strict=False)]
        self.setAccessibleDescription("\n".join([*read, named(heads[-1], self._distance.text())]))

    def _show_fingerprints(self, prints: Sequence[Fingerprint | None], note: str) -> None:
        """Show fingerprints and their distance; note: shown above the explanations, empty for none."""
        left, right = prints
        for strip, own, other in zip(self._strips, prints, prints[::-1], strict=True):
            pairs = zip(own.bits, other.bits, strict=True) if own and other else ()
            differing = frozenset(i for i, (a, b) in enumerate(pairs) if a != b)
            strip.set_bits(own.bits if own else None, differing if own else None)
        self._distance.setText(_distance_in_words(left, right) if left and right else _NO_FIGURE)
        papers = _("Sentence share: matched sentences only, as in the papers.")
        made = left or right
        condensed = _(
            "A fingerprint condenses a whole text into {size} bits; bits that differ are ringed. "
            "A small distance suggests a near copy, but proves nothing."
        )
        size = condensed.format(size=made.size_bits) if made else ""
        self._meaning.setText("\n".join(filter(None, (note, papers, size))))

    def open_below(self, widget: QWidget) -> None:
        """Open below a widget, inside the window."""
        width_px = min(scaled(_WIDTH_PX), widget.screen().availableGeometry().width())
        self.setFixedSize(width_px, self._grid.totalHeightForWidth(width_px))
        self.move(place_below(widget, widget.rect(), self.size()))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(f"""
            #pairDetails {{ background: {theme.surface}; border: 1px solid {theme.muted}; }}
            ElidedName {{ font-weight: 600; }}
        """)


class PairDetailsButton(QToolButton):
    """Opens the details of the shown pair."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron follows the text
        self.setIconSize(QSize(_CHEVRON_PX, _CHEVRON_PX))
        self._pair: tuple[Sides, Names, Comparison | None, DecidedShares | None]
        self._pair = (None, None), (NO_NAME, NO_NAME), None, None
        self.clicked.connect(self._open)
        follow_language(self._retranslate)
        follow_theme(self._apply_theme)

    @cached_property
    def details(self) -> PairDetails:
        """Details, made when they are first opened; the button is down while they are open."""
        details = PairDetails(self)
        details.closed.connect(lambda: self.setDown(False))
        return details

    def set_pair(
        self, sides: Sides, names: Names, comparison: Comparison | None, decided: DecidedShares | None
    ) -> None:
        """Set the pair; open details follow it."""
        self._pair = sides, names, comparison, decided
        if self.isDown():
            self.details.show_pair(*self._pair)

    def _open(self) -> None:
        self.details.show_pair(*self._pair)
        self.details.open_below(self)
        self.setDown(True)

    def _retranslate(self) -> None:
        self.setText(_("Details"))
        self.setToolTip(_("More figures: shares before exclusions, sentence shares, fingerprints"))

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(small_menu_button_style(theme, theme.ink, "transparent") + _PADDING)
        self.setIcon(QIcon(str(resource_path("icons", "controls", f"chevron-{theme.name}.svg"))))


def _top_left(label: MutedLabel) -> MutedLabel:
    label.setWordWrap(False)
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return label


def _value_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _columns(sides: Sides, comparison: Comparison | None, decided: DecidedShares | None) -> list[list[str]]:
    """Texts of the rows for each side: shares, length, exclusions."""
    columns = []
    for place, (side, direction) in enumerate(zip(sides, ("left_in_right", "right_in_left"), strict=True)):
        length = enumerated([units_count(side), sentences_count(side)]) if side else _NO_FIGURE
        column = [*[_NO_FIGURE] * 4, length, _NO_FIGURE]
        if side and comparison is not None and decided is not None:
            share: Share = getattr(comparison.share, direction)
            column = [
                counted_in_words(getattr(decided, direction)),
                counted_in_words(share),
                percent(share.raw),
                counted_in_words(getattr(comparison.sentence_share, direction)),
                length,
                excluded_in_words(side, comparison.excluded[place]),
            ]
        columns.append(column)
    return columns


def _note_on_exclusions(comparison: Comparison | None) -> str:
    """Explain a share that exclusions raise; empty if they raise none."""
    shares = () if comparison is None else (comparison.share.left_in_right, comparison.share.right_in_left)
    if not any(share.after_exclusions is not None and share.after_exclusions > share.raw for share in shares):
        return ""
    return _(
        "Excluded text counts neither as similar nor as part of the text, "
        "so the share can be higher after exclusions than before."
    )


def _distance_in_words(left: Fingerprint, right: Fingerprint) -> str:
    bits = _("{bits} of {size} bits").format(bits=hamming_distance_bits(left, right), size=left.size_bits)
    return enumerated([bits, recipe_label(left.recipe_name)])
