"""Recovery copies of unsaved work, one file per window, and the bar that offers them after a crash.

The first painting of the window shows the bar, so this module must not load the comparison.
"""

import errno
import json
import os
import time
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QWidget

from simcompare.model.errors import SessionNotSavedError, cause_of
from simcompare.model.file_kinds import JOURNAL_SUFFIX, SESSION_SUFFIX
from simcompare.support.display_text import common_folder_name, display_name, file_name, moment_in_words
from simcompare.support.i18n import N_, _, ngettext
from simcompare.support.resources import user_data_path
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.layouts import BAR_MARGINS_PX, push_button, row_of
from simcompare.ui.style.theme import GRID_PX

if TYPE_CHECKING:
    from simcompare.session.decisions import PairReview
    from simcompare.session.review_journal import Shown
    from simcompare.session.school_class import Pair
    from simcompare.session.session_data import Session
    from simcompare.ui.session.session_keeper import SessionKeeper
    from simcompare.ui.state.workspace import Workspace

_INTERVAL_MS = 60_000
_DELAY_AFTER_DECISION_MS = 300
_OWNER_ONLY = 0o700
# temporary file of a copy that was being written when the computer stopped
_UNFINISHED = ".simcompare-*"
_UNFINISHED_FOR_SECONDS = 3_600
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError, NotImplementedError)


@dataclass(frozen=True, slots=True, eq=False)
class RecoveryCopy:
    """Recovery copy with its local time; the held lock keeps other windows from using it.

    name: of its session or class, "" if unknown; count: number of its documents, 0 if unknown.
    """

    path: Path
    lock: QLockFile
    written: datetime
    name: str = ""
    count: int = 0

    def discard(self) -> None:
        with suppress(OSError):  # what stays is offered at the next start
            self.path.unlink(missing_ok=True)
            self.path.with_suffix(JOURNAL_SUFFIX).unlink(missing_ok=True)
        self.lock.unlock()


