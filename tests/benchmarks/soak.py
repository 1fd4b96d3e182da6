"""Use the window for many rounds: memory, file descriptors, threads and objects that do not go away.

    python -m tests.benchmarks.soak [windows|sessions|interrupted] [--rounds 200] [--every 20] [--show CLASS]

windows: each round opens a window, compares two samples, judges a match, notes something and closes the
window. sessions: the same in one window, with a new session each round. After `WARM_UP` rounds the figures
must stay flat; the exit status is 1 if memory grows by more than 5% or a descriptor, a thread or a window is
left.

interrupted: each round opens a class in a new window, does a few things at random moments (cancels, removes
documents and takes that back, changes language, theme and settings) and closes the window, often during work.
Every few rounds run in a process of their own. The exit status is 1 if one crashes or prints an error, or if
anything takes longer than `MOST_WAITING_SECONDS`; then all threads are printed.

--show prints what refers to the oldest object of a class at the end.
"""

import argparse
import faulthandler
import gc
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QEvent, QEventLoop
from PySide6.QtWidgets import QApplication

from simcompare.model.settings import PRESETS
from simcompare.session.decisions import Decision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.session_commands import UnsavedDialog
from simcompare.ui.window_assembly import whole_window

SAMPLES = Path(__file__).resolve().parents[2] / "resources" / "samples"
NAMES = ("家乡的石桥.docx", "心中的桥.html")
WARM_UP = 20
MOST_GROWTH = 0.05
MOST_WAITING_SECONDS = 30
_MOST_SECONDS = 300
_TURN_MS = 20
_ESSAYS = Path(__file__).parents[1] / "data" / "zh"
_STEPS = 8


def figures() -> dict[str, int]:
    """Return what this process uses."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "memory_kb": pages * os.sysconf("SC_PAGE_SIZE") // 1024,
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "threads": threading.active_count(),
        "objects": len(gc.get_objects()),
        "windows": sum(isinstance(each, MainWindow) for each in gc.get_objects()),
    }


def settle() -> None:
    """Delete what is to be deleted, and collect garbage."""
    for _turn in range(3):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()


def new_window() -> MainWindow:
    """Show a window like the program does."""
    window = whole_window(Preferences())
    window.use_language("en")
    window.show()
    return window


def spin(until: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds."""
    end = time.monotonic() + _MOST_SECONDS
    while not until():
        if time.monotonic() > end:
            sys.exit("the window did not reach the wanted state")
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, _TURN_MS)


def work(window: MainWindow) -> None:
    """Compare two samples, judge a match and note something."""
    workspace = window.workspace
    workspace.documents.add([SAMPLES / name for name in NAMES])
    spin(lambda: workspace.comparison is not None and not workspace.is_busy)
    match = workspace.comparison.matches[0]
    workspace.selection.select_cell(match.left, match.right)
    workspace.review.decide((match.left, match.right), Decision.COPIED)
    workspace.review.note((match.left, match.right), "a note")
    window.grab()


def discard(window: MainWindow, then: Callable[[], object]) -> None:
    """Do what asks whether to save, and answer no."""
    then()
    for dialog in window.findChildren(UnsavedDialog):
        dialog.discard_button.click()


@contextmanager
def waiting(longest: dict[str, float], name: str) -> Iterator[None]:
    """Note how long a step takes; print all threads if it takes too long."""
    faulthandler.dump_traceback_later(MOST_WAITING_SECONDS)
    began = time.monotonic()
    yield
    longest[name] = max(longest.get(name, 0.0), time.monotonic() - began)
    faulthandler.cancel_dump_traceback_later()


def interrupt(chance: random.Random, longest: dict[str, float]) -> None:
    """Open a class in a window, disturb its work, and close the window."""
    window = new_window()
    workspace, documents = window.workspace, window.workspace.documents
    actions: dict[str, Callable[[], object]] = {
        "cancel": workspace.cancel,
        "compare again": workspace.compare_again,
        "remove": lambda: documents.remove(chance.sample(sorted(documents.entries), 2)),
        "remove all": lambda: documents.remove(list(documents.entries)),
        "undo": workspace.history.undo,
        "language": lambda: window.use_language(chance.choice(("en", "zh"))),
        "theme": lambda: window.use_theme(chance.choice(("light", "dark"))),
        "settings": lambda: workspace.set_settings(PRESETS[chance.choice(sorted(PRESETS))]),
    }
    essays = sorted(_ESSAYS.iterdir())
    with waiting(longest, "add"):
        documents.add([*chance.sample(essays, 4), *(SAMPLES / name for name in NAMES)])
    for _step in range(chance.randrange(_STEPS)):
        until = time.monotonic() + chance.choice((0.0, 0.05, 0.5))
        spin(lambda until=until: time.monotonic() >= until)
        name = chance.choice(sorted(actions))
        if name != "remove" or len(documents.entries) > 1:
            with waiting(longest, name):
                actions[name]()
    if chance.random() < 0.15:
        with waiting(longest, "work"):
            spin(lambda: not workspace.is_busy)
    with waiting(longest, "close"):
        discard(window, window.close)


