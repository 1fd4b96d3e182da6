"""Column at the right of the texts that shows or hides the heatmap."""

from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QToolButton, QWidget

from simcompare.support.i18n import _
from simcompare.ui.compare.heatmap.heatmap_canvas import LEAST_WIDTH_PX
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.theme import GRID_PX

_TEXTS_PX = 900
"""Width that the texts need; the heatmap gets a share of what there is beyond it."""
_SHARE_OF_REST = 0.4
_LARGEST_WIDTH_PX = 400
_TAB_WIDTH_PX = 6 * GRID_PX
_TAB_TOP_PX = 3 * GRID_PX

_WIDE_ENOUGH_PX = 1160
"""Width of texts and heatmap from which the heatmap is shown unless the user decides: each text then keeps
27 Chinese characters a line at the default size."""


class HeatmapColumns(QSplitter):
    """Texts, and the heatmap at their right; its width follows the window until the user moves the border."""

    width_changed = Signal()

    def __init__(self, texts: QWidget, heatmap: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("columns")
        self.heatmap = heatmap
        self._was_moved = False
        for place, widget in enumerate((texts, heatmap)):
            self.addWidget(widget)
            self.setCollapsible(place, False)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self.splitterMoved.connect(self._keep_moved_border)

    def _keep_moved_border(self) -> None:
        self._was_moved = True

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if not self._was_moved:
            share_px = round((self.width() - scaled(_TEXTS_PX)) * _SHARE_OF_REST)
            heatmap_px = min(max(LEAST_WIDTH_PX, share_px), _LARGEST_WIDTH_PX)
            self.setSizes([self.width() - self.handleWidth() - heatmap_px, heatmap_px])
        self.width_changed.emit()


class HeatmapFolding(QObject):
    """Shows the heatmap if the window is wide enough, or as the user chose; the choice is remembered."""

    def __init__(self, columns: HeatmapColumns, tab: QToolButton, preferences: Preferences) -> None:
        """`tab` becomes a switch beside the heatmap."""
        super().__init__(columns)
        self._columns = columns
        self._preferences = preferences
        self.action = QAction(self, checkable=True)
        self.action.setShortcut("Ctrl+Shift+H")
        self.action.toggled.connect(columns.heatmap.setVisible)
        self.action.triggered.connect(self._remember)
        tab.setDefaultAction(self.action)
        columns.width_changed.connect(self._follow_width)
        columns.heatmap.setVisible(False)
        follow_theme(self._follow_width)
        follow_language(self._retranslate)

    def _remember(self, shown: bool) -> None:
        self._preferences.shows_heatmap = shown

    def _follow_width(self) -> None:
        chosen = self._preferences.shows_heatmap
        is_wide = self._columns.width() >= scaled(_WIDE_ENOUGH_PX)
        self.action.setChecked(is_wide if chosen is None else chosen)

    def _retranslate(self) -> None:
        self.action.setText(_("Heatmap"))
        self.action.setToolTip(_("Show or hide the heatmap (Ctrl+Shift+H)"))


class SideTab(QToolButton):
    """Switch as high as its column, with its text written downwards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Narrow, and high enough for the text."""
        return QSize(
            scaled(_TAB_WIDTH_PX), self.fontMetrics().horizontalAdvance(self.text()) + 2 * _TAB_TOP_PX
        )

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return `sizeHint`: the text is never cut off."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the text: Latin script turned by a right angle, Chinese characters below each other."""
        painter, theme = QPainter(self), current_theme()
        lit = self.isChecked() or self.underMouse()
        painter.fillRect(event.rect(), QColor(theme.accent_tint if lit else theme.background))
        painter.setPen(QColor(theme.line))
        painter.drawLine(self.rect().topLeft(), self.rect().bottomLeft())
        painter.setPen(QColor(theme.ink if lit else theme.muted))
        if self.text().isascii():
            self._write_turned(painter)
        else:
            self._write_stacked(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def _write_turned(self, painter: QPainter) -> None:
        painter.save()
        painter.translate(self.width(), _TAB_TOP_PX)
        painter.rotate(90)
        along = self.height() - _TAB_TOP_PX
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, 0, along, self.width()), flags, self.text())
        painter.restore()

    def _write_stacked(self, painter: QPainter) -> None:
        step = self.fontMetrics().ascent()
        corner = QPoint(0, _TAB_TOP_PX)
        for number, character in enumerate(self.text()):
            box = QRectF(corner + QPoint(0, number * step), QSize(self.width(), step))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, character)
