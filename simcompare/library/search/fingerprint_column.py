"""Fingerprints of all documents of a library, kept in memory to be scanned."""

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from simcompare.fingerprint.fingerprint_value import Fingerprint, hamming_distances_bits
from simcompare.library.store.schema import FINGERPRINTS, STATE
from simcompare.library.store.stored_numbers import SignedHashes, number_columns, unsigned

EntryArray = NDArray[np.int64]


class FingerprintColumn:
    """Document fingerprints of one recipe by entry, ascending; refreshed after changes of any process.

    A scan of 1,000,000 takes a few milliseconds, reading them from the database a second. So only those of
    new entries are read, unless entries were removed.
    """

    def __init__(self, recipe: str) -> None:
        self._recipe = recipe
        self._changes = self._removals = -1
        self._entries: EntryArray = np.zeros(0, np.int64)
        self._values: SignedHashes = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._entries)

    def refresh(self, connection: Connection) -> None:
        """Read what has changed since the last call."""
        changes, removals = connection.execute(select(STATE.c.changes, STATE.c.removals)).one()
        if changes == self._changes:
            return
        if removals != self._removals:
            self._entries, self._values = self._entries[:0], self._values[:0]
        last = int(self._entries[-1]) if len(self) else 0
        columns = FINGERPRINTS.c.entry, FINGERPRINTS.c.document
        later = select(*columns).where(FINGERPRINTS.c.entry > last, FINGERPRINTS.c.recipe == self._recipe)
        entries, values = number_columns(connection.execute(later.order_by(FINGERPRINTS.c.entry)))
        self._entries = np.concatenate([self._entries, entries])
        self._values = np.concatenate([self._values, values])
        self._changes, self._removals = changes, removals

    def within(self, fingerprint: Fingerprint, distance_bits: int) -> EntryArray:
        """Return the entries whose fingerprints differ in at most this number of bits."""
        if fingerprint.recipe != self._recipe:
            return self._entries[:0]
        value = np.uint64(fingerprint.value)
        return self._entries[hamming_distances_bits(unsigned(self._values), value) <= distance_bits]
