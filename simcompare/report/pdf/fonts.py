"""Fonts of this computer that a PDF report may use."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import typst
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.timeTools import timestampSinceEpoch
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._g_l_y_f import Glyph

from simcompare.support.unfinished_files import unfinished

_CJK = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "WenQuanYi Micro Hei",
    "SimSun",
)
# the last one comes with Typst
_LATIN = ("Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans", "Libertinus Serif")
_FIXED = ("Cascadia Mono", "Consolas", "Menlo", "DejaVu Sans Mono")
_BOLD_FROM = 600

# fsType in the table OS/2 of OpenType: the usage in its low bits, and two more bits. The other usages
# (installable, preview and print, editable) allow a file that is read with the font in it.
_FS_TYPE_OFFSET = 8
_USAGE, _RESTRICTED = 0x000F, 0x0002
_NO_SUBSETTING, _BITMAPS_ONLY = 0x0100, 0x0200


_BOXES = "Simcompare Boxes"
_EM = 1000


@dataclass(frozen=True, slots=True)
class ReportFonts:
    """Typst's fonts, and the families to use: the first one that has a character shows it.

    has_bold: whether the first family of each language has a bold face.
    fallback: whether Typst may show other characters with any font of the computer.
    """

    book: typst.Fonts
    chinese: Sequence[str]
    latin: Sequence[str]
    digits: Sequence[str]
    has_bold: bool
    fallback: bool

    @property
    def has_chinese(self) -> bool:
        """True if one of the known Chinese families is there."""
        return bool(set(self.chinese) & set(_CJK))


@cache
def report_fonts() -> ReportFonts:
    """Return the fonts of this computer without those that must not be embedded."""
    return _fonts_of(typst.Fonts(), is_all=False)


@contextmanager
def fonts_with_boxes(characters: str) -> Iterator[ReportFonts]:
    """Yield all permitted fonts of this computer, and a font with a box for each of some characters.

    Typst also shows a character that no font has as a box, but that box cannot be copied as text.
    """
    with TemporaryDirectory(prefix="simcompare-fonts-") as folder, unfinished(Path(folder)):
        _write_boxes(Path(folder, "boxes.ttf"), characters)
        yield _fonts_of(typst.Fonts(font_paths=[folder]), is_all=True)


def _fonts_of(book: typst.Fonts, *, is_all: bool) -> ReportFonts:
    faces = book.fonts()
    forbidden = {face.family for face in faces if face.path and not _may_be_embedded(face.path, face.index)}
    permitted = {face.family for face in faces} - forbidden
    bold = {face.family for face in faces if face.weight >= _BOLD_FROM}
    chinese, latin, fixed = (
        [name for name in names if name in permitted] for names in (_CJK, _LATIN, _FIXED)
    )
    # with its fallback, Typst would show a character with a forbidden font
    is_listed = is_all or bool(forbidden)
    others = sorted(permitted - {*_CJK, *_LATIN, _BOXES}) if is_listed else []
    last = [_BOXES] if is_all else []
    return ReportFonts(
        book,
        [*chinese, *latin, *others, *last],
        [*latin, *chinese, *others, *last],
        [*fixed, *latin],
        all(names[0] in bold for names in (chinese, latin) if names),
        not is_listed,
    )


def _write_boxes(path: Path, characters: str) -> None:
    """Write a font with a glyph for each character; with a shared one, all would be copied as the same."""
    glyphs = {ord(character): f"u{ord(character):X}" for character in characters}
    box, order = _box(), [".notdef", *glyphs.values()]
    font = FontBuilder(_EM, isTTF=True)
    font.setupGlyphOrder(order)
    font.setupCharacterMap(glyphs)
    font.setupGlyf(dict.fromkeys(order, box))
    font.setupHorizontalMetrics(dict.fromkeys(order, (_EM, 100)))
    font.setupHorizontalHeader(ascent=800, descent=-200)
    names = {"familyName": _BOXES, "styleName": "Regular", "psName": _BOXES.replace(" ", "")}
    font.setupNameTable(names)
    font.setupOS2()
    font.setupPost()
    epoch = timestampSinceEpoch(0)
    font.updateHead(created=epoch, modified=epoch)  # with the time, equal reports would have other bytes
    font.save(path)


def _box() -> Glyph:
    pen = TTGlyphPen(None)
    for corners in (
        [(100, -80), (100, 780), (900, 780), (900, -80)],
        [(150, -30), (850, -30), (850, 730), (150, 730)],
    ):
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


@cache
def _may_be_embedded(path: str, index: int) -> bool:
    """Return whether a font permits embedding of subsets; a font without the table OS/2 does."""
    with Path(path).open("rb") as file:

        def number(at: int, size: int) -> int:
            file.seek(at)
            return int.from_bytes(file.read(size), "big")

        file.seek(0)
        start = number(12 + 4 * index, 4) if file.read(4) == b"ttcf" else 0
        for at in range(start + 12, start + 12 + 16 * number(start + 4, 2), 16):
            file.seek(at)
            if file.read(4) == b"OS/2":
                fs_type = number(number(at + 8, 4) + _FS_TYPE_OFFSET, 2)
                return fs_type & _USAGE != _RESTRICTED and not fs_type & (_NO_SUBSETTING | _BITMAPS_ONLY)
    return True
