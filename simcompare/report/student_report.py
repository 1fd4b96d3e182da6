"""The report of one essay of a class with all its sources: its data, its page and its PDF."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import starmap

import numpy as np

from simcompare.cohort.class_check import ClassCheck, ClassHit
from simcompare.cohort.cohort_scoring import CohortPair
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import BlockKind, Span
from simcompare.model.progress import Tick, no_tick
from simcompare.report.class_report.student_rows import ClassLabels
from simcompare.report.cohort.cohort_rows import facts_of
from simcompare.report.entry_words import also_in_words, entry_in_words, stored_student
from simcompare.report.evidence import Evidence, evidence_of
from simcompare.report.html_report import labels, render_macro, render_page
from simcompare.report.look_alikes import look_alikes_hint, look_alikes_of
from simcompare.report.receipts import doubts_summary, receipt_in_words
from simcompare.report.text_pieces import PrintedKindStyle
from simcompare.report.wording import (
    NO_NUMBER,
    decision_name,
    detailed,
    headline,
    named,
    size_in_words,
    units_count,
)
from simcompare.session.decisions import NO_REVIEW, Decision, outcome_of
from simcompare.session.school_class import DocumentRole
from simcompare.support.arrays import BoolArray, Int32Array
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import N_, _, joined_items, joined_sentences, ngettext
from simcompare.text.prepared_text import PreparedText

_NO_PASSAGE = -1


@dataclass(frozen=True, eq=False)
class EssayCheck:
    check: ClassCheck
    place: int

    @property
    def pairs(self) -> list[CohortPair]:
        return [pair for pair in self.check.cohort.pairs if self.place in (pair.left, pair.right)]

    @property
    def document(self) -> PreparedDocument:
        """The document, with its text prepared."""
        return self.check.cohort.documents[self.place]


@dataclass(frozen=True, slots=True, eq=False)
class EssaySource:
    """Another document. place: its index; share: of the essay, found in it; decision: on the pair."""

    place: int
    share: float
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the essay. source: index of the one with the longest passage there; also: of the others."""

    span: Span
    source: int
    also: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RewrittenStretch:
    """A part of the essay that may be a text of another document in other words. place: of that document."""

    place: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EssaySources:
    """What an essay shares with others.

    share: of its units that count in any comparison, those in any source, each once; None if none counts.
    share_before: the same before decisions.
    sources: the largest share first, earlier work before equal ones, without those of no concern, which are
    `fine`. stretches: in reading order, none within another. library: hits, of which only the figures are
    kept. uncounted: parts that count in no comparison, in reading order. uncompared: pairs.
    """

    share: float | None
    share_before: float | None
    sources: Sequence[EssaySource]
    stretches: Sequence[Stretch]
    fine: Sequence[EssaySource]
    rewritten: Sequence[RewrittenStretch]
    library: Sequence[ClassHit]
    uncounted: Sequence[Span]
    uncompared: int


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Units of the essay found in a source, shape (u,); longest, passage: as `_longest_passages` has them."""

    source: EssaySource
    units: BoolArray
    longest: Int32Array
    passage: Int32Array


def essay_sources(essay: EssayCheck, tick: Tick = no_tick) -> EssaySources:
    """Compare an essay in full with all documents that share text with it.

    `tick` counts pairs; an exception that it raises ends the work.
    """
    pairs, text = essay.pairs, essay.document.prepared
    shared = [pair for pair in pairs if pair.summary and pair.summary.has_passages]
    counts, before = np.zeros((2, text.unit_count), np.bool_)
    found: list[_Found] = []
    fine: list[EssaySource] = []
    rewritten: list[RewrittenStretch] = []
    for done, pair in enumerate(shared):
        tick(done, len(shared))
        side, other = (0, pair.right) if pair.left == essay.place else (1, pair.left)
        evidence = evidence_of(essay.check.cohort, pair)
        kept = text.by_unit(evidence.comparison.excluded[side].kept)
        units, decision = evidence.counted_units[side], outcome_of(pair.review.overall.decision)
        source = EssaySource(other, float(units.sum() / max(kept.sum(), 1)), decision)
        counts |= kept
        undecided = evidence if pair.review == NO_REVIEW else replace(evidence, review=NO_REVIEW)
        before |= undecided.counted_units[side]
        if decision is Decision.FINE:
            fine.append(source)
            continue
        rewritten += (RewrittenStretch(other, span) for span in _rewritten(evidence, side))
        if units.any():
            found.append(_Found(source, units, *_longest_passages(evidence, side, text)))
    tick(len(shared), len(shared))
    found.sort(key=partial(_order, essay))
    is_found = np.any([each.units for each in found], axis=0) if found else np.zeros_like(counts)
    is_known = counts.any() or any(_own_share(pair, essay.place) is not None for pair in pairs)
    hits = essay.check.library_hits
    share, share_before = (
        float(each.sum() / max(counts.sum(), 1)) if is_known else None for each in (is_found, before)
    )
    return EssaySources(
        share,
        share_before,
        [each.source for each in found],
        list(_stretches(found, is_found, text)),
        sorted(fine, key=lambda source: -source.share),
        sorted(rewritten, key=lambda each: each.span.start),
        [hit for hit in hits.hits if hit.place == essay.place] if hits else [],
        list(_runs(text, ~counts)) if counts.any() else [],
        sum(pair.summary is None for pair in pairs),
    )


def _order(essay: EssayCheck, found: _Found) -> tuple[float, bool, float, int]:
    """Return the key that sorts sources; of shares that are written alike, earlier work comes first."""
    share, place = found.source.share, found.source.place
    return -round(share, 2), essay.check.roles[place] is not DocumentRole.OLD, -share, place


def _own_share(pair: CohortPair, place: int) -> float | None:
    return pair.shares[pair.left != place]


def _own_spans(evidence: Evidence, side: int) -> Int32Array:
    passages = evidence.passages
    return passages.right_spans if side else passages.left_spans


def _rewritten(evidence: Evidence, side: int) -> Iterator[Span]:
    spans, is_fine = _own_spans(evidence, side), evidence.passage_decisions.closed
    for start, end in spans[evidence.passages.is_rewritten & ~is_fine].tolist():
        yield Span(start, end)


def _longest_passages(evidence: Evidence, side: int, text: PreparedText) -> tuple[Int32Array, Int32Array]:
    """Return the length of the longest passage around each unit, and its index; shape (u,)."""
    passages, bounds = evidence.passages, text.units_in(_own_spans(evidence, side))
    lengths = passages.units
    is_open = ~evidence.passage_decisions.closed & ~passages.is_rewritten
    longest = np.zeros(text.unit_count, np.int32)
    passage = np.full(text.unit_count, _NO_PASSAGE, np.int32)
    by_length = np.argsort(lengths, kind="stable")
    for index in by_length[is_open[by_length]].tolist():
        first, stop = bounds[index]
        longest[first:stop], passage[first:stop] = lengths[index], index
    return longest, passage


def _stretches(found: Sequence[_Found], is_found: BoolArray, text: PreparedText) -> Iterator[Stretch]:
    if not found:
        return
    units = np.stack([each.units for each in found])
    lengths = np.where(units, np.stack([each.longest for each in found]), -1)
    owners = np.where(is_found, lengths.argmax(axis=0), _NO_PASSAGE)
    passages = np.stack([each.passage for each in found])[owners, np.arange(text.unit_count)]
    edges = np.flatnonzero((np.diff(owners) != 0) | (np.diff(passages) != 0)) + 1
    for first, stop in zip([0, *edges.tolist()], [*edges.tolist(), text.unit_count], strict=True):
        owner = int(owners[first])
        if owner != _NO_PASSAGE:
            also = np.flatnonzero(units[:, first:stop].any(axis=1)).tolist()
            yield Stretch(_span_of(text, first, stop), owner, tuple(each for each in also if each != owner))


def _runs(text: PreparedText, units: BoolArray) -> Iterator[Span]:
    edges = np.flatnonzero(np.diff(units, prepend=False, append=False))
    return starmap(partial(_span_of, text), edges.reshape(-1, 2).tolist())


def _span_of(text: PreparedText, first: int, stop: int) -> Span:
    """Return the span of some units, with the marks around the sentences that they begin and end."""
    start, end = int(text.unit_spans[first, 0]), int(text.unit_spans[stop - 1, 1])
    bounds = text.sentence_units
    sentence = np.searchsorted(bounds, [first, stop - 1], side="right") - 1
    if bounds[sentence[0]] == first:
        start = int(text.sentence_spans[sentence[0], 0])
    if bounds[sentence[1] + 1] == stop:
        end = int(text.sentence_spans[sentence[1], 1])
    return Span(start, end)


_MOST_EXCERPT = 240
_PATTERNS = ("solid", "dashed", "dotted")
_LIGHT = """
#1f5fa8 #d6e6f8  #8f4e00 #fde3c0  #1d6b33 #d3eed8  #7a2f8f #f0dcf6  #a3262f #fbdada  #0b6870 #cdeef0
#6b5a00 #f5edb0  #a01f6b #fbd9ec  #3d4d66 #d9e0ea  #6d4427 #ecdfd3  #4f6412 #e2ecc2  #4038b0 #deddfa
#566176 #ececea
"""
_DARK = """
#8fc0f5 #1d3a5c  #f5b566 #4d3210  #86d29b #183f24  #dba8ee #43264f  #ff9ea1 #4e2226  #6fd3d9 #0f4145
#e0cf6a #403808  #f79fcf #4d2039  #b3c1d6 #2f3a4a  #dcb595 #44301f  #bfd27d #333e12  #b0acff #2d2a63
#a3adbd #30343b
"""


def _looks(colours: str) -> tuple[PrintedKindStyle, ...]:
    inks, tints = colours.split()[::2], colours.split()[1::2]
    return tuple(
        PrintedKindStyle(ink, tint, ink, _PATTERNS[number % len(_PATTERNS)])
        for number, (ink, tint) in enumerate(zip(inks, tints, strict=True))
    )


SOURCE_LOOKS = {"light": _looks(_LIGHT), "dark": _looks(_DARK)}
"""Looks of the sources by theme: twelve in the order of the sources, then that of all others.

