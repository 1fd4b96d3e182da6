"""An annotated copy of a PDF without names: pictures of its pages, with the marks on top."""

import io
from collections.abc import Sequence
from pathlib import Path

import pikepdf
import pypdfium2

from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.document import Document
from simcompare.i18n import N_
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.annotated.errors import BROKEN, NotAnnotatedError
from simcompare.report.annotated.marks import Mark
from simcompare.report.annotated.pdf import annotated_pdf
from simcompare.report.anonymous.errors import UNREAD_PAGES, NotAnonymousError
from simcompare.report.anonymous.pages.assembly import anonymous_pages

PICTURES = N_(
    "The pages of the anonymous copy of {name} are pictures, so that no name can be brought back. "
    "Photographs, drawings, remarks and fields of forms are left out."
)
_OF_BROKEN_FILES = (ArithmeticError, ValueError, TypeError, KeyError, AttributeError, IndexError)


def anonymous_pdf(
    path: Path,
    data: bytes,
    document: Document,
    marks: Sequence[Mark],
    pseudonyms: Pseudonyms,
    password: str | None,
) -> AnnotatedCopy:
    """Return the PDF, which became `document`, as pictures of its pages without names, with its marks.

    The same file gives the same bytes, unless it takes a password: its copy takes the same one. Raises what
    `annotated_pdf` raises, and NotAnonymousError where no page can be searched for names.
    """
    try:
        pages = anonymous_pages(path, data, document, pseudonyms, password)
    except (pikepdf.PdfError, pypdfium2.PdfiumError, *_OF_BROKEN_FILES) as error:
        # qpdf repairs what it can; what is left has a page, a catalogue or a size that is none
        raise NotAnnotatedError(path, cause=BROKEN) from error
    if not (pages.boxes.pages > 0).any():
        raise NotAnonymousError(path, cause=UNREAD_PAGES)
    copy = annotated_pdf(path, pages.data, pages.boxes, marks, None)
    saved = _locked(copy.data, password) if pages.is_locked and password else copy.data
    return AnnotatedCopy(saved, copy.placed, copy.unplaced, (PICTURES,), pages.left_out)


def _locked(data: bytes, password: str) -> bytes:
    """Encrypt a file by a password."""
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.save(saved, encryption=pikepdf.Encryption(user=password, owner=password))
    return saved.getvalue()
