"""What happens with inputs far larger than a class: time, memory of all processes, and what is said.

    python -m tests.benchmarks.large_inputs [--inputs NAME ...] [--ways WAY ...] [--stop SECONDS]

500 essays, a folder of 5,000 files, a text of 50 MB, two texts of 30,000, 50,000 or 100,000 sentences each
and a PDF of 3,000 pages, all made of random sentences. `command` runs simcompare as a process; `window`
drops the files on the window, offscreen without a display, and compares the first two. What is not done
after --stop seconds is interrupted as by Ctrl+C, or by closing the window; the time until all processes
have ended is printed. `cancel` clicks Cancel while files are read and while they are compared: seconds
until the work has ended, longest gap of the event loop, memory of all processes before and 5 seconds later,
and whether further files are read and compared.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.process_meter import MemoryMeter, memory_mb, process_tree
from tests.helpers.documents import own_texts
from tests.helpers.pdf_files import drawn, write_pdf

if TYPE_CHECKING:
    from simcompare.ui.main_window import MainWindow
    from tests.benchmarks.gap_meter import GapMeter

_LETTERS = sorted({letter for text in own_texts() for letter in text if "\u4e00" <= letter <= "\u9fff"})
_SAMPLE_SECONDS = 0.3
_WAYS = ("command", "window", "cancel")


def _sentences(count: int, seed: int) -> list[str]:
    maker = random.Random(seed)
    return ["".join(maker.choices(_LETTERS, k=maker.randint(10, 24))) + "。" for _sentence in range(count)]


def _write_essays(folder: Path, count: int, sentences: int) -> list[Path]:
    before: list[str] = []
    for number in range(count):
        essay = _sentences(sentences, number)
        if number % 20 == 1:
            essay[: sentences // 2] = before[: sentences // 2]
        before = essay
        _write(folder / f"{20260001 + number}.txt", essay)
    return [folder]


def _write_pair(folder: Path, count: int) -> list[Path]:
    left, right = _sentences(count, 1), _sentences(count, 2)
    right[::10] = left[::10]
    return [_write(folder / f"{name}.txt", text) for name, text in (("left", left), ("right", right))]


def _write_next(paths: Sequence[str]) -> list[Path]:
    """Write short texts beside the files, to be added after these were cancelled."""
    folder = Path(paths[0]).parent
    return [_write(folder / f"next-{number}.txt", _sentences(30, number)) for number in (5, 6)]


def _write_large_text(folder: Path) -> list[Path]:
    sentences = _sentences(10_000, 3)
    large = sentences * (50_000_000 // len("".join(sentences).encode()))
    return [_write(folder / "large.txt", large), _write(folder / "small.txt", sentences[:50])]


def _write(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("\n".join(lines), "utf-8")
    return path


def _write_pages(folder: Path, pages: int) -> list[Path]:
    maker = random.Random(4)
    words = re.findall(r"[a-z]+", own_texts("en")[0])[:14]

    def page() -> str:
        return "".join(
            drawn(" ".join(maker.choices(words, k=12)) + ".", 72, 780 - 16 * row, 10) for row in range(45)
        )

    pdf = write_pdf(folder / "pages.pdf", *(page() for _page in range(pages)))
    return [pdf, _write(folder / "small.txt", [" ".join(words) + "."] * 9)]


_INPUTS: dict[str, tuple[Callable[[Path], list[Path]], str]] = {
    "500 essays": (lambda folder: _write_essays(folder, 500, 30), "check"),
    "5,000 files": (lambda folder: _write_essays(folder, 5_000, 30), "check"),
    "50 MB of text": (_write_large_text, "compare"),
    "30,000 sentences": (lambda folder: _write_pair(folder, 30_000), "compare"),
    "50,000 sentences": (lambda folder: _write_pair(folder, 50_000), "compare"),
    "100,000 sentences": (lambda folder: _write_pair(folder, 100_000), "compare"),
    "3,000 pages": (lambda folder: _write_pages(folder, 3_000), "compare"),
}


def measure(command: Sequence[str], home: Path, stop_seconds: float) -> str:
    """Run a program, interrupt it if it takes too long, and return a line of figures and its last words."""
    environment = {**os.environ, "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    said, begin = home / "said.txt", time.perf_counter()
    with (
        said.open("wb") as output,
        subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        ) as process,
        MemoryMeter(process.pid, _SAMPLE_SECONDS) as memory,
    ):
        used = stopped = 0.0
        while process.poll() is None:
            used = max(used, _processor_seconds(process.pid))
            if not stopped and time.perf_counter() - begin > stop_seconds:
                stopped = time.perf_counter()
                # Ctrl+C of a terminal reaches all processes of the group
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(_SAMPLE_SECONDS)
    ended = f", interrupted; ended after {time.perf_counter() - stopped:.1f} s" if stopped else ""
    parts = " + ".join(f"{part:.0f}" for part in memory.peak_parts_mb if part >= 1)
    lines = said.read_text("utf-8", "replace").replace("\r", "\n").splitlines()
    last = " | ".join([line for line in lines if line.strip()][-5:])
    return (
        f"status {process.returncode}, {time.perf_counter() - begin:.0f} s, {used:.0f} s of processor time, "
        f"{sum(memory.peak_parts_mb):.0f} MB = {parts}{ended}\n    says: {last[:1000]}"
    )


def _processor_seconds(root: int) -> float:
    """Return the time used by a process with its descendants, ended ones included if they were waited for."""
    ticks = 0
    for process in process_tree(root):
        try:
            fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _open_window() -> "tuple[MainWindow, GapMeter]":
    """Open a window and wait for its processes, with what it needs kept by its application."""
    from PySide6.QtWidgets import QApplication

    from simcompare.ui.app import SWITCH_INTERVAL_SECONDS, GarbageCollector
    from simcompare.ui.preferences import Preferences
    from simcompare.ui.window_assembly import whole_window
    from tests.benchmarks.gap_meter import GapMeter

    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    application = QApplication([])
    window = whole_window(Preferences())
    window.use_language("en")
    window.resize(1366, 768)
    window.show()
    window.workspace.warm()
    GarbageCollector(window)
    meter = GapMeter(None)
    meter.wait(2)
    application.setProperty("kept", (window, meter))
    return window, meter


def cancel_in_window() -> None:
    """Drop the files of the command line on the window, and cancel; then compare others."""
    from tests.benchmarks.class_scale import drop

    stop_seconds, paths = float(sys.argv[1]), sys.argv[2:]
    window, meter = _open_window()
    workspace = window.workspace
    documents, pairs, button = workspace.documents, workspace.pairs, window.status_line.cancel_button

    def is_busy() -> bool:
        return workspace.is_busy or pairs.is_busy

    def is_reading() -> bool:
        done, total = documents.reading_count
        return min(100, total // 2) <= done < total and time.perf_counter() > begin + 3

    def is_comparing() -> bool:
        done, total = documents.reading_count
        return done == total and (len(pairs._scores) > 1_000 or workspace.progress is not None)

    for phase, is_time in (("reading", is_reading), ("comparing", is_comparing)):
        begin = time.perf_counter()
        for path in paths:
            drop(window, Path(path))
        meter.wait(1)
        meter.spin(lambda is_time=is_time: is_time() or not is_busy(), stop_seconds)
        notice = window.notice.label.text()[:200]
        state = f"{documents.reading_count} read, {len(pairs._scores)} pairs, notice {notice!r}"
        if not is_time():
            print(f"{phase}: ended before it could be cancelled: {state}")
            continue
        used_mb = sum(map(memory_mb, process_tree(os.getpid())))
        with meter.phase(phase):
            begin = time.perf_counter()
            button.click()
            meter.spin(lambda: not is_busy(), stop_seconds)
            seconds = time.perf_counter() - begin
        meter.wait(5)
        later_mb = sum(map(memory_mb, process_tree(os.getpid())))
        gap = meter.gaps[phase]
        print(
            f"{phase}: ended after {seconds:.1f} s, gap {gap.wall_ms:.0f} ({gap.own_ms:.0f}) ms, "
            f"{used_mb:.0f} MB, later {later_mb:.0f} MB; before: {state}; "
            f"after: {len(documents.entries)} files"
        )
    begin, before = time.perf_counter(), len(pairs._scores)
    for path in _write_next(paths):
        drop(window, path)
    meter.wait(1)
    meter.spin(lambda: documents.reading_count[0] == documents.reading_count[1], stop_seconds)
    read_seconds = time.perf_counter() - begin
    pairs.resume()
    meter.spin(lambda: not is_busy() or len(pairs._scores) > before + 1_000, stop_seconds)
    print(
        f"next: read after {read_seconds:.1f} s, {len(pairs._scores) - before} more pairs, "
        f"{len(documents.entries)} files"
    )
    window.close()


def use_window() -> None:
    """Drop the files of the command line on the window; print gaps and messages once all is compared."""
    from PySide6.QtWidgets import QApplication

    from tests.benchmarks.class_scale import drop

    stop_seconds, paths = float(sys.argv[1]), map(Path, sys.argv[2:])
    window, meter = _open_window()
    application = QApplication.instance()
    assert application is not None
    workspace, begin = window.workspace, time.perf_counter()

    def is_done() -> bool:
        done, total = workspace.documents.reading_count
        is_busy = workspace.is_busy or workspace.pairs.is_busy
        is_refused = bool(window.notice.label.text()) and not total
        is_compared = total > 0 and done == total and not is_busy
        return is_refused or is_compared or time.perf_counter() - begin > stop_seconds

    with meter.phase("read and compare"):
        for path in paths:
            drop(window, path)
        meter.wait(3)
        meter.spin(is_done, stop_seconds + 60)
    done, total = workspace.documents.reading_count
    seconds, stopped = time.perf_counter() - begin, time.perf_counter()
    notice = window.notice.label.text()
    with meter.phase("close"):
        window.close()
        application.processEvents()
    gaps = ", ".join(f"{name} {gap.wall_ms:.0f} ({gap.own_ms:.0f}) ms" for name, gap in meter.gaps.items())
    errors = [str(entry.error) for entry in workspace.documents.entries.values() if entry.error is not None]
    print(
        f"{done} of {total} read, {len(workspace.pairs._scores)} pairs after {seconds:.0f} s, "
        f"closed in {time.perf_counter() - stopped:.1f} s; gaps: {gaps}; errors: {errors[:3]}, "
        f"notice: {notice!r}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", nargs="+", choices=_INPUTS, default=list(_INPUTS), metavar="NAME")
    parser.add_argument("--ways", nargs="+", choices=_WAYS, default=_WAYS)
    parser.add_argument("--stop", type=float, default=600)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for name in options.inputs:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
            write, command = _INPUTS[name]
            paths = [str(path) for path in write(Path(folder))]
            # with -m, each worker would import this module
            start = "from tests.benchmarks.large_inputs import {0}; {0}()"
            commands = {
                "command": [sys.executable, "-m", "simcompare", command, *paths, "--language", "en"],
                "window": [sys.executable, "-c", start.format("use_window"), str(options.stop), *paths],
                "cancel": [sys.executable, "-c", start.format("cancel_in_window"), str(options.stop), *paths],
            }
            for way in options.ways:
                seconds = options.stop if way == "command" else options.stop + 120  # it closes itself
                print(f"{name}, {way}: {measure(commands[way], Path(home), seconds)}", flush=True)


if __name__ == "__main__":
    main()
