"""Tasks of worker processes: compare, replace names, render; what they are sent; previews of exports."""

# ruff: noqa: PLC0415 - a worker loads the libraries of a form, and of pseudonyms, when it first needs them

import io
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import Cohort, CohortPair
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.report.annotated.annotations import AnnotatedCopy, Mark, Side, marks_of, prepared_document_of
from simcompare.report.cohort.report_bundle import TABLES, Outcome, pages_of, restricted
from simcompare.report.evidence import Evidence, evidence_of
from simcompare.report.report_forms import CASE_SUFFIX, FORMS
from simcompare.report.student_report import EssayCheck
from simcompare.session.decisions import PairReview
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import set_language
from simcompare.support.workers.worker_process import allowing_memory

if TYPE_CHECKING:
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.pseudonyms.students import OwnFiles, RecognisedStudent, Student

_PROTOCOL = 5


def dump_chunked(value: object) -> bytes:
    """Pickle a value; other threads run between the chunks."""
    chunks = _ChunkWriter()
    pickle.Pickler(chunks, _PROTOCOL).dump(value)
    return b"".join(chunks.chunks)


def load_chunked(packed: bytes) -> Any:
    """Unpickle the result of `dump_chunked`; other threads run between the chunks."""
    return pickle.Unpickler(_ChunkReader(packed)).load()


class _ChunkWriter:
    """File in memory. Pickle writes it in frames and releases the interpreter lock at each call of `write`.

    `pickle.dumps` holds the lock to the end: 100 ms for two texts of 3,000 sentences.
    """

    def __init__(self) -> None:
        self.chunks: list[bytes] = []

    def write(self, data: Any) -> int:
        """Copy a chunk: it may be a view of memory that changes later."""
        self.chunks.append(bytes(data))
        return len(self.chunks[-1])


class _ChunkReader(io.BytesIO):
    """File in memory whose methods are Python functions, so that pickle releases the interpreter lock."""

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes."""
        return super().read(size)

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the next bytes."""
        return super().readinto(buffer)

    def readline(self, size: int | None = -1) -> bytes:
        return super().readline(size)


@dataclass(frozen=True, slots=True, eq=False)
class PairOfCohort:
    """The only pair of a cohort, which a worker compares in full."""

    cohort: Cohort

    @property
    def evidence(self) -> Evidence:
        (pair,) = self.cohort.pairs
        return evidence_of(self.cohort, pair)


Result = TypeVar("Result")
Contents = Evidence | PairOfCohort | Cohort | ClassCheck | EssayCheck
"""What is exported: one pair, some pairs, a class, or one essay of it."""
_MEMORY_BYTES = 8 * 1024**3
"""Memory limit of a task; a report of millions of matches needs more than reading a file may take."""


def with_decided_shares(cohort: Cohort) -> Cohort:
    """Return a cohort whose pairs have what follows from decisions, which needs the comparison in full."""
    pairs = []
    for pair in cohort.pairs:
        if pair.summary and pair.review.has_decided_parts and pair.parts is None:
            evidence = evidence_of(cohort, pair)
            parts = replace(evidence.passage_decisions, notes={})
            pair = replace(pair, decided=evidence.decided, parts=parts)  # noqa: PLW2901
        pairs.append(pair)
    return replace(cohort, pairs=tuple(pairs))


def report_of(cohort: Cohort, pair: CohortPair, suffix: str) -> bytes:
    """Compare a pair in full and render its report; `suffix` is a key of FORMS."""
    return FORMS[suffix].render(evidence_of(cohort, pair))


def begin_report(cohort: Cohort, pair: CohortPair, suffix: str) -> Callable[[], bytes]:
    """Return a function that runs `report_of` in this process; a `BeginReport` for `write_bundle`."""
    return partial(report_of, cohort, pair, suffix)


def sendable_review(review: PairReview, *, with_notes: bool) -> PairReview:
    """Return a review that can be pickled, with or without the teacher's notes."""
    if with_notes:
        return replace(review, matches=dict(review.matches), passages=dict(review.passages))
    return review.without_notes


@contextmanager
def rendering_in(language: str) -> Iterator[None]:
    """Set the language of this worker, and the memory limit of reports for the duration of a task."""
    set_language(language)
    with allowing_memory(_MEMORY_BYTES):
        yield


