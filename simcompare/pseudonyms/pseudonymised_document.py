"""A document under a pseudonym: nothing that it says or is called names a student."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Block, Document, Span
from simcompare.model.receipt import UNKNOWN_ORIGIN, ExtractionReceipt, Flag, FlagName
from simcompare.text.prepared_text import PreparedText

Int32Array = NDArray[np.int32]


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """Code points [start, end) of a text, and what takes their place.

    A blank at an end of `by` only keeps it apart from what is beside it.
    """

    start: int
    end: int
    by: str


def set_apart(text: str, replacements: Sequence[Replacement]) -> list[Replacement]:
    """Return replacements, in order, with a blank where a digit, a letter or another of them is beside.

    "Student 01" before "2班" would be read as "Student 012".
    """
    result: list[Replacement] = []
    befores, behinds = (None, *replacements), (*replacements[1:], None)
    for before, one, behind in zip(befores, replacements, behinds, strict=False):
        is_joined, goes_on = _touch(before, one), _touch(one, behind)
        first = " " if not is_joined and _runs_on(text[one.start - 1 : one.start]) else ""
        last = " " if goes_on or _runs_on(text[one.end : one.end + 1]) else ""
        result.append(replace(one, by=first + one.by + last))
    return result


def _touch(one: Replacement | None, other: Replacement | None) -> bool:
    return one is not None and other is not None and one.end == other.start


def _runs_on(character: str) -> bool:
    """Whether a character is a digit or a letter of a script that sets blanks between its words."""
    return character.isdigit() or character.lower() != character.upper()


class MovedText:
    """A text with its replacements made, and the way from a place of the old text to one of the new.

    A replacement that goes over one of `borders` is made on each side of it, so that no line and no sentence
    loses its beginning or its end.
    """

    def __init__(self, text: str, replacements: Sequence[Replacement], borders: Iterable[int] = ()) -> None:
        self._made = list(_cut(text, replacements, sorted(set(borders))))
        lengths = [len(one.by) for one in self._made]
        self._starts = np.array([one.start for one in self._made], dtype=np.int64)
        self._ends = np.array([one.end for one in self._made], dtype=np.int64)
        growth = np.cumsum(np.array(lengths, dtype=np.int64) - (self._ends - self._starts))
        self._growth_before = np.concatenate([[0], growth]).astype(np.int64)
        self.text = "".join(_pieces(text, self._made))

    def __len__(self) -> int:
        """Return how many replacements were made."""
        return sum(one.start < one.end for one in self._made)

    def starts(self, places: NDArray[np.integer]) -> Int32Array:
        """Return where what begins at these places begins now; within a replacement, at its beginning."""
        before = np.searchsorted(self._ends, places, side="right")
        moved = places + self._growth_before[before]
        inside = self._are_inside(places, before)
        moved[inside] = (self._starts + self._growth_before[:-1])[before[inside]]
        return moved.astype(np.int32)

    def ends(self, places: NDArray[np.integer]) -> Int32Array:
        """Return where what ends at these places ends now; within a replacement, at its end."""
        # the blank that is put in at a place stands behind what ends there
        before = np.minimum(
            np.searchsorted(self._ends, places, side="right"),
            np.searchsorted(self._starts, places, side="left"),
        )
        moved = places + self._growth_before[before]
        inside = self._are_inside(places, before)
        moved[inside] = (self._ends + self._growth_before[1:])[before[inside]]
        return moved.astype(np.int32)

    def _are_inside(self, places: NDArray[np.integer], before: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether each place is within a replacement, not at one of its ends."""
        following = np.append(self._starts, np.iinfo(np.int64).max)[before]
        return following < places

    def span(self, span: Span) -> Span:
        """Return where a stretch of the text stands now."""
        start, end = np.array([span.start]), np.array([span.end])
        return Span(int(self.starts(start)[0]), int(self.ends(end)[0]))

    def blocks(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """Return the blocks where they stand now."""
        return tuple(replace(block, span=self.span(block.span)) for block in blocks)

    def prepared(self, prepared: PreparedText) -> PreparedText:
        """Return the text with the same sentences, units and words where they stand now.

        What is compared stays that of the original. All units of a name but the last one take no room at the
        beginning of what replaced it, and the last takes its last character: two texts that have the whole
        name in common have the whole pseudonym so, those with another name of the same surname none of it.
        """
        sentences, units = prepared.sentence_spans, prepared.unit_spans
        return replace(
            prepared,
            sentence_spans=np.stack([self.starts(sentences[:, 0]), self.ends(sentences[:, 1])], axis=1),
            unit_spans=self._units(units),
        )

    def _units(self, units: Int32Array) -> Int32Array:
        moved = np.stack([self.starts(units[:, 0]), self.ends(units[:, 1])], axis=1)
        firsts = np.searchsorted(units[:, 0], self._starts).tolist()
        # one that goes on behind the name is its last unit as well
        stops = np.searchsorted(units[:, 0], self._ends).tolist()
        ends = (self._ends + self._growth_before[1:]).tolist()
        for first, stop, end in zip(firsts, stops, ends, strict=True):
            if stop - first > 1:
                moved[first : stop - 1, 1] = moved[first, 0]
                moved[stop - 1, 0] = end - 1
        return moved


def _cut(text: str, replacements: Sequence[Replacement], borders: Sequence[int]) -> Iterable[Replacement]:
    """Yield the replacements on each side of borders, and those of nothing by a blank beside them."""
    edges = np.array(borders, dtype=np.int64)
    for one in replacements:
        first, stop = np.searchsorted(edges, [one.start, one.end], side="left")
        inner = [edge for edge in edges[first:stop].tolist() if one.start < edge < one.end]
        for start, end in pairwise([one.start, *inner, one.end]):
            part = text[start:end]
            if told := part.strip():
                begin = start + part.index(told[0])
                stop = begin + len(told)
                if start == one.start and one.by.startswith(" "):
                    yield Replacement(begin, begin, " ")
                yield Replacement(begin, stop, one.by.strip(" "))
                if end == one.end and one.by.endswith(" "):
                    yield Replacement(stop, stop, " ")


def _pieces(text: str, made: Sequence[Replacement]) -> Iterable[str]:
    end = 0
    for one in made:
        yield text[end : one.start]
        yield one.by
        end = one.end
    yield text[end:]


_NAMED_SIGN = re.compile(r"\[U\+[0-9A-F]{4,6}\]|[\u2400-\u2421]")
_SAME_TITLE = re.compile(r"[\W_]+")


class Replacer(Protocol):
    """What knows the names and what is to stand for them."""

    def replacements(self, text: str, file: Path | None = None) -> Sequence[Replacement]:
        """Return where a text names students, and what is to stand there."""

    def replaced(self, text: str, file: Path | None = None) -> str:
        """Return a text that names nobody."""

    def path_of(self, file: Path) -> Path:
        """Return the name a file goes by."""

    def without_torn_names(self, text: str) -> str:
        """Return a text cut out of a longer one without what may be left of a name at its ends."""


def anonymous_document(
    names: Replacer, document: Document, prepared: PreparedText
) -> tuple[Document, MovedText]:
    """Return the document without names, and the way from its old text to the new.

    Its digest, its size and what it says of its origin are left out, as whoever has the file could tell it
    by them; so are the places of its characters, by which only the file itself can be marked.
    """
    file, text = document.path, document.text
    borders = [edge for block in document.blocks for edge in (block.span.start, block.span.end)]
    moved = MovedText(
        text, names.replacements(text, file), [*borders, *prepared.sentence_spans.ravel().tolist()]
    )
    new = replace(
        document,
        path=names.path_of(file),
        title=_title(names, document),
        text=moved.text,
        blocks=moved.blocks(document.blocks),
        receipt=_receipt(names, document.receipt, file, len(moved)),
        sha256="",
        size_bytes=0,
        character_boxes=None,
    )
    return new, moved


def _title(names: Replacer, document: Document) -> str:
    """Return the title; one that is the name of the file is its new name."""
    title, stem = (_SAME_TITLE.sub("", text) for text in (document.title, document.path.stem))
    if title == stem:
        return names.path_of(document.path).stem
    return names.replaced(document.title, document.path)


def anonymous_excerpt(names: Replacer, excerpt: str, file: Path) -> str:
    """Return what was cut out of the text of a file without names, whole or torn."""
    replaced = names.replaced(excerpt, file)
    # signs that are named in an excerpt may stand within a name
    plain = _NAMED_SIGN.sub("", replaced)
    return names.without_torn_names(names.replaced(plain, file) if names.replacements(plain) else replaced)


def _receipt(names: Replacer, receipt: ExtractionReceipt, file: Path, count: int) -> ExtractionReceipt:
    def anonymous(excerpt: str) -> str:
        return anonymous_excerpt(names, excerpt, file)

    return replace(
        receipt,
        dropped=tuple(replace(one, excerpt=anonymous(one.excerpt)) for one in receipt.dropped),
        flags=(
            *(replace(one, excerpt=anonymous(one.excerpt)) for one in receipt.flags),
            Flag(FlagName.NAMES_REPLACED, count, doubtful=False),
        ),
        origin=UNKNOWN_ORIGIN,  # who made it is a student, or has taken it from one
    )
