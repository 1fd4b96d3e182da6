"""Contents of the report of one essay with all its sources, and its forms: a web page and a PDF."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from simcompare.cohort.class_check import ClassHit
from simcompare.model.document import BlockKind, Span
from simcompare.report.class_report.student_rows import ClassLabels
from simcompare.report.cohort.cohort_rows import facts_of
from simcompare.report.entry_words import also_in_words, entry_in_words
from simcompare.report.html_report import render_macro, render_page
from simcompare.report.pdf_report import report_values, typeset_report
from simcompare.report.receipts import receipt_in_words
from simcompare.report.student_report.essay_sources import (
    EssayCheck,
    EssaySources,
    Source,
    Stretch,
    essay_sources,
)
from simcompare.report.text_pieces import PrintedKindStyle
from simcompare.report.wording import NO_NUMBER, decision_name, headline, named, size_in_words, units_count
from simcompare.session.school_class import DocumentRole
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import N_, _, joined_items, ngettext

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

    bar: share of 0 to 100; decided: decision on the pair, "" without one.
    """

    number: int
    tone: int
    label: str
    role: str
    share: str
    bar: float
    decided: str


@dataclass(frozen=True, slots=True)
class EssayPiece:
    """A part of a block; number, tone: of its source, 0 without one; stretch: its index.

    mark: before the first piece of a stretch, the number and how many others have it; tip: the sources.
    """

    text: str
    number: int = 0
    tone: int = 0
    stretch: int = 0
    mark: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class EssayBlock:
    kind: BlockKind
    pieces: Sequence[EssayPiece]


@dataclass(frozen=True, slots=True)
class StudentView:
    """Contents of the report. rewritten: source and text of each stretch that may be rewritten."""

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


def student_labels(name: str = "") -> dict[str, str]:
    """Return the headings and captions in the current language; name: of the student."""
    heading = _("All sources of one essay")
    return {
        "heading": heading,
        "title": named(heading, name) if name else heading,
        "meaning": _(
            "Every character or word is counted once, under the source with the longest passage there. Text "
            "that is left out or marked as no concern does not count. A source is where the same text is "
            "found; who wrote it first cannot be seen here."
        ),
        "sources": _("Sources"),
        "source": _("Source"),
        "kind": _("Kind"),
        "share": _("Share of the essay"),
        "also": _(
            "The number before a part of the text is that of its source; “+2” means that two more sources "
            "have some of it."
        ),
        "fine": _("Marked as no concern"),
        "fine_hint": _("These pairs are marked as no concern. They have no colour and do not count."),
        "library": _("In the library"),
        "library_hint": _(
            "Of these entries only the share is known, not the place. They have no colour and are not in the "
            "share of all sources."
        ),
        "rewritten": _("Possibly rewritten"),
        "rewritten_hint": _("Found by the meaning of the sentences alone, and in no share. Read both texts."),
        "essay": _("The essay"),
        "made_how": _("How this was made"),
    }


def student_view(essay: EssayCheck, found: EssaySources) -> StudentView:
    """Return the contents in the current language."""
    labels, document = ClassLabels(essay.check), essay.document.document
    rows = [_row(essay, labels, each, number) for number, each in enumerate(found.sources, 1)]
    file = labels.files[essay.place]
    rewritten = ((each.place, escape_invisible(each.span.of(document.text))) for each in found.rewritten)
    facts = [fact for fact in facts_of(essay.check.cohort) if fact[0] != _("Order")]
    return StudentView(
        labels.document(essay.place),
        f"{file} · {units_count(essay.document)}",
        "zh" if essay.document.prepared.is_mostly_chinese else "en",
        headline(found.share),
        _result(found),
        list(_remarks(found)),
        rows,
        [_row(essay, labels, each, 0) for each in found.fine],
        [_hit_row(hit) for hit in found.library],
        [(_label(essay, labels, place), _shortened(text)) for place, text in rewritten],
        [
            EssayBlock(block.kind, list(_pieces(document.text, block.span, found.stretches, rows)))
            for block in document.blocks
        ],
        [
            (_("File"), file),
            (_("Size"), size_in_words(document.size_bytes) if document.sha256 else NO_NUMBER),
            (_("SHA-256"), document.sha256 or NO_NUMBER),
            (_("Read"), escape_invisible(receipt_in_words(document.receipt))),
            *facts,
        ],
    )


