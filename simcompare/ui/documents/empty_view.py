"""Page without documents: how to add some, and the samples."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from simcompare.loading.sniffing import kinds_of_files
from simcompare.support.i18n import _, joined_items
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX

_TEXT_WIDTH_PX = 460
_ICON_SIZE_PX = 56


class EmptyView(QWidget):
    """Explains how to add documents."""

    add_requested = Signal()
    samples_requested = Signal()
    library_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture, self._title, self._text = QLabel(), QLabel(), QLabel()
        self._title.setObjectName("share")
        self._text.setObjectName("muted")
        self._text.setWordWrap(True)
        self.add_button, self.samples_button, self.library_button = (QPushButton() for _button in range(3))
        self.add_button.setObjectName("primary")
        self.add_button.clicked.connect(self.add_requested)
        self.samples_button.clicked.connect(self.samples_requested)
        self.library_button.setObjectName("statusLink")
        self.library_button.clicked.connect(self.library_requested)
        column = QVBoxLayout(self)
        column.setSpacing(GRID_PX * 4)
        column.addStretch(2)
        for label in (self._picture, self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)
        buttons = (None, self.add_button, self.samples_button, None)
        column.addLayout(row_of(None, *buttons, spacing_px=GRID_PX * 3))
        column.addWidget(self.library_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def _apply_theme(self) -> None:
        theme = current_theme()
        if self._text.text():
            self._fit_text()
        self._picture.setPixmap(icon("document", theme.muted).pixmap(_ICON_SIZE_PX, _ICON_SIZE_PX))

    def _fit_text(self) -> None:
        """Set the height of the text: a wrapped label computes it only for a given width."""
        width_px = scaled(_TEXT_WIDTH_PX)
        self._text.setFixedSize(width_px, self._text.heightForWidth(width_px))

    def _retranslate(self) -> None:
        self._title.setText(_("Drop essays here"))
        self._text.setText(
            _(
                "Files, a whole folder, or a text you paste. Chinese or English: {kinds}. "
                "Everything is compared on this computer; nothing leaves it."
            ).format(kinds=joined_items(_(kind) for kind, _suffixes in kinds_of_files()))
        )
        self._fit_text()
        self.add_button.setText(_("Add documents…"))
        self.samples_button.setText(_("Try the samples"))
        self.library_button.setText(_("Library of past years"))
        self.library_button.setToolTip(_("Essays of past years that are stored on this computer (Ctrl+3)"))
