"""Environments that stages run in: without a screen, on a virtual screen, without Qt."""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tools.base import VENV, SetupError, call, site_packages, venv_program

NO_QT_VENV = VENV / "noqt"
_QT_DISTRIBUTION = re.compile(r"pyside6|shiboken6|pytest[-_]qt", re.IGNORECASE)


def has_screen(platform: str, environ: Mapping[str, str]) -> bool:
    """Return whether a window can be shown: always on Windows and macOS, elsewhere with X11 or Wayland."""
    if platform in {"win32", "darwin"}:
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


@contextmanager
def no_screen() -> Iterator[dict[str, str]]:
    """Yield the environment variables that make Qt draw into memory."""
    yield {"QT_QPA_PLATFORM": "offscreen"}


@contextmanager
def virtual_screen() -> Iterator[dict[str, str]]:
    """Run Xvfb on a free display, and yield the environment variables to show windows on it."""
    if not shutil.which("Xvfb"):
        raise SetupError("Xvfb is missing: sudo apt-get install xvfb xdotool")
    reader, writer = os.pipe()
    screen = ["-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), *screen],
        pass_fds=[writer],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as display:
            number = display.readline().strip()
        if not number:
            raise SetupError("Xvfb did not start.")
        yield {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
    finally:
        server.terminate()
        server.wait()


def is_qt(distribution: str) -> bool:
    """Return whether a distribution is Qt or needs Qt."""
    return _QT_DISTRIBUTION.match(distribution) is not None


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:  # a file system without hard links
        shutil.copy2(source, target)


def link_all_but_qt(source: Path, target: Path) -> None:
    """Hard-link all distributions but Qt's from one site-packages folder into another."""
    for distribution in importlib.metadata.distributions(path=[str(source)]):
        if is_qt(distribution.name):
            continue
        for file in distribution.files or ():
            # and what stages before have compiled of it, which the processes of this one would compile again
            for part in (Path(file), Path(importlib.util.cache_from_source(str(file)))):
                # files outside site-packages are programs, which the tests do not start
                if ".." not in part.parts and (source / part).is_file() and not (target / part).exists():
                    _link(source / part, target / part)


@contextmanager
def without_qt() -> Iterator[dict[str, str]]:
    """Make an environment with everything but Qt.

    Linking takes one second, a second pip install one minute. Blocking the import would be a weaker test:
    with links, PySide6 is not installed at all.
    """
    if call([sys.executable, "-m", "venv", "--clear", "--without-pip", NO_QT_VENV]) != 0:
        raise SetupError("Python could not make the environment without Qt.")
    link_all_but_qt(site_packages(VENV), site_packages(NO_QT_VENV))
    check = "import importlib.util as u, sys; sys.exit(any(map(u.find_spec, ['PySide6', 'shiboken6'])))"
    if call([venv_program(NO_QT_VENV, "python"), "-c", check]) != 0:
        raise SetupError("The environment without Qt contains Qt.")
    yield {}
