"""Panel with the heatmap and the graph of all essays: side by side, or one of them in a narrow window."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QWidget

from simcompare.support.i18n import N_, _
from simcompare.ui.cohort.overview.essay_graph import EssayGraph
from simcompare.ui.cohort.overview.essay_map import EssayMap
from simcompare.ui.cohort.overview.histogram_panel import PANEL_HEAD_PX, PANEL_MARGINS_PX
from simcompare.ui.state.cohort.class_filter import ClassPicture
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.layouts import column_of, push_button, row_of
from simcompare.ui.style.text_labels import ElidedLabel
from simcompare.ui.style.theme import GRID_PX, follow_theme, scaled

_BOTH_PX = 190 * GRID_PX
"""Width from which both pictures are shown."""
_HINT_PX = 130 * GRID_PX
"""Width from which the hint on the heatmap is shown."""


class MapPanel(QWidget):
    """Heatmap and graph, and a line on the cell or node under the pointer or the cursor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.map, self.graph = EssayMap(), EssayGraph()
        self._title, self._line = translated(QLabel(), N_("Which essays are similar?")), ElidedLabel()
        self._title.setObjectName("panelTitle")
        self._line.setObjectName("muted")
        map_tip = N_("A square for every two essays, ordered by group: the darker, the more similar")
        self.map_button = push_button(N_("All essays"), tip=map_tip)
        graph_tip = N_("Essays linked by pairs above the limit")
        self.graph_button = push_button(N_("Groups"), tip=graph_tip)
        group = QButtonGroup(self)
        for button, name in ((self.map_button, "switchLeft"), (self.graph_button, "switchRight")):
            button.setObjectName(name)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            group.addButton(button)
        self.map_button.setChecked(True)
        words = row_of(None, self._title, (self._line, 1), spacing_px=4 * GRID_PX)
        head = row_of(None, (words, 1), self.map_button, self.graph_button)
        pictures = row_of(None, (self.map, 1), (self.graph, 1), spacing_px=4 * GRID_PX)
        column_of(self, head, (pictures, 1), spacing_px=2 * GRID_PX, margins_px=PANEL_MARGINS_PX)
        group.buttonClicked.connect(self._fit)
        for view in (self.map, self.graph):
            view.hovered.connect(self._show_hint)
        follow_language(self._fit_switch)
        follow_language(self._fit)
        follow_theme(self._fit_switch)
        follow_theme(self._fit)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_switch()

    def _fit_switch(self) -> None:
        """Make both words of the switch wide enough for bold text, which the chosen one has."""
        self._title.setMinimumHeight(scaled(PANEL_HEAD_PX))
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        for button in (self.map_button, self.graph_button):
            words_px = QFontMetrics(bold).horizontalAdvance(button.text())
            button.setMinimumWidth(words_px + 8 * GRID_PX)

    def show_graph(self, picture: ClassPicture, is_complete: bool = True) -> None:
        """Show the links of a class; that it has none is said once all pairs are compared."""
        self.graph.show_class(picture, is_complete)
        self._show_hint("")

    def show_limit(self, limit: float) -> None:
        self.graph.show_limit(limit)
        self._show_hint("")

    def _show_hint(self, words: str) -> None:
        """Show words on a picture, or the counts of the graph."""
        self._line.setText(words or self._summary())

    def _summary(self) -> str:
        if self.graph.isHidden():
            return _("Stronger colour: more similar.") if self.width() >= scaled(_HINT_PX) else ""
        return self.graph.summary

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        is_wide = self.width() >= scaled(_BOTH_PX)
        self.map_button.setVisible(not is_wide)
        self.graph_button.setVisible(not is_wide)
        self.map.setVisible(is_wide or self.map_button.isChecked())
        self.graph.setVisible(is_wide or self.graph_button.isChecked())
        self._show_hint("")
