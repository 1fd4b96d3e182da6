"""Quality and speed of passage detection: plagdet as PAN scores it, ablations, thresholds of matches.

    python -m tests.benchmarks.detection [--bench FOLDER] [--parts presets,ablation,thresholds,crossed]

Prints Markdown tables. A pair's kind and gold spans are used for scoring only. Speed is on one core;
"cached" excludes reading and preparing, which a text needs once for all its pairs. "crossed" combines a
suspicious text with the source of another pair; a few of those do share text. "stray" in "thresholds" counts
matches in a thousand sentences of pairs without reuse and crossed ones without a passage.
"""

import argparse
import importlib.util
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_matrix import (
    assemble,
    make_matrix_input,
    row_blocks,
    score_rows,
    similar_cells,
)
from simcompare.comparison.comparison_result import Cells
from simcompare.comparison.exclusions.excluded_sentences import (
    find_exclusion_candidates,
    find_exclusions,
    without_excluded,
)
from simcompare.comparison.passages import passage_detection
from simcompare.comparison.passages import term_cosine as resemblance
from simcompare.comparison.passages import term_cosine as terms_module
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.passages.term_cosine import SentenceTerms, sentence_terms
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.comparison.shares import CountedText
from simcompare.evaluation.batch_worker import detections
from simcompare.loading.shared.file_origin import load_verbatim
from simcompare.model.document import Document
from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT, PRESETS, ComparisonSettings, PassageSettings
from simcompare.text.prepared_text import PreparedText, prepare
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import SHARED

SETS = ("pan13-dev", "zh-dev")
SUMMARIES = "05-summary-obfuscation"
GoldSpans = tuple[int, int, int, int]


class Text:
    """A file with lazily computed inputs for comparing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def document(self) -> Document:
        return load_verbatim(self.path)

    @cached_property
    def prepared(self) -> PreparedText:
        return prepare(self.document)

    @cached_property
    def terms(self) -> SentenceTerms:
        return sentence_terms(self.prepared)

    @cached_property
    def prepared_document(self) -> PreparedDocument:
        return prepare_document(self.document, "improved")


@dataclass(frozen=True)
class Pair:
    left: Text
    right: Text
    kind: str
    gold: list[GoldSpans]


@dataclass(frozen=True)
class Bench:
    """A development set: its pairs in order, and PAN's measure."""

    name: str
    pairs: list[Pair]
    plagdet: Callable[[list[tuple[list[GoldSpans], list[GoldSpans]]]], tuple[float, ...]] = field(repr=False)

    def texts(self) -> list[Text]:
        return list({text.path: text for pair in self.pairs for text in (pair.left, pair.right)}.values())


def load_scorer(folder: Path) -> ModuleType:
    path = folder / "plagdet.py"
    if not path.exists():
        raise SystemExit(f"there is no {path.name} in {folder.name}: nothing can be scored")
    spec = importlib.util.spec_from_file_location("plagdet", path)
    assert spec is not None
    assert spec.loader is not None
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    return scorer


def load_bench(folder: Path, name: str) -> Bench:
    scorer, root = load_scorer(folder), folder / name
    gold = {path.name: (path.parent.name, scorer.spans(path)) for path in root.glob("*/*.xml")}
    texts: dict[Path, Text] = {}
    pairs = []
    for line in (root / "pairs").read_text(encoding="utf-8").splitlines():
        first, second = line.split()
        left, right = (texts.setdefault(p, Text(p)) for p in (root / "susp" / first, root / "src" / second))
        pairs.append(Pair(left, right, *gold[f"{left.path.stem}-{right.path.stem}.xml"]))
    return Bench(name, pairs, scorer.plagdet)


def passages_of(pair: Pair, settings: ComparisonSettings) -> Passages:
    if settings.passages is not None:
        return find_passages(pair.left.terms, pair.right.terms, settings.passages)
    thesaurus = load_thesaurus(settings.thesaurus)
    return compare(pair.left.prepared_document, pair.right.prepared_document, settings, thesaurus).passages


def detected_spans(bench: Bench, settings: ComparisonSettings) -> list[list[GoldSpans]]:
    return [
        [tuple(spans) for spans in detections(passages_of(pair, settings)).spans.tolist()]
        for pair in bench.pairs
    ]


def scores(bench: Bench, found: list[list[GoldSpans]]) -> Iterator[tuple[str, int, tuple[float, ...], int]]:
    """Yield (kind, pairs, plagdet and its parts, pairs flagged without reuse), then totals."""
    kinds = defaultdict(list)
    for pair, spans in zip(bench.pairs, found, strict=True):
        kinds[pair.kind].append((pair.gold, spans))
    everything = [entry for entries in kinds.values() for entry in entries]
    for kind, entries in [*sorted(kinds.items()), ("all", everything)]:
        flagged = sum(bool(spans) and not gold for gold, spans in entries)
        yield kind, len(entries), bench.plagdet(entries), flagged


