"""Candidates: the entries that explain most of a text, by the terms they share with it."""

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine, Row, TextClause, func, select, text

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import Fingerprint, hamming_distances_bits
from simcompare.library.index_terms import NEAR_BITS, fingerprint_terms, index_terms
from simcompare.library.store.schema import ENTRIES, POSTINGS, RECENT_POSTINGS, STATE
from simcompare.library.store.stored_numbers import SignedHashes, number_columns, unsigned

EntryArray = NDArray[np.int64]
_TermRow = Row[Any]
"""A term and its entries in each table, separated by commas: None without any, "" with too many."""

_TABLES = (POSTINGS, RECENT_POSTINGS)
_MOST_ENTRIES = 200
"""Terms of more entries are ignored: they take most of the time and weigh least. With fewer, a source that a
class has copied would not be found; with 100, 0.83 instead of 0.90 of the texts with half of the words
replaced were found (`library_recall.py`)."""
_FIRST_TERMS = 8
_SLOW_SECONDS = 0.0015
_READERS = 4
"""If the first terms take so long, each on another page, they come from the disk, and several connections
wait for the other terms at once."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry, and the share of the weight of the text's terms that it has, in [0, 1]."""

    entry: int
    explained: float


def find_candidates(connection: Connection, query: PreparedDocument, most: int) -> list[Candidate]:
    """Return the entries that explain most of a text, best first, of equal ones the earliest.

    A term weighs log(1 + N / df) with N entries ever added, of which df have it. Entries whose document
    fingerprints are within 3 bits are candidates even if they share no term.
    """
    entries, explained = _explained(connection, index_terms(query.prepared))
    near = np.setdiff1d(entries_near(connection, query.fingerprint), entries)
    entries = np.concatenate([entries, near])
    explained = np.concatenate([explained, np.zeros(len(near))])
    best = np.lexsort((entries, -explained))[:most]
    return [Candidate(int(entries[place]), float(explained[place])) for place in best]


def entries_near(connection: Connection, fingerprint: Fingerprint) -> EntryArray:
    """Return the entries whose document fingerprints differ in at most 3 bits, ascending."""
    blocks = dict(zip(_BLOCK_NAMES, fingerprint_terms(fingerprint).tolist(), strict=True))
    stored = connection.execute(_SAME_BLOCK, blocks | {"recipe": fingerprint.recipe}).all()
    entries, values = number_columns(stored)
    near = hamming_distances_bits(unsigned(values), np.uint64(fingerprint.value)) <= NEAR_BITS
    return np.sort(entries[near])


def _explained(connection: Connection, terms: SignedHashes) -> tuple[EntryArray, NDArray[np.float64]]:
    """Return the entries that share terms, ascending, and the share of the terms' weight that each has."""
    entry_count = connection.execute(select(func.max(ENTRIES.c.id))).scalar() or 0
    counts, owners = _postings(_term_rows(connection, terms), terms)
    is_rare = counts <= _MOST_ENTRIES
    weights = np.where(is_rare, np.log1p(entry_count / np.maximum(counts, 1)), 0.0)
    entries, places = np.unique(owners, return_inverse=True)
    sums = np.bincount(places, np.repeat(weights[is_rare], counts[is_rare]), len(entries))
    return entries, sums / max(float(weights.sum()), 1.0)


def _postings(rows: Iterable[_TermRow], terms: SignedHashes) -> tuple[NDArray[np.int64], EntryArray]:
    """Return the number of entries of each term, shape (n,), and those of the rare terms in turn.

    Of a term with too many entries the number is one more than the limit.
    """
    listed = {row[0]: "" if "" in row[1:] else ",".join(filter(None, row[1:])) or None for row in rows}
    counts = np.full(len(terms), _MOST_ENTRIES + 1, np.int64)
    rare: list[str] = []
    for place, term in enumerate(terms.tolist()):
        entries = listed[term]
        if entries != "":
            counts[place] = 0 if entries is None else entries.count(",") + 1
        if entries and counts[place] <= _MOST_ENTRIES:
            rare.append(entries)
    return counts, np.array([int(entry) for entry in ",".join(rare).split(",") if entry], np.int64)


def _term_rows(connection: Connection, terms: SignedHashes) -> list[_TermRow]:
    """Return each term with its first entries in both tables, read by several connections if that is slow.

    All of them must see the same state of the library; what one reads of another state is read again.
    """
    began = time.perf_counter()
    rows = _rows(connection, terms[:_FIRST_TERMS])
    remaining = terms[_FIRST_TERMS:]
    if time.perf_counter() - began < _SLOW_SECONDS:
        return rows + _rows(connection, remaining)
    own, *others = np.array_split(remaining, _READERS)
    with ThreadPoolExecutor(len(others)) as executor:
        works = [executor.submit(_rows_and_state, connection.engine, part) for part in others]
        rows += _rows(connection, own)
        changes = _changes(connection)
        for part, work in zip(others, works, strict=True):
            read, changes_read = work.result()
            rows += read if changes_read == changes else _rows(connection, part)
    return rows


def _rows_and_state(engine: Engine, terms: SignedHashes) -> tuple[list[_TermRow], int]:
    with engine.begin() as connection:
        return _rows(connection, terms), _changes(connection)


def _changes(connection: Connection) -> int:
    changes: int = connection.execute(select(STATE.c.changes)).scalar_one()
    return changes


def _rows(connection: Connection, terms: SignedHashes) -> list[_TermRow]:
    statement = _TERM_STATEMENTS[connection.dialect.name]
    values = {"terms": str(terms.tolist()), "most": _MOST_ENTRIES}
    return list(connection.execute(statement, values).all())


def _term_statement(values: str, joined: str) -> TextClause:
    """Return the statement that lists the entries of each term in both tables, separated by commas.

    Of a term with too many entries in a table it lists "". Text, as a row for each entry takes longer, and so
    do hundreds of parameters.
    """
    listed = (
        "CASE WHEN EXISTS (SELECT 1 FROM {0} WHERE gram = wanted.gram LIMIT 1 OFFSET :most) THEN '' "
        "ELSE (SELECT {1} FROM {0} WHERE gram = wanted.gram) END"
    )
    lists = ", ".join(listed.format(table.name, joined) for table in _TABLES)
    return text(f"SELECT wanted.gram, {lists} FROM ({values}) AS wanted")


_TERM_STATEMENTS = {
    "sqlite": _term_statement("SELECT value AS gram FROM json_each(:terms)", "group_concat(entry)"),
    "postgresql": _term_statement(
        "SELECT CAST(value AS bigint) AS gram FROM json_array_elements_text(CAST(:terms AS json))",
        "string_agg(CAST(entry AS text), ',')",
    ),
}
"""By the name of the dialect: both take the terms as one text in JSON, but name their functions otherwise."""

_BLOCK_NAMES = [f"block_{number}" for number in range(NEAR_BITS + 1)]
_SAME_BLOCK = text(
    "SELECT entry, document FROM fingerprints WHERE recipe = :recipe AND entry IN ("
    + " UNION ALL ".join(
        f"SELECT entry FROM {table.name} WHERE gram IN ({', '.join(f':{name}' for name in _BLOCK_NAMES)})"
        for table in _TABLES
    )
    + ")"
)
"""Fingerprints of the entries with one of some blocks."""
