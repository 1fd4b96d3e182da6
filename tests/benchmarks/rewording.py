"""Text that was rewritten before it was taken over: how much of it is found, and what is flagged without any.

    python -m tests.benchmarks.rewording [--presets balanced,sensitive] [--meaning]
                                         [--class FOLDER] [--short FILE]

`tests/data/rewordings` has a folder for each language and a file for each topic: an essay, a stretch of it in
three rewordings (light: word for word; medium: sentence for sentence, each written anew; strong: in another
order, sentences merged and split), and another student's answer to the same question. Each rewording is put
into that answer and compared with the essay. Prints Markdown tables: the rewordings of which passages cover a
third, and the pairs without a rewording, on one question and on two, that have a passage. `--short`: a table
of short texts (language, source, rewording), by default that of `paraphrase-dev`; each is found if the pair
has any passage. `--meaning`: find what was rewritten, too, and count what is found and flagged without cause
in classes on one question: `tests/data/class-zh`, of which nothing was chosen, 48 Chinese essays, 16 of
which took a stretch of another (`gold.tsv`: source, copier, strength, and the spans in both), and in FOLDER.
"""

import argparse
import csv
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

from simcompare.comparison.compare_documents import compare, detect_passages
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.rewriting import LEAST_EVIDENCE_IN_CLASS
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_document, load_pasted
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.rewordings import STRENGTHS, Topic, topics

OWN_CLASS = Path(__file__).parents[1] / "data" / "class-zh"
CLASS = Path(__file__).parents[3] / "shared" / "bench" / "class-en-dev"
SHORT = Path(__file__).parents[3] / "shared" / "bench" / "paraphrase-dev" / "pairs.tsv"
LANGUAGES = ("zh", "en")
LEAST_COVERED = 1 / 3


@cache
def prepared(text: str, meaning: bool) -> PreparedDocument:
    return prepare_document(load_pasted(Path("essay.txt"), PastedText(text)), "improved", meaning=meaning)


def compared(left: str, right: str, settings: ComparisonSettings) -> Comparison:
    documents = prepared(left, settings.meaning), prepared(right, settings.meaning)
    return compare(*documents, settings, load_thesaurus(settings.thesaurus))


def is_found(topic: Topic, strength: str, settings: ComparisonSettings) -> bool:
    text, span = topic.planted(strength)
    found = [passage.right for passage in compared(topic.source, text, settings).passages]
    covered = sum(max(min(span.end, each.end) - max(span.start, each.start), 0) for each in found)
    return covered >= LEAST_COVERED * len(span)


def flagged(pairs: list[tuple[str, str]], settings: ComparisonSettings) -> str:
    return f"{sum(bool(len(compared(*pair, settings).passages)) for pair in pairs)} of {len(pairs)}"


def print_found(presets: dict[str, ComparisonSettings]) -> None:
    print("| language | preset | light | medium | strong | flagged: one question | two questions |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for language in LANGUAGES:
        chosen = list(topics(language))
        same = [(topic.source, topic.other) for topic in chosen]
        apart = [(left.source, right.other) for left, right in pairwise(chosen)]
        for preset, settings in presets.items():
            counts = (sum(is_found(topic, strength, settings) for topic in chosen) for strength in STRENGTHS)
            cells = [*(f"{count} of {len(chosen)}" for count in counts), flagged(same, settings)]
            print("|", " | ".join([language, preset, *cells, flagged(apart, settings)]), "|")


def print_short(path: Path, presets: dict[str, ComparisonSettings]) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for preset, settings in presets.items():
        comparisons = (compared(row["source"], row["rewording"], settings) for row in rows)
        found = sum(bool(len(comparison.passages)) for comparison in comparisons)
        print(f"\nShort texts, strongly reworded, {preset}: {found} of {len(rows)} found.")


def print_class(folder: Path) -> None:
    """Count the pairs of essays on one question that meaning alone flags, by what was planted in them."""
    rows = [line.split("\t") for line in (folder / "gold.tsv").read_text("utf-8").splitlines()]
    planted = {frozenset(row[:2]): row[2] for row in rows}
    essays = {
        path.name: prepare_document(load_document(path), "improved", meaning=True)
        for path in sorted((folder / "essays").iterdir())
    }
    settings = ComparisonSettings(meaning=True)
    evidence: dict[str, list[float]] = {kind: [] for kind in ("nothing", *STRENGTHS)}
    for left, right in combinations(essays, 2):
        kind = planted.get(frozenset((left, right)), "nothing")
        if kind in evidence:  # not a copy, which its words tell
            passages = detect_passages(essays[left], essays[right], settings)
            evidence[kind].append(passages.evidence.max(initial=0) if passages is not None else 0)
    for kind, found in evidence.items():
        counts = {least: sum(each >= least for each in found) for least in (1, LEAST_EVIDENCE_IN_CLASS, 2)}
        listed = ", ".join(f"{count} have {least} times the least" for least, count in counts.items())
        if found:
            print(f"\nOf {len(found)} pairs of {folder.name} with {kind} taken, by evidence {listed}.")


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presets", default="balanced,sensitive")
    parser.add_argument("--meaning", action="store_true")
    parser.add_argument("--class", dest="folder", type=Path, default=CLASS)
    parser.add_argument("--short", type=Path, default=SHORT)
    options = parser.parse_args()
    presets = {name: replace(PRESETS[name], meaning=options.meaning) for name in options.presets.split(",")}
    print_found(presets)
    if options.short.exists():
        print_short(options.short, presets)
    for folder in (OWN_CLASS, options.folder):
        if options.meaning and folder.exists():
            print_class(folder)


if __name__ == "__main__":
    main()
