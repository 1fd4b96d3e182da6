"""Export in the window: the dialog, what is written in the background, and what is told of it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from simcompare.i18n import N_, _, ngettext
from simcompare.ui.actions import Command, Commands
from simcompare.ui.bars.notice_bar import NoticeBar
from simcompare.ui.export.asking import Asking
from simcompare.ui.export.dialog import ExportDialog
from simcompare.ui.export.jobs import Job, Written
from simcompare.ui.export.many_sources import many_pairs
from simcompare.ui.export.names_field import NamesField
from simcompare.ui.export.progress import WritingBar
from simcompare.ui.export.questions import ClosingDialog
from simcompare.ui.export.remembered import Remembered
from simcompare.ui.export.showing import open_file, show_in_folder
from simcompare.ui.export.sources import PairSource, Plan, Source, openings_of, pair_on_show
from simcompare.ui.export.workshop import Workshop
from simcompare.ui.export.writing import Writing
from simcompare.ui.pairs.pages import Pages
from simcompare.ui.pairs.view import PairsView
from simcompare.ui.state.preferences import Preferences
from simcompare.ui.state.workspace import Workspace
from simcompare.visible import visible_name


class Export(QObject):
    """Asks what is exported and where to, has it written, and tells what became of it."""

    told = Signal()
    """What was asked for has ended, and the notice says how."""

    def __init__(
        self,
        workspace: Workspace,
        pages: Pages,
        pairs: PairsView,
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
        workshop = Workshop()
        self._previewing = Asking(workshop, self)
        self._naming = Asking(workshop, self)
        self._remembered = Remembered(preferences)
        self.folder_of_work: Callable[[], str] = str  # until there are sessions, nothing stands in a folder
        self.writing = Writing(workshop, self)
        self.bar = WritingBar(self.writing)
        pairs.export_requested.connect(lambda: self.ask("chosen"))
        self.writing.written.connect(self._tell_written)
        self.writing.failed.connect(self._tell_failed)
        self.writing.cancelled.connect(self._tell_cancelled)
        self.writing.changed.connect(self._close_if_done, Qt.ConnectionType.QueuedConnection)

    def commands(self) -> list[Command]:
        """Return what stands in the menu of files."""
        return [Command("export", N_("Export…"), "Ctrl+E", self.ask)]

    def enable(self, commands: Commands) -> None:
        """Enable the command while there is something to export, from now on."""
        action = commands.actions["export"]

        def follow() -> None:
            action.setEnabled(self._workspace.comparison is not None or len(self._workspace.pairs.table) > 0)

        for signal in (self._workspace.comparison_changed, self._workspace.pairs.changed):
            signal.connect(follow)
        follow()

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.bar.retranslate()

    # asking

    def ask(self, source: str = "") -> None:
        """Let a person say what is exported; it is what there is now, whatever is judged meanwhile.

        `source` is the key of what is chosen at first, where that is not what was exported last.
        """
        sources = self._sources()
        if not sources or self._dialog is not None:
            return
        shown = self._pages.currentWidget()
        offered = {each.key for each in sources}
        self._remembered.asked = source if source in offered else PairSource.key if source else ""
        self._remembered.beside = self.folder_of_work()
        self._remembered.page = shown.objectName() if shown is not None else ""
        originals = [entry.path for entry in self._workspace.documents.entries.values()]
        for asking in (self._previewing, self._naming):
            asking.open()
        openings = openings_of(self._workspace.documents.entries.values())
        names = NamesField(self._workspace.pseudonyms, openings, self._naming, self._remembered.beside)
        names.corrected.connect(self._workspace.use_pseudonyms)
        self._dialog = ExportDialog(
            sources,
            originals,
            self._previewing,
            names,
            self._remembered,
            lambda: self.writing.places,
            self._window,
        )
        self._dialog.finished.connect(self._close_dialog)
        self._dialog.confirmed.connect(self._write)
        self._dialog.open()

    def _sources(self) -> list[Source]:
        pair = pair_on_show(self._workspace)
        many = many_pairs(self._workspace, self._pairs.listed(), self._pairs.chosen())
        return [*([pair] if pair is not None else []), *many]

    def _close_dialog(self) -> None:
        self._dialog = None
        for asking in (self._previewing, self._naming):
            asking.close()

    def _write(self, source: Source, plan: Plan) -> None:
        if plan.pseudonyms is not None:
            self._workspace.use_pseudonyms(plan.pseudonyms)
        self.writing.start(source.job(plan))

    # telling

    def _tell_written(self, job: Job, written: Written) -> None:
        if written.troubles:
            self._stay_open()
        words = "\n".join([_written_words(written.paths), *written.troubles, *written.remarks]).strip()
        if not written.paths:
            self._notice.show_notice(words, self.ask, _("Export again…"))
        else:
            first = written.paths[0]
            opening = (_("Open"), lambda: open_file(first)) if len(written.paths) == 1 else None
            went_well = not (written.troubles or written.remarks)
            self._notice.show_notice(
                words, lambda: show_in_folder(first), _("Show in folder"), opening, passes=went_well
            )
        self.told.emit()

    def _tell_failed(self, job: Job, error: Exception) -> None:
        self._stay_open()
        self._notice.show_notice(str(error), self.ask, _("Export again…"))
        self.told.emit()

    def _tell_cancelled(self, job: Job) -> None:
        words = _("{name} was not written, as that was cancelled.")
        self._notice.show_notice(words.format(name=visible_name(job.title)))
        self.told.emit()

    # closing

    def may_close(self) -> bool:
        """Whether the window can be closed; else a person is asked what becomes of what is being written.

        It closes by itself once that is written, unless the answer is that it stays open, or something went
        wrong that must be told.
        """
        if not self.writing.jobs:
            return True
        wanted = [job for job in self.writing.jobs if not self.writing.is_given_up(job)]
        if not wanted:
            self._closes_when_done = True
        elif self._closing is None:
            self._closing = closing = ClosingDialog(wanted[0].title, self._window)
            closing.finished.connect(self._forget_closing)
            closing.wait_chosen.connect(self._close_when_done)
            closing.stop_chosen.connect(self._stop_and_close)
            closing.open()
        return False

    def _forget_closing(self) -> None:
        self._closing = None

    def _close_when_done(self) -> None:
        self._closes_when_done = True
        self._close_if_done()

    def _stop_and_close(self) -> None:
        self.writing.cancel()
        self._close_when_done()

    def _close_if_done(self) -> None:
        if not self.writing.jobs and (self._closes_when_done or self._closing is not None):
            self._stay_open()  # until it is known whether everything else lets it close
            self._window.close()

    def _stay_open(self) -> None:
        """Take back that the window closes once everything is written, and the question about that."""
        self._closes_when_done = False
        if self._closing is not None:
            self._closing.reject()

    def close(self) -> None:
        """Give up what is being written, where the system ends the program; nobody was asked then."""
        if self._dialog is not None:
            self._dialog.reject()
        self.writing.close()
        for asking in (self._previewing, self._naming):
            asking.wait()


def _written_words(paths: tuple[Path, ...]) -> str:
    if not paths:
        return ""
    if len(paths) == 1:
        return _("{name} is written.").format(name=visible_name(paths[0].name))
    text = ngettext("{count} file is written: {names}", "{count} files are written: {names}", len(paths))
    return text.format(count=f"{len(paths):,}", names=", ".join(visible_name(path.name) for path in paths))
