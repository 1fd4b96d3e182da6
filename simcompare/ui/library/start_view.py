"""What the page shows without any entry: what the library is for, or why it cannot be opened."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from simcompare.library.store.library_place import LibraryServer
from simcompare.support.i18n import _
from simcompare.ui.library.library_words import error_in_words
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.library.library_state import LibraryState
from simcompare.ui.style.appearance import follow_theme, scaled
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.elided_label import fit_height
from simcompare.ui.style.theme import GRID_PX

_TEXT_WIDTH_PX, _WIDEST_TEXT_PX = 500, 800


class StartView(QWidget):
    """One sentence and the two buttons that matter; after an error, the error and a button to try again."""

    class_requested = Signal()
    folder_requested = Signal()

    def __init__(self, library: LibraryState) -> None:
        super().__init__()
        self._library = library
        self.title, self.text = QLabel(), QLabel()
        self.title.setObjectName("share")
        self.text.setObjectName("muted")
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.class_button, self.folder_button = QPushButton(), QPushButton()
        self.class_button.setObjectName("primary")
        self.retry_button, self.connection_button = QPushButton(), QPushButton()
        self.class_button.clicked.connect(self.class_requested)
        self.folder_button.clicked.connect(self.folder_requested)
        self.retry_button.clicked.connect(library.refresh)
        column = QVBoxLayout(self)
        column.setSpacing(GRID_PX * 4)
        column.addStretch(2)
        for label in (self.title, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)
        buttons = (
            None,
            self.class_button,
            self.folder_button,
            self.connection_button,
            self.retry_button,
            None,
        )
        column.addLayout(row_of(None, *buttons, spacing_px=GRID_PX * 3))
        column.addStretch(3)
        library.changed.connect(self.show_state)
        follow_theme(self.show_state)
        follow_language(self.show_state)

    def show_state(self) -> None:
        """Show what is known of the library in the current language."""
        error = self._library.error
        for button in (self.class_button, self.folder_button):
            button.setVisible(error is None)
        self.retry_button.setVisible(error is not None)
        is_on_server = isinstance(self._library.place, LibraryServer)
        self.connection_button.setVisible(error is not None and is_on_server)
        self.title.setText(_("The library cannot be opened") if error else _("The library is empty"))
        self.text.setText(
            error_in_words(error)
            if error
            else _("It has no essays yet. Add some, and everybody who uses this server can search them.")
            if is_on_server
            else _(
                "It keeps the essays of past years on this computer, so that you see whether a new one was "
                "handed in before, by anyone, in any year."
            )
        )
        width_px = min(scaled(_TEXT_WIDTH_PX), _WIDEST_TEXT_PX)
        self.text.setFixedWidth(width_px)
        fit_height(self.text, width_px)
        self.class_button.setText(_("Add this class…"))
        self.folder_button.setText(_("Add a folder…"))
        self.retry_button.setText(_("Try again"))
        self.connection_button.setText(_("Change the connection…"))
