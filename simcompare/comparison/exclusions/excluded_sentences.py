"""Find sentences to exclude: left out by hand, quotations, references, prompt, common, name lines, short."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from simcompare.comparison.citations.named_sources import OFTEN_QUOTED, named_sources
from simcompare.comparison.comparison_matrix import (
    as_strings,
    assemble,
    make_matrix_input,
    row_blocks,
    score_rows,
    similar_cells,
)
from simcompare.comparison.comparison_result import (
    QUOTED_SHARE,
    SWITCHES,
    Cells,
    ExcludedQuotations,
    ExcludedSentences,
    ExclusionCandidates,
    ExclusionReason,
)
from simcompare.comparison.exclusions.name_lines import sentences_beside_text
from simcompare.comparison.passages.passage_detection import groups_of_matches
from simcompare.comparison.passages.passage_kinds import shared_numbers
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.comparison.shares import CountedText
from simcompare.model.document import BlockKind, Document, Span
from simcompare.model.settings import ComparisonSettings, LeftOutSentence
from simcompare.support.arrays import BoolArray, Float64Array, IndexArray, Int32Array
from simcompare.support.lazy import LazyPattern, weak_cache
from simcompare.text.prepared_text import PreparedText, digest_of_units, sentence_digests
from simcompare.text.thesaurus import Thesaurus

_MOST_QUOTED_OF_OWN = 0.3
"""Quoted share of a sentence from which it is not the writer's own, but leads to the quotation in it."""
_LEAST_OWN_PER_QUOTED = 0.25
"""Units of the writers' own text in a stretch, as a share of the quoted units in it."""


def with_copied_quotations(
    similar: Cells, left: CountedText, right: CountedText
) -> tuple[CountedText, CountedText]:
    """Count quotations that are in both texts amid the same text of the writers' own.

    Two texts that quote one source have the quotation in common, and perhaps the words that lead to it, but
    not the text on both sides of it. So a quotation counts between matched sentences of the writers' own in a
    stretch of matches.

    `similar` are all matched cells. Texts in which nothing changes are returned as they are.
    """
    quoted = left.excluded.quoted[similar.rows] & right.excluded.quoted[similar.columns]
    if not quoted.any():
        return left, right
    own = _own(left)[similar.rows] & _own(right)[similar.columns]
    cells, is_quoted = similar.select(np.flatnonzero(quoted | own)), quoted[quoted | own]
    stretches = groups_of_matches(cells)
    with_quotations = np.flatnonzero(np.isin(stretches, stretches[is_quoted]))  # few stretches have any
    cells, is_quoted, stretches = (
        cells.select(with_quotations),
        is_quoted[with_quotations],
        stretches[with_quotations],
    )
    is_copied = is_quoted & _is_amid_own(left, cells.rows, stretches, is_quoted)
    is_copied &= _is_amid_own(right, cells.columns, stretches, is_quoted)
    return _counting(left, cells.rows[is_copied]), _counting(right, cells.columns[is_copied])


def _own(text: CountedText) -> BoolArray:
    """Mark the sentences that count and have hardly any quotation in them, shape (s,)."""
    own = text.excluded.kept
    if text.excluded.quotations is not None:
        own = own & (text.excluded.quotations.quoted_shares < _MOST_QUOTED_OF_OWN)
    return own


def _is_amid_own(
    text: CountedText, sentences: Int32Array, stretches: IndexArray, is_quoted: BoolArray
) -> BoolArray:
    """Mark the matches between matches of the writer's own text in their stretch, if these have enough units.

    sentences, stretches, is_quoted: of each match, shape (m,).
    """
    count, own = int(stretches.max()) + 1, ~is_quoted
    first, last = np.full(count, text.text.sentence_count), np.full(count, -1)
    np.minimum.at(first, stretches[own], sentences[own])
    np.maximum.at(last, stretches[own], sentences[own])
    own_units, quoted_units = (
        _units(text, sentences[mask], stretches[mask], count) for mask in (own, is_quoted)
    )
    is_enough = own_units >= _LEAST_OWN_PER_QUOTED * quoted_units
    amid: BoolArray = (first[stretches] < sentences) & (sentences < last[stretches]) & is_enough[stretches]
    return amid


def _units(text: CountedText, sentences: Int32Array, stretches: IndexArray, count: int) -> Float64Array:
    pairs = np.unique(np.stack([stretches, sentences], axis=1), axis=0)
    lengths = text.excluded.lengths[pairs[:, 1]]
    units: Float64Array = np.bincount(pairs[:, 0], lengths, minlength=count).astype(np.float64)
    return units


