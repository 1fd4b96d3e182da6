"""Search by fingerprints: what is found within 3 bits, at which level, and in libraries of older programs."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select, text

from simcompare.fingerprint.simhash import Fingerprint, Level
from simcompare.library.changes import CheckedLibrary, check_library, remove_entries
from simcompare.library.library_errors import NotFingerprintedError, NotUpdatedError
from simcompare.library.search import level_search
from simcompare.library.search.level_search import (
    entries_within_3_bits,
    find_by_fingerprints,
    fingerprint_entries,
    text_parts,
)
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import LEVEL_FINGERPRINTS
from simcompare.model.progress import no_tick
from tests.helpers.documents import own_texts, unrelated_essays
from tests.library.essays import SENTENCES, add, essay, essays

OTHER = own_texts("en")[0].split("\n")[:4]


def sentences_of(number):
    return unrelated_essays(8, SENTENCES)[number - 1]


@pytest.fixture
def filled(library):
    """A library with eight unrelated essays of a sentence in each paragraph, fingerprinted."""
    add(library, *essays(8))
    fingerprint_entries([library])
    return library


def candidates(library, query):
    with library.reading() as connection:
        return [entry for entry, _library in find_by_fingerprints([connection], query)]


def stored(library):
    with library.reading() as connection:
        counted = select(LEVEL_FINGERPRINTS.c.entry, func.count()).group_by(LEVEL_FINGERPRINTS.c.entry)
        return {row[0]: row[1] for row in connection.execute(counted)}


def test_that_one_sentence_in_a_paragraph_of_another_text_finds_its_essay(filled):
    query = essay(*OTHER, f"{sentences_of(3)[4]}{sentences_of(5)[6]}", name="new.txt")
    assert sorted(candidates(filled, query)) == [3, 5]
    hits = LibrarySearch(filled, by_fingerprints=True).search(query)
    assert {hit.entry.entry for hit in hits} == {3, 5}
    assert all(hit.summary.longest_passage_units > 0 and hit.excerpt for hit in hits)


def test_that_the_essay_with_most_in_common_is_first(filled):
    query = essay(*sentences_of(7)[:1], *sentences_of(2)[:9], *sentences_of(4)[:5])
    assert candidates(filled, query)[:3] == [2, 4, 7]


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 63), max_size=3))
def test_that_two_fingerprints_within_3_bits_share_5_blocks(value, bits):
    other = value ^ sum(1 << bit for bit in bits)
    blocks = [level_search._blocks(Fingerprint(each, 64, "")) for each in (value, other)]
    assert sum(blocks[0][name] == blocks[1][name] for name in blocks[0]) >= 5


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_the_database_finds_what_a_scan_of_all_fingerprints_finds(filled):
    drawn = random.Random(4)
    values = [drawn.getrandbits(64) for _ in range(200)]
    values += [
        value ^ sum(1 << bit for bit in drawn.sample(range(64), drawn.randint(1, 5))) for value in values
    ]
    with filled.writing() as connection:
        rows = [
            level_search._row(1 + number % 8, Level.SENTENCE, Fingerprint(value, 64, ""))
            for number, value in enumerate(values)
        ]
        connection.execute(LEVEL_FINGERPRINTS.insert(), rows)
    with filled.reading() as connection:
        for value in values[::7]:
            near = {1 + n % 8 for n, other in enumerate(values) if (value ^ other).bit_count() <= 3}
            found = entries_within_3_bits(connection, Level.SENTENCE, Fingerprint(value, 64, ""))
            assert found == sorted(near)
            assert entries_within_3_bits(connection, Level.PARAGRAPH, Fingerprint(value, 64, "")) == []


def test_that_a_search_reads_the_indexes_of_the_blocks_only(filled):
    if filled.place.__class__.__name__ == "LibraryServer":
        pytest.skip("a server reads small tables without their indexes")
    values = {"level": 2} | level_search._blocks(essays(1)[0].fingerprint)
    statement = level_search._CANDIDATES.params(values).compile(compile_kwargs={"literal_binds": True})
    with filled.reading() as connection:
        plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")]
    used = [line for line in plan if line.startswith("SEARCH")]
    assert len(used) == 8
    assert all("COVERING INDEX ix_level_fingerprints_level_block" in line for line in used)


def test_that_a_search_adds_the_fingerprints_of_new_entries_only(filled, monkeypatch):
    (new,) = add(filled, essay(*OTHER, name="late.txt"))
    read = []
    restored = level_search.restored_document
    monkeypatch.setattr(
        level_search, "restored_document", lambda *given: read.append(given[2]) or restored(*given)
    )
    hits = LibrarySearch(filled, by_fingerprints=True).search(essay(*OTHER[:3]))
    assert [hit.entry.entry for hit in hits] == [new] == read
    assert set(stored(filled)) == {*range(1, 10)}


def test_that_fingerprints_go_with_their_entry_and_the_library_stays_sound(filled):
    remove_entries(filled, [8, 3])
    assert set(stored(filled)) == {1, 2, 4, 5, 6, 7}
    assert candidates(filled, essays(8)[2]) == []
    (again,) = add(filled, essays(8)[7])
    fingerprint_entries([filled])
    assert candidates(filled, essays(8)[7]) == [again]
    assert check_library(filled, no_tick) == CheckedLibrary(7, ())


def test_that_the_recipe_of_stored_fingerprints_stays_as_it_is():
    document = essay("我的家乡有一条小河，河边的柳树发芽了。")
    parts = text_parts(document.document, document.prepared)
    found = {(fingerprint.recipe, fingerprint.hex) for _, fingerprint in parts}
    assert found == {("levels/background-1", "3c3bf111b7f7d6af")}


@pytest.fixture
def older(filled):
    """The library as an older program left it."""
    with filled.writing() as connection:
        connection.execute(text("DROP TABLE level_fingerprints"))
        connection.execute(text("DROP TABLE meanings"))
        connection.execute(text("ALTER TABLE state DROP COLUMN last_fingerprinted_entry"))
        connection.execute(text("DROP TABLE facts"))
        connection.execute(text("ALTER TABLE entries DROP COLUMN pictures"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0002'"))
    filled.close()
    return filled


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_write_protected_library_of_an_older_program_says_that_it_has_to_be_updated(older):
    older.place.chmod(0o400)
    with pytest.raises(NotUpdatedError, match="has to be updated once"):
        open_library(older.place)


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_library_of_an_older_program_is_searched(older):
    with open_library(older.place) as library:
        assert stored(library) == {}
        assert LibrarySearch(library, by_fingerprints=True).search(essays(8)[5])[0].entry.entry == 6


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_write_protected_library_needs_its_fingerprints(library):
    add(library, *essays(2))
    library.place.chmod(0o400)
    with open_library(library.place) as protected:
        search = LibrarySearch(protected, by_fingerprints=True)
        with pytest.raises(NotFingerprintedError, match=r"write-protected.* 2 entries without fingerprints"):
            search.search(essays(2)[1])
        fingerprint_entries([library])
        assert search.search(essays(2)[1])[0].entry.entry == 2


def test_that_parts_too_short_to_count_have_no_place_in_the_index():
    document = essay("谢谢大家。", "我的家乡有一条小河，河边的柳树发芽了。")
    parts = text_parts(document.document, document.prepared)
    assert [(level, sentences) for (level, _), sentences in parts.items()] == [
        (Level.DOCUMENT, {0, 1}), (Level.PARAGRAPH, {1}), (Level.SENTENCE, {1}),
    ]  # fmt: skip
    assert document.prepared.sentence_lengths.tolist()[0] == 4
