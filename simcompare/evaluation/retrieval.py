"""Precision, recall and time of finding near-copies by fingerprints (Zhang & He, section 4)."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from simcompare.evaluation.shingles import (
    DEFAULT_SAMPLE_SIZE,
    DEFAULT_WIDTH_UNITS,
    ShingleSketch,
    resemblances,
    shingle_sketch,
    sketch_signature,
)
from simcompare.fingerprint.fingerprint_value import Fingerprint, fingerprint_values, hamming_distances_bits
from simcompare.fingerprint.recipes import RECIPES, make_fingerprint
from simcompare.fingerprint.weights import BACKGROUND, Idf
from simcompare.model.document import Document
from simcompare.model.errors import NoUnitsError, UnknownRecipeError
from simcompare.model.progress import Tick, no_tick
from simcompare.text.prepared_text import PreparedText

FingerprintT = TypeVar("FingerprintT")
SearchResults = list[NDArray[np.int64]]

SHINGLE = "shingle"
_OVER_COLLECTION = "/collection"
METHOD_NAMES = (
    SHINGLE,
    *RECIPES,
    *(name + _OVER_COLLECTION for name, recipe in RECIPES.items() if recipe.uses_idf),
)
"""Methods to evaluate: the baseline, the recipes, and those with IDF over the loaded documents."""
_SIZE_STEPS = 4
_NO_GROUP = -1


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A document of the experiment. Documents of one group should find each other.

    group None: an unrelated document, which no other should find.
    """

    document: Document
    prepared: PreparedText
    group: str | None


class Method(Protocol[FingerprintT]):
    """A method to fingerprint documents and to search the fingerprints."""

    @property
    def name(self) -> str:
        """The name in METHOD_NAMES."""

    @property
    def signature(self) -> str:
        """Identifier of everything its fingerprints depend on."""

    def make(self, sample: Sample) -> FingerprintT | None:
        """Fingerprint one document; None if the method finds no terms in it."""

    def search(self, fingerprints: Sequence[FingerprintT]) -> SearchResults:
        """For each fingerprint as the query, return the indices of those it finds, including itself."""


@dataclass(frozen=True, slots=True)
class SimhashMethod:
    """A recipe of RECIPES; a search finds fingerprints within `distance_bits`."""

    name: str
    recipe: str
    idf: Idf
    distance_bits: int

    @property
    def signature(self) -> str:
        """The recipe of its fingerprints."""
        return RECIPES[self.recipe].signature(self.idf)

    def make(self, sample: Sample) -> Fingerprint | None:
        """Fingerprint one document."""
        try:
            return make_fingerprint(sample.document, sample.prepared, self.recipe, self.idf)
        except NoUnitsError:
            return None

    def search(self, fingerprints: Sequence[Fingerprint]) -> SearchResults:
        """Scan all fingerprints for each query."""
        values = fingerprint_values(fingerprints)
        return [
            np.flatnonzero(hamming_distances_bits(values, value) <= self.distance_bits) for value in values
        ]


@dataclass(frozen=True, slots=True)
class ShingleMethod:
    """Shingle sketches; a search finds an estimated resemblance of at least `lowest_resemblance`."""

    lowest_resemblance: float
    name: str = SHINGLE

    @property
    def signature(self) -> str:
        """The recipe of its sketches."""
        return sketch_signature(DEFAULT_WIDTH_UNITS, DEFAULT_SAMPLE_SIZE)

    def make(self, sample: Sample) -> ShingleSketch | None:
        """Sketch one document."""
        return shingle_sketch(sample.prepared)

    def search(self, fingerprints: Sequence[ShingleSketch]) -> SearchResults:
        """Compare every sketch with all others."""
        minima = np.array([sketch.minima for sketch in fingerprints])
        return [
            np.flatnonzero(resemblances(minima, fingerprint) >= self.lowest_resemblance)
            for fingerprint in minima
        ]


