"""A benchmark of Chinese text alignment, made of texts of this repository (`chinese-alignment.md`).

    python -m tests.benchmarks.chinese_alignment [--meaning]
    python -m tests.benchmarks.chinese_alignment --write FOLDER
    python -m tests.benchmarks.chinese_alignment --score DETECTIONS

The first form prints Markdown tables of plagdet and its parts, by kind of reuse, for the presets of
simcompare and for runs of 13 characters in common. `--write`: the pairs as files, laid out as PAN's corpora.
`--score`: the same table for the detections of any program.
"""

import argparse
import math
import random
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from opencc import OpenCC

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.shared.file_origin import load_verbatim
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.benchmarks.rewording import OWN_CLASS
from tests.helpers.rewordings import Topic, topics

SEED = 20261129
UNRELATED_OF_CLASS = 100
LEAST_RUN = 13
_FEATURE = ("this_offset", "this_length", "source_offset", "source_length")


@dataclass(frozen=True)
class Passage:
    """A stretch of the suspicious text and where it is from, in characters."""

    suspicious: Span
    source: Span


@dataclass(frozen=True)
class Pair:
    """A text, another one that may be its source, and the passages that were taken over."""

    kind: str
    names: tuple[str, str]
    suspicious: str
    source: str
    gold: tuple[Passage, ...]


# --- the pairs ----------------------------------------------------------------------------------------------


def sentences(text: str) -> list[str]:
    return re.findall(r"[^。！？]+[。！？]?[”’]?", text.replace("\n", ""))


def reordered(stretch: str, chance: random.Random) -> str:
    parts = sentences(stretch)
    return "".join(chance.sample(parts, len(parts)))


def cut_and_joined(stretch: str, _chance: random.Random) -> str:
    """Turn every full stop into a comma, and every second comma into a full stop."""
    commas = iter(range(stretch.count("，")))
    swapped = re.sub("，", lambda _: "。" if next(commas) % 2 else "，", stretch.replace("。", "；"))
    return swapped.replace("；", "，").rstrip("，") + "。"


def traditional(stretch: str, _chance: random.Random) -> str:
    return OpenCC("s2t").convert(stretch)


ALTERED: dict[str, Callable[[str, random.Random], str]] = {
    "copy": lambda stretch, _chance: stretch,
    "reordered": reordered,
    "cut-and-joined": cut_and_joined,
    "traditional": traditional,
}


def all_pairs() -> list[Pair]:
    """Make the pairs, the same in each run."""
    chance, found = random.Random(SEED), list[Pair]()
    for number, topic in enumerate(topics("zh"), 1):
        rewritten = {kind: alter(topic.stretch, chance) for kind, alter in ALTERED.items()} | topic.rewordings
        for kind, text in rewritten.items():
            found.append(_planted(f"{number:02}", kind, replace(topic, rewordings={kind: text})))
        names = f"none-{number:02}", f"source-{number:02}"
        found.append(Pair("none", names, topic.other, topic.source, ()))
    return [*found, *_pairs_of_class(chance)]


def _planted(number: str, kind: str, topic: Topic) -> Pair:
    text, span = topic.planted(kind)
    start = topic.source.index(topic.stretch)
    gold = Passage(span, Span(start, start + len(topic.stretch)))
    return Pair(kind, (f"{kind}-{number}", f"source-{number}"), text, topic.source, (gold,))


def _pairs_of_class(chance: random.Random) -> Iterator[Pair]:
    texts = {path.stem: path.read_text("utf-8") for path in sorted((OWN_CLASS / "essays").glob("*.txt"))}
    reused = {}
    for line in (OWN_CLASS / "gold.tsv").read_text("utf-8").splitlines():
        source, copier, strength, *places = line.split("\t")
        first, second = Span(*map(int, places[:2])), Span(*map(int, places[2:]))
        names = Path(copier).stem, Path(source).stem
        reused[frozenset(names)] = Pair(
            f"class-{strength}", names, texts[names[0]], texts[names[1]], (Passage(second, first),)
        )
    yield from reused.values()
    unrelated = [names for names in combinations(sorted(texts), 2) if frozenset(names) not in reused]
    for names in sorted(chance.sample(unrelated, UNRELATED_OF_CLASS)):
        yield Pair("class-none", names, texts[names[0]], texts[names[1]], ())


# --- the measure --------------------------------------------------------------------------------------------


def plagdet(pairs: Sequence[tuple[Sequence[Passage], Sequence[Passage]]]) -> tuple[float, ...]:
    """Return plagdet, precision, recall and granularity of (gold, found) pairs.

    Macro averages over passages, in characters of both texts (Potthast, Stein, Barrón-Cedeño and Rosso, "An
    evaluation framework for plagiarism detection", 2010).
    """
    recalls, precisions, pieces = list[float](), list[float](), list[int]()
    for gold, found in pairs:
        for passage in gold:
            hits = [other for other in found if _meet(passage, other)]
            recalls.append(_covered(passage, hits))
            pieces += [len(hits)] if hits else []
        precisions += [_covered(passage, [g for g in gold if _meet(passage, g)]) for passage in found]
    recall, precision, granularity = _mean(recalls, 0), _mean(precisions, 0), _mean(pieces, 1)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return f1 / math.log2(1 + granularity), precision, recall, granularity


