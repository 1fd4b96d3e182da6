"""What is made of many pairs in a process of its own: tables, the reports of a bundle and its first page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.report.cohort.bundle import TABLES, Outcome, pages_of, report_of, restricted
from simcompare.report.cohort.csv_table import pairs_as_csv
from simcompare.report.cohort.values import Cohort, evidence_of
from simcompare.ui.export.making import making_in, report_preview, text_preview
from simcompare.ui.export.parcels import parcel, unpacked
from simcompare.ui.export.previews import Excerpt, Preview, Rows

if TYPE_CHECKING:
    from simcompare.anonymity.pseudonyms import Pseudonyms


def made_table(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Return the table of pairs; `packed` is the cohort, and the pseudonyms or None."""
    with making_in(language):
        return TABLES[f"pairs{suffix}"](_told(*unpacked(packed)))


def made_anonymous(_path: Path, packed: bytes, language: str) -> bytes:
    """Return a cohort under pseudonyms, packed; `packed` is the cohort and the pseudonyms."""
    with making_in(language):
        return parcel(_told(*unpacked(packed)))


def _told(cohort: Cohort, pseudonyms: "Pseudonyms | None") -> Cohort:
    """Return a cohort of its pairs' documents alone, under pseudonyms where there are any."""
    if pseudonyms is not None:
        from simcompare.report.anonymous.cohort import anonymous_cohort  # noqa: PLC0415

        cohort = anonymous_cohort(cohort, pseudonyms)
    return restricted(cohort, cohort.pairs)


def preview_table(_path: Path, packed: bytes, is_all: bool, language: str) -> Excerpt | Rows:
    """Return the rows of the pairs of a cohort, as `made_table` has them; `is_all`: there are no others."""
    with making_in(language):
        shown = text_preview(pairs_as_csv(_told(*unpacked(packed))), ".csv")
    return replace(shown, is_all=shown.is_all and is_all)


def made_pair_report(_path: Path, packed: bytes, suffix: str, language: str) -> bytes:
    """Compare the one pair of a cohort in full and return its report."""
    with making_in(language):
        cohort: Cohort = unpacked(packed)
        (pair,) = cohort.pairs
        return report_of(cohort, pair, suffix)


def preview_pair_report(_path: Path, packed: bytes, suffix: str, language: str) -> Preview:
    """Compare the one pair of a cohort in full and return how its report begins."""
    with making_in(language):
        cohort: Cohort = unpacked(packed)
        (pair,) = cohort.pairs
        return report_preview(evidence_of(cohort, pair), suffix)


def made_bundle_pages(
    _path: Path, packed: bytes, outcomes: Sequence[Outcome], language: str
) -> Mapping[str, bytes]:
    """Return the page that leads to the reports of a cohort's pairs, and the tables beside it, by name."""
    with making_in(language):
        return pages_of(unpacked(packed), outcomes)
