"""Word documents (.docx, .docm, .dotx), transitional and strict."""

from collections.abc import Iterator

from lxml import etree

from simcompare.document import BlockKind
from simcompare.loading.docx.parts import Package, attribute, local_name
from simcompare.loading.docx.styles import Styles
from simcompare.loading.docx.walk import Walk, written_text
from simcompare.loading.extraction import (
    Extraction,
    Piece,
    Source,
    clean,
    clean_pieces,
    looks_like_title,
)
from simcompare.loading.left_out import LeftOut
from simcompare.loading.options import ReadingOptions
from simcompare.receipt import DropReason

_LEFT_OUT_PARTS = {
    "header": DropReason.PAGE_HEADER,
    "footer": DropReason.PAGE_FOOTER,
    "comments": DropReason.COMMENT,
}
# A title stands among the first lines, below a name or a class at most.
_TITLE_AMONG = 4


def read_docx(source: Source, _options: ReadingOptions) -> Extraction:
    """Read the body with its tables and text boxes, then footnotes and endnotes."""
    with Package(source.path, source.data) as package:
        styles = Styles(package.related("styles"))
        left_out = LeftOut()
        walk = Walk(styles, left_out)
        walk.blocks(package.main())
        notes = Walk(styles, left_out)
        for root in (*package.related("footnotes"), *package.related("endnotes")):
            for note in _notes(root):
                notes.blocks(note)
        pieces = clean_pieces([*walk.pieces, *(Piece(BlockKind.FOOTNOTE, p.text) for p in notes.pieces)])
        for kind, reason in _LEFT_OUT_PARTS.items():
            for part in package.related(kind):
                left_out.add(reason, written_text(part))
        title = _title(pieces, walk, styles, clean(package.core_title() or ""))
    return Extraction("docx", pieces, title, dropped=left_out.dropped(), flags=left_out.flags())


def _notes(root: etree._Element) -> Iterator[etree._Element]:
    """Yield the notes themselves; those with a type are the lines that separate them from the text."""
    for note in root:
        if local_name(note) in {"footnote", "endnote"} and attribute(note, "type") in {None, "normal"}:
            yield note


def _title(pieces: list[Piece], walk: Walk, styles: Styles, core_title: str) -> str | None:
    """Title style, else the line that stands out, else the first heading, else the property.

    A line that stands out goes before a heading only where it stands above it.
    """
    for piece in pieces:
        if piece.kind is BlockKind.TITLE:
            return piece.text
    heading = next((piece.text for piece in pieces if piece.kind is BlockKind.HEADING), None)
    outstanding = _outstanding(walk, styles, heading)
    if outstanding or heading:
        return outstanding or heading
    texts = {piece.text for piece in pieces}
    return core_title if core_title in texts else None


def _outstanding(walk: Walk, styles: Styles, heading: str | None) -> str | None:
    """Return the biggest of the first lines that are centred and bold or big, or far bigger than the body."""
    body = styles.body_half_points()
    best, best_score = None, 0.0
    visible = [(text, paragraph) for text, paragraph in walk.first_paragraphs if text][:_TITLE_AMONG]
    for text, paragraph in visible:
        if text == heading:
            break
        look = styles.look(paragraph)
        stands_out = look.half_points >= 1.3 * body or (
            look.centred and (look.bold or look.half_points > body)
        )
        score = look.half_points + look.bold + look.centred
        if stands_out and looks_like_title(text) and score > best_score:
            best, best_score = text, score
    return best
