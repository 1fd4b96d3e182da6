"""Speed of the matrix in sentence pairs per second, compared with plain `cdist` on the same sentences.

    python -m tests.benchmarks.matrix_speed [--sentences 2000] [--rounds 3] [--thesaurus starter]

Plain is the straightforward implementation: rapidfuzz's normalized similarity over the original sentences,
in as many threads. All are measured in turns within one run, the best round counts, and every decision of
the matrix is checked against exact ratios of the plain strings. Processor time is that of all threads.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from simcompare.comparison.comparison_matrix import (
    MOST_THREADS,
    MatrixInput,
    assemble,
    make_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.comparison.comparison_result import HEAT_SCALE, ComparisonMatrix
from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT, PRESETS
from simcompare.text.prepared_text import PreparedText, prepare
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import SHARED, document_of

_PRIVATE_USE = 0xF0000


def sentences_of(folder: Path, count: int) -> PreparedText:
    """Prepare as many paragraphs of a folder's texts as are needed for `count` sentences."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))
    spans = prepare(document_of(text)).sentence_spans
    if len(spans) < count:
        raise SystemExit(f"{folder} holds only {len(spans)} sentences")
    lines = (line for line in text.split("\n") if line.strip())
    whole = "\n".join(lines)
    return prepare(document_of("\n".join(whole[a:b] for a, b in spans[:count].tolist())))


def plain_strings(text: PreparedText, codes: dict[str, str]) -> list[str]:
    """Convert sentences to strings; a unit of several letters becomes one character."""

    def character(unit: str) -> str:
        return unit if len(unit) == 1 else codes.setdefault(unit, chr(_PRIVATE_USE + len(codes)))

    return ["".join(map(character, text.units_of(i))) for i in range(text.sentence_count)]


def fast_matrix(matrix_input: MatrixInput, threads: int) -> ComparisonMatrix:
    """Score all row blocks: LCS lengths, heat, exact cells and their words."""
    job = partial(score_rows, matrix_input)
    threads = min(threads, MOST_THREADS)
    if threads == 1:
        return assemble(matrix_input.shape, map(job, row_blocks(matrix_input)))
    with ThreadPoolExecutor(threads) as pool:
        return assemble(matrix_input.shape, pool.map(job, row_blocks(matrix_input)))


def check(matrix: ComparisonMatrix, left: list[str], right: list[str]) -> None:
    """Exit if any number or decision differs from the plain implementation."""
    lcs = cdist(left, right, scorer=LCSseq.similarity, dtype=np.int32)
    longer = np.maximum.outer(list(map(len, left)), list(map(len, right)))
    p = lcs / longer
    cells = matrix.cells
    rows, columns = np.nonzero(p >= LOWEST_SIMILAR_WEIGHT)
    same = [
        np.array_equal(matrix.heat, np.rint(p * HEAT_SCALE)),
        np.array_equal(cells.rows, rows),
        np.array_equal(cells.columns, columns),
        np.array_equal(cells.p, p[rows, columns]),
    ]
    weights = {
        weight for preset in PRESETS.values() for weight in (preset.similar_weight, preset.right_weight)
    }
    for weight in weights:
        in_whole_numbers = lcs * 100 >= round(weight * 100) * longer
        same.append(np.array_equal(cells.p >= weight, in_whole_numbers[rows, columns]))
    if not all(same):
        raise SystemExit("the matrix differs from the plain one")


def best_seconds(jobs: dict[str, Callable[[], Any]], rounds: int) -> Iterator[tuple[str, float, float]]:
    """Run all jobs in turns, so that background load affects all of them; yield the best times of each.

    That is its name, seconds and processor seconds.
    """
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            start, own_start = time.perf_counter(), time.process_time()
            job()
            seconds[name].append((time.perf_counter() - start, time.process_time() - own_start))
    for name, times in seconds.items():
        best, own = map(min, zip(*times, strict=True))
        yield name, best, own


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", nargs="+", type=int, default=(1, 2, 4, 8, 16))
    parser.add_argument("--thesaurus", default="starter", help="starter, none, cilin or a file")
    parser.add_argument("--texts", type=Path, default=SHARED / "bench" / "zh-dev")
    options = parser.parse_args()

    left = sentences_of(options.texts / "susp", options.sentences)
    right = sentences_of(options.texts / "src", options.sentences)
    thesaurus = load_thesaurus(options.thesaurus)
    codes: dict[str, str] = {}
    left_plain, right_plain = plain_strings(left, codes), plain_strings(right, codes)
    bare, worded = make_matrix_input(left, right, None), make_matrix_input(left, right, thesaurus)
    for matrix_input in (bare, worded):
        check(fast_matrix(matrix_input, 2), left_plain, right_plain)
    plain = partial(cdist, left_plain, right_plain, scorer=LCSseq.normalized_similarity)
    jobs: dict[str, Callable[[], Any]] = {}
    for threads in options.threads:
        jobs[f"plain cdist, {threads} threads"] = partial(plain, workers=threads)
        jobs[f"matrix, {threads} threads"] = partial(fast_matrix, bare, threads)
        jobs[f"and synonyms, {threads} threads"] = partial(fast_matrix, worded, threads)
    jobs["common numbering"] = partial(make_matrix_input, left, right, thesaurus)
    pairs = len(left_plain) * len(right_plain)
    print(f"{len(left_plain)} x {len(right_plain)} sentences, thesaurus {options.thesaurus}: equal decisions")
    print(f"{'':24}{'seconds':>10}{'processor':>12}{'M pairs/s':>12}{'ratio':>8}")
    reference = 0.0
    for name, seconds, own in best_seconds(jobs, options.rounds):
        reference = reference or seconds
        rate, ratio = pairs / seconds / 1e6, reference / seconds
        print(f"{name:24}{seconds:10.3f}{own:12.3f}{rate:12.1f}{ratio:8.2f}")


if __name__ == "__main__":
    main()
