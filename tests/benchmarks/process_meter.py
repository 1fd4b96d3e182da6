"""Seconds, processor time and peak memory of a program with all its processes (Linux).

Memory is the sum of all processes, memory they share counted once (PSS).
"""

import ctypes
import os
import resource
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """Figures of a program; peak_parts_mb: memory of each process at the peak, the largest first."""

    output: str
    seconds: float
    own_seconds: float
    peak_parts_mb: list[float]

    @property
    def peak_mb(self) -> float:
        return sum(self.peak_parts_mb)


class MemoryMeter:
    """Samples the memory of a process and all its descendants while the context is open."""

    def __init__(self, process: int, sample_seconds: float) -> None:
        self.peak_parts_mb: list[float] = []
        self._process = process
        self._sample_seconds = sample_seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> "MemoryMeter":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._over.wait(self._sample_seconds):
            parts_mb = sorted(map(memory_mb, process_tree(self._process)), reverse=True)
            self.peak_parts_mb = max(self.peak_parts_mb, parts_mb, key=sum)


def process_tree(root: int) -> list[int]:
    """Return the numbers of a process and all its descendants."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text("utf-8").rpartition(")")[2].split()[1])
        except OSError:
            continue
        children[parent].append(int(folder.name))
    found = [root]
    for process in found:
        found += children[process]
    return found


def memory_mb(process: int) -> float:
    """Return the memory of a process without its descendants (PSS)."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text("utf-8").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


def run_measured(
    command: Sequence[str], environment: dict[str, str], sample_seconds: float = 1.0
) -> MeasuredRun:
    """Run a program to the end of all its processes; exit if it fails."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with (
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process,
        MemoryMeter(process.pid, sample_seconds) as memory,
    ):
        output = process.communicate()[0]
        seconds = time.perf_counter() - begin
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return MeasuredRun(output, seconds, own, memory.peak_parts_mb)
