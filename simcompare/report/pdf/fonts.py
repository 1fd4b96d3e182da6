"""The fonts of a report: which are asked for, and which glyphs of them stand in the file with which text."""

import os
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QPainterPath, QRawFont

from simcompare.report.pdf.file import PdfFile, array, dictionary, reference

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


_CID_STRINGS = (b"Adobe", b"Identity")
_FIRST_OWN_STRING = 391
_WIDTH_OF_MOST = 1000
_RMOVETO, _RLINETO, _RRCURVETO, _ENDCHAR = 21, 5, 8, 14
_DEFAULT_WIDTH, _NOMINAL_WIDTH, _CHARSET, _CHAR_STRINGS, _PRIVATE = 20, 21, 15, 17, 18
_ROS, _CID_COUNT, _FD_ARRAY, _FD_SELECT = (12, 30), (12, 34), (12, 36), (12, 37)

Point = tuple[float, float]
Contour = tuple[Point, Sequence[Sequence[Point]]]
"""A start and the strokes from there: one point for a line, three for a cubic curve."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A glyph in thousandths of an em, y upwards: its width, and its contours."""

    width: int
    contours: Sequence[Contour] = ()


def font_program(name: str, outlines: Sequence[Outline]) -> bytes:
    """Return a CID-keyed font in which glyph number and character identifier are the same."""
    count = len(outlines)
    glyphs = _index([_charstring(outline) for outline in outlines])
    # every offset takes five bytes, so that the dictionary is as long before they are known as after
    start = len(_head(name, [0, 0, 0, 0], count))
    charset = struct.pack(">BHH", 2, 1, max(count - 2, 0))
    select = struct.pack(">BHHBH", 3, 1, 0, 0, count)
    private = _entry([_WIDTH_OF_MOST], _DEFAULT_WIDTH) + _entry([0], _NOMINAL_WIDTH)
    at_select = start + len(charset)
    at_glyphs = at_select + len(select)
    at_private = at_glyphs + len(glyphs)
    at_fonts = at_private + len(private)
    fonts = _index([_offset(len(private)) + _offset(at_private) + bytes([_PRIVATE])])
    head = _head(name, [start, at_glyphs, at_fonts, at_select], count)
    return head + charset + select + glyphs + private + fonts


def _head(name: str, places: Sequence[int], count: int) -> bytes:
    charset, glyphs, fonts, select = places
    top = (
        _entry([_FIRST_OWN_STRING, _FIRST_OWN_STRING + 1, 0], *_ROS)
        + _entry([count], *_CID_COUNT)
        + _offset(charset)
        + bytes([_CHARSET])
        + _offset(glyphs)
        + bytes([_CHAR_STRINGS])
        + _offset(fonts)
        + bytes(_FD_ARRAY)
        + _offset(select)
        + bytes(_FD_SELECT)
    )
    return b"\x01\x00\x04\x04" + _index([name.encode()]) + _index([top]) + _index(_CID_STRINGS) + _index([])


def _index(items: Sequence[bytes]) -> bytes:
    if not items:
        return b"\x00\x00"
    places, end = [1], 1
    for item in items:
        end += len(item)
        places.append(end)
    return struct.pack(f">HB{len(places)}I", len(items), 4, *places) + b"".join(items)


def _entry(values: Sequence[int], *operator: int) -> bytes:
    return b"".join(map(_number, values)) + bytes(operator)


def _offset(value: int) -> bytes:
    return struct.pack(">BI", 29, value)


def _number(value: int) -> bytes:
    if -107 <= value <= 107:
        return bytes([value + 139])
    if 108 <= value <= 1131:
        return struct.pack(">H", value - 108 + (247 << 8))
    if -1131 <= value <= -108:
        return struct.pack(">H", -value - 108 + (251 << 8))
    return struct.pack(">Bh", 28, value)


def _charstring(outline: Outline) -> bytes:
    """Return the glyph as moves from point to point; the width stands before the first of them."""
    parts = [] if outline.width == _WIDTH_OF_MOST else [_number(outline.width)]
    x = y = 0
    for start, strokes in outline.contours:
        for points, operator in (
            ((start,), _RMOVETO),
            *((s, _RLINETO if len(s) == 1 else _RRCURVETO) for s in strokes),
        ):
            for to_x, to_y in points:
                parts += (_number(round(to_x) - x), _number(round(to_y) - y))
                x, y = round(to_x), round(to_y)
            parts.append(bytes([operator]))
    return b"".join([*parts, bytes([_ENDCHAR])])


UNITS_PER_POINT = 10
"""Lines are set this much larger, as Qt takes sizes and places of glyphs in whole pixels."""

