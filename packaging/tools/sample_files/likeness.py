"""How near each rewritten essay stands to the one it was written from."""

import re
from collections.abc import Iterator
from operator import itemgetter

from rapidfuzz.distance import LCSseq
from sample_files.essays import Essay, read_essay

VARIANTS = {
    "stone-bridge-light": "old-bridge",
    "bridge-in-my-heart-synonyms": "old-bridge",
    "the-bridge-moved": "old-bridge",
    "autumn-road": "old-bridge",
    "the-last-bus-reworded": "the-last-bus",
}
"""The texts to be measured, each with the text it is measured against."""

UNIT = re.compile(r"[\u4e00-\u9fff]|[^\W\d_\u4e00-\u9fff]+|\d+(?:\.\d+)?")


def units(sentence: str) -> list[str]:
    """List the Han characters, words and numbers of a sentence, without its marks."""
    return [unit.lower() for unit in UNIT.findall(sentence)]


def likeness(left: list[str], right: list[str]) -> float:
    """Tell how much of the longer of two sentences both have in order, between 0 and 1."""
    return LCSseq.similarity(left, right) / max(len(left), len(right), 1)


def best_matches(variant: Essay, base: Essay) -> Iterator[tuple[float, int]]:
    """Yield for each sentence of the variant its highest likeness and the index of the sentence it is to."""
    others = [units(sentence) for sentence in base.sentences]
    for sentence in variant.sentences:
        own = units(sentence)
        yield max(((likeness(own, other), index) for index, other in enumerate(others)), key=itemgetter(0))


def table() -> str:
    """Count for each variant the sentences that lie in each band of likeness."""
    rows = [f"{'variant':30}{'sentences':>10}{'= 1':>8}{'>= 0.55':>10}{'0.35-0.55':>11}{'< 0.35':>8}"]
    for name, base in VARIANTS.items():
        values = [value for value, _ in best_matches(read_essay(name), read_essay(base))]
        same = sum(value == 1 for value in values)
        near = sum(0.55 <= value < 1 for value in values)
        half = sum(0.35 <= value < 0.55 for value in values)
        far = len(values) - same - near - half
        rows.append(f"{name:30}{len(values):>10}{same:>8}{near:>10}{half:>11}{far:>8}")
    return "\n".join(rows)
