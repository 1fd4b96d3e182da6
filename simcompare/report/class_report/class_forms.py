"""Forms of the report of a class, by file suffix."""

from collections.abc import Callable, Mapping

from simcompare.cohort.class_check import ClassCheck
from simcompare.report.class_report.class_html import render_class

# ruff: noqa: PLC0415 - Typst is loaded when it is first used


def _pdf(check: ClassCheck, name: str) -> bytes:
    from simcompare.report.class_report.class_pdf import render_class_pdf

    return render_class_pdf(check, name)


CLASS_FORMS: Mapping[str, Callable[[ClassCheck, str], bytes]] = {".html": render_class, ".pdf": _pdf}
"""Renderers by file suffix; the arguments are the check, and the name of the class or ""."""
