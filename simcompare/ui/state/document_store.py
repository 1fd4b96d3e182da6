"""Documents of the window: adding, reading, checking and removing files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from simcompare.cohort.document_preparation import ClassListFoundError
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading.archive_members import MOST_FILES, ListedFiles, TooManyFilesError
from simcompare.loading.extraction import PastedText, ReadingOptions
from simcompare.model.errors import NotAnEssayError, PreparingStoppedError, SimcompareError
from simcompare.model.file_kinds import localised_name
from simcompare.report.wording import first_of
from simcompare.session.school_class import DocumentRole
from simcompare.session.session_data import FILE_SUFFIX, SessionDocument
from simcompare.session.session_file import read_session
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, joined_items, ngettext
from simcompare.ui.state.changes import UndoStep
from simcompare.ui.state.document_entry import (
    DocumentEntry,
    FileState,
    FileWatch,
    KnownFile,
    restored_entry,
    unused_name,
)
from simcompare.ui.state.document_listing import NO_NAME, ChosenSides, DocumentName, Side, display_names
from simcompare.ui.state.file_reading import FileReading, PathListing, ReadingQueue
from simcompare.ui.state.task import Background


class Removal(UndoStep):
    """Undo step that removes documents; keeps their texts so that undo reads no file again."""

    def __init__(self, store: "DocumentStore", entries: Sequence[DocumentEntry]) -> None:
        super().__init__(N_("Remove {names}"))
        self.entries = tuple(entries)
        self._target = store
        self._sides = dict(store.sides)
        self._sides_after: dict[Side, int] = {}

    def label(self) -> str:
        return _(self.text()).format(names=removed_label(self.entries))

    def redo(self) -> None:
        self._sides = dict(self._target.sides)
        self._target.take_out(self.entries)
        self._sides_after = dict(self._target.sides)

    def undo(self) -> None:
        """Restore the documents, and their sides unless the user has chosen others since."""
        untouched = self._target.sides == self._sides_after
        self._target.put_back(self.entries, self._sides if untouched else None)


def removed_label(entries: Sequence[DocumentEntry]) -> str:
    """Name of one document, or the number of several."""
    if len(entries) == 1:
        return display_name(entries[0].path.name)
    count = len(entries)
    return ngettext("{count} document", "{count} documents", count)


_MOST_NAMES = 3
_CHANGE_DELAY_MS = 30
_DOCUMENTS_PER_EXTRA_MS = 2


class DocumentStore(QObject):
    """Documents by key: reads added files, watches them on disk and supports undo of removals.

    A removed document gets the same key again when it returns.
    """

    changed = Signal()
    sides_swapped = Signal()
    """Left and right were swapped; `changed` follows."""
    pair_chosen = Signal()
    """The user chose two texts to compare; `changed` follows."""
    noticed = Signal(str)
    problems_found = Signal(list, list)
    """Keys of documents that were not read or are newly doubtful, and of those that took long to read.

    Emitted when all files are read, if there are any of either.
    """
    files_skipped = Signal(int)
    """Number of files that are no documents, such as .DS_Store, in what was added."""
    text_changed = Signal(int)
    """Key of a document that has another text after reading again."""
    removed = Signal(object)
    """The Removal pushed on the undo stack."""
    role_chosen = Signal(list, object)
    """Keys of documents that are about to be listed, and the DocumentRole with which they are added."""
    roster_found = Signal(object)
    """Path of an added file that is a class list and no document."""
    files_changed = Signal(list)
    """Keys of all documents whose files have changed on disk; emitted when there are more of them."""

    def __init__(self, reading: FileReading, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: Mapping[int, DocumentEntry] = {}
        self._names: dict[int, DocumentName] | None = None
        self._keys_of_removed: dict[Path, int] = {}
        self._chosen = ChosenSides()
        self._keys = count(1)
        self.added_first: frozenset[int] = frozenset()
        """Keys of what was added together to the empty list; further files do not rename a class."""
        self._sources: frozenset[int] = frozenset()
        self._new_problems: list[int] = []
        self._newly_timed: set[int] = set()
        self._change_delay = QTimer(self, singleShot=True)
        self._change_delay.timeout.connect(self._emit_changed)
        self._reading = reading
        self._listing = PathListing(self)
        self._listing.changed.connect(self._emit_changed)
        self._queue = ReadingQueue(reading, self._entry_of, self)
        reading.finished.connect(self._take_prepared_document)
        reading.failed.connect(self._take_error)
        reading.recognised.connect(self._take_progress)
        reading.timed.connect(self._take_seconds)
        self._history = history
        self._watch = FileWatch(self)
        self._watch.states_changed.connect(self._use_states)

    # requests

    def add(self, paths: Iterable[Path], role: DocumentRole | None = None) -> None:
        """Add files, and the files inside folders and archives; report those already listed.

        They are listed in the background where that may take long. A file that was removed gets its old key
        again, as decisions are stored by key. Without a role it is detected, and a class list leaves the list
        again (`roster_found`); with CURRENT a class list is read as an essay.
        """
        self._listing.list([path.absolute() for path in paths], partial(self._add_listed, role))

    def _add_listed(self, role: DocumentRole | None, listed: ListedFiles) -> None:
        if (count := len(listed.files)) > MOST_FILES and role in {None, DocumentRole.CURRENT}:
            self.noticed.emit(str(TooManyFilesError(count=count, most=MOST_FILES)))
            return
        known = {entry.path: entry.key for entry in self.entries.values()}
        repeated: list[str] = []
        new: list[DocumentEntry] = []
        # reading a refused path gives its error
        for path in (*listed.files, *(error.path for error in listed.refused)):
            if path in known:
                repeated.append(path.name)
                continue
            known[path] = self._keys_of_removed.pop(path, 0) or next(self._keys)
            new.append(DocumentEntry(known[path], path, is_essay=role is DocumentRole.CURRENT))
        if listed.skipped:
            self.files_skipped.emit(listed.skipped)
        for session in listed.sessions:
            self.noticed.emit(str(session))
        if repeated:
            words = ngettext(
                "Already in the list: {names}",
                "{count} files are already in the list: {names}",
                len(repeated),
                names=joined_items(first_of(repeated, _MOST_NAMES)),
            )
            self.noticed.emit(words)
        keys = [known[path] for path in (*listed.files, *(error.path for error in listed.refused))]
        if not self.entries:
            self.added_first = frozenset(keys)
        if listed.empty:
            words = _("There are no files to compare in {names}. Add a folder or an archive with essays.")
            names = [place.name or str(place) for place in listed.empty]
            self.noticed.emit(words.format(names=joined_items(first_of(names, _MOST_NAMES))))
        self._choose_role(keys, role)
        self._add_entries(new)

    def _choose_role(self, keys: Sequence[int], role: DocumentRole | None) -> None:
        if role is not None:
            self.role_chosen.emit(list(keys), role)

    def add_pasted(self, pasted: PastedText, title: str = "", role: DocumentRole | None = None) -> None:
        """Add a pasted text under a title or a number; `role` as in `add`.

        Read HTML as a whole page: the user selected all of it, so nothing is navigation to leave out.
        """
        taken = {entry.path for entry in self.entries.values()} | self._keys_of_removed.keys()
        path = unused_name(title, {path.name for path in taken})
        asked = ReadingOptions(whole_page=pasted.is_html)
        entry = DocumentEntry(next(self._keys), path, asked, pasted=pasted)
        self._choose_role([entry.key], role)
        self._add_entries([entry])

    def add_saved(self, files: Iterable[SessionDocument], role: DocumentRole) -> None:
        """Add documents of a session that are not listed yet, with a role."""
        known = {entry.path for entry in self.entries.values()}
        entries = [restored_entry(next(self._keys), file) for file in files if file.path not in known]
        self._choose_role([entry.key for entry in entries], role)
        self._add_entries(entries)

    def _entry_of(self, key: int) -> DocumentEntry | None:
        return self.entries.get(key)

    def _add_entries(self, entries: Sequence[DocumentEntry]) -> None:
        self._list([*self.entries.values(), *entries])
        for entry in entries:
            if entry.pending_options is not None:
                self._queue.put(entry.key)
        self._choose_sides()
        self._emit_changed()  # the first source decides how all are read
        self._queue.submit_next()

    def read_again(
        self, keys: Iterable[int], *, password: str | None = None, whole_page: bool | None = None
    ) -> None:
        for key in keys:
            entry = self.entries[key]
            before = entry.pending_options or entry.options
            entry.is_essay |= isinstance(entry.error, NotAnEssayError)  # the user says so
            entry.pending_options = replace(
                before,
                password=password or before.password,
                whole_page=before.whole_page if whole_page is None else whole_page,
            )
            self._queue.put(key)
        self._queue.submit_next()
        self._emit_changed()

    def restore(self, files: Sequence[SessionDocument], sides: Mapping[Side, int]) -> list[int]:
        """Replace all documents by those of a session; return the new keys, in order.

        sides: index among `files`. The texts are prepared again, those on the sides first.
        """
        self._listing.cancel()
        for key in self.entries:
            self._reading.cancel(key)
        entries = [restored_entry(next(self._keys), file) for file in files]
        self._name_untitled(entries)
        keys = [entry.key for entry in entries]
        self._list(entries)
        self._chosen.restore({side: keys[place] for side, place in sides.items()})
        self._new_problems.clear()
        self._newly_timed.clear()
        self._keys_of_removed.clear()
        self.added_first = frozenset()
        self._choose_sides()
        self.prepare_again()
        return keys

    def prepare_again(self) -> None:
        """Prepare all texts by the current recipe and words, unless they are; those on the sides first."""
        self._queue.clear()
        for key in sorted(self.entries, key=lambda key: key not in self.sides.values()):
            self._reading.cancel(key)
            self._follow(self.entries[key])
            self._queue.put(key)
        self._queue.submit_next()
        self._emit_changed()

    def _follow(self, entry: DocumentEntry) -> bool:
        reading = self._reading
        is_encoded, is_source = reading.is_encoded(entry.key), entry.key in self._sources
        is_encoded &= entry.has_meanings or not reading.is_put_off
        return entry.follow(reading.recipe, reading.user_words, is_encoded, is_source)

    def use_sources(self, keys: frozenset[int], meaning: bool, also_encoded: frozenset[int]) -> None:
        """Take these documents for named sources, and encode all texts, or only some."""
        reading = self._reading
        is_other = (keys, also_encoded) != (self._sources, reading.also_encoded)
        self._sources, reading.also_encoded = keys, also_encoded
        if meaning != reading.meaning:
            reading.meaning = meaning
            self.prepare_again()
        elif is_other:
            for entry in self.entries.values():
                was_pending = entry.pending_options is not None
                self._follow(entry)
                if entry.pending_options is not None and not was_pending:
                    self._queue.put(entry.key)
            self._queue.submit_next()
            self._emit_changed()

    def remove(self, keys: Iterable[int]) -> None:
        entries = [self.entries[key] for key in keys if key in self.entries]
        if entries:
            removal = Removal(self, entries)
            self._history.push(removal)
            self.removed.emit(removal)

    def take_out(self, entries: Iterable[DocumentEntry]) -> None:
        gone = {entry.key: entry.path for entry in entries}
        for key, path in gone.items():
            self._reading.cancel(key)
            self._keys_of_removed[path] = key
        self._list(entry for key, entry in self.entries.items() if key not in gone)
        self._choose_sides()
        self._emit_changed()

    def put_back(self, entries: Iterable[DocumentEntry], sides: Mapping[Side, int] | None) -> None:
        """Restore removed documents, and the sides if given.

        Files that have been added again since are skipped.
        """
        listed = {entry.path for entry in self.entries.values()}
        returning = [entry for entry in entries if entry.path not in listed]
        for entry in returning:
            self._keys_of_removed.pop(entry.path, None)
            entry.file_state = FileState.SAME  # until the watch, which restarts for this file, finds a change
            self._follow(entry)
            if entry.pasted is not None:
                entry.rename(localised_name(entry.path))
        if sides is not None:
            self._chosen.keys = dict(sides)
        self._add_entries(returning)

    def cancel_reading(self) -> None:
        """Cancel reading: files without a result leave the list, others keep what they had."""
        self._listing.cancel()
        unread = [entry for entry in self.entries.values() if entry.pending_options is not None]
        if not unread:
            return
        for entry in unread:
            self._reading.cancel(entry.key)
            entry.pending_options = None
            if entry.prepared_document is not None:
                entry.saved_document = None
            elif entry.saved_document is not None or entry.pasted is not None:
                entry.error = PreparingStoppedError(entry.path)
        self.take_out([entry for entry in unread if not entry.has_result])

    def close(self) -> None:
        self._listing.close()
        self._change_delay.stop()
        self._queue.clear()
        self._watch.close()
        self._history.clear()

    # results

    @property
    def under_way(self) -> frozenset[int]:
        """Keys of documents being read now; others to be read are queued."""
        return self._reading.under_way

    @property
    def is_listing(self) -> bool:
        return self._listing.is_busy

    @property
    def reading_count(self) -> tuple[int, int]:
        """(documents not being read, all documents)."""
        done = sum(1 for entry in self.entries.values() if entry.pending_options is None)
        return done, len(self.entries)

    @property
    def is_reading_files(self) -> bool:
        pending = (entry for entry in self.entries.values() if entry.pending_options is not None)
        return any(entry.saved_document is None for entry in pending)

    @property
    def is_preparing(self) -> bool:
        """True while texts that were read are prepared again, and no file is read."""
        is_pending = any(entry.pending_options is not None for entry in self.entries.values())
        return is_pending and not self.is_reading_files

    @property
    def problems(self) -> list[int]:
        """Keys of documents that were not read, or whose text is doubtful, in order."""
        return [key for key, entry in self.entries.items() if entry.error is not None or entry.is_doubtful]

    def _take_prepared_document(self, key: int, prepared_document: PreparedDocument) -> None:
        entry = self.entries.get(key)
        if entry is None:
            return
        was_known = entry.is_doubtful or entry.saved_document is not None
        text_before = entry.document.text if entry.document is not None else prepared_document.document.text
        entry.prepared_document = prepared_document.as_source(key in self._sources)
        entry.error = entry.saved_document = None
        if entry.pasted is not None:
            entry.rename(entry.path)  # the language may have changed meanwhile
        entry.options, entry.pending_options = entry.pending_options or entry.options, None
        entry.file_state, entry.recognised_pages = FileState.SAME, None
        if self._follow(entry):  # it can be read, and is encoded after all others
            self._queue.put(key)
            self._queue.submit_next()
        if entry.is_doubtful and not was_known:
            self._new_problems.append(key)
        before = self.sides
        self._chosen.fill_from(self._usable())
        self._finish_reading(key, before)
        if prepared_document.document.text != text_before:
            self.text_changed.emit(key)

    def _take_error(self, key: int, error: SimcompareError) -> None:
        entry = self.entries.get(key)
        if entry is None:
            return
        before = self.sides
        if isinstance(error, ClassListFoundError) and entry.prepared_document is None:
            self.roster_found.emit(entry.path)
            self.take_out([entry])
            return
        if entry.prepared_document is not None:
            entry.saved_document = None
            self.noticed.emit(str(error))
        else:
            entry.error = error
            entry.options = entry.pending_options or entry.options
            self._new_problems.append(key)
            self._choose_sides()
        entry.pending_options = entry.recognised_pages = None
        self._finish_reading(key, before)

    def _take_progress(self, progress: tuple[int, int, int]) -> None:
        key, done, total = progress
        if (entry := self.entries.get(key)) is not None and entry.pending_options is not None:
            entry.recognised_pages = (done, total)
            self._emit_changed_soon()

    def _take_seconds(self, key: int, seconds: float) -> None:
        if (entry := self.entries.get(key)) is not None:
            entry.reading_seconds = seconds
            self._newly_timed.add(key)

    def _use_states(self, states: Mapping[Path, FileState]) -> None:
        """Store changed file states; the text stays as it was until the user has the file read again."""
        before = set(self.changed_files)
        for entry in self.entries.values():
            if entry.pending_options is None:
                entry.file_state = states.get(entry.path, entry.file_state)
        self._emit_changed()
        if not before.issuperset(self.changed_files):
            self.files_changed.emit(self.changed_files)

    @property
    def changed_files(self) -> list[int]:
        return [key for key, entry in self.entries.items() if entry.file_state is FileState.CHANGED]

    def _finish_reading(self, key: int, sides_before: Mapping[Side, int]) -> None:
        """Emit the change at once for a compared document, otherwise soon: hundreds may arrive in a row."""
        done, total = self.reading_count
        if key in self.sides.values() or self.sides != sides_before or done == total:
            self._emit_changed()
        else:
            self._emit_changed_soon()

    def _emit_changed_soon(self) -> None:
        if not self._change_delay.isActive():
            self._change_delay.start(_CHANGE_DELAY_MS + len(self.entries) // _DOCUMENTS_PER_EXTRA_MS)

    def _emit_changed(self) -> None:
        self._change_delay.stop()
        self._watch.watch(self._read_from_disk())
        self._reading.hurry(self.sides.values())
        self.changed.emit()
        done, total = self.reading_count
        if done == total and (self._new_problems or self._newly_timed):
            problems, new = self.problems, set(self._new_problems)
            found = [key for key in problems if key in new]
            slow = [key for key in self._newly_timed & self.entries.keys() if self.entries[key].took_long]
            self._new_problems.clear()
            self._newly_timed.clear()
            if found or slow:
                self.problems_found.emit(found, slow)

    def _read_from_disk(self) -> dict[Path, KnownFile]:
        """Files to watch, with the content that was read here or when the session was saved."""
        return {
            entry.path: KnownFile(entry.prepared_document.document.sha256, entry.stamp)
            for entry in self.entries.values()
            if entry.prepared_document is not None and entry.has_checkable_file
        }

    # list

    def _list(self, entries: Iterable[DocumentEntry]) -> None:
        """Set the documents of the list, sorted by key, which is the order in which they were added."""
        self.entries = {entry.key: entry for entry in sorted(entries, key=lambda entry: entry.key)}
        self._names = None

    # names

    @property
    def names(self) -> Mapping[int, DocumentName]:
        """Display name of each document by key; all different."""
        if self._names is None:  # cached, as each cell of a table reads them
            paths = [entry.path for entry in self.entries.values()]
            self._names = dict(zip(self.entries, display_names(paths), strict=True))
        return self._names

    def name_of(self, key: int) -> str:
        """Display name of a document; empty if it is not in the list."""
        return self.names.get(key, NO_NAME).text

    @property
    def readable_count(self) -> int:
        """Number of documents without an error; some may not have been read yet."""
        return len(self._usable())

    # prepared documents

    @property
    def prepared_by_key(self) -> dict[int, PreparedDocument]:
        known = ((key, entry.prepared_document) for key, entry in self.entries.items())
        return {key: prepared for key, prepared in known if prepared is not None}

    @property
    def prepared_documents(self) -> list[PreparedDocument]:
        return list(self.prepared_by_key.values())

    @property
    def awaited(self) -> set[int]:
        """Keys of documents of a session whose texts are still to be prepared, or encoded with all others."""
        return {
            key
            for key, entry in self.entries.items()
            if entry.saved_document is not None
            and entry.error is None
            and (entry.prepared_document is None or self._reading.meaning)
        }

    @property
    def put_off(self) -> frozenset[int]:
        """Keys of documents that are compared by words first, and encoded then."""
        if not self._reading.is_put_off:
            return frozenset()
        known = self.prepared_by_key.items()
        lacking = (key for key, each in known if each.prepared.meanings is None)
        return frozenset(filter(self._reading.is_encoded, lacking))

    def replace_prepared_documents(self, replacements: Mapping[PreparedDocument, PreparedDocument]) -> None:
        for entry in self.entries.values():
            if entry.prepared_document is not None:
                entry.prepared_document = replacements.get(entry.prepared_document, entry.prepared_document)
        self._emit_changed()

    def rename_untitled(self) -> Mapping[PreparedDocument, PreparedDocument]:
        """Rename texts without a title in the current language; return the replaced prepared documents.

        The caller emits the change, after it has updated the comparison.
        """
        before = {entry.key: entry.prepared_document for entry in self.entries.values()}
        self._name_untitled(self.entries.values())
        self._keys_of_removed = {localised_name(path): key for path, key in self._keys_of_removed.items()}
        now = ((before[key], entry.prepared_document) for key, entry in self.entries.items())
        return {old: new for old, new in now if old is not None and new is not None and new is not old}

    def _name_untitled(self, entries: Iterable[DocumentEntry]) -> None:
        for entry in entries:
            if entry.pasted is not None:
                entry.rename(localised_name(entry.path))
        self._names = None

    # sides

    def choose(self, side: Side, key: int) -> None:
        """Put a document on a side; swap if it is on the other side."""
        if self.sides.get(side) == key:
            return
        if self.sides.get(side.other) == key:
            self.swap()
            return
        self._chosen.put({side: key})
        self._emit_changed()

    def choose_pair(self, left: int, right: int) -> None:
        if not {left, right} <= self.entries.keys():
            return
        self.pair_chosen.emit()
        if self.sides == {Side.LEFT: right, Side.RIGHT: left}:
            self.swap()
            return
        self._chosen.put({Side.LEFT: left, Side.RIGHT: right})
        self._emit_changed()

    def swap(self) -> None:
        self._chosen.swap()
        self.sides_swapped.emit()
        self._emit_changed()

    @property
    def sides_were_chosen(self) -> bool:
        return self._chosen.were_chosen

    @property
    def sides(self) -> Mapping[Side, int]:
        return self._chosen.keys

    def entry_on(self, side: Side) -> DocumentEntry | None:
        return self.entries.get(self.sides.get(side, 0))

    def _choose_sides(self) -> None:
        self._chosen.were_chosen &= bool(self.entries)  # an empty list resets the choice
        self._chosen.choose_among(self._usable())

    def _usable(self) -> list[int]:
        return [key for key, entry in self.entries.items() if entry.error is None]


class EarlierWork(QObject):
    """Documents of earlier years: compared with the class and not with each other."""

    failed = Signal(object)
    """The SimcompareError of a session that cannot be read."""

    def __init__(self, documents: DocumentStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents = documents
        self._background = Background(self)

    def add(self, paths: Iterable[Path]) -> None:
        paths = [path.absolute() for path in paths]
        sessions = [path for path in paths if path.suffix.lower() == FILE_SUFFIX]
        places = [path for path in paths if path not in sessions]
        if places:
            self._documents.add(places, DocumentRole.OLD)
        for path in sessions:
            self._background.start(partial(_documents_of, path), self._add_session, self.failed.emit)

    def close(self) -> None:
        self._background.close()

    def _add_session(self, documents: tuple[SessionDocument, ...]) -> None:
        self._documents.add_saved(documents, DocumentRole.OLD)


def _documents_of(path: Path) -> tuple[SessionDocument, ...]:
    """Return the documents of a session that hold a text and were compared."""
    session = read_session(path)
    left_out = session.school_class.arranged().not_compared
    return tuple(
        document
        for number, document in enumerate(session.documents)
        if document.document is not None and number not in left_out
    )
