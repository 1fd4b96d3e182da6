"""Decisions and notes on matches, passages and pairs of documents, and what follows from them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.support.arrays import BoolArray, IndexArray
from simcompare.text.prepared_text import PreparedText, sentence_digests


class Decision(StrEnum):
    """A teacher's decision on a match, a passage or a pair: copied, or no concern, without or with a reason.

    The values are part of the session format.
    """

    FINE = "fine"
    TASK_TEXT = "task_text"
    CITED = "cited"
    COMMON_SOURCE = "common_source"
    JOINT_WORK = "joint_work"
    COPIED = "copied"


OUTCOMES = Decision.FINE, Decision.COPIED
REASONS = Decision.TASK_TEXT, Decision.CITED, Decision.COMMON_SOURCE, Decision.JOINT_WORK
"""Decisions of no concern that say why."""


def outcome_of(decision: Decision | None) -> Decision | None:
    """Return a decision without its reason."""
    return Decision.FINE if decision in REASONS else decision


def joined_decision(decisions: Collection[Decision | None]) -> Decision | None:
    """Return the decision that all have, without its reason if they give several; None if they differ."""
    for found in (set(decisions), set(map(outcome_of, decisions))):
        if len(found) == 1:
            return found.pop()
    return None


@dataclass(frozen=True, slots=True)
class NotedDecision:
    """A decision and a note, either of which may be missing."""

    decision: Decision | None = None
    note: str = ""

    @property
    def is_empty(self) -> bool:
        """True if there is neither a decision nor a note; blanks are no note."""
        return self.decision is None and not self.note.strip()

    def as_json(self) -> dict[str, str | None]:
        """Return decision and note for JSON, and the reason if one was given."""
        held = {"decision": outcome_of(self.decision), "note": self.note}
        return held | ({"reason": self.decision} if self.decision in REASONS else {})


NO_DECISION = NotedDecision()


@dataclass(frozen=True, slots=True, order=True)
class SentenceKey:
    """Identifier of a sentence, made from its text, so that it does not depend on the sentence's number.

    digest: of its comparable text (`sentence_digests`); ordinal: the number of sentences with
    that text before it in the document.
    """

    digest: str
    ordinal: int


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Identifier of a match: the keys of its two sentences."""

    left: SentenceKey
    right: SentenceKey

    @property
    def mirrored(self) -> "MatchKey":
        """The same match with left and right exchanged."""
        return MatchKey(self.right, self.left)


@dataclass(frozen=True, slots=True, order=True)
class PassageKey:
    """Identifier of a passage: the keys of the first and the last sentence that it overlaps on each side."""

    left_first: SentenceKey
    left_last: SentenceKey
    right_first: SentenceKey
    right_last: SentenceKey

    @property
    def mirrored(self) -> "PassageKey":
        """The same passage with left and right exchanged."""
        return PassageKey(self.right_first, self.right_last, self.left_first, self.left_last)


DecisionKey = MatchKey | PassageKey | None
"""Key of a decision: of a match, of a passage, or None for the decision on the pair as a whole."""

