"""The note on a pair, written from its row in the table."""

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtWidgets import QWidget

from simcompare.ui.looks.theme import Theme
from simcompare.ui.matches.note_popup import NotePopup
from simcompare.ui.state.pair_table import Pair
from simcompare.ui.state.review import Review


class PairNote(QObject):
    """Opens a field beside a row; what is typed is the note on that pair, wherever its row goes."""

    def __init__(self, review: Review, table: QWidget) -> None:
        super().__init__(table)
        self._review = review
        self._table = table
        self._pair: Pair | None = None
        self._popup = NotePopup()
        self.field = self._popup.field
        self.field.note_changed.connect(self._write)
        self._popup.closed.connect(self._end)
        review.changed.connect(self._show)

    def open(self, pair: Pair, widget: QWidget, place: QRect) -> None:
        """Open the field for a pair whose row stands at a place in a widget."""
        self._pair = pair
        self._show()
        self._popup.open_at(widget, place)

    def _show(self) -> None:
        if self._pair is not None:
            self.field.show_note(self._review.pair_review(*self._pair).overall.note)

    def _write(self, note: str) -> None:
        if self._pair is not None:
            self._review.note_pair(*self._pair, note)

    def _end(self) -> None:
        self._pair = None
        self._review.end_typing()
        if self.field.hasFocus():
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        self.field.retranslate()

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._popup.apply_theme(theme)
