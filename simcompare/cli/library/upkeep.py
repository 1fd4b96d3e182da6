"""`simcompare library check` and `migrate`."""

import typer

from simcompare.cli.library.options import LibraryFile, opened_library
from simcompare.cli.options import Language, TextOrJson
from simcompare.cli.output import INPUT_FAILED, deliver, progress_bar
from simcompare.support.i18n import _

# ruff: noqa: PLC0415 - these load the database toolkit


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
