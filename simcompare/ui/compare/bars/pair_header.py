"""Header of the pair: both documents, the share of each that is in the other, fingerprints, decision."""

from collections.abc import Sequence
from functools import partial
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QIcon
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import Fingerprint, hamming_distance_bits
from simcompare.model.receipt import Origin
from simcompare.report.receipts import common_author
from simcompare.report.wording import excluded_in_words, named, sentences_count, units_count
from simcompare.session.decisions import Decision
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.compare.bars.fingerprint_strip import FingerprintStrip
from simcompare.ui.compare.matches.decision_bar import NotePopup
from simcompare.ui.compare.matches.match_filter import small_menu_button_style
from simcompare.ui.labels import (
    DECISION_ICONS,
    NOTE_ICON,
    decision_colour,
    decision_name,
    percent,
    recipe_label,
)
from simcompare.ui.state.document_listing import NO_NAME, DocumentName
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.review_history import ReviewHistory
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.box_layouts import BAR_MARGINS_PX, column_of, row_of
from simcompare.ui.style.elided_label import ElidedLabel, ElidedName
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX

_TEXTS = {
    None: N_("Pair: undecided"),
    Decision.FINE: N_("Pair: fine"),
    Decision.COPIED: N_("Pair: copied"),
}
_ICON_PX = 16


