"""Listings for the window: groups by year, class and assignment, newest entries, entries of files."""

from simcompare.library.listing import entries_of_files, entry_groups, newest_entries
from tests.library.essays import add, essays


def test_that_groups_count_the_entries_of_a_year_class_and_assignment(library):
    first, second, third, fourth = essays(4)
    add(library, first, second, tags="year=2024 class=3 assignment=home")
    add(library, third, tags="year=2025 class=3 student=Li")
    add(library, fourth)
    groups = entry_groups(library)
    assert [(group.values, group.entries) for group in groups] == [
        (("", "", ""), 1),
        (("2025", "3", ""), 1),
        (("2024", "3", "home"), 2),
    ], "the group with the latest entry first"
    assert groups[2].units == first.prepared.unit_count + second.prepared.unit_count


def test_that_the_newest_entries_of_a_group_are_listed(library):
    first, second, third, fourth = essays(4)
    add(library, first, second, third, tags="year=2024")
    add(library, fourth)
    untagged, tagged = entry_groups(library)
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