Lines differ where colours are not seen; the number of the source stands before each stretch.
"""
_CLASSMATE, _EARLIER, _LIBRARY = N_("classmate"), N_("earlier work"), N_("library")


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source in words. number: from 1, 0 without a colour; tone: index of its look, from 1, or 0.

    role: with the decision on the pair, if there is one. bar: share of 0 to 100.
    """

    number: int
    tone: int
    label: str
    role: str
    share: str
    bar: float


@dataclass(frozen=True, slots=True)
class EssayPiece:
    """A part of a block; number, tone: of its source, 0 without one; stretch: its index.

    mark: before the first piece of a stretch, the number and how many others have it; tip: the sources.
    counts: False for text that counts in no comparison.
    """

    text: str
    number: int = 0
    tone: int = 0
    stretch: int = 0
    mark: str = ""
    tip: str = ""
    counts: bool = True


@dataclass(frozen=True, slots=True)
class EssayBlock:
    kind: BlockKind
    pieces: Sequence[EssayPiece]


@dataclass(frozen=True, slots=True)
class StudentView:
    """Contents of the report. rewritten: source and text of each stretch that may be rewritten.

    look_alikes, look_alikes_hint: as in `PageView`
    """

    name: str
    file: str
    language: str
    share: str
    result: str
    remarks: Sequence[str]
    sources: Sequence[SourceRow]
    fine: Sequence[SourceRow]
    library: Sequence[SourceRow]
    rewritten: Sequence[tuple[str, str]]
    blocks: Sequence[EssayBlock]
    facts: Sequence[tuple[str, str]]
    look_alikes: Mapping[str, str]
    look_alikes_hint: str


