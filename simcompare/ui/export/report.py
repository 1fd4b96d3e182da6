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
from simcompare.report.evidence import Evidence
from simcompare.report.forms import FORMS
from simcompare.ui.actions import Command
from simcompare.ui.export.forms import filters
from simcompare.ui.file_dialogs import prepare_dialog
from simcompare.ui.state.comparison_run import Task
from simcompare.ui.state.side import Side
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

    def ask_for_place(self, name: str = "") -> None:
        """Let a person choose the file; the pair on show, as it is judged now, is what it will hold."""
        evidence = self._evidence()
        if evidence is None:
            return
        dialog = QFileDialog(self._window, _("Export the report"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        suffixes = filters()
        dialog.setNameFilters(list(suffixes))
        dialog.filterSelected.connect(lambda line: dialog.setDefaultSuffix(suffixes[line]))
        prepare_dialog(dialog)
        dialog.selectFile(name or _suggested_name(evidence.comparison))
        dialog.setDefaultSuffix(next(iter(FORMS)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(
            lambda name: self._write_to(evidence, Path(name), suffixes[dialog.selectedNameFilter()])
        )
        dialog.open()

    def _evidence(self) -> Evidence | None:
        workspace, sides = self._workspace, self._workspace.documents.sides
        if workspace.comparison is None:
            return None
        review = workspace.review.pair_review(sides[Side.LEFT], sides[Side.RIGHT])
        now = datetime.now().astimezone()
        return Evidence(workspace.comparison, workspace.thesaurus, now, review)

    def _write_to(self, evidence: Evidence, chosen: Path, suffix: str) -> None:
        """Write a file of the form that its ending names, else of the form chosen in the dialog.

        Qt adds no ending to a name with a dot in it.
        """
        if chosen.suffix.lower() in FORMS:
            self.write(evidence, chosen)
            return
        path = chosen.with_name(chosen.name + suffix)
        if path.exists():
            self.ask_for_place(path.name)  # nobody was asked whether it may be replaced
        else:
            self.write(evidence, path)

    def write(self, evidence: Evidence, path: Path) -> None:
        """Write a report; `saved` or `failed` follows."""
        self._pool.start(Task(partial(_write, evidence, path), self.saved, self.failed, self._stop))

    def close(self) -> None:
        """Wait until what is being written is on the disk."""
        self._pool.waitForDone()


def _write(evidence: Evidence, path: Path) -> Path:
    report = FORMS[path.suffix.lower()].render(evidence)
    try:
        write_atomically(path, lambda file: file.write(report))
    except OSError as error:
        raise ReportNotSavedError(path, cause=cause_of(error)) from error
    return path


def _suggested_name(comparison: Comparison) -> str:
    names = [side.document.path.stem[:_LONGEST_NAME] for side in (comparison.left, comparison.right)]
    return " – ".join(names).translate(_FORBIDDEN)
