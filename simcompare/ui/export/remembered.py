"""What was chosen for an export before, for the next time."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from simcompare.i18n import current_language
from simcompare.ui.export.sources import Plan
from simcompare.ui.state.preferences import Preferences

_SHOWN = {"compare": "pair", "pairs": "table"}
"""What each page of the window shows."""


class Remembered:
    """Form, folder and what is exported are kept in the preferences, the rest until the program ends.

    `asked` is what is to be exported now, `page` the page of the window from which.
    """

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._language = ("", "")
        self.with_notes = True
        self.page = ""
        self.asked = ""

    def source(self, offered: Sequence[str]) -> str:
        """Return what is asked for, else what was exported last from this page, else what the page shows."""
        last = self._preferences.export_choices.get(f"source of {self.page}", "")
        wanted = (self.asked, last, _SHOWN.get(self.page, ""))
        return next((source for source in wanted if source in offered), offered[0])

    def form_of(self, source: str) -> str:
        """Return the form that something had last."""
        return self._preferences.export_choices.get(f"form of {source}", "")

    @property
    def packing(self) -> str:
        """What many files were put in last."""
        return self._preferences.export_choices.get("packing", "")

    @property
    def language(self) -> str:
        """The language chosen last, unless that of the program is another one since; else empty."""
        chosen, spoken = self._language
        return chosen if spoken == current_language() else ""

    @property
    def folder(self) -> Path:
        """The folder in which something was written last, where it is still there."""
        known = (self._preferences.export_choices.get("folder", ""), self._preferences.last_folder)
        usual = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        there = (Path(name) for name in (*known, usual) if name and Path(name).is_dir())
        return next(there, Path.home())

    def remember(self, source: str, plan: Plan) -> None:
        """Keep what was chosen."""
        self._language = (plan.language, current_language())
        self.with_notes = plan.with_notes
        self._preferences.export_choices = {
            **self._preferences.export_choices,
            f"source of {self.page}": source,
            f"form of {source}": plan.form,
            "packing": plan.packing or self.packing,
            "folder": str(plan.folder),
        }
