"""Entry point of the window, `simcompare-gui [FILE ...]`, and the making of its other parts meanwhile."""

import argparse
import gc
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing import resource_tracker
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    Qt,
    QTimer,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication, QWidget

from simcompare import __version__
from simcompare.support.atomic_file import start_removing_unfinished
from simcompare.support.event_log import EVENTS
from simcompare.support.i18n import _, set_language, system_language
from simcompare.support.resources import resource_path
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences

if TYPE_CHECKING:
    from simcompare.ui.window_assembly import WindowAssembly

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


def assemble(window: MainWindow, preferences: Preferences) -> "WindowAssembly":
    """Load, after the first painting, what makes the other parts of the window."""
    from simcompare.ui.window_assembly import WindowAssembly  # noqa: PLC0415 - see above

    return WindowAssembly(window, preferences)


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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
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
    with suppress(RuntimeError):  # modules that start threads cannot be loaded while Python ends
        for name in _WITHOUT_QT:
            import_module(name)


_TERMINATION_SIGNALS = () if sys.platform == "win32" else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def block_interrupts_in_children() -> None:
    """Let only this process receive Ctrl+C of a terminal, which sends it to all processes.

    Otherwise reading processes that are just starting print tracebacks. Call it before the first thread and
    process are started, as they inherit the signal mask. Does nothing on Windows, which has no signal masks.
    """
    if sys.platform != "win32":
        resource_tracker.ensure_running()  # otherwise it is started later and unblocks interrupts
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        threading.Thread(target=_wait_for_interrupts, name="interrupts", daemon=True).start()


def _wait_for_interrupts() -> None:
    """Wait as the only thread with SIGINT unblocked; Python runs the handlers in the main thread."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        threading.Event().wait()


class TerminationSignals(QObject):
    """Emits `requested` on a signal to terminate, so that resources shared with readers are freed.

    Python's handlers run only when the main thread executes Python code, but it may stay in Qt for long:
    a wake-up pipe makes the event loop run some Python code.
    """

    requested = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._end, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        for number in _TERMINATION_SIGNALS:
            signal.signal(number, self._ask)
        if _TERMINATION_SIGNALS:
            signal.set_wakeup_fd(self._wake)
            self._notifier = QSocketNotifier(self._end, QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(lambda: os.read(self._end, 64))

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        self.requested.emit()


class Application(QApplication):
    """Emits `file_requested` for each file that macOS asks a program to open, as after a double click.

    Only this object receives these events; a filter would be called for the events of all objects.
    """

    file_requested = Signal(str)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_requested.emit(event.file())
            return True
        return super().event(event)


_PAINTING_POLL_MS = 10
_MAX_PAINTING_SECONDS = 2.0
_INTERVAL_MS = 1000
_MAX_COLLECTION_SECONDS = 0.01


class GarbageCollector(QObject):
    """Run the cyclic garbage collector from a timer instead of at any allocation in any thread.

    A full collection during a drag blocks the window for a tenth of a second, and one in a worker thread may
    delete objects that belong to the GUI thread.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        gc.disable()
        gc.freeze()  # modules live until the end, so skip them
        self._timer.start()

    def _collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds."""
        limits = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, most) in enumerate(limits) if count > most]
        if not due:
            return
        begin = time.thread_time()
        gc.collect(due[-1])
        if time.thread_time() - begin > _MAX_COLLECTION_SECONDS:
            # what is left is mostly long-lived, such as a thesaurus: skip it next time
            gc.freeze()


_NO_PLATFORM = "no Qt platform plugin could be initialized"
"""In the message of Qt before it aborts the process."""
_FUNCTION_OF_QT = re.compile(r"Q[A-Za-z]{2,40}::~?[A-Za-z]{2,40}")

# Interval at which Python threads release the GIL; with the default of 5 ms, repaints stutter.
SWITCH_INTERVAL_SECONDS = 0.0005


def main() -> None:
    """Show the window and open the files named on the command line."""
    block_interrupts_in_children()
    options, for_qt = _command_line(sys.argv[1:])
    # Make the mutex by which the setup program for Windows sees that the window is open (AppMutex)
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only needed here

        ctypes.windll.kernel32.CreateMutexW(None, False, "simcompare-window")  # Windows frees it at the end
    test = None if options.self_test is None else _self_test(options.self_test)
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    EVENTS.listen()
    qInstallMessageHandler(_keep_message_of_qt)
    application = Application([*sys.argv[:1], *for_qt])
    application.setApplicationName("simcompare")
    # on Wayland the name of the menu entry is what gives a window its icon
    application.setDesktopFileName("io.github.simcompare")
    application.setWindowIcon(QIcon(str(resource_path("icons", "simcompare.svg"))))
    application.aboutToQuit.connect(lambda: qInstallMessageHandler(None))  # Python may end before Qt
    window = MainWindow(Preferences(), assemble)
    window.recovery_bar.look()  # with the first painting, before the user begins something else
    window.show()
    # queued: a signal may arrive while parts of the window are being made
    terminated = TerminationSignals(application).requested
    terminated.connect(window.quit_without_asking, Qt.ConnectionType.QueuedConnection)
    parts = PartsInBackground(window)
    application.file_requested.connect(
        lambda name: parts.call_when_made(lambda: window.sessions.add([Path(name)]))
    )
    run_when_painted(window, parts.start)

    def work() -> None:
        window.help.hints.start()
        GarbageCollector(application)
        if test:
            test(window)
        else:
            _open_files(window, options.files)

    parts.call_when_made(work)
    sys.exit(application.exec())


def _keep_message_of_qt(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Print a message of Qt as Qt does, and keep its kind and the function that it names."""
    if kind != QtMsgType.QtDebugMsg:
        named = _FUNCTION_OF_QT.match(message)
        EVENTS.add(f"Qt {kind.name}", named[0] if named else str(context.category))
    has_platform = _NO_PLATFORM not in message
    if sys.stderr is not None:  # a program without a terminal has none
        sys.stderr.write(f"{message if has_platform else _why_no_window()}\n")
    if not has_platform:
        os._exit(1)  # Qt would abort the process, which the system reports as a crash


