"""Words of the library page: groups, entries, hits, and what was added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simcompare.comparison.explanation import units_in_words
from simcompare.library.library_errors import (
    ConnectionLostError,
    LibraryAddressError,
    ServerAccessError,
    ServerDriverMissingError,
)
from simcompare.library.tags import STUDENT
from simcompare.model.errors import SimcompareError
from simcompare.report.entry_words import entry_name, tag_values, tags_in_words
from simcompare.report.wording import first_of, listed
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, joined_items, joined_sentences, ngettext
from simcompare.ui.state.library.additions import AdditionReceipt

if TYPE_CHECKING:
    from simcompare.library.entries import EntryGroup, StoredEntry
    from simcompare.library.transfer import ImportSummary

NO_VALUE = "–"
_MOST_NAMES = 3
_WORDS_OF_ERRORS = {
    ConnectionLostError: N_(
        "The connection to the library {path} was lost. Try again; what is stored is not stored twice."
    ),
    ServerAccessError: N_("The server does not open the library {path}: {cause}."),
    ServerDriverMissingError: N_(
        "This edition of simcompare cannot use a library on a server. Open a file, or ask whoever installed "
        "it for the edition for PostgreSQL."
    ),
    LibraryAddressError: N_("The address cannot be used: {cause}."),
}


def aside_in_words(others: Sequence[str], proposed: Sequence[str]) -> str:
    """Return which files of the class are not added, by name; `proposed` are those that may be templates."""
    sentences = []
    if others:
        sentences.append(
            ngettext(
                "{count} other file is not added: {names}.",
                "{count} other files are not added: {names}.",
                len(others),
                names=joined_items(first_of(others, _MOST_NAMES)),
            )
        )
    if proposed:
        sentences.append(
            ngettext(
                "{names} may be a template and is not added. If it is an essay, right-click it in the list "
                "and choose “Use as”.",
                "{names} may be templates and are not added. If they are essays, right-click them in the "
                "list and choose “Use as”.",
                len(proposed),
                names=joined_items(first_of(proposed, _MOST_NAMES)),
            )
        )
    return joined_sentences(sentences)


def tag_of(entry: StoredEntry, name: str) -> str:
    """Return the values of a tag; "" without one."""
    return tag_values(entry.named.tags, name)


def class_of(entry: StoredEntry) -> str:
    """Return "2025 · 3 · Homework 2": year, class and assignment of an entry."""
    tags = (tag_of(entry, name) for name in ("year", "class", "assignment"))
    return " · ".join(filter(None, tags)) or NO_VALUE


def group_in_words(group: EntryGroup) -> str:
    """Return "2025 · 3 · Homework 2", or what is said of essays without these tags."""
    return " · ".join(filter(None, group.values)) or _("the essays without a class")


def essays_in_words(count: int) -> str:
    """Return "12 essays"."""
    return ngettext("{count} essay", "{count} essays", count)


def entry_details(entry: StoredEntry) -> str:
    """Return the details beside the table: student, file, title, size, all other tags."""
    size = units_in_words(entry.unit_count, is_chinese=entry.language == "zh")
    title = entry.title if entry.title not in entry.name else ""
    tags = tags_in_words(tag for tag in entry.named.tags if tag[0] != STUDENT)
    number, student = _("entry {number}").format(number=entry.entry), tag_of(entry, STUDENT)
    return " · ".join(filter(None, [student, display_name(entry.name), title, size, tags, number]))


def entries_in_words(entries: Sequence[StoredEntry]) -> str:
    """Return the name of one entry, or the number of several."""
    return entry_name(entries[0].named) if len(entries) == 1 else essays_in_words(len(entries))


def error_in_words(error: SimcompareError) -> str:
    """Return an error as the window can say it: without commands, their options and their environment."""
    for kind, words in _WORDS_OF_ERRORS.items():
        if isinstance(error, kind):
            shown = {name: _(value) if name == "cause" else value for name, value in error.values.items()}
            return _(words).format(**shown)
    return str(error)


def _known_in_words(count: int) -> str:
    return ngettext("{count} already in the library", "{count} already in the library", count)


def receipt_in_words(receipt: AdditionReceipt) -> str:
    """Return how many documents were added, and how many were not and why."""
    parts = [ngettext("{count} essay added", "{count} essays added", receipt.added)]
    if receipt.known:
        parts.append(_known_in_words(receipt.known))
    if receipt.failed:
        parts.append(ngettext("{count} not added", "{count} not added", len(receipt.failed)))
    words = _("Library: {additions}.").format(additions=listed(parts))
    if receipt.was_cancelled:
        rest = _("You stopped it; add the same again to continue.")
        words = joined_sentences([words, rest])
    return words


def import_in_words(summary: ImportSummary) -> str:
    """Return how many essays were imported, and how many the library had."""
    parts = [ngettext("{count} essay imported", "{count} essays imported", summary.added)]
    if summary.known:
        parts.append(_known_in_words(summary.known))
    return _("Library: {additions}.").format(additions=listed(parts))


def receipt_lines(receipt: AdditionReceipt) -> list[str]:
    """Return a line for each document that was not added, and for each without a known student."""
    unnamed = _("{name}: no student is known, so names in its text stay")
    return [*map(str, receipt.failed), *(unnamed.format(name=display_name(name)) for name in receipt.unnamed)]
