"""View data of a comparison for the HTML, Word and PDF reports: all values, no layout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from simcompare.comparison.comparison_result import Comparison, ExcludedSentences, MatchKind
from simcompare.comparison.explanation import align, exclusion_name, explain
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.report.evidence import Evidence, decided_sentences
from simcompare.report.heat_picture import DARK, LIGHT, heat_levels, png_data_uri
from simcompare.report.receipts import (
    common_author_facts,
    doubts_in_words,
    dropped_in_words,
    notes_in_words,
    origin_lines,
    receipt_in_words,
)
from simcompare.report.text_pieces import (
    BlockPieces,
    Link,
    MatchedSentence,
    SharedPiece,
    blocks_in_pieces,
    shared_pieces,
)
from simcompare.report.wording import (
    before_decisions_in_words,
    by_sentence,
    decision_name,
    excluded_in_words,
    exclusions_in_words,
    headline,
    kind_name,
    left_out_in_words,
    listed_matches,
    note_in_words,
    number,
    passages_in_words,
    recipe_in_words,
    sentences_count,
    settings_in_words,
    share_details,
    shares_in_sentences,
    size_in_words,
    thesaurus_in_words,
    units_count,
)
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _, joined_sentences

DECISION_LEGEND = {
    Decision.COPIED: N_("copied: a flag behind the sentence"),
    Decision.FINE: N_("no concern: the sentence is pale, with a tick behind it"),
}
"""Appearance of each decision in the texts, for the legend (N_)."""
_SHORT_CHARACTERS = 60_000
"""Length of both texts together that a browser lays out in 0.1 s."""


@dataclass(frozen=True, slots=True)
class SideView:
    """One text: its data for the header, and its blocks.

    letter: prefix of its sentence anchors; name: of the student, or `file` if unknown; size: after the
    file, unless that is the name; share: after exclusions and decisions; remark: the share before decisions,
    "" without them; details: figures with their labels.
    """

    letter: str
    partner_letter: str
    place: str
    name: str
    file: str
    title: str
    language: str
    size: str
    share: str
    remark: str
    details: Sequence[tuple[str, str]]
    file_size: str
    sha256: str
    excluded: str
    bits: Sequence[tuple[bool, bool]]
    fingerprint: str
    fingerprint_in_words: str
    receipt: str
    dropped: Sequence[str]
    doubts: str
    notes: str
    origin: Sequence[tuple[str, str]]
    blocks: Sequence[BlockPieces]


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
    """Picture of the comparison matrix for the light and the dark theme, and its size in sentences."""

    light: str
    dark: str
    rows: str
    columns: str
    in_words: str


@dataclass(frozen=True, slots=True)
class PageView:
    """Everything a report of a comparison shows.

    result: the shares in plain words; meaning: what they mean and do not mean.
    is_long: the texts are too long for a browser to lay them out in full at every change.
    """

    sides: Sequence[SideView]
    result: str
    meaning: str
    heat: HeatView
    matches: Sequence[MatchView]
    matches_count: str
    matches_not_listed: str
    decisions: Sequence[tuple[Decision, str]]
    decision: str
    decision_name: str
    note: str
    decided: str
    hamming_bits: int
    size_bits: int
    facts: Sequence[tuple[str, str]]
    is_long: bool


def page_view(evidence: Evidence, rows: Sequence[int] | None = None) -> PageView:
    """Collect the values of a report, in the current language.

    rows: places in the list of matches, from 0, of those in `matches`, which are otherwise all listed ones.
    """
    comparison, overall = evidence.comparison, evidence.review.overall
    prepared_documents, listed = (comparison.left, comparison.right), listed_matches(comparison.matches)
    total = len(comparison.matches)
    return PageView(
        sides=_sides(evidence, listed),
        result=joined_sentences(shares_in_sentences(comparison, evidence.decided)),
        meaning=joined_sentences(_meaning()),
        heat=_heat(comparison),
        matches=[
            _match(evidence, listed[row], row + 1) for row in (range(len(listed)) if rows is None else rows)
        ],
        matches_count=_listed_of_total(len(listed), total),
        matches_not_listed=left_out_in_words(total, len(listed)) if len(listed) < total else "",
        decisions=decision_legend(evidence),
        decision=overall.decision or "",
        decision_name=decision_name(overall.decision),
        note=note_in_words(overall.note),
        decided=_decided(evidence, listed),
        hamming_bits=comparison.hamming_distance_bits,
        size_bits=comparison.left.fingerprint.size_bits,
        facts=[
            *common_author_facts(*prepared_documents),
            (_("Thresholds"), settings_in_words(comparison.settings)),
            (_("Passages"), passages_in_words(comparison.settings)),
            (_("Exclusions"), exclusions_in_words(comparison.settings, comparison.exclusion_candidates)),
            (_("Thesaurus"), thesaurus_in_words(comparison.settings, evidence.thesaurus)),
            (_("Fingerprints"), recipe_in_words(comparison.left.fingerprint.recipe)),
        ],
        is_long=sum(len(prepared_document.document.text) for prepared_document in prepared_documents)
        > _SHORT_CHARACTERS,
    )


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


def decided_in_words(count: int) -> str:
    """Return "8 decided", or "" for none."""
    return _("{count} decided").format(count=f"{count:,}") if count else ""


def _listed_of_total(listed: int, total: int) -> str:
    if listed == total:
        return f"{total:,}"
    return _("{shown} of {total}").format(shown=f"{listed:,}", total=f"{total:,}")


def _sides(evidence: Evidence, listed: Sequence[int]) -> list[SideView]:
    comparison = evidence.comparison
    left, right, cells = comparison.left, comparison.right, comparison.matches.cells
    columns = cells.rows.tolist(), cells.columns.tolist()
    sides = zip(
        ((("l", "r"), _("Left"), (left, right)), (("r", "l"), _("Right"), (right, left))),
        zip(
            zip(comparison.names, comparison.file_labels, strict=True),
            comparison.excluded,
            _figures(evidence),
            decided_sentences(evidence),
            strict=True,
        ),
        (columns, columns[::-1]),
        strict=True,
    )
    return [
        _side(
            letters,
            (place, *names),
            texts,
            figures,
            _sentence_marks(comparison, own, listed, decided),
            excluded,
        )
        for (letters, place, texts), (names, excluded, figures, decided), own in sides
    ]


def _figures(evidence: Evidence) -> list[tuple[str, str, Sequence[tuple[str, str]]]]:
    """Return the share of each text, what is said beside it, and the figures behind it."""
    shares, sentence_shares = evidence.comparison.share, evidence.comparison.sentence_share
    figures: list[tuple[str, str, Sequence[tuple[str, str]]]] = []
    for side in ("left_in_right", "right_in_left"):
        share, remark = getattr(shares, side), ""
        shown, details = headline(share), share_details(share, getattr(sentence_shares, side))
        if evidence.decided is not None:
            shown, remark = headline(getattr(evidence.decided, side)), before_decisions_in_words(share)
            details.insert(0, (_("Share after decisions"), shown))
        figures.append((shown, remark, details))
    return figures


def _sentence_marks(
    comparison: Comparison,
    columns: tuple[Sequence[int], Sequence[int]],
    listed: Sequence[int],
    decided: Mapping[int, Decision],
) -> Mapping[int, MatchedSentence]:
    """Map each matched sentence of a side to its mark; that side's column of the cells comes first."""
    own, partners = columns
    numbers = {index: count for count, index in enumerate(listed, start=1)}
    return {
        sentence: MatchedSentence(
            sentence + 1,
            comparison.matches[indices[0]].kind.word,
            [Link(numbers[index], partners[index] + 1) for index in indices],
            decided.get(sentence),
            decision_name(decided.get(sentence)),
        )
        for sentence, indices in by_sentence(own, listed, comparison.matches).items()
    }


