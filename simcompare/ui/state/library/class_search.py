"""Search the essays of the class in the library, in processes; the first hits are shown at once."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.library.library_errors import LibraryError, NotEncodedError
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import stoppable
from simcompare.session.school_class import DocumentRole
from simcompare.ui.state.library.additions import ClassEssay, ClassToAdd, LibraryAccess
from simcompare.ui.state.library.library_state import LibraryState
from simcompare.ui.state.task import Background, Report
from simcompare.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from simcompare.library.changes import RemovalProtocol
    from simcompare.library.search.search import LibraryHit


def class_essays(workspace: Workspace) -> dict[int, PreparedDocument]:
    """Return the prepared essays that count, by key: without drafts, templates and earlier work.

    A possible template is not an essay until the teacher says so: the question of a class is not to be
    stored and found as an essay of past years.
    """
    state = workspace.class_state
    proposed = set(state.proposed_templates)
    return {
        key: entry.prepared_document
        for key, entry in workspace.documents.entries.items()
        if entry.prepared_document is not None
        and state.role_of(key) is DocumentRole.CURRENT
        and key not in proposed
    }


def class_to_add(workspace: Workspace) -> ClassToAdd:
    """Return the essays that count, with the names of their students."""
    state = workspace.class_state
    students = {key: state.student_of(key) for key in workspace.documents.entries}
    names = {key: "" if student is None else student.name for key, student in students.items()}
    essays = [ClassEssay(prepared, names[key]) for key, prepared in class_essays(workspace).items()]
    listed = [student for roster in state.rosters for student in roster.students]
    return ClassToAdd(essays, listed, workspace.pseudonyms)


def names_of_files(workspace: Workspace) -> Mapping[str, Collection[str]]:
    """Return the names under which the files of the class may be stored, by SHA-256 of the file."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    pseudonyms = workspace.pseudonyms
    for prepared in class_essays(workspace).values():
        path, sha256 = prepared.document.path, prepared.document.sha256
        names[sha256].add(path.name)
        if pseudonyms is not None and pseudonyms.owner_of(path) is not None:
            names[sha256].add(pseudonyms.path_of(path).name)
    return names


