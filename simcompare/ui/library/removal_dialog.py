"""Dialogs of deleting: the question that names what goes, and the protocol afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QWidget

from simcompare.support.display_text import display_name
from simcompare.support.i18n import _
from simcompare.ui.desktop.file_dialogs import ask_where_to_save_text, saved_in_words
from simcompare.ui.library.library_words import entries_in_words, tag_of
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import FocusFrame, MutedLabel
from simcompare.ui.style.theme import GRID_PX

if TYPE_CHECKING:
    from simcompare.library.entries import StoredEntry
    from simcompare.library.removing import RemovalProtocol

_SIZE_PX = QSize(560, 420)


class LinesDialog(QDialog):
    """A heading, an explanation and lines to read; Esc closes it."""

    def __init__(self, title: str, heading: str, explanation: str, lines: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.resize(_SIZE_PX.boundedTo(parent.size()))
        self.heading, self.explanation = QLabel(heading), MutedLabel(explanation)
        self.heading.setObjectName("pairName")
        self.heading.setWordWrap(True)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.explanation.setVisible(bool(explanation))
        self.lines = QPlainTextEdit(lines)
        self.lines.document().setDocumentMargin(2 * GRID_PX)
        self.lines.setReadOnly(True)
        self.lines.setTabChangesFocus(True)
        self.lines.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.lines.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.lines.setAccessibleName(heading)
        FocusFrame(self.lines)
        self.close_button = QPushButton(_("Close"))
        self.close_button.clicked.connect(self.reject)
        self.buttons = row_of(None, None, self.close_button, spacing_px=GRID_PX * 2)
        parts = (self.heading, self.explanation, (self.lines, 1), self.buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)


class RemovalDialog(LinesDialog):
    """Asks whether these entries are to be deleted."""

    confirmed = Signal()

    def __init__(self, entries: Sequence[StoredEntry], parent: QWidget, heading: str = "") -> None:
        """heading: the question, unless the entries were selected."""
        heading = heading or _("Delete {what} from the library?").format(what=entries_in_words(entries))
        explanation = _(
            "The texts, fingerprints and tags are deleted for good. Files on the disk stay as they are."
        )
        lines = "\n".join(map(_line, entries))
        super().__init__(_("Delete from the library"), heading, explanation, lines, parent)
        self.delete_button = QPushButton(_("Delete"))
        self.delete_button.setAutoDefault(False)
        self.delete_button.clicked.connect(self._confirm)
        self.close_button.setText(_("Cancel"))
        self.close_button.setDefault(True)
        self.buttons.insertWidget(1, self.delete_button)
        self.close_button.setFocus()

    def _confirm(self) -> None:
        self.accept()
        self.confirmed.emit()


class ProtocolDialog(LinesDialog):
    """Shows the protocol of what was deleted, and saves it as a text."""

    def __init__(self, protocol: RemovalProtocol, parent: QWidget) -> None:
        from simcompare.report.library.library_text import protocol_as_text  # noqa: PLC0415 - as in LibraryAccess

        self._text = protocol_as_text(protocol)
        heading = _("Deleted: {what}").format(what=entries_in_words(protocol.entries))
        explanation = _("Keep the protocol if you have to prove that these texts were deleted.")
        super().__init__(_("Protocol"), heading, explanation, self._text, parent)
        self.save_button = QPushButton(_("Save…"))
        self.save_button.setAutoDefault(False)
        self.save_button.clicked.connect(self._ask_where)
        self.buttons.insertWidget(1, self.save_button)
        self.close_button.setFocus()

    def _ask_where(self) -> None:
        dialog = ask_where_to_save_text(self, _("Save the protocol"), _("Protocol") + ".txt")
        dialog.fileSelected.connect(lambda name: self._save(Path(name)))

    def _save(self, path: Path) -> None:
        self.explanation.setText(saved_in_words(path, self._text.encode()))


def _line(entry: StoredEntry) -> str:
    """Return the name of an entry and its tags, the student first."""
    tags = (tag_of(entry, name) for name in ("student", "year", "class", "assignment"))
    return " · ".join(filter(None, [display_name(entry.name), *tags]))
