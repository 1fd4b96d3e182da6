"""The texts of the documents with their matches numbered and marked, as strips."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from simcompare.model.document import BlockKind
from simcompare.report.html_sections import MatchView, PageView, SideView
from simcompare.report.pdf.figures import Gap
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
from simcompare.report.pdf.judgement import judged
from simcompare.report.pdf.runs import Run, Style, run
from simcompare.report.print_marks import DECISIONS, KINDS, MOST_NUMBERS, MUTED, RULE, ends_excluded
from simcompare.report.text_pieces import BlockPieces, MatchedSentence, SharedPiece, TextPiece
from simcompare.session.decisions import Decision
from simcompare.support.i18n import _

_LEADING = 1.65
_BETWEEN_BLOCKS = 0.4
_SPACE = "\N{NO-BREAK SPACE}"
# keeps a number on the line of its sentence, takes no room to speak of; every font has it
_NO_BREAK = Run(_SPACE, Style(0.5, colour=""))
_SMALL_KINDS = frozenset({BlockKind.FOOTNOTE, BlockKind.REFERENCE, BlockKind.TABLE_ROW})
_INSET_KINDS = frozenset({BlockKind.LIST_ITEM, BlockKind.QUOTATION})
_INSET_PT = 14
_NUMBER_SHARE, _RISE_SHARE, _SIGN_SHARE = 0.65, 0.38, 0.9


def block_strips(
    sheet: Sheet, side: SideView, blocks: Sequence[BlockPieces], width_pt: float, size_pt: float
) -> Iterator[Strip]:
    """Yield a strip a block; links lead to its sentences."""
    for block in blocks:
        inset = _INSET_PT if block.kind in _INSET_KINDS else 0
        size = size_pt * 0.88 if block.kind in _SMALL_KINDS else size_pt
        is_bold = block.kind in {BlockKind.TITLE, BlockKind.HEADING}
        base = Style(size * 1.15 if block.kind is BlockKind.TITLE else size, is_bold=is_bold)
        lines = sheet.lines(
            list(_runs(side, block.pieces, base, places=True)),
            width_pt - inset,
            base.size_pt * _LEADING,
            language=side.language,
            indent_pt=_indent_pt(side, block.kind, size),
            is_centred=block.kind is BlockKind.TITLE,
        )
        bullet = sheet.lines([run("•", base)], _INSET_PT, base.size_pt * _LEADING)
        cells = [Cell(0, bullet)] if block.kind is BlockKind.LIST_ITEM else []
        yield Strip([*cells, Cell(inset, lines)], size * 0.5)


def block_lines(
    sheet: Sheet, side: SideView, blocks: Sequence[BlockPieces], width_pt: float, size_pt: float
) -> list[Line]:
    """Return the lines of blocks below each other, for a narrow column."""
    lines: list[Line] = []
    for block in blocks:
        if lines:
            lines.append(Gap(size_pt * _BETWEEN_BLOCKS))
        style = Style(size_pt, is_bold=block.kind in {BlockKind.TITLE, BlockKind.HEADING})
        runs = list(_runs(side, block.pieces, style, places=False))
        lines += sheet.lines(
            runs,
            width_pt,
            size_pt * _LEADING,
            language=side.language,
            indent_pt=_indent_pt(side, block.kind, size_pt),
        )
    return lines


def _indent_pt(side: SideView, kind: BlockKind, size_pt: float) -> float:
    """Return how far the first line is indented: two characters in Chinese."""
    return 2 * size_pt if side.language == "zh" and kind is BlockKind.PARAGRAPH else 0


def _runs(side: SideView, pieces: Sequence[TextPiece], base: Style, *, places: bool) -> Iterator[Run]:
    for at, piece in enumerate(pieces):
        if piece.sentence is not None:
            yield run(
                piece.text,
                _sentence_style(piece.sentence, base),
                place=f"{side.letter}{piece.sentence.number}" if places else "",
            )
            yield from _numbers(piece.sentence, base)
        elif piece.excluded:
            yield run(piece.text, _recoloured(base, MUTED))
            if ends_excluded(pieces, at):
                yield Run(f"{_SPACE}[{piece.excluded}]", _raised(base, MUTED))
        else:
            yield run(piece.text, base)


def _numbers(sentence: MatchedSentence, base: Style) -> Iterator[Run]:
    is_fine = sentence.decision is Decision.FINE
    style = _raised(base, MUTED if is_fine else KINDS[sentence.kind].ink)
    yield _NO_BREAK
    if sentence.decision is not None:
        sign, ink = DECISIONS[sentence.decision]
        yield Run(sign.strip(), Style(base.size_pt * _SIGN_SHARE, MUTED if is_fine else ink))
    for count, link in enumerate(sentence.links[:MOST_NUMBERS]):
        yield Run(f"{_SPACE if count else ''}{link.match}", style, f"m{link.match}")
    rest = len(sentence.links) - MOST_NUMBERS
    if rest > 0:
        yield Run(f"{_SPACE}+{rest}", style, f"m{sentence.links[MOST_NUMBERS].match}")


def _sentence_style(sentence: MatchedSentence, base: Style) -> Style:
    """Return how a sentence is marked: faint where it was judged as fine."""
    if sentence.decision is not Decision.FINE:
        return kind_style(sentence.kind, base.size_pt, is_bold=base.is_bold)
    pattern = KINDS[sentence.kind].pattern
    return replace(_recoloured(base, MUTED), underline=pattern, underline_colour=RULE)


def kind_style(kind: str, size_pt: float, *, is_bold: bool = False) -> Style:
    """Return how sentences of a kind are marked."""
    look = KINDS[kind]
    return Style(
        size_pt,
        is_bold=is_bold,
        tint=look.tint,
        underline=look.pattern,
        underline_colour=look.line,
    )


def _recoloured(base: Style, colour: str) -> Style:
    return Style(base.size_pt, colour, base.is_bold)


def _raised(base: Style, colour: str) -> Style:
    return Style(base.size_pt * _NUMBER_SHARE, colour, rise_pt=base.size_pt * _RISE_SHARE)


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
