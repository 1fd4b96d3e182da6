"""References of a text and what it cites: listed and never cited, cited and not listed."""

import re
from collections.abc import Iterator, Sequence

from simcompare.comparison.citations.named_sources import named_sources
from simcompare.model.document import BlockKind, Document, ReferenceCheck
from simcompare.text.words import is_common_english

_LEAST_ENTRIES, _LEAST_LETTERS = 2, 6
_ENTRY_NUMBER = re.compile(r"\s*[\[［〔【(（]?\s*(\d{1,3})\s*[\]］〕】)）.、．]")
_IN_BRACKETS = re.compile(r"[\[［〔【]([\d\s,，、;；–—\-~～]+)(?:[\]］〕】]|[:：]?\s*(?:pp?\b|第|页))")
_RANGE = re.compile(r"(\d{1,3})(?:\s*[–—\-~～]\s*(\d{1,3}))?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_HAN_LEAD = re.compile(r"[㐀-鿿·]{2,12}")
_LATIN_NAME = re.compile(r"(?<![^\W\d_])[A-ZÀ-Þ][^\W\d_]{2,}(?![^\W\d_])")
_MOST_IN_RANGE, _MOST_AUTHOR_CHARACTERS = 50, 80


def check_references(document: Document) -> ReferenceCheck:
    """Compare the list of references of a text with its citations; nothing is found without a list.

    By numbers if the entries have some and the text cites any; otherwise by the names of the authors, where
    they can be told.
    """
    if document.references is not None:
        return document.references
    lines = _texts(document, is_listed=True)
    entries = [text for text in lines if sum(map(str.isalpha, text)) >= _LEAST_LETTERS and _YEAR.search(text)]
    if len(entries) < _LEAST_ENTRIES:
        return ReferenceCheck()
    paragraphs = list(_texts(document, is_listed=False))
    cited = [source.span.of(text) for text in paragraphs for source in named_sources(text)]
    numbers = [int(found[1]) if (found := _ENTRY_NUMBER.match(entry)) else None for entry in entries]
    cited_numbers = {number for source in cited for number in _numbers_in(source)}
    if cited_numbers and None not in numbers:
        places = zip(entries, numbers, strict=True)
        return ReferenceCheck(
            tuple(entry for entry, number in places if number not in cited_numbers),
            tuple(f"[{number}]" for number in sorted(cited_numbers - set(filter(None, numbers)))),
        )
    body, listed = "\n".join(paragraphs), "\n".join(entries)
    return ReferenceCheck(
        tuple(entry for entry in entries if _is_uncited(entry, body)),
        tuple(dict.fromkeys(source for source in cited if _is_unlisted(source, listed))),
    )


def _texts(document: Document, *, is_listed: bool) -> Iterator[str]:
    for block in document.blocks:
        if (block.kind is BlockKind.REFERENCE) is is_listed:
            yield block.span.of(document.text)


def _numbers_in(source: str) -> Iterator[int]:
    for inside in _IN_BRACKETS.findall(source):
        for first, last in _RANGE.findall(inside):
            yield from range(int(first), min(int(last or first), int(first) + _MOST_IN_RANGE) + 1)


def _is_uncited(entry: str, body: str) -> bool:
    """Return whether no author of an entry stands in the text; false if its authors cannot be told."""
    text = _ENTRY_NUMBER.sub("", entry, count=1).strip()
    if han := _HAN_LEAD.match(text):
        return han.group() not in body
    year = _YEAR.search(text)
    authors = text[: min(year.start() if year else _MOST_AUTHOR_CHARACTERS, _MOST_AUTHOR_CHARACTERS)]
    names = _LATIN_NAME.findall(authors)
    is_titled = bool(names) and is_common_english(names[0].lower()) and not text.startswith(f"{names[0]},")
    return bool(names) and not is_titled and not any(name in body for name in names)


def _is_unlisted(source: str, listed: str) -> bool:
    """Return whether a citation with a year names nobody who stands in the list."""
    if not _YEAR.search(source):
        return False
    names: Sequence[str] = [*_LATIN_NAME.findall(source), *_HAN_LEAD.findall(source)]
    return bool(names) and not any(name in listed for name in names)
