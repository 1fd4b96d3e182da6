"""Commands of `simcompare library` for its entries: list, tag, retain, remove, export, import, check."""

# ruff: noqa: PLC0415 - these load the database toolkit, which --help does not need

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from simcompare.cli.library.files import LibraryFile, Tags, library_files, opened_library, parsed_tags
from simcompare.cli.options import TextOrJson, argument, option, typer_command
from simcompare.cli.output import INPUT_FAILED, deliver, progress_bar
from simcompare.export.output_paths import check_output
from simcompare.model.errors import SimcompareError
from simcompare.support.clock import now
from simcompare.support.i18n import N_, _, ngettext
from simcompare.support.interrupts import interruptible


class NothingToTagError(SimcompareError):
    template = N_("Say which entries to change: either numbers of entries, or --tag.")


class NoChangeError(SimcompareError):
    template = N_("Say what to change: --set NAME=VALUE, or --unset NAME.")


class NothingToRemoveError(SimcompareError):
    template = N_("Say what to remove: either numbers of entries, or --tag, or --student, or --expired.")


ChosenEntries = Annotated[
    list[int] | None, argument(N_("Numbers of entries, as `list` gives them."), "ENTRY")
]
Expired = Annotated[bool, option(N_("Only entries whose last day, set with `retain`, has passed."))]


@typer_command(N_("List the entries of the library."))
def list_command(
    *, tag: Tags = None, expired: Expired = False, to: TextOrJson = "text", library: LibraryFile = None
) -> None:
    from simcompare.library.changes import expired_entries
    from simcompare.library.entries import list_entries
    from simcompare.report.library_text import entries_as_dict, entries_as_text

    tags = parsed_tags(tag)
    with opened_library(library) as opened:
        entries = list_entries(opened, tags)
        if expired:
            past = {entry.entry for entry in expired_entries(opened, _today())}
            entries = [entry for entry in entries if entry.entry in past]
    _deliver(to, entries_as_text, entries_as_dict, entries)


@typer_command(N_("Remove entries for good, with a record of what was removed."))
def remove_command(
    *,
    entries: ChosenEntries = None,
    tag: Tags = None,
    student: Annotated[
        str | None, option(N_("All entries of this student, of any class and year."), "NAME")
    ] = None,
    expired: Expired = False,
    to: TextOrJson = "text",
    library: LibraryFile = None,
) -> None:
    from simcompare.library.changes import remove_entries, remove_expired, remove_student, remove_tagged
    from simcompare.report.library_text import protocol_as_dict, protocol_as_text

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
    _deliver(to, protocol_as_text, protocol_as_dict, protocol)


@typer_command(N_("Change the tags of entries."))
def tag_command(
    *,
    entries: ChosenEntries = None,
    tag: Tags = None,
    new: Annotated[
        list[str] | None,
        option(N_("A tag to set instead of those of its name; may be repeated."), "NAME=VALUE", "--set"),
    ] = None,
    unset: Annotated[
        list[str] | None, option(N_("The name of tags to remove; may be repeated."), "NAME")
    ] = None,
    to: TextOrJson = "text",
    library: LibraryFile = None,
) -> None:
    from simcompare.library.entries import change_tags
    from simcompare.library.tags import normal_name
    from simcompare.report.library_text import changes_as_dict, changes_as_text

    tags, new_tags, removed = parsed_tags(tag), parsed_tags(new), list(map(normal_name, unset or ()))
    _check_choice(entries, tag)
    if not new_tags and not removed:
        raise NoChangeError
    with opened_library(library) as opened:
        changed = change_tags(opened, entries or (), tags, new_tags, removed)
    _deliver(to, changes_as_text, changes_as_dict, changed)


