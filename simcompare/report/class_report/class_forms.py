"""Forms of the report of a class: a web page, which loads no other file, and a PDF."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import quote

from simcompare.cohort.class_check import ClassCheck
from simcompare.report.class_report.class_labels import class_labels
from simcompare.report.class_report.class_pictures import WEB
from simcompare.report.class_report.class_view import class_view
from simcompare.report.cohort.report_bundle import Outcome
from simcompare.report.html_report import render_page

# ruff: noqa: PLC0415 - Typst is loaded when it is first used


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
    from simcompare.report.class_report.class_pdf import render_class_pdf

    return render_class_pdf(check, name)


CLASS_FORMS: Mapping[str, Callable[[ClassCheck, str], bytes]] = {".html": render_class, ".pdf": _pdf}
"""Renderers by file suffix; the arguments are the check, and the name of the class or ""."""
