"""Which session the window works on, whether all of it is saved, and the files that keep it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal, SignalInstance

from simcompare.model.errors import SessionChangedError, SimcompareError, UnsavedDecisionsError
from simcompare.model.settings import PRESETS
from simcompare.model.untitled import is_untitled
from simcompare.session.decisions import PairReview
from simcompare.session.session_data import Layout, Pair, Session, SessionDocument
from simcompare.session.session_reader import read_session
from simcompare.session.session_writer import write_session
from simcompare.support.atomic_file import ChangeStamp, change_stamp
from simcompare.ui.session.session_snapshot import restore, snapshot
from simcompare.ui.state.comparison_run import Task
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace

_EMPTY = Session(settings=PRESETS["balanced"])


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """What the window works on until another session takes its place, and its file as it was left there.

    A `stamp` of None is that of no file: whatever stands at the path was put there by somebody else.
    """

    path: Path | None = None
    stamp: ChangeStamp | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Saved:
    work: _Work
    session: Session
    begun_with: _Work


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    asked_for: Path
    session: Session
    work: _Work
    is_saved: bool


class SessionKeeper(QObject):
    """Compares what the window holds with what was saved last; files are written and read off its thread."""

    changed = Signal()
    """The name of the session, or whether all of it is saved."""
    saved = Signal(object)
    """The path it was saved to; the values that were written are those of the moment it was asked for."""
    opened = Signal(object)
    """The layout of the session that was opened, or of an empty one."""
    not_saved = Signal(object)
    not_opened = Signal(object)
    """The SimcompareError that says why."""
    _written = Signal(object)
    _read = Signal(object)
    _not_written = Signal(object)
    _not_read = Signal(object)

    def __init__(
        self, workspace: Workspace, layout: Callable[[], Layout], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.is_modified = False
        """Whether work would be lost; files that were merely added are none before there is a session."""
        self._workspace = workspace
        self._layout = layout
        self._work = _Work()
        self._saved = _EMPTY
        self._files_being_saved = 0
        self._awaited: Path | None = None
        self._reviews_then: Mapping[Pair, PairReview] = {}
        self._selected: tuple[Pair, tuple[int, int]] | None = None
        self._stop = Event()
        self._pool = QThreadPool()
        self._pool.setMaxThreadCount(1)  # files are written in the order in which it is asked for
        self._listen()

    def _listen(self) -> None:
        workspace = self._workspace
        for signal in (
            workspace.documents_changed,
            workspace.settings_changed,
            workspace.pseudonyms_changed,
            workspace.review.changed,
            workspace.prompt.changed,
        ):
            signal.connect(self._look)
        workspace.comparison_changed.connect(self._select_again)
        self._written.connect(self._take_written)
        self._read.connect(self._take_read)
        self._not_written.connect(self._tell_not_written)
        self._not_read.connect(self._tell_not_read)

    # what there is

    @property
    def path(self) -> Path | None:
        """The file of the session; None while it has none."""
        return self._work.path

    @property
    def is_saving(self) -> bool:
        """Whether a file is being written to which a person saved."""
        return self._files_being_saved > 0

    @property
    def has_unsaved_judgements(self) -> bool:
        """Whether something was judged, or taken back, since it was saved."""
        return self.session().reviews != self._saved.reviews

    def session(self) -> Session:
        """Return what the window holds at present."""
        return snapshot(self._workspace, self._layout())

    def _look(self) -> None:
        """See whether all is saved. Documents that stayed are the same objects, so that is soon done."""
        now = _content(snapshot(self._workspace, Layout()))
        modified = now != self._saved and (self.path is not None or _is_work(now))
        if modified != self.is_modified:
            self.is_modified = modified
            self.changed.emit()

    # files

    def save(self, path: Path) -> None:
        """Begin to write the session to a file that a person chose; `saved` or `not_saved` follows."""
        self._save(path, None)

    def save_again(self) -> None:
        """Begin to write the session to its file, unless somebody else has changed that since."""
        if self.path is not None:
            self._save(self.path, self._work)

    def _save(self, path: Path, over: _Work | None) -> None:
        self._files_being_saved += 1
        work = partial(_write, self.session(), path, self._work, over)
        self.run(work, self._written, self._not_written)

    def open(self, path: Path, *, rescued: bool = False) -> None:
        """Begin to read a session to take the place of this one; `opened` or `not_opened` follows.

        What was `rescued` from a crash has not been saved, and goes on to belong to the file it names.
        """
        self._awaited, self._reviews_then = path, self._workspace.review.pairs()
        self.run(partial(_open, path, rescued), self._read, self._not_read)

    def begin_anew(self) -> None:
        """Forget all of it and begin an empty session."""
        self._awaited = None
        self._take(_EMPTY, _Work(), is_saved=True)

    def run(self, work: Callable[[], object], done: SignalInstance, failed: SignalInstance) -> None:
        """Have work done that reads or writes files, after what was asked for before."""
        self._pool.start(Task(work, done, failed, self._stop))

    def close(self) -> None:
        """Wait for what is being written, and tell nothing any more."""
        for signal in (self._written, self._not_written, self._read, self._not_read):
            signal.disconnect()
        self._pool.waitForDone()

    # what comes of it

    def _take_written(self, saved: _Saved) -> None:
        self._files_being_saved -= 1
        if saved.begun_with is self._work:  # else another session has taken its place meanwhile
            self._work, self._saved = saved.work, _content(saved.session)
            self.is_modified = False
            self._look()
            self.changed.emit()
        self.saved.emit(saved.work.path)

    def _take_read(self, opened: _Opened) -> None:
        if opened.asked_for != self._awaited:
            return
        if self._workspace.review.pairs() != self._reviews_then:
            self._tell_not_read(UnsavedDecisionsError(opened.asked_for))
            return
        self._awaited = None
        self._take(opened.session, opened.work, is_saved=opened.is_saved)

    def _take(self, session: Session, work: _Work, *, is_saved: bool) -> None:
        self._work = work
        pair = restore(self._workspace, session)
        self._selected = None if pair is None or session.layout.cell is None else (pair, session.layout.cell)
        self._saved = _content(self.session()) if is_saved else _EMPTY
        self._look()
        self.changed.emit()
        self.opened.emit(session.layout)

    def _select_again(self) -> None:
        """Select what was selected, once the pair of the session has been compared."""
        workspace = self._workspace
        if self._selected is None or workspace.comparison is None:
            return
        (left, right), cell = self._selected
        self._selected = None
        rows, columns = workspace.comparison.matrix.shape
        same = workspace.documents.sides == {Side.LEFT: left, Side.RIGHT: right}
        if same and cell[0] < rows and cell[1] < columns:
            workspace.selection.select_cell(*cell)

    def _tell_not_written(self, error: Exception) -> None:
        self._files_being_saved -= 1
        self._tell(self.not_saved, error)

    def _tell_not_read(self, error: Exception) -> None:
        self._awaited = None
        self._tell(self.not_opened, error)

    def _tell(self, failed: SignalInstance, error: Exception) -> None:
        if not isinstance(error, SimcompareError):
            raise error
        failed.emit(error)


def _is_work(session: Session) -> bool:
    """Whether adding the same files would not bring back all there is."""
    pasted = any(document.pasted for document in session.documents)
    # nobody could tell any more who stands behind the names of an anonymous report
    named = session.pseudonyms is not None
    chosen = session.settings != _EMPTY.settings or session.prompt is not None
    return pasted or named or bool(session.reviews) or (chosen and bool(session.documents))


def _content(session: Session) -> Session:
    """Return what there is to be saved: to look at another pair, or in another language, is no work."""
    documents = tuple(map(_without_number, session.documents))
    return replace(session, documents=documents, left=None, right=None, layout=Layout(), file=None)


def _without_number(document: SessionDocument) -> SessionDocument:
    """Return a pasted text without the name that it has from the language."""
    if document.pasted is None or not is_untitled(document.path):
        return document
    return replace(document, path=Path(), document=None)


def _write(session: Session, path: Path, begun_with: _Work, over: _Work | None) -> _Saved:
    if over is not None and change_stamp(path) not in (None, over.stamp):
        raise SessionChangedError(path)
    write_session(session, path)
    return _Saved(_Work(path, change_stamp(path)), session, begun_with)


def _open(path: Path, rescued: bool) -> _Opened:
    stamp = change_stamp(path)
    session = read_session(path)
    if not rescued:
        return _Opened(path, session, _Work(path, stamp), is_saved=True)
    return _Opened(path, session, _work_of_rescued(session.file, stamp), is_saved=False)


def _work_of_rescued(file: Path | None, copy: ChangeStamp | None) -> _Work:
    """Return the work that a copy goes on with: its file is as it was left unless it is the later one."""
    stamp = change_stamp(file) if file is not None else None
    is_later = stamp is not None and copy is not None and stamp > copy
    return _Work(file, None if is_later else stamp)
