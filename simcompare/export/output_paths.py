"""Places of what is written."""

import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from simcompare.support.display_text import display_name
from simcompare.support.i18n import _


def taken(places: Iterable[Path]) -> list[Path]:
    """Return the places at which something stands."""
    return [place for place in places if _is_there(place)]


def why_not_there(
    folder: Path, places: Sequence[Path], originals: Iterable[Path], under_way: Iterable[Path]
) -> str:
    """Return why nothing can be written there, in words; empty where it can.

    No place may be one of `originals`, the files to compare, or one where something is just being written.
    """
    if not folder.is_dir():
        words = _("There is no folder {name}. Choose another one.")
        return words.format(name=display_name(str(folder)))
    compared = _one_of(places, originals)
    if compared is not None:
        words = _("{name} is one of the files to compare. Choose another name or folder.")
        return words.format(name=display_name(compared.name))
    coming = _awaited(places, under_way)
    if coming is not None:
        words = _("{name} is being written just now. Choose another name.")
        return words.format(name=display_name(coming.name))
    return ""


def _one_of(places: Iterable[Path], files: Iterable[Path]) -> Path | None:
    """Return the first place that is one of these files, by whatever name."""
    there = taken(places)
    kept = [file for file in files if there and file.is_absolute() and _is_there(file)]
    return next((place for place in there if any(_is_same(place, file) for file in kept)), None)


def _awaited(places: Iterable[Path], others: Iterable[Path]) -> Path | None:
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
