"""What the walks over the parts of a Word document share, and what they find."""

from collections.abc import Callable
from dataclasses import dataclass, field

from lxml import etree

from simcompare.loading.extraction import Piece
from simcompare.loading.formats.docx.docx_fields import Field
from simcompare.loading.formats.docx.docx_numbering import Numbering
from simcompare.loading.formats.docx.docx_styles import Styles
from simcompare.loading.shared.visibility import WHITE, Hue, Ink
from simcompare.model.receipt import DropReason


@dataclass(frozen=True, slots=True)
class Found:
    """A piece, and whether it may be an entry of a table of contents: by its style, or as part of one.

    `field` is the field that says so, if one does.
    """

    piece: Piece
    styled_as_contents: bool = False
    part_of_contents: bool = False
    field: Field | None = None


@dataclass(frozen=True, slots=True)
class Unseen:
    """Text that is left out, and how many pieces stand before it."""

    reason: DropReason
    text: str
    pieces_before: int


@dataclass(frozen=True, slots=True)
class Around:
    """What the text at a place stands in; `unseen` is why nothing of it is seen."""

    ink: Ink
    ground: Hue
    contents: bool = False
    references: bool = False
    unseen: DropReason | None = None


@dataclass(slots=True)
class Story:
    """What all walks over a document share.

    `open_part` reads a part that an element names; `page_twips` is the width of the widest page, `ground`
    the paper, `ground_of_open_boxes` what lies behind a text box that has no ground of its own. The rest is
    gathered on the way: the notes that the text refers to, by kind and id; those that stand in it; pictures
    that are large enough for text.
    """

    styles: Styles
    numbering: Numbering
    open_part: Callable[[etree._Element], list[Piece]]
    page_twips: int
    ground: Hue = WHITE
    ground_of_open_boxes: Hue = WHITE
    notes: dict[tuple[str, str], None] = field(default_factory=dict)
    notes_within: list[etree._Element] = field(default_factory=list)
    large_pictures: int = 0
