"""The bar above the texts in which words are entered, and that tells how often they stand where."""
# ruff: noqa: N802 - Qt names the methods it calls

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QKeyEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from simcompare.i18n import _
from simcompare.ui.find.search import Search
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.palette import muted_palette, surface_palette
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme
from simcompare.ui.state.side import Side

_FIELD_WIDTH_PX = 70 * GRID_PX
_ICON_PX = 16
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QWidget):
    """Asks for words; Enter goes to the next hit, Shift+Enter to the one before, Esc leaves."""

    words_changed = Signal(str)
    step_requested = Signal(int)
    """1 for the next hit, -1 for the one before."""
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = LIGHT
        self._search: Search | None = None
        self._around = 0
        self.field = QLineEdit()
        self.previous_button, self.next_button, self.close_button = (self._button() for _each in range(3))
        self._counts, self._notice = QLabel(), QLabel()
        self._counts.setTextFormat(Qt.TextFormat.PlainText)
        self._lay_out()
        self.field.textChanged.connect(self.words_changed)
        self.field.installEventFilter(self)
        self.previous_button.clicked.connect(lambda: self.step_requested.emit(-1))
        self.next_button.clicked.connect(lambda: self.step_requested.emit(1))
        self.close_button.clicked.connect(self.left)
        self.apply_theme(LIGHT)
        self.retranslate()
        self.hide()

    def _button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("quietButton")
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        self.field.setFixedWidth(_FIELD_WIDTH_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(4 * GRID_PX, GRID_PX, 3 * GRID_PX, GRID_PX)
        row.setSpacing(GRID_PX)
        for part in (self.field, self.previous_button, self.next_button):
            row.addWidget(part)
        row.addSpacing(2 * GRID_PX)
        row.addWidget(self._counts)
        row.addSpacing(3 * GRID_PX)
        row.addWidget(self._notice)
        row.addStretch(1)
        row.addWidget(self.close_button)

    # --- what is shown

    def show_search(self, search: Search, around: int = 0) -> None:
        """Tell how often the words stand where; `around` is the step, if any, that went past an end."""
        self._search, self._around = search, around
        self._counts.setText(self._counts_text(search))
        self._notice.setText(self._notice_text(around))
        palette = QPalette(surface_palette(self._theme))
        if self._finds_nothing:
            palette.setColor(QPalette.ColorRole.WindowText, QColor(self._theme.danger))
        self._counts.setPalette(palette)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(search.count > 0)

    def announce(self) -> None:
        """Tell assistive programs what the bar shows."""
        words = " ".join(filter(None, (self._counts.text(), self._notice.text())))
        if words:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, words))

    @property
    def _finds_nothing(self) -> bool:
        return self._search is not None and self._search.count == 0 and bool(self.field.text())

    def _counts_text(self, search: Search) -> str:
        if not self.field.text():
            return ""
        if not search.count:
            return _("In neither text.")
        left, right = (f"{len(search.hits[side]):,}" for side in Side)
        words = _("{number} of {count}: left {left} · right {right}")
        return words.format(number=f"{search.number:,}", count=f"{search.count:,}", left=left, right=right)

    def _notice_text(self, around: int) -> str:
        if around == 0:
            return ""
        return _("Continued from the first one.") if around > 0 else _("Continued from the last one.")

    def apply_theme(self, theme: Theme) -> None:
        """Use the theme's colours."""
        self._theme = theme
        for button, name in (
            (self.previous_button, "previous"),
            (self.next_button, "next"),
            (self.close_button, "cancel"),
        ):
            button.setIcon(icon(name, theme.ink))
        self._notice.setPalette(muted_palette(theme))
        if self._search is not None:
            self.show_search(self._search, self._around)

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.field.setPlaceholderText(_("Find in both texts"))
        self.field.setAccessibleName(_("Find in both texts"))
        for button, name, keys in (
            (self.previous_button, _("Previous hit"), "Shift+F3"),
            (self.next_button, _("Next hit"), "F3"),
            (self.close_button, _("Close the search"), "Esc"),
        ):
            button.setAccessibleName(name)
            button.setToolTip(f"{name} ({keys})")
        if self._search is not None:
            self.show_search(self._search, self._around)

    # --- the keyboard

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Step with Enter, which a field keeps to itself."""
        if event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        assert isinstance(event, QKeyEvent)
        if event.key() not in _ENTER_KEYS:
            return False
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.step_requested.emit(-1 if back else 1)
        return True
