"""Run the self-test: print a line for each step, end with status 0 or 1, and leave no files.

The lines are in English and, but for names in errors, in ASCII: they are for those who package the program.
"""

import atexit
import os
import shutil
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.util import get_temp_dir
from pathlib import Path
from tempfile import mkdtemp

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from PySide6.QtGui import QGuiApplication

from simcompare import __version__
from simcompare.comparison.comparison_result import Comparison
from simcompare.export.export_context import ExportWorkers
from simcompare.export.exports import ExportJob, ExportPlan
from simcompare.library.changes import add_entries, make_new_entry
from simcompare.library.library_errors import ServerDriverMissingError
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.backends import postgresql_backend
from simcompare.library.store.library_place import LibraryServer
from simcompare.library.store.open_library import open_library
from simcompare.loading.load import load_document
from simcompare.report.pdf_report import report_fonts
from simcompare.support.i18n import _
from simcompare.support.resources import DATA_FOLDER_VARIABLE, resource_path
from simcompare.text.comparable import fold_for_search
from simcompare.ui.export.export_queue import ExportQueue
from simcompare.ui.export.workspace_sources import pair_source
from simcompare.ui.main_window import MainWindow
from simcompare.ui.style.theme import current_application, icon

_PAIR = ("家乡的石桥.docx", "心中的桥.html")
_PDF = "秋天的路.pdf"
_TITLE = "家乡的石桥"
_FORMS = (".html", ".pdf", ".docx")
_POLL_MS = 20


class StepFailedError(Exception):
    """A step failed; the message is a sentence."""


def steps(window: MainWindow, folder: Path) -> Iterator[str]:
    """Run the steps one after the other, and yield a sentence about each. Raises StepFailedError.

    folder: empty folder for reports and a library; they stay there.
    """
    yield _check_window(window)
    yield _check_icons()
    yield _check_translations(window)
    yield _read_samples(window)
    yield _check_text_data()
    comparison = _compared_pair(window)
    yield (
        f"Two of them share {comparison.share.left_in_right.raw:.0%} of the first text, "
        f"in {len(_passages(window))} passages."
    )
    yield _write_reports(window, folder)
    yield _search_library(comparison, folder / "library.sqlite")
    yield _check_server_driver()


def _require(is_fine: object, sentence: str) -> None:
    if not is_fine:
        raise StepFailedError(sentence)


