"""Pictures, editing ids and references of past essays: found without a common word, and transferred."""

from dataclasses import replace
from datetime import UTC, datetime
from threading import Event

import pytest
from PIL import ImageOps
from sqlalchemy import func, select, text

from simcompare.cohort import pair_facts, shared_facts
from simcompare.cohort.class_check import ClassFiles, check_class
from simcompare.cohort.document_preparation import lower_process_priority
from simcompare.comparison.prepared_document import prepare_document
from simcompare.library.changes import remove_entries
from simcompare.library.class_search import search_class
from simcompare.library.entries import restored_document
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import FACTS
from simcompare.library.transfer import export_library, import_library, opened_export
from simcompare.loading.load import load_document
from simcompare.loading.shared.pictures import PictureCollector
from simcompare.model.progress import no_tick
from simcompare.model.settings import ComparisonSettings
from simcompare.report.class_report.class_forms import render_class
from tests.helpers.documents import unrelated_essays
from tests.helpers.kept_processes import keeping_processes
from tests.helpers.shared_pictures import data_of, drawing
from tests.library.essays import SENTENCES, add, empty_library, essay

IDS = tuple(f"00B{number}1111" for number in range(6))
RIGHT = "王小明. 石桥的历史与保护[J]. 建筑学报, 2015, 3(2): 15-20."
WRONG = RIGHT.replace("2015", "2051")


@pytest.fixture(scope="module", autouse=True)
def processes_kept_between_tests():
    with keeping_processes(lower_process_priority):
        yield


def with_facts(document, *, ids=(), pictures=()):
    collector = PictureCollector()
    for picture in pictures:
        collector.add(data_of(picture))
    read = document.document
    origin = replace(read.receipt.origin, editing_ids=tuple(ids))
    receipt = replace(read.receipt, origin=origin)
    return replace(document, document=replace(read, receipt=receipt, pictures=tuple(collector.found)))


def with_references(folder, name, paragraphs, *entries):
    path = folder / name
    path.write_text("\n".join([*paragraphs, "参考文献", *entries]), encoding="utf-8")
    return prepare_document(load_document(path), "improved")


FIXED_TIME = datetime(2026, 1, 1, tzinfo=UTC)
TEXTS = unrelated_essays(10, SENTENCES)


def essay_of(number, **facts):
    return with_facts(essay(*TEXTS[number], name=f"{number}.docx"), **facts)


def facts_of(hits):
    return [
        (hit.entry.name, hit.facts.kinship and hit.facts.kinship.shared_ids, len(hit.facts.pictures))
        for hit in hits
    ]


@pytest.fixture
def filled(library):
    """An entry with a picture and ids, and others with other ones."""
    add(library, essay_of(0, ids=IDS, pictures=[drawing(1)]), tags="year=2024")
    add(library, essay_of(1, ids=["00C11111"], pictures=[drawing(2)]), essay_of(2))
    return library


def test_that_an_entry_with_the_same_picture_and_ids_is_found_without_a_common_word(filled):
    new = essay_of(5, ids=IDS[1:], pictures=[drawing(1).resize((240, 160))])
    hits = LibrarySearch(filled).search(new)
    assert facts_of(hits) == [("0.docx", 5, 1)]
    assert hits[0].share == 0
    assert LibrarySearch(filled).search(essay_of(6, ids=["00D11111"], pictures=[drawing(3)])) == []


def test_that_a_mirrored_picture_is_found_and_a_hit_by_words_has_its_facts_too(filled):
    copied = essay(*TEXTS[7], *TEXTS[0][2:8], name="copied.docx")
    hits = LibrarySearch(filled).search(with_facts(copied, pictures=[ImageOps.mirror(drawing(1))]))
    assert facts_of(hits) == [("0.docx", None, 1)]
    assert hits[0].share > 0.2