def student_view(essay: EssayCheck, found: EssaySources) -> StudentView:
    """Return the contents in the current language."""
    labels, document = ClassLabels(essay.check), essay.document.document
    rows = [_row(essay, labels, each, number) for number, each in enumerate(found.sources, 1)]
    file = labels.files[essay.place]
    rewritten = ((each.place, each.span.of(document.text)) for each in found.rewritten)
    doubts = doubts_summary(document.receipt)
    facts = [fact for fact in facts_of(essay.check.cohort) if fact[0] != _("Order")]
    look_alikes = look_alikes_of(document)
    return StudentView(
        labels.document(essay.place),
        f"{file} · {units_count(essay.document)}",
        "zh" if essay.document.prepared.is_mostly_chinese else "en",
        headline(found.share),
        _result(found),
        [*_remarks(found), *([named(_("Please check"), doubts)] if doubts else [])],
        rows,
        [_row(essay, labels, each, 0) for each in found.fine],
        [_hit_row(hit, is_chinese=essay.document.prepared.is_mostly_chinese) for hit in found.library],
        [(_label(essay, labels, place), _shortened(text)) for place, text in rewritten],
        [
            EssayBlock(block.kind, list(_pieces(document.text, block.span, found, rows)))
            for block in document.blocks
        ],
        [
            (_("File"), file),
            (_("Size"), size_in_words(document.size_bytes) if document.sha256 else NO_NUMBER),
            (_("SHA-256"), document.sha256 or NO_NUMBER),
            (_("Read"), escape_invisible(receipt_in_words(document.receipt))),
            *facts,
        ],
        look_alikes,
        look_alikes_hint() if look_alikes else "",
    )


