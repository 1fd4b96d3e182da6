"""What the documents of the list are called, and how much of that most of them have in common."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath

from simcompare.visible import told_apart

_SEPARATORS = frozenset(" _-–—.·,，、+&()（）[]【】/\\")


@dataclass(frozen=True, slots=True)
class DocumentName:
    """A name that no other document of the list has.

    shared: how many characters at its beginning, and at its end before the suffix, more than half of the
    list has too. Where there is no room for all of it, these tell nobody apart.
    """

    text: str
    shared: tuple[int, int] = (0, 0)


NO_NAME = DocumentName("")


def names_of(paths: Sequence[PurePath]) -> list[DocumentName]:
    """Return what each of all the documents is called: its file name, after a folder where another has it."""
    names = told_apart(paths)
    stems = [name.removesuffix(PurePath(name).suffix) for name in names]
    beginnings = _shared(stems)
    endings = _shared([stem[::-1] for stem in stems])
    return [
        DocumentName(name, _own_left(stem, *shared))
        for name, stem, *shared in zip(names, stems, beginnings, endings, strict=True)
    ]


def _own_left(stem: str, beginning: int, ending: int) -> tuple[int, int]:
    """Return how much is shared, unless that is all of the name."""
    return (beginning, ending) if beginning + ending < len(stem) else (0, 0)


def _shared(stems: Sequence[str]) -> list[int]:
    """Return how much of the beginning of each stem is that of more than half of them, as whole words."""
    counts = Counter(part for stem in stems for part in accumulate(stem))
    fewest = max(2, len(stems) // 2 + 1)
    return [_longest(stem, (part for part in accumulate(stem) if counts[part] >= fewest)) for stem in stems]


def _longest(stem: str, shared: Iterable[str]) -> int:
    return max((len(part) for part in shared if _ends_word(stem, len(part))), default=0)


def _ends_word(stem: str, place: int) -> bool:
    """Whether a word, a number or a run of signs ends at a place; what follows a sign begins anew."""
    if place == len(stem) or not _SEPARATORS.isdisjoint(stem[place - 1 : place + 1]):
        return True
    return _kind(stem[place - 1]) != _kind(stem[place])


def _kind(character: str) -> str:
    if character.isdecimal():
        return "number"
    return "letter" if character.isascii() and character.isalpha() else "sign"
