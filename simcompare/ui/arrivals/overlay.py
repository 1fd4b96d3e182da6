"""What covers the window while something is dragged over it: an invitation, or why it cannot be taken."""
# ruff: noqa: N802 - Qt names the methods it calls

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from simcompare.i18n import _
from simcompare.ui.arrivals.contents import Contents
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme

_CARD_WIDTH_PX = 420
_ICON_PX = 40
_VEIL_OPACITY = 0.8
_MARGIN_PX = 6 * GRID_PX


class DropOverlay(QWidget):
    """Lies over the whole window; the mouse goes through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._contents = Contents()
        self._theme = LIGHT
        self._sign, self.title, self.text = QLabel(), QLabel(), QLabel()
        self.title.setObjectName("share")
        self.text.setWordWrap(True)
        self.text.setFixedWidth(_CARD_WIDTH_PX - 2 * _MARGIN_PX)
        self._window = window
        self._card = QWidget(self)
        column = QVBoxLayout(self._card)
        column.setContentsMargins(*[_MARGIN_PX] * 4)
        column.setSpacing(3 * GRID_PX)
        for label in (self._sign, self.title, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        self.hide()

    def invite(self, contents: Contents) -> None:
        """Show what will become of what is dragged."""
        self._contents = contents
        self.title.setText(_("Drop to add") if contents.can_be_added else _("This cannot be added"))
        parts = (contents.welcome if contents.can_be_added else "", contents.refusal)
        self.text.setText("\n".join(filter(None, parts)))
        self._show_sign()
        self._lay_out()
        self.raise_()
        self.show()

    def _show_sign(self) -> None:
        welcome = self._contents.can_be_added
        sign = icon("add", self._theme.accent) if welcome else icon("warning", self._theme.caution)
        self._sign.setPixmap(sign.pixmap(_ICON_PX, _ICON_PX))

    def _lay_out(self) -> None:
        self.setGeometry(self._window.rect())
        # a wrapped label asks for the height of its lines only where it is told its width
        self.text.setFixedHeight(self.text.heightForWidth(self.text.width()))
        self._card.resize(_CARD_WIDTH_PX, self._card.sizeHint().height())
        card = self._card.rect()
        card.moveCenter(self.rect().center())
        self._card.move(card.topLeft())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a veil over the window, and the card."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(self._theme.background)
        veil.setAlphaF(_VEIL_OPACITY)
        painter.fillRect(event.rect(), veil)
        frame = self._theme.accent if self._contents.can_be_added else self._theme.caution
        painter.setPen(QPen(QColor(frame), 2, Qt.PenStyle.DashLine))
        painter.setBrush(QColor(self._theme.surface))
        painter.drawRoundedRect(QRectF(self._card.geometry()), 3 * GRID_PX, 3 * GRID_PX)

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self._show_sign()
        self.update()
