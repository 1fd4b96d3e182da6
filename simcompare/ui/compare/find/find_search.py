"""Search for words in two texts: hits and the current one; no widgets."""

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Span
from simcompare.text.comparable import FoldedText, fold_for_search
from simcompare.ui.state.document_listing import Side

HitRanges = NDArray[np.int64]
"""Shape (n, 2): start and end (exclusive) of each hit in code points, sorted and without overlaps."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Hit number `index` in the text of one side."""

    side: Side
    index: int


class SearchableText:
    """Text that is searched repeatedly; it is folded once, at the first search."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded: FoldedText | None = None

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to search."""
        return not self._text

    def find_hits(self, words: str) -> HitRanges:
        """Find words regardless of case, character width, and simplified or traditional characters."""
        wanted = fold_for_search(words).characters
        if not wanted:
            return np.zeros((0, 2), np.int64)
        folded = self.folded()
        found = [match.start() for match in re.finditer(re.escape(wanted), folded.characters)]
        firsts = np.array(found, np.int64)
        places = np.stack([folded.starts[firsts], folded.ends[firsts + len(wanted) - 1]], axis=1)
        return _without_overlaps(places.astype(np.int64))

    def folded(self) -> FoldedText:
        """Folded text, in which the search takes place."""
        if self._folded is None:
            self._folded = fold_for_search(self._text)
        return self._folded


def _without_overlaps(places: HitRanges) -> HitRanges:
    """Drop hits that start inside the hit before: both are parts of one character, such as “…”."""
    apart = np.ones(len(places), np.bool_)
    apart[1:] = places[1:, 0] >= places[:-1, 1]
    return places[apart]


def _no_texts() -> dict[Side, SearchableText]:
    return {side: SearchableText("") for side in Side}


def _no_hits() -> dict[Side, HitRanges]:
    return {side: np.zeros((0, 2), np.int64) for side in Side}


@dataclass
class PairSearch:
    """Hits in both texts and the current one.

    Steps go through the hits of the side where the search started, then through those of the other side,
    and wrap around.
    """

    texts: dict[Side, SearchableText] = field(default_factory=_no_texts)
    hits: dict[Side, HitRanges] = field(default_factory=_no_hits)
    current: SearchHit | None = None
    _starting_side: Side = Side.LEFT

    @property
    def count(self) -> int:
        """Number of hits in both texts."""
        return sum(map(len, self.hits.values()))

    @property
    def number(self) -> int:
        """Number of the current hit, counted from 1, left text first; 0 without a hit."""
        if self.current is None:
            return 0
        before = len(self.hits[Side.LEFT]) if self.current.side is Side.RIGHT else 0
        return before + self.current.index + 1

    @property
    def span(self) -> Span | None:
        """Position of the current hit in its text."""
        if self.current is None:
            return None
        return Span(*self.hits[self.current.side][self.current.index].tolist())

    def find(self, words: str, side: Side, offset: int) -> None:
        """Search for words; the first hit of a side at or after a code point becomes the current one."""
        self._starting_side = side
        self.hits = {each: self.texts[each].find_hits(words) for each in Side}
        after = int(np.searchsorted(self.hits[side][:, 0], offset))
        self.current = self._hit_at(after % self.count) if self.count else None

    def step(self, by: int) -> bool:
        """Make the next (1) or previous (-1) hit the current one; return True if that wrapped around."""
        if self.current is None:
            return False
        place = self._place_of(self.current) + by
        self.current = self._hit_at(place % self.count)
        return not 0 <= place < self.count

    def _hit_at(self, place: int) -> SearchHit:
        own = len(self.hits[self._starting_side])
        return (
            SearchHit(self._starting_side, place)
            if place < own
            else SearchHit(self._starting_side.other, place - own)
        )

    def _place_of(self, hit: SearchHit) -> int:
        return hit.index + (0 if hit.side is self._starting_side else len(self.hits[self._starting_side]))
