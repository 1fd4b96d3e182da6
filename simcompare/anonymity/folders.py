"""The folders whose names may tell of the students whose files are in them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

_LEVELS = 2
"""The folder of a file and the one above: a draft may have a folder of its own."""
_MOST_FILES_OF_ONE = 3


def folders_by_level(paths: Sequence[Path]) -> Iterator[dict[Path, Path]]:
    """Yield the folder of each file, then the one above it, where that may be a student's.

    Files without such a folder are left out: all are in one, or more are in it than a student hands in.
    """
    for level in range(_LEVELS):
        within: defaultdict[Path, list[Path]] = defaultdict(list)
        for path in paths:
            if len(path.parents) > level:
                within[path.parents[level]].append(path)
        if len(within) > 1:
            yield {
                path: folder
                for folder, files in within.items()
                for path in files
                if folder.name and len(files) <= _MOST_FILES_OF_ONE
            }
