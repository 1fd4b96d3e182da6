"""Values on their way to another process, packed so that the window can go on meanwhile."""

import io
import pickle
from typing import Any

_PROTOCOL = 5


def parcel(value: object) -> bytes:
    """Return a value as bytes; may take a while, and other threads have their turns in between."""
    parts = _Parts()
    pickle.Pickler(parts, _PROTOCOL).dump(value)
    return b"".join(parts.all)


def unpacked(packed: bytes) -> Any:
    """Return the value that `parcel` packed; other threads have their turns in between, too."""
    return pickle.Unpickler(_Reading(packed)).load()


class _Parts:
    """A file in memory. Pickle writes it in frames, and lets go of the interpreter at each call of `write`.

    `pickle.dumps` holds it to the end: 100 ms for two texts of 3,000 sentences.
    """

    def __init__(self) -> None:
        self.all: list[bytes] = []

    def write(self, data: Any) -> int:
        """Keep a part; it may be a view of memory that changes later."""
        self.all.append(bytes(data))
        return len(self.all[-1])


class _Reading(io.BytesIO):
    """A file in memory of which pickle reads frame by frame, by methods that let go of the interpreter."""

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes."""
        return super().read(size)

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the next bytes."""
        return super().readinto(buffer)

    def readline(self, size: int | None = -1) -> bytes:
        """Return the next line."""
        return super().readline(size)