def _mean(values: Sequence[float], of_none: float) -> float:
    return sum(values) / len(values) if values else of_none


def _meet(first: Passage, second: Passage) -> bool:
    return all(
        max(a.start, b.start) < min(a.end, b.end)
        for a, b in ((first.suspicious, second.suspicious), (first.source, second.source))
    )


def _covered(passage: Passage, others: Sequence[Passage]) -> float:
    own, shared = _characters(passage), set[tuple[int, int]]()
    for other in others:
        shared |= _characters(other) & own
    return len(shared) / len(own)


def _characters(passage: Passage) -> set[tuple[int, int]]:
    spans = (passage.suspicious, passage.source)
    return {(text, at) for text, span in enumerate(spans) for at in range(span.start, span.end)}


# --- detectors ----------------------------------------------------------------------------------------------


@cache
def prepared(path: Path, meaning: bool) -> PreparedDocument:
    return prepare_document(load_verbatim(path), "improved", meaning=meaning)


def found_by(settings: ComparisonSettings, folder: Path) -> Callable[[Pair], list[Passage]]:
    """folder: where `write_set` has written the pairs."""
    thesaurus = load_thesaurus(settings.thesaurus)

    def found(pair: Pair) -> list[Passage]:
        suspicious, source = (f"{name}.txt" for name in pair.names)
        paths = folder / "susp" / suspicious, folder / "src" / source
        both = [prepared(path, bool(settings.meaning)) for path in paths]
        return [Passage(each.left, each.right) for each in compare(*both, settings, thesaurus).passages]

    return found


def common_runs(pair: Pair) -> list[Passage]:
    """Find runs of at least 13 characters in both texts, as simple checkers do."""
    blocks = SequenceMatcher(None, pair.suspicious, pair.source, autojunk=False).get_matching_blocks()
    return [
        Passage(Span(a, a + length), Span(b, b + length)) for a, b, length in blocks if length >= LEAST_RUN
    ]


# --- files --------------------------------------------------------------------------------------------------


def write_set(pairs: Sequence[Pair], folder: Path) -> None:
    for name in ("susp", "src", *{pair.kind for pair in pairs}):
        (folder / name).mkdir(parents=True, exist_ok=True)
    lines = []
    for pair in pairs:
        suspicious, source = pair.names
        (folder / "susp" / f"{suspicious}.txt").write_text(pair.suspicious, "utf-8", newline="")
        (folder / "src" / f"{source}.txt").write_text(pair.source, "utf-8", newline="")
        root = ET.Element("document", reference=f"{suspicious}.txt")
        for gold in pair.gold:
            spans = (gold.suspicious, gold.source)
            values = [str(value) for span in spans for value in (span.start, span.end - span.start)]
            places = dict(zip(_FEATURE, values, strict=True))
            named = {"name": "plagiarism", "source_reference": f"{source}.txt"}
            ET.SubElement(root, "feature", named | places)
        ET.ElementTree(root).write(folder / pair.kind / f"{suspicious}-{source}.xml", "utf-8")
        lines.append(f"{suspicious}.txt {source}.txt\n")
    (folder / "pairs").write_text("".join(lines), "utf-8")


def read_from(folder: Path) -> Callable[[Pair], list[Passage]]:
    def found(pair: Pair) -> list[Passage]:
        path = folder / f"{'-'.join(pair.names)}.xml"
        features = ET.parse(path).iter("feature") if path.exists() else ()
        places = [[int(feature.get(name, "0")) for name in _FEATURE] for feature in features]
        return [Passage(Span(a, a + n), Span(b, b + m)) for a, n, b, m in places]

    return found


def print_table(name: str, pairs: Sequence[Pair], find: Callable[[Pair], list[Passage]]) -> None:
    kinds = defaultdict[str, list[tuple[Sequence[Passage], Sequence[Passage]]]](list)
    for pair in pairs:
        kinds[pair.kind].append((pair.gold, find(pair)))
    print(f"\n| {name} | pairs | plagdet | precision | recall | granularity | flagged without reuse |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for kind, entries in [*kinds.items(), ("all", [entry for each in kinds.values() for entry in each])]:
        flagged = sum(bool(found) and not gold for gold, found in entries)
        has_gold = any(gold for gold, _found in entries)
        shown = [f"{value:.3f}" for value in plagdet(entries)] if has_gold else ["-"] * 4
        print(f"| {kind} | {len(entries)} | {' | '.join(shown)} | {flagged} |")


def main() -> None:
    """Measure, write or score."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    parser.add_argument("--score", type=Path, metavar="DETECTIONS")
    parser.add_argument("--meaning", action="store_true")
    options = parser.parse_args()

    pairs = all_pairs()
    if options.write:
        write_set(pairs, options.write)
        return
    if options.score:
        print_table(options.score.name, pairs, read_from(options.score))
        return
    print_table("runs of 13 characters", pairs, common_runs)
    with TemporaryDirectory() as folder:
        write_set(pairs, Path(folder))
        for name, settings in PRESETS.items():
            print_table(name, pairs, found_by(settings, Path(folder)))
        if options.meaning:
            settings = replace(PRESETS["balanced"], meaning=True)
            print_table("balanced, by meaning", pairs, found_by(settings, Path(folder)))


if __name__ == "__main__":
    main()
