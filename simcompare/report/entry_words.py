"""Entries of a library in words, and what a library has of a class.

Loads no database, unlike `library_text`, as every report of a class needs it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from simcompare.cohort.class_check import ClassHit, ClassHits, NamedEntry
from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.comparison.explanation import units_in_words
from simcompare.comparison.figures import PairSummary
from simcompare.library.tags import STUDENT, UNTIL
from simcompare.report.cohort.cohort_rows import mistakes_in_words
from simcompare.report.wording import detailed, first_of, listed, named
from simcompare.support.display_text import display_name, moment_in_words, percent
from simcompare.support.i18n import N_, _, joined_sentences, ngettext

_TAG_NAMES = {
    "year": N_("Year"),
    "class": N_("Class"),
    "assignment": N_("Assignment"),
    "student": N_("Student"),
    "until": N_("Keep until"),
}
_UNNAMED_TAGS = frozenset({STUDENT, UNTIL})
"""Tags that do not tell with which class an entry was added."""
_MOST_RUNS = 3


OPENED_FOLDER = "library"
"""First part of the path of an opened entry; its number, class, student if known, and file follow."""
_PARTS_WITH_STUDENT = 5


def stored_student(path: Path) -> str:
    """Return "张三 (2025 · 3)", the student and class of an opened entry, "" if the student is not known."""
    is_known = path.parts[:1] == (OPENED_FOLDER,) and len(path.parts) == _PARTS_WITH_STUDENT
    return detailed(path.parts[3], path.parts[2]) if is_known else ""


def entry_in_words(entry: NamedEntry) -> str:
    """Return "张三 (essay.txt · Class: 3 · entry 12 · added 23 May 2026, 14:05)", or "entry 12 (...)"."""
    number = _("entry {number}").format(number=entry.number)
    name, *files = [*filter(None, [tag_values(entry.tags, STUDENT), display_name(entry.name)]), number]
    tags = tags_in_words(tag for tag in entry.tags if tag[0] != STUDENT)
    added = _("added {date}").format(date=moment_in_words(local_time(entry.added_at)))
    return detailed(name, " · ".join(filter(None, [*files[:-1], tags, *files[-1:], added])))


def entry_name(entry: NamedEntry) -> str:
    """Return "张三 (essay.txt)", or the name of the file if the student is not stored."""
    student, file = tag_values(entry.tags, STUDENT), display_name(entry.name)
    return detailed(student, file) if student else file


def tag_values(tags: Iterable[tuple[str, str]], name: str) -> str:
    """Return the values of the tags of a name, "" without one."""
    return listed(value for each, value in tags if each == name)


def tags_in_words(tags: Iterable[tuple[str, str]]) -> str:
    """Return "Class: 3 · Student: 张三"."""
    return " · ".join(
        named(_(_TAG_NAMES[name]) if name in _TAG_NAMES else name, value) for name, value in tags
    )


def local_time(time: str) -> datetime:
    """Return a time (UTC in ISO 8601) in the time zone of the computer."""
    return datetime.fromisoformat(time).astimezone()


def values_by_name(tags: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the values of tags by their names, for JSON."""
    values: dict[str, list[str]] = {}
    for name, value in tags:
        values.setdefault(name, []).append(value)
    return values


def hit_as_dict(summary: PairSummary, facts: PairFacts) -> dict[str, Any]:
    """Return the figures and facts of an entry, the right text, as JSON values."""
    share, entry_share = summary.after_exclusions
    longest = summary.longest_passage_units
    figures = {"share": share, "entry_share": entry_share, "longest_passage_units": longest}
    rewritten = summary.rewritten_units
    also = {
        "possibly_rewritten_units": rewritten,
        "kinship": facts.kinship and asdict(facts.kinship),
        "shared_pictures": [
            {"kind": each.kind, "pictures": [each.left.number, each.right.number]} for each in facts.pictures
        ],
        "shared_mistakes": list(map(asdict, facts.mistakes)),
    }
    return figures | {name: value for name, value in also.items() if value}


def hits_in_words(hits: ClassHits, least: float) -> str:
    """Return how many essays share at least `least` with entries, and what is not listed, in sentences."""
    listed_hits = hits.above(least).hits
    shown = [hit for hit in listed_hits if hit.reaches(least)]
    limit, essays = percent(least), len({hit.place for hit in shown})
    found = ngettext(
        "{count} essay shares {limit} or more with an entry of the library.",
        "{count} essays share {limit} or more with entries of the library.",
        essays,
        limit=limit,
    )
    nothing = _("No essay shares {limit} or more with an entry of the library.").format(limit=limit)
    smaller = len(hits.hits) - len(listed_hits)
    rewritten = len({hit.place for hit in listed_hits if hit.summary.rewritten_units})
    by_meaning = ngettext(
        "{count} essay has passages that may have been rewritten from an entry; they do not count towards "
        "the share.",
        "{count} essays have passages that may have been rewritten from entries; they do not count towards "
        "the shares.",
        rewritten,
    )
    rest = ngettext(
        "{count} smaller match is not listed.", "{count} smaller matches are not listed.", smaller
    )
    also = len({hit.place for hit in listed_hits if hit.facts != NO_FACTS})
    in_common = ngettext(
        "{count} essay has pictures, editing ids or unusual references in common with an entry.",
        "{count} essays have pictures, editing ids or unusual references in common with entries.",
        also,
    )
    sentences = [
        found if shown else nothing,
        by_meaning if rewritten else "",
        in_common if also else "",
        rest if smaller else "",
    ]
    return joined_sentences(filter(None, [*sentences, _cut_in_words(hits, shown), _own_in_words(hits)]))


def also_in_words(summary: PairSummary, facts: PairFacts, *, is_chinese: bool) -> str:
    """Return how much of a text was possibly rewritten from an entry, and what else both have; may be ""."""
    units = units_in_words(summary.rewritten_units, is_chinese=is_chinese)
    words = _("possibly rewritten: {units}").format(units=units) if summary.rewritten_units else ""
    return " · ".join(filter(None, [words, shared_facts_in_words(facts)]))


def shared_facts_in_words(facts: PairFacts) -> str:
    """Return what a text and an entry have in common besides their wording, "" for nothing."""
    shared_ids = 0 if facts.kinship is None else facts.kinship.shared_ids
    pictures = len(facts.pictures)
    words = (
        (pictures, ngettext("{count} common picture", "{count} common pictures", pictures)),
        (shared_ids, _("{count} common ids").format(count=f"{shared_ids:,}")),
        (facts.mistakes, named(_("Same unusual reference"), mistakes_in_words(facts.mistakes))),
    )
    return " · ".join(text for value, text in words if value)


def _cut_in_words(hits: ClassHits, shown: Sequence[ClassHit]) -> str:
    """Return for how many essays all entries that were compared are listed; "" for none."""
    counts = Counter(hit.place for hit in shown)
    cut = sum(count >= hits.top for count in counts.values())
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
        tags_in_words(tag for tag in entry.tags if tag[0] not in _UNNAMED_TAGS) for _place, entry in hits.own
    )
    tags = [f"{tags} – {count:,}" for tags, count in runs.most_common() if tags]
    return ngettext(
        "{count} essay is an entry of the library itself{tags}.",
        "{count} essays are entries of the library themselves{tags}.",
        len(hits.own),
        tags=detailed("", listed(first_of(tags, _MOST_RUNS))) if tags else "",
    )
