"""Report of a class with a report of each listed pair beside it, in a folder or zip."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_data import Cohort
from simcompare.model.progress import Tick
from simcompare.report.class_report.class_forms import render_class
from simcompare.report.class_report.class_view import MOST_ROWS, reported_pairs
from simcompare.report.class_report.grade_sheet import check_as_xlsx, grades_as_csv
from simcompare.report.class_report.student_rows import ClassLabels
from simcompare.report.cohort.report_bundle import INDEX, BeginReport, Outcome, restricted, write_bundle

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
