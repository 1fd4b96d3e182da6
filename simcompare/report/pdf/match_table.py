"""The table of matches: a row for each, with both sentences, the reasons, and what a teacher decided."""

from collections.abc import Iterator, Sequence

from simcompare.i18n import _
from simcompare.report.page import MatchView, PageView, SideView
from simcompare.report.paper import KINDS, MUTED, RULE
from simcompare.report.pdf.flow import CONTENT_WIDTH_PT, Cell, Strip
from simcompare.report.pdf.full_text import kind_style
from simcompare.report.pdf.judgement import judged
from simcompare.report.pdf.runs import Run, Style, run
from simcompare.report.pdf.sheet import BODY, SMALL, SMALL_LEADING_PT, Sheet
from simcompare.report.pieces import SharedPiece

_KIND_PT, _P_PT, _W_PT, _LABEL_PT, _SENTENCE_PT = 30, 84, 112, 140, 184
_SENTENCE_WIDTH_PT = CONTENT_WIDTH_PT - _SENTENCE_PT
_ROW = Style(9)
_LEADING_PT = 14
_HEAD = Style(8.5, MUTED, is_bold=True)
_SYNONYM = KINDS["synonym"]
_KEPT_TOGETHER_PT = 300


def put_matches(sheet: Sheet, page: PageView) -> None:
    """Put the table, or the sentence that there is nothing to put into it."""
    detail = " · ".join(part for part in (page.matches_count, page.decided) if part)
    sheet.heading(_("Matches"), detail, under_pt=120)
    if not page.matches:
        sheet.paragraph(run(_("No two sentences are similar under these thresholds."), BODY))
        return
    sheet.paragraph(*_key(), leading_pt=SMALL_LEADING_PT)
    sheet.flow.skip(6)
    sheet.flow.under([_head(sheet)])
    for match in page.matches:
        sheet.flow.put(*_row(sheet, page.sides, match), together_pt=_KEPT_TOGETHER_PT)
    sheet.flow.under(())
    if page.matches_not_listed:
        sheet.paragraph(run(page.matches_not_listed, SMALL), leading_pt=SMALL_LEADING_PT, above_pt=8)


def _key() -> list[Run]:
    common = Style(8.5, is_bold=True)
    return [
        run(_("in both sentences, in order"), common),
        run(" · ", SMALL),
        run(_("paired as synonyms"), _paired(Style(8.5))),
    ]


def _head(sheet: Sheet) -> Strip:
    names = (
        (0, _("No.")),
        (_KIND_PT, _("Kind")),
        (_P_PT, "P"),
        (_W_PT, "w"),
        (_LABEL_PT, _("The two sentences, and why they match")),
    )
    return Strip([Cell(at, sheet.lines([run(name, _HEAD)], 320, 16)) for at, name in names])


def _row(sheet: Sheet, sides: Sequence[SideView], match: MatchView) -> Iterator[Strip]:
    """Yield the strips of a row: a sentence each, the reasons, the judgement."""
    figures = (
        (0, [run(f"{match.number:,}", Style(9, is_bold=True), place=f"m{match.number}")]),
        (_KIND_PT, [run(match.kind_name, kind_style(match.kind, 8.5))]),
        (_P_PT, [run(match.p, _ROW)]),
        (_W_PT, [run(match.w, _ROW)]),
    )
    first = [Cell(at, sheet.lines(runs, 80, _LEADING_PT)) for at, runs in figures]
    left, right = sides
    yield Strip([*first, *_sentence(sheet, left, _("left"), match.left, match.left_pieces)], 9, RULE)
    yield Strip(_sentence(sheet, right, _("right"), match.right, match.right_pieces), 2)
    yield _beneath(sheet, [run(" ".join(match.reasons), SMALL)], SMALL_LEADING_PT)
    if said := judged(match.decision, match.decision_name, match.note, 9):
        yield _beneath(sheet, said, _LEADING_PT)


def _sentence(
    sheet: Sheet, side: SideView, word: str, number: int, pieces: Sequence[SharedPiece]
) -> list[Cell]:
    label = [run(f"{word} {number}", Style(8, MUTED), link=f"{side.letter}{number}")]
    runs = [run(piece.text, _shared(piece)) for piece in pieces]
    return [
        Cell(_LABEL_PT, sheet.lines(label, _SENTENCE_PT - _LABEL_PT, _LEADING_PT)),
        Cell(_SENTENCE_PT, sheet.lines(runs, _SENTENCE_WIDTH_PT, _LEADING_PT, language=side.language)),
    ]


def _beneath(sheet: Sheet, runs: Sequence[Run], leading_pt: float) -> Strip:
    return Strip([Cell(_SENTENCE_PT, sheet.lines(runs, _SENTENCE_WIDTH_PT, leading_pt))], 2)


def _shared(piece: SharedPiece) -> Style:
    style = _COMMON if piece.is_common else _ROW
    return _paired(style) if piece.is_synonym else style


_COMMON = Style(9, is_bold=True)


def _paired(style: Style) -> Style:
    return Style(
        style.size_pt,
        _SYNONYM.ink,
        style.is_bold,
        underline=_SYNONYM.pattern,
        underline_colour=_SYNONYM.line,
    )
