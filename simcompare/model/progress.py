"""How long work reports where it is, and how it is told to stop."""

from collections.abc import Callable

Tick = Callable[[int, int], None]
"""Called as tick(done, total); may raise Cancelled, which the worker lets through."""


class Cancelled(Exception):  # noqa: N818 - an order that was given, not an error that happened
    """The user asked for the work to stop; nothing of it is kept."""


def no_tick(done: int, total: int) -> None:
    """Report to nobody."""
