"""What is made in a process of its own: reports, annotated copies, and previews of both."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.cohort.cohort_data import Cohort
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.export.export_workers import parcel, unpacked
from simcompare.export.pair_evidence import evidence_of, report_of
from simcompare.report.annotated.annotation_marks import Mark, Side, marks_of, prepared_document_of
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.cohort.cohort_rows import pairs_as_csv
from simcompare.report.cohort.report_bundle import TABLES, Outcome, pages_of, restricted
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import FORMS
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import set_language
from simcompare.support.worker_process import allowing_memory


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as it will look: three bytes a pixel, red, green and blue, rows `stride` bytes apart."""

    width_px: int
    height_px: int
    stride: int
    pixels: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of what will be written: a heading, words, what is said aside, and a page; any may lack."""

    heading: str = ""
    words: str = ""
    aside: str = ""
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Leaves:
    """Parts below each other."""

    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The beginning of a file that is text, as it stands in it; `is_all` where nothing is left out."""

    text: str
    is_all: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """The first rows of a table, the headings first; `is_all` where nothing is left out."""

    rows: tuple[tuple[str, ...], ...]
    is_all: bool


Preview = Leaves | Excerpt | Rows


# ruff: noqa: PLC0415 - the libraries of a form load when it is first asked for


if TYPE_CHECKING:
    from simcompare.pseudonyms.pseudonyms import Pseudonyms

ON_PAPER = frozenset({".html", ".pdf", ".docx"})
"""The forms with the same contents as the PDF, whose first page stands for them."""
_MEMORY_BYTES = 8 * 1024**3
"""A report of millions of matches takes more than reading a file may."""
_DOTS_A_POINT = 2.0
_WIDEST_PX = 1_400
_MOST_LINES = 200
_MOST_CHARACTERS_A_LINE = 400
_MOST_MARKS_TOLD = 4


@contextmanager
def making_in(language: str) -> Iterator[None]:
    """Speak a language from now on, and take within the memory that reports need."""
    set_language(language)
    with allowing_memory(_MEMORY_BYTES):
        yield


