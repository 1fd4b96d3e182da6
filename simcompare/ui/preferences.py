"""Preferences remembered between starts: language, theme, sizes, recent files and folders."""

import json
from collections.abc import Callable, Container, Sequence
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import QByteArray, QSettings

from simcompare.library.store.library_place import LibraryPlace, LibraryServer, default_library_path
from simcompare.support.i18n import LANGUAGES, system_language
from simcompare.support.resources import user_data_path

MOST_RECENT_FILES = 8

USUAL_TEXT_PERCENT = 100
_TEXT_PERCENTS = range(80, 251)
WINDOW_PERCENTS = (100, 125, 150, 175, 200, 250)


_Value = TypeVar("_Value")


class _Stored(Generic[_Value]):
    """A preference, kept as text. `read` takes any text, as users and other programs can edit the file."""

    def __init__(
        self, name: str, read: Callable[[str], _Value], write: Callable[[_Value], str] = str, unset: str = ""
    ) -> None:
        self._name, self._read, self._write, self._unset = name, read, write, unset

    def __get__(self, preferences: "Preferences", _kind: type) -> _Value:
        return self._read(str(preferences._store.value(self._name, self._unset)))

    def __set__(self, preferences: "Preferences", value: _Value) -> None:
        preferences._store.setValue(self._name, self._write(value))


def _shown_or(hidden: str) -> Callable[[bool | None], str]:
    return lambda is_shown: "shown" if is_shown else hidden


def _percent_of(allowed: Container[int], stored: str) -> int:
    percent = int(stored) if stored.isdecimal() else USUAL_TEXT_PERCENT
    return percent if percent in allowed else USUAL_TEXT_PERCENT


def _parsed(stored: str, otherwise: object) -> object:
    try:
        return json.loads(stored)
    except ValueError:
        return otherwise


def _listed(stored: str) -> list[object]:
    """Read a JSON list; empty for anything else."""
    value = _parsed(stored, [])
    return value if isinstance(value, list) else []


def _names(stored: str) -> list[str]:
    return [name for name in _listed(stored) if isinstance(name, str)]


def _choices(stored: str) -> dict[str, str]:
    pairs = [pair for pair in _listed(stored) if isinstance(pair, list) and len(pair) == 2]
    return {str(name): str(choice) for name, choice in pairs}


def _sizes(stored: str) -> dict[str, tuple[int, ...]]:
    pairs = [pair for pair in _listed(stored) if isinstance(pair, list) and len(pair) > 1]
    return {str(name): tuple(size for size in sizes if isinstance(size, int)) for name, *sizes in pairs}


_SEARCHES = {"all": True, "none": False, "": None}


class Preferences:
    """Preferences stored in an INI file in the user's data folder."""

    language = _Stored("language", lambda chosen: chosen if chosen in LANGUAGES else system_language())
    theme = _Stored("theme", lambda chosen: chosen if chosen in {"light", "dark"} else "system")
    text_percent = _Stored("text_percent", partial(_percent_of, _TEXT_PERCENTS))
    window_percent = _Stored("window_percent", partial(_percent_of, WINDOW_PERCENTS))
    """Text size of the whole window in per cent of that of the system."""
    shows_heatmap = _Stored("heatmap", {"shown": True, "folded": False}.get, _shown_or("folded"))
    """None unless the user chose to show or hide it."""
    shows_reasons = _Stored("reasons", lambda stored: stored == "shown", _shown_or("folded"))
    shows_hints = _Stored("hints", lambda stored: stored == "shown", _shown_or("hidden"), unset="shown")
    dismissed_hints = _Stored(
        "dismissed_hints", lambda stored: frozenset(_names(stored)), lambda names: json.dumps(sorted(names))
    )
    pair_columns = _Stored[list[str]]("pair_columns", _names, json.dumps)
    """Names of the optional columns of the table of pairs that are shown; none at the first start."""
    meaning = _Stored(
        "rewritten",
        _SEARCHES.get,
        lambda chosen: next(name for name in _SEARCHES if _SEARCHES[name] is chosen),
    )
    """Where possibly rewritten passages are searched in a new session, see ComparisonSettings.meaning."""
    last_folder = _Stored("last_folder", str)
    """Folder of the file chosen last; empty at the first start."""
    export_choices = _Stored("export_choices", _choices, lambda choices: json.dumps(list(choices.items())))
    """Options chosen for the last export that suit any class, by names defined in ui/export."""
    splitters = _Stored(
        "splitters", _sizes, lambda sizes: json.dumps([[name, *sizes[name]] for name in sorted(sizes)])
    )
    """Sizes in pixels set by the user, by name of the splitter."""

    def __init__(self) -> None:
        self._store = QSettings(str(user_data_path("window.ini")), QSettings.Format.IniFormat)

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
        return [Path(name) for name in _names(str(self._store.value("recent_files", "")))]

    @recent_files.setter
    def recent_files(self, paths: Sequence[Path]) -> None:
        self._store.setValue("recent_files", json.dumps([str(path) for path in paths[:MOST_RECENT_FILES]]))

    def add_recent_file(self, path: Path) -> None:
        self.recent_files = [path, *(other for other in self.recent_files if other != path)]

    def forget_recent_file(self, path: Path) -> None:
        self.recent_files = [other for other in self.recent_files if other != path]

    @property
    def library_place(self) -> LibraryPlace:
        """Library chosen last, of a server without the password, or else the file that the command uses."""
        chosen = str(self._store.value("library", ""))
        server = _parsed(str(self._store.value("library_server", "")), None)
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
