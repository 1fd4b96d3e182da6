"""Places of what is written."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path


def taken(places: Iterable[Path]) -> list[Path]:
    """Return the places at which something stands."""
    return [place for place in places if _is_there(place)]


def one_of(places: Iterable[Path], files: Iterable[Path]) -> Path | None:
    """Return the first place that is one of these files, by whatever name."""
    there = taken(places)
    kept = [file for file in files if there and file.is_absolute() and _is_there(file)]
    return next((place for place in there if any(_is_same(place, file) for file in kept)), None)


def awaited(places: Iterable[Path], others: Iterable[Path]) -> Path | None:
    """Return the first place that is one of others where there is nothing yet.

    Names that differ in their capitals alone are one name, as some systems have it.
    """
    waited_for = set(map(_spot, others))
    return next((place for place in places if _spot(place) in waited_for), None)


def _spot(place: Path) -> tuple[Path, str]:
    return place.parent.resolve(), unicodedata.normalize("NFC", place.name).casefold()


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
