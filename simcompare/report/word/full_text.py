"""The texts of the documents with their matches numbered and marked."""

from collections.abc import Iterator, Sequence

from simcompare.document import BlockKind
from simcompare.report.page import SideView
from simcompare.report.paper import DECISIONS, MOST_NUMBERS, ends_excluded
from simcompare.report.pieces import BlockPieces, SentenceLook, TextPiece
from simcompare.report.word.markup import Bookmarks, link, paragraph, run
from simcompare.report.word.styles import FINE_STYLE, MATCH_STYLES, NUMBER_STYLES, SIGN_STYLES
from simcompare.session.review import Decision

_STYLES = {
    BlockKind.TITLE: "TextTitle",
    BlockKind.HEADING: "TextHeading",
    BlockKind.LIST_ITEM: "TextInset",
    BlockKind.QUOTATION: "TextInset",
    BlockKind.FOOTNOTE: "TextSmall",
    BlockKind.REFERENCE: "TextSmall",
    BlockKind.TABLE_ROW: "TextSmall",
}


def text_paragraphs(
    side: SideView, blocks: Sequence[BlockPieces], bookmarks: Bookmarks | None = None
) -> Iterator[str]:
    """Yield a paragraph a block. With `bookmarks` this is the text that links lead to, else a part of it."""
    plain = "TextChinese" if side.language == "zh" else "Text"
    for block in blocks:
        style = _STYLES.get(block.kind, plain) if bookmarks else "Passage"
        bullet = run("• ") if block.kind is BlockKind.LIST_ITEM else ""
        yield paragraph(style, bullet, *_runs(side, block.pieces, bookmarks))


def _runs(side: SideView, pieces: Sequence[TextPiece], bookmarks: Bookmarks | None) -> Iterator[str]:
    for at, piece in enumerate(pieces):
        if piece.sentence is not None:
            is_fine = piece.sentence.decision is Decision.FINE
            marked = run(piece.text, FINE_STYLE if is_fine else MATCH_STYLES[piece.sentence.kind])
            yield bookmarks.at(f"{side.letter}{piece.sentence.number}", marked) if bookmarks else marked
            yield from _numbers(piece.sentence)
        elif piece.excluded:
            yield run(piece.text, "Excluded")
            if ends_excluded(pieces, at):
                yield run(f" [{piece.excluded}]", "ExcludedWhy")
        else:
            yield run(piece.text)


def _numbers(sentence: SentenceLook) -> Iterator[str]:
    style = NUMBER_STYLES[sentence.kind]
    if sentence.decision is not None:
        yield run(DECISIONS[sentence.decision][0].strip(), SIGN_STYLES[sentence.decision])
    for count, found in enumerate(sentence.links[:MOST_NUMBERS]):
        yield link(run(f"{' ' if count else ''}{found.match}", style), f"m{found.match}")
    rest = len(sentence.links) - MOST_NUMBERS
    if rest > 0:
        yield link(run(f" +{rest}", style), f"m{sentence.links[MOST_NUMBERS].match}")
