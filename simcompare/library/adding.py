"""Add documents to a library, and merge the terms of recent entries into the large table."""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from sqlalchemy import Connection, case, delete, func, insert, select, update

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.library.entries import VALUES_AT_ONCE, tags_by_entry
from simcompare.library.index_terms import TERM_RECIPE, entry_terms
from simcompare.library.search.shared_facts import fact_rows
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import (
    ENTRIES,
    FACTS,
    FINGERPRINTS,
    POSTINGS,
    RECENT_POSTINGS,
    STATE,
    TAGS,
)
from simcompare.library.store.stored_documents import document_columns
from simcompare.library.store.stored_numbers import SignedHashes, signed_value
from simcompare.library.store.stored_postings import insert_recent_postings
from simcompare.library.students import FileLabels
from simcompare.library.tags import STUDENT, UNTIL, Tag
from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import DEFAULT_OPTIONS, ReadingOptions
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.support.clock import now

PRELOADED = "simcompare.library.preloaded"
"""The module that a worker pool preloads where its workers make new entries: in each, that takes 0.3 s."""
LIBRARY_RECIPE = ComparisonSettings().recipe
"""Fingerprint recipe of all documents that are added or searched."""


@dataclass(frozen=True, slots=True)
class SubmissionKey:
    """What makes a submission the same one if it is added again: the file, its name and its tags.

    The same file under another name or with other tags is another submission; another date until which it
    may be kept makes no difference.
    """

    file_sha256: str
    name: str
    tags: frozenset[Tag]

    @classmethod
    def of(cls, file_sha256: str, name: str, tags: Iterable[Tag]) -> Self:
        return cls(file_sha256, name, frozenset(tag for tag in tags if tag.name != UNTIL))


@dataclass(frozen=True, slots=True, eq=False)
class NewEntry:
    """A document that can be added: columns of `entries` and `fingerprints`, terms, tags, and `fact_rows`."""

    columns: dict[str, Any]
    fingerprints: dict[str, Any]
    terms: SignedHashes
    tags: Sequence[Tag]
    facts: Sequence[tuple[int, int]] = ()

    @property
    def submission(self) -> SubmissionKey:
        return SubmissionKey.of(self.columns["file_sha256"], self.columns["name"], self.tags)


def make_new_entry(prepared_document: PreparedDocument, tags: Sequence[Tag] = ()) -> NewEntry:
    """Compute what the library stores of a document.

    Raises ValueError for a document without the hash of its file, as one without names has none.
    """
    document, prepared = prepared_document.document, prepared_document.prepared
    if not document.sha256:
        raise ValueError(f"{document.path.name} has no hash")
    fingerprint = prepared_document.fingerprint
    terms = entry_terms(prepared, fingerprint)
    columns = document_columns(document) | {
        "unit_count": prepared.unit_count,
        "language": "zh" if prepared.is_mostly_chinese else "en",
        "term_count": len(terms),
        "term_recipe": TERM_RECIPE,
    }
    fingerprints = {"recipe": fingerprint.recipe, "document": signed_value(fingerprint.value)}
    return NewEntry(columns, fingerprints, terms, tags, fact_rows(document))


def read_new_entry(path: Path, tags: Sequence[Tag], options: ReadingOptions = DEFAULT_OPTIONS) -> NewEntry:
    """Load and prepare a file to be added.

    Raises FileError if the file cannot be read, NoUnitsError.
    """
    return make_new_entry(read_prepared_document(path, LIBRARY_RECIPE, options), tags)


def read_unnamed_entry(
    path: Path, tags: Sequence[Tag], options: ReadingOptions = DEFAULT_OPTIONS
) -> NewEntry:
    """Load and prepare a file as `read_new_entry`, without its name and folders, which may name a student."""
    read = read_prepared_document(path, LIBRARY_RECIPE, options)
    title = "" if read.document.title == path.stem else read.document.title
    unnamed = replace(read.document, path=Path("essay").with_suffix(path.suffix), title=title)
    return make_new_entry(replace(read, document=unnamed), tags)


def labelled(new: NewEntry, labels: FileLabels) -> NewEntry:
    return replace(new, columns=new.columns | {"name": labels.name}, tags=labels.tags)


def submission_of(path: Path, labels: FileLabels) -> SubmissionKey:
    """Return the submission that a file will be, without reading its text.

    Raises FileError if it cannot be opened.
    """
    return SubmissionKey.of(sha256(bytes_of(path)).hexdigest(), labels.name, labels.tags)