@typer_command(
    N_(
        "Set the last day on which entries may be kept, as of a class. They are removed only by "
        "`remove --expired` after that day."
    )
)
def retain_command(
    *,
    until: Annotated[
        str, option(N_("The last day on which the entries may be kept, such as 2028-07-31."), "DATE")
    ],
    entries: ChosenEntries = None,
    tag: Tags = None,
    to: TextOrJson = "text",
    library: LibraryFile = None,
) -> None:
    """Set the last day of entries, as the tag until; only `remove --expired` removes them after it."""
    from simcompare.library.entries import retain
    from simcompare.library.tags import parsed_date
    from simcompare.report.library_text import changes_as_dict, changes_as_text

    last_day, tags = parsed_date(until), parsed_tags(tag)
    _check_choice(entries, tag)
    with opened_library(library) as opened:
        changed = retain(opened, entries or (), tags, last_day)
    _deliver(to, changes_as_text, changes_as_dict, changed)


@typer_command(N_("Write the library, or the entries with some tags, to one file."))
def export_command(
    *,
    file: Annotated[Path, argument(N_("The file to write."), "FILE")],
    tag: Tags = None,
    library: LibraryFile = None,
) -> None:
    from simcompare.library.transfer import export_library

    tags = parsed_tags(tag)
    check_output(file, library_files(library))
    with opened_library(library) as opened, progress_bar(_("Exporting")) as tick:
        count = export_library(opened, file, tags, tick)
    typer.echo(ngettext("{count} entry exported", "{count} entries exported", count))


@typer_command(
    N_(
        "Add the entries of an exported library. Those that the library has are skipped, so an interrupted "
        "run can be repeated."
    )
)
def import_command(
    *, file: Annotated[Path, argument(N_("A file written by `export`."), "FILE")], library: LibraryFile = None
) -> None:
    from simcompare.library.transfer import import_library, opened_export
    from simcompare.report.library_text import import_in_words

    with opened_export(file) as export:
        with progress_bar(_("Checking")) as tick:
            submissions = export.submissions(tick)
        with opened_library(library, create=True) as opened, progress_bar(_("Importing")) as tick:
            summary = interruptible(lambda stop: import_library(opened, export, submissions, tick, stop))
    typer.echo(import_in_words(summary))


@typer_command(
    N_("Check that the library is sound. The exit status is 0 when it is, 1 when something is wrong.")
)
def check_library_command(*, to: TextOrJson = "text", library: LibraryFile = None) -> None:
    from simcompare.library.changes import check_library
    from simcompare.report.library_text import checked_as_dict, checked_as_text

    with opened_library(library) as opened, progress_bar(_("Checking")) as tick:
        checked = check_library(opened, tick)
    _deliver(to, checked_as_text, checked_as_dict, checked)
    if checked.faults:
        raise typer.Exit(INPUT_FAILED)


@typer_command(N_("Bring the library of an older simcompare up to date."))
def migrate_command(*, library: LibraryFile = None) -> None:
    from simcompare.library.store.schema import REVISION

    opened_library(library).close()
    typer.echo(_("The tables of the library are up to date (version {version})").format(version=REVISION))


@typer_command(N_("Say how much is in the library."))
def stats_command(*, to: TextOrJson = "text", library: LibraryFile = None) -> None:
    from simcompare.library.changes import expired_entries
    from simcompare.library.entries import library_figures
    from simcompare.report.library_text import figures_as_dict, figures_as_text

    with opened_library(library) as opened:
        figures = library_figures(opened)
        expired = len(expired_entries(opened, _today()))
    _deliver(to, figures_as_text, figures_as_dict, figures, expired)


def _check_choice(entries: Sequence[int] | None, tags: Sequence[str] | None) -> None:
    if bool(entries) == bool(tags):
        raise NothingToTagError


def _deliver(to: str, as_text: Callable[..., str], as_dict: Callable[..., object], *values: object) -> None:
    from simcompare.report.comparison_json import as_json

    deliver(as_json(as_dict(*values)) if to == "json" else as_text(*values), None)


def _today() -> date:
    return now().date()
