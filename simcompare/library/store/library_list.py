"""Several libraries that are used as one: a text file (.libraries) names the place of each in a line."""

from pathlib import Path

from simcompare.library.library_errors import LibraryError
from simcompare.library.store.library_place import LibraryPlace, check_argument, library_place
from simcompare.library.store.server_errors import PasswordInArgumentError
from simcompare.model.errors import cause_of
from simcompare.support.i18n import N_

_SUFFIX = ".libraries"
_COMMENT = "#"


class LibraryListError(LibraryError):
    """A list of libraries that cannot be used. Values: cause."""

    template = N_("The list of libraries {path} cannot be used: {cause}.")


class LibraryListGivenError(LibraryError):
    """A list where one library is needed."""

    template = N_("{path} is a list of libraries, and this needs one library. Name one of the list.")


def library_places(place: str | None) -> list[LibraryPlace]:
    """Return the places of the libraries that a list names, or of the one that is given.

    Files are named relative to the folder of the list; lines that begin with # are comments. Raises
    LibraryListError, and the errors of `library_place`.
    """
    if place is None or not _is_list(place):
        return [library_place(place)]
    path = Path(place)
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except OSError as error:
        raise LibraryListError(path, cause=cause_of(error)) from error
    except UnicodeDecodeError as error:
        raise LibraryListError(path, cause=N_("it is no text in UTF-8")) from error
    named = [line for line in lines if line and not line.startswith(_COMMENT)]
    places = [_place_in(path, line) for line in named]
    if not places:
        raise LibraryListError(path, cause=N_("it names no library"))
    if len(set(map(str, places))) < len(places):
        raise LibraryListError(path, cause=N_("it names a library twice"))
    return places


def single_place(place: str | None) -> LibraryPlace:
    """Return the place of one library. Raises LibraryListGivenError, and the errors of `library_place`."""
    if place is not None and _is_list(place):
        raise LibraryListGivenError(place)
    return library_place(place)


def _is_list(place: str) -> bool:
    return "://" not in place and place.lower().endswith(_SUFFIX)


def _place_in(path: Path, line: str) -> LibraryPlace:
    try:
        check_argument(line)
        named = library_place(line)
    except PasswordInArgumentError as error:
        raise LibraryListError(path, cause=N_("it has a password, which belongs in ~/.pgpass")) from error
    return path.parent / named if isinstance(named, Path) else named
