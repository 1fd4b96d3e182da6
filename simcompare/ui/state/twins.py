"""Documents that are the same as others of the list."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from simcompare.ui.state.entry import Entry


class Sameness(Enum):
    """How much two documents are the same: byte for byte, or in their text alone."""

    FILE = "file"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Twin:
    """The first document that another one is the same as, byte for byte or in its text alone."""

    key: int
    same_file: bool


def sameness(one: Entry, other: Entry) -> Sameness | None:
    """Return how two documents are the same, None where they are not; what was pasted is no file."""
    if one.document is None or other.document is None:
        return None
    if one.document.sha256 == other.document.sha256 and one.pasted is None and other.pasted is None:
        return Sameness.FILE
    return Sameness.TEXT if one.essence == other.essence else None


def twins_of(entries: Iterable[Entry]) -> dict[int, Twin]:
    """Return, by key, for every document the first one before it that is the same."""
    twins: dict[int, Twin] = {}
    files: dict[str, Entry] = {}
    texts: dict[bytes, Entry] = {}
    for entry in entries:
        document, essence = entry.document, entry.essence
        if document is None or essence is None:
            continue
        first = files.setdefault(document.sha256, entry)
        first = first if first is not entry else texts.get(essence, entry)
        if first is not entry:
            twins[entry.key] = Twin(first.key, same_file=sameness(first, entry) is Sameness.FILE)
        texts.setdefault(essence, entry)
    return twins
