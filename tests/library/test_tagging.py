"""Changing tags, and the last day on which entries may be kept."""

from datetime import date

import pytest

from simcompare.library.changes import expired_entries, remove_expired
from simcompare.library.entries import change_tags, library_figures, list_entries, retain
from simcompare.library.library_errors import NoSuchEntryError, RetentionDateError
from simcompare.library.search.search import LibrarySearch
from simcompare.library.tags import Tag, parsed_tag
from tests.library.essays import add, essays

YEAR_2025 = Tag("year", "2025")


def tags_of(library):
    return [" ".join(map(str, entry.tags)) for entry in list_entries(library)]


def test_that_a_tag_replaces_those_of_its_name(library):
    add(library, *essays(2), tags="class=3 class=4 year=2024")
    changed = change_tags(library, [2], [], [Tag("class", "5"), YEAR_2025])
    assert [entry.entry for entry in changed] == [2]
    assert tags_of(library) == ["class=3 class=4 year=2024", "class=5 year=2025"]


def test_that_tags_are_removed_of_all_entries_with_other_tags(library):
    first, second, third = essays(3)
    add(library, first, second, tags="class=3 year=2024")
    add(library, third, tags="class=4 year=2024")
    changed = change_tags(library, [], [Tag("class", "3")], removed_names=["year", "student"])
    assert [entry.entry for entry in changed] == [1, 2]
    assert tags_of(library) == ["class=3", "class=3", "class=4 year=2024"]
    assert change_tags(library, [], [Tag("class", "5")], [YEAR_2025]) == []


def test_that_nothing_is_changed_if_an_entry_is_missing(library):
    add(library, *essays(1))
    with pytest.raises(NoSuchEntryError, match="no entry 7"):
        change_tags(library, [1, 7], [], [YEAR_2025])
    assert tags_of(library) == [""]


def test_that_the_new_tags_are_those_of_the_submission_and_are_found(library):
    (own,) = essays(1)
    add(library, own, tags="class=3")
    change_tags(library, [1], [], [Tag("class", "4")])
    assert add(library, own, tags="class=4") == [None]
    assert add(library, own, tags="class=3") == [2]
    hits = LibrarySearch(library).search(own)
    assert [str(*hit.entry.tags) for hit in hits] == ["class=4", "class=3"]


def test_that_a_last_day_is_a_tag_that_makes_no_other_submission(library):
    documents = essays(2)
    add(library, *documents, tags="class=3")
    retain(library, [], [Tag("class", "3")], date(2027, 7, 31))
    retain(library, [2], [], date(2028, 7, 31))
    assert tags_of(library) == ["class=3 until=2027-07-31", "class=3 until=2028-07-31"]
    assert (Tag("until", "2028-07-31"), 1) in library_figures(library).tag_counts
    assert add(library, *documents, tags="class=3") == [None, None]
    assert add(library, *documents, tags="class=3 until=2030-01-01") == [None, None]


def test_that_entries_are_removed_after_their_last_day_and_only_if_asked(library):
    first, second, third = essays(3)
    add(library, first, tags="until=2026-07-31")
    add(library, second, tags="until=2026-07-31 until=2027-07-31")
    add(library, third)
    assert expired_entries(library, date(2026, 7, 31)) == []
    assert [entry.entry for entry in expired_entries(library, date(2026, 8, 1))] == [1]
    assert len(list_entries(library)) == 3
    protocol = remove_expired(library, date(2026, 8, 1))
    assert [(entry.entry, entry.name) for entry in protocol.entries] == [(1, "essay-1.txt")]
    assert [entry.entry for entry in list_entries(library)] == [2, 3]
    assert [entry.entry for entry in remove_expired(library, date(2027, 8, 1)).entries] == [2]
    assert remove_expired(library, date(9999, 12, 31)).entries == ()


@pytest.mark.parametrize("text", ["2026", "2026-02-30", "20260731", "soon", "2026-7-31", "２０２６-07-31"])
def test_that_a_last_day_is_a_date(text):
    with pytest.raises(RetentionDateError, match="is not a date"):
        parsed_tag(f"until={text}")