def test_that_ids_and_pictures_of_many_entries_are_those_of_a_template(library):
    add(library, *(essay_of(number, ids=IDS, pictures=[drawing(1)]) for number in range(5)))
    assert LibrarySearch(library).search(essay_of(7, ids=IDS, pictures=[drawing(1)])) == []


def test_that_the_same_wrong_reference_is_found(library, tmp_path):
    add(library, with_references(tmp_path, "wrong.txt", TEXTS[0], WRONG))
    add(library, *(with_references(tmp_path, f"{n}.txt", TEXTS[n], RIGHT) for n in (1, 2, 3)))
    (hit,) = LibrarySearch(library).search(with_references(tmp_path, "new.txt", TEXTS[5], WRONG))
    assert (hit.entry.name, [each.expected for each in hit.facts.mistakes]) == ("wrong.txt", [RIGHT])
    assert LibrarySearch(library).search(with_references(tmp_path, "right.txt", TEXTS[6], RIGHT)) == []


def test_that_misspellings_tables_and_formulas_of_no_hit_are_not_sought(library, tmp_path, monkeypatch):
    def sought(*_arguments, **_options):
        raise AssertionError

    for name in ("find_shared_tables", "find_shared_formulas"):
        monkeypatch.setattr(pair_facts, name, sought)
    monkeypatch.setattr(shared_facts, "_misspellings", sought)
    test_that_the_same_wrong_reference_is_found(library, tmp_path)


def checked(*documents):
    settings = ComparisonSettings()
    return check_class(ClassFiles(documents), settings, FIXED_TIME, no_tick, Event())


def test_that_a_class_has_the_facts_but_not_those_of_its_own_entries_and_template(filled):
    badge = drawing(9)
    add(filled, essay_of(3, pictures=[badge]))
    own = essay_of(5, ids=IDS, pictures=[drawing(1), badge])
    add(filled, own)
    check = checked(own, *(essay_of(number, pictures=[badge]) for number in (6, 7, 8, 9)))
    found = search_class(filled, check, no_tick, Event())
    (hit,) = found.hits
    assert (hit.place, hit.entry.name, len(hit.facts.pictures)) == (0, "0.docx", 1)
    assert hit.facts.kinship.shared_ids == len(IDS)
    assert found.above(0.5).hits == found.hits
    page = render_class(replace(check, library_hits=found)).decode()
    assert "1 common picture · 6 common ids" in page
    assert "1 essay has pictures, editing ids or unusual references in common with an entry." in page


def test_that_pictures_and_facts_are_restored_exported_and_removed(filled, tmp_path):
    with empty_library(tmp_path / "other.sqlite") as other:
        export_library(filled, tmp_path / "a.zip")
        with opened_export(tmp_path / "a.zip") as export:
            import_library(other, export, export.submissions(no_tick), no_tick, Event())
        new = essay_of(5, ids=IDS[1:], pictures=[drawing(1)])
        assert facts_of(LibrarySearch(other).search(new)) == [("0.docx", 5, 1)]
        with other.reading() as connection:
            (picture,) = restored_document(other, connection, 1).pictures
        assert picture.thumbnail == b""
        remove_entries(other, [1])
        assert LibrarySearch(other).search(new) == []
        with other.reading() as connection:
            left = connection.execute(select(func.count()).where(FACTS.c.entry == 1)).scalar_one()
        assert left == 0


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_a_library_of_before_is_updated_and_its_entries_have_no_facts(filled):
    place = filled.place
    with filled.writing() as connection:
        connection.execute(text("DROP TABLE facts"))
        connection.execute(text("ALTER TABLE entries DROP COLUMN pictures"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0004'"))
    filled.close()
    with open_library(place) as library:
        new = essay_of(5, ids=IDS, pictures=[drawing(1)])
        assert LibrarySearch(library).search(new) == []
        add(library, essay_of(4, pictures=[drawing(1)]))
        assert facts_of(LibrarySearch(library).search(new)) == [("4.docx", None, 1)]