def unknown_files(
    libraries: Iterable[Library], submissions: Mapping[Path, SubmissionKey], *, students_recognised: bool
) -> list[Path]:
    """Return the files of submissions that the libraries together have less often than these are.

    All files of such a submission are returned; `add_entries` skips as many as the library has.
    students_recognised: whether students were recognised from names of files, in which case one that is
    stored without its student is the same, as some are recognised only beside others. Raises LibraryError.
    """
    stored: Counter[SubmissionKey] = Counter()
    for library in libraries:
        with library.reading() as connection:
            stored += stored_submissions(connection, [each.file_sha256 for each in submissions.values()])
    wanted = Counter(submissions.values())
    missing = wanted - stored
    if students_recognised:
        _match_without_student(missing, stored - wanted)
    return [path for path, submission in submissions.items() if missing[submission] > 0]


def _match_without_student(missing: Counter[SubmissionKey], left: Counter[SubmissionKey]) -> None:
    """Subtract from `missing` what is left in the library and differs only in that one has no student."""
    left_by_rest = _by_rest(left)
    for rest, submissions in _by_rest(missing).items():
        for submission in submissions:
            for other in left_by_rest.get(rest, ()):
                if rest in {submission, other}:
                    count = min(missing[submission], left[other])
                    missing[submission] -= count
                    left[other] -= count


def _by_rest(submissions: Iterable[SubmissionKey]) -> Mapping[SubmissionKey, list[SubmissionKey]]:
    """Group submissions by what they are without a student."""
    groups: defaultdict[SubmissionKey, list[SubmissionKey]] = defaultdict(list)
    for submission in submissions:
        others = frozenset(tag for tag in submission.tags if tag.name != STUDENT)
        groups[replace(submission, tags=others)].append(submission)
    return groups


_BATCH = 1_000
_BATCH_SECONDS = 5.0
"""A transaction has as many documents as are ready in five seconds, up to 1,000. With so many, several new
terms are on each page of the table of recent terms, which is then written less often."""
_FEWEST_MERGED = 5_000
_MERGED_SHARE = 0.05
_ENTRIES_PER_MERGED_PART = 20_000
_CHOOSING_DIGITS = 8
_SMALLEST, _TERMS = -(2**63), 2**64
_NEW_ENTRY = insert(ENTRIES).returning(ENTRIES.c.id)


@dataclass(frozen=True, slots=True)
class Additions:
    added: int
    known: int
    errors: Sequence[SimcompareError]


def add_entries(
    library: Library, new_entries: Iterable[NewEntry], before: Mapping[SubmissionKey, int] | None = None
) -> Iterator[int | None]:
    """Add documents, many in a transaction, and yield the number of the entry of each, in order.

    None is yielded for a submission that the library has: of equal submissions as many are skipped as it has,
    so that a run that was interrupted can be repeated, and files of one name in several folders are all
    added. before: numbers of submissions that the same run has added or skipped before it was interrupted.
    Raises LibraryError; what was yielded is stored.
    """
    yield from add_to_libraries([library], new_entries, before)


def add_to_libraries(
    libraries: Sequence[Library],
    new_entries: Iterable[NewEntry],
    before: Mapping[SubmissionKey, int] | None = None,
) -> Iterator[int | None]:
    """Add documents as `add_entries` does, each to the one of several libraries that its file chooses.

    Yields the numbers of a transaction together, those of the first library first.
    """
    remaining = iter(new_entries)
    met: list[Counter[SubmissionKey]] = [Counter(before) for _ in libraries]
    while batch := list(_next_batch(remaining)):
        for place, library in enumerate(libraries):
            own = [new for new in batch if chosen_library(new, len(libraries)) == place]
            if own:
                with library.writing() as connection:
                    numbers = _add(connection, own, met[place])
                yield from numbers
                merge_if_due(library)


def chosen_library(new: NewEntry, libraries: int) -> int:
    """Return the number of the library that a document goes to: the same one for equal files."""
    return int(new.columns["file_sha256"][:_CHOOSING_DIGITS], 16) % libraries


def _next_batch(new_entries: Iterator[NewEntry]) -> Iterator[NewEntry]:
    end = time.monotonic() + _BATCH_SECONDS
    for new in islice(new_entries, _BATCH):
        yield new
        if time.monotonic() > end:
            return


