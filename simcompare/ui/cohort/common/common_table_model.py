"""Table of the sentences common to the class: sentence with its tick, and number of essays."""

from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from simcompare.cohort.class_check import DocumentRole
from simcompare.cohort.common_text import CommonSentence
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.tool_tips import as_tooltip

# ruff: noqa: N802 - Qt names the methods it calls

AnyIndex = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class CommonColumn(IntEnum):
    """Columns of the table."""

    SENTENCE = 0
    ESSAYS = 1


class CommonTableModel(QAbstractTableModel):
    """Lists the common sentences that match a filter; a tick means that a sentence is left out."""

    ticked = Signal(list, bool)
    """Digests of sentences, and whether they are to be counted."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._wanted = ""
        self.sentences: Sequence[CommonSentence] = ()

    def show_all(self) -> None:
        """List the sentences of the class that match the filter."""
        self.beginResetModel()
        self.sentences = [each for each in self._workspace.class_state.common if self._matches(each)]
        self.endResetModel()

    def show_ticks(self) -> None:
        """Show again which sentences are left out."""
        if self.sentences:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.sentences) - 1, 1))

    def filter_by(self, text: str) -> None:
        """List the sentences that contain a text, or that a document has whose name contains it."""
        self._wanted = text.strip().casefold()
        self.show_all()

    def _matches(self, sentence: CommonSentence) -> bool:
        if self._wanted in sentence.text.casefold():
            return True
        names = self._workspace.documents.names
        return any(self._wanted in names[key].text.casefold() for key in sentence.documents if key in names)

    def is_left_out(self, sentence: CommonSentence) -> bool:
        """Return whether a sentence does not count."""
        state = self._workspace.class_state
        return self._workspace.settings.exclude_common and not state.is_counted(sentence.digest)

    def essays_of(self, sentence: CommonSentence) -> list[int]:
        """Return the keys of the essays of the class that have a sentence."""
        role_of = self._workspace.class_state.role_of
        return [key for key in sentence.documents if role_of(key) is DocumentRole.CURRENT]

    def switch(self, rows: Collection[int]) -> None:
        """Count the sentences of these rows, or leave all of them out if they count."""
        chosen = [self.sentences[row] for row in rows]
        if chosen and self._workspace.settings.exclude_common:
            self.ticked.emit([each.digest for each in chosen], any(map(self.is_left_out, chosen)))

    def rowCount(self, parent: AnyIndex = _NONE) -> int:
        return 0 if parent.isValid() else len(self.sentences)

    def columnCount(self, parent: AnyIndex = _NONE) -> int:
        return 0 if parent.isValid() else len(CommonColumn)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Return the flags of a cell; without exclusion of common sentences nothing can be ticked."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == CommonColumn.SENTENCE and self._workspace.settings.exclude_common:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _("Sentence") if section == CommonColumn.SENTENCE else _("Essays")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, tick, tooltip and spoken text of a cell."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        sentence = self.sentences[index.row()]
        if index.column() == CommonColumn.SENTENCE:
            return self._sentence_data(sentence, role)
        return f"{len(self.essays_of(sentence)):,}" if role == Qt.ItemDataRole.DisplayRole else None

    def _sentence_data(self, sentence: CommonSentence, role: int) -> Any:
        text, left_out = escape_invisible(sentence.text), self.is_left_out(sentence)
        if role == Qt.ItemDataRole.DisplayRole:
            return " ".join(text.split())
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tooltip(text)
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if left_out else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = _("left out: {sentence}") if left_out else _("counts: {sentence}")
            return words.format(sentence=text)
        return None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Leave a sentence out or count it."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        is_counted = Qt.CheckState(value) is Qt.CheckState.Unchecked
        self.ticked.emit([self.sentences[index.row()].digest], is_counted)
        return True


def read_essays(workspace: Workspace) -> set[int]:
    """Return the keys of the essays of the class that could be read."""
    role_of, entries = workspace.class_state.role_of, workspace.documents.entries.items()
    return {key for key, entry in entries if entry.error is None and role_of(key) is DocumentRole.CURRENT}


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column == CommonColumn.SENTENCE else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
