"""Fingerprints of a pair in its header, and a pop-up with figures that the header leaves out."""

from collections.abc import Sequence
from functools import cached_property

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QToolButton, QToolTip, QWidget

from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.cohort.shared_pictures import SharedPictures
from simcompare.comparison.comparison_result import BothShares, Comparison, Share
from simcompare.comparison.figures import SIDES
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import Fingerprint, hamming_distance_bits
from simcompare.model.document import UNKNOWN_ORIGIN, FilePicture
from simcompare.report.receipts import (
    common_facts,
    facts_of_pair,
    files_hint,
    picture_in_words,
    reference_facts,
)
from simcompare.report.wording import (
    counted_in_words,
    enumerated,
    excluded_in_words,
    named,
    sentences_count,
    units_count,
)
from simcompare.support.display_text import percent
from simcompare.support.i18n import N_, _
from simcompare.ui.access.picture_table import PictureWithTips
from simcompare.ui.actions import key_of
from simcompare.ui.labels import recipe_label
from simcompare.ui.state.document_listing import NO_NAME, DocumentName, Side
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.dialogs import PopUp
from simcompare.ui.style.layouts import column_of, place_below, row_of
from simcompare.ui.style.text_labels import ElidedName, MutedLabel, WrappedLabel, announce, as_tooltip
from simcompare.ui.style.theme import GRID_PX, current_theme, follow_theme, icon, scaled, small_font

_HEIGHT_PX = 12
_ROW_HEIGHT_PX = 15  # less than a line, which the texts below keep
_EDGE_PX = 2
_TOP_PX = 2
_CELL_HEIGHT_PX = 7
_BYTE_GAP_PX = 3
_BITS_A_BYTE = 8
_USUAL_BITS = 64
_LEAST_CELL_PX = 3


