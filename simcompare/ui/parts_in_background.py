"""Make the rest of the main window after its first painting, without blocking the window."""

import threading
from collections.abc import Callable
from importlib import import_module

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from simcompare.ui.main_window import MainWindow

_WITHOUT_QT = (
    "simcompare.export.exports",
    "simcompare.session.session_file",
    "simcompare.library.students",
    "simcompare.cohort.scored_class",
    "simcompare.cohort.class_figures",
    "markdown_it",
)
"""Modules that a thread loads, with all that they import; NumPy alone takes a tenth of a second."""
_WITH_QT = (
    "simcompare.ui.state.workspace",
    "simcompare.ui.sidebar",
    "simcompare.ui.cohort.overview.student_list",
    "simcompare.ui.cohort.class_page",
    "simcompare.ui.compare.text_pane.text_pane",
    "simcompare.ui.compare.compare_view",
    "simcompare.ui.library.library_commands",
    "simcompare.ui.export.export_controller",
    "simcompare.ui.manual.manual_help",
    "simcompare.ui.window_assembly",
)
"""Modules loaded one after the other between events: classes of Qt are only made in the main thread."""
_LOADING_POLL_MS = 5
_OF_THE_USER = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.KeyPress,
        QEvent.Type.TouchBegin,
        QEvent.Type.TabletPress,
        QEvent.Type.Wheel,
        QEvent.Type.DragEnter,
        QEvent.Type.ShortcutOverride,
    }
)


class PartsInBackground(QObject):
    """Makes the rest of a window, in short steps; at once when the user does something in it."""

    made = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._modules = iter(_WITH_QT)
        self._loading = threading.Thread(target=_load, name="loading")
        self._timer = QTimer(self, interval=_LOADING_POLL_MS)
        self._timer.timeout.connect(self._continue)

    def start(self) -> None:
        """Begin; call it once the window is painted."""
        self._loading.start()
        self._timer.start()
        self._window.windowHandle().installEventFilter(self)

    def call_when_made(self, work: Callable[[], object]) -> None:
        """Call a function once the window is whole, after the event that is being handled."""
        if self._window.is_whole:
            work()
        else:
            self.made.connect(work, Qt.ConnectionType.QueuedConnection)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() in _OF_THE_USER:
            self._loading.join()  # two threads that import the same modules might wait for each other
            self._window.complete()
            QApplication.sendPostedEvents()  # shows and lays out the parts: the event gets to the right one
            self._end()
        return super().eventFilter(watched, event)

    def _continue(self) -> None:
        if self._loading.is_alive():
            return
        self._timer.setInterval(0)
        name = next(self._modules, None)
        if name is not None:
            import_module(name)
        elif not self._window.is_whole:
            self._window.make_next_parts()
        else:
            self._end()

    def _end(self) -> None:
        self._timer.stop()
        self._window.windowHandle().removeEventFilter(self)
        self.made.emit()


def _load() -> None:
    for name in _WITHOUT_QT:
        import_module(name)
