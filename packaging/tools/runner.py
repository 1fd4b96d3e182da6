"""Run stages, and summarise their results."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from tools.base import ROOT, WINDOWS, Command, SetupError
from tools.stages import SLOWEST, Stage, usable_cores

Show = Callable[[str], object]
"""Shows a line of output."""

STAGE_LIMIT_S = 10_800  # a machine five times slower needs an hour and a half; ends a window that hangs
TRACE_LIMIT_S = 10.0
_running: set[subprocess.Popen[str]] = set()
CAUSE_LINES = 60
_FAILURES = re.compile(r"=+ (FAILURES|ERRORS) =+")
_DURATION = re.compile(r"(\d+\.\d+)s (?:call|setup|teardown) +(\S.*)")


class StageTimeoutError(Exception):
    """A stage exceeded its time limit."""


@dataclass(frozen=True)
class Outcome:
    """Result of a stage: passed, failed or left out; `note` gives the reason or the number of tests.

    `causes` are the lines of its output that say why it failed.
    """

    stage: str
    result: str
    seconds: float
    note: str
    slowest: Sequence[tuple[float, str]] = ()
    causes: Sequence[str] = ()


def stage_result(stage: Stage, exit_code: int, last_line: str) -> tuple[str, str]:
    """Return the result and the note of a finished stage; it has failed if no test passed."""
    note = last_line.strip("= ") if stage.is_pytest else ""
    if exit_code < 0:
        return "failed", f"ended by signal {-exit_code}"
    if stage.is_pytest and exit_code in {0, 5} and " passed" not in last_line:
        return "failed", f"no test ran ({note})"
    if exit_code != 0:
        return "failed", note or f"exit code {exit_code}"
    return "passed", note


def slowest_tests(lines: Iterable[str]) -> list[tuple[float, str]]:
    """Seconds and names of the tests that pytest lists with --durations."""
    found = filter(None, map(_DURATION.match, lines))
    return [(float(match[1]), match[2]) for match in found]


def causes_of_failure(lines: Sequence[str]) -> list[str]:
    """Last lines of the output of a failed stage; of pytest those of its failures, and their names."""
    names = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    heads = [n for n, line in enumerate(lines) if _FAILURES.fullmatch(line)]
    if not heads:
        return [*lines[-CAUSE_LINES:]]
    ends = [n for n, line in enumerate(lines) if line.startswith("====") and n > heads[-1]]
    return [*lines[heads[0] : ends[0] if ends else None][-CAUSE_LINES:], *names]


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill a stage and the processes that it started: its process group, on Windows its tree.

    One that went on would hold the pipe of the stage's output open, which is read to its end.
    """
    if WINDOWS:
        # its output is not decoded, as it is in the code page of the console
        ending = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(ending, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _abort(process: subprocess.Popen[str]) -> None:
    """Make the processes of a stage write their stacks (faulthandler does on SIGABRT), then kill them."""
    if not WINDOWS:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGABRT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(TRACE_LIMIT_S)
    _kill(process)


def run_streamed(
    command: Command, env: Mapping[str, str], limit_s: float = STAGE_LIMIT_S, show: Show = print
) -> tuple[int, list[str]]:
    """Run `command`, show each line of its output, and return its exit code and the lines that are not blank.

    Raises StageTimeoutError after `limit_s` seconds, once its processes are killed.
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
        watchdog = threading.Timer(limit_s, lambda: (is_late.set(), _abort(process)))
        watchdog.start()
        _running.add(process)
        try:
            lines = _shown(process.stdout or (), show)
            exit_code = process.wait()
        finally:
            _running.discard(process)
            watchdog.cancel()
            if process.poll() is None:
                _kill(process)
    if is_late.is_set():
        raise StageTimeoutError(f"not done after {limit_s:g} s, and ended")
    return exit_code, lines


def _shown(lines: Iterable[str], show: Show) -> list[str]:
    shown = []
    for line in lines:
        show(line.removesuffix("\n"))
        shown.append(line.rstrip())
    return [line for line in shown if line]


def run_stages(chosen: Sequence[Stage]) -> list[Outcome]:
    """Run the stages in their order, two at a time if there are two cores.

    The tests of one stage then use the time in which those of the other wait, or have ended but for the last.
    """
    with ThreadPoolExecutor(min(usable_cores(), 2)) as threads:
        try:
            return list(threads.map(_run_with_name, chosen))
        except KeyboardInterrupt:
            threads.shutdown(wait=False, cancel_futures=True)
            for process in tuple(_running):  # in sessions of their own, which Ctrl+C does not reach
                _kill(process)
            raise


def _run_with_name(stage: Stage) -> Outcome:
    """Run a stage, and show each line of its output after its name, as lines of another come in between."""
    return run_stage(stage, lambda line: print(f"{stage.name:<10}{line}".rstrip() + "\n", end=""))


def run_stage(stage: Stage, show: Show = print) -> Outcome:
    """Run one stage."""
    show(f"=== {stage.name}: {stage.about} ===")
    if stage.linux_only and not sys.platform.startswith("linux"):
        return Outcome(stage.name, "left out", 0.0, "needs an X display")
    start_s, lines = time.monotonic(), list[str]()
    try:
        with stage.surroundings() as variables:
            env = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1", **variables}
            # with more threads, each process that imports NumPy spends a tenth of a second waiting for work
            env.setdefault("OPENBLAS_NUM_THREADS", "1")
            # each of the many programs and workers that tests start would compile every module again
            env.pop("PYTHONDONTWRITEBYTECODE", None)
            exit_code, lines = run_streamed(stage.command, env, show=show)
            result, note = stage_result(stage, exit_code, lines[-1] if lines else "")
    except (SetupError, StageTimeoutError, OSError) as error:
        result, note = "failed", str(error)
    slowest = slowest_tests(lines) if stage.is_pytest else ()
    causes = causes_of_failure(lines) if result == "failed" else ()
    outcome = Outcome(stage.name, result, time.monotonic() - start_s, note, slowest, causes)
    show(f"--- {outcome.stage}: {outcome.result} in {outcome.seconds:.1f} s")
    return outcome


def summary(outcomes: Sequence[Outcome], total_s: float) -> str:
    """Tables of the slowest tests of all stages and of the stages, which took `total_s` together.

    Between them come the causes of each failure, as all else that a stage wrote is far above and mixed with
    the lines of others.
    """
    tests = sorted((test for o in outcomes for test in o.slowest), reverse=True)[:SLOWEST]
    rows = [f"{seconds:>7.1f} s  {name}" for seconds, name in tests]
    if rows:
        rows = ["=== slowest tests ===", *rows, ""]
    for outcome in outcomes:
        if outcome.causes:
            rows += [f"=== {outcome.stage}: why it failed ===", *outcome.causes, ""]
    rows.append("=== summary ===")
    rows += (f"{o.stage:<10}{o.result:<10}{o.seconds:>7.1f} s  {o.note}".rstrip() for o in outcomes)
    failed = [o.stage for o in outcomes if o.result == "failed"]
    verdict = f"failed: {', '.join(failed)}" if failed else "all passed"
    return "\n".join([*rows, f"{len(outcomes)} stages in {total_s:.1f} s, {verdict}"])