def redacted(contents: Contents, pseudonyms: "Pseudonyms | None") -> Any:
    """Return what is exported, with shares after decisions, and with names replaced if there are pseudonyms.

    Names are replaced in the current language. A pair is compared in full; a cohort has only the documents of
    its pairs.
    """
    if isinstance(contents, PairOfCohort):
        contents = contents.evidence
    if isinstance(contents, Evidence):
        if pseudonyms is None:
            return contents
        from simcompare.redaction.redacted_class import anonymous_evidence

        return anonymous_evidence(contents, pseudonyms)
    if isinstance(contents, ClassCheck):
        check = replace(contents, cohort=with_decided_shares(contents.cohort))
        if pseudonyms is None:
            return check
        from simcompare.redaction.redacted_class import anonymous_check

        return anonymous_check(check, pseudonyms)
    if isinstance(contents, EssayCheck):
        if pseudonyms is None:
            return contents
        from simcompare.redaction.redacted_class import anonymous_check

        check = anonymous_check(contents.check, pseudonyms)
        return EssayCheck(check, check.order.index(contents.place))
    cohort = with_decided_shares(contents)
    if pseudonyms is not None:
        from simcompare.redaction.redacted_class import anonymous_cohort

        cohort = anonymous_cohort(cohort, pseudonyms)
    return restricted(cohort, cohort.pairs)


# tasks


def run_on(packed: bytes, language: str, work: Callable[..., Result], *args: object) -> Result:
    """Return `work(contents, *args)`, a function of a module; packed: the contents, and pseudonyms or None.

    The contents are redacted. With `dump_chunked` as the work, they are returned.
    """
    with rendering_in(language):
        return work(redacted(*load_chunked(packed)), *args)


def render_report(evidence: Evidence, suffix: str, _class_name: str = "") -> bytes:
    return FORMS[suffix].render(evidence)


def render_table(cohort: Cohort, suffix: str, _class_name: str = "") -> bytes:
    return TABLES[f"pairs{suffix}"](cohort)


def render_class_report(check: ClassCheck, suffix: str, class_name: str) -> bytes:
    from simcompare.report.class_report.class_forms import CLASS_FORMS

    return CLASS_FORMS[suffix](check, class_name)


def render_grade_sheet(check: ClassCheck, suffix: str, _class_name: str = "") -> bytes:
    from simcompare.report.class_report.class_forms import GRADE_SHEETS

    return GRADE_SHEETS[suffix](check)


def render_student_report(essay: EssayCheck, suffix: str, class_name: str) -> bytes:
    from simcompare.report.student_report import STUDENT_FORMS

    return STUDENT_FORMS[suffix](essay, class_name)


def render_pages(
    contents: Cohort | ClassCheck, outcomes: Sequence[Outcome], class_name: str
) -> Mapping[str, bytes]:
    """Render the page of a bundle and the tables beside it; keys: file names."""
    if isinstance(contents, Cohort):
        return pages_of(contents, outcomes)
    from simcompare.report.class_report.class_forms import class_pages

    return class_pages(contents, class_name, outcomes)


def render_copy(path: Path, packed: bytes, side: Side, language: str, password: str | None) -> AnnotatedCopy:
    """Render the annotated copy of the file at `path`; `packed`: its evidence, and the pseudonyms or None.

    Raises FileError, as `annotated_copy` and `anonymous_copy` do.
    """
    with rendering_in(language):
        copy, _marks = copy_and_marks(path, side, password, *load_chunked(packed))
        return copy


def copy_and_marks(
    path: Path,
    side: Side,
    password: str | None,
    pair: Evidence | PairOfCohort,
    pseudonyms: "Pseudonyms | None",
) -> tuple[AnnotatedCopy, Sequence[Mark]]:
    """Return the annotated copy of a file, and its marks, some of which may not be placed in the copy."""
    evidence = pair.evidence if isinstance(pair, PairOfCohort) else pair
    document = prepared_document_of(evidence.comparison, side).document
    if pseudonyms is None:
        from simcompare.report.annotated.annotate import annotated_copy

        marks: Sequence[Mark] = marks_of(evidence, side)
        return annotated_copy(path, document, marks, password), marks
    from simcompare.redaction.anonymous_copies import anonymous_copy
    from simcompare.redaction.redacted_class import anonymous_marks

    marks = anonymous_marks(evidence, redacted(evidence, pseudonyms), side)
    return anonymous_copy(path, document, marks, pseudonyms, password), marks


# pseudonyms


def extend_pseudonyms(
    openings: Mapping[Path, str],
    listed: "Sequence[Student]",
    known: "Pseudonyms | None",
    students: "OwnFiles" = (),
) -> "Pseudonyms":
    """Return pseudonyms that include all files and students of class lists.

    openings: the beginnings of the texts of the files. students: of the class, with their files. Known
    pseudonyms do not change.
    """
    from simcompare.pseudonyms.pseudonyms import make_pseudonyms

    return (known or make_pseudonyms(())).including_texts(openings, students, listed)


def read_student_list(
    path: Path, files: Sequence[Path]
) -> "tuple[Sequence[Student], Sequence[RecognisedStudent]]":
    """Return the students of a list, and those recognised in the names of files with its help.

    Raises FileError, as `read_students` does.
    """
    from simcompare.pseudonyms.file_names import propose
    from simcompare.pseudonyms.roster import read_students

    students = read_students(path)
    return students, propose(files, students)


