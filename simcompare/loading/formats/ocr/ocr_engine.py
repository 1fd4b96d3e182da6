"""Detect and read lines of text in a picture with RapidOCR: positions, texts and confidences.

Nothing is downloaded: the models are part of the package and are given by path, so that RapidOCR does not
look for others.
"""

import importlib.util
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.loading.formats.pdf.pdf_lines import PdfPage
from simcompare.model.document import Flag, FlagName, Place
from simcompare.model.errors import NoTextError, RecognitionMissingError, RecognitionNeededError

# Clean print has 0.998, blurred print 0.98; at 0.95 a few letters in a hundred are wrong.
_RELIABLE_PAGE = 0.95
_MAX_PLACES = 20


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """A recognised page and the mean `confidence` of its characters, in [0, 1]."""

    page: PdfPage = field(compare=False)
    confidence: float

    @property
    def is_reliable(self) -> bool:
        return bool(self.page.lines) and self.confidence >= _RELIABLE_PAGE


def recognised_among(
    path: Path, unread: Collection[int], recognised: Mapping[int, RecognisedPage | None] | None
) -> dict[int, RecognisedPage]:
    """Return the recognised pages among `unread`; nothing if recognition is off (`recognised` is None).

    Raises RecognitionNeededError for pages that were not tried yet.
    """
    if recognised is None:
        return {}
    untried = sorted(set(unread) - recognised.keys())
    if untried and available():
        raise RecognitionNeededError(path, pages=len(untried), numbers=untried)
    return {number: page for number in unread if (page := recognised.get(number)) is not None}


def no_text(path: Path, pages: int) -> NoTextError:
    """Return the error for picture pages that were not recognised."""
    return NoTextError(path, pages=pages) if available() else RecognitionMissingError(path, pages=pages)


def recognised_flags(recognised: Iterable[RecognisedPage]) -> list[Flag]:
    """Return the flag with the recognised pages and their mean confidence."""
    read = [recognised_page for recognised_page in recognised if recognised_page.page.lines]
    if not read:
        return []
    characters = sum(recognised_page.page.characters for recognised_page in read)
    confidence = (
        sum(recognised_page.confidence * recognised_page.page.characters for recognised_page in read)
        / characters
    )
    numbers = sorted(recognised_page.page.number for recognised_page in read)
    places = tuple(map(Place, numbers[:_MAX_PLACES]))
    doubtful = confidence < _RELIABLE_PAGE
    return [Flag(FlagName.RECOGNISED_TEXT, len(read), places, f"{confidence:.0%}", doubtful)]


Image = NDArray[np.uint8]
Quads = NDArray[np.float64]

# Detection needs less detail than recognition, and takes time and memory per pixel.
_DETECTION_SIDE_PIXELS = 1280
# One line at a time: in a batch, short ones are padded to the longest.
_LINES_AT_ONCE = 1
# Vertical lines are rotated by 90 degrees before they are read.
_TALL = 1.5
_LONG_PICTURE = 2.0
_SLICE = 1.4
_TRIED_LINES = 3
_RELIABLE_CONFIDENCE = 0.85
# Upside-down print has confidences of 0.4 to 0.6, clean print more than 0.98.
_UNLIKELY = 0.7
_NO_TEXT = 0.5


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """A line of text.

    `corners`, shape (4, 2), are x and y in pixels from the top left, clockwise from the beginning of the
    line at its upper side, as it is read. `confidence` is in [0, 1].
    """

    text: str
    confidence: float
    corners: Quads = field(repr=False)


@dataclass(frozen=True, slots=True)
class RecognisedLines:
    """The lines of a picture; rotation by `quarter_turns`, counterclockwise, makes most of them upright."""

    lines: Sequence[RecognisedLine]
    quarter_turns: int


