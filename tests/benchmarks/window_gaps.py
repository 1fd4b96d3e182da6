"""How long the GUI thread stands still, and how soon the window is shown.

Compares two texts of --sentences sentences each in the real window (offscreen unless a screen is
there) while a timer measures the longest time between two turns of the event loop, for each phase:
reading, comparing, moving a slider, stepping through matches, scrolling, closing. The start is measured
in processes of their own. Prints a table; the fastest and the median of --repeat runs for the start.

    python tests/benchmarks/window_gaps.py --sentences 2000
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QScrollBar

from simcompare.ui.app import SWITCH_INTERVAL_SECONDS
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.preferences import Preferences
from simcompare.ui.state.side import Side

BENCH = Path(__file__).parents[3] / "shared" / "bench" / "zh-dev" / "src"
START = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.preferences import Preferences
application = QApplication([])
window = MainWindow(Preferences())
window.show()
QTimer.singleShot(0, lambda: (print("shown", flush=True), window.close(), application.quit()))
application.exec()
"""


def seconds_to_shown_window(repeat: int) -> list[float]:
    """Return the seconds from starting Python to the first turn of the event loop with the window shown."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        with subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            if process.stdout.readline().strip() != "shown":
                raise SystemExit("the window did not start")
            times.append(time.perf_counter() - begin)
    return times


def write_texts(folder: Path, sentences: int) -> list[Path]:
    """Write two texts of real sentences, a third of them in both; own nonsense where there is no bench."""
    pool = _real_sentences() or _made_up_sentences(3 * sentences)
    random.Random(7).shuffle(pool)
    pool = (pool * (2 * sentences // len(pool) + 1))[: 2 * sentences]
    left, right = pool[:sentences], pool[sentences:]
    right[::3] = left[::3]
    paths = [folder / "left.txt", folder / "right.txt"]
    for path, text in zip(paths, (left, right), strict=True):
        path.write_text("\n".join(text), encoding="utf-8")
    return paths


def _real_sentences() -> list[str]:
    if not BENCH.is_dir():
        return []
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(BENCH.glob("*.txt")))
    return [piece.strip() + "。" for piece in text.replace("\n", "。").split("。") if len(piece) > 10]


def _made_up_sentences(count: int) -> list[str]:
    letters = [chr(0x4E00 + i) for i in range(2000)]
    maker = random.Random(3)
    return ["".join(maker.choices(letters, k=maker.randint(15, 60))) + "。" for _ in range(count)]


class GapMeter:
    """Measures the longest time between two turns of the event loop, by phase, in milliseconds."""

    def __init__(self, application: QApplication) -> None:
        self.longest_ms: dict[str, float] = {}
        self.phase = "idle"
        self._application = application
        self._last_turn = time.perf_counter()
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._turn)
        self._timer.start()

    def _turn(self) -> None:
        now = time.perf_counter()
        gap_ms = (now - self._last_turn) * 1000
        self.longest_ms[self.phase] = max(self.longest_ms.get(self.phase, 0.0), gap_ms)
        self._last_turn = now

    def spin(self, until: Callable[[], bool], limit_seconds: float = 120) -> None:
        end = time.perf_counter() + limit_seconds
        while not until() and time.perf_counter() < end:
            self._application.processEvents()

    def wait(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        self.spin(lambda: time.perf_counter() > end)


def measure_gaps(paths: list[Path]) -> dict[str, float]:
    """Return the longest gap of each phase in milliseconds."""
    application = QApplication([])
    window = MainWindow(Preferences())
    window.resize(1280, 800)
    window.show()
    window.workspace.warm()
    meter = GapMeter(application)
    meter.wait(2)  # the reading processes start
    meter.phase = "read and compare"
    window.workspace.documents.add(paths)
    meter.spin(lambda: window.workspace.comparison is not None)
    meter.wait(0.5)
    use_window(window, meter)
    meter.phase = "compare again"
    window.workspace.compare_afresh()
    meter.spin(lambda: window.workspace.comparison is not None)
    meter.wait(0.5)
    window.workspace.compare_afresh()
    meter.wait(0.05)
    begin = time.perf_counter()
    window.close()
    meter.longest_ms["close during a comparison"] = (time.perf_counter() - begin) * 1000
    return meter.longest_ms


def use_window(window: MainWindow, meter: GapMeter) -> None:
    """Drag a slider, walk through matches, scroll."""
    meter.phase = "move a slider"
    sliders = window.tool_bar.settings_bar.sliders
    for step in range(30, 70):
        sliders.weights_changed.emit(step / 100, step / 100 + 0.2)
        meter.wait(0.02)
    meter.phase = "step through matches"
    for _ in range(40):
        window.workspace.selection.select_step(1)
        meter.wait(0.02)
    meter.phase = "scroll"
    bars = window.compare_view.panes[Side.LEFT].findChildren(QScrollBar)
    bar = max(bars, key=lambda one: one.maximum())
    for step in range(40):
        bar.setValue(bar.maximum() * step // 40)
        meter.wait(0.02)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        times = seconds_to_shown_window(arguments.repeat)
        print(f"start to shown window: fastest {min(times):.2f} s, median {statistics.median(times):.2f} s")
        gaps = measure_gaps(write_texts(Path(folder), arguments.sentences))
        print(f"longest gap of the GUI thread, {arguments.sentences} x {arguments.sentences} sentences")
        for phase, gap in gaps.items():
            print(f"  {phase:28s} {gap:7.1f} ms")


if __name__ == "__main__":
    main()
