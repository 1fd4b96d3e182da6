"""Explain a passage in words: what its two sides have in common, and why it is of its kind."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simcompare.comparison.citations.citation import CitationGroup, PassageCitation, passage_citation
from simcompare.comparison.comparison_result import Comparison, ExclusionReason
from simcompare.comparison.explanation import (
    disguise_reasons,
    exclusion_name,
    listed_synonyms,
    rounded,
    units_in_words,
)
from simcompare.comparison.passages.numbered_passages import (
    NumberedPassage,
    NumberedPassages,
    is_mostly_chinese,
)
from simcompare.comparison.passages.passage_kinds import MOST_IN_COMMON, SAME_ORDER, PassageKind
from simcompare.comparison.passages.passage_words import changes_of_passage, longest_equal_stretch
from simcompare.comparison.passages.rewriting import chance_of
from simcompare.comparison.shares import counting_matches
from simcompare.support.display_text import percent, reaches, with_sign
from simcompare.support.i18n import N_, _, joined_items, joined_sentences, ngettext
from simcompare.text.thesaurus import Thesaurus

_QUOTED_CHARACTERS = 30
_SHORTEST_STRETCH = 2
_PAIRS_IN_SUMMARY = 3
_PAIRS_IN_REASON = 12
# a share above 0 is never shown as 0%


@dataclass(frozen=True, slots=True)
class PassageExplanation:
    """A passage in one line, without its kind, and two to six reasons: why it was found and has its kind.

    citation: the reason that says how it is quoted or its source named, "" if it is not.
    """

    summary: str
    reasons: tuple[str, ...]
    citation: str = ""


@dataclass(frozen=True, eq=False)
class _Findings:
    """Units and words that the two sides of a passage have in common, each found when first asked for."""

    comparison: Comparison
    passages: NumberedPassages
    index: int
    thesaurus: Thesaurus | None

    @cached_property
    def passage(self) -> NumberedPassage:
        return self.passages[self.index]

    @cached_property
    def is_chinese(self) -> bool:
        return is_mostly_chinese(self.comparison, self.passages, self.index)

    @property
    def are_chinese(self) -> tuple[bool, bool]:
        """Of each text."""
        left, right = self.comparison.left.prepared, self.comparison.right.prepared
        return left.is_mostly_chinese, right.is_mostly_chinese

    @cached_property
    def total(self) -> int:
        """Units of the longer side."""
        sides = zip(
            (self.comparison.left, self.comparison.right),
            (self.passages.left_spans, self.passages.right_spans),
            strict=True,
        )
        return int(max(np.diff(side.prepared.units_in(spans[self.index]))[0] for side, spans in sides))

    @property
    def in_order(self) -> int:
        """Units of the longest common subsequence."""
        return round(self.passage.p * self.total)

    @property
    def common(self) -> int:
        """Units of both sides."""
        return round(self.in_order / self.passage.in_order) if self.in_order else 0

    @cached_property
    def stretch(self) -> tuple[str, int]:
        """Beginning of the longest equal stretch, and its units."""
        stretch, units = longest_equal_stretch(self.comparison, self.passages, self.index)
        return _beginning(stretch.of(self.comparison.left.document.text)), units

    @cached_property
    def synonyms(self) -> Counter[tuple[str, str]]:
        """The pairs of synonyms, each with its number of occurrences."""
        left, right = self.comparison.left.document.text, self.comparison.right.document.text
        changes = changes_of_passage(self.comparison, self.passages, self.index, self.thesaurus)
        return Counter((a.of(left), b.of(right)) for a, b in changes.synonyms)

    @property
    def has_common_words(self) -> bool:
        """True if the share of common words decided, not only that of the units."""
        return self.passage.common_words >= MOST_IN_COMMON

    def units(self, count: int) -> str:
        return units_in_words(count, is_chinese=self.is_chinese)


def explain_passage(
    comparison: Comparison, passages: NumberedPassages, index: int, thesaurus: Thesaurus | None
) -> PassageExplanation:
    """Explain a passage, by its index, in the current language. `thesaurus` pairs the synonyms."""
    found = _Findings(comparison, passages, index, thesaurus)
    citation = passage_citation(comparison, found.passage)
    marked = marked_in_words(citation)
    cited = marked or ("" if citation is None else citation_in_words(citation))
    reasons = (
        _common_reason(found),
        *_kind_reasons(found),
        *_sound_reasons(comparison),
        *_synonym_reasons(found),
        _sentences_reason(comparison, found.passage),
        *_exclusion_reasons(comparison, found.passage),
        *disguise_reasons(comparison, found.passage.left, found.passage.right),
        *([cited] if cited else []),
    )
    return PassageExplanation(_summary(found), reasons, marked)


def passage_in_short(
    comparison: Comparison, passages: NumberedPassages, index: int, thesaurus: Thesaurus | None
) -> str:
    """Return the summary of `explain_passage` alone, which takes less."""
    return _summary(_Findings(comparison, passages, index, thesaurus))


_LONGEST_SOURCE = 120
_SIDES = {"left": N_("Left"), "right": N_("Right")}
_CITATIONS = {
    CitationGroup.QUOTED_AND_CITED: N_("Quoted, and the source is named: {source}"),
    CitationGroup.CITED: N_("Not marked as a quotation, but the source is named: {source}"),
    CitationGroup.QUOTED: N_("In quotation marks, but no source is named"),
    CitationGroup.NEITHER: N_("Not marked as a quotation, and no source is named."),
}


def marked_in_words(found: PassageCitation | None) -> str:
    """Say how a passage is quoted or its source named, "" if it is not."""
    return "" if found is None or found.group is CitationGroup.NEITHER else citation_in_words(found)


def citation_in_words(found: PassageCitation) -> str:
    """Say which text marks the passage and how: "Left: Quoted, and the source is named: (Kuhn, 1962)"."""
    source = " ".join(found.citation.text.split())
    if len(source) > _LONGEST_SOURCE:
        source = source[:_LONGEST_SOURCE].rstrip() + "…"
    words = _(_CITATIONS[found.group]).format(source=source)
    if found.group is CitationGroup.NEITHER:
        return words
    return _("{name}: {value}").format(name=_(_SIDES[found.side]), value=words)


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= _QUOTED_CHARACTERS:
        return line
    # whole words if there are blanks between them
    return (line[:_QUOTED_CHARACTERS].rpartition(" ")[0] or line[:_QUOTED_CHARACTERS]) + "…"


def _percent(share: float, *thresholds: float) -> str:
    """Write a share as `percent` does, or with decimals that keep it on its side of the thresholds."""
    if all((share >= each) == reaches(share, each) for each in thresholds):
        return percent(share)
    return with_sign(f"{float(rounded(share, *thresholds)) * 100:g}")


# --- summary


def _summary(found: _Findings) -> str:
    passage = found.passage
    match passage.kind:
        case PassageKind.IDENTICAL:
            return _("word for word, {units}").format(units=found.units(passage.units))
        case PassageKind.SUMMARY:
            text = _("{left} on the left summarising {right} on the right")
            if passage.summary == "right":
                text = _("{right} on the right summarising {left} on the left")
            return text.format(left=found.units(passage.left_units), right=found.units(passage.right_units))
        case PassageKind.MEANING:
            text = _("{left} on the left and {right} on the right, possibly the same in other words")
            sides = zip((passage.left_units, passage.right_units), found.are_chinese, strict=True)
            left, right = (units_in_words(count, is_chinese=is_chinese) for count, is_chinese in sides)
            return text.format(left=left, right=right)
        case PassageKind.EDITED:
            share = _edited(found)
        case PassageKind.REORDERED:
            share = _reordered(found)
        case _:
            share = _("{share} of the words in common").format(
                share=_percent(passage.common_words, MOST_IN_COMMON)
            )
    too_short = "" if _counts(found) else _("too short to count on its own")
    return _(", ").join(filter(None, [share, _synonyms(found) or _stretch(found), too_short]))


def _counts(found: _Findings) -> bool:
    """Return whether a passage of single matched sentences has one that counts for the share; others do."""
    comparison, matches = found.comparison, found.passages.matches_of(found.index)
    if comparison.detected_passages is None or found.passages.covers[found.index] or not len(matches):
        return True
    cells = comparison.matches.cells.select(matches)
    texts = comparison.left.prepared, comparison.right.prepared
    return bool(counting_matches(cells, comparison.passages, *texts).any())


def _edited(found: _Findings) -> str:
    passage = found.passage
    if not found.has_common_words:
        text = _("{share} of the text the same, in the same order")
        return text.format(share=_percent(passage.p, MOST_IN_COMMON))
    text = _("{share} of the words in common, nearly all in the same order")
    if passage.in_order == 1:
        text = _("{share} of the words in common, in the same order")
    return text.format(share=_percent(passage.common_words, MOST_IN_COMMON))


def _reordered(found: _Findings) -> str:
    passage = found.passage
    moved = _percent(1 - passage.in_order, 1 - SAME_ORDER)
    if passage.common_words == 1:
        return _("the same words, {moved} of them moved").format(moved=moved)
    if found.has_common_words:
        text = _("{share} of the words in common, {moved} of them moved")
        return text.format(share=_percent(passage.common_words, MOST_IN_COMMON), moved=moved)
    text = _("{share} of the text in common, {moved} of it moved")
    return text.format(share=_percent(found.common / found.total, MOST_IN_COMMON), moved=moved)


def _synonyms(found: _Findings) -> str:
    if not found.synonyms:
        return ""
    return ngettext(
        "{count} pair of synonyms: {pairs}",
        "{count} pairs of synonyms: {pairs}",
        found.synonyms.total(),
        pairs=listed_synonyms(found.synonyms, _PAIRS_IN_SUMMARY),
    )


def _stretch(found: _Findings) -> str:
    units = found.stretch[1]
    return _("up to {units} in a row").format(units=found.units(units)) if units >= _SHORTEST_STRETCH else ""


# --- reasons


def _common_reason(found: _Findings) -> str:
    units = found.units(found.passage.units)
    if found.passage.p == 1:
        return _("Both sides have the same {units}, in the same order.").format(units=units)
    # shares, as the longer side and sentences that do not count would give other lengths of the passage
    in_common = _(
        "Shorter side: {units}. {common} of the longer side is on the other side too, {in_order} in the same "
        "order."
    )
    if found.in_order == found.common:
        in_common = _(
            "Shorter side: {units}. {common} of the longer side is on the other side too, in the same order."
        )
    common, in_order = (percent(count / found.total) for count in (found.common, found.in_order))
    sentences = [in_common.format(units=units, common=common, in_order=in_order)]
    beginning, stretch_units = found.stretch
    if stretch_units >= _SHORTEST_STRETCH:
        longest = _("Longest verbatim run: {units}, “{beginning}”.")
        sentences.append(longest.format(units=found.units(stretch_units), beginning=beginning))
    return joined_sentences(sentences)


_KIND_BY_WORDS = {
    PassageKind.EDITED: N_(
        "Edited, because {words} of the words are in common (at least {most}) and {order} of what is in "
        "common is in the same order (at least {same_order})."
    ),
    PassageKind.REORDERED: N_(
        "Reordered, because {words} of the words are in common (at least {most}), but only {order} of "
        "what is in common is in the same order (less than {same_order})."
    ),
    PassageKind.REWORDED: N_(
        "Reworded, not only edited: {words} of the words are in common and {p} of the text is the same in "
        "the same order, both less than {most}."
    ),
}
_KIND_BY_ORDER = {
    PassageKind.EDITED: N_(
        "Edited, because {p} of the text is the same in the same order (at least {most}), and little "
        "of what is in common has moved."
    ),
    PassageKind.REORDERED: N_(
        "Reordered, because {p} of the text is the same in the same order (at least {most}), but of "
        "what is in common only {order} is (less than {same_order})."
    ),
}


def _kind_reasons(found: _Findings) -> Iterator[str]:
    """Yield why the passage is of its kind; nothing for an identical one."""
    passage = found.passage
    if passage.kind is PassageKind.SUMMARY:
        yield _summary_reason(found)
    elif passage.kind is PassageKind.MEANING:
        yield _rewriting_reason(passage)
        yield _("Click a sentence to see which sentence of the other text probably belongs to it.")
    elif passage.kind is not PassageKind.IDENTICAL:
        by_order = {} if found.has_common_words else _KIND_BY_ORDER
        yield _(by_order.get(passage.kind, _KIND_BY_WORDS[passage.kind])).format(
            words=_percent(passage.common_words, MOST_IN_COMMON),
            p=_percent(passage.p, MOST_IN_COMMON),
            order=_percent(passage.in_order, SAME_ORDER),
            most=_percent(MOST_IN_COMMON),
            same_order=_percent(SAME_ORDER),
        )


def _summary_reason(found: _Findings) -> str:
    if found.passage.summary == "left":
        return _(
            "A summary, because the left side puts briefly what is spread over several sentences on the "
            "right. Summaries do not count towards the share."
        )
    return _(
        "A summary, because the right side puts briefly what is spread over several sentences on the "
        "left. Summaries do not count towards the share."
    )


def _rewriting_reason(passage: NumberedPassage) -> str:
    pairs = ngettext(
        "{count} of 1,000 pairs of essays on one question",
        "{count} of 1,000 pairs of essays on one question",
        round(1_000 * chance_of(passage.evidence)),
    )
    if chance_of(passage.evidence) < 0.001:
        pairs = _("fewer than 1 of 1,000 pairs of essays on one question")
    return _(
        "Possibly rewritten, because by a model of their meaning these sentences belong together more than "
        "to those around them. By chance, {pairs} have such a passage. It proves nothing and never counts "
        "towards the share: read both sides."
    ).format(pairs=pairs)


def _sound_reasons(comparison: Comparison) -> Iterator[str]:
    if comparison.detected_passages is not None and any(
        side.prepared.has_broken_words for side in (comparison.left, comparison.right)
    ):
        yield _(
            "Also compared by the sound of the characters, because hardly any characters of one text form "
            "words: they may have been exchanged for others that sound the same, or shuffled."
        )


def _synonym_reasons(found: _Findings) -> Iterator[str]:
    if found.synonyms:
        yield ngettext(
            "In addition, {count} pair of words is synonymous: {pairs}.",
            "In addition, {count} pairs of words are synonyms: {pairs}.",
            found.synonyms.total(),
            pairs=listed_synonyms(found.synonyms, _PAIRS_IN_REASON),
        )


def _sentences_reason(comparison: Comparison, passage: NumberedPassage) -> str:
    """Count the matches in a passage, and the sentences that are in it without a match in it."""
    cells, matches = comparison.matches.cells, np.array(passage.matches, np.intp)
    pairs = ngettext("{count} pair of sentences matches.", "{count} pairs of sentences match.", len(matches))
    if not len(matches):
        pairs = (
            _("It is part of sentences that have too little in common to match as a whole.")
            if passage.kind is PassageKind.IDENTICAL
            else _("No two of its sentences have enough in common to match.")
        )
    sides = zip(
        _sentences(comparison, passage), comparison.excluded, (cells.rows, cells.columns), strict=True
    )
    left, right = (
        len(np.setdiff1d(np.array(sentences)[excluded.kept[sentences]], matched[matches]))
        for sentences, excluded, matched in sides
    )
    # the sentences that a summary draws on have others between them
    if left == right == 0 or passage.kind in {PassageKind.SUMMARY, PassageKind.MEANING}:
        return pairs
    others = _("Sentences in it without a match: left {left}, right {right}.")
    return joined_sentences([pairs, others.format(left=f"{left:,}", right=f"{right:,}")])


def _exclusion_reasons(comparison: Comparison, passage: NumberedPassage) -> Iterator[str]:
    left, right = (
        [reason for sentence in sentences if (reason := excluded.reason(sentence))]
        for sentences, excluded in zip(_sentences(comparison, passage), comparison.excluded, strict=True)
    )
    if left or right:
        names = [exclusion_name(reason) for reason in ExclusionReason if reason in {*left, *right}]
        text = _(
            "Sentences in it that are excluded and do not count: left {left}, right {right} ({reasons})."
        )
        yield text.format(left=f"{len(left):,}", right=f"{len(right):,}", reasons=joined_items(names))


def _sentences(comparison: Comparison, passage: NumberedPassage) -> tuple[range, range]:
    left, right = (
        range(*text.prepared.sentences_in(np.array([(span.start, span.end)]))[0].tolist())
        for text, span in ((comparison.left, passage.left), (comparison.right, passage.right))
    )
    return left, right
