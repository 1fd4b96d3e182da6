"""Sidebar behind a button if the window is narrow for its text; the page switch is then in the tool bar."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QToolButton, QWidget

from simcompare.support.i18n import N_
from simcompare.ui.state.language import translated
from simcompare.ui.style.layouts import row_of
from simcompare.ui.style.theme import APPEARANCE, GRID_PX, follow_theme, scaled

_NARROW_PX = 200 * GRID_PX
"""Width of a window, at the usual text size, that has space for sidebar and page."""


class SidebarFolding(QObject):
    """Shows the sidebar if there are documents; with large text in a narrow window only when asked for."""

    def __init__(
        self,
        window: QWidget,
        sidebar: QWidget,
        switch: QWidget,
        put_back: Callable[[QWidget], object],
        place: QWidget,
    ) -> None:
        """switch: chooses the page; put_back: puts it into the sidebar; place: for it in a narrow window."""
        super().__init__(window)
        self._window, self._sidebar, self._switch, self._put_back = window, sidebar, switch, put_back
        self._is_narrow = self._has_documents = False
        tip = N_("Show or hide the documents, and the passages of a pair")
        self.button = translated(QToolButton(), N_("Documents"), tip)
        self.button.setObjectName("barButton")
        self.button.setCheckable(True)
        self.button.toggled.connect(self._show)
        self._place, self._row = place, row_of(place, self.button, spacing_px=2 * GRID_PX)
        window.installEventFilter(self)
        follow_theme(self._fit)

    def show_documents(self, has_documents: bool) -> None:
        self._has_documents = has_documents
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        is_narrow = APPEARANCE.text_scale > 1.0 and self._window.width() < scaled(_NARROW_PX)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            if is_narrow:
                self._switch.setContentsMargins(0, 0, 0, 0)
                self._row.addWidget(self._switch)
            else:
                self._put_back(self._switch)
            self._show()

    def _show(self) -> None:
        is_narrow, has_documents = self._is_narrow, self._has_documents
        self._place.setVisible(is_narrow and has_documents)
        self._sidebar.setVisible(has_documents and (not is_narrow or self.button.isChecked()))
