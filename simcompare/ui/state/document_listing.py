"""Display names of documents, and the two that are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath

from simcompare.support.display_text import distinct_labels, shared_ends


class Side(Enum):
    """Side of a comparison: left or right text."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> "Side":
        return Side.RIGHT if self is Side.LEFT else Side.LEFT


class ChosenSides:
    """Keys of the documents on both sides.

    Until the user chooses, these are the first two documents without an error, in order.
    """

    def __init__(self) -> None:
        self.keys: dict[Side, int] = {}
        self.were_chosen = False
        """True if the user has chosen a side."""

    def put(self, sides: Mapping[Side, int]) -> None:
        self.keys = {**self.keys, **sides}
        self.were_chosen = True

    def swap(self) -> None:
        self.keys = {side.other: key for side, key in self.keys.items()}
        self.were_chosen = True

    def restore(self, sides: Mapping[Side, int]) -> None:
        self.keys, self.were_chosen = dict(sides), bool(sides)

    def choose_among(self, usable: Sequence[int]) -> None:
        """Keep chosen sides that are still usable, and fill the empty ones."""
        self.keys = {side: key for side, key in self.keys.items() if self.were_chosen and key in usable}
        self.fill_from(usable)

    def fill_from(self, usable: Sequence[int]) -> None:
        for side in Side:
            free = [key for key in usable if key not in self.keys.values()]
            if side not in self.keys and free:
                self.keys = {**self.keys, side: free[0]}


@dataclass(frozen=True, slots=True)
class DocumentName:
    """Display name, unique in the list.

    shared: see `shared_ends`; these parts are shortened first.
    """

    text: str
    shared: tuple[int, int] = (0, 0)


NO_NAME = DocumentName("")


def display_names(paths: Sequence[PurePath]) -> list[DocumentName]:
    """Build the display names: the file name, preceded by folders if several files share it."""
    names = distinct_labels(paths)
    return [DocumentName(*named) for named in zip(names, shared_ends(names), strict=True)]