def _wait_until(condition: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds; the time limit is that of the self-test."""
    loop, watch = QEventLoop(), QTimer(interval=_POLL_MS)
    watch.timeout.connect(lambda: loop.quit() if condition() else None)
    watch.start()
    loop.exec()
    watch.stop()


def _check_window(window: MainWindow) -> str:
    handle = window.windowHandle()
    _wait_until(handle.isExposed)
    plugin = QGuiApplication.platformName()
    return f"simcompare {__version__} shows its window with the platform plugin {plugin}."


def _check_icons() -> str:
    names = [path.stem for path in resource_path("icons").glob("*.svg")]
    _require(names, "There are no icons.")
    for name in names:
        picture = icon(name, "#000000").pixmap(32).toImage()
        is_drawn = any(picture.pixelColor(x, y).alpha() for x in range(32) for y in range(32))
        _require(is_drawn, f"The icon {name} is empty.")
    return f"{len(names)} icons can be drawn."


def _check_translations(window: MainWindow) -> str:
    window.use_language("zh")
    own, of_qt = _("&File"), QCoreApplication.translate("QPlatformTheme", "Cancel")
    window.use_language("en")
    _require(own != "&File", "The Chinese texts of the program are missing.")
    _require(of_qt != "Cancel", "The Chinese texts of Qt are missing.")
    return "The window can be shown in Chinese."


def _read_samples(window: MainWindow) -> str:
    documents = window.workspace.documents
    documents.add([resource_path("samples", name) for name in (*_PAIR, _PDF)])
    _wait_until(lambda: bool(documents.entries) and not window.workspace.is_busy)
    for entry in documents.entries.values():
        _require(entry.error is None, f"A sample could not be read: {entry.error}")
        _require(entry.prepared_document, "A sample has no text.")
    return f"{len(documents.entries)} samples (Word, PDF, web page) were read in processes and compared."


def _check_text_data() -> str:
    _require(fold_for_search("體").characters == "体", "OpenCC has no table of traditional characters.")
    return "Traditional characters are compared with simplified ones."


def _compared_pair(window: MainWindow) -> Comparison:
    keys = {entry.path.name: key for key, entry in window.workspace.documents.entries.items()}
    window.workspace.documents.choose_pair(*(keys[name] for name in _PAIR))
    window.pages.show_compare()
    _wait_until(lambda: window.workspace.comparison is not None and not window.workspace.is_busy)
    comparison = window.workspace.comparison
    assert comparison is not None
    _require(comparison.share.left_in_right.raw > 0, "No text that two samples share was found.")
    _require(_passages(window), "No passage that two samples share was found.")
    return comparison


def _passages(window: MainWindow) -> range:
    passages = window.workspace.passages
    return range(0 if passages is None else len(passages.kinds))


def _write_reports(window: MainWindow, folder: Path) -> str:
    source = pair_source(window.workspace)
    assert source is not None, "compared before"
    queue, errors = ExportQueue(ExportWorkers()), list[Exception]()
    queue.failed.connect(lambda _job, error: errors.append(error))
    for form in _FORMS:
        queue.add(ExportJob(source, ExportPlan(form, "zh", True, folder, "report")))
    _wait_until(lambda: not queue.jobs)
    queue.close()
    _require(not errors, f"A report could not be written: {', '.join(map(str, errors))}")
    for form in _FORMS:
        is_complete = _TITLE in load_document(folder / f"report{form}").text
        _require(is_complete, f"The report report{form} lacks the title of a text.")
    _require(report_fonts().has_chinese, "PDF reports need a Chinese font; none is known here.")
    return "Reports were written as web page, PDF and Word file, and read again."


def _search_library(comparison: Comparison, path: Path) -> str:
    with open_library(path, create=True) as library:
        list(add_entries(library, [make_new_entry(comparison.right)]))
        hits = LibrarySearch(library).search(comparison.left)
    _require(hits, "A text that was added to a library was not found in it.")
    return "A library was made, and a text in it found."


def _check_server_driver() -> str:
    try:
        postgresql_backend(LibraryServer({"dbname": "library"}))
    except ServerDriverMissingError:
        return "Libraries on a server cannot be opened: their driver is not installed."
    return "The driver of libraries on a server was loaded."


LIMIT_SECONDS = 300.0
"""Time limit: on a computer at a load of ten, all steps took 40 seconds."""
_REMOVAL_SECONDS = 10.0
"""Time limit for removing the folders, into which the main thread and the workers may still write."""
_PAUSE_SECONDS = 0.05


class SelfTest:
    """Self-test of the program that is about to start; it has a data folder of its own.

    report: file that the lines are also written to, as programs on Windows may have no console.
    """

    def __init__(self, report: Path | None) -> None:
        self._report = report
        if report is not None:
            report.write_text("", encoding="utf-8")
        self._folder = Path(mkdtemp(prefix="simcompare-self-test-"))
        # registered before the modules that keep files open in it until the program ends
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        os.environ[DATA_FOLDER_VARIABLE] = str(self._folder / "data")
        watchdog = threading.Timer(LIMIT_SECONDS, self._end_late)
        watchdog.daemon = True
        watchdog.start()

    def run(self, window: MainWindow) -> None:
        """Run all steps in a window that is shown, and end the program."""
        application = current_application()
        application.setQuitOnLastWindowClosed(False)  # the status would be 0
        failed = self._failed_in(window)
        window.quit_without_asking()
        application.processEvents()  # writes the preferences, which would otherwise be written at the end
        self._print("The self-test failed." if failed else "The self-test succeeded.")
        application.exit(int(failed))

    def _failed_in(self, window: MainWindow) -> bool:
        folder = self._folder / "reports"
        folder.mkdir()
        try:
            for done in steps(window, folder):
                self._print(f"OK: {done}")
            shutil.rmtree(folder)
            self._print("OK: The temporary files were removed.")
        except StepFailedError as error:
            self._print(f"Failed: {error}")
            return True
        except Exception:
            # a missing part can raise any error
            self._print(f"Failed: An unexpected error occurred.\n{traceback.format_exc()}")
            return True
        return False

    def _end_late(self) -> None:
        self._print(f"Failed: The self-test did not end within {LIMIT_SECONDS:.0f} seconds.")
        _remove_folders(self._folder, Path(get_temp_dir()))  # the other one has the sockets of the workers
        os._exit(1)  # the main thread may wait for ever

    def _print(self, line: str) -> None:
        if self._report is not None:
            with self._report.open("a", encoding="utf-8") as report:
                report.write(f"{line}\n")
        if sys.stdout is not None:  # as in a window without a console
            encoding = sys.stdout.encoding
            print(line.encode(encoding, "replace").decode(encoding), flush=True)  # noqa: T201 - its purpose


def _remove_folders(*folders: Path) -> None:
    """Remove folders again and again until they are gone or the time is up, as others may write into them."""
    deadline = time.monotonic() + _REMOVAL_SECONDS
    while time.monotonic() < deadline:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        if not any(folder.exists() for folder in folders):
            break
        time.sleep(_PAUSE_SECONDS)
