"""Layout of the window: shown page, splitter sizes, sort order and filter of the table of pairs."""

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSplitter, QWidget

from simcompare.session.session_data import SavedFilter, SavedLayout
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.cohort.class_filter import ShareRange
from simcompare.ui.state.workspace import Workspace


class Splitters(QObject):
    """Splitters of a window by object name; stores the sizes set by the user."""

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self._preferences = preferences
        self._splitters: dict[str, QSplitter] = {}
        self._applying = False
        self.moved: dict[str, tuple[int, ...]] = {}
        self.follow(window)

    def follow(self, part: QWidget) -> None:
        """Follow the splitters of the window, or of a part added later, and set the sizes stored for them."""
        for splitter in part.findChildren(QSplitter):
            name = splitter.objectName()
            if not name or name in self._splitters:
                continue
            self._splitters[name] = splitter
            splitter.splitterMoved.connect(lambda *_place, name=name: self._remember(name))
            sizes_px = self.moved.pop(name, None) or self._preferences.splitters.get(name, ())
            self.apply({name: sizes_px})

    def _remember(self, name: str) -> None:
        if not self._applying:
            self.moved[name] = tuple(self._splitters[name].sizes())
            self._preferences.splitters = self._preferences.splitters | {name: self.moved[name]}

    def apply(self, sizes: Mapping[str, tuple[int, ...]]) -> None:
        """Set sizes; splitters not named keep theirs, and those of a part not made yet get them later."""
        for name, sizes_px in sizes.items():
            splitter = self._splitters.get(name)
            if splitter is None:
                self.moved[name] = sizes_px
            elif len(sizes_px) == splitter.count() and any(sizes_px):
                self.moved[name] = sizes_px
                self._move(splitter, sizes_px)

    def _move(self, splitter: QSplitter, sizes: tuple[int, ...]) -> None:
        """Move the splitter as a user would: parts that size themselves then leave it alone."""
        self._applying = True
        splitter.setSizes(list(sizes))
        splitter.splitterMoved.emit(sizes[0], 1)
        self._applying = False


class ShownPages(Protocol):
    """Pages of the window, identified by object name."""

    def currentWidget(self) -> QWidget | None:  # noqa: N802 - Qt's name
        """Return the shown page."""

    def show_pairs(self) -> object:
        """Show the table of pairs, if possible."""

    def show_compare(self) -> object:
        """Show Compare, if possible."""


class SortedTable(Protocol):
    """Table of pairs with a sort order and a filter by name that can be stored."""

    name_filter: str

    @property
    def order_word(self) -> str:
        """Sort order as an encoded string."""

    def start_over(self) -> None:
        """List all pairs from the first in the default order."""

    def use_order(self, word: str) -> None:
        """Sort by an encoded order; the default order if it is empty or unknown."""


class WindowLayout:
    """Reads and restores the layout of a complete window."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        preferences: Preferences,
        pages: ShownPages,
        table: SortedTable,
    ) -> None:
        self._workspace = workspace
        self._pages = pages
        self._table = table
        self._splitters = Splitters(window, preferences)

    def follow(self, part: QWidget) -> None:
        """Include a part that was added to the window."""
        self._splitters.follow(part)

    def current(self, cell: tuple[int, int] | None) -> SavedLayout:
        """Read the current layout; `cell` is the selected pair of sentences."""
        page = self._pages.currentWidget()
        page_name = page.objectName() if page else ""
        moved, order = dict(self._splitters.moved), self._table.order_word
        return SavedLayout(cell, page_name, moved, order, self._current_filter())

    def _current_filter(self) -> SavedFilter:
        chosen, keys = self._workspace.class_filter, self._workspace.documents.entries
        documents = tuple(number for number, key in enumerate(keys) if key in chosen.documents)
        shares = None if chosen.shares is None else (chosen.shares.least, chosen.shares.below)
        return SavedFilter(documents, shares, self._table.name_filter)

    def apply(self, layout: SavedLayout) -> None:
        """Restore a layout; parts it does not mention stay, except for the order and filter of the table."""
        self._splitters.apply(layout.splitters)
        self._table.start_over()
        self._table.use_order(layout.order)
        self._apply_filter(layout.filter)
        show_page = {"pairs": self._pages.show_pairs, "compare": self._pages.show_compare}
        show_page.get(layout.page, lambda: None)()

    def _apply_filter(self, saved: SavedFilter) -> None:
        chosen, keys = self._workspace.class_filter, list(self._workspace.documents.entries)
        chosen.show_documents([keys[number] for number in saved.documents if 0 <= number < len(keys)])
        chosen.show_shares(None if saved.shares is None else ShareRange(*saved.shares))
        self._table.name_filter = saved.name