def make_method(name: str, distance_bits: int, lowest_resemblance: float, collection: Idf) -> Method[Any]:
    """Create the method with a name of METHOD_NAMES. Raises UnknownRecipeError."""
    if name not in METHOD_NAMES:
        raise UnknownRecipeError(recipe=name, known=", ".join(METHOD_NAMES))
    if name == SHINGLE:
        return ShingleMethod(lowest_resemblance)
    idf = collection if name.endswith(_OVER_COLLECTION) else BACKGROUND
    return SimhashMethod(name, name.removesuffix(_OVER_COLLECTION), idf, distance_bits)


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over some queries: documents retrieved, correct ones among them, and all relevant ones."""

    retrieved: int
    correct: int
    relevant: int

    @property
    def precision(self) -> float | None:
        """Correct / retrieved, or None if nothing was retrieved."""
        return self.correct / self.retrieved if self.retrieved else None

    @property
    def recall(self) -> float | None:
        """Correct / relevant, or None if there are no relevant documents."""
        return self.correct / self.relevant if self.relevant else None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One method on the first `document_count` documents, each of which was the query once.

    groups: score of the queries of each group; overall: score of all queries, including ungrouped ones.
    """

    method: str
    signature: str
    document_count: int
    fingerprint_seconds: float
    search_seconds: float
    groups: Mapping[str, Score]
    overall: Score

    @property
    def seconds(self) -> float:
        """Seconds for fingerprinting and search together."""
        return self.fingerprint_seconds + self.search_seconds


def interleave_groups(samples: Sequence[Sample]) -> list[Sample]:
    """Order the samples so that every prefix has about the same share of each group."""
    sizes = Counter(sample.group for sample in samples)
    seen: Counter[str | None] = Counter()
    placed = []
    for number, sample in enumerate(samples):
        place = (seen[sample.group] + 0.5) / sizes[sample.group]
        seen[sample.group] += 1
        placed.append((place, number, sample))
    return [sample for _, _, sample in sorted(placed, key=lambda entry: entry[:2])]


def collection_sizes(count: int) -> list[int]:
    """Return the collection sizes at which time is measured: a quarter, a half, three quarters, all."""
    return sorted({-(-count * step // _SIZE_STEPS) for step in range(1, _SIZE_STEPS + 1)})


def evaluate_method(
    samples: Sequence[Sample], method: Method[FingerprintT], *, tick: Tick = no_tick
) -> list[Retrieval]:
    """Let every document search for its group, in collections of increasing size.

    All documents are fingerprinted twice and the second time counts: the first one loads word lists and
    fills caches, which would otherwise count for the first method only. `tick` is called per document.
    """
    fingerprints: list[FingerprintT | None] = []
    seconds = np.zeros(len(samples))
    for done in range(2 * len(samples)):
        place = done % len(samples)
        start = time.perf_counter()
        fingerprint = method.make(samples[place])
        seconds[place] = time.perf_counter() - start
        if done < len(samples):
            fingerprints.append(fingerprint)
        tick(done + 1, 2 * len(samples))
    return [
        _retrieval(samples[:size], method, fingerprints[:size], float(seconds[:size].sum()))
        for size in collection_sizes(len(samples))
    ]


def _retrieval(
    samples: Sequence[Sample],
    method: Method[FingerprintT],
    fingerprints: Sequence[FingerprintT | None],
    fingerprint_seconds: float,
) -> Retrieval:
    present = np.array(
        [place for place, fingerprint in enumerate(fingerprints) if fingerprint is not None], dtype=np.int64
    )
    start = time.perf_counter()
    found = method.search([fingerprint for fingerprint in fingerprints if fingerprint is not None])
    search_seconds = time.perf_counter() - start
    groups, overall = _score_queries(samples, present, found)
    return Retrieval(
        method.name, method.signature, len(samples), fingerprint_seconds, search_seconds, groups, overall
    )


def _score_queries(
    samples: Sequence[Sample], queries: NDArray[np.int64], found: SearchResults
) -> tuple[Mapping[str, Score], Score]:
    """Count what each query found besides itself; documents without a fingerprint find nothing."""
    names = sorted({sample.group for sample in samples if sample.group is not None})
    numbers = {name: number for number, name in enumerate(names)}
    group_of = np.array([numbers.get(sample.group or "", _NO_GROUP) for sample in samples], dtype=np.int64)
    retrieved, correct = np.zeros((2, len(samples)), dtype=np.int64)
    for query, places in zip(queries, found, strict=True):
        retrieved[query] = len(places) - 1
        if group_of[query] != _NO_GROUP:
            correct[query] = np.count_nonzero(group_of[queries[places]] == group_of[query]) - 1
    sizes = np.bincount(group_of[group_of != _NO_GROUP], minlength=len(names))
    scores = {
        name: Score(
            int(retrieved[group_of == number].sum()),
            int(correct[group_of == number].sum()),
            int(sizes[number] * (sizes[number] - 1)),
        )
        for name, number in numbers.items()
    }
    relevant = sum(score.relevant for score in scores.values())
    return scores, Score(int(retrieved.sum()), int(correct.sum()), relevant)
