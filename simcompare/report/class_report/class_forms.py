"""Forms of the report of a class: a web page, which loads no other file, a PDF, a grade sheet, a workbook."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import Cohort, CohortPair, larger_share
from simcompare.model.progress import Tick
from simcompare.report.class_report.class_pictures import PRINT, WEB
from simcompare.report.class_report.class_view import MOST_ROWS, add_library_hits, class_view, reported_pairs
from simcompare.report.class_report.student_rows import ClassLabels, ReportedStudent, student_rows
from simcompare.report.cohort.cohort_rows import (
    ColumnKind,
    Field,
    figure_column,
    figure_name,
    filled,
    table_as_csv,
    table_of,
    unread_in_words,
)
from simcompare.report.cohort.report_bundle import (
    INDEX,
    BeginReport,
    Outcome,
    restricted,
    write_bundle,
)
from simcompare.report.cohort.workbook import Cells, Column, add_pair_sheet, add_table, workbook
from simcompare.report.html_report import labels, render_page
from simcompare.report.pdf_report import report_values, typeset_report
from simcompare.report.wording import detailed, enumerated, named
from simcompare.session.school_class import CommonSentence, DocumentRole
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import N_, _


def class_pairs_as_csv(check: ClassCheck, least: float = 0.0) -> bytes:
    """Return the pairs with at least the share `least` as CSV, as `pairs_as_csv` does."""
    return table_as_csv(*_pair_rows(check, least))


def add_class_pairs(book: Any, check: ClassCheck, least: float) -> None:
    """Add the sheet of the pairs with at least the share `least`. Raises WorkbookFullError."""
    add_pair_sheet(book, *_pair_rows(check, least))


def _pair_rows(check: ClassCheck, least: float) -> tuple[Sequence[Column], Sequence[Cells]]:
    cohort = check.above(least).cohort
    known, cells = table_of(cohort)
    group, limit = figure_name("group"), percent(check.limit)
    titled = [
        (
            detailed(title, _("links of {limit} or more").format(limit=limit)) if title == group else title,
            kind,
        )
        for title, kind in known
    ]
    at = [title for title, _kind in known].index(figure_name("left_in_right"))
    columns = [*titled[:at], *_added_columns(check), *titled[at:]]
    lines = [
        [*row[:at], *_added_cells(check, pair), *row[at:]]
        for row, pair in zip(cells, cohort.pairs, strict=True)
    ]
    return columns, lines


def _added_columns(check: ClassCheck) -> Sequence[Column]:
    limit = percent(check.limit)
    unusual = detailed(_("Unusual"), _("{limit} or more").format(limit=limit))
    return (unusual, ColumnKind.TEXT), (_("Times the usual share"), ColumnKind.COUNT)


def _added_cells(check: ClassCheck, pair: CohortPair) -> Cells:
    """Return whether a pair is unusual, and its share as a multiple of the usual one, to 0.1."""
    share = larger_share(pair)
    if share is None:
        return "", None
    times = check.shares.rarity(share).times_usual
    return _("yes") if check.is_unusual(pair) else _("no"), round(times or 0, 1) or None


_SHARE_COLUMN = 4
_NAMED_COLUMNS = 2
_MOST_LACKING = 0.2
"""A common sentence that is missing in more of the essays is listed with the essays that have it."""


def _table(check: ClassCheck) -> tuple[Sequence[Column], Sequence[Cells]]:
    """Return columns and rows; shares before decisions have a column if something is of no concern."""
    rows, is_decided = student_rows(check, ClassLabels(check)), _("Highest share after decisions")
    share: list[Field[ReportedStudent]] = [
        (_("Highest share"), ColumnKind.PERCENTAGE, lambda row: row.share),
    ]
    if any(row.is_decided for row in rows):
        share = [
            (is_decided, ColumnKind.PERCENTAGE, lambda row: row.share),
            (_("Highest share"), ColumnKind.PERCENTAGE, lambda row: row.share_before),
        ]
    columns: list[Field[ReportedStudent]] = [
        (_("Student number"), ColumnKind.TEXT, lambda row: row.number),
        (_("Student"), ColumnKind.TEXT, lambda row: row.name or ("" if row.number else row.label)),
        (_("File"), ColumnKind.TEXT, lambda row: row.file),
        (_("Drafts and other files"), ColumnKind.TEXT, lambda row: enumerated(row.others)),
        *share,
        (_("Most similar"), ColumnKind.TEXT, lambda row: row.nearest),
        (_("Unusual"), ColumnKind.TEXT, _unusual),
        (*figure_column("longest_passage_units"), lambda row: row.longest_passage_units),
        (_("Decisions"), ColumnKind.TEXT, lambda row: row.verdict),
        (_("Note"), ColumnKind.LONG_TEXT, lambda row: row.note),
        (_("Remark"), ColumnKind.LONG_TEXT, lambda row: row.remark),
    ]
    return filled(columns, rows)


def _unusual(row: ReportedStudent) -> str:
    return "" if row.share is None else _("yes") if row.is_unusual else _("no")


def grades_as_csv(check: ClassCheck) -> bytes:
    """Return the grade sheet as CSV, as `table_as_csv` writes it."""
    return table_as_csv(*_table(check))


def grades_as_xlsx(check: ClassCheck) -> bytes:
    """Return the grade sheet as a workbook with one sheet."""
    return workbook(check.cohort.made_at, lambda book: _add_students(book, check))


def check_as_xlsx(check: ClassCheck, least: float = 0.0) -> bytes:
    """Return a workbook: students, pairs and library hits, common text, files not checked.

    least: minimum share of the pairs and hits.

    Raises WorkbookFullError.
    """

    def fill(book: Any) -> None:
        _add_students(book, check)
        add_class_pairs(book, check, least)
        add_library_hits(book, check, least)
        common: list[Field[CommonSentence]] = [
            (_("Essays"), ColumnKind.COUNT, lambda each: len(check.essays_with(each))),
            (_("Sentence"), ColumnKind.LONG_TEXT, lambda each: escape_invisible(" ".join(each.text.split()))),
            (_("In which essays"), ColumnKind.LONG_TEXT, lambda each: _holders(check, each)),
        ]
        add_table(book, _("Common sentences"), *filled(common, check.school.common))
        _add_unread(book, check)

    return workbook(check.cohort.made_at, fill)


def _add_students(book: Any, check: ClassCheck) -> None:
    add_table(book, _("Students"), *_table(check), _NAMED_COLUMNS, [_SHARE_COLUMN])


def _holders(check: ClassCheck, sentence: CommonSentence) -> str:
    """Return the essays that have a sentence; those that lack it if they are few."""
    essays = [place for place, role in enumerate(check.roles) if role is DocumentRole.CURRENT]
    having = check.essays_with(sentence)
    lacking = [place for place in essays if place not in having]

    def named_essays(places: Sequence[int]) -> str:
        return enumerated(escape_invisible(check.cohort.names[place]) for place in places)

    if not lacking:
        return _("all essays")
    if len(lacking) <= _MOST_LACKING * len(essays):
        return _("all essays but {names}").format(names=named_essays(lacking))
    return named_essays(having)


def _add_unread(book: Any, check: ClassCheck) -> None:
    labels = ClassLabels(check).files[len(check.cohort.documents) :]
    columns = ((_("File"), ColumnKind.TEXT), (_("Reason"), ColumnKind.LONG_TEXT))
    rows = [
        (label, unread_in_words(document))
        for label, document in zip(labels, check.cohort.unread, strict=True)
    ]
    add_table(book, _("Not checked"), columns, rows)


GRADE_SHEETS: Mapping[str, Callable[[ClassCheck], bytes]] = {".csv": grades_as_csv, ".xlsx": grades_as_xlsx}
"""Renderers of the grade sheet by file suffix."""


def render_class_pdf(check: ClassCheck, name: str = "") -> bytes:
    """Return the PDF in the current language, tagged as PDF/UA-1 requires; name: of the class or ""."""
    made_at, title, view = check.cohort.made_at, _title(name), class_view(check, name, PRINT)
    return typeset_report(
        "class", report_values(view, labels("class_report"), made_at, title, title), made_at
    )


def _title(name: str) -> str:
    heading = _("Class report")
    return escape_invisible(named(heading, name)) if name else heading


WORKBOOK, GRADES = N_("class.xlsx"), N_("students.csv")
"""Names of the tables beside the page, to be translated."""


def bundle_cohort(check: ClassCheck) -> Cohort:
    """Return the cohort of the pairs of which a bundle has reports, in the order of the page."""
    labels = ClassLabels(check)
    shown = tuple(map(labels.document, range(len(check.roles))))
    return restricted(replace(check.cohort, student_labels=shown), reported_pairs(check)[:MOST_ROWS])


def class_pages(check: ClassCheck, name: str, outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
    """Return the page, the workbook and the grade sheet of a bundle, by file name."""
    tables = {_(WORKBOOK): check_as_xlsx(check), _(GRADES): grades_as_csv(check)}
    return {INDEX: render_class(check, name, outcomes, tables), **tables}


def write_class_bundle(
    check: ClassCheck, name: str, suffix: str, place: Path, tick: Tick, begin: BeginReport
) -> tuple[Outcome, ...]:
    """Write the bundle; arguments, result and errors are those of `write_bundle`."""

    def make_pages(_cohort: Cohort, outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
        return class_pages(check, name, outcomes)

    return write_bundle(bundle_cohort(check), suffix, place, tick, begin, make_pages)


def render_class(
    check: ClassCheck, name: str = "", outcomes: Sequence[Outcome] = (), tables: Iterable[str] = ()
) -> bytes:
    """Render the page in the current language.

    name: of the class, "" if it has none. outcomes: paths of the reports of the listed pairs, in a bundle;
    tables: names of the tables beside the page.
    """
    page = render_page(
        "class",
        check.cohort.made_at,
        styles=("cohort",),
        page=class_view(check, name, WEB, outcomes),
        tables=[(table, quote(table)) for table in tables],
        labels=labels("class_report"),
        title=_title(name),
    )
    return page.encode("utf-8", "backslashreplace")


CLASS_FORMS: Mapping[str, Callable[[ClassCheck, str], bytes]] = {
    ".html": render_class,
    ".pdf": render_class_pdf,
}
"""Renderers by file suffix; the arguments are the check, and the name of the class or ""."""
