"""Opening a PDF by either reader, and what to tell a person where neither can."""

import io
import re
import unicodedata
import zlib
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pdfminer import pdftypes
from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfexceptions import PDFNotImplementedError
from pdfminer.pdfparser import PDFParser, PDFSyntaxError
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.utils import decode_text
from pypdfium2 import raw

from simcompare.loading.extraction import ReadingOptions, Source
from simcompare.loading.formats.pdf.pdfium_characters import Characters, Numbers
from simcompare.loading.shared.file_origin import origin_from
from simcompare.model.errors import (
    DamagedFileError,
    FileError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from simcompare.model.receipt import Origin
from simcompare.support.i18n import N_

_BROTLI = b"/BrotliDecode"
_CHUNK_BYTES = 256
_MOST_BYTES = 100_000_000
# Programs put one or two hundred objects into a stream; pdfminer reads one of this size in 4 seconds.
_MOST_OBJECT_BYTES = 2_000_000


def decompress_corrupted(data: bytes) -> bytes:
    """Return what a damaged Flate stream gives before the damage, as programs that show PDFs do."""
    stream, parts, length = zlib.decompressobj(), [], 0
    try:
        for start in range(0, len(data), _CHUNK_BYTES):
            parts.append(stream.decompress(data[start : start + _CHUNK_BYTES]))
            length += len(parts[-1])
            if length > _MOST_BYTES:
                break
    except zlib.error:
        pass
    return b"".join(parts)


# pdfminer's own goes byte by byte, in time that grows with the square of the length, and gives up on the
# whole stream where it is broken in the middle.
pdftypes.decompress_corrupted = decompress_corrupted


class _Document(PDFDocument):
    """A file whose streams of objects are of a size that can be read in the time that a file is given."""

    def _get_objects(self, stream: PDFStream) -> tuple[list[object], int]:
        if len(stream.get_data()) > _MOST_OBJECT_BYTES:
            raise PDFSyntaxError("a stream of objects is too long")
        return super()._get_objects(stream)


def opened_by_pdfium(source: Source, options: ReadingOptions) -> pypdfium2.PdfDocument | None:
    """Open a file; None where pdfium cannot, or finds no page."""
    try:
        document = pypdfium2.PdfDocument(source.data, password=options.password)
    except pypdfium2.PdfiumError:
        return None
    if len(document):
        return document
    document.close()
    return None


def opened_by_miner(source: Source, options: ReadingOptions) -> PDFDocument:
    """Open a file; raises what pdfminer raises, which is nearly anything."""
    try:
        return _Document(PDFParser(io.BytesIO(source.data)), password=options.password or "")
    except PDFPasswordIncorrect:
        # An empty password opens what was only locked against changes, whatever a person gave.
        return _Document(PDFParser(io.BytesIO(source.data)))


def error_of(source: Source, options: ReadingOptions, error: Exception) -> FileError:
    """Put into words that neither reader reads a file; `error` is what the second one raised."""
    if isinstance(error, PDFPasswordIncorrect) or _asks_for_password(source, options):
        return WrongPasswordError(source.path) if options.password else PasswordNeededError(source.path)
    if isinstance(error, PDFEncryptionError):
        return UnsupportedFormatError(source.path, format=N_("PDF with an unknown encryption"))
    return unknown_compression(source, error) or DamagedFileError(
        source.path, cause=N_("its structure is broken")
    )


def unknown_compression(source: Source, error: Exception | None = None) -> FileError | None:
    """Return the error for a file whose parts are packed in a way that no reader unpacks."""
    if _BROTLI in source.data:
        return UnsupportedFormatError(source.path, format=N_("PDF with Brotli compression"))
    if isinstance(error, PDFNotImplementedError):
        return UnsupportedFormatError(source.path, format=N_("PDF with an unknown compression"))
    return None


def _asks_for_password(source: Source, options: ReadingOptions) -> bool:
    """Whether pdfium asks for a password; the error it names may be that of a file before."""
    if b"/Encrypt" not in source.data:
        return False
    try:
        pypdfium2.PdfDocument(source.data, password=options.password).close()
    except pypdfium2.PdfiumError as error:
        return bool(error.err_code == raw.FPDF_ERR_PASSWORD)
    return False


def origin_by_pdfium(document: pypdfium2.PdfDocument) -> Origin:
    """Return what an open file says."""
    return _origin(document.get_metadata_dict())


def origin_by_miner(document: PDFDocument) -> Origin:
    """Return what an open file says; of a damaged one perhaps nothing."""
    told: dict[str, str] = {}
    for values in document.info:
        resolved = ((name, resolve1(value)) for name, value in values.items())
        told |= {name: decode_text(value) for name, value in resolved if isinstance(value, bytes)}
    return _origin(told)


def _origin(told: dict[str, str]) -> Origin:
    """Return what the information dictionary says; who saved a file last is no part of it."""
    return origin_from(
        author=told.get("Author"),
        created=told.get("CreationDate"),
        last_saved=told.get("ModDate"),
        program=told.get("Creator") or told.get("Producer"),
    )


_IDEOGRAPHS = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
# Shares of the letter size of the characters below: how large a reading is at most, and where its foot is.
_MOST_SIZE = 0.7
_MOST_HEIGHT = 0.65
_LOWEST_FOOT = 0.6
_HIGHEST_FOOT = 1.7
_OVERHANG = 1.0
_OFF_MIDDLE = 0.1
_SHARED_GAP = 0.5
# In heights of a letter of a reading.
_GAP = 0.1
# Readings and what they stand above leave gaps in a line, but none as wide as a column's.
_WIDEST_GAP = 1.5
_LEVEL = 0.3
# A page of more lines is a map or a trap.
_MOST_ROWS = 500
_PINYIN = re.compile(
    r"(?>(?:[zcs]h|[bpmfdtnlgkhjqxzcsryw])?+"
    r"(?>[iu]ang|iong|ueng|[aeio]ng|ia[no]|ua[in]|[ae]i|[ao]o|ou|[aeiu]n|i[aeu]|u[aoie]|er|[aeiouv])r?+['’]?+\d?+)++"
)
_SYLLABLE_SIGNS = re.compile(r"[\u3041-\u30ff\u3105-\u312f\u31a0-\u31bfˊˇˋ˙]+")
_LATIN_FORMS = str.maketrans({"ɑ": "a", "ɡ": "g"})

_Mask = NDArray[np.bool_]


def take_readings(characters: Characters) -> str:
    """Take the readings out of the characters, and the line ends that they made; return their text."""
    inked = np.flatnonzero(characters.inked)
    found = list(_readings(characters, inked))
    if not found:
        return ""
    taken = np.zeros(len(characters.codes), dtype=np.bool_)
    for places in found:
        taken[places] = True
    text = " ".join(_text(characters, places) for places in found)
    characters.keep(~(taken | _breaks_around(characters, inked, taken)))
    return text


def _readings(characters: Characters, inked: Numbers) -> Iterator[Numbers]:
    """Yield the places of each reading, from left to right above every line; note the room that they take."""
    ideographs = _are_ideographs(characters.codes[inked])
    base = inked[ideographs]
    low = _low_among(characters, inked[~ideographs], base)
    lines = np.round(characters.boxes[base, 1])
    rows = np.unique(lines) if len(low) else lines[:0]
    for row in rows[::-1] if len(rows) <= _MOST_ROWS else ():
        line = base[lines == row]
        runs = list(_runs(characters, _above(characters, line, low)))
        # Small print above a line is a reading only where all of it is.
        if runs and all(
            _is_reading(_text(characters, places)) and _stands_over(characters, places, line)
            for places in runs
        ):
            tops = characters.boxes[np.concatenate(runs), 3]
            characters.headroom[line] = max(0.0, tops.max() - np.median(characters.boxes[line, 3]))
            yield from runs


def _are_ideographs(codes: Numbers) -> _Mask:
    found: _Mask = np.any([(codes >= first) & (codes <= last) for first, last in _IDEOGRAPHS], axis=0)
    return found


def _low_among(characters: Characters, others: Numbers, base: Numbers) -> Numbers:
    """Return those of the glyphs that are low beside most ideographs: on most pages there is none."""
    if not len(base) or not len(others):
        return others[:0]
    heights = characters.boxes[:, 3] - characters.boxes[:, 1]
    return others[heights[others] < _MOST_HEIGHT * np.median(heights[base])]


def _above(characters: Characters, line: Numbers, others: Numbers) -> Numbers:
    """Return the small glyphs right above a line of ideographs."""
    x0, y0, x1, y1 = characters.boxes[line].T
    height, reach = float(np.median(y1 - y0)), _OVERHANG * float(np.median(x1 - x0))
    left, _low, right, _high = characters.boxes[others].T
    foot = (characters.boxes[others, 1] - float(np.median(y0))) / max(height, 1.0)
    near = (foot > _LOWEST_FOOT) & (foot < _HIGHEST_FOOT)
    near &= (left > x0.min() - reach) & (right < x1.max() + reach)
    most = _MOST_SIZE * characters.size(int(line[0]))
    small = [place for place in others[near].tolist() if characters.size(place) <= most]
    return np.array(small, dtype=np.int64)


def _runs(characters: Characters, places: Numbers) -> Iterator[Numbers]:
    """Yield what stands together, from left to right."""
    if not len(places):
        return
    ordered = places[np.argsort(characters.boxes[places, 0], kind="stable")]
    x0, y0, x1, y1 = characters.boxes[ordered].T
    apart = x0[1:] - np.maximum.accumulate(x1)[:-1] > _GAP * float(np.median(y1 - y0))
    cuts = [0, *(np.flatnonzero(apart) + 1).tolist(), len(ordered)]
    yield from (ordered[first:stop] for first, stop in pairwise(cuts))


def _stands_over(characters: Characters, places: Numbers, line: Numbers) -> bool:
    """Whether the middle of a reading is above a character, or above the gap between two that share it."""
    x0, _y0, x1, _y1 = characters.boxes[line].T
    left, right = characters.boxes[places, 0].min(), characters.boxes[places, 2].max()
    middle, width = (left + right) / 2, float(np.median(x1 - x0))
    off = np.maximum(x0 - middle, middle - x1).min()
    return bool(off < (_OFF_MIDDLE if right - left < width else _SHARED_GAP) * width)


def _text(characters: Characters, places: Numbers) -> str:
    return unicodedata.normalize("NFC", "".join(map(chr, characters.codes[places].tolist())))


def _is_reading(text: str) -> bool:
    if _SYLLABLE_SIGNS.fullmatch(text):
        return True
    letters = unicodedata.normalize("NFD", text.lower().translate(_LATIN_FORMS))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _PINYIN.fullmatch(plain) is not None


def _breaks_around(characters: Characters, inked: Numbers, taken: _Mask) -> _Mask:
    """Tell which line ends, and spaces put in, part what stands side by side without the readings."""
    breaks = np.zeros(len(taken), dtype=np.bool_)
    kept = inked[~taken[inked]]
    counts = np.cumsum(taken)
    parted = counts[kept[1:]] > counts[kept[:-1]]
    x0, y0, x1, y1 = characters.boxes[kept].T
    height = np.minimum((y1 - y0)[1:], (y1 - y0)[:-1])
    gap = x0[1:] - x1[:-1]
    level = np.abs(y0[1:] - y0[:-1]) < _LEVEL * height
    beside = parted & level & (gap > -_LEVEL * height) & (gap < _WIDEST_GAP * height)
    for number in np.flatnonzero(beside).tolist():
        breaks[kept[number] + 1 : kept[number + 1]] = True
    return breaks & (characters.line_ends | characters.generated)
