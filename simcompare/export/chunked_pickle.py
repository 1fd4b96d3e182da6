"""Pickle in chunks so that the GUI thread is not blocked."""

import io
import pickle
from typing import Any

_PROTOCOL = 5


def dump_chunked(value: object) -> bytes:
    """Pickle a value; other threads run between the chunks."""
    chunks = _ChunkWriter()
    pickle.Pickler(chunks, _PROTOCOL).dump(value)
    return b"".join(chunks.chunks)


def load_chunked(packed: bytes) -> Any:
    """Unpickle the result of `dump_chunked`; other threads run between the chunks."""
    return pickle.Unpickler(_ChunkReader(packed)).load()


class _ChunkWriter:
    """File in memory. Pickle writes it in frames and releases the interpreter lock at each call of `write`.

    `pickle.dumps` holds the lock to the end: 100 ms for two texts of 3,000 sentences.
    """

    def __init__(self) -> None:
        self.chunks: list[bytes] = []

    def write(self, data: Any) -> int:
        """Copy a chunk: it may be a view of memory that changes later."""
        self.chunks.append(bytes(data))
        return len(self.chunks[-1])


class _ChunkReader(io.BytesIO):
    """File in memory whose methods are Python functions, so that pickle releases the interpreter lock."""

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes."""
        return super().read(size)

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the next bytes."""
        return super().readinto(buffer)

    def readline(self, size: int | None = -1) -> bytes:
        """Return the next line."""
        return super().readline(size)
