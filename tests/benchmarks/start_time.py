"""Time from the start of a program to its painted window: empty PySide6 window, .venv, bundle (Linux).

    .venv/bin/python tests/benchmarks/start_time.py [--runs 7] [--bundle dist/simcompare] [--cold]

The programs start in turn on a screen of their own (Xvfb). A window counts as painted when the middle of
the screen changes. Prints medians, and ratios to the empty window. The processor time is that of the process
of the window until then. --cold removes the files of the bundle from the cache of the system before each
start.
"""

import argparse
import ctypes
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from tools.surroundings import virtual_screen  # noqa: E402

LIMIT_SECONDS = 120.0
POLL_SECONDS = 0.004
MIDDLE = (400, 300)
_Z_PIXMAP, _ALL_PLANES = 2, -1
EMPTY_WINDOW = """
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
window.resize(1000, 700)
window.show()
application.exec()
"""


class Start(NamedTuple):
    """Seconds and processor seconds until the window was painted."""

    seconds: float
    processor_seconds: float


class Screen:
    """Connection to an X server."""

    def __init__(self, display: str) -> None:
        self._x11 = ctypes.CDLL("libX11.so.6")
        for function in (self._x11.XOpenDisplay, self._x11.XGetImage):
            function.restype = ctypes.c_void_p
        self._x11.XDefaultRootWindow.restype = self._x11.XGetPixel.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(display.encode()))
        self._root = ctypes.c_ulong(self._x11.XDefaultRootWindow(self._display))

    def middle_colour(self) -> int:
        """Colour in the middle of the screen."""
        image = ctypes.c_void_p(
            self._x11.XGetImage(
                self._display, self._root, *MIDDLE, 1, 1, ctypes.c_ulong(_ALL_PLANES), _Z_PIXMAP
            )
        )
        colour = int(self._x11.XGetPixel(image, 0, 0))
        self._x11.XDestroyImage(image)
        return colour


def measured_start(command: Sequence[str], environment: dict[str, str], screen: Screen) -> Start:
    """Start a program, and end it when its window is painted."""
    before = screen.middle_colour()
    begin = time.perf_counter()
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        while screen.middle_colour() == before:
            if process.poll() is not None or time.perf_counter() - begin > LIMIT_SECONDS:
                raise SystemExit(f"no window: {' '.join(command)}")
            time.sleep(POLL_SECONDS)
        return Start(time.perf_counter() - begin, _processor_seconds(process.pid))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(LIMIT_SECONDS)
        while screen.middle_colour() != before:
            time.sleep(POLL_SECONDS)


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def forget_files(folder: Path) -> None:
    """Remove the files of a folder from the cache of the system."""
    os.sync()
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


@contextmanager
def environment() -> Iterator[dict[str, str]]:
    """Yield the environment of the programs: a screen, and a data folder without settings."""
    with tempfile.TemporaryDirectory() as folder, virtual_screen() as variables:
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        yield {**inherited, **variables, "SIMCOMPARE_DATA": folder}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--bundle", type=Path, default=ROOT / "dist" / "simcompare")
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    programs = {
        "empty window": [sys.executable, "-c", EMPTY_WINDOW],
        ".venv": [str(ROOT / ".venv" / "bin" / "simcompare-gui")],
        "bundle": [str(options.bundle / "simcompare-gui")],
    }
    if not Path(*programs["bundle"]).is_file():
        del programs["bundle"]
    starts: dict[str, list[Start]] = {name: [] for name in programs}
    with environment() as variables:
        screen = Screen(variables["DISPLAY"])
        for run in range(options.runs + 1):
            for name, command in programs.items():
                if options.cold and name == "bundle":
                    forget_files(options.bundle)
                start = measured_start(command, variables, screen)
                if run:  # the first ones read files from the disk
                    starts[name].append(start)
    empty = _medians(starts["empty window"])
    for name, measured in starts.items():
        seconds, processor_seconds = _medians(measured)
        print(
            f"{name:14}{seconds:6.2f} s ({seconds / empty.seconds:.2f} times), "
            f"from {min(measured).seconds:.2f} to {max(measured).seconds:.2f}; processor "
            f"{processor_seconds:.2f} s ({processor_seconds / empty.processor_seconds:.2f} times)"
        )
    print(f"{options.runs} starts each, load {os.getloadavg()[0]:.1f}")


def _medians(starts: Sequence[Start]) -> Start:
    return Start(*(statistics.median(column) for column in zip(*starts, strict=True)))


if __name__ == "__main__":
    main()
