"""One file and its marks become an annotated copy: which formats can be annotated, and which file it is."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from simcompare.loading.archive import bytes_of
from simcompare.model.document import Document
from simcompare.model.receipt import Place
from simcompare.report.annotated.annotation_errors import CHANGED, OTHER_FORMAT, NotAnnotatedError
from simcompare.report.annotated.annotation_marks import Mark, shortened
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.receipts import places_in_words
from simcompare.report.wording import listed, quoted
from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import _, ngettext

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
        from simcompare.report.annotated.word.word_annotator import annotated_docx  # noqa: PLC0415

        return annotated_docx(path, data, document, marks, password)
    # loads qpdf
    from simcompare.report.annotated.pdf_annotator import annotated_pdf  # noqa: PLC0415

    if document.character_boxes is None:
        return AnnotatedCopy(data, 0, tuple(marks))
    return annotated_pdf(path, data, document.character_boxes, marks, password)


def compared_bytes(path: Path, document: Document) -> bytes:
    """Return the bytes of the file that became `document`; raises FileError where it is another by now."""
    data = bytes_of(path)
    if hashlib.sha256(data).hexdigest() != document.sha256:
        raise NotAnnotatedError(path, cause=CHANGED)
    return data


_MOST_LISTED = 10
_EXCERPT_CHARACTERS = 40


def copy_names(originals: Iterable[Path]) -> list[str]:
    """Return a name for the copy of each file: "essay.annotated.docx", another for each of the same name."""
    names: list[str] = []
    for path in originals:
        name, count = f"{path.stem}.annotated{path.suffix}", 1
        while name in names:
            count += 1
            name = f"{path.stem}.annotated-{count}{path.suffix}"
        names.append(name)
    return names


def placed_in_words(copy: AnnotatedCopy) -> str:
    """Return how many sentences are marked."""
    text = ngettext("{count} sentence marked", "{count} sentences marked", copy.placed)
    return text.format(count=f"{copy.placed:,}")


def remarks_in_words(copy: AnnotatedCopy, original: Path) -> list[str]:
    """Return what must be known of a copy: sentences without a place in it, and what it loses."""
    name = display_name(original.name)
    told = [_(remark).format(name=name) for remark in copy.remarks]
    if copy.left_out:
        text = _("The anonymous copy of {name} lacks {pages}: names there cannot be found.")
        told.append(text.format(name=name, pages=places_in_words(list(map(Place, copy.left_out)))))
    if copy.unplaced:
        text = _("{count} of {total} sentences could not be placed in {name}: {sentences}")
        count, total = len(copy.unplaced), copy.placed + len(copy.unplaced)
        told.append(text.format(count=count, total=total, name=name, sentences=_excerpts(copy.unplaced)))
    return told


def _excerpts(marks: Sequence[Mark]) -> str:
    shown = [
        quoted(escape_invisible(shortened(mark.text, _EXCERPT_CHARACTERS))) for mark in marks[:_MOST_LISTED]
    ]
    rest = len(marks) - _MOST_LISTED
    return listed([*shown, *([_("and {count} more").format(count=rest)] if rest > 0 else [])])