class FingerprintStrip(PictureWithTips):
    """Shows bits as cells, most significant first; arrow keys describe them one by one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._bits = ""
        self._differing: frozenset[int] | None = None
        self._current = 0
        follow_language(self._describe)

    def set_bits(self, bits: str | None, differing: frozenset[int] | None = None) -> None:
        """Show a fingerprint, a string of 0 and 1, or none.

        differing: indices in `bits` at which the other text has another bit; None without another text.
        """
        self._bits = bits or ""
        self._differing = differing
        self._current = 0
        self._describe()
        self.update()

    def _describe(self) -> None:
        self.setAccessibleDescription(self._summary())

    def sizeHint(self) -> QSize:
        return QSize(3 * self.minimumSizeHint().width() // 2, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        count = len(self._bits) or _USUAL_BITS
        return QSize(count * _LEAST_CELL_PX + _gaps_before(count - 1) + 2 * _EDGE_PX, _HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        if not self._bits:
            painter.fillRect(self.rect().adjusted(_EDGE_PX, 8, -_EDGE_PX, -8), QColor(theme.bit_off))
        differing = self._differing or frozenset()
        for place, bit in enumerate(self._bits):
            cell = self.cell_rect(place)
            painter.fillRect(cell, QColor(theme.bit_on if bit == "1" else theme.bit_off))
            if place in differing:
                mark = QRect(cell.left(), cell.bottom() + 2, cell.width(), _EDGE_PX)
                painter.fillRect(mark, QColor(theme.accent))
        if self.hasFocus():
            self._paint_focus(painter)

    def cell_rect(self, place: int) -> QRect:
        left, right = self._edge_px(place), self._edge_px(place + 1)
        gap = 1 if self._edge_px(len(self._bits)) >= len(self._bits) * _LEAST_CELL_PX else 0
        return QRect(left + _gaps_before(place), _TOP_PX, right - left - gap, _CELL_HEIGHT_PX)

    def tip_at(self, place: QPointF) -> tuple[str, QRect]:
        bit = self._place_at(int(place.x()))
        if bit is None:
            return self._summary(), QRect()
        return f"{self._bit_words(bit)}\n{self._summary()}", self._column_of(bit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._bits) - 1
        steps = {Qt.Key.Key_Left: self._current - 1, Qt.Key.Key_Right: self._current + 1}
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        place = (steps | ends).get(key_of(event))
        if place is None or last < 0:
            super().keyPressEvent(event)
            return
        self._current = min(max(0, place), last)
        words = self._bit_words(self._current)
        cell = self._column_of(self._current)
        self.setAccessibleDescription(f"{words}\n{self._summary()}")
        announce(self, words)
        QToolTip.showText(self.mapToGlobal(cell.bottomLeft()), words, self, cell)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        QToolTip.hideText()

    def _paint_focus(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(current_theme().accent), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if self._bits:
            cell = self.cell_rect(self._current)
            painter.fillRect(cell.left(), 0, cell.width(), _TOP_PX, QColor(current_theme().accent))

    def _edge_px(self, place: int) -> int:
        count = len(self._bits)
        cells_px = self.width() - 2 * _EDGE_PX - _gaps_before(count - 1)
        return _EDGE_PX + place * cells_px // count

    def _column_of(self, place: int) -> QRect:
        cell = self.cell_rect(place)
        return QRect(cell.left(), 0, cell.width() + 1, self.height())

    def _place_at(self, x_px: int) -> int | None:
        places = range(len(self._bits))
        return next((place for place in places if self._column_of(place).contains(x_px, 0)), None)

    def _bit_words(self, place: int) -> str:
        bit = self._bits[place]
        if self._differing is None:
            return _("bit {number}: {bit}").format(number=place + 1, bit=bit)
        if place in self._differing:
            other = "0" if bit == "1" else "1"
            return _("bit {number}: {bit}, the other text has {other}").format(
                number=place + 1, bit=bit, other=other
            )
        return _("bit {number}: {bit}, in both texts").format(number=place + 1, bit=bit)

    def _summary(self) -> str:
        if not self._bits:
            return _("No fingerprint yet")
        count = len(self._bits)
        digits = format(int(self._bits, 2), f"0{count // 4}x")
        return _("Fingerprint of {count} bits: {digits}").format(count=count, digits=digits)


def _gaps_before(place: int) -> int:
    return place // _BITS_A_BYTE * _BYTE_GAP_PX


_ROW_MARGINS_PX = (3 * GRID_PX, 0, 3 * GRID_PX, 0)
_WIDTH_PX = 212 * GRID_PX
_SIDE_PX = 80 * GRID_PX
_MOST_PICTURES = 3
_PICTURE_PX = 24 * GRID_PX
_NO_FIGURE = "–"
_CHEVRON_PX = 12

Sides = tuple[PreparedDocument | None, PreparedDocument | None]
Names = tuple[DocumentName, DocumentName]
Shown = tuple[Sides, Names, Comparison | None, BothShares | None, PairFacts]
"""What the details of a pair are about; the facts are those that both files have in common."""


class FingerprintRow(QWidget):
    """Both fingerprints, each below its document, and their Hamming distance between them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strips = FingerprintStrip(), FingerprintStrip()
        self.distance = MutedLabel()
        self.distance.setWordWrap(False)
        self._prints: Sequence[Fingerprint | None] = (None, None)
        left, right = self._strips
        translated(left, accessibleName=N_("Fingerprint of the left text"))
        translated(right, accessibleName=N_("Fingerprint of the right text"))
        row_of(self, (left, 1), self.distance, (right, 1), spacing_px=4 * GRID_PX, margins_px=_ROW_MARGINS_PX)
        follow_theme(self._fit)
        follow_language(self._show)

    def show_fingerprints(self, prints: Sequence[Fingerprint | None]) -> None:
        """Show those of the left and the right document; None of one that is not read yet."""
        self._prints = prints
        self._show()

    def _fit(self) -> None:
        self.setFixedHeight(scaled(_ROW_HEIGHT_PX))
        self.distance.setFont(small_font(self.font()))

    def _show(self) -> None:
        prints = self._prints
        self.setVisible(any(prints))
        for strip, own, other in zip(self._strips, prints, prints[::-1], strict=True):
            pairs = zip(own.bits, other.bits, strict=True) if own and other else ()
            differing = frozenset(i for i, (a, b) in enumerate(pairs) if a != b)
            strip.set_bits(own.bits if own else None, differing if own and other else None)
        made = [each for each in prints if each]
        words = _("Hamming distance {bits} of {size} bits")
        bits = hamming_distance_bits(*made) if len(made) == len(Side) else None
        size = made[0].size_bits if made else 0
        self.distance.setText("" if bits is None else words.format(bits=bits, size=size))
        condensed = _(
            "A fingerprint condenses a whole text into {size} bits; bits that differ are underlined. "
            "A small distance suggests a near copy, but proves nothing."
        )
        lines = (condensed.format(size=size), recipe_label(made[0].recipe_name) if made else "")
        self.distance.setToolTip(as_tooltip("\n".join(lines)))


