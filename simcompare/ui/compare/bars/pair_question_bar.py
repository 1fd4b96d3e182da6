"""Question for the decision on a pair whose passages are all decided."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from simcompare.session.decisions import Decision
from simcompare.support.i18n import _
from simcompare.ui.compare.bars.pair_decision_bar import decision_tip
from simcompare.ui.compare.matches.decision_bar import button_style
from simcompare.ui.labels import DECISION_ICONS, decision_colour, decision_name
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX

_ICON_PX = 16
_MARGINS_PX = (4 * GRID_PX, GRID_PX, 4 * GRID_PX, GRID_PX)


class PairQuestionBar(QWidget):
    """Line with the question and a button for each decision."""

    answered = Signal(object)
    """The chosen Decision."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pairQuestion")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.question = QLabel()
        self.buttons = {decision: QPushButton() for decision in Decision}
        for decision, button in self.buttons.items():
            button.setIconSize(QSize(_ICON_PX, _ICON_PX))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _on, decision=decision: self.answered.emit(decision))
        parts = (None, self.question, *self.buttons.values(), None)
        row_of(self, *parts, spacing_px=2 * GRID_PX, margins_px=_MARGINS_PX)
        self.hide()
        follow_language(self._retranslate)
        follow_theme(self._apply_theme)

    def _retranslate(self) -> None:
        self.question.setText(_("All passages are decided. What about the pair as a whole?"))
        for decision, button in self.buttons.items():
            button.setText(decision_name(decision))
            button.setToolTip(decision_tip(decision))

    def _apply_theme(self) -> None:
        theme = current_theme()
        for decision, button in self.buttons.items():
            button.setIcon(icon(DECISION_ICONS[decision], decision_colour(decision, theme)))
        self.setStyleSheet(f"#pairQuestion {{ background: {theme.accent_tint}; }} {button_style(theme)}")
