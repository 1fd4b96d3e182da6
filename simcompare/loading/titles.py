"""Which line of a word processor's document is its title."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from simcompare.document import BlockKind
from simcompare.loading.extraction import Piece, clean_pieces, looks_like_title, opening_title

# A title stands among the first lines, below a name or a class at most.
_TITLE_AMONG = 4
_FAR_BIGGER = 1.3


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph as the eye first meets it."""

    text: str
    half_points: float
    bold: bool
    centred: bool


def title_of(
    pieces: Sequence[Piece], lines: Iterable[Line], body_half_points: float, core_title: str
) -> str | None:
    """Title style, else the line that stands out, the first heading, the property, the opening line.

    The last is what a plain text of the same words has as title. A line that stands out goes before a
    heading only where it stands above it; the property counts only where the text has a line that reads so.
    `lines` are the paragraphs from the first that has text.
    """
    for piece in pieces:
        if piece.kind is BlockKind.TITLE:
            return piece.text
    heading = next((piece.text for piece in pieces if piece.kind is BlockKind.HEADING), None)
    outstanding = _outstanding(islice(lines, _TITLE_AMONG), body_half_points, heading)
    if outstanding or heading:
        return outstanding or heading
    if any(piece.text == core_title for piece in pieces):
        return core_title
    seen = clean_pieces(pieces)
    return opening_title(seen) if seen and seen[0].kind is BlockKind.PARAGRAPH else None


def _outstanding(lines: Iterable[Line], body: float, heading: str | None) -> str | None:
    """Return the biggest of the first lines that are centred and bold or big, or far bigger than the body."""
    best, best_score = None, 0.0
    for line in lines:
        if line.text == heading:
            break
        stands_out = line.half_points >= _FAR_BIGGER * body or (
            line.centred and (line.bold or line.half_points > body)
        )
        score = line.half_points + line.bold + line.centred
        if stands_out and looks_like_title(line.text) and score > best_score:
            best, best_score = line.text, score
    return best