def _result(found: EssaySources) -> str:
    if found.share is None:
        return _("Nothing in this essay counts, or it is compared with no other text.")
    if not found.sources:
        return _("Nothing that counts in this essay is in another text.")
    return ngettext(
        "{share} of this essay is also in one other text.",
        "{share} of this essay is also in {count} other texts together.",
        len(found.sources),
        share=percent(found.share),
    )


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
    is_old = essay.check.roles[place] is DocumentRole.OLD
    return labels.files[place] if is_old else labels.document(place)  # the kind is shown beside it


def _row(essay: EssayCheck, labels: ClassLabels, source: Source, number: int) -> SourceRow:
    role = _EARLIER if essay.check.roles[source.place] is DocumentRole.OLD else _CLASSMATE
    return SourceRow(
        number,
        min(number, len(SOURCE_LOOKS["light"])),
        _label(essay, labels, source.place),
        _(role),
        percent(source.share),
        100 * source.share,
        decision_name(source.decision),
    )


def _hit_row(hit: ClassHit) -> SourceRow:
    share = hit.summary.after_exclusions_left_in_right
    words = NO_NUMBER if share is None else percent(share)
    name = " · ".join(filter(None, [entry_in_words(hit.entry), also_in_words(hit.summary, hit.facts)]))
    return SourceRow(0, 0, escape_invisible(name), _(_LIBRARY), words, 100 * (share or 0.0), "")


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MOST_EXCERPT else flat[:_MOST_EXCERPT].rstrip() + "…"


def _pieces(
    text: str, block: Span, stretches: Sequence[Stretch], rows: Sequence[SourceRow]
) -> Iterator[EssayPiece]:
    start = block.start
    for index, stretch in enumerate(stretches):
        first, end = max(stretch.span.start, block.start), min(stretch.span.end, block.end)
        if first >= end:
            continue
        if start < first:
            yield EssayPiece(text[start:first])
        row, others = rows[stretch.source], len(stretch.also)
        mark = f"{row.number}+{others}" if others else f"{row.number}"
        names = joined_items(
            f"{each.number} {each.label}" for each in (row, *(rows[n] for n in stretch.also))
        )
        is_first = first == stretch.span.start
        yield EssayPiece(text[first:end], row.number, row.tone, index, mark if is_first else "", names)
        start = end
    if start < block.end:
        yield EssayPiece(text[start : block.end])


def source_rules(looks: tuple[PrintedKindStyle, ...]) -> str:
    """Return the style rules of the sources, classes s1 to s13."""
    return "\n".join(
        f".s{number} {{ color: {look.ink}; background-color: {look.tint}; "
        f"text-decoration: {look.pattern} {look.ink}; }}"
        for number, look in enumerate(looks, 1)
    )


def essay_text(view: StudentView) -> str:
    """Return the text of the essay as HTML, each stretch a link "stretch:INDEX"."""
    return render_macro("student_text", "essay", view.blocks, "stretch:{stretch}")


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
        labels=student_labels(view.name),
    )
    return page.encode("utf-8", "backslashreplace")


def render_student_pdf(essay: EssayCheck, name: str = "") -> bytes:
    """Return the PDF in the current language, tagged as PDF/UA-1 requires; name: of the class, not shown."""
    view, made_at = student_view(essay, essay_sources(essay)), essay.check.cohort.made_at
    labels = student_labels(view.name)
    values = report_values(view, labels, made_at, labels["title"], view.name, looks=SOURCE_LOOKS["light"])
    return typeset_report("student", values, made_at)


STUDENT_FORMS: Mapping[str, Callable[[EssayCheck, str], bytes]] = {
    ".html": render_student_html,
    ".pdf": render_student_pdf,
}
"""Renderers by file suffix."""
