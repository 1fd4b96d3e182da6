"""What a PDF says of who made it, told by either reader."""

import pypdfium2
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdftypes import resolve1
from pdfminer.utils import decode_text

from simcompare.loading.common.origin import origin_from
from simcompare.receipt import Origin


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
