"""What jobs leave behind where they end early."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from simcompare.errors import DamagedFileError, ReportNotSavedError
from simcompare.i18n import set_language
from simcompare.progress import Cancelled, no_tick
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.ui.export.class_snapshot import ClassSnapshot
from simcompare.ui.export.jobs import Bench, CopiesJob, Original
from simcompare.ui.export.jobs_many import BundleJob, ManyPairs
from simcompare.ui.state.pair_table import PairTable
from tests.report.cohort.class_of_essays import MADE_AT, compared_essays, essays


class Processes:
    """Stands for those that make things: each piece of work ends as it is told, or never."""

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


def originals() -> tuple[Original, Original]:
    return (
        Original("left", Path("/a.docx"), "a.annotated.docx"),
        Original("right", Path("/b.docx"), "b.annotated.docx"),
    )


def test_that_copies_that_are_given_up_leave_none_of_them(tmp_path: Path) -> None:
    processes = Processes(AnnotatedCopy(b"PK", 1, ()))
    bench = Bench(processes, no_tick)
    job = CopiesJob(None, None, originals(), tmp_path, "en")
    processes.all_begun = bench._stop.set
    with pytest.raises(Cancelled):
        job.run(bench)
    assert list(tmp_path.iterdir()) == []


def test_that_copies_say_where_they_are_written(tmp_path: Path) -> None:
    job = CopiesJob(None, None, originals(), tmp_path, "en")
    assert job.places == (tmp_path / "a.annotated.docx", tmp_path / "b.annotated.docx")


def snapshot() -> ClassSnapshot:
    table = PairTable()
    table.add(2, {1: 3})
    subjects = dict(enumerate(essays()[:2], 1))
    settings = compared_essays().settings
    return ClassSnapshot(subjects, {}, table.rows.copy(), {}, {}, settings, None, MADE_AT)


DIED = DamagedFileError(Path(), cause="the reader stopped unexpectedly")


def bundle(place: Path, *, anonymous: bool) -> BundleJob:
    names = object() if anonymous else None
    pairs = ManyPairs(snapshot(), snapshot().rows)
    return BundleJob(pairs, names, place, ".html", "en", with_notes=True)  # type: ignore[arg-type]


def test_that_a_bundle_whose_names_cannot_be_replaced_is_told_of_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(ReportNotSavedError, match=r"^class.zip cannot be saved: making it broke off"):
        bundle(tmp_path / "class.zip", anonymous=True).run(Bench(Processes(DIED), no_tick))


def test_that_a_bundle_whose_page_cannot_be_made_is_told_of_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(ReportNotSavedError, match=r"^class.zip cannot be saved: making it broke off"):
        bundle(tmp_path / "class.zip", anonymous=False).run(Bench(Processes(DIED), no_tick))
    assert list(tmp_path.iterdir()) == []


def test_that_why_a_pair_has_no_figures_is_not_said_in_the_language_of_the_window() -> None:
    set_language("zh")
    [pair] = snapshot().cohort(snapshot().rows, with_notes=True).pairs
    assert pair.cause == "not compared yet"
