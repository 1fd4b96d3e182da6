"""Where results go: standard output, or a file that is either whole or not there."""

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from simcompare.model.errors import SimcompareError, cause_of, os_errors_as
from simcompare.model.progress import Tick, no_tick
from simcompare.support.atomic_file import write_atomically
from simcompare.support.i18n import N_, _


class OutputError(SimcompareError):
    """Results cannot be written where they were asked for. Values: path, cause."""

    template = N_("{path} cannot be written: {cause}. Choose another place with --output.")


def check_place(output: Path | None, inputs: Sequence[Path]) -> None:
    """Raise OutputError where results could not be written, before the work is done for nothing.

    No result may take the place of one of the inputs.
    """
    if output is None:
        return
    with os_errors_as(OutputError, output):
        if output.is_dir():
            raise OutputError(path=output, cause=_("it is a folder"))
        if not output.resolve().parent.is_dir():
            raise OutputError(path=output, cause=_("its folder does not exist"))
        if output.exists() and any(_is_same(output, path) for path in inputs):
            raise OutputError(path=output, cause=_("it is one of the files to read"))


def _is_same(output: Path, path: Path) -> bool:
    try:
        return output.samefile(path)
    except (OSError, ValueError):
        # what is not there, or has no possible name, cannot be overwritten; reading tells of it
        return False


def deliver(result: str | bytes, output: Path | None) -> None:
    """Write a text as UTF-8, or bytes, to standard output, or to a file in one step.

    Raises OutputError; the file is then as it was before.
    """
    deliver_each([result], output)


def deliver_each(results: Iterable[str | bytes], output: Path | None) -> None:
    """Write texts or bytes one after the other, on standard output each as soon as it is there."""
    # a file name may hold bytes that are no text; they appear as JSON writes them
    parts = (one if isinstance(one, bytes) else one.encode("utf-8", "backslashreplace") for one in results)
    if output is None:
        for data in parts:
            _print(data)
        return
    with os_errors_as(OutputError, output):
        _write(output.resolve(), parts)


def _print(data: bytes) -> None:
    try:
        typer.echo(data, nl=False)
    except BrokenPipeError:
        raise  # whoever read has seen enough; typer ends quietly
    except OSError as error:
        # what is left in the buffer would fail again when the process ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        cause = cause_of(error)
        raise OutputError(path=_("standard output"), cause=cause) from error


def _write(place: Path, parts: Iterable[bytes]) -> None:
    if place.exists() and not place.is_file():
        # a device or a pipe is written to, not replaced
        with place.open("wb") as file:
            file.writelines(parts)
        return
    write_atomically(place, lambda file: file.writelines(parts))


_SILENT_SECONDS = 10.0
"""What is done sooner needs no word in a log."""


@contextmanager
def progress_bar(label: str, *, wanted: bool = True) -> Iterator[Tick]:
    """Give a tick that moves a bar, which vanishes at the end; where no terminal shows it, lines tell."""
    if not wanted:
        yield no_tick
        return
    if not sys.stderr.isatty():
        yield _Lines(label)
        return
    # rich takes long to load, and most runs need no bar
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


class _Lines:
    """A tick that prints a line every so many seconds while work goes on."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._told_seconds = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total or now - self._told_seconds < _SILENT_SECONDS:
            return
        self._told_seconds = now
        words = _("{what}: {done} of {total} ({percent} %)")
        line = words.format(
            what=self._label, done=f"{done:,}", total=f"{total:,}", percent=100 * done // total
        )
        typer.echo(line, err=True)
