"""A document of the list: what it was asked for, and what became of it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.comparison.prepared_document import PreparedDocument, with_recipe
from simcompare.loading.extraction import DEFAULT_OPTIONS, PastedText, ReadingOptions
from simcompare.model.document import Document
from simcompare.model.errors import FileNotReadableError, PasswordNeededError, SimcompareError
from simcompare.model.receipt import DropReason
from simcompare.model.untitled import renamed, untitled_pattern
from simcompare.session.session_data import SessionDocument
from simcompare.session.session_reader import is_remote
from simcompare.support.atomic_file import ChangeStamp
from simcompare.support.i18n import N_
from simcompare.ui.state.comparison_run import Task
from simcompare.ui.state.file_watch import FileState

_UNREAD_REMOTE = N_("it is on another computer and was not read yet")


@dataclass(slots=True, eq=False)
class Entry:
    """A file in the list, or a text that was pasted, whose `path` is but the name it goes by.

    `asked` says how it is being read; what was known before stays until it arrives. `kept` is its text as a
    session has it, until that is ready to be compared. `stamp` is that of the
    file when it was read, `on_disk` what has become of it since, `recognised` how many pages of how many
    text recognition has read.
    """

    key: int
    path: Path
    asked: ReadingOptions | None = DEFAULT_OPTIONS
    options: ReadingOptions = DEFAULT_OPTIONS
    prepared_document: PreparedDocument | None = None
    error: SimcompareError | None = None
    kept: Document | None = None
    pasted: PastedText | None = None
    stamp: ChangeStamp | None = None
    on_disk: FileState = FileState.SAME
    recognised: tuple[int, int] | None = None
    _essence: tuple[Document, bytes] | None = field(default=None, init=False, repr=False)

    def go_by(self, name: Path) -> None:
        """Give a pasted text a name, which its document goes by as well."""
        self.path = name
        if self.kept is not None and self.kept.path != name:
            self.kept = renamed(self.kept, name)
        if self.prepared_document is not None and self.prepared_document.document.path != name:
            self.prepared_document = replace(
                self.prepared_document, document=renamed(self.prepared_document.document, name)
            )

    @property
    def document(self) -> Document | None:
        """Its text, where it was read, whether it is ready to be compared or not."""
        return self.prepared_document.document if self.prepared_document is not None else self.kept

    @property
    def is_doubtful(self) -> bool:
        """Whether its text may not be what a reader of the file sees."""
        return self.prepared_document is not None and self.prepared_document.document.receipt.doubtful

    @property
    def is_locked(self) -> bool:
        """Whether it waits for a password."""
        return isinstance(self.error, PasswordNeededError)

    @property
    def is_known(self) -> bool:
        """Whether something can be told of it: what was read, or why nothing was."""
        return self.prepared_document is not None or self.error is not None

    @property
    def can_be_looked_for(self) -> bool:
        """Whether there is a file that can be looked at: it was read here, or a session names one here."""
        return self.stamp is not None or (
            self.pasted is None and self.path.is_absolute() and not is_remote(str(self.path))
        )

    @property
    def is_part_of_page(self) -> bool:
        """Whether it is a web page of which more could be read."""
        dropped = self.prepared_document.document.receipt.dropped if self.prepared_document else ()
        return any(part.reason is DropReason.NAVIGATION for part in dropped)

    @property
    def essence(self) -> bytes | None:
        """A digest of its text without spaces and line ends, which formats set differently."""
        document = self.document
        if document is None:
            return None
        if self._essence is None or self._essence[0] is not document:
            letters = "".join(document.text.split())
            self._essence = document, blake2b(letters.encode("utf-8", "replace")).digest()
        return self._essence[1]

    def follow_recipe(self, recipe: str) -> None:
        """Have its text prepared again where its fingerprint was made by another recipe."""
        if self.prepared_document is not None and self.prepared_document.fingerprint.recipe_name != recipe:
            self.kept, self.prepared_document = self.prepared_document.document, None
            self.asked = self.asked or self.options


def name_for(title: str, taken: Collection[str]) -> Path:
    """Return a name for a text without a file: its title, else a number; no other document has it."""
    # what parts the names of folders would leave only the end of the title
    wanted = re.sub(r"[/\\]|(?<=^[A-Za-z]):", "-", " ".join(title.split())).strip(". ")
    numbered = wanted + " ({number})" if wanted else untitled_pattern()
    names = (numbered.format(number=number) for number in count(2 if wanted else 1))
    return Path(next(name for name in chain([wanted] if wanted else [], names) if name not in taken))


def restored(key: int, file: SessionDocument) -> Entry:
    """Return the entry of a session's file; only what was not read yet is looked for at its place."""
    options = ReadingOptions(whole_page=file.whole_page)
    error = file.error
    unread = file.document is None and error is None and file.pasted is None
    if unread and is_remote(str(file.path)):
        error = FileNotReadableError(file.path, cause=_UNREAD_REMOTE)
    asked = None if error else options
    return Entry(key, file.path, asked, options, error=error, kept=file.document, pasted=file.pasted)


Remade = Mapping[PreparedDocument, PreparedDocument]
"""What stands for each subject from now on."""


class Fingerprinting(QObject):
    """Makes the fingerprints of subjects anew. All change together: two recipes can't be compared."""

    remade = Signal(str, object)
    """The recipe, and what stands for each of the subjects given (Remade)."""
    failed = Signal(object)
    """The NoTermsError of a text that the recipe cannot fingerprint; nothing changes then."""
    _made = Signal(object)
    _refused = Signal(object)

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._stop = Event()
        self._made.connect(self._deliver)
        self._refused.connect(self._refuse)

    def remake(self, prepared_documents: Sequence[PreparedDocument], recipe: str) -> None:
        """Begin; returns at once. What was asked for before is dropped."""
        self._stop.set()
        self._stop = Event()
        work = partial(_remade, prepared_documents, recipe, self._stop)
        self._pool.start(Task(work, self._made, self._refused, self._stop))

    def close(self) -> None:
        """Say nothing any more."""
        self._stop.set()

    def _deliver(self, made: tuple[str, Remade, Event] | None) -> None:
        if made is not None and made[2] is self._stop and not self._stop.is_set():
            self.remade.emit(*made[:2])

    def _refuse(self, error: Exception) -> None:
        if not self._stop.is_set():
            self.failed.emit(error)


def _remade(
    prepared_documents: Sequence[PreparedDocument], recipe: str, asked: Event
) -> tuple[str, Remade, Event]:
    return (
        recipe,
        {
            prepared_document: with_recipe(prepared_document, recipe)
            for prepared_document in prepared_documents
        },
        asked,
    )
