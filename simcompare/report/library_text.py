"""Results of the library as text for a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simcompare.comparison.explanation import units_in_words
from simcompare.library.changes import CheckedLibrary, Fault, FaultKind, RemovalProtocol
from simcompare.library.entries import LibraryFigures, StoredEntry
from simcompare.library.search.search import LibraryHit
from simcompare.library.transfer import ImportSummary
from simcompare.model.errors import SimcompareError
from simcompare.report.entry_words import (
    also_in_words,
    entry_in_words,
    hit_as_dict,
    local_time,
    tags_in_words,
    values_by_name,
)
from simcompare.report.wording import detailed, listed, named, quoted, size_in_words
from simcompare.support.display_text import (
    day_in_words,
    display_name,
    escape_invisible,
    moment_in_words,
    percent,
)
from simcompare.support.i18n import N_, _, ngettext

_RESTORE = N_("The file is damaged ({detail}). Restore an earlier copy of it.")
_REBUILD = N_("Export the library and import it into a new one, which makes the index again.")
_SENTENCES: Mapping[FaultKind, tuple[str, str]] = {
    FaultKind.DATABASE: (_RESTORE, ""),
    FaultKind.STATE: (N_("The record of changes is lost."), _REBUILD),
    FaultKind.ORPHANS: (N_("There is data that belongs to no entry ({detail})."), _REBUILD),
    FaultKind.FINGERPRINT: (N_("Entry {entry} has no fingerprint, so it may not be found."), _REBUILD),
    FaultKind.TERMS: (
        N_("Entry {entry} is not in the index as it should be ({detail}), so it may not be found."),
        _REBUILD,
    ),
    FaultKind.TEXT: (
        N_("The text of entry {entry} is damaged. Remove the entry, and add its file again."),
        "",
    ),
}


def checked_as_text(checked: CheckedLibrary) -> str:
    """Return a sentence for each fault with what to do, or that nothing is wrong."""
    if not checked.faults:
        sound = ngettext(
            "{count} entry checked: nothing is wrong",
            "{count} entries checked: nothing is wrong",
            checked.entries,
        )
        return f"{sound}\n"
    lines = [_fault(fault) for fault in checked.faults]
    remedies = dict.fromkeys(_SENTENCES[fault.kind][1] for fault in checked.faults)
    return "".join(f"{line}\n" for line in [*lines, *map(_, filter(None, remedies))])


def _fault(fault: Fault) -> str:
    words = _(_SENTENCES[fault.kind][0])
    return words.format(entry=fault.entry, detail=escape_invisible(_(fault.detail) if fault.detail else ""))


def checked_as_dict(checked: CheckedLibrary) -> dict[str, Any]:
    """Return the result as JSON values."""
    faults = [
        {"kind": str(fault.kind), "entry": fault.entry, "detail": fault.detail} for fault in checked.faults
    ]
    return {"format": FORMAT, "version": VERSION, "checked": checked.entries, "faults": faults}


FORMAT, VERSION = "simcompare-library", 1

SearchedText = tuple[str, "Sequence[LibraryHit] | SimcompareError"]
"""Path of a file or the text of a sentence, and the entries found, or why it was not searched."""


def search_as_dict(searched: Iterable[SearchedText]) -> dict[str, Any]:
    """Return the hits of several texts, best first; a text that was not searched has an "error" instead."""
    return _framed("searched", list(map(_searched, searched)))


def entries_as_dict(entries: Iterable[StoredEntry]) -> dict[str, Any]:
    return _framed("entries", list(map(_entry, entries)))


def changes_as_dict(entries: Iterable[StoredEntry]) -> dict[str, Any]:
    """Return the entries whose tags were changed."""
    return _framed("changed", list(map(_entry, entries)))


def protocol_as_dict(protocol: RemovalProtocol) -> dict[str, Any]:
    """Return the protocol of a removal: its entries, and when."""
    return _framed("removed", list(map(_entry, protocol.entries))) | {"removed_at": protocol.removed_at}


def figures_as_dict(figures: LibraryFigures, expired: int) -> dict[str, Any]:
    """Return the size of a library; expired: number of entries whose last day has passed."""
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
    return {"text": text, "hits": list(map(_hit_json, result))}


def _hit_json(hit: LibraryHit) -> dict[str, Any]:
    library = {"library": hit.library} if hit.library else {}
    return library | {
        "entry": _entry(hit.entry),
        **hit_as_dict(hit.summary, hit.facts),
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


def hits_as_text(name: str, hits: Sequence[LibraryHit], most: int) -> str:
    """Return the entries found for a text: a line with the number, then two lines for each.

    most: number of texts that were compared; if all of them share text, a last line says how to compare
    more.
    """
    count = ngettext(
        "{count} entry of the library shares text with it",
        "{count} entries of the library share text with it",
        len(hits),
    )
    lines = [named(display_name(name), count if hits else _("nothing like it is in the library"))]
    for hit in hits:
        excerpt = [f"    {quoted(display_name(hit.excerpt))}"] if hit.excerpt else []
        lines += [f"  {_hit_line(hit)}", *excerpt]
    if len({hit.same_text for hit in hits}) >= most:
        words = _("Other entries may share text with it, too; --top {more} compares more of them.")
        lines.append(f"  {words.format(more=2 * most)}")
    return _joined(lines)


def _hit_line(hit: LibraryHit) -> str:
    words = _("{share} of it, {entry_share} of {entry}; longest passage: {units}")
    share, entry_share = ("–" if each is None else percent(each) for each in hit.summary.after_exclusions)
    entry, is_chinese = entry_in_words(hit.entry.named), hit.entry.language == "zh"
    units = units_in_words(hit.summary.longest_passage_units, is_chinese=is_chinese)
    sentence = words.format(share=share, entry_share=entry_share, entry=entry, units=units)
    same_file = _("the same file") if hit.is_same_file else ""
    facts = list(
        filter(
            None,
            [also_in_words(hit.summary, hit.facts, is_chinese=is_chinese), hit.library, same_file],
        )
    )
    return detailed(sentence, listed(facts)) if facts else sentence


def entries_as_text(entries: Iterable[StoredEntry]) -> str:
    """Return a line for each entry: number, units, date, name, tags."""
    return _joined(
        f"{entry.entry:>7}  {entry.unit_count:>7,}  {local_time(entry.added_at).date()}  "
        f"{display_name(entry.name)}  {tags_in_words(entry.named.tags)}".rstrip()
        for entry in entries
    )


def protocol_as_text(protocol: RemovalProtocol) -> str:
    """Return the protocol of a removal: a line with number and time, then one for each entry."""
    count = ngettext(
        "{count} entry was removed with its text, fingerprints, tags and places in the index ({time})",
        "{count} entries were removed with their texts, fingerprints, tags and places in the index ({time})",
        len(protocol.entries),
        time=moment_in_words(local_time(protocol.removed_at)),
    )
    if not protocol.entries:
        return _joined([_("No entry fits, so nothing was removed.")])
    return _joined([count, *(f"  {entry_in_words(entry.named)}" for entry in protocol.entries)])


def figures_as_text(figures: LibraryFigures, expired: int) -> str:
    """Return the size of a library, and the number of entries with each tag and past their last day."""
    entries = ngettext("{count} entry", "{count} entries", figures.entries)
    units = _("{count} characters or words").format(count=f"{figures.units:,}")
    lines = [listed([entries, units, size_in_words(figures.size_bytes)])]
    if figures.first_added_at is not None and figures.last_added_at is not None:
        words = _("added from {first} to {last}")
        times = figures.first_added_at, figures.last_added_at
        first, last = (day_in_words(local_time(time)) for time in times)
        lines.append(words.format(first=first, last=last))
    if figures.students:
        lines.append(ngettext("{count} student", "{count} students", figures.students))
    lines += [f"  {tags_in_words([(tag.name, tag.value)])} – {count:,}" for tag, count in figures.tag_counts]
    if expired:
        words = ngettext(
            "The last day of {count} entry has passed; “simcompare library remove --expired” removes it.",
            "The last day of {count} entries has passed; “simcompare library remove --expired” removes them.",
            expired,
        )
        lines.append(words)
    return _joined(lines)


def changes_as_text(entries: Sequence[StoredEntry]) -> str:
    """Return the entries whose tags were changed: a line with their number, then one for each entry."""
    count = ngettext(
        "The tags of {count} entry were set", "The tags of {count} entries were set", len(entries)
    )
    if not entries:
        return _joined([_("No entry fits, so nothing was changed.")])
    return _joined([count, *(f"  {entry_in_words(entry.named)}" for entry in entries)])


def additions_in_words(added: int, known: int, failed: int) -> str:
    """Return how many documents were added, and how many were not."""
    parts = [ngettext("{count} document added", "{count} documents added", added)]
    if known:
        parts.append(ngettext("{count} file known already", "{count} files known already", known))
    if failed:
        parts.append(ngettext("{count} file not read", "{count} files not read", failed))
    return listed(parts)


def import_in_words(summary: ImportSummary) -> str:
    """Return how many entries were imported, and how many were known."""
    parts = [ngettext("{count} entry imported", "{count} entries imported", summary.added)]
    if summary.known:
        parts.append(ngettext("{count} entry known already", "{count} entries known already", summary.known))
    return listed(parts)


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
