"""Documents that are the same as one before them in the list."""

from collections.abc import Iterable
from dataclasses import dataclass

from simcompare.ui.state.entry import Entry


@dataclass(frozen=True, slots=True)
class Twin:
    """The first document that another one is the same as, byte for byte or in its text alone."""

    key: int
    same_file: bool


def twins_of(entries: Iterable[Entry]) -> dict[int, Twin]:
    """Return, by key, for every document the first one before it that is the same."""
    twins: dict[int, Twin] = {}
    files: dict[str, int] = {}
    texts: dict[bytes, int] = {}
    for entry in entries:
        document, essence = entry.document, entry.essence
        if document is None or essence is None:
            continue
        sha256 = document.sha256
        if sha256 in files:
            twins[entry.key] = Twin(files[sha256], same_file=entry.pasted is None)
        elif essence in texts:
            twins[entry.key] = Twin(texts[essence], same_file=False)
        files.setdefault(sha256, entry.key)
        texts.setdefault(essence, entry.key)
    return twins
