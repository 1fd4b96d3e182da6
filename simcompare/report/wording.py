"""Wording of reports: figures, settings and counts in the current language."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from simcompare import __version__
from simcompare.comparison.citations.citation import CitationGroup, PassageCitation
from simcompare.comparison.comparison_result import (
    EXCLUSIONS,
    SWITCHES,
    BothShares,
    Comparison,
    ExcludedSentences,
    ExclusionCandidates,
    ExclusionReason,
    Matches,
    MatchKind,
    Share,
)
from simcompare.comparison.explanation import exclusion_name, rounded, units_in_words
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_columns import NO_PASSAGES
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.settings import ComparisonSettings, UserWords
from simcompare.session.decisions import REASONS, Decision, PairReview, PassageDecisions, outcome_of
from simcompare.support.arrays import BoolArray
from simcompare.support.display_text import display_name, file_name, moment_in_words, percent
from simcompare.support.i18n import N_, _, joined_items, ngettext
from simcompare.text.thesaurus import CILIN, STARTER, Thesaurus

_KINDS = {
    MatchKind.EXACT: N_("identical"),
    MatchKind.EDITED: N_("edited"),
    MatchKind.SYNONYM: N_("reworded"),
}
_PASSAGE_KINDS = {
    PassageKind.IDENTICAL: N_("identical"),
    PassageKind.EDITED: N_("edited"),
    PassageKind.REWORDED: N_("reworded"),
    PassageKind.REORDERED: N_("reordered"),
    PassageKind.SUMMARY: N_("summary"),
    PassageKind.MEANING: N_("possibly rewritten"),
}
_DECISIONS = {Decision.FINE: N_("no concern"), Decision.COPIED: N_("copied")}
_CITATION_GROUPS = {
    CitationGroup.QUOTED_AND_CITED: N_("quoted and cited"),
    CitationGroup.CITED: N_("cited without quotation marks"),
    CitationGroup.QUOTED: N_("quoted without a source"),
    CitationGroup.NEITHER: N_("neither quoted nor cited"),
}
_REASONS = {
    Decision.TASK_TEXT: N_("task text"),
    Decision.CITED: N_("cited"),
    Decision.COMMON_SOURCE: N_("common source"),
    Decision.JOINT_WORK: N_("joint work permitted"),
}
_THESAURI = {STARTER: N_("built-in thesaurus"), CILIN: N_("Cilin")}
RECIPE_NAMES = {
    "improved": N_("Improved Simhash (rarity, kind and length of words)"),
    "traditional": N_("Traditional Simhash (frequency of words)"),
    "tfidf": N_("Simhash by TF-IDF (rarity of words)"),
    "levels": N_("Simhash by five levels of weight"),
    "md5-32": N_("32 bits, Chinese words only"),
}
NO_NUMBER = "—"
_FEW_COUNTING_UNITS = 100
"""One sentence alike is a high share of so short a rest."""
MOST_LISTED_MATCHES = 2_000
"""Limit of the list of matches: only a text that repeats itself has more, and few browsers open such a list.
"""


def first_of(names: Sequence[str], most: int) -> list[str]:
    """Return the first `most` names and a last item with the number of the rest, or all if that is one."""
    more = len(names) - most
    if more <= 1:
        return list(names)
    return [*names[:most], _("and {count} more").format(count=f"{more:,}")]


def enumerated(parts: Iterable[str]) -> str:
    """Join parts by commas."""
    return _(", ").join(parts)


def also_named(names: Sequence[str]) -> str:
    """Return which other names files, texts or the class list give to a student; empty without any."""
    return named(_("Another name in the file or the class list"), enumerated(names)) if names else ""


def listed(parts: Iterable[str]) -> str:
    """Join parts by semicolons, as they may contain commas."""
    return _("; ").join(parts)


def detailed(text: str, detail: str) -> str:
    """Return "text (detail)"."""
    return _("{text} ({detail})").format(text=text, detail=detail)


def named(name: str, value: str) -> str:
    """Return "name: value"."""
    return _("{name}: {value}").format(name=name, value=value)


def quoted(text: str) -> str:
    """Put a text in quotation marks."""
    return _("“{text}”").format(text=text)


def unseen_in_words(count: int) -> str:
    return ngettext(
        "{count} invisible character here, often put in to defeat comparison",
        "{count} invisible characters here, often put in to defeat comparison",
        count,
    )


def decision_name(decision: Decision | None) -> str:
    """Return the name of a decision with its reason, "" for None."""
    outcome = outcome_of(decision)
    name, reason = "" if outcome is None else _(_DECISIONS[outcome]), reason_name(decision)
    return detailed(name, reason) if reason else name


def reason_name(decision: Decision | None) -> str:
    """Return the reason that a decision gives, "" for none."""
    return _(_REASONS[decision]) if decision in REASONS else ""


def pair_decision_in_words(
    review: PairReview, parts: PassageDecisions | None, *, is_short: bool = False
) -> str:
    """Return the decision on a pair or those on its passages, "by passages: 3 copied"; parts: if known."""
    counts = Counter[Decision | None]() if parts is None else parts.counted()
    partly = 0 if parts is None else int(parts.partly.sum())
    is_undecided = parts is not None and counts[None] == len(parts.codes) and not partly
    if review.overall.decision or not review.has_decided_parts or is_undecided:
        despite = "" if is_short else decided_despite(review.overall.decision, parts)
        name = decision_name(review.overall.decision)
        return detailed(name, despite) if despite else name
    name = _("by passages") if parts is not None and parts.is_complete else _("partly")
    return name if is_short or parts is None else named(name, decisions_counted(counts, partly))


def decided_despite(decision: Decision | None, parts: PassageDecisions | None) -> str:
    """Say what is decided on passages of a pair against the decision on it as a whole; "" if nothing is."""
    if decision is Decision.COPIED and parts is not None and parts.is_all_fine:
        return _("passages: no concern")
    copied = 0 if parts is None else int(parts.copied.sum())
    is_said = copied and outcome_of(decision) is Decision.FINE
    return ngettext("{count} passage: copied", "{count} passages: copied", copied) if is_said else ""


def decisions_counted(counts: Counter[Decision | None], partly: int = 0, *, of_pairs: bool = False) -> str:
    """Return "1 copied, 2 no concern (1 cited), 1 in part, 3 undecided" without what there is none of.

    partly: how many of those without a decision are decided in part. of_pairs: those without a decision are
    pairs that have some on passages.
    """
    without = counts[None] - partly
    by_passages = ngettext("{count} by passages", "{count} by passages", without)
    fine = sum(counts[each] for each in (Decision.FINE, *REASONS))
    reasons = enumerated(f"{counts[each]} {reason_name(each)}" for each in REASONS if counts[each])
    without_reasons = _("{count} no concern").format(count=fine)
    parts = (
        (counts[Decision.COPIED], _("{count} copied")),
        (fine, detailed(without_reasons, reasons) if reasons else without_reasons),
        (partly, _("{count} in part")),
        (without, by_passages if of_pairs else _("{count} undecided")),
    )
    return enumerated(text.format(count=count) for count, text in parts if count)


def citation_name(group: CitationGroup) -> str:
    return _(_CITATION_GROUPS[group])


def citations_in_words(comparison: Comparison, citations: Iterable[PassageCitation | None]) -> str:
    """Return "2 quoted and cited, 1 neither quoted nor cited"; "" if nothing says that there is a source."""
    counts = Counter(found.group for found in citations if found is not None)
    if all(comparison.copying) and counts.total() == counts[CitationGroup.NEITHER]:
        return ""
    return enumerated(
        ngettext(
            "{count} passage {kind}", "{count} passages {kind}", counts[group], kind=citation_name(group)
        )
        for group in CitationGroup
        if counts[group]
    )


def note_in_words(note: str) -> str:
    """Return "Note: see page 2", or "" without a note."""
    return named(_("Note"), note.strip()) if note.strip() else ""


def size_in_words(size_bytes: int) -> str:
    """Return a file size in bytes, exact."""
    return ngettext("{count} byte", "{count} bytes", size_bytes)


def kind_name(kind: MatchKind) -> str:
    return _(_KINDS[kind])


def passage_kind_name(kind: PassageKind) -> str:
    return _(_PASSAGE_KINDS[kind])


def units_count(prepared_document: PreparedDocument) -> str:
    """Return "1,204 characters" for a text that is mostly Chinese, else "1,204 words"."""
    return _units(prepared_document.prepared.unit_count, prepared_document)


def _units(count: int, prepared_document: PreparedDocument) -> str:
    return units_in_words(count, is_chinese=prepared_document.prepared.is_mostly_chinese)


def sentences_count(prepared_document: PreparedDocument) -> str:
    """Return "38 sentences"."""
    return _sentences(prepared_document.prepared.sentence_count)


def _sentences(count: int) -> str:
    return ngettext("{count} sentence", "{count} sentences", count)


def number(value: float | None) -> str:
    """Format P or w with two decimals, a dash for None; a value below 1 is never shown as 1.00."""
    return NO_NUMBER if value is None else rounded(value)


def made_in_words(made_at: datetime) -> str:
    """Return "Made by simcompare 1.2.0 on 21 September 2026, 14:13."."""
    words = _("Made by simcompare {version} on {date}.")
    return words.format(version=__version__, date=moment_in_words(made_at))


def hamming(comparison: Comparison) -> str:
    """Return "6 of 64 bits"."""
    size = comparison.left.fingerprint.size_bits
    return _("{bits} of {size} bits").format(bits=comparison.hamming_distance_bits, size=size)


def settings_in_words(settings: ComparisonSettings) -> str:
    return _("possible from {similar}, sure from {right}").format(
        similar=f"{settings.similar_weight:.2f}", right=f"{settings.right_weight:.2f}"
    )


def passages_in_words(settings: ComparisonSettings) -> str:
    """Describe how passages are formed, and their minimum length."""
    if settings.passages is None:
        return _("neighbouring matches")
    text = _("neighbouring sentences with words in common, at least {count} words, {chinese} in Chinese")
    return text.format(count=settings.passages.least_words, chinese=settings.passages.least_words_chinese)


def exclusions_in_words(settings: ComparisonSettings, candidates: Iterable[ExclusionCandidates]) -> str:
    """Describe the exclusions in force; common text only if `candidates` have some."""
    asked = [_(EXCLUSIONS[reason].listed) for reason, name in SWITCHES.items() if getattr(settings, name)]
    if settings.prompt is not None:
        asked.append(_("the sentences of {file}").format(file=file_name(settings.prompt)))
    if settings.exclude_common and any(each.common is not None for each in candidates):
        asked.append(_("common text, such as the task"))
    if settings.minimum_units > 0:
        short = _("sentences shorter than {count} characters or words")
        asked.append(short.format(count=settings.minimum_units))
    if settings.left_out:
        asked.append(sentences_left_out(settings))
    return enumerated(asked) or _("none")


def sentences_left_out(settings: ComparisonSettings) -> str:
    """Return "3 sentences left out by hand"."""
    count = len(settings.left_out)
    return ngettext("{count} sentence left out by hand", "{count} sentences left out by hand", count)


def headline(share: Share | float | None) -> str:
    """Return a share, that after exclusions, "58%", or a dash if it is not known or all is excluded."""
    number = share.after_exclusions if isinstance(share, Share) else share
    return NO_NUMBER if number is None else percent(number)


def before_decisions_in_words(before: Share | float | None) -> str:
    """Return the note beside a share after decisions; before: the share before them."""
    return _("before decisions: {share}").format(share=headline(before))


def before_if_other(after: Share | float | None, before: Share | float | None) -> str:
    """Return the note beside a share after decisions; "" if both are written alike."""
    return "" if headline(after) == headline(before) else before_decisions_in_words(before)


def with_share_before(after: float, before: float) -> str:
    """Return "58 → 12%", a share before and after decisions; "12%" if both are the same."""
    shown = percent(after)
    if before == after or percent(before) == shown:
        return shown
    return f"{percent(before).removesuffix('%')} → {shown}"


def share_details(share: Share, sentence_share: Share) -> list[tuple[str, str]]:
    """List the figures behind the headline of one text, each with its label."""
    return [
        (_("Share after exclusions"), counted_in_words(share)),
        (_("Share before exclusions"), percent(share.raw)),
        (_("Sentence share"), counted_in_words(sentence_share)),
    ]


def counted_in_words(share: Share | float | None) -> str:
    """Return a share as `headline` does, or in words if nothing counts."""
    words = headline(share)
    return _("nothing counts") if words == NO_NUMBER else words


def shares_in_sentences(
    comparison: Comparison, decided: BothShares | None, closed: BoolArray | None = None
) -> list[str]:
    """Describe in plain words how much of each text is also in the other one.

    decided: after decisions; closed: passages of no concern, shape (n,). Those possibly rewritten come first
    if nothing else counts.
    """
    share = comparison.share
    undecided = share.left_in_right.after_exclusions, share.right_in_left.after_exclusions
    is_counted = any(decided or undecided)
    rewritten = list(_rewritten_in_sentences(comparison, closed, is_first=not is_counted))
    by_words = _by_words_in_sentences(comparison, decided)
    if is_counted or not rewritten:
        return [*by_words, *rewritten]
    apart = _("Apart from that, the two texts have nothing in common that counts.")
    return [*rewritten, *([] if any(undecided) else [apart]), *by_words]


def _by_words_in_sentences(comparison: Comparison, decided: BothShares | None) -> list[str]:
    left, right = comparison.share.left_in_right, comparison.share.right_in_left
    if not any((left.raw, right.raw)):
        if summaries := list(_summaries_in_sentences(comparison)):
            return summaries
        if len(comparison.matches.cells):
            return [_("What the two texts have in common is too little to count towards the share.")]
        if comparison.passages.is_rewritten.any():
            return [_("No sentences or passages with similar words were found in the two texts.")]
    if decided is None or (headline(left), headline(right)) == tuple(map(headline, decided)):
        return _shares_in_sentences(comparison, left, right)
    words = _("Before decisions, it was {left_share} and {right_share}.")
    before = words.format(left_share=headline(left), right_share=headline(right))
    if not any(decided):
        return [_("All that the two texts have in common is marked as no concern."), before]
    left = replace(left, after_exclusions=decided[0])
    right = replace(right, after_exclusions=decided[1])
    return [*_shares_in_sentences(comparison, left, right), before]


def _summaries_in_sentences(comparison: Comparison) -> Iterator[str]:
    if count := int((comparison.passages.summaries > 0).sum()):
        yield ngettext(
            "{count} passage of one text sums up text of the other; it does not count towards the share.",
            "{count} passages of one text sum up text of the other; they do not count towards the share.",
            count,
        )


def _rewritten_in_sentences(
    comparison: Comparison, closed: BoolArray | None, *, is_first: bool
) -> Iterator[str]:
    if not comparison.passages.is_rewritten.any():
        return
    passages = numbered_passages(comparison)
    is_open = passages.is_rewritten if closed is None else passages.is_rewritten & ~closed
    if count := int(is_open.sum()):
        places = _(
            "{left_length} of “{left}”, {right_length} of “{right}” (not counted in the shares)"
        ).format(
            left=comparison.names[0],
            right=comparison.names[1],
            left_length=_units(int(passages.left_units[is_open].sum()), comparison.left),
            right_length=_units(int(passages.right_units[is_open].sum()), comparison.right),
        )
        found = ngettext("{count} passage is", "{count} passages are", count)
        more = ngettext("{count} more passage is", "{count} more passages are", count)
        yield _("{passages} possibly rewritten: {places}.").format(
            passages=found if is_first else more, places=places
        )


def all_excluded_in_words(comparison: Comparison) -> str:
    """Say that nothing counts of what two texts have in common, with the length of each passage and why."""
    found, passages = comparison.detected_passages or NO_PASSAGES, []
    found = found.select(~found.is_rewritten)  # which counts for no share anyway
    left, right = comparison.left.prepared, comparison.right.prepared
    lengths = (np.diff(left.units_in(found.left_spans)), np.diff(right.units_in(found.right_spans)))
    sides = left.sentences_in(found.left_spans), right.sentences_in(found.right_spans)
    for length, own, other in zip(np.minimum(*lengths)[:, 0].tolist(), *sides, strict=True):
        reasons = {comparison.left_excluded.reason(each) for each in range(*own)}
        reasons |= {comparison.right_excluded.reason(each) for each in range(*other)}
        # a quotation within a sentence leaves out the passage, not the sentence
        names = [exclusion_name(reason) for reason in ExclusionReason if reason in reasons]
        names = names or [exclusion_name(ExclusionReason.QUOTATION)]
        passages.append(detailed(_units(length, comparison.left), enumerated(names)))
    if comparison.passages.is_rewritten.any():
        bare = _("In wording, they have only excluded text in common.")
        text = _("In wording, they have only excluded text in common: {passages}.")
    else:
        bare = _("All that the two texts have in common is excluded.")
        text = _("All that the two texts have in common is excluded: {passages}.")
    if not passages:
        return bare
    return text.format(passages=enumerated(first_of(passages, 3)))


def _shares_in_sentences(comparison: Comparison, left: Share, right: Share) -> list[str]:
    names = comparison.names
    if not any((left.raw, right.raw)):
        return [_("No similar sentences or passages were found in the two texts.")]
    if left.after_exclusions is not None and right.after_exclusions is not None:
        if not any((left.after_exclusions, right.after_exclusions)):
            return [all_excluded_in_words(comparison)]
        both = _(
            "{left_share} of the text of “{left}” is also in that of “{right}”, verbatim or altered, "
            "and {right_share} of the text of “{right}” in that of “{left}”."
        )
        return [
            both.format(left=names[0], right=names[1], left_share=headline(left), right_share=headline(right))
        ]
    return [_share_in_a_sentence(left, *names), _share_in_a_sentence(right, *names[::-1])]


def share_in_words(share: Share) -> str:
    """Return the share after exclusions, or "nothing counts; before exclusions 58%" without one."""
    if share.after_exclusions is not None:
        return percent(share.after_exclusions)
    return _("nothing counts; before exclusions {share}").format(share=percent(share.raw))


def _share_in_a_sentence(share: Share, name: str, other: str) -> str:
    if share.after_exclusions is None:
        words = _("Nothing of “{name}” counts after exclusions; before exclusions the share is {share}.")
        return words.format(name=name, share=percent(share.raw))
    words = _("{share} of the text of “{name}” is also in that of “{other}”, verbatim or altered.")
    return words.format(share=headline(share), name=name, other=other)


def recipe_in_words(recipe: str) -> str:
    """Describe the method that made a fingerprint, by its name or signature ("improved/background-1")."""
    name = recipe.partition("/")[0]
    return _(RECIPE_NAMES[name]) if name in RECIPE_NAMES else name


def excluded_in_words(prepared_document: PreparedDocument, excluded: ExcludedSentences) -> str:
    """Describe how much of a text is excluded, and why, and how much the share is of."""
    counts = [(reason, excluded.count(reason)) for reason in ExclusionReason]
    reasons = joined_items(
        named(
            exclusion_name(reason),
            detailed(_sentences(count.sentences), _units(count.units, prepared_document)),
        )
        for reason, count in counts
        if count.sentences
    )
    rest = int(excluded.lengths[excluded.kept].sum())
    if not reasons or not rest:
        return reasons or _("nothing")
    text = _("{reasons}; the share is of {units} that count")
    if rest < _FEW_COUNTING_UNITS:
        text = _("{reasons}; the share is of only {units} that count, which says little")
    return text.format(reasons=reasons, units=_units(rest, prepared_document))


def thesaurus_in_words(
    settings: ComparisonSettings, thesaurus: Thesaurus | None, by_meaning: bool = False
) -> str:
    """Describe the thesaurus and its size, or that words are not compared; and own words and meaning."""
    if by_meaning:
        by_meaning_of_all = _("possibly rewritten text is searched for by meaning, too")
        of_sources = _("text possibly rewritten from earlier work is searched for by meaning, too")
        words = by_meaning_of_all if settings.meaning else of_sources
        return listed([thesaurus_in_words(settings, thesaurus), words])
    if (own := settings.user_words) is not None:
        text = thesaurus_in_words(replace(settings, user_words=None), thesaurus)
        return listed([text, named(_("own words"), user_words_in_words(own))])
    if not settings.word_stage:
        return _("not used, as words are not compared")
    if thesaurus is None:
        return _("none")
    count = thesaurus.group_count
    groups = ngettext("{count} synonym group", "{count} synonym groups", count)
    known = _THESAURI.get(thesaurus.name)
    return detailed(_(known) if known else thesaurus.name, groups)


def user_words_in_words(own: UserWords) -> str:
    """Return how many words of which file are used."""
    file = display_name(file_name(own.file))
    return ngettext("{count} Chinese word of {file}", "{count} Chinese words of {file}", own.count, file=file)


def matches_in_words(comparison: Comparison) -> str:
    """Return the number of matches, in total and by kind."""
    kinds = comparison.matches.kinds.tolist()
    parts = [f"{kind_name(kind)} {kinds.count(kind):,}" for kind in sorted(MatchKind, reverse=True)]
    return detailed(f"{len(kinds):,}", enumerated(parts))


def left_out_in_words(total: int, listed: int) -> str:
    """Return the sentence for a list that does not contain every match."""
    rest = _("{rest} further matches are not shown: each of their sentences has a better match that is.")
    return rest.format(rest=f"{total - listed:,}")


def rows_left_out_in_words(total: int, rest: int) -> str:
    """Return the sentence for a table that has only some of the matches outside of the passages."""
    words = _(
        "{rest} of {total} single sentences are not in this table, but marked in the texts. It has those "
        "with a decision or a note, then those that agree most. All are in the table of the matches for "
        "spreadsheets (CSV)."
    )
    return words.format(rest=f"{rest:,}", total=f"{total:,}")


def listed_matches(matches: Matches, most: int = MOST_LISTED_MATCHES) -> list[int]:
    """Return the indices of the matches to list, in order: all, or the best of each sentence.

    A match is left out only if there are more than `most`, and then both its sentences have a better one
    in the list.
    """
    if len(matches) <= most:
        return list(range(len(matches)))
    best = np.concatenate([matches.best_of_left, matches.best_of_right])
    return [int(index) for index in np.unique(best[best >= 0])]


def by_sentence(
    sentences: Sequence[int], listed: Iterable[int], matches: Matches
) -> Mapping[int, Sequence[int]]:
    """Group the listed matches by sentence, the best first: by P, then w, then index.

    `sentences` holds the sentence of every match, listed or not.
    """
    found: defaultdict[int, list[int]] = defaultdict(list)
    for index in listed:
        found[sentences[index]].append(index)
    p, w = matches.cells.p, matches.cells.w
    for indices in found.values():
        indices.sort(key=lambda index: (-p[index], -w[index], index))
    return found
