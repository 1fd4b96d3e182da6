"""Header of the pair: both documents, the share of each that is in the other, the decision on the pair."""

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QIcon
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from simcompare.comparison.comparison_result import Comparison, ExcludedSentences, Share
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Document
from simcompare.model.receipt import Origin
from simcompare.report.receipts import common_author
from simcompare.report.wording import excluded_in_words, named
from simcompare.session.decisions import Decision
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.bars.pair_details import PairDetailsButton, Sides, share_in_words
from simcompare.ui.compare.matches.decision_bar import NotePopup
from simcompare.ui.compare.matches.match_filter import small_menu_button_style
from simcompare.ui.labels import (
    DECISION_ICONS,
    NOTE_ICON,
    as_tooltip,
    decision_colour,
    decision_name,
    percent,
)
from simcompare.ui.state.document_listing import NO_NAME, DocumentName
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.review.review_history import ReviewHistory
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.elided_label import ElidedName
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX

_TEXTS = {
    None: N_("Pair: undecided"),
    Decision.FINE: N_("Pair: no concern"),
    Decision.COPIED: N_("Pair: copied"),
}
_ICON_PX = 16
_MARGINS_PX = (4 * GRID_PX, GRID_PX, 4 * GRID_PX, GRID_PX)


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
    """One document: its name and the share of it that is in the other document."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ElidedName()
        self._name.setObjectName("pairName")
        self._author, self._caption, self._share = QLabel(), QLabel(), QLabel()
        for label in (self._author, self._caption):
            label.setObjectName("muted")
        self._share.setObjectName("share")
        parts = ((self._name, 1), self._author, self._caption, self._share)
        row_of(self, *parts, spacing_px=GRID_PX * 2)

    def show_document(self, document: Document | None, name: DocumentName, common_author: str) -> None:
        """Show a document, or only its name while it is being read.

        common_author: author named by both files; empty if there is none.
        """
        self._name.show_name(name.text, name.shared)
        self._name.setToolTip(escape_invisible(str(document.path)) if document else name.text)
        self._author.setText(_("same author") if common_author else "")
        both = _(
            "Both files name {name} as their author or the last person to save them. "
            "A file that was handed out does so too."
        )
        self._author.setToolTip(both.format(name=escape_invisible(common_author)) if common_author else "")
        self._author.setVisible(bool(common_author))

    def show_share(self, share: Share | None, explanation: str) -> None:
        """Show a share after exclusions, in words if nothing counts; None while it is not known."""
        is_counted = share is not None and share.after_exclusions is not None
        self._caption.setText(_("share") if is_counted else "")
        self._share.setText(share_in_words(share.after_exclusions) if share is not None else "")
        if self._share.property("words") is not (not is_counted):
            self._share.setProperty("words", not is_counted)
            self._share.style().polish(self._share)
        for label in (self._caption, self._share):
            label.setToolTip(as_tooltip(explanation))
        self._share.setAccessibleName(explanation)


def _share_explanation(name: str, share: Share, sentence_share: Share, excluded: str) -> str:
    """Write the share of a document, and the figures that its header leaves out; `excluded` may be empty."""
    lines = [
        named(_("Share of {name}").format(name=name), share_in_words(share.after_exclusions)),
        named(_("Sentence share"), share_in_words(sentence_share.after_exclusions)),
    ]
    if excluded:
        lines += [named(_("Share before exclusions"), percent(share.raw)), named(_("Excluded"), excluded)]
    return "\n".join(lines)


def _excluded_in_words(side: PreparedDocument, excluded: ExcludedSentences) -> str:
    """Amount of a text that is excluded, and why; empty if none is."""
    return "" if excluded.kept.all() else excluded_in_words(side, excluded)


class PairHeader(QWidget):
    """Both documents with their shares and, between them, the decision on the pair and its details."""

    def __init__(self, review: ReviewHistory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pairHeader")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._left, self._right = DocumentHeader(), DocumentHeader()
        self.decision_button = PairDecisionButton(review)
        self.details_button = PairDetailsButton()
        buttons = (self.decision_button, self.decision_button.note_button, self.details_button)
        middle = row_of(None, *buttons, spacing_px=GRID_PX)
        row_of(
            self, (self._left, 1), middle, (self._right, 1), spacing_px=GRID_PX * 6, margins_px=_MARGINS_PX
        )
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._sides: Sides = (None, None)
        self._names = (NO_NAME, NO_NAME)
        self._comparison: Comparison | None = None
        follow_language(self._refresh)

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
        self._show_shares()

    def _refresh(self) -> None:
        left, right = self._sides
        author = common_author(_origin(left), _origin(right)) if left and right else ""
        for widget, side, name in zip((self._left, self._right), self._sides, self._names, strict=True):
            widget.show_document(side.document if side else None, name, author)
        self._show_shares()

    def _show_shares(self) -> None:
        self.details_button.set_pair(self._sides, self._names, self._comparison)
        comparison = self._comparison
        if comparison is None:
            for widget in (self._left, self._right):
                widget.show_share(None, "")
            return
        shares, sentence_shares = comparison.share, comparison.sentence_share
        left = _share_explanation(
            self._names[0].text,
            shares.left_in_right,
            sentence_shares.left_in_right,
            _excluded_in_words(comparison.left, comparison.left_excluded),
        )
        right = _share_explanation(
            self._names[1].text,
            shares.right_in_left,
            sentence_shares.right_in_left,
            _excluded_in_words(comparison.right, comparison.right_excluded),
        )
        self._left.show_share(shares.left_in_right, left)
        self._right.show_share(shares.right_in_left, right)


def _origin(prepared_document: PreparedDocument) -> Origin:
    return prepared_document.document.receipt.origin
