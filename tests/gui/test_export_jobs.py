"""Files left by export jobs that end early."""

import errno
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest

from simcompare.export.export_context import ExportContext
from simcompare.export.exports import (
    ANNOTATED,
    FOLDER,
    PAIR,
    PAIRS,
    REPORTS,
    ZIP,
    BundleSource,
    ExportJob,
    ExportPlan,
    ExportSource,
    OriginalFile,
    PairSource,
)
from simcompare.model.errors import ReportNotSavedError
from simcompare.model.progress import Cancelled, no_tick
from simcompare.report.annotated.annotations import AnnotatedCopy
from simcompare.session.school_class import SchoolClass
from simcompare.support.i18n import set_language
from simcompare.support.workers.worker_pool import WorkerDiedError
from simcompare.ui.export.workspace_sources import ClassSnapshot
from simcompare.ui.state.cohort.pair_rows_data import PairTable
from tests.report.cohort.class_of_essays import MADE_AT, compared_essays, essays


class Processes:
    """Fake ExportWorkers: each task has the next given outcome, or never ends."""

    def __init__(self, *outcomes: object) -> None:
        self._outcomes = list(outcomes)
        self.all_begun: Callable[[], object] = lambda: None

    def submit(self, *_work: object) -> "Future[object]":
        future: Future[object] = Future()
        if self._outcomes:
            outcome = self._outcomes.pop(0)
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
        else:
            self.all_begun()
        return future


def originals() -> tuple[OriginalFile, OriginalFile]:
    return (
        OriginalFile("left", Path("/a.docx")),
        OriginalFile("right", Path("/b.docx")),
    )


def test_that_cancelled_copies_leave_no_file(tmp_path: Path) -> None:
    processes = Processes(AnnotatedCopy(b"PK", 1, ()))
    context = ExportContext(processes, no_tick)
    job = copies(tmp_path)
    processes.all_begun = context._stop.set
    with pytest.raises(Cancelled):
        job.run(context)
    assert list(tmp_path.iterdir()) == []


def test_that_the_paths_of_copies_are_known_before(tmp_path: Path) -> None:
    job = copies(tmp_path)
    assert job.paths == (tmp_path / "a – annotated.docx", tmp_path / "b – annotated.docx")


def snapshot() -> ClassSnapshot:
    table = PairTable()
    table.add(2, {1: 3})
    prepared_documents = dict(enumerate(essays()[:2], 1))
    settings = compared_essays().settings
    figures = table.rows.copy(), {}, {}, settings, None, {}, 0.12, MADE_AT
    return ClassSnapshot(prepared_documents, {}, *figures, {1: "a", 2: "b"}, SchoolClass(), {})


DIED = WorkerDiedError()


def plan(form: str, place: Path, packing: str = "", pseudonyms: object = None) -> ExportPlan:
    return ExportPlan(form, "en", True, place.parent, place.stem, packing, pseudonyms)  # type: ignore[arg-type]


def bundle(place: Path, *, anonymous: bool) -> ExportJob:
    pairs = partial(snapshot().cohort, snapshot().rows)
    names = object() if anonymous else None
    chosen = plan(".html", place, ZIP if place.suffix else FOLDER, names)
    return ExportJob(BundleSource("chosen", "", REPORTS, pairs), chosen)


def test_that_the_error_for_failed_pseudonymisation_names_the_bundle(tmp_path: Path) -> None:
    with pytest.raises(ReportNotSavedError, match=r"^class.zip cannot be saved in .*: making it broke off"):
        bundle(tmp_path / "class.zip", anonymous=True).run(ExportContext(Processes(DIED), no_tick))


def test_that_the_error_for_a_failed_index_page_names_the_bundle(tmp_path: Path) -> None:
    with pytest.raises(ReportNotSavedError, match=r"^class.zip cannot be saved in .*: making it broke off"):
        bundle(tmp_path / "class.zip", anonymous=False).run(ExportContext(Processes(DIED), no_tick))
    assert list(tmp_path.iterdir()) == []


