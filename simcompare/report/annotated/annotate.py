"""Annotate a compared file: check its format and content, name the copy, describe the result."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from simcompare.loading.archive import bytes_of
from simcompare.model.document import Document
from simcompare.report.annotated.annotations import (
    CHANGED,
    OTHER_FORMAT,
    AnnotatedCopy,
    Mark,
    NotAnnotatedError,
    shortened,
)
from simcompare.report.wording import first_of, listed, quoted
from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import _, ngettext

FORMATS = frozenset({"pdf", "docx"})
"""Formats, as named in receipts, that can be annotated."""


def check_format(document: Document) -> None:
    """Raise NotAnnotatedError if the format of the file cannot be annotated."""
    if document.receipt.format not in FORMATS:
        raise NotAnnotatedError(document.path, cause=OTHER_FORMAT)


def annotated_copy(
    path: Path, document: Document, marks: Sequence[Mark], password: str | None = None
) -> AnnotatedCopy:
    """Return a copy of the file at `path`, which was read as `document`, with highlights and comments.

    Runs in a worker process; the file stays unchanged. Raises FileError: NotAnnotatedError if the format or
    state of the file does not allow it or the file has changed since it was read, otherwise the errors of
    reading a file.
    """
    check_format(document)
    data = bytes_of(path)
    if hashlib.sha256(data).hexdigest() != document.sha256:
        raise NotAnnotatedError(path, cause=CHANGED)
    if document.receipt.format == "docx":
        from simcompare.report.annotated.word.word_annotator import annotated_docx  # noqa: PLC0415

        return annotated_docx(path, data, document, marks, password)
    # loads qpdf
    from simcompare.report.annotated.annotations import annotated_pdf  # noqa: PLC0415

    if document.character_boxes is None:
        return AnnotatedCopy(data, 0, tuple(marks))
    return annotated_pdf(path, data, document.character_boxes, marks, password)


_MOST_LISTED = 10
_EXCERPT_CHARACTERS = 40


def copy_names(originals: Iterable[Path]) -> list[str]:
    """Return a unique name for the copy of each file, in the current language: "essay – annotated.docx"."""
    names: list[str] = []
    for path in originals:
        stem, count = _("{name} – annotated").format(name=path.stem), 1
        name = f"{stem}{path.suffix}"
        while name in names:
            count += 1
            name = f"{stem} ({count}){path.suffix}"
        names.append(name)
    return names


def placed_in_words(copy: AnnotatedCopy) -> str:
    """Describe the number of marked sentences and passages."""
    return ngettext("{count} place marked", "{count} places marked", copy.placed)


def remarks_in_words(copy: AnnotatedCopy, original: Path) -> list[str]:
    """Return remarks about a copy: marks without a position in it, lost signatures."""
    name = display_name(original.name)
    remarks = [_(remark).format(name=name) for remark in copy.remarks]
    if copy.unplaced:
        text = _("{count} of {total} places could not be marked in {name}: {sentences}")
        count, total = len(copy.unplaced), copy.placed + len(copy.unplaced)
        remarks.append(text.format(count=count, total=total, name=name, sentences=_excerpts(copy.unplaced)))
    return remarks


def _excerpts(marks: Sequence[Mark]) -> str:
    excerpts = [quoted(escape_invisible(shortened(mark.text, _EXCERPT_CHARACTERS))) for mark in marks]
    return listed(first_of(excerpts, _MOST_LISTED))