def _result(found: EssaySources) -> str:
    if found.share is None:
        return _("Nothing in this essay counts, or it is compared with no other text.")
    words = ngettext(
        "{share} of this essay is also in one other text.",
        "{share} of this essay is also in {count} other texts together.",
        len(found.sources),
        share=percent(found.share),
    )
    if not found.sources:
        words = _("Nothing that counts in this essay is in another text.")
        if found.share_before:
            words = _("All that this essay has in common with other texts is marked as no concern.")
    if headline(found.share) == headline(found.share_before):
        return words
    before = _("Before decisions, it was {share}.").format(share=headline(found.share_before))
    return joined_sentences([words, before])


def _remarks(found: EssaySources) -> Iterator[str]:
    most = len(SOURCE_LOOKS["light"]) - 1
    if len(found.sources) > most:
        yield _("Sources from number {number} on have one colour.").format(number=most + 1)
    if found.uncompared:
        yield ngettext(
            "{count} other text is not compared with it, and may be a source too.",
            "{count} other texts are not compared with it, and may be sources too.",
            found.uncompared,
        )


def _label(essay: EssayCheck, labels: ClassLabels, place: int) -> str:
    has_file = essay.check.roles[place] is DocumentRole.OLD and not stored_student(labels.paths[place])
    return labels.files[place] if has_file else labels.document(place)  # the kind is shown beside it


def _row(essay: EssayCheck, labels: ClassLabels, source: EssaySource, number: int) -> SourceRow:
    role = _EARLIER if essay.check.roles[source.place] is DocumentRole.OLD else _CLASSMATE
    decided = _("marked as {decision}").format(decision=decision_name(source.decision))
    return SourceRow(
        number,
        min(number, len(SOURCE_LOOKS["light"])),
        _label(essay, labels, source.place),
        detailed(_(role), decided) if source.decision else _(role),
        percent(source.share),
        100 * source.share,
    )


