"""Session file of the window: whether it is modified, reading and writing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile, QObject, QThreadPool, Signal, SignalInstance

from simcompare.cohort.scored_class import RestoredScores, restored_scores, saved_scores
from simcompare.model.errors import SessionChangedError, SimcompareError, UnsavedDecisionsError
from simcompare.model.file_kinds import is_untitled
from simcompare.model.settings import PRESETS
from simcompare.session.decisions import PairReview
from simcompare.session.review_journal import with_journal
from simcompare.session.school_class import Pair
from simcompare.session.session_data import SavedLayout, SavedScores, Session, SessionDocument
from simcompare.session.session_file import lost_settings, read_session, usable_settings, write_session
from simcompare.support.atomic_file import ChangeStamp, change_stamp
from simcompare.support.i18n import _
from simcompare.support.resources import resource_path, user_data_path
from simcompare.ui.state.cohort.class_state import MIN_DOCUMENTS
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.task import Background
from simcompare.ui.state.workspace import Workspace


def snapshot(workspace: Workspace, layout: SavedLayout) -> Session:
    """Build a session from the state of the window; a class has only a pair that the user chose."""
    documents = workspace.documents
    place_of = {key: place for place, key in enumerate(documents.entries)}
    is_pair_kept = documents.sides_were_chosen or len(place_of) < MIN_DOCUMENTS
    shown = documents.sides if is_pair_kept else {}
    sides = {side: place_of[key] for side, key in shown.items() if key in place_of}
    return Session(
        tuple(map(_session_document, documents.entries.values())),
        sides.get(Side.LEFT),
        sides.get(Side.RIGHT),
        workspace.settings,
        workspace.prompt.document,
        {
            (place_of[left], place_of[right]): review
            for (left, right), review in workspace.review.pairs().items()
        },
        layout,
        pseudonyms=workspace.pseudonyms,
        school_class=workspace.class_state.saved(),
    )


def _session_document(entry: DocumentEntry) -> SessionDocument:
    document = entry.document
    error = entry.error if document is None else None
    options = entry.pending_options or entry.options if document is None else entry.options
    return SessionDocument(entry.path, options.whole_page, document, error, entry.pasted)


def restore(workspace: Workspace, session: Session, restored: RestoredScores | None) -> Pair | None:
    """Replace the state of the window by a session and its scores.

    Return the keys of the compared documents, or None with fewer than two.
    """
    settings = usable_settings(session)
    workspace.reset(settings, session.prompt)
    if lost := lost_settings(session, settings):
        workspace.noticed.emit(lost)
    places = {Side.LEFT: session.left, Side.RIGHT: session.right}
    sides = {side: place for side, place in places.items() if place is not None}
    keys = workspace.documents.restore(session.documents, sides)
    scores = None if restored is None else restored.with_keys(keys)
    workspace.class_state.restore(session.school_class, scores)
    workspace.pseudonyms = session.pseudonyms
    workspace.review.restore({(keys[a], keys[b]): held for (a, b), held in session.reviews.items()})
    if session.left is None or session.right is None:
        return None
    return keys[session.left], keys[session.right]


_EMPTY = Session(settings=PRESETS["balanced"])


class WorkPart(Enum):
    DECISIONS = "decisions"
    SETTINGS = "settings"
    DOCUMENTS = "documents"
    CLASS = "class"
    PSEUDONYMS = "pseudonyms"


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """Identity of the open session, with its file as last written.

    stamp: None if there was no file; a file at the path then belongs to another program.
    """

    path: Path | None = None
    stamp: ChangeStamp | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Saved:
    work: _Work
    session: Session
    started_with: _Work


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    path: Path
    session: Session
    scores: RestoredScores | None
    work: _Work
    is_saved: bool
    is_complete: bool = True
    """False if decisions in the journal of a recovery copy could not be read."""


class SessionKeeper(QObject):
    """Compares the state of the window with the saved session; reads and writes files in the background."""

    changed = Signal()
    """The name of the session changed, or whether it is modified."""
    saved = Signal(object)
    """The path; what was written is the state at the time of the request."""
    opened = Signal(object)
    """The layout of the opened session, or of an empty one."""
    not_saved = Signal(object)
    not_opened = Signal(object)
    """The SimcompareError."""

    def __init__(
        self, workspace: Workspace, layout: Callable[[], SavedLayout], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.is_modified = False
        """True if work would be lost; merely added files do not count before the first save."""
        self._workspace = workspace
        self._layout = layout
        self._work = _Work()
        self._saved = self._now = self._empty()
        self._files_being_saved = 0
        self._is_recovered = False
        self._awaited_path: Path | None = None
        self._reviews_at_request: Mapping[Pair, PairReview] = {}
        self._selected: tuple[Pair, tuple[int, int]] | None = None
        self._pool = QThreadPool(maxThreadCount=1)  # files are written in the order of the requests
        self._background = Background(self, self._pool)
        for signal in (
            workspace.documents_changed,
            workspace.pseudonyms_changed,
            workspace.review.changed,
            workspace.prompt.changed,
        ):
            signal.connect(self._update_modified)
        workspace.settings_changed.connect(self._update_settings)
        workspace.class_state.changed.connect(self._update_class)
        workspace.history.indexChanged.connect(lambda _index: self._compare())  # of a step, after its change
        workspace.comparison_changed.connect(self._select_again)

    # state

    @property
    def path(self) -> Path | None:
        return self._work.path

    @property
    def is_saving(self) -> bool:
        """True if a file is being written at the user's request."""
        return self._files_being_saved > 0

    @property
    def has_unsaved_decisions(self) -> bool:
        return self.session().reviews != self._saved.reviews

    @property
    def unsaved(self) -> frozenset[WorkPart]:
        """Parts of the session that would be lost; added files count only if the session has a file."""
        now, saved = self._now, self._saved
        has_documents = self.path is not None or any(document.pasted for document in now.documents)
        files = has_documents and _files(now) != _files(saved)
        changed = {
            WorkPart.DECISIONS: now.reviews != saved.reviews,
            WorkPart.SETTINGS: _settings(now) != _settings(saved),
            WorkPart.CLASS: self.path is None and _is_class(now) and now.documents != saved.documents,
            WorkPart.DOCUMENTS: files or now.school_class.roles != saved.school_class.roles,
            WorkPart.PSEUDONYMS: now.pseudonyms != saved.pseudonyms,
        }
        return frozenset(part for part, is_changed in changed.items() if is_changed)

    def session(self) -> Session:
        """Take a snapshot of the window."""
        return snapshot(self._workspace, self._layout())

    def _update_modified(self) -> None:
        """Compare the whole state with the saved session; fast: unchanged documents are identical."""
        self._now = _content(snapshot(self._workspace, SavedLayout()))
        self._compare()

    def _update_settings(self) -> None:
        """Compare after a change of settings, without a snapshot: a slider changes them many times."""
        self._now = replace(self._now, settings=self._workspace.settings)
        self._compare()

    def _update_class(self) -> None:
        """Compare after a change of the class, without a snapshot: shares change while pairs are scored."""
        school_class = self._workspace.class_state.saved()
        if school_class != self._now.school_class:
            self._now = replace(self._now, school_class=school_class)
            self._compare()

    def _compare(self) -> None:
        now = self._now
        has_choices = self._workspace.history.canUndo() or self._is_recovered
        modified = now != self._saved and (self.path is not None or _is_work(now, has_choices=has_choices))
        if modified != self.is_modified:
            self.is_modified = modified
            self.changed.emit()

    # files

    def save(self, path: Path) -> None:
        """Write the session to a chosen file in the background; `saved` or `not_saved` follows."""
        self._save(path, None)

    def save_again(self) -> None:
        """Write the session to its file in the background, unless another program has changed it."""
        if self.path is not None:
            self._save(self.path, self._work)

    def _save(self, path: Path, over: _Work | None) -> None:
        self._files_being_saved += 1
        keys = tuple(self._workspace.documents.entries)
        scores = partial(saved_scores, self._workspace.class_state.scored(), keys)
        entries = map(replace, self._workspace.documents.entries.values())  # as they are now
        work = partial(_write, self.session(), tuple(entries), scores, path, self._work, over)
        self.run(work, self._take_written, self._report_not_written)

    def open(self, path: Path, *, is_recovery_copy: bool = False) -> None:
        """Read a session in the background and replace this one; `opened` or `not_opened` follows.

        A recovery copy counts as unsaved, and belongs to the file that it names.
        """
        self._awaited_path, self._reviews_at_request = path, self._workspace.review.pairs()
        self.run(partial(_open, path, is_recovery_copy), self._take_read, self._report_not_read)

    def reset(self) -> None:
        self._awaited_path = None
        self._take(self._empty(), None, _Work(), is_saved=True)

    def _empty(self) -> Session:
        return replace(_EMPTY, settings=self._workspace.new_settings)

    def run(
        self,
        work: Callable[[], object],
        use: Callable[[Any], object],
        fail: Callable[[Exception], object],
    ) -> None:
        """Run a task that reads or writes files, after all earlier ones."""
        self._background.start(work, use, fail)

    def close(self) -> None:
        """Wait for files being written, without further signals."""
        self._background.finish()
        self._pool.waitForDone()

    # results

    def _take_written(self, saved: _Saved) -> None:
        self._files_being_saved -= 1
        if saved.started_with is self._work:  # otherwise another session has been opened meanwhile
            self._work, self._saved = saved.work, _content(saved.session)
            self.is_modified = False
            self._update_modified()
            self.changed.emit()
        self.saved.emit(saved.work.path)

    def _take_read(self, opened: _Opened) -> None:
        if opened.path != self._awaited_path:
            return
        if self._workspace.review.pairs() != self._reviews_at_request:
            self._report_not_read(UnsavedDecisionsError(opened.path))
            return
        self._awaited_path = None
        self._take(opened.session, opened.scores, opened.work, is_saved=opened.is_saved)
        if not opened.is_complete:
            text = _("The end of the backup is damaged: the last decisions before the crash are missing.")
            self._workspace.noticed.emit(text)

    def _take(self, session: Session, scores: RestoredScores | None, work: _Work, *, is_saved: bool) -> None:
        self._work, self._is_recovered = work, not is_saved
        pair = restore(self._workspace, session, scores)
        self._selected = None if pair is None or session.layout.cell is None else (pair, session.layout.cell)
        self._saved = _content(self.session()) if is_saved else _EMPTY
        self._update_modified()
        self.changed.emit()
        self.opened.emit(session.layout)

    def _select_again(self) -> None:
        """Restore the selection of the session, once its pair has been compared."""
        workspace = self._workspace
        if self._selected is None or workspace.comparison is None:
            return
        (left, right), cell = self._selected
        self._selected = None
        rows, columns = workspace.comparison.matrix.shape
        same = workspace.documents.sides == {Side.LEFT: left, Side.RIGHT: right}
        if same and cell[0] < rows and cell[1] < columns:
            workspace.selection.select_passage_with(*cell)

    def _report_not_written(self, error: Exception) -> None:
        self._files_being_saved -= 1
        self._report(self.not_saved, error)

    def _report_not_read(self, error: Exception) -> None:
        self._awaited_path = None
        self._report(self.not_opened, error)

    def _report(self, failed: SignalInstance, error: Exception) -> None:
        if not isinstance(error, SimcompareError):
            raise error
        failed.emit(error)


