"""The report of a pair, written while the window goes on working."""

from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from simcompare.atomic_file import write_atomically
from simcompare.comparison.values import Comparison
from simcompare.errors import ReportNotSavedError, cause_of
from simcompare.i18n import N_, _
from simcompare.report.html import render_html
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.actions import Command
from simcompare.ui.state.comparison_run import Task
from simcompare.ui.state.workspace import Workspace

_LONGEST_NAME = 60
# what no file of Windows may have in its name
_FORBIDDEN = str.maketrans(dict.fromkeys('<>:"/\\|?*', "_"))


class ReportExport(QObject):
    """Asks where the report goes, and writes it in the background."""

    saved = Signal(object)
    """The path of the report."""
    failed = Signal(object)
    """The ReportNotSavedError."""

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        super().__init__(window)
        self._workspace = workspace
        self._window = window
        self._pool = QThreadPool(self)
        self._stop = Event()

    def commands(self) -> list[Command]:
        """Return what stands in the menu of files."""
        return [Command("export", N_("Export report…"), "Ctrl+E", self.ask_for_place)]

    def ask_for_place(self) -> None:
        """Let a person choose the file; the pair on show is what it will hold."""
        comparison = self._workspace.comparison
        if comparison is None:
            return
        dialog = QFileDialog(self._window, _("Export the report"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("html")
        dialog.setNameFilters([_("Web page, one file") + " (*.html)"])
        dialog.selectFile(_suggested_name(comparison))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.write(comparison, Path(name)))
        dialog.open()

    def write(self, comparison: Comparison, path: Path) -> None:
        """Write the report of a comparison; `saved` or `failed` follows."""
        work = partial(_write, comparison, self._workspace.thesaurus, path, datetime.now().astimezone())
        self._pool.start(Task(work, self.saved, self.failed, self._stop))

    def close(self) -> None:
        """Wait until what is being written is on the disk."""
        self._pool.waitForDone()


def _write(comparison: Comparison, thesaurus: Thesaurus | None, path: Path, made_at: datetime) -> Path:
    page = render_html(comparison, thesaurus, made_at).encode("utf-8", "backslashreplace")
    try:
        write_atomically(path, lambda file: file.write(page))
    except OSError as error:
        raise ReportNotSavedError(path, cause=cause_of(error)) from error
    return path


def _suggested_name(comparison: Comparison) -> str:
    names = [side.document.path.stem[:_LONGEST_NAME] for side in (comparison.left, comparison.right)]
    return f"{' – '.join(names).translate(_FORBIDDEN)}.html"
