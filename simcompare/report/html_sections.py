"""View data of a comparison for the HTML, Word and PDF reports: all values, no layout."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from simcompare.comparison.comparison_result import Comparison, ExcludedSentences, MatchKind
from simcompare.comparison.explanation import align, exclusion_name, explain
from simcompare.comparison.figures import SIDES
from simcompare.comparison.passages.numbered_passages import NumberedPassage
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.report.cohort.cohort_rows import how_to_read
from simcompare.report.evidence import Evidence, decided_sentences
from simcompare.report.facing_passages import (
    FacingPassage,
    TextBlock,
    decided_in_words,
    facing_passage,
    facing_passages,
    is_single,
    legend_of_kinds,
    marks_in_words,
    passages_counted,
    texts_in_runs,
)
from simcompare.report.heat_picture import DARK, LIGHT, heat_levels, png
from simcompare.report.look_alikes import look_alikes_hint, look_alikes_of
from simcompare.report.receipts import (
    MOST_SHOWN_PICTURES,
    common_facts,
    doubts_in_words,
    dropped_in_words,
    facts_of_pair,
    notes_in_words,
    picture_in_words,
    receipt_in_words,
    reference_facts,
)
from simcompare.report.text_pieces import (
    BlockPieces,
    MatchedSentence,
    SharedPiece,
    blocks_in_pieces,
    pieces_of_pair,
)
from simcompare.report.wording import (
    before_if_other,
    by_sentence,
    decision_name,
    excluded_in_words,
    exclusions_in_words,
    hamming,
    headline,
    kind_name,
    left_out_in_words,
    listed_matches,
    named,
    note_in_words,
    number,
    pair_decision_in_words,
    passage_kind_name,
    passages_in_words,
    recipe_in_words,
    rows_left_out_in_words,
    sentences_count,
    settings_in_words,
    share_details,
    shares_in_sentences,
    size_in_words,
    thesaurus_in_words,
    units_count,
)
from simcompare.session.decisions import NO_DECISION, Decision, outcome_of
from simcompare.support.i18n import N_, _, joined_sentences

DECISION_LEGEND = {
    Decision.COPIED: N_("copied: a flag at the number of the passage, or behind a single sentence"),
    Decision.FINE: N_("no concern: pale, with a tick at the number or behind a single sentence"),
}
"""Appearance of each decision in the texts, for the legend (N_)."""
_SHORT_CHARACTERS = 60_000
"""Length of both texts together that a browser lays out in 0.1 s."""


@dataclass(frozen=True, slots=True)
class SideView:
    """One text: its data for the header, and its blocks.

    letter: prefix of its sentence anchors; name: of the student, or the file if unknown; size: after the
    file, unless that is the name; share: after exclusions and decisions; remark: the share before decisions,
    "" without them; details: figures with their labels; facts: label, value and look ("name", "digest",
    "lines", "doubt" or "") of each known fact about the file.
    """

    letter: str
    partner_letter: str
    name: str
    title: str
    language: str
    size: str
    share: str
    remark: str
    details: Sequence[tuple[str, str]]
    bits: Sequence[tuple[bool, bool]]
    fingerprint: str
    fingerprint_in_words: str
    doubt: str
    facts: Sequence[tuple[str, str, str]]
    blocks: Sequence[TextBlock]


@dataclass(frozen=True, slots=True)
class MatchView:
    """Row of the table of matches; `number`, `passage` (None if in none), `left` and `right` count from 1.

    is_same_text: both sentences are equal, punctuation included; reasons: "" for an exact match.
    """

    number: int
    passage: int | None
    kind: str
    kind_name: str
    left: int
    right: int
    p: str
    w: str
    left_pieces: Sequence[SharedPiece]
    right_pieces: Sequence[SharedPiece]
    is_same_text: bool
    decision: str
    decision_name: str
    note: str
    reasons: str


@dataclass(frozen=True, slots=True)
class HeatView:
    """Picture of the comparison matrix, PNG, for the light and the dark theme; its size in sentences."""

    light: bytes
    dark: bytes
    rows: str
    columns: str
    in_words: str


@dataclass(frozen=True, slots=True)
class PictureView:
    in_words: str
    left: bytes
    right: bytes


@dataclass(frozen=True, slots=True)
class PageView:
    """Everything a report of a comparison shows.

    result: the shares in plain words; meaning: what they mean and do not mean.
    passages: those shown side by side; passage_remarks: on the others.
    file_facts: label, left and right; common_facts: label and value.
    is_long: the texts are too long for a browser to lay them out in full at every change.
    look_alikes: as of `look_alikes_of`; look_alikes_hint: how they are marked, "" without any.
    """

    sides: Sequence[SideView]
    result: str
    meaning: str
    heat: HeatView
    passages: Sequence[FacingPassage]
    passage_count: int
    passages_counted: str
    passage_kinds: Sequence[tuple[str, str, str]]
    passage_remarks: Sequence[str]
    matches: Sequence[MatchView]
    matches_count: str
    matches_left_out: Sequence[str]
    decisions: Sequence[tuple[Decision, str]]
    decision: str
    decision_name: str
    note: str
    decided: str
    hamming: str
    hamming_bits: int
    size_bits: int
    file_facts: Sequence[tuple[str, str, str]]
    common_facts: Sequence[tuple[str, str]]
    pictures: Sequence[PictureView]
    help: Sequence[tuple[str, str]]
    facts: Sequence[tuple[str, str]]
    is_long: bool
    look_alikes: Mapping[str, str]
    look_alikes_hint: str


def page_view(
    evidence: Evidence, most_rows: int | None = None, most_characters: int = sys.maxsize
) -> PageView:
    """Collect the values of a report, in the current language.

    most_rows: of the matches that no passage shows, the only ones that a report on paper lists; None for a
    list of all. most_characters: of all passages side by side.
    """
    comparison, overall = evidence.comparison, evidence.review.overall
    parts = evidence.passage_decisions
    overall_name = pair_decision_in_words(evidence.review, parts) if overall.decision else decision_name(None)
    prepared_documents, listed = (comparison.left, comparison.right), listed_matches(comparison.matches)
    origins = comparison.left.document.receipt.origin, comparison.right.document.receipt.origin
    total = len(comparison.matches)
    rows, left_out = _chosen_rows(evidence, listed, most_rows)
    blocks = _blocks(evidence, listed)
    passages, remarks = facing_passages(evidence, blocks, most_characters)
    texts = texts_in_runs(evidence, blocks, passages)
    look_alikes = look_alikes_of(*(prepared.document for prepared in prepared_documents))
    return PageView(
        sides=_sides(evidence, texts),
        result=joined_sentences(shares_in_sentences(comparison, evidence.decided, parts.closed)),
        meaning=joined_sentences(_meaning()),
        heat=_heat(comparison),
        passages=passages,
        passage_count=len(evidence.passages),
        passages_counted=passages_counted(evidence),
        passage_kinds=legend_of_kinds(evidence),
        passage_remarks=[*marks_in_words(passages, texts), *remarks],
        matches=[_match(evidence, listed[row], row + 1) for row in rows],
        matches_count=_listed_of_total(len(listed), total),
        matches_left_out=[
            *([rows_left_out_in_words(len(rows) + left_out, left_out)] if left_out else []),
            *([left_out_in_words(total, len(listed))] if len(listed) < total else []),
        ],
        decisions=decision_legend(evidence),
        decision=outcome_of(overall.decision) or "",
        decision_name=overall_name,
        note=note_in_words(overall.note),
        decided=_decided(evidence, listed),
        hamming=named(_("Hamming distance"), hamming(comparison)),
        hamming_bits=comparison.hamming_distance_bits,
        size_bits=comparison.left.fingerprint.size_bits,
        file_facts=[
            *facts_of_pair(*origins),
            *reference_facts(comparison.left.document, comparison.right.document),
        ],
        common_facts=list(common_facts(*origins, evidence.facts)),
        pictures=[
            PictureView(picture_in_words(each), each.left.thumbnail, each.right.thumbnail)
            for each in evidence.facts.pictures[:MOST_SHOWN_PICTURES]
        ],
        help=list(
            how_to_read(
                comparison.left.fingerprint.size_bits,
                is_rewritten=bool(comparison.passages.is_rewritten.any()),
            )
        ),
        facts=[
            (_("Thresholds"), settings_in_words(comparison.settings)),
            (_("Passages"), passages_in_words(comparison.settings)),
            (_("Exclusions"), exclusions_in_words(comparison.settings, comparison.exclusion_candidates)),
            (
                _("Thesaurus"),
                thesaurus_in_words(comparison.settings, evidence.thesaurus, comparison.by_meaning),
            ),
            (_("Fingerprints"), recipe_in_words(comparison.left.fingerprint.recipe)),
        ],
        is_long=sum(len(prepared_document.document.text) for prepared_document in prepared_documents)
        > _SHORT_CHARACTERS,
        look_alikes=look_alikes,
        look_alikes_hint=look_alikes_hint() if look_alikes else "",
    )


def _chosen_rows(evidence: Evidence, listed: Sequence[int], most: int | None) -> tuple[Sequence[int], int]:
    """Choose at most `most` matches that no passage shows.

    First those with a decision or a note, then those that agree most. Returns places in `listed` in order,
    and how many matches that no passage shows are left out; all places if `most` is None.
    """
    if most is None:
        return range(len(listed)), 0
    comparison, passages = evidence.comparison, evidence.passages
    matches = comparison.matches
    shown = {passage.number - 1 for passage in passages if not is_single(comparison, passage)}
    noted = {} if evidence.review.is_empty else {index: evidence.decision_of(index) for index in listed}
    outside = [
        row
        for row, index in enumerate(listed)
        if noted.get(index, NO_DECISION).note or passages.of_match(index) not in shown
    ]

    def rank(row: int) -> tuple[bool, float, float, int]:
        index = listed[row]
        is_empty = noted.get(index, NO_DECISION).is_empty
        return is_empty, -matches.cells.p[index], -matches.cells.w[index], row

    rows = sorted(sorted(outside, key=rank)[:most])
    return rows, len(outside) - len(rows)


def strongest_passages(evidence: Evidence, most: int, most_characters: int) -> list[FacingPassage]:
    """Return the passages with the most common words, those decided as copied first, none of no concern.

    Those possibly rewritten come last; most_characters: of each side of all.
    """

    def rank(passage: NumberedPassage) -> tuple[bool, bool, float]:
        is_copied = evidence.decision_on(passage).decision is Decision.COPIED
        return is_copied, passage.kind is not PassageKind.MEANING, passage.units * passage.common_words

    fine = evidence.passage_decisions.fine
    found = [passage for passage in evidence.passages if not fine[passage.number - 1]]
    chosen = sorted(found, key=rank, reverse=True)[:most]
    listed = listed_matches(evidence.comparison.matches)
    blocks = _blocks(evidence, listed)
    return [facing_passage(evidence, passage, blocks, most_characters // len(chosen)) for passage in chosen]


def _meaning() -> list[str]:
    return [
        _(
            "The share is the part of a text in sentences or passages that are similar to the other text; "
            "excluded parts, such as quotations and reference lists, do not count."
        ),
        _(
            "A share is no verdict: a proper quotation, a common phrase, a template or a common source may "
            "be the reason."
        ),
        _("The program shows what is similar; the teacher reads both texts and decides."),
    ]


def decision_legend(evidence: Evidence) -> list[tuple[Decision, str]]:
    """List the decisions that occur in the texts, each with a description of its appearance."""
    left, right = decided_sentences(evidence)
    held = {*left.values(), *right.values()}
    return [(decision, _(appearance)) for decision, appearance in DECISION_LEGEND.items() if decision in held]


def _decided(evidence: Evidence, listed: Sequence[int]) -> str:
    """Return the number of listed matches with a decision, in words, or "" for none."""
    return decided_in_words(sum(evidence.decision_of(index).decision is not None for index in listed))


def _listed_of_total(listed: int, total: int) -> str:
    if listed == total:
        return f"{total:,}"
    return _("{shown} of {total}").format(shown=f"{listed:,}", total=f"{total:,}")


def _blocks(evidence: Evidence, listed: Sequence[int]) -> list[list[BlockPieces]]:
    """Cut the blocks of the left and of the right text at their matched and excluded sentences."""
    comparison, cells = evidence.comparison, evidence.comparison.matches.cells
    columns = cells.rows.tolist(), cells.columns.tolist()
    sides = zip(
        (comparison.left, comparison.right),
        columns,
        decided_sentences(evidence),
        comparison.excluded,
        strict=True,
    )
    return [
        blocks_in_pieces(
            prepared_document,
            _sentence_marks(comparison, own, listed, decided),
            {sentence: exclusion_name(reason) for sentence, reason in excluded.sentences()},
        )
        for prepared_document, own, decided, excluded in sides
    ]


def _sides(evidence: Evidence, texts: Sequence[Sequence[TextBlock]]) -> list[SideView]:
    comparison = evidence.comparison
    left, right = comparison.left, comparison.right
    return [
        _side(letters, (place, *names), documents, figures, excluded, blocks)
        for letters, place, names, documents, figures, excluded, blocks in zip(
            ("lr", "rl"),
            (_("Left"), _("Right")),
            zip(comparison.names, comparison.file_labels, strict=True),
            ((left, right), (right, left)),
            _figures(evidence),
            comparison.excluded,
            texts,
            strict=True,
        )
    ]


def _figures(evidence: Evidence) -> list[tuple[str, str, Sequence[tuple[str, str]]]]:
    """Return the share of each text, what is said beside it, and the figures behind it."""
    shares, sentence_shares = evidence.comparison.share, evidence.comparison.sentence_share
    figures: list[tuple[str, str, Sequence[tuple[str, str]]]] = []
    for place, side in enumerate(SIDES):
        share, remark = getattr(shares, side), ""
        shown, details = headline(share), share_details(share, getattr(sentence_shares, side))
        if evidence.decided is not None:
            decided = evidence.decided[place]
            shown, remark = headline(decided), before_if_other(decided, share)
            details.insert(0, (_("Share after decisions"), shown))
        figures.append((shown, remark, details))
    return figures


def _sentence_marks(
    comparison: Comparison, own: Sequence[int], listed: Sequence[int], decided: Mapping[int, Decision]
) -> Mapping[int, MatchedSentence]:
    """Map each matched sentence of a side to its mark; own: that side's column of the cells."""
    numbers = {index: count for count, index in enumerate(listed, start=1)}
    return {
        sentence: MatchedSentence(
            sentence + 1,
            comparison.matches[indices[0]].kind.word,
            numbers[indices[0]],
            decided.get(sentence),
            decision_name(decided.get(sentence)),
        )
        for sentence, indices in by_sentence(own, listed, comparison.matches).items()
    }


