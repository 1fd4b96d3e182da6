"""Names of texts that were pasted without a title: a number, in the language of the moment."""

import re
from dataclasses import replace
from pathlib import Path

from simcompare.model.document import Document
from simcompare.support.i18n import N_, _, all_translations

_UNTITLED = N_("Pasted text {number}")


def untitled_pattern() -> str:
    """Return what names texts without a title, with a place for {number}."""
    return _(_UNTITLED)


def is_untitled(name: Path) -> bool:
    """Whether a text goes by a number, in whatever language it was named."""
    return _number_in(name) is not None


def localised_name(name: Path) -> Path:
    """Return the name of a pasted text in the language of the moment; titles stay as they are."""
    number = _number_in(name)
    return name if number is None else Path(untitled_pattern().format(number=number))


def language_neutral_name(name: Path) -> Path:
    """Return by what a text is known whatever the language: a file and a title by themselves."""
    number = _number_in(name)
    return name if number is None else Path(_UNTITLED.format(number=number))


def renamed(document: Document, name: Path) -> Document:
    """Return a document under another name, which is its title too where its name was."""
    title = name.stem if document.title == document.path.stem else document.title
    return replace(document, path=name, title=title)


def _number_in(name: Path) -> str | None:
    for pattern in all_translations(_UNTITLED):
        before, after = map(re.escape, pattern.split("{number}"))
        if match := re.fullmatch(f"{before}([1-9][0-9]*){after}", str(name)):
            return match[1]
    return None
