"""Names in the XML of a Word file: over runs in its paragraphs, and in whatever else holds text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from lxml import etree

from simcompare.anonymity.moved_text import Replacement
from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.loading.common.elements import local_name

Element: TypeAlias = etree._Element
_COMMANDS = frozenset({"instrText", "delInstrText"})
_ADDED = frozenset({"ins", "moveTo"})
_GAPS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
# numbers of Word's own that are no text
_NO_TEXT = frozenset({"paraId", "textId", "durableId", "paraIdParent"})


@dataclass(frozen=True, slots=True)
class _Piece:
    """The text of an element at [start, end) of its paragraph; what stands between runs has no element."""

    element: Element | None
    start: int
    end: int


class NameReplacer:
    """Replaces names in XML, and in a `text` of it; `file` is the one it belongs to."""

    def __init__(self, names: Pseudonyms, file: Path) -> None:
        self._names = names
        self._file = file
        # tens of thousands of values are the same few
        self.text = cache(self._replaced)

    def _replaced(self, text: str) -> str:
        """Return a text without names, also one in which they are written as in an address (%E7%8E%8B)."""
        plain = unquote(text)
        is_named = plain != text and self._names.replacements(plain, self._file)
        return self._names.replaced(plain if is_named else text, self._file)

    def replace_in(self, root: Element) -> None:
        """Replace names in all texts and values that stand below an element."""
        done: set[Element] = set()
        for paragraph in [one for one in root.iter() if local_name(one) == "p"]:
            rubies = [(ruby, _base_of(ruby)) for ruby in paragraph.iter() if local_name(ruby) == "ruby"]
            for elements in _apart_from_readings(list(_inside(paragraph))):
                for belongs in _views(elements):
                    # each view sees what the one before it has left
                    pieces, text = _pieces(elements, belongs)
                    self._replace_over_runs(pieces, text)
                    done |= {piece.element for piece in pieces if piece.element is not None}
            for ruby, base in rubies:
                if _base_of(ruby) != base:
                    _remove_reading(ruby)
        for element in root.iter():
            if element not in done and element.text:
                element.text = self.text(element.text)
            if element.tail and element.tail.strip():
                element.tail = self.text(element.tail)
            for name, value in element.attrib.items():
                if etree.QName(name).localname not in _NO_TEXT:
                    element.set(name, self.text(str(value)))

    def _replace_over_runs(self, pieces: Sequence[_Piece], text: str) -> None:
        replacements = self._names.replacements(text, self._file)
        for piece in pieces if replacements else ():
            if piece.element is not None:
                new = "".join(_within(piece, text, replacements))
                if new != piece.element.text:
                    piece.element.text = new
                    piece.element.set(_SPACE, "preserve")


def _apart_from_readings(elements: Sequence[Element]) -> Iterator[Sequence[Element]]:
    """Yield the elements of a paragraph, and by themselves those that tell how characters are read."""
    readings = {inner for one in elements if local_name(one) == "rt" for inner in one.iter()}
    yield [one for one in elements if one not in readings]
    if readings:
        yield [one for one in elements if one in readings]


def _base_of(ruby: Element) -> str:
    """Return the characters that are told how to be read."""
    bases = [one for one in ruby if local_name(one) == "rubyBase"]
    return "".join(inner.text or "" for base in bases for inner in base.iter() if local_name(inner) == "t")


def _remove_reading(ruby: Element) -> None:
    for reading in [one for one in ruby if local_name(one) == "rt"]:
        for text in [one for one in reading.iter() if local_name(one) == "t"]:
            text.text = ""


def _within(piece: _Piece, text: str, replacements: Sequence[Replacement]) -> Iterator[str]:
    """Yield what becomes of a piece; what replaces a name stands where the name began."""
    place = piece.start
    for one in replacements:
        if one.end > piece.start and one.start < piece.end:
            yield text[place : max(one.start, place)]
            if one.start >= piece.start:
                yield one.by
            place = min(one.end, piece.end)
    yield text[place : piece.end]


def _is_present(element: Element) -> bool:
    """Whether text is there once all changes are accepted."""
    return local_name(element) == "t"


def _was_there(element: Element) -> bool:
    """Whether text was there before all changes."""
    is_added = any(local_name(around) in _ADDED for around in element.iterancestors())
    return local_name(element) == "delText" or (local_name(element) == "t" and not is_added)


def _is_shown(element: Element) -> bool:
    """Whether text stands there while changes are shown."""
    return local_name(element) in {"t", "delText"}


def _is_command(element: Element) -> bool:
    """Whether text belongs to the command of a field."""
    return local_name(element) in _COMMANDS


def _views(elements: Sequence[Element]) -> Iterator[Callable[[Element], bool]]:
    """Yield what belongs to each view of a paragraph that may differ from the others."""
    names = set(map(local_name, elements))
    yield _is_present
    if names & (_ADDED | {"delText"}):
        yield _was_there
        yield _is_shown
    if names & _COMMANDS:
        yield _is_command


def _pieces(elements: Sequence[Element], belongs: Callable[[Element], bool]) -> tuple[list[_Piece], str]:
    """Return the texts that belong to a view of a paragraph, in pieces and joined."""
    pieces: list[_Piece] = []
    texts: list[str] = []
    end = 0
    for element in elements:
        is_text = belongs(element)
        text = (element.text or "") if is_text else _GAPS.get(local_name(element))
        if text is not None:
            pieces.append(_Piece(element if is_text else None, end, end + len(text)))
            texts.append(text)
            end += len(text)
    return pieces, "".join(texts)


def _inside(parent: Element) -> Iterator[Element]:
    """Yield what a paragraph holds, in order; one within it, as in a text box, is a paragraph by itself."""
    for element in parent:
        if local_name(element) != "p":
            yield element
            yield from _inside(element)
