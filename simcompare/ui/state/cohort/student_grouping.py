"""Group the documents of the window by student, in the background."""

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from simcompare.cohort.students.file_roles import SubmittedText, submitted_text
from simcompare.cohort.students.student_groups import StudentGroups, group_by_student
from simcompare.model.document import Document
from simcompare.pseudonyms.students import Student
from simcompare.session.session_reader import is_remote
from simcompare.ui.state.comparison_run import Task

_DELAY_MS = 20
_PAUSE_PER_GROUPING = 4
"""While files are read, the pause between two groupings is a multiple of the time that one takes."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """Key, path and text of each document that a student may have handed in, and the listed students.

    is_complete: all files are read.
    """

    files: tuple[tuple[int, Path, Document | None], ...] = ()
    listed: tuple[Student, ...] = ()
    is_complete: bool = True


_Texts = dict[int, tuple[Document, SubmittedText]]
_Grouped = tuple[Submitted, StudentGroups, float]
"""Input, groups, and duration in seconds."""


class StudentGrouping(QObject):
    """Groups documents again when they or the class lists differ from before."""

    ended = Signal()
    """A grouping is over; `groups` may be others."""
    _grouped = Signal(object)
    _failed = Signal(object)

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups = StudentGroups(())
        self._pool = pool
        self._stop = Event()
        self._texts: _Texts = {}  # used by the task only, of which there is one at a time
        self._known, self._wanted = Submitted(), Submitted()
        self._started: Submitted | None = None
        self._is_grouping = False
        self._delay = QTimer(self, singleShot=True)
        self._delay.timeout.connect(self._start)
        self._grouped.connect(self._use)
        self._failed.connect(self._fail)

    @property
    def is_busy(self) -> bool:
        """True if documents are being grouped or will be."""
        return self._is_grouping or self._delay.isActive()

    def follow(self, submitted: Submitted) -> None:
        """Group these documents soon, if they differ from those grouped last."""
        was_complete, self._wanted = self._wanted.is_complete, submitted
        if self._is_grouping or not self._is_other:
            return
        if not self._delay.isActive() or (submitted.is_complete and not was_complete):
            self._delay.start(_DELAY_MS)

    def restore(self, groups: StudentGroups, submitted: Submitted) -> None:
        """Use the groups of a session, which are those of these documents."""
        self._delay.stop()
        self.groups, self._known = groups, submitted

    def forget(self) -> None:
        """Forget all groups and stop."""
        self._delay.stop()
        self._stop.set()
        self._stop = Event()
        self.restore(StudentGroups(()), Submitted())
        self._wanted, self._started, self._is_grouping = Submitted(), None, False

    def close(self) -> None:
        """Stop without further signals."""
        self._delay.stop()
        self._stop.set()
        for signal in (self._grouped, self._failed):
            signal.disconnect()

    @property
    def _is_other(self) -> bool:
        return (self._wanted.files, self._wanted.listed) != (self._known.files, self._known.listed)

    def _start(self) -> None:
        self._is_grouping, self._started = True, self._wanted
        self._pool.start(
            Task(partial(_group, self._wanted, self._texts), self._grouped, self._failed, self._stop)
        )

    def _use(self, grouped: _Grouped | None) -> None:
        if grouped is None or grouped[0] is not self._started:
            return
        self._is_grouping = False
        self._known, self.groups, seconds = grouped
        if self._is_other:
            pause = 0 if self._wanted.is_complete else _PAUSE_PER_GROUPING * seconds
            self._delay.start(_DELAY_MS + round(1000 * pause))
        self.ended.emit()

    def _fail(self, error: Exception) -> None:
        self._is_grouping = False
        raise error


def _group(submitted: Submitted, known: _Texts) -> _Grouped:
    """Group documents; `known` holds the properties of texts from one call to the next."""
    began = time.monotonic()
    texts = []
    for key, path, document in submitted.files:
        if document is None:
            texts.append(SubmittedText(path))
            continue
        if key not in known or known[key][0] is not document:
            # a session from elsewhere must not make the program contact other computers
            text = SubmittedText(path) if is_remote(str(path)) else submitted_text(document)
            known[key] = document, text
        texts.append(known[key][1])
    groups = group_by_student(texts, submitted.listed)
    return submitted, groups, time.monotonic() - began
