"""Text that was rewritten before it was taken over: how much of it is found, and what is flagged without any.

    python -m tests.benchmarks.rewording [--presets balanced,sensitive] [--short FILE]

`tests/data/rewordings` has a folder for each language and a file for each topic: an essay, a stretch of it in
three rewordings (light: word for word; medium: sentence for sentence, each written anew; strong: in another
order, sentences merged and split), and another student's answer to the same question. Each rewording is put
into that answer and compared with the essay. Prints Markdown tables: the rewordings of which passages cover a
third, and the pairs without a rewording, on one question and on two, that have a passage. `--short`: a table
of short texts (language, source, rewording), by default that of `paraphrase-dev`; each is found if the pair
has any passage.
"""

import argparse
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS
from simcompare.text.thesaurus import load_thesaurus

TOPICS = Path(__file__).parents[1] / "data" / "rewordings"
SHORT = Path(__file__).parents[3] / "shared" / "bench" / "paraphrase-dev" / "pairs.tsv"
LANGUAGES = ("zh", "en")
STRENGTHS = ("light", "medium", "strong")
LEAST_COVERED = 1 / 3


@dataclass(frozen=True)
class Topic:
    """A question with an essay, a stretch of it, its rewordings by strength, and another essay."""

    language: str
    source: str
    stretch: str
    rewordings: dict[str, str]
    other: str

    def planted(self, strength: str) -> tuple[str, Span]:
        """Return the other essay with a rewording between its paragraphs, and the span of the rewording."""
        paragraphs = self.other.split("\n\n")
        middle = len(paragraphs) // 2
        before = "\n\n".join(paragraphs[:middle]) + "\n\n"
        span = Span(len(before), len(before) + len(self.rewordings[strength]))
        return before + "\n\n".join([self.rewordings[strength], *paragraphs[middle:]]), span


def topics(language: str) -> Iterator[Topic]:
    for path in sorted((TOPICS / language).glob("*.txt")):
        parts = re.split(r"^## (\w+)\n", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
        texts = {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}
        rewordings = {strength: texts[strength] for strength in STRENGTHS}
        yield Topic(language, texts["source"], texts["stretch"], rewordings, texts["other"])


@cache
def prepared(text: str) -> PreparedDocument:
    return prepare_document(load_pasted(Path("essay.txt"), PastedText(text)), "improved")


def compared(left: str, right: str, preset: str) -> Comparison:
    settings = PRESETS[preset]
    return compare(prepared(left), prepared(right), settings, load_thesaurus(settings.thesaurus))


def is_found(topic: Topic, strength: str, preset: str) -> bool:
    text, span = topic.planted(strength)
    found = [passage.right for passage in compared(topic.source, text, preset).passages]
    covered = sum(max(min(span.end, each.end) - max(span.start, each.start), 0) for each in found)
    return covered >= LEAST_COVERED * len(span)


def flagged(pairs: list[tuple[str, str]], preset: str) -> str:
    return f"{sum(bool(len(compared(*pair, preset).passages)) for pair in pairs)} of {len(pairs)}"


def print_found(presets: list[str]) -> None:
    print("| language | preset | light | medium | strong | flagged: one question | two questions |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for language in LANGUAGES:
        chosen = list(topics(language))
        same = [(topic.source, topic.other) for topic in chosen]
        apart = [(left.source, right.other) for left, right in pairwise(chosen)]
        for preset in presets:
            counts = (sum(is_found(topic, strength, preset) for topic in chosen) for strength in STRENGTHS)
            cells = [*(f"{count} of {len(chosen)}" for count in counts), flagged(same, preset)]
            print("|", " | ".join([language, preset, *cells, flagged(apart, preset)]), "|")


def print_short(path: Path, presets: list[str]) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for preset in presets:
        found = sum(bool(len(compared(row["source"], row["rewording"], preset).passages)) for row in rows)
        print(f"\nShort texts, strongly reworded, {preset}: {found} of {len(rows)} found.")


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presets", default="balanced,sensitive")
    parser.add_argument("--short", type=Path, default=SHORT)
    options = parser.parse_args()
    presets = options.presets.split(",")
    print_found(presets)
    if options.short.exists():
        print_short(options.short, presets)


if __name__ == "__main__":
    main()