def test_that_the_cause_of_missing_figures_is_stored_untranslated() -> None:
    set_language("zh")
    [pair] = snapshot().cohort(snapshot().rows, with_notes=True).pairs
    assert pair.cause == "not compared yet"


# --- all jobs


def nothing(*, with_notes: bool) -> None:
    """Contents of exports that fake processes render."""


def copies(folder: Path) -> ExportJob:
    source = PairSource("pair", "", PAIR, nothing, originals=originals())
    return ExportJob(source, plan(ANNOTATED, folder / "copies"))


def report(folder: Path) -> ExportJob:
    return ExportJob(ExportSource("pair", "", PAIR, nothing), plan(".pdf", folder / "a.pdf"))


def table(folder: Path) -> ExportJob:
    pairs = partial(snapshot().cohort, snapshot().rows)
    return ExportJob(ExportSource("table", "", PAIRS, pairs), plan(".xlsx", folder / "a.xlsx"))


def zipped(folder: Path) -> ExportJob:
    return bundle(folder / "a.zip", anonymous=False)


COPY = AnnotatedCopy(b"PK", 1, ())
MADE: dict[Callable[[Path], ExportJob], tuple[object, ...]] = {
    report: (b"%PDF",),
    table: (b"PK",),
    zipped: ({"index.html": b"<html>", "pairs.csv": b"A,B"},),  # its pair has no figures, so no report
    copies: (COPY, COPY),
}
"""Results of the workers for each job."""


def earlier_files(job: ExportJob) -> dict[Path, bytes]:
    """Write a file at each path of a job, as an earlier export would."""
    for place in job.paths:
        place.write_bytes(b"earlier")
    return dict.fromkeys(job.paths, b"earlier")


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("make", MADE)
def test_that_an_earlier_file_is_replaced_atomically(
    tmp_path: Path, make: Callable[[Path], ExportJob]
) -> None:
    job = make(tmp_path)
    earlier_files(job)
    written = job.run(ExportContext(Processes(*MADE[make]), no_tick))
    assert written.paths == job.paths
    assert set(files_in(tmp_path)) == set(job.paths)
    assert b"earlier" not in files_in(tmp_path).values()


@pytest.mark.parametrize("make", MADE)
def test_that_a_cancelled_job_leaves_only_the_earlier_files(
    tmp_path: Path, make: Callable[[Path], ExportJob]
) -> None:
    job = make(tmp_path)
    earlier = earlier_files(job)
    processes = Processes(*MADE[make][:-1])
    context = ExportContext(processes, no_tick)
    processes.all_begun = context._stop.set
    with pytest.raises(Cancelled):
        job.run(context)
    assert files_in(tmp_path) == earlier


@pytest.mark.parametrize("make", MADE)
def test_that_a_full_disk_leaves_the_earlier_files_and_is_reported(
    tmp_path: Path, make: Callable[[Path], ExportJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    job = make(tmp_path)
    earlier = earlier_files(job)
    monkeypatch.setattr("os.fsync", fail)
    context = ExportContext(Processes(*MADE[make]), no_tick)
    messages = [f"{place.name} cannot be saved in {tmp_path}: the disk is full" for place in job.paths]
    if make is copies:
        troubles = job.run(context).errors
    else:
        with pytest.raises(ReportNotSavedError) as error:
            job.run(context)
        troubles = (str(error.value),)
    assert all(trouble.startswith(words) for trouble, words in zip(troubles, messages, strict=True))
    assert files_in(tmp_path) == earlier


def test_that_a_full_disk_leaves_no_incomplete_folder_of_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []

    def fail_later(file: int) -> None:
        synced.append(file)
        if len(synced) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fail_later)
    with pytest.raises(ReportNotSavedError, match=r"^reports cannot be saved in .*: the disk is full"):
        bundle(tmp_path / "reports", anonymous=False).run(ExportContext(Processes(*MADE[zipped]), no_tick))
    assert list(tmp_path.iterdir()) == []
