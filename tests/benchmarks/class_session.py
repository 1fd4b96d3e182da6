"""Reopen the session of a class: seconds until table and students are there, pairs scored, longest gap.

python -m tests.benchmarks.class_session [--essays 200] [--characters 2000] [--session FILE]

The essays are made of shuffled pairs of characters of the texts in tests/data, below one question and one
declaration; every tenth is half a copy of the one before. The session is written to FILE, or read from it
if it exists.
"""

import argparse
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from simcompare.cohort.pair_pool import Batch, PairPool
from simcompare.session.session_data import SavedLayout
from simcompare.ui.session.session_keeper import SessionKeeper
from simcompare.ui.state.cohort.pair_rows_data import PairState
from simcompare.ui.state.workspace import Workspace
from tests.benchmarks.gap_meter import GapMeter

DATA = Path(__file__).parents[1] / "data" / "zh"
_QUESTION = "请结合自己的亲身经历写一篇记叙文，题目自拟。我承诺本文由本人独立完成，没有抄袭他人的文字。"
_WORDS_PER_SENTENCE = 14
_MOST_SECONDS = 3600


def write_essays(folder: Path, count: int, characters: int, seed: int = 1) -> list[Path]:
    """Write the essays of a class and return their paths."""
    rng = random.Random(seed)
    words = re.findall(r"\w{2}", "".join(path.read_text("utf-8") for path in sorted(DATA.iterdir())))
    before, paths = "", []
    for number in range(count):
        text = ""
        while len(text) < characters:
            text += "".join(rng.choices(words, k=_WORDS_PER_SENTENCE)) + "。"
        if number % 10 == 9:
            text = before[: characters // 2] + text[characters // 2 :]
        before = text
        path = folder / f"{2025001 + number}.txt"
        path.write_text(f"{_QUESTION}\n{text}", "utf-8")
        paths.append(path)
    return paths


def wait_until(is_done: Callable[[], bool], meter: GapMeter) -> float:
    """Run the event loop until something is done; return the seconds."""
    began = time.monotonic()
    meter.spin(is_done, _MOST_SECONDS)
    return time.monotonic() - began


def is_shown(workspace: Workspace, pairs: int) -> bool:
    """Return whether all figures are those of the current settings."""
    rows = workspace.pairs.table.rows
    return len(rows) == pairs and bool((rows["state"] == PairState.CURRENT).all())


def make_session(path: Path, count: int, characters: int) -> None:
    """Compare a class and save its session."""
    workspace, meter = Workspace(), GapMeter()
    keeper = SessionKeeper(workspace, SavedLayout)
    with tempfile.TemporaryDirectory() as folder:
        workspace.documents.add(write_essays(Path(folder), count, characters))
        compared = wait_until(lambda: not workspace.is_busy, meter)
    done: list[Path] = []
    keeper.saved.connect(done.append)
    keeper.save(path)
    saved = wait_until(lambda: bool(done), meter)
    print(f"read and compared: {compared:.1f} s, saved: {saved:.1f} s, {path.stat().st_size / 1e6:.1f} MB")
    keeper.close()
    workspace.close()


def measure(path: Path, count: int) -> None:
    """Reopen the session and print the figures."""
    scored: list[Batch] = []
    submit = PairPool.submit

    def recorded(pool: PairPool, batch: Batch) -> None:
        scored.append(batch)
        submit(pool, batch)

    PairPool.submit = recorded  # type: ignore[method-assign]
    workspace, meter = Workspace(), GapMeter()
    workspace.warm()
    meter.wait(3)
    keeper = SessionKeeper(workspace, SavedLayout)
    with meter.phase("reopening"):
        began = time.monotonic()
        keeper.open(path)
        wait_until(lambda: len(workspace.class_state.school.students) == count, meter)
        students = time.monotonic() - began
        wait_until(lambda: is_shown(workspace, count * (count - 1) // 2), meter)
        table = time.monotonic() - began
    wait_until(lambda: not workspace.is_busy, meter)
    settled = time.monotonic() - began
    pairs = sum(len(batch.pairs) for batch in scored)
    print(f"students after {students:.2f} s, table complete after {table:.2f} s")
    print(f"class found again after {settled:.2f} s, pairs scored again: {pairs}")
    gap = meter.gaps["reopening"]
    print(f"longest gap of the GUI thread: {gap.wall_ms:.0f} ms, {gap.own_ms:.0f} ms of its own")
    keeper.close()
    workspace.close()


def main() -> None:
    """Make the session if it is not there, and reopen it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--essays", type=int, default=200)
    parser.add_argument("--characters", type=int, default=2000)
    parser.add_argument("--session", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication(sys.argv)
    with tempfile.TemporaryDirectory() as folder:
        path = options.session or Path(folder) / "class.simcompare"
        if not path.exists():
            make_session(path, options.essays, options.characters)
        measure(path, options.essays)
    application.quit()


if __name__ == "__main__":
    main()
