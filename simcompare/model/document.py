"""Shared immutable data types of a document after loading."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.model.receipt import ExtractionReceipt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range [start, end) of code points in `Document.text`."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the characters of `text` that the span covers."""
        return text[self.start : self.end]


class BlockKind(StrEnum):
    """Role of a block in its document."""

    TITLE = "title"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    QUOTATION = "quotation"
    FOOTNOTE = "footnote"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Position of a block in its file, counted from 1 as a reader counts.

    `page` is None for formats without fixed pages (DOCX, HTML, text).
    """

    paragraph: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, list item, table row or note: a line of `Document.text`."""

    kind: BlockKind
    span: Span
    anchor: Anchor


@dataclass(frozen=True, slots=True, eq=False)
class CharacterBoxes:
    """Positions of the characters of a text on their pages, for highlights in the file itself.

    pages: shape (n,), from 1, 0 for a character that is not on a page (a line end); boxes: shape (n, 4),
    x0, y0, x1, y1 in points of the unrotated page, as in an annotation's rectangle (PDF user space), NaN
    where pages is 0.
    """

    pages: "NDArray[np.int32]"
    boxes: "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class Document:
    r"""A file as text.

    `text` is the text that a reader sees, NFC with `\n` line ends; every block is one line of it, and every
    offset in the program is an offset into it, in code points. `character_boxes` has a row for each code
    point if the format has pages and positions. `sha256` and `size_bytes` describe the file; "" and 0 if the
    file must not be identifiable.
    """

    path: Path
    title: str
    text: str = field(repr=False)
    blocks: tuple[Block, ...] = field(repr=False)
    receipt: ExtractionReceipt
    sha256: str
    size_bytes: int
    character_boxes: CharacterBoxes | None = field(default=None, repr=False, compare=False)


def join_blocks(pieces: Sequence[tuple[BlockKind, str, Anchor]]) -> tuple[str, tuple[Block, ...]]:
    """Join the texts of blocks into one text, a line each, and compute the span of every block.

    Pieces must not contain line ends or be blank; loaders clean them first.
    """
    blocks: list[Block] = []
    start = 0
    for kind, piece, anchor in pieces:
        blocks.append(Block(kind, Span(start, start + len(piece)), anchor))
        start += len(piece) + 1
    return "\n".join(piece for _, piece, _ in pieces), tuple(blocks)
