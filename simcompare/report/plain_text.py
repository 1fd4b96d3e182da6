"""Comparison as plain text for a terminal."""

from collections.abc import Iterator, Sequence

from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.comparison.citations.citation import PassageCitation, passage_citation
from simcompare.comparison.comparison_result import BothShares, Comparison, Share
from simcompare.comparison.passages.numbered_passages import NumberedPassages, numbered_passages
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.report.facing_passages import passage_title
from simcompare.report.pair_tables import terminal_width
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
from simcompare.report.wording import (
    before_if_other,
    citations_in_words,
    detailed,
    enumerated,
    excluded_in_words,
    exclusions_in_words,
    hamming,
    headline,
    kind_name,
    left_out_in_words,
    listed,
    listed_matches,
    matches_in_words,
    named,
    number,
    recipe_in_words,
    sentences_count,
    settings_in_words,
    share_in_words,
    shares_in_sentences,
    thesaurus_in_words,
    units_count,
)
from simcompare.support.arrays import BoolArray
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import _
from simcompare.text.thesaurus import Thesaurus

_GAP = 2
_SHOWN_AT_EITHER_END = 32


def comparison_as_text(
    comparison: Comparison,
    thesaurus: Thesaurus | None,
    decided: BothShares | None = None,
    common: PairFacts = NO_FACTS,
    closed: BoolArray | None = None,
) -> str:
    """Return a summary and the matches with both sentences, without a final line end.

    decided: shares after decisions, if something was decided to be fine; common: of the two files;
    closed: passages of no concern, shape (n,).
    """
    passages = numbered_passages(comparison)
    citations = [passage_citation(comparison, passage) for passage in passages]
    cited = citations_in_words(comparison, citations)
    facts = [
        *_facts(comparison, thesaurus, decided, len(passages)),
        *([(_("Citations"), cited)] if cited else []),
        *_file_facts(comparison, common),
    ]
    width = max(map(terminal_width, (label for label, _fact in facts))) + _GAP
    head = [_padded(label, width) + fact for label, fact in facts]
    result = [*shares_in_sentences(comparison, decided, closed), ""]
    sections = *_passages(comparison, passages, thesaurus, citations), *_matches(comparison)
    lines = [*_doubts(comparison), *result, *head, *sections]
    return escape_invisible("\n".join(lines))


def _doubts(comparison: Comparison) -> list[str]:
    """List doubts about the files, to be read before the figures, and a blank line."""
    lines = [
        _("Please check {file}: {doubts}").format(file=name, doubts=doubts)
        for prepared_document, name in zip((comparison.left, comparison.right), comparison.names, strict=True)
        if (doubts := doubts_in_words(prepared_document.document.receipt))
    ]
    return [*lines, ""] if lines else []


def _after_decisions(after: float | None, known: Share) -> str:
    before = before_if_other(after, known)
    return detailed(headline(after), before) if before else headline(after)


def _facts(
    comparison: Comparison, thesaurus: Thesaurus | None, decided: BothShares | None, passage_count: int
) -> list[tuple[str, str]]:
    left, right = comparison.left, comparison.right
    share, sentence_share = comparison.share, comparison.sentence_share
    left_share, right_share = share_in_words(share.left_in_right), share_in_words(share.right_in_left)
    if decided is not None:
        known = share.left_in_right, share.right_in_left
        left_share, right_share = map(_after_decisions, decided, known)
    return [
        (_("Left"), _name(left, comparison.names[0])),
        ("", _size(left)),
        *_receipt(left),
        (_("Excluded"), excluded_in_words(left, comparison.left_excluded)),
        (_("Right"), _name(right, comparison.names[1])),
        ("", _size(right)),
        *_receipt(right),
        (_("Excluded"), excluded_in_words(right, comparison.right_excluded)),
        (_("Share of left"), left_share),
        (_("Share of right"), right_share),
        (
            _("Before exclusions"),
            _both_sides(percent(share.left_in_right.raw), percent(share.right_in_left.raw)),
        ),
        (
            _("Sentence share"),
            _both_sides(headline(sentence_share.left_in_right), headline(sentence_share.right_in_left)),
        ),
        (_("Hamming distance"), hamming(comparison)),
        (_("Fingerprints"), recipe_in_words(left.fingerprint.recipe)),
        (_("Thresholds"), settings_in_words(comparison.settings)),
        (_("Exclusions"), exclusions_in_words(comparison.settings, comparison.exclusion_candidates)),
        (_("Thesaurus"), thesaurus_in_words(comparison.settings, thesaurus, comparison.by_meaning)),
        (_("Matches"), matches_in_words(comparison)),
        (_("Passages"), f"{passage_count:,}"),
    ]