def _why_no_window() -> str:
    """Explain why Qt cannot show windows; its own message advises to install the program again."""
    from simcompare.support import missing_libraries  # noqa: PLC0415 - rarely needed

    missing = missing_libraries.missing_libraries() if sys.platform == "linux" else []
    if missing:
        return missing_libraries.missing_libraries_sentence(missing)
    return _(
        "The window cannot be opened, because there is no screen that it can be shown on. Without a screen, "
        "use the command `simcompare`."
    )


def run_when_painted(window: QWidget, work: Callable[[], object]) -> None:
    """Run `work` once a window is on the screen, or soon in any case: it may be minimised or covered.

    Loading data and starting processes would delay the first painting.
    """
    waiting = QTimer(window, interval=_PAINTING_POLL_MS)
    latest = time.monotonic() + _MAX_PAINTING_SECONDS

    def run_if_painted() -> None:
        if window.windowHandle().isExposed() or time.monotonic() > latest:
            waiting.stop()
            work()

    waiting.timeout.connect(run_if_painted)
    waiting.start()


def _self_test(report: str) -> Callable[[MainWindow], None]:
    """Begin the self-test before Qt loads its plugins; exits if files for it cannot be written."""
    from simcompare.ui.self_test import SelfTest  # noqa: PLC0415 - loads much that a start does not need

    try:
        return SelfTest(Path(report) if report else None).run
    except OSError as error:
        sys.exit(f"The self-test cannot begin: {error}")


def _command_line(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return our options and arguments for Qt; exits after --help and --version."""
    set_language(system_language())
    parser = argparse.ArgumentParser(
        "simcompare-gui",
        description=_("Compare documents in a window. On the command line, use `simcompare`."),
    )
    parser.add_argument("--version", action="version", version=f"simcompare {__version__}")
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help=_("documents, folders or one session to open")
    )
    # for those who package the program
    parser.add_argument("--self-test", nargs="?", const="", metavar="REPORT", help=argparse.SUPPRESS)
    return parser.parse_known_args(arguments)


def _open_files(window: MainWindow, files: list[Path]) -> None:
    start_removing_unfinished()
    window.workspace.warm()
    if files:
        window.sessions.add(files)
