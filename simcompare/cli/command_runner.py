"""Command classes with translated help and one-sentence errors."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from simcompare.model.errors import FileError, NoUnitsError, SimcompareError
from simcompare.support.i18n import _

INPUT_FAILED, WRONG_USE = 1, 2


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


def print_error(error: SimcompareError) -> None:
    """Print an error on standard error."""
    typer.echo(str(error), err=True)


def exit_status(error: SimcompareError) -> int:
    """Return 1 if an input failed, 2 if the command was used wrongly."""
    return INPUT_FAILED if isinstance(error, FileError | NoUnitsError) else WRONG_USE
