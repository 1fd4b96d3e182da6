"""One line about the selected passage or sentences: number, kind, summary, decision, arrow to the reasons."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from simcompare.support.i18n import _
from simcompare.ui.compare.matches.decision_bar import PASSAGE_TEXTS, DecisionBar, button_style
from simcompare.ui.compare.matches.kind_chip import AnyKind, KindChip
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import APPEARANCE, current_theme, follow_theme, scaled
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.elided_label import TwoLineLabel
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, bold, muted_palette
from simcompare.ui.style.tool_tips import as_tooltip

_ICON_PX = 16
_WORDS_PX, _SUBJECT_PX = 230 * GRID_PX, 120 * GRID_PX
"""Widths from which the buttons have their texts, and a label before them, if the text is large."""
_MARGINS_PX = (4 * GRID_PX, 1, 4 * GRID_PX, 1)  # two lines are as high as a button with wider margins


class ExplanationLine(QWidget):
    """Shows what is selected in one line, with buttons for the neighbours, the decision and the reasons."""

    previous_requested = Signal()
    next_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = QLabel(self)
        self._number.setFont(bold(self.font()))
        self._chip = KindChip(self)
        self._summary = TwoLineLabel(self)
        self._summary.cut = Qt.TextElideMode.ElideRight
        self._summary.setTextFormat(Qt.TextFormat.PlainText)
        self._previous = QPushButton(self)
        self._next = QPushButton(self)
        self.decisions = DecisionBar(PASSAGE_TEXTS, GRID_PX, self)
        self.why_button = QPushButton(self)
        self.why_button.setCheckable(True)
        self.why_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # arrow behind the text
        for button in (self._previous, self._next, self.why_button):
            button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        steps = row_of(None, self._previous, self._next, spacing_px=GRID_PX)
        facts = (self._number, self._chip, (self._summary, 1))
        controls = (steps, self.decisions, self.why_button)
        row_of(self, *facts, *controls, spacing_px=3 * GRID_PX, margins_px=_MARGINS_PX)
        self._previous.clicked.connect(self.previous_requested)
        self._next.clicked.connect(self.next_requested)
        self.why_button.toggled.connect(self._apply_theme)
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """With large text, show only the icons of the decisions in favour of the summary."""
        is_large, width_px = APPEARANCE.text_scale > 1.0, self.width()
        self.decisions.set_compact(is_large and width_px < scaled(_WORDS_PX))
        self.decisions.subject.setVisible(not is_large or width_px >= scaled(_SUBJECT_PX))

    def show_facts(self, number: str, kind: AnyKind | None, summary: str, subject: str = "") -> None:
        """Show number, kind and summary, and the buttons for decision and note on a subject, a gettext id."""
        self._number.setText(number)
        self._chip.setVisible(kind is not None)
        if kind is not None:
            self._chip.set_kind(kind)
        self._summary.setText(summary)
        self._summary.setToolTip(as_tooltip(summary))
        self.decisions.setVisible(bool(subject))
        self.decisions.show_subject(subject)

    def enable_steps(self, previous: bool, following: bool) -> None:
        """Enable the buttons for the previous and the next passage."""
        self._previous.setEnabled(previous)
        self._next.setEnabled(following)

    def _retranslate(self) -> None:
        self._previous.setAccessibleName(_("Previous passage"))
        self._previous.setToolTip(_("Previous passage (P)"))
        self._next.setAccessibleName(_("Next passage"))
        self._next.setToolTip(_("Next passage (N)"))
        self.why_button.setText(_("Why"))
        self.why_button.setToolTip(_("Show or hide the reasons (W)"))

    def _apply_theme(self) -> None:
        self._fit()
        theme = current_theme()
        self._summary.setPalette(muted_palette(theme))
        arrow = "fold" if self.why_button.isChecked() else "unfold"
        drawings = ((self._previous, "previous"), (self._next, "next"), (self.why_button, arrow))
        for button, drawing in drawings:
            button.setIcon(icon(drawing, theme.ink))
            button.setStyleSheet(button_style(theme))
