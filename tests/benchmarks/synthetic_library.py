"""Libraries of any size, with synthetic terms and the texts of real articles.

The figures of an entry are those of 210 articles of zh-dev, without articles that have passages of others:
805 units, 222 grams and 73 rare words. Entries have their terms independently of each other:

- Rare words: the words of jieba's list with an IDF of at least 6.5, by IDF; the word of rank r has a share of
  1 / (r + 50). In 210 entries 48% of them are then in several and 6% in at least 20, in the articles 46
  and 7%.
- Grams: 30% are drawn from 10,000,000 phrases in the same way, the others occur once. In 210 entries 2.8%
  of the grams are then in several, as in the articles.
- Fingerprints: random.
"""

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import update

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import Fingerprint, term_hashes
from simcompare.library.changes import NewEntry, make_new_entry
from simcompare.library.index_terms import entry_terms, fingerprint_terms
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import ENTRIES, STATE
from simcompare.library.store.stored_postings import SignedHashes, signed, signed_value
from simcompare.library.tags import Tag
from simcompare.text import words as word_lists

Shares = NDArray[np.float64]
Pairs = tuple[SignedHashes, NDArray[np.int64]]

GRAMS, RARE_WORDS = 222, 73
LEAST_IDF, WORD_SHIFT = 6.5, 50
PHRASE_SHARE, PHRASES, PHRASE_SHIFT = 0.3, 10_000_000, 1_500
ROWS_AT_ONCE = 4_000_000
LARGEST = 2**63 - 1
TAGS_OF_ENTRY = (Tag("class", "3"), Tag("year", "2025"))


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Terms that several entries may have, ascending, and the share of the entries that has each."""

    hashes: SignedHashes
    shares: Shares

    def drawn(self, entries: int, draw: np.random.Generator, low: int, high: int) -> Pairs:
        """Draw the entries of the terms from `low` up to `high`, excluded."""
        part = slice(*np.searchsorted(self.hashes, [low, high]))
        counts = draw.poisson(entries * self.shares[part])
        return np.repeat(self.hashes[part], counts), draw.integers(1, entries + 1, counts.sum())


class TermModel:
    """Terms of synthetic entries."""

    def __init__(self, seed: int) -> None:
        self._draw = np.random.default_rng(seed)

    @cached_property
    def shared(self) -> tuple[Terms, Terms]:
        """Rare words, and phrases."""
        listed = (word_lists._jieba_folder() / "analyse" / "idf.txt").read_text(encoding="utf-8").splitlines()
        idf_of = {word: float(idf) for word, idf in map(str.split, listed)}
        words = sorted((word for word, idf in idf_of.items() if idf >= LEAST_IDF), key=idf_of.__getitem__)
        hashes = signed(term_hashes([f"word {word_lists.stem(word)}" for word in words]))
        phrases = self._draw.integers(-LARGEST, LARGEST, PHRASES)
        return (
            _ranked(hashes, WORD_SHIFT, RARE_WORDS),
            _ranked(phrases, PHRASE_SHIFT, GRAMS * PHRASE_SHARE),
        )

    def pairs(self, entries: int, low: int, high: int) -> Pairs:
        """Draw the terms from `low` up to `high` of this number of entries, in random order."""
        each = [terms.drawn(entries, self._draw, low, high) for terms in self.shared]
        share = (high - low) / (2 * LARGEST)
        once = self._draw.poisson(entries * GRAMS * (1 - PHRASE_SHARE) * share)
        each.append((self._draw.integers(low, high, once), self._draw.integers(1, entries + 1, once)))
        grams, owners = zip(*each, strict=True)
        return np.concatenate(grams), np.concatenate(owners)

    def of_an_entry(self) -> SignedHashes:
        """Draw the terms of one entry, ascending."""
        drawn = []
        for terms, sums in zip(self.shared, self._sums, strict=True):
            places = np.searchsorted(sums, self._draw.random(self._draw.poisson(sums[-1])) * sums[-1])
            drawn.append(terms.hashes[places])
        once = self._draw.poisson(GRAMS * (1 - PHRASE_SHARE))
        return np.unique(np.concatenate([*drawn, self._draw.integers(-LARGEST, LARGEST, once)]))

    @cached_property
    def _sums(self) -> list[Shares]:
        return [np.cumsum(terms.shares) for terms in self.shared]


def _ranked(hashes: SignedHashes, shift: int, each: float) -> Terms:
    """Give the term of rank r a share of 1 / (r + shift); an entry has `each` of them."""
    shares = 1 / (np.arange(len(hashes)) + shift)
    order = np.argsort(hashes)
    return Terms(hashes[order], shares[order] * (each / shares.sum()))


class EntryMaker:
    """Entries ready to be added: synthetic terms, and one of some real texts."""

    def __init__(self, texts: Sequence[PreparedDocument], model: TermModel, seed: int) -> None:
        self._columns = [make_new_entry(text).columns for text in texts]
        self._recipe = texts[0].fingerprint.recipe
        self.model, self._draw = model, random.Random(seed)

    def columns(self, number: int) -> dict[str, Any]:
        """Return the columns of an entry, its file another one each time."""
        own = {"file_sha256": f"{self._draw.getrandbits(256):064x}", "name": f"student-{number}.docx"}
        return self._columns[number % len(self._columns)] | own

    def fingerprint(self) -> Fingerprint:
        return Fingerprint(self._draw.getrandbits(64), 64, self._recipe)

    def entries(self) -> Iterator[NewEntry]:
        """Yield ready entries without end."""
        number = 0
        while True:
            number += 1
            fingerprint = self.fingerprint()
            terms = np.union1d(self.model.of_an_entry(), fingerprint_terms(fingerprint))
            columns = self.columns(number) | {"term_count": len(terms)}
            stored = {"recipe": fingerprint.recipe, "document": signed_value(fingerprint.value)}
            yield NewEntry(columns, stored, terms, TAGS_OF_ENTRY)


def fill(path: Path, entries: int, planted: dict[int, PreparedDocument], maker: EntryMaker) -> None:
    """Make a library with this number of entries, past the program: all terms are in the large table.

    planted: real texts by their entries, which have the real terms besides synthetic ones.
    """
    with open_library(path, create=True) as library, library.writing() as connection:
        connection.execute(update(STATE).values(last_merged_entry=entries))
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        _fill(database, entries, planted, maker)


def _fill(
    database: sqlite3.Connection, entries: int, planted: dict[int, PreparedDocument], maker: EntryMaker
) -> None:
    for setting in ("journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF"):
        database.execute(f"PRAGMA {setting}")
    known = [(entry, entry_terms(text.prepared, text.fingerprint)) for entry, text in planted.items()]
    blocks = _fill_entries(database, entries, planted, maker)
    own = [(terms, np.full(len(terms), entry)) for entry, terms in known]
    grams, owners = map(np.concatenate, zip(blocks, *own, strict=True))
    _fill_terms(database, "postings", maker.model, range(1, entries + 1), (grams, owners))
    database.execute("PRAGMA journal_mode = WAL")


def _fill_entries(
    database: sqlite3.Connection, entries: int, planted: dict[int, PreparedDocument], maker: EntryMaker
) -> Pairs:
    """Insert entries, tags and fingerprints; return the terms of the fingerprints."""
    names = ", ".join(column.name for column in ENTRIES.c)
    values = ", ".join(f":{column.name}" for column in ENTRIES.c)
    hashes: list[SignedHashes] = []
    numbers = iter(range(1, entries + 1))
    while part := list(islice(numbers, 10_000)):
        rows, prints = [], []
        for entry in part:
            text = planted.get(entry)
            columns = make_new_entry(text).columns if text else maker.columns(entry)
            fingerprint = text.fingerprint if text else maker.fingerprint()
            rows.append(columns | {"id": entry, "added_at": "2026-01-01T00:00:00+00:00"})
            prints.append((entry, fingerprint.recipe, signed_value(fingerprint.value)))
            hashes.append(fingerprint_terms(fingerprint))
        tags = [(entry, tag.name, tag.value) for entry in part for tag in TAGS_OF_ENTRY]
        database.execute("BEGIN")
        database.executemany(f"INSERT INTO entries ({names}) VALUES ({values})", rows)
        database.executemany("INSERT INTO tags VALUES (?, ?, ?)", tags)
        database.executemany("INSERT INTO fingerprints VALUES (?, ?, ?)", prints)
        database.execute("COMMIT")
    return np.concatenate(hashes), np.repeat(np.arange(1, entries + 1), 4)


def fill_recent(path: Path, first: int, entries: int, model: TermModel) -> None:
    """Put the terms of further entries, from the number `first`, into the small table."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        nothing = np.zeros(0, np.int64), np.zeros(0, np.int64)
        _fill_terms(database, "recent_postings", model, range(first, first + entries), nothing)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _fill_terms(
    database: sqlite3.Connection, table: str, model: TermModel, entries: range, further: Pairs
) -> None:
    """Insert synthetic terms of entries, and further pairs, in the order of the table."""
    rows = len(entries) * (GRAMS + RARE_WORDS)
    parts = max(rows // ROWS_AT_ONCE, 1)
    for low, high in pairwise(2 * LARGEST * part // parts - LARGEST for part in range(parts + 1)):
        grams, owners = model.pairs(len(entries), low, high)
        owners += entries.start - 1
        here = (further[0] >= low) & (further[0] < high)
        grams, owners = np.append(grams, further[0][here]), np.append(owners, further[1][here])
        order = np.lexsort((owners, grams))
        grams, owners = grams[order], owners[order]
        new = np.append(True, (np.diff(grams) != 0) | (np.diff(owners) != 0))
        database.execute("BEGIN")
        statement = f"INSERT INTO {table} VALUES (?, ?)"
        database.executemany(statement, zip(grams[new].tolist(), owners[new].tolist(), strict=True))
        database.execute("COMMIT")
