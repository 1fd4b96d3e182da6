"""Texts searched in worker processes: the same hits, ended early, and a library that cannot be opened."""

from concurrent.futures import wait
from itertools import islice
from threading import Event

import pytest

from simcompare.cohort.document_preparation import lower_process_priority
from simcompare.library.library_errors import DamagedLibraryError
from simcompare.library.search.search import LibrarySearch, search_texts
from simcompare.library.store.open_library import open_library
from simcompare.support.workers.worker_pool import (
    MeasuredFuture,
    ProcessorTimeError,
    WorkerDiedError,
    WorkerPool,
)
from tests.helpers.kept_processes import keeping_processes
from tests.helpers.patience import PATIENCE_S
from tests.library.essays import add, essay, essays

WORKERS = 2


@pytest.fixture
def filled(library):
    """A library of six essays, of which two share sentences with the searched ones."""
    add(library, *essays(6), tags="class=3")
    return library


def queries():
    first, second = essays(2)
    mixed = [*first.document.text.split("\n")[:6], "这一句话是新写的，从前没有人写过。"]
    return {
        7: essay(*mixed, name="mixed.txt"),
        3: second,
        5: essay("完全没有见过的内容在这里。", name="new.txt"),
    }


def test_that_the_hits_are_those_of_a_search_in_one_process(filled):
    texts, search = queries(), LibrarySearch(filled)
    found = list(search_texts(filled.place, texts, WORKERS, Event()))
    assert sorted(key for key, _hits in found) == [3, 5, 7]
    for key, hits in found:
        assert hits == search.search(texts[key])
    assert [hit.entry.name for hit in dict(found)[7]] == ["essay-1.txt"]


def test_that_a_search_ends_early_even_if_the_workers_have_finished(filled, monkeypatch):
    stop, futures = Event(), []
    start = WorkerPool.start

    def start_and_keep(pool, task, **how):
        futures.append(start(pool, task, **how))
        return futures[-1]

    monkeypatch.setattr(WorkerPool, "start", start_and_keep)
    searching = search_texts(filled.place, queries(), 1, stop)
    assert len(list(islice(searching, 1))) == 1
    assert not wait(futures, PATIENCE_S).not_done
    stop.set()
    assert list(searching) == []


def test_that_a_library_that_cannot_be_opened_ends_the_search(tmp_path):
    path = tmp_path / "broken.sqlite"
    path.write_text("this is no database, but a text that is long enough " * 20, "utf-8")
    with pytest.raises(DamagedLibraryError):
        list(search_texts(path, queries(), WORKERS, Event()))


def test_that_a_process_that_searched_another_library_opens_this_one(filled, tmp_path):
    text = {7: queries()[7]}
    with (
        keeping_processes(lower_process_priority),
        open_library(tmp_path / "other.sqlite", create=True) as other,
    ):
        ((_key, hits),) = search_texts(filled.place, text, 1, Event())
        assert hits
        assert list(search_texts(other.place, text, 1, Event())) == [(7, [])]


def test_that_a_text_whose_process_was_lost_is_searched_again(filled, monkeypatch):
    start, lost = WorkerPool.start, []

    def start_and_lose_one(pool, task, **how):
        if not lost:
            lost.append(MeasuredFuture())
            lost[0].set_exception(WorkerDiedError())
            return lost[0]
        return start(pool, task, **how)

    monkeypatch.setattr(WorkerPool, "start", start_and_lose_one)
    found = dict(search_texts(filled.place, queries(), 1, Event()))
    assert [hit.entry.name for hit in found[7]] == ["essay-1.txt"]


@pytest.mark.parametrize("error", [WorkerDiedError(), ProcessorTimeError(600)], ids=repr)
def test_that_a_text_that_is_lost_again_or_takes_too_long_is_told(filled, error, monkeypatch):
    tried = []

    def start_and_lose(_pool, task, **_how):
        tried.append(MeasuredFuture())
        tried[-1].set_exception(error)
        return tried[-1]

    monkeypatch.setattr(WorkerPool, "start", start_and_lose)
    ((_key, found),) = search_texts(filled.place, {7: queries()[7]}, 1, Event())
    assert "took too long" in str(found)
    assert len(tried) == (1 if isinstance(error, ProcessorTimeError) else 2)


def test_that_the_time_of_other_programs_ends_no_search(filled, monkeypatch):
    """A busy computer may take ten times as long as a text is given of its processors."""
    limits, begin = [], WorkerPool._begin

    def begin_and_note(pool, worker, future):
        limits.append(future.limits)
        return begin(pool, worker, future)

    monkeypatch.setattr(WorkerPool, "_begin", begin_and_note)
    list(search_texts(filled.place, {7: queries()[7]}, 1, Event()))
    assert all(each.seconds >= 10 * each.processor_seconds > 0 for each in limits)
