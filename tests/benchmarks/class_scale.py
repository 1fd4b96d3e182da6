"""Growth of a class from 50 to 400 essays: time and memory, on the command line and in the window.

    python -m tests.benchmarks.class_scale [--sizes 50 100 200 400] [--parts command,window,zip] [--svg FILE]

Writes essays of 2,000 characters on one task as DOCX, PDF, HTML and text, with the cover of a class, a few
of them copied in part. The text is random: each character follows two others as in the Chinese articles of
`zh-dev`, or in tests/data without these.

command  `simcompare check FOLDER --to json`
window   the folder dropped on the window (offscreen without a display): until the first share of a pair, and
         until all pairs are compared; the longest gaps of the GUI thread
zip      the same with one zip archive, whose Word files hold --megabytes of pictures

Processor time is that of all processes; other load on the machine prolongs it little. Memory is the sum of
all processes, memory they share counted once (PSS), Linux only. --blame prints where the time of longer gaps
(in ms) went.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication

from simcompare.evaluation.experiment import Chart, Series, render_svg
from simcompare.ui.app import SWITCH_INTERVAL_SECONDS, GarbageCollector
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.window_assembly import whole_window
from tests.benchmarks.gap_meter import GapMeter
from tests.benchmarks.process_meter import run_measured
from tests.helpers.documents import SHARED, own_texts
from tests.helpers.essay_files import write_docx, write_html, write_pdf_by_qt, write_text

SOURCE = SHARED / "bench" / "zh-dev" / "src"
SIZES = (50, 100, 200, 400)
PARTS = ("command", "window", "zip")
CHARACTERS, PARAGRAPHS = 2000, 8
COPY_EVERY = 20
COVER = [
    "第二中学作文",
    "姓名：{name}",
    "班级：高一（3）班",
    "题目：写一篇文章，谈谈家乡近年来的一个变化，不少于八百字。",
    "要求：观点明确，内容具体；不得抄袭，不得套作。",
]
WRITERS: dict[str, Callable[[Path, str, list[str]], Path]] = {
    ".docx": write_docx, ".pdf": write_pdf_by_qt, ".html": write_html, ".txt": write_text,
}  # fmt: skip
LIMIT_SECONDS = 1800
_RESULT = "result: "


@dataclass(slots=True)
class Measured:
    """Figures of a run, in seconds and MB; gaps of the GUI thread in ms (of the thread's own time)."""

    seconds: float
    own_seconds: float
    first_seconds: float | None
    memory_mb: float
    gaps_ms: dict[str, tuple[float, float]]


# --- essays -------------------------------------------------------------------------------------------------


def write_class(folder: Path, size: int) -> None:
    """Write the essays of a class; every twentieth has half of the one before it."""
    texts = random_texts()
    before: list[str] = []
    for number in range(size):
        paragraphs = next(texts)
        if number % COPY_EVERY == COPY_EVERY - 1:
            paragraphs[: PARAGRAPHS // 2] = before[: PARAGRAPHS // 2]
        before = paragraphs
        name = f"{20260001 + number} 学生{number:03}"
        suffix = list(WRITERS)[number % len(WRITERS)]
        cover = [line.format(name=name[9:]) for line in COVER[1:]]
        WRITERS[suffix](folder / f"{name}{suffix}", COVER[0], [*cover, *paragraphs])


def random_texts() -> Iterator[list[str]]:
    """Yield the paragraphs of one essay after the other."""
    articles = [path.read_text("utf-8") for path in sorted(SOURCE.glob("*.txt"))] or own_texts()
    text = "".join("".join(articles).split())
    after: defaultdict[str, str] = defaultdict(str)
    for place in range(len(text) - 2):
        after[text[place : place + 2]] += text[place + 2]
    maker = random.Random(6)
    while True:
        yield [_paragraph(after, text, maker) for _paragraph_number in range(PARAGRAPHS)]


def _paragraph(after: dict[str, str], text: str, maker: random.Random) -> str:
    written = ""
    while len(written) < CHARACTERS // PARAGRAPHS:
        start = maker.randrange(len(text) - 2)
        written += text[start : start + 2]
        while len(written) < CHARACTERS // PARAGRAPHS and (following := after.get(written[-2:], "")):
            written += maker.choice(following)
            if maker.random() < 0.1:
                break
    return f"{written.strip('，。、；：')}。"


def packed(folder: Path, megabytes: int) -> Path:
    """Pack a folder into one archive, with pictures of this size in the Word files."""
    archive, paths = folder.with_suffix(".zip"), sorted(folder.iterdir())
    size = megabytes * 1_000_000 // sum(path.suffix == ".docx" for path in paths)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as package:
        for path in paths:
            if path.suffix == ".docx":
                with zipfile.ZipFile(path, "a") as document:
                    document.writestr("word/media/picture.jpg", random.Random(1).randbytes(size))
            package.write(path, f"{path.stem}/{path.name}")
    return archive


# --- measuring ----------------------------------------------------------------------------------------------


def measure_command(folder: Path, environment: dict[str, str]) -> Measured:
    output = folder.with_suffix(".json")
    command = [
        sys.executable,
        "-m",
        "simcompare",
        "check",
        str(folder),
        "--to",
        "json",
        "--output",
        str(output),
    ]
    run = run_measured(command, environment)
    pairs = json.loads(output.read_text("utf-8"))["pairs"]
    print(f"{len(pairs):,} pairs, {sum(pair['unusual'] for pair in pairs)} unusual", flush=True)
    return Measured(run.seconds, run.own_seconds, None, run.peak_mb, {})


def measure_window(place: Path, size: int, environment: dict[str, str], blame_ms: float | None) -> Measured:
    # with -m, each worker would import this module and with it the window, unlike those of the program
    start = "from tests.benchmarks.class_scale import main; main()"
    command = [sys.executable, "-c", start, "--run", str(place), "--sizes", str(size)]
    command += [] if blame_ms is None else ["--blame", str(blame_ms)]
    run = run_measured(command, environment)
    print(run.output.partition(_RESULT)[0], end="", flush=True)
    found = json.loads(run.output.rpartition(_RESULT)[2])
    return Measured(**{**found, "own_seconds": run.own_seconds, "memory_mb": run.peak_mb})


# --- in the process of the window


def use_window(place: Path, size: int, blame_ms: float | None) -> Measured:
    """Drop a folder or archive on the window and wait until all pairs are compared."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    application = QApplication([])
    window = whole_window(Preferences())
    window.resize(1366, 768)
    window.show()
    window.workspace.warm()
    GarbageCollector(window)
    meter = GapMeter(blame_ms)
    meter.wait(2)
    pairs, documents = window.workspace.pairs, window.workspace.documents
    begin = time.perf_counter()
    first_seconds = None

    def all_read() -> bool:
        nonlocal first_seconds
        done, total = documents.reading_count
        if first_seconds is None and pairs._scores:
            first_seconds = time.perf_counter() - begin
            print(f"first share after {first_seconds:.1f} s, {done} of {total} files read")
        return total >= size and done == total

    with meter.phase("read"):
        drop(window, place)
        meter.spin(all_read, LIMIT_SECONDS)
    read_seconds = time.perf_counter() - begin
    with meter.phase("compare"):
        meter.spin(lambda: not window.workspace.is_busy and not pairs.is_busy, LIMIT_SECONDS)
    seconds = time.perf_counter() - begin
    print(f"read after {read_seconds:.1f} s, {len(pairs._scores):,} pairs after {seconds:.1f} s")
    with meter.phase("sort"):
        for column in PairColumn:
            window.pairs_view.sort_by(column)
            meter.wait(0.1)
    with meter.phase("filter"):
        for text in ("1", "12", ""):
            window.pairs_view.filter.text.setText(text)
            meter.wait(0.1)
    with meter.phase("threshold"):
        window.tool_bar.strictness.sliders.weights_changed.emit(0.4, 0.6)
        meter.spin(lambda: not window.workspace.is_busy, LIMIT_SECONDS)
    window.close()
    meter.print_blame()
    application.processEvents()
    gaps = {phase: (gap.wall_ms, gap.own_ms) for phase, gap in meter.gaps.items() if phase != "idle"}
    return Measured(seconds, 0.0, first_seconds, 0.0, gaps)


def drop(window: MainWindow, place: Path) -> None:
    """Drop a file or folder on the window, as the system does."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(place))])
    where = QPoint(600, 400)
    no_key, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    handle = window.windowHandle()
    enter = QDragEnterEvent(where, Qt.DropAction.CopyAction, mime, button, no_key)
    QApplication.sendEvent(handle, enter)
    QApplication.sendEvent(handle, QDropEvent(QPointF(where), Qt.DropAction.CopyAction, mime, button, no_key))


# --- results ------------------------------------------------------------------------------------------------


def print_table(results: dict[str, dict[int, Measured]]) -> None:
    print("\n| part | essays | s | processor s | first figures, s | memory, MB | longest gaps, ms (own) |")
    print("|---|---|---|---|---|---|---|")
    for part, sizes in results.items():
        for size, found in sizes.items():
            first = "" if found.first_seconds is None else f"{found.first_seconds:.1f}"
            gaps = ", ".join(
                f"{phase} {wall:.0f} ({own:.0f})" for phase, (wall, own) in found.gaps_ms.items()
            )
            print(
                f"| {part} | {size} | {found.seconds:.1f} | {found.own_seconds:.1f} | {first} "
                f"| {found.memory_mb:.0f} | {gaps} |"
            )


def plot(results: dict[str, dict[int, Measured]]) -> str:
    """Draw time, processor time and memory over the number of essays."""
    sizes = tuple(next(iter(results.values())))
    figures = {
        "Time": ("seconds", lambda found: found.seconds),
        "Processor time of all processes": ("seconds", lambda found: found.own_seconds),
        "Peak memory of all processes": ("MB", lambda found: found.memory_mb),
        "First share of a pair": ("seconds", lambda found: found.first_seconds),
    }
    return render_svg(
        [
            Chart(
                title,
                "essays of 2,000 characters",
                unit,
                tuple(map(str, sizes)),
                tuple(
                    Series(part, values)
                    for part, found in results.items()
                    if any(values := tuple(of(found[size]) for size in sizes))
                ),
                "lines",
            )
            for title, (unit, of) in figures.items()
        ]
    )


def measure(
    sizes: Sequence[int], parts: Sequence[str], megabytes: int, blame_ms: float | None
) -> dict[str, dict[int, Measured]]:
    results: dict[str, dict[int, Measured]] = {part: {} for part in parts}
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "class"
            folder.mkdir()
            write_class(folder, size)
            environment = {**os.environ, "XDG_DATA_HOME": name, "XDG_CONFIG_HOME": name}
            for part in parts:
                if part == "command":
                    found = measure_command(folder, environment)
                else:
                    place = packed(folder, megabytes) if part == "zip" else folder
                    found = measure_window(place, size, environment, blame_ms)
                results[part][size] = found
                print(f"{part} {size}: {asdict(found)}", flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--svg", type=Path, help="write a plot of the growth")
    parser.add_argument("--blame", type=float, metavar="MS", help="print the stacks of gaps beyond this")
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if arguments.run:
        found = use_window(arguments.run, arguments.sizes[0], arguments.blame)
        print(_RESULT + json.dumps(asdict(found)), flush=True)
        os._exit(0)  # the measurement ends with the window
    _application = QGuiApplication([])  # for PDF
    results = measure(arguments.sizes, arguments.parts.split(","), arguments.megabytes, arguments.blame)
    print_table(results)
    if arguments.svg:
        arguments.svg.write_text(plot(results), encoding="utf-8")


if __name__ == "__main__":
    main()
