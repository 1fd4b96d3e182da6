"""One file and its marks become an annotated copy: which formats can be annotated, and which file it is."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from simcompare.document import Document
from simcompare.loading.files import bytes_of
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.annotated.errors import CHANGED, OTHER_FORMAT, NotAnnotatedError
from simcompare.report.annotated.marks import Mark

FORMATS = frozenset({"pdf", "docx"})
"""The formats, as receipts name them, that can be annotated."""


def check_format(document: Document) -> None:
    """Raise NotAnnotatedError where a file of this format cannot be annotated."""
    if document.receipt.format not in FORMATS:
        raise NotAnnotatedError(document.path, cause=OTHER_FORMAT)


def annotated_copy(
    path: Path, document: Document, marks: Sequence[Mark], password: str | None = None
) -> AnnotatedCopy:
    """Return the file at `path`, which became `document`, with its marks.

    The file itself is left as it is. Made to run in a process of its own. Raises FileError:
    NotAnnotatedError where its format or its state do not allow it, or where it was changed after it was
    read; else what reading a file raises.
    """
    check_format(document)
    data = compared_bytes(path, document)
    if document.receipt.format == "docx":
        from simcompare.report.annotated.word.docx import annotated_docx  # noqa: PLC0415

        return annotated_docx(path, data, document, marks, password)
    # loads qpdf
    from simcompare.report.annotated.pdf import annotated_pdf  # noqa: PLC0415

    if document.character_boxes is None:
        return AnnotatedCopy(data, 0, tuple(marks))
    return annotated_pdf(path, data, document.character_boxes, marks, password)


def compared_bytes(path: Path, document: Document) -> bytes:
    """Return the bytes of the file that became `document`; raises FileError where it is another by now."""
    data = bytes_of(path)
    if hashlib.sha256(data).hexdigest() != document.sha256:
        raise NotAnnotatedError(path, cause=CHANGED)
    return data
