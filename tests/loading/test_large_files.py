"""Memory of workers: large files are read one at a time, and a worker gives back what it no longer needs."""

import os
import sys
import time
import zipfile
from concurrent.futures import wait
from pathlib import Path

import pytest

from simcompare.loading import ReaderPool, load_document
from simcompare.loading.archive import text_bytes
from simcompare.loading.workers.isolation import LARGE_BYTES
from simcompare.model.errors import MemoryNeededError
from tests.helpers.archives import write_zip
from tests.helpers.essay_files import write_body_xml
from tests.helpers.patience import PATIENCE_S

only_on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing needs to be given back")
_kept = []


def _be_the_only_one(path: Path) -> str:
    """Fail if another call is under way in this folder."""
    mark = path.parent / "running"
    mark.touch(exist_ok=False)
    time.sleep(0.3)
    mark.unlink()
    return path.name


def _wait_for(path: Path) -> str:
    """Return when a second file is there."""
    end = time.monotonic() + PATIENCE_S
    while not path.with_suffix(".seen").exists() and time.monotonic() < end:
        time.sleep(0.01)
    return path.name


def _note(path: Path) -> None:
    """Write down that the file was read."""
    with (path.parent / "read").open("a", encoding="utf-8") as read:
        read.write(f"{path.name}\n")


def _show(path: Path, shown: Path) -> str:
    shown.touch()
    return path.name


def _fragment(path: Path) -> None:
    """Free many small blocks below one that stays, so that the C library keeps the pages."""
    blocks = [bytes(1000) for _block in range(400_000)]
    _kept.append(bytes(1000))
    assert blocks


def _return_much(path: Path) -> bytes:
    return b"." * 300_000_000


def _resident_mb(path: Path) -> float:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


@pytest.fixture(scope="module")
def pool():
    with ReaderPool(2) as pool:
        yield pool


@pytest.fixture
def large(tmp_path):
    paths = [tmp_path / f"{number}.txt" for number in range(4)]
    for path in paths:
        path.write_bytes(b"." * (LARGE_BYTES + 1))
    return paths


def test_that_large_files_are_read_one_at_a_time(pool, large):
    futures = [pool.submit(_be_the_only_one, path) for path in large]
    wait(futures, timeout=PATIENCE_S)
    assert [future.result() for future in futures] == [path.name for path in large]


def test_that_large_files_are_read_in_their_order(large, tmp_path):
    first = tmp_path / "first.txt"
    with ReaderPool(2) as pool:
        reading = pool.submit(_wait_for, first, is_large=True)
        futures = [pool.submit(_note, path) for path in large]
        end = time.monotonic() + PATIENCE_S
        while not all(future.is_alone for future in futures):  # the other worker looks at their sizes
            assert time.monotonic() < end
            time.sleep(0.01)
        first.with_suffix(".seen").touch()
        wait([reading, *futures], timeout=PATIENCE_S)
    assert (tmp_path / "read").read_text("utf-8").split() == [path.name for path in large]


def test_that_texts_known_to_be_large_are_prepared_one_at_a_time(pool, tmp_path):
    futures = [pool.submit(_be_the_only_one, tmp_path / f"{number}", is_large=True) for number in range(3)]
    wait(futures, timeout=PATIENCE_S)
    assert [future.result() for future in futures] == ["0", "1", "2"]


def test_that_small_files_are_read_beside_a_large_one(pool, large, tmp_path):
    first, second, *_others = large
    waiting = pool.submit(_wait_for, first)
    next_large = pool.submit(_show, second, tmp_path / "large was read")
    small = tmp_path / "small.txt"
    small.write_bytes(b".")
    assert pool.submit(_show, small, first.with_suffix(".seen")).result(PATIENCE_S) == "small.txt"
    assert waiting.result(PATIENCE_S) == first.name
    assert next_large.result(PATIENCE_S) == second.name


