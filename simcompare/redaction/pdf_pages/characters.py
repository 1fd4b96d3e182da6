"""The characters of a page as they are searched and moved: what is unknown of them, and where they stand."""

import ctypes
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2 import raw

from simcompare.loading.formats.pdf.page_drawing import by_address
from simcompare.loading.formats.pdf.pdfium_characters import BROKEN_WORD, Boxes, PdfCharacters
from simcompare.redaction.pdf_pages.lettering import Style

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]

_REPLACEMENT = 0xFFFD
_PRIVATE = (0xE000, 0xF8FF)
_SERIF_FLAG = 2
_has_map_error = by_address(raw.FPDFText_HasUnicodeMapError, ctypes.c_int)


class PageCharacters(PdfCharacters):
    """The characters of a page with what hiding names takes.

    `unknown` are those with ink whose text cannot be told.
    """

    def __init__(self, textpage: pypdfium2.PdfTextPage) -> None:
        super().__init__(textpage)
        told = self.nonblank & (self.codes != ord(BROKEN_WORD))
        private = (self.codes >= _PRIVATE[0]) & (self.codes <= _PRIVATE[1])
        error = self._where(told, _has_map_error)
        self.unknown: Mask = told & (private | error | (self.codes == _REPLACEMENT))

    @cached_property
    def upright(self) -> Mask:
        """Which of those with ink stand as most of the text does."""
        upright = self.nonblank.copy()
        upright[upright] = [self.is_upright(place) for place in np.flatnonzero(upright).tolist()]
        return upright

    def style(self, place: int) -> Style:
        """Return how a character looks."""
        flags = ctypes.c_int()
        raw.FPDFText_GetFontInfo(self._textpage, int(self._numbers[place]), None, 0, ctypes.byref(flags))
        return Style(self.is_bold(place), bool(flags.value & _SERIF_FLAG))

    def turned_back(self, boxes: Boxes) -> Boxes:
        """Undo `turned`."""
        # what is turned as far four times is what it was
        return self.turned(self.turned(self.turned(boxes)))

    def baseline(self, place: int) -> float:
        """Return the height of the line that a character stands on, in points of the turned page."""
        x, y = ctypes.c_double(), ctypes.c_double()
        number = int(self._numbers[place])
        raw.FPDFText_GetCharOrigin(self._textpage, number, ctypes.byref(x), ctypes.byref(y))
        return float(self.turned(np.array([[x.value, y.value, x.value, y.value]]))[0, 1])

    def addresses(self, places: Places | Sequence[int]) -> set[int]:
        """Return the addresses of the text objects that draw these characters."""
        return set(self.text_objects(np.asarray(places, dtype=np.int64)).tolist()) - {0}
