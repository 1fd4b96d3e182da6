"""A library that is opened by the first thread that needs it."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING

from simcompare.library.library_errors import NoLibraryError
from simcompare.library.store.library_place import LibraryPlace

if TYPE_CHECKING:
    from simcompare.library.store.open_library import Library


class LibraryAccess:
    """One library for several threads.

    The database toolkit is loaded when the library is opened: loading it would make the start of the window a
    sixth slower.
    """

    def __init__(self, place: LibraryPlace) -> None:
        self.place = place
        self._lock = Lock()
        self._library: Library | None = None
        self.stop_connecting = Event()  # set: no longer wait for a server that does not answer

    def library(self, *, create: bool = False) -> Library:
        """Return the open library; with `create`, make it if the file is missing. Raises LibraryError."""
        if not create and isinstance(self.place, Path) and _is_missing(self.place):
            raise NoLibraryError(str(self.place))  # without loading the toolkit

        from simcompare.library.store.open_library import open_library  # noqa: PLC0415 - loads the toolkit

        with self._lock:
            if self._library is None:
                self._library = open_library(self.place, create=create, stop=self.stop_connecting)
            return self._library

    def close(self) -> None:
        """Close the library; the next call opens it again."""
        with self._lock:
            library, self._library = self._library, None
        if library is not None:
            library.close()


def _is_missing(path: Path) -> bool:
    """Check that there is no file; one in a folder that may not be read is for the toolkit to report."""
    try:
        return not path.exists()
    except OSError:
        return False