def _counting(text: CountedText, quotations: Int32Array) -> CountedText:
    """Count quotations of a text unless they are excluded for another reason too."""
    if not len(quotations):
        return text
    marked = text.text.marked_sentences(quotations)
    return CountedText(text.text, text.excluded.without_quotations(marked))


def without_excluded(similar: Cells, left: CountedText, right: CountedText) -> Cells:
    """Select the cells that count by `pair_counts`, unless both quote what they have in common."""
    own, other = left.excluded, right.excluded
    left_kept, right_kept = own.kept[similar.rows], other.kept[similar.columns]
    counts = left_kept & (right_kept | other.quoted[similar.columns])
    counts |= right_kept & own.quoted[similar.rows]
    if not counts.any():
        return similar.select(np.flatnonzero(counts))
    longer = np.maximum(own.lengths[similar.rows], other.lengths[similar.columns])
    least = QUOTED_SHARE * longer * np.fmax(similar.p, similar.w)
    quoted = np.minimum(own.quoted_units[similar.rows], other.quoted_units[similar.columns])
    quoting = np.flatnonzero(counts & (quoted >= least))
    if len(quoting):  # perhaps each another part
        counts[quoting] = _quoted_by_both(similar.select(quoting), left, right) < least[quoting]
    return similar.select(np.flatnonzero(counts))


def _quoted_by_both(cells: Cells, left: CountedText, right: CountedText) -> Int32Array:
    """Return the LCS, in units, of what the two sentences of each cell quote, shape (n,)."""
    numbers, sentences = shared_numbers(left.text, right.text).units, (cells.rows, cells.columns)
    lefts, rights = map(_quoted_strings, (left, right), numbers, sentences)
    found: Int32Array = cpdist(lefts, rights, scorer=LCSseq.similarity, dtype=np.int32)
    return found


def _quoted_strings(text: CountedText, ids: IndexArray, sentences: Int32Array) -> list[str]:
    """Return what each of the sentences quotes, with a character for each unit."""
    quoted, bounds = np.diff(text.excluded.quoted_before) > 0, text.text.sentence_units
    ranges = map(slice, bounds[sentences].tolist(), bounds[sentences + 1].tolist())
    parts = [ids[units][quoted[units]] for units in ranges]
    return as_strings(
        np.concatenate(parts).astype(np.int32), np.cumsum([0, *map(len, parts)], dtype=np.int32)
    )


_LONGEST_BEFORE, _LONGEST_AFTER = 40, 24

_SAY = "[说說讲講道问問喊叫答嚷劝勸骂罵笑喝吼唱念想]|告[诉訴].{0,6}|吩咐|提醒|安慰|嘀咕|念叨|感叹|嘟[囔哝]"
_SAYS_BEFORE = LazyPattern(
    rf"(?:{_SAY})[道着著了]?[：:，,]?\s*$"
    r"|\b(?:said|asked|replied|answered|shouted|whispered|cried|called|told\s\w+|added|thought|exclaimed"
    r"|laughed|yelled|begged|sighed|muttered|smiled)[,:]?\s*$",
    re.IGNORECASE,
)
_SAYS_AFTER = LazyPattern(
    rf"^\s*[，,]?\s*[^，。！？；：“”「」\s]{{0,14}}?(?:{_SAY})(?:[道着著了])?(?=[，。：！？,\s“「]|$)"
    r"|^\s*(?:(?:he|she|it|i|we|they|you|[A-Z]\w+|(?:my|our|the|his|her|a)\s\w+(?:\s\w+)?)\s)"
    r"(?:said|asked|replied|answered|shouted|whispered|cried|called|added|thought|exclaimed|laughed|yelled)\b"
    r"|^\s*(?:said|asked|replied|answered|shouted|whispered|cried|called|added|thought|exclaimed)\s"
    r"(?:he|she|i|we|they|the|my|his|her|our|[A-Z])"
)
_CITES = LazyPattern(
    "《|写|寫|俗[话話]|常言|古[人语語话話]|谚语|諺語|名言|格言|警句"
    "|[诗詩词詞书書文][中里上裡]|[诗詩]|所[说說言讲]|有[一]?句|的[名诗詩]?句|[子诗詩又]曰|云[：:，]|指出|认为|認為"
    "|强调|強調|歌[词詞]|课文|課文|学家|學家|学者|學者|专家|專家"
    r"|\b(?:famously|writes?|wrote|according|states?|stated|argues?|argued|notes?|noted|proverb|saying"
    r"|quote[sd]?|credited|attributed|poem|song|book|author|poet|ha[sd] said|historian|scholar"
    r"|critic|philosopher|scientist|economist|researchers?)\b",
    re.IGNORECASE,
)
_USED_TO_SAY = LazyPattern(
    r"曾|[说說][过過]|[常总總老][^，。]{0,4}[说說讲講]|[这這那][样樣][说說]|\b(?:once|says)\b", re.IGNORECASE
)
"""Phrases that cite a source, unless the speaker is a person close to the writer."""
_CLOSE_TO_THE_WRITER = LazyPattern(
    "[爷爺]|奶|外[婆公]|姥|[妈媽爸爹娘]|母[亲親]|父[亲親]|[姐妹哥弟叔伯姑姨舅]|老[师師]|同[学學]|[邻鄰]居"
    r"|\b(?:grand\w+|grandma|grandpa|mother|father|mum|mom|dad|sister|brother|uncle|aunt|teacher|friend)\b",
    re.IGNORECASE,
)
_CITED_AFTER = LazyPattern(r"^\s*(?:[（(][^）)]{2,}[）)]|[\[［]\s*\d|[\u2460-\u2473¹²³]|——|—|--)")
_ASKS_OR_CALLS = ("？", "！", "?", "!")


