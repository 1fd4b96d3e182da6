"""Pseudonyms as pictures, drawn by pdfium with a font of the system."""

import io
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pikepdf
import pypdfium2
from numpy.typing import NDArray
from pikepdf import Array, Dictionary, Name

from simcompare.text.comparable import is_han

Cover = NDArray[np.float32]

# A word of this size, in points, is drawn on a page of this height with its line at this height.
_SIZE, _HEIGHT, _LINE = 100.0, 140.0, 40.0
_BOLD_STROKE = 4.0
# In sizes of a letter, what is left free on either side: no blank stands beside Chinese words.
_SIDE = 0.1
_CHINESE = "/STSong-Light"
_CHINESE_WORDS = "学生"


@dataclass(frozen=True, slots=True)
class Style:
    """How letters look."""

    is_bold: bool = False
    has_serifs: bool = False


PLAIN = Style()


@lru_cache(maxsize=256)
def lettered(words: str, size_px: float, style: Style = PLAIN) -> tuple[Cover, int]:
    """Return how much words cover of each pixel, from 0 to 1, shape (height, width), and the row they are on.

    Chinese words are left out where the system has no font for them.
    """
    if not _has_chinese():
        words = "".join(char for char in words if not is_han(char)).strip()
    cover = _drawn(words, size_px / _SIZE, style)
    inked = np.flatnonzero(cover.any(axis=0))
    side = max(1, round(_SIDE * size_px))
    within = cover[:, inked[0] : inked[-1] + 1] if len(inked) else cover[:, :1]
    line = round((_HEIGHT - _LINE) / _HEIGHT * len(cover))
    return np.pad(within, ((0, 0), (side, side))), line


@lru_cache(maxsize=1)
def _has_chinese() -> bool:
    """Whether a font of the system draws Chinese characters, and not one box for all."""
    one, other = (_drawn(char, 0.2, PLAIN) for char in _CHINESE_WORDS)
    return bool(one.any() and other.any() and (one != other).any())


def _drawn(words: str, scale: float, style: Style) -> Cover:
    document = pypdfium2.PdfDocument(_page_of(words, style))
    try:
        pixels = document[0].render(scale=scale, grayscale=True).to_numpy()
        cover: Cover = (1 - pixels.reshape(pixels.shape[:2]) / 255).astype(np.float32)
        return cover
    finally:
        document.close()


def _page_of(words: str, style: Style) -> bytes:
    """Return a PDF of one page with words; no font is in it."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(_SIZE * (len(words) + 1), _HEIGHT))
    page.obj.Resources = Dictionary(Font=Dictionary(C=_chinese_font(), L=_latin_font(style)))
    shown = " ".join(map(_shown, words))
    thick = f"2 Tr {_BOLD_STROKE} w" if style.is_bold else ""
    begin = f"1 0 0 1 {_SIZE / 2} {_LINE} Tm"
    page.obj.Contents = pdf.make_stream(f"BT {thick} {begin} {shown} ET".encode("ascii"))
    saved = io.BytesIO()
    pdf.save(saved)
    return saved.getvalue()


def _shown(char: str) -> str:
    if is_han(char):
        return f"/C {_SIZE} Tf <{char.encode('utf-16-be').hex()}> Tj"
    return f"/L {_SIZE} Tf <{char.encode('cp1252', 'replace').hex()}> Tj"


def _latin_font(style: Style) -> Dictionary:
    name = Name("/Times-Roman" if style.has_serifs else "/Helvetica")
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=name, Encoding=Name.WinAnsiEncoding)


def _chinese_font() -> Dictionary:
    """Return the font that readers of PDFs put one of the system in place of."""
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name(_CHINESE), Flags=4, FontBBox=[0, -200, 1000, 900],
        ItalicAngle=0, Ascent=800, Descent=-200, CapHeight=700, StemV=80,
    )  # fmt: skip
    system = Dictionary(Registry=b"Adobe", Ordering=b"GB1", Supplement=4)
    inner = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType0, BaseFont=Name(_CHINESE), CIDSystemInfo=system, DW=1000,
        FontDescriptor=descriptor,
    )  # fmt: skip
    return Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name(_CHINESE), Encoding=Name("/UniGB-UTF16-H"),
        DescendantFonts=Array([inner]),
    )  # fmt: skip
