"""A progress bar on standard error, for those who watch."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from simcompare.progress import Tick, no_tick


@contextmanager
def progress_bar(label: str, *, wanted: bool = True) -> Iterator[Tick]:
    """Give a tick that moves a bar, which vanishes at the end; nothing where no terminal would show it."""
    if not (wanted and sys.stderr.isatty()):
        yield no_tick
        return
    # rich takes long to load, and most runs need no bar
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
