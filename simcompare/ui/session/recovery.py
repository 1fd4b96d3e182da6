"""Recovery copies of unsaved work, one file per window."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.model.errors import SessionNotSavedError, cause_of
from simcompare.session.decisions import NO_REVIEW, PairReview
from simcompare.session.review_journal import append_reviews, start_journal
from simcompare.session.session_data import Pair, Session
from simcompare.session.session_writer import write_session
from simcompare.support.i18n import _
from simcompare.ui.session.recovery_copies import RecoveryCopy, new_copy
from simcompare.ui.session.session_keeper import SessionKeeper
from simcompare.ui.state.workspace import Workspace

_INTERVAL_MS = 60_000
_DELAY_AFTER_DECISION_MS = 300


class Recovery(QObject):
    """Writes a recovery copy in the background while there is unsaved work, and deletes it afterwards.

    A copy of a large class takes a second: decisions are appended to its journal (`review_journal`), and the
    next copy follows within a minute. Without a copy of the present documents, one is written instead.
    """

    noticed = Signal(str)
    _written = Signal(object)
    _failed = Signal(object)

    def __init__(self, keeper: SessionKeeper, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self._copy: RecoveryCopy | None = None
        self._copied_session: Session | None = None
        self._recorded: Mapping[Pair, PairReview] = {}
        """Decisions in the copy or its journal, by numbers of documents in the copy."""
        self._on_disk: list[Session] = []
        """The session in the copy, once it is written; used in the thread of the keeper only."""
        self._has_failed = self._is_kept = False
        self.every = QTimer(self, interval=_INTERVAL_MS)
        self.soon = QTimer(self, singleShot=True, interval=_DELAY_AFTER_DECISION_MS)
        self.every.timeout.connect(self._write)
        self.soon.timeout.connect(self._record)
        self.every.start()
        workspace.review.changed.connect(self._record_soon)
        keeper.changed.connect(self._drop_if_saved)
        self._failed.connect(self._report_failure)

    # the copy

    def _write(self) -> None:
        if not self._keeper.is_modified:
            return
        session = replace(self._keeper.session(), file=self._keeper.path)
        if session == self._copied_session and session.reviews == self._recorded:
            return
        try:
            copy = self._copy = self._copy or new_copy()
        except OSError as error:
            self._report_failure(SessionNotSavedError(error.filename or "", cause=cause_of(error)))
            return
        self._copied_session, self._recorded = session, session.reviews
        write = partial(_write_copy, session, copy.path, self._on_disk)
        self._keeper.run(write, self._written, self._failed)

    def _record_soon(self) -> None:
        if not self.soon.isActive():  # not later because of further decisions
            self.soon.start()

    def _record(self) -> None:
        """Append changed decisions to the journal, or write a copy if there is none of these documents."""
        if not self._keeper.is_modified:
            return
        session, copied = self._keeper.session(), self._copied_session
        if (
            self._copy is None
            or copied is None
            or copied.documents != session.documents
            or copied.file != self._keeper.path
        ):
            self._write()
            return
        before, self._recorded = self._recorded, session.reviews
        changed = {
            pair: self._recorded.get(pair, NO_REVIEW)
            for pair in before.keys() | self._recorded.keys()
            if before.get(pair) is not self._recorded.get(pair)
        }
        if changed:
            append = partial(_append, copied, self._copy.path, changed, self._on_disk)
            self._keeper.run(append, self._written, self._failed)

    def _drop_if_saved(self) -> None:
        if not self._keeper.is_modified:
            self._replace_copy(None)

    def _replace_copy(self, other: RecoveryCopy | None) -> None:
        """Delete the current copy once pending writes to it are done, and use another."""
        copy, self._copy, self._copied_session = self._copy, other, None
        if copy is not None:
            self._keeper.run(copy.discard, self._written, self._failed)

    def _report_failure(self, error: Exception) -> None:
        """Report the first failure only; later copies are tried all the same."""
        self._copied_session = None
        if not isinstance(error, SessionNotSavedError):
            raise error
        if not self._has_failed:
            self._has_failed = True
            text = _("Unsaved work cannot be backed up: {cause}. Save it to a file now.")
            cause = error.values["cause"]
            self.noticed.emit(text.format(cause=_(cause)))

    def adopt(self, work: RecoveryCopy) -> None:
        """Use the copy that was restored; it is kept until the work is saved."""
        self._replace_copy(work)

    def keep_copy(self) -> None:
        """Write the current state and keep the copy at the end."""
        self._write()
        self._is_kept = True

    def close(self) -> None:
        """End cleanly: delete the copy, unless `keep_copy` was called. Call it after closing the keeper."""
        for timer in (self.every, self.soon):
            timer.stop()
        if self._copy is not None:
            (self._copy.lock.unlock if self._is_kept else self._copy.discard)()


def _write_copy(session: Session, path: Path, on_disk: list[Session]) -> None:
    on_disk.clear()
    write_session(session, path, private=True)
    start_journal(path)
    on_disk.append(session)


def _append(
    copied: Session, path: Path, changed: Mapping[Pair, PairReview], on_disk: Sequence[Session]
) -> None:
    """Append decisions to the journal of a copy, unless writing it failed: its numbers would be others."""
    if on_disk and on_disk[0] is copied:
        append_reviews(path, changed)
