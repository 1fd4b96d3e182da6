"""What the window asks of a library, answered in the thread that reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from simcompare.library.tags import STUDENT, UNTIL, make_tag
from simcompare.ui.state.library.open_access import LibraryAccess

if TYPE_CHECKING:
    from simcompare.library.entries import EntryGroup, LibraryFigures, StoredEntry
    from simcompare.library.removing import RemovalProtocol
    from simcompare.library.search.search import LibraryHit
    from simcompare.model.document import Document

# ruff: noqa: PLC0415 - these load the database toolkit

MOST_LISTED = 5_000
"""Entries that are listed of one group; the newest ones."""
Contents = tuple["Sequence[EntryGroup]", "LibraryFigures", "Sequence[StoredEntry]"]
"""All groups, the size of the library, and the entries of one group or of all."""


def contents(group: EntryGroup | None, access: LibraryAccess) -> Contents:
    """List the groups, and the newest entries of one of them."""
    from simcompare.library.entries import entry_groups, library_figures, newest_entries

    library = access.library()
    groups = entry_groups(library, _today())
    return groups, library_figures(library), newest_entries(library, group, MOST_LISTED)


def removed(ids: Collection[int], access: LibraryAccess) -> RemovalProtocol:
    """Remove entries for good."""
    from simcompare.library.removing import remove_entries

    return remove_entries(access.library(), ids)


def retained(group: EntryGroup, until: date | None, access: LibraryAccess) -> Sequence[StoredEntry]:
    """Set or remove the last day of all entries of a group."""
    from simcompare.library.entries import change_tags, entries_of_group, retain

    library = access.library()
    entries = entries_of_group(library, group)
    if not entries:  # another program removed them
        return []
    if until is None:
        return change_tags(library, entries, [], removed_names=[UNTIL])
    return retain(library, entries, [], until)


def expired(access: LibraryAccess) -> Sequence[StoredEntry]:
    """Return the entries past their last day."""
    from simcompare.library.removing import expired_entries

    return expired_entries(access.library(), _today())


def _today() -> date:
    return datetime.now().astimezone().date()


def entries_of_student(student: str, access: LibraryAccess) -> Sequence[StoredEntry]:
    """Return all entries of a student."""
    from simcompare.library.entries import list_entries

    return list_entries(access.library(), [make_tag(STUDENT, student)])


def restored(entry: int, access: LibraryAccess) -> Document:
    """Restore the document of an entry."""
    from simcompare.library.entries import restored_document

    library = access.library()
    with library.reading() as connection:
        return restored_document(library, connection, entry)


def hits_of_sentence(sentence: str, access: LibraryAccess) -> Sequence[LibraryHit]:
    """Search the entries that have a sentence."""
    from simcompare.library.search.search import LibrarySearch

    return LibrarySearch(access.library()).search_sentence(sentence)