_EM = 1000
_BOLD_FROM = 600
_CJK = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
    "SimSun",
)
_LATIN = ("Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans")
_FIXED = ("Cascadia Mono", "Consolas", "Menlo", "DejaVu Sans Mono", "Noto Sans Mono")
_NO_FACE = ("", "", 0)
_MOST_IN_A_BLOCK = 100
_CMAP_HEAD = b"""/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
"""
_CMAP_FOOT = b"endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"


def ensure_fonts() -> None:
    """See that Qt can be asked for fonts, also where neither window nor screen is."""
    if QCoreApplication.instance() is None:
        _application()


@cache
def _application() -> QGuiApplication:
    screenless = sys.platform == "linux" and "QT_QPA_PLATFORM" not in os.environ
    return QGuiApplication(["simcompare", *(["-platform", "offscreen"] if screenless else [])])


class EmbeddedFont:
    """A face and what of it is used. Each glyph is kept once for each text that it stands for.

    Where the face may not be embedded, which Qt took for signs that no other has, the glyphs of one that may
    be stand in the file; a box stands for what no face has.
    """

    def __init__(self, raw: QRawFont, name: str, *, is_permitted: bool) -> None:
        self.name = name
        self.is_bold = raw.weight() >= _BOLD_FROM
        self.widths: list[int] = []
        self._raw = QRawFont(raw)
        self._raw.setPixelSize(_EM)
        self._is_permitted = is_permitted
        self._outlines: list[Outline] = []
        self._texts: list[str] = []
        self._codes: dict[tuple[int, str], int] = {}
        self.code_digits: list[str] = []
        self.code(0, "")

    def code(self, glyph: int, text: str) -> int:
        """Return the number under which a glyph stands in the file for a text."""
        known = self._codes.get((glyph, text))
        if known is None:
            known = self._codes[glyph, text] = len(self._texts)
            self.code_digits.append(f"{known:04X}")
            self._texts.append(text)
            outline = _outline(self._raw, glyph) if self._is_permitted else _substituted(text)
            self._outlines.append(outline)
            self.widths.append(outline.width)
        return known

    def codes(self, glyphs: Sequence[int], texts: Sequence[str]) -> list[int]:
        """Return the numbers of glyphs, each of which stands for a text."""
        keys = list(zip(glyphs, texts, strict=True))
        try:
            return [self._codes[key] for key in keys]
        except KeyError:
            return [self.code(glyph, text) for glyph, text in keys]

    def width(self, codes: Sequence[int]) -> int:
        """Return the room of glyphs in a row, in thousandths of an em."""
        return sum([self.widths[code] for code in codes])

    def digits(self, codes: Sequence[int]) -> str:
        """Return numbers as a string of the file holds them."""
        return "".join([self.code_digits[code] for code in codes])

    def write(self, file: PdfFile) -> int:
        """Add the font to a file and return its number."""
        face = self._raw.familyName() if self._is_permitted else "Substitute"
        name = f"{_tag(self.name)}+{_plain(face)}-{_plain(self._raw.styleName())}"
        program = file.add_stream(font_program(name, self._outlines), {"Subtype": b"/CIDFontType0C"})
        descriptor = file.add(dictionary(self._described(name, program)))
        descendant = {
            "Type": b"/Font",
            "Subtype": b"/CIDFontType0",
            "BaseFont": b"/" + name.encode(),
            "CIDSystemInfo": b"<</Registry (Adobe) /Ordering (Identity) /Supplement 0>>",
            "FontDescriptor": reference(descriptor),
            "DW": b"%d" % _EM,
            "W": b"[0 [%s]]" % " ".join(map(str, self.widths)).encode(),
        }
        font = {
            "Type": b"/Font",
            "Subtype": b"/Type0",
            "BaseFont": b"/" + name.encode(),
            "Encoding": b"/Identity-H",
            "DescendantFonts": array([reference(file.add(dictionary(descendant)))]),
            "ToUnicode": reference(file.add_stream(self._character_map())),
        }
        return file.add(dictionary(font))

    def _described(self, name: str, program: int) -> dict[str, bytes]:
        ascent, descent = round(self._raw.ascent()), round(self._raw.descent())
        return {
            "Type": b"/FontDescriptor",
            "FontName": b"/" + name.encode(),
            "Flags": b"4",
            "FontBBox": b"[%d %d %d %d]" % (-_EM, -descent, 3 * _EM, ascent),
            "ItalicAngle": b"0",
            "Ascent": b"%d" % ascent,
            "Descent": b"%d" % -descent,
            "CapHeight": b"%d" % (round(self._raw.capHeight()) or ascent),
            "StemV": b"%d" % (140 if self.is_bold else 80),
            "FontFile3": reference(program),
        }

    def _character_map(self) -> bytes:
        """Return which text each glyph stands for; the later glyphs of a cluster stand for none."""
        rows = [
            b"<%04X> <%s>" % (code, text.encode("utf-16-be").hex().upper().encode())
            for code, text in enumerate(self._texts)
            if text
        ]
        blocks = [rows[at : at + _MOST_IN_A_BLOCK] for at in range(0, len(rows), _MOST_IN_A_BLOCK)]
        parts = [b"%d beginbfchar\n%s\nendbfchar\n" % (len(block), b"\n".join(block)) for block in blocks]
        return _CMAP_HEAD + b"".join(parts) + _CMAP_FOOT


