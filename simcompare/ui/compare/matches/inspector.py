"""Inspector: the selected passage or sentences in one line, which unfolds to the reasons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from simcompare.comparison.comparison_result import (
    Alignment,
    Comparison,
    Match,
    MatchKind,
    NearMiss,
    pair_counts,
)
from simcompare.comparison.explanation import rounded_for_thresholds
from simcompare.comparison.passage_explanation import PassageExplanation
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS
from simcompare.model.settings import ComparisonSettings
from simcompare.report.text_pieces import SharedPiece, pieces_of_pair
from simcompare.report.wording import named
from simcompare.session.decisions import NO_DECISION, NotedDecision
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.matches.decision_bar import PASSAGE_TEXTS, DecisionBar, NotePopup
from simcompare.ui.compare.matches.inspector_sentences import AnyKind, KindChip, ReasonsView, SentencesView
from simcompare.ui.compare.matches.passage_rows import sentence_numbers
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.style.layouts import column_of, row_of
from simcompare.ui.style.text_labels import MutedLabel, TwoLineLabel, as_tooltip
from simcompare.ui.style.theme import (
    APPEARANCE,
    GRID_PX,
    bold,
    follow_theme,
    icon,
    on_surface,
    scaled,
    small_font,
)

_ICON_PX = 16
_LEAST_SUMMARY_PX = 30 * GRID_PX
"""Width of a summary for which the label before the buttons goes, and then their words."""
_MARGINS_PX = (4 * GRID_PX, 1, 4 * GRID_PX, 1)  # two small lines are as high as a button with wider margins


class ExplanationLine(QWidget):
    """Shows what is selected in one line, with buttons for the neighbours, the decision and the reasons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = QLabel(self)
        self._number.setFont(bold(self.font()))
        self._chip = KindChip(self)
        self._summary = TwoLineLabel(self)
        self._summary.setObjectName("muted")
        self._summary.cut = Qt.TextElideMode.ElideRight
        self._summary.setTextFormat(Qt.TextFormat.PlainText)
        self.previous_button, self.next_button = (
            QPushButton(icon("previous"), ""),
            QPushButton(icon("next"), ""),
        )
        translated(
            self.previous_button, tip=N_("Previous passage (P)"), accessibleName=N_("Previous passage")
        )
        translated(self.next_button, tip=N_("Next passage (N)"), accessibleName=N_("Next passage"))
        self.decisions = DecisionBar(PASSAGE_TEXTS, self)
        arrow = icon("unfold", checked=("fold", "ink"))
        self.why_button = translated(QPushButton(arrow, ""), N_("Why"), N_("Show or hide the reasons (W)"))
        self.why_button.setCheckable(True)
        self.why_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # arrow behind the text
        for button in (self.previous_button, self.next_button, self.why_button):
            button.setObjectName("quiet")
            button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        steps = row_of(None, self.previous_button, self.next_button, spacing_px=GRID_PX)
        facts = (self._number, self._chip, (self._summary, 1))
        controls = (steps, self.decisions, self.why_button)
        row_of(self, *facts, *controls, spacing_px=3 * GRID_PX, margins_px=_MARGINS_PX)
        follow_theme(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """In a narrow line, leave out the label of the decisions, then their words, for the summary."""
        self._summary.setFont(small_font(self.font()))
        self.decisions.set_compact(False)
        self.decisions.subject.show()
        if APPEARANCE.is_cramped:
            parts = (self._number, self._chip, self.previous_button, self.next_button, self.why_button)
            gaps_px = 3 * GRID_PX * (len(parts) + 1)
            free_px = (
                self.width() - gaps_px - sum(each.sizeHint().width() for each in (*parts, self.decisions))
            )
            subject_px, least_px = self.decisions.subject.sizeHint().width(), scaled(_LEAST_SUMMARY_PX)
            self.decisions.subject.setVisible(free_px >= least_px)
            self.decisions.set_compact(free_px + subject_px < least_px)

    def show_facts(self, number: str, kind: AnyKind | None, summary: str, subject: str = "") -> None:
        """Show number, kind and summary, and the buttons for decision and note on a subject, a gettext id."""
        self._number.setText(number)
        self._chip.setVisible(kind is not None)
        if kind is not None:
            self._chip.set_kind(kind)
        self._summary.setText(summary)
        self._summary.setToolTip(as_tooltip(summary))
        self.decisions.setVisible(bool(subject))
        self.decisions.show_subject(subject)


_NARROWEST_REASON_PX = 65 * GRID_PX
_HINT_MARGIN_PX = 3 * GRID_PX
_DETAIL_MARGINS_PX = (4 * GRID_PX, GRID_PX, 4 * GRID_PX, 2 * GRID_PX)
_MOST_OF_VIEW = 0.4


@dataclass(frozen=True, slots=True)
class PairReasons:
    """Two sentences, what they have in common, and why they match or not, one sentence each."""

    pair: Match | NearMiss
    alignment: Alignment
    reasons: Sequence[str]


def score_text(match: Match, settings: ComparisonSettings) -> str:
    """Scores of a match, with the threshold that the deciding one reached."""
    p = f"P = {rounded_for_thresholds(match.p, settings)}"
    reached = f" ≥ {settings.right_weight:.2f}"
    if match.w is not None:
        return f"{p}   w = {rounded_for_thresholds(match.w, settings)}{reached}"
    return p if match.kind is MatchKind.EXACT else p + reached


class Inspector(QWidget):
    """Shows the selected passage or sentences, or a hint how to select one; the teacher decides on it here.

    `why_action` unfolds the reasons below the line: at most 40% of the height of the view around it.
    """

    note_requested = Signal()
    """The note field is about to open."""
    note_closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._show_again: Callable[[], None] = _nothing
        self._noted = NO_DECISION
        self._reasons: Sequence[str] = ()
        self._grown_px = 0
        self._fitting = QTimer(self, singleShot=True, interval=0)
        self._fitting.timeout.connect(self._fit)
        self.why_action = NamedAction(N_("Show the reasons"), self, checkable=True)
        self.why_action.setShortcut("W")
        self.line = ExplanationLine(self)
        self._hint = MutedLabel()
        self._details = QWidget(self)
        self._sentences = translated(SentencesView(self._details), accessibleName=N_("The two sentences"))
        self._divider = QFrame()
        self._divider.setObjectName("divider")
        self._reason = translated(ReasonsView(self._details), accessibleName=N_("Why"))
        self.note_popup = NotePopup("", self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setMargin(_HINT_MARGIN_PX)
        self._divider.setFixedWidth(1)
        self._reason.setMinimumWidth(_NARROWEST_REASON_PX)
        columns = ((self._sentences, 3), self._divider, (self._reason, 2))
        row_of(self._details, *columns, spacing_px=4 * GRID_PX, margins_px=_DETAIL_MARGINS_PX)
        column_of(self, self.line, self._details, self._hint)
        self.line.decisions.note_requested.connect(self.toggle_note)
        self.line.why_button.toggled.connect(self.why_action.setChecked)
        self.why_action.toggled.connect(self._unfold)
        self.note_popup.field.close_requested.connect(self.close_note)
        self.note_popup.closed.connect(self.note_closed)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        on_surface(self)
        follow_theme(self._show_in_looks)
        follow_language(self._show_in_looks)
        self.clear()

    # --- arrangement

    def _unfold(self, unfolded: bool) -> None:
        self.line.why_button.setChecked(unfolded)
        self._grown_px = 0
        self._details.setVisible(unfolded and self._hint.isHidden())
        self._fit()

    def _fit(self) -> None:
        """Set the height of the reasons to what they need; it only grows, or texts would jump at a step."""
        if self._details.isHidden():
            return
        row, view = self._details.layout(), self.parentWidget()
        assert row is not None, "set by the constructor"
        self._details.resize(self.width(), self._details.height())
        row.activate()
        margins = row.contentsMargins()
        columns = [part for part in (self._sentences, self._reason) if not part.isHidden()]
        needed = max(part.needed_height() for part in columns) + margins.top() + margins.bottom()
        self._grown_px = max(self._grown_px, needed)
        most = self._grown_px if view is None else round(view.height() * _MOST_OF_VIEW)
        self._details.setFixedHeight(min(self._grown_px, most))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._grown_px = 0
            self._fitting.start()

    # --- contents

    def show_passage(
        self,
        passages: NumberedPassages,
        index: int,
        explanation: PassageExplanation,
        only_pair: tuple[Comparison, PairReasons] | None,
    ) -> None:
        """Show a passage, by its index, and its only pair of sentences if it has no other."""
        self._show_again = partial(self.show_passage, passages, index, explanation, only_pair)
        kind = PASSAGE_KINDS[passages.kinds[index]]
        self.line.show_facts(_place(passages, index), kind, explanation.summary, N_("This passage"))
        self.note_popup.set_title(_("Note on passage {number}").format(number=f"{index + 1:,}"))
        self._show_details(only_pair, explanation.reasons)

    def show_match(
        self, comparison: Comparison, passages: NumberedPassages, passage: int | None, shown: PairReasons
    ) -> None:
        """Show the sentences of a match in a passage, or in none, what they share and why they match."""
        self._show_again = partial(self.show_match, comparison, passages, passage, shown)
        match = shown.pair
        assert isinstance(match, Match), "sentences that match"
        place, title = sentence_numbers(match), _("Note on sentences {sentences}")
        if passage is not None:
            place = " · ".join([_place(passages, passage), place])
            title = _("Note on sentences {sentences} of passage {number}")
        self.line.show_facts(place, match.kind, score_text(match, comparison.settings), N_("These sentences"))
        number = "" if passage is None else f"{passage + 1:,}"
        self.note_popup.set_title(title.format(sentences=sentence_numbers(match), number=number))
        self._show_details((comparison, shown), shown.reasons)

    def show_near_miss(
        self, comparison: Comparison, shown: PairReasons, *, is_searching: bool = False
    ) -> None:
        """Show two sentences that do not match, the parts they share, and why they do not match.

        is_searching: the texts are still being searched by meaning.
        """
        self._show_again = partial(self.show_near_miss, comparison, shown, is_searching=is_searching)
        self.close_note()
        miss = shown.pair
        assert isinstance(miss, NearMiss), "sentences that do not match"
        counts = pair_counts(
            comparison.left_excluded.reason(miss.left), comparison.right_excluded.reason(miss.right)
        )
        no_match = _("No match so far") if is_searching else _("No match")
        state = no_match if counts else _("Excluded")
        place = f"{sentence_numbers(miss)} · {state}"
        self.line.show_facts(place, None, _numbers(miss, comparison.settings))
        self._show_details((comparison, shown), shown.reasons)

    def _show_details(self, pair: tuple[Comparison, PairReasons] | None, reasons: Sequence[str]) -> None:
        for part in (self._sentences, self._divider):
            part.setVisible(pair is not None)
        if pair is not None:
            self._sentences.show_sentences(_labelled(*pair))
        self._reasons = reasons
        self._show_reasons()
        self._hint.hide()
        self.line.show()
        self._details.setVisible(self.why_action.isChecked())
        self._fit()

    def _show_reasons(self) -> None:
        note = self._noted.note.strip()
        self._reason.show_paragraphs([*self._reasons, *([named(_("Note"), note)] if note else [])])

    def clear(self, hint: str = "") -> None:
        self._show_again = _nothing
        self.close_note()
        self._hint.setText(hint)
        self._hint.show()
        self.line.hide()
        self._details.hide()

    # --- decision and note

    def show_decision(self, noted_decision: NotedDecision) -> None:
        self._noted = noted_decision
        self.line.decisions.show_decision(noted_decision)
        self.note_popup.field.show_note(noted_decision.note)
        self._show_reasons()
        self._fit()

    def toggle_note(self) -> None:
        if self.note_popup.isVisible():
            self.close_note()
        elif not self.line.decisions.isHidden():
            self.note_requested.emit()
            button = self.line.decisions.note_button
            self.note_popup.open_at(button, button.rect())

    def close_note(self) -> None:
        self.note_popup.hide()

    # --- looks

    def set_text_percent(self, percent: int) -> None:
        self._sentences.text_percent = percent  # of the next sentences
        self._show_again()

    def _show_in_looks(self) -> None:
        """Show the contents in the language, colours and text size in use."""
        self._show_again()


def _nothing() -> None:
    """Default for `_show_again`."""


def _place(passages: NumberedPassages, index: int) -> str:
    return _("{shown} of {total}").format(shown=f"{index + 1:,}", total=f"{len(passages):,}")


def _numbers(miss: NearMiss, settings: ComparisonSettings) -> str:
    return f"P = {rounded_for_thresholds(miss.p, settings)}   w = {rounded_for_thresholds(miss.w, settings)}"


def _labelled(comparison: Comparison, shown: PairReasons) -> list[tuple[str, Sequence[SharedPiece]]]:
    pair = shown.pair
    left, right = pieces_of_pair(comparison, pair, shown.alignment, numbered=True)
    return [
        (_("left {number}").format(number=pair.left + 1), left),
        (_("right {number}").format(number=pair.right + 1), right),
    ]
