"""Listings for the window: groups by year, class and assignment, newest entries, entries of files."""

from datetime import date

from simcompare.library.entries import (
    entries_of_files,
    entries_of_group,
    entry_groups,
    newest_entries,
    retain,
)
from tests.library.essays import add, essays

TODAY = date(2026, 7, 1)


def test_that_groups_count_the_entries_of_a_year_class_and_assignment(library):
    first, second, third, fourth = essays(4)
    add(library, first, second, tags="year=2024 class=3 assignment=home")
    add(library, third, tags="year=2025 class=3 student=Li")
    add(library, fourth)
    groups = entry_groups(library, TODAY)
    assert [(group.values, group.entries) for group in groups] == [
        (("", "", ""), 1),
        (("2025", "3", ""), 1),
        (("2024", "3", "home"), 2),
    ], "the group with the latest entry first"
    assert groups[2].units == first.prepared.unit_count + second.prepared.unit_count


def test_that_groups_have_the_last_days_of_their_entries(library):
    first, second, third, fourth = essays(4)
    (past, later) = add(library, first, second, tags="year=2024 until=2025-07-31")
    add(library, third, tags="year=2024")
    add(library, fourth, tags="year=2025")
    retain(library, [later], [], date(2027, 7, 31))
    undated, dated = entry_groups(library, TODAY)
    assert (undated.first_last_day, undated.dated, undated.expired) == (None, 0, 0)
    assert (dated.first_last_day, dated.final_last_day) == ("2025-07-31", "2027-07-31")
    assert (dated.entries, dated.dated, dated.expired) == (3, 2, 1)
    assert entry_groups(library, date(2025, 7, 31))[1].expired == 0, "it may be kept on that day"
    assert entries_of_group(library, dated) == [past, later, later + 1]


def test_that_the_newest_entries_of_a_group_are_listed(library):
    first, second, third, fourth = essays(4)
    add(library, first, second, third, tags="year=2024")
    add(library, fourth)
    untagged, tagged = entry_groups(library, TODAY)
    assert [entry.name for entry in newest_entries(library, tagged, 2)] == ["essay-3.txt", "essay-2.txt"]
    assert [entry.name for entry in newest_entries(library, untagged, 9)] == ["essay-4.txt"]
    assert len(newest_entries(library, None, 9)) == 4


def test_that_entries_are_found_by_file_and_name(library):
    first, second = essays(2)
    (one,) = add(library, first, tags="class=3")
    (again,) = add(library, first, tags="class=4")
    add(library, second)
    digest = first.document.sha256
    assert entries_of_files(library, {digest: ["essay-1.txt"]}) == {one, again}
    assert entries_of_files(library, {digest: ["other.txt"]}) == set()
    assert entries_of_files(library, {}) == set()