def _name(prepared_document: PreparedDocument, name: str) -> str:
    return _("{file}, “{title}”").format(file=name, title=prepared_document.document.title)


def _size(prepared_document: PreparedDocument) -> str:
    fingerprint = _("fingerprint {digits}").format(digits=prepared_document.fingerprint.hex)
    return enumerated([units_count(prepared_document), sentences_count(prepared_document), fingerprint])


def _receipt(prepared_document: PreparedDocument) -> Iterator[tuple[str, str]]:
    receipt = prepared_document.document.receipt
    yield _("Read"), receipt_in_words(receipt)
    if receipt.dropped:
        yield _("Left out"), listed(map(dropped_in_words, receipt.dropped))
    if notes := notes_in_words(receipt):
        yield _("Worth knowing"), notes


def _file_facts(comparison: Comparison, facts: PairFacts) -> Iterator[tuple[str, str]]:
    origins = comparison.left.document.receipt.origin, comparison.right.document.receipt.origin
    rows = [*facts_of_pair(*origins), *reference_facts(comparison.left.document, comparison.right.document)]
    yield from ((label, _both_sides(left, right)) for label, left, right in rows)
    yield from common_facts(*origins, facts)
    yield from (("", picture_in_words(each)) for each in facts.pictures[:MOST_SHOWN_PICTURES])


def _both_sides(left: str, right: str) -> str:
    return _("left {left}, right {right}").format(left=left, right=right)


def _passages(
    comparison: Comparison,
    passages: NumberedPassages,
    thesaurus: Thesaurus | None,
    citations: Sequence[PassageCitation | None],
) -> Iterator[str]:
    """Yield the beginning and end of each passage on both sides."""
    for passage, citation in zip(passages, citations, strict=True):
        yield ""
        yield passage_title(comparison, passages, passage, thesaurus, citation)
        yield f"      {_ends(passage.left.of(comparison.left.document.text))}"
        yield f"      {_ends(passage.right.of(comparison.right.document.text))}"


def _ends(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= 2 * _SHOWN_AT_EITHER_END:
        return line
    return f"{line[:_SHOWN_AT_EITHER_END]} … {line[-_SHOWN_AT_EITHER_END:]}"


def _matches(comparison: Comparison) -> Iterator[str]:
    listed = listed_matches(comparison.matches)
    for count, index in enumerate(listed, start=1):
        match = comparison.matches[index]
        numbers = [f"P = {number(match.p)}", *([] if match.w is None else [f"w = {number(match.w)}"])]
        places = _("left {left}, right {right}").format(left=match.left + 1, right=match.right + 1)
        yield ""
        yield f"{count:>4}  {named(kind_name(match.kind), enumerated([places, *numbers]))}"
        yield f"      {comparison.left_span(match).of(comparison.left.document.text)}"
        yield f"      {comparison.right_span(match).of(comparison.right.document.text)}"
    if len(listed) < len(comparison.matches):
        yield ""
        yield left_out_in_words(len(comparison.matches), len(listed))


def _padded(text: str, width: int) -> str:
    return text + " " * (width - terminal_width(text))