def _side(
    letters: str,
    labels: tuple[str, str, str],
    prepared_documents: tuple[PreparedDocument, PreparedDocument],
    figures: tuple[str, str, Sequence[tuple[str, str]]],
    excluded: ExcludedSentences,
    blocks: Sequence[TextBlock],
) -> SideView:
    (place, name, file), (prepared_document, other) = labels, prepared_documents
    document, receipt = prepared_document.document, prepared_document.document.receipt
    title, size = document.title, f"{units_count(prepared_document)} · {sentences_count(prepared_document)}"
    if name != file and title == Path(file).stem:  # without a title of its own
        title = file
    elif name != file:
        size = f"{file} · {size}"
    bits = list(zip(prepared_document.fingerprint.bits, other.fingerprint.bits, strict=True))
    doubts = doubts_in_words(receipt)
    facts = [
        (place, file, "name"),
        (_("Size"), size_in_words(document.size_bytes) if document.sha256 else "", ""),
        (_("SHA-256"), document.sha256, "digest"),
        (_("Read"), receipt_in_words(receipt), ""),
        (_("Left out"), "\n".join(map(dropped_in_words, receipt.dropped)) or _("nothing"), "lines"),
        (_("Excluded"), excluded_in_words(prepared_document, excluded), ""),
        (_("To be checked"), doubts, "doubt"),
        (_("Worth knowing"), notes_in_words(receipt), ""),
    ]
    return SideView(
        letter=letters[0],
        partner_letter=letters[1],
        name=name,
        title=title,
        language="zh" if prepared_document.prepared.is_mostly_chinese else "en",
        size=size,
        share=figures[0],
        remark=figures[1],
        details=figures[2],
        bits=[(mine == "1", mine != theirs) for mine, theirs in bits],
        fingerprint=prepared_document.fingerprint.hex,
        fingerprint_in_words=_("Fingerprint of {count} bits: {digits}").format(
            count=len(bits), digits=prepared_document.fingerprint.hex
        ),
        doubt=doubts and _("Please check {file}: {doubts}").format(file=file, doubts=doubts),
        facts=[fact for fact in facts if fact[1]],
        blocks=blocks,
    )


