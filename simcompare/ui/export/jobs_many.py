"""The jobs that write many pairs: their table, and bundles of their reports."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.i18n import _
from simcompare.report.cohort.bundle import NotReportedError, Outcome, narrowed, write_bundle
from simcompare.report.cohort.values import Cohort, CohortPair
from simcompare.session.review import PairReview
from simcompare.ui.export.class_snapshot import ClassSnapshot
from simcompare.ui.export.jobs import (
    BROKE_OFF,
    DIED,
    Bench,
    Written,
    WrittenToOnePlace,
    made_for,
    why_not_made,
)
from simcompare.ui.export.making_many import made_anonymous, made_bundle_pages, made_pair_report, made_table
from simcompare.ui.export.parcels import parcel, unpacked

_MOST_TROUBLES_TOLD = 3


@dataclass(frozen=True, slots=True, eq=False)
class ManyPairs:
    """Some rows of the table of pairs, as they were when the export was asked for."""

    snapshot: ClassSnapshot
    rows: NDArray[np.void]

    @property
    def files(self) -> Collection[Path]:
        """The files of the documents in these pairs."""
        subjects = self.snapshot.subjects
        keys = {int(key) for side in ("left", "right") for key in self.rows[side]}
        return {subjects[key].document.path for key in keys if key in subjects}

    @property
    def reviews(self) -> Sequence[PairReview]:
        """What was made of those of these pairs of which anything was."""
        pairs = ((int(row["left"]), int(row["right"])) for row in self.rows)
        return [review for pair in pairs if (review := self.snapshot.reviews.get(pair)) is not None]

    def cohort(self, *, with_notes: bool, most: int | None = None) -> Cohort:
        """Return the cohort of these pairs, or of the first of them, with all documents that were read.

        `restricted` takes out the others, once the groups that all of them make have their pseudonyms.
        """
        cohort = self.snapshot.cohort(self.rows[:most], with_notes=with_notes)
        return cohort if len(self.rows) == len(self.snapshot.rows) else replace(cohort, unread=())


def told_cohort(
    pairs: ManyPairs, pseudonyms: Pseudonyms | None, language: str, bench: Bench, *, with_notes: bool
) -> Cohort:
    """Return the cohort of pairs under pseudonyms, where there are any, those with most in common first."""
    cohort = pairs.cohort(with_notes=with_notes)
    if pseudonyms is not None:
        packed = parcel((cohort, pseudonyms))
        cohort = unpacked(bench.begin(made_anonymous, Path(), packed, language)())
    return narrowed(cohort, cohort.pairs)


@dataclass(frozen=True, slots=True, eq=False)
class _OfManyPairs(WrittenToOnePlace):
    """What is written of many pairs, and how."""

    pairs: ManyPairs
    pseudonyms: Pseudonyms | None
    place: Path
    suffix: str
    language: str
    with_notes: bool


@dataclass(frozen=True, slots=True, eq=False)
class TableJob(_OfManyPairs):
    """The table of pairs, in one file."""

    def run(self, bench: Bench) -> Written:
        """Write it."""
        packed = parcel((self.pairs.cohort(with_notes=self.with_notes), self.pseudonyms))
        return self.written(bench, made_table, packed, self.suffix, self.language)


@dataclass(frozen=True, slots=True, eq=False)
class BundleJob(_OfManyPairs):
    """The reports of pairs and a page that leads to them: a zip where `place` ends in .zip, else a folder."""

    def run(self, bench: Bench) -> Written:
        """Write it: whole, or not at all."""
        with made_for(self.place):
            cohort = told_cohort(
                self.pairs, self.pseudonyms, self.language, bench, with_notes=self.with_notes
            )
            bench.tick(0, len(cohort.pairs))
            begin, make_pages = partial(self._begin, bench), partial(self._pages, bench)
            outcomes = write_bundle(cohort, self.suffix, self.place, bench.tick, begin, make_pages)
        return Written((self.place,), tuple(_troubles(cohort, outcomes)))

    def _begin(self, bench: Bench, cohort: Cohort, pair: CohortPair, suffix: str) -> Callable[[], bytes]:
        packed = parcel(narrowed(cohort, [pair]))
        return partial(_awaited, bench.begin(made_pair_report, self.place, packed, suffix, self.language))

    def _pages(self, bench: Bench, cohort: Cohort, outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
        return bench.begin(made_bundle_pages, self.place, parcel(cohort), outcomes, self.language)()


def _awaited(wait: Callable[[], bytes]) -> bytes:
    """Return the report of a pair; one whose process died does not keep the others."""
    try:
        return wait()
    except DIED as error:
        raise NotReportedError(BROKE_OFF) from error


def _troubles(cohort: Cohort, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield which pairs have no report, and why."""
    failed = [
        (pair, outcome)
        for pair, outcome in zip(cohort.pairs, outcomes, strict=True)
        if isinstance(outcome, Exception)
    ]
    names = cohort.names
    for pair, error in failed[:_MOST_TROUBLES_TOLD]:
        both = " ↔ ".join(names[place] for place in (pair.left, pair.right))
        yield _("{names} have no report: {cause}.").format(names=both, cause=why_not_made(error))
    rest = len(failed) - _MOST_TROUBLES_TOLD
    if rest > 0:
        yield _("{count} more pairs have none; the page in the bundle says why.").format(count=f"{rest:,}")
