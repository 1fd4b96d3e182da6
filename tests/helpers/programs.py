"""Programs started by tests, and killed with their children when the test ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

Program = subprocess.Popen[Any]
Command = Sequence[str | Path]


class StartProgram(Protocol):
    """Start a command with these options of Popen."""

    def __call__(self, command: Command, **options: Any) -> Program: ...


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let programs started within the context be interrupted by Ctrl+C.

    Children inherit an ignored SIGINT, which a shell sets for background processes. A handler set by
    Python becomes the default in a child.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def program_starter() -> Iterator[StartProgram]:
    """Yield a function that starts programs in sessions of their own, and kill these sessions at the end."""
    started: list[Program] = []

    def start(command: Command, **options: Any) -> Program:
        with _interruptible():
            started.append(subprocess.Popen(command, start_new_session=True, **options))
        return started[-1]

    try:
        yield start
    finally:
        for program in started:
            _kill_session(program)


def _kill_session(program: Program) -> None:
    with program:  # closes its pipes and waits for it
        if sys.platform == "win32":
            program.kill()
            return
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
