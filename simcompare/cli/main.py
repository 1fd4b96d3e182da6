"""Command line program `simcompare`: all commands and the entry point."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from simcompare import __version__
from simcompare.cli.annotate import annotate_command
from simcompare.cli.anonymity_options import whois_command
from simcompare.cli.batch import batch_command
from simcompare.cli.check import check_command
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
from simcompare.cli.options import option
from simcompare.cli.output import exit_status, print_error
from simcompare.cli.report import report_command
from simcompare.cli.verify import verify_command
from simcompare.model.errors import SimcompareError
from simcompare.support.atomic_file import start_removing_unfinished
from simcompare.support.i18n import N_, _, set_language, system_language


class _Translated:
    """Mixin of commands whose help texts, marked with N_, are translated when they are shown.

    Given texts, files and flags only, they start without pydantic.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for each in parameters:
            each.process_value = partial(_plain_value, each)
        return parameters

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _translate(self)
        super().format_help(ctx, formatter)  # type: ignore[misc]

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the help line for the list of commands."""
        _translate(self)
        return super().get_short_help_str(limit)  # type: ignore[misc,no-any-return]


class TranslatedCommand(_Translated, TyperCommand):
    """Command of the program."""


def _plain_value(parameter: Any, ctx: Any, value: Any) -> Any:
    """Return the value of a parameter as typer does, which loads pydantic for 60 ms even if there is none."""
    kind = parameter.type_descriptor
    is_plain = kind.annotation in (str, Path) and kind.parameter_info.parser is None
    if value is None and not parameter.required:
        value = () if parameter.multiple or parameter.nargs == -1 else None
    elif isinstance(value, str) and is_plain:
        value = kind.annotation(value)
    else:
        return type(parameter).process_value(parameter, ctx, value)
    return value if parameter.callback is None else parameter.callback(ctx, parameter, value)


class TranslatedGroup(_Translated, TyperGroup):
    """Group of all commands; turns their errors into messages and exit statuses."""

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
        bool, option(N_("Show the version."), None, "--version", callback=_show_version, is_eager=True)
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