def _hit_row(hit: ClassHit, *, is_chinese: bool) -> SourceRow:
    share = hit.summary.after_exclusions_left_in_right
    words = NO_NUMBER if share is None else percent(share)
    also = also_in_words(hit.summary, hit.facts, is_chinese=is_chinese)
    name = " · ".join(filter(None, [entry_in_words(hit.entry), also]))
    return SourceRow(0, 0, escape_invisible(name), _(_LIBRARY), words, 100 * (share or 0.0))


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MOST_EXCERPT else flat[:_MOST_EXCERPT].rstrip() + "…"


def _pieces(text: str, block: Span, found: EssaySources, rows: Sequence[SourceRow]) -> Iterator[EssayPiece]:
    start = block.start
    for index, stretch in enumerate(found.stretches):
        first, end = max(stretch.span.start, block.start), min(stretch.span.end, block.end)
        if first >= end:
            continue
        yield from _plain_pieces(text, Span(start, first), found.uncounted)
        row, others = rows[stretch.source], len(stretch.also)
        mark = f"{row.number}+{others}" if others else f"{row.number}"
        names = joined_items(
            f"{each.number} {each.label}" for each in (row, *(rows[n] for n in stretch.also))
        )
        is_first = first == stretch.span.start
        yield EssayPiece(text[first:end], row.number, row.tone, index, mark if is_first else "", names)
        start = end
    yield from _plain_pieces(text, Span(start, block.end), found.uncounted)


def _plain_pieces(text: str, span: Span, uncounted: Sequence[Span]) -> Iterator[EssayPiece]:
    start = span.start
    for each in uncounted:
        first, end = max(each.start, start), min(each.end, span.end)
        if first < end:
            yield from [EssayPiece(text[start:first])] * (start < first)
            yield EssayPiece(text[first:end], counts=False)
            start = end
    if start < span.end:
        yield EssayPiece(text[start : span.end])


def source_rules(looks: tuple[PrintedKindStyle, ...]) -> str:
    """Return the style rules of the sources, classes s1 to s13."""
    return "\n".join(
        f".s{number} {{ color: {look.ink}; background-color: {look.tint}; "
        f"text-decoration: {look.pattern} {look.ink}; }}"
        for number, look in enumerate(looks, 1)
    )


def essay_text(view: StudentView) -> str:
    """Return the text of the essay as HTML, each stretch a link "stretch:INDEX"."""
    return render_macro("student_text", "essay", view.blocks, "stretch:{stretch}", view.look_alikes, "|")


_DARK_SCREEN = "@media screen and (prefers-color-scheme: dark)"


def render_student_html(essay: EssayCheck, name: str = "") -> bytes:
    """Render the page in the current language; name: of the class, not shown."""
    view = student_view(essay, essay_sources(essay))
    light, dark = map(source_rules, SOURCE_LOOKS.values())
    page = render_page(
        "student",
        essay.check.cohort.made_at,
        styles=("cohort", "text"),
        rules=f"{light}\n{_DARK_SCREEN} {{\n{dark}\n}}\n",
        page=view,
        labels=labels("student_report"),
        title=student_title(view.name),
    )
    return page.encode("utf-8", "backslashreplace")


def student_title(name: str) -> str:
    return named(_("All sources of one essay"), name)


def render_student_pdf(essay: EssayCheck, name: str = "") -> bytes:
    """Return the PDF in the current language, tagged as PDF/UA-1 requires; name: of the class, not shown."""
    from simcompare.report.pdf_report import report_values, typeset_report  # noqa: PLC0415 - loads typst

    view, made_at = student_view(essay, essay_sources(essay)), essay.check.cohort.made_at
    captions = labels("student_report")
    values = report_values(
        view,
        captions,
        made_at,
        student_title(view.name),
        view.name,
        view.look_alikes,
        looks=SOURCE_LOOKS["light"],
    )
    return typeset_report("student", values, made_at)


STUDENT_FORMS: Mapping[str, Callable[[EssayCheck, str], bytes]] = {
    ".html": render_student_html,
    ".pdf": render_student_pdf,
}
"""Renderers by file suffix."""
