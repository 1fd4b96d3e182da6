"""Submissions: each is an entry of its own, and only the same one is skipped when it is added again."""

import pytest

from simcompare.library import changes
from simcompare.library.changes import merge_recent, remove_student
from simcompare.library.entries import library_figures, list_entries
from simcompare.library.search import search
from simcompare.library.search.search import LibrarySearch
from simcompare.library.tags import Tag
from tests.helpers.documents import own_texts, unrelated_essays
from tests.library.essays import add, essay, essays

FOG = "雾锁石桥流水东，远山如黛晚来风。"


def renamed(document, name):
    """The same file under another name."""
    return essay(*document.document.text.split("\n"), name=name)


def test_that_equal_files_of_two_students_are_two_entries(library):
    (own,) = essays(1)
    add(library, renamed(own, "王小明.txt"), renamed(own, "李雷.txt"))
    hits = LibrarySearch(library).search(renamed(own, "new.txt"))
    assert [(hit.entry.name, hit.share, hit.is_same_file) for hit in hits] == [
        ("王小明.txt", 1.0, True),
        ("李雷.txt", 1.0, True),
    ]


def test_that_a_file_of_two_years_is_two_entries_with_their_tags(library):
    (own,) = essays(1)
    assert add(library, own, tags="year=2024 student=王小明") == [1]
    assert add(library, own, tags="year=2025 student=王小明") == [2]
    hits = LibrarySearch(library).search(own)
    assert [list(map(str, hit.entry.tags)) for hit in hits] == [
        ["student=王小明", "year=2024"],
        ["student=王小明", "year=2025"],
    ]
    figures = library_figures(library)
    assert figures.tag_counts == ((Tag("year", "2024"), 1), (Tag("year", "2025"), 1))
    assert figures.students == 1


def test_that_texts_that_only_differ_in_script_and_marks_are_two_entries(library):
    first, second = essay(FOG, name="fog.txt"), essay("霧鎖石橋流水東， 遠山如黛晚來風", name="fog.docx")
    assert add(library, first, second) == [1, 2]
    assert [hit.share for hit in LibrarySearch(library).search_sentence(FOG)] == [1.0, 1.0]


@pytest.mark.parametrize("batch", [1, 2, 200])
def test_that_adding_again_adds_nothing_twice(library, monkeypatch, batch):
    monkeypatch.setattr(changes, "_BATCH", batch)
    first, second = essays(2)
    class_3 = [first, second, renamed(first, "copy.txt")]
    assert add(library, *class_3, tags="class=3 year=2025") == [1, 2, 3]
    assert add(library, *class_3, tags="year=2025 class=3") == [None, None, None]
    assert [entry.entry for entry in list_entries(library)] == [1, 2, 3]


@pytest.mark.parametrize("batch", [1, 200])
def test_that_equal_files_of_one_name_are_counted(library, monkeypatch, batch):
    # as on platforms that give each student a folder
    monkeypatch.setattr(changes, "_BATCH", batch)
    own, other = essays(2)
    assert add(library, own, own, other, own) == [1, 2, 3, 4]
    assert add(library, own, own, other, own) == [None, None, None, None]
    assert add(library, own, own, own, own) == [None, None, None, 5]


def test_that_only_the_entry_of_the_student_is_removed(library):
    (own,) = essays(1)
    add(library, own, tags="student=王小明")
    add(library, own, tags="student=李雷")
    merge_recent(library)
    remove_student(library, "王小明")
    hits = LibrarySearch(library).search(own)
    assert [(hit.entry.entry, str(hit.entry.tags[0])) for hit in hits] == [(2, "student=李雷")]
    assert add(library, own, tags="student=李雷") == [None]
    assert add(library, own, tags="student=王小明") == [3]


@pytest.fixture
def handed_in_often(library):
    """30 essays, the last five of which have one text, and its sentences."""
    common, *others = unrelated_essays(26, 5)
    copies = [essay(*common, name=f"student-{number}.txt") for number in range(1, 6)]
    add(library, *(essay(*sentences, name="other.txt") for sentences in others), *copies)
    return common


STUDENTS = [f"student-{number}.txt" for number in range(1, 6)]


@pytest.mark.parametrize("most_common", [200, 3])
def test_that_a_text_of_several_students_is_found(library, handed_in_often, monkeypatch, most_common):
    monkeypatch.setattr(search, "_MOST_ENTRIES", most_common)
    found = LibrarySearch(library).search(essay(*handed_in_often, name="new.txt"))
    assert [(hit.entry.name, hit.share) for hit in found] == [(name, 1.0) for name in STUDENTS]


def test_that_a_passage_of_a_text_of_several_students_is_found(library, handed_in_often):
    query = essay(*own_texts("en")[0].split("\n")[:6], *handed_in_often[1:4], name="new.txt")
    assert [hit.entry.name for hit in LibrarySearch(library).search(query)] == STUDENTS


def test_that_equal_texts_take_one_place_among_those_compared(library):
    common, other = unrelated_essays(2, 8)
    copies = [essay(*common, name=f"{name}.txt") for name in ("first", "second", "third")]
    add(library, *copies, essay(*other, name="other.txt"))
    query = essay(*common, *other[:2], name="new.txt")
    hits = LibrarySearch(library).search(query, most=2)
    assert [hit.entry.name for hit in hits] == ["first.txt", "second.txt", "third.txt", "other.txt"]
    assert [hit.same_text for hit in hits] == [1, 1, 1, 4]
    assert [hit.entry.name for hit in LibrarySearch(library).search(query, most=1)] == [
        "first.txt", "second.txt", "third.txt",
    ]  # fmt: skip
