"""Search the essays of the class in the library, one after another; the first hits are shown at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from simcompare.comparison.prepared_document import PreparedDocument, with_recipe
from simcompare.model.errors import SimcompareError
from simcompare.ui.state.library.library_state import LibraryState
from simcompare.ui.state.library.open_access import LibraryAccess
from simcompare.ui.state.library.window_class import class_essays, names_of_files
from simcompare.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from simcompare.library.removing import RemovalProtocol
    from simcompare.library.search.search import LibraryHit


class ClassSearch(QObject):
    """Hits of each essay of the class, by its key.

    An entry of the same file and name as an essay of the class is that submission itself, and no hit.
    """

    changed = Signal()
    """Hits or progress."""
    failed = Signal(object)
    """The SimcompareError that ended the search."""

    def __init__(self, workspace: Workspace, library: LibraryState) -> None:
        super().__init__(library)
        self._workspace = workspace
        self._library = library
        self._texts: dict[int, PreparedDocument] = {}
        self._own: frozenset[int] = frozenset()
        self._stop = Event()
        self.hits: dict[int, Sequence[LibraryHit]] = {}
        self.progress: tuple[int, int] | None = None
        """Numbers of essays searched and of all while the class is searched."""
        workspace.documents_changed.connect(self._follow_documents)
        library.removed.connect(self._follow_removal)
        library.replaced.connect(self._forget)

    @property
    def was_started(self) -> bool:
        """True if the class was searched, or is."""
        return bool(self._texts)

    def start(self) -> None:
        """Search all essays that count."""
        self.cancel()
        self._texts, self.hits = class_essays(self._workspace), {}
        self._stop = stop = Event()
        self.progress = 0, len(self._texts)
        own = partial(_own_entries, names_of_files(self._workspace))
        self._library.ask_in_turn(own, partial(self._search_all, stop), self._fail, stop)
        self._emit_changed()

    def cancel(self) -> None:
        """Stop; what was found stays."""
        self._stop.set()
        if self.progress is not None:
            self.progress = None
            self._emit_changed()

    def _search_all(self, stop: Event, own: frozenset[int]) -> None:
        self._own = own
        for key, text in self._texts.items():
            take = partial(self._take, stop, key)
            self._library.ask_in_turn(partial(_hits, text), take, self._fail, stop)
        if not self._texts:
            self.cancel()

    def _take(self, stop: Event, key: int, hits: Sequence[LibraryHit]) -> None:
        if stop.is_set() or self.progress is None:
            return
        done, total = self.progress
        self.progress = (done + 1, total) if done + 1 < total else None
        if key in self._texts:
            self.hits[key] = [hit for hit in hits if hit.entry.entry not in self._own]
        self._emit_changed()

    def _fail(self, error: SimcompareError) -> None:
        self.cancel()
        self.failed.emit(error)
        self._library.refresh()

    def _emit_changed(self) -> None:
        """Show the largest share of each essay in the class, and emit the change."""
        shares = {
            key: max((hit.share or 0.0 for hit in hits), default=0.0) for key, hits in self.hits.items()
        }
        self._workspace.library_shares.show_shares(shares)
        self.changed.emit()

    # --- changes

    def _follow_documents(self) -> None:
        """Forget the hits of texts that are no longer in the window."""
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
        """Forget hits in entries that were removed."""
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


def _own_entries(names: Mapping[str, Collection[str]], access: LibraryAccess) -> frozenset[int]:
    from simcompare.library.listing import entries_of_files  # noqa: PLC0415 - loads the database toolkit

    return frozenset(entries_of_files(access.library(), names))


def _hits(text: PreparedDocument, access: LibraryAccess) -> Sequence[LibraryHit]:
    from simcompare.library.new_entry import LIBRARY_RECIPE  # noqa: PLC0415 - loads the database toolkit

    return access.search().search(with_recipe(text, LIBRARY_RECIPE))