def stored_submissions(connection: Connection, file_hashes: Collection[str]) -> Counter[SubmissionKey]:
    """Count the entries of each submission of the files with one of these SHA-256."""
    stored: Counter[SubmissionKey] = Counter()
    wanted = sorted(set(file_hashes))
    for first in range(0, len(wanted), VALUES_AT_ONCE):
        same_file = ENTRIES.c.file_sha256.in_(wanted[first : first + VALUES_AT_ONCE])
        tags = tags_by_entry(connection, [same_file])
        columns = ENTRIES.c.id, ENTRIES.c.file_sha256, ENTRIES.c.name
        rows = connection.execute(select(*columns).where(same_file))
        stored.update(SubmissionKey.of(row.file_sha256, row.name, tags[row.id]) for row in rows)
    return stored


def _add(connection: Connection, batch: Sequence[NewEntry], met: Counter[SubmissionKey]) -> list[int | None]:
    """Insert the new ones of some documents within the transaction; arguments as of `insert_entries`."""
    numbers = insert_entries(connection, batch, met)
    added = [(entry, new) for entry, new in zip(numbers, batch, strict=True) if entry is not None]
    if added:
        owners = np.repeat([entry for entry, _ in added], [len(new.terms) for _, new in added])
        insert_recent_postings(connection, np.concatenate([new.terms for _, new in added]), owners)
    return numbers


def insert_entries(
    connection: Connection, batch: Sequence[NewEntry], met: Counter[SubmissionKey]
) -> list[int | None]:
    """Insert the new ones of some documents without their terms, which belong to the same transaction.

    Returns the number of the entry of each, None for those that the library has. `met` counts the submissions
    of the run.
    """
    stored = stored_submissions(connection, [new.columns["file_sha256"] for new in batch])
    added: list[tuple[int, NewEntry]] = []
    numbers: list[int | None] = []
    added_at = now().astimezone(UTC).isoformat(timespec="seconds")
    for new in batch:
        submission = new.submission
        met[submission] += 1
        number = None
        if met[submission] > stored[submission]:
            number = connection.execute(_NEW_ENTRY, {"added_at": added_at} | new.columns).scalar_one()
            stored[submission] += 1
            added.append((number, new))
        numbers.append(number)
    if added:
        _insert_parts(connection, added)
    return numbers


def _insert_parts(connection: Connection, added: Sequence[tuple[int, NewEntry]]) -> None:
    connection.execute(insert(FINGERPRINTS), [{"entry": entry} | new.fingerprints for entry, new in added])
    tags = [
        {"entry": entry, "name": tag.name, "value": tag.value}
        for entry, new in added
        for tag in dict.fromkeys(new.tags)
    ]
    if tags:
        connection.execute(insert(TAGS), tags)
    facts = [
        {"entry": entry, "kind": kind, "value": value} for entry, new in added for kind, value in new.facts
    ]
    if facts:
        connection.execute(insert(FACTS), facts)


def merge_if_due(library: Library) -> None:
    """Merge the terms of recent entries if there are many. Raises LibraryError."""
    if _is_merge_due(library):
        merge_recent(library)


def _is_merge_due(library: Library) -> bool:
    """Return whether so many entries are recent that adding to the small table becomes slow."""
    with library.reading() as connection:
        merged = connection.execute(select(STATE.c.last_merged_entry)).scalar_one()
        last = connection.execute(select(func.max(ENTRIES.c.id))).scalar() or 0
    return bool(last - merged >= max(_FEWEST_MERGED, _MERGED_SHARE * merged))


def merge_recent(library: Library) -> None:
    """Move the terms of recent entries to the large table, in its order.

    In transactions for parts of the terms, so that the log of recent changes stays small and other writers
    wait less. Each term is in one of the tables at any time; an interrupted merge is continued by the next.
    """
    with library.reading() as connection:
        last, count = connection.execute(select(func.max(ENTRIES.c.id), func.count(ENTRIES.c.id))).one()
    parts = 1 + count // _ENTRIES_PER_MERGED_PART  # a damaged number may be the largest one
    for low, high in pairwise(_SMALLEST + (_TERMS * part) // parts for part in range(parts + 1)):
        with library.writing() as connection:
            gram, entry = RECENT_POSTINGS.c.gram, RECENT_POSTINGS.c.entry
            here = gram.between(low, high - 1)
            in_order = select(gram, entry).where(here).order_by(gram, entry)
            connection.execute(insert(POSTINGS).from_select(["gram", "entry"], in_order))
            connection.execute(delete(RECENT_POSTINGS).where(here))
    with library.writing() as connection:
        merged = case((STATE.c.last_merged_entry < (last or 0), last), else_=STATE.c.last_merged_entry)
        connection.execute(update(STATE).values(last_merged_entry=merged))