def _settings(session: Session) -> object:
    return session.settings, session.prompt, session.school_class.limit


def _files(session: Session) -> object:
    """Return the documents and the class lists, which may be added together."""
    return session.documents, session.school_class.rosters


def _is_work(session: Session, *, has_choices: bool) -> bool:
    """Return whether the session holds more than adding the same files would restore.

    has_choices: the teacher may have chosen roles of documents; otherwise documents were added with them, and
    the prompt consists of templates among them.
    """
    pasted = any(document.pasted for document in session.documents)
    # only the session can resolve the pseudonyms of anonymous reports
    named = session.pseudonyms is not None
    usual, school_class = _EMPTY.settings, session.school_class
    # where rewritten passages are searched is remembered in the preferences
    settings = replace(session.settings, prompt=usual.prompt, meaning=usual.meaning)
    chosen = settings != _EMPTY.settings or session.prompt is not None or school_class.limit is not None
    chosen |= has_choices and (bool(school_class.roles) or session.settings != _EMPTY.settings)
    is_other = pasted or named or _is_class(session) or bool(session.reviews)
    return is_other or (chosen and bool(session.documents))


def _is_class(session: Session) -> bool:
    """Return whether a session holds a class of the user, which takes minutes to compare again."""
    read = [document.path for document in session.documents if document.document is not None]
    return len(read) >= MIN_DOCUMENTS and not are_samples(read)


