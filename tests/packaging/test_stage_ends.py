"""Reports of stages that hang and of tests that crash their process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE_S
from tests.helpers.programs import StartProgram

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from tools import runner, stages  # noqa: E402

TESTS = """\
import os, time

def test_that_passes():
    pass

def test_that_hangs():
    time.sleep(600)

def test_that_crashes():
    os.abort()

def test_that_comes_after_it():
    pass
"""
HANGING = """\
import faulthandler, pathlib, sys, time

def wait_forever():
    time.sleep(600)

faulthandler.enable()
pathlib.Path(sys.argv[1]).touch()
wait_forever()
"""


def lean_pytest(folder: Path, *options: str) -> list[str | Path]:
    """Command to run the tests of a folder with the pytest settings of this project."""
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-p", "no:cacheprovider"]
    return [sys.executable, "-m", "pytest", *stages.lax_options([]), *settings, *options, str(folder)]


@pytest.fixture
def run_tests(tmp_path: Path, start_program: StartProgram, monkeypatch: pytest.MonkeyPatch):
    # each process would load all other plugins as well
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(script: str, *options: str) -> str:
        (tmp_path / "test_it.py").write_text(script, encoding="utf-8")
        command = lean_pytest(tmp_path, "-p", "xdist", *stages.in_processes(1), *options)
        process = start_program(command, stdout=subprocess.PIPE, text=True)
        return process.communicate(timeout=2 * PATIENCE_S)[0]

    return run


@pytest.mark.parametrize(("cores", "processes"), [(0, "2"), (1, "2"), (4, "3"), (64, "4")])
def test_that_the_number_of_test_processes_follows_the_cores(cores: int, processes: str):
    assert stages.in_processes(cores)[:2] == ["-n", processes]
    assert stages.usable_cores() >= 1


def test_that_tests_that_crash_or_hang_are_named_and_the_others_run(run_tests):
    output, limit_s = "", 2.0
    while "2 passed" not in output and limit_s < 60:  # a test that passes may take long on a busy machine
        limit_s *= 4
        output = run_tests(TESTS, "-o", f"faulthandler_timeout={limit_s}")
    assert "crashed while running 'test_it.py::test_that_crashes'" in output
    assert "crashed while running 'test_it.py::test_that_hangs'" in output
    assert "2 failed, 2 passed" in output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGABRT for other processes")
def test_that_a_stage_over_its_time_limit_is_ended_and_prints_its_stack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    started, program = tmp_path / "begun", tmp_path / "hanging.py"
    program.write_text(HANGING, encoding="utf-8")
    limit_s = 0.5
    while not started.exists():  # starting Python takes long on a busy machine
        limit_s *= 4
        with pytest.raises(runner.StageTimeoutError, match=f"not done after {limit_s:g} s"):
            runner.run_streamed([sys.executable, program, started], os.environ, limit_s)
    assert "in wait_forever" in capsys.readouterr().out
