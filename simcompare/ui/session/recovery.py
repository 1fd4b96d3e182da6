"""A copy of unsaved work against a crash: one file for each window, and those that a crash left behind."""

import errno
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from secrets import token_hex

from PySide6.QtCore import QLockFile, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from simcompare.model.errors import SessionNotSavedError, cause_of
from simcompare.session.session_data import FILE_SUFFIX, Session
from simcompare.session.session_writer import write_session
from simcompare.support.i18n import _
from simcompare.support.resources import user_data_path
from simcompare.ui.session.session_keeper import SessionKeeper
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.theme import GRID_PX

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


class RecoveryBar(QWidget):
    """Asks whether to restore or discard unsaved work, and again before discarding; hidden without any."""

    restore_requested = Signal()
    discard_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._written: Sequence[datetime] = ()
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.restore_button, self.discard_button = QPushButton(), QPushButton()
        # so that a double click on "Discard" does not confirm it
        self.for_good_button, self.keep_button = QPushButton(), QPushButton()
        self.restore_button.setObjectName("primary")
        self.restore_button.clicked.connect(self.restore_requested)
        self.discard_button.clicked.connect(lambda: self._ask(True))
        self.keep_button.clicked.connect(lambda: self._ask(False))
        self.for_good_button.clicked.connect(self.discard_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID_PX * 4, GRID_PX * 2, GRID_PX * 4, GRID_PX * 2)
        row.setSpacing(GRID_PX * 2)
        row.addWidget(self.label, 1)
        for button in (self.restore_button, self.for_good_button, self.discard_button, self.keep_button):
            row.addWidget(button)
        self._is_asking = False
        self.hide()
        follow_language(self._show_words)
        self._ask(False)

    def offer(self, written: Sequence[datetime]) -> None:
        """Offer the first of some copies, written at these local times; hide without any."""
        self._written = written
        self._ask(False)
        self.setVisible(bool(written))

    def _ask(self, whether: bool) -> None:
        """Ask whether to discard the work, or what to do with it."""
        has_focus = self.discard_button.hasFocus() or self.keep_button.hasFocus()
        self._is_asking = whether
        for button in (self.for_good_button, self.keep_button):
            button.setVisible(whether)
        for button in (self.restore_button, self.discard_button):
            button.setVisible(not whether)
        if has_focus:
            (self.keep_button if whether else self.discard_button).setFocus()
        self._show_words()

    def _show_words(self) -> None:
        self.restore_button.setText(_("Restore"))
        self.discard_button.setText(_("Discard"))
        self.for_good_button.setText(_("Discard for good"))
        self.keep_button.setText(_("Keep"))
        if self._written:
            self.label.setText(self._words().format(time=_moment(self._written[0]), count=len(self._written)))

    def _words(self) -> str:
        if self._is_asking:
            return _("Discard the work of {time} for good? It cannot be brought back.")
        if len(self._written) == 1:
            return _("Work of {time} was not saved.")
        return _("Work of {time} was not saved, the latest of {count} that were not.")


def _moment(moment: datetime) -> str:
    """Time, with the date if it is not today."""
    today = moment.date() == datetime.now().astimezone().date()
    return f"{moment:%H:%M}" if today else f"{moment:%Y-%m-%d %H:%M}"
