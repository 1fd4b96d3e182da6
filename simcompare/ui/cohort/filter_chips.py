"""Chips above the table of pairs: what a click in a picture of the class has filtered by."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from simcompare.support.i18n import _, ngettext
from simcompare.ui.cohort.overview.class_words import range_in_words
from simcompare.ui.state.cohort.class_filter import ClassFilter
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.layouts import row_of
from simcompare.ui.style.theme import GRID_PX

_CROSS = "✕"
_WIDEST_PX = 60 * GRID_PX


class FilterChips(QWidget):
    """A button for the documents, the shares and the library that are filtered by; a click removes it."""

    removed = Signal()

    def __init__(
        self, class_filter: ClassFilter, label_of: Callable[[int], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._filter, self._label_of = class_filter, label_of
        self.documents, self.shares, self.library = QPushButton(), QPushButton(), QPushButton()
        chips = (self.documents, self.shares, self.library)
        row_of(self, *chips, spacing_px=GRID_PX)
        for chip in chips:
            chip.setObjectName("chip")
            chip.setMaximumWidth(_WIDEST_PX)
        self.documents.clicked.connect(lambda: self._remove(lambda: class_filter.show_documents(())))
        self.shares.clicked.connect(lambda: self._remove(lambda: class_filter.show_shares(None)))
        self.library.clicked.connect(lambda: self._remove(lambda: class_filter.show_in_library(None)))
        class_filter.changed.connect(self.show_filter)
        follow_language(self.show_filter)

    def _remove(self, remove: Callable[[], None]) -> None:
        remove()
        self.removed.emit()

    def show_filter(self) -> None:
        documents, shares = self._filter.documents, self._filter.shares
        self._show(self.documents, self._documents_in_words() if documents else "")
        self._show(self.shares, range_in_words(shares) if shares is not None else "")
        self._show(self.library, _("Also in the library") if self._filter.in_library is not None else "")

    def _documents_in_words(self) -> str:
        keys = sorted(self._filter.documents)
        if len(keys) <= 2:
            return " – ".join(map(self._label_of, keys))
        return ngettext("{count} essay", "{count} essays", len(keys))

    def _show(self, chip: QPushButton, words: str) -> None:
        chip.setVisible(bool(words))
        width = _WIDEST_PX - 12 * GRID_PX
        short = chip.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, width)
        chip.setText(f"{short}  {_CROSS}".replace("&", "&&"))
        chip.setToolTip(_("Listed: {what}. Click to list all again (Esc).").format(what=words))
        chip.setAccessibleName(_("No longer filter by {what}").format(what=words))