_NO_MATCHES: Mapping[MatchKey, NotedDecision] = MappingProxyType({})
_NO_PASSAGES: Mapping[PassageKey, NotedDecision] = MappingProxyType({})
_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class PairReview:
    """The decisions and notes on a pair of documents: on the pair as a whole, its matches and its passages.

    `matches` and `passages` have no empty values. They may have keys that the current settings do not find;
    these are kept for settings that do, and a decision on a passage applies to those that share its
    sentences (`decided_by_key`). A passage of one match is decided by its match.
    """

    overall: NotedDecision = NO_DECISION
    matches: Mapping[MatchKey, NotedDecision] = field(default_factory=lambda: _NO_MATCHES)
    passages: Mapping[PassageKey, NotedDecision] = field(default_factory=lambda: _NO_PASSAGES)

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to save."""
        return self.overall.is_empty and not self.matches and not self.passages

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes on the pair, then on its passages and matches, each once, without blanks around."""
        noted = (self.overall, *self.passages.values(), *self.matches.values())
        return tuple(dict.fromkeys(note for each in noted if (note := each.note.strip())))

    @property
    def is_fine(self) -> bool:
        """True if the pair as a whole is of no concern."""
        return outcome_of(self.overall.decision) is Decision.FINE

    @property
    def has_decided_parts(self) -> bool:
        """True if a match or a passage has a decision; how many passages that is depends on the settings."""
        noted = (*self.matches.values(), *self.passages.values())
        return any(each.decision is not None for each in noted)

    @property
    def has_decision(self) -> bool:
        return self.overall.decision is not None or self.has_decided_parts

    @property
    def mirrored(self) -> "PairReview":
        """The same review with left and right exchanged."""
        return PairReview(
            self.overall,
            {key.mirrored: noted for key, noted in self.matches.items()},
            {key.mirrored: noted for key, noted in self.passages.items()},
        )

    def with_notes(self, change: Callable[[str], str]) -> "PairReview":
        """Copy the review with each note changed; what is empty then is left out."""

        def changed(noted: NotedDecision) -> NotedDecision:
            return replace(noted, note=change(noted.note))

        return PairReview(
            changed(self.overall),
            _without_empty({key: changed(noted) for key, noted in self.matches.items()}),
            _without_empty({key: changed(noted) for key, noted in self.passages.items()}),
        )

    @property
    def without_notes(self) -> "PairReview":
        """The same decisions without their notes."""
        return self.with_notes(lambda _note: "")

    def of(self, key: DecisionKey) -> NotedDecision:
        """Return the decision on a match, a passage or, with None, on the pair; empty if there is none."""
        if key is None:
            return self.overall
        if isinstance(key, PassageKey):
            return self.passages.get(key, NO_DECISION)
        return self.matches.get(key, NO_DECISION)

    def with_decisions(self, decisions: Mapping[DecisionKey, NotedDecision]) -> "PairReview":
        """Copy the review with these decisions in place of those by the same keys; empty ones are removed."""
        overall, matches, passages = self.overall, dict(self.matches), dict(self.passages)
        for key, noted in decisions.items():
            if key is None:
                overall = NO_DECISION if noted.is_empty else noted
            elif isinstance(key, PassageKey):
                put_decision(passages, key, noted)
            else:
                put_decision(matches, key, noted)
        return PairReview(overall, matches, passages)


def put_decision(decisions: dict[_Key, NotedDecision], key: _Key, noted: NotedDecision) -> None:
    """Set the decision by a key, or remove it if `noted` is empty."""
    decisions[key] = noted
    if noted.is_empty:
        del decisions[key]


def _without_empty(
    decisions: Mapping[_Key, NotedDecision],
) -> dict[_Key, NotedDecision]:
    return {key: noted for key, noted in decisions.items() if not noted.is_empty}


NO_REVIEW = PairReview()


# --- keys of sentences


@dataclass(frozen=True, slots=True, eq=False)
class SentenceIndex:
    """The keys of all sentences of a text in order, and the number of the sentence with each key."""

    keys: tuple[SentenceKey, ...]
    sentences: Mapping[SentenceKey, int]

    def sentence_of(self, key: SentenceKey) -> int | None:
        """Return the number of the sentence with this key, or None."""
        return self.sentences.get(key)


def index_sentences(prepared: PreparedText) -> SentenceIndex:
    """Make the keys of all sentences (`sentence_keys`)."""
    keys = tuple(sentence_keys(prepared))
    return SentenceIndex(keys, {key: number for number, key in enumerate(keys)})


def sentence_keys(prepared: PreparedText) -> Iterator[SentenceKey]:
    """Yield the key of each sentence: its digest, and a count of equal ones before it."""
    seen: defaultdict[str, int] = defaultdict(int)
    for digest in sentence_digests(prepared):
        yield SentenceKey(digest, seen[digest])
        seen[digest] += 1


