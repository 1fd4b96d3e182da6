"""Adding, listing and restoring entries."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select, update

from simcompare.comparison.prepared_document import prepare_document
from simcompare.library import changes
from simcompare.library.changes import add_entries, make_new_entry, merge_recent
from simcompare.library.entries import library_figures, list_entries, restored_document
from simcompare.library.library_errors import (
    DamagedLibraryError,
    LibraryNotWritableError,
    NoSuchEntryError,
    TagError,
)
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import ENTRIES, FINGERPRINTS
from simcompare.library.store.stored_postings import signed, signed_value, unsigned
from simcompare.library.tags import Tag, parsed_tag
from simcompare.loading import load_document
from simcompare.model.document import BlockKind
from tests.helpers.documents import make_document
from tests.library.essays import add, essay, essays, expected_terms, stored_terms

FOG = "雾锁石桥流水东，远山如黛晚来风。"


def restored(library, entry):
    with library.reading() as connection:
        return restored_document(library, connection, entry)


def test_that_a_document_is_restored_as_it_was_read(library, tmp_path):
    path = tmp_path / "石桥.html"
    text = f"<h1>石桥</h1><p>{FOG}</p><blockquote>{FOG[::-1]}</blockquote><p style='display:none'>不见</p>"
    path.write_text(f"<html><body>{text}</body></html>", encoding="utf-8")
    document = load_document(path)
    assert document.receipt.dropped
    add(library, prepare_document(document, "improved"))
    assert restored(library, 1) == document


@pytest.mark.skipif(sys.platform == "win32", reason="file names are text there")
def test_that_a_file_name_that_is_not_text_is_restored(library):
    name = os.fsdecode(b"br\xfccke")
    document = replace(make_document(FOG, title=name, kind=BlockKind.LIST_ITEM), path=Path(f"/a/{name}.txt"))
    add(library, prepare_document(document, "improved"))
    assert restored(library, 1) == document
    (entry,) = list_entries(library)
    assert (entry.name, entry.title) == ("br[U+DCFC]cke.txt", "br[U+DCFC]cke")


def test_that_entries_are_listed_with_their_tags(library):
    first, second, third = essays(3)
    add(library, first, second, tags="class=3 year=2025")
    add(library, third, tags="class=4 year=2025 student=王小明")
    found = list_entries(library)
    assert [entry.name for entry in found] == ["essay-1.txt", "essay-2.txt", "essay-3.txt"]
    assert (found[2].unit_count, found[2].language) == (third.prepared.unit_count, "zh")
    assert list(map(str, found[2].tags)) == ["class=4", "student=王小明", "year=2025"]
    chosen = list_entries(library, [Tag("class", "3"), Tag("year", "2025")])
    assert [entry.entry for entry in chosen] == [1, 2]
    assert list_entries(library, [Tag("class", "3"), Tag("year", "2024")]) == []


def test_that_figures_count_entries_and_tags(library):
    assert library_figures(library).first_added_at is None
    documents = essays(3)
    add(library, *documents[:2], tags="class=3")
    add(library, documents[2], tags="class=4")
    figures = library_figures(library)
    assert (figures.entries, figures.units) == (3, sum(each.prepared.unit_count for each in documents))
    assert figures.terms == len(set.union(*stored_terms(library).values()))
    assert figures.tag_counts == ((Tag("class", "3"), 2), (Tag("class", "4"), 1))
    assert figures.size_bytes > 0


def test_that_terms_are_stored_once_before_and_after_merging(library):
    documents = essays(4)
    add(library, *documents[:2])
    expected = expected_terms(dict(enumerate(documents, start=1)))
    merge_recent(library)
    assert not stored_terms(library)["recent_postings"]
    add(library, *documents[2:])
    terms = stored_terms(library)
    assert {entry for _, entry in terms["postings"]} == {1, 2}
    assert {entry for _, entry in terms["recent_postings"]} == {3, 4}
    assert terms["postings"] | terms["recent_postings"] == expected


def test_that_many_recent_entries_are_merged(library, monkeypatch):
    monkeypatch.setattr(changes, "_FEWEST_MERGED", 3)
    documents = essays(4)
    add(library, *documents[:2])
    assert not stored_terms(library)["postings"]
    add(library, documents[2])
    assert not stored_terms(library)["recent_postings"]


def test_that_a_merge_in_parts_moves_all_terms(library, monkeypatch):
    monkeypatch.setattr(changes, "_ENTRIES_PER_MERGED_PART", 1)
    documents = essays(7)
    add(library, *documents)
    merge_recent(library)
    expected = expected_terms(dict(enumerate(documents, start=1)))
    assert stored_terms(library) == {"postings": expected, "recent_postings": set()}


def test_that_documents_that_are_ready_slowly_do_not_wait_for_many_others(library, monkeypatch):
    monkeypatch.setattr(changes, "_BATCH_SECONDS", -1.0)
    stored = []

    def slowly():
        for document in essays(3):
            stored.append(len(list_entries(library)))
            yield make_new_entry(document)

    assert list(add_entries(library, slowly())) == [1, 2, 3]
    assert stored == [0, 1, 2]


def test_that_the_fingerprint_is_stored(library):
    document = essay(FOG)
    add(library, document)
    with library.reading() as connection:
        row = connection.execute(select(FINGERPRINTS)).one()
    assert row.recipe == "improved/background-1"
    assert row.document == signed_value(document.fingerprint.value)


def test_that_unsigned_numbers_keep_their_bits():
    numbers = np.array([0, 1, 2**63, 2**64 - 1], np.uint64)
    assert signed(numbers).tolist() == [0, 1, -(2**63), -1]
    assert unsigned(signed(numbers)).tolist() == numbers.tolist()


def test_that_a_document_without_a_hash_is_refused():
    document = replace(make_document(FOG), sha256="")
    with pytest.raises(ValueError, match="no hash"):
        make_new_entry(prepare_document(document, "improved"))


def test_that_a_broken_document_has_a_sentence(library):
    add(library, essay(FOG))
    with library.writing() as connection:
        connection.execute(update(ENTRIES).values(content=b"broken"))
    with pytest.raises(DamagedLibraryError, match="damaged"):
        restored(library, 1)
    with pytest.raises(NoSuchEntryError, match="no entry 2"):
        restored(library, 2)


def test_that_a_tag_has_one_spelling():
    assert parsed_tag(" Class = 高三  二班\n") == Tag("class", "高三 二班")
    assert parsed_tag("formula=a=b") == Tag("formula", "a=b")


@pytest.mark.parametrize("text", ["class", "=3", "class=", "class= ", "a" * 65 + "=3"])
def test_that_a_tag_without_name_or_value_is_refused(text):
    with pytest.raises(TagError):
        parsed_tag(text)


def test_that_a_tag_that_is_too_long_is_refused_with_the_limit_and_its_beginning():
    with pytest.raises(TagError, match="up to 500") as caught:
        parsed_tag("class=" + "长" * 501)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_full_disk_has_a_sentence_and_loses_nothing(library):
    documents = essays(8)
    add(library, *documents[:2])
    with library.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(LibraryNotWritableError, match="the disk is full"):
        add(library, *documents[2:])
    assert len(list_entries(library)) == 2
    with library.reading() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    assert add(library, *documents) == [None, None, 3, 4, 5, 6, 7, 8]


def test_that_two_writers_add_each_document_once(library):
    with open_library(library.place) as second, ThreadPoolExecutor(2) as executor:
        works = [executor.submit(_add_one_by_one, writer) for writer in (library, second)]
        numbers = [number for work in works for number in work.result()]
    assert sorted(filter(None, numbers)) == list(range(1, 9))
    assert sorted(entry.name for entry in list_entries(library)) == [f"essay-{n}.txt" for n in range(1, 9)]
    assert len(stored_terms(library)["recent_postings"]) == library_figures(library).terms


def _add_one_by_one(library):
    return [number for document in essays(8) for number in add(library, document)]