def _heat(comparison: Comparison) -> HeatView:
    levels = heat_levels(comparison)
    rows, columns = (f"{count:,}" for count in comparison.matrix.shape)
    words = _("Comparison matrix: {rows} sentences on the left, {columns} on the right.")
    return HeatView(
        light=png(levels, LIGHT),
        dark=png(levels, DARK),
        rows=rows,
        columns=columns,
        in_words=words.format(rows=rows, columns=columns),
    )


def _match(evidence: Evidence, index: int, count: int) -> MatchView:
    comparison, noted_decision = evidence.comparison, evidence.decision_of(index)
    match, passage = comparison.matches[index], evidence.passages.of_match(index)
    kind, name = match.kind.word, kind_name(match.kind)
    if passage is not None and is_single(comparison, evidence.passages[passage]):
        # a sentence that is a passage is called as the passage is
        kind = evidence.passages[passage].kind
        name = passage_kind_name(kind)
    alignment = align(comparison, match, evidence.thesaurus)
    left, right = comparison.left.document.text, comparison.right.document.text
    pieces = pieces_of_pair(comparison, match, alignment)
    return MatchView(
        number=count,
        passage=None if passage is None else passage + 1,
        kind=kind,
        kind_name=name,
        left=match.left + 1,
        right=match.right + 1,
        p=number(match.p),
        w=number(match.w),
        left_pieces=pieces[0],
        right_pieces=pieces[1],
        is_same_text=comparison.left_span(match).of(left) == comparison.right_span(match).of(right),
        decision=outcome_of(noted_decision.decision) or "",
        decision_name=decision_name(noted_decision.decision),
        note=note_in_words(noted_decision.note),
        # the kind says all about an exact match; a line for each would repeat it
        reasons=""
        if match.kind is MatchKind.EXACT
        else joined_sentences(explain(comparison, match, alignment)),
    )
