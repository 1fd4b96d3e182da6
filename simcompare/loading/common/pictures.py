"""Pictures that may hold the text of a document, as a photographed page does."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from simcompare.errors import NoTextError
from simcompare.loading.extraction import Piece, visible_length
from simcompare.receipt import Flag, FlagName

# Six centimetres; a smaller picture is a logo, a face or a drawing.
LARGE_TWIPS = 3402
# Fewer characters beside large pictures are a name and a class: the text is in the pictures.
_FEWEST_BESIDE_PICTURES = 40


def flags_of_pictures(path: Path, large_pictures: int, pieces: Sequence[Piece]) -> Iterator[Flag]:
    """Tell of large pictures; NoTextError where there is nothing else."""
    if not large_pictures:
        return
    characters = sum(visible_length(piece.text) for piece in pieces)
    if not characters:
        raise NoTextError(path, pages=large_pictures)
    yield Flag(FlagName.PICTURES, large_pictures, doubtful=characters < _FEWEST_BESIDE_PICTURES)