def seconds_of(job: Callable[[], Any]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def print_presets(benches: list[Bench]) -> None:
    for name, settings in PRESETS.items():
        print(f"\n### {name}\n")
        print("| set | kind | pairs | plagdet | precision | recall | granularity | flagged without reuse |")
        print("|---|---|--:|--:|--:|--:|--:|--:|")
        for bench in benches:
            for kind, pairs, figures, flagged in scores(bench, detected_spans(bench, settings)):
                reused = figures[1] or figures[2]
                shown = " | ".join(f"{x:.4f}" for x in figures) if reused else " | ".join("-" * 4)
                print(f"| {bench.name} | {kind} | {pairs} | {shown} | {flagged} |")


def print_speed(benches: list[Bench], rounds: int) -> None:
    print("\n| set | preset | pairs/s, preparation counted | pairs/s, cached |\n|---|---|--:|--:|")
    for bench in benches:
        for name, settings in PRESETS.items():
            fresh = [
                replace(pair, left=Text(pair.left.path), right=Text(pair.right.path)) for pair in bench.pairs
            ]
            whole = seconds_of(lambda b=Bench("", fresh, bench.plagdet), s=settings: detected_spans(b, s))
            cached = min(seconds_of(lambda b=bench, s=settings: detected_spans(b, s)) for _ in range(rounds))
            count = len(bench.pairs)
            print(f"| {bench.name} | {name} | {count / whole:.0f} | {count / cached:.0f} |")


@contextmanager
def without(*patches: Any) -> Iterator[None]:
    """Replace some functions within the context; clears the caches of word hashes before and after."""
    with ExitStack() as stack:
        for part in patches:
            stack.enter_context(part)
        terms_module._word_term.cache_clear()
        yield
    terms_module._word_term.cache_clear()


def no_han_pairs(*_: Any) -> tuple[Any, Any]:
    return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)


def ablations() -> dict[str, tuple[PassageSettings, list[Any], bool]]:
    """Return settings, replaced functions, and whether the terms change, for each ablation."""
    full = PassageSettings()
    return {
        "everything": (full, [], False),
        "no summaries": (replace(full, summary=None), [], False),
        "no growth": (replace(full, grow_of_best=2.0), [], False),
        "edges at sentences": (
            replace(full, edge_reach_sentences=0),
            [patch.object(passage_detection._PassageSide, "move_edges", lambda *_: None)],
            False,
        ),
        "seeds need not be the best": (replace(full, seed_of_best=0.0), [], False),
        "stretches need not resemble as a whole": (replace(full, least_fragment_cosine=0.0), [], False),
        "common terms weigh too": (replace(full, common_share=1.0), [], False),
        "no stems": (full, [patch.object(terms_module, "stem", lambda word: word)], True),
        "no Han pairs": (full, [patch.object(terms_module, "_han_pairs", no_han_pairs)], True),
        "long sentences whole": (full, [patch.object(terms_module, "_LONGEST_SENTENCE_WORDS", 10**9)], True),
        "short texts weighed as they are": (full, [patch.object(resemblance, "_FEWEST_SENTENCES", 1)], False),
    }


def print_ablation(benches: list[Bench]) -> None:
    print("\n| without | " + " | ".join(f"{b.name} | flagged" for b in benches) + " |")
    print("|---|" + "--:|--:|" * len(benches))
    for name, (settings, patches, terms_change) in ablations().items():
        shown = []
        with without(*patches):
            for bench in benches:
                for text in bench.texts() if terms_change else []:
                    text.__dict__.pop("terms", None)
                found = detected_spans(bench, ComparisonSettings(passages=settings))
                *_, (_, _, figures, flagged) = scores(bench, found)
                shown.append(f"{figures[0]:.4f} | {flagged}")
        for text in (text for bench in benches for text in bench.texts() if terms_change):
            text.__dict__.pop("terms", None)
        print(f"| {name} | {' | '.join(shown)} |")


@dataclass(frozen=True)
class ClassifiedPair:
    """Cells of a pair between counted sentences, their number, and those in gold spans."""

    cells: Cells
    sentences: int
    right_cells: Any
    gold_left: Any
    gold_right: Any
    reused: bool


def classified(pair: Pair) -> ClassifiedPair:
    settings, thesaurus = ComparisonSettings(), load_thesaurus("starter")
    prepared_documents = pair.left.prepared_document, pair.right.prepared_document
    matrix_input = make_matrix_input(
        prepared_documents[0].prepared, prepared_documents[1].prepared, thesaurus
    )
    cells = assemble(
        matrix_input.shape, (score_rows(matrix_input, rows) for rows in row_blocks(matrix_input))
    ).cells
    excluded = [
        find_exclusions(s.prepared, find_exclusion_candidates(s, None, thesaurus), settings)
        for s in prepared_documents
    ]
    texts = (s.prepared for s in prepared_documents)
    cells = without_excluded(cells, *map(CountedText, texts, excluded))
    spans = [prepared_document.prepared.sentence_spans for prepared_document in prepared_documents]
    gold = [np.zeros(len(side), dtype=np.bool_) for side in spans]
    right = np.zeros(len(cells), dtype=np.bool_)
    for a, b, c, d in pair.gold:
        inside = [
            (s[:, 0] < end) & (s[:, 1] > start) for s, start, end in zip(spans, (a, c), (b, d), strict=True)
        ]
        gold = [known | new for known, new in zip(gold, inside, strict=True)]
        right |= inside[0][cells.rows] & inside[1][cells.columns]
    kept = [known & side.kept for known, side in zip(gold, excluded, strict=True)]
    count = sum(int(side.kept.sum()) for side in excluded)
    return ClassifiedPair(cells, count, right, *kept, bool(pair.gold))


