"""Progress, cancellation and remaining time of long-running work."""

import math
import time
from collections.abc import Callable
from threading import Event
from typing import NamedTuple

from simcompare.support.i18n import ngettext

_TICK_SECONDS = 0.05
_SHORT_SECONDS = 90
_SECONDS_STEP = 5
_LEAST_DONE = 0.05
_LEAST_SECONDS = 1.0

Tick = Callable[[int, int], None]
"""Called as tick(done, total); may raise Cancelled, which the worker must not catch."""


class Cancelled(Exception):  # noqa: N818 - a request, not an error
    """The user cancelled the work; its results are discarded."""


def no_tick(done: int, total: int) -> None:
    """Ignore progress."""


def stoppable(tick: Callable[[int, int], object], stop: Event) -> Tick:
    """Return a tick that raises Cancelled once `stop` is set, and calls another until then."""

    def call(done: int, total: int) -> None:
        if stop.is_set():
            raise Cancelled
        tick(done, total)

    return call


def throttled(tick: Tick) -> Tick:
    """Return a tick that calls another often enough for a progress bar, at the beginning and at the end."""
    last = 0.0

    def call(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _TICK_SECONDS or done in {0, total}:
            last = now
            tick(done, total)

    return call


def estimated_seconds_left(done: int, total: int, seconds: float) -> float | None:
    """Estimate the remaining time at the pace so far; None in the first second and for the first 5%."""
    if done < _LEAST_DONE * total or done <= 0 or seconds < _LEAST_SECONDS:
        return None
    return seconds / done * (total - done)


class Pace(NamedTuple):
    """When work began, in seconds of the monotonic clock, and how much of it was done then."""

    began_seconds: float
    done: int

    @classmethod
    def from_now(cls, done: int) -> "Pace":
        return cls(time.monotonic(), done)

    def seconds_left(self, done: int, total: int) -> float | None:
        """Estimate the remaining time, as `estimated_seconds_left`, by what was done since."""
        seconds = time.monotonic() - self.began_seconds
        return estimated_seconds_left(done - self.done, total - self.done, seconds)


def time_left_in_words(seconds: float) -> str:
    """Return the remaining time, rounded up: in steps of five seconds below a minute and a half."""
    if seconds < _SHORT_SECONDS:
        rounded = max(_SECONDS_STEP, math.ceil(seconds / _SECONDS_STEP) * _SECONDS_STEP)
        return ngettext("{count} second left", "{count} seconds left", rounded)
    return ngettext("{count} minute left", "{count} minutes left", math.ceil(seconds / 60))


def with_time_left(text: str, seconds: float | None) -> str:
    return text if seconds is None else f"{text} · {time_left_in_words(seconds)}"
