"""What the window remembers between two starts: language, theme, size."""

from PySide6.QtCore import QByteArray, QSettings

from simcompare.i18n import LANGUAGES, system_language
from simcompare.resources import user_data_path


class Preferences:
    """Kept in a small file in the user's data folder."""

MOST_RECENT_FILES = 8

USUAL_TEXT_PERCENT = 100
_TEXT_PERCENTS = range(80, 251)

    def __init__(self) -> None:
        self._store = QSettings(str(user_data_path("window.ini")), QSettings.Format.IniFormat)

    @property
    def language(self) -> str:
        """The chosen language, else the system's."""
        chosen = str(self._store.value("language", ""))
        return chosen if chosen in LANGUAGES else system_language()

    @language.setter
    def language(self, language: str) -> None:
        self._store.setValue("language", language)

    @property
    def theme(self) -> str:
        """One of "system", "light", "dark"."""
        chosen = str(self._store.value("theme", "system"))
        return chosen if chosen in {"light", "dark"} else "system"

    @theme.setter
    def theme(self, theme: str) -> None:
        self._store.setValue("theme", theme)

    @property
    def geometry(self) -> QByteArray:
        """The window's size and place; empty at the first start."""
        stored = self._store.value("geometry", QByteArray())
    @property
    def text_percent(self) -> int:
        """How large the letters of the texts are, in per cent of the usual size."""
        stored = str(self._store.value("text_percent", USUAL_TEXT_PERCENT))
        percent = int(stored) if stored.isdecimal() else USUAL_TEXT_PERCENT
        return percent if percent in _TEXT_PERCENTS else USUAL_TEXT_PERCENT

    @text_percent.setter
    def text_percent(self, percent: int) -> None:
        self._store.setValue("text_percent", percent)

        return stored if isinstance(stored, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("geometry", geometry)
