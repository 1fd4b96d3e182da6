"""Options of all commands of the library, and opening the library that they name."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.support.i18n import N_

if TYPE_CHECKING:
    from simcompare.library.store.open_library import Library
    from simcompare.library.tags import Tag

LibraryFile = Annotated[
    Path | None,
    typer.Option(
        "--library",
        metavar="FILE",
        envvar="SIMCOMPARE_LIBRARY",
        help=N_("The file of the library; by default one in your folder of program data."),
        show_default=False,
    ),
]
SearchedLibrary = Annotated[
    Path | None,
    typer.Option(
        "--library",
        metavar="FILE",
        envvar="SIMCOMPARE_LIBRARY",
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


def library_path(file: Path | None) -> Path:
    """Return the path of the library, given the value of --library."""
    from simcompare.library.store.library_file import default_library_path  # noqa: PLC0415

    return default_library_path() if file is None else file


def opened_library(file: Path | None, *, create: bool = False) -> "Library":
    """Open the library, given the value of --library. Raises LibraryError."""
    from simcompare.library.store.open_library import open_library  # noqa: PLC0415

    return open_library(library_path(file), create=create)
