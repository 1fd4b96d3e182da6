"""Results of tasks as bytes; large arrays in them are kept in a temporary file.

10 MB of text have 60 MB of numbers, most of which are used when the text is compared, if at all. From a file,
the system reads them when they are needed, and can drop them from memory again.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from mmap import ACCESS_COPY, mmap
from tempfile import TemporaryFile
from typing import Any

_LARGE_BYTES = 2_000_000
# Numbers begin at multiples of their size.
_ALIGNMENT = 64


@dataclass(slots=True)
class PackedResult:
    """A pickled object, and the bytes of its large arrays."""

    pickled: bytes
    arrays: list[bytes]

    def unpacked(self) -> Any:
        """Return the object; its large arrays can be changed like others."""
        return pickle.loads(self.pickled, buffers=_mapped(self.arrays) if self.arrays else ())


NOTHING = PackedResult(b"", [])


def packed(value: object) -> PackedResult:
    """Pickle an object."""
    large: list[pickle.PickleBuffer] = []

    def is_in_pickle(buffer: pickle.PickleBuffer) -> bool:
        if buffer.raw().nbytes < _LARGE_BYTES:
            return True
        large.append(buffer)
        return False

    pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=is_in_pickle)
    return PackedResult(pickled, [bytes(buffer.raw()) for buffer in large])


def _mapped(arrays: Sequence[bytes]) -> Sequence[memoryview | bytearray]:
    """Write arrays to a nameless file, and map it; keep them in memory if there is no room on the disk."""
    places: list[tuple[int, int]] = []
    try:
        with TemporaryFile() as file:
            for array in arrays:
                begin = file.seek(-(-file.tell() // _ALIGNMENT) * _ALIGNMENT)
                file.write(array)
                places.append((begin, file.tell()))
            file.flush()
            whole = memoryview(mmap(file.fileno(), 0, access=ACCESS_COPY))
    except OSError:
        return [bytearray(array) for array in arrays]
    return [whole[begin:end] for begin, end in places]
