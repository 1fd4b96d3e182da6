"""Precision, recall and time of near-copy search by fingerprints (Zhang & He, section 4; Lv et al., 4.1)."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.prepared_document import prepare_document
from simcompare.fingerprint.simhash import (
    BACKGROUND,
    RECIPES,
    Fingerprint,
    Hashes,
    Idf,
    Level,
    fingerprint_values,
    hamming_distances_bits,
    make_fingerprint,
    term_hashes,
)
from simcompare.library.search.level_search import NEAR_BITS, text_parts
from simcompare.model.document import Document
from simcompare.model.errors import NoUnitsError, RecipeMismatchError, UnknownRecipeError
from simcompare.model.progress import Tick, no_tick
from simcompare.model.settings import PRESETS
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import load_thesaurus

DEFAULT_WIDTH_UNITS = 5
DEFAULT_SAMPLE_SIZE = 128

# Odd constants of SplitMix64 (Steele et al. 2014), whose steps mix 64 bits well.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, slots=True, eq=False)
class ShingleSketch:
    """Sample of the shingles of a text.

    minima: shape (s,), the smallest hash under each of s permutations; recipe: width, sample size and
    version; only sketches of the same recipe can be compared.
    """

    minima: Hashes
    recipe: str


def sketch_signature(width_units: int, sample_size: int) -> str:
    """Return the recipe: everything that a sketch depends on."""
    return f"shingle/1-w{width_units}-s{sample_size}"


def shingle_sketch(
    prepared: PreparedText,
    width_units: int = DEFAULT_WIDTH_UNITS,
    sample_size: int = DEFAULT_SAMPLE_SIZE,
) -> ShingleSketch | None:
    """Sample the distinct runs of `width_units` units of a text; None if it has no units.

    A text shorter than a shingle is one shingle.
    """
    if not prepared.unit_count:
        return None
    units = term_hashes(prepared.unit_vocabulary)[prepared.unit_ids]
    shingles = np.unique(_shingle_hashes(units, min(width_units, len(units))))
    minima = np.array(
        [(shingles * factor + shift).min() for factor, shift in _permutations(sample_size)], dtype=np.uint64
    )
    return ShingleSketch(minima, sketch_signature(width_units, sample_size))


def resemblance(left: ShingleSketch, right: ShingleSketch) -> float:
    """Estimate |A n B| / |A u B| of the shingle sets, with a standard error of sqrt(r (1 - r) / s).

    Raises RecipeMismatchError.
    """
    if left.recipe != right.recipe:
        raise RecipeMismatchError(left=left.recipe, right=right.recipe)
    return float(resemblances(left.minima[None, :], right.minima)[0])


def resemblances(minima: Hashes, query: Hashes) -> NDArray[np.float64]:
    """Estimate the resemblance of n texts, shape (n, s), to a query, shape (s,); all of the same recipe."""
    shares: NDArray[np.float64] = (minima == query).mean(axis=1)
    return shares


def _shingle_hashes(units: Hashes, width: int) -> Hashes:
    """Return a hash of each run of `width` hashes, which depends on their order."""
    count = len(units) - width + 1
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(width):
        hashes = _mix(hashes + _STEP) ^ units[offset : offset + count]
    return _mix(hashes)


@cache
def _permutations(count: int) -> Sequence[tuple[np.uint64, np.uint64]]:
    """Return (odd factor, shift) of permutations x -> x * factor + shift of the 64-bit numbers."""
    drawn = _mix(np.arange(1, 2 * count + 1, dtype=np.uint64) * _STEP)
    return list(zip(drawn[::2] | np.uint64(1), drawn[1::2], strict=True))


def _mix(numbers: Hashes) -> Hashes:
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _FIRST_FACTOR
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _SECOND_FACTOR
    return numbers ^ (numbers >> np.uint64(31))


Value = TypeVar("Value")
Hits = list[NDArray[np.int64]]

SHINGLE = "shingle"
_OVER_COLLECTION = "/collection"
METHOD_NAMES = (
    SHINGLE,
    *RECIPES,
    *(name + _OVER_COLLECTION for name, recipe in RECIPES.items() if recipe.uses_idf),
)
"""Names of methods: the baseline, the recipes, and those recipes with the IDF of the evaluated documents."""
_SIZE_STEPS = 4
_NO_GROUP = -1


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Document of the experiment. The documents of a group are relevant for each other.

    group None: an unrelated document, relevant for no other.
    """

    document: Document
    prepared: PreparedText
    group: str | None


