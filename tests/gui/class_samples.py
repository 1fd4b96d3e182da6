"""A small class: essays of ten students below one question, a draft, a class list."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.ui.state.cohort.pair_rows_data import PairState
from simcompare.ui.state.workspace import Workspace
from tests.gui.pair_table import TIMEOUT_MS
from tests.helpers.documents import DATA

QUESTION = "请结合自己的亲身经历，写一篇不少于四百字的记叙文，题目自拟，文体不限。"
DECLARATION = "我承诺本文由本人独立完成，没有抄袭他人的任何文字。"
NAMES = ("王伟", "李芳", "张敏", "刘洋", "陈静", "杨磊", "赵娜", "黄强", "周杰", "吴倩")
ABSENT = "孙立"
ESSAYS = tuple(path.read_text("utf-8") for path in sorted((DATA / "zh").iterdir()))


def class_text(body: str) -> str:
    return f"{QUESTION}\n{DECLARATION}\n{body}"


def write_class(folder: Path, students: int = 6) -> list[Path]:
    """Write the essays of the first students, e.g. "2025001-王伟.txt"; return their paths."""
    paths = []
    for number, (name, body) in enumerate(zip(NAMES[:students], ESSAYS, strict=False), 1):
        path = folder / f"{2025000 + number}-{name}.txt"
        path.write_text(class_text(body), "utf-8")
        paths.append(path)
    return paths


def write_draft(folder: Path) -> Path:
    """Write a draft of the first student."""
    path = folder / f"2025001-{NAMES[0]}-初稿.txt"
    path.write_text(class_text(ESSAYS[0][:300]), "utf-8")
    return path


def write_roster(folder: Path, students: int = 6) -> Path:
    """Write a class list with one student more than have handed in."""
    lines = [f"{2025000 + number},{name}" for number, name in enumerate((*NAMES[:students], ABSENT), 1)]
    path = folder / "名单.csv"
    path.write_text("\n".join(["学号,姓名", *lines]), "utf-8")
    return path


@contextmanager
def open_workspace() -> Iterator[Workspace]:
    workspace = Workspace()
    try:
        yield workspace
    finally:
        workspace.close()


def settle_class(workspace: Workspace, qtbot: QtBot) -> None:
    """Wait until all is compared and classified, also what queued events begin."""

    def is_settled() -> bool:
        return not workspace.is_busy and not workspace.pairs._change_delay.isActive()

    qtbot.waitUntil(is_settled, timeout=TIMEOUT_MS)
    QApplication.processEvents()
    qtbot.waitUntil(is_settled, timeout=TIMEOUT_MS)


def key_of(workspace: Workspace, path: Path) -> int:
    return next(key for key, entry in workspace.documents.entries.items() if entry.path == path)


def pairs_of(workspace: Workspace) -> set[tuple[int, int]]:
    rows = workspace.pairs.table.rows
    assert (rows["state"] == PairState.CURRENT).all()
    return set(zip(rows["left"].tolist(), rows["right"].tolist(), strict=True))
