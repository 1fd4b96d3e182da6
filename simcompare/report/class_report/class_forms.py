"""Forms of the report of a class: a web page, which loads no other file, and a PDF."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import Cohort
from simcompare.model.progress import Tick
from simcompare.report.class_report.class_labels import class_labels
from simcompare.report.class_report.class_pictures import PRINT, WEB
from simcompare.report.class_report.class_view import MOST_ROWS, class_view, reported_pairs
from simcompare.report.class_report.grade_sheet import check_as_xlsx, grades_as_csv
from simcompare.report.class_report.student_rows import ClassLabels
from simcompare.report.cohort.index_page import Outcome
from simcompare.report.cohort.report_bundle import INDEX, BeginReport, restricted, write_bundle
from simcompare.report.html_report import render_page
from simcompare.report.pdf.report import report_values, typeset_report


def render_class_pdf(check: ClassCheck, name: str = "") -> bytes:
    """Return the PDF in the current language, tagged as PDF/UA-1 requires; name: of the class or ""."""
    labels, made_at = class_labels(name), check.cohort.made_at
    title, view = labels["title"], class_view(check, name, PRINT)
    return typeset_report("class", report_values(view, labels, made_at, title, title), made_at)


WORKBOOK, GRADES = "class.xlsx", "students.csv"
"""Names of the tables beside the page."""


def bundle_cohort(check: ClassCheck) -> Cohort:
    """Return the cohort of the pairs of which a bundle has reports, in the order of the page."""
    labels = ClassLabels(check)
    shown = tuple(map(labels.document, range(len(check.roles))))
    return restricted(replace(check.cohort, student_labels=shown), reported_pairs(check)[:MOST_ROWS])


def class_pages(check: ClassCheck, name: str, outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
    """Return the page, the workbook and the grade sheet of a bundle, by file name."""
    return {
        INDEX: render_class(check, name, outcomes, (WORKBOOK, GRADES)),
        WORKBOOK: check_as_xlsx(check),
        GRADES: grades_as_csv(check),
    }


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
        labels=class_labels(name),
    )
    return page.encode("utf-8", "backslashreplace")


CLASS_FORMS: Mapping[str, Callable[[ClassCheck, str], bytes]] = {
    ".html": render_class,
    ".pdf": render_class_pdf,
}
"""Renderers by file suffix; the arguments are the check, and the name of the class or ""."""
