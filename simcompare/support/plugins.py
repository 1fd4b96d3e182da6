"""Plug-ins: functions of other installed packages, as entry points of three groups (docs/plugins.md).

One that cannot be loaded is named once on standard error, and the rest goes on without it.
"""

import logging
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from simcompare.support.i18n import _

READERS, REPORTS, PASSAGES = "simcompare.readers", "simcompare.reports", "simcompare.passages"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plugin:
    """A function of another package; `package` has its version."""

    name: str
    package: str
    function: Callable[..., Any]


@cache
def plugins(group: str) -> Mapping[str, Plugin]:
    """Return the plug-ins of a group by their names, in the order of packages; the first of a name counts."""
    found: dict[str, Plugin] = {}
    if not _is_any_installed():
        return found
    from importlib.metadata import entry_points  # noqa: PLC0415 - takes 30 ms

    named = [
        (f"{each.dist.name} {each.dist.version}" if each.dist else "", each)
        for each in entry_points(group=group)
    ]
    for package, entry in sorted(named, key=lambda each: (each[0], each[1].name)):
        try:
            function = entry.load()
            if not callable(function):
                raise TypeError(f"{entry.value} is not a function")
        except Exception as error:
            if parent_process() is None:  # workers load the same ones
                warn(package, entry.name, error)
        else:
            found.setdefault(entry.name, Plugin(entry.name, package, function))
    return found


def load_plugins() -> None:
    """Load all, so that those that cannot be loaded are named before the work begins."""
    for group in (READERS, REPORTS, PASSAGES):
        plugins(group)


@cache
def _is_any_installed() -> bool:
    """Search the entry points of all packages as text, which takes 2 ms and not 30."""
    for folder in dict.fromkeys(sys.path):
        for file in Path(folder).glob("*-info/entry_points.txt"):
            with suppress(OSError):
                if b"[simcompare." in file.read_bytes():
                    return True
    return False


_warned: set[tuple[str, str]] = set()


def warn(package: str, name: str, error: BaseException) -> None:
    """Say once that a plug-in is left out, and why."""
    if (package, name) in _warned:
        return
    _warned.add((package, name))
    words = _("The plug-in {plugin} of {package} is left out, as it failed: {cause}")
    _log.warning(words.format(plugin=name, package=package, cause=cause_of(error)))


def cause_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")
