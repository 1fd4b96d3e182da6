"""Speed of comparing all pairs of a class in the window, and gaps of its GUI thread.

Writes --documents essays of --sentences real sentences each, some copied in part, and adds them to the real
window (offscreen without a display). Measures by phase, with the GapMeter of window_gaps.py: reading,
comparing all pairs while the table is shown (at most --compare-seconds), sorting by each column, filtering,
moving a threshold, closing. Prints pairs per second, the memory of the results, and a table of gaps; `own`
is the thread's own time, which other load on the machine does not lengthen. --blame prints where the time of
longer gaps (in ms) went.

    python tests/benchmarks/class_pairs.py --documents 300 --sentences 25
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from gap_meter import GapMeter
from PySide6.QtWidgets import QApplication

from simcompare.ui.app import SWITCH_INTERVAL_SECONDS, GarbageCollector
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.preferences import Preferences
from simcompare.ui.window_assembly import whole_window

BENCH = Path(__file__).parents[3] / "shared" / "bench" / "zh-dev" / "src"
COPIES_FROM_EARLIER = 6
LIMIT_SECONDS = 1800


def sentences() -> list[str]:
    """Return real sentences, or made-up ones without the bench texts."""
    if not BENCH.is_dir():
        letters, maker = [chr(0x4E00 + i) for i in range(2000)], random.Random(3)
        return ["".join(maker.choices(letters, k=maker.randint(15, 60))) + "。" for _ in range(4000)]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(BENCH.glob("*.txt")))
    return [piece.strip() + "。" for piece in text.replace("\n", "。").split("。") if len(piece) > 10]


def write_essays(folder: Path, documents: int, length: int) -> list[Path]:
    """Write essays; every sixth one begins like an earlier one."""
    pool, maker = sentences(), random.Random(5)
    essays: list[list[str]] = []
    for number in range(documents):
        essay = maker.sample(pool, length)
        if number % COPIES_FROM_EARLIER == COPIES_FROM_EARLIER - 1:
            copied = maker.randint(3, length // 2)
            essay[:copied] = maker.choice(essays)[:copied]
        essays.append(essay)
    paths = [folder / f"{number:03}.txt" for number in range(documents)]
    for path, essay in zip(paths, essays, strict=True):
        path.write_text("\n".join(essay), encoding="utf-8")
    return paths


def measure(paths: list[Path], compare_seconds: float, blame_ms: float | None) -> None:
    """Compare these files in the window and print times and memory."""
    application = QApplication([])
    window = whole_window(Preferences())
    window.resize(1280, 800)
    window.show()
    window.workspace.warm()
    GarbageCollector(window)
    meter, pairs = GapMeter(blame_ms), window.workspace.pairs
    meter.wait(2)
    total = len(paths) * (len(paths) - 1) // 2
    with meter.phase("read"):
        window.workspace.documents.add(paths)
        meter.spin(lambda: len(pairs.table) == total, LIMIT_SECONDS)
    begin, done = time.perf_counter(), pairs.progress[0]
    with meter.phase("compare"):
        meter.spin(lambda: not window.workspace.is_busy, compare_seconds)
    seconds, done = time.perf_counter() - begin, pairs.progress[0] - done
    print(f"{done:,} of {total:,} pairs in {seconds:.1f} s: {done / seconds:.0f} pairs/s")
    window.workspace.cancel()
    kept = sum(
        sum(column.nbytes for column in (s.cells.rows, s.cells.columns, s.cells.lcs, s.cells.p, s.cells.w))
        for s in pairs._scores.values()
    )
    print(f"cells kept: {kept / max(len(pairs._scores), 1):.0f} bytes a pair")
    with meter.phase("sort"):
        slowest_ms = 0.0
        for column in PairColumn:
            begin = time.perf_counter()
            window.pairs_view.sort_by(column)
            slowest_ms = max(slowest_ms, (time.perf_counter() - begin) * 1000)
            meter.wait(0.1)
    print(f"slowest sort: {slowest_ms:.0f} ms")
    with meter.phase("filter"):
        for text in ("1", "12", ""):
            window.pairs_view.filter.text.setText(text)
            meter.wait(0.1)
    begin = time.perf_counter()
    with meter.phase("move a threshold"):
        window.tool_bar.strictness.sliders.weights_changed.emit(0.4, 0.6)
        meter.spin(lambda: not window.workspace.is_busy, LIMIT_SECONDS)
    print(f"judged again in {time.perf_counter() - begin:.1f} s")
    window.workspace.compare_again()
    begin = time.perf_counter()
    window.close()
    print(f"closed in {(time.perf_counter() - begin) * 1000:.0f} ms")
    print(f"{'longest gap of the GUI thread':32s}{'wall':>9s}{'own':>9s}")
    for phase, gap in meter.gaps.items():
        print(f"  {phase:30s}{gap.wall_ms:6.1f} ms{gap.own_ms:6.1f} ms")
    meter.print_blame()
    application.processEvents()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--sentences", type=int, default=25)
    parser.add_argument("--compare-seconds", type=float, default=LIMIT_SECONDS)
    parser.add_argument("--blame", type=float, metavar="MS")
    arguments = parser.parse_args()
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        paths = write_essays(Path(folder), arguments.documents, arguments.sentences)
        measure(paths, arguments.compare_seconds, arguments.blame)


if __name__ == "__main__":
    main()
