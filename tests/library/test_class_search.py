"""A class against a library: hits of all essays, and the essays that are entries themselves."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from simcompare.cohort.class_check import ClassFiles, ClassHits, check_class
from simcompare.library import class_search
from simcompare.library.class_search import search_class
from simcompare.library.search.search import LibrarySearch
from simcompare.library.tags import Tag
from simcompare.model.progress import Cancelled, no_tick
from simcompare.model.settings import ComparisonSettings
from tests.helpers.documents import unrelated_essays
from tests.library.essays import SENTENCES, add, essay, essays

COVER = ("第一中学语文作业", "题目：请写一件你亲身经历的事，不少于三百字，不得抄袭。")


DEFAULT_SETTINGS = ComparisonSettings()


def checked(*documents, settings=DEFAULT_SETTINGS):
    made_at = datetime(2026, 1, 1, tzinfo=UTC)
    return check_class(ClassFiles(documents), settings, made_at, no_tick, Event())


def search(library, check, **options):
    return search_class(library, check, no_tick, Event(), **options)


def in_folder(document, folder, name=None):
    path = Path(folder) / (name or document.document.path.name)
    return replace(document, document=replace(document.document, path=path))


def named(check, hits):
    return [(check.cohort.names[hit.place], hit.entry.name, hit.summary.after_exclusions[0]) for hit in hits]


@pytest.fixture
def class_of_three():
    """Three essays; the last has a passage of the fourth, which is of a past year."""
    first, second, third, past = unrelated_essays(4, SENTENCES)
    own = essay(*first, name="王小明.txt"), essay(*second, name="李雷.txt")
    return *own, essay(*third, *past[2:8], name="赵敏.txt"), essay(*past, name="2024.txt")


def test_that_an_essay_with_a_passage_of_a_past_year_has_a_hit(library, class_of_three):
    *handed_in, past = class_of_three
    add(library, past, tags="class=3 year=2024")
    found = search(library, checked(*handed_in))
    (hit,) = found.hits
    assert (hit.place, hit.entry.number, hit.entry.name) == (2, 1, "2024.txt")
    assert hit.entry.tags == (("class", "3"), ("year", "2024"))
    assert hit.entry.added_at.endswith("+00:00")
    (alone,) = LibrarySearch(library).search(handed_in[2])
    assert hit.summary.after_exclusions == alone.summary.after_exclusions
    assert 20 < hit.summary.longest_passage_units <= alone.summary.longest_passage_units
    assert (found.own, found.failed) == ((), ())


@pytest.mark.parametrize("at_once", [1, 2, 40])
def test_that_hits_do_not_depend_on_the_size_of_the_parts(library, class_of_three, monkeypatch, at_once):
    *handed_in, past = class_of_three
    add(library, past, *essays(2))
    expected = search(library, checked(*handed_in))
    monkeypatch.setattr(class_search, "_ESSAYS_AT_ONCE", at_once)
    ticks = []
    found = search_class(library, checked(*handed_in), lambda *done: ticks.append(done), Event())
    assert found == expected
    assert len(found.hits) == 3
    assert ticks == sorted(ticks)
    assert ticks[-1] == (3, 3)


def test_that_the_class_itself_is_recognised_and_not_compared_with_itself(library, class_of_three):
    *handed_in, past = class_of_three
    add(library, past, *handed_in, tags="class=3")
    check = checked(*handed_in)
    found = search(library, check)
    assert named(check, found.hits) == [("赵敏.txt", "2024.txt", found.hits[0].summary.after_exclusions[0])]
    assert [(place, entry.number) for place, entry in found.own] == [(0, 2), (1, 3), (2, 4)]


def test_that_the_same_file_of_another_student_is_a_hit(library, class_of_three):
    own, other, _copied, _past = class_of_three
    add(library, in_folder(own, "2024", "essay.txt"), tags="student=韩梅 year=2024")
    add(library, in_folder(own, "2025", "essay.txt"), tags="student=王小明 year=2025")
    check = checked(in_folder(own, "王小明_1_assignsubmission_file_", "essay.txt"), other)
    found = search(library, check)
    (hit,) = found.hits
    assert (hit.place, hit.entry.number, hit.summary.after_exclusions[0]) == (0, 1, 1.0)
    assert [(place, entry.number) for place, entry in found.own] == [(0, 2)]


def test_that_own_work_of_another_year_is_a_hit_beside_that_of_this_year(library, class_of_three):
    own, other, *_ = class_of_three
    add(library, own, tags="year=2024")
    add(library, own, tags="year=2025")
    found = search(library, checked(own, other))
    assert [hit.entry.tags for hit in found.hits] == [(("year", "2024"),)]
    assert [entry.tags for _place, entry in found.own] == [(("year", "2025"),)]


def test_that_only_entries_with_the_tags_of_the_class_are_its_own(library, class_of_three):
    own, other, *_ = class_of_three
    add(library, own, tags="year=2024")
    found = search(library, checked(own, other), tags=[Tag("year", "2025")])
    assert ([hit.entry.number for hit in found.hits], found.own) == ([1], ())


def test_that_equal_files_are_as_many_entries_of_the_class_as_it_has(library, class_of_three):
    own, other, *_ = class_of_three
    add(library, own, own, own)
    check = checked(in_folder(own, "a"), in_folder(own, "b"), other)
    found = search(library, check)
    assert [(place, entry.number) for place, entry in found.own] == [(0, 3), (1, 2)]
    assert [(hit.place, hit.entry.number) for hit in found.hits] == [(0, 1), (1, 1)]


def test_that_text_common_to_the_class_is_no_hit(library):
    stories = unrelated_essays(7, SENTENCES)
    add(library, essay(*COVER, *stories[6], name="2024.txt"))
    handed_in = [
        essay(*COVER, *story, name=f"学生{number}.txt") for number, story in enumerate(stories[:6], 1)
    ]
    check = checked(*handed_in)
    assert check.school.common
    assert search(library, check).hits == ()
    kept = checked(*handed_in, settings=ComparisonSettings(exclude_common=False))
    assert [hit.place for hit in search(library, kept).hits] == list(range(6))


def test_that_the_best_entries_are_compared(library, class_of_three):
    *handed_in, past = class_of_three
    for year in range(2020, 2025):
        add(library, past, *handed_in, tags=f"year={year}")
    found = search(library, checked(*handed_in), most=2)
    assert [hit.place for hit in found.hits] == [0, 0, 1, 1, 2, 2]
    assert {entry.tags for _place, entry in found.own} == {(("year", "2024"),)}


def test_that_a_search_can_be_stopped(library, class_of_three):
    *handed_in, past = class_of_three
    add(library, past)
    stop = Event()
    stop.set()
    with pytest.raises(Cancelled):
        search_class(library, checked(*handed_in), no_tick, stop)


def test_that_an_empty_library_has_no_hits(library, class_of_three):
    found = search(library, checked(*class_of_three))
    assert found == ClassHits((), (), (), 10)
