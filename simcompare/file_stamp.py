"""What a file is known by while it is left alone."""

import stat
from pathlib import Path

Stamp = tuple[int, int]
"""The time of a file's last change in nanoseconds, and its size in bytes."""


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file, None where there is none to be seen; devices and pipes are no files."""
    try:
        facts = path.stat()
    except (OSError, ValueError):
        return None
    return (facts.st_mtime_ns, facts.st_size) if stat.S_ISREG(facts.st_mode) else None
