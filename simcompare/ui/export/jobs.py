"""What is to be written, as values that know how, and the bench on which that is done."""

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Lock
from typing import Any, Protocol, TypeVar

from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.atomic_file import write_atomically
from simcompare.errors import (
    DamagedFileError,
    ReadingTimeoutError,
    ReportNotSavedError,
    SimcompareError,
    cause_of,
)
from simcompare.i18n import N_
from simcompare.progress import Cancelled, Tick
from simcompare.report.annotated.marks import Side
from simcompare.report.evidence import Evidence
from simcompare.ui.export.making import MadeCopy, made_copy, made_report
from simcompare.ui.export.parcels import parcel
from simcompare.ui.export.workshop import Workshop

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

    def write(self, place: Path, data: bytes) -> None:
        """Write a file whole. Raises ReportNotSavedError, Cancelled; an earlier file is then unharmed."""
        self.check()
        try:
            write_atomically(place, lambda file: file.write(data))
        except OSError as error:
            raise ReportNotSavedError(place, cause=cause_of(error)) from error


class Job(Protocol):
    """Something to be written. `title` names it while that is done."""

    @property
    def title(self) -> str:
        """What a person calls it: the name of a file or folder."""

    def run(self, bench: Bench) -> Written:
        """Write it. Raises SimcompareError, Cancelled."""


@dataclass(frozen=True, slots=True, eq=False)
class ReportJob:
    """The report of a pair, in one file."""

    evidence: Evidence
    pseudonyms: Pseudonyms | None
    place: Path
    suffix: str
    language: str

    @property
    def title(self) -> str:
        """The name of the file."""
        return self.place.name

    def run(self, bench: Bench) -> Written:
        """Write it."""
        packed = parcel((self.evidence, self.pseudonyms))
        try:
            data = bench.begin(made_report, self.place, packed, self.suffix, self.language)()
        except (DamagedFileError, ReadingTimeoutError) as error:
            # so the pool says that a process died
            raise ReportNotSavedError(self.place, cause=BROKE_OFF) from error
        bench.write(self.place, data)
        return Written((self.place,))


@dataclass(frozen=True, slots=True)
class Original:
    """A compared file that is to be annotated; troubles say why that cannot be done, or not anonymously."""

    side: Side
    path: Path
    copy_name: str
    password: str | None = field(default=None, repr=False)
    trouble: SimcompareError | None = None
    anonymous_trouble: SimcompareError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CopiesJob:
    """Copies of the compared files with their matches marked. One that fails does not keep the other."""

    evidence: Evidence
    pseudonyms: Pseudonyms | None
    originals: tuple[Original, ...]
    folder: Path
    language: str

    @property
    def title(self) -> str:
        """The name of the folder."""
        return self.folder.name or str(self.folder)

    def run(self, bench: Bench) -> Written:
        """Write them."""
        packed = parcel((self.evidence, self.pseudonyms))
        waiting = [(one, self._begin(bench, one, packed)) for one in self.originals if one.trouble is None]
        paths: list[Path] = []
        remarks: list[str] = []
        troubles = [str(original.trouble) for original in self.originals if original.trouble is not None]
        for count, (original, result) in enumerate(waiting):
            bench.tick(count, len(waiting))
            place = self.folder / original.copy_name
            try:
                copy, told = result()
                bench.write(place, copy.data)
            except SimcompareError as error:
                troubles.append(str(error))
            else:
                paths.append(place)
                remarks += told
        return Written(tuple(paths), tuple(troubles), tuple(remarks))

    def _begin(self, bench: Bench, one: Original, packed: bytes) -> Callable[[], MadeCopy]:
        return bench.begin(made_copy, one.path, packed, one.side, one.password, self.language)
