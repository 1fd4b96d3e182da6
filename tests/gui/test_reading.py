"""Signals of file reading, and release of the memory of files."""

import gc
import time
import weakref
from pathlib import Path

import pytest

from simcompare.ui.state import file_reading
from simcompare.ui.state.file_reading import FileReading


@pytest.fixture
def reading(qtbot):
    reading = FileReading("improved")
    yield reading
    reading.close()


def test_that_finished_carries_key_and_file(qtbot, reading, essay):
    path = essay("river.txt", "清晨的河面上飘着一层薄薄的雾。")
    with qtbot.waitSignal(reading.finished) as arrived:
        reading.read(7, path)
    key, prepared_document = arrived.args
    assert (key, prepared_document.document.path) == (7, path)


def test_that_a_file_read_while_the_recipe_changes_has_a_fingerprint_of_the_new_one(qtbot, reading, essay):
    with qtbot.waitSignal(reading.finished) as arrived:
        reading.read(7, essay("river.txt", "清晨的河面上飘着一层薄薄的雾。"))
        reading.recipe = "traditional"
    assert arrived.args[1].fingerprint.recipe_name == "traditional"


class _Watched(type(Path())):
    """Path that supports weak references, unlike those of pathlib; an ordinary one in another process."""

    __slots__ = ("__weakref__",)

    def __reduce__(self):
        return Path, self.parts


def _read_without_end(*_args):
    time.sleep(600)


def test_that_a_cancelled_file_is_released(qtbot, reading, essay, monkeypatch):
    monkeypatch.setattr(file_reading, "read_prepared_document", _read_without_end)
    heard = []
    reading.finished.connect(lambda *arguments: heard.append(arguments))
    reading.failed.connect(lambda *arguments: heard.append(arguments))
    paths = [_Watched(essay(f"{number}.txt", "家乡的小河。")) for number in range(5)]
    watched = [weakref.ref(path) for path in paths]
    for key, path in enumerate(paths):
        reading.read(key, path)
    for key in range(5):
        reading.cancel(key)
    del path, paths

    def gone():
        gc.collect()
        assert [watch() for watch in watched] == [None] * 5

    qtbot.waitUntil(gone)
    assert heard == []
