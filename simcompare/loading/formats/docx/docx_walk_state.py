"""What the walks over the parts of a Word document share, and what they find."""

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
    """A piece, and whether it may be an entry of a table of contents: by its style, or as part of one.

    `field` is the field that says so, if one does.
    """

    piece: Piece
    styled_as_contents: bool = False
    part_of_contents: bool = False
    field: DocxField | None = None


@dataclass(frozen=True, slots=True)
class DocxDroppedText:
    """Text that is left out, and how many pieces stand before it."""

    reason: DropReason
    text: str
    pieces_before: int


@dataclass(frozen=True, slots=True)
class DocxContext:
    """What the text at a place stands in; `hidden_reason` is why nothing of it is seen."""

    appearance: TextAppearance
    background: ColourOrUnknown
    contents: bool = False
    references: bool = False
    hidden_reason: DropReason | None = None


@dataclass(slots=True)
class DocxState:
    """What all walks over a document share.

    `open_part` reads a part that an element names; `page_twips` is the width of the widest page, `background`
    the paper, `unfilled_box_background` what lies behind a text box that has no ground of its own. The rest is
    gathered on the way: the notes that the text refers to, by kind and id; those that stand in it; pictures
    that are large enough for text.
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