def is_speech(text: str, quoted: Span, paragraph: Span) -> bool:
    """Return whether text between quotation marks is direct speech in a story, without a named source.

    Speech has a verb of saying directly before or behind it, or is a question or exclamation without one.
    """
    before = text[max(paragraph.start, quoted.start - 1 - _LONGEST_BEFORE) : max(quoted.start - 1, 0)]
    after = text[quoted.end + 1 : min(paragraph.end, quoted.end + 1 + _LONGEST_AFTER)]
    clause = re.split(r"[。！？”」]|[.!?]\s", before)[-1]
    if _cites(clause) or _CITED_AFTER.match(after):
        return False
    verb_after = _SAYS_AFTER.match(after)
    if verb_after is not None:
        return not _cites(verb_after[0])
    return _SAYS_BEFORE.search(clause) is not None or text[quoted.start : quoted.end].endswith(_ASKS_OR_CALLS)


def _cites(words: str) -> bool:
    """Return whether words beside a quotation cite a source; sayings of relatives or friends do not count."""
    if _CITES.search(words) is not None or OFTEN_QUOTED.search(words) is not None:
        return True
    return _USED_TO_SAY.search(words) is not None and _CLOSE_TO_THE_WRITER.search(words) is None


_LONGEST_QUOTATION_UNITS = 300
"""The longest of 1,232 quotations in Chinese news and English essays has 172 units, 99 in 100 are below 95.
"""
_LONGEST_LEAD_UNITS = 30
_COLONS = ("：", ":")
_LEADS = (*_COLONS, "，", ",")
_CITATION_BEHIND = LazyPattern(r".\s*[（(][^（()）]{2,60}[）)]")
"""The mark that closes a quotation, and a source in parentheses."""
_LONGEST_SPEECH_UNITS = 60
"""Longer text in quotation marks is not direct speech."""
_CLOSING_MARKS = {"“": "”", "「": "」", "『": "』", "«": "»"}
_STRAIGHT_MARKS = '"＂'
_CLOSES = LazyPattern(rf"[\w.,!?][{_STRAIGHT_MARKS}](?:\s|$)")
_OPENS = LazyPattern(rf"\s[{_STRAIGHT_MARKS}]\w")
"""Straight marks in a text with blanks, with the character before each."""
_SINGLE_MARK = LazyPattern(
    r"(?<![^\s(\[])(?P<opens>['‘])(?!(?i:twas|tis|till?|cause|em|bout|round|n)\b)(?=[A-Za-z])"
    r"|(?<=[A-Za-z0-9.,!?])['’](?![^\W_])"
)
_LONGEST_IN_SINGLE_MARKS = 500
"""A single mark at the beginning or the end of a word quotes no longer text: it may be an apostrophe."""
_MARK = LazyPattern(f"[{''.join([*_CLOSING_MARKS, *_CLOSING_MARKS.values(), _STRAIGHT_MARKS])}]")


