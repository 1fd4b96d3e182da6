"""Change the tags of entries, among them the date until which an entry may be kept."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from sqlalchemy import Connection, delete, insert

from simcompare.library.entries import VALUES_AT_ONCE, StoredEntry, chosen_entries, tagged_entries
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import TAGS
from simcompare.library.tags import UNTIL, Tag, make_tag


def change_tags(
    library: Library,
    entries: Collection[int],
    tags: Sequence[Tag],
    given: Sequence[Tag] = (),
    removed_names: Collection[str] = (),
) -> list[StoredEntry]:
    """Change tags of the entries with these numbers, or of those that have all of `tags`; return them.

    Each tag of `given` replaces those of its name; tags with `removed_names` are removed. The tags of an
    entry are part of its submission: added again with the new ones it is known, with the former ones it is
    another submission. Raises NoSuchEntryError, LibraryError.
    """
    with library.writing() as connection:
        found = chosen_entries(connection, entries) if entries else tagged_entries(connection, tags)
        ids = [entry.entry for entry in found]
        _remove_names(connection, ids, {*removed_names, *(tag.name for tag in given)})
        rows = [
            {"entry": entry, "name": tag.name, "value": tag.value}
            for entry in ids
            for tag in dict.fromkeys(given)
        ]
        if rows:
            connection.execute(insert(TAGS), rows)
        return chosen_entries(connection, ids)


def retain(library: Library, entries: Collection[int], tags: Sequence[Tag], until: date) -> list[StoredEntry]:
    """Set the last day on which entries may be kept, chosen as in `change_tags`; return them.

    Nothing is removed on that day, but by `remove_expired` after it. Raises what `change_tags` raises.
    """
    return change_tags(library, entries, tags, [make_tag(UNTIL, until.isoformat())])


def _remove_names(connection: Connection, entries: Sequence[int], names: Iterable[str]) -> None:
    wanted = sorted(names)
    for first in range(0, len(entries) if wanted else 0, VALUES_AT_ONCE):
        part = TAGS.c.entry.in_(entries[first : first + VALUES_AT_ONCE])
        connection.execute(delete(TAGS).where(part, TAGS.c.name.in_(wanted)))
