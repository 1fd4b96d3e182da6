"""A copy of unsaved work against a crash: one file for each window, and those that a crash left behind."""

import errno
import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from secrets import token_hex

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from simcompare.errors import SessionNotSavedError, cause_of
from simcompare.i18n import _
from simcompare.resources import user_data_path
from simcompare.session.values import FILE_SUFFIX, Session
from simcompare.session.writing import write_session
from simcompare.ui.session.keeper import SessionKeeper
from simcompare.ui.state.workspace import Workspace

_EVERY_MS = 60_000
_AFTER_A_DECISION_MS = 3_000
_OWNER_ALONE = 0o700
# what is left of a copy that was being written when the computer stopped
_UNFINISHED = ".simcompare-*"
_UNFINISHED_FOR_SECONDS = 3_600


@dataclass(frozen=True, slots=True, eq=False)
class RescuedWork:
    """A copy of unsaved work, of a local time; nobody else can take it while its lock is held."""

    path: Path
    lock: QLockFile
    written: datetime

    def discard(self) -> None:
        """Delete it."""
        self.path.unlink(missing_ok=True)
        self.lock.unlock()


class Recovery(QObject):
    """Writes the copy, off the GUI thread, while there is unsaved work; takes it away once there is none."""

    noticed = Signal(str)
    _written = Signal(object)
    _failed = Signal(object)

    def __init__(self, keeper: SessionKeeper, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self._copy: RescuedWork | None = None
        self._in_copy: Session | None = None
        self._has_failed = self._is_left = False
        self.every = QTimer(self, interval=_EVERY_MS)
        self.soon = QTimer(self, singleShot=True, interval=_AFTER_A_DECISION_MS)
        for timer in (self.every, self.soon):
            timer.timeout.connect(self._write)
        self.every.start()
        workspace.review.changed.connect(self.soon.start)
        keeper.changed.connect(self._drop_if_saved)
        self._failed.connect(self._tell_failure)

    # the copy

    def _write(self) -> None:
        if not self._keeper.is_modified:
            return
        session = replace(self._keeper.session(), file=self._keeper.path)
        if session == self._in_copy:
            return
        try:
            copy = self._copy = self._copy or _new_copy()
        except OSError as error:
            self._tell_failure(SessionNotSavedError(error.filename or "", cause=cause_of(error)))
            return
        self._in_copy = session
        work = partial(write_session, session, copy.path, private=True)
        self._keeper.run(work, self._written, self._failed)

    def _drop_if_saved(self) -> None:
        if not self._keeper.is_modified:
            self._exchange_copy(None)

    def _exchange_copy(self, other: RescuedWork | None) -> None:
        """Let go of the copy there is, once what is being written to it is on the disk."""
        copy, self._copy, self._in_copy = self._copy, other, None
        if copy is not None:
            self._keeper.run(copy.discard, self._written, self._failed)

    def _tell_failure(self, error: Exception) -> None:
        """Say it once; the next copy is tried all the same."""
        self._in_copy = None
        if not isinstance(error, SessionNotSavedError):
            raise error
        if not self._has_failed:
            self._has_failed = True
            text = _("Unsaved work cannot be kept against a crash: {cause}. Save it in a file now.")
            cause = error.values["cause"]
            self.noticed.emit(text.format(cause=_(cause)))

    def take_over(self, work: RescuedWork) -> None:
        """Go on with a copy that was restored: it stays until the work is saved."""
        self._exchange_copy(work)

    def leave(self) -> None:
        """Write the copy as work is now, and let it be there when this ends."""
        self._write()
        self._is_left = True

    def close(self) -> None:
        """End cleanly: nothing is left but what is to be restored. Call it once the keeper is closed."""
        for timer in (self.every, self.soon):
            timer.stop()
        if self._copy is not None:
            (self._copy.lock.unlock if self._is_left else self._copy.discard)()


def _folder() -> Path:
    folder = user_data_path("recovery", "copy").parent
    with suppress(OSError):  # a drive that knows no permissions; the copies are private themselves
        folder.chmod(_OWNER_ALONE)
    return folder


def _lock(path: Path) -> QLockFile | None:
    """Return the lock of a copy, None while a window works on it; one whose program is gone is nobody's."""
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # only the end of its program frees it, however long it runs
    return lock if lock.tryLock(0) else None


def _new_copy() -> RescuedWork:
    """Return a place for a copy. Raises OSError where nothing can be written."""
    path = _folder() / f"{token_hex(8)}{FILE_SUFFIX}"
    lock = _lock(path)
    if lock is None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return RescuedWork(path, lock, datetime.now().astimezone())


def _left_behind(path: Path) -> RescuedWork | None:
    lock = _lock(path)
    if lock is None:
        return None
    try:
        return RescuedWork(path, lock, datetime.fromtimestamp(path.stat().st_mtime).astimezone())
    except OSError:
        # another window was quicker
        lock.unlock()
        return None


def rescued_work() -> list[RescuedWork]:
    """Return what crashes left behind, the newest first, each locked for this window."""
    try:
        folder = _folder()
    except OSError:  # told when a copy is to be written there
        return []
    _clean(folder)
    found = [work for path in folder.glob(f"*{FILE_SUFFIX}") if (work := _left_behind(path)) is not None]
    return sorted(found, key=lambda work: work.written, reverse=True)


def _clean(folder: Path) -> None:
    """Take away what crashes left that holds no work: half a copy, a lock without one."""
    for path in folder.glob(_UNFINISHED):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _UNFINISHED_FOR_SECONDS:
                path.unlink()
    for path in folder.glob("*.lock"):
        copy = path.with_suffix(FILE_SUFFIX)
        if not copy.exists() and (lock := _lock(copy)) is not None:
            lock.unlock()
