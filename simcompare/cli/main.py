"""Command line program `simcompare`: all commands and the entry point."""

from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from simcompare import __version__
from simcompare.cli.annotate import annotate_command
from simcompare.cli.anonymity_options import whois_command
from simcompare.cli.batch import batch_command
from simcompare.cli.check.check_command import check_command
from simcompare.cli.compare import compare_command
from simcompare.cli.evaluate import evaluate_command
from simcompare.cli.extract import extract_command
from simcompare.cli.fingerprint import fingerprint_command
from simcompare.cli.library.add import add_command
from simcompare.cli.library.entries import (
    check_library_command,
    export_command,
    import_command,
    list_command,
    migrate_command,
    remove_command,
    retain_command,
    stats_command,
    tag_command,
)
from simcompare.cli.library.search import search_command
from simcompare.cli.output import exit_status, print_error
from simcompare.cli.report import report_command
from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import N_, _, set_language, system_language
from simcompare.support.unfinished_files import start_removing_unfinished


class TranslatedCommand(TyperCommand):
    """Command whose help texts, marked with N_, are translated when they are shown."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _translate(self)
        super().format_help(ctx, formatter)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the help line for the list of commands."""
        _translate(self)
        return super().get_short_help_str(limit)


class TranslatedGroup(TyperGroup):
    """Group of all commands; turns their errors into messages and exit statuses."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _translate(self)
        super().format_help(ctx, formatter)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the help line for the list of commands."""
        _translate(self)
        return super().get_short_help_str(limit)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a SimcompareError becomes a sentence and an exit status."""
        try:
            return super().invoke(ctx)
        except SimcompareError as error:
            print_error(error)
            raise typer.Exit(exit_status(error)) from None


def _translate(command: Any) -> None:
    """Translate the help of a command and its parameters; a second call changes nothing."""
    for part in (command, *command.params):
        part.help = _(part.help or "")


# Plain help: rich would take longer to load than most commands take to run.
app = typer.Typer(
    cls=TranslatedGroup,
    help=N_("Compare Chinese and English documents sentence by sentence."),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    add_completion=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"simcompare {__version__}")
        raise typer.Exit


@app.callback()
def _simcompare(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help=N_("Show the version.")),
    ] = False,
) -> None:
    """Define the options that precede the command; remove what killed processes have left."""
    start_removing_unfinished()


app.command(
    "compare", cls=TranslatedCommand, help=N_("Compare two files and show what they have in common and why.")
)(compare_command)
app.command(
    "check",
    cls=TranslatedCommand,
    help=N_(
        "Compare the essays of a class with each other and show what is unusual. The exit status is 0 when "
        "all were checked, 1 when not."
    ),
)(check_command)
app.command(
    "annotate",
    cls=TranslatedCommand,
    help=N_("Compare two files and write copies with the matches highlighted and commented."),
)(annotate_command)
app.command(
    "report",
    cls=TranslatedCommand,
    help=N_(
        "Write reports of the pairs of a session to a folder or zip, or a table of its pairs. The exit "
        "status is 0 when nothing is missing in it, 1 when a document or a pair is."
    ),
)(report_command)
app.command("fingerprint", cls=TranslatedCommand, help=N_("Print the fingerprint of each file."))(
    fingerprint_command
)
app.command(
    "extract",
    cls=TranslatedCommand,
    help=N_(
        "Print the text of files as simcompare reads it. The exit status is 0 when all were read, 1 when not."
    ),
)(extract_command)
app.command(
    "evaluate",
    cls=TranslatedCommand,
    help=N_("Measure how well and how fast near-copies in a folder are found."),
)(evaluate_command)
app.command("batch", cls=TranslatedCommand, help=N_("Find the similar passages in many pairs of files."))(
    batch_command
)
app.command(
    "whois",
    cls=TranslatedCommand,
    help=N_("Print the student behind a pseudonym, from the name key of a session."),
)(whois_command)

library_app = typer.Typer(
    cls=TranslatedGroup,
    help=N_("Keep documents of past years in a library, and search them for what a text shares with them."),
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(library_app, name="library")
library_app.command(
    "add",
    cls=TranslatedCommand,
    help=N_(
        "Add files to the library. A file that it has under the same name and with the same tags is skipped, "
        "so an interrupted run can be repeated. The exit status is 0 when all were read, 1 when not."
    ),
)(add_command)
library_app.command(
    "search", cls=TranslatedCommand, help=N_("Find the entries that share text with files or a sentence.")
)(search_command)
library_app.command("list", cls=TranslatedCommand, help=N_("List the entries of the library."))(list_command)
library_app.command(
    "remove", cls=TranslatedCommand, help=N_("Remove entries for good, with a protocol of what was removed.")
)(remove_command)
library_app.command("tag", cls=TranslatedCommand, help=N_("Change the tags of entries."))(tag_command)
library_app.command(
    "retain",
    cls=TranslatedCommand,
    help=N_(
        "Set the last day on which entries may be kept, as of a class. They are removed only by "
        "`remove --expired` after that day."
    ),
)(retain_command)
library_app.command(
    "export", cls=TranslatedCommand, help=N_("Write the library, or the entries with some tags, to one file.")
)(export_command)
library_app.command(
    "import",
    cls=TranslatedCommand,
    help=N_(
        "Add the entries of an exported library. Those that the library has are skipped, so an interrupted "
        "run can be repeated."
    ),
)(import_command)
library_app.command(
    "check",
    cls=TranslatedCommand,
    help=N_("Check that the library is sound. The exit status is 0 when it is, 1 when something is wrong."),
)(check_library_command)
library_app.command(
    "migrate",
    cls=TranslatedCommand,
    help=N_("Bring the library of an older simcompare up to date."),
)(migrate_command)
library_app.command("stats", cls=TranslatedCommand, help=N_("Say how much is in the library."))(stats_command)


def main() -> None:
    """Run the command line; exit with 0, 1 (an input failed), 2 (wrong use) or 130 (Ctrl+C)."""
    set_language(system_language())
    app(prog_name="simcompare")