def match_scores(
    pairs: list[ClassifiedPair], similar: float, right: float
) -> tuple[float, float, float, int]:
    """Return F1, precision of matched pairs, recall of copied sentences, pairs matched without reuse."""
    settings = ComparisonSettings(similar_weight=similar, right_weight=right)
    matched = hits = copied = found = flagged = 0
    for pair in pairs:
        places = np.arange(len(pair.cells))
        marked = replace(pair.cells, lcs=places)
        taken = similar_cells(marked, settings).lcs
        good = taken[pair.right_cells[taken]]
        matched, hits = matched + len(taken), hits + len(good)
        copied += int(pair.gold_left.sum() + pair.gold_right.sum())
        for sentences, gold in ((pair.cells.rows, pair.gold_left), (pair.cells.columns, pair.gold_right)):
            found += int(gold[np.unique(sentences[good])].sum())
        flagged += bool(len(taken)) and not pair.reused
    precision, recall = hits / max(matched, 1), found / max(copied, 1)
    return 2 * precision * recall / max(precision + recall, 1e-9), precision, recall, flagged


def crossed_pairs(bench: Bench, count: int) -> list[Pair]:
    draw = random.Random(11)
    drawn = [draw.sample(bench.pairs, 2) for _ in range(count)]
    return [Pair(a.left, b.right, "", []) for a, b in drawn]


def stray_matches(unrelated: list[ClassifiedPair], similar: float, right: float) -> float:
    """Return the number of matches in a thousand sentences of unrelated texts."""
    settings = ComparisonSettings(similar_weight=similar, right_weight=right)
    stray = sum(len(similar_cells(pair.cells, settings)) for pair in unrelated)
    return 1000 * stray / max(sum(pair.sentences for pair in unrelated), 1)


def print_thresholds(benches: list[Bench], crossed: int) -> None:
    """Print F1 of matched sentences, without summaries, whose sentences are not in the other text."""
    sets = [[classified(pair) for pair in bench.pairs if pair.kind != SUMMARIES] for bench in benches]
    unrelated = [
        [pair for pair in pairs if not pair.reused]
        + [classified(p) for p in crossed_pairs(bench, crossed) if not passages_of(p, ComparisonSettings())]
        for bench, pairs in zip(benches, sets, strict=True)
    ]
    grid = [(s / 20, r / 20) for s in range(round(LOWEST_SIMILAR_WEIGHT * 20), 14) for r in range(s + 1, 19)]
    rows = [(s, r, [match_scores(pairs, s, r) for pairs in sets]) for s, r in grid]
    rows.sort(key=lambda row: -sum(figures[0] for figures in row[2]))
    named = {(p.similar_weight, p.right_weight): name for name, p in PRESETS.items()}
    print(
        "\n| similar | right | preset | "
        + " | ".join(f"{b.name} F1 | P | R | flagged | stray" for b in benches)
        + " |"
    )
    print("|--:|--:|---|" + "--:|--:|--:|--:|--:|" * len(benches))
    safe = [row for row in rows if not any(figures[3] for figures in row[2])][:3]
    for s, r, sides in [*rows[:3], *safe, *(row for row in rows if row[:2] in named)]:
        strays = [stray_matches(pairs, s, r) for pairs in unrelated]
        shown = " | ".join(
            f"{f:.3f} | {p:.3f} | {q:.3f} | {n} | {stray:.2f}"
            for (f, p, q, n), stray in zip(sides, strays, strict=True)
        )
        print(f"| {s:.2f} | {r:.2f} | {named.get((s, r), '')} | {shown} |")


def print_crossed(benches: list[Bench], count: int) -> None:
    print("\n| set | preset | crossed pairs | with passages |\n|---|---|--:|--:|")
    for bench in benches:
        crossed = Bench(bench.name, crossed_pairs(bench, count), bench.plagdet)
        for name, settings in PRESETS.items():
            flagged = sum(map(bool, detected_spans(crossed, settings)))
            print(f"| {bench.name} | {name} | {count} | {flagged} |")


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bench", type=Path, default=SHARED / "bench")
    parser.add_argument("--parts", default="presets,ablation,thresholds,crossed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--crossed", type=int, default=400)
    options = parser.parse_args()

    benches = [load_bench(options.bench, name) for name in SETS]
    parts = {
        "presets": lambda: (print_presets(benches), print_speed(benches, options.rounds)),
        "ablation": lambda: print_ablation(benches),
        "thresholds": lambda: print_thresholds(benches, options.crossed),
        "crossed": lambda: print_crossed(benches, options.crossed),
    }
    for part in options.parts.split(","):
        parts[part]()


if __name__ == "__main__":
    main()
