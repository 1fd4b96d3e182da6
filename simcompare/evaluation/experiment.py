"""The papers' experiments on documents: retrieval by each method, then the time of the matrix."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from simcompare.comparison.matrix.comparison_matrix import (
    MatrixInput,
    assemble,
    make_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.evaluation.result_tables import Evaluation, MatrixTiming
from simcompare.evaluation.retrieval import (
    Sample,
    count_similar_texts,
    evaluate_method,
    interleave_groups,
    make_method,
)
from simcompare.fingerprint.weights import CollectionIdf
from simcompare.loading import load_document
from simcompare.model.document import Document, join_blocks
from simcompare.model.errors import NoUnitsError
from simcompare.model.progress import Tick
from simcompare.model.settings import ComparisonSettings
from simcompare.support.i18n import _
from simcompare.text.prepared_text import PreparedText
from simcompare.text.text_preparation import prepare, words_of_text
from simcompare.text.thesaurus import load_thesaurus

# A matrix of 4,000,000 cells shows the gain by threads and takes little time.
_MOST_SENTENCES = 2_000
_SHARES_OF_TEXT = (0.25, 0.5, 1.0)
_ROUNDS = 3
Progress = Callable[[str], AbstractContextManager[Tick]]
"""Shows the progress of one step, given its label."""


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """Parameters of an experiment."""

    methods: Sequence[str]
    distance_bits: int
    lowest_resemblance: float
    threads: Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class ReadText:
    """Document, prepared text, and the CPU time of the preparation."""

    document: Document
    prepared: PreparedText
    preparing_seconds: float


def read_text(path: Path) -> ReadText:
    """Read and prepare a file in a worker.

    Raises FileError if the file cannot be read, NoUnitsError if it has no words.
    """
    document = load_document(path)
    # load the dictionary first, so that its loading time is not counted for this text
    words_of_text(document.title)
    start = time.process_time()
    prepared = prepare(document)
    seconds = time.process_time() - start
    if not prepared.unit_count:
        raise NoUnitsError(name=path.name)
    return ReadText(document, prepared, seconds)


def run_experiment(
    texts: Sequence[ReadText], groups: Sequence[str | None], plan: ExperimentPlan, progress: Progress
) -> Evaluation:
    """Evaluate every method of the plan on the texts, and time the matrix; `groups`: the group of each text.

    Raises UnknownRecipeError for an unknown method.
    """
    samples = interleave_groups(
        [Sample(text.document, text.prepared, group) for text, group in zip(texts, groups, strict=True)]
    )
    collection = CollectionIdf.of_texts(sample.prepared for sample in samples)
    retrievals = []
    for name in plan.methods:
        method = make_method(name, plan.distance_bits, plan.lowest_resemblance, collection)
        with progress(name) as tick:
            retrievals.append(evaluate_method(samples, method, tick=tick))
    with progress(_("Looking for similar texts")) as tick:
        similar_texts = count_similar_texts(samples, tick)
    sizes = Counter(sample.group for sample in samples)
    ungrouped = sizes.pop(None, 0)
    return Evaluation(
        group_sizes={group: sizes[group] for group in sorted(filter(None, sizes))},
        ungrouped=ungrouped,
        distance_bits=plan.distance_bits,
        lowest_resemblance=plan.lowest_resemblance,
        preparing_seconds=sum(text.preparing_seconds for text in texts),
        retrievals=retrievals,
        similar_texts=similar_texts,
        matrices=_time_matrices(samples, plan.threads, progress),
    )


def _time_matrices(
    samples: Sequence[Sample], threads: Sequence[int], progress: Progress
) -> list[MatrixTiming]:
    """Time matrices of growing size: every second document on the left, the others on the right."""
    timings = []
    sides_before = None
    with progress(_("Comparing")) as tick:
        for done, share in enumerate(_SHARES_OF_TEXT, start=1):
            limit = int(_MOST_SENTENCES * share)
            sides = [_beginning(samples[side::2], share, limit) for side in (0, 1)]
            if sides != sides_before:
                left, right = map(_joined, sides)
                timings.append(_time_matrix(left, right, threads))
            sides_before = sides
            tick(done, len(_SHARES_OF_TEXT))
    return timings


def _beginning(samples: Sequence[Sample], share: float, most_sentences: int) -> list[Document]:
    """Return the first documents, at least one, up to a share of all and a number of sentences."""
    chosen = [samples[0].document]
    sentences = samples[0].prepared.sentence_count
    for sample in samples[1 : max(int(len(samples) * share), 1)]:
        sentences += sample.prepared.sentence_count
        if sentences > most_sentences:
            break
        chosen.append(sample.document)
    return chosen


def _joined(documents: Sequence[Document]) -> PreparedText:
    """Concatenate documents into one text."""
    pieces = [
        (block.kind, block.span.of(document.text), block.anchor)
        for document in documents
        for block in document.blocks
    ]
    text, blocks = join_blocks(pieces)
    return prepare(replace(documents[0], text=text, blocks=blocks))


def _time_matrix(left: PreparedText, right: PreparedText, threads: Sequence[int]) -> MatrixTiming:
    """Time a matrix with each number of threads in turn; the best of three rounds."""
    problem = make_matrix_input(left, right, load_thesaurus(ComparisonSettings().thesaurus))
    rounds = [[_seconds(problem, count) for count in threads] for _round in range(_ROUNDS)]
    best = map(min, zip(*rounds, strict=True))
    return MatrixTiming(
        left.unit_count,
        right.unit_count,
        left.sentence_count,
        right.sentence_count,
        dict(zip(threads, best, strict=True)),
    )


def _seconds(problem: MatrixInput, threads: int) -> float:
    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        assemble(problem.shape, pool.map(partial(score_rows, problem), row_blocks(problem)))
    return time.perf_counter() - start
