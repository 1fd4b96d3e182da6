"""Add entries to a library, remove them, and check that it is sound."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date
from enum import StrEnum
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from sqlalchemy import Connection, bindparam, case, delete, func, insert, select, union_all, update

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.library.entries import (
    VALUES_AT_ONCE,
    StoredEntry,
    chosen_entries,
    restored_document,
    stored_fingerprint,
    tagged_entries,
    tags_by_entry,
)
from simcompare.library.index_terms import TERM_RECIPE, entry_terms
from simcompare.library.library_errors import DamagedLibraryError
from simcompare.library.search.shared_facts import fact_rows
from simcompare.library.store.open_library import REMOVE, Library, log_access
from simcompare.library.store.schema import (
    ENTRIES,
    FACTS,
    FINGERPRINTS,
    LEVEL_FINGERPRINTS,
    MEANINGS,
    POSTINGS,
    RECENT_POSTINGS,
    STATE,
    TAGS,
)
from simcompare.library.store.stored_documents import document_columns
from simcompare.library.store.stored_postings import SignedHashes, insert_recent_postings, signed_value
from simcompare.library.students import FileLabels, tag_values
from simcompare.library.tags import STUDENT, UNTIL, Tag
from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import DEFAULT_OPTIONS, ReadingOptions
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import Tick
from simcompare.model.settings import ComparisonSettings
from simcompare.support.clock import now
from simcompare.text.prepared_text import prepare

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


_TABLES = (POSTINGS, RECENT_POSTINGS)


@dataclass(frozen=True, slots=True)
class RemovalProtocol:
    """What was removed, and when (UTC in ISO 8601). terms: number of places in the index."""

    removed_at: str
    entries: tuple[StoredEntry, ...]
    terms: int


def remove_entries(library: Library, ids: Collection[int]) -> RemovalProtocol:
    """Remove entries by their numbers, all or none. Raises NoSuchEntryError, LibraryError."""
    return _remove(library, lambda connection: chosen_entries(connection, ids))


def remove_tagged(library: Library, tags: Sequence[Tag]) -> RemovalProtocol:
    """Remove the entries that have all of the tags, of which there is at least one. Raises LibraryError."""
    if not tags:
        raise ValueError("would remove every entry")
    return _remove(library, lambda connection: tagged_entries(connection, tags), tags)


def remove_student(library: Library, student: str) -> RemovalProtocol:
    """Remove all entries of a student, by name and by pseudonym, of any class and year.

    Raises TagError, PseudonymKeyError, LibraryError.
    """
    values = tag_values(student)

    def entries(connection: Connection) -> list[StoredEntry]:
        found = [tagged_entries(connection, [Tag(STUDENT, value)]) for value in values]
        by_number = {entry.entry: entry for entries in found for entry in entries}
        return [by_number[number] for number in sorted(by_number)]

    return _remove(library, entries, [Tag(STUDENT, student)])


def expired_entries(library: Library, today: date) -> list[StoredEntry]:
    """Return the entries that could be kept until a day before `today`; of several dates the last counts."""
    with library.reading() as connection:
        return _expired(connection, today)


def remove_expired(library: Library, today: date) -> RemovalProtocol:
    """Remove the entries that `expired_entries` returns. Raises LibraryError."""
    return _remove(library, lambda connection: _expired(connection, today))


def _expired(connection: Connection, today: date) -> list[StoredEntry]:
    # dates of this form are sorted as texts
    last_days = select(TAGS.c.entry).where(TAGS.c.name == UNTIL).group_by(TAGS.c.entry)
    past = last_days.having(func.max(TAGS.c.value) < today.isoformat())
    return chosen_entries(connection, connection.execute(past).scalars().all())


def _remove(
    library: Library, choose: Callable[[Connection], Sequence[StoredEntry]], tags: Sequence[Tag] = ()
) -> RemovalProtocol:
    """Remove entries, which were chosen by `tags`; their tags and fingerprints go with them."""
    with library.writing() as connection:
        entries = choose(connection)
        ids = [entry.entry for entry in entries]
        terms = sum(_remove_terms(library, connection, entry) for entry in ids)
        for first in range(0, len(ids), VALUES_AT_ONCE):
            connection.execute(delete(ENTRIES).where(ENTRIES.c.id.in_(ids[first : first + VALUES_AT_ONCE])))
        logged_tags = [tag.name if tag.name == STUDENT else str(tag) for tag in tags]
        log_access(connection, REMOVE, len(entries), logged_tags)
    library.forget_removed()
    return RemovalProtocol(now().astimezone(UTC).isoformat(timespec="seconds"), tuple(entries), terms)


def _remove_terms(library: Library, connection: Connection, entry: int) -> int:
    """Remove the terms of an entry, computed again from its text; return their number.

    If another version of this program or of its word lists made them, they are searched in the whole table.
    """
    facts = select(ENTRIES.c.term_count, ENTRIES.c.term_recipe).where(ENTRIES.c.id == entry)
    count, recipe = connection.execute(facts).one()
    removed = 0
    if recipe == TERM_RECIPE:
        # the text of a damaged entry has no terms
        with suppress(DamagedLibraryError):
            removed = _remove_computed_terms(library, connection, entry)
    if removed != count:
        removed += sum(
            connection.execute(delete(table).where(table.c.entry == entry)).rowcount for table in _TABLES
        )
    return removed


def _remove_computed_terms(library: Library, connection: Connection, entry: int) -> int:
    """Remove them from both tables, as some may have been merged already."""
    prepared = prepare(restored_document(library, connection, entry))
    terms = entry_terms(prepared, stored_fingerprint(connection, entry)).tolist()
    own = [
        delete(table).where(table.c.entry == entry, table.c.gram.in_(bindparam("terms", expanding=True)))
        for table in _TABLES
    ]
    return sum(
        connection.execute(statement, {"terms": terms[first : first + VALUES_AT_ONCE]}).rowcount
        for first in range(0, len(terms), VALUES_AT_ONCE)
        for statement in own
    )


_MOST_MESSAGES = 20
_INTACT = "ok"


class FaultKind(StrEnum):
    """What is wrong; the values are stable identifiers.

    DATABASE: the database found damage. STATE: its record of changes is lost. ORPHANS: tags, fingerprints or
    terms of no entry. FINGERPRINT: an entry has none. TERMS: an entry does not have all of its terms, or too
    many. TEXT: the document of an entry cannot be restored.
    """

    DATABASE = "database"
    STATE = "state"
    ORPHANS = "orphans"
    FINGERPRINT = "fingerprint"
    TERMS = "terms"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, the number of its entry if it has one, and a detail: a message or numbers."""

    kind: FaultKind
    entry: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CheckedLibrary:
    """Number of entries, 0 if they cannot be counted, and what is wrong."""

    entries: int
    faults: tuple[Fault, ...]