def _side(
    letters: tuple[str, str],
    labels: tuple[str, str, str],
    prepared_documents: tuple[PreparedDocument, PreparedDocument],
    figures: tuple[str, str, Sequence[tuple[str, str]]],
    marks: Mapping[int, MatchedSentence],
    excluded: ExcludedSentences,
) -> SideView:
    (place, name, file), (prepared_document, other) = labels, prepared_documents
    document, receipt = prepared_document.document, prepared_document.document.receipt
    reasons = {sentence: exclusion_name(reason) for sentence, reason in excluded.sentences()}
    title, size = document.title, f"{units_count(prepared_document)} · {sentences_count(prepared_document)}"
    if name != file and title == Path(file).stem:  # without a title of its own
        title = file
    elif name != file:
        size = f"{file} · {size}"
    bits = list(zip(prepared_document.fingerprint.bits, other.fingerprint.bits, strict=True))
    return SideView(
        letter=letters[0],
        partner_letter=letters[1],
        place=place,
        name=name,
        file=file,
        title=title,
        language="zh" if prepared_document.prepared.is_mostly_chinese else "en",
        size=size,
        share=figures[0],
        remark=figures[1],
        details=figures[2],
        file_size=size_in_words(document.size_bytes) if document.size_bytes else "",
        sha256=prepared_document.document.sha256,
        excluded=excluded_in_words(prepared_document, excluded),
        bits=[(mine == "1", mine != theirs) for mine, theirs in bits],
        fingerprint=prepared_document.fingerprint.hex,
        fingerprint_in_words=_("Fingerprint of {count} bits: {digits}").format(
            count=len(bits), digits=prepared_document.fingerprint.hex
        ),
        receipt=receipt_in_words(receipt),
        dropped=[*map(dropped_in_words, receipt.dropped)] or [_("nothing")],
        doubts=doubts_in_words(receipt),
        notes=notes_in_words(receipt),
        origin=[*origin_lines(receipt.origin)],
        blocks=blocks_in_pieces(prepared_document, marks, reasons),
    )


