"""Display names of documents, and the two that are compared."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from pathlib import PurePath

from simcompare.support.display_text import distinct_labels


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


_SEPARATORS = frozenset(" _-–—.·,，、+&()（）[]【】/\\")


@dataclass(frozen=True, slots=True)
class DocumentName:
    """Display name, unique in the list.

    shared: numbers of characters at the beginning of the stem and at its end that more than half of the
    list have in common; they are shortened first.
    """

    text: str
    shared: tuple[int, int] = (0, 0)


NO_NAME = DocumentName("")


def display_names(paths: Sequence[PurePath]) -> list[DocumentName]:
    """Build the display names: the file name, preceded by folders if several files share it."""
    names = distinct_labels(paths)
    stems = [name.removesuffix(PurePath(name).suffix) for name in names]
    beginnings = _shared(stems)
    endings = _shared([stem[::-1] for stem in stems])
    return [
        DocumentName(name, _own_left(stem, *shared))
        for name, stem, *shared in zip(names, stems, beginnings, endings, strict=True)
    ]


def _own_left(stem: str, beginning: int, ending: int) -> tuple[int, int]:
    """Numbers of shared characters, or zeros if they cover the whole stem."""
    return (beginning, ending) if beginning + ending < len(stem) else (0, 0)


def _shared(stems: Sequence[str]) -> list[int]:
    """Length of the prefix of each stem that more than half of the stems share, in whole words."""
    counts = Counter(part for stem in stems for part in accumulate(stem))
    fewest = max(2, len(stems) // 2 + 1)
    return [_longest(stem, (part for part in accumulate(stem) if counts[part] >= fewest)) for stem in stems]


def _longest(stem: str, shared: Iterable[str]) -> int:
    return max((len(part) for part in shared if _ends_word(stem, len(part))), default=0)


def _ends_word(stem: str, place: int) -> bool:
    if place == len(stem) or not _SEPARATORS.isdisjoint(stem[place - 1 : place + 1]):
        return True
    return _kind(stem[place - 1]) != _kind(stem[place])


def _kind(character: str) -> str:
    if character.isdecimal():
        return "number"
    return "letter" if character.isascii() and character.isalpha() else "sign"
