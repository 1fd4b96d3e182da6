"""Worker processes of the programs."""

import os
import subprocess
import sys
import tempfile
import threading
from multiprocessing import connection, forkserver
from pathlib import Path

import pytest

from simcompare.support.workers.worker_process import process_context
from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from simcompare.__main__ import {entry}
from simcompare.support.workers.worker_process import process_context

if __name__ == "__main__":
    context = process_context("simcompare.support.workers.forkserver_preload")
    with context.Pool(1) as pool:
        print(*pool.apply(eval, ("sorted(__import__('sys').modules)",)))
"""


@pytest.mark.parametrize("entry", ["run_command", "run_window"])
def test_that_a_worker_imports_neither_the_window_nor_the_command_line(entry: str, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.format(entry=entry), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    modules = done.stdout.split()
    assert "simcompare.__main__" in modules
    assert not [
        name for name in modules if name.startswith(("PySide6", "typer", "simcompare.ui", "simcompare.cli"))
    ]


@pytest.mark.parametrize("length_bytes", [75, 76, 120])
def test_that_files_are_read_whatever_the_length_of_the_temporary_folder(
    length_bytes: int, tmp_path: Path
) -> None:
    with tempfile.TemporaryDirectory() as short:
        folder = Path(short, "x" * (length_bytes - len(os.fsencode(short)) - 1))
        folder.mkdir(exist_ok=True)  # the usual folder may be as long
        essay = tmp_path / "essay.txt"
        essay.write_text("The old bridge is made of stone.", encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "simcompare", "extract", essay],
            cwd=ROOT,
            env={**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "The old bridge is made of stone." in done.stdout
        assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no exit code is read from a descriptor")
def test_that_a_process_polled_and_closed_in_two_threads_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The poll read from a closed descriptor, which may belong to the next process by then."""
    is_reading, is_closed, exit_codes, read = threading.Event(), threading.Event(), [], forkserver.read_signed

    def read_late(descriptor: int) -> int:
        if threading.current_thread() is poller:
            is_reading.set()
            is_closed.wait(1)
        return read(descriptor)

    process = process_context("tests.helpers.worker_imports").Process(target=os._exit, args=(7,))
    poller = threading.Thread(target=lambda: exit_codes.append(process.exitcode))
    monkeypatch.setattr(forkserver, "read_signed", read_late)
    process.start()
    connection.wait([process.sentinel])
    poller.start()
    assert is_reading.wait(PATIENCE_S)
    process.join()
    process.close()
    is_closed.set()
    poller.join()
    assert exit_codes == [7]


FORKING_PROGRAM = """
import os, signal, sys, threading
import simcompare.support.workers.forkserver_preload
from simcompare.support.workers.worker_process import fork_server_here, process_context

if __name__ == "__main__":
    sys.modules["loaded by the program"] = sys
    done = threading.Event()
    for _ in range(int(sys.argv[1]) - 1):
        threading.Thread(target=done.wait).start()
    print("once")
    os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGINT))  # Ctrl+C
    fork_server_here("colorsys")
    done.set()
    with process_context("colorsys").Pool(1) as pool:
        print(pool.apply(eval, ("'loaded by the program' in __import__('sys').modules",)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes are not forked")
@pytest.mark.parametrize("threads", [1, 2])
def test_that_workers_have_what_the_program_has_loaded_unless_it_has_threads(
    threads: int, tmp_path: Path
) -> None:
    script = tmp_path / "program.py"
    script.write_text(FORKING_PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, str(threads)], cwd=ROOT, capture_output=True, text=True, check=False,
        timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.split() == ["once", str(threads == 1)]
