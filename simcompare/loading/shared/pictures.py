"""Pictures of a file: values by which they are found in other files, and thumbnails to show them.

Uniform borders are trimmed and what is left is reduced to a square, so that a picture that was scaled,
compressed, turned grey or put on a page has nearly the same values.
"""

import hashlib
import io
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from simcompare.model.document import MOST_COMPARED_PICTURES, PICTURE_SIDE, FilePicture, Flag, FlagName
from simcompare.model.errors import DamagedFileError
from simcompare.support.clock import ProcessorDeadline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    _Grey = NDArray[np.float32]

_SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"RIFF")
"""Beginnings of PNG, JPEG, GIF, BMP, TIFF and WebP; drawings (EMF, WMF, SVG) are not compared."""
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
# Limits for one file, whose text is what matters.
_MOST_NAMES = 200
_MOST_SECONDS = 4.0
# A picture is decoded into 4 bytes a pixel at most; of a JPEG only a reduced picture.
MOST_PIXELS, _MOST_JPEG_PIXELS = 16_000_000, 100_000_000
_LEAST_PX = 32
# A longer one is a line, a ruler or a banner.
_MOST_ASPECT = 8.0
_LEAST_DECODED_PX, _WORKING_PX, _MOST_WORKING_PX, _THUMBNAIL_PX = 300, 448, 464, 160
_THUMBNAIL_QUALITY = 70
_COLOURS = frozenset({"RGB", "YCbCr"})
# Of 255 steps: noise of compression in a uniform border, and the contrast that a picture of something has.
_NOISE, _LEAST_CONTRAST = 24, 8.0
# A frame around a picture within a page is a border within a border.
_MOST_BORDERS = 8
_LEAST_TRIMMED_PX = 20
# Where two lines of a frame meet, it is darker once it is reduced.
_CORNER_PX = 2
_ROWS_AT_ONCE = 16


class PictureCollector:
    """Describes the pictures of a file one after the other, within limits; broken ones are counted."""

    def __init__(self) -> None:
        self.found: list[FilePicture] = []
        self.unread = 0
        self._seen: set[bytes] = set()
        self._deadline = ProcessorDeadline(_MOST_SECONDS)

    def add(self, data: bytes | None, page: int | None = None) -> None:
        """Add the content of a picture file; what is no such content is ignored."""
        if data and data.startswith(_SIGNATURES):
            self.add_drawn(data, lambda: _opened(data), page)

    def add_drawn(self, data: bytes, drawn: "Callable[[], Image]", page: int | None = None) -> None:
        """Add a picture that `drawn` decodes; `data` identifies it, repeated ones are ignored."""
        key = hashlib.blake2b(data, digest_size=16).digest()
        if key in self._seen:
            return
        self._seen.add(key)
        if len(self.found) >= MOST_COMPARED_PICTURES or self._deadline.is_past:
            self.unread += 1
            return
        try:
            with warnings.catch_warnings():
                # about sizes, which are checked here, and metadata
                warnings.simplefilter("ignore")
                picture = _described(drawn(), len(self.found) + 1, page)
        except MemoryError:
            raise
        except Exception:
            self.unread += 1
            return
        if picture is not None:
            self.found.append(picture)

    def flags(self) -> Iterator[Flag]:
        if self.unread:
            yield Flag(FlagName.UNREAD_PICTURE, self.unread, doubtful=False)


def pictures_named(names: Iterable[str | None], read: Callable[[str], bytes | None]) -> PictureCollector:
    """Describe the pictures of these names in their order, each once; `read` returns their content."""
    collector = PictureCollector()
    for name in islice(dict.fromkeys(filter(None, names)), _MOST_NAMES):
        try:
            collector.add(read(name))
        except DamagedFileError:
            collector.unread += 1
    return collector


def is_thumbnail(data: bytes) -> bool:
    """Return whether bytes of a session file are a small JPEG that can be shown."""
    from PIL import Image  # noqa: PLC0415 - only files with pictures need it

    if data[6:10] != b"JFIF":  # the form that Word reports can hold
        return False
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            fits = max(picture.size) <= _THUMBNAIL_PX
            if fits:
                picture.load()
            return fits
    except MemoryError:
        raise
    except Exception:
        return False


def _opened(data: bytes) -> "Image":
    from PIL import Image  # noqa: PLC0415 - only files with pictures need it

    picture = Image.open(io.BytesIO(data), formats=_FORMATS)
    most = _MOST_JPEG_PIXELS if picture.format == "JPEG" else MOST_PIXELS
    if picture.width * picture.height > most:
        raise ValueError(picture.size)
    return picture


