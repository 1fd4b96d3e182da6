"""State shared by the walkers over a document, and their results."""

from collections.abc import Callable
from dataclasses import dataclass, field

from lxml import etree

from simcompare.loading.extraction import Piece
from simcompare.loading.formats.docx.docx_fields import DocxField
from simcompare.loading.formats.docx.docx_numbering import DocxNumbering
from simcompare.loading.formats.docx.docx_styles import DocxStyles
from simcompare.loading.shared.visibility import WHITE, ColourOrUnknown, TextAppearance
from simcompare.model.receipt import DropReason


@dataclass(frozen=True, slots=True)
class DocxPiece:
    """A piece, and whether it may be a table of contents entry: by style or by position.

    `field` is the contents field around it, if any.
    """

    piece: Piece
    styled_as_contents: bool = False
    part_of_contents: bool = False
    field: DocxField | None = None


@dataclass(frozen=True, slots=True)
class DocxDroppedText:
    """Dropped text, and the number of pieces before it."""

    reason: DropReason
    text: str
    pieces_before: int


@dataclass(frozen=True, slots=True)
class DocxContext:
    """Inherited context of the text at a position; with `hidden_reason` all of it is hidden."""

    appearance: TextAppearance
    background: ColourOrUnknown
    contents: bool = False
    references: bool = False
    hidden_reason: DropReason | None = None


@dataclass(slots=True)
class DocxState:
    """State shared by all walkers over a document.

    `open_part` reads a part that an element refers to; `page_twips` is the width of the widest page;
    `background` is that of the page, `unfilled_box_background` that of text boxes without a fill.
    Collected during the walk: referenced notes by kind and id, inline notes (Word 2003), and the number
    of pictures large enough for text.
    """

    styles: DocxStyles
    numbering: DocxNumbering
    open_part: Callable[[etree._Element], list[Piece]]
    page_twips: int
    background: ColourOrUnknown = WHITE
    unfilled_box_background: ColourOrUnknown = WHITE
    notes: dict[tuple[str, str], None] = field(default_factory=dict)
    notes_within: list[etree._Element] = field(default_factory=list)
    large_pictures: int = 0