_WORKERS = min(4, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class _Result:
    """Hits of the essay with a key, or why it was not searched; stop: of the search that found them.

    With the key None, why the library was not prepared. is_last: the essay is not searched again. is_stored:
    it is in the library itself.
    """

    stop: Event
    key: int | None
    hits: Sequence[LibraryHit] | SimcompareError
    is_last: bool = True
    is_stored: bool = False


class ClassSearch(QObject):
    """Hits of each essay of the class, by its key.

    An entry of the same file and name as an essay of the class is that submission itself, and no hit.
    """

    changed = Signal()
    """Hits or progress."""
    failed = Signal(object)
    """The SimcompareError that ended the search, or for which an essay was not searched."""
    _found = Signal(object)
    _prepared = Signal(object)

    def __init__(self, workspace: Workspace, library: LibraryState) -> None:
        super().__init__(library)
        self._workspace = workspace
        self._library = library
        self._texts: dict[int, PreparedDocument] = {}
        self._method = ""
        self._stop = Event()
        self._background = Background(self)
        self._found.connect(self._take)
        self._prepared.connect(self._show_prepared)
        self.hits: dict[int, Sequence[LibraryHit]] = {}
        self.is_stored = False
        """Whether an essay of the class was found in the library, which is no hit."""
        self.progress: tuple[int, int] | None = None
        """Numbers of essays searched and of all while the class is searched."""
        self.prepared: tuple[int, int] | None = None
        """Numbers of stored essays that were prepared for such a search, and of all that were not before."""
        workspace.documents_changed.connect(self._follow_documents)
        library.removed.connect(self._follow_removal)
        library.replaced.connect(self._forget)

    @property
    def was_started(self) -> bool:
        """True if the class was searched, or is."""
        return bool(self._texts)

    @property
    def method(self) -> str:
        """How the class was searched, or is: by "words" or "fingerprints"; "" if it was not."""
        return self._method if self.was_started else ""

    def start(self, method: str) -> None:
        """Search all essays that count, and by meaning unless that is switched off or takes long.

        method: "words" or "fingerprints".
        """
        self.cancel()
        self._method = method
        self._texts, self.hits, self.is_stored = class_essays(self._workspace), {}, False
        self._stop = stop = Event()
        if self._texts:
            self.progress = 0, len(self._texts)
            names = names_of_files(self._workspace)
            reports = {"report": Report(self._found), "report_prepared": Report(self._prepared)}
            access, texts = self._library.access, dict(self._texts)
            meaning = self._workspace.settings.meaning
            work = partial(_search, access, names, texts, method == "fingerprints", meaning)
            self._background.start(partial(work, stop=stop, **reports), self._end, self._raise, stop)
        self._emit_changed()

    def cancel(self) -> None:
        self._stop.set()
        self.prepared = None
        if self.progress is not None:
            self.progress = None
            self._emit_changed()

    def _show_prepared(self, at: tuple[Event, int, int]) -> None:
        stop, done, total = at
        prepared = (done, total) if done < total else None
        if not stop.is_set() and prepared != self.prepared:
            self.prepared = prepared
            self.changed.emit()

    def _take(self, result: _Result) -> None:
        if result.stop.is_set() or self.progress is None:
            return
        if result.key is None:
            self.failed.emit(result.hits)
            return
        total = self.progress[1]
        done = self.progress[0] % total + 1  # all are searched again after the library was prepared
        self.progress = None if done == total and result.is_last else (done, total)
        if isinstance(result.hits, SimcompareError):
            if result.is_last:
                self.failed.emit(result.hits)
        elif result.key in self._texts:
            self.hits[result.key] = result.hits
            self.is_stored |= result.is_stored
        self._emit_changed()

    def _end(self, error: LibraryError | None) -> None:
        """Tell why the library could not be searched, if it could not."""
        if self.progress is None:
            return
        self.cancel()
        if error is not None:
            self.failed.emit(error)
            self._library.refresh()

    def _raise(self, error: Exception) -> None:
        self.cancel()
        raise error

    def close(self) -> None:
        for signal in (self._found, self._prepared):
            signal.disconnect()
        self._background.close()

    def _emit_changed(self) -> None:
        """Show the largest share of each essay in the class, and emit the change."""
        shares = {key: max((hit.share for hit in hits), default=0.0) for key, hits in self.hits.items()}
        self._workspace.library_shares.show_shares(shares)
        self.changed.emit()

    # --- changes

    def _follow_documents(self) -> None:
        entries = self._workspace.documents.entries
        gone = [
            key
            for key, text in self._texts.items()
            if (entry := entries.get(key)) is None
            or entry.prepared_document is None
            or entry.prepared_document.document.text != text.document.text
        ]
        for key in gone:
            self._texts.pop(key)
            self.hits.pop(key, None)
        if gone:
            self._settle()

    def _follow_removal(self, protocol: RemovalProtocol) -> None:
        removed = {entry.entry for entry in protocol.entries}
        for key, hits in self.hits.items():
            self.hits[key] = [hit for hit in hits if hit.entry.entry not in removed]
        self._emit_changed()

    def _forget(self) -> None:
        self._texts.clear()
        self.hits.clear()
        self._settle()

    def _settle(self) -> None:
        """Emit the change; a search without any text left is over."""
        if self._texts:
            self._emit_changed()
        elif self.progress is not None:
            self.cancel()
        else:
            self._emit_changed()


def _search(  # noqa: PLR0913 - what to search, and how
    access: LibraryAccess,
    names: Mapping[str, Collection[str]],
    texts: Mapping[int, PreparedDocument],
    by_fingerprints: bool,
    meaning: bool | None,
    *,
    stop: Event,
    report: Callable[[_Result], object],
    report_prepared: Callable[[tuple[Event, int, int]], object],
) -> LibraryError | None:
    """Search texts, and report the hits of each or why it was not searched; return what ended it early.

    Preparing a library for a search by meaning takes long, so that texts are searched without it before.
    """
    from simcompare.library.entries import entries_of_files  # noqa: PLC0415 - loads the database toolkit
    from simcompare.library.search.level_search import fingerprint_entries  # noqa: PLC0415
    from simcompare.library.search.meaning_search import (  # noqa: PLC0415
        encode_entries,
        entries_to_encode,
        is_searched_by_meaning,
    )
    from simcompare.library.search.search import search_texts  # noqa: PLC0415

    tick = stoppable(lambda done, total: report_prepared((stop, done, total)), stop)

    def search(by_meaning: bool, is_last: bool) -> None:
        searching = search_texts(access.place, texts, _WORKERS, stop, by_fingerprints, by_meaning)
        with closing(searching) as searched:
            for key, found in searched:
                if isinstance(found, SimcompareError):
                    report(_Result(stop, key, found, is_last))
                else:
                    others = [hit for hit in found if hit.entry.entry not in own]
                    report(_Result(stop, key, others, is_last, len(others) < len(found)))

    try:
        libraries = [access.library()]
        own = entries_of_files(access.library(), names)
        if by_fingerprints:
            fingerprint_entries(libraries, tick)
        by_meaning = is_searched_by_meaning(meaning, libraries)
        if by_meaning and entries_to_encode(libraries):
            search(by_meaning=False, is_last=False)
            try:
                encode_entries(libraries, tick)
            except NotEncodedError as error:
                report(_Result(stop, None, error))
        search(by_meaning, is_last=True)
    except LibraryError as error:
        return error
    return None
