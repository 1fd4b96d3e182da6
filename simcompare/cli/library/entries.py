"""`simcompare library list`, `remove` and `stats`."""

from datetime import date, datetime
from typing import Annotated

import typer

from simcompare.cli.library.options import LibraryFile, Tags, opened_library, parsed_tags
from simcompare.cli.options import Language, TextOrJson
from simcompare.cli.output import deliver
from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import N_


class NothingToRemoveError(SimcompareError):
    """It is not said in exactly one way what to remove."""

    template = N_("Say what to remove: either numbers of entries, or --tag, or --student, or --expired.")


Expired = Annotated[
    bool,
    typer.Option("--expired", help=N_("Only entries whose last day, set with `retain`, is over.")),
]


def _today() -> date:
    return datetime.now().astimezone().date()


def list_command(
    tag: Tags = None,
    expired: Expired = False,
    to: TextOrJson = "text",
    library: LibraryFile = None,
    language: Language = "",
) -> None:
    """List the entries that have all of the tags."""
    # load the database toolkit, which --help does not need
    from simcompare.library.entries import list_entries  # noqa: PLC0415
    from simcompare.library.removing import expired_entries  # noqa: PLC0415
    from simcompare.report.comparison_json import as_json  # noqa: PLC0415
    from simcompare.report.library.library_json import entries_as_dict  # noqa: PLC0415
    from simcompare.report.library.library_text import entries_as_text  # noqa: PLC0415

    tags = parsed_tags(tag)
    with opened_library(library) as opened:
        entries = list_entries(opened, tags)
        past = {entry.entry for entry in expired_entries(opened, _today())} if expired else set()
    if expired:
        entries = [entry for entry in entries if entry.entry in past]
    deliver(as_json(entries_as_dict(entries)) if to == "json" else entries_as_text(entries), None)


def remove_command(
    entries: Annotated[
        list[int] | None,
        typer.Argument(
            metavar="ENTRY", help=N_("Numbers of entries, as `list` gives them."), show_default=False
        ),
    ] = None,
    tag: Tags = None,
    student: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=N_("All entries of this student, of any class and year."), show_default=False
        ),
    ] = None,
    expired: Expired = False,
    to: TextOrJson = "text",
    library: LibraryFile = None,
    language: Language = "",
) -> None:
    """Remove entries for good, and write a protocol of what was removed."""
    from simcompare.library.removing import (  # noqa: PLC0415
        remove_entries,
        remove_expired,
        remove_student,
        remove_tagged,
    )
    from simcompare.report.comparison_json import as_json  # noqa: PLC0415
    from simcompare.report.library.library_json import protocol_as_dict  # noqa: PLC0415
    from simcompare.report.library.library_text import protocol_as_text  # noqa: PLC0415

    tags = parsed_tags(tag)
    if [bool(entries), bool(tags), student is not None, expired].count(True) != 1:
        raise NothingToRemoveError
    with opened_library(library) as opened:
        if entries:
            protocol = remove_entries(opened, entries)
        elif expired:
            protocol = remove_expired(opened, _today())
        elif student is not None:
            protocol = remove_student(opened, student)
        else:
            protocol = remove_tagged(opened, tags)
    deliver(as_json(protocol_as_dict(protocol)) if to == "json" else protocol_as_text(protocol), None)


def stats_command(to: TextOrJson = "text", library: LibraryFile = None, language: Language = "") -> None:
    """Say how much is in the library."""
    from simcompare.library.entries import library_figures  # noqa: PLC0415
    from simcompare.library.removing import expired_entries  # noqa: PLC0415
    from simcompare.report.comparison_json import as_json  # noqa: PLC0415
    from simcompare.report.library.library_json import figures_as_dict  # noqa: PLC0415
    from simcompare.report.library.library_text import figures_as_text  # noqa: PLC0415

    with opened_library(library) as opened:
        figures = library_figures(opened)
        expired = len(expired_entries(opened, _today()))
    words = as_json(figures_as_dict(figures, expired)) if to == "json" else figures_as_text(figures, expired)
    deliver(words, None)
