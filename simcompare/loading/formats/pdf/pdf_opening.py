"""Opening a PDF by either reader, and what to tell a person where neither can."""

import io
import zlib

import pypdfium2
from pdfminer import pdftypes
from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfexceptions import PDFNotImplementedError
from pdfminer.pdfparser import PDFParser, PDFSyntaxError
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.utils import decode_text
from pypdfium2 import raw

from simcompare.loading.extraction import ReadingOptions, Source
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


class _BoundedPDFDocument(PDFDocument):
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
        return _BoundedPDFDocument(PDFParser(io.BytesIO(source.data)), password=options.password or "")
    except PDFPasswordIncorrect:
        # An empty password opens what was only locked against changes, whatever a person gave.
        return _BoundedPDFDocument(PDFParser(io.BytesIO(source.data)))


def opening_error(source: Source, options: ReadingOptions, error: Exception) -> FileError:
    """Put into words that neither reader reads a file; `error` is what the second one raised."""
    if isinstance(error, PDFPasswordIncorrect) or _needs_password(source, options):
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


def _needs_password(source: Source, options: ReadingOptions) -> bool:
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
    info: dict[str, str] = {}
    for values in document.info:
        resolved = ((name, resolve1(value)) for name, value in values.items())
        info |= {name: decode_text(value) for name, value in resolved if isinstance(value, bytes)}
    return _origin(info)


def _origin(info: dict[str, str]) -> Origin:
    """Return what the information dictionary says; who saved a file last is no part of it."""
    return origin_from(
        author=info.get("Author"),
        created=info.get("CreationDate"),
        last_saved=info.get("ModDate"),
        program=info.get("Creator") or info.get("Producer"),
    )