def quoted_units(document: Document, prepared: PreparedText) -> BoolArray:
    """Mark the units that are quoted: by their block, or inside quotation marks; shape (u,).

    Marks pair off within a paragraph. The beginning of a sentence that only names the source of the
    quotation behind it belongs to the quotation, and so does a source in parentheses after it. Not quotations
    are very long sections in marks, direct speech in a story, which is the writer's own, and a text that is
    in marks as a whole: no writer quotes most of an essay.
    """
    inside = _units_in_marks(document, prepared)
    if inside.sum() >= QUOTED_SHARE * prepared.unit_count:
        inside[:] = False
    in_blocks = in_blocks_of_kind(document, prepared, BlockKind.QUOTATION)
    return inside | np.repeat(in_blocks, prepared.sentence_lengths)


def in_blocks_of_kind(document: Document, prepared: PreparedText, kind: BlockKind) -> BoolArray:
    """Mark the sentences in blocks of a kind, shape (s,)."""
    kinds = np.array([block.kind is kind for block in document.blocks], np.bool_)
    found: BoolArray = kinds[prepared.sentence_blocks]
    return found


def _units_in_marks(document: Document, prepared: PreparedText) -> BoolArray:
    """Mark the units inside quotation marks, shape (u,)."""
    spans = [
        (span, block.span) for block in document.blocks for span in quotations(document.text, block.span)
    ]
    bounds = np.array([(span.start, span.end) for span, _paragraph in spans], np.int32).reshape(-1, 2)
    inside = np.zeros(prepared.unit_count, np.bool_)
    places = np.searchsorted(prepared.unit_spans[:, 0], bounds).tolist()
    for (span, paragraph), (first, end) in zip(spans, places, strict=True):
        short_enough_for_speech = end - first <= _LONGEST_SPEECH_UNITS
        if end - first <= _LONGEST_QUOTATION_UNITS and not (
            short_enough_for_speech and is_speech(document.text, span, paragraph)
        ):
            begins = prepared.sentence_units[np.searchsorted(prepared.sentence_units, first, "right") - 1]
            is_lead = begins < first and first - begins <= min(_LONGEST_LEAD_UNITS, end - first)
            lead_start = int(prepared.unit_spans[begins, 0]) if is_lead else span.start
            cited = _CITATION_BEHIND.match(document.text, span.end, paragraph.end)
            behind = span.end if cited is None else cited.end()
            lead = document.text[lead_start : span.start].rstrip()
            is_lead = lead.endswith(_LEADS) and ("《" in lead or bool(named_sources(lead)))
            is_lead |= lead.endswith(_COLONS) and (cited is not None or _cites(lead))
            stop = int(np.searchsorted(prepared.unit_spans[:, 0], behind))
            inside[begins if is_lead else first : stop] = True
    return inside


def quotations(text: str, paragraph: Span) -> Iterator[Span]:
    """Yield the spans between paired marks; a mark without a partner quotes nothing.

    Quotations inside a quotation have other marks, so of two opening marks the first one has no partner.
    """
    opened: dict[str, int] = {}
    straight: list[int] = []
    for match in _MARK.finditer(text, paragraph.start, paragraph.end):
        mark, place = match.group(), match.start()
        if mark in _STRAIGHT_MARKS:
            straight.append(place)
        elif mark in _CLOSING_MARKS:
            opened[_CLOSING_MARKS[mark]] = place
        elif mark in opened:
            yield Span(opened.pop(mark), place)
    # with an odd number of straight marks, or one the wrong way round, it is unknown which have no partner
    if len(straight) % 2 == 0 and not any(
        _CLOSES.match(text, first - 1) or _OPENS.match(text, last - 1)
        for first, last in zip(straight[::2], straight[1::2], strict=True)
    ):
        yield from map(Span, straight[::2], straight[1::2])
    single = None
    for match in _SINGLE_MARK.finditer(text, paragraph.start, paragraph.end):
        if match["opens"]:
            single = match.start() if single is None else single
        elif single is not None:
            if match.start() - single <= _LONGEST_IN_SINGLE_MARKS:
                yield Span(single, match.start())
            single = None


_FINDERS: Mapping[ExclusionReason, Callable[[Document, PreparedText], BoolArray]] = {
    ExclusionReason.REFERENCE: partial(in_blocks_of_kind, kind=BlockKind.REFERENCE),
    ExclusionReason.NAME_LINE: sentences_beside_text,
}


