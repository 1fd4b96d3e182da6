"""`simcompare library export`, `import`, `check` and `migrate`."""

from pathlib import Path
from typing import Annotated

import typer

from simcompare.cli.library.options import LibraryFile, Tags, library_files, opened_library, parsed_tags
from simcompare.cli.options import Language, TextOrJson
from simcompare.cli.output import INPUT_FAILED, deliver, progress_bar
from simcompare.export.output_paths import check_output
from simcompare.support.i18n import N_, _, ngettext
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
