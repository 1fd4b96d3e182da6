"""What is made of many pairs in a process of its own: tables, the reports of a bundle and its first page."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from simcompare.errors import SimcompareError
from simcompare.i18n import set_language
from simcompare.report.cohort.bundle import INDEX, TABLES
from simcompare.report.cohort.csv_table import pairs_as_csv
from simcompare.report.cohort.index_page import BundledReport, render_index
from simcompare.report.cohort.rows import rows_of
from simcompare.report.cohort.values import Cohort, evidence_of
from simcompare.report.forms import FORMS
from simcompare.ui.export.making import report_preview, text_preview
from simcompare.ui.export.parcels import unpacked
from simcompare.ui.export.previews import Excerpt, Preview, Rows
from simcompare.visible import visible

Outcome = str | Exception
"""The path of a report within its bundle, or why there is none."""


class NoReportError(SimcompareError):
    """A pair has no report. Values: cause."""

    template = "{cause}"


def made_table(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Return the table of pairs; `packed` is the cohort."""
    set_language(language)
    return TABLES[f"pairs{suffix}"](unpacked(packed))


def preview_table(_path: Path, packed: bytes, is_all: bool, language: str) -> Excerpt | Rows:
    """Return the rows of the pairs of a cohort; `is_all` says whether the table has no others."""
    set_language(language)
    shown = text_preview(pairs_as_csv(unpacked(packed)), ".csv")
    return replace(shown, is_all=shown.is_all and is_all)


def made_pair_report(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Compare the one pair of a cohort in full and return its report."""
    set_language(language)
    cohort: Cohort = unpacked(packed)
    (pair,) = cohort.pairs
    return FORMS[suffix].render(evidence_of(cohort, pair))


def preview_pair_report(path: Path, packed: bytes, suffix: str, language: str) -> Preview:
    """Compare the one pair of a cohort in full and return how its report begins."""
    cohort: Cohort = unpacked(packed)
    (pair,) = cohort.pairs
    return report_preview(evidence_of(cohort, pair), suffix, language)


def made_bundle_pages(
    _path: Path, packed: bytes, outcomes: Sequence[Outcome], language: str
) -> dict[str, bytes]:
    """Return the page that leads to the reports of a cohort's pairs, and the tables beside it, by name."""
    set_language(language)
    cohort: Cohort = unpacked(packed)
    reports = [
        BundledReport(row, path=outcome)
        if isinstance(outcome, str)
        else BundledReport(row, problem=row.problem or visible(str(outcome)))
        for row, outcome in zip(rows_of(cohort), outcomes, strict=True)
    ]
    tables = {name: table(cohort) for name, table in TABLES.items()}
    return {INDEX: render_index(cohort, reports, tables), **tables}
