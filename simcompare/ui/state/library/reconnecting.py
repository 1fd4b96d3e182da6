"""Add documents to a library on a server, again after the connection was lost."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator
from itertools import chain
from threading import Event
from typing import TYPE_CHECKING

from simcompare.library.store.server_errors import ConnectionLostError, ServerUnavailableError
from simcompare.ui.state.library.long_work import TickOf, WorkKind
from simcompare.ui.state.library.open_access import LibraryAccess

if TYPE_CHECKING:
    from simcompare.library.new_entry import NewEntry, SubmissionKey

_PAUSE_SECONDS = 2.0
_PATIENCE_SECONDS = 60.0
"""Time to wait for a server before the rest is given up."""


class ReconnectingAddition:
    """Adds documents as `add_entries` does.

    While a server cannot be reached, it tries again for a minute. A document whose transaction was lost is
    added again; one that was stored although the answer was lost is known then.
    """

    def __init__(
        self, access: LibraryAccess, entries: Iterator[NewEntry], stop: Event, tick_of: TickOf
    ) -> None:
        self._access, self._entries, self._stop, self._tick_of = access, entries, stop, tick_of
        self._pending: deque[NewEntry] = deque()
        """Taken from `entries`, and not known to be stored."""
        self.lost: list[NewEntry] | None = None
        """Those that were pending when the server was given up; None if it was not."""

    def numbers(self) -> Iterator[int | None]:
        """Yield the number of each entry, None for a known one; end early if the server is given up.

        Raises LibraryError, also if a server cannot be reached at the beginning.
        """
        from simcompare.library.adding import add_entries  # noqa: PLC0415 - loads the database toolkit

        library = self._access.library(create=True)
        stored: Counter[SubmissionKey] = Counter()
        give_up_at: float | None = None
        while True:
            entries = chain(list(self._pending), self._next_entries())
            try:
                for number in add_entries(library, entries, stored):
                    stored[self._pending.popleft().submission] += 1
                    give_up_at = None
                    yield number
            except (ConnectionLostError, ServerUnavailableError):
                give_up_at = give_up_at or time.monotonic() + _PATIENCE_SECONDS
                self._tick_of(WorkKind.RECONNECTING)(0, 0)
                if self._stop.wait(_PAUSE_SECONDS) or time.monotonic() >= give_up_at:
                    self.lost = list(self._pending)
                    return
            else:
                return

    def _next_entries(self) -> Iterator[NewEntry]:
        for new in self._entries:
            self._pending.append(new)
            yield new
