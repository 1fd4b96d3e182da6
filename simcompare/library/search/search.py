"""Search a library for the entries that share passages with a text, or that have a sentence."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from threading import Event
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select, text

from simcompare.cohort.document_preparation import PRELOADED, lower_process_priority
from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.cohort.pair_scores import PairText
from simcompare.comparison.compare_documents import build_comparison
from simcompare.comparison.comparison_matrix import (
    TextNumbering,
    assemble,
    numbered_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.comparison.comparison_result import NO_EXCLUSIONS, Comparison
from simcompare.comparison.exclusions.excluded_sentences import find_exclusion_candidates
from simcompare.comparison.figures import PairSummary
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.comparison.passages.rewriting import LEAST_EVIDENCE_IN_CLASS, all_passages
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document, with_recipe
from simcompare.fingerprint.simhash import Fingerprint, hamming_distances_bits
from simcompare.library.changes import LIBRARY_RECIPE
from simcompare.library.entries import StoredEntry, chosen_entries, restored_document, stored_fingerprint
from simcompare.library.index_terms import NEAR_BITS, fingerprint_terms, index_terms
from simcompare.library.library_errors import LibraryError, NotSearchedError
from simcompare.library.search.level_search import find_by_fingerprints, fingerprint_entries
from simcompare.library.search.meaning_search import find_by_meaning, stored_meanings
from simcompare.library.search.shared_facts import Owner, find_shared_facts
from simcompare.library.store.library_place import LibraryPlace
from simcompare.library.store.open_library import Library, open_library
from simcompare.library.store.schema import ENTRIES, POSTINGS, RECENT_POSTINGS
from simcompare.library.store.stored_postings import (
    SignedHashes,
    entries_of_terms,
    number_columns,
    stored_numbers,
    term_counts,
    unsigned,
)
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.document import BlockKind, Document
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.support.arrays import Int64Array
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_pool import (
    WAITING_FACTOR,
    MeasuredFuture,
    ProcessorTimeError,
    WorkerError,
    WorkerPool,
)
from simcompare.text.prepared_text import prepare
from simcompare.text.thesaurus import Thesaurus, load_thesaurus

_MOST_ENTRIES = 200
"""Terms of more entries are ignored: they take most of the time and weigh least. With fewer, a source that a
class has copied would not be found."""
_RARITY_POWER = 3
"""Tuned with `library_recall.py`: with 1, many frequent terms outweigh a few grams of a short passage."""
_USUAL_TERMS = 300
"""Terms of an entry with 800 units; longer ones share more terms by chance."""
_LENGTHS_AT_ONCE = 16

_Floats = NDArray[np.float64]
Number = TypeVar("Number", bound=np.generic)
Result = TypeVar("Result")


def find_candidates(connection: Connection, query: PreparedDocument) -> Iterator[int]:
    """Yield the entries that share terms with a text, those that explain most of it first.

    An entry scores log(1 + N / (df * length))^3 for each term, with N entries ever added, of which df have
    it; length is the number of the entry's terms divided by 300, but at least 1. Of equal ones the earliest
    is first. The last are entries without common terms whose document fingerprints are within 3 bits.
    """
    return (entry for entry, _library in find_candidates_in([connection], query))


def find_candidates_in(
    connections: Sequence[Connection], query: PreparedDocument
) -> Iterator[tuple[int, int]]:
    """Yield the entries of several libraries, each with the number of its library, as if they were one.

    N and df are those of all libraries together, which are asked at the same time.
    """
    libraries = len(connections)
    found = _in_each(connections, partial(_shared, index_terms(query.prepared)))
    counts = np.sum([each.counts for each in found], axis=0)
    entry_count = sum(each.entry_count for each in found)
    rarities = [each.of_terms(entry_count / np.maximum(counts, 1)) for each in found]
    # terms that are too frequent only in all libraries together
    kept = [each.of_terms(counts) <= _MOST_ENTRIES for each in found]
    owners = [each.owners * libraries + library for library, each in enumerate(found)]
    shared = np.concatenate([each[own] for each, own in zip(owners, kept, strict=True)])
    shared_rarities = np.concatenate([each[own] for each, own in zip(rarities, kept, strict=True)])
    for owner in _ranked(connections, shared, shared_rarities):
        yield divmod(owner, libraries)
    near = _in_each(connections, partial(_near, query.fingerprint))
    similar = np.concatenate([each * libraries + library for library, each in enumerate(near)])
    for owner in np.setdiff1d(similar, shared).tolist():
        yield divmod(owner, libraries)


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """What one library has of some terms: entries ever added, and the result of `entries_of_terms`."""

    entry_count: int
    counts: NDArray[np.int64]
    owners: Int64Array

    def of_terms(self, values: NDArray[Number]) -> NDArray[Number]:
        """Return the value of the term of each of `owners`, given that of each term."""
        listed = (self.counts > 0) & (self.counts <= _MOST_ENTRIES)
        return np.repeat(values[listed], self.counts[listed])


def _shared(terms: SignedHashes, connection: Connection) -> _Shared:
    entry_count = connection.execute(select(func.max(ENTRIES.c.id))).scalar() or 0
    return _Shared(entry_count, *entries_of_terms(connection, terms, _MOST_ENTRIES))


def _near(fingerprint: Fingerprint, connection: Connection) -> Int64Array:
    return entries_near(connection, fingerprint)


def _in_each(connections: Sequence[Connection], read: Callable[[Connection], Result]) -> list[Result]:
    if len(connections) == 1:
        return [read(connections[0])]
    with ThreadPoolExecutor(len(connections)) as executor:
        return list(executor.map(read, connections))


def _ranked(connections: Sequence[Connection], owners: Int64Array, rarities: _Floats) -> Iterator[int]:
    """Yield entries by their scores; N / df of each of their terms in `rarities`, shape (n,) each.

    An entry is its number times the number of libraries plus that of its library. Lengths are read only of
    those entries that may be the next best one, as each may be on another page.
    """
    entries, places = np.unique(owners, return_inverse=True)
    lengths = np.ones(len(entries))
    most = _scores(rarities, lengths, places)
    order = np.argsort(-most, kind="stable")
    waiting: list[tuple[float, int]] = []
    for first in range(0, len(order), _LENGTHS_AT_ONCE):
        end = first + _LENGTHS_AT_ONCE
        part = order[first:end]
        lengths[part] = _lengths(connections, entries[part].tolist())
        scores = _scores(rarities, lengths, places) if lengths[part].max() > 1 else most
        for place in part.tolist():
            heapq.heappush(waiting, (-float(scores[place]), int(entries[place])))
        most_of_others = most[order[end]] if end < len(order) else 0.0
        while waiting and -waiting[0][0] >= most_of_others:
            yield heapq.heappop(waiting)[1]


def _scores(rarities: _Floats, lengths: _Floats, places: NDArray[np.intp]) -> _Floats:
    """Return the score of each entry, shape (len(lengths),); `places` has the entry of each term."""
    weights = np.log1p(rarities / lengths[places]) ** _RARITY_POWER
    return np.asarray(np.bincount(places, weights, len(lengths)), np.float64)


def _lengths(connections: Sequence[Connection], owners: Sequence[int]) -> _Floats:
    """Return the length of each entry, numbered as in `_ranked`. Raises BrokenValueError if one is gone."""
    terms: dict[int, int] = {}
    for library, connection in enumerate(connections):
        own = [owner // len(connections) for owner in owners if owner % len(connections) == library]
        if own:
            counts = term_counts(connection, own)
            terms |= {entry * len(connections) + library: count for entry, count in counts.items()}
    return np.maximum(stored_numbers(map(terms.get, owners)) / _USUAL_TERMS, 1.0)


def entries_near(connection: Connection, fingerprint: Fingerprint) -> Int64Array:
    """Return the entries whose document fingerprints differ in at most 3 bits, ascending."""
    blocks = dict(zip(_BLOCK_NAMES, fingerprint_terms(fingerprint).tolist(), strict=True))
    stored = connection.execute(_SAME_BLOCK, blocks | {"recipe": fingerprint.recipe}).all()
    entries, values = number_columns(stored)
    near = hamming_distances_bits(unsigned(values), np.uint64(fingerprint.value)) <= NEAR_BITS
    return np.sort(entries[near])


_BLOCK_NAMES = [f"block_{number}" for number in range(NEAR_BITS + 1)]
_SAME_BLOCK = text(
    "SELECT entry, document FROM fingerprints WHERE recipe = :recipe AND entry IN ("
    + " UNION ALL ".join(
        f"SELECT entry FROM {table.name} WHERE gram IN ({', '.join(f':{name}' for name in _BLOCK_NAMES)})"
        for table in (POSTINGS, RECENT_POSTINGS)
    )
    + ")"
)
"""Fingerprints of the entries with one of some blocks."""


class TextComparer:
    """Compares a text with others, with the results of `compare`.

    What the comparisons need of the text alone is computed once, which is half of their time.
    """

    def __init__(
        self, text: PreparedDocument, settings: ComparisonSettings, thesaurus: Thesaurus | None
    ) -> None:
        self._text = text
        self._settings = settings
        self._numbering = TextNumbering(thesaurus)
        self._side = PairText(text.prepared, self._numbering)
        self._exclusion_candidates = find_exclusion_candidates(text)

    def compare(self, other: PreparedDocument) -> Comparison:
        """Compare the text, on the left, with another one."""
        side = PairText(other.prepared, self._numbering)
        matrix_input = numbered_matrix_input(self._side.numbered, side.numbered)
        blocks = map(partial(score_rows, matrix_input), row_blocks(matrix_input))
        passages = self._settings.passages
        return build_comparison(
            self._text,
            other,
            self._settings,
            assemble(matrix_input.shape, blocks),
            (self._exclusion_candidates, find_exclusion_candidates(other)),
            None
            if passages is None
            else all_passages(self._side.terms, side.terms, passages, meaning=self._settings.meaning),
        )


DEFAULT_MOST = 10
"""Texts that are compared in full."""
_CANDIDATES_PER_TEXT = 20
"""Candidates read for each text to compare, as several entries may have the same one."""

TEXT_SETTINGS = ComparisonSettings()
_SENTENCE_SETTINGS = replace(TEXT_SETTINGS, **NO_EXCLUSIONS)

_TextKey = tuple[str, tuple[BlockKind, ...]]
"""What makes two stored texts the same one."""


@dataclass(frozen=True, slots=True)
class LibraryHit:
    """An entry that shares text with what was searched.

    summary: with the searched text on the left. excerpt: the longest passage in the entry. is_same_file: the
    entry is the searched file. same_text: a number that all hits with the same text have; in one library the
    first of their entries. library: the place of its library if several were searched, else "". facts: what
    the two files have in common besides their wording.
    """

    entry: StoredEntry
    summary: PairSummary
    excerpt: str
    is_same_file: bool
    same_text: int
    library: str = ""
    facts: PairFacts = NO_FACTS

    @property
    def share(self) -> float:
        """Share of the searched text that is in the entry, after exclusions; 0 if no unit of it counts."""
        return self.summary.after_exclusions_left_in_right or 0.0


class StoredText(NamedTuple):
    document: Document
    fingerprint: Fingerprint
    meanings: bytes = b""


ComparedText = tuple[PairSummary, str]
"""What a stored text has of the searched one: `LibraryHit.summary` and `LibraryHit.excerpt`."""


class FoundEntry(NamedTuple):
    """An entry that has a text, the number of its library among those searched, its file, and its facts."""

    library: int
    entry: StoredEntry
    file_sha256: str
    facts: PairFacts = NO_FACTS


@dataclass(frozen=True, slots=True, eq=False)
class FoundText:
    """A stored text, and the entries that have it, the first one first."""

    stored: StoredText
    entries: tuple[FoundEntry, ...]


def compare_texts(
    text: PreparedDocument, stored: Sequence[StoredText], settings: ComparisonSettings
) -> list[ComparedText]:
    """Compare a text with stored ones, in any process; also by meaning if the text was prepared so."""
    by_meaning = text.prepared.meanings is not None
    settings = replace(settings, meaning=by_meaning)
    comparer = TextComparer(text, settings, load_thesaurus(settings.thesaurus))
    prepared = (
        PreparedDocument(document, prepare(document, meaning=by_meaning, kept=meanings), fingerprint)
        for document, fingerprint, meanings in stored
    )
    return [_compared(comparer.compare(each)) for each in prepared]


class LibrarySearch:
    """Search of a library, or of several as if they were one."""

    def __init__(self, *libraries: Library, by_fingerprints: bool = False) -> None:
        """by_fingerprints: find candidates as in `level_search.py`, not by grams and rare words."""
        self._libraries = libraries
        self._by_fingerprints = by_fingerprints

    def search(self, text: PreparedDocument, most: int = DEFAULT_MOST) -> list[LibraryHit]:
        """Return the entries that share most of a text, largest share first.

        The best `most` different texts of the candidates are compared in full, and as many of those found by
        meaning if the text was prepared so; those with nothing in common are left out. Raises LibraryError.
        """
        return self._search(text, most, TEXT_SETTINGS)

    def search_sentence(self, sentence: str, most: int = DEFAULT_MOST) -> list[LibraryHit]:
        """Return the entries with a sentence, or one like it; of equal shares the entry added first.

        Quotations and short sentences count, unlike in a text. Raises NoUnitsError, LibraryError, and the
        errors of reading a text that was pasted.
        """
        path = Path(display_name(sentence).replace("/", " "))
        text = prepare_document(load_pasted(path, PastedText(sentence)), LIBRARY_RECIPE)
        return self._search(text, most, _SENTENCE_SETTINGS)

    def _search(self, text: PreparedDocument, most: int, settings: ComparisonSettings) -> list[LibraryHit]:
        found = self.find(text, most)
        # after the transaction, as comparing takes longer than reading
        return self.hits(text, found, compare_texts(text, [each.stored for each in found], settings))

    def find(self, text: PreparedDocument, most: int) -> list[FoundText]:
        """Return the best texts to compare, at most `most` by words, each with its entries that were found.

        If the text was encoded, at most as many others are found by meaning; `encode_entries` comes before.

        Raises LibraryError.
        """
        if self._by_fingerprints:
            fingerprint_entries(self._libraries)
        texts: dict[_TextKey, StoredText] = {}
        files: defaultdict[_TextKey, dict[tuple[int, int], str]] = defaultdict(dict)
        with ExitStack() as stack:
            connections = [stack.enter_context(library.reading()) for library in self._libraries]
            find = find_by_fingerprints if self._by_fingerprints else find_candidates_in
            by_meaning = text.prepared.meanings is not None
            searches = [find(connections, text)]

            def restored(owner: Owner) -> Document:
                entry, library = owner
                return restored_document(self._libraries[library], connections[library], entry)

            facts = find_shared_facts(connections, {0: text.document}, restored)[0]
            searches.append(iter(facts))
            if by_meaning:
                searches.append(find_by_meaning(connections, text.prepared))
            for candidates in searches:
                most_texts = len(texts) + most
                for entry, library in islice(candidates, _CANDIDATES_PER_TEXT * most):
                    document = restored((entry, library))
                    key = document.text, tuple(block.kind for block in document.blocks)
                    if key not in texts:
                        if len(texts) == most_texts:
                            break
                        fingerprint = stored_fingerprint(connections[library], entry)
                        meanings = stored_meanings(connections[library], entry) if by_meaning else b""
                        texts[key] = StoredText(document, fingerprint, meanings)
                    files[key][entry, library] = document.sha256
            entries = _stored_entries(connections, chain.from_iterable(files.values()))
        return [
            FoundText(
                stored,
                tuple(
                    FoundEntry(owner[1], entries[owner], sha256, facts.get(owner, NO_FACTS))
                    for owner, sha256 in sorted(files[key].items())
                ),
            )
            for key, stored in texts.items()
        ]

    def hits(
        self, text: PreparedDocument, found: Sequence[FoundText], compared: Sequence[ComparedText]
    ) -> list[LibraryHit]:
        """Return the entries that share something with the text, largest share first, and log the search.

        Raises LibraryError.
        """
        hits: list[LibraryHit] = []
        counts = [0] * len(self._libraries)
        for stored, figures in zip(found, compared, strict=True):
            is_similar = figures[0].makes_hit
            for each in stored.entries:
                if is_similar or each.facts != NO_FACTS:
                    counts[each.library] += 1
                    hits.append(self._hit(text, stored, each, figures))
        for library, count in zip(self._libraries, counts, strict=True):
            library.log_search(count)
        return sorted(
            hits, key=lambda hit: (-hit.share, -hit.summary.rewritten_units, hit.entry.entry, hit.library)
        )

    def _hit(
        self, text: PreparedDocument, stored: FoundText, own: FoundEntry, figures: ComparedText
    ) -> LibraryHit:
        count, first = len(self._libraries), stored.entries[0]
        return LibraryHit(
            own.entry,
            *figures,
            text.document.sha256 == own.file_sha256,
            first.entry.entry * count + first.library,
            str(self._libraries[own.library].place) if count > 1 else "",
            own.facts,
        )


def _stored_entries(
    connections: Sequence[Connection], wanted: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], StoredEntry]:
    by_library: defaultdict[int, list[int]] = defaultdict(list)
    for entry, library in wanted:
        by_library[library].append(entry)
    return {
        (entry.entry, library): entry
        for library, numbers in by_library.items()
        for entry in chosen_entries(connections[library], numbers)
    }


def _compared(comparison: Comparison) -> ComparedText:
    passages, text = list(numbered_passages(comparison)), comparison.right.document.text
    rewritten = [passage for passage in passages if passage.evidence >= LEAST_EVIDENCE_IN_CLASS]
    by_words = [passage for passage in passages if passage.kind is not PassageKind.MEANING]
    shown = by_words or rewritten
    excerpt = max(shown, key=lambda passage: passage.units).right.of(text) if shown else ""
    counts = (
        max((passage.units for passage in by_words), default=0),
        len(comparison.matches),
        sum(passage.units for passage in rewritten),
    )
    return PairSummary.of(comparison.share, comparison.sentence_share, *counts), excerpt


_TEXT_SECONDS = 600.0
"""Processor time for one text: ten comparisons of long theses take a minute."""
_TEXTS_PER_WORKER = 2
_LOOK_FOR_STOP_SECONDS = 0.1
_FAILED = N_("its comparison took too long, or needed too much memory")
FoundHits = tuple[int, list[LibraryHit] | SimcompareError]
"""Key of a text, and its hits or why it could not be searched."""


def search_texts(
    place: LibraryPlace,
    texts: Mapping[int, PreparedDocument],
    workers: int,
    stop: Event,
    by_fingerprints: bool = False,
    by_meaning: bool = False,
) -> Generator[FoundHits, None, None]:
    """Search texts in a library, and yield each result when it is there.

    A text whose process was lost is searched again, once. Neither finding candidates nor comparing them holds
    up the threads of this process. Processes are spawned, so call it under `if __name__ == "__main__"`. Ends
    early soon after `stop` is set; no result follows. Raises LibraryError.
    """
    keys, again = iter(texts), set[int]()
    pool = WorkerPool(
        workers,
        WAITING_FACTOR * _TEXT_SECONDS,
        expected=SimcompareError,
        preload=PRELOADED,
        initializer=lower_process_priority,
        processor_seconds=_TEXT_SECONDS,
    )

    def begin(key: int) -> "MeasuredFuture[list[LibraryHit]]":
        return pool.start((_hits, place, texts[key], by_fingerprints, by_meaning), is_alone=key in again)

    with pool:
        searching: dict[Future[list[LibraryHit]], int] = {
            begin(key): key for key in islice(keys, _TEXTS_PER_WORKER * workers)
        }
        while searching and not stop.is_set():
            ready = wait(searching, _LOOK_FOR_STOP_SECONDS, FIRST_COMPLETED).done
            for hits in ready:
                if stop.is_set():
                    return
                key = searching.pop(hits)
                error: BaseException | None = hits.exception()
                if isinstance(error, WorkerError):
                    if key not in again and not isinstance(error, ProcessorTimeError):
                        again.add(key)
                        searching[begin(key)] = key
                        continue
                    error = NotSearchedError(texts[key].document.path, cause=_FAILED)
                searching |= {begin(following): following for following in islice(keys, 1)}
                if isinstance(error, SimcompareError) and not isinstance(error, LibraryError):
                    yield key, error
                else:
                    yield key, hits.result()


# in the worker process

_opened: list[tuple[tuple[LibraryPlace, bool], LibrarySearch]] = []
"""The last search of this process, with its library and method."""


def _hits(
    place: LibraryPlace, text: PreparedDocument, by_fingerprints: bool, by_meaning: bool
) -> list[LibraryHit]:
    """Search a text. Raises LibraryError, NoTermsError, MeaningModelMissingError."""
    asked = place, by_fingerprints
    if not _opened or _opened[0][0] != asked:
        _opened[:] = [(asked, LibrarySearch(open_library(place), by_fingerprints=by_fingerprints))]
    return _opened[0][1].search(with_recipe(text, LIBRARY_RECIPE).with_meanings(by_meaning))