def made_report(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Return the report of a pair; `packed` is its evidence, and the pseudonyms or None."""
    with making_in(language):
        return FORMS[suffix].render(_pseudonymised(*unpacked(packed)))


def _pseudonymised(evidence: Evidence, pseudonyms: "Pseudonyms | None") -> Evidence:
    """Return evidence under pseudonyms, where there are any, in the language of the moment."""
    if pseudonyms is None:
        return evidence
    from simcompare.redaction.redacted_evidence import anonymous_evidence

    return anonymous_evidence(evidence, pseudonyms)


def preview_report(_path: Path, packed: bytes, suffix: str, language: str) -> Preview:
    """Return how the report of a pair begins; `packed` is that of `made_report`."""
    with making_in(language):
        return report_preview(_pseudonymised(*unpacked(packed)), suffix)


def report_preview(evidence: Evidence, suffix: str) -> Preview:
    """Return how the report of a pair begins, in the language of the moment."""
    if suffix in ON_PAPER:
        from simcompare.report.pdf.report import render_first_page

        return Leaves((Leaf(picture=page_picture(render_first_page(evidence))),))
    return text_preview(FORMS[suffix].render(evidence), suffix)


def text_preview(data: bytes, suffix: str) -> Excerpt | Rows:
    """Return how a file of text begins: one of comma-separated values as a table."""
    text = data.decode("utf-8-sig", "replace")
    if suffix == ".csv":
        import csv
        from itertools import islice

        reader = csv.reader(text.splitlines(keepends=True))
        rows = tuple(tuple(map(_shortened, row)) for row in islice(reader, _MOST_LINES))
        return Rows(rows, is_all=next(reader, None) is None)
    lines = text.splitlines()
    shown = "\n".join(map(_shortened, lines[:_MOST_LINES]))
    return Excerpt(escape_invisible(shown), is_all=len(lines) <= _MOST_LINES)


def _shortened(text: str) -> str:
    most = _MOST_CHARACTERS_A_LINE
    return text if len(text) <= most else text[: most - 1] + "…"


def made_copy(path: Path, packed: bytes, side: Side, password: str | None, language: str) -> AnnotatedCopy:
    """Return the annotated copy of the file at `path`; `packed` is that of `made_report`.

    Raises FileError, as `annotated_copy` and `anonymous_copy` do.
    """
    with making_in(language):
        copy, _marks = _annotated(path, side, password, *unpacked(packed))
        return copy


def _annotated(
    path: Path, side: Side, password: str | None, evidence: Evidence, pseudonyms: "Pseudonyms | None"
) -> tuple[AnnotatedCopy, Sequence[Mark]]:
    """Return the copy, and the marks that were to be put into it."""
    document = prepared_document_of(evidence.comparison, side).document
    if pseudonyms is None:
        from simcompare.report.annotated.annotate import annotated_copy

        marks: Sequence[Mark] = marks_of(evidence, side)
        return annotated_copy(path, document, marks, password), marks
    from simcompare.redaction.anonymous_copies import anonymous_copy
    from simcompare.redaction.redacted_evidence import anonymous_marks

    marks = anonymous_marks(evidence, _pseudonymised(evidence, pseudonyms), side)
    return anonymous_copy(path, document, marks, pseudonyms, password), marks


def preview_copy(
    path: Path, packed: bytes, side: Side, password: str | None, language: str, name: str
) -> tuple[Leaf, ...]:
    """Return how a copy of a name begins: for a PDF its first page with a mark, else the first marks."""
    from simcompare.report.annotated.annotate import placed_in_words, remarks_in_words

    with making_in(language):
        evidence, pseudonyms = unpacked(packed)
        copy, marks = _annotated(path, side, password, evidence, pseudonyms)
        told = "\n".join([placed_in_words(copy), *remarks_in_words(copy, path)])
        prepared_document = prepared_document_of(evidence.comparison, side)
        if prepared_document.document.receipt.format == "pdf":
            picture = page_picture(copy.data, _first_page_of(marks, prepared_document), password)
            return (Leaf(name, aside=told, picture=picture),)
        shown = [
            Leaf(words=escape_invisible(mark.text), aside=mark.lines[0]) for mark in marks[:_MOST_MARKS_TOLD]
        ]
        return (Leaf(name, aside=told), *shown)


def _first_page_of(marks: Sequence[Mark], prepared_document: PreparedDocument) -> int:
    """Return the number, from 0, of the first page with a mark."""
    boxes = prepared_document.document.character_boxes
    if boxes is None or not marks:
        return 0
    span = marks[0].span
    pages = boxes.pages[span.start : span.end]
    return max(int(pages.max(initial=1)) - 1, 0)


def page_picture(pdf: bytes, page: int = 0, password: str | None = None) -> Picture:
    """Draw a page of a PDF, with its annotations."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf, password) as document:
        sheet = document[min(page, len(document) - 1)]
        scale = min(_DOTS_A_POINT, _WIDEST_PX / max(sheet.get_width(), 1))
        drawn = sheet.render(scale=scale, rev_byteorder=True).to_numpy()
        height, width, _colours = drawn.shape
        return Picture(width, height, drawn.strides[0], drawn.tobytes())


if TYPE_CHECKING:
    from simcompare.pseudonyms.pseudonyms import Pseudonyms


def made_table(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Return the table of pairs; `packed` is the cohort, and the pseudonyms or None."""
    with making_in(language):
        return TABLES[f"pairs{suffix}"](_pseudonymised_cohort(*unpacked(packed)))


def made_anonymous(_path: Path, packed: bytes, language: str) -> bytes:
    """Return a cohort under pseudonyms, packed; `packed` is the cohort and the pseudonyms."""
    with making_in(language):
        return parcel(_pseudonymised_cohort(*unpacked(packed)))


def _pseudonymised_cohort(cohort: Cohort, pseudonyms: "Pseudonyms | None") -> Cohort:
    """Return a cohort of its pairs' documents alone, under pseudonyms where there are any."""
    if pseudonyms is not None:
        from simcompare.redaction.redacted_cohort import anonymous_cohort

        cohort = anonymous_cohort(cohort, pseudonyms)
    return restricted(cohort, cohort.pairs)


def preview_table(_path: Path, packed: bytes, is_all: bool, language: str) -> Excerpt | Rows:
    """Return the rows of the pairs of a cohort, as `made_table` has them; `is_all`: there are no others."""
    with making_in(language):
        shown = text_preview(pairs_as_csv(_pseudonymised_cohort(*unpacked(packed))), ".csv")
    return replace(shown, is_all=shown.is_all and is_all)


def made_pair_report(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Compare the one pair of a cohort in full and return its report."""
    with making_in(language):
        cohort: Cohort = unpacked(packed)
        (pair,) = cohort.pairs
        return report_of(cohort, pair, suffix)


def preview_pair_report(_path: Path, packed: bytes, suffix: str, language: str) -> Preview:
    """Compare the one pair of a cohort in full and return how its report begins."""
    with making_in(language):
        cohort: Cohort = unpacked(packed)
        (pair,) = cohort.pairs
        return report_preview(evidence_of(cohort, pair), suffix)


def made_bundle_pages(
    _path: Path, packed: bytes, outcomes: Sequence[Outcome], language: str
) -> Mapping[str, bytes]:
    """Return the page that leads to the reports of a cohort's pairs, and the tables beside it, by name."""
    with making_in(language):
        return pages_of(unpacked(packed), outcomes)


# ruff: noqa: PLC0415 - it is loaded there alone


if TYPE_CHECKING:
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.pseudonyms.students import RecognisedStudent, Student


def made_pseudonyms(_path: Path, openings: Mapping[Path, str], known: "Pseudonyms | None") -> "Pseudonyms":
    """Return pseudonyms for files with the beginnings of their texts.

    Those that are known already stay what they are.
    """
    from simcompare.pseudonyms.pseudonyms import make_pseudonyms

    return (known or make_pseudonyms(())).including_texts(openings)


def corrected_pseudonyms(
    _path: Path, known: "Pseudonyms", recognised: "Sequence[RecognisedStudent]", listed: "Sequence[Student]"
) -> "Pseudonyms":
    """Return pseudonyms after a teacher has said whose files are, and who is on a list."""
    return known.corrected(recognised, listed)


def listed_students(
    path: Path, files: Sequence[Path]
) -> "tuple[Sequence[Student], Sequence[RecognisedStudent]]":
    """Return the students of a list, and what the names of files say of their students with its help.

    Raises FileError, as `read_students` does.
    """
    from simcompare.pseudonyms.file_names import propose
    from simcompare.pseudonyms.roster import read_students

    students = read_students(path)
    return students, propose(files, students)
