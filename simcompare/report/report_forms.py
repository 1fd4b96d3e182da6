"""Formats of the report of a pair: one list for the window and the command line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import N_
from simcompare.support.plugins import REPORTS, Plugin, cause_of, plugins

# ruff: noqa: PLC0415 - the libraries of a format are loaded when it is first used

if TYPE_CHECKING:
    from simcompare.report.evidence import Evidence


@dataclass(frozen=True, slots=True)
class ReportForm:
    """Format of a report: its names on the command line and for users (marked with N_), and its renderer."""

    name: str
    text: str
    render: "Callable[[Evidence], bytes]"
    is_text: bool = True


def _encoded(text: str) -> bytes:
    # file names may contain surrogates
    return text.encode("utf-8", "backslashreplace")


def _page(evidence: "Evidence") -> bytes:
    from simcompare.report.html_report import render_html

    return _encoded(render_html(evidence))


def _pdf(evidence: "Evidence") -> bytes:
    from simcompare.report.pdf_report import render_pdf

    return render_pdf(evidence)


def _word(evidence: "Evidence") -> bytes:
    from simcompare.report.word_report import render_docx

    return render_docx(evidence)


def _case(evidence: "Evidence") -> bytes:
    from simcompare.report.case_zip import render_case_file

    return render_case_file(evidence)


def _json(evidence: "Evidence") -> bytes:
    from simcompare.report.comparison_json import as_json, evidence_as_dict

    return _encoded(as_json(evidence_as_dict(evidence)))


def _matches(evidence: "Evidence") -> bytes:
    from simcompare.report.pair_tables import matches_as_csv

    return matches_as_csv(evidence)


def _matrix(evidence: "Evidence") -> bytes:
    from simcompare.report.pair_tables import matrix_as_csv

    return matrix_as_csv(evidence)


def _plain(evidence: "Evidence") -> bytes:
    from simcompare.report.plain_text import comparison_as_text

    values = evidence.comparison, evidence.thesaurus, evidence.decided, evidence.facts
    return _encoded(comparison_as_text(*values, evidence.passage_decisions.closed) + "\n")


CASE_SUFFIX = ".case.zip"
FORMS: Mapping[str, ReportForm] = {
    ".html": ReportForm("html", N_("Web page, one file"), _page),
    ".pdf": ReportForm("pdf", N_("PDF"), _pdf, is_text=False),
    ".docx": ReportForm("docx", N_("Word document"), _word, is_text=False),
    ".csv": ReportForm("matches-csv", N_("Table of the matches, for spreadsheets"), _matches),
    ".json": ReportForm("json", N_("JSON, for programs"), _json),
    CASE_SUFFIX: ReportForm("case", N_("Case file"), _case, is_text=False),
}
"""Formats by file suffix. The first is the default."""
_PLAIN = ReportForm("text", N_("Plain text"), _plain)
_MATRIX = ReportForm("matrix-csv", N_("Table of the matrix, for spreadsheets"), _matrix)
NAMED_FORMS = {form.name: form for form in (_PLAIN, *FORMS.values(), _MATRIX)}
"""Formats by their names on the command line."""


class PluginReportError(SimcompareError):
    template = N_("The plug-in {plugin} cannot write {form}: {cause}. Tell its authors.")


def all_forms() -> Mapping[str, ReportForm]:
    """Return the formats by their names on the command line, with those of plug-ins."""
    own = plugins(REPORTS).values()
    return {
        each.name: ReportForm(each.name, each.package, partial(_by_plugin, each)) for each in own
    } | NAMED_FORMS


def _by_plugin(plugin: Plugin, evidence: "Evidence") -> bytes:
    try:
        written: str | bytes = plugin.function(evidence)
        return written if isinstance(written, bytes) else _encoded(written)
    except Exception as error:
        raise PluginReportError(plugin=plugin.package, form=plugin.name, cause=cause_of(error)) from error
