"""Recovery copies that a crash left behind, and the bar that offers them.

Apart from `recovery.py`, as the first painting of the window shows it and must not load the comparison.
"""

import errno
import json
import os
import time
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from secrets import token_hex

from PySide6.QtCore import QLockFile, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from simcompare.model.file_kinds import JOURNAL_SUFFIX, SESSION_SUFFIX
from simcompare.support.display_text import common_folder_name, display_name, file_name
from simcompare.support.i18n import _, ngettext
from simcompare.support.resources import user_data_path
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.theme import GRID_PX

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
        """Delete the file, its journal and its lock."""
        self.path.unlink(missing_ok=True)
        self.path.with_suffix(JOURNAL_SUFFIX).unlink(missing_ok=True)
        self.lock.unlock()


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


def new_copy() -> RecoveryCopy:
    """Reserve a file for a copy. Raises OSError if the folder is not writable."""
    path = _folder() / f"{token_hex(8)}{SESSION_SUFFIX}"
    lock = _lock(path)
    if lock is None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
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
        if main["file"]:
            return Path(file_name(main["file"])).stem, int(main["documents"])
        facts = [name for name in copy.namelist() if name.endswith("/facts.json")][
            : min(3, main["documents"])
        ]
        paths = [Path(json.loads(copy.read(name))["path"]) for name in facts]
        return common_folder_name(paths), int(main["documents"])
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

    restore_requested = Signal()
    discard_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.copies: list[RecoveryCopy] = []
        """Copies that can be restored or discarded, the offered one first."""
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
        follow_language(self._show_texts)
        self._ask(False)

    def look(self) -> None:
        """Look for copies that crashes left behind, and offer them one after the other."""
        self.copies = find_recovery_copies()
        self.offer_first()

    def offer_first(self) -> None:
        """Offer the first copy; hide without any."""
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
        self._show_texts()

    def _show_texts(self) -> None:
        self.restore_button.setText(_("Restore"))
        self.discard_button.setText(_("Discard"))
        self.for_good_button.setText(_("Discard permanently"))
        self.keep_button.setText(_("Keep"))
        if self.copies:
            question = self._question()
            self.label.setText(question.format(time=_label(self.copies[0]), count=len(self.copies)))

    def _question(self) -> str:
        if self._is_asking:
            return _("Discard the work of {time} permanently? This cannot be undone.")
        if len(self.copies) == 1:
            return _("Work of {time} was not saved.")
        return _("Work of {time} was not saved. It is the latest of {count} unsaved copies.")


def _label(copy: RecoveryCopy) -> str:
    """Time, with the date if it is not today, and what the work was on."""
    moment = copy.written
    today = moment.date() == datetime.now().astimezone().date()
    text = f"{moment:%H:%M}" if today else f"{moment:%Y-%m-%d %H:%M}"
    if not copy.count:
        return text
    count = ngettext("{count} essay", "{count} essays", copy.count)
    detail = _("{listed}, {next}").format(listed=display_name(copy.name), next=count) if copy.name else count
    return _("{text} ({detail})").format(text=text, detail=detail)
