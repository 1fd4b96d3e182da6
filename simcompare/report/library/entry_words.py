"""Entries of a library in words, and what a library has of a class.

Loads no database, unlike the other modules of this package, as every report of a class needs it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from simcompare.cohort.class_check import ClassHit, ClassHits, NamedEntry
from simcompare.report.wording import detailed, enumerated, first_of, listed, named
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _, ngettext
from simcompare.support.percentages import percent

DATE_CHARACTERS = 10
_UNNAMED_TAGS = frozenset({"student", "until"})
"""Tags that do not tell with which class an entry was added."""
_MOST_RUNS = 3


def entry_in_words(entry: NamedEntry) -> str:
    """Return "essay.txt (entry 12; added 2026-11-23; class=3)", without a name "entry 12 (...)"."""
    number = _("entry {number}").format(number=entry.number)
    facts = [
        _("added {date}").format(date=entry.added_at[:DATE_CHARACTERS]),
        *(f"{name}={value}" for name, value in entry.tags),
    ]
    if not entry.name:
        return detailed(number, listed(facts))
    return detailed(display_name(entry.name), listed([number, *facts]))


def values_by_name(tags: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the values of tags by their names, for JSON."""
    values: dict[str, list[str]] = {}
    for name, value in tags:
        values.setdefault(name, []).append(value)
    return values


def hits_in_words(hits: ClassHits, least: float) -> str:
    """Return how many essays share at least `least` with entries, and what is not listed, in sentences."""
    shown = hits.above(least).hits
    limit, essays = percent(least), len({hit.place for hit in shown})
    found = ngettext(
        "{count} essay shares {limit} or more with an entry of the library.",
        "{count} essays share {limit} or more with entries of the library.",
        essays,
        limit=limit,
    )
    nothing = _("No essay shares {limit} or more with an entry of the library.").format(limit=limit)
    smaller = len(hits.hits) - len(shown)
    rest = ngettext(
        "{count} smaller match is not listed.", "{count} smaller matches are not listed.", smaller
    )
    sentences = [found if shown else nothing, rest if smaller else "", _cut_in_words(hits, shown)]
    return " ".join(filter(None, [*sentences, _own_in_words(hits)]))


def _cut_in_words(hits: ClassHits, shown: Sequence[ClassHit]) -> str:
    """Return for how many essays all entries that were compared are listed; "" for none."""
    counts = Counter(hit.place for hit in shown)
    cut = sum(count == hits.top for count in counts.values())
    words = ngettext(
        "Further entries may share as much with {count} essay, as only the best {top} were compared.",
        "Further entries may share as much with {count} essays, as only the best {top} were compared.",
        cut,
        top=hits.top,
    )
    return words if cut else ""


def _own_in_words(hits: ClassHits) -> str:
    """Return how many essays are entries themselves, with the tags they were added with; "" for none."""
    if not hits.own:
        return ""
    runs = Counter(
        enumerated(f"{name}={value}" for name, value in entry.tags if name not in _UNNAMED_TAGS)
        for _place, entry in hits.own
    )
    tags = [named(tags, f"{count:,}") for tags, count in runs.most_common() if tags]
    return ngettext(
        "{count} essay is an entry of the library itself{tags}.",
        "{count} essays are entries of the library themselves{tags}.",
        len(hits.own),
        tags=detailed("", listed(first_of(tags, _MOST_RUNS))) if tags else "",
    )
