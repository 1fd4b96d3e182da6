"""Options of all commands of the library, and opening the library that they name."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.support.i18n import N_

if TYPE_CHECKING:
    from simcompare.library.store.open_library import Library
    from simcompare.library.tags import Tag


def _without_password(
    context: typer.Context, parameter: typer.CallbackParam, value: str | None
) -> str | None:
    """Refuse a password in an argument; the environment variable may have one."""
    source = context.get_parameter_source(parameter.name or "")
    if source is not None and source.name == "COMMANDLINE":
        from simcompare.library.store.library_place import check_argument  # noqa: PLC0415

        check_argument(value)
    return value


LibraryFile = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="FILE|URL",
        envvar="SIMCOMPARE_LIBRARY",
        callback=_without_password,
        help=N_(
            "The file of the library, by default one in your folder of program data, or a database of "
            "PostgreSQL: postgresql://user@host/database."
        ),
        show_default=False,
    ),
]
SearchedLibrary = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="FILE|URL",
        envvar="SIMCOMPARE_LIBRARY",
        callback=_without_password,
        help=N_("Also search each essay in this library of past years."),
        show_default=False,
    ),
]
OwnTags = Annotated[
    list[str] | None,
    typer.Option(
        "--library-tag",
        metavar="NAME=VALUE",
        help=N_(
            "A tag that this class has in the library: only entries with it can be these essays themselves, "
            "and all others are compared with them; may be repeated."
        ),
        show_default=False,
    ),
]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag",
        metavar="NAME=VALUE",
        help=N_("A tag such as class=3, year=2025, assignment=2 or student=Li; may be repeated."),
        show_default=False,
    ),
]


def parsed_tags(tags: Sequence[str] | None) -> "list[Tag]":
    """Parse the values of --tag. Raises TagError."""
    from simcompare.library.tags import parsed_tag  # noqa: PLC0415 - loads the database toolkit

    return list(map(parsed_tag, tags or ()))


def library_files(library: str | None) -> list[Path]:
    """Return the file of the library, if it is in one, given the value of --library.

    No command may overwrite it or read it as a document. Raises LibraryAddressError.
    """
    from simcompare.library.store.library_place import library_place  # noqa: PLC0415

    place = library_place(library)
    return [place] if isinstance(place, Path) else []


def opened_library(library: str | None, *, create: bool = False) -> "Library":
    """Open the library, given the value of --library. Raises LibraryError, LibraryAddressError."""
    from simcompare.library.store.library_place import library_place  # noqa: PLC0415
    from simcompare.library.store.open_library import open_library  # noqa: PLC0415

    return open_library(library_place(library), create=create)
