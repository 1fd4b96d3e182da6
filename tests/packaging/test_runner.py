"""Running the stages of the check: their results, at the same time, and the summary."""

import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import dev  # noqa: E402
from tools import base, runner, stages  # noqa: E402


def _stage(name: str = "qt", **settings: object):
    return stages.Stage(name, "a stage", [sys.executable, "-c", "print('12 passed')"], **settings)


def test_that_the_note_of_a_passed_stage_is_the_number_of_tests():
    closing = "==== 12 passed, 1 skipped in 0.34s ===="
    assert runner.stage_result(_stage(is_pytest=True), 0, closing) == (
        "passed",
        "12 passed, 1 skipped in 0.34s",
    )


@pytest.mark.parametrize(
    ("exit_code", "closing"), [(5, "== no tests ran in 0.01s =="), (0, "== 4 skipped in 0.1s ==")]
)
def test_that_a_stage_in_which_no_test_ran_has_failed(exit_code: int, closing: str):
    result, note = runner.stage_result(_stage(is_pytest=True), exit_code, closing)
    assert result == "failed"
    assert "no test ran" in note


def test_that_a_stage_with_a_failing_test_has_failed():
    result, note = runner.stage_result(_stage(is_pytest=True), 1, "== 1 failed, 3 passed in 2s ==")
    assert (result, note) == ("failed", "1 failed, 3 passed in 2s")


def test_that_on_windows_a_stage_is_ended_with_the_processes_that_it_started(monkeypatch: pytest.MonkeyPatch):
    commands: list[list[str]] = []
    monkeypatch.setattr(runner, "WINDOWS", True)
    monkeypatch.setattr(runner.subprocess, "run", lambda command, **_: commands.append(command))
    runner._kill(SimpleNamespace(pid=4711))
    assert commands == [["taskkill", "/F", "/T", "/PID", "4711"]]


def test_that_a_killed_stage_names_the_signal():
    assert runner.stage_result(_stage(), -9, "") == ("failed", "ended by signal 9")


def test_that_the_output_of_a_command_is_shown_and_returned(capsys: pytest.CaptureFixture[str]):
    script = "print('石桥', flush=True); print('12 passed'); print(); raise SystemExit(3)"
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    assert runner.run_streamed([sys.executable, "-c", script], env) == (3, ["石桥", "12 passed"])
    assert "石桥" in capsys.readouterr().out


def test_that_a_stage_that_cannot_be_set_up_fails_with_the_reason():
    def broken():
        raise base.SetupError("Xvfb is missing")

    outcome = runner.run_stage(_stage("window", surroundings=broken))
    assert (outcome.result, outcome.note) == ("failed", "Xvfb is missing")


def test_that_stages_after_a_failed_one_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    failing = stages.Stage("first", "fails", [sys.executable, "-c", "raise SystemExit(1)"])
    monkeypatch.setattr(dev, "stages", lambda: [failing, _stage("second", is_pytest=True)])
    monkeypatch.setattr(dev, "set_up", lambda packages: None)
    options = dev._parser().parse_args(["test"])
    assert dev.command_test(options) == 1
    written = capsys.readouterr().out
    assert "second: passed" in written
    assert written.rstrip().endswith("failed: first")


def test_that_two_stages_run_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    """Each waits for the other; lines begin with its name, and outcomes are in the order of the stages."""
    monkeypatch.setattr(runner, "usable_cores", lambda: 2)
    script = (
        "import pathlib, sys, time\n"
        "print('begins', flush=True); pathlib.Path(sys.argv[1]).touch()\n"
        "while not pathlib.Path(sys.argv[2]).exists(): time.sleep(0.01)\n"
        "print('ends')\n"
    )

    def waiting(name: str, other: str) -> stages.Stage:
        command = [sys.executable, "-c", script, tmp_path / name, tmp_path / other]
        return stages.Stage(name, "waits for the other", command)

    outcomes = runner.run_stages([waiting("a", "b"), waiting("b", "a"), _stage("tests", is_pytest=True)])
    assert [(outcome.stage, outcome.result) for outcome in outcomes] == [
        ("a", "passed"),
        ("b", "passed"),
        ("tests", "passed"),
    ]
    shown = capsys.readouterr().out.splitlines()
    for name in ("a", "b"):
        lines = [line.removeprefix(f"{name:<10}") for line in shown if line.startswith(f"{name} ")]
        assert lines[1:3] == ["begins", "ends"]


