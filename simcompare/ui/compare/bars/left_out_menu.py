"""Menu of the sentences left out by hand."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from simcompare.model.settings import LeftOutSentence
from simcompare.report.wording import sentences_left_out
from simcompare.support.i18n import _
from simcompare.ui.compare.bars.method_menu import KeepOpenMenu
from simcompare.ui.compare.left_out_sentences import count_again, count_all_again, leave_out
from simcompare.ui.labels import escape_menu_text
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.tool_tips import as_tooltip

_MOST_LISTED = 10
_WIDTH_EM = 20


class LeftOutMenu(KeepOpenMenu):
    """Lists the sentences left out by hand, the latest first; one without its tick counts again."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def show_count(self) -> None:
        """Show in the title how many there are; without any the menu is hidden."""
        settings = self._workspace.settings
        self.setTitle(sentences_left_out(settings))
        self.menuAction().setVisible(bool(settings.left_out))

    def _fill(self) -> None:
        self.clear()
        sentences = self._workspace.settings.left_out[::-1]
        for sentence in sentences[:_MOST_LISTED]:
            self._add(sentence)
        if (more := len(sentences) - _MOST_LISTED) > 0:
            self.addAction(_("and {count} more").format(count=f"{more:,}")).setEnabled(False)
        self.addSeparator()
        self.addAction(_("Count all again"), lambda: count_all_again(self._workspace))

    def _add(self, sentence: LeftOutSentence) -> None:
        metrics = self.fontMetrics()
        width_px = _WIDTH_EM * metrics.height()
        text = metrics.elidedText(sentence.text, Qt.TextElideMode.ElideRight, width_px)
        action = QAction(escape_menu_text(text), self, checkable=True, checked=True)
        action.setToolTip(as_tooltip(sentence.text))
        action.triggered.connect(lambda ticked: self._switch(sentence, ticked=ticked))
        self.addAction(action)

    def _switch(self, sentence: LeftOutSentence, *, ticked: bool) -> None:
        (leave_out if ticked else count_again)(self._workspace, sentence)
