"""Why two sentences match: what they have in common, word by word, and the judgement in words."""

from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from simcompare.comparison.values import Alignment, Comparison, Match, MatchKind
from simcompare.comparison.word_stage import pair_off
from simcompare.document import Span
from simcompare.i18n import _
from simcompare.text.prepared import PreparedText
from simcompare.text.thesaurus import Thesaurus


def align(comparison: Comparison, match: Match, thesaurus: Thesaurus | None) -> Alignment:
    """Return what the two sentences of a match share, as spans of both texts."""
    left, right = comparison.left.prepared, comparison.right.prepared
    left_words, right_words = left.words_of(match.left), right.words_of(match.right)
    same = _same_words(left_words, right_words)
    synonyms = _synonym_words(left_words, right_words, same, thesaurus)
    return Alignment(
        common=_common_runs(comparison, match),
        synonyms=tuple(
            (_word_span(left, match.left, i), _word_span(right, match.right, j)) for i, j in synonyms
        ),
        common_words=len(same),
        left_words=len(left_words),
        right_words=len(right_words),
    )


def _common_runs(comparison: Comparison, match: Match) -> tuple[tuple[Span, Span], ...]:
    """Return the longest common subsequence of the units as runs that are unbroken on both sides."""
    left, right = comparison.left.prepared, comparison.right.prepared
    blocks = LCSseq.opcodes(left.units_of(match.left), right.units_of(match.right))
    return tuple(
        (
            _unit_span(left, match.left, block.src_start, block.src_end),
            _unit_span(right, match.right, block.dest_start, block.dest_end),
        )
        for block in blocks
        if block.tag == "equal"
    )


def _unit_span(text: PreparedText, sentence: int, first: int, end: int) -> Span:
    base = int(text.sentence_units[sentence])
    return Span(int(text.unit_spans[base + first, 0]), int(text.unit_spans[base + end - 1, 1]))


def _word_span(text: PreparedText, sentence: int, word: int) -> Span:
    number = int(text.sentence_words[sentence]) + word
    first, end = int(text.word_units[number]), int(text.word_units[number + 1])
    return Span(int(text.unit_spans[first, 0]), int(text.unit_spans[end - 1, 1]))


def _same_words(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Pair equal words one to one, in any order: rightWord of formula 9."""
    places: dict[str, list[int]] = {}
    for j in range(len(right) - 1, -1, -1):
        places.setdefault(right[j], []).append(j)
    return [(i, places[word].pop()) for i, word in enumerate(left) if places.get(word)]


def _synonym_words(
    left: Sequence[str], right: Sequence[str], same: Sequence[tuple[int, int]], thesaurus: Thesaurus | None
) -> list[tuple[int, int]]:
    """Pair further words one to one as synonyms: similarWord of formula 9."""
    if thesaurus is None:
        return []
    taken_left, taken_right = {i for i, _ in same}, {j for _, j in same}
    rest_left = [i for i in range(len(left)) if i not in taken_left]
    rest_right = [j for j in range(len(right)) if j not in taken_right]
    pairs = pair_off(
        [thesaurus.groups(left[i]) for i in rest_left],
        [thesaurus.groups(right[j]) for j in rest_right],
    )
    return [(rest_left[i], rest_right[j]) for i, j in pairs]


def explain(comparison: Comparison, match: Match, alignment: Alignment) -> list[str]:
    """Return the reasons why a match was accepted, a sentence each, with their numbers."""
    longer = max(
        int(comparison.left.prepared.sentence_lengths[match.left]),
        int(comparison.right.prepared.sentence_lengths[match.right]),
    )
    settings = comparison.settings
    numbers = {
        "lcs": match.lcs,
        "longer": longer,
        "p": f"{match.p:.2f}",
        "right": f"{settings.right_weight:.2f}",
        "similar": f"{settings.similar_weight:.2f}",
    }
    if match.kind is MatchKind.EXACT:
        return [
            _("Word for word: all {longer} characters or words are the same, in order.").format(**numbers)
        ]
    in_order = _("Same order: {lcs} of {longer} characters or words agree in order (P = {p}).")
    if match.kind is MatchKind.EDITED:
        reached = _("That reaches the right threshold of {right}.")
        return [in_order.format(**numbers), reached.format(**numbers)]
    suspected = _(
        "That is below {right} but reaches the similar threshold of {similar}, so the words decide."
    )
    return [
        in_order.format(**numbers),
        suspected.format(**numbers),
        *_word_reasons(comparison, match, alignment),
    ]


def _word_reasons(comparison: Comparison, match: Match, alignment: Alignment) -> list[str]:
    pairs = ", ".join(
        f"{a.of(comparison.left.document.text)} ~ {b.of(comparison.right.document.text)}"
        for a, b in alignment.synonyms
    )
    words = _(
        "Words: {same} the same, {synonyms} paired as synonyms, of {words} (w = {w}, at least {right})."
    )
    reasons = [
        words.format(
            same=alignment.common_words,
            synonyms=alignment.synonym_words,
            words=max(alignment.left_words, alignment.right_words),
            w=f"{match.w:.2f}",
            right=f"{comparison.settings.right_weight:.2f}",
        )
    ]
    if pairs:
        reasons.append(_("Synonyms: {pairs}.").format(pairs=pairs))
    return reasons
