"""Latest errors and warnings of this process, without any text of a document, name or path.

Kept in memory only. Messages are never kept, as they may quote a file name or a sentence: of an error there
is its class and the functions it passed through.
"""

import logging
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TextIO

MOST_EVENTS = 60
_MOST_PLACES = 12
_MOST_CAUSES = 3


@dataclass(frozen=True, slots=True)
class Event:
    """One error or warning: seconds since the start, its kind, its class or origin, places in the code."""

    seconds: float
    kind: str
    origin: str
    places: tuple[str, ...] = ()


class EventLog:
    """Bounded list of events; safe to use in any thread."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._events: deque[Event] = deque(maxlen=MOST_EVENTS)
        self._is_listening = False

    @property
    def events(self) -> list[Event]:
        """The latest events, the oldest first."""
        return list(self._events)

    @property
    def seconds(self) -> float:
        """Time since the process started to log."""
        return time.monotonic() - self._began

    def add(self, kind: str, origin: str, places: tuple[str, ...] = ()) -> None:
        """Keep an event. Kind, origin and places are words of the program, never of a user."""
        self._events.append(Event(self.seconds, kind, origin, places))

    def add_error(self, error: BaseException) -> None:
        """Keep the classes of an error and of its causes, and where it was raised."""
        for number, each in enumerate(_with_causes(error)):
            self.add("cause" if number else "error", _class_of(each), _places_of(each.__traceback__))

    def listen(self) -> None:
        """Keep unhandled errors of all threads, warnings of Python and of libraries from now on.

        They are shown on the terminal as before.
        """
        if self._is_listening:
            return
        self._is_listening = True
        self._listen_to_errors()
        self._listen_to_warnings()
        logging.getLogger().addHandler(_LogHandler(self))

    def _listen_to_errors(self) -> None:
        shown, shown_of_thread = sys.excepthook, threading.excepthook

        def keep(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
            self.add_error(error)
            shown(kind, error, trace)

        def keep_of_thread(failure: threading.ExceptHookArgs) -> None:
            if failure.exc_value is not None:
                self.add_error(failure.exc_value)
            shown_of_thread(failure)

        sys.excepthook = keep
        threading.excepthook = keep_of_thread

    def _listen_to_warnings(self) -> None:
        shown = warnings.showwarning

        def keep(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            self.add("warning", category.__name__)
            shown(message, category, filename, lineno, file, line)

        warnings.showwarning = keep


class _LogHandler(logging.Handler):
    def __init__(self, log: EventLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the level and the place of the code, not the message."""
        self._log.add(record.levelname.lower(), record.module, (f"{record.funcName}:{record.lineno}",))


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    each: BaseException | None = error
    for _number in range(_MOST_CAUSES):
        if each is None:
            return
        yield each
        each = each.__cause__ or each.__context__


def _class_of(error: BaseException) -> str:
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return f"{name} {error.errno}" if isinstance(error, OSError) and error.errno is not None else name


def _places_of(trace: TracebackType | None) -> tuple[str, ...]:
    """Functions from the outermost to the one that raised; modules by name, as paths name users."""
    places: list[str] = []
    while trace is not None:
        frame: Any = trace.tb_frame
        module = str(frame.f_globals.get("__name__", ""))
        places.append(f"{module}.{frame.f_code.co_name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return tuple(places[-_MOST_PLACES:])


EVENTS = EventLog()
