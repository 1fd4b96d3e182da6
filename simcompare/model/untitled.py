"""Names of texts pasted without a title: a number, in the current language."""

import re
from dataclasses import replace
from pathlib import Path

from simcompare.model.document import Document
from simcompare.support.i18n import N_, _, all_translations

_UNTITLED = N_("Pasted text {number}")


def untitled_pattern() -> str:
    """Return the translated name pattern of untitled texts, with the placeholder {number}."""
    return _(_UNTITLED)


def is_untitled(name: Path) -> bool:
    """Return whether a name is that of an untitled text in any language."""
    return _number_in(name) is not None


def localised_name(name: Path) -> Path:
    """Translate the name of an untitled text to the current language; other names are unchanged."""
    number = _number_in(name)
    return name if number is None else Path(untitled_pattern().format(number=number))


def language_neutral_name(name: Path) -> Path:
    """Return a name that does not change with the language; other names are unchanged."""
    number = _number_in(name)
    return name if number is None else Path(_UNTITLED.format(number=number))


def renamed(document: Document, name: Path) -> Document:
    """Rename a document, and its title if it was equal to the name."""
    title = name.stem if document.title == document.path.stem else document.title
    return replace(document, path=name, title=title)


def _number_in(name: Path) -> str | None:
    for pattern in all_translations(_UNTITLED):
        before, after = map(re.escape, pattern.split("{number}"))
        if match := re.fullmatch(f"{before}([1-9][0-9]*){after}", str(name)):
            return match[1]
    return None
