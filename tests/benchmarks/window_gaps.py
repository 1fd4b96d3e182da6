"""Gaps of the GUI thread in each operation of the window, and time until the window is shown.

Runs all operations in the real window (offscreen without a display), each run in a separate process.
Prints for each load and operation the longest gap between two turns of the event loop (smallest, median
and largest of --repeat runs), and for the median run the thread's own time, which other programs do not
prolong, and the time from a changed setting until all views have followed, with the own time in it. The
start is measured with compiled modules, as users have them: a first run, which compiles them, does not count.

    python tests/benchmarks/window_gaps.py --loads "8,000 sentences" --repeat 3
    python tests/benchmarks/window_gaps.py --loads "300 files" --repeat 1 --blame 50
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from gap_meter import GapMeter
from PySide6.QtWidgets import QApplication
from window_loads import LOADS, write_load
from window_operations import SimulatedUser

from simcompare.ui.app import SWITCH_INTERVAL_SECONDS, GarbageCollector
from simcompare.ui.preferences import Preferences
from simcompare.ui.window_assembly import whole_window

START = """
import gc, time
gc.disable()  # as simcompare.__main__
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from simcompare.ui.app import GarbageCollector
from simcompare.ui.window_assembly import whole_window
from simcompare.ui.preferences import Preferences
application = QApplication([])
window = whole_window(Preferences())
window.show()
QTimer.singleShot(0, lambda: (print(time.process_time(), flush=True), window.close(), application.quit()))
application.exec()
"""
FIGURES = "figures: "
_OWN_FIGURES = ("own_ms", "answer_ms", "answer_own_ms")
Gaps = dict[str, dict[str, float]]


def startup_seconds(repeat: int) -> list[tuple[float, float]]:
    """Measure from starting Python to the first turn of the event loop with a visible window.

    Returns pairs of seconds: wall time, own processor time.
    """
    times = []
    with tempfile.TemporaryDirectory() as folder:
        folders = dict.fromkeys(("PYTHONPYCACHEPREFIX", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), folder)
        environment = os.environ | folders
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-c", START]
        for _ in range(repeat + 1):
            begin = time.perf_counter()
            with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout is not None
                own_seconds = process.stdout.readline().strip()
                times.append((time.perf_counter() - begin, float(own_seconds)))
    return times[1:]


def measure_here(load: str, folder: Path, blame_ms: float | None) -> Gaps:
    """Use a window with a load, and return the longest gaps by operation."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    application = QApplication([])
    window = whole_window(Preferences())
    window.use_language("en")
    window.resize(1600, 900)  # wide enough for the heatmap
    window.show()
    window.workspace.warm()
    GarbageCollector(window)
    meter = GapMeter(blame_ms)
    meter.wait(2)  # wait for the reader processes to start
    person = SimulatedUser(window, meter)
    person.add_and_compare(write_load(load, folder))
    if load == "300 files":
        person.open_pair()
    person.change_settings()
    person.navigate()
    person.use_heatmap()
    person.change_window()
    if load == "300 files":
        person.use_table()
        person.remove_all()
    else:
        person.start_and_stop()
    application.quit()
    meter.print_blame()
    return {name: asdict(gap) for name, gap in meter.gaps.items()}


def measure(load: str, repeat: int, blame_ms: float | None) -> list[Gaps]:
    """Return the gaps of several runs, each in a separate process."""
    runs = []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
            command = [sys.executable, __file__, "--run", load, "--folder", folder]
            command += [] if blame_ms is None else ["--blame", str(blame_ms)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        if done.returncode or not lines or not lines[-1].startswith(FIGURES):
            raise SystemExit(done.stdout + done.stderr)
        print("".join(f"{line}\n" for line in lines[:-1]), end="")
        runs.append(json.loads(lines[-1].removeprefix(FIGURES)))
    return runs


def show(load: str, runs: list[Gaps]) -> None:
    """Print the table of a load."""
    average = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"\n{load}: ms, {len(runs)} runs, load average {average}")
    print(f"  {'':24s}{'least':>8s}{'median':>8s}{'most':>8s}{'own':>8s}{'answer':>8s}{'own':>8s}")
    for name in runs[0]:
        if name != "idle":
            gaps = [run[name] for run in runs]
            walls = [gap["wall_ms"] for gap in gaps]
            figures = [min(walls), statistics.median(walls), max(walls)]
            figures += [statistics.median(gap[key] for gap in gaps) for key in _OWN_FIGURES]
            print(f"  {name:24s}" + "".join(f"{figure:8.0f}" if figure else f"{'':8s}" for figure in figures))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--loads", nargs="+", choices=LOADS, default=LOADS, metavar="LOAD")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--blame", type=float, metavar="MS", help="print the stacks of gaps beyond this")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if arguments.run:
        gaps = measure_here(arguments.run, arguments.folder, arguments.blame)
        print(FIGURES + json.dumps(gaps), flush=True)
        os._exit(0)  # the measurement ends with the window
    walls, owns = zip(*startup_seconds(arguments.repeat), strict=True)
    wall, own = statistics.median(walls), statistics.median(owns)
    print(f"start to shown window: fastest {min(walls):.2f} s, median {wall:.2f} s, own {own:.2f} s")
    for load in arguments.loads:
        show(load, measure(load, arguments.repeat, arguments.blame))


if __name__ == "__main__":
    main()
