"""Pictures of the manual: a small class in each language, made of the samples and of texts of the tests."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from window_driver import settle, spin, window_of

from simcompare.session.decisions import Decision
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.library.additions import AdditionTags
from simcompare.ui.state.library.class_search import class_to_add

SIZE_PX = (1366, 768)
_FREQUENT_COLOURS, _MOST_COLOURS = 64, 96
_PREVIEW_MS = 4_000


@dataclass(frozen=True, slots=True)
class SampleClass:
    """Essays of a class in one language: the question, two similar samples, texts of the tests, students."""

    folder: str
    question: str
    samples: tuple[str, str]
    tests: str
    students: tuple[str, ...]
    """In the order of the essays, the samples first; one more has not handed in."""
    file_name: str
    heading: str
    """First line of the class list."""
    draft: str
    assignment: str
    years: tuple[str, str] = ("2024", "2025")


CLASSES = {
    "zh": SampleClass(
        folder="七年级3班",
        question="请结合自己的亲身经历，写一篇不少于四百字的记叙文。题目自拟，文体不限。",
        samples=("same-essay/家乡的石桥.txt", "source/bridge-in-my-heart-synonyms.txt"),
        tests="zh",
        students=(
            *("王伟", "李芳", "张敏", "刘洋", "陈静", "杨磊"),
            *("赵娜", "黄强", "周杰", "吴倩", "孙立", "徐明", "郑爽"),
        ),
        file_name="{number}-{student}-作文.txt",
        heading="学号,姓名",
        draft="{number}-{student}-作文-草稿.txt",
        assignment="第二次作文",
    ),
    "en": SampleClass(
        folder="Class 7B",
        question="Tell a story about a moment that changed you. Write at least two hundred words.",
        samples=("source/the-last-bus.txt", "source/the-last-bus-reworded.txt"),
        tests="en",
        students=(
            *("Emma Hill", "Liam Fox", "Zoe Ward", "Max Reed"),
            *("Ivy Cole", "Jack Gray", "Lucy Park"),
        ),
        file_name="{student} - essay.txt",
        heading="Number,Name",
        draft="{student} - essay draft.txt",
        assignment="Essay 2",
    ),
}


@contextmanager
def class_folder(root: Path, sample: SampleClass) -> Iterator[Path]:
    """Write the essays, a draft and the class list into a folder; root: of the repository."""
    samples = [root / "resources" / "samples" / name for name in sample.samples]
    others = sorted((root / "tests" / "data" / sample.tests).iterdir())
    bodies = [path.read_text("utf-8") for path in (*samples, *others)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / sample.folder
        folder.mkdir()
        numbered = list(enumerate(sample.students, 2025001))
        for (number, student), body in zip(numbered, bodies, strict=False):
            name = sample.file_name.format(number=number, student=student)
            (folder / name).write_text(f"{sample.question}\n{body}", "utf-8")
        number, student = numbered[2]
        draft = f"{sample.question}\n{bodies[2][: len(bodies[2]) // 2]}"
        (folder / sample.draft.format(number=number, student=student)).write_text(draft, "utf-8")
        rows = [sample.heading, *(f"{number},{student}" for number, student in numbered)]
        (folder / f"{sample.folder}.csv").write_text("\n".join(rows), "utf-8")
        yield folder


Scene = Callable[[MainWindow, SampleClass], QWidget]
"""Brings a window with a class into a state, and returns the widget to grab."""


def whole_class(window: MainWindow, _sample: SampleClass) -> QWidget:
    """Show the page of the class once its notices are read."""
    window.notice.hide()
    window.common_bar.skip_question()
    return window


def pair(window: MainWindow, _sample: SampleClass) -> QWidget:
    """Open the most similar pair, decide on the first passage, and show the reasons of the next one."""
    window.notice.hide()
    window.pair_steps.open_first()
    window.pages.show_compare()
    spin(lambda: not window.workspace.is_busy and len(window.workspace.selection.listed) > 0)
    window.workspace.review.decide_passages([0], Decision.COPIED)
    window.workspace.selection.select_passage(min(1, len(window.workspace.selection.listed) - 1))
    settle()
    window.compare_view.inspector.why_action.setChecked(True)
    window.compare_view.header.question_bar.hide()
    return window


def common(window: MainWindow, _sample: SampleClass) -> QWidget:
    """Show the sentences common to the class."""
    window.common_sentences.open_view()
    return window.common_sentences


def library(window: MainWindow, sample: SampleClass) -> QWidget:
    """Add the class to the library, as if it were also one of the year before, and show what is stored."""
    window.pages.show_library()
    state, essays = window.library.state, class_to_add(window.workspace)
    may_add = window.commands.actions["library_add_class"]
    for count, year in enumerate(sample.years, 1):
        state.add_class(essays, AdditionTags(sample.folder, year, sample.assignment))
        spin(partial(lambda count: may_add.isEnabled() and len(state.groups) == count, count))
    window.library.page.place.setText("~/.local/share/simcompare/library.sqlite")  # not the temporary one
    return window


def export(window: MainWindow, sample: SampleClass) -> QWidget:
    """Show the export of the most similar pair with names replaced."""
    pair(window, sample)
    window.commands.actions["export"].trigger()
    dialog = next(iter(window.findChildren(ExportDialog)))
    dialog.folder.folder = Path(sample.folder)  # not the temporary one
    dialog.names.box.click()
    spin(lambda: dialog.names.is_ready and dialog.preview.currentWidget() is dialog.preview.pages)
    settle(_PREVIEW_MS)  # its last page
    return dialog


SCENES: dict[str, Scene] = {
    "class": whole_class,
    "pair": pair,
    "common": common,
    "library": library,
    "export": export,
}


def small_picture(image: QImage) -> QImage:
    """Draw an image in its most frequent and most different colours, which makes files a third as large."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    red, green, blue = rows[:, : 3 * image.width()].reshape(-1, 3).astype(np.int32).T
    drawn = red << 16 | green << 8 | blue
    codes, place_of, counts = np.unique(drawn, return_inverse=True, return_counts=True)
    colours = np.column_stack([codes >> 16, codes >> 8 & 255, codes & 255])
    chosen = list(np.argsort(-counts, kind="stable")[:_FREQUENT_COLOURS])
    distances = np.stack([_distances(colours, place) for place in chosen])
    while len(chosen) < min(_MOST_COLOURS, len(colours)):  # rare colours, such as a red flag
        chosen.append(int(distances.min(axis=0).argmax()))
        distances = np.vstack([distances, _distances(colours, chosen[-1])])
    reduced = colours[chosen][distances.argmin(axis=0)].astype(np.uint8)[place_of]
    size = image.width(), image.height(), 3 * image.width()
    return QImage(reduced.tobytes(), *size, image.format()).convertToFormat(QImage.Format.Format_Indexed8)


def _distances(colours: NDArray[np.int32], place: int) -> NDArray[np.int32]:
    """Return the squared distance of each colour to one of them."""
    distances: NDArray[np.int32] = np.square(colours - colours[place]).sum(axis=1)
    return distances


def take_manual_pictures(root: Path) -> None:
    """Write the pictures into the manual of the repository at `root`, and print their paths."""
    folder = root / "resources" / "manual" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for (language, sample), (name, scene) in product(CLASSES.items(), SCENES.items()):
        path = folder / f"{name}-{language}.png"
        with class_folder(root, sample) as place, window_of(language, "light", SIZE_PX) as window:
            window.sessions.add([place])
            spin(lambda: not window.workspace.is_busy and bool(len(window.workspace.pairs.table)))
            shown = scene(window, sample)
            settle()
            small_picture(shown.grab().toImage()).save(str(path), quality=0)
        print(path)
