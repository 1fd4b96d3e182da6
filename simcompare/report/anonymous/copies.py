"""Annotated copies of the compared files, with pseudonyms in place of names: of Word files and PDFs."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.document import Document
from simcompare.errors import DamagedFileError
from simcompare.report.annotated.annotate import annotated_copy, check_format, compared_bytes
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.annotated.errors import BROKEN, NotAnnotatedError
from simcompare.report.annotated.marks import Mark


def anonymous_copy(
    path: Path,
    document: Document,
    marks: Sequence[Mark],
    pseudonyms: Pseudonyms,
    password: str | None = None,
) -> AnnotatedCopy:
    """Return the Word file or PDF at `path`, which became `document`, with its marks and without names.

    `marks` have the places of the original and the words of anonymous evidence (`anonymous_marks`). Made to
    run in a process of its own. Raises FileError: NotAnonymousError where it would name somebody, else what
    `annotated_copy` raises.
    """
    check_format(document)
    names = pseudonyms.covering([path])
    if document.receipt.format == "pdf":
        # loads qpdf and pdfium
        from simcompare.report.anonymous.pdf import anonymous_pdf  # noqa: PLC0415

        return anonymous_pdf(path, compared_bytes(path, document), document, marks, names, password)
    from simcompare.report.anonymous.word import without_names  # noqa: PLC0415 - loads lxml and cryptography

    copy = annotated_copy(path, document, marks, password)
    try:
        data = without_names(path, copy.data, names, password)
    except (DamagedFileError, zipfile.BadZipFile, ValueError, KeyError) as error:
        raise NotAnnotatedError(path, cause=BROKEN) from error
    return AnnotatedCopy(data, copy.placed, copy.unplaced, copy.remarks)
