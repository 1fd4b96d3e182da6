"""Calibration: the share reported for texts of which a known fraction is reused.

    python -m tests.benchmarks.calibration [--sets FOLDER] [--kinds copy,heavy] [--pairs N] [--jobs N]
        [--write]

Prints Markdown; --write also replaces calibration.md and calibration.svg beside this file. FOLDER holds sets
laid out as `pan13-dev` and `zh-dev`: susp/, src/, pairs, and a folder of gold XML for each kind.

A suspicious text is made of passages of one kind, each a paragraph or part of one, and of sentences of
documents that have no words in a row with the sources in common. The other text is all sources of its
passages, whole. Passages of several pairs are joined until the text has 600 to 2,000 units; a passage is cut
at the end of a sentence if the text would otherwise have more than 3,000. The same seed makes the same texts.
True shares count comparable units, as the program does, without those of excluded sentences; "raw" is the
share without exclusions. The error of a text is the reported share minus the true one, in points of 100.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.settings import PRESETS
from simcompare.support.arrays import BoolArray
from simcompare.text.comparable import comparable_units
from simcompare.text.thesaurus import load_thesaurus
from tests.benchmarks.calibration_results import FRACTIONS, Measured, Results, plot, table
from tests.benchmarks.detection import load_scorer
from tests.helpers.documents import SHARED

HERE = Path(__file__).parent
_TARGET_UNITS = (600, 2000)
_MOST_UNITS = 3000
_COMMON_RUN = {"zh": 12, "en": 6}
"""Units in a row that own text and sources must not have in common."""


@dataclass(frozen=True)
class Kind:
    """A kind of reuse: its label, its set and its folder of gold XML."""

    label: str
    set_name: str
    folder: str

    @property
    def language(self) -> str:
        return self.set_name[:2].replace("pa", "en")


KINDS = {
    kind.label: kind
    for kind in (
        *(
            Kind(f"Chinese {name}", "zh-dev", name)
            for name in ("copy", "light", "heavy", "reorder", "split", "traditional", "noise")
        ),
        Kind("English verbatim", "pan13-dev", "02-no-obfuscation"),
        Kind("English random", "pan13-dev", "03-random-obfuscation"),
        Kind("English translation", "pan13-dev", "04-translation-obfuscation"),
        Kind("English summary", "pan13-dev", "05-summary-obfuscation"),
    )
}
UNRELATED = (Kind("", "zh-dev", "none"), Kind("", "pan13-dev", "01-no-plagiarism"))


@dataclass(frozen=True)
class GoldPassage:
    """A reused passage: its text, and the document it comes from."""

    text: str
    source: Path


@dataclass(frozen=True)
class PlantedPair:
    """A suspicious text in parts, each with whether it is reused, and the text of its sources."""

    parts: tuple[tuple[str, bool], ...]
    sources: str

    @property
    def text(self) -> str:
        return "".join(part for part, _ in self.parts)

    @property
    def is_reused(self) -> BoolArray:
        """Mask of the reused units of the text."""
        return np.concatenate([np.full(unit_count(part), reused) for part, reused in self.parts])


# --- texts --------------------------------------------------------------------------------------------------


@cache
def text_of(path: Path) -> str:
    """Read a text with one paragraph on each line; English files are wrapped at a fixed width."""
    return paragraphs_of(path.read_bytes().decode("utf-8"), wrapped=path.parents[1].name.startswith("pan"))


def paragraphs_of(text: str, *, wrapped: bool) -> str:
    blocks = text.replace("\r\n", "\n").split("\n\n" if wrapped else "\n")
    lines = (" ".join(block.split()) if wrapped else block.strip(" \t\n") for block in blocks)
    return "\n".join(line for line in lines if line)


@cache
def unit_count(text: str) -> int:
    return len(comparable_units(text).texts)


def prepared_document(text: str) -> PreparedDocument:
    return prepare_document(load_pasted(Path("text.txt"), PastedText(text)), "improved")


@cache
def sentences_of(text: str) -> tuple[str, ...]:
    """Split a text at the ends of its sentences; each part has the white space after it."""
    document = load_pasted(Path("text.txt"), PastedText(text))
    starts = prepare_document(document, "improved").prepared.sentence_spans[1:, 0].tolist()
    text = document.text + "\n"
    return tuple(text[a:b] for a, b in pairwise([0, *starts, len(text)]))


@cache
def runs_of(text: str, length: int) -> frozenset[int]:
    units = comparable_units(text).texts
    return frozenset(hash(tuple(units[i : i + length])) for i in range(len(units) - length + 1))


@cache
def gold_passages(sets: Path, kind: Kind) -> tuple[GoldPassage, ...]:
    root, scorer = sets / kind.set_name, load_scorer(SHARED / "bench")
    found = []
    for first, second in pair_names(root):
        gold = root / kind.folder / f"{Path(first).stem}-{Path(second).stem}.xml"
        if not gold.exists():
            continue
        text = (root / "susp" / first).read_bytes().decode("utf-8")
        for start, end, *_ in sorted(scorer.spans(gold)):
            passage = paragraphs_of(text[start:end], wrapped=kind.language == "en")
            found.append(GoldPassage(passage, root / "src" / second))
    return tuple(found)


def pair_names(root: Path) -> list[tuple[str, str]]:
    lines = (root / "pairs").read_text(encoding="utf-8").splitlines()
    return [(first, second) for first, second in map(str.split, lines)]


# --- planted pairs ------------------------------------------------------------------------------------------


def planted_pair(sets: Path, kind: Kind, percent: int, number: int) -> PlantedPair:
    """Make the pair of a kind, fraction and number; the same arguments make the same texts."""
    chance = random.Random(f"{kind.label} {percent} {number}")
    fraction = percent / 100
    low, high = _TARGET_UNITS
    wanted = fraction * low * (high / low) ** chance.random()
    passages: list[GoldPassage] = []
    units = 0
    for passage in chance.sample(gold_passages(sets, kind), len(gold_passages(sets, kind))):
        if units >= wanted:
            break
        text = beginning(passage.text, fraction * _MOST_UNITS - units)
        if text:
            passages.append(GoldPassage(text, passage.source))
            units += unit_count(text)
    sources = list(dict.fromkeys(passage.source for passage in passages))
    own = own_sentences(sets, kind, sources, units * (1 - fraction) / fraction, chance)
    parts = interleaved(passages, own, chance, " " if kind.language == "en" else "")
    return PlantedPair(tuple(parts), "\n".join(map(text_of, sources)))


def beginning(text: str, most_units: float) -> str:
    """Cut a text at the end of the last sentence that fits."""
    if unit_count(text) <= most_units:
        return text
    taken = ""
    for sentence in sentences_of(text):
        if unit_count(taken + sentence) > most_units:
            break
        taken += sentence
    return taken.strip()


def own_sentences(
    sets: Path, kind: Kind, sources: Sequence[Path], units: float, chance: random.Random
) -> list[str]:
    """Take sentences of documents unrelated to the sources, in order, as near as possible to these units."""
    length = _COMMON_RUN[kind.language]
    taken_runs = frozenset[int]().union(*(runs_of(text_of(source), length) for source in sources))
    documents = sorted((sets / kind.set_name / "src").iterdir())
    unrelated = (
        text
        for text in map(text_of, chance.sample(documents, len(documents)))
        if taken_runs.isdisjoint(runs_of(text, length))
    )
    sentences: list[str] = []
    for sentence in chain.from_iterable(map(sentences_of, unrelated)):
        count = unit_count(sentence)
        if abs(units - count) >= abs(units):
            break
        sentences.append(sentence)
        units -= count
    return sentences


def interleaved(
    passages: Sequence[GoldPassage], own: Sequence[str], chance: random.Random, blank: str
) -> Iterator[tuple[str, bool]]:
    """Yield the parts of the text; a passage begins a paragraph, or continues one after a whole sentence."""
    cuts = sorted(chance.choices(range(len(own) + 1), k=len(passages)))
    last = ""
    for passage, start, stop in zip([*passages, None], [0, *cuts], [*cuts, len(own)], strict=True):
        for text, reused in (("".join(own[start:stop]), False), (passage.text if passage else "", True)):
            if not text.strip():
                continue
            whole = last.endswith(tuple("。！？.!?"))
            between = blank if whole and chance.random() < 0.5 else "\n"
            last = text.strip()
            yield between + last, reused


# --- measuring ----------------------------------------------------------------------------------------------


def compared(text: str, sources: str) -> Comparison:
    settings = PRESETS["balanced"]
    return compare(
        prepared_document(text), prepared_document(sources), settings, load_thesaurus(settings.thesaurus)
    )


def measured(task: tuple[Path, str, int, int]) -> Measured:
    sets, label, percent, number = task
    pair = planted_pair(sets, KINDS[label], percent, number)
    comparison = compared(pair.text, pair.sources)
    excluded, is_reused = comparison.left_excluded, pair.is_reused
    counts = np.repeat(excluded.kept, excluded.lengths)
    if len(counts) != len(is_reused):
        raise SystemExit(f"{task}: {len(counts)} units were read of {len(is_reused)}")
    share = comparison.share.left_in_right
    return Measured(
        float(is_reused[counts].mean()),
        share.after_exclusions or 0.0,
        float(is_reused.mean()),
        share.raw,
        comparison.sentence_share.left_in_right.after_exclusions or 0.0,
    )


def unrelated_share(task: tuple[Path, Path]) -> float:
    """Return the greater share of two texts without reuse."""
    share = compared(text_of(task[0]), text_of(task[1])).share
    return max(share.left_in_right.after_exclusions or 0.0, share.right_in_left.after_exclusions or 0.0)


def unrelated_pairs(sets: Path) -> list[tuple[Path, Path]]:
    pairs = []
    for kind in UNRELATED:
        root = sets / kind.set_name
        names = {path.stem for path in (root / kind.folder).iterdir()}
        for first, second in pair_names(root):
            if f"{Path(first).stem}-{Path(second).stem}" in names:
                pairs.append((root / "susp" / first, root / "src" / second))
    return pairs


def main() -> None:
    """Measure, and print or write the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=Path, default=SHARED / "bench")
    parser.add_argument("--kinds", default=",".join(KINDS), help="labels or parts of them, with commas")
    parser.add_argument("--pairs", type=int, default=25, help="pairs of each kind and fraction")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    labels = [label for label in KINDS if any(part in label for part in options.kinds.split(","))]
    tasks = [(options.sets, k, p, n) for k in labels for p in FRACTIONS for n in range(options.pairs)]
    results: Results = defaultdict(lambda: defaultdict(list))
    with ProcessPoolExecutor(options.jobs) as pool:
        for (_, label, percent, _), found in zip(tasks, pool.map(measured, tasks, chunksize=5), strict=True):
            results[label][percent].append(found)
        unrelated = list(pool.map(unrelated_share, unrelated_pairs(options.sets), chunksize=5))
    shown = table(results, unrelated)
    print(shown)
    if options.write:
        (HERE / "calibration.md").write_text(f"# Calibration\n\n{shown}", encoding="utf-8")
        (HERE / "calibration.svg").write_text(plot(results), encoding="utf-8")


if __name__ == "__main__":
    main()
