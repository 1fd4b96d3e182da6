"""An annotated copy of a PDF without names: pictures of its pages, with the marks on top."""

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pikepdf
import pypdfium2

from simcompare.model.document import Document
from simcompare.model.errors import DamagedFileError
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.pseudonyms.students import Ground, Recognised
from simcompare.redaction.pdf_pages.assembly import anonymous_pages
from simcompare.redaction.redaction_errors import UNREAD_PAGES, NotAnonymousError
from simcompare.report.annotated.annotate import annotated_copy, check_format, compared_bytes
from simcompare.report.annotated.annotation_errors import BROKEN, NotAnnotatedError
from simcompare.report.annotated.annotation_marks import Mark
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.annotated.pdf_annotator import annotated_pdf
from simcompare.report.wording import enumerated, first_of
from simcompare.support.i18n import N_, _, ngettext

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
        pass

        return anonymous_pdf(path, compared_bytes(path, document), document, marks, names, password)
    from simcompare.redaction.docx_redaction import without_names  # noqa: PLC0415 - loads lxml and cryptography

    copy = annotated_copy(path, document, marks, password)
    try:
        data = without_names(path, copy.data, names, password)
    except (DamagedFileError, zipfile.BadZipFile, ValueError, KeyError) as error:
        raise NotAnnotatedError(path, cause=BROKEN) from error
    return AnnotatedCopy(data, copy.placed, copy.unplaced, copy.remarks)


_GROUNDS = {
    Ground.LISTED: N_("on the list of students"),
    Ground.SEVERAL: N_("several students on the list have this name"),
    Ground.PERSONAL_NAME: N_("looks like a personal name"),
    Ground.BESIDE_NUMBER: N_("stands beside a number"),
    Ground.SAME_PLACE: N_("stands where other files have a name"),
    Ground.DIGITS: N_("a long number"),
    Ground.FOLDER: N_("in the name of the folder"),
    Ground.OPENING: N_("in the first lines of the text"),
}
_MOST_NAMES = 3


def ground_in_words(recognised: Recognised) -> str:
    """Return why the name of a file was taken for that of a student, or its number; nothing for neither."""
    ground = recognised.name_ground or recognised.number_ground
    return "" if ground is None else _(_GROUNDS[ground])


def ordinary_names_in_words(names: Sequence[str]) -> str:
    """Return what becomes of names that are words as well; nothing where there are none."""
    if not names:
        return ""
    text = ngettext(
        "{names} is a name and an ordinary word. It is replaced only where a text clearly speaks of a "
        "person; read the texts before you send them.",
        "{names} are names and ordinary words. They are replaced only where a text clearly speaks of a "
        "person; read the texts before you send them.",
        len(names),
    )
    return text.format(names=enumerated(first_of(names, _MOST_NAMES)))
