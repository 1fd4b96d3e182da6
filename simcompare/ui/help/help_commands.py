"""Commands of the Help menu: hints, reports of problems, About."""

import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, qVersion
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from simcompare import __version__
from simcompare.support.i18n import N_, _
from simcompare.support.resources import resource_path
from simcompare.ui.actions import Command
from simcompare.ui.desktop.system_programs import open_on_desktop
from simcompare.ui.help.hints import Hint, Hints
from simcompare.ui.help.problem_report import ProblemDialog
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 460


def third_party_licences() -> Path | None:
    """Find the list of the licences of all parts, which only an installed bundle has."""
    program = Path(sys.executable).parent
    folders = (resource_path().parent, program, program.parent, program.parent / "Resources")
    found = (path for folder in folders for path in sorted(folder.glob("licences/index.*")))
    return next(found, None)


class AboutDialog(QDialog):
    """Says what the program is and under which licences it comes; Esc closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("About simcompare"))
        self.setFixedWidth(_WIDTH_PX)
        name = QLabel(f"simcompare {__version__}")
        name.setObjectName("share")
        purpose = QLabel(_("Compares documents sentence by sentence and shows what they share and why."))
        purpose.setWordWrap(True)
        self.licences = MutedLabel(
            _(
                "simcompare is free software under the MIT licence. It uses Qt {qt} by PySide6 under the GNU "
                "LGPL version 3, and Python {python}."
            ).format(qt=qVersion(), python=platform.python_version())
        )
        self.licences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        path = third_party_licences()
        self.all_button, close = QPushButton(_("All licences")), QPushButton(_("Close"))
        self.all_button.setVisible(path is not None)
        self.all_button.setAutoDefault(False)
        if path is not None:
            self.all_button.clicked.connect(lambda: open_on_desktop(path))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        texts = (name, purpose, self.licences)
        column = column_of(self, *texts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        column.addLayout(row_of(None, self.all_button, None, close))
        close.setFocus()


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
            Command("about", N_("About simcompare"), None, lambda: AboutDialog(self._window).open(), about),
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
