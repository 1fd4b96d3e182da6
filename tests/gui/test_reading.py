"""Signals of file reading, and release of the memory of files."""

import gc
import weakref

import pytest

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


def test_that_a_cancelled_file_is_released(qtbot, reading, essay):
    class Watched(type(essay("a.txt", "a"))):
        """Path that supports weak references, unlike those of pathlib."""

        __slots__ = ("__weakref__",)

    heard = []
    reading.finished.connect(lambda *arguments: heard.append(arguments))
    reading.failed.connect(lambda *arguments: heard.append(arguments))
    paths = [Watched(essay(f"{number}.txt", "家乡的小河。")) for number in range(5)]
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
