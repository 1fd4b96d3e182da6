"""Steps from the pair open in Compare to other pairs of the table, and the commands on the open pair."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QObject, QTimer, Signal

from simcompare.report.wording import enumerated
from simcompare.session.decisions import Decision
from simcompare.session.school_class import Pair
from simcompare.support.display_text import reaches
from simcompare.support.i18n import N_, _, joined_items, ngettext
from simcompare.ui.actions import Command
from simcompare.ui.cohort.pair_order import (
    COMPLETE,
    DECISION_CODES,
    UNDECIDED_CODE,
    Places,
    decision_codes,
    default_order,
    unusual_pairs,
)
from simcompare.ui.cohort.pair_table_page import PairTablePage
from simcompare.ui.compare.bars.pair_header import PairHeader
from simcompare.ui.state.cohort.pair_rows_data import larger_share
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.workspace import Workspace

_UPDATE_DELAY_MS = 50
_ROWS_PER_EXTRA_MS = 1000
"""Sorting 45,000 pairs takes 20 ms, 500,000 pairs 270 ms."""


@dataclass(frozen=True, slots=True)
class PairPosition:
    """Place of the open pair among the listed pairs, and its neighbours.

    index: from 0, None if the pair is not listed; then the first listed pair is the next one.
    next_undecided: the first undecided pair after it, or else before it.
    """

    index: int | None = None
    count: int = 0
    previous: Pair | None = None
    next: Pair | None = None
    next_undecided: Pair | None = None


class PairSteps(QObject):
    """Opens the next and previous pair of the table as it is filtered and sorted, and offers undecided ones.

    While the pairs to read are read, they are the ones that are listed.

    After a decision on the open pair the button for the next pair opens the next undecided one instead; the
    command does not.
    """

    finished = Signal(str)
    """All unusual pairs are decided; says how."""
    reopened = Signal(str)
    """What `finished` said is true no longer, as after undo."""

    def __init__(self, workspace: Workspace, table: PairTablePage, header: PairHeader) -> None:
        super().__init__(header)
        self._workspace, self._table, self._header = workspace, table, header
        self._bar = header.step_bar
        self._labels = StudentLabels(workspace)
        self._position = PairPosition()
        self._to_read: Sequence[Pair] = ()
        self._decided: Pair | None = None
        """Pair that was decided on since it was opened."""
        self._shown_decision: Decision | None = None
        """Decision on the open pair at the last update."""
        self._offered: Pair | None = None
        self._told = ""
        toggle = header.decision_bar.toggle
        fine, copied = (partial(toggle, decision) for decision in (Decision.FINE, Decision.COPIED))
        self.entries = [
            Command("next_pair", N_("Next pair"), "Ctrl+Right", partial(self.step, 1)),
            Command("previous_pair", N_("Previous pair"), "Ctrl+Left", partial(self.step, -1)),
        ]
        self.decisions = [
            Command("pair_fine", N_("Mark the pair as no concern"), "Shift+F", fine),
            Command("pair_copied", N_("Mark the pair as copied"), "Shift+C", copied),
            Command("pair_note", N_("Note on the pair…"), "Shift+M", header.decision_bar.open_note),
        ]
        self._updating = QTimer(self, singleShot=True)
        self._updating.timeout.connect(self._update)
        review = workspace.review
        for signal in (workspace.pairs.changed, workspace.documents_changed, review.changed_elsewhere):
            signal.connect(self._update_soon)
        review.changed.connect(self._follow_decision)
        header.decision_bar.stored.connect(self._offer)
        self._bar.step_requested.connect(self._step_by_button)
        self._bar.position.clicked.connect(self._end_reading)
        header.installEventFilter(self)
        self._enable()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._update()
        elif event.type() == QEvent.Type.Hide:
            self._enable()
        return super().eventFilter(watched, event)

    def open_first(self) -> None:
        """Open the selected or else the highest ranked listed pair, unless a pair was chosen before."""
        listed, selected = self._table.listed(), self._table.chosen()
        if self._workspace.documents.sides_were_chosen or not len(listed):
            return
        table = self._workspace.pairs.table
        rows = table.rows[listed]
        best = selected[0] if len(selected) else listed[default_order(rows)[0]]
        if len(selected) or (larger_share(rows) > 0).any():
            self._open(table.pair_at(int(best)))

    def read(self, pairs: Sequence[Pair]) -> None:
        """Open the first of these pairs; the steps lead to the others until another pair is opened."""
        self._to_read = pairs
        self._open(pairs[0])

    def _end_reading(self) -> None:
        self._to_read = ()
        self._update()

    def _listed(self) -> Places:
        """Return the places of the pairs to read, of which the open one is one, or of those of the table."""
        pairs = self._workspace.pairs
        if self._open_pair not in self._to_read:
            self._to_read = ()
        elif not pairs.is_busy:  # rewriting may have been found since
            codes = decision_codes(pairs, self._workspace.review.pairs())
            unread = [pairs.table.pair_at(each) for each in self._unusual if codes[each] == UNDECIDED_CODE]
            self._to_read = [*dict.fromkeys([*self._to_read, *unread])]
        places = pairs.table.places_of(self._to_read)
        return np.array(places, np.intp) if places else self._table.listed()

    def step(self, step: int) -> None:
        """Open the next (1) or the previous pair (-1)."""
        self._update()
        self._open(self._next if step > 0 else self._position.previous)

    def _step_by_button(self, step: int) -> None:
        """Open the offered pair if there is one, in place of the next."""
        self._update()
        if step > 0 and self._offered is not None:
            self._open(self._offered)
        else:
            self.step(step)

    def _open(self, pair: Pair | None) -> None:
        if pair is not None:
            self._workspace.documents.choose_pair(*pair)
            self._table.select(pair)
            self._update()

    @property
    def _next(self) -> Pair | None:
        """Listed pair after the open one, or the offered one if its decision took that out of the list."""
        is_listed = self._position.index is not None
        return self._position.next if is_listed else self._offered or self._position.next

    def _offer(self, decision: Decision | None) -> None:
        """Offer the pair that was the next undecided one before the decision, which may change the table."""
        self._decided = self._open_pair if decision is not None else None
        self._offered = self._position.next_undecided if decision is not None else None
        self._update()
        if decision is not None:
            self._finish_if_all_decided()

    def _finish_if_all_decided(self) -> None:
        pairs, pair = self._workspace.pairs, self._open_pair
        is_unusual = pair is not None and pairs.table.place_of(pair) in self._unusual
        if is_unusual and not pairs.is_busy and (words := self._end_in_words()):
            self._told = words
            self.finished.emit(words)

    @property
    def _unusual(self) -> Places:
        return unusual_pairs(self._workspace.pairs, self._workspace.class_state.limit)

    def _end_in_words(self) -> str:
        """Return how all unusual pairs are decided, "" if one is not."""
        codes = decision_codes(self._workspace.pairs, self._workspace.review.pairs())[self._unusual]
        if not (codes != UNDECIDED_CODE).all():
            return ""
        decided = Counter(codes.tolist())
        copied, by_passages = (decided[DECISION_CODES[each]] for each in (Decision.COPIED, COMPLETE))
        decisions = (
            (copied, ngettext("{count} as copied", "{count} as copied", copied)),
            (
                fine := len(codes) - copied - by_passages,
                ngettext("{count} as no concern", "{count} as no concern", fine),
            ),
            (by_passages, ngettext("{count} by passages", "{count} by passages", by_passages)),
        )
        shares = larger_share(self._workspace.pairs.table.rows[self._unusual])
        similar = int(np.count_nonzero(reaches(shares, self._workspace.class_state.limit)))
        kinds = (
            (similar, ngettext("{count} unusual pair", "{count} unusual pairs", similar)),
            (
                rewritten := len(codes) - similar,
                ngettext(
                    "{count} only possibly rewritten pair",
                    "{count} only possibly rewritten pairs",
                    rewritten,
                ),
            ),
        )
        return _("All decided. {pairs}: {decisions}.").format(
            pairs=joined_items(words for count, words in kinds if count),
            decisions=enumerated(words for count, words in decisions if count),
        )

    @property
    def _open_pair(self) -> Pair | None:
        pair = self._workspace.review.pair
        return None if pair is None else (min(pair), max(pair))

    def _update_soon(self) -> None:
        if self._header.isVisible() and not self._updating.isActive():
            extra_ms = len(self._workspace.pairs.table) // _ROWS_PER_EXTRA_MS
            self._updating.start(_UPDATE_DELAY_MS + extra_ms)

    def _follow_decision(self) -> None:
        """Update if the open pair has another decision; decisions on passages do not sort the table.

        Other pairs are decided on while the table hides this view, or by undo and redo.
        """
        if self._decision_on(self._open_pair) is not self._shown_decision:
            self._update_soon()
        if self._told and self._end_in_words() != self._told:
            self.reopened.emit(self._told)
            self._told = ""

    def _decision_on(self, pair: Pair | None) -> Decision | None:
        return None if pair is None else self._workspace.review.pair_review(*pair).overall.decision

    def _update(self) -> None:
        self._updating.stop()
        listed = self._listed()
        self._position = self._locate(listed)
        pair = self._open_pair
        self._shown_decision = self._decision_on(pair)
        if pair != self._decided or self._shown_decision is None:
            self._offered = None
        elif self._offered is None or not self._is_undecided(self._offered, listed):
            self._offered = self._position.next_undecided
        offered = " ↔ ".join(map(self._labels.text_of, self._offered)) if self._offered else ""
        self._bar.setVisible(len(self._workspace.pairs.table) > 1)
        others = len(self._table.listed()) if self._to_read else 0
        self._bar.show_position(self._position.index, self._position.count, offered, others)
        self._enable()

    def _is_undecided(self, pair: Pair, listed: Places) -> bool:
        place = self._workspace.pairs.table.place_of(pair)
        return place is not None and place in listed and self._decision_on(pair) is None

    def _locate(self, listed: Places) -> PairPosition:
        table, pair = self._workspace.pairs.table, self._open_pair
        place = None if pair is None else table.place_of(pair)
        index = None if place is None or place not in listed else int(np.argmax(listed == place))
        at = -1 if index is None else index
        codes = decision_codes(self._workspace.pairs, self._workspace.review.pairs())
        others = np.concatenate([listed[at + 1 :], listed[: max(at, 0)]])
        undecided = others[codes[others] == UNDECIDED_CODE]
        return PairPosition(
            index,
            len(listed),
            previous=table.pair_at(int(listed[at - 1])) if at > 0 else None,
            next=table.pair_at(int(listed[at + 1])) if at + 1 < len(listed) else None,
            next_undecided=table.pair_at(int(undecided[0])) if len(undecided) else None,
        )

    def _enable(self) -> None:
        is_seen = self._header.isVisible()
        next_pair, previous_pair = self.entries
        next_pair.setEnabled(is_seen and self._next is not None)
        previous_pair.setEnabled(is_seen and self._position.previous is not None)
        for decision in self.decisions:
            decision.setEnabled(is_seen and self._open_pair is not None)
