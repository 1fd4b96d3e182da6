"""The jobs that write many pairs: their table, and bundles of their reports."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.errors import DamagedFileError, ReadingTimeoutError, ReportNotSavedError, cause_of
from simcompare.i18n import N_, _
from simcompare.progress import Cancelled
from simcompare.report.cohort.bundle import REPORTS, narrowed
from simcompare.report.cohort.names import report_name
from simcompare.report.cohort.places import Members, write_whole
from simcompare.report.cohort.rows import document_names, why_not_compared
from simcompare.report.cohort.values import Cohort, CohortPair
from simcompare.ui.export.class_snapshot import ClassSnapshot
from simcompare.ui.export.jobs import BROKE_OFF, Bench, Written
from simcompare.ui.export.making_many import (
    NoReportError,
    Outcome,
    made_anonymous,
    made_bundle_pages,
    made_pair_report,
    made_table,
)
from simcompare.ui.export.parcels import parcel, unpacked

_MOST_AT_ONCE = 4
"""Reports under way or waiting to be put into the bundle: enough for two processes, little in memory."""
_MOST_TROUBLES_TOLD = 3
_SOMETHING_THERE = N_("something of that name is there, and nothing in it is replaced")


@dataclass(frozen=True, slots=True, eq=False)
class ManyPairs:
    """Some rows of the table of pairs, as they were when the export was asked for."""

    snapshot: ClassSnapshot
    rows: NDArray[np.void]

    def cohort(self, *, with_notes: bool, most: int | None = None) -> Cohort:
        """Return the cohort of these pairs, or of the first of them; of some it speaks of no other file."""
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
class TableJob:
    """The table of pairs, in one file."""

    pairs: ManyPairs
    pseudonyms: Pseudonyms | None
    place: Path
    suffix: str
    language: str
    with_notes: bool

    @property
    def title(self) -> str:
        """The name of the file."""
        return self.place.name

    def run(self, bench: Bench) -> Written:
        """Write it."""
        packed = parcel((self.pairs.cohort(with_notes=self.with_notes), self.pseudonyms))
        try:
            data = bench.begin(made_table, self.place, packed, self.suffix, self.language)()
        except (DamagedFileError, ReadingTimeoutError) as error:
            raise ReportNotSavedError(self.place, cause=BROKE_OFF) from error
        bench.write(self.place, data)
        return Written((self.place,))


@dataclass(frozen=True, slots=True, eq=False)
class BundleJob:
    """The reports of pairs and a page that leads to them: a zip where `place` ends in .zip, else a folder."""

    pairs: ManyPairs
    pseudonyms: Pseudonyms | None
    place: Path
    suffix: str
    language: str
    with_notes: bool

    @property
    def title(self) -> str:
        """The name of the folder or the zip."""
        return self.place.name

    def run(self, bench: Bench) -> Written:
        """Write it: whole, or not at all."""
        cohort = told_cohort(self.pairs, self.pseudonyms, self.language, bench, with_notes=self.with_notes)
        outcomes: list[Outcome] = []
        try:
            fill = partial(self._fill, cohort, outcomes, bench)
            write_whole(self.place, cohort.made_at, fill)
        except FileExistsError as error:
            raise ReportNotSavedError(self.place, cause=_SOMETHING_THERE) from error
        except OSError as error:
            raise ReportNotSavedError(self.place, cause=cause_of(error)) from error
        return Written((self.place,), tuple(_troubles(cohort, outcomes)))

    def _fill(self, cohort: Cohort, outcomes: list[Outcome], bench: Bench, members: Members) -> None:
        waiting: deque[tuple[str, Callable[[], bytes]]] = deque()
        pairs = list(enumerate(cohort.pairs, start=1))
        bench.tick(0, len(pairs))
        while pairs or waiting:
            while pairs and len(waiting) < _MOST_AT_ONCE:
                number, pair = pairs.pop(0)
                waiting.append((self._path(cohort, number, pair), self._begin(cohort, pair, bench)))
            path, result = waiting.popleft()
            outcomes.append(_put(members, path, result))
            bench.tick(len(outcomes), len(cohort.pairs))
        pages = bench.begin(made_bundle_pages, self.place, parcel(cohort), outcomes, self.language)()
        for name, data in pages.items():
            members.add(name, data)

    def _path(self, cohort: Cohort, number: int, pair: CohortPair) -> str:
        left, right = (cohort.documents[place].document.path for place in (pair.left, pair.right))
        return f"{REPORTS}/{report_name(number, len(cohort.pairs), left, right, self.suffix)}"

    def _begin(self, cohort: Cohort, pair: CohortPair, bench: Bench) -> Callable[[], bytes]:
        bench.check()
        if pair.summary is None:
            return lambda: _refuse(pair)
        packed = parcel(narrowed(cohort, [pair]))
        return bench.begin(made_pair_report, self.place, packed, self.suffix, self.language)


def _refuse(pair: CohortPair) -> bytes:
    raise NoReportError(cause=why_not_compared(pair.cause))


def _put(members: Members, path: str, result: Callable[[], bytes]) -> Outcome:
    """Put a report into the bundle; whatever one pair does, the others have theirs."""
    try:
        data = result()
    except Cancelled:
        raise
    except (DamagedFileError, ReadingTimeoutError):
        return NoReportError(cause=BROKE_OFF)
    except Exception as error:
        return error
    members.add(path, data)
    return path


def _troubles(cohort: Cohort, outcomes: list[Outcome]) -> Iterator[str]:
    """Yield which pairs have no report, and why."""
    failed = [
        (pair, outcome)
        for pair, outcome in zip(cohort.pairs, outcomes, strict=True)
        if isinstance(outcome, Exception)
    ]
    names = document_names(cohort.documents)
    for pair, error in failed[:_MOST_TROUBLES_TOLD]:
        both = " ↔ ".join(names[place] for place in (pair.left, pair.right))
        yield _("{names} have no report: {cause}.").format(names=both, cause=error)
    rest = len(failed) - _MOST_TROUBLES_TOLD
    if rest > 0:
        yield _("{count} more pairs have none; the page in the bundle says why.").format(count=f"{rest:,}")
