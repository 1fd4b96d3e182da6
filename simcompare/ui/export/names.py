"""Names and places of what is written."""

from collections.abc import Iterable
from pathlib import Path

# what no file of Windows may have in its name
_FORBIDDEN = str.maketrans(dict.fromkeys('<>:"/\\|?*\n\t', "_"))


def is_possible(name: str) -> bool:
    """Return whether a file can have this name, wherever it is taken to."""
    return bool(name.strip(" .")) and name == name.translate(_FORBIDDEN) and "\0" not in name


def taken(places: Iterable[Path]) -> list[Path]:
    """Return the places at which something stands."""
    return [place for place in places if _is_there(place)]


def one_of(places: Iterable[Path], files: Iterable[Path]) -> Path | None:
    """Return the first place that is one of these files, by whatever name."""
    there = taken(places)
    kept = [file for file in files if there and file.is_absolute() and _is_there(file)]
    return next((place for place in there if any(_is_same(place, file) for file in kept)), None)


def _is_there(place: Path) -> bool:
    try:
        return place.exists()
    except (OSError, ValueError):
        return False  # writing will say why


def _is_same(place: Path, file: Path) -> bool:
    try:
        return place.samefile(file)
    except OSError:
        return False
