"""Commands that speak the user's language, and tell an error in one sentence."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from simcompare.cli.options import deaf_to_interrupts
from simcompare.model.errors import FileError, NoUnitsError, SimcompareError
from simcompare.support.i18n import _

INPUT_FAILED, WRONG_USE = 1, 2


class SpokenCommand(TyperCommand):
    """A command whose help texts, marked with N_, are translated when they are shown."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _translate(self)
        super().format_help(ctx, formatter)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the line that stands for the command in the list of commands."""
        _translate(self)
        return super().get_short_help_str(limit)


class SpokenGroup(TyperGroup):
    """The program itself: its commands, and the end of whatever goes wrong in them."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _translate(self)
        super().format_help(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error the user can mend becomes a sentence and an exit status."""
        try:
            return super().invoke(ctx)
        except SimcompareError as error:
            tell(error)
            raise typer.Exit(exit_status(error)) from None


def _translate(command: Any) -> None:
    """Translate the help of a command and its parameters; translating twice changes nothing."""
    for part in (command, *command.params):
        part.help = _(part.help or "")


def tell(error: SimcompareError) -> None:
    """Say on standard error what went wrong and what can be done."""
    typer.echo(str(error), err=True)


def exit_status(error: SimcompareError) -> int:
    """Return 1 where an input failed, 2 where the program was used wrongly."""
    return INPUT_FAILED if isinstance(error, FileError | NoUnitsError) else WRONG_USE


Result = TypeVar("Result")
_LISTEN_SECONDS = 0.2


def interruptible(work: Callable[[Event], Result]) -> Result:
    """Return work(stop), done in a thread of its own, with what processes it starts.

    Ctrl+C is heard here alone: it sets `stop`, by which the work is to end soon, and goes on as
    KeyboardInterrupt once that has happened.
    """
    stop = Event()
    with ThreadPoolExecutor(1) as executor:
        with deaf_to_interrupts():
            future = executor.submit(work, stop)
        try:
            while True:
                # Windows does not hear Ctrl+C while it waits without an end
                try:
                    return future.result(_LISTEN_SECONDS)
                except TimeoutError:
                    if future.done():
                        raise
        except BaseException:
            stop.set()
            raise
