"""Export in the window: dialog, writing in the background, notices."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from simcompare.export.export_context import ExportWorkers
from simcompare.export.exports import ExportJob, ExportPlan, ExportResult, ExportSource
from simcompare.report.cohort.report_bundle import INDEX
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, joined_items, ngettext
from simcompare.ui.actions import Command
from simcompare.ui.cohort.pair_table_page import PairTablePage
from simcompare.ui.export.export_fields import ExportMemory, NamesField
from simcompare.ui.export.export_questions import ClosingDialog
from simcompare.ui.export.export_queue import ExportQueue, RequestRunner
from simcompare.ui.export.workspace_sources import cohort_sources, is_compared_pair, pair_source
from simcompare.ui.file_dialogs import open_on_desktop, show_in_folder
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import StackingRow, push_button
from simcompare.ui.style.text_labels import ElidedLabel
from simcompare.ui.window_pages import Pages

if TYPE_CHECKING:
    from simcompare.library.search.search import LibraryHit
    from simcompare.ui.export.export_dialog import ExportDialog

_ORDER = ("class", "grades", "table", "pair", "chosen", "student", "copied", "judged")
"""Of the sources by key, on all pages."""
_BAR_WIDTH_PX = 160
_BAR_HEIGHT_PX = 6


class ExportBar(QWidget):
    """Progress bar, visible while something is written; Cancel cancels all jobs."""

    def __init__(self, queue: ExportQueue, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._queue = queue
        self.setObjectName("writing")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = ElidedLabel()
        self.bar = translated(QProgressBar(), accessibleName=N_("Progress of saving"))
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(_BAR_WIDTH_PX, _BAR_HEIGHT_PX)
        self.cancel_button = push_button(N_("Cancel"), self._cancel)
        StackingRow(self, self.label, self.bar, self.cancel_button)
        queue.changed.connect(self._follow)
        follow_language(self._follow)

    def _cancel(self) -> None:
        self._queue.cancel()
        self._follow()

    def _follow(self) -> None:
        jobs, (done, total) = self._queue.jobs, self._queue.progress
        self.setVisible(bool(jobs))
        if not jobs:
            return
        self.bar.setRange(0, total)  # a total of 0 shows only that work goes on
        self.bar.setValue(done)
        self.cancel_button.setEnabled(not all(map(self._queue.is_cancelled, jobs)))
        self.label.setText(self._text(jobs[0], done, total, len(jobs) - 1))

    def _text(self, job: ExportJob, done: int, total: int, waiting: int) -> str:
        name = display_name(job.title)
        if self._queue.is_cancelled(job):
            text = _("Cancelling {name}…").format(name=name)
        elif total > 1:
            words = _("Saving {name}: {done} of {total}")
            text = words.format(name=name, done=f"{min(done + 1, total):,}", total=f"{total:,}")
        else:
            text = _("Saving {name}…").format(name=name)
        more = _("{count} more waiting").format(count=f"{waiting:,}") if waiting else ""
        return f"{text} · {more}" if more else text


def open_file(path: Path) -> None:
    """Open a file with the program that the system has for it; of a folder of reports the first page."""
    page = path / INDEX
    open_on_desktop(page if path.is_dir() and page.exists() else path)


class Export(QObject):
    """Opens the export dialog, queues the export, and shows its result in the notice bar."""

    ended = Signal()
    """An export has ended, and the notice shows its result."""

    def __init__(
        self,
        workspace: Workspace,
        pages: Pages,
        pairs: PairTablePage,
        notice: NoticeBar,
        preferences: Preferences,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workspace = workspace
        self._pages = pages
        self._pairs = pairs
        self._notice = notice
        self._window = window
        self._dialog: ExportDialog | None = None
        self._closing: ClosingDialog | None = None
        self._closes_when_done = False
        workers = ExportWorkers()
        self._previews = RequestRunner(workers, self)
        self._name_search = RequestRunner(workers, self)
        self.memory = ExportMemory(preferences)
        self.folder_of_work: Callable[[], str] = str  # both are replaced once there are sessions
        self.session_name: Callable[[], str] = str
        self.chosen_essay: Callable[[], int | None] = lambda: None
        self.hits_of: Callable[[int | None], Sequence[LibraryHit]] = lambda _key: ()
        self.queue = ExportQueue(workers, self)
        self.bar = ExportBar(self.queue)
        self.commands = [
            Command("export", N_("Export…"), "Ctrl+E", self.ask),
            Command("class_report", N_("Class report…"), (), lambda: self.ask("class")),
            Command("grade_sheet", N_("Mark sheet…"), (), lambda: self.ask("grades")),
        ]
        for signal in (workspace.comparison_changed, workspace.pairs.changed):
            signal.connect(self._enable)
        self._enable()
        pairs.export_requested.connect(lambda: self.ask("chosen"))
        self.queue.written.connect(self._notify_written)
        self.queue.failed.connect(self._notify_failed)
        self.queue.cancelled.connect(self._notify_cancelled)
        self.queue.changed.connect(self._close_if_done, Qt.ConnectionType.QueuedConnection)

    def _enable(self) -> None:
        export, *of_class = self.commands
        has_pairs = len(self._workspace.pairs.table) > 0
        export.setEnabled(self._workspace.comparison is not None or has_pairs)
        for each in of_class:
            each.setEnabled(has_pairs)

    # ask

    def ask(self, source: str = "") -> None:
        """Open the dialog for an export of the current state.

        `source`: key of the preselected source, if not that of the last export.
        """
        sources = self._sources()
        if not sources or self._dialog is not None:
            return
        page = self._pages.currentWidget()
        offered = {each.key for each in sources}
        self.memory.requested = source if source in offered else "pair" if source else ""
        self.memory.page = page.objectName() if page is not None else ""
        sources.sort(key=lambda each: _ORDER.index(each.key))
        entries = self._workspace.documents.entries
        originals = [entry.path for entry in entries.values()]
        self.memory.folder_of_work = self.folder_of_work()
        for runner in (self._previews, self._name_search):
            runner.open()
        texts = {entry.path: entry.document.text if entry.document else "" for entry in entries.values()}
        paths = {key: entry.path for key, entry in entries.items()}
        students = self._workspace.class_state.school.own_files(paths)
        listed = [student for roster in self._workspace.class_state.rosters for student in roster.students]
        parts = (self._workspace.pseudonyms, texts, listed, self._name_search, self.memory.folder_of_work)
        names = NamesField(*parts, students=students)
        names.corrected.connect(self._workspace.use_pseudonyms)
        from simcompare.ui.export.export_dialog import ExportDialog  # noqa: PLC0415 - not before it is shown

        self._dialog = ExportDialog(
            sources,
            originals,
            self._previews,
            names,
            self.memory,
            lambda: self.queue.paths,
            self._window,
        )
        self._dialog.finished.connect(self._close_dialog)
        self._dialog.confirmed.connect(self._write)
        self._dialog.open()

    def _sources(self) -> list[ExportSource]:
        listed, chosen = self._pairs.listed(), self._pairs.chosen()
        essay = self.chosen_essay()
        parts = self.session_name(), essay, self.hits_of(essay)
        many = cohort_sources(self._workspace, listed, chosen, *parts)
        # the pair in Compare may be one that was never opened: the first two documents
        offers_pair = self._pages.shows_compare or not many or is_compared_pair(self._workspace, chosen)
        pair = pair_source(self._workspace) if offers_pair else None
        return [*([pair] if pair is not None else []), *many]

    def _close_dialog(self) -> None:
        self._dialog = None
        for runner in (self._previews, self._name_search):
            runner.close()

    def _write(self, source: ExportSource, plan: ExportPlan) -> None:
        if plan.pseudonyms is not None:
            self._workspace.use_pseudonyms(plan.pseudonyms)
        self.queue.add(ExportJob(source, plan))

    # notify

    def _notify_written(self, job: ExportJob, result: ExportResult) -> None:
        if result.errors:
            self._stay_open()
        text = "\n".join([_written_text(result.paths), *result.errors, *result.remarks]).strip()
        if not result.paths:
            self._notice.show_notice(text, self.ask, _("Export again…"))
        else:
            first = result.paths[0]
            opening = (_("Open"), lambda: open_file(first)) if len(result.paths) == 1 else None
            went_well = not (result.errors or result.remarks)
            self._notice.show_notice(
                text, lambda: show_in_folder(first), _("Show in folder"), opening, passes=went_well
            )
        self.ended.emit()

    def _notify_failed(self, job: ExportJob, error: Exception) -> None:
        self._stay_open()
        self._notice.show_notice(str(error), self.ask, _("Export again…"))
        self.ended.emit()

    def _notify_cancelled(self, job: ExportJob) -> None:
        words = _("{name} was not saved: cancelled.")
        self._notice.show_notice(words.format(name=display_name(job.title)))
        self.ended.emit()

    # close

    def may_close(self) -> bool:
        """Return whether the window can be closed; if not, ask what to do with running exports.

        The window then closes by itself when they are written, unless the user keeps it open or an error
        must be shown.
        """
        if not self.queue.jobs:
            return True
        running = [job for job in self.queue.jobs if not self.queue.is_cancelled(job)]
        if not running:
            self._closes_when_done = True
        elif self._closing is None:
            self._closing = closing = ClosingDialog(running[0].title, self._window)
            closing.finished.connect(self._forget_closing)
            closing.accepted.connect(self._close_when_done)
            closing.stop_chosen.connect(self._stop_and_close)
            closing.open()
        return False

    def _forget_closing(self) -> None:
        self._closing = None

    def _close_when_done(self) -> None:
        self._closes_when_done = True
        self._close_if_done()

    def _stop_and_close(self) -> None:
        self.queue.cancel()
        self._close_when_done()

    def _close_if_done(self) -> None:
        if not self.queue.jobs and (self._closes_when_done or self._closing is not None):
            self._stay_open()  # until all other parts allow it to close
            self._window.close()

    def _stay_open(self) -> None:
        """Cancel the plan to close the window after writing, and the question about it."""
        self._closes_when_done = False
        if self._closing is not None:
            self._closing.reject()

    def close(self) -> None:
        """Cancel running exports without a question, as the system ends the program."""
        if self._dialog is not None:
            self._dialog.reject()
        self.queue.close()
        for runner in (self._previews, self._name_search):
            runner.wait()


def _written_text(paths: tuple[Path, ...]) -> str:
    if not paths:
        return ""
    if len(paths) == 1:
        return _("{name} has been saved.").format(name=display_name(paths[0].name))
    return ngettext(
        "{count} file saved: {names}",
        "{count} files saved: {names}",
        len(paths),
        names=joined_items(display_name(path.name) for path in paths),
    )
