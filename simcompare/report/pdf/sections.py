"""The sections of a report, one after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simcompare import __version__
from simcompare.comparison.comparison_result import Comparison
from simcompare.model.document import BlockKind
from simcompare.report.evidence import Evidence
from simcompare.report.facing_passages import FacingPassage, facing_passages, whole_in_words
from simcompare.report.heat_picture import ticks
from simcompare.report.how_to_read import how_to_read
from simcompare.report.html_sections import PageView, SideView
from simcompare.report.pdf.binding import Bookmark
from simcompare.report.pdf.canvas import Canvas
from simcompare.report.pdf.figures import BitStrip, Gap, HeatPicture, Scale
from simcompare.report.pdf.flow import (
    BODY,
    CONTENT_WIDTH_PT,
    SMALL,
    SMALL_LEADING_PT,
    Cell,
    Line,
    Sheet,
    Strip,
)
from simcompare.report.pdf.full_text import block_lines, block_strips, kind_style, put_matches
from simcompare.report.pdf.judgement import judged
from simcompare.report.pdf.runs import Run, Style, run
from simcompare.report.pdf.typesetting import TextLine
from simcompare.report.print_marks import DECISIONS, DOUBT, MUTED, RULE
from simcompare.report.wording import hamming, named
from simcompare.support.i18n import _

_GUTTER_PT = 22
_HALF_PT = (CONTENT_WIDTH_PT - _GUTTER_PT) / 2
_NAME, _NAME_LEADING_PT = Style(12, is_bold=True), 17
_SHARE, _SHARE_LEADING_PT = Style(20, is_bold=True), 30
_TITLE, _TITLE_LEADING_PT = Style(18, is_bold=True), 26
_DIGITS = Style(8, MUTED, is_fixed=True)
_MOST_HEAT_PT = 230
_LEAST_HEAT_PT = 24
_AXIS = Style(7.5, MUTED)
_AXIS_ROOM_PT = (34, 16)
_MOST_CELL_PT = 16
_SIDE_NAME = Style(8.5, MUTED, is_bold=True)
_KEPT_TOGETHER_PT = 220
_UNDER_TEXT_HEADING_PT = 52
_LEAST_BEGUN_PT = 240
"""So much room a text begins in; a page for each would be mostly empty after short ones."""
_LEGEND_LEFT_PT = 292
_TEXT_SIZE_PT, _PASSAGE_SIZE_PT = 10.5, 9.5
_TEXT_INSET_PT = 18


def put_sections(sheet: Sheet, evidence: Evidence, page: PageView) -> None:
    """Put the whole report on pages."""
    _put_head(sheet, page)
    _put_cards(sheet, evidence.comparison, page)
    _put_matrix(sheet, evidence, page)
    _put_passages(sheet, evidence, page)
    put_matches(sheet, page)
    _put_help(sheet, page)
    _put_made(sheet, evidence, page)
    for side in page.sides:
        _put_text(sheet, side)


def _put_head(sheet: Sheet, page: PageView) -> None:
    sheet.bookmarks.append(Bookmark(_("Comparison of two texts"), 1, sheet.flow.y))
    sheet.paragraph(run(_("Comparison of two texts"), _TITLE), leading_pt=_TITLE_LEADING_PT)
    for side in page.sides:
        if side.doubts:
            doubt = _("A doubt about {file}: {doubts}").format(file=side.name, doubts=side.doubts)
            sheet.paragraph(run(doubt, Style(9.5, DOUBT)), above_pt=6)
    if page.decision or page.note:
        label = run(named(_("Judgement of the pair"), ""), Style(10, MUTED))
        said = judged(page.decision, page.decision_name, page.note, 10)
        undecided = [] if page.decision else [run(_("undecided") + " ", Style(10))]
        sheet.paragraph(label, *undecided, *said, above_pt=8)


def _put_cards(sheet: Sheet, comparison: Comparison, page: PageView) -> None:
    sheet.flow.skip(10)
    cards = [_card(sheet, side) for side in page.sides]
    for left, right in zip(*cards, strict=True):
        sheet.flow.put(Strip([Cell(0, left), Cell(_HALF_PT + _GUTTER_PT, right)], 4))
    distance = named(_("Hamming distance"), hamming(comparison))
    hint = _("Ringed cells are the bits in which the two fingerprints differ.")
    sheet.paragraph(run(distance, Style(9.5, is_bold=True)), run("   " + hint, SMALL), above_pt=6)


def _card(sheet: Sheet, side: SideView) -> list[Sequence[Line]]:
    """Return what is said of a text, in groups that begin at the same height for both."""
    share = [run(side.share, _SHARE), run(f"  {side.net}", Style(9.5, MUTED))]
    return [
        [
            *sheet.lines([run(side.name, _NAME)], _HALF_PT, _NAME_LEADING_PT),
            *sheet.lines([run(side.title, BODY)], _HALF_PT, 14),
            *sheet.lines([run(side.size, SMALL)], _HALF_PT, 14),
        ],
        [
            *sheet.lines(share, _HALF_PT, _SHARE_LEADING_PT),
            *sheet.lines([run(side.share_in_words, SMALL)], _HALF_PT, SMALL_LEADING_PT),
        ],
        [
            BitStrip(side.bits, _HALF_PT),
            *sheet.lines([run(side.fingerprint, _DIGITS)], _HALF_PT, SMALL_LEADING_PT),
        ],
    ]


def _put_matrix(sheet: Sheet, evidence: Evidence, page: PageView) -> None:
    picture = _heat_picture(sheet, evidence.comparison.matrix.shape)
    sheet.heading(_("Comparison matrix"), under_pt=max(picture.height_pt, 150))
    legend: list[Line] = []
    room = CONTENT_WIDTH_PT - _LEGEND_LEFT_PT
    legend += sheet.lines([run(page.heat.in_words, SMALL)], room, SMALL_LEADING_PT)
    legend += sheet.lines(
        [run(_("Down: sentences of the left text. Across: sentences of the right text."), SMALL)],
        room,
        SMALL_LEADING_PT,
    )
    legend += [Gap(8), Scale(room), _scale_words(sheet, room), Gap(10)]
    legend += sheet.lines([run(_("Kinds of matches"), Style(9.5, is_bold=True))], room, 18)
    for kind, name, count in page.kinds:
        runs = [run(name, kind_style(kind, 9.5)), run(f"   {count}", Style(9.5, MUTED))]
        legend += sheet.lines(runs, room, 18)
    for decision, look in page.decisions:
        sign, ink = DECISIONS[decision]
        runs = [run(sign, Style(9.5, ink)), run(look, SMALL)]
        legend += [Gap(4), *sheet.lines(runs, room, SMALL_LEADING_PT)]
    sheet.flow.put(Strip([Cell(0, [picture]), Cell(_LEGEND_LEFT_PT, legend)]))


def _heat_picture(sheet: Sheet, shape: tuple[int, int]) -> HeatPicture:
    """Return the matrix with square cells, or as near to them as a page allows."""
    rows, columns = shape
    cell = min(_MOST_HEAT_PT / columns, _MOST_HEAT_PT / rows, _MOST_CELL_PT)
    size = max(columns * cell, _LEAST_HEAT_PT), max(rows * cell, _LEAST_HEAT_PT)
    labels = [
        [(count, _axis_label(sheet, count)) for count in ticks(amount, round(extent / room))]
        for amount, extent, room in ((rows, size[1], 24), (columns, size[0], 38))
    ]
    return HeatPicture(size, shape, labels[0], labels[1], _AXIS_ROOM_PT)


def _axis_label(sheet: Sheet, count: int) -> TextLine:
    (line,) = sheet.lines([run(f"{count:,}", _AXIS)], 60, 10)
    return line


@dataclass(frozen=True, slots=True)
class _ScaleWords:
    low: TextLine
    high: TextLine
    width_pt: float

    @property
    def height_pt(self) -> float:
        return self.low.height_pt

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        self.low.draw(canvas, x, y)
        self.high.draw(canvas, x + self.width_pt - self.high.width_pt, y)


def _scale_words(sheet: Sheet, width_pt: float) -> _ScaleWords:
    low, high = (
        sheet.lines([run(words, SMALL)], width_pt / 2, SMALL_LEADING_PT)[0]
        for words in (_("nothing in common"), _("all in common"))
    )
    return _ScaleWords(low, high, width_pt)


def _put_passages(sheet: Sheet, evidence: Evidence, page: PageView) -> None:
    """Put what either text has of each passage side by side."""
    count = len(evidence.comparison.passages)
    if not count:
        return
    sheet.heading(_("Passages"), f"{count:,}", under_pt=110)
    passages = list(facing_passages(evidence, page))
    for passage in passages:
        if passage.is_whole:
            sheet.paragraph(run(whole_in_words(passage), BODY))
    facing = [passage for passage in passages if not passage.is_whole]
    if facing:
        _put_facing(sheet, page, facing)


def _put_facing(sheet: Sheet, page: PageView, passages: Sequence[FacingPassage]) -> None:
    names = [sheet.lines([run(side.name, _SIDE_NAME)], _HALF_PT, 14) for side in page.sides]
    sheet.flow.under([_beside(*names)])
    for passage in passages:
        title = _("Passage {number}").format(number=passage.number)
        columns = [
            block_lines(sheet, side, blocks, _HALF_PT, _PASSAGE_SIZE_PT)
            for side, blocks in zip(page.sides, (passage.left, passage.right), strict=True)
        ]
        head = Strip([Cell(0, sheet.lines([run(title, SMALL)], CONTENT_WIDTH_PT, 16))], 8, RULE)
        sheet.flow.put(head, _beside(*columns), together_pt=_KEPT_TOGETHER_PT)
    sheet.flow.under(())


def _beside(left: Sequence[Line], right: Sequence[Line]) -> Strip:
    return Strip([Cell(0, left), Cell(_HALF_PT + _GUTTER_PT, right)])


def _put_help(sheet: Sheet, page: PageView) -> None:
    sheet.heading(_("How to read this"))
    sheet.facts((name, run(meaning, BODY)) for name, meaning in how_to_read(page))


def _put_made(sheet: Sheet, evidence: Evidence, page: PageView) -> None:
    sheet.heading(_("How this was made"))
    made = _("Made by simcompare {version} on {date}.")
    date = evidence.made_at.strftime("%Y-%m-%d %H:%M")
    sheet.paragraph(run(made.format(version=__version__, date=date), SMALL))
    sheet.flow.skip(4)
    sheet.facts((name, run(fact, BODY)) for name, fact in page.facts)
    for side in page.sides:
        sheet.flow.skip(10)
        sheet.flow.keep(110)
        sheet.facts(_receipt(side))


def _receipt(side: SideView) -> Iterator[tuple[str, Run]]:
    """Yield what is known of a file, each with its label."""
    yield side.place, run(side.name, Style(9.5, is_bold=True))
    if side.sha256:
        yield _("Size"), run(side.file_size, BODY)
        yield _("SHA-256"), run(side.sha256, _DIGITS)
    yield _("Read"), run(side.receipt, BODY)
    yield _("Left out"), run("\n".join(side.dropped), BODY)
    yield _("Excluded"), run(side.excluded, BODY)
    if side.doubts:
        yield _("To be checked"), run(side.doubts, Style(9.5, DOUBT))
    if side.notes:
        yield _("Worth knowing"), run(side.notes, BODY)
    for name, fact in side.origin:
        yield name, run(fact, BODY)


def _put_text(sheet: Sheet, side: SideView) -> None:
    sheet.heading(side.name, side.size, under_pt=_LEAST_BEGUN_PT)
    width = CONTENT_WIDTH_PT - 2 * _TEXT_INSET_PT
    for block, strip in zip(
        side.blocks, block_strips(sheet, side, side.blocks, width, _TEXT_SIZE_PT), strict=True
    ):
        if block.kind in {BlockKind.TITLE, BlockKind.HEADING}:
            sheet.flow.keep(strip.height_pt + _UNDER_TEXT_HEADING_PT)
        sheet.flow.put(strip)
