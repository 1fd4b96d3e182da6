"""Temporary files of killed processes are removed at the next start, and only those."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from simcompare.support.atomic_file import record_unfinished, remove_unfinished, unfinished
from simcompare.support.resources import user_data_path
from tests.helpers.programs import Program, StartProgram

ROOT = Path(__file__).resolve().parents[2]
WRITING = """
    import sys, time
    from pathlib import Path
    from simcompare.support.atomic_file import write_atomically
    from simcompare.support.workers.worker_process import process_context

    def write(file):
        file.write(b"half of it")
        file.flush()
        print("writing", flush=True)
        time.sleep(3600)

    if __name__ == "__main__":
        pool = process_context("json").Pool(1)
        pool.apply(int)
        write_atomically(Path(sys.argv[1]), write)
"""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files of the programs; its path is short, as sockets are made in it."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def writing_program(start_program: StartProgram, path: Path, tmp_path: Path) -> Program:
    """Start a program, and wait until it writes a file."""
    script = tmp_path / "writing.py"
    script.write_text(textwrap.dedent(WRITING), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    program = start_program(
        [sys.executable, script, path], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "writing\n"
    return program


def test_that_what_a_killed_program_leaves_is_removed_and_a_running_one_keeps_its_files(
    tmp_path: Path, temporary: Path, start_program: StartProgram
) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    for folder in (out, other):
        folder.mkdir()
    bystander = out / ".simcompare-notes"
    bystander.write_bytes(b"of the user")
    killed = writing_program(start_program, out / "report.html", tmp_path)
    running = writing_program(start_program, other / "report.html", tmp_path)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert len(list(out.iterdir())) == 2
    assert len(list(temporary.glob("pymp-*"))) == 2
    for _start in range(2):
        remove_unfinished()
        assert list(out.iterdir()) == [bystander]
        assert len(list(other.iterdir())) == 1
        assert len(list(temporary.glob("pymp-*"))) == 1
    running.send_signal(signal.SIGKILL)
    running.wait()
    remove_unfinished()
    assert not list(other.iterdir())
    assert not list(temporary.glob("pymp-*"))


def test_that_only_names_of_temporary_files_are_removed(tmp_path: Path) -> None:
    essay, folder = tmp_path / "essay.txt", tmp_path / ".simcompare-0123"
    essay.write_bytes(b"an essay")
    folder.mkdir()
    (folder / "part.html").write_bytes(b"half of it")
    link = tmp_path / ".simcompare-link"
    link.symlink_to(tmp_path)
    record = user_data_path("unfinished", "left.paths")
    record.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in (essay, folder, link)))
    remove_unfinished()
    assert list(tmp_path.iterdir()) == [essay]
    assert not record.exists()


def test_that_this_process_keeps_what_it_is_writing(tmp_path: Path) -> None:
    paths = [tmp_path / ".simcompare-1", tmp_path / ".simcompare-2"]
    for path in paths:
        path.write_bytes(b"half of it")
    record_unfinished(paths[0])
    with unfinished(paths[1]):
        remove_unfinished()
        assert sorted(tmp_path.iterdir()) == paths


def test_that_an_unusable_folder_for_records_stops_nothing(tmp_path: Path) -> None:
    user_data_path("unfinished").write_bytes(b"a file where the folder should be")
    with unfinished(tmp_path / ".simcompare-1"):
        remove_unfinished()
