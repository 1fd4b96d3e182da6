"""The result of checking a class as JSON."""

from collections.abc import Iterator
from typing import Any

from simcompare.cohort.class_check import ClassCheck, DocumentRole, NamedEntry
from simcompare.cohort.cohort_data import CohortPair, distance_bits
from simcompare.cohort.students.file_roles import FileRole
from simcompare.comparison.comparison_result import Share
from simcompare.report.cohort.cohort_rows import reason_not_compared
from simcompare.report.library.entry_words import values_by_name

CHECK_FORMAT, CHECK_VERSION = "simcompare-check", 1


def check_as_dict(check: ClassCheck, least: float = 0.0) -> dict[str, Any]:
    """Return a check as JSON values; only pairs with at least the share `least` are listed.

    Shares are in [0, 1]; null if no unit counts, or if the pair could not be compared. Documents are named as
    in the list of documents. Pairs that are not listed are counted. limit: share from which a pair is
    unusual and links its documents in a group, compared with shares as they are written in whole percent.
    Common sentences: with the current documents that have them. Hits in a library, if one was searched, are
    listed like pairs.
    """
    listed = check.above(least)
    return {
        "format": CHECK_FORMAT,
        "version": CHECK_VERSION,
        "limit": check.limit,
        "documents": list(_documents(check)),
        "students": list(_students(check)),
        "missing_students": [
            {"id": (*student.numbers, *student.names)[0], "name": "".join(student.names[:1])}
            for student in check.groups.missing
        ],
        "common_sentences": [
            {
                "text": sentence.text,
                "documents": [check.cohort.names[place] for place in check.essays_with(sentence)],
            }
            for sentence in check.common
        ],
        "pairs": [_pair(check, pair) for pair in listed.cohort.pairs],
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
            {"document": names[hit.place]}
            | _entry(hit.entry)
            | {
                "share": hit.share,
                "entry_share": hit.entry_share,
                "longest_passage_units": hit.longest_passage_units,
            }
            for hit in hits.hits
        ],
        "library_top": hits.top,
        "library_own": [{"document": names[place]} | _entry(entry) for place, entry in hits.own],
        "library_not_compared": [
            {"document": names[hit.place]}
            | _entry(hit.entry)
            | {"reason": reason_not_compared(hit.cause or "")}
            for hit in hits.failed
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
    students = {file.path: student.id for student in check.groups.students for file in student.files}
    file_roles = check.groups.roles
    for name, document, role in zip(check.cohort.names, check.cohort.documents, check.roles, strict=True):
        path = document.document.path
        is_submitted = role in {DocumentRole.CURRENT, DocumentRole.DRAFT}
        flags = [str(flag.name) for flag in document.document.receipt.flags]
        if is_submitted and file_roles[path] in {FileRole.APPENDIX, FileRole.DUPLICATE}:
            flags.append(str(file_roles[path]))
        yield {
            "name": name,
            "path": str(path),
            "student": students[path] if is_submitted else None,
            "role": str(role),
            "units": document.prepared.unit_count,
            "flags": flags,
        }


def _students(check: ClassCheck) -> Iterator[dict[str, Any]]:
    # an old document may be one of the files of the class
    places = {
        document.document.path: place
        for place, document in enumerate(check.cohort.documents)
        if check.roles[place] in {DocumentRole.CURRENT, DocumentRole.DRAFT}
    }
    for student in check.groups.students:
        nearest = check.nearest.get(places[student.current])
        yield {
            "id": student.id,
            "name": student.name,
            "other_names": list(student.other_names),
            "documents": [check.cohort.names[places[file.path]] for file in student.files],
            "highest_share": None if nearest is None else nearest[0],
            "nearest": None if nearest is None else check.cohort.names[nearest[1]],
        }


def _pair(check: ClassCheck, pair: CohortPair) -> dict[str, Any]:
    names, summary = check.cohort.names, pair.summary
    nothing = Share(0.0, None)
    left = nothing if summary is None else summary.share.left_in_right
    right = nothing if summary is None else summary.share.right_in_left
    return {
        "left": names[pair.left],
        "right": names[pair.right],
        "left_in_right": left.after_exclusions,
        "right_in_left": right.after_exclusions,
        "left_in_right_raw": None if summary is None else left.raw,
        "right_in_left_raw": None if summary is None else right.raw,
        "hamming_distance_bits": distance_bits(check.cohort.documents, pair),
        "longest_passage_units": None if summary is None else summary.longest_passage_units,
        "group": pair.group or None,
        "unusual": check.is_unusual(pair),
    }
