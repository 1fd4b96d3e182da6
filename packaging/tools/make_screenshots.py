"""Take the pictures of the manual, and others of the window in two languages, themes and sizes.

    python3 packaging/dev.py screenshots
    .venv/bin/python packaging/tools/make_screenshots.py [--only NAME] [FOLDER]

Writes the pictures of the manual into resources/manual/pictures (`--only manual` stops there) and the others
into FOLDER (out/screenshots), drawn into memory if there is no screen. The window does not touch the user's
settings.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from pathlib import Path

from manual_pictures import take_manual_pictures
from PySide6.QtWidgets import QApplication, QWidget
from window_driver import settle, spin, window_of

from simcompare.session.decisions import Decision
from simcompare.ui.app import SWITCH_INTERVAL_SECONDS
from simcompare.ui.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "resources" / "samples"
PAIR = ("家乡的石桥.docx", "心中的桥.html")
ESSAYS = (*PAIR, "石桥记.pdf", "桥的故事.docx", "秋天的路.pdf")
STUDENTS = ("王伟", "李芳", "张敏", "刘洋", "陈静", "杨磊", "赵娜", "黄强", "周杰", "吴倩", "孙立")
QUESTION = "请结合自己的亲身经历，写一篇不少于四百字的记叙文。题目自拟，文体不限。"
SIZES_PX = ((1366, 768), (1440, 900), (1920, 1080))
MANUAL = "manual"
BEGINNING_MS = 40  # layout is complete, reading has just begun

Scene = Callable[[MainWindow], QWidget]
"""Function that brings a window into a state and returns the widget to grab."""


def add(window: MainWindow, names: tuple[str, ...]) -> None:
    """Add samples and wait until two of them are compared."""
    window.workspace.documents.add([SAMPLES / name for name in names])
    spin(lambda: not window.workspace.is_busy and window.workspace.comparison is not None)


def first_start(window: MainWindow) -> QWidget:
    """Return the window without documents."""
    return window


def working(window: MainWindow) -> QWidget:
    """Add files, without waiting until they are read."""
    window.workspace.documents.add([SAMPLES / name for name in ESSAYS])
    settle(BEGINNING_MS)
    return window


def pair(window: MainWindow) -> QWidget:
    """Compare two of five essays and choose a passage."""
    add(window, ESSAYS)
    spin(lambda: not window.workspace.pairs.is_busy)
    window.pages.show_compare()
    window.workspace.selection.select_passage(1)
    settle()
    return window


def table(window: MainWindow) -> QWidget:
    """Compare all pairs of five essays, and decide on two of them."""
    add(window, ESSAYS)
    spin(lambda: not window.workspace.pairs.is_busy)
    keys = list(window.workspace.documents.entries)
    window.workspace.review.decide_pair(keys[0], keys[2], Decision.COPIED)
    window.workspace.review.decide_pair(keys[1], keys[4], Decision.FINE)
    settle()
    return window


@cache
def class_folder() -> "tempfile.TemporaryDirectory[str]":
    """Return a folder that is there until the program ends: the window would say that its files are gone."""
    return tempfile.TemporaryDirectory()


def school_class(window: MainWindow) -> QWidget:
    """Compare the essays of eleven students, one of whom has copied."""
    bodies = [path.read_text("utf-8") for path in sorted((ROOT / "tests" / "data" / "zh").iterdir())]
    names = [f"{2025001 + number}-{name}.txt" for number, name in enumerate(STUDENTS)]
    paths = [Path(class_folder().name) / name for name in names]
    for path, body in zip(paths, [*bodies, bodies[3][:200] + bodies[0]], strict=True):
        path.write_text(body, "utf-8")
    window.workspace.documents.add(paths)
    spin(lambda: not window.workspace.is_busy and bool(len(window.workspace.pairs.table)))
    settle()
    return window


def groups(window: MainWindow) -> QWidget:
    """Show the graph of a class, with the pairs of one student."""
    school_class(window)
    window.class_page.maps.graph_button.click()
    window.workspace.class_filter.show_documents([1])
    settle()
    return window


def common_sentences(window: MainWindow) -> QWidget:
    """Show the sentences common to a class, whose essays begin with the question."""
    bodies = [path.read_text("utf-8") for path in sorted((ROOT / "tests" / "data" / "zh").iterdir())]
    for student, body in zip(STUDENTS, bodies, strict=False):
        path = Path(class_folder().name) / f"{student}-作文.txt"
        path.write_text(f"{QUESTION}\n{body}", "utf-8")
        window.workspace.documents.add([path])
    spin(lambda: not window.workspace.is_busy and bool(window.workspace.class_state.common))
    window.common_sentences.open_view()
    settle()
    return window.common_sentences


def judged(window: MainWindow) -> QWidget:
    """Decide on passages, with a note, and look for a word."""
    add(window, PAIR)
    workspace = window.workspace
    for index, decision in ((0, Decision.FINE), (2, Decision.COPIED)):
        workspace.review.decide_passages([index], decision)
    workspace.review.note_passage(2, "连语序都一样。")
    workspace.selection.select_passage(2)
    window.compare_view.finder.actions[0].trigger()
    window.compare_view.finder.bar.field.setText("石桥")
    settle()
    return window


def problems(window: MainWindow) -> QWidget:
    """Add files that can't be read, beside two that can."""
    with tempfile.TemporaryDirectory() as folder:
        broken, empty = Path(folder) / "王芳.docx", Path(folder) / "李雷.txt"
        broken.write_bytes(b"PK\x03\x04 cut short")
        empty.write_bytes(b"")
        window.workspace.documents.add([broken, empty])
        add(window, PAIR)
    settle()
    return window


def receipt(window: MainWindow) -> QWidget:
    """Open the receipt of the first document."""
    add(window, PAIR)
    window.receipt.show_receipt(1)
    settle()
    return window.receipt


SCENES: dict[str, Scene] = {
    "empty": first_start,
    "working": working,
    "compare": pair,
    "pairs": table,
    "class": school_class,
    "groups": groups,
    "common": common_sentences,
    "judged": judged,
    "problems": problems,
    "receipt": receipt,
}


def take_pictures(folder: Path, scenes: Sequence[str]) -> None:
    """Write a picture of each scene in each language, theme and size, and print its path."""
    folder.mkdir(parents=True, exist_ok=True)
    for language, theme, size_px, name in product(("zh", "en"), ("light", "dark"), SIZES_PX, scenes):
        path = folder / f"{name}-{language}-{theme}-{size_px[0]}x{size_px[1]}.png"
        with window_of(language, theme, size_px) as window:
            SCENES[name](window).grab().save(str(path))
        print(path)


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "out" / "screenshots")
    parser.add_argument("--only", choices=[MANUAL, *SCENES])
    arguments = parser.parse_args()
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    application = QApplication([])
    if arguments.only in {None, MANUAL}:
        take_manual_pictures(ROOT)
    if arguments.only != MANUAL:
        take_pictures(arguments.folder, [arguments.only] if arguments.only else list(SCENES))
    application.quit()


if __name__ == "__main__":
    main()
