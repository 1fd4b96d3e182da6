"""List of documents: entries, display names, and the two that are compared."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from pathlib import Path, PurePath

from PySide6.QtCore import QObject, Signal

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.untitled import localised_name
from simcompare.support.display_text import distinct_labels
from simcompare.ui.state.document_entry import DocumentEntry


class Side(Enum):
    """Side of a comparison: left or right text."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> "Side":
        """The opposite side."""
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
        """Put documents on sides, replacing those there."""
        self.keys = {**self.keys, **sides}
        self.were_chosen = True

    def swap(self) -> None:
        """Swap left and right."""
        self.keys = {side.other: key for side, key in self.keys.items()}
        self.were_chosen = True

    def restore(self, sides: Mapping[Side, int]) -> None:
        """Replace the sides by those of a session."""
        self.keys, self.were_chosen = dict(sides), bool(sides)

    def choose_among(self, usable: Sequence[int]) -> None:
        """Keep chosen sides that are still usable, and fill the empty ones."""
        self.keys = {side: key for side, key in self.keys.items() if self.were_chosen and key in usable}
        self.fill_from(usable)

    def fill_from(self, usable: Sequence[int]) -> None:
        """Fill each empty side with the first unused document."""
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
    """Return whether a word, number or run of symbols ends at an index."""
    if place == len(stem) or not _SEPARATORS.isdisjoint(stem[place - 1 : place + 1]):
        return True
    return _kind(stem[place - 1]) != _kind(stem[place])


def _kind(character: str) -> str:
    if character.isdecimal():
        return "number"
    return "letter" if character.isascii() and character.isalpha() else "sign"


class DocumentListing(QObject):
    """Documents by key; a removed document gets the same key again when it returns."""

    changed = Signal()
    sides_swapped = Signal()
    """Left and right were swapped; `changed` follows."""
    pair_chosen = Signal()
    """The user chose two texts to compare; `changed` follows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: Mapping[int, DocumentEntry] = {}
        self._names: dict[int, DocumentName] | None = None
        self._keys_of_removed: dict[Path, int] = {}
        self._chosen = ChosenSides()

    def _list(self, entries: Iterable[DocumentEntry]) -> None:
        """Set the documents of the list, sorted by key, which is the order in which they were added."""
        self.entries = {entry.key: entry for entry in sorted(entries, key=lambda entry: entry.key)}
        self._names = None

    def _emit_changed(self) -> None:
        self.changed.emit()

    # names

    @property
    def names(self) -> Mapping[int, DocumentName]:
        """Display name of each document by key; all different."""
        if self._names is None:  # cached, as each cell of a table reads them
            paths = [entry.path for entry in self.entries.values()]
            self._names = dict(zip(self.entries, display_names(paths), strict=True))
        return self._names

    def name_of(self, key: int) -> str:
        """Display name of a document; empty if it is not in the list."""
        return self.names.get(key, NO_NAME).text

    @property
    def readable_count(self) -> int:
        """Number of documents without an error; some may not have been read yet."""
        return len(self._usable())

    # prepared documents

    @property
    def prepared_documents(self) -> list[PreparedDocument]:
        """Prepared documents of the list, without those that have not been read."""
        return [
            entry.prepared_document for entry in self.entries.values() if entry.prepared_document is not None
        ]

    @property
    def awaited(self) -> set[int]:
        """Keys of documents of a session whose texts are still to be prepared."""
        return {
            key
            for key, entry in self.entries.items()
            if entry.saved_document is not None and entry.error is None
        }

    def replace_prepared_documents(self, replacements: Mapping[PreparedDocument, PreparedDocument]) -> None:
        """Replace prepared documents by others of the same texts."""
        for entry in self.entries.values():
            if entry.prepared_document is not None:
                entry.prepared_document = replacements.get(entry.prepared_document, entry.prepared_document)
        self._emit_changed()

    def rename_untitled(self) -> Mapping[PreparedDocument, PreparedDocument]:
        """Rename texts without a title in the current language; return the replaced prepared documents.

        The caller emits the change, after it has updated the comparison.
        """
        before = {entry.key: entry.prepared_document for entry in self.entries.values()}
        self._name_untitled(self.entries.values())
        self._keys_of_removed = {localised_name(path): key for path, key in self._keys_of_removed.items()}
        now = ((before[key], entry.prepared_document) for key, entry in self.entries.items())
        return {old: new for old, new in now if old is not None and new is not None and new is not old}

    def _name_untitled(self, entries: Iterable[DocumentEntry]) -> None:
        for entry in entries:
            if entry.pasted is not None:
                entry.rename(localised_name(entry.path))
        self._names = None

    # sides

    def choose(self, side: Side, key: int) -> None:
        """Put a document on a side; swap if it is on the other side."""
        if self.sides.get(side) == key:
            return
        if self.sides.get(side.other) == key:
            self.swap()
            return
        self._chosen.put({side: key})
        self._emit_changed()

    def choose_pair(self, left: int, right: int) -> None:
        """Compare two documents of the list."""
        if not {left, right} <= self.entries.keys():
            return
        self.pair_chosen.emit()
        if self.sides == {Side.LEFT: right, Side.RIGHT: left}:
            self.swap()
            return
        self._chosen.put({Side.LEFT: left, Side.RIGHT: right})
        self._emit_changed()

    def swap(self) -> None:
        """Swap left and right."""
        self._chosen.swap()
        self.sides_swapped.emit()
        self._emit_changed()

    @property
    def sides_were_chosen(self) -> bool:
        """True if the user has chosen the compared documents."""
        return self._chosen.were_chosen

    @property
    def sides(self) -> Mapping[Side, int]:
        """Keys of the compared documents by side."""
        return self._chosen.keys

    def entry_on(self, side: Side) -> DocumentEntry | None:
        return self.entries.get(self.sides.get(side, 0))

    def _choose_sides(self) -> None:
        self._chosen.were_chosen &= bool(self.entries)  # an empty list resets the choice
        self._chosen.choose_among(self._usable())

    def _usable(self) -> list[int]:
        return [key for key, entry in self.entries.items() if entry.error is None]
