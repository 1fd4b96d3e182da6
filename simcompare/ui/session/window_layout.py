"""How the window is laid out: the page shown, the borders moved, the order of the table of pairs."""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from simcompare.session.values import Layout
from simcompare.ui.session.splitters import Splitters
from simcompare.ui.state.preferences import Preferences


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

    def now(self, cell: tuple[int, int] | None) -> Layout:
        """Return how it is laid out now; `cell` is the selected pair of sentences."""
        page = self._pages.currentWidget()
        shown = page.objectName() if page else ""
        return Layout(cell, shown, dict(self._splitters.moved), self._table.order_word)

    def apply(self, layout: Layout) -> None:
        """Lay it out like this; what is not said stays as it is."""
        self._splitters.apply(layout.splitters)
        self._table.use_order(layout.order)
        shown = {"pairs": self._pages.show_pairs, "compare": self._pages.show_compare}
        shown.get(layout.page, lambda: None)()
