"""Forms of the report of a class: a web page, which loads no other file, and a PDF."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import Cohort
from simcompare.comparison.figures import FIGURES
from simcompare.model.progress import Tick
from simcompare.report.class_report.class_pictures import PRINT, WEB
from simcompare.report.class_report.class_view import MOST_ROWS, class_view, reported_pairs
from simcompare.report.class_report.grade_sheet import check_as_xlsx, grades_as_csv
from simcompare.report.class_report.student_rows import ClassLabels
from simcompare.report.cohort.cohort_rows import figure_name
from simcompare.report.cohort.report_bundle import (
    INDEX,
    BeginReport,
    Outcome,
    pair_labels,
    restricted,
    write_bundle,
)
from simcompare.report.html_report import render_page
from simcompare.report.pdf_report import report_values, typeset_report
from simcompare.report.wording import named
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _


def class_labels(name: str) -> dict[str, str]:
    """Return the headings and captions in the current language; name: of the class, "" if it has none."""
    heading = _("Class report")
    rare, rewritten = (FIGURES[key].heading for key in ("rare_text", "rewritten_units"))
    return {
        "title": escape_invisible(named(heading, name)) if name else heading,
        "heading": heading,
        "meaning": _(
            "An unusual pair is a reason to read both texts side by side. It proves nothing by itself."
        ),
        "how_to_read": _("How to read this"),
        "histogram": _("How similar the pairs are"),
        "histogram_hint": _(
            "Number of pairs by the larger share of the two texts. The bars are drawn on a logarithmic "
            "scale, so that a single pair can be seen."
        ),
        "matrix": _("All essays"),
        "matrix_hint": _(
            "Each row and each column is an essay, in the same order. The stronger the colour of a cell, the "
            "more of the row’s essay is also in the column’s essay. Groups are framed and numbered."
        ),
        "graph": _("Linked essays"),
        "graph_hint": _(
            "A line joins the two essays of an unusual pair; its width and number show the share."
        ),
        "pairs": _("Unusual and decided pairs"),
        "pair": _("Essays"),
        "groups": _("Groups"),
        "students": _("Students compared"),
        "student": _("Student"),
        "share": _("Highest share"),
        "share_a": figure_name("after_exclusions_left_in_right"),
        "share_b": figure_name("after_exclusions_right_in_left"),
        "times": _("Times the usual share"),
        "rare": _(rare),
        "rewritten": _(rewritten),
        "nearest": _("Nearest student"),
        "longest": figure_name("longest_passage_units"),
        "files": _("Files"),
        "unusual": _("unusual"),
        "library": _("Also in the library"),
        "library_hint": _(
            "Text that is common to the class does not count, and entries that are essays of this class are "
            "left out."
        ),
        "essay": _("Essay"),
        "entry": _("Entry of the library"),
        "share_of_essay": _("Share of the essay"),
        "share_of_entry": _("Share of the entry"),
        "missing": _("Not handed in"),
        "unread": _("Not checked"),
        "common": _("Common sentences"),
        "essays": _("Essays"),
        "sentence": _("Sentence"),
        **pair_labels(),
    }


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