class Recovery(QObject):
    """Writes a recovery copy in the background while there is unsaved work, and deletes it afterwards.

    A copy of a large class takes a second: decisions are appended to its journal (`review_journal`), and the
    next copy follows within a minute. Without a copy of the present documents and their chosen roles, one is
    written instead.
    """

    noticed = Signal(str)
    _written = Signal(object)

    def __init__(
        self, keeper: "SessionKeeper", workspace: "Workspace", parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self._copy: RecoveryCopy | None = None
        self._copied_session: Session | None = None
        self._recorded: Mapping[Pair, PairReview] = {}
        """Decisions in the copy or its journal, by numbers of documents in the copy."""
        self._recorded_view: Shown | None = None
        self._on_disk: list[Session] = []
        """The session in the copy, once it is written; used in the thread of the keeper only."""
        self._has_failed = self._is_kept = self._is_decided = False
        self.every = QTimer(self, interval=_INTERVAL_MS)
        self.soon = QTimer(self, singleShot=True, interval=_DELAY_AFTER_DECISION_MS)
        self.every.timeout.connect(self._write)
        self.soon.timeout.connect(self._record)
        self.every.start()
        for signal in (workspace.review.changed, workspace.history.indexChanged):
            signal.connect(self._record_decision_soon)
        workspace.documents_changed.connect(self.record_soon)
        keeper.changed.connect(self._drop_if_saved)

    # the copy

    def _write(self) -> None:
        if not self._keeper.is_modified:
            return
        session = replace(self._keeper.session(), file=self._keeper.path)
        if session == self._copied_session and session.reviews == self._recorded:
            return
        try:
            copy = self._copy = self._copy or _new_copy()
        except OSError as error:
            self._report_failure(SessionNotSavedError(error.filename or "", cause=cause_of(error)))
            return
        self._copied_session, self._recorded = session, session.reviews
        self._recorded_view = _shown_in(session)
        write = partial(_write_copy, session, copy.path, self._on_disk)
        self._keeper.run(write, self._written.emit, self._report_failure)

    def _record_decision_soon(self) -> None:
        self._is_decided = True
        self.record_soon()

    def record_soon(self) -> None:
        """Record decisions, and the pair and page that are shown if there is a copy."""
        if not self.soon.isActive():  # not later because of further decisions
            self.soon.start()

    def _record(self) -> None:
        """Append what changed to the journal, or write a copy if there is none of what was decided."""
        is_decided, self._is_decided = self._is_decided, False
        if not self._keeper.is_modified:
            return
        session, copied = self._keeper.session(), self._copied_session
        if (
            self._copy is None
            or copied is None
            or copied.documents != session.documents
            or copied.file != self._keeper.path
            or (is_decided and copied.school_class.roles != session.school_class.roles)
        ):
            if is_decided:
                self._write()
            return
        before, self._recorded = self._recorded, session.reviews
        from simcompare.session.decisions import NO_REVIEW  # noqa: PLC0415 - loads the comparison

        changed = {
            pair: self._recorded.get(pair, NO_REVIEW)
            for pair in before.keys() | self._recorded.keys()
            if before.get(pair) is not self._recorded.get(pair)
        }
        shown, self._recorded_view = self._recorded_view, _shown_in(session)
        if changed or shown != self._recorded_view:
            view = None if shown == self._recorded_view else self._recorded_view
            append = partial(_append, copied, self._copy.path, changed, view, self._on_disk)
            self._keeper.run(append, self._written.emit, self._report_failure)

    def _drop_if_saved(self) -> None:
        if not self._keeper.is_modified:
            self._replace_copy(None)

    def _replace_copy(self, other: RecoveryCopy | None) -> None:
        """Delete the current copy once pending writes to it are done, and use another."""
        copy, self._copy, self._copied_session = self._copy, other, None
        if copy is not None:
            self._keeper.run(copy.discard, self._written.emit, self._report_failure)

    def _report_failure(self, error: Exception) -> None:
        """Report the first failure only; later copies are tried all the same."""
        self._copied_session = None
        if not isinstance(error, SessionNotSavedError):
            raise error
        if not self._has_failed:
            self._has_failed = True
            text = _("Unsaved work cannot be backed up in {folder}: {cause}. Save it to a file now.")
            folder, cause = display_name(str(Path(error.values["path"]).parent)), error.values["cause"]
            self.noticed.emit(text.format(folder=folder, cause=_(cause)))

    def adopt(self, work: RecoveryCopy) -> None:
        """Use the copy that was restored; it is kept until the work is saved."""
        self._replace_copy(work)

    def keep_copy(self) -> None:
        self._write()
        self._is_kept = True

    def close(self) -> None:
        """End cleanly: delete the copy, unless `keep_copy` was called. Call it after closing the keeper."""
        for timer in (self.every, self.soon):
            timer.stop()
        if self._copy is not None:
            (self._copy.lock.unlock if self._is_kept else self._copy.discard)()


def _shown_in(session: "Session") -> "Shown":
    from simcompare.session.review_journal import Shown  # noqa: PLC0415 - loads the comparison

    return Shown(session.left, session.right, session.layout.page)


def _write_copy(session: "Session", path: Path, on_disk: "list[Session]") -> None:
    from simcompare.session.review_journal import start_journal  # noqa: PLC0415 - loads the comparison
    from simcompare.session.session_file import write_session  # noqa: PLC0415

    on_disk.clear()
    write_session(session, path, private=True)
    start_journal(path)
    on_disk.append(session)


def _append(
    copied: "Session",
    path: Path,
    changed: "Mapping[Pair, PairReview]",
    shown: "Shown | None",
    on_disk: "Sequence[Session]",
) -> None:
    """Append what changed to the journal of a copy, unless that failed: its numbers would be others."""
    from simcompare.session.review_journal import append_reviews  # noqa: PLC0415 - loads the comparison

    if on_disk and on_disk[0] is copied:
        append_reviews(path, changed, shown)


def _folder() -> Path:
    folder = user_data_path("recovery", "copy").parent
    with suppress(OSError):  # some drives have no permissions; the copies themselves are private
        folder.chmod(_OWNER_ONLY)
    return folder


def _lock(path: Path) -> QLockFile | None:
    """Lock a copy; None while another window uses it. Locks of crashed programs are taken over."""
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # the lock never becomes stale while its program runs
    return lock if lock.tryLock(0) else None


def _new_copy() -> RecoveryCopy:
    """Reserve a file for a copy. Raises OSError if the folder is not writable."""
    path = _folder() / f"{token_hex(8)}{SESSION_SUFFIX}"
    lock = _lock(path)
    if lock is None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
    return RecoveryCopy(path, lock, datetime.now().astimezone())


def _lock_left_copy(path: Path) -> RecoveryCopy | None:
    lock = _lock(path)
    if lock is None:
        return None
    try:
        written = path.stat().st_mtime
        with suppress(FileNotFoundError):
            written = max(written, path.with_suffix(JOURNAL_SUFFIX).stat().st_mtime)
        return RecoveryCopy(path, lock, datetime.fromtimestamp(written).astimezone(), *_contents(path))
    except OSError:
        # another window has deleted it meanwhile
        lock.unlock()
        return None


def _contents(path: Path) -> tuple[str, int]:
    """Return the name of the session or class in a copy, and the number of documents, without reading all."""
    with suppress(OSError, *_DAMAGE), zipfile.ZipFile(path) as copy:
        main = json.loads(copy.read("session.json"))
        count = int(main["documents"])
        if main["file"]:
            return Path(file_name(main["file"])).stem, count
        facts = (copy.read(f"documents/{number + 1:04}/facts.json") for number in range(min(count, 3)))
        return common_folder_name([Path(json.loads(data)["path"]) for data in facts]), count
    return "", 0


def find_recovery_copies() -> list[RecoveryCopy]:
    """Find and lock the copies that crashes left behind, the newest first."""
    try:
        folder = _folder()
    except OSError:  # reported when a copy is written
        return []
    _clean(folder)
    found = [
        work for path in folder.glob(f"*{SESSION_SUFFIX}") if (work := _lock_left_copy(path)) is not None
    ]
    return sorted(found, key=lambda work: work.written, reverse=True)


def _clean(folder: Path) -> None:
    """Delete remains of crashes that hold no work: incomplete copies, journals and locks without a copy."""
    for path in folder.glob(_UNFINISHED):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _UNFINISHED_FOR_SECONDS:
                path.unlink()
    for path in [*folder.glob("*.lock"), *folder.glob(f"*{JOURNAL_SUFFIX}")]:
        copy = path.with_suffix(SESSION_SUFFIX)
        if not copy.exists() and (lock := _lock(copy)) is not None:
            with suppress(OSError):
                copy.with_suffix(JOURNAL_SUFFIX).unlink(missing_ok=True)
            lock.unlock()


class RecoveryBar(QWidget):
    """Asks whether to restore or discard unsaved work, and again before discarding; hidden without any."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.copies: list[RecoveryCopy] = []
        """Copies that can be restored or discarded, the offered one first."""
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = QLabel(wordWrap=True)
        self.restore_button = push_button(N_("Restore"), look="primary")
        self.discard_button = push_button(N_("Discard"), lambda: self._ask(True))
        # so that a double click on "Discard" does not confirm it
        self.for_good_button = push_button(N_("Discard permanently"))
        self.keep_button = push_button(N_("Keep"), lambda: self._ask(False))
        buttons = (self.restore_button, self.for_good_button, self.discard_button, self.keep_button)
        row_of(self, (self.label, 1), *buttons, spacing_px=GRID_PX * 2, margins_px=BAR_MARGINS_PX)
        self._is_asking = False
        self.hide()
        self._ask(False)
        follow_language(self._show_question)

    def hasHeightForWidth(self) -> bool:
        """Keep the window's contents, whose lines it may break, from scrolling instead of fitting."""
        return False

    def look(self) -> None:
        """Look for copies that crashes left behind, and offer them one after the other."""
        self.copies = find_recovery_copies()
        self.offer_first()

    def offer_first(self) -> None:
        self._ask(False)
        self.setVisible(bool(self.copies))

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
        self._show_question()

    def _show_question(self) -> None:
        if self.copies:
            question = self._question()
            self.label.setText(question.format(time=_label(self.copies[0]), count=len(self.copies)))

    def _question(self) -> str:
        if self._is_asking:
            return _("Discard the work of {time} permanently? This cannot be undone.")
        if len(self.copies) == 1:
            return _("Unsaved work from {time}.")
        return _("Unsaved work from {time}, the latest of {count} copies.")


def _label(copy: RecoveryCopy) -> str:
    """Time, with the date if it is not today, and what the work was on."""
    moment = copy.written
    today = moment.date() == datetime.now().astimezone().date()
    text = f"{moment:%H:%M}" if today else moment_in_words(moment)
    if not copy.count:
        return text
    count = ngettext("{count} file", "{count} files", copy.count)
    words = _("{time} on {name} ({count})") if copy.name else _("{time} ({count})")
    return words.format(time=text, name=display_name(copy.name), count=count)