def check_library(library: Library, tick: Tick) -> CheckedLibrary:
    """Check one state of a library; `tick` counts entries.

    If the database itself is damaged, nothing else is checked. Raises LibraryError if it cannot be read for
    another reason, and what `tick` raises.
    """
    try:
        with library.reading() as connection:
            faults = list(_database_faults(connection))
            if faults:
                return CheckedLibrary(0, tuple(faults))
            ids = connection.execute(select(ENTRIES.c.id).order_by(ENTRIES.c.id)).scalars().all()
            faults += _record_faults(connection, ids)
            faults += _text_faults(library, connection, ids, tick)
    except DamagedLibraryError as error:
        return CheckedLibrary(0, (Fault(FaultKind.DATABASE, detail=error.values["cause"]),))
    return CheckedLibrary(len(ids), tuple(faults))


def _database_faults(connection: Connection) -> Iterator[Fault]:
    """Have SQLite check its file; a server checks its own."""
    if connection.dialect.name == "sqlite":
        messages = connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_MESSAGES})").scalars()
        # a message may have a heading, and several lines
        lines = [line for each in messages.all() for line in each.splitlines() if not line.startswith("***")]
        yield from (Fault(FaultKind.DATABASE, detail=line) for line in lines if line != _INTACT)


def _record_faults(connection: Connection, ids: Sequence[int]) -> Iterator[Fault]:
    """Yield what is missing of entries, and what belongs to none."""
    if connection.execute(select(func.count()).select_from(STATE)).scalar_one() != 1:
        yield Fault(FaultKind.STATE)
    known = set(ids)
    for table in (TAGS, FINGERPRINTS, LEVEL_FINGERPRINTS, MEANINGS, FACTS):
        owners = connection.execute(select(table.c.entry, func.count()).group_by(table.c.entry)).all()
        lost = sum(count for entry, count in owners if entry not in known)
        if lost:
            yield Fault(FaultKind.ORPHANS, detail=f"{table.name}: {lost}")
        if table is FINGERPRINTS:
            without = known - {entry for entry, _count in owners}
            yield from (Fault(FaultKind.FINGERPRINT, entry) for entry in sorted(without))
    yield from _term_faults(connection)


def _term_faults(connection: Connection) -> Iterator[Fault]:
    terms = union_all(*(select(table.c.entry) for table in (POSTINGS, RECENT_POSTINGS))).subquery()
    counted = select(terms.c.entry, func.count().label("terms")).group_by(terms.c.entry)
    found = {row.entry: row.terms for row in connection.execute(counted)}
    for entry, expected in connection.execute(select(ENTRIES.c.id, ENTRIES.c.term_count)):
        count = found.pop(entry, 0)
        if count != expected:
            yield Fault(FaultKind.TERMS, entry, f"{count} / {expected}")
    if found:
        yield Fault(FaultKind.ORPHANS, detail=f"terms: {sum(found.values())}")


def _text_faults(library: Library, connection: Connection, ids: Sequence[int], tick: Tick) -> Iterator[Fault]:
    for done, entry in enumerate(ids, start=1):
        try:
            restored_document(library, connection, entry)
        except DamagedLibraryError:
            yield Fault(FaultKind.TEXT, entry)
        tick(done, len(ids))