def test_that_an_interrupted_check_ends_the_stages_that_run(monkeypatch: pytest.MonkeyPatch):
    def interrupted(stage: stages.Stage) -> runner.Outcome:
        while not runner._running:
            time.sleep(0.01)
        raise KeyboardInterrupt

    waiting = stages.Stage("a", "waits", [sys.executable, "-c", "import time; time.sleep(600)"])
    run = runner._run_with_name
    monkeypatch.setattr(runner, "usable_cores", lambda: 2)
    monkeypatch.setattr(
        runner, "_run_with_name", lambda stage: run(stage) if stage is waiting else interrupted(stage)
    )
    with pytest.raises(KeyboardInterrupt):
        runner.run_stages([_stage("b"), waiting])
    assert not runner._running


def test_that_compiled_modules_are_kept_between_the_programs_of_a_stage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    script = "import sys; print('12 passed' if not sys.dont_write_bytecode else '')"
    stage = stages.Stage("a", "a stage", [sys.executable, "-c", script], is_pytest=True)
    assert runner.run_stage(stage).result == "passed"


def test_that_an_unknown_stage_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(dev, "set_up", lambda packages: None)
    with pytest.raises(base.SetupError, match="no such stage: nonsense"):
        dev.command_test(dev._parser().parse_args(["test", "--only", "nonsense"]))


def test_that_the_summary_has_one_line_per_stage_and_a_total():
    outcomes = [runner.Outcome("ruff", "passed", 0.2, ""), runner.Outcome("qt", "passed", 12.34, "40 passed")]
    table = runner.summary(outcomes, 12.5).splitlines()
    assert table[1].split() == ["ruff", "passed", "0.2", "s"]
    assert table[2].split() == ["qt", "passed", "12.3", "s", "40", "passed"]
    assert table[-1] == "2 stages in 12.5 s, all passed"


def test_that_the_slowest_tests_of_all_stages_come_before_the_summary():
    lines = [
        "== slowest 10 durations ==",
        "9.50s call     tests/gui/test_a.py::test_b",
        "0.05s setup    c.py::d",
    ]
    first = runner.Outcome("qt", "passed", 12.0, "", runner.slowest_tests(lines))
    second = runner.Outcome("no-qt", "passed", 3.0, "", [(n / 10, f"test {n}") for n in range(20)])
    table = runner.summary([first, second], 15.0).splitlines()
    assert table[1].split() == ["9.5", "s", "tests/gui/test_a.py::test_b"]
    assert table[10].split() == ["1.1", "s", "test", "11"]
    assert table[11:13] == ["", "=== summary ==="]


FAILURES = """\
.F [100%]
=================================== FAILURES ===================================
__________________________________ test_that_a _________________________________
    assert 1 == 2
E   assert 1 == 2
============================= slowest 10 durations =============================
0.05s call     test_it.py::test_that_a
=========================== short test summary info ============================
FAILED test_it.py::test_that_a - assert 1 == 2
1 failed, 1 passed in 0.05s"""


def test_that_the_causes_of_failures_come_last_as_a_log_may_be_cut_off(capsys: pytest.CaptureFixture[str]):
    script = f"import sys; print({FAILURES!r}); sys.exit(1)"
    failing = stages.Stage("qt", "tests", [sys.executable, "-c", script], is_pytest=True)
    linting = stages.Stage("ruff", "lints", [sys.executable, "-c", "import sys; sys.exit('a.py: too long')"])
    table = runner.summary([runner.run_stage(failing), runner.run_stage(linting)], 1.0)
    assert table.partition("\n\n")[2].startswith(
        """=== qt: why it failed ===
=================================== FAILURES ===================================
__________________________________ test_that_a _________________________________
    assert 1 == 2
E   assert 1 == 2
FAILED test_it.py::test_that_a - assert 1 == 2

=== ruff: why it failed ===
a.py: too long

=== summary ==="""
    )