def _heat(comparison: Comparison) -> HeatView:
    levels = heat_levels(comparison)
    rows, columns = (f"{count:,}" for count in comparison.matrix.shape)
    words = _("Comparison matrix: {rows} sentences on the left, {columns} on the right.")
    return HeatView(
        light=png_data_uri(levels, LIGHT),
        dark=png_data_uri(levels, DARK),
        rows=rows,
        columns=columns,
        in_words=words.format(rows=rows, columns=columns),
    )


def _match(evidence: Evidence, index: int, count: int) -> MatchView:
    comparison, noted_decision = evidence.comparison, evidence.decision_of(index)
    match, passage = comparison.matches[index], evidence.passages.of_match(index)
    alignment = align(comparison, match, evidence.thesaurus)
    common, synonyms = alignment.common, alignment.synonyms
    left, right = comparison.left.document.text, comparison.right.document.text
    return MatchView(
        number=count,
        passage=None if passage is None else passage + 1,
        kind=match.kind.word,
        kind_name=kind_name(match.kind),
        left=match.left + 1,
        right=match.right + 1,
        p=number(match.p),
        w=number(match.w),
        left_pieces=shared_pieces(
            left, comparison.left_span(match), [a for a, _b in common], [a for a, _b in synonyms]
        ),
        right_pieces=shared_pieces(
            right, comparison.right_span(match), [b for _a, b in common], [b for _a, b in synonyms]
        ),
        is_same_text=comparison.left_span(match).of(left) == comparison.right_span(match).of(right),
        decision=noted_decision.decision or "",
        decision_name=decision_name(noted_decision.decision),
        note=note_in_words(noted_decision.note),
        # the kind says all about an exact match; a line for each would repeat it
        reasons=""
        if match.kind is MatchKind.EXACT
        else joined_sentences(explain(comparison, match, alignment)),
    )
