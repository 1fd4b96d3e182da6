"""Merge what workers have handed over into libraries."""

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from simcompare.library.adding import insert_entries, merge_if_due
from simcompare.library.cluster.handover import TERM_RANGES, HandedEntries
from simcompare.library.new_entry import NewEntry, SubmissionKey, labelled
from simcompare.library.store.open_library import Library
from simcompare.library.store.stored_numbers import SignedHashes
from simcompare.library.store.stored_postings import insert_recent_postings
from simcompare.library.students import FileLabels

EntryArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LabelledBatch:
    """Entries of one library, and the labels of all files of the batch that they are from, in order."""

    handed: HandedEntries
    labels: Sequence[FileLabels]

    def entries(self) -> list[NewEntry]:
        """Read the entries, without their terms."""
        return [labelled(new, self.labels[place]) for place, new in self.handed.read()]


class Merger:
    """Merges batches into libraries, in one transaction for each library; counts the submissions of a run.

    added: number of entries that were new.
    """

    def __init__(self, libraries: Sequence[Library]) -> None:
        self._libraries = libraries
        self._met: list[Counter[SubmissionKey]] = [Counter() for _ in libraries]
        self.added = 0

    def merge(self, batches: Mapping[int, Sequence[LabelledBatch]]) -> None:
        """Merge batches, given by the number of their library, into all libraries at once.

        Raises LibraryError; what was merged into other libraries stays.
        """
        with ThreadPoolExecutor(max(1, len(batches))) as executor:
            works = [executor.submit(self._merge, library, own) for library, own in batches.items()]
        self.added += sum(work.result() for work in works)

    def _merge(self, number: int, batches: Sequence[LabelledBatch]) -> int:
        """Merge batches into one library, all or nothing; return the number of new entries."""
        library = self._libraries[number]
        with library.writing() as connection:
            owners = [
                _numbers(insert_entries(connection, batch.entries(), self._met[number])) for batch in batches
            ]
            for term_range in range(TERM_RANGES):
                _insert_terms(connection, batches, owners, term_range)
        merge_if_due(library)
        return sum(int(np.count_nonzero(entries)) for entries in owners)


def _numbers(entries: Sequence[int | None]) -> EntryArray:
    """Return the numbers of entries, 0 for those that the library had."""
    return np.array([entry or 0 for entry in entries], np.int64)


def _insert_terms(
    connection: Connection, batches: Sequence[LabelledBatch], owners: Sequence[EntryArray], term_range: int
) -> None:
    """Insert a range of the terms of the new entries of all batches, in the order of the table."""
    terms: list[SignedHashes] = []
    entries: list[EntryArray] = []
    for batch, numbers in zip(batches, owners, strict=True):
        grams, rows = batch.handed.terms_in(term_range)
        own = numbers[rows]
        terms.append(grams[own > 0])
        entries.append(own[own > 0])
    if any(map(len, terms)):
        insert_recent_postings(connection, np.concatenate(terms), np.concatenate(entries))
