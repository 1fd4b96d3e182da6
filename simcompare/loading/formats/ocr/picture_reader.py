"""Reader of picture files: photographs, scans of one or several pages, screenshots."""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from simcompare.loading.extraction import DroppedText, Extraction, ReadingOptions, Source
from simcompare.loading.formats.ocr.ocr_engine import Image as Pixels
from simcompare.loading.formats.ocr.ocr_engine import no_text, recognised_among, recognised_flags
from simcompare.loading.formats.pdf.paragraph_pieces import pieces_of
from simcompare.model.errors import DamagedFileError, EmptyFileError, FileError, FileTooLargeError
from simcompare.support.i18n import N_

if TYPE_CHECKING:
    from PIL.Image import Image

# An A3 sheet at 600 dots per inch has 70 million.
_MAX_PIXELS = 100_000_000
_MAX_PAGES = 1000
# More than 300 dots per inch on A4 do not improve recognition. A screenshot is long and narrow.
_LONG_SIDE = 3600
_MAX_SHORT_SIDE = 2600
_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP")
_PAGED = "TIFF"


def read_picture(source: Source, options: ReadingOptions) -> Extraction:
    """Join the recognised pages of a picture.

    Raises RecognitionMissingError if no text recognition is installed, RecognitionNeededError if it is
    requested and the pages have not been recognised yet.
    """
    with _opened(source) as picture:
        numbers = range(1, _pages(source, picture) + 1)
    recognised = recognised_among(source.path, numbers, options.recognised)
    if not recognised:
        raise no_text(source.path, len(numbers))
    if not any(recognised_page.page.lines for recognised_page in recognised.values()):
        raise EmptyFileError(source.path)
    dropped_text = DroppedText()
    pieces, title = pieces_of([recognised[number].page for number in sorted(recognised)], dropped_text)
    return Extraction(
        "RapidOCR",
        pieces,
        title,
        pages=len(numbers),
        dropped=dropped_text.dropped(),
        flags=recognised_flags(recognised.values()),
    )


def picture_of(source: Source, number: int) -> Pixels:
    """Return a page of a picture on white, upright by its EXIF orientation, shape (height, width, 3), BGR."""
    from PIL import Image, ImageOps  # noqa: PLC0415 - only pictures need it

    with _opened(source) as picture:
        if number > 1:
            picture.seek(number - 1)
            _check_pixels(source, picture)
        if picture.format == "JPEG":
            # lets the decoder skip detail that would be discarded
            picture.draft("RGB", (_LONG_SIDE, _LONG_SIDE))
        drawn = ImageOps.exif_transpose(picture)
        drawn.thumbnail(_size_limit(drawn.size), Image.Resampling.LANCZOS)
        return np.ascontiguousarray(np.asarray(_on_white(drawn))[:, :, ::-1])


def _size_limit(size: tuple[int, int]) -> tuple[int, int]:
    """Return the largest useful size; the length of a long screenshot is not limited."""
    short, long = min(size), max(size)
    scale = min(1.0, _MAX_SHORT_SIDE / short)
    if long < 2 * short:
        scale = min(scale, _LONG_SIDE / long)
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def _on_white(picture: "Image") -> "Image":
    from PIL import Image  # noqa: PLC0415 - only pictures need it

    if picture.mode.startswith(("I", "F")):
        # more than eight bits per channel
        values = np.asarray(picture, dtype=np.float64)
        step = 257.0 if values.max() > 255 else 1.0
        picture = Image.fromarray((values / step).clip(0, 255).astype(np.uint8))
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
    return picture.convert("RGB")


@contextmanager
def _opened(source: Source) -> "Iterator[Image]":
    """Open a picture of acceptable size; any other failure is a DamagedFileError."""
    from PIL import Image  # noqa: PLC0415 - only pictures need it

    with warnings.catch_warnings():
        # warnings about sizes, which are checked here, and about metadata of many cameras
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(source.data), formats=_FORMATS) as picture:
                _check_pixels(source, picture)
                yield picture
        except Image.DecompressionBombError as error:
            raise FileTooLargeError(source.path, cause=N_("more than 100 million pixels")) from error
        except (FileError, MemoryError):
            raise
        except Exception as error:
            # Pillow raises nearly any error on a broken file.
            raise DamagedFileError(source.path, cause=N_("the picture is incomplete or broken")) from error


def _check_pixels(source: Source, picture: "Image") -> None:
    if picture.width * picture.height > _MAX_PIXELS:
        raise FileTooLargeError(source.path, cause=N_("more than 100 million pixels"))


def _pages(source: Source, picture: "Image") -> int:
    """Return the number of pages; frames of an animation are not pages."""
    pages = int(getattr(picture, "n_frames", 1)) if picture.format == _PAGED else 1
    if pages > _MAX_PAGES:
        raise FileTooLargeError(source.path, cause=N_("more than 1,000 pages"))
    return pages
