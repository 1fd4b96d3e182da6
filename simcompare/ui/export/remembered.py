"""What was chosen for an export before, for the next time."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from simcompare.i18n import current_language
from simcompare.ui.export.sources import Plan
from simcompare.ui.state.preferences import Preferences

_SHOWN = {"compare": "pair", "pairs": "table"}
"""What each page of the window shows."""
_REPLACED = "replaced"


class Remembered:
    """Form, folder, names and what is exported are kept in the preferences, the rest until the program ends.

    `asked` is what is to be exported now, `page` the page of the window from which, `beside` the folder of
    the session or the documents.
    """

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._language = ("", "")
        self._with_notes = {False: True, True: False}
        self.page = ""
        self.asked = ""
        self.beside = ""

    def source(self, offered: Sequence[str]) -> str:
        """Return what is asked for, else the pair where it is in front, else what was exported last."""
        last = self._preferences.export_choices.get(f"source of {self.page}", "")
        shown = _SHOWN.get(self.page, "")
        wanted = (self.asked, shown, last) if self.page == "compare" else (self.asked, last, shown)
        return next((source for source in wanted if source in offered), offered[0])

    def form_of(self, source: str) -> str:
        """Return the form that something had last."""
        return self._preferences.export_choices.get(f"form of {source}", "")

    @property
    def replaces_names(self) -> bool:
        """Whether names were replaced the last time."""
        return self._preferences.export_choices.get("names", "") == _REPLACED

    def with_notes(self, *, anonymous: bool) -> bool:
        """Return whether notes went along the last time; at first not where names are replaced.

        Notes name people in ways that no list has: by first letters, a nickname, a telephone number.
        """
        return self._with_notes[anonymous]

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
        """The folder in which something of this work was written last, else the one beside it.

        Where neither is there, the one that was chosen for anything last.
        """
        choices = self._preferences.export_choices
        last = choices.get("folder", "")
        own = last if choices.get("folder beside") == self.beside else ""
        known = (own, self.beside, last, self._preferences.last_folder)
        usual = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        there = (Path(name) for name in (*known, usual) if name and Path(name).is_dir())
        return next(there, Path.home())

    def remember(self, source: str, plan: Plan) -> None:
        """Keep what was chosen."""
        self._language = (plan.language, current_language())
        anonymous = plan.pseudonyms is not None
        self._with_notes[anonymous] = plan.with_notes
        self._preferences.export_choices = {
            **self._preferences.export_choices,
            f"source of {self.page}": source,
            f"form of {source}": plan.form,
            "names": _REPLACED if anonymous else "",
            "packing": plan.packing or self.packing,
            "folder": str(plan.folder),
            "folder beside": self.beside,
        }
