"""Measure how long the GUI thread is blocked between two turns of its event loop, and where."""

import gc
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType

from PySide6.QtCore import QEventLoop, Qt, QTimer

_TURN_MS = 1
_SAMPLE_SECONDS = 0.002
_FRAMES_SHOWN = 9
_STACKS_SHOWN = 6
Stack = tuple[tuple[CodeType, int], ...]
"""Innermost calls with their lines, innermost first."""


@dataclass(slots=True)
class Gap:
    """The longest gap of a phase in wall time and in the thread's own time, and its slowest answer.

    `answer_ms` is the time from a change to the turn after the views have followed it, if measured;
    `answer_own_ms` the thread's own time in it, the sum of all turns.
    """

    wall_ms: float = 0.0
    own_ms: float = 0.0
    answer_ms: float = 0.0
    answer_own_ms: float = 0.0


class GapMeter:
    """Measures the time between two turns of the event loop, by phase."""

    def __init__(self, blame_ms: float | None = None) -> None:
        self.gaps: dict[str, Gap] = defaultdict(Gap)
        self._phase = "idle"
        self._blame = Blame(blame_ms) if blame_ms is not None else None
        self._last = time.perf_counter(), time.thread_time()
        self._loop = QEventLoop()
        self._over: Callable[[], bool] = lambda: True
        self._timer = QTimer(interval=_TURN_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._turn)
        self._timer.start()

    def _turn(self) -> None:
        now = time.perf_counter(), time.thread_time()
        wall_ms, own_ms = ((new - old) * 1000 for new, old in zip(now, self._last, strict=True))
        gap = self.gaps[self._phase]
        gap.wall_ms, gap.own_ms = max(gap.wall_ms, wall_ms), max(gap.own_ms, own_ms)
        if self._blame is not None:
            self._blame.take(self._phase, self._last, now)
        if self._over():
            self._loop.quit()
        self._last = time.perf_counter(), time.thread_time()

    def print_blame(self) -> None:
        """Print where the time of long gaps was spent, if enabled."""
        if self._blame is not None:
            self._blame.print_stacks()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Attribute gaps within the context to this phase."""
        self.wait(0.05)
        self._phase = name
        yield
        self.wait(0.02)
        self._phase = "idle"

    def spin(self, until: Callable[[], bool], limit_seconds: float = 600) -> None:
        """Run the event loop until a condition holds."""
        end = time.perf_counter() + limit_seconds
        self._over = lambda: until() or time.perf_counter() > end
        self._loop.exec()

    def wait(self, seconds: float) -> None:
        """Run the event loop for a while."""
        end = time.perf_counter() + seconds
        self.spin(lambda: time.perf_counter() > end)

    def answer(self, change: Callable[[], object], followed: Callable[[], bool]) -> None:
        """Make a change, and measure the time until the views have followed and painted it."""
        begin, own_begin = time.perf_counter(), time.thread_time()
        change()
        self.spin(followed)
        self.wait(0)  # painting happens in the next turn
        gap = self.gaps[self._phase]
        gap.answer_ms = max(gap.answer_ms, (time.perf_counter() - begin) * 1000)
        gap.answer_own_ms = max(gap.answer_own_ms, (time.thread_time() - own_begin) * 1000)


@dataclass(slots=True)
class _Sample:
    """Stack of the thread at a moment in wall and own time, and stacks of all other threads."""

    wall: float
    own: float
    stack: Stack
    others: tuple[Stack, ...]


class Blame:
    """Samples the GUI thread's stack by a signal, and keeps the samples of the longest gap of each phase.

    A long call without return to Python is sampled once, when it returns, so each sample is weighted by
    the thread's own time since the previous one, which other programs do not prolong. If the thread
    itself used almost no time, it was waiting, mostly for another thread that held the interpreter, so
    the stacks of those threads are reported.
    """

    def __init__(self, limit_ms: float) -> None:
        self._limit_ms = limit_ms
        self._samples: list[_Sample] = []
        self._own: dict[str, tuple[float, Counter[Stack]]] = {}
        self._waited: dict[str, tuple[float, Counter[Stack]]] = {}
        gc.callbacks.append(self._watch_collector)
        signal.signal(signal.SIGALRM, self._sample)
        signal.setitimer(signal.ITIMER_REAL, _SAMPLE_SECONDS)

    def _watch_collector(self, moment: str, _facts: dict[str, int]) -> None:
        """Sample at the start and end of a garbage collection, so that its time has a separate stack."""
        self._sample(0, sys._getframe() if moment == "stop" else sys._getframe(1))

    def _sample(self, _signal: int, frame: FrameType | None) -> None:
        own = threading.get_ident()
        others = tuple(_stack_of(frame) for thread, frame in sys._current_frames().items() if thread != own)
        self._samples.append(_Sample(time.perf_counter(), time.thread_time(), _stack_of(frame), others))
        # start the next one when this is done; otherwise a long one would never finish
        signal.setitimer(signal.ITIMER_REAL, _SAMPLE_SECONDS)

    def take(self, phase: str, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """Keep the samples between two moments (wall, own time) if the gap is the longest so far."""
        samples, self._samples = self._samples, []
        own_ms = (end[1] - begin[1]) * 1000
        waited_ms = (end[0] - begin[0]) * 1000 - own_ms
        if own_ms >= max(self._limit_ms, self._own.get(phase, (0.0,))[0]):
            self._own[phase] = own_ms, _spent_ms(samples, begin[1])
        if waited_ms >= max(self._limit_ms, self._waited.get(phase, (0.0,))[0]):
            self._waited[phase] = waited_ms, _waited_ms(samples, begin)

    def print_stacks(self) -> None:
        """Print the stacks that took most of the longest gap of each phase."""
        for title, worst in (("own", self._own), ("waited", self._waited)):
            for phase, (whole_ms, by_stack) in worst.items():
                print(f"--- {phase}: {title} {whole_ms:.0f} ms")
                for stack, ms in by_stack.most_common(_STACKS_SHOWN):
                    calls = (
                        f"{code.co_filename.rpartition('/')[2]}:{line} {code.co_name}" for code, line in stack
                    )
                    print(f"  {ms:4.0f} ms: " + " < ".join(calls))


def _spent_ms(samples: list[_Sample], begin: float) -> Counter[Stack]:
    """Return the thread's own time by stack."""
    spent: Counter[Stack] = Counter()
    for sample in samples:
        spent[sample.stack] += (sample.own - begin) * 1000
        begin = sample.own
    return spent


def _waited_ms(samples: list[_Sample], begin: tuple[float, float]) -> Counter[Stack]:
    """Return the waiting time by the thread's stack and by the stacks of all other threads."""
    waited: Counter[Stack] = Counter()
    for sample in samples:
        ms = ((sample.wall - begin[0]) - (sample.own - begin[1])) * 1000
        for stack in (sample.stack, *sample.others):
            waited[stack] += ms
        begin = sample.wall, sample.own
    return waited


def _stack_of(frame: FrameType | None) -> Stack:
    calls = []
    while frame is not None and len(calls) < _FRAMES_SHOWN:
        calls.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return tuple(calls)