class FontBook:
    """All faces of a file, named F1, F2 … in the order of their first use."""

    def __init__(self) -> None:
        self._faces: dict[tuple[str, str, int], EmbeddedFont] = {}
        self._lately: list[tuple[QRawFont, EmbeddedFont]] = []
        self._fonts: dict[tuple[str, float, bool, bool], QFont] = {}

    def font(self, language: str, size_pt: float, *, is_bold: bool, is_fixed: bool) -> QFont:
        """Return a font in which the quotation marks have the width of the language; one for each look."""
        key = language, size_pt, is_bold, is_fixed
        if key not in self._fonts:
            self._fonts[key] = _font(language, size_pt, is_bold=is_bold, is_fixed=is_fixed)
        return self._fonts[key]

    def embedded(self, raw: QRawFont) -> EmbeddedFont:
        """Return the face of a font, whatever its size."""
        for place, (known, face) in enumerate(self._lately):
            if known == raw:
                # to the front: to ask Qt what a font is takes longer than to set a line with it
                self._lately.insert(0, self._lately.pop(place))
                return face
        face = self._face(raw)
        self._lately.insert(0, (raw, face))
        return face

    def _face(self, raw: QRawFont) -> EmbeddedFont:
        is_real = has_outlines(raw)
        key = (raw.familyName(), raw.styleName(), raw.weight()) if is_real else _NO_FACE
        if key not in self._faces:
            name = f"F{len(self._faces) + 1}"
            self._faces[key] = (
                EmbeddedFont(raw, name, is_permitted=may_be_embedded(raw))
                if is_real
                else EmbeddedFont(QRawFont.fromFont(QFont()), name, is_permitted=False)
            )
        return self._faces[key]

    def write(self, file: PdfFile) -> dict[str, bytes]:
        """Add all fonts to a file; return them by name, as its pages call them."""
        return {face.name: reference(face.write(file)) for face in self._faces.values()}


def _font(language: str, size_pt: float, *, is_bold: bool, is_fixed: bool) -> QFont:
    font = QFont()
    first, then = (_CJK, _LATIN) if language == "zh" else (_LATIN, _CJK)
    font.setFamilies(permitted((*(_FIXED if is_fixed else ()), *first, *then)))
    font.setPixelSize(round(size_pt * UNITS_PER_POINT))
    font.setBold(is_bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _tag(name: str) -> str:
    """Return the six capitals that mark a font of which not all is in the file."""
    number = int(name.removeprefix("F"))
    return "".join(chr(ord("A") + number // 26**place % 26) for place in range(6))


def _plain(name: str) -> str:
    return "".join(letter for letter in name if letter.isascii() and letter.isalnum()) or "Unnamed"


def _rectangle(left: int, right: int, bottom: int, top: int, *, turned: bool) -> Contour:
    corners: list[Point] = [(left, bottom), (left, top), (right, top), (right, bottom)]
    first, *others = reversed(corners) if turned else corners
    return first, [[corner] for corner in others]


_BOX = Outline(
    _EM, [_rectangle(100, 900, -80, 780, turned=False), _rectangle(150, 850, -30, 730, turned=True)]
)
"""What stands for a sign that no font has."""


def _substituted(text: str) -> Outline:
    if not text:
        return Outline(_EM, [])
    found = substitute(text)
    if found is None:
        return _BOX
    face, glyph = found
    raw = QRawFont(face)
    raw.setPixelSize(_EM)
    return _outline(raw, glyph)


def _outline(raw: QRawFont, glyph: int) -> Outline:
    (advance,) = raw.advancesForGlyphIndexes([glyph])
    return Outline(round(advance.x()), _contours(raw.pathForGlyph(glyph)))


def _contours(path: QPainterPath) -> list[tuple[Point, list[list[Point]]]]:
    contours: list[tuple[Point, list[list[Point]]]] = []
    for at in range(path.elementCount()):
        element = path.elementAt(at)
        point = (element.x, -element.y)
        if element.isMoveTo():
            contours.append((point, []))
        elif element.isLineTo() or element.isCurveTo():
            contours[-1][1].append([point])
        else:  # the second and the third point of a curve
            contours[-1][1][-1].append(point)
    return contours