def test_that_a_large_file_that_waits_can_be_cancelled(pool, large, tmp_path):
    first, second, *_others = large
    reading = pool.submit(_wait_for, first, is_large=True)
    waiting = pool.submit(_show, second, tmp_path / "read")
    while pool.submit(_show, tmp_path, tmp_path / "beside").result(PATIENCE_S) and not waiting.is_alone:
        time.sleep(0.01)
    assert waiting.cancel()
    first.with_suffix(".seen").touch()
    assert reading.result(PATIENCE_S) == first.name
    assert waiting.cancelled()
    assert not (tmp_path / "read").exists()


@only_on_linux
@pytest.mark.parametrize("work", [_fragment, _return_much])
def test_that_a_worker_gives_back_the_memory_of_a_large_file(tmp_path, work):
    with ReaderPool(1) as pool:
        pool.submit(work, tmp_path).result(PATIENCE_S)
        assert pool.submit(_resident_mb, tmp_path).result(PATIENCE_S) < 250


@only_on_linux
def test_that_markup_that_needs_too_much_memory_is_not_called_damaged(pool, tmp_path):
    marks = "".join(f"<p a='{number:x}'/>" for number in range(0xF_FF00, 0xF_FF00 + 1000)) * 3500
    path = write_body_xml(tmp_path / "bomb.docx", "", **{"word/document.xml": f"<w>{marks}</w>"})
    with pytest.raises(MemoryNeededError, match="more memory than a file is given") as caught:
        pool.submit(load_document, path).result(PATIENCE_S)
    assert "damaged" not in str(caught.value)
    assert "plain text" in str(caught.value), "what to do"


@only_on_linux
def test_that_the_text_between_very_many_empty_runs_is_read(pool, tmp_path):
    empty = "".join(f'<w:r w:rsidR="{number:08X}"/><w:r></w:r>' for number in range(1000)) * 1000
    start = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    text = (
        f"{start}<w:p><w:r><w:t xml:space='preserve'>A river </w:t></w:r>"
        f"{empty}<w:r><w:t>and a bridge.</w:t></w:r></w:p></w:body></w:document>"
    )
    path = write_body_xml(tmp_path / "empty.docx", "", **{"word/document.xml": text})
    assert pool.submit(load_document, path).result(PATIENCE_S).text == "A river and a bridge."


@only_on_linux
def test_that_a_page_with_many_megabytes_of_pictures_is_read(pool, tmp_path):
    path = tmp_path / "page.html"
    pictures = f"<img src='data:image/png;base64,{'iVBO' * 20_000_000}'>"
    path.write_text(f"<html><body><p>A river.</p>{pictures}<p>A bridge.</p>", encoding="utf-8")
    assert pool.submit(load_document, path).result(PATIENCE_S).text == "A river.\nA bridge."


def test_that_of_a_zipped_document_the_markup_counts_and_no_picture(tmp_path):
    path = write_zip(
        tmp_path / "essay.docx", {"word/document.xml": b"x" * 5000, "word/media/1.png": b"x" * 900}
    )
    assert text_bytes(path) == 5000
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as package:
        package.write(path, "essay.docx")
        package.writestr("essay.txt", "words")
    assert text_bytes(tmp_path / "class.zip" / "essay.docx") == 5000
    assert text_bytes(tmp_path / "class.zip" / "essay.txt") == 5
    assert text_bytes(tmp_path / "gone.txt") == 0
    scan = tmp_path / "scan.pdf"
    scan.write_bytes(b"%PDF-1.7" + bytes(392))
    assert text_bytes(scan) == 200


def test_that_a_worker_ends_after_a_large_file_as_it_would_keep_much_memory(tmp_path: Path) -> None:
    with ReaderPool(1) as pool:
        small, large, after = (
            pool.submit(_process, tmp_path, is_large=is_large).result(PATIENCE_S)
            for is_large in (False, True, False)
        )
    assert small == large != after


def _process(_path: Path) -> int:
    return os.getpid()
