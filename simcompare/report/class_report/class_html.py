"""Web page of the report of a class: one file that loads nothing else."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from simcompare.cohort.class_check import ClassCheck
from simcompare.report.class_report.class_labels import class_labels
from simcompare.report.class_report.class_pictures import WEB
from simcompare.report.class_report.class_view import class_view
from simcompare.report.cohort.report_bundle import Outcome
from simcompare.report.html_report import render_page


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