def interrupt_in_processes(rounds: int, every: int) -> bool:
    """Interrupt windows in a new process every few rounds; return whether all went well."""
    longest, failed = dict[str, float](), 0
    for first in range(0, rounds, every):
        command = (sys.executable, "-X", "faulthandler", "-m", "tests.benchmarks.soak", "interrupted")
        arguments = "--first", str(first), "--rounds", str(min(every, rounds - first))
        done = subprocess.run(
            (*command, *arguments), capture_output=True, text=True, check=False, timeout=every * _MOST_SECONDS
        )
        *_lines, figures_line = done.stdout.splitlines() or [""]
        for word in figures_line.split(", "):
            name, _equals, seconds = word.partition("=")
            longest[name] = max(longest.get(name, 0.0), float(seconds or 0))
        if done.returncode or done.stderr:
            failed += 1
            print(f"rounds {first} to {first + every}: {done.returncode}\n{done.stderr}", flush=True)
        print(first + every, "rounds,", failed, "failed:", longest, flush=True)
    return not failed and max(longest.values()) <= MOST_WAITING_SECONDS


def soak(kind: str, rounds: int, every: int) -> dict[str, list[int]]:
    """Print figures every few rounds and return them."""
    window: MainWindow | None = None
    history: dict[str, list[int]] = {}
    for number in range(1, rounds + 1):
        if window is None:
            window = new_window()
        work(window)
        if kind == "windows":
            discard(window, window.close)
            window = None
        else:
            discard(window, window.sessions.reset)
        settle()
        if number % every == 0:
            for name, value in figures().items():
                history.setdefault(name, []).append(value)
            print(number, {name: values[-1] for name, values in history.items()}, flush=True)
    if window is not None:
        discard(window, window.close)
    return history


def explain(class_name: str, most: int = 12) -> None:
    """Print what refers to the oldest object of a class, level by level."""
    found = [each for each in gc.get_objects() if type(each).__name__ == class_name]
    print(f"{class_name}: {len(found)}")
    level, seen = found[:1], {id(found)}
    for depth in range(4):
        referrers = []
        for each in level:
            for referrer in gc.get_referrers(each):
                known = id(referrer) in seen or referrer is level or referrer is referrers
                if not known and not isinstance(referrer, FrameType):
                    seen.add(id(referrer))
                    referrers.append(referrer)
        for name, count in Counter(type(each).__qualname__ for each in referrers).most_common(most):
            print("  " * depth, count, name)
        level = referrers[:most]


def main() -> None:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", nargs="?", choices=("windows", "sessions", "interrupted"), default="windows")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--show")
    parser.add_argument("--first", type=int, help=argparse.SUPPRESS)  # round of a process of its own
    options = parser.parse_args()
    if options.kind == "interrupted" and options.first is None:
        sys.exit(not interrupt_in_processes(options.rounds, options.every))
    home = tempfile.TemporaryDirectory(prefix="simcompare-soak-")  # removed at the end
    os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = home.name
    application = QApplication([])
    application.setQuitOnLastWindowClosed(False)
    gc.disable()
    if options.first is not None:
        longest = dict[str, float]()
        for number in range(options.first, options.first + options.rounds):
            interrupt(random.Random(number), longest)
            settle()
        with waiting(longest, "end"):
            settle()
        print(", ".join(f"{name}={seconds:.1f}" for name, seconds in longest.items()))
        return
    history = soak(options.kind, options.rounds, options.every)
    settle()
    if options.show:
        explain(options.show)
    warm = min(-(-WARM_UP // options.every), len(history["windows"]))
    kept = {name: values[warm - 1 :] for name, values in history.items()}
    growth = kept["memory_kb"][-1] / kept["memory_kb"][0] - 1
    print(f"memory {growth:+.1%} from round {warm * options.every} to {options.rounds}")
    is_flat = all(kept[name][-1] <= kept[name][0] for name in ("descriptors", "threads", "windows"))
    sys.exit(not is_flat or growth > MOST_GROWTH)


if __name__ == "__main__":
    main()
