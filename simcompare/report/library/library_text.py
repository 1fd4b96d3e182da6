"""Results of the library as text for a terminal."""

from collections.abc import Iterable, Sequence

from simcompare.library.entries import LibraryFigures, StoredEntry
from simcompare.library.removing import RemovalProtocol
from simcompare.library.search.search import LibraryHit
from simcompare.library.transfer.importing import ImportSummary
from simcompare.report.library.entry_words import day, entry_in_words, moment_in_words, tags_in_words
from simcompare.report.wording import detailed, listed, named, quoted, size_in_words
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _, ngettext
from simcompare.support.percentages import percent


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
        lines += [f"  {_hit(hit)}", f"    {quoted(display_name(hit.excerpt))}"]
    if len({hit.same_text for hit in hits}) == most:
        words = _("Other entries may share text with it, too; --top {more} compares more of them.")
        lines.append(f"  {words.format(more=2 * most)}")
    return _joined(lines)


def _hit(hit: LibraryHit) -> str:
    words = _("{share} of it, {entry_share} of {entry}; longest passage: {units} characters or words")
    sentence = words.format(
        share=_share(hit.share),
        entry_share=_share(hit.entry_share),
        entry=entry_in_words(hit.entry.named),
        units=f"{hit.longest_passage_units:,}",
    )
    facts = [*([hit.library] if hit.library else []), *([_("the same file")] if hit.is_same_file else [])]
    return detailed(sentence, listed(facts)) if facts else sentence


def _share(share: float | None) -> str:
    return "–" if share is None else percent(share)


def entries_as_text(entries: Iterable[StoredEntry]) -> str:
    """Return a line for each entry: number, units, date, name, tags."""
    return _joined(
        f"{entry.entry:>7}  {entry.unit_count:>7,}  {day(entry.added_at)}  "
        f"{display_name(entry.name)}  {tags_in_words(entry.named.tags)}".rstrip()
        for entry in entries
    )


def protocol_as_text(protocol: RemovalProtocol) -> str:
    """Return the protocol of a removal: a line with number and time, then one for each entry."""
    count = ngettext(
        "{count} entry was removed with its text, fingerprints, tags and places in the index ({time})",
        "{count} entries were removed with their texts, fingerprints, tags and places in the index ({time})",
        len(protocol.entries),
        time=moment_in_words(protocol.removed_at),
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
        lines.append(words.format(first=day(figures.first_added_at), last=day(figures.last_added_at)))
    if figures.students:
        lines.append(ngettext("{count} student", "{count} students", figures.students))
    lines += [f"  {tags_in_words([(tag.name, tag.value)])} – {count:,}" for tag, count in figures.tag_counts]
    if expired:
        words = ngettext(
            "The last day of {count} entry is over; “simcompare library remove --expired” removes it.",
            "The last day of {count} entries is over; “simcompare library remove --expired” removes them.",
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
