"""How far work is, on standard error: a bar for those who watch, else a line now and then."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from simcompare.i18n import _
from simcompare.progress import Tick, no_tick

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
