"""Similarity of the rewritten sample essays to their originals, sentence by sentence."""

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
"""Rewritten essays and their originals."""

UNIT = re.compile(r"[\u4e00-\u9fff]|[^\W\d_\u4e00-\u9fff]+|\d+(?:\.\d+)?")


def units(sentence: str) -> list[str]:
    """List the Han characters, words and numbers of a sentence, without punctuation."""
    return [unit.lower() for unit in UNIT.findall(sentence)]


def lcs_similarity(left: list[str], right: list[str]) -> float:
    """Divide the longest common subsequence of two sentences by the length of the longer one: in [0, 1]."""
    return LCSseq.similarity(left, right) / max(len(left), len(right), 1)


def best_matches(variant: Essay, base: Essay) -> Iterator[tuple[float, int]]:
    """Yield the similarity and the index of the best match in the base for each sentence of the variant."""
    others = [units(sentence) for sentence in base.sentences]
    for sentence in variant.sentences:
        own = units(sentence)
        yield max(
            ((lcs_similarity(own, other), index) for index, other in enumerate(others)), key=itemgetter(0)
        )


def table() -> str:
    """Make a table of the variants with the number of sentences per range of similarity."""
    rows = [f"{'variant':30}{'sentences':>10}{'= 1':>8}{'>= 0.55':>10}{'0.35-0.55':>11}{'< 0.35':>8}"]
    for name, base in VARIANTS.items():
        values = [value for value, _ in best_matches(read_essay(name), read_essay(base))]
        equal = sum(value == 1 for value in values)
        near = sum(0.55 <= value < 1 for value in values)
        half = sum(0.35 <= value < 0.55 for value in values)
        far = len(values) - equal - near - half
        rows.append(f"{name:30}{len(values):>10}{equal:>8}{near:>10}{half:>11}{far:>8}")
    return "\n".join(rows)
