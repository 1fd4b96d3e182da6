"""Redact a document: text, title, file name and receipt, with spans mapped to the new text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.citations.citation import check_references, sources_of
from simcompare.model.document import (
    UNKNOWN_ORIGIN,
    Block,
    Document,
    ExtractionReceipt,
    Flag,
    FlagName,
    Note,
    ReferenceCheck,
    Span,
)
from simcompare.support.arrays import Int32Array
from simcompare.text.prepared_text import PreparedText


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """New text for the code points [start, end).

    A blank at an end of `text` only separates it from the characters beside it.
    """

    start: int
    end: int
    text: str


def with_separators(text: str, replacements: Sequence[Replacement]) -> list[Replacement]:
    """Add blanks between a replacement and an adjacent digit, letter or replacement.

    Without a blank, "Student 01" before "2班" would read "Student 012".
    """
    result: list[Replacement] = []
    befores, afters = (None, *replacements), (*replacements[1:], None)
    for before, change, after in zip(befores, replacements, afters, strict=False):
        is_joined, goes_on = _touch(before, change), _touch(change, after)
        first = " " if not is_joined and _needs_separator(text[change.start - 1 : change.start]) else ""
        last = " " if goes_on or _needs_separator(text[change.end : change.end + 1]) else ""
        result.append(replace(change, text=first + change.text + last))
    return result


def _touch(change: Replacement | None, other: Replacement | None) -> bool:
    return change is not None and other is not None and change.end == other.start


def _needs_separator(character: str) -> bool:
    """Return whether a character is a digit, or a letter of a script with blanks between words."""
    return character.isdigit() or character.lower() != character.upper()


class RedactedText:
    """Text after replacements, with the map from old to new positions.

    A replacement across one of `borders` is applied on each side of it, so that each line and sentence
    keeps its start and end.
    """

    def __init__(self, text: str, replacements: Sequence[Replacement], borders: Iterable[int] = ()) -> None:
        self._changes = list(_cut(text, replacements, sorted(set(borders))))
        lengths = [len(change.text) for change in self._changes]
        self._starts = np.array([change.start for change in self._changes], dtype=np.int64)
        self._ends = np.array([change.end for change in self._changes], dtype=np.int64)
        growth = np.cumsum(np.array(lengths, dtype=np.int64) - (self._ends - self._starts))
        self._growth_before = np.concatenate([[0], growth]).astype(np.int64)
        self.text = "".join(_pieces(text, self._changes))

    def __len__(self) -> int:
        return sum(change.start < change.end for change in self._changes)

    def map_starts(self, places: NDArray[np.integer]) -> Int32Array:
        """Map start positions to the new text; inside a replacement, to its start."""
        before = np.searchsorted(self._ends, places, side="right")
        moved = places + self._growth_before[before]
        inside = self._are_inside(places, before)
        moved[inside] = (self._starts + self._growth_before[:-1])[before[inside]]
        return moved.astype(np.int32)

    def map_ends(self, places: NDArray[np.integer]) -> Int32Array:
        """Map end positions to the new text; inside a replacement, to its end."""
        # an inserted blank comes after a span that ends at its position
        before = np.minimum(
            np.searchsorted(self._ends, places, side="right"),
            np.searchsorted(self._starts, places, side="left"),
        )
        moved = places + self._growth_before[before]
        inside = self._are_inside(places, before)
        moved[inside] = (self._ends + self._growth_before[1:])[before[inside]]
        return moved.astype(np.int32)

    def _are_inside(self, places: NDArray[np.integer], before: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return whether each position is inside a replacement and not at one of its ends."""
        following = np.append(self._starts, np.iinfo(np.int64).max)[before]
        return following < places

    def map_span(self, span: Span) -> Span:
        start, end = np.array([span.start]), np.array([span.end])
        return Span(int(self.map_starts(start)[0]), int(self.map_ends(end)[0]))

    def map_blocks(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        return tuple(replace(block, span=self.map_span(block.span)) for block in blocks)

    def map_notes(self, notes: Sequence[Note]) -> tuple[Note, ...]:
        places = self.map_ends(np.array([note.place for note in notes], dtype=np.int64)).tolist()
        return tuple(Note(place, self.map_span(note.span)) for place, note in zip(places, notes, strict=True))

    def map_prepared(self, prepared: PreparedText) -> PreparedText:
        """Map the spans of sentences and units to the new text; the compared units stay the same.

        Of a replaced name, the last unit covers the last character of the pseudonym and the other units are
        empty spans at its start. So a match of the whole name covers the whole pseudonym, and a match of the
        surname alone covers nothing of it.
        """
        sentences, units = prepared.sentence_spans, prepared.unit_spans
        return replace(
            prepared,
            sentence_spans=np.stack(
                [self.map_starts(sentences[:, 0]), self.map_ends(sentences[:, 1])], axis=1
            ),
            unit_spans=self._map_units(units),
        )

    def _map_units(self, units: Int32Array) -> Int32Array:
        moved = np.stack([self.map_starts(units[:, 0]), self.map_ends(units[:, 1])], axis=1)
        firsts = np.searchsorted(units[:, 0], self._starts).tolist()
        # a unit that extends beyond the name is its last unit too
        stops = np.searchsorted(units[:, 0], self._ends).tolist()
        ends = (self._ends + self._growth_before[1:]).tolist()
        for first, stop, end in zip(firsts, stops, ends, strict=True):
            if stop - first > 1:
                moved[first : stop - 1, 1] = moved[first, 0]
                moved[stop - 1, 0] = end - 1
        return moved


def _cut(text: str, replacements: Sequence[Replacement], borders: Sequence[int]) -> Iterable[Replacement]:
    """Split replacements at borders, and turn their outer blanks into insertions."""
    edges = np.array(borders, dtype=np.int64)
    for change in replacements:
        first, stop = np.searchsorted(edges, [change.start, change.end], side="left")
        inner = [edge for edge in edges[first:stop].tolist() if change.start < edge < change.end]
        for start, end in pairwise([change.start, *inner, change.end]):
            part = text[start:end]
            if visible := part.strip():
                begin = start + part.index(visible[0])
                stop = begin + len(visible)
                if start == change.start and change.text.startswith(" "):
                    yield Replacement(begin, begin, " ")
                yield Replacement(begin, stop, change.text.strip(" "))
                if end == change.end and change.text.endswith(" "):
                    yield Replacement(stop, stop, " ")


def _pieces(text: str, changes: Sequence[Replacement]) -> Iterable[str]:
    end = 0
    for change in changes:
        yield text[end : change.start]
        yield change.text
        end = change.end
    yield text[end:]


_NAMED_SIGN = re.compile(r"\[U\+[0-9A-F]{4,6}\]|[\u2400-\u2421]")
_SAME_TITLE = re.compile(r"[\W_]+")


class Replacer(Protocol):
    """Names to find in texts, and their replacements."""

    def replacements(self, text: str, file: Path | None = None) -> Sequence[Replacement]:
        """Return the replacements of the names in a text; `file` is the file it comes from."""

    def replaced(self, text: str, file: Path | None = None) -> str:
        """Return a text with all names replaced."""

    def path_of(self, file: Path) -> Path:
        """Return the pseudonymous path of a file."""

    def without_cut_names(self, text: str) -> str:
        """Remove possible fragments of names from the ends of an excerpt."""


def anonymous_document(
    names: Replacer, document: Document, prepared: PreparedText
) -> tuple[Document, RedactedText]:
    """Return the document with names replaced, and its redacted text with the position map.

    Digest, size and origin are removed, as they identify the file, the character boxes, which only serve to
    annotate the original, and the pictures, which may show a name.
    """
    file, text = document.path, document.text
    borders = [edge for block in document.blocks for edge in (block.span.start, block.span.end)]
    redacted = RedactedText(
        text, names.replacements(text, file), [*borders, *prepared.sentence_spans.ravel().tolist()]
    )
    references = check_references(document)
    new = replace(
        document,
        path=names.path_of(file),
        title=_title(names, document),
        text=redacted.text,
        blocks=redacted.map_blocks(document.blocks),
        receipt=_receipt(names, document.receipt, file, len(redacted)),
        sha256="",
        size_bytes=0,
        character_boxes=None,
        pictures=(),
        notes=redacted.map_notes(document.notes),
        formulas=tuple(map(redacted.map_span, document.formulas)),
        sources=tuple(
            replace(each, span=redacted.map_span(each.span), note=names.replaced(each.note, file))
            for each in sources_of(document)
        ),
        references=ReferenceCheck(*(tuple(map(names.replaced, each)) for each in astuple(references))),
    )
    return new, redacted


def _title(names: Replacer, document: Document) -> str:
    """Return the title with names replaced; without one in the text, whose names are known, the file name."""
    path, title = document.path, _SAME_TITLE.sub("", document.title)
    if title == _SAME_TITLE.sub("", path.stem) or title not in _SAME_TITLE.sub("", document.text):
        return names.path_of(path).stem
    return names.replaced(document.title, path)


def anonymous_excerpt(names: Replacer, excerpt: str, file: Path) -> str:
    """Return an excerpt of a text without names and without fragments of names."""
    # the excerpt may show an invisible character inside a name as "[U+200B]"
    plain = _NAMED_SIGN.sub("", excerpt)
    return names.without_cut_names(names.replaced(plain if names.replacements(plain) else excerpt, file))


def _receipt(names: Replacer, receipt: ExtractionReceipt, file: Path, count: int) -> ExtractionReceipt:
    def anonymous(excerpt: str) -> str:
        return anonymous_excerpt(names, excerpt, file)

    return replace(
        receipt,
        dropped=tuple(
            # what margins hold beside names, such as a student number, may be in no list
            replace(entry, excerpt="" if entry.is_in_margin else anonymous(entry.excerpt))
            for entry in receipt.dropped
        ),
        flags=(
            *(replace(entry, excerpt=anonymous(entry.excerpt)) for entry in receipt.flags),
            Flag(FlagName.NAMES_REPLACED, count, doubtful=False),
        ),
        origin=UNKNOWN_ORIGIN,  # the metadata may name the author
    )
