"""What is to be written, as values that know how, and the bench on which that is done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Lock
from typing import Any, Protocol, TypeVar

from simcompare.cohort.cohort_data import Cohort, CohortPair
from simcompare.export.export_tasks import (
    made_anonymous,
    made_bundle_pages,
    made_copy,
    made_pair_report,
    made_report,
    made_table,
)
from simcompare.export.export_workers import Workshop, parcel, unpacked
from simcompare.loading.workers.isolation import file_error
from simcompare.model.errors import ReportNotSavedError, SimcompareError, os_errors_as
from simcompare.model.progress import Cancelled, Tick
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.report.annotated.annotate import remarks_in_words
from simcompare.report.annotated.annotation_marks import Side
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.cohort.report_bundle import NotReportedError, Outcome, narrowed, write_bundle
from simcompare.report.evidence import Evidence
from simcompare.support.atomic_file import write_atomically
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _
from simcompare.support.worker_pool import WorkerError

Result = TypeVar("Result")
BROKE_OFF = N_("making it broke off")


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a job: where it is now, and in words what could not be written or must be known."""

    paths: tuple[Path, ...]
    troubles: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Bench:
    """Where one job is done, in a thread of its own; another thread may stop it."""

    def __init__(self, workshop: Workshop, tick: Tick) -> None:
        self.tick = tick
        self._workshop = workshop
        self._stop = Event()
        self._lock = Lock()
        self._futures: list[Future[Any]] = []

    @property
    def is_stopped(self) -> bool:
        """Whether the job is to end."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Have the job end as soon as it can, with nothing half written."""
        self._stop.set()
        with self._lock:
            for future in self._futures:
                future.cancel()

    def check(self) -> None:
        """Raise Cancelled where the job is to end."""
        if self.is_stopped:
            raise Cancelled

    def begin(self, function: Callable[..., Result], path: Path, *given: object) -> Callable[[], Result]:
        """Have something made in a process of its own; the call returned waits for it.

        That raises what `function` does, and Cancelled.
        """
        self.check()
        future = self._workshop.submit(function, path, *given)
        with self._lock:
            self._futures.append(future)
            if self.is_stopped:
                future.cancel()
        return partial(self._awaited, future)

    def _awaited(self, future: "Future[Result]") -> Result:
        try:
            return future.result()
        except CancelledError as error:
            raise Cancelled from error
        finally:
            with self._lock:
                self._futures.remove(future)  # it holds what was made


def write_file(place: Path, data: bytes) -> None:
    """Write a file whole. Raises ReportNotSavedError; an earlier file is then unharmed."""
    with os_errors_as(ReportNotSavedError, place):
        write_atomically(place, lambda file: file.write(data))


def why_not_made(error: Exception) -> str:
    """Return why there is no result, in the current language."""
    return (
        _(BROKE_OFF)
        if isinstance(error, WorkerError)
        else escape_invisible(str(error)) or type(error).__name__
    )


@contextmanager
def made_for(place: Path) -> Iterator[None]:
    """Raise ReportNotSavedError instead of a WorkerError."""
    try:
        yield
    except WorkerError as error:
        raise ReportNotSavedError(place, cause=BROKE_OFF) from error


def awaited_for_file(path: Path, wait: Callable[[], Result]) -> Result:
    """Return the result of work on a file. Raises FileError instead of a WorkerError."""
    try:
        return wait()
    except WorkerError as error:
        raise file_error(path, error) from error


class Job(Protocol):
    """Something to be written. `title` names it while that is done."""

    @property
    def title(self) -> str:
        """What a person calls it: the name of a file or folder."""

    @property
    def places(self) -> tuple[Path, ...]:
        """The files or the folder that it writes."""

    def run(self, bench: Bench) -> Written:
        """Write it. Raises SimcompareError, Cancelled."""


class WrittenToOnePlace:
    """The part of a Job that is the same for all that write one file or folder."""

    __slots__ = ()
    place: Path

    @property
    def title(self) -> str:
        """The name of the file or folder."""
        return self.place.name

    @property
    def places(self) -> tuple[Path, ...]:
        """The file or folder."""
        return (self.place,)

    def written(self, bench: Bench, make: Callable[..., bytes], *given: object) -> Written:
        """Have a file made in a process of its own, and write it unless it was given up meanwhile."""
        with made_for(self.place):
            data = bench.begin(make, self.place, *given)()
        bench.check()
        write_file(self.place, data)
        return Written((self.place,))


@dataclass(frozen=True, slots=True, eq=False)
class ReportJob(WrittenToOnePlace):
    """The report of a pair, in one file."""

    evidence: Evidence
    pseudonyms: Pseudonyms | None
    place: Path
    suffix: str
    language: str

    def run(self, bench: Bench) -> Written:
        """Write it."""
        packed = parcel((self.evidence, self.pseudonyms))
        return self.written(bench, made_report, packed, self.suffix, self.language)


@dataclass(frozen=True, slots=True)
class Original:
    """A compared file that is to be annotated; trouble says why that cannot be done."""

    side: Side
    path: Path
    copy_name: str
    password: str | None = field(default=None, repr=False)
    trouble: SimcompareError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CopiesJob:
    """Copies of the compared files with their matches marked. One that fails does not keep the other.

    They are written once both are made: what is given up until then leaves nothing.
    """

    evidence: Evidence
    pseudonyms: Pseudonyms | None
    originals: tuple[Original, ...]
    folder: Path
    language: str

    @property
    def title(self) -> str:
        """The name of the folder."""
        return self.folder.name or str(self.folder)

    @property
    def places(self) -> tuple[Path, ...]:
        """The files, as far as it is known that they can be made."""
        return tuple(self.folder / one.copy_name for one in self.originals if one.trouble is None)

    def run(self, bench: Bench) -> Written:
        """Write them."""
        troubles = [str(original.trouble) for original in self.originals if original.trouble is not None]
        made = list(self._made(bench, troubles))
        bench.check()
        paths: list[Path] = []
        remarks: list[str] = []
        for original, copy in made:
            place = self.folder / original.copy_name
            try:
                write_file(place, copy.data)
            except ReportNotSavedError as error:
                troubles.append(str(error))
            else:
                paths.append(place)
                remarks += remarks_in_words(copy, original.path)
        return Written(tuple(paths), tuple(troubles), tuple(remarks))

    def _made(self, bench: Bench, troubles: list[str]) -> Iterator[tuple[Original, AnnotatedCopy]]:
        """Yield the copies that can be made; why another cannot is added to `troubles`."""
        packed = parcel((self.evidence, self.pseudonyms))
        waiting = [(one, self._begin(bench, one, packed)) for one in self.originals if one.trouble is None]
        for count, (original, wait) in enumerate(waiting):
            bench.tick(count, len(waiting))
            try:
                yield original, awaited_for_file(original.path, wait)
            except SimcompareError as error:
                troubles.append(str(error))

    def _begin(self, bench: Bench, one: Original, packed: bytes) -> Callable[[], AnnotatedCopy]:
        return bench.begin(made_copy, one.path, packed, one.side, one.password, self.language)


_MOST_TROUBLES_TOLD = 3


class CohortSource(Protocol):
    """Provides the cohort to be exported."""

    def cohort(self, *, with_notes: bool) -> Cohort:
        """Return the cohort, with or without the notes on its pairs."""


def told_cohort(
    pairs: CohortSource, pseudonyms: Pseudonyms | None, language: str, bench: Bench, *, with_notes: bool
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

    pairs: CohortSource
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
    except WorkerError as error:
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
