"""Rows of the list of passages: one for each, and below unfolded ones one for each pair of sentences."""

from typing import NamedTuple

import numpy as np

from simcompare.comparison.comparison_result import Comparison, Match
from simcompare.comparison.explanation import agreement_in_words
from simcompare.comparison.passages.numbered_passages import NumberedPassages, is_mostly_chinese
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.report.wording import detailed, enumerated, kind_name, number, passage_kind_name
from simcompare.session.decisions import NotedDecision
from simcompare.support.arrays import IndexArray
from simcompare.support.display_text import percent
from simcompare.support.i18n import _, ngettext
from simcompare.ui.labels import decision_text
from simcompare.ui.state.review.review_history import ReviewHistory

_EXCERPT_LENGTH = 80  # more than fits into any list


class PassageRow(NamedTuple):
    """Indices of a passage and, for a pair of sentences in it, of the match."""

    passage: int
    match: int | None = None


class PassageRows:
    """Rows of the listed passages in reading order, and of the pairs of sentences in those unfolded."""

    def __init__(self, review: ReviewHistory) -> None:
        self._review = review
        self._shown: tuple[Comparison, NumberedPassages] | None = None
        self._listed: IndexArray = np.zeros(0, np.intp)
        self._unfolded: set[int] = set()

    @property
    def _comparison(self) -> Comparison:
        assert self._shown is not None, "rows are of a comparison"
        return self._shown[0]

    @property
    def _passages(self) -> NumberedPassages:
        assert self._shown is not None, "rows are of passages"
        return self._shown[1]

    def show(self, shown: tuple[Comparison, NumberedPassages] | None, listed: IndexArray) -> None:
        """List the passages of a comparison with these indices, ascending.

        Unfolded passages that are also in the new list stay unfolded.
        """
        unfolded = _same_passages(self._passages, shown[1], self._unfolded) if self._shown and shown else ()
        self._shown, self._listed = shown, listed
        self._unfolded = {passage for passage in unfolded if self.can_unfold(passage)}

    def arranged(self) -> list[PassageRow]:
        """Return a row for each listed passage, and below unfolded ones a row for each pair of sentences."""
        rows: list[PassageRow] = []
        for passage in self._listed.tolist():
            rows.append(PassageRow(passage))
            if passage in self._unfolded:
                rows += [PassageRow(passage, match) for match in self._passages.matches_of(passage).tolist()]
        return rows

    def can_unfold(self, passage: int) -> bool:
        return len(self._passages.matches_of(passage)) > 1

    def is_unfolded(self, passage: int) -> bool:
        return passage in self._unfolded

    def set_unfolded(self, passage: int, unfolded: bool) -> None:
        if unfolded and self.can_unfold(passage):
            self._unfolded.add(passage)
        else:
            self._unfolded.discard(passage)

    @property
    def last_number(self) -> int:
        return int(self._listed[-1]) + 1 if len(self._listed) else 0

    def kind(self, passage: int) -> PassageKind:
        return PASSAGE_KINDS[int(self._passages.kinds[passage])]

    def common_words(self, passage: int) -> str:
        """Share of the words that both sides of a passage have: "61 %"; "" if it was found by meaning."""
        if self.kind(passage) is PassageKind.MEANING:
            return ""
        return percent(float(self._passages.common_words[passage]))

    def length(self, passage: int) -> str:
        """Length of a passage: "312 ch." of Chinese, "57 words" of others.

        The longest one is the figure in the list of pairs (`PairSummary.longest_passage_units`).
        """
        units = self._passages.units_of(passage)
        if is_mostly_chinese(self._comparison, self._passages, passage):
            return _("{count} ch.").format(count=f"{units:,}")
        return ngettext("{count} word", "{count} words", units)

    def decision(self, row: PassageRow) -> NotedDecision:
        if row.match is None:
            return self._review.passage_decision(row.passage)
        decisions = self._review.matches
        return NotedDecision(decisions.decision(row.match), decisions.notes.get(row.match, ""))

    def is_partly_decided(self, row: PassageRow) -> bool:
        """Return whether a row is of a passage with decisions on some of its pairs of sentences only."""
        return row.match is None and bool(self._review.passages.partly[row.passage])

    def match_at(self, index: int) -> Match:
        return self._comparison.matches[index]

    def agreement(self, index: int) -> tuple[str, str]:
        """Say what the two sentences of a match have in common, and how many synonyms or ""."""
        return agreement_in_words(self._comparison, self.match_at(index))

    def excerpt(self, row: PassageRow) -> str:
        text = self._comparison.left.document.text
        if row.match is None:
            start, end = self._first_counted(row.passage), int(self._passages.left_spans[row.passage, 1])
        else:
            span = self._comparison.left_span(self.match_at(row.match))
            start, end = span.start, span.end
        return " ".join(text[start : min(end, start + _EXCERPT_LENGTH)].split())

    def _first_counted(self, passage: int) -> int:
        """Begin of a passage in the left text, after excluded sentences such as lines with a name."""
        span = self._passages.left_spans[passage : passage + 1]
        first, stop = self._comparison.left.prepared.sentences_in(span)[0].tolist()
        kept = self._comparison.left_excluded.kept[first:stop]
        counted = first + int(kept.argmax()) if kept.any() else first
        return max(int(span[0, 0]), self._comparison.left.prepared.sentence_span(counted).start)

    def description(self, row: PassageRow) -> str:
        if row.match is None:
            words = self._passage_in_words(row.passage)
            partly = _("Partly decided") if self.is_partly_decided(row) else ""
        else:
            words, partly = self._match_in_words(row.match), ""
        return "\n".join(filter(None, (words, partly, decision_text(self.decision(row)))))

    def _passage_in_words(self, passage: int) -> str:
        facts = [
            passage_kind_name(self.kind(passage)),
            self.length(passage),
        ]
        if share := self.common_words(passage):
            facts.append(_("{share} of the words in common").format(share=share))
        if self.can_unfold(passage):
            count = len(self._passages.matches_of(passage))
            facts.append(ngettext("{count} sentence pair", "{count} sentence pairs", count))
        return _("Passage {number}: {facts}").format(number=passage + 1, facts=enumerated(facts))

    def _match_in_words(self, index: int) -> str:
        match = self.match_at(index)
        scores = [f"P = {number(match.p)}", *([] if match.w is None else [f"w = {number(match.w)}"])]
        places = _("{kind}: sentence {left} on the left, {right} on the right").format(
            kind=kind_name(match.kind), left=match.left + 1, right=match.right + 1
        )
        agreement = enumerated(filter(None, self.agreement(index)))
        return enumerated([places, detailed(agreement, enumerated(scores))])


def _same_passages(before: NumberedPassages, after: NumberedPassages, indices: set[int]) -> set[int]:
    """Find passages again, by their spans, in the list made with other settings."""
    found = set()
    for index in indices:
        same = (after.left_spans == before.left_spans[index]).all(axis=1)
        same &= (after.right_spans == before.right_spans[index]).all(axis=1)
        found |= set(np.flatnonzero(same)[:1].tolist())
    return found
