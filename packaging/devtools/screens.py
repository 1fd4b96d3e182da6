"""Screens: a real one, a virtual one, none."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from devtools.base import SetupError


def has_screen(platform: str, environ: Mapping[str, str]) -> bool:
    """Tell whether a window can be shown: always on Windows and macOS, elsewhere on X11 or Wayland."""
    if platform in {"win32", "darwin"}:
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


@contextmanager
def virtual_screen() -> Iterator[dict[str, str]]:
    """Run Xvfb on a free display and yield the variables that bring a window onto it."""
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


@contextmanager
def no_screen() -> Iterator[dict[str, str]]:
    """Yield the variables under which Qt draws into memory."""
    yield {"QT_QPA_PLATFORM": "offscreen"}
