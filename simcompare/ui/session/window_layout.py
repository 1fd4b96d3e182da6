"""How the window is laid out: the page shown, the borders moved, the order of the table of pairs."""

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from simcompare.session.session_data import SavedLayout
from simcompare.ui.state.preferences import Preferences


class Splitters(QObject):
    """Knows the splitters of a window by name, and remembers the sizes that a person gives their parts."""

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self._preferences = preferences
        named = (splitter for splitter in window.findChildren(QSplitter) if splitter.objectName())
        self._splitters = {splitter.objectName(): splitter for splitter in named}
        self._applying = False
        self.moved: dict[str, tuple[int, ...]] = {}
        for name, splitter in self._splitters.items():
            splitter.splitterMoved.connect(lambda *_place, name=name: self._remember(name))
        self.apply(preferences.splitters)

    def _remember(self, name: str) -> None:
        if not self._applying:
            self.moved[name] = _sizes(self._splitters[name])
            self._preferences.splitters = self._preferences.splitters | {name: self.moved[name]}

    def apply(self, sizes: Mapping[str, tuple[int, ...]]) -> None:
        """Give the parts these sizes; what is not named stays as it is."""
        for name, given in sizes.items():
            splitter = self._splitters.get(name)
            if splitter is not None and len(given) == splitter.count() and any(given):
                self.moved[name] = given
                self._move(splitter, given)

    def _move(self, splitter: QSplitter, sizes: tuple[int, ...]) -> None:
        """Move the border as a person would: parts that size themselves then leave it where it is."""
        self._applying = True
        splitter.setSizes(list(sizes))
        splitter.splitterMoved.emit(sizes[0], 1)
        self._applying = False


def _sizes(splitter: QSplitter) -> tuple[int, ...]:
    """Return the sizes of the parts; one that is folded away keeps the size it had."""
    lies = splitter.orientation() is Qt.Orientation.Horizontal
    sizes = splitter.sizes()
    for place in range(splitter.count()):
        part = splitter.widget(place)
        if part is not None and part.isHidden():
            sizes[place] = part.width() if lies else part.height()
    return tuple(sizes)


class ShownPages(Protocol):
    """The pages of the window, by their object names."""

    def currentWidget(self) -> QWidget | None:  # noqa: N802 - Qt's name
        """Return the page that is shown."""

    def show_pairs(self) -> object:
        """Show the page called "pairs", where it can be shown."""

    def show_compare(self) -> object:
        """Show the page called "compare", where it can be shown."""


class SortedTable(Protocol):
    """The table of pairs, whose order is remembered as a machine word."""

    @property
    def order_word(self) -> str:
        """How it is sorted."""

    def use_order(self, word: str) -> None:
        """Sort it; what the word does not say stays."""


class WindowLayout:
    """Reads the layout off a window whose parts are all there, and gives it back."""

    def __init__(
        self, window: QWidget, preferences: Preferences, pages: ShownPages, table: SortedTable
    ) -> None:
        self._pages = pages
        self._table = table
        self._splitters = Splitters(window, preferences)
        table.use_order(preferences.pair_order)

    def now(self, cell: tuple[int, int] | None) -> SavedLayout:
        """Return how it is laid out now; `cell` is the selected pair of sentences."""
        page = self._pages.currentWidget()
        shown = page.objectName() if page else ""
        return SavedLayout(cell, shown, dict(self._splitters.moved), self._table.order_word)

    def apply(self, layout: SavedLayout) -> None:
        """Lay it out like this; what is not said stays as it is."""
        self._splitters.apply(layout.splitters)
        self._table.use_order(layout.order)
        shown = {"pairs": self._pages.show_pairs, "compare": self._pages.show_compare}
        shown.get(layout.page, lambda: None)()
