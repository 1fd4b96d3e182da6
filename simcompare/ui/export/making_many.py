"""What is made of many pairs in a process of its own: tables, the reports of a bundle and its first page."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.errors import SimcompareError
from simcompare.i18n import set_language
from simcompare.loading.isolation import allowing_memory
from simcompare.report.cohort.bundle import INDEX, TABLES
from simcompare.report.cohort.csv_table import pairs_as_csv
from simcompare.report.cohort.index_page import BundledReport, render_index
from simcompare.report.cohort.rows import rows_of
from simcompare.report.cohort.values import Cohort, evidence_of
from simcompare.report.forms import FORMS
from simcompare.ui.export.making import MEMORY_BYTES, report_preview, text_preview
from simcompare.ui.export.parcels import parcel, unpacked
from simcompare.ui.export.previews import Excerpt, Preview, Rows
from simcompare.visible import visible

if TYPE_CHECKING:
    from simcompare.anonymity.pseudonyms import Pseudonyms

Outcome = str | Exception
"""The path of a report within its bundle, or why there is none."""


class NoReportError(SimcompareError):
    """A pair has no report. Values: cause."""

    template = "{cause}"


def made_table(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Return the table of pairs; `packed` is the cohort, and the pseudonyms or None."""
    set_language(language)
    with allowing_memory(MEMORY_BYTES):
        return TABLES[f"pairs{suffix}"](_told(*unpacked(packed)))


def made_anonymous(_path: Path, packed: bytes, language: str) -> bytes:
    """Return a cohort under pseudonyms, packed; `packed` is the cohort and the pseudonyms."""
    set_language(language)
    with allowing_memory(MEMORY_BYTES):
        return parcel(_told(*unpacked(packed)))


def _told(cohort: Cohort, pseudonyms: "Pseudonyms | None") -> Cohort:
    if pseudonyms is None:
        return cohort
    from simcompare.report.anonymous.cohort import anonymous_cohort  # noqa: PLC0415

    return anonymous_cohort(cohort, pseudonyms)


def preview_table(_path: Path, packed: bytes, is_all: bool, language: str) -> Excerpt | Rows:
    """Return the rows of the pairs of a cohort, as `made_table` has them; `is_all`: there are no others."""
    set_language(language)
    shown = text_preview(pairs_as_csv(_told(*unpacked(packed))), ".csv")
    return replace(shown, is_all=shown.is_all and is_all)


def made_pair_report(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Compare the one pair of a cohort in full and return its report."""
    set_language(language)
    cohort: Cohort = unpacked(packed)
    (pair,) = cohort.pairs
    with allowing_memory(MEMORY_BYTES):
        return FORMS[suffix].render(evidence_of(cohort, pair))


def preview_pair_report(_path: Path, packed: bytes, suffix: str, language: str) -> Preview:
    """Compare the one pair of a cohort in full and return how its report begins."""
    set_language(language)
    cohort: Cohort = unpacked(packed)
    (pair,) = cohort.pairs
    return report_preview(evidence_of(cohort, pair), suffix)


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