class PairDetails(PopUp):
    """Table of both documents; Esc or a click elsewhere closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("pairDetails")
        self._table = QWidget()
        self._column = column_of(self, self._table, margins_px=4 * GRID_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_pair(self, pair: Shown) -> None:
        sides, names, comparison, decided, common = pair
        heads = (
            _("Share after decisions"),
            _("Share after exclusions"),
            _("Share before exclusions"),
            _("Sentence share"),
            _("Length"),
            _("Excluded"),
        )
        figures = list(zip(heads, *_columns(sides, comparison, decided), strict=True))
        sentence_share = _("Sentence share: counts matched sentences only.")
        # what the files say of their making, and what they have in common
        left, right = (side.document.receipt.origin if side else UNKNOWN_ORIGIN for side in sides)
        facts = [
            *facts_of_pair(left, right),
            *reference_facts(*(None if side is None else side.document for side in sides)),
        ]
        in_common = list(common_facts(left, right, common))
        grid = self._begin_table()
        for column, name in enumerate(names, start=1):
            grid.addWidget(_name_label(name), 0, column)
        _add_rows(grid, figures)
        _add_note(grid, "\n".join(filter(None, (sentence_share, _note_on_exclusions(comparison)))))
        if facts:
            _add_note(grid, files_hint(), above_px=2 * GRID_PX)
        _add_rows(grid, [*facts, *in_common])
        _add_pictures(grid, common.pictures)
        self.setAccessibleName(_("Details of the pair"))
        read = [named(head, enumerated(values)) for head, *values in (*figures, *facts, *in_common)]
        self.setAccessibleDescription("\n".join(read))

    def _begin_table(self) -> QGridLayout:
        """Put an empty table in the place of the last one."""
        last, self._table = self._table, QWidget()
        self._column.replaceWidget(last, self._table)
        last.setParent(None)
        last.deleteLater()
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6 * GRID_PX)
        grid.setVerticalSpacing(GRID_PX)
        for column in (1, 2):
            grid.setColumnMinimumWidth(column, _SIDE_PX)
            grid.setColumnStretch(column, 1)
        return grid

    def open_below(self, widget: QWidget) -> None:
        width_px = min(scaled(_WIDTH_PX), widget.screen().availableGeometry().width())
        self.setFixedSize(width_px, self._column.totalHeightForWidth(width_px))
        self.move(place_below(widget, widget.rect(), self.size()))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)


class PairDetailsButton(QToolButton):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron follows the text
        self.setObjectName("details")
        self.setIcon(icon("chevron", "muted"))
        self.setIconSize(QSize(_CHEVRON_PX, _CHEVRON_PX))
        self._pair: Shown = (None, None), (NO_NAME, NO_NAME), None, None, NO_FACTS
        self.clicked.connect(self._open)
        tip = N_("More figures: shares before exclusions, sentence shares; facts about the files")
        translated(self, N_("Details"), tip)

    @cached_property
    def details(self) -> PairDetails:
        details = PairDetails(self)
        details.closed.connect(lambda: self.setDown(False))
        return details

    def set_pair(self, pair: Shown) -> None:
        self._pair = pair
        if self.isDown():
            self.details.show_pair(pair)

    def _open(self) -> None:
        self.details.show_pair(self._pair)
        self.details.open_below(self)
        self.setDown(True)


def _name_label(name: DocumentName) -> ElidedName:
    label = ElidedName()
    label.show_name(name.text, name.shared)
    label.setToolTip(name.text)
    return label


def _add_rows(grid: QGridLayout, rows: Sequence[Sequence[str]]) -> None:
    """Add rows of a name and a value for each side, or one for both."""
    top_left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    for row, (head, *values) in enumerate(rows, start=grid.rowCount()):
        label = MutedLabel(head)
        label.setWordWrap(False)
        label.setAlignment(top_left)
        grid.addWidget(label, row, 0)
        for column, text in enumerate(values, start=1):
            value = WrappedLabel(text)
            value.setAlignment(top_left)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(value, row, column, 1, len(Side) // len(values))


def _add_note(grid: QGridLayout, text: str, above_px: int = 0) -> None:
    note = MutedLabel(text)
    note.setContentsMargins(0, above_px, 0, 0)
    grid.addWidget(note, grid.rowCount(), 1, 1, 2)


def _add_pictures(grid: QGridLayout, pictures: SharedPictures) -> None:
    """Add the first pictures that both texts have, side by side."""
    shown = [each for each in pictures if each.left.thumbnail and each.right.thumbnail]
    for row, each in enumerate(shown[:_MOST_PICTURES], start=grid.rowCount()):
        words = MutedLabel(picture_in_words(each))
        grid.addWidget(words, row, 0, Qt.AlignmentFlag.AlignTop)
        for column, picture in enumerate((each.left, each.right), start=1):
            label = QLabel()
            label.setPixmap(_pixmap(picture, label))
            label.setAccessibleName(words.text())
            grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)


def _pixmap(picture: FilePicture, label: QLabel) -> QPixmap:
    """Return the thumbnail of a picture at a height that leaves room for others."""
    ratio = label.devicePixelRatioF()
    drawn = QPixmap()
    drawn.loadFromData(picture.thumbnail)
    most = round(scaled(_PICTURE_PX) * ratio)
    drawn = drawn.scaled(
        2 * most, most, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    drawn.setDevicePixelRatio(ratio)
    return drawn


def _columns(sides: Sides, comparison: Comparison | None, decided: BothShares | None) -> list[list[str]]:
    columns = []
    for place, (side, direction) in enumerate(zip(sides, SIDES, strict=True)):
        length = enumerated([units_count(side), sentences_count(side)]) if side else _NO_FIGURE
        column = [*[_NO_FIGURE] * 4, length, _NO_FIGURE]
        if side and comparison is not None and decided is not None:
            share: Share = getattr(comparison.share, direction)
            column = [
                counted_in_words(decided[place]),
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
