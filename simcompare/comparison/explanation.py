"""Explain a match: aligned common parts, and the reasons of its classification in words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce

from rapidfuzz.distance import LCSseq

from simcompare.comparison.comparison_matrix import pair_off
from simcompare.comparison.comparison_result import (
    EXCLUSIONS,
    Alignment,
    Comparison,
    ExclusionReason,
    Match,
    MatchKind,
    NearMiss,
    pair_counts,
)
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading.inspection import disguises
from simcompare.model.document import FlagName, Span
from simcompare.model.settings import ComparisonSettings
from simcompare.support.i18n import N_, _, joined_items, ngettext
from simcompare.text.comparable import is_han
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus

_MOST_PLACES = 6


def align(comparison: Comparison, match: Match | NearMiss, thesaurus: Thesaurus | None) -> Alignment:
    """Align two sentences: spans of common text and of synonyms in both texts."""
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


def near_miss(comparison: Comparison, left: int, right: int, thesaurus: Thesaurus | None) -> NearMiss:
    """Score two sentences that do not match."""
    texts = comparison.left.prepared, comparison.right.prepared
    lcs = LCSseq.similarity(texts[0].units_of(left), texts[1].units_of(right))
    words = texts[0].words_of(left), texts[1].words_of(right)
    same = _same_words(*words)
    agreeing = len(same) + len(_synonym_words(*words, same, thesaurus))
    return NearMiss(
        left,
        right,
        lcs,
        lcs / _longer_length(comparison, left, right),
        agreeing / max(map(len, words)),
    )


def _longer_length(comparison: Comparison, left: int, right: int) -> int:
    return max(
        int(comparison.left.prepared.sentence_lengths[left]),
        int(comparison.right.prepared.sentence_lengths[right]),
    )


def _common_runs(comparison: Comparison, match: Match | NearMiss) -> tuple[tuple[Span, Span], ...]:
    """Return the longest common subsequence of the units as runs that are contiguous on both sides."""
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


def rounded(share: float, *thresholds: float) -> str:
    """Format P or w with two decimals, or with as many as keep it on the same side of the thresholds.

    0.796 shown as 0.80 would contradict "below 0.80"; a value below 1 is never shown as 1.00.
    """
    for places in range(2, _MOST_PLACES):
        text = f"{share:.{places}f}"
        if all((float(text) >= each) == (share >= each) for each in (*thresholds, 1.0)):
            return text
    return f"{share:.{_MOST_PLACES}f}"


def rounded_for_thresholds(share: float, settings: ComparisonSettings) -> str:
    """Format P or w so that it is visible whether it reaches the thresholds in use."""
    return rounded(share, settings.similar_weight, settings.right_weight)


def units_in_words(count: int, *, is_chinese: bool) -> str:
    """Return "1,204 characters" for a Chinese text, else "1,204 words"."""
    if is_chinese:
        return ngettext("{count} character", "{count} characters", count)
    return ngettext("{count} word", "{count} words", count)


def agreement_in_words(comparison: Comparison, match: Match) -> tuple[str, str]:
    """Say what two sentences have in common: "11 of 16 words the same", and "4 synonyms" or "".

    The figures are of the longer sentence. Characters are counted where most units are Han characters, else
    words. If words decided, words of either script are counted, in any order, as w does.
    """
    left, right = comparison.left.prepared, comparison.right.prepared
    longer, is_chinese = _longer(comparison, match)
    if match.kind is MatchKind.EXACT:
        units = units_in_words(longer, is_chinese=is_chinese)
        return _("word for word, {units}").format(units=units), ""
    if match.w is None:
        return _same_of(match.lcs, longer, is_chinese=is_chinese), ""
    words = left.words_of(match.left), right.words_of(match.right)
    same, total = len(_same_words(*words)), max(map(len, words))
    synonyms = round(match.w * total) - same
    return (
        _same_of(same, total, is_chinese=False),
        ngettext("{count} synonym", "{count} synonyms", synonyms) if synonyms else "",
    )


def _longer(comparison: Comparison, pair: Match | NearMiss) -> tuple[int, bool]:
    """Return the length of the longer sentence, and whether most of its units are Han characters."""
    left, right = comparison.left.prepared, comparison.right.prepared
    longer = max(left.units_of(pair.left), right.units_of(pair.right), key=len)
    return len(longer), 2 * sum(map(is_han, longer)) > len(longer)


def _same_of(same: int, total: int, *, is_chinese: bool) -> str:
    if is_chinese:
        return ngettext(
            "{same} of {count} character the same", "{same} of {count} characters the same", total, same=same
        )
    return ngettext("{same} of {count} word the same", "{same} of {count} words the same", total, same=same)


@lru_cache(maxsize=2)
def _disguises(side: PreparedDocument) -> list[tuple[Span, FlagName]]:
    return disguises(side.document)


_UNDONE = (
    N_("Left: {characters} before comparing ({place})."),
    N_("Right: {characters} before comparing ({place})."),
)


def disguise_reasons(comparison: Comparison, left: Span, right: Span) -> Iterator[str]:
    """Say how many zero-width and look-alike characters in parts of the two texts were undone, and where."""
    sides = comparison.left, comparison.right
    for text, side, part in zip(_UNDONE, sides, (left, right), strict=True):
        placed = _disguises(side)
        found = [each for each in placed if part.start <= each[0].start and each[0].end <= part.end]
        unseen = sum(len(span) for span, name in found if name is FlagName.ZERO_WIDTH_CHARACTERS)
        alike = sum(name is FlagName.LOOK_ALIKE_LETTERS for _span, name in found)
        counted = (
            (
                unseen,
                ngettext(
                    "{count} zero-width character removed", "{count} zero-width characters removed", unseen
                ),
            ),
            (alike, ngettext("{count} look-alike replaced", "{count} look-alikes replaced", alike)),
        )
        characters = joined_items(words for count, words in counted if count)
        numbers = [side.prepared.sentence_at(span.start) for span, _name in found]
        inside = [number + 1 for number in numbers if number is not None]
        if not inside:
            continue
        first, last = f"{min(inside):,}", f"{max(inside):,}"
        place = _("sentence {number}") if first == last else _("sentences {first}–{last}")
        place = place.format(number=first, first=first, last=last)
        yield _(text).format(characters=characters, place=place)


def explain(comparison: Comparison, match: Match, alignment: Alignment) -> list[str]:
    """List the reasons why a match was accepted, one sentence each, with their numbers."""
    spans = (
        comparison.left.prepared.sentence_span(match.left),
        comparison.right.prepared.sentence_span(match.right),
    )
    return [*_match_reasons(comparison, match, alignment), *disguise_reasons(comparison, *spans)]


def _match_reasons(comparison: Comparison, match: Match, alignment: Alignment) -> list[str]:
    settings = comparison.settings
    if match.kind is MatchKind.EXACT:
        exact = _("Identical: {units}, all the same, in the same order.")
        longer, is_chinese = _longer(comparison, match)
        return [exact.format(units=units_in_words(longer, is_chinese=is_chinese))]
    in_order = _order_reason(comparison, match)
    if match.kind is MatchKind.EDITED:
        reached = _("That reaches {right} (“sure from”), so the two sentences match.")
        certain = reached.format(right=_two_decimals(settings.right_weight))
        return [in_order, certain, *_synonym_reasons(comparison, alignment)]
    suspected = _(
        "That is between {similar} (“possible from”) and {right} (“sure from”), so the words decide."
    )
    return [
        in_order,
        suspected.format(
            right=_two_decimals(settings.right_weight), similar=_two_decimals(settings.similar_weight)
        ),
        *_word_reasons(comparison, alignment, _AT_LEAST),
    ]


def explain_near_miss(comparison: Comparison, miss: NearMiss, alignment: Alignment) -> list[str]:
    """List the reasons why two sentences do not match, with their numbers."""
    settings = comparison.settings
    in_order = _order_reason(comparison, miss)
    if excluded := explain_exclusion(comparison, miss.left, miss.right):
        return [*excluded, in_order]
    if miss.p < settings.similar_weight:
        too_little = _("That is below {similar} (“possible from”).")
        return [in_order, too_little.format(similar=_two_decimals(settings.similar_weight))]
    if not settings.word_stage:
        undecided = _(
            "That is below {right} (“sure from”), and “Find reworded sentences by their words” is off."
        )
        return [in_order, undecided.format(right=_two_decimals(settings.right_weight))]
    return [in_order, *_word_reasons(comparison, alignment, _LESS_THAN)]


def exclusion_name(reason: ExclusionReason) -> str:
    return _(EXCLUSIONS[reason].name)


def explain_exclusion(comparison: Comparison, left: int, right: int) -> list[str]:
    """Explain why two sentences do not count: one sentence for each side that is excluded."""
    reasons = comparison.left_excluded.reason(left), comparison.right_excluded.reason(right)
    if pair_counts(*reasons):
        return []
    texts = _("The left sentence is excluded: {reason}."), _("The right sentence is excluded: {reason}.")
    sides = zip(texts, reasons, strict=True)
    return [text.format(reason=exclusion_name(reason)) for text, reason in sides if reason is not None]


def _two_decimals(share: float) -> str:
    return f"{share:.2f}"


def _order_reason(comparison: Comparison, pair: Match | NearMiss) -> str:
    longer, is_chinese = _longer(comparison, pair)
    p = rounded_for_thresholds(pair.lcs / longer, comparison.settings)
    units = units_in_words(longer, is_chinese=is_chinese)
    return _("Same order: {lcs} of {units} agree in order (P = {p}).").format(lcs=pair.lcs, units=units, p=p)


_AT_LEAST = N_(
    "Words: {same} the same, {synonyms} paired as synonyms, of {words} (w = {w}, at least {right})."
)
_LESS_THAN = N_(
    "Words: {same} the same, {synonyms} paired as synonyms, of {words} (w = {w}, less than {right})."
)


def _word_reasons(comparison: Comparison, alignment: Alignment, text: str) -> list[str]:
    longer = max(alignment.left_words, alignment.right_words)
    agreeing = alignment.common_words + alignment.synonym_words
    reasons = [
        _(text).format(
            same=alignment.common_words,
            synonyms=alignment.synonym_words,
            words=longer,
            w=rounded_for_thresholds(agreeing / longer, comparison.settings),
            right=_two_decimals(comparison.settings.right_weight),
        )
    ]
    return [*reasons, *_synonym_reasons(comparison, alignment)]


def _synonym_reasons(comparison: Comparison, alignment: Alignment) -> list[str]:
    """List the pairs of synonyms in one sentence; empty if there are none."""
    texts = comparison.left.document.text, comparison.right.document.text
    synonyms = Counter((a.of(texts[0]), b.of(texts[1])) for a, b in alignment.synonyms)
    return [_("Synonyms: {pairs}.").format(pairs=listed_synonyms(synonyms))] if synonyms else []


def listed_synonyms(synonyms: Counter[tuple[str, str]], most: int | None = None) -> str:
    """List the first pairs of synonyms, with their numbers of occurrences: "big ~ large ×2, see ~ look …"."""
    pairs = [
        f"{left} ~ {right}" + (f" ×{count}" if count > 1 else "") for (left, right), count in synonyms.items()
    ]
    listed = reduce(lambda listed, pair: _("{listed}, {next}").format(listed=listed, next=pair), pairs[:most])
    return listed if pairs[:most] == pairs else f"{listed} …"
