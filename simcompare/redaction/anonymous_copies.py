"""Annotated copies with pseudonyms in place of names, and the formats for which they can be made."""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from simcompare.model.document import Document
from simcompare.model.errors import PDF_FORMAT, DamagedFileError, NotAnonymousError
from simcompare.pseudonyms.pseudonyms import PossibleName, Pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, RecognitionReason
from simcompare.report.annotated.annotate import annotated_copy, check_format
from simcompare.report.annotated.annotations import BROKEN, AnnotatedCopy, Mark, NotAnnotatedError
from simcompare.report.wording import detailed, first_of, listed
from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import N_, _, ngettext


def check_anonymous_format(document: Document) -> None:
    """Raise NotAnnotatedError or NotAnonymousError if the format has no anonymous annotated copy."""
    check_format(document)
    if document.receipt.format == "pdf":
        raise NotAnonymousError(document.path, cause=PDF_FORMAT)


def anonymous_copy(
    path: Path,
    document: Document,
    marks: Sequence[Mark],
    pseudonyms: Pseudonyms,
    password: str | None = None,
) -> AnnotatedCopy:
    """Annotate the Word file at `path`, which was read as `document`, and replace the names in it.

    `marks` have the positions of the original and the texts of the anonymous evidence (`anonymous_marks`).
    Runs in a worker process. Raises FileError: NotAnonymousError if the copy would contain a name or if the
    format is PDF, otherwise the errors of `annotated_copy`.
    """
    check_anonymous_format(document)
    from simcompare.redaction.docx_redaction import redacted_docx  # noqa: PLC0415 - loads lxml and cryptography

    copy = annotated_copy(path, document, marks, password)
    try:
        data = redacted_docx(path, copy.data, pseudonyms.including_files([path]), password)
    except (DamagedFileError, zipfile.BadZipFile, ValueError, KeyError) as error:
        raise NotAnnotatedError(path, cause=BROKEN) from error
    return replace(copy, data=data)


_REASONS = {
    RecognitionReason.LISTED: N_("on the list of students"),
    RecognitionReason.SEVERAL: N_("several students on the list have this name"),
    RecognitionReason.PERSONAL_NAME: N_("looks like a personal name"),
    RecognitionReason.BESIDE_NUMBER: N_("next to a number"),
    RecognitionReason.SAME_PLACE: N_("at the position of names in other files"),
    RecognitionReason.DIGITS: N_("a long number"),
    RecognitionReason.FOLDER: N_("in the name of the folder"),
    RecognitionReason.OPENING: N_("in the first lines of the text"),
}
_MOST_NAMES = 3


def reason_in_words(recognised: RecognisedStudent) -> str:
    """Return the reason why the name, or else the number, of a student was recognised; empty if neither."""
    reason = recognised.name_reason or recognised.number_reason
    return "" if reason is None else _(_REASONS[reason])


_CONTEXT = 12


def possible_names_in_words(found: Sequence[PossibleName]) -> str:
    """Return the number of places that may still name someone; empty without any."""
    count = sum(len(name.places) for name in found)
    if not count:
        return ""
    return ngettext(
        "{count} place may still identify a student.", "{count} places may still identify a student.", count
    )


def places_in_words(name: PossibleName, texts: Mapping[Path, str]) -> str:
    """Return "…my friend 张玮 and I… (essay.docx, line 3; and 2 more)"."""
    lines = dict.fromkeys(
        _("{file}, line {line}").format(
            file=display_name(file.name), line=texts[file].count("\n", 0, start) + 1
        )
        for file, start in name.places
    )
    file, start = name.places[0]
    around = texts[file][max(start - _CONTEXT, 0) : start + len(name.text) + _CONTEXT]
    places = listed(first_of(list(lines), _MOST_NAMES))
    return escape_invisible(detailed(f"…{' '.join(around.split())}…", places))
