"""Decisions and notes of the teacher, on single matches and on pairs of documents; keys of sentences."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from simcompare.text.prepared_text import PreparedText
from simcompare.text.sentence_digests import sentence_digests


class Decision(StrEnum):
    """A teacher's decision on a match or a pair. The values are part of the session format."""

    FINE = "fine"
    COPIED = "copied"


@dataclass(frozen=True, slots=True)
class NotedDecision:
    """A decision and a note, either of which may be missing."""

    decision: Decision | None = None
    note: str = ""

    @property
    def is_empty(self) -> bool:
        """True if there is neither a decision nor a note; blanks are no note."""
        return self.decision is None and not self.note.strip()


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


_NO_MATCHES: Mapping[MatchKey, NotedDecision] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PairReview:
    """The decisions and notes on a pair of documents: on the pair as a whole, and on its matches.

    `matches` has no empty values. It may have keys of matches that the current settings do not find; they
    are kept for settings that do.
    """

    overall: NotedDecision = NO_DECISION
    matches: Mapping[MatchKey, NotedDecision] = field(default_factory=lambda: _NO_MATCHES)

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to save."""
        return self.overall.is_empty and not self.matches

    @property
    def mirrored(self) -> "PairReview":
        """The same review with left and right exchanged."""
        return PairReview(self.overall, {key.mirrored: noted for key, noted in self.matches.items()})

    @property
    def without_notes(self) -> "PairReview":
        """The same decisions without their notes."""
        decided = {
            key: NotedDecision(noted.decision) for key, noted in self.matches.items() if noted.decision
        }
        return PairReview(NotedDecision(self.overall.decision), decided)

    def of(self, key: MatchKey | None) -> NotedDecision:
        """Return the decision on a match, or with None on the pair as a whole; empty if there is none."""
        return self.overall if key is None else self.matches.get(key, NO_DECISION)

    def with_decision(self, key: MatchKey | None, decision: NotedDecision) -> "PairReview":
        """Copy the review with this decision on a match, or with None on the pair as a whole."""
        kept = NO_DECISION if decision.is_empty else decision
        if key is None:
            return PairReview(kept, self.matches)
        matches = dict(self.matches)
        matches.pop(key, None)
        if not kept.is_empty:
            matches[key] = kept
        return PairReview(self.overall, matches)


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