def _described(picture: "Image", number: int, page: int | None) -> FilePicture | None:
    """Return the description of a picture, None for a tiny or uniform one and for a line."""
    from PIL import Image  # noqa: PLC0415 - only files with pictures need it

    width, height = picture.size
    if min(width, height) < _LEAST_PX or max(width, height) > _MOST_ASPECT * min(width, height):
        return None
    picture.draft("YCbCr", (_LEAST_DECODED_PX, _LEAST_DECODED_PX))
    small = _on_white(picture, min(picture.size) // _WORKING_PX)
    # all in nearly one size, or thin lines would be stronger in some
    if max(small.size) > _MOST_WORKING_PX:
        small.thumbnail((_WORKING_PX, _WORKING_PX), Image.Resampling.BOX)
    pixels = _reduced(small)
    if not pixels:
        return None
    written = io.BytesIO()
    small.thumbnail((_THUMBNAIL_PX, _THUMBNAIL_PX), Image.Resampling.BILINEAR, reducing_gap=1.0)
    small.save(written, "JPEG", quality=_THUMBNAIL_QUALITY)
    return FilePicture(number, width, height, pixels, page, written.getvalue())


def _smaller(picture: "Image", step: int) -> "Image":
    """Return a picture reduced by a whole number, which takes a third of the time of other factors."""
    return picture.reduce(step) if step > 1 else picture


def _on_white(picture: "Image", step: int) -> "Image":
    """Return a picture in RGB or YCbCr on white, reduced by a whole number."""
    from PIL import Image  # noqa: PLC0415 - only files with pictures need it

    if picture.mode.startswith(("I", "F")):
        # more than eight bits per channel
        picture = picture.point(lambda value: value / 257).convert("L")
    if picture.has_transparency_data:
        layer = _smaller(picture if picture.mode == "RGBA" else picture.convert("RGBA"), step)
        picture = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
        step = 1
    if picture.mode not in _COLOURS | {"L"}:
        picture = picture.convert("RGB")
    picture = _smaller(picture, step)
    return picture if picture.mode in _COLOURS else picture.convert("RGB")


def _reduced(picture: "Image") -> bytes:
    """Return brightness and colour of a picture without its borders, b"" if it shows nothing."""
    import numpy as np  # noqa: PLC0415 - only files with pictures need it
    from PIL import Image  # noqa: PLC0415

    drawn = picture if picture.mode == "YCbCr" else picture.convert("YCbCr")
    grey = np.asarray(drawn.getchannel(0), np.float32)
    rows, columns = _trimmed(grey)
    grey = grey[rows, columns]
    if min(grey.shape) < _LEAST_TRIMMED_PX or max(grey.shape) > _MOST_ASPECT * min(grey.shape):
        return b""
    if grey.std() < _LEAST_CONTRAST:
        return b""
    square, box = (PICTURE_SIDE, PICTURE_SIDE), (columns.start, rows.start, columns.stop, rows.stop)
    # with BOX, a line would be in one value or the next one by how exactly a border is trimmed
    return drawn.resize(square, Image.Resampling.BICUBIC, box).tobytes()


def _trimmed(grey: "_Grey") -> tuple[slice, slice]:
    """Return the rows and columns within borders of one colour, also of one within the other."""
    rows, columns = slice(0, grey.shape[0]), slice(0, grey.shape[1])
    for _border in range(_MOST_BORDERS):
        before = rows, columns
        for _axis in range(2):
            inner = grey[rows, columns]
            first, last = (_border_rows(each) for each in (inner, inner[::-1]))
            rows = slice(rows.start + first, max(rows.stop - last, rows.start + first))
            grey, rows, columns = grey.T, columns, rows
        if (rows, columns) == before:
            break
    return rows, columns


def _border_rows(grey: "_Grey") -> int:
    """Return how many of the first rows have one colour."""
    import numpy as np  # noqa: PLC0415 - only files with pictures need it

    if min(grey.shape) < _LEAST_TRIMMED_PX:
        return 0
    inner = grey[:, _CORNER_PX:-_CORNER_PX]
    colour = np.median(inner[0])
    for start in range(0, len(inner), _ROWS_AT_ONCE):  # most pictures have no border
        is_inside = (np.abs(inner[start : start + _ROWS_AT_ONCE] - colour) > _NOISE).any(axis=1)
        if is_inside.any():
            return start + int(is_inside.argmax())
    return len(grey)
