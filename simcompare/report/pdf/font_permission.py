"""Which fonts can and may stand in a file that others get, and what takes the place of the others."""

from collections.abc import Iterator, Sequence
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QRawFont

# fsType in the table OS/2 of OpenType: where it stands, the usage in its low bits, and two bits more. The
# other usages (installable, preview and print, editable) all allow that a file is read with the font in it.
_FS_TYPE = slice(8, 10)
_USAGE, _RESTRICTED = 0x000F, 0x0002
_NO_SUBSETTING, _BITMAPS_ONLY = 0x0100, 0x0200


def has_outlines(raw: QRawFont) -> bool:
    """Whether this is a font from a file.

    For signs that no font of the machine has, Qt (6.11) gives one that ends the process when it is asked for
    its name.
    """
    return raw.isValid() and not raw.fontTable("head").isEmpty()


def may_be_embedded(raw: QRawFont) -> bool:
    """Whether the maker of a font allows what a report does: to put outlines of some of its glyphs in a file.

    A font without the table says nothing against it.
    """
    permission = bytes(raw.fontTable("OS/2").data())[_FS_TYPE]
    fs_type = int.from_bytes(permission, "big")
    return fs_type & _USAGE != _RESTRICTED and not fs_type & (_NO_SUBSETTING | _BITMAPS_ONLY)


@cache
def permitted(families: Sequence[str]) -> tuple[str, ...]:
    """Return those of some families that may be embedded, or are not there to be asked."""
    installed = set(QFontDatabase.families())
    return tuple(name for name in families if name not in installed or may_be_embedded(_face(name)))


def substitute(text: str) -> tuple[QRawFont, int] | None:
    """Return a font that may be embedded with its glyph for the first character, None where there is none."""
    for raw in _permitted_faces():
        if raw.supportsCharacter(ord(text[0])):
            return raw, raw.glyphIndexesForString(text[0])[0]
    return None


def _permitted_faces() -> Iterator[QRawFont]:
    for name in QFontDatabase.families():
        raw = _face(name)
        if has_outlines(raw) and may_be_embedded(raw):
            yield raw


@cache
def _face(family: str) -> QRawFont:
    return QRawFont.fromFont(QFont(family))
