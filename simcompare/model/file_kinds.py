"""Kinds of files by their suffixes, and the names of texts pasted without a title."""

import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from simcompare.model.document import Document
from simcompare.support.i18n import N_, _, all_translations

_UNTITLED = N_("Pasted text {number}")


def untitled_pattern() -> str:
    """Return the translated name pattern of untitled texts, with the placeholder {number}."""
    return _(_UNTITLED)


def is_untitled(name: Path) -> bool:
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


SESSION_SUFFIX, JOURNAL_SUFFIX = ".simcompare", ".journal"
_FILE_KINDS = (
    (N_("Word"), ("docx", "doc", "docm", "dotx", "dotm", "dot")),
    (N_("WPS"), ("wps",)),
    (N_("PDF"), ("pdf",)),
    (N_("OpenDocument"), ("odt", "fodt", "ott")),
    (N_("RTF"), ("rtf",)),
    (N_("web pages"), ("html", "htm", "xhtml", "mht", "mhtml")),
    (N_("e-books"), ("epub",)),
    (N_("plain text"), ("txt", "md", "markdown")),
)
CLASS_LISTS = ("csv", "tsv", "xlsx")
"""Suffixes that class lists have besides those of documents."""
PAGES_KIND = (N_("Apple Pages"), ("pages",))
"""Name to be translated and suffixes of the files that LibreOffice reads, if it is installed."""
_PICTURES = (N_("pictures"), ("png", "jpg", "jpeg", "bmp", "gif", "tif", "tiff", "webp"))
_TEXT_RECOGNITION = "rapidocr"


def is_suffix_of_text(suffix: str) -> bool:
    """Return whether a suffix (".docx") is usual for files with text, or for pictures of text."""
    return any(
        suffix.lower() == f".{suffix_known}"
        for _name, known in (*_FILE_KINDS, PAGES_KIND, _PICTURES)
        for suffix_known in known
    )


def kinds_of_files() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (name to be translated, suffixes) of each kind; pictures if text recognition is installed.

    Suffixes only filter file dialogs: the format is detected from the content.
    """
    return (*_FILE_KINDS, _PICTURES) if find_spec(_TEXT_RECOGNITION) else _FILE_KINDS
