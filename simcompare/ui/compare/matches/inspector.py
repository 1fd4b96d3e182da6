"""Inspector: numbers of a match, its two sentences, the reasons for it, and the decision on it."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QPushButton,
    QStackedLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from simcompare.comparison.comparison_result import Alignment, Comparison, Match, MatchKind, NearMiss
from simcompare.comparison.explanation import rounded_for_thresholds
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import NotedDecision
from simcompare.support.i18n import _
from simcompare.ui.compare.matches.decision_bar import DecisionBar, NoteEdit, button_style
from simcompare.ui.compare.matches.inspector_sentences import (
    QuietText,
    SentencePart,
    SentencesView,
    both_sides,
)
from simcompare.ui.compare.matches.kind_chip import KindChip
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.box_layouts import BAR_MARGINS_PX, column_of, row_of
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, bold, muted_palette, surface_palette

# ruff: noqa: N802 - Qt names the methods it calls


_NARROWEST_REASON_PX = 65 * GRID_PX
_ICON_PX = 16
_ROW_GAP_PX = 6
_HINT_MARGIN_PX = 3 * GRID_PX


def score_text(match: Match, settings: ComparisonSettings) -> str:
    """Scores of a match, with the threshold that the deciding one reached."""
    p = f"P = {rounded_for_thresholds(match.p, settings)}"
    reached = f" ≥ {settings.right_weight:.2f}"
    if match.w is not None:
        return f"{p}   w = {rounded_for_thresholds(match.w, settings)}{reached}"
    return p if match.kind is MatchKind.EXACT else p + reached


class Inspector(QWidget):
    """Shows the selected match, or a hint how to select one; the teacher decides on it here."""

    previous_requested = Signal()
    next_requested = Signal()
    decided = Signal(object)
    """The Decision that was switched on; None if one was switched off."""
    note_changed = Signal(str)
    note_closed = Signal()
    width_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._show_again: Callable[[], None] = _nothing
        self._number = QLabel(self)
        self._chip = KindChip(self)
        self._scores = QLabel(self)
        self._previous = QPushButton(self)
        self._next = QPushButton(self)
        self._sentences = SentencesView(self)
        self._bar = DecisionBar(self)
        self._reason = QuietText(self)
        self._note = NoteEdit(self)
        self._before_note: QWidget | None = None
        self._divider = QFrame(self)
        self._hint = QLabel(self)
        self._lay_out()
        self._previous.clicked.connect(self.previous_requested)
        self._next.clicked.connect(self.next_requested)
        self._bar.decided.connect(self.decided)
        self._bar.note_requested.connect(self.toggle_note)
        self._note.note_changed.connect(self.note_changed)
        self._note.close_requested.connect(self.close_note)
        self.setAutoFillBackground(True)
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)
        self.clear()

    # --- arrangement

    def _lay_out(self) -> None:
        self._number.setFont(bold(self.font()))
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setWordWrap(True)
        self._divider.setFixedWidth(1)
        self._divider.setAutoFillBackground(True)
        self._match_page = QWidget(self)
        parts = ((self._match_column(), 3), self._divider)
        row = row_of(self._match_page, *parts, spacing_px=4 * GRID_PX, margins_px=BAR_MARGINS_PX)
        self._beside = QStackedWidget(self)
        self._beside.setMinimumWidth(_NARROWEST_REASON_PX)
        for page in (self._reason, self._note):
            self._beside.addWidget(page)
        row.addWidget(self._beside, 2)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._match_page)
        self._pages.addWidget(self._hint)

    def _match_column(self) -> QVBoxLayout:
        for button in (self._previous, self._next):
            button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        steps = row_of(None, self._previous, self._next, spacing_px=GRID_PX)
        facts = (self._number, self._chip, self._scores)
        numbers = row_of(None, *facts, None, steps, spacing_px=3 * GRID_PX)
        return column_of(None, numbers, (self._sentences, 1), self._bar, spacing_px=_ROW_GAP_PX)

    # --- contents

    def show_match(
        self, comparison: Comparison, index: int, alignment: Alignment, explanation: Sequence[str]
    ) -> None:
        """Show the match `index` of a comparison, what its sentences share, and the reasons."""
        self._show_again = partial(self.show_match, comparison, index, alignment, explanation)
        match = comparison.matches[index]
        count = len(comparison.matches)
        heading = _("Match {number} of {count}").format(number=f"{index + 1:,}", count=f"{count:,}")
        self._chip.set_kind(match.kind)
        self._chip.show()
        self._bar.show()
        self._show_pair(heading, score_text(match, comparison.settings), explanation)
        self._sentences.show_sentences(self._labelled(comparison, match, alignment))

    def show_near_miss(
        self, comparison: Comparison, miss: NearMiss, alignment: Alignment, explanation: Sequence[str]
    ) -> None:
        """Show two sentences that do not match, the parts they share, and why they do not match."""
        self._show_again = partial(self.show_near_miss, comparison, miss, alignment, explanation)
        self._chip.hide()
        self._bar.hide()
        self.close_note()
        counts = (
            comparison.left_excluded.reason(miss.left) is None
            and comparison.right_excluded.reason(miss.right) is None
        )
        numbers = _numbers(miss, comparison.settings)
        self._show_pair(_("No match") if counts else _("Excluded"), numbers, explanation)
        self._sentences.show_sentences(self._labelled(comparison, miss, alignment))

    def enable_steps(self, previous: bool, following: bool) -> None:
        """Enable the buttons for the previous and the next match."""
        self._previous.setEnabled(previous)
        self._next.setEnabled(following)

    @property
    def shows_match(self) -> bool:
        """True if two sentences are shown, False for a hint."""
        return self._pages.currentWidget() is self._match_page

    def minimumSizeHint(self) -> QSize:
        """Minimum of the page shown now, not of the larger one."""
        usual = super().minimumSizeHint()
        return usual if self.shows_match else QSize(usual.width(), self.needed_height())

    def needed_height(self) -> int:
        """Height in pixels at which both sentences and all reasons, or the hint, are visible."""
        if not self.shows_match:
            return self._hint.heightForWidth(max(self.width(), 1)) + 2 * _HINT_MARGIN_PX
        row = self._match_page.layout()
        assert row is not None, "laid out when it was made"
        self._match_page.setGeometry(self.rect())  # otherwise a page just shown gets its geometry later
        row.activate()
        margins = row.contentsMargins()
        bar = 0 if self._bar.isHidden() else _ROW_GAP_PX + self._bar.sizeHint().height()
        above = self._next.sizeHint().height() + _ROW_GAP_PX
        columns = (above + self._sentences.needed_height() + bar, self._reason.needed_height())
        return max(columns) + margins.top() + margins.bottom()

    # --- decision and note

    def show_decision(self, noted_decision: NotedDecision) -> None:
        """Show decision and note of the match shown."""
        self._bar.show_decision(noted_decision)
        self._note.show_note(noted_decision.note)

    def toggle_note(self) -> None:
        """Open the note field in place of the reasons, or close it."""
        if self._beside.currentWidget() is self._note:
            self.close_note()
        elif not self._bar.isHidden():
            self._before_note = QApplication.focusWidget()
            self._beside.setCurrentWidget(self._note)
            self._note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_note(self) -> None:
        """Show the reasons again; the note is stored already."""
        if self._beside.currentWidget() is not self._note:
            return
        if self._note.hasFocus() and self._before_note is not None:
            self._before_note.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before_note = None
        self._beside.setCurrentWidget(self._reason)
        self.note_closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Report another width, as lines wrap differently."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.width_changed.emit()

    def _show_pair(self, heading: str, verdict: str, explanation: Sequence[str]) -> None:
        self._number.setText(heading)
        self._scores.setText(verdict)
        self._show_reason(explanation)
        self._pages.setCurrentWidget(self._match_page)

    def _labelled(
        self, comparison: Comparison, match: Match | NearMiss, alignment: Alignment
    ) -> list[tuple[str, Sequence[SentencePart]]]:
        left, right = both_sides(
            alignment,
            (comparison.left.document.text, comparison.right.document.text),
            (comparison.left_span(match), comparison.right_span(match)),
        )
        return [
            (_("left {number}").format(number=match.left + 1), left),
            (_("right {number}").format(number=match.right + 1), right),
        ]

    def _show_reason(self, explanation: Sequence[str]) -> None:
        self._reason.clear()
        cursor = self._reason.textCursor()
        spaced = QTextBlockFormat()
        spaced.setBottomMargin(GRID_PX // 2)
        cursor.setBlockFormat(spaced)
        ink, quiet = QTextCharFormat(), QTextCharFormat()
        ink.setForeground(QColor(current_theme().ink))
        quiet.setForeground(QColor(current_theme().muted))
        cursor.insertText(_("Why") + "\u2002", quiet)
        for place, line in enumerate(explanation):
            if place:
                cursor.insertBlock(spaced)
            cursor.insertText(line, ink)
        self._reason.moveCursor(QTextCursor.MoveOperation.Start)

    def clear(self, hint: str = "") -> None:
        """Show no match, only a hint in the current language."""
        self._show_again = _nothing
        self.close_note()
        self._hint.setText(hint)
        self._pages.setCurrentWidget(self._hint)

    def _retranslate(self) -> None:
        self._previous.setAccessibleName(_("Previous match"))
        self._previous.setToolTip(_("Go to the match before this one (P)"))
        self._next.setAccessibleName(_("Next match"))
        self._next.setToolTip(_("Go to the match after this one (N)"))
        self._sentences.setAccessibleName(_("The two sentences"))
        self._reason.setAccessibleName(_("Why"))
        self._show_again()

    def set_text_percent(self, percent: int) -> None:
        """Set the text size of the sentences in per cent."""
        self._sentences.set_text_percent(percent)
        self._show_again()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setPalette(surface_palette(theme))
        for label in (self._scores, self._hint):
            label.setPalette(muted_palette(theme))
        line = surface_palette(theme)
        line.setColor(line.ColorRole.Window, QColor(theme.line))
        self._divider.setPalette(line)
        for button, drawing in ((self._previous, "previous"), (self._next, "next")):
            button.setIcon(icon(drawing, theme.ink))
            button.setStyleSheet(button_style(theme))
        self._show_again()


def _nothing() -> None:
    """Default for `_show_again`."""


def _numbers(miss: NearMiss, settings: ComparisonSettings) -> str:
    return f"P = {rounded_for_thresholds(miss.p, settings)}   w = {rounded_for_thresholds(miss.w, settings)}"
