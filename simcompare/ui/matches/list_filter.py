"""Three switches, one for each kind of match, that say how many there are and hide or show them."""
# ruff: noqa: N802 - Qt names the methods it calls

from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from simcompare.comparison.values import MatchKind
from simcompare.i18n import _
from simcompare.report.wording import kind_name
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme
from simcompare.ui.matches.kind_chip import paint_kind_line
from simcompare.ui.matches.list_header import SIDE_PX
from simcompare.ui.state.match_judgements import Kinds, count_kinds

_STRONGEST_FIRST = sorted(MatchKind, reverse=True)


class KindSwitch(QAbstractButton):
    """A tile with the number of matches of one kind; filled while they are shown."""

    def __init__(self, kind: MatchKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._count = 0
        self._theme = LIGHT
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_count(self, count: int) -> None:
        """Show how many matches are of this kind."""
        if count != self._count:
            self._count = count
            self._name()
            self.update()

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        self._name()
        self.setToolTip(_("Show or hide matches of this kind: {kind}").format(kind=kind_name(self._kind)))
        self.updateGeometry()
        self.update()

    def _name(self) -> None:
        self.setAccessibleName(f"{kind_name(self._kind)} {self._count}")

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room that the name and the number take, one over the other."""
        width = max(self.fontMetrics().horizontalAdvance(text) for text in (kind_name(self._kind), "00,000"))
        return QSize(width + 2 * GRID_PX, 2 * self.fontMetrics().height() + 3 * GRID_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the number over the name, with the line of the kind below."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_tile(painter)
        look = self._theme.kinds[self._kind]
        painter.setPen(QColor(look.ink if self.isChecked() else self._theme.muted))
        text = self.rect().adjusted(0, GRID_PX, 0, -2 * GRID_PX)
        name = QRect(text.left(), text.center().y() + 1, text.width(), text.height() // 2)
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, kind_name(self._kind))
        self._paint_line(painter, name)
        painter.setFont(_bold(self.font()))
        number = QRect(text.topLeft(), QSize(text.width(), text.height() // 2))
        painter.drawText(number, Qt.AlignmentFlag.AlignCenter, f"{self._count:,}")

    def _paint_tile(self, painter: QPainter) -> None:
        look = self._theme.kinds[self._kind]
        checked = self.isChecked()
        painter.setPen(QPen(QColor(look.tint if checked else self._theme.line), 1))
        painter.setBrush(QColor(look.tint) if checked else Qt.BrushStyle.NoBrush)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 2))
        elif self.underMouse():
            painter.setPen(QPen(QColor(look.ink), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), GRID_PX, GRID_PX)

    def _paint_line(self, painter: QPainter, name: QRect) -> None:
        if self.isChecked():
            width = QFontMetrics(self.font()).horizontalAdvance(kind_name(self._kind))
            line = QRect(name.center().x() - width // 2, name.top(), width, name.height() + 2)
            paint_kind_line(painter, line, self._kind, self._theme)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold


class KindFilter(QWidget):
    """The row of the three switches."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(SIDE_PX, 0, SIDE_PX, 2 * GRID_PX)
        row.setSpacing(2 * GRID_PX)
        self._switches = {kind: KindSwitch(kind, self) for kind in _STRONGEST_FIRST}
        for switch in self._switches.values():
            row.addWidget(switch)
            switch.toggled.connect(self.changed)

    @property
    def shown_kinds(self) -> frozenset[MatchKind]:
        """The kinds that are switched on."""
        return frozenset(kind for kind, switch in self._switches.items() if switch.isChecked())

    def show_kinds(self, kinds: frozenset[MatchKind]) -> None:
        """Switch these kinds on and all others off, without a signal."""
        for kind, switch in self._switches.items():
            with QSignalBlocker(switch):
                switch.setChecked(kind in kinds)

    def set_counts(self, kinds: Kinds) -> None:
        """Show how many of these are of each kind."""
        for kind, count in count_kinds(kinds).items():
            self._switches[kind].set_count(count)

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        for switch in self._switches.values():
            switch.retranslate()

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        for switch in self._switches.values():
            switch.apply_theme(theme)
