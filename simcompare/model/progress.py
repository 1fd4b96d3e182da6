"""Progress callbacks and cancellation of long-running work."""

from collections.abc import Callable

Tick = Callable[[int, int], None]
"""Called as tick(done, total); may raise Cancelled, which the worker must not catch."""


class Cancelled(Exception):  # noqa: N818 - a request, not an error
    """The user cancelled the work; its results are discarded."""


def no_tick(done: int, total: int) -> None:
    """Ignore progress."""
