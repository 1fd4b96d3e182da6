"""Forms of the report of one essay: a web page, which loads no other file, and a PDF."""

from collections.abc import Callable, Mapping

from simcompare.report.html_report import render_page
from simcompare.report.pdf.report import report_values, typeset_report
from simcompare.report.student_report.essay_sources import EssayCheck, essay_sources
from simcompare.report.student_report.student_view import (
    SOURCE_LOOKS,
    source_rules,
    student_labels,
    student_view,
)

_DARK_SCREEN = "@media screen and (prefers-color-scheme: dark)"


def render_student_html(essay: EssayCheck, name: str = "") -> bytes:
    """Render the page in the current language; name: of the class, not shown."""
    view = student_view(essay, essay_sources(essay))
    light, dark = map(source_rules, SOURCE_LOOKS.values())
    page = render_page(
        "student",
        essay.check.cohort.made_at,
        styles=("cohort", "text"),
        rules=f"{light}\n{_DARK_SCREEN} {{\n{dark}\n}}\n",
        page=view,
        labels=student_labels(view.name),
    )
    return page.encode("utf-8", "backslashreplace")


def render_student_pdf(essay: EssayCheck, name: str = "") -> bytes:
    """Return the PDF in the current language, tagged as PDF/UA-1 requires; name: of the class, not shown."""
    view, made_at = student_view(essay, essay_sources(essay)), essay.check.cohort.made_at
    labels = student_labels(view.name)
    values = report_values(view, labels, made_at, labels["title"], view.name, looks=SOURCE_LOOKS["light"])
    return typeset_report("student", values, made_at)


STUDENT_FORMS: Mapping[str, Callable[[EssayCheck, str], bytes]] = {
    ".html": render_student_html,
    ".pdf": render_student_pdf,
}
"""Renderers by file suffix."""
