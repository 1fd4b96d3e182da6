"""Kinds of files by their suffixes, as file dialogs and the start page name them."""

from importlib.util import find_spec

from simcompare.support.i18n import N_

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
