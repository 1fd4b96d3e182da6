"""The texts of the documents with their matches numbered and marked, as strips."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from simcompare.document import BlockKind
from simcompare.report.page import SideView
from simcompare.report.paper import DECISIONS, KINDS, MOST_NUMBERS, MUTED, RULE, ends_excluded
from simcompare.report.pdf.figures import Gap
from simcompare.report.pdf.flow import Cell, Line, Strip
from simcompare.report.pdf.runs import Run, Style, run
from simcompare.report.pdf.sheet import Sheet
from simcompare.report.pieces import BlockPieces, SentenceLook, TextPiece
from simcompare.session.review import Decision

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


def _numbers(sentence: SentenceLook, base: Style) -> Iterator[Run]:
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


def _sentence_style(sentence: SentenceLook, base: Style) -> Style:
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
