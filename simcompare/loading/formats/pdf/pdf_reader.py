"""Reader of PDF files: pdfium first, pdfminer.six if pdfium cannot read a file or a page."""

import io
import unicodedata
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import pypdfium2
from pdfminer import pdftypes
from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfexceptions import PDFNotImplementedError
from pdfminer.pdfparser import PDFParser, PDFSyntaxError
from pdfminer.pdftypes import PDFStream, dict_value, resolve1
from pdfminer.utils import decode_text
from pypdfium2 import raw

from simcompare.loading.extraction import DroppedText, Extraction, ReadingOptions, Source, nothing_to_compare
from simcompare.loading.formats.ocr.ocr_engine import (
    RecognisedPage,
    no_text,
    recognised_among,
    recognised_flags,
)
from simcompare.loading.formats.pdf.paragraph_pieces import pieces_of, with_typed_text
from simcompare.loading.formats.pdf.pdf_lines import PdfPage, is_cjk
from simcompare.loading.formats.pdf.pdfium_pages import has_text_objects, pdfium_pages
from simcompare.loading.formats.pdf.pdfminer_pages import MOST_CHARACTERS, miner_pages
from simcompare.loading.shared.file_origin import origin_from
from simcompare.loading.shared.pictures import PictureCollector
from simcompare.model.document import Flag, FlagName, Origin, Place
from simcompare.model.errors import (
    DamagedFileError,
    FileError,
    PasswordNeededError,
    ReadingTimeoutError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from simcompare.support.clock import ProcessorDeadline
from simcompare.support.i18n import N_

_BROTLI = b"/BrotliDecode"
_CHUNK_BYTES = 256
_MAX_BYTES = 100_000_000
# Programs store one or two hundred objects per stream; pdfminer parses one of this size in 4 seconds.
_MAX_OBJECT_BYTES = 2_000_000


def decompress_corrupted(data: bytes) -> bytes:
    """Return the data of a damaged Flate stream before the damage, as PDF viewers do."""
    stream, parts, length = zlib.decompressobj(), [], 0
    try:
        for start in range(0, len(data), _CHUNK_BYTES):
            parts.append(stream.decompress(data[start : start + _CHUNK_BYTES]))
            length += len(parts[-1])
            if length > _MAX_BYTES:
                break
    except zlib.error:
        pass
    return b"".join(parts)


# pdfminer's own function is quadratic in the length, byte by byte, and loses the whole stream if the
# damage is in the middle.
pdftypes.decompress_corrupted = decompress_corrupted


class _BoundedPDFDocument(PDFDocument):
    """PDF document that refuses object streams too large for the time limit of a file."""

    def _get_objects(self, stream: PDFStream) -> tuple[list[object], int]:
        if len(stream.get_data()) > _MAX_OBJECT_BYTES:
            raise PDFSyntaxError("a stream of objects is too long")
        return super()._get_objects(stream)


def opened_by_pdfium(source: Source, options: ReadingOptions) -> pypdfium2.PdfDocument | None:
    """Open a file; None if pdfium cannot, or finds no page."""
    try:
        document = pypdfium2.PdfDocument(source.data, password=options.password)
    except pypdfium2.PdfiumError:
        return None
    if len(document):
        return document
    document.close()
    return None


def opened_by_miner(source: Source, options: ReadingOptions) -> PDFDocument:
    """Open a file; raises what pdfminer raises, which is nearly any error."""
    try:
        return _BoundedPDFDocument(PDFParser(io.BytesIO(source.data)), password=options.password or "")
    except PDFPasswordIncorrect:
        # An empty password opens files that are only protected against changes, whatever password was given.
        return _BoundedPDFDocument(PDFParser(io.BytesIO(source.data)))


def opening_error(source: Source, options: ReadingOptions, error: Exception) -> FileError:
    """Return the user-facing error for a file that neither reader reads; `error` was raised by pdfminer."""
    if isinstance(error, PDFPasswordIncorrect) or _needs_password(source, options):
        return WrongPasswordError(source.path) if options.password else PasswordNeededError(source.path)
    if isinstance(error, PDFEncryptionError):
        return UnsupportedFormatError(source.path, format=N_("PDF with an unknown encryption"))
    return unknown_compression(source, error) or DamagedFileError(
        source.path, cause=N_("its structure is broken")
    )


def unknown_compression(source: Source, error: Exception | None = None) -> FileError | None:
    """Return the error for a compression that neither reader supports, or None."""
    if _BROTLI in source.data:
        return UnsupportedFormatError(source.path, format=N_("PDF with Brotli compression"))
    if isinstance(error, PDFNotImplementedError):
        return UnsupportedFormatError(source.path, format=N_("PDF with an unknown compression"))
    return None


def _needs_password(source: Source, options: ReadingOptions) -> bool:
    """Return whether pdfium asks for a password; its error code may be left over from an earlier file."""
    if b"/Encrypt" not in source.data:
        return False
    try:
        pypdfium2.PdfDocument(source.data, password=options.password).close()
    except pypdfium2.PdfiumError as error:
        return bool(error.err_code == raw.FPDF_ERR_PASSWORD)
    return False


def origin_by_pdfium(document: pypdfium2.PdfDocument) -> Origin:
    """Return the unverified metadata of an open file."""
    return _origin(document.get_metadata_dict())


def origin_by_miner(document: PDFDocument) -> Origin:
    """Return the unverified metadata of an open file; of a damaged one possibly nothing."""
    info: dict[str, str] = {}
    for values in document.info:
        resolved = ((name, resolve1(value)) for name, value in values.items())
        info |= {name: decode_text(value) for name, value in resolved if isinstance(value, bytes)}
    return _origin(info)


def page_count_by_miner(document: PDFDocument) -> int:
    """Return the number of pages that an open file states; 0 if it states none."""
    count = resolve1(dict_value(document.catalog.get("Pages")).get("Count"))
    return count if isinstance(count, int) else 0


def _origin(info: dict[str, str]) -> Origin:
    """Convert the information dictionary, which does not have who saved the file last."""
    return origin_from(
        author=info.get("Author"),
        created=info.get("CreationDate"),
        last_saved=info.get("ModDate"),
        program=info.get("Creator") or info.get("Producer"),
    )


# Share of unreadable characters above which a page is garbled.
_MAX_UNREADABLE = 0.05
# Processor time for reading pages, of the 20 seconds of a file; joining the lines of the pages that were read
# takes half as long again. pdfminer's second reading of some pages has a quarter of it.
_PAGES_SECONDS = 12.0
_SECOND_READING_SECONDS = 3.0
# The pages of a document have the same fonts: if pdfminer cannot read the first ones, it reads none.
_MOST_IN_VAIN = 3
# pdfminer's page is used only if it has at least this share of pdfium's characters.
_MIN_SHARE = 0.8
# pdfium reads vertical writing as at least so many lines, of one or two characters.
_MIN_VERTICAL_LINES = 20
_MAX_SHORT_LINE = 2
# Share of the neighbours in a reading that are also neighbours as drawn.
_DRAWN_SHARE = 0.8
# Categories of control characters, private use, unassigned, and spacing and lone combining accents.
_UNLIKELY = frozenset({"Cc", "Co", "Cn", "Cs", "Sk", "Mn"})
_UNKNOWN = "\ufffd"


@dataclass(frozen=True, slots=True)
class _PdfReading:
    """Pages that were read in time, of `page_count`; `reader` names the libraries."""

    pages: list[PdfPage]
    page_count: int
    reader: str
    origin: Origin
    pictures: PictureCollector


def read_pdf(source: Source, options: ReadingOptions) -> Extraction:
    """Read all pages, drop margins, contents and hidden text, and join lines to paragraphs."""
    reading = _reading(source, options)
    pages, reader = reading.pages, reading.reader
    dropped_text = DroppedText()
    for page in pages:
        for reason, text in (*page.dropped, *page.annotations):
            dropped_text.add(reason, text, Place(page.number))
    recognised = _recognised(source, pages, options)
    pages = [
        replace(recognised[page.number].page, typed=page.typed, dropped=page.dropped)
        if page.number in recognised
        else page
        for page in pages
    ]
    pages = [with_typed_text(page) if page.typed else page for page in pages]
    if not any(page.lines for page in pages):
        if len(pages) < reading.page_count:
            raise ReadingTimeoutError(source.path, seconds=f"{_PAGES_SECONDS:g}")
        if recognised or any(page.dropped for page in pages):
            raise nothing_to_compare(source.path, dropped_text.flags(), dropped_text.dropped())
        raise no_text(source.path, len(pages))
    pieces, title = pieces_of(pages, dropped_text)
    return Extraction(
        f"{reader}, RapidOCR" if recognised else reader,
        pieces,
        title,
        pages=reading.page_count,
        dropped=dropped_text.dropped(),
        flags=[
            *_flags(pages, reading.page_count),
            *recognised_flags(recognised.values()),
            *dropped_text.flags(),
            *reading.pictures.flags(),
        ],
        origin=reading.origin,
        pictures=reading.pictures.found,
    )


def _recognised(
    source: Source, pages: Sequence[PdfPage], options: ReadingOptions
) -> dict[int, RecognisedPage]:
    """Return the results of text recognition for picture pages, and for garbled ones if reliable."""
    garbled = {page.number for page in pages if page.unreadable > _MAX_UNREADABLE}
    unread = garbled | {page.number for page in pages if page.is_picture_only}
    if not any(page.lines or page.typed for page in pages):
        if any(page.dropped for page in pages):
            return {}
        if error := unknown_compression(source):
            raise error
        unread = {page.number for page in pages}
    found = recognised_among(source.path, unread, options.recognised)
    return {
        number: recognised_page
        for number, recognised_page in found.items()
        if number not in garbled or recognised_page.is_reliable
    }


def _reading(source: Source, options: ReadingOptions) -> _PdfReading:
    """Return the pages, the readers used, and the unverified metadata."""
    deadline = ProcessorDeadline(_PAGES_SECONDS)
    document = opened_by_pdfium(source, options)
    if document is None:
        return _read_by_miner(source, options, deadline)
    try:
        page_count, origin = len(document), origin_by_pdfium(document)
        pictures = PictureCollector()
        pages = list(pdfium_pages(document, deadline, pictures))
        readable = [page for page in pages if page.characters <= MOST_CHARACTERS]
        doubtful = {page.number for page in readable if _is_doubtful(page, document)}
        vertical = {page.number for page in readable if _is_vertical(page)}
    finally:
        document.close()
    second = ProcessorDeadline(_SECOND_READING_SECONDS)
    better = _better_pages(source, options, second, pages, doubtful - vertical)
    better |= _better_pages(source, options, second, pages, vertical, vertical=True)
    reader = "pypdfium2, pdfminer.six" if better else "pypdfium2"
    pages = [
        # with the annotations, which only pdfium finds
        replace(better[page.number], typed=page.typed, annotations=page.annotations)
        if page.number in better
        else page
        for page in pages
    ]
    return _PdfReading(pages, page_count, reader, origin, pictures)


def _read_by_miner(source: Source, options: ReadingOptions, deadline: ProcessorDeadline) -> _PdfReading:
    try:
        document = opened_by_miner(source, options)
        pages, origin = list(miner_pages(document, deadline)), origin_by_miner(document)
        page_count = page_count_by_miner(document) if deadline.is_past else len(pages)
    except MemoryError:
        raise
    except Exception as error:
        raise opening_error(source, options, error) from error
    if not page_count:
        raise DamagedFileError(source.path, cause=N_("it has no pages"))
    return _PdfReading(pages, page_count, "pdfminer.six", origin, PictureCollector())


def _is_doubtful(page: PdfPage, document: pypdfium2.PdfDocument) -> bool:
    """Return whether pdfminer, which cannot detect hidden text, may read a page better."""
    if page.dropped:
        return False
    return page.unreadable > _MAX_UNREADABLE or (not page.lines and has_text_objects(document, page.number))


def _is_vertical(page: PdfPage) -> bool:
    """Return whether most characters are Chinese or Japanese ones in lines of one or two: columns of text."""
    if len(page.lines) < _MIN_VERTICAL_LINES:
        return False
    short = "".join(line.text for line in page.lines if len(line.text) <= _MAX_SHORT_LINE)
    return 2 * sum(map(is_cjk, short)) > page.characters


def _better_pages(
    source: Source,
    options: ReadingOptions,
    deadline: ProcessorDeadline,
    pages: Sequence[PdfPage],
    numbers: set[int],
    *,
    vertical: bool = False,
) -> dict[int, PdfPage]:
    """Return those pages among `numbers` that pdfminer reads better, as far as it reads them in time."""
    if not numbers:
        return {}
    first = {page.number: page for page in pages}
    better: dict[int, PdfPage] = {}
    in_vain = 0
    try:
        for page in miner_pages(opened_by_miner(source, options), deadline, numbers, vertical=vertical):
            if is_better(page, first[page.number], vertical=vertical):
                better[page.number] = page
            elif not better and (in_vain := in_vain + 1) == _MOST_IN_VAIN:
                break
    except MemoryError:
        raise
    except Exception:
        # pdfminer may fail on files that pdfium reads.
        return {}
    return better


def is_better(second: PdfPage, first: PdfPage, *, vertical: bool) -> bool:
    """Return whether pdfminer's reading of a page is better than pdfium's, which is the `first`."""
    if second.characters < max(1, _MIN_SHARE * first.characters):
        return False
    if vertical:
        return _is_in_drawing_order(second, first)
    return not first.lines or (
        second.unreadable < first.unreadable and _unlikely_share(second) <= _unlikely_share(first)
    )


def _is_in_drawing_order(second: PdfPage, first: PdfPage) -> bool:
    """Return whether columns that pdfminer reads downwards have the order in which `first` is drawn.

    Labels beside a text and the cells of a table are horizontal: read as columns, neighbours are not drawn
    one after the other.
    """
    drawn = Counter(pairwise("".join(line.text for line in first.lines if line.text.strip())))
    within = Counter(pair for line in second.lines for pair in pairwise(line.text))
    across = Counter((before.text[-1], line.text[0]) for before, line in pairwise(second.lines))
    long_lines = sum(len(line.text) for line in second.lines if len(line.text) > _MAX_SHORT_LINE)
    return (
        2 * long_lines > second.characters
        and (within & drawn).total() >= _DRAWN_SHARE * within.total()
        and 2 * (across & drawn).total() >= across.total()
    )


def _unlikely_share(page: PdfPage) -> float:
    """Return the share of characters that no text has: unknown ones, and accents apart from their letters."""
    text = unicodedata.normalize("NFC", "".join(line.text for line in page.lines))
    return sum(unicodedata.category(char) in _UNLIKELY or char == _UNKNOWN for char in text) / max(
        1, len(text)
    )


def _flags(pages: Sequence[PdfPage], page_count: int) -> list[Flag]:
    garbled = [page.number for page in pages if page.unreadable > _MAX_UNREADABLE]
    is_picture_only = [page.number for page in pages if page.is_picture_only]
    unread = range(len(pages) + 1, page_count + 1)
    named = (
        (FlagName.GARBLED_PAGE, garbled),
        (FlagName.PAGE_WITHOUT_TEXT, is_picture_only),
        (FlagName.UNREAD_PAGE, unread),
    )
    return [Flag(name, len(numbers), tuple(map(Place, numbers))) for name, numbers in named if numbers]