def available() -> bool:
    """Return whether text recognition is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("rapidocr", "onnxruntime"))


def recognise(picture: Image) -> RecognisedLines:
    """Detect and read the lines of a picture, shape (height, width, 3), in any orientation."""
    quads = _quads(picture)
    if not len(quads):
        return RecognisedLines([], 0)
    crops = _engine().crop_text_regions(picture, quads.astype(np.float32))
    widths, heights = _sides(quads)
    tall = heights >= _TALL * widths
    mostly_tall = bool(heights[tall].sum() > widths[~tall].sum())
    upside_down = _is_upside_down(
        [crop for crop, is_tall in zip(crops, tall, strict=True) if is_tall == mostly_tall]
    )
    lines = [
        _read(crop, quad, is_tall=is_tall, upside_down=upside_down and is_tall == mostly_tall)
        for crop, quad, is_tall in zip(crops, quads, tall.tolist(), strict=True)
    ]
    found = [line for line in lines if line.confidence >= _NO_TEXT and line.text.strip()]
    return RecognisedLines(found, mostly_tall + 2 * upside_down)


@cache
def _engine() -> Any:
    import rapidocr  # noqa: PLC0415 - it is an extra, and takes a second

    models = Path(rapidocr.__file__).parent / "models"
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            # images are scaled here
            "Global.use_preprocess_img": False,
            "Det.model_path": _model(models, "det"),
            "Det.limit_type": "max",
            "Det.limit_side_len": _DETECTION_SIDE_PIXELS,
            "Rec.model_path": _model(models, "rec"),
            "Rec.rec_batch_num": _LINES_AT_ONCE,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _model(models: Path, task: str) -> str:
    found = sorted(models.glob(f"*_{task}_*.onnx"))
    if not found:
        raise FileNotFoundError(f"RapidOCR came without a model ({task})")
    return str(found[0])


def _quads(picture: Image) -> Quads:
    """Return the corners of the lines, clockwise from the top left, shape (n, 4, 2)."""
    found = []
    for top, part in _slices(picture):
        boxes = _engine()(part, use_det=True, use_cls=False, use_rec=False).boxes
        if boxes is not None and len(boxes):
            found.append(np.asarray(boxes, dtype=np.float64) + np.array([0, top]))
    return np.concatenate(found) if found else np.empty((0, 4, 2))


def _slices(picture: Image) -> Iterator[tuple[int, Image]]:
    """Yield (top, picture); pictures as long as phone screenshots are cut into parts."""
    height, width = picture.shape[:2]
    if height <= _LONG_PICTURE * width:
        yield 0, picture
        return
    top, step = 0, int(_SLICE * width)
    while height - top > step:
        bottom = _quietest_row(picture, top + step // 2, top + step)
        yield top, picture[top:bottom]
        top = bottom
    yield top, picture[top:]


def _quietest_row(picture: Image, first: int, last: int) -> int:
    """Return the end of the lowest row with the least contrast."""
    ink = picture[first:last].astype(np.int16).std(axis=(1, 2))
    return first + int(np.flatnonzero(ink <= ink.min() + 1)[-1]) + 1


def _sides(quads: Quads) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return widths and heights in whole pixels, as `crop_text_regions` computes them."""
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    return np.floor(np.maximum(sides[:, 0], sides[:, 2])), np.floor(np.maximum(sides[:, 1], sides[:, 3]))


def _is_upside_down(crops: Sequence[Image]) -> bool:
    """Return whether the longest lines are read with more confidence when rotated by 180 degrees."""
    longest = sorted(crops, key=lambda crop: crop.shape[1], reverse=True)[:_TRIED_LINES]
    upright = np.mean([_text_of(crop)[1] for crop in longest])
    return bool(
        upright < _RELIABLE_CONFIDENCE and np.mean([_text_of(_turned(crop))[1] for crop in longest]) > upright
    )


def _read(crop: Image, quad: Quads, *, is_tall: bool, upside_down: bool) -> RecognisedLine:
    text, confidence = _text_of(_turned(crop) if upside_down else crop)
    if confidence < _UNLIKELY:
        other, other_confidence = _text_of(crop if upside_down else _turned(crop))
        if other_confidence > max(confidence, _UNLIKELY):
            text, confidence, upside_down = other, other_confidence, not upside_down
    # A tall crop was rotated counterclockwise: its line began at the upper right corner.
    return RecognisedLine(text, confidence, np.roll(quad, -(is_tall + 2 * upside_down), axis=0))


def _text_of(crop: Image) -> tuple[str, float]:
    read = _engine()(crop, use_det=False, use_cls=False, use_rec=True)
    return (read.txts[0], float(read.scores[0])) if read.txts else ("", 0.0)


def _turned(crop: Image) -> Image:
    return np.ascontiguousarray(crop[::-1, ::-1])
