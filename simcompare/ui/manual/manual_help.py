"""F1: opens the manual at the page of the place where the user is, also in a dialog, a menu or a pop-up."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QStackedWidget, QWidget

from simcompare.support.i18n import N_
from simcompare.ui.actions import Command
from simcompare.ui.compare.text_pane.typography import TextSize
from simcompare.ui.manual.manual_window import ManualWindow, place_of
from simcompare.ui.style.appearance import current_application

HELP_KEY = "F1"


class ManualHelp(QObject):
    """The command that opens the manual, and its key in the dialogs that block the window.

    The command's own key works everywhere else, also in menus and pop-ups, however late they are made.
    """

    def __init__(self, window: QMainWindow, pages: QStackedWidget, text_size: TextSize) -> None:
        super().__init__(window)
        self._pages = pages
        self._text_size = text_size
        self.window: ManualWindow | None = None
        """The manual, once it was opened."""
        self.entry = Command(
            "manual", N_("Manual"), HELP_KEY, self.open, reach=Qt.ShortcutContext.ApplicationShortcut
        )
        current_application().focusWindowChanged.connect(self._add_key)

    def open(self) -> None:
        """Show the page of the place that has the focus, and close the menu or pop-up that is open.

        The manual has no place of its own: it stays at the page that is being read.
        """
        if self.window is not None and _owner_of(QApplication.activeWindow()) is self.window:
            return
        place = place_of(_focused(), self._pages.currentWidget())
        while (popup := QApplication.activePopupWidget()) is not None and popup.close():
            pass  # a submenu is closed before its menu
        if self.window is None:
            self.window = ManualWindow(self._text_size)
        self.window.show_place(place)

    def close(self) -> None:
        """Close the manual with the main window."""
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None

    def _add_key(self) -> None:
        """Give the key to a dialog that blocks the window; in any other it would be ambiguous."""
        dialog = QApplication.activeWindow()
        if not isinstance(dialog, QDialog) or dialog.property(HELP_KEY) is not None:
            return
        if dialog.isModal() and _owner_of(dialog) is self.parent():
            dialog.setProperty(HELP_KEY, True)
            QShortcut(QKeySequence(HELP_KEY), dialog).activated.connect(self.open)


def _owner_of(window: QWidget | None) -> QWidget | None:
    """Return the window that a dialog, or a dialog of a dialog, belongs to; a window belongs to itself."""
    while window is not None and (parent := window.parentWidget()) is not None:
        window = parent
    return window


def _focused() -> QWidget | None:
    """Return the widget with the focus; an open menu has none, but takes the keys."""
    focused, popup = QApplication.focusWidget(), QApplication.activePopupWidget()
    if popup is not None and (focused is None or not popup.isAncestorOf(focused)):
        return popup
    return focused or QApplication.activeWindow()
