"""A teacher's decisions and notes: on single matches, and on a pair of documents as a whole."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from itertools import pairwise
from types import MappingProxyType

from simcompare.text.prepared_text import PreparedText


class Decision(StrEnum):
    """What a teacher decided. The values are stable: they stand in saved sessions."""

    FINE = "fine"
    COPIED = "copied"


@dataclass(frozen=True, slots=True)
class NotedDecision:
    """A decision, if there is one, and what the teacher noted, if anything."""

    decision: Decision | None = None
    note: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was decided and nothing noted; blanks are no note."""
        return self.decision is None and not self.note.strip()


NO_DECISION = NotedDecision()


@dataclass(frozen=True, slots=True, order=True)
class SentenceKey:
    """Names a sentence by its text, so that the name holds however its file is read and numbered.

    digest: 16 hex digits of its comparable text (anchors.py); ordinal: how many sentences with that text
    stand before it in the document.
    """

    digest: str
    ordinal: int


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Names a match by its two sentences."""

    left: SentenceKey
    right: SentenceKey

    @property
    def mirrored(self) -> "MatchKey":
        """The same match, seen from the other document."""
        return MatchKey(self.right, self.left)


_NO_MATCHES: Mapping[MatchKey, NotedDecision] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PairReview:
    """What a teacher made of two documents: as a whole, and match by match.

    `matches` holds no empty judgements. It may name matches that the present settings do not find: they
    are shown again as soon as those are found again.
    """

    overall: NotedDecision = NO_DECISION
    matches: Mapping[MatchKey, NotedDecision] = field(default_factory=lambda: _NO_MATCHES)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return self.overall.is_empty and not self.matches

    @property
    def mirrored(self) -> "PairReview":
        """The same review with left and right exchanged."""
        return PairReview(self.overall, {key.mirrored: held for key, held in self.matches.items()})

    @property
    def without_notes(self) -> "PairReview":
        """The same decisions, and no word on them."""
        decided = {key: NotedDecision(held.decision) for key, held in self.matches.items() if held.decision}
        return PairReview(NotedDecision(self.overall.decision), decided)

    def of(self, key: MatchKey | None) -> NotedDecision:
        """Return the judgement of a match, empty where there is none; None names the pair as a whole."""
        return self.overall if key is None else self.matches.get(key, NO_DECISION)

    def with_decision(self, key: MatchKey | None, noted_decision: NotedDecision) -> "PairReview":
        """Return a copy in which a match, or with None the pair as a whole, is judged so."""
        kept = NO_DECISION if noted_decision.is_empty else noted_decision
        if key is None:
            return PairReview(kept, self.matches)
        matches = dict(self.matches)
        matches.pop(key, None)
        if not kept.is_empty:
            matches[key] = kept
        return PairReview(self.overall, matches)


NO_REVIEW = PairReview()


_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """The keys of all sentences of a text, in order, and back."""

    keys: tuple[SentenceKey, ...]
    sentences: Mapping[SentenceKey, int]

    def sentence_of(self, key: SentenceKey) -> int | None:
        """Return the number of the sentence with this key, None where the text has none such."""
        return self.sentences.get(key)


def anchors_of(prepared: PreparedText) -> Anchors:
    """Name every sentence, see `sentence_keys`."""
    keys = tuple(sentence_keys(prepared))
    return Anchors(keys, {key: number for number, key in enumerate(keys)})


def sentence_keys(prepared: PreparedText) -> Iterator[SentenceKey]:
    """Name each sentence by a digest of its comparable units and its place among those that say the same.

    Case, spacing, punctuation and the script of a Chinese text leave no trace in the comparable form, so
    that a key outlives another reader, another reading option and a file saved anew.
    """
    seen: defaultdict[str, int] = defaultdict(int)
    for digest in _digests(prepared):
        yield SentenceKey(digest, seen[digest])
        seen[digest] += 1


def _digests(prepared: PreparedText) -> Iterator[str]:
    vocabulary, units = prepared.unit_vocabulary, prepared.unit_ids.tolist()
    for first, end in pairwise(prepared.sentence_units.tolist()):
        said = " ".join([vocabulary[number] for number in units[first:end]])
        yield blake2b(said.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()
