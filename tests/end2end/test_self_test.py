"""`simcompare-gui --self-test`, as a workflow runs it on an installed program."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from simcompare.report.pdf_report import report_fonts
from simcompare.ui.self_test import _remove_folders
from tests.helpers.patience import PATIENCE_S
from tests.helpers.programs import StartProgram

RUN = "from simcompare.__main__ import run_window; run_window()"
# as in a bundle whose migrations are no files
WITHOUT_MIGRATIONS = f"""
from pathlib import Path
from tempfile import TemporaryDirectory
from simcompare.library.store import open_library
open_library.MIGRATIONS = Path("missing")
{RUN}
"""
WITHOUT_TIME = f"""
from simcompare.ui import self_test
self_test.LIMIT_SECONDS = 0.2
{RUN}
"""


@pytest.fixture
def run(start_program: StartProgram, monkeypatch: pytest.MonkeyPatch):
    # a short path: those of the workers' sockets may have about 100 characters
    with TemporaryDirectory() as folder:
        for name in ("TMPDIR", "TEMP", "TMP"):
            monkeypatch.setenv(name, folder)

        def ended(program: str, *options: str) -> tuple[int, str]:
            process = start_program(
                [sys.executable, "-c", program, *options],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            )
            output, _ = process.communicate(timeout=PATIENCE_S)
            assert [path.name for path in Path(folder).iterdir()] == []
            return process.returncode, output

        yield ended


@pytest.mark.skipif(not report_fonts().has_chinese, reason="needs a Chinese font")
def test_that_a_complete_program_passes_and_leaves_no_files(run, tmp_path: Path):
    report = tmp_path / "报告.txt"
    status, output = run(RUN, f"--self-test={report}")
    lines = output.splitlines()
    assert (status, lines[-1]) == (0, "The self-test succeeded.")
    assert all(line.startswith("OK: ") for line in lines[:-1])
    assert any(line.startswith("OK: Two of them share 80% of the first text") for line in lines)
    assert report.read_text(encoding="utf-8") == output


@pytest.mark.skipif(not report_fonts().has_chinese, reason="needs a Chinese font")
def test_that_a_program_that_lacks_files_fails(run):
    status, output = run(WITHOUT_MIGRATIONS, "--self-test")
    assert (status, output.splitlines()[-1]) == (1, "The self-test failed.")
    assert "Failed: An unexpected error occurred." in output
    assert "migrations" in output or "missing" in output


def test_that_the_time_limit_ends_it(run):
    status, output = run(WITHOUT_TIME, "--self-test")
    assert (status, output.splitlines()[-1]) == (1, "Failed: The self-test did not end within 0 seconds.")


def test_that_folders_that_cannot_be_removed_for_a_while_are_removed_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder, end, rmtree = tmp_path / "data", time.monotonic() + 0.3, shutil.rmtree
    folder.mkdir()

    def rmtree_later(path: Path, *, ignore_errors: bool) -> None:
        if time.monotonic() > end:
            rmtree(path, ignore_errors=ignore_errors)

    monkeypatch.setattr(shutil, "rmtree", rmtree_later)
    _remove_folders(folder)
    assert not folder.exists()


def test_that_a_report_that_cannot_be_written_is_refused(run, tmp_path: Path):
    status, _ = run(RUN, f"--self-test={tmp_path}")
    assert status == 1
