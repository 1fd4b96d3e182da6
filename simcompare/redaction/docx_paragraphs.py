"""Names in the XML of a Word file: over runs in its paragraphs, and in whatever else holds text."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from lxml import etree

from simcompare.loading.shared.xml_elements import local_name
from simcompare.pseudonyms.pseudonymised_document import Replacement
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.xml_attributes import is_label, is_text

Element: TypeAlias = etree._Element
_COMMANDS = frozenset({"instrText", "delInstrText"})
_ADDED = frozenset({"ins", "moveTo"})
_GAPS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_NO_LABEL = re.compile(r"\W+")
_SMALL_WORD = re.compile(r"(?<![^\W\d_])[a-z]")
_LOCAL_FILE = re.compile(r"(?:file:|\\\\|[A-Za-z]:[\\/]|/(?:home|Users)/).*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Piece:
    """The text of an element at [start, end) of its paragraph; what stands between runs has no element."""

    element: Element | None
    start: int
    end: int


class NameReplacer:
    """Replaces names in XML, and in a `text` of it; `file` is the one it belongs to.

    `own_styles`: what styles are called that Word did not bring.
    """

    def __init__(self, names: Pseudonyms, file: Path, own_styles: Collection[str] = ()) -> None:
        self._names = names
        self._file = file
        self._own_styles = own_styles
        # tens of thousands of values are the same few
        self.text = cache(self._replaced)

    def _replaced(self, text: str) -> str:
        """Return a value without names, in small letters too, and as in an address (%E7%8E%8B)."""
        plain = unquote(text)
        if plain != text and (found := self._in_any_case(plain)):
            return _with(plain, found)
        return _with(text, self._in_any_case(text))

    def _in_any_case(self, text: str) -> Sequence[Replacement]:
        """Return where a value names students: in names of files nothing is a common word."""
        return self._names.replacements(_SMALL_WORD.sub(lambda letter: letter[0].upper(), text), self._file)

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
                element.set(name, self._attribute(element, str(name), str(value)))

    def _attribute(self, element: Element, name: str, value: str) -> str:
        if is_text(element, name):
            return "" if _LOCAL_FILE.fullmatch(value) else self.text(value)
        if is_label(element, name, self._own_styles):
            named = self.text(value)
            return value if named == value else _NO_LABEL.sub("_", named)
        return value

    def _replace_over_runs(self, pieces: Sequence[_Piece], text: str) -> None:
        replacements = self._names.replacements(text, self._file)
        for piece in pieces if replacements else ():
            if piece.element is not None:
                new = "".join(_within(piece, text, replacements))
                if new != piece.element.text:
                    piece.element.text = new
                    piece.element.set(_SPACE, "preserve")


def _with(text: str, replacements: Sequence[Replacement]) -> str:
    place, kept = 0, []
    for one in replacements:
        kept += [text[place : one.start], one.text]
        place = one.end
    return "".join([*kept, text[place:]])


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
                yield one.text
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