class PairDecisionButton(QToolButton):
    """Shows the decision on the pair; its menu changes it and opens a field for a note.

    `note_button` belongs beside it: visible if there is a note, it opens the field, too.
    """

    def __init__(self, review: ReviewHistory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._review = review
        self.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._decisions: dict[Decision | None, QAction] = {}
        self.setMenu(self._build_menu())
        self._popup = NotePopup()
        self.note = self._popup.field
        self.note.note_changed.connect(self._store_note)
        self._popup.closed.connect(self._end_note)
        self.note_button = self._build_note_button()
        review.changed.connect(self.show_review)
        follow_language(self._retranslate)
        follow_theme(self._apply_theme)

    def _build_note_button(self) -> QToolButton:
        sign = QToolButton()
        sign.setIconSize(QSize(_ICON_PX, _ICON_PX))
        sign.setAutoRaise(True)
        sign.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        sign.clicked.connect(self.open_note)
        sign.hide()
        return sign

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(self)
        for decision in _TEXTS:
            action = menu.addAction("", partial(self._decide, decision))
            action.setCheckable(True)
            group.addAction(action)
            self._decisions[decision] = action
        menu.addSeparator()
        self._open_note = menu.addAction("", self.open_note)
        return menu

    def _decide(self, decision: Decision | None) -> None:
        if self._review.pair is not None:
            self._review.decide_pair(*self._review.pair, decision)

    def _store_note(self, note: str) -> None:
        if self._review.pair is not None:
            self._review.note_pair(*self._review.pair, note)

    def open_note(self) -> None:
        """Open the note field below the button."""
        self._popup.open_at(self, self.rect())

    def _end_note(self) -> None:
        self._review.end_typing()
        if self.note.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_review(self) -> None:
        """Show decision and note of the pair; disabled without a pair."""
        overall = self._review.overall
        self.setEnabled(self._review.pair is not None)
        self._decisions[overall.decision].setChecked(True)
        self.note.show_note(overall.note)
        self.setText(_(_TEXTS[overall.decision]))
        tip = _("Your decision on the pair as a whole")
        self.setToolTip("\n".join(part for part in (tip, overall.note.strip()) if part))
        self.setAccessibleDescription(overall.note.strip())
        self._show_note_button(overall.note.strip())
        self._show_icon()

    def _show_note_button(self, note: str) -> None:
        self.note_button.setVisible(bool(note) and self.isEnabled())
        self.note_button.setToolTip(named(_("Note"), note))
        self.note_button.setAccessibleName(_("Note"))
        self.note_button.setAccessibleDescription(note)

    def _show_icon(self) -> None:
        theme, decision = current_theme(), self._review.overall.decision
        decision_icon = (
            icon(DECISION_ICONS[decision], decision_colour(decision, theme)) if decision else QIcon()
        )
        self.setIcon(decision_icon)
        self.note_button.setIcon(icon(NOTE_ICON, theme.ink))

    def _retranslate(self) -> None:
        for decision, action in self._decisions.items():
            action.setText(decision_name(decision))
        self._open_note.setText(_("Note…"))
        self.show_review()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(small_menu_button_style(theme, theme.ink, "transparent"))
        self._show_icon()


class DocumentHeader(QWidget):
    """One document: name, size, share, fingerprint strip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ElidedName()
        self._name.setObjectName("pairName")
        self._facts = ElidedLabel()
        self._facts.setObjectName("muted")
        self._share = QLabel()
        self._share.setObjectName("share")
        self._share.setTextFormat(Qt.TextFormat.RichText)
        self._share.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._share_caption = QLabel()
        self._share_caption.setObjectName("muted")
        self._share_caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._strip = FingerprintStrip()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GRID_PX * 3)
        grid.setVerticalSpacing(GRID_PX)
        grid.addWidget(self._name, 0, 0)
        grid.addWidget(self._facts, 1, 0)
        grid.addWidget(self._share, 0, 1)
        grid.addWidget(self._share_caption, 1, 1)
        grid.addWidget(self._strip, 2, 0, 1, 2)
        grid.setColumnStretch(0, 1)

    def show_prepared_document(
        self, prepared_document: PreparedDocument | None, name: DocumentName, common_author: str
    ) -> None:
        """Show a document, or only its name while it is being read.

        common_author: author named by both files; empty if there is none.
        """
        self._name.show_name(name.text, name.shared)
        self._name.setToolTip(
            escape_invisible(str(prepared_document.document.path)) if prepared_document else name.text
        )
        facts = _facts(prepared_document) if prepared_document else []
        self._facts.setText(_SEPARATOR.join([*facts, _("same author")] if common_author else facts))
        both = _(
            "Both files name {name} as their author or the last person to save them. "
            "A file that was handed out does so too."
        )
        self._facts.setToolTip(both.format(name=escape_invisible(common_author)) if common_author else "")

    def show_share(self, share: str, net: str, explanation: str) -> None:
        """Show the share of this document that is in the other and, if given, the net share."""
        style = f"font-size:10pt; font-weight:normal; color:{current_theme().muted}"
        self._share.setText(escape(share) + (f'<span style="{style}"> {escape(net)}</span>' if net else ""))
        self._share_caption.setText(_("in the other text") if share else "")
        self._share_caption.setToolTip(explanation)
        self._share.setToolTip(explanation)
        self._share.setAccessibleName(explanation)

    def show_fingerprint(self, own: Fingerprint | None, other: Fingerprint | None) -> None:
        """Show the bits, with rings around those that differ from the other document's."""
        if own is None:
            self._strip.set_bits(None)
            return
        pairs = zip(own.bits, other.bits, strict=True) if other else ()
        self._strip.set_bits(own.bits, frozenset(i for i, (a, b) in enumerate(pairs) if a != b))


_SEPARATOR = " · "


def _origin(prepared_document: PreparedDocument) -> Origin:
    return prepared_document.document.receipt.origin


def _facts(prepared_document: PreparedDocument) -> list[str]:
    pages = prepared_document.document.receipt.pages
    facts = [units_count(prepared_document), sentences_count(prepared_document)]
    if pages:
        facts.append(ngettext("{count} page", "{count} pages", pages))
    return facts


def _net_text(net: float | None) -> str:
    return "–" if net is None else percent(net)


def _show_share(
    widget: DocumentHeader, share: float, net: float | None, names: Sequence[str], *, excluded: str
) -> None:
    """Show the share of all sentences and, with a text for `excluded`, the net share."""
    share_text, net_text = percent(share), _net_text(net)
    covered = _("{share} of “{name}” is in sentences that are similar to “{other}”.")
    explanation = covered.format(share=share_text, name=names[0], other=names[1])
    if not excluded:
        widget.show_share(share_text, "", explanation)
        return
    of_rest = _("Without the excluded sentences: {share}.").format(share=net_text)
    why = named(_("Excluded"), excluded)
    widget.show_share(share_text, _("net {share}").format(share=net_text), f"{explanation}\n{of_rest}\n{why}")


def _excluded_in_words(comparison: Comparison) -> tuple[str, str]:
    """Amount of each text that is excluded, and why."""
    return (
        excluded_in_words(comparison.left, comparison.left_excluded),
        excluded_in_words(comparison.right, comparison.right_excluded),
    )


class PairHeader(QWidget):
    """Both documents and, between them, the Hamming distance and the decision on the pair."""

    def __init__(self, review: ReviewHistory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pairHeader")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._left, self._right = DocumentHeader(), DocumentHeader()
        self._caption = QLabel()
        self._distance = QLabel()
        self._distance.setObjectName("distance")
        self._recipe = QLabel()
        for label in (self._caption, self._recipe):
            label.setObjectName("muted")
        self.decision_button = PairDecisionButton(review)
        parts = ((self._left, 1), self._middle(), (self._right, 1))
        row_of(self, *parts, spacing_px=GRID_PX * 6, margins_px=BAR_MARGINS_PX)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._sides: tuple[PreparedDocument | None, PreparedDocument | None] = (None, None)
        self._names = (NO_NAME, NO_NAME)
        self._comparison: Comparison | None = None
        follow_language(self._refresh)
        follow_theme(self._show_shares)

    def _middle(self) -> QVBoxLayout:
        labels = (self._caption, self._distance, self._recipe)
        for label in labels:
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        buttons = (self.decision_button, self.decision_button.note_button)
        return column_of(None, *labels, row_of(None, None, *buttons, None, spacing_px=GRID_PX))

    def show_pair(
        self,
        left: PreparedDocument | None,
        right: PreparedDocument | None,
        names: tuple[DocumentName, DocumentName],
    ) -> None:
        """Show the chosen documents; one that is still being read has only its name."""
        if (self._sides, self._names) != ((left, right), names):
            self._sides, self._names = (left, right), names
            self._refresh()
        self.decision_button.show_review()  # the decision is known however long the comparison takes

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show the shares of a comparison, or none while it is running."""
        self._comparison = comparison
        self._show_shares()  # the facts of the texts stay: counting the characters of a long one takes time

    def _refresh(self) -> None:
        left, right = self._sides
        author = common_author(_origin(left), _origin(right)) if left and right else ""
        for widget, prepared_document, name in (
            (self._left, left, self._names[0]),
            (self._right, right, self._names[1]),
        ):
            widget.show_prepared_document(prepared_document, name, author)
        prints = [side.fingerprint if side else None for side in self._sides]
        self._left.show_fingerprint(prints[0], prints[1])
        self._right.show_fingerprint(prints[1], prints[0])
        self._show_distance(prints[0], prints[1])
        self._show_shares()

    def _show_distance(self, left: Fingerprint | None, right: Fingerprint | None) -> None:
        self._caption.setText(_("Hamming distance"))
        made = left or right
        self._recipe.setText(recipe_label(made.recipe_name) if made else "")
        tip = _(
            "Number of bits in which the two fingerprints differ. A small number suggests a near "
            "copy; it proves nothing."
        )
        for label in (self._caption, self._distance, self._recipe):
            label.setToolTip(tip)
        if left is None or right is None:
            self._distance.setText("–")
            return
        differing = hamming_distance_bits(left, right)
        self._distance.setText(
            f'{differing}<span style="font-size:small; font-weight:normal"> / {left.size_bits}</span>'
        )
        self._distance.setAccessibleName(
            _("Hamming distance {bits} of {size} bits").format(bits=differing, size=left.size_bits)
        )

    def _show_shares(self) -> None:
        if self._comparison is None:
            for widget in (self._left, self._right):
                widget.show_share("", "", "")
            return
        names = [name.text for name in self._names]
        share = self._comparison.share
        sides = share.left_in_right, share.right_in_left
        # on both sides or on neither: a net share on one side looks as if the other had none
        with_net = any(percent(side.raw) != _net_text(side.after_exclusions) for side in sides)
        left, right = _excluded_in_words(self._comparison) if with_net else ("", "")
        _show_share(self._left, sides[0].raw, sides[0].after_exclusions, names, excluded=left)
        _show_share(self._right, sides[1].raw, sides[1].after_exclusions, names[::-1], excluded=right)
