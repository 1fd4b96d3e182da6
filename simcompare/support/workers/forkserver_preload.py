"""Import for side effects in the fork server: workers orphaned while starting end without a traceback.

It also loads Pebble, the main loop of workers, once for all of them.
"""

import sys
from types import TracebackType

import pebble  # noqa: F401


def _hide_lost_program(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print uncaught exceptions, except those of a worker whose program closed while it was starting."""
    if not isinstance(error, (OSError, EOFError)):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _hide_lost_program
