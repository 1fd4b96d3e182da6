"""Preloaded by the process that readers are copied from (reader_process.py): keeps its end quiet."""

import sys
from types import TracebackType


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say nothing of a copy that found its program gone while it began: it was closed, and nobody waits."""
    if not isinstance(error, (OSError, EOFError)):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _tell
