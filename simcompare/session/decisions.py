"""Decisions and notes of the teacher, on matches, passages and pairs of documents; keys of sentences."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

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
    def has_decided_parts(self) -> bool:
        """True if a match or a passage has a decision; how many passages that is depends on the settings."""
        noted = (*self.matches.values(), *self.passages.values())
        return any(each.decision is not None for each in noted)

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
