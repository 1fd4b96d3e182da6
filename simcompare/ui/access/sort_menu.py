"""Context menu that sorts a table, as a click on a heading does."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from simcompare.support.i18n import _
from simcompare.ui.labels import escape_menu_text
from simcompare.ui.state.language import follow_language


class SortMenu(QMenu):
    """Menu "Sort by" with the headings of a table, in the table's context menu (menu key, Shift+F10)."""

    def __init__(
        self, table: QWidget, headings: Callable[[], Sequence[str | None]], sort: Callable[[int], object]
    ) -> None:
        """headings: by column, None for a hidden one; sort: sorts by a column, the second time in reverse."""
        super().__init__(table)
        self._headings, self._sort = headings, sort
        table.addAction(self.menuAction())
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.aboutToShow.connect(self._fill)
        follow_language(self._retranslate)

    def _fill(self) -> None:
        self.clear()
        for column, heading in enumerate(self._headings()):
            if heading is not None:
                action = self.addAction(escape_menu_text(heading))
                action.triggered.connect(lambda _on, column=column: self._sort(column))

    def _retranslate(self) -> None:
        self.setTitle(_("Sort by"))
