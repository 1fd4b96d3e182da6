"""The state of the window: documents, the chosen pair, its comparison, settings; the selection is with it.

Views listen to its signals, read its state and ask it for changes; they keep no copy.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from simcompare.comparison.compare import Grounds, judge_again
from simcompare.comparison.subject import Subject
from simcompare.comparison.values import Comparison, ComparisonMatrix
from simcompare.errors import SimcompareError
from simcompare.i18n import _
from simcompare.loading.files import files_of
from simcompare.settings import PRESETS, ComparisonSettings
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.comparison_run import ComparisonRun, Outcome
from simcompare.ui.prompt_file import PromptFile
from simcompare.ui.reading import FileReading
from simcompare.ui.selection import Selection
from simcompare.ui.side import Side

_ARRIVALS_MS = 30
_FILES_AT_ONCE = 10


@dataclass(slots=True, eq=False)
class Entry:
    """A file in the list. Reading while neither subject nor error is there."""

    key: int
    path: Path
    subject: Subject | None = None
    error: SimcompareError | None = None


class Workspace(QObject):
    """Everything the window shows."""

    documents_changed = Signal()
    comparison_started = Signal()
    shape_known = Signal(int, int)
    block_scored = Signal(object)
    comparison_changed = Signal()
    settings_changed = Signal()
    progress_changed = Signal()
    noticed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: dict[int, Entry] = {}
        self.sides: dict[Side, int] = {}
        self.settings = PRESETS["balanced"]
        self.comparison: Comparison | None = None
        self.thesaurus: Thesaurus | None = None
        self.progress: tuple[int, int] | None = None
        self.selection = Selection(self)
        self._keys = count(1)
        self._mirrored: tuple[Subject, Subject, tuple[int, int]] | None = None
        self._sides_were_chosen = False
        self._pool = QThreadPool()
        self._run: ComparisonRun | None = None
        self._arrivals = QTimer(self, singleShot=True, interval=_ARRIVALS_MS)
        self._arrivals.timeout.connect(self._documents_moved)
        self._last_submitted = 0
        self._submissions = QTimer(self, singleShot=True, interval=0)
        self._submissions.timeout.connect(self._submit_files)
        self._reading = FileReading(self.settings.recipe, self)
        self._reading.finished.connect(self._take_subject)
        self._reading.failed.connect(self._take_error)
        self.prompt = PromptFile(self._reading, self._pool, self)
        self.prompt.ready.connect(self._exclude_prompt)
        self.prompt.failed.connect(lambda error: self.noticed.emit(str(error)))
        self.prompt.scored.connect(self._take_grounds)

    # documents

    def warm(self) -> None:
        """Start the reading processes; call it once the window is shown."""
        self._reading.warm()

    def add(self, paths: Iterable[Path]) -> None:
        """Add files, and the files inside folders; those already listed are named and left."""
        known = {entry.path for entry in self.entries.values()}
        repeated: list[str] = []
        for path in files_of(path.absolute() for path in paths):
            if path in known:
                repeated.append(path.name)
                continue
            known.add(path)
            key = next(self._keys)
            self.entries[key] = Entry(key, path)
        self._submit_files()
        if repeated:
            self.noticed.emit(_("Already in the list: {names}").format(names=", ".join(repeated)))
        self._fill_sides()
        self._documents_moved()

    def _submit_files(self) -> None:
        """Have a few files read, and the others after the next turn of the event loop: it takes a while."""
        unread = [key for key in self.entries if key > self._last_submitted]
        for key in unread[:_FILES_AT_ONCE]:
            self._reading.read(key, self.entries[key].path)
            self._last_submitted = key
        if len(unread) > _FILES_AT_ONCE:
            self._submissions.start()

    def remove(self, keys: Sequence[int]) -> None:
        """Take documents out of the list; a comparison with one of them ends."""
        for key in keys:
            self._reading.cancel(key)
            self.entries.pop(key, None)
        self._fill_sides()
        self._documents_moved()

    def choose(self, side: Side, key: int) -> None:
        """Put a document on a side; where it stands on the other side, the two change places."""
        if self.sides.get(side) == key:
            return
        if self.sides.get(side.other) == key:
            self.swap()
            return
        self._sides_were_chosen = True
        self.sides[side] = key
        self._documents_moved()

    def swap(self) -> None:
        """Let the two texts change places."""
        self._sides_were_chosen = True
        if self.comparison is not None and self.selection.cell is not None:
            self._mirrored = (self.comparison.right, self.comparison.left, self.selection.cell[::-1])
        self.sides = {side.other: key for side, key in self.sides.items()}
        self._documents_moved()

    def entry_on(self, side: Side) -> Entry | None:
        """Return the document on a side."""
        return self.entries.get(self.sides.get(side, 0))

    def _fill_sides(self) -> None:
        """Give each empty side the first document that can stand there.

        Until somebody chooses, the first two documents without a problem stand side by side, in order.
        """
        usable = [key for key, entry in self.entries.items() if entry.error is None]
        self.sides = {
            side: key for side, key in self.sides.items() if self._sides_were_chosen and key in usable
        }
        for side in Side:
            free = [key for key in usable if key not in self.sides.values()]
            if side not in self.sides and free:
                self.sides[side] = free[0]

    def _document_arrived(self, key: int, sides_before: dict[Side, int]) -> None:
        """Tell at once of what is looked at, and of all others together: hundreds may come in a row."""
        done, total = self.reading_count
        if key in self.sides.values() or self.sides != sides_before or done == total:
            self._documents_moved()
        elif not self._arrivals.isActive():
            self._arrivals.start()

    def _documents_moved(self) -> None:
        self._arrivals.stop()
        self.documents_changed.emit()
        self.progress_changed.emit()
        self._compare_if_ready()

    def _take_subject(self, key: int, subject: Subject) -> None:
        if key in self.entries:
            self.entries[key].subject = subject
            self._document_arrived(key, self.sides)

    def _take_error(self, key: int, error: SimcompareError) -> None:
        if key not in self.entries:
            return
        self.entries[key].error = error
        before = self.sides
        self._fill_sides()
        self._document_arrived(key, before)

    @property
    def reading_count(self) -> tuple[int, int]:
        """(documents read or failed, documents)."""
        done = sum(1 for e in self.entries.values() if e.subject is not None or e.error is not None)
        return done, len(self.entries)

    # comparison

    def _compare_if_ready(self) -> None:
        subjects = [entry.subject if entry else None for entry in map(self.entry_on, Side)]
        left, right = subjects
        if left is None or right is None:
            self._stop_run()
            self._set_comparison(None)
            return
        current = self._run or self.comparison
        if current is not None and current.left is left and current.right is right:
            return
        self._start_run(left, right)

    def compare_afresh(self) -> None:
        """Compare the chosen pair again from the beginning."""
        self._stop_run()
        self.comparison = None
        self._compare_if_ready()

    def _start_run(self, left: Subject, right: Subject) -> None:
        self._stop_run()
        self._set_comparison(None)
        run = ComparisonRun(left, right, self.settings, self.prompt.prepared, self._pool, self)
        run.shape_known.connect(self.shape_known)
        run.block_scored.connect(self.block_scored)
        run.progressed.connect(self._set_progress)
        run.succeeded.connect(self._finish_run)
        run.failed.connect(self._fail_run)
        self._run = run
        self._set_progress(0, left.prepared.sentence_count)
        self.comparison_started.emit()
        run.start()

    def _stop_run(self) -> None:
        """Let go of the run; it deletes itself once its last task has reported."""
        run, self._run = self._run, None
        if run is None:
            return
        for signal in (run.shape_known, run.block_scored, run.progressed):
            signal.disconnect()
        run.succeeded.disconnect(self._finish_run)
        run.failed.disconnect(self._fail_run)
        run.cancel()
        self.progress = None
        self.progress_changed.emit()

    def cancel(self) -> None:
        """Stop what is under way: files not yet read leave the list, an unfinished comparison ends."""
        unread = [k for k, e in self.entries.items() if e.subject is None and e.error is None]
        run_was_on = self._run is not None
        self._stop_run()
        if unread:
            self.remove(unread)
        if run_was_on:
            self.comparison_changed.emit()
            self.noticed.emit(_("The comparison was cancelled. Choose “Compare again” to start it anew."))

    def _finish_run(self, outcome: Outcome) -> None:
        self._run = None
        self.progress = None
        self.thesaurus = outcome.thesaurus
        if outcome.thesaurus_error is not None:
            self.noticed.emit(str(outcome.thesaurus_error))
        comparison = outcome.comparison
        if comparison.settings != self.settings:
            comparison = judge_again(comparison, self.settings)
        self._set_comparison(comparison)
        self._select_mirrored(comparison)
        self.progress_changed.emit()
        if outcome.prompt is not self.prompt.prepared:
            self.prompt.score(comparison, self.thesaurus)

    def _select_mirrored(self, comparison: Comparison) -> None:
        """Select the pair again that was selected when the sides changed places."""
        mirrored, self._mirrored = self._mirrored, None
        if mirrored is not None and mirrored[:2] == (comparison.left, comparison.right):
            self.selection.select_cell(*mirrored[2])

    def _fail_run(self, error: Exception) -> None:
        self._run = None
        self.progress = None
        self.noticed.emit(_("The comparison stopped: {cause}").format(cause=error))
        self.progress_changed.emit()

    def _set_progress(self, done: int, total: int) -> None:
        self.progress = (done, total)
        self.progress_changed.emit()

    def _set_comparison(self, comparison: Comparison | None) -> None:
        if comparison is None and self.comparison is None:
            return
        self.comparison = comparison
        self.selection.follow(comparison)
        self.comparison_changed.emit()
        self.selection.changed.emit()

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read or a comparison is under way."""
        done, total = self.reading_count
        return done < total or self._run is not None

    # settings

    def set_settings(self, settings: ComparisonSettings) -> None:
        """Use other settings: thresholds are judged again at once, other scores need a new comparison."""
        if settings == self.settings:
            return
        before = self.settings
        afresh = (settings.thesaurus, settings.passages) != (before.thesaurus, before.passages)
        self.settings = settings
        self.settings_changed.emit()
        if afresh:
            self.compare_afresh()
        elif self.comparison is not None:
            self._judge_again(self.comparison)

    def _exclude_prompt(self) -> None:
        """Exclude the sentences of the prompt that was just read."""
        self.settings = replace(self.settings, prompt=str(self.prompt.path))
        self.settings_changed.emit()
        if self.comparison is not None:
            self.prompt.score(self.comparison, self.thesaurus)

    def _take_grounds(self, matrix: ComparisonMatrix, grounds: Grounds) -> None:
        if self.comparison is not None and self.comparison.matrix is matrix:
            self._judge_again(self.comparison, grounds)

    def _judge_again(self, comparison: Comparison, grounds: Grounds | None = None) -> None:
        self._set_comparison(judge_again(comparison, self.settings, grounds))

    def close(self) -> None:
        """Stop everything and wait for what cannot be stopped at once."""
        for run in self.findChildren(ComparisonRun):
            run.abandon()
        self._run = None
        self._arrivals.stop()
        self._submissions.stop()
        self.prompt.close()
        self._pool.clear()
        self._reading.close()
        self._pool.waitForDone()
