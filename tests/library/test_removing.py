"""Removing entries: nothing of them stays, and a protocol says what was removed."""

import zlib

import pytest
from sqlalchemy import func, select, update

from simcompare.library import index_terms
from simcompare.library.changes import merge_recent, remove_entries, remove_student, remove_tagged
from simcompare.library.entries import list_entries, restored_document
from simcompare.library.library_errors import NoSuchEntryError
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import ENTRIES, FINGERPRINTS, TAGS
from simcompare.library.tags import Tag
from tests.library.essays import add, essay, essays, stored_terms


def entries_with_terms(library):
    return {entry for pairs in stored_terms(library).values() for _, entry in pairs}


def test_that_an_entry_is_removed_from_every_table(library):
    add(library, *essays(2), tags="class=3")
    merge_recent(library)
    add(library, essays(3)[2], tags="class=3")
    protocol = remove_entries(library, [2, 3])
    assert [entry.name for entry in protocol.entries] == ["essay-2.txt", "essay-3.txt"]
    assert entries_with_terms(library) == {1}
    with library.reading() as connection:
        for column in (ENTRIES.c.id, FINGERPRINTS.c.entry, TAGS.c.entry):
            assert connection.execute(select(column)).scalars().all() == [1]


def test_that_the_protocol_counts_terms_and_says_when(library):
    add(library, *essays(2))
    before = sum(map(len, stored_terms(library).values()))
    protocol = remove_entries(library, [1])
    assert protocol.terms == before - sum(map(len, stored_terms(library).values()))
    assert protocol.removed_at.endswith("+00:00")


def test_that_the_number_of_a_removed_entry_is_not_used_again(library):
    first, second = essays(2)
    add(library, first)
    remove_entries(library, [1])
    assert add(library, second) == [2]
    assert add(library, first) == [3]


def test_that_a_student_is_removed_from_every_class_and_year(library):
    documents = essays(4)
    add(library, documents[0], tags="class=3 year=2024 student=王小明")
    add(library, documents[1], tags="class=4 year=2025 student=王小明")
    add(library, documents[2], tags="class=4 year=2025 student=王小")
    add(library, documents[3])
    protocol = remove_student(library, " 王小明 ")
    assert [entry.entry for entry in protocol.entries] == [1, 2]
    assert [entry.entry for entry in list_entries(library)] == [3, 4]
    assert remove_student(library, "王小明").entries == ()


def test_that_entries_with_all_of_several_tags_are_removed(library):
    documents = essays(3)
    add(library, documents[0], tags="class=3 year=2024")
    add(library, documents[1], tags="class=3 year=2025")
    add(library, documents[2], tags="class=4 year=2024")
    remove_tagged(library, [Tag("class", "3"), Tag("year", "2024")])
    assert [entry.entry for entry in list_entries(library)] == [2, 3]
    with pytest.raises(ValueError, match="every entry"):
        remove_tagged(library, [])


def test_that_nothing_is_removed_if_an_entry_is_missing(library):
    add(library, *essays(2))
    with pytest.raises(NoSuchEntryError, match="no entry 7"):
        remove_entries(library, [1, 7])
    assert len(list_entries(library)) == 2


def test_that_no_byte_of_a_removed_text_stays_in_the_files(tmp_path):
    path = tmp_path / "essays.sqlite"
    removed = essay("雾锁石桥流水东。" * 3, name="王小明-secret-name.txt")
    with open_library(path, create=True) as library:
        add(library, removed, tags="student=王小明-tag")
        add(library, *essays(2))
        with library.reading() as connection:
            content = connection.execute(select(ENTRIES.c.content).where(ENTRIES.c.id == 1)).scalar_one()
            assert restored_document(library, connection, 1) == removed.document
        assert zlib.decompress(content)
        remove_student(library, "王小明-tag")
        # while other processes may still have it open
        data = b"".join(file.read_bytes() for file in tmp_path.iterdir() if not file.name.endswith("-shm"))
    data += path.read_bytes()
    secrets = [content[10:40], b"secret-name", "王小明-tag".encode(), removed.document.sha256.encode()]
    assert [secret for secret in secrets if secret in data] == []


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_removal_does_not_wait_long_for_a_reader(library):
    add(library, *essays(2))
    with library.reading() as connection:
        assert connection.execute(select(ENTRIES.c.id)).scalars().all() == [1, 2]
        remove_entries(library, [2])
        assert connection.execute(select(ENTRIES.c.id)).scalars().all() == [1, 2]
    with library.writing() as connection:  # waits as long as before for another writer
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 30_000


@pytest.mark.parametrize("change", ["other recipe", "other words"])
def test_that_terms_of_another_version_are_removed_too(library, monkeypatch, change):
    add(library, *essays(2))
    if change == "other recipe":
        with library.writing() as connection:
            connection.execute(update(ENTRIES).values(term_recipe="winnowed-5-5/1"))
    else:
        monkeypatch.setattr(index_terms, "_RARE_WORDS", 1)
    protocol = remove_entries(library, [1])
    assert entries_with_terms(library) == {2}
    with library.reading() as connection:
        assert connection.execute(select(func.count()).select_from(ENTRIES)).scalar() == 1
    assert protocol.terms > 0
