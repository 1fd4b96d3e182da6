"""Annotated copies of the compared files, with pseudonyms in place of names: of Word files alone."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.document import Document
from simcompare.errors import DamagedFileError
from simcompare.report.annotated.annotate import annotated_copy, check_format
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.annotated.errors import BROKEN, NotAnnotatedError
from simcompare.report.annotated.marks import Mark
from simcompare.report.anonymous.errors import OTHER_THAN_WORD, NotAnonymousError


def check_anonymous_format(document: Document) -> None:
    """Raise NotAnonymousError, or NotAnnotatedError, where a file of this format gets no anonymous copy."""
    check_format(document)
    if document.receipt.format != "docx":
        raise NotAnonymousError(document.path, cause=OTHER_THAN_WORD)


def anonymous_copy(
    path: Path,
    document: Document,
    marks: Sequence[Mark],
    pseudonyms: Pseudonyms,
    password: str | None = None,
) -> AnnotatedCopy:
    """Return the Word file at `path`, which became `document`, with its marks and without names.

    `marks` have the places of the original and the words of anonymous evidence (`anonymous_marks`). Made to
    run in a process of its own. Raises FileError: NotAnonymousError where it would name somebody, else what
    `annotated_copy` raises.
    """
    check_anonymous_format(document)
    from simcompare.report.anonymous.word import without_names  # noqa: PLC0415 - loads lxml and cryptography

    copy = annotated_copy(path, document, marks, password)
    try:
        data = without_names(path, copy.data, pseudonyms, password)
    except (DamagedFileError, zipfile.BadZipFile, ValueError, KeyError) as error:
        raise NotAnnotatedError(path, cause=BROKEN) from error
    return AnnotatedCopy(data, copy.placed, copy.unplaced, copy.remarks)
