"""Results of the library as JSON, for programs. Additions keep VERSION; any other change raises it."""

from collections.abc import Iterable, Sequence
from typing import Any

from simcompare.library.entries import LibraryFigures, StoredEntry
from simcompare.library.removing import RemovalProtocol
from simcompare.library.search.search import LibraryHit
from simcompare.model.errors import SimcompareError
from simcompare.report.library.entry_words import values_by_name

FORMAT, VERSION = "simcompare-library", 1

SearchedText = tuple[str, "Sequence[LibraryHit] | SimcompareError"]
"""Path of a file or the text of a sentence, and the entries found, or why it was not searched."""


def search_as_dict(searched: Iterable[SearchedText]) -> dict[str, Any]:
    """Return the hits of several texts, best first; a text that was not searched has an "error" instead."""
    return _framed("searched", list(map(_searched, searched)))


def entries_as_dict(entries: Iterable[StoredEntry]) -> dict[str, Any]:
    """Return a list of entries."""
    return _framed("entries", list(map(_entry, entries)))


def changes_as_dict(entries: Iterable[StoredEntry]) -> dict[str, Any]:
    """Return the entries whose tags were changed."""
    return _framed("changed", list(map(_entry, entries)))


def protocol_as_dict(protocol: RemovalProtocol) -> dict[str, Any]:
    """Return the protocol of a removal: its entries, and when."""
    return _framed("removed", list(map(_entry, protocol.entries))) | {"removed_at": protocol.removed_at}


def figures_as_dict(figures: LibraryFigures, expired: int) -> dict[str, Any]:
    """Return the size of a library; expired: number of entries whose last day is over."""
    counts = [{"name": tag.name, "value": tag.value, "entries": count} for tag, count in figures.tag_counts]
    return _framed("entries", figures.entries) | {
        "units": figures.units,
        "terms": figures.terms,
        "size_bytes": figures.size_bytes,
        "first_added_at": figures.first_added_at,
        "last_added_at": figures.last_added_at,
        "tags": counts,
        "students": figures.students,
        "expired": expired,
    }


def _framed(name: str, value: Any) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, name: value}


def _searched(searched: SearchedText) -> dict[str, Any]:
    text, result = searched
    if isinstance(result, SimcompareError):
        return {"text": text, "error": str(result)}
    return {"text": text, "hits": list(map(_hit, result))}


def _hit(hit: LibraryHit) -> dict[str, Any]:
    library = {"library": hit.library} if hit.library else {}
    return library | {
        "entry": _entry(hit.entry),
        "share": hit.share,
        "entry_share": hit.entry_share,
        "longest_passage_units": hit.longest_passage_units,
        "excerpt": hit.excerpt,
        "same_file": hit.is_same_file,
    }


def _entry(entry: StoredEntry) -> dict[str, Any]:
    return {
        "entry": entry.entry,
        "name": entry.name,
        "title": entry.title,
        "units": entry.unit_count,
        "language": entry.language,
        "added_at": entry.added_at,
        "tags": values_by_name(entry.named.tags),
    }