def are_samples(paths: Iterable[Path]) -> bool:
    samples = resource_path("samples")
    return all(path.is_relative_to(samples) for path in paths)


def _content(session: Session) -> Session:
    """Session without what does not count as work: compared documents, layout, language."""
    documents = tuple(map(_without_number, session.documents))
    return replace(session, documents=documents, left=None, right=None, layout=SavedLayout(), file=None)


def _without_number(document: SessionDocument) -> SessionDocument:
    """Pasted text without its title, which depends on the language."""
    if document.pasted is None or not is_untitled(document.path):
        return document
    return replace(document, path=Path(), document=None)


def _write(
    session: Session,
    entries: Sequence[DocumentEntry],
    scores: Callable[[], SavedScores],
    path: Path,
    started_with: _Work,
    over: _Work | None,
) -> _Saved:
    lock = QLockFile(str(user_data_path("saving.lock")))
    lock.tryLock(10_000)  # two windows may save at once; without the lock, save all the same
    try:
        if over is not None and change_stamp(path) not in (None, over.stamp):
            raise SessionChangedError(path)
        documents = (
            replace(each, meanings=entry.kept_meanings)
            for each, entry in zip(session.documents, entries, strict=True)
        )
        write_session(replace(session, documents=tuple(documents), scores=scores()), path)
        return _Saved(_Work(path, change_stamp(path)), session, started_with)
    finally:
        lock.unlock()


def _open(path: Path, is_recovery_copy: bool) -> _Opened:
    stamp = change_stamp(path)
    session = read_session(path)
    scores = restored_scores(session.scores, usable_settings(session))
    session = replace(session, scores=None)
    if not is_recovery_copy:
        return _Opened(path, session, scores, _Work(path, stamp), is_saved=True)
    session, is_complete = with_journal(session, path)
    return _Opened(path, session, scores, _work_of_copy(session.file, stamp), False, is_complete)


def _work_of_copy(file: Path | None, copy: ChangeStamp | None) -> _Work:
    """Work that a recovery copy continues; its file counts as changed if it is newer than the copy."""
    stamp = change_stamp(file) if file is not None else None
    is_later = stamp is not None and copy is not None and stamp > copy
    return _Work(file, None if is_later else stamp)
