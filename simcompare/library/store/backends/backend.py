"""Differences between the databases that a library can be in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

BUSY_SECONDS = 30.0
"""Time that a writer waits for another one."""


@dataclass(frozen=True, slots=True)
class Backend:
    """Engines of one pool of connections, and statements that differ.

    reading: its transactions see one state of the database. writing: its transactions wait for each other.
    outside: without transactions. is_own: returns whether the tables are those of a library. size: the number
    of bytes. Run outside transactions: prepare, when a library was opened and recognised, and
    forget_removed, after entries were removed. Run within the transaction of an update: begin_update.
    """

    reading: Engine
    writing: Engine
    outside: Engine
    is_own: Callable[[Connection], bool]
    size: str
    forget_removed: Sequence[str]
    prepare: Sequence[str]
    begin_update: Sequence[str]
