"""Page positions of the characters of a text, kept aligned while the text is cleaned."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from simcompare.loading.extraction import NOT_TABS, SPACES, UNPRINTABLE, Piece, clean
from simcompare.model.document import BlockKind, CharacterBoxes


def aligned_clean(text: str, *, keep_tabs: bool = False) -> tuple[str, list[int]]:
    """Return `clean(text)` and, for each of its characters, the index of its origin in `text`."""
    places = [place for place, char in enumerate(text) if not UNPRINTABLE.match(char)]
    printable = "".join(text[place] for place in places)
    composed, clusters = _composed(printable)
    spaces = NOT_TABS if keep_tabs else SPACES
    kept = [
        place
        for part in _cells(composed, keep_tabs=keep_tabs)
        for place in _single_spaced(composed, part, spaces)
    ]
    result = spaces.sub(" ", "".join(composed[place] for place in kept))
    return result, [places[clusters[place]] for place in kept]


def _composed(text: str) -> tuple[str, Sequence[int]]:
    """Return the text in NFC and, for each character, the index of the first character it is composed of."""
    if unicodedata.is_normalized("NFC", text):
        return text, range(len(text))
    parts, places = [], []
    for begin, end in pairwise([*_cluster_begins(text), len(text)]):
        parts.append(unicodedata.normalize("NFC", text[begin:end]))
        places += [begin] * len(parts[-1])
    return "".join(parts), places


def _cluster_begins(text: str) -> Iterator[int]:
    """Yield the indexes of characters that cannot join the one before: only marks and Korean jamo can."""
    for place, char in enumerate(text):
        joins = unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
        if place == 0 or not joins:
            yield place


def _cells(text: str, *, keep_tabs: bool) -> Iterator[range]:
    begin = 0
    for tab in re.finditer("\t", text) if keep_tabs else ():
        yield range(begin, tab.start())
        yield range(tab.start(), tab.end())
        begin = tab.end()
    yield range(begin, len(text))


def _single_spaced(text: str, part: range, spaces: re.Pattern[str]) -> Iterator[int]:
    """Yield the indexes of a part that are kept: the first of each run of spaces, none at the ends."""
    dropped: set[int] = set()
    for run in spaces.finditer(text, part.start, part.stop):
        at_end = run.start() == part.start or run.end() == part.stop
        dropped.update(range(run.start() + (not at_end), run.end()))
    return (place for place in part if place not in dropped)


def clean_piece(piece: Piece) -> Piece:
    """Return a piece with clean text and positions aligned with it."""
    keep_tabs = piece.kind is BlockKind.TABLE_ROW
    if piece.places is None or clean(piece.text, keep_tabs=keep_tabs) == piece.text:
        return piece
    text, origins = aligned_clean(piece.text, keep_tabs=keep_tabs)
    chosen = np.array(origins, dtype=np.int64)
    places = CharacterBoxes(piece.places.pages[chosen], piece.places.boxes[chosen])
    return replace(piece, text=text, places=places)


def places_in_text(pieces: Sequence[Piece]) -> CharacterBoxes:
    """Return the positions of the characters of all pieces, joined with one line end each."""
    line_end = _no_boxes(1)
    parts = [part for piece in pieces for part in (piece.places or _no_boxes(len(piece.text)), line_end)][:-1]
    return CharacterBoxes(
        np.concatenate([part.pages for part in parts]), np.concatenate([part.boxes for part in parts])
    )


def _no_boxes(characters: int) -> CharacterBoxes:
    boxes = np.full((characters, 4), np.nan, dtype=np.float32)
    return CharacterBoxes(np.zeros(characters, dtype=np.int32), boxes)
