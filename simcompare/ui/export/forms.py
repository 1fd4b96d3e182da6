"""The forms in which a report can be saved, by the ending of the file."""
# ruff: noqa: PLC0415 - the libraries of a form load when it is first asked for

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from simcompare.i18n import N_, _
from simcompare.report.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Form:
    """What a person calls a form (marked with N_), and what makes it."""

    text: str
    render: Callable[[Evidence], bytes]


def _page(evidence: Evidence) -> bytes:
    from simcompare.report.html import render_html

    return render_html(evidence).encode("utf-8", "backslashreplace")


def _pdf(evidence: Evidence) -> bytes:
    from simcompare.report.pdf.report import render_pdf

    return render_pdf(evidence)


def _word(evidence: Evidence) -> bytes:
    from simcompare.report.word.report import render_docx

    return render_docx(evidence)


FORMS: Mapping[str, Form] = {
    ".html": Form(N_("Web page, one file"), _page),
    ".pdf": Form(N_("PDF"), _pdf),
    ".docx": Form(N_("Word document"), _word),
}


def filters() -> dict[str, str]:
    """Return the ending of each form by its line in a file dialog."""
    return {f"{_(form.text)} (*{suffix})": suffix for suffix, form in FORMS.items()}
