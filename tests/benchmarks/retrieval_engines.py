"""Ways to find the source of a text among many: the library, and others to compare it with.

MinHashLSH of datasketch is left out where it is not installed. To install it outside the project:

    .venv/bin/python -m pip install --target FOLDER --no-deps datasketch scipy
    PYTHONPATH=FOLDER .venv/bin/python -m tests.benchmarks.library_recall
"""

import sqlite3
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import hamming_distances_bits
from simcompare.library.changes import add_entries, make_new_entry
from simcompare.library.entries import chosen_entries
from simcompare.library.index_terms import gram_hashes
from simcompare.library.search.search import find_candidates
from simcompare.library.store.open_library import Library

FIRST = 10
K_BITS = 3
PERMUTATIONS = 128
THRESHOLDS = (0.5, 0.1)


class RetrievalEngine(Protocol):
    """Finds texts. name: for the table."""

    name: str

    def add(self, texts: Sequence[PreparedDocument]) -> None:
        """Add texts with different names."""

    def found(self, query: PreparedDocument) -> list[str]:
        """Return the names of the ten best texts, best first."""


class LibraryEngine:
    """The candidates of a library."""

    name = "library"

    def __init__(self, library: Library) -> None:
        self._library = library

    def add(self, texts: Sequence[PreparedDocument]) -> None:
        list(add_entries(self._library, map(make_new_entry, texts)))

    def found(self, query: PreparedDocument) -> list[str]:
        with self._library.reading() as connection:
            found = list(islice(find_candidates(connection, query), FIRST))
            names = {entry.entry: entry.name for entry in chosen_entries(connection, found)}
        return [names[entry] for entry in found]


class SimhashEngine:
    """Document fingerprints within 3 bits, the nearest first."""

    name = "Simhash"

    def __init__(self) -> None:
        self._names: list[str] = []
        self._values = np.zeros(0, np.uint64)

    def add(self, texts: Sequence[PreparedDocument]) -> None:
        self._names += [text.name for text in texts]
        values = np.array([text.fingerprint.value for text in texts], np.uint64)
        self._values = np.concatenate([self._values, values])

    def found(self, query: PreparedDocument) -> list[str]:
        distances = hamming_distances_bits(self._values, np.uint64(query.fingerprint.value))
        best = np.argsort(distances, kind="stable")[:FIRST]
        return [self._names[place] for place in best if distances[place] <= K_BITS]


class FullTextEngine:
    """FTS5 of SQLite: any of the words, ranked by BM25. Its words are those of the program."""

    name = "FTS5"

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path)
        self._database.execute("CREATE VIRTUAL TABLE texts USING fts5(name UNINDEXED, words)")

    def add(self, texts: Sequence[PreparedDocument]) -> None:
        rows = ((text.name, " ".join(_words_of(text))) for text in texts)
        self._database.executemany("INSERT INTO texts VALUES (?, ?)", rows)
        self._database.commit()

    def found(self, query: PreparedDocument) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(_words_of(query)))
        statement = "SELECT name FROM texts WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return [name for (name,) in self._database.execute(statement, (words, FIRST))]


def _words_of(text: PreparedDocument) -> list[str]:
    return [text.prepared.word_vocabulary[number] for number in text.prepared.word_ids]


class MinHashEngine:
    """MinHashLSH of datasketch on grams of 6 units, the largest estimated Jaccard similarity first."""

    def __init__(self, threshold: float) -> None:
        from datasketch import MinHashLSH

        self.name = f"LSH {threshold}"
        self._index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        self._hashes: dict[str, Any] = {}

    def add(self, texts: Sequence[PreparedDocument]) -> None:
        for text in texts:
            self._hashes[text.name] = _min_hash(text)
            self._index.insert(text.name, self._hashes[text.name])

    def found(self, query: PreparedDocument) -> list[str]:
        own = _min_hash(query)
        names: list[str] = sorted(self._index.query(own))
        return sorted(names, key=lambda name: -own.jaccard(self._hashes[name]))[:FIRST]


def _min_hash(text: PreparedDocument) -> Any:
    from datasketch import MinHash

    found = MinHash(num_perm=PERMUTATIONS, hashfunc=lambda gram: gram & 0xFFFFFFFF)
    found.update_batch(gram_hashes(text.prepared).tolist())
    return found


def all_engines(library: Library, folder: Path) -> Iterator[RetrievalEngine]:
    """Make the engines."""
    yield LibraryEngine(library)
    yield SimhashEngine()
    yield FullTextEngine(folder / "words.sqlite")
    if find_spec("datasketch") is None:
        print("MinHashLSH is left out: datasketch is not installed")
        return
    for threshold in THRESHOLDS:
        yield MinHashEngine(threshold)
