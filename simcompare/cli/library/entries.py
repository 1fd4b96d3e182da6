"""Commands of `simcompare library` for its entries: list, tag, retain, remove, export, import, check."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.library.options import LibraryFile, Tags, opened_library, parsed_tags
from simcompare.cli.options import Language, TextOrJson
from simcompare.cli.output import deliver
from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import N_

if TYPE_CHECKING:
    from simcompare.library.entries import StoredEntry
from pathlib import Path

from simcompare.cli.library.options import library_files
from simcompare.cli.output import INPUT_FAILED, progress_bar
from simcompare.export.output_paths import check_output
from simcompare.support.i18n import _, ngettext
from simcompare.support.interrupts import interruptible

# ruff: noqa: PLC0415 - these load the database toolkit


def export_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=N_("The file to write."), show_default=False)],
    tag: Tags = None,
    library: LibraryFile = None,
    language: Language = "",
) -> None:
    """Write the library, or the entries that have all of the tags, to one file."""
    from simcompare.library.transfer.exporting import export_library

    tags = parsed_tags(tag)
    check_output(file, library_files(library))
    with opened_library(library) as opened, progress_bar(_("Exporting")) as tick:
        count = export_library(opened, file, tags, tick)
    typer.echo(ngettext("{count} entry exported", "{count} entries exported", count))


def import_command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=N_("A file written by `export`."), show_default=False)
    ],
    library: LibraryFile = None,
    language: Language = "",
) -> None:
    """Add the entries of an exported library, but for those that are known."""
    from simcompare.library.transfer.export_file import opened_export
    from simcompare.library.transfer.importing import import_library
    from simcompare.report.library.library_text import import_in_words

    with opened_export(file) as export:
        with progress_bar(_("Checking")) as tick:
            submissions = export.submissions(tick)
        with opened_library(library, create=True) as opened, progress_bar(_("Importing")) as tick:
            summary = interruptible(lambda stop: import_library(opened, export, submissions, tick, stop))
    typer.echo(import_in_words(summary))


def check_library_command(
    to: TextOrJson = "text", library: LibraryFile = None, language: Language = ""
) -> None:
    """Check the library, and say what is wrong and what to do."""
    from simcompare.library.checking import check_library
    from simcompare.report.comparison_json import as_json
    from simcompare.report.library.check_words import checked_as_dict, checked_as_text

    with opened_library(library) as opened, progress_bar(_("Checking")) as tick:
        checked = check_library(opened, tick)
    deliver(as_json(checked_as_dict(checked)) if to == "json" else checked_as_text(checked), None)
    if checked.faults:
        raise typer.Exit(INPUT_FAILED)


def migrate_command(library: LibraryFile = None, language: Language = "") -> None:
    """Bring the tables up to date, as every command does that opens the library, and say their version."""
    from simcompare.library.store.schema import REVISION

    opened_library(library).close()
    typer.echo(_("The tables of the library are up to date (version {version})").format(version=REVISION))


# ruff: noqa: PLC0415 - these load the database toolkit


class NothingToTagError(SimcompareError):
    """It is not said in exactly one way which entries to change."""

    template = N_("Say which entries to change: either numbers of entries, or --tag.")


class NoChangeError(SimcompareError):
    """Neither a new tag nor one to remove is given."""

    template = N_("Say what to change: --set NAME=VALUE, or --unset NAME.")


ChosenEntries = Annotated[
    list[int] | None,
    typer.Argument(metavar="ENTRY", help=N_("Numbers of entries, as `list` gives them."), show_default=False),
]


def tag_command(
    entries: ChosenEntries = None,
    tag: Tags = None,
    new: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help=N_("A tag to set instead of those of its name; may be repeated."),
            show_default=False,
        ),
    ] = None,
    unset: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help=N_("The name of tags to remove; may be repeated."), show_default=False
        ),
    ] = None,
    to: TextOrJson = "text",
    library: LibraryFile = None,
    language: Language = "",
) -> None:
    """Change the tags of the entries with these numbers, or with all of the tags of --tag."""
    from simcompare.library.tagging import change_tags
    from simcompare.library.tags import normal_name

    tags, new_tags, removed = parsed_tags(tag), parsed_tags(new), list(map(normal_name, unset or ()))
    _check_choice(entries, tag)
    if not new_tags and not removed:
        raise NoChangeError
    with opened_library(library) as opened:
        changed = change_tags(opened, entries or (), tags, new_tags, removed)
    _deliver(changed, to)


def retain_command(
    until: Annotated[
        str,
        typer.Option(
            metavar="DATE",
            help=N_("The last day on which the entries may be kept, such as 2028-07-31."),
            show_default=False,
        ),
    ],
    entries: ChosenEntries = None,
    tag: Tags = None,
    to: TextOrJson = "text",
    library: LibraryFile = None,
    language: Language = "",
) -> None:
    """Set the last day of entries, as the tag until; only `remove --expired` removes them after it."""
    from simcompare.library.tagging import retain
    from simcompare.library.tags import parsed_date

    last_day, tags = parsed_date(until), parsed_tags(tag)
    _check_choice(entries, tag)
    with opened_library(library) as opened:
        changed = retain(opened, entries or (), tags, last_day)
    _deliver(changed, to)


def _check_choice(entries: Sequence[int] | None, tags: Sequence[str] | None) -> None:
    if bool(entries) == bool(tags):
        raise NothingToTagError


def _deliver(changed: "Sequence[StoredEntry]", to: str) -> None:
    from simcompare.report.comparison_json import as_json
    from simcompare.report.library.library_json import changes_as_dict
    from simcompare.report.library.library_text import changes_as_text

    deliver(as_json(changes_as_dict(changed)) if to == "json" else changes_as_text(changed), None)


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
    from simcompare.library.entries import list_entries
    from simcompare.library.removing import expired_entries
    from simcompare.report.comparison_json import as_json
    from simcompare.report.library.library_json import entries_as_dict
    from simcompare.report.library.library_text import entries_as_text

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
    from simcompare.library.removing import (
        remove_entries,
        remove_expired,
        remove_student,
        remove_tagged,
    )
    from simcompare.report.comparison_json import as_json
    from simcompare.report.library.library_json import protocol_as_dict
    from simcompare.report.library.library_text import protocol_as_text

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
    from simcompare.library.entries import library_figures
    from simcompare.library.removing import expired_entries
    from simcompare.report.comparison_json import as_json
    from simcompare.report.library.library_json import figures_as_dict
    from simcompare.report.library.library_text import figures_as_text

    with opened_library(library) as opened:
        figures = library_figures(opened)
        expired = len(expired_entries(opened, _today()))
    words = as_json(figures_as_dict(figures, expired)) if to == "json" else figures_as_text(figures, expired)
    deliver(words, None)
