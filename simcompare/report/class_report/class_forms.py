"""Forms of the report of a class: a web page, which loads no other file, and a PDF."""

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from simcompare import __version__
from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import Cohort
from simcompare.model.progress import Tick
from simcompare.report.class_report.class_labels import class_labels
from simcompare.report.class_report.class_pictures import PRINT, WEB, Drawing
from simcompare.report.class_report.class_view import (
    MOST_ROWS,
    ClassView,
    GroupView,
    StudentView,
    class_view,
    reported_pairs,
)
from simcompare.report.class_report.grade_sheet import check_as_xlsx, grades_as_csv
from simcompare.report.class_report.library_table import LibraryView
from simcompare.report.class_report.student_rows import ClassLabels
from simcompare.report.cohort.index_page import PairView
from simcompare.report.cohort.report_bundle import INDEX, BeginReport, Outcome, restricted, write_bundle
from simcompare.report.html_report import render_page
from simcompare.report.pdf.report import Values, paper_looks, typeset_report, visible
from simcompare.report.text_pieces import DOUBT
from simcompare.report.wording import enumerated
from simcompare.support.i18n import _, current_language

_DRAWING_LOOKS = {
    "grid": "#c4c9d2",
    "usual": "#8cafd2",
    "unusual": DOUBT,
    "limit": DOUBT,
    "link": "#8ea9c8",
    "node": "#2d5b8f",
    "frame": DOUBT,
    "ink": "#1d2129",
    "muted": "#5d6678",
    "strong": DOUBT,
    "halo": "#5d6678",
    "page": "#ffffff",
}
"""Colours of the roles of a drawing."""
_MOST_BESIDE = 800
"""Characters of the groups that are listed beside the matrix."""


def render_class_pdf(check: ClassCheck, name: str = "") -> bytes:
    """Return the PDF in the current language, tagged as PDF/UA-1 requires; name: of the class or ""."""
    return typeset_report("class", _values(check, name), check.cohort.made_at)


def _values(check: ClassCheck, name: str) -> Values:
    view = class_view(check, name, PRINT)
    labels = class_labels(name)
    made = _("Made by simcompare {version} on {date}.").format(
        version=__version__, date=check.cohort.made_at.strftime("%Y-%m-%d %H:%M")
    )
    boxes = _("Boxes stand for characters that no font of this computer has. They can be copied as text.")
    values: Values = visible(
        {
            "language": current_language(),
            "title": labels["title"],
            "names": labels["title"],
            "name": view.name,
            "paper": paper_looks() | {"drawing": _DRAWING_LOOKS},
            "says": labels | {"made": made, "boxes": boxes},
            "has_boxes": False,
            "result": view.result,
            "decisions": view.decisions,
            "counts": view.counts,
            "histogram": _drawing(view.histogram),
            "matrix": _drawing(view.matrix),
            "graph": None if view.graph is None else _drawing(view.graph),
            "groups": [[f"{group.number}", enumerated(group.members), group.detail] for group in view.groups],
            "are_groups_beside": 0 < _length(view.groups) < _MOST_BESIDE,
            "pairs": [_pair(pair) for pair in view.pairs],
            "library": None if view.library is None else _library(view.library),
            "students": [_student(student) for student in view.students],
            "has_verdicts": view.has_verdicts,
            "missing": view.missing,
            "unread": view.unread,
            "common_title": view.common_title,
            "common": [[each.count, each.text] for each in view.common],
            "left_out": _left_out(view),
            "help": view.help,
            "facts": view.facts,
        }
    )
    return values


def _length(groups: Sequence[GroupView]) -> int:
    return sum(len(member) for group in groups for member in group.members)


def _left_out(view: ClassView) -> dict[str, str]:
    return {
        "pairs": view.pairs_left_out,
        "students": view.students_left_out,
        "common": view.common_left_out,
    }


def _drawing(drawing: Drawing) -> dict[str, Any]:
    shapes = [
        shape | {"png": _bytes_of(shape["light"])} if shape["kind"] == "picture" else shape
        for shape in drawing.values
    ]
    return {
        "width": drawing.width,
        "height": drawing.height,
        "shapes": shapes,
        "in_words": drawing.in_words,
    }


def _bytes_of(uri: str) -> list[int]:
    return list(base64.b64decode(uri.partition(",")[2]))


def _pair(pair: PairView) -> dict[str, Any]:
    return {
        "number": f"{pair.number}",
        "names": pair.names,
        "shares": [[share.share, share.remark] for share in pair.shares],
        "figures": [figure for _name, figure in pair.figures],
        "noted": {"decision": pair.decision, "name": pair.decision_name, "note": pair.note},
    }


def _library(library: LibraryView) -> dict[str, Any]:
    hits = [[hit.essay, hit.entry, hit.share, hit.entry_share, hit.longest] for hit in library.hits]
    return {"result": library.result, "hits": hits, "left_out": library.left_out, "failed": library.failed}


def _student(student: StudentView) -> dict[str, Any]:
    row = student.row
    return {
        "label": row.label,
        "share": student.share,
        "beside": student.remark,
        "is_unusual": row.is_unusual,
        "nearest": row.nearest,
        "rare": student.rare,
        "rarest": student.rarest,
        "longest": student.longest,
        "files": [row.file, *row.others],
        "remark": row.remark,
        "verdict": row.verdict,
        "note": row.note,
    }


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


def _pdf(check: ClassCheck, name: str) -> bytes:

    return render_class_pdf(check, name)


CLASS_FORMS: Mapping[str, Callable[[ClassCheck, str], bytes]] = {".html": render_class, ".pdf": _pdf}
"""Renderers by file suffix; the arguments are the check, and the name of the class or ""."""