class RetrievalMethod(Protocol[Value]):
    """Method to fingerprint documents and to search the fingerprints. `name`: its name for the user."""

    @property
    def name(self) -> str:
        """Name, one of METHOD_NAMES."""

    @property
    def signature(self) -> str:
        """Identifier of everything that the fingerprints depend on."""

    def make(self, sample: Sample) -> Value | None:
        """Fingerprint one document; None if it has no features for this method."""

    def search(self, fingerprints: Sequence[Value]) -> Hits:
        """Return the indices of the hits of each fingerprint as query, including itself."""


@dataclass(frozen=True, slots=True)
class SimhashMethod:
    """Recipe of RECIPES; hits are within `distance_bits`."""

    name: str
    recipe: str
    idf: Idf
    distance_bits: int

    @property
    def signature(self) -> str:
        """Recipe stored in the fingerprints."""
        return RECIPES[self.recipe].signature(self.idf)

    def make(self, sample: Sample) -> Fingerprint | None:
        """Fingerprint one document."""
        try:
            return make_fingerprint(sample.document, sample.prepared, self.recipe, self.idf)
        except NoUnitsError:
            return None

    def search(self, fingerprints: Sequence[Fingerprint]) -> Hits:
        """Compare all pairs of fingerprints."""
        values = fingerprint_values(fingerprints)
        return [
            np.flatnonzero(hamming_distances_bits(values, value) <= self.distance_bits) for value in values
        ]


@dataclass(frozen=True, slots=True)
class ShingleMethod:
    """Shingle sketches; hits have an estimated resemblance of at least `lowest_resemblance`."""

    lowest_resemblance: float
    name: str = SHINGLE

    @property
    def signature(self) -> str:
        """Recipe stored in the sketches."""
        return sketch_signature(DEFAULT_WIDTH_UNITS, DEFAULT_SAMPLE_SIZE)

    def make(self, sample: Sample) -> ShingleSketch | None:
        """Sketch one document."""
        return shingle_sketch(sample.prepared)

    def search(self, fingerprints: Sequence[ShingleSketch]) -> Hits:
        """Compare all pairs of sketches."""
        minima = np.array([sketch.minima for sketch in fingerprints])
        return [np.flatnonzero(resemblances(minima, query) >= self.lowest_resemblance) for query in minima]


def make_method(
    name: str, distance_bits: int, lowest_resemblance: float, collection: Idf
) -> RetrievalMethod[Any]:
    """Return the method of a name of METHOD_NAMES. Raises UnknownRecipeError."""
    if name not in METHOD_NAMES:
        raise UnknownRecipeError(recipe=name, known=", ".join(METHOD_NAMES))
    if name == SHINGLE:
        return ShingleMethod(lowest_resemblance)
    idf = collection if name.endswith(_OVER_COLLECTION) else BACKGROUND
    return SimhashMethod(name, name.removesuffix(_OVER_COLLECTION), idf, distance_bits)


