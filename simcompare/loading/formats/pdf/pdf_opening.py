"""Opening of PDF files by pdfium and pdfminer.six, their metadata, and the errors if neither can."""

import io
import zlib

import pypdfium2
from pdfminer import pdftypes
from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfexceptions import PDFNotImplementedError
from pdfminer.pdfparser import PDFParser, PDFSyntaxError
from pdfminer.pdftypes import PDFStream, dict_value, resolve1
from pdfminer.utils import decode_text
from pypdfium2 import raw

from simcompare.loading.extraction import ReadingOptions, Source
from simcompare.loading.shared.file_origin import origin_from
from simcompare.model.document import Origin
from simcompare.model.errors import (
    DamagedFileError,
    FileError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
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