DECISION_OF_CODE = (None, Decision.COPIED, Decision.FINE, *REASONS)
_CODES = {decision: code for code, decision in enumerate(DECISION_OF_CODE)}
_COPIED, _FINE = _CODES[Decision.COPIED], _CODES[Decision.FINE]
_FIRST, _LAST = [0, 2], [1, 3]
_SIDES = (0, 2)
"""Columns of the first sentence of each side."""


class PassageKeys:
    """Keys of the passages of a comparison; `left` and `right` index the sentences of its texts."""

    def __init__(
        self, comparison: Comparison, passages: NumberedPassages, left: SentenceIndex, right: SentenceIndex
    ) -> None:
        self._left, self._right = left, right
        # first and last sentence on the left, then on the right; shape (n, 4)
        self.sentences: IndexArray = np.concatenate(
            [
                comparison.left.prepared.sentences_in(passages.left_spans),
                comparison.right.prepared.sentences_in(passages.right_spans),
            ],
            axis=1,
        ) - np.array([0, 1, 0, 1])

    def key(self, index: int) -> PassageKey:
        left_first, left_last, right_first, right_last = self.sentences[index].tolist()
        left, right = self._left.keys, self._right.keys
        return PassageKey(left[left_first], left[left_last], right[right_first], right[right_last])

    def indices(self, key: PassageKey) -> list[int]:
        """Return the indices of the passages with this key: none, one or several with the same sentences."""
        return self._by_sentences.get(self._sentences_of(key), [])

    def indices_sharing(self, key: PassageKey) -> list[int]:
        """Return the indices of passages that share sentences with a key, those that share most first.

        Each shares at least half of the sentences of the smaller of both on either side, and overlaps no
        passage listed before it.
        """
        wanted = self._sentences_of(key)
        if None in wanted:
            return []
        region = np.array(wanted, np.intp)
        common = self._common_with(region)
        smaller = np.minimum(_sizes(self.sentences), _sizes(region))
        shared = common.sum(axis=1)
        found: list[int] = []
        for index in np.argsort(-shared, kind="stable").tolist():
            if (2 * common[index] >= smaller[index]).all() and not any(
                (self._common_with(self.sentences[other])[index] > 0).all() for other in found
            ):
                found.append(index)
        return found

    def share_within(self, index: int, keys: Iterable[PassageKey]) -> float:
        """Share of the sentences of a passage that some keys cover, on the side where it is smaller."""
        shares = []
        regions = [self._sentences_of(key) for key in keys]
        for side in _SIDES:
            inside = np.zeros(int(_sizes(self.sentences[index])[side // 2]), np.bool_)
            first = int(self.sentences[index, side])
            for region in regions:
                start, last = region[side], region[side + 1]
                if start is not None and last is not None:
                    inside[max(start - first, 0) : max(last + 1 - first, 0)] = True
            shares.append(float(inside.mean()))
        return min(shares)

    def _common_with(self, region: IndexArray) -> IndexArray:
        """Count the sentences that each passage has in a region, shape (n, 2) for left and right."""
        first = np.maximum(self.sentences[:, _FIRST], region[_FIRST])
        last = np.minimum(self.sentences[:, _LAST], region[_LAST])
        common: IndexArray = np.maximum(last - first + 1, 0)
        return common

    def _sentences_of(self, key: PassageKey) -> tuple[int | None, ...]:
        """First and last sentence of a key on the left, then on the right; None for each not in the text."""
        left, right = self._left.sentence_of, self._right.sentence_of
        return left(key.left_first), left(key.left_last), right(key.right_first), right(key.right_last)

    @cached_property
    def _by_sentences(self) -> Mapping[tuple[int | None, ...], list[int]]:
        by_sentences: defaultdict[tuple[int | None, ...], list[int]] = defaultdict(list)
        for index, sentences in enumerate(self.sentences.tolist()):
            by_sentences[tuple(sentences)].append(index)
        return by_sentences


def _sizes(sentences: IndexArray) -> IndexArray:
    """Count the sentences from the first to the last on each side, shape (..., 2)."""
    sizes: IndexArray = sentences[..., _LAST] - sentences[..., _FIRST] + 1
    return sizes


@dataclass(frozen=True, slots=True)
class KeyedDecisions:
    """Decisions by key, on the passages of a list that they apply to.

    decided: decision and note by index of the passage
    partly: indices of passages of which decisions cover less than half, or that have contradicting ones
    sources: by index, the keys of passages that had other sentences when they were decided
    """

    decided: Mapping[int, NotedDecision]
    partly: frozenset[int]
    sources: Mapping[int, tuple[PassageKey, ...]]


NO_KEYED_DECISIONS = KeyedDecisions({}, frozenset(), {})


def decided_by_key(keys: PassageKeys, decisions: Mapping[PassageKey, NotedDecision]) -> KeyedDecisions:
    """Find the passages of the list that decisions by key apply to.

    Other settings split, join, shorten or extend passages. A decision on a passage that the list does not
    have applies to those that share its sentences (`indices_sharing`), unless they have a decision by their
    own key. Such a passage is decided if decisions without a contradiction cover at least half of it.
    """
    decided = {index: noted for key, noted in decisions.items() for index in keys.indices(key)}
    sources: defaultdict[int, list[PassageKey]] = defaultdict(list)
    for key in decisions:
        if not keys.indices(key):
            for index in keys.indices_sharing(key):
                if index not in decided:
                    sources[index].append(key)
    partly = set()
    for index, found in sources.items():
        decided[index] = _joined(keys, index, {key: decisions[key] for key in found})
        if decided[index].decision is None and any(decisions[key].decision for key in found):
            partly.add(index)
    return KeyedDecisions(
        decided, frozenset(partly), {index: tuple(found) for index, found in sources.items()}
    )


def _joined(keys: PassageKeys, index: int, decisions: Mapping[PassageKey, NotedDecision]) -> NotedDecision:
    note = "\n".join(dict.fromkeys(noted.note for noted in decisions.values() if noted.note.strip()))
    decision = joined_decision({noted.decision for noted in decisions.values()} - {None})
    covering = [key for key, noted in decisions.items() if noted.decision is not None]
    is_covered = decision is not None and keys.share_within(index, covering) >= 0.5
    return NotedDecision(decision if is_covered else None, note)


Cell = tuple[int, int]
"""Sentence index in the left text and in the right text."""


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """Decisions on the items of a list; codes: places in DECISION_OF_CODE, shape (n,)."""

    codes: NDArray[np.int8]

    def decision(self, index: int) -> Decision | None:
        return DECISION_OF_CODE[self.codes[index]]

    def counted(self) -> Counter[Decision | None]:
        """Count the items by decision."""
        counts = np.bincount(self.codes, minlength=len(DECISION_OF_CODE)).tolist()
        return Counter(dict(zip(DECISION_OF_CODE, counts, strict=True)))

    @property
    def copied(self) -> BoolArray:
        """Mask of the items that are copied."""
        copied: BoolArray = self.codes == _COPIED
        return copied

    @property
    def fine(self) -> BoolArray:
        """Mask of the items of no concern, for whatever reason."""
        fine: BoolArray = self.codes >= _FINE
        return fine

    @property
    def undecided(self) -> BoolArray:
        """Mask of the items without a decision."""
        undecided: BoolArray = self.codes == 0
        return undecided


@dataclass(frozen=True, slots=True, eq=False)
class MatchDecisions(Decided):
    """Decisions and notes on the matches of a comparison: codes in match order, notes by match index."""

    notes: Mapping[int, str]

    def with_decision(self, index: int, noted_decision: NotedDecision) -> "MatchDecisions":
        """Copy with another decision or note for one match."""
        codes, notes = self.codes.copy(), dict(self.notes)
        codes[index] = _CODES[noted_decision.decision]
        notes.pop(index, None)
        if noted_decision.note.strip():
            notes[index] = noted_decision.note
        return MatchDecisions(codes, notes)


@dataclass(frozen=True, slots=True, eq=False)
class PassageDecisions(Decided):
    """Decisions on the passages of a list.

    A passage is decided as a whole by itself, unless decisions on its matches themselves differ, or because
    all its matches are decided alike.
    partly: some of it is decided, and it is not decided as a whole, shape (n,); closed: it is fine,
    or was decided to be fine and only some of its matches were not, shape (n,); notes: by index;
    open_rewritten: number of possibly rewritten passages that are not closed, and their units in each text
    """

    partly: BoolArray
    closed: BoolArray
    notes: Mapping[int, str]
    open_rewritten: int = 0
    open_rewritten_units: tuple[int, int] = 0, 0

    @property
    def is_complete(self) -> bool:
        """True if there are passages, and all are decided as a whole."""
        return len(self.codes) > 0 and not self.undecided.any()

    @property
    def is_all_fine(self) -> bool:
        """True if there are passages, and all are of no concern."""
        return len(self.codes) > 0 and bool(self.fine.all())

    def noted_decision(self, index: int) -> NotedDecision:
        return NotedDecision(self.decision(index), self.notes.get(index, ""))


_NOTHING = np.zeros(0, np.bool_)
NO_MATCH_DECISIONS = MatchDecisions(_NOTHING.view(np.int8), {})
NO_PASSAGE_DECISIONS = PassageDecisions(_NOTHING.view(np.int8), _NOTHING, _NOTHING, {})


def decided_cells(
    decisions: Mapping[MatchKey, NotedDecision], left: SentenceIndex, right: SentenceIndex
) -> dict[Cell, NotedDecision]:
    """Return the decisions on sentences that the texts have, matched or not, by cell."""
    cells = {}
    for key, noted in decisions.items():
        row, column = left.sentence_of(key.left), right.sentence_of(key.right)
        if row is not None and column is not None:
            cells[row, column] = noted
    return cells


def decisions_on_matches(comparison: Comparison, cells: Mapping[Cell, NotedDecision]) -> MatchDecisions:
    """Arrange decisions given by cell in match order; those on other sentences are left out."""
    count = len(comparison.matches)
    found: dict[int, NotedDecision] = {}
    if count and cells:
        places = zip(_match_indices(comparison, list(cells)).tolist(), cells.values(), strict=True)
        found = {place: noted for place, noted in places if place >= 0}
    notes = {place: noted.note for place, noted in found.items() if noted.note.strip()}
    return MatchDecisions(_codes(count, found), notes)


def _match_indices(comparison: Comparison, cells: Sequence[Cell]) -> IndexArray:
    """Match index of each cell, -1 without a match; matches are sorted by row, then column."""
    width = comparison.matrix.shape[1]
    found = comparison.matches.cells
    matches = found.rows.astype(np.int64) * width + found.columns
    wanted = np.array(cells, np.int64) @ np.array([width, 1])
    places = np.minimum(np.searchsorted(matches, wanted), len(matches) - 1)
    return np.where(matches[places] == wanted, places, -1)


def effective_on_matches(
    passages: NumberedPassages, own: MatchDecisions, decided: Mapping[int, NotedDecision]
) -> MatchDecisions:
    """Decide each match that has no decision of its own by the passages that hold it.

    Copied if one of them is copied, fine if all of them are fine. own: decisions on matches themselves.
    """
    if not decided:
        return own
    on_passages = _codes(len(passages), decided)[_owners(passages)]
    of_passages = _joined_codes(len(own.codes), passages.match_indices, on_passages)
    of_passages[passages.match_indices[on_passages == _COPIED]] = _COPIED
    return replace(own, codes=np.where(own.undecided, of_passages, own.codes))


def decisions_on_passages(
    passages: NumberedPassages,
    own: MatchDecisions,
    effective: MatchDecisions,
    keyed: KeyedDecisions,
) -> PassageDecisions:
    """Summarise the decisions and notes on passages.

    own: decisions on matches themselves; effective: with those on their passages (`effective_on_matches`);
    keyed: decisions on passages themselves. A passage of one match also has the note of its match.
    """
    decided = keyed.decided
    sizes = np.diff(passages.match_bounds)
    owners = _owners(passages)
    own_copied, own_fine, all_copied, all_fine = (
        np.bincount(owners[column[passages.match_indices]], minlength=len(passages))
        for column in (own.copied, own.fine, effective.copied, effective.fine)
    )
    itself = Decided(_codes(len(passages), decided))
    copied_itself, fine_itself = itself.copied, itself.fine
    # in a passage with a decision, overlapping passages do not count against it
    alike_copied = (sizes > 0) & (np.where(fine_itself, own_copied, all_copied) == sizes)
    alike_fine = (sizes > 0) & (np.where(copied_itself, own_fine, all_fine) == sizes)
    is_copied = alike_copied | (copied_itself & (own_fine == 0))
    is_fine = alike_fine | (fine_itself & (own_copied == 0))
    of_matches = _joined_codes(len(passages), owners, effective.codes[passages.match_indices])
    fine_codes = np.where(fine_itself, itself.codes, of_matches)
    codes = np.where(is_copied, np.int8(_COPIED), np.where(is_fine, fine_codes, np.int8(0)))
    closed = is_fine | (fine_itself & ~is_copied)
    is_open = passages.is_rewritten & ~closed
    return PassageDecisions(
        codes,
        partly=((all_copied + all_fine > 0) | _mask(len(passages), list(keyed.partly)))
        & ~is_copied
        & ~is_fine,
        closed=closed,
        notes=_notes_on_passages(passages, own.notes, decided),
        open_rewritten=int(np.count_nonzero(is_open)),
        open_rewritten_units=(
            int(passages.left_units[is_open].sum()),
            int(passages.right_units[is_open].sum()),
        ),
    )


def _notes_on_passages(
    passages: NumberedPassages, match_notes: Mapping[int, str], decided: Mapping[int, NotedDecision]
) -> Mapping[int, str]:
    notes = {index: noted.note for index, noted in decided.items() if noted.note.strip()}
    if match_notes:
        single = np.flatnonzero(np.diff(passages.match_bounds) == 1)
        only_match = passages.match_indices[passages.match_bounds[single]]
        for index, match in zip(single.tolist(), only_match.tolist(), strict=True):
            if match in match_notes:
                both = match_notes[match], notes.get(index, "")
                notes[index] = "\n".join(dict.fromkeys(filter(None, both)))
    return notes


def _codes(size: int, decided: Mapping[int, NotedDecision]) -> NDArray[np.int8]:
    codes = np.zeros(size, np.int8)
    for index, noted in decided.items():
        codes[index] = _CODES[noted.decision]
    return codes


def _joined_codes(size: int, groups: IndexArray, codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the code that all members of a group have; of no concern if they give several reasons; else 0.

    groups: of each code, in [0, size)
    """
    lowest, highest = np.full(size, len(DECISION_OF_CODE), np.int8), np.zeros(size, np.int8)
    np.minimum.at(lowest, groups, codes)
    np.maximum.at(highest, groups, codes)
    several = np.where((lowest >= _FINE) & (highest >= _FINE), np.int8(_FINE), np.int8(0))
    return np.where(lowest == highest, highest, several)


def _owners(passages: NumberedPassages) -> IndexArray:
    """Return the passage of each entry of `match_indices`."""
    return np.repeat(np.arange(len(passages)), np.diff(passages.match_bounds))


def _mask(size: int, indices: list[int] | IndexArray) -> BoolArray:
    mask = np.zeros(size, np.bool_)
    mask[indices] = True
    return mask
