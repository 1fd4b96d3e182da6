"""Plain and slow reference implementations of the papers' formulas."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations

from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus


def lcs_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Textbook dynamic programming for the longest common subsequence."""
    above = [0] * (len(right) + 1)
    for a in left:
        row = [0]
        for j, b in enumerate(right):
            row.append(above[j] + 1 if a == b else max(row[j], above[j + 1]))
        above = row
    return above[-1]


def p_of(left: Sequence[str], right: Sequence[str]) -> Fraction:
    """Formula 7 of Lv et al., as the paper writes it."""
    lcs = lcs_length(left, right)
    return min(Fraction(lcs, len(left)), Fraction(lcs, len(right)))


def matrix_of(left: PreparedText, right: PreparedText) -> list[list[Fraction]]:
    return [
        [p_of(left.units_of(n), right.units_of(m)) for m in range(right.sentence_count)]
        for n in range(left.sentence_count)
    ]


def split_common(left: Sequence[str], right: Sequence[str]) -> tuple[int, list[str], list[str]]:
    """Remove equal words in pairs; return the number of pairs and the rest of each side."""
    rest_left, rest_right = list(left), list(right)
    for word in left:
        if word in rest_right:
            rest_left.remove(word)
            rest_right.remove(word)
    return len(left) - len(rest_left), rest_left, rest_right


def most_pairs(left: Sequence[frozenset[int]], right: Sequence[frozenset[int]]) -> int:
    """Return the size of a maximum one-to-one pairing by exhaustive search; for a handful of words."""
    few, many = sorted((left, right), key=len)
    for size in range(len(few), 0, -1):
        for chosen in combinations(few, size):
            for others in permutations(many, size):
                if all(a & b for a, b in zip(chosen, others, strict=True)):
                    return size
    return 0


def w_of(left: Sequence[str], right: Sequence[str], thesaurus: Thesaurus | None) -> Fraction:
    """Formula 9 of Lv et al.: the smaller of the two shares of words in common or paired as synonyms."""
    same, rest_left, rest_right = split_common(left, right)
    paired = 0
    if thesaurus:
        paired = most_pairs(*([thesaurus.groups(word) for word in rest] for rest in (rest_left, rest_right)))
    return min(Fraction(same + paired, len(left)), Fraction(same + paired, len(right)))
