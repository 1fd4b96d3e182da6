"""Pictures of pages, kept in as few bits as what they show takes."""

import zlib

import numpy as np
import pikepdf
from numpy.typing import NDArray
from pikepdf import Array, Name, Object

from simcompare.report.anonymous.pages.canvas import Pixels

# Letters look the same in sixteen greys, and take half the room.
_LEVELS = 16
_MOST_COLOURS = 256
# of zlib: twice as fast as what packs best, for three hundredths more
_PACKED = 4


def picture_stream(pdf: pikepdf.Pdf, pixels: Pixels) -> pikepdf.Stream:
    """Return a picture, shape (height, width, 3 or 1), as an object of a PDF, rounded to 16 steps."""
    height, width = pixels.shape[:2]
    space: Object
    if pixels.shape[2] == 1:
        space, bits, data = Name.DeviceGray, 4, _nibbles(_steps(pixels[:, :, 0]))
    else:
        space, bits, data = _coloured(_steps(pixels))
    stream = pdf.make_stream(b"")
    stream.write(zlib.compress(data, _PACKED), filter=Name.FlateDecode)
    for key, value in {
        "/Type": Name.XObject, "/Subtype": Name.Image, "/Width": width, "/Height": height,
        "/ColorSpace": space, "/BitsPerComponent": bits,
    }.items():  # fmt: skip
        stream[key] = value
    return stream


def _steps(pixels: Pixels) -> Pixels:
    table = np.round(np.arange(256) * (_LEVELS - 1) / 255).astype(np.uint8)
    return table[pixels]


def _nibbles(steps: Pixels) -> bytes:
    """Return two pixels a byte, each row from a byte of its own."""
    even = np.pad(steps, ((0, 0), (0, steps.shape[1] % 2)))
    return ((even[:, ::2] << 4) | even[:, 1::2]).tobytes()


def _coloured(steps: Pixels) -> tuple[Object, int, bytes]:
    """Return the colours, bits for each part of one, and data of a picture in colours."""
    numbers = (steps.astype(np.uint16) * np.array([256, 16, 1], np.uint16)).sum(axis=2, dtype=np.uint16)
    colours: NDArray[np.int64] = np.flatnonzero(np.bincount(numbers.ravel(), minlength=4096))
    if len(colours) > _MOST_COLOURS:
        return Name.DeviceRGB, 8, (steps * 17).tobytes()
    place_of = np.zeros(4096, np.uint8)
    place_of[colours] = np.arange(len(colours))
    table = np.stack([colours >> 8, colours >> 4 & 15, colours & 15], axis=1).astype(np.uint8) * 17
    places = place_of[numbers]
    packed = (4, _nibbles(places)) if len(colours) <= _LEVELS else (8, places.tobytes())
    return Array([Name.Indexed, Name.DeviceRGB, len(colours) - 1, pikepdf.String(table.tobytes())]), *packed
