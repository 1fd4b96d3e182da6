"""Position of the open pair in the table of all pairs, with buttons for the previous and the next pair."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from simcompare.support.i18n import _
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, Theme
from simcompare.ui.style.tool_tips import as_tooltip

_BUTTON_PX = 24
_ICON_PX = 16
_NO_POSITION = "–"


class PairStepBar(QWidget):
    """Shows “‹ 2 of 10 ›”; the button for the next pair can offer the next undecided one by name."""

    step_requested = Signal(int)
    """-1: the previous pair, 1: the next or offered one."""
    resized = Signal()
    """Texts of another width are shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.position = QLabel()
        self.position.setObjectName("muted")
        self.previous_button, self.next_button = QToolButton(), QToolButton()
        # the chevron follows the text
        self.next_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        for button, step in ((self.previous_button, -1), (self.next_button, 1)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setIconSize(QSize(_ICON_PX, _ICON_PX))
            button.clicked.connect(lambda _on, step=step: self.step_requested.emit(step))
        row_of(self, self.previous_button, self.position, self.next_button, spacing_px=GRID_PX)
        self._index: int | None = None
        self._count = 0
        self._offered = ""
        self._is_compact = False
        self.hide()
        follow_language(self._show)
        follow_theme(self._fit_buttons)
        follow_theme(self._show)

    def _fit_buttons(self) -> None:
        for button in (self.previous_button, self.next_button):
            button.setMinimumSize(scaled(_BUTTON_PX), scaled(_BUTTON_PX))

    def show_position(self, index: int | None, count: int, offered: str) -> None:
        """Show the place of the open pair among the listed ones.

        index: from 0; None if the pair is not listed. offered: label of the next undecided pair, offered in
        place of the next one; empty for none.
        """
        if (self._index, self._count, self._offered) != (index, count, offered):
            self._index, self._count, self._offered = index, count, offered
            self._show()

    def set_compact(self, is_compact: bool) -> None:
        """Show an offered pair by colour and tooltip only, or in words."""
        self._is_compact = is_compact
        has_words = bool(self._offered) and not is_compact
        style = Qt.ToolButtonStyle
        self.next_button.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if has_words else style.ToolButtonIconOnly
        )

    def _show(self) -> None:
        number = _NO_POSITION if self._index is None else f"{self._index + 1:,}"
        text = _("{number} of {total}").format(number=number, total=f"{self._count:,}")
        self.position.setText(text)
        self.position.setToolTip(_("Place of this pair in the table of all pairs as filtered and sorted"))
        self.position.setAccessibleName(_("Pair {place}").format(place=text))
        last = self._count - 1
        self.previous_button.setEnabled(bool(self._index))
        self.next_button.setEnabled(
            bool(self._offered) or (-1 if self._index is None else self._index) < last
        )
        self._show_buttons()
        self.set_compact(self._is_compact)
        self.resized.emit()

    def _show_buttons(self) -> None:
        theme, offered = current_theme(), self._offered
        words = _("Next undecided pair: {pair}").format(pair=offered)
        self.next_button.setText(_("Next undecided"))
        self.next_button.setToolTip(as_tooltip(words) if offered else _("Next pair (Ctrl+Right)"))
        self.next_button.setAccessibleName(words if offered else _("Next pair"))
        self.previous_button.setToolTip(_("Previous pair (Ctrl+Left)"))
        self.previous_button.setAccessibleName(_("Previous pair"))
        for button, name in ((self.previous_button, "previous"), (self.next_button, "next")):
            is_offer = bool(offered) and button is self.next_button
            ink = theme.accent if is_offer else theme.ink
            button.setIcon(icon(name, ink))
            button.setStyleSheet(_button_style(theme, ink, theme.accent_tint if is_offer else "transparent"))


def _button_style(theme: Theme, ink: str, ground: str) -> str:
    return f"""
        QToolButton {{ color: {ink}; background: {ground}; border: 2px solid transparent;
                       border-radius: 6px; padding: 1px 3px; font-weight: 600; }}
        QToolButton:hover {{ background: {theme.accent_tint}; }}
        QToolButton:focus {{ border-color: {theme.accent}; }}
    """
