"""Passages in the Word report: both sides beside each other, and their marks in the full texts."""

from collections.abc import Iterator, Sequence

from simcompare.model.document import BlockKind
from simcompare.report.facing_passages import (
    FacingPassage,
    PassageMark,
    PassageRun,
    SharedWords,
    remarks_on_passages,
)
from simcompare.report.html_sections import PageView, SideView
from simcompare.report.text_pieces import DECISIONS, BlockPieces, SharedPiece, TextPiece, ends_excluded
from simcompare.report.word.word_markup import (
    CONTENT_TWIPS,
    HALF_TWIPS,
    Bookmarks,
    cell,
    link,
    paragraph,
    row,
    run,
    table,
)
from simcompare.report.word.word_styles import (
    AROUND_STYLES,
    FINE_NUMBER_STYLE,
    FINE_STYLE,
    MATCH_STYLES,
    NUMBER_STYLES,
    SIGN_STYLES,
)
from simcompare.session.decisions import Decision
from simcompare.support.i18n import _

_STYLES = {
    BlockKind.TITLE: "TextTitle",
    BlockKind.HEADING: "TextHeading",
    BlockKind.LIST_ITEM: "TextInset",
    BlockKind.QUOTATION: "TextInset",
    BlockKind.FOOTNOTE: "TextSmall",
    BlockKind.REFERENCE: "TextSmall",
    BlockKind.TABLE_ROW: "TextSmall",
}


def _are_facing(passages: Sequence[FacingPassage]) -> list[FacingPassage]:
    return [passage for passage in passages if not (passage.is_whole or passage.is_single)]


def passages_side_by_side(
    page: PageView, passages: Sequence[FacingPassage], bookmarks: Bookmarks
) -> Iterator[str]:
    """Yield a table with both sides of each passage; passages shown elsewhere have a remark before it."""
    for remark in remarks_on_passages(passages):
        yield paragraph("Normal", run(remark))
    facing = _are_facing(passages)
    if facing:
        yield table((HALF_TWIPS, HALF_TWIPS), _rows(page, facing, bookmarks), _("Passages"))


def _rows(page: PageView, passages: Sequence[FacingPassage], bookmarks: Bookmarks) -> Iterator[str]:
    words = SharedWords(page.matches)
    yield row((cell(paragraph("SmallHead", run(side.name)), HALF_TWIPS) for side in page.sides), is_head=True)
    for passage in passages:
        title = bookmarks.at(f"p{passage.number}", link(run(passage.title), f"l{passage.number}"))
        yield row([cell(paragraph("SmallHead", title), CONTENT_TWIPS, span=2, top=True)])
        texts = zip(page.sides, (passage.left, passage.right), strict=True)
        yield row(
            (
                cell("".join(_excerpts(side, passage.kind, blocks, words)), HALF_TWIPS)
                for side, blocks in texts
            ),
            is_whole=False,
        )


def _excerpts(side: SideView, kind: str, blocks: Sequence[BlockPieces], words: SharedWords) -> Iterator[str]:
    """Yield the parts of the blocks of a text that are in a passage, with the words in common bold."""
    for block in blocks:
        runs = (
            part
            for at, piece in enumerate(block.pieces)
            for part in _marked(
                block.pieces, at, kind, words.of(side, piece) if piece.sentence is not None else ()
            )
        )
        yield paragraph("Passage", _bullet(block.kind), *runs)


def full_text(
    side: SideView,
    runs: Sequence[Sequence[PassageRun]],
    passages: Sequence[FacingPassage],
    bookmarks: Bookmarks,
) -> Iterator[str]:
    """Yield a paragraph for each block of a text, with the number of each passage before its beginning.

    A number links to the passage side by side, or to its beginning in the other text.
    """
    facing = {passage.number for passage in _are_facing(passages)}
    plain = "TextChinese" if side.language == "zh" else "Text"
    for block, parts in zip(side.blocks, runs, strict=True):
        shown = (piece for part in parts for piece in _run(side, part, facing, bookmarks))
        yield paragraph(_STYLES.get(block.kind, plain), _bullet(block.kind), *shown)


def _bullet(kind: BlockKind) -> str:
    return run("• ") if kind is BlockKind.LIST_ITEM else ""


def _run(side: SideView, part: PassageRun, facing: set[int], bookmarks: Bookmarks) -> Iterator[str]:
    for passage in part.starting:
        yield from _sign(passage.decision)
        style = FINE_NUMBER_STYLE if passage.decision is Decision.FINE else NUMBER_STYLES[passage.kind]
        place = f"p{passage.number}" if passage.number in facing else f"{side.partner_letter}{passage.number}"
        number = link(run(f"{passage.number:,}", style), place)
        yield bookmarks.at(f"{side.letter}{passage.number}", number)
    kind = _kind_of(part.passage)
    for at in range(len(part.pieces)):
        yield from _marked(part.pieces, at, kind)


def _kind_of(passage: PassageMark | None) -> str:
    return "" if passage is None or passage.decision is Decision.FINE else passage.kind


def _marked(
    pieces: Sequence[TextPiece], at: int, kind: str, words: Sequence[SharedPiece] = ()
) -> Iterator[str]:
    """Yield a piece of text, marked by the kind of the passage around it; `words`: its parts if known."""
    piece = pieces[at]
    # also if it is matched: what is a quotation in one text only counts in the other
    if piece.excluded:
        yield run(piece.text, "Excluded")
        if ends_excluded(pieces, at):
            yield run(f" [{piece.excluded}]", "ExcludedWhy")
    elif piece.sentence is not None:
        if piece.sentence.decision is Decision.FINE:
            yield run(piece.text, FINE_STYLE)
        else:
            style = MATCH_STYLES[kind or piece.sentence.kind]
            for word in words or (SharedPiece(piece.text, False, False),):
                yield run(word.text, style, "<w:b/>" if word.is_common else "")
        yield from _sign(piece.sentence.decision)
    else:
        yield run(piece.text, AROUND_STYLES[kind] if kind else "")


def _sign(decision: Decision | None) -> Iterator[str]:
    if decision is not None:
        yield run(DECISIONS[decision][0].strip(), SIGN_STYLES[decision])
