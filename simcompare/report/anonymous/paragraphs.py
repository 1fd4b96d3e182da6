"""Names in the XML of a Word file: over runs in its paragraphs, and in whatever else holds text."""

from collections.abc import Iterator, Sequence
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
_TEXTS = frozenset({"t", "delText"})
_COMMANDS = frozenset({"instrText", "delInstrText"})
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
        for pieces, text in _paragraphs(root):
            self._replace_over_runs(pieces, text)
            done |= {piece.element for piece in pieces if piece.element is not None}
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


def _paragraphs(root: Element) -> Iterator[tuple[list[_Piece], str]]:
    """Yield the texts of each paragraph, and the commands of its fields, in pieces and joined.

    A paragraph that stands within another, as in a text box, is one by itself.
    """
    for paragraph in root.iter():
        if local_name(paragraph) == "p":
            for kinds in (_TEXTS, _COMMANDS):
                pieces, text = _pieces(paragraph, kinds)
                if pieces:
                    yield pieces, text


def _pieces(paragraph: Element, kinds: frozenset[str]) -> tuple[list[_Piece], str]:
    pieces: list[_Piece] = []
    texts: list[str] = []
    end = 0
    for element in _inside(paragraph):
        name = local_name(element)
        if name in kinds or name in _GAPS:
            text = (element.text or "") if name in kinds else _GAPS[name]
            pieces.append(_Piece(element if name in kinds else None, end, end + len(text)))
            texts.append(text)
            end += len(text)
    return pieces, "".join(texts)


def _inside(parent: Element) -> Iterator[Element]:
    for element in parent:
        if local_name(element) != "p":
            yield element
            yield from _inside(element)
