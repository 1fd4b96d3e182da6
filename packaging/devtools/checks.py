"""How checks are run, and what becomes of them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from devtools.base import ROOT, WINDOWS, Command, SetupError
from devtools.stages import Stage

STAGE_LIMIT_S = 1_500  # a hung window must not hold the checks for ever; a busy machine may take its time
TRACE_LIMIT_S = 10.0


class TooSlowError(Exception):
    """A stage was not done in its time; its text says how long that was."""


@dataclass(frozen=True)
class Outcome:
    """What became of a stage. `result` is passed, failed or left out; `note` says why, or how many."""

    stage: str
    result: str
    seconds: float
    note: str


def judge(stage: Stage, exit_code: int, last_line: str) -> tuple[str, str]:
    """Return the result and the note of a finished stage.

    A stage in which no test passed has failed, whatever pytest's exit code: it proved nothing.
    """
    note = last_line.strip("= ") if stage.is_pytest else ""
    if exit_code < 0:
        return "failed", f"ended by signal {-exit_code}"
    if stage.is_pytest and exit_code in {0, 5} and " passed" not in last_line:
        return "failed", f"no test ran, which proves nothing ({note})"
    if exit_code != 0:
        return "failed", note or f"exit code {exit_code}"
    return "passed", note


def _end(process: subprocess.Popen[str]) -> None:
    """Kill a stage with the processes it started; on Windows, where there are no groups, it alone."""
    if WINDOWS:
        process.kill()
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _end_and_tell(process: subprocess.Popen[str]) -> None:
    """Have each process of a stage write where it is, as pytest's do on SIGABRT, and kill them."""
    if not WINDOWS:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGABRT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(TRACE_LIMIT_S)
    _end(process)


def run_streamed(command: Command, env: Mapping[str, str], limit_s: float = STAGE_LIMIT_S) -> tuple[int, str]:
    """Run `command`, show its output as it comes, and return its exit code and last written line.

    Raises TooSlowError after `limit_s` seconds, once it is killed with all that it started.
    """
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=not WINDOWS,
    ) as process:
        is_late = threading.Event()
        watchdog = threading.Timer(limit_s, lambda: (is_late.set(), _end_and_tell(process)))
        watchdog.start()
        try:
            last_line = _show(process.stdout or ())
            exit_code = process.wait()
        finally:
            watchdog.cancel()
            if process.poll() is None:
                _end(process)
    if is_late.is_set():
        raise TooSlowError(f"not done after {limit_s:g} s, and ended")
    return exit_code, last_line


def _show(lines: Iterable[str]) -> str:
    last_line = ""
    for line in lines:
        print(line, end="")
        last_line = line.strip() or last_line
    return last_line


def run_stage(stage: Stage) -> Outcome:
    """Run one check and tell what became of it."""
    print(f"\n=== {stage.name}: {stage.about} ===")
    if stage.linux_only and not sys.platform.startswith("linux"):
        return Outcome(stage.name, "left out", 0.0, "needs an X display")
    start_s = time.monotonic()
    try:
        with stage.surroundings() as variables:
            env = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1", **variables}
            result, note = judge(stage, *run_streamed(stage.command, env))
    except (SetupError, TooSlowError, OSError) as error:
        result, note = "failed", str(error)
    outcome = Outcome(stage.name, result, time.monotonic() - start_s, note)
    print(f"--- {outcome.stage}: {outcome.result} in {outcome.seconds:.1f} s")
    return outcome


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return the closing table, one stage a line."""
    rows = (f"{o.stage:<10}{o.result:<10}{o.seconds:>7.1f} s  {o.note}".rstrip() for o in outcomes)
    total_s = sum(o.seconds for o in outcomes)
    failed = [o.stage for o in outcomes if o.result == "failed"]
    verdict = f"failed: {', '.join(failed)}" if failed else "all passed"
    return "\n".join(["=== summary ===", *rows, f"{len(outcomes)} stages in {total_s:.1f} s, {verdict}"])
