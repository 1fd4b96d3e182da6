"""Commands of the Help menu: hints, reports of problems, About."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from simcompare.support.i18n import N_, _
from simcompare.ui.actions import Command
from simcompare.ui.help.about_dialog import AboutDialog
from simcompare.ui.help.hints import Hint, Hints
from simcompare.ui.help.problem_dialog import ProblemDialog
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.workspace import Workspace

_LIMIT = N_(
    "Pairs to the right of this line are unusual in this class. Drag the line, or type a percentage; "
    "a click on a bar lists its pairs."
)
_PASSAGES = N_(
    "The passages that both texts share: click one to see it on both sides. "
    "N and P go to the next and the previous one."
)
_DECISIONS = N_(
    "You decide, the program only shows. F marks a passage as no concern, which takes it out of the share; "
    "C marks it as copied, M opens a note."
)
_EXPORT = N_("When you are done, write a report here, with or without names: as a page, PDF or Word file.")


class HelpCommands(QObject):
    """Shows hints, the problem report and the About dialog of a window."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        preferences: Preferences,
        show_message: Callable[[str], object],
    ) -> None:
        """show_message: shows a message for a moment."""
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._preferences = preferences
        self._show_message = show_message
        self.hints = Hints(window, preferences)
        for signal in (
            workspace.progress_changed,
            workspace.comparison_changed,
            workspace.selection.changed,
            workspace.selection.listed_changed,
        ):
            signal.connect(self.hints.follow)

    def commands(self, samples: Sequence[Command]) -> list[Command | QAction | None]:
        """Entries for the Help menu after the list of shortcuts; samples: commands that open them."""
        about = QAction.MenuRole.AboutRole
        return [
            Command("hints", N_("Show hints"), None, self._show_hints),
            *samples,
            None,
            Command("problem", N_("Report a problem…"), None, self._report_problem),
            Command("about", N_("About simcompare"), None, self._show_about, about),
        ]

    def explain(self, limit: QWidget, passages: QWidget, decisions: QWidget, export: QWidget) -> None:
        """Set the controls that the hints explain, in the order of the work."""
        workspace = self._workspace

        def may_export() -> bool:
            # not in the library, whose controls the bubble would cover
            return workspace.comparison is not None and (limit.isVisible() or decisions.isVisible())

        self.hints.use(
            [
                Hint("limit", _LIMIT, limit, self._has_class),
                Hint("passages", _PASSAGES, passages, self._has_passages),
                Hint("decisions", _DECISIONS, decisions, self._has_passages),
                Hint("export", _EXPORT, export, may_export),
            ]
        )

    def _has_class(self) -> bool:
        return not self._workspace.is_busy and len(self._workspace.pairs.table) > 0

    def _has_passages(self) -> bool:
        return len(self._workspace.selection.listed) > 0

    def _show_hints(self) -> None:
        if not self.hints.show_again():
            self._show_message(_("Hints appear beside the controls once essays are compared."))

    def _report_problem(self) -> None:
        ProblemDialog(self._workspace, self._preferences, self._window).open()

    def _show_about(self) -> None:
        AboutDialog(self._window).open()