def find_exclusion_candidates(
    prepared_document: PreparedDocument,
    prompt: PreparedText | None = None,
    thesaurus: Thesaurus | None = None,
    common: NDArray[np.str_] | None = None,
) -> ExclusionCandidates:
    """Find all sentences of a text that could be excluded; `common` as in ExclusionCandidates.

    The result is independent of the settings, which can therefore change without reading or scoring again.
    """
    document, prepared = prepared_document.document, prepared_document.prepared
    quoted = quoted_units(document, prepared)
    quoted_before = np.concatenate([[0], np.cumsum(quoted)])
    shares: Float64Array = np.diff(quoted_before[prepared.sentence_units]) / prepared.sentence_lengths
    marked = {reason: found_by(document, prepared) for reason, found_by in _FINDERS.items()}
    return ExclusionCandidates(
        quoted,
        shares,
        marked | {ExclusionReason.QUOTATION: shares >= QUOTED_SHARE},
        None if prompt is None else _score(prepared, prompt, thesaurus),
        common,
    )


def _score(text: PreparedText, prompt: PreparedText, thesaurus: Thesaurus | None) -> Cells:
    matrix_input = make_matrix_input(text, prompt, thesaurus)
    return assemble(
        matrix_input.shape, (score_rows(matrix_input, rows) for rows in row_blocks(matrix_input))
    ).cells


def find_exclusions(
    prepared: PreparedText, exclusion_candidates: ExclusionCandidates, settings: ComparisonSettings
) -> ExcludedSentences:
    """Select the excluded sentences under the settings, with one reason each."""
    lengths = prepared.sentence_lengths
    marked = exclusion_candidates.marked
    holds = {
        **{reason: marked[reason] & getattr(settings, name) for reason, name in SWITCHES.items()},
        ExclusionReason.LEFT_OUT: _left_out(prepared, exclusion_candidates, settings),
        ExclusionReason.PROMPT: _in_prompt(len(lengths), exclusion_candidates.prompt, settings),
        ExclusionReason.COMMON: _common(len(lengths), exclusion_candidates.common, settings),
        ExclusionReason.SHORT: lengths < settings.minimum_units,
    }
    codes = _codes(holds)
    if not (settings.exclude_quotations and exclusion_candidates.quoted_shares.any()):
        return ExcludedSentences(codes, lengths)
    other_codes = _codes(holds | {ExclusionReason.QUOTATION: np.zeros(len(lengths), np.bool_)})
    quotations = ExcludedQuotations(
        other_codes, exclusion_candidates.quoted, exclusion_candidates.quoted_shares
    )
    return ExcludedSentences(codes, lengths, quotations)


def _codes(holds: Mapping[ExclusionReason, BoolArray]) -> NDArray[np.int8]:
    """Return the code of the first reason that holds for each sentence, as in `ExcludedSentences`."""
    codes = np.select([holds[reason] for reason in ExclusionReason], range(1, len(holds) + 1))
    return codes.astype(np.int8)


def left_out_sentence(prepared_document: PreparedDocument, sentence: int) -> LeftOutSentence:
    """Return the value of `ComparisonSettings.left_out` that leaves out a sentence."""
    prepared = prepared_document.prepared
    text = prepared.sentence_span(sentence).of(prepared_document.document.text).strip()
    return LeftOutSentence(digest_of_units(prepared.units_of(sentence)), text)


def with_digests(candidates: ExclusionCandidates, prepared: PreparedText) -> ExclusionCandidates:
    """Keep the digests of a text, so that it may be changed afterwards."""
    return replace(candidates, digests=_digests(prepared))


def _left_out(
    prepared: PreparedText, candidates: ExclusionCandidates, settings: ComparisonSettings
) -> BoolArray:
    if not settings.left_out:
        return np.zeros(prepared.sentence_count, np.bool_)
    digests = _digests(prepared) if candidates.digests is None else candidates.digests
    return np.isin(digests, [sentence.digest for sentence in settings.left_out])


# 6 microseconds a sentence, so only when something is left out, and then once a text
@weak_cache(weak=1, most=512)
def _digests(prepared: PreparedText) -> NDArray[np.str_]:
    return np.array(list(sentence_digests(prepared)), np.str_)


def _in_prompt(sentences: int, cells: Cells | None, settings: ComparisonSettings) -> BoolArray:
    """Mark the sentences that match one of the prompt under the same thresholds as any other pair."""
    found = np.zeros(sentences, np.bool_)
    if cells is not None and settings.prompt is not None:
        found[similar_cells(cells, settings).rows] = True
    return found


def _common(sentences: int, digests: NDArray[np.str_] | None, settings: ComparisonSettings) -> BoolArray:
    """Mark the sentences common to the class, but those that the teacher counts."""
    if digests is None or not settings.exclude_common:
        return np.zeros(sentences, np.bool_)
    return np.isin(digests, ["", *settings.counted_common], invert=True)
