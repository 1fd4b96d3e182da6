"""What a library has of a class, for the web page, the PDF and the workbook of a class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simcompare.cohort.class_check import ClassCheck, ClassHit, NamedEntry
from simcompare.report.class_report.class_sentences import left_out_in_words
from simcompare.report.class_report.student_rows import ClassLabels
from simcompare.report.cohort.cohort_rows import (
    ColumnKind,
    Field,
    count_in_words,
    figure_column,
    filled,
    reason_not_compared,
)
from simcompare.report.cohort.workbook import add_table
from simcompare.report.entry_words import (
    also_in_words,
    day,
    entry_in_words,
    hits_in_words,
    tags_in_words,
)
from simcompare.report.wording import NO_NUMBER, named
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import _

_NAMED_COLUMNS, _SHARE_COLUMNS = 2, (2, 3)


@dataclass(frozen=True, slots=True)
class HitView:
    """An essay and an entry of the library, with shares in words, and a bar of 0 to 100 for the essay."""

    essay: str
    entry: str
    share: str
    bar: float
    entry_share: str
    longest: str


@dataclass(frozen=True, slots=True)
class LibraryView:
    """Result in a sentence, the hits, how many are left out, and the entries that were not compared."""

    result: str
    hits: Sequence[HitView]
    left_out: str
    failed: Sequence[str]


def library_view(check: ClassCheck, labels: ClassLabels, most: int) -> LibraryView | None:
    """Return the section with at most `most` unusual hits, or None if no library was searched."""
    if check.library_hits is None:
        return None
    hits = check.library_hits.above(check.limit).hits
    return LibraryView(
        escape_invisible(hits_in_words(check.library_hits, check.limit)),
        [_hit_view(labels, hit) for hit in hits[:most]],
        left_out_in_words(len(hits), most),
        [
            named(f"{labels.document(place)} – {_entry(entry)}", reason_not_compared(cause))
            for place, entry, cause in check.library_hits.failed
        ],
    )


def _hit_view(labels: ClassLabels, hit: ClassHit) -> HitView:
    share, entry_share = hit.summary.after_exclusions
    words = [NO_NUMBER if each is None else percent(each) for each in (share, entry_share)]
    longest = count_in_words(hit.summary.longest_passage_units)
    longest = " · ".join(filter(None, [longest, also_in_words(hit.summary, hit.facts)]))
    essay, entry = labels.document(hit.place), _entry(hit.entry)
    return HitView(essay, entry, words[0], 100 * (share or 0.0), words[1], longest)


def _entry(entry: NamedEntry) -> str:
    return escape_invisible(entry_in_words(entry))


def add_library_hits(book: Any, check: ClassCheck, least: float) -> None:
    """Add the sheet of the hits with at least the share `least`, if a library was searched."""
    if check.library_hits is None:
        return
    hits, labels = check.library_hits.above(least), ClassLabels(check)
    fields: list[Field[ClassHit]] = [
        (_("Essay"), ColumnKind.TEXT, lambda hit: labels.document(hit.place)),
        (_("Entry of the library"), ColumnKind.TEXT, lambda hit: escape_invisible(hit.entry.name)),
        (_("Share of the essay"), ColumnKind.PERCENTAGE, lambda hit: hit.summary.after_exclusions[0]),
        (_("Share of the entry"), ColumnKind.PERCENTAGE, lambda hit: hit.summary.after_exclusions[1]),
        (*figure_column("longest_passage_units"), lambda hit: hit.summary.longest_passage_units),
        (*figure_column("rewritten_units"), lambda hit: hit.summary.rewritten_units),
        (_("Number of the entry"), ColumnKind.COUNT, lambda hit: hit.entry.number),
        (_("Added"), ColumnKind.TEXT, lambda hit: day(hit.entry.added_at)),
        (_("Tags"), ColumnKind.TEXT, lambda hit: escape_invisible(tags_in_words(hit.entry.tags))),
    ]
    if not hits.by_meaning:
        del fields[5]
    add_table(book, _("Library"), *filled(fields, hits.hits), _NAMED_COLUMNS, _SHARE_COLUMNS)