PAGED_FORMS = frozenset({".html", ".pdf", ".docx"})
"""Forms with the same contents as the PDF; the first page of the PDF is their preview."""
_PIXELS_PER_POINT = 2.0
_MOST_WIDTH_PX = 1_400
_MOST_LINES = 200
_MOST_CHARACTERS_PER_LINE = 400
_MOST_MARKS = 4


@dataclass(frozen=True, slots=True)
class PageImage:
    """Image of a page: three bytes per pixel (red, green, blue), rows `stride` bytes apart."""

    width_px: int
    height_px: int
    stride: int
    pixels: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PreviewPart:
    """Part of a preview: a heading, text, a remark and an image; each may be missing."""

    heading: str = ""
    text: str = ""
    remark: str = ""
    image: PageImage | None = None


@dataclass(frozen=True, slots=True)
class PartsPreview:
    """Parts, shown one below the other."""

    parts: tuple[PreviewPart, ...]


@dataclass(frozen=True, slots=True)
class TextPreview:
    """Beginning of a text file; `is_all` if nothing is omitted."""

    text: str
    is_all: bool


@dataclass(frozen=True, slots=True)
class RowsPreview:
    """First rows of a table, column headings first; `is_all` if nothing is omitted."""

    rows: tuple[tuple[str, ...], ...]
    is_all: bool


Preview = PartsPreview | TextPreview | RowsPreview


def previewed_form(form: str) -> str:
    return ".pdf" if form in PAGED_FORMS else ".csv" if form == ".xlsx" else form


def preview(
    contents: Contents, render: Callable[[Any, str, str], bytes], suffix: str, class_name: str
) -> Preview:
    """Preview what `render` makes of the contents: the first page of a PDF, or the beginning of a text."""
    if suffix not in {".pdf", CASE_SUFFIX}:
        return text_preview(render(contents, suffix, class_name), suffix)
    if isinstance(contents, Evidence):
        from simcompare.report.pdf_report import render_first_page

        pdf = render_first_page(contents, is_case=suffix == CASE_SUFFIX)
    else:
        pdf = render(contents, suffix, class_name)
    return PartsPreview((PreviewPart(image=page_image(pdf)),))


def preview_copy(
    path: Path, packed: bytes, side: Side, language: str, password: str | None
) -> tuple[PreviewPart, ...]:
    """Preview the annotated copy of a file: the first page with a mark of a PDF, else the first marks."""
    from simcompare.report.annotated.annotate import placed_in_words, remarks_in_words

    with rendering_in(language):
        evidence, pseudonyms = load_chunked(packed)
        copy, marks = copy_and_marks(path, side, password, evidence, pseudonyms)
        remark = "\n".join([placed_in_words(copy), *remarks_in_words(copy, path)])
        prepared_document = prepared_document_of(evidence.comparison, side)
        if prepared_document.document.receipt.format == "pdf":
            image = page_image(copy.data, _first_marked_page(marks, prepared_document), password)
            return (PreviewPart(remark=remark, image=image),)
        marked_parts = [
            PreviewPart(text=escape_invisible(mark.text), remark="\n".join(mark.lines[:2]))
            for mark in marks[:_MOST_MARKS]
        ]
        return (PreviewPart(remark=remark), *marked_parts)


def text_preview(data: bytes, suffix: str) -> TextPreview | RowsPreview:
    """Preview a text file; comma-separated values as rows."""
    text = data.decode("utf-8-sig", "replace")
    if suffix == ".csv":
        import csv
        from itertools import islice

        reader = csv.reader(text.splitlines(keepends=True))
        rows = tuple(tuple(map(_shortened, row)) for row in islice(reader, _MOST_LINES))
        return RowsPreview(rows, is_all=next(reader, None) is None)
    lines = text.splitlines()
    excerpt = "\n".join(map(_shortened, lines[:_MOST_LINES]))
    return TextPreview(escape_invisible(excerpt), is_all=len(lines) <= _MOST_LINES)


def _shortened(text: str) -> str:
    most = _MOST_CHARACTERS_PER_LINE
    return text if len(text) <= most else text[: most - 1] + "…"


def _first_marked_page(marks: Sequence[Mark], prepared_document: PreparedDocument) -> int:
    boxes = prepared_document.document.character_boxes
    if boxes is None or not marks:
        return 0
    span = marks[0].span
    pages = boxes.pages[span.start : span.end]
    return max(int(pages.max(initial=1)) - 1, 0)


def page_image(pdf: bytes, page: int = 0, password: str | None = None) -> PageImage:
    """Render a page of a PDF with its annotations."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf, password) as document:
        pdf_page = document[min(page, len(document) - 1)]
        scale = min(_PIXELS_PER_POINT, _MOST_WIDTH_PX / max(pdf_page.get_width(), 1))
        pixels = pdf_page.render(scale=scale, rev_byteorder=True).to_numpy()
        height, width, _channels = pixels.shape
        return PageImage(width, height, pixels.strides[0], pixels.tobytes())
