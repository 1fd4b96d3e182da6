"""Preferences remembered between starts: language, theme, sizes, recent files and folders."""

import json
from collections.abc import Container, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from simcompare.library.store.library_file import default_library_path
from simcompare.library.store.library_place import LibraryPlace, LibraryServer
from simcompare.support.i18n import LANGUAGES, system_language
from simcompare.support.resources import user_data_path

MOST_RECENT_FILES = 8

USUAL_TEXT_PERCENT = 100
_TEXT_PERCENTS = range(80, 251)
WINDOW_PERCENTS = (100, 125, 150, 175, 200, 250)


class Preferences:
    """Preferences stored in an INI file in the user's data folder."""

    def __init__(self) -> None:
        self._store = QSettings(str(user_data_path("window.ini")), QSettings.Format.IniFormat)

    @property
    def language(self) -> str:
        """Chosen language, or else that of the system."""
        chosen = str(self._store.value("language", ""))
        return chosen if chosen in LANGUAGES else system_language()

    @language.setter
    def language(self, language: str) -> None:
        self._store.setValue("language", language)

    @property
    def theme(self) -> str:
        """Chosen theme: "system", "light" or "dark"."""
        chosen = str(self._store.value("theme", "system"))
        return chosen if chosen in {"light", "dark"} else "system"

    @theme.setter
    def theme(self, theme: str) -> None:
        self._store.setValue("theme", theme)

    @property
    def text_percent(self) -> int:
        return self._percent("text_percent", _TEXT_PERCENTS)

    @text_percent.setter
    def text_percent(self, percent: int) -> None:
        self._store.setValue("text_percent", percent)

    @property
    def window_percent(self) -> int:
        """Text size of the whole window in per cent of that of the system."""
        return self._percent("window_percent", WINDOW_PERCENTS)

    @window_percent.setter
    def window_percent(self, percent: int) -> None:
        self._store.setValue("window_percent", percent)

    def _percent(self, name: str, allowed: Container[int]) -> int:
        stored = str(self._store.value(name, USUAL_TEXT_PERCENT))
        percent = int(stored) if stored.isdecimal() else USUAL_TEXT_PERCENT
        return percent if percent in allowed else USUAL_TEXT_PERCENT

    @property
    def shows_heatmap(self) -> bool | None:
        """True or False if the user chose to show or hide the heatmap, otherwise None."""
        return {"shown": True, "folded": False}.get(str(self._store.value("heatmap", "")))

    @shows_heatmap.setter
    def shows_heatmap(self, shown: bool) -> None:
        self._store.setValue("heatmap", "shown" if shown else "folded")

    @property
    def shows_reasons(self) -> bool:
        return str(self._store.value("reasons", "folded")) == "shown"

    @shows_reasons.setter
    def shows_reasons(self, shown: bool) -> None:
        self._store.setValue("reasons", "shown" if shown else "folded")

    @property
    def shows_hints(self) -> bool:
        return str(self._store.value("hints", "shown")) == "shown"

    @shows_hints.setter
    def shows_hints(self, shown: bool) -> None:
        self._store.setValue("hints", "shown" if shown else "hidden")

    @property
    def dismissed_hints(self) -> frozenset[str]:
        return frozenset(name for name in self._listed("dismissed_hints") if isinstance(name, str))

    @dismissed_hints.setter
    def dismissed_hints(self, names: frozenset[str]) -> None:
        self._store.setValue("dismissed_hints", json.dumps(sorted(names)))

    @property
    def pair_columns(self) -> list[str]:
        """Names of the optional columns of the table of pairs that are shown; none at the first start."""
        return [name for name in self._listed("pair_columns") if isinstance(name, str)]

    def remember_pair_columns(self, names: Sequence[str]) -> None:
        self._store.setValue("pair_columns", json.dumps(list(names)))

    @property
    def geometry(self) -> QByteArray:
        """Size and position of the window; empty at the first start."""
        stored = self._store.value("geometry", QByteArray())
        return stored if isinstance(stored, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("geometry", geometry)

    @property
    def recent_files(self) -> list[Path]:
        """Sessions opened or saved last, the latest first; other windows may add theirs meanwhile."""
        self._store.sync()
        return [Path(name) for name in self._listed("recent_files") if isinstance(name, str)]

    @recent_files.setter
    def recent_files(self, paths: Sequence[Path]) -> None:
        self._store.setValue("recent_files", json.dumps([str(path) for path in paths[:MOST_RECENT_FILES]]))

    def add_recent_file(self, path: Path) -> None:
        self.recent_files = [path, *(other for other in self.recent_files if other != path)]

    def forget_recent_file(self, path: Path) -> None:
        self.recent_files = [other for other in self.recent_files if other != path]

    @property
    def last_folder(self) -> str:
        """Folder of the file chosen last; empty at the first start."""
        return str(self._store.value("last_folder", ""))

    @last_folder.setter
    def last_folder(self, folder: str) -> None:
        self._store.setValue("last_folder", folder)

    @property
    def library_place(self) -> LibraryPlace:
        """Library chosen last, of a server without the password, or else the file that the command uses."""
        chosen, server = str(self._store.value("library", "")), self._parsed("library_server", None)
        if isinstance(server, dict) and server.get("dbname"):
            return LibraryServer({str(name): str(value) for name, value in server.items()})
        return Path(chosen) if chosen else default_library_path()

    @library_place.setter
    def library_place(self, place: LibraryPlace) -> None:
        if isinstance(place, Path):
            self._store.setValue("library", str(place))
            self._store.remove("library_server")
        else:
            self._store.setValue("library_server", json.dumps(place.without_secrets()))

    @property
    def export_choices(self) -> dict[str, str]:
        """Options chosen for the last export, by names defined in ui/export."""
        pairs = [pair for pair in self._listed("export_choices") if isinstance(pair, list) and len(pair) == 2]
        return {str(name): str(choice) for name, choice in pairs}

    @export_choices.setter
    def export_choices(self, choices: Mapping[str, str]) -> None:
        self._store.setValue("export_choices", json.dumps([list(pair) for pair in choices.items()]))

    @property
    def splitters(self) -> dict[str, tuple[int, ...]]:
        """Sizes in pixels set by the user, by name of the splitter."""
        pairs = [pair for pair in self._listed("splitters") if isinstance(pair, list) and len(pair) > 1]
        return {str(name): tuple(size for size in sizes if isinstance(size, int)) for name, *sizes in pairs}

    @splitters.setter
    def splitters(self, sizes: Mapping[str, Sequence[int]]) -> None:
        self._store.setValue("splitters", json.dumps([[name, *sizes[name]] for name in sorted(sizes)]))

    def _listed(self, name: str) -> list[object]:
        """Read a stored JSON list; empty for anything else, as users and other programs can edit the file."""
        value = self._parsed(name, [])
        return value if isinstance(value, list) else []

    def _parsed(self, name: str, otherwise: object) -> object:
        try:
            return json.loads(str(self._store.value(name, "")))
        except ValueError:
            return otherwise