@dataclass(frozen=True, slots=True)
class RetrievalScore:
    """Sums over some queries: documents retrieved, relevant ones among them (correct), all relevant ones."""

    retrieved: int
    correct: int
    relevant: int

    @property
    def precision(self) -> float | None:
        """Correct / retrieved; None if nothing was retrieved."""
        return self.correct / self.retrieved if self.retrieved else None

    @property
    def recall(self) -> float | None:
        """Correct / relevant; None if nothing is relevant."""
        return self.correct / self.relevant if self.relevant else None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Results of a method on the first `document_count` documents, each of which was the query once.

    groups: score of the queries of each group; overall: score of all queries, also those without a group.
    """

    method: str
    signature: str
    document_count: int
    fingerprint_seconds: float
    search_seconds: float
    groups: Mapping[str, RetrievalScore]
    overall: RetrievalScore

    @property
    def seconds(self) -> float:
        """Time of fingerprinting and search."""
        return self.fingerprint_seconds + self.search_seconds


def interleave_groups(samples: Sequence[Sample]) -> list[Sample]:
    """Sort the samples so that every prefix has about the same share of each group."""
    sizes = Counter(sample.group for sample in samples)
    seen: Counter[str | None] = Counter()
    ordered = []
    for number, sample in enumerate(samples):
        fraction = (seen[sample.group] + 0.5) / sizes[sample.group]
        seen[sample.group] += 1
        ordered.append((fraction, number, sample))
    return [sample for _, _, sample in sorted(ordered, key=lambda entry: entry[:2])]


def collection_sizes(count: int) -> list[int]:
    """Return the collection sizes to measure: a quarter, a half, three quarters and all documents."""
    return sorted({-(-count * step // _SIZE_STEPS) for step in range(1, _SIZE_STEPS + 1)})


def evaluate_method(
    samples: Sequence[Sample], method: RetrievalMethod[Value], *, tick: Tick = no_tick
) -> list[Retrieval]:
    """Search with every document as query, in collections of growing size.

    All documents are fingerprinted twice and the second time is measured: the first loads word lists and
    fills caches, which would otherwise be attributed to the first method. `tick` is called per document.
    """
    fingerprints: list[Value | None] = []
    seconds = np.zeros(len(samples))
    for done in range(2 * len(samples)):
        index = done % len(samples)
        start = time.perf_counter()
        fingerprint = method.make(samples[index])
        seconds[index] = time.perf_counter() - start
        if done < len(samples):
            fingerprints.append(fingerprint)
        tick(done + 1, 2 * len(samples))
    return [
        _retrieval(samples[:size], method, fingerprints[:size], float(seconds[:size].sum()))
        for size in collection_sizes(len(samples))
    ]


def _retrieval(
    samples: Sequence[Sample],
    method: RetrievalMethod[Value],
    fingerprints: Sequence[Value | None],
    fingerprint_seconds: float,
) -> Retrieval:
    queries = np.array([n for n, value in enumerate(fingerprints) if value is not None], dtype=np.int64)
    start = time.perf_counter()
    hits = method.search([value for value in fingerprints if value is not None])
    search_seconds = time.perf_counter() - start
    groups, overall = _scores(samples, queries, hits)
    return Retrieval(
        method.name, method.signature, len(samples), fingerprint_seconds, search_seconds, groups, overall
    )


def _scores(
    samples: Sequence[Sample], queries: NDArray[np.int64], hits: Hits
) -> tuple[Mapping[str, RetrievalScore], RetrievalScore]:
    """Count the hits of the queries except themselves; a document without a fingerprint has no hits."""
    names = sorted({sample.group for sample in samples if sample.group is not None})
    numbers = {name: number for number, name in enumerate(names)}
    group_of = np.array([numbers.get(sample.group or "", _NO_GROUP) for sample in samples], dtype=np.int64)
    retrieved, correct = np.zeros((2, len(samples)), dtype=np.int64)
    for query, found in zip(queries, hits, strict=True):
        retrieved[query] = len(found) - 1
        if group_of[query] != _NO_GROUP:
            correct[query] = np.count_nonzero(group_of[queries[found]] == group_of[query]) - 1
    sizes = np.bincount(group_of[group_of != _NO_GROUP], minlength=len(names))
    scores = {
        name: RetrievalScore(
            int(retrieved[group_of == number].sum()),
            int(correct[group_of == number].sum()),
            int(sizes[number] * (sizes[number] - 1)),
        )
        for name, number in numbers.items()
    }
    relevant = sum(score.relevant for score in scores.values())
    return scores, RetrievalScore(int(retrieved.sum()), int(correct.sum()), relevant)


def count_similar_texts(samples: Sequence[Sample], tick: Tick = no_tick) -> dict[int, RetrievalScore]:
    """Count texts that are similar to another one, by collection size (Lv et al., table 1).

    Two texts are found similar if they have a document, paragraph or sentence within 3 bits, and a sentence
    that the matrix marks at the paper's thresholds, 0.6 and 0.8; truly so, if they are of a group. `tick`
    counts comparisons.
    """
    settings = PRESETS["paper"]
    thesaurus = load_thesaurus(settings.thesaurus)
    texts = [prepare_document(sample.document, settings.recipe) for sample in samples]
    pairs = sorted(_near_pairs(samples))
    similar: list[tuple[int, int]] = []
    for done, (left, right) in enumerate(pairs, start=1):
        comparison = compare(texts[left], texts[right], settings, thesaurus)
        if comparison.sentence_share.left_in_right.after_exclusions:
            similar.append((left, right))
        tick(done, len(pairs))
    counts: dict[int, RetrievalScore] = {}
    for size in collection_sizes(len(samples)):
        sizes = Counter(sample.group for sample in samples[:size] if sample.group is not None)
        found = [pair for pair in similar if max(pair) < size]
        correct = [pair for pair in found if len({samples[place].group or place for place in pair}) == 1]
        relevant = sum(count for count in sizes.values() if count > 1)
        counts[size] = RetrievalScore(len(set(chain(*found))), len(set(chain(*correct))), relevant)
    return counts


def _near_pairs(samples: Sequence[Sample]) -> set[tuple[int, int]]:
    """Return the pairs of texts that have fingerprints of one level within 3 bits, the lower index first."""
    parts = [
        (level, fingerprint.value, place)
        for place, sample in enumerate(samples)
        for level, fingerprint in text_parts(sample.document, sample.prepared)
    ]
    pairs: set[tuple[int, int]] = set()
    for level in Level:
        values = np.array([value for own, value, _ in parts if own is level], np.uint64)
        owners = np.array([place for own, _, place in parts if own is level])
        for value, owner in zip(values, owners.tolist(), strict=True):
            near = owners[hamming_distances_bits(values, value) <= NEAR_BITS]
            pairs |= {(owner, other) for other in near[near > owner].tolist()}
    return pairs
