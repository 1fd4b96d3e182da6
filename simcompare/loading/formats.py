"""The kinds of files that are read, as a person knows them, with the suffixes they usually have."""

from importlib.util import find_spec

from simcompare.i18n import N_

_KINDS = (
    (N_("Word"), ("docx", "doc", "docm", "dotx", "dotm", "dot")),
    (N_("WPS"), ("wps",)),
    (N_("PDF"), ("pdf",)),
    (N_("OpenDocument"), ("odt", "fodt", "ott")),
    (N_("RTF"), ("rtf",)),
    (N_("web pages"), ("html", "htm", "xhtml", "mht", "mhtml")),
    (N_("e-books"), ("epub",)),
    (N_("plain text"), ("txt", "md", "markdown")),
)
_PICTURES = (N_("pictures"), ("png", "jpg", "jpeg", "bmp", "gif", "tif", "tiff", "webp"))
_TEXT_RECOGNITION = "rapidocr"


def is_suffix_of_text(suffix: str) -> bool:
    """Whether files with texts, or pictures of texts, usually have this suffix (".docx")."""
    return any(suffix.lower() == f".{one}" for _name, known in (*_KINDS, _PICTURES) for one in known)


def kinds_of_files() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (name to be translated, suffixes) of each kind; pictures where text recognition is installed.

    A suffix only helps to find files: what a file is, its content tells.
    """
    return (*_KINDS, _PICTURES) if find_spec(_TEXT_RECOGNITION) else _KINDS
