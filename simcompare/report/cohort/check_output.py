"""The result of checking a class in words, for a terminal."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from simcompare.cohort.class_check import ClassCheck, ClassHit, NamedEntry
from simcompare.cohort.cohort_scoring import CohortPair, larger_share
from simcompare.cohort.pair_scores import rare_share
from simcompare.comparison.explanation import units_in_words
from simcompare.comparison.figures import FIGURES
from simcompare.pseudonyms.students import name_key
from simcompare.report.cohort.cohort_rows import (
    common_in_words,
    false_alarms_in_words,
    figures_of,
    in_common,
    limit_in_words,
    mistakes_in_words,
    multiple_in_words,
    rare_text_in_words,
    reason_not_compared,
    rewritten_pairs_in_words,
    rewritten_units,
    with_cleared_pairs,
)
from simcompare.report.entry_words import (
    also_in_words,
    entry_in_words,
    hit_as_dict,
    hits_in_words,
    values_by_name,
)
from simcompare.report.wording import (
    NO_NUMBER,
    also_named,
    detailed,
    enumerated,
    listed,
    named,
    share_in_words,
)
from simcompare.session.school_class import DocumentRole, FileRole
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import _, ngettext

CHECK_FORMAT, CHECK_VERSION = "simcompare-check", 1


def check_as_dict(check: ClassCheck, least: float = 0.0) -> dict[str, Any]:
    """Return a check as JSON values; only pairs with at least the share `least` are listed.

    Shares are in [0, 1]; null if no unit counts, or if the pair could not be compared. Documents are named as
    in the list of documents. Pairs that are not listed are counted. limit: share from which a pair is
    unusual and links its documents in a group, compared with shares as they are written in whole percent.
    rank_score: descending; null if it is not known. Common sentences: with the current documents that have
    them. kinship: pairs whose files share editing ids, whatever their shares, with the probability of as many
    by chance. shared_pictures: with the numbers of the pictures in both documents. shared_mistakes: what both
    write and few others. shared_tables: how many of the numbers both have. shared_formulas: as one of them
    writes each. Hits in a library, if one was
    searched, are listed like pairs.
    """
    listed, names = check.above(least), check.cohort.names
    return {
        "format": CHECK_FORMAT,
        "version": CHECK_VERSION,
        "limit": check.limit,
        "documents": list(_documents(check)),
        "students": list(_students(check)),
        "missing_students": [
            {"id": (*student.numbers, *student.names)[0], "name": "".join(student.names[:1])}
            for student in check.school.missing
        ],
        "common_sentences": [
            {
                "text": sentence.text,
                "documents": [check.cohort.names[place] for place in check.essays_with(sentence)],
            }
            for sentence in check.school.common
        ],
        "pairs": [_pair(check, pair) for pair in listed.cohort.pairs],
        "kinship": [
            {"left": names[pair.left], "right": names[pair.right]} | asdict(kinship)
            for pair in check.sharing("kinship")
            if (kinship := pair.facts.kinship)
        ],
        "shared_pictures": [
            {
                "documents": [names[pair.left], names[pair.right]],
                "kind": each.kind,
                "pictures": [each.left.number, each.right.number],
            }
            for pair in check.sharing("pictures")
            for each in pair.facts.pictures
        ],
        **{
            f"shared_{kind}": [
                {"documents": [names[pair.left], names[pair.right]]} | asdict(each)
                for pair in check.cohort.pairs
                for each in getattr(pair.facts, kind)
            ]
            for kind in ("mistakes", "tables", "formulas")
        },
        "pairs_not_listed": {
            "with_drafts": check.pairs_with_drafts,
            "below": len(check.cohort.pairs) - len(listed.cohort.pairs),
        },
        "not_checked": [
            {"path": str(document.path), "reason": str(document.error)} for document in check.cohort.unread
        ],
        **_library(check, least),
    }


def _library(check: ClassCheck, least: float) -> dict[str, Any]:
    """Return the hits of the class in a library; empty if no library was searched."""
    if check.library_hits is None:
        return {}
    names, hits = check.cohort.names, check.library_hits.above(least)
    return {
        "library_hits": [
            {"document": names[hit.place]} | _entry(hit.entry) | hit_as_dict(hit.summary, hit.facts)
            for hit in hits.hits
        ],
        "library_top": hits.top,
        "library_own": [{"document": names[place]} | _entry(entry) for place, entry in hits.own],
        "library_not_compared": [
            {"document": names[place]} | _entry(entry) | {"reason": reason_not_compared(cause)}
            for place, entry, cause in hits.failed
        ],
    }


def _entry(entry: NamedEntry) -> dict[str, Any]:
    return {
        "entry": entry.number,
        "name": entry.name,
        "tags": values_by_name(entry.tags),
        "added_at": entry.added_at,
    }


def _documents(check: ClassCheck) -> Iterator[dict[str, Any]]:
    for place, document in enumerate(check.cohort.documents):
        owner = check.school.owners.get(place)
        flags = [str(flag.name) for flag in document.document.receipt.flags]
        if owner is not None and owner.files[place] in {FileRole.APPENDIX, FileRole.DUPLICATE}:
            flags.append(str(owner.files[place]))
        yield {
            "name": check.cohort.names[place],
            "path": str(document.document.path),
            "student": None if owner is None else owner.id,
            "role": str(check.roles[place]),
            "units": document.prepared.unit_count,
            "flags": flags,
        }


def _students(check: ClassCheck) -> Iterator[dict[str, Any]]:
    for student in check.students:
        nearest = check.nearest.get(student.current)
        yield {
            "id": student.id,
            "name": student.name,
            "other_names": list(student.other_names),
            "documents": [check.cohort.names[place] for place in student.files if check.is_read(place)],
            "highest_share": None if nearest is None else nearest[0],
            "nearest": None if nearest is None else check.cohort.names[nearest[1]],
        }


def _pair(check: ClassCheck, pair: CohortPair) -> dict[str, Any]:
    names = check.cohort.names
    figures = figures_of(check.cohort, pair)
    return {
        "left": names[pair.left],
        "right": names[pair.right],
        **{each.in_json: figures[key] for key, each in FIGURES.items() if each.in_json},
        "rank_score": pair.rank_score,
        "unusual": check.is_unusual(pair),
    }


_INDENT = "   "


def check_as_text(check: ClassCheck, least: float | None = None) -> str:
    """Return who handed in, pairs, hits in the library, common text, and files not checked.

    least: minimum share of the pairs and hits, by default that from which a pair is unusual in this class.
    """
    blocks = [
        _class_lines(check),
        _pair_lines(check, least),
        list(_rewritten_lines(check)),
        *_lines_in_common(check),
        _library_lines(check, least),
        _common_lines(check),
        list(_unread_lines(check)),
    ]
    return "\n\n".join(escape_invisible("\n".join(block)) for block in blocks if block) + "\n"


def _class_lines(check: ClassCheck) -> list[str]:
    current, drafts, old, templates = (check.roles.count(role) for role in DocumentRole)
    counts = [
        ngettext("{count} student", "{count} students", len(check.school.students)),
        _files_in_words(current, drafts, len(check.cohort.unread)),
    ]
    if old:
        counts.append(ngettext("{count} earlier document", "{count} earlier documents", old))
    if templates:
        counts.append(ngettext("{count} template", "{count} templates", templates))
    lines = [named(_("Handed in"), enumerated(counts))]
    if missing := check.school.missing:
        lines.append(named(_("Not handed in"), enumerated(student.display_name for student in missing)))
    doubtful = (student for student in check.students if student.other_names)
    lines += [named(student.label, also_named(student.other_names)) for student in doubtful]
    return lines


def _files_in_words(current: int, drafts: int, unread: int) -> str:
    """Return the number of files that students handed in, and how many of them do not count."""
    files = ngettext("{count} file", "{count} files", current + drafts + unread)
    parts = []
    if drafts:
        parts.append(ngettext("{count} draft or other file", "{count} drafts or other files", drafts))
    if unread:
        parts.append(ngettext("{count} not checked", "{count} not checked", unread))
    return detailed(files, _("of these {parts}").format(parts=enumerated(parts))) if parts else files


def _unread_lines(check: ClassCheck) -> Iterator[str]:
    for place, document in enumerate(check.cohort.unread, len(check.cohort.documents)):
        owner, error = check.school.owners.get(place), str(document.error)
        yield error if owner is None or not owner.name else named(owner.label, error)


def _pair_lines(check: ClassCheck, least: float | None) -> list[str]:
    shown = check.above(check.limit if least is None else least).cohort.pairs
    names = [_named_file(check, place) for place in range(len(check.cohort.names))]
    unusual = [pair for pair in check.cohort.pairs if check.is_unusual(pair)]
    old = sum(DocumentRole.OLD in check.roles_of(pair) for pair in unusual)
    cleared = sum(map(check.is_cleared, unusual))
    lines = [with_cleared_pairs(limit_in_words(check.limit, len(unusual), old), cleared)]
    if unusual:
        lines.append(false_alarms_in_words(check.shares, check.limit))
    for number, pair in enumerate(shown, 1):
        both = f"{names[pair.left]} – {names[pair.right]}"
        lines += [f"{number}. {both}{_marks(check, pair)}", _INDENT + _figures(check, pair)]
    lines.append(ngettext("{count} pair compared.", "{count} pairs compared.", len(check.cohort.pairs)))
    if check.pairs_with_drafts:
        left_out = ngettext(
            "{count} pair with a draft was left out.",
            "{count} pairs with a draft were left out.",
            check.pairs_with_drafts,
        )
        lines.append(left_out)
    return lines


def _rewritten_lines(check: ClassCheck) -> Iterator[str]:
    """Yield the pairs with possibly rewritten passages, the longest first."""
    pairs = [pair for pair in check.cohort.pairs if rewritten_units(check.cohort, pair)]
    if not check.cohort.by_meaning:
        return
    yield rewritten_pairs_in_words(len(pairs))
    if check.cohort.settings.meaning is None:
        yield _("Only pairs with earlier work were searched for these.")
    for pair in sorted(pairs, key=lambda pair: -rewritten_units(check.cohort, pair)):
        names = (_named_file(check, place) for place in (pair.left, pair.right))
        count = rewritten_units(check.cohort, pair)
        left, right = (
            check.cohort.documents[place].prepared.is_mostly_chinese for place in (pair.left, pair.right)
        )
        units = _("{count} characters or words").format(count=f"{count:,}")
        if left == right:
            units = units_in_words(count, is_chinese=left)
        yield _INDENT + named(" – ".join(names), units)


def _lines_in_common(check: ClassCheck) -> Iterator[list[str]]:
    """Yield a block for each kind of facts: what it means, and the pairs, those with most first."""
    for found in in_common(check):
        lines = [found.caption]
        for pair in found.pairs:
            names = (_named_file(check, place) for place in (pair.left, pair.right))
            words = f"{pair.facts.count(found.kind):,}"
            if found.kind == "mistakes":
                words = mistakes_in_words(pair.facts.mistakes)
            lines.append(_INDENT + named(" – ".join(names), words))
        yield lines


def _named_file(check: ClassCheck, place: int) -> str:
    """Return the name of a file, with its student where the file name does not say who it is."""
    owner, name = check.school.owners.get(place), check.cohort.names[place]
    if owner is None or all(word in name_key(name) for word in name_key(owner.name).split()):
        return name
    return detailed(name, owner.label)


def _marks(check: ClassCheck, pair: CohortPair) -> str:
    return detailed("", _("earlier work")) if DocumentRole.OLD in check.roles_of(pair) else ""


def _figures(check: ClassCheck, pair: CohortPair) -> str:
    if pair.summary is None:
        return reason_not_compared(pair.cause)
    share = pair.summary.share
    left = check.cohort.documents[pair.left]
    units = units_in_words(pair.summary.longest_passage_units, is_chinese=left.prepared.is_mostly_chinese)
    figures = [
        _("{left} of the first text, {right} of the second").format(
            left=share_in_words(share.left_in_right), right=share_in_words(share.right_in_left)
        ),
        _("longest passage {units}").format(units=units),
    ]
    larger = larger_share(pair)
    if pair.rank_score is not None:
        figures.append(rare_text_in_words(rare_share(pair.rank_score)))
    if larger is not None:
        figures.append(multiple_in_words(check.shares.rarity(larger)))
    return listed(filter(None, figures))


def _library_lines(check: ClassCheck, least: float | None) -> list[str]:
    hits, names = check.library_hits, check.cohort.names
    if hits is None:
        return []
    limit = check.limit if least is None else least
    lines = [hits_in_words(hits, limit)]
    for number, hit in enumerate(hits.above(limit).hits, start=1):
        lines += [
            f"{number}. {names[hit.place]} – {entry_in_words(hit.entry)}",
            _INDENT + _hit_figures(check, hit),
        ]
    for place, entry, cause in hits.failed:
        lines.append(named(f"{names[place]} – {entry_in_words(entry)}", reason_not_compared(cause)))
    return lines


def _hit_figures(check: ClassCheck, hit: ClassHit) -> str:
    left, right = (NO_NUMBER if share is None else percent(share) for share in hit.summary.after_exclusions)
    is_chinese = check.cohort.documents[hit.place].prepared.is_mostly_chinese
    units = units_in_words(hit.summary.longest_passage_units, is_chinese=is_chinese)
    shares = _("{left} of the first text, {right} of the second").format(left=left, right=right)
    figures = [
        shares,
        _("longest passage {units}").format(units=units),
        also_in_words(hit.summary, hit.facts, is_chinese=is_chinese),
    ]
    return listed(list(filter(None, figures)))


def _common_lines(check: ClassCheck) -> list[str]:
    title = common_in_words(check.school.common, check.cohort.settings)
    if not title:
        return []
    width = len(str(len(check.cohort.documents)))
    rows = [
        f"{_INDENT}{len(check.essays_with(sentence)):{width}}  {' '.join(sentence.text.split())}"
        for sentence in check.school.common
    ]
    return [title, *rows]
