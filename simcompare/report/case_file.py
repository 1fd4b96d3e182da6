"""Sheets of paper of a case: two pages for a committee, and a record of the meeting with each student."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from simcompare.cohort.pair_facts import NO_FACTS
from simcompare.report.evidence import Evidence
from simcompare.report.facing_passages import FacingPassage, marks_in_words
from simcompare.report.html_sections import PageView, strongest_passages
from simcompare.report.receipts import (
    facts_of_pair,
    files_hint,
    kinship_in_words,
    pictures_in_words,
)
from simcompare.report.text_pieces import TextPiece
from simcompare.report.wording import NO_NUMBER, decisions_counted, detailed
from simcompare.support.display_text import moment_in_words
from simcompare.support.i18n import _, joined_sentences, ngettext

PartKind = Literal["title", "heading", "text", "muted", "facts", "passage", "lines", "new_page"]
_MOST_PASSAGES, _MOST_HAN, _MOST_LETTERS = 3, 360, 1_080
"""So that they fit on one page, with room for an answer and signatures."""
_ANSWER_LINES, _TALK_LINES = 4, 2
_MOST_FACTS = 5


@dataclass(frozen=True, slots=True)
class SheetPart:
    """Part of a sheet of paper.

    facts: labels, each with a value, or with one for each side under the heads; an empty value is a line to
    write on; passage: with the captions of its two sides and their languages; count: of lines below text
    """

    kind: PartKind
    text: str = ""
    facts: Sequence[tuple[str, ...]] = ()
    passage: FacingPassage | None = None
    heads: tuple[str, str] = ("", "")
    languages: tuple[str, str] = ("en", "en")
    count: int = 0


def case_title() -> str:
    return _("Case file")


def case_passages(evidence: Evidence, page: PageView) -> list[FacingPassage]:
    """Return parts of the strongest passages, which all sheets of a case show."""
    is_chinese = any(side.language == "zh" for side in page.sides)
    return strongest_passages(evidence, _MOST_PASSAGES, _MOST_HAN if is_chinese else _MOST_LETTERS)


def committee_sheet(evidence: Evidence, page: PageView, passages: Sequence[FacingPassage]) -> list[SheetPart]:
    """Return the two pages for a committee: what was found and what it means, then the passages."""
    return [*_summary_page(evidence, page), SheetPart("new_page"), *_passages_page(evidence, page, passages)]


def _summary_page(evidence: Evidence, page: PageView) -> Iterator[SheetPart]:
    yield SheetPart("title", case_title())
    sides = list(zip((_("First text"), _("Second text")), page.sides, strict=True))
    rows = [(label, f"{side.name} · {side.size}") for label, side in sides]
    named = (_("Course"), evidence.course), (_("Teacher"), evidence.teacher)
    rows += [(label, value) for label, value in named if value]
    yield SheetPart("facts", facts=[*rows, (_("Date"), moment_in_words(evidence.made_at))])
    yield SheetPart("heading", _("What was found"))
    yield SheetPart("text", page.result)
    if not page.passage_count and evidence.facts != NO_FACTS:
        yield SheetPart("text", _("What the two files have in common besides their wording is listed here."))
    shares = [
        (_("Share of {name}").format(name=side.name), _share(side.share, side.remark)) for _l, side in sides
    ]
    decided = _("undecided") if not page.decision else page.decision_name
    overall = " – ".join(filter(None, (decided, page.note)))
    counts, partly = evidence.passage_decisions.counted(), int(evidence.passage_decisions.partly.sum())
    if page.decision:  # of the pair, with which no passage waits for one
        counts[None] = partly
    parts = decisions_counted(counts, partly)
    yield SheetPart(
        "facts",
        facts=[
            *shares,
            (_("Passages"), _passages_counted(page.passage_count, parts)),
            (_("Decision on the pair"), overall),
            *page.common_facts,
        ],
    )
    if page.passage_count:
        yield from _files(evidence, page, _MOST_FACTS)
    yield SheetPart("heading", _("What it means, and what it does not"))
    yield SheetPart("text", page.meaning)
    doubts = [side.doubt for side in page.sides if side.doubt]
    yield from (SheetPart("text", doubt) for doubt in doubts)
    hint = _("All passages, both texts and the method are in the appendix.")
    if not evidence.is_anonymous:
        proof = _(
            "The figures can be computed again from the files in this case file: in simcompare under "
            "“{menu}”, or with the command “simcompare verify”."
        ).format(menu=_("Verify a case file…"))
        hint = joined_sentences([hint, proof])
    yield SheetPart("muted", hint)


def _files(evidence: Evidence, page: PageView, most: int | None = None) -> Iterator[SheetPart]:
    """Yield the properties of the two files, at most the first ones."""
    sides = evidence.comparison.left, evidence.comparison.right
    facts = facts_of_pair(*(side.document.receipt.origin for side in sides))
    if facts:
        heads, _languages = _of_sides(page)
        yield SheetPart("heading", _("The two files"))
        yield SheetPart("muted", files_hint())
        yield SheetPart("facts", facts=facts[:most], heads=heads)


def _share(share: str, remark: str) -> str:
    return detailed(share, remark) if remark else share


def _passages_counted(count: int, decided: str) -> str:
    figure = f"{count:,}" if count else NO_NUMBER
    return detailed(figure, decided) if decided else figure


def _passages_page(
    evidence: Evidence, page: PageView, passages: Sequence[FacingPassage]
) -> Iterator[SheetPart]:
    yield SheetPart(
        "heading",
        ngettext("The strongest passage", "The {count} strongest passages", len(passages))
        if passages
        else _("No passages"),
    )
    if passages:
        hints = [
            _("The closest part of each; the appendix has the whole."),
            *marks_in_words(passages),
            page.look_alikes_hint,
        ]
        yield SheetPart("muted", joined_sentences(filter(None, hints)))
    heads, languages = _of_sides(page)
    yield from (
        SheetPart("passage", passage.title, passage=passage, heads=heads, languages=languages)
        for passage in passages
    )
    if not page.passage_count:
        yield from _files(evidence, page)
    yield SheetPart("heading", _("The student’s response"))
    yield SheetPart("lines", count=_ANSWER_LINES)
    signed = _("Student: date and signature"), _("Teacher: date and signature")
    yield SheetPart("facts", facts=[("", "", "")], heads=signed)


def _for_student(passage: FacingPassage, side: int, hidden: Callable[[str], str]) -> FacingPassage:
    """Return a passage without decisions, and without the names in the text of the other student."""
    blocks = [
        [replace(block, pieces=[_piece(piece, hide) for piece in block.pieces]) for block in text]
        for text, hide in ((passage.left, hidden if side else str), (passage.right, str if side else hidden))
    ]
    return replace(passage, left=blocks[0], right=blocks[1])


def _piece(piece: TextPiece, hide: Callable[[str], str]) -> TextPiece:
    sentence = piece.sentence and replace(piece.sentence, decision=None, decided="")
    return replace(piece, text=hide(piece.text), words=(), sentence=sentence)


def _of_sides(page: PageView) -> tuple[tuple[str, str], tuple[str, str]]:
    left, right = page.sides
    return (left.name, right.name), (left.language, right.language)


def talk_sheet(
    evidence: Evidence,
    page: PageView,
    passages: Sequence[FacingPassage],
    side: int,
    hidden: Callable[[str], str],
) -> list[SheetPart]:
    """Return the record of the meeting with the student of a side: passages without figures, open questions.

    hidden: replaces what would name the other student in the other text.
    """
    passages = [_for_student(passage, side, hidden) for passage in passages]
    common, facts = evidence.facts, []
    if common.pictures:
        facts.append((_("Common pictures"), pictures_in_words(common.pictures)))
    if common.kinship is not None:
        facts.append((_("Editing ids"), kinship_in_words(common.kinship.shared_ids)))
    heads, languages = _of_sides(page)
    shown = (_("Your text"), _("The other text"))
    parts = [
        SheetPart("title", _("Meeting record")),
        SheetPart("facts", facts=[(_("Your text"), heads[side]), (_("Present"), ""), (_("Date"), "")]),
        SheetPart(
            "text",
            ngettext(
                "The part of your text shown below is similar to another text. There may be many reasons "
                "for this. Please explain how you wrote your text.",
                "The {count} parts of your text shown below are similar to another text. There may be many "
                "reasons for this. Please explain how you wrote your text.",
                len(passages),
            )
            if passages
            else _(
                "Your file and another one have something in common. There may be many reasons for this. "
                "Please explain how you made your file."
            ),
        ),
        *([SheetPart("muted", page.look_alikes_hint)] if passages and page.look_alikes else []),
        *([SheetPart("facts", facts=facts)] if facts else []),
        SheetPart("heading", _("Questions")),
    ]
    questions = (
        _("How did you work on this text: when, where, with which tools?"),
        _("Which sources, notes and drafts did you use? Can you show them?"),
        _("Did you work together with others, or did anyone have your file?"),
    )
    parts += [SheetPart("lines", question, count=_TALK_LINES) for question in questions]
    for number, passage in enumerate(passages, start=1):
        parts += [
            SheetPart("heading", _("Part {number}").format(number=number)),
            SheetPart(
                "passage",
                passage=passage,
                heads=shown if side == 0 else shown[::-1],
                languages=languages,
            ),
            SheetPart("lines", _("How did you write this part?"), count=_TALK_LINES),
        ]
    return [*parts, SheetPart("lines", _("What else would you like to say?"), count=_TALK_LINES)]
