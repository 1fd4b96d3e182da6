"""Add earlier work to the documents: files, folders, archives and sessions."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from simcompare.session.school_class import DocumentRole
from simcompare.session.session_data import FILE_SUFFIX, SessionDocument
from simcompare.session.session_file import read_session
from simcompare.ui.state.document_store import DocumentStore
from simcompare.ui.state.task import Background


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
