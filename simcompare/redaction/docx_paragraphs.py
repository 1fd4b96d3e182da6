"""Replace names in the XML of a Word file: across runs, and in other texts and attributes."""

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
from simcompare.report.annotated.word.word_package import XML_SPACE

Element: TypeAlias = etree._Element
_FIELD_CODES = frozenset({"instrText", "delInstrText"})
_ADDED = frozenset({"ins", "moveTo"})
_GAPS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NO_LABEL = re.compile(r"\W+")
_SMALL_WORD = re.compile(r"(?<![^\W\d_])[a-z]")
_LOCAL_FILE = re.compile(r"(?:file:|\\\\|[A-Za-z]:[\\/]|/(?:home|Users)/).*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _RedactedPiece:
    """Text of an element at [start, end) of its paragraph; element: None for a tab or break between texts."""

    element: Element | None
    start: int
    end: int


class NameReplacer:
    """Replace names in XML elements, and in single values with `text`.

    `file`: the Word file; `own_styles`: names and identifiers of its user-defined styles.
    """

    def __init__(self, names: Pseudonyms, file: Path, own_styles: Collection[str] = ()) -> None:
        self._names = names
        self._file = file
        self._own_styles = own_styles
        # tens of thousands of values are few different ones
        self.text = cache(self._replaced)

    def _replaced(self, text: str) -> str:
        """Replace names in a value, in lower case and percent-encoded (%E7%8E%8B) too."""
        plain = unquote(text)
        if plain != text and (found := self._in_any_case(plain)):
            return _substituted(plain, found)
        return _substituted(text, self._in_any_case(text))

    def _in_any_case(self, text: str) -> Sequence[Replacement]:
        """Find names in a value as if each word were capitalised: file names have few ordinary words."""
        return self._names.replacements(_SMALL_WORD.sub(lambda letter: letter[0].upper(), text), self._file)

    def replace_in(self, root: Element) -> None:
        """Replace names in all texts and attributes of an element and its descendants."""
        done: set[Element] = set()
        for paragraph in [element for element in root.iter() if local_name(element) == "p"]:
            rubies = [(ruby, _base_of(ruby)) for ruby in paragraph.iter() if local_name(ruby) == "ruby"]
            for elements in _ruby_separated(list(_content(paragraph))):
                for is_in_view in _views(elements):
                    # each view sees the replacements of the views before
                    pieces, text = _pieces(elements, is_in_view)
                    self._replace_over_runs(pieces, text)
                    done |= {piece.element for piece in pieces if piece.element is not None}
            for ruby, base in rubies:
                if _base_of(ruby) != base:
                    _clear_guide(ruby)
        for element in root.iter():
            if element not in done and element.text:
                element.text = self.text(element.text)
            if element.tail and element.tail.strip():
                element.tail = self.text(element.tail)
            for name, value in element.attrib.items():
                if (new := self._attribute(element, str(name), str(value))) != value:
                    element.set(name, new)

    def _attribute(self, element: Element, name: str, value: str) -> str:
        if is_text(element, name):
            return "" if _LOCAL_FILE.fullmatch(value) else self.text(value)
        if is_label(element, name, self._own_styles):
            redacted = self.text(value)
            return value if redacted == value else _NO_LABEL.sub("_", redacted)
        return value

    def _replace_over_runs(self, pieces: Sequence[_RedactedPiece], text: str) -> None:
        replacements = self._names.replacements(text, self._file)
        for piece in pieces if replacements else ():
            if piece.element is not None:
                new = "".join(_piece_parts(piece, text, replacements))
                if new != piece.element.text:
                    piece.element.text = new
                    piece.element.set(XML_SPACE, "preserve")


def _substituted(text: str, replacements: Sequence[Replacement]) -> str:
    end, parts = 0, []
    for change in replacements:
        parts += [text[end : change.start], change.text]
        end = change.end
    return "".join([*parts, text[end:]])


def _ruby_separated(elements: Sequence[Element]) -> Iterator[Sequence[Element]]:
    """Yield the elements of a paragraph without phonetic guides, then those of the guides, if any."""
    guides = {inner for element in elements if local_name(element) == "rt" for inner in element.iter()}
    yield [element for element in elements if element not in guides]
    if guides:
        yield [element for element in elements if element in guides]


def _base_of(ruby: Element) -> str:
    """Return the base text of a phonetic guide."""
    bases = [child for child in ruby if local_name(child) == "rubyBase"]
    return "".join(inner.text or "" for base in bases for inner in base.iter() if local_name(inner) == "t")


def _clear_guide(ruby: Element) -> None:
    for guide in [child for child in ruby if local_name(child) == "rt"]:
        for element in guide.iter():
            if local_name(element) == "t":
                element.text = ""


def _piece_parts(piece: _RedactedPiece, text: str, replacements: Sequence[Replacement]) -> Iterator[str]:
    """Yield the new text of a piece; a replacement goes to the piece in which the name begins."""
    end = piece.start
    for change in replacements:
        if change.end > piece.start and change.start < piece.end:
            yield text[end : max(change.start, end)]
            if change.start >= piece.start:
                yield change.text
            end = min(change.end, piece.end)
    yield text[end : piece.end]


def _is_in_accepted_view(element: Element) -> bool:
    """Return whether an element is text of the paragraph with all tracked changes accepted."""
    return local_name(element) == "t"


def _is_in_original_view(element: Element) -> bool:
    """Return whether an element is text of the paragraph before all tracked changes."""
    is_added = any(local_name(ancestor) in _ADDED for ancestor in element.iterancestors())
    return local_name(element) == "delText" or (local_name(element) == "t" and not is_added)


def _is_in_markup_view(element: Element) -> bool:
    """Return whether an element is text of the paragraph with tracked changes shown."""
    return local_name(element) in {"t", "delText"}


def _is_field_code(element: Element) -> bool:
    """Return whether an element is text of a field code."""
    return local_name(element) in _FIELD_CODES


def _views(elements: Sequence[Element]) -> Iterator[Callable[[Element], bool]]:
    """Yield a predicate of text elements for each view of a paragraph that may differ."""
    names = set(map(local_name, elements))
    yield _is_in_accepted_view
    if names & (_ADDED | {"delText"}):
        yield _is_in_original_view
        yield _is_in_markup_view
    if names & _FIELD_CODES:
        yield _is_field_code


def _pieces(
    elements: Sequence[Element], is_in_view: Callable[[Element], bool]
) -> tuple[list[_RedactedPiece], str]:
    """Return the pieces and the joined text of a view of a paragraph."""
    pieces: list[_RedactedPiece] = []
    texts: list[str] = []
    end = 0
    for element in elements:
        is_text = is_in_view(element)
        text = (element.text or "") if is_text else _GAPS.get(local_name(element))
        if text is not None:
            pieces.append(_RedactedPiece(element if is_text else None, end, end + len(text)))
            texts.append(text)
            end += len(text)
    return pieces, "".join(texts)


def _content(parent: Element) -> Iterator[Element]:
    """Yield the descendants of a paragraph in order, without nested paragraphs such as in text boxes."""
    for element in parent:
        if local_name(element) != "p":
            yield element
            yield from _content(element)
