"""Command line program `simcompare`: all commands and the entry point."""

from typing import Annotated

import typer

from simcompare import __version__
from simcompare.cli.anonymity_options import whois_command
from simcompare.cli.check import check_command
from simcompare.cli.experiments import batch_command, evaluate_command
from simcompare.cli.file_commands import (
    annotate_command,
    compare_command,
    extract_command,
    fingerprint_command,
    schema_command,
    verify_command,
)
from simcompare.cli.help_pages import HELP_OPTIONS, TranslatedCommand, TranslatedGroup
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
from simcompare.cli.library.files import add_command, search_command
from simcompare.cli.options import option
from simcompare.cli.report import report_command
from simcompare.support.atomic_file import start_removing_unfinished
from simcompare.support.i18n import N_, set_language, system_language

# Plain help: rich would take longer to load than most commands take to run.
app = typer.Typer(
    cls=TranslatedGroup,
    help=N_("Compare Chinese and English documents sentence by sentence."),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings=HELP_OPTIONS,
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"simcompare {__version__}")
        raise typer.Exit


@app.callback()
def _simcompare(
    version: Annotated[
        bool, option(N_("Show the version."), None, "--version", "-V", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Define the options that precede the command; remove what killed processes have left."""
    start_removing_unfinished()


library_app = typer.Typer(
    cls=TranslatedGroup,
    help=N_("Keep documents of past years in a library, and search them for what a text shares with them."),
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(library_app, name="library")
for _name, _command in {
    "compare": compare_command,
    "check": check_command,
    "annotate": annotate_command,
    "report": report_command,
    "fingerprint": fingerprint_command,
    "extract": extract_command,
    "evaluate": evaluate_command,
    "batch": batch_command,
    "verify": verify_command,
    "whois": whois_command,
    "schema": schema_command,
}.items():
    app.command(_name, cls=TranslatedCommand)(_command)
for _name, _command in {
    "add": add_command,
    "search": search_command,
    "list": list_command,
    "remove": remove_command,
    "tag": tag_command,
    "retain": retain_command,
    "export": export_command,
    "import": import_command,
    "check": check_library_command,
    "migrate": migrate_command,
    "stats": stats_command,
}.items():
    library_app.command(_name, cls=TranslatedCommand)(_command)


def main() -> None:
    """Run the command line; exit with 0, 1 (an input failed), 2 (wrong use) or 130 (Ctrl+C)."""
    set_language(system_language())
    app(prog_name="simcompare")
