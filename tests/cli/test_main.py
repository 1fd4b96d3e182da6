"""The program as a process: entry point, streams, Ctrl+C, language of the help."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simcompare import __version__
from simcompare.cli.main import app
from simcompare.cli.output import check_bundle_output
from simcompare.export.output_paths import OutputError, check_output
from simcompare.support.resources import user_data_path
from tests.cli.conftest import made_command
from tests.helpers.patience import PATIENCE_S
from tests.report.essays import put_chinese_catalogue

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "simcompare"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
# The program; it creates a file when the first document goes to a worker, and never finishes the reading.
MARKED_PROGRAM = """
import pathlib, time
from simcompare.cli.main import main
from simcompare.loading.workers.isolation import ReaderPool

def read_without_end(path, read, *arguments):
    read(path, *arguments)
    time.sleep(600)

def submit(pool, function, path, *arguments, unmarked=ReaderPool.submit):
    pathlib.Path("reading").touch()
    return unmarked(pool, read_without_end, path, function, *arguments)

if __name__ == "__main__":
    ReaderPool.submit = submit
    main()
"""


def run_process(*arguments):
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, env=ENVIRONMENT, timeout=PATIENCE_S, check=False
    )


def test_that_the_module_shows_its_version():
    result = run_process("--version")
    assert (result.returncode, result.stdout.decode().strip()) == (0, f"simcompare {__version__}")


def test_that_standard_output_is_utf_8_in_any_locale(essays):
    result = run_process("extract", "bridge.txt", "--to", "json")
    assert result.returncode == 0
    assert json.loads(result.stdout.decode("utf-8"))["title"] == "家乡的石桥"


@pytest.mark.skipif(sys.platform != "linux", reason="the data folder is that of the user there")
def test_that_a_drive_that_does_not_answer_holds_up_no_command(essays):
    """Whoever reads a record of temporary files that is a pipe without a writer waits for ever."""
    os.mkfifo(user_data_path("unfinished", "dead.paths"))
    environment = {**ENVIRONMENT, "XDG_DATA_HOME": os.environ["XDG_DATA_HOME"]}
    command = [*PROGRAM, "extract", "bridge.txt"]
    done = subprocess.run(command, capture_output=True, env=environment, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_that_a_full_disk_behind_standard_output_has_a_one_sentence_error(essays):
    with Path("/dev/full").open("wb") as full:
        command = [*PROGRAM, "extract", "bridge.txt"]
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=PATIENCE_S, check=False
        )
    assert done.returncode == 2
    assert len(done.stderr.decode().strip().splitlines()) == 1
    assert done.stderr.startswith(b"standard output cannot be written")


@pytest.mark.parametrize("arguments", [["compare", "--help"], ["library", "search", "--help"]])
def test_that_help_and_version_load_neither_numpy_nor_qt(arguments):
    code = (
        f"import sys; from simcompare.cli.main import app; app({arguments}, standalone_mode=False); "
        "unneeded = {'numpy', 'pydantic', 'PySide6', 'jieba', 'pebble', 'rich', 'sqlalchemy', 'dask'}; "
        "sys.exit(bool(unneeded & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False).returncode == 0


def test_that_the_last_option_of_every_command_is_the_language():
    top = made_command(app).commands
    commands = {**top, **top["library"].commands}
    del commands["library"]
    assert {name for name, command in commands.items() if command.params[-1].name != "language"} == set()


@pytest.mark.skipif(sys.platform == "win32", reason="files there have names that are text")
def test_that_a_file_name_that_is_not_text_is_accepted(essays, run):
    name = os.fsdecode(b"br\xfccke.txt")
    (essays / name).write_bytes((essays / "bridge.txt").read_bytes())
    result = run("compare", name, "bridge.txt", "--to", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["documents"]["left"]["file_name"] == name


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pipe that breaks")
def test_that_a_closed_pipe_causes_no_traceback(essays, start_program):
    # more than the buffer of a pipe, so that writing continues after the reader has closed it
    (essays / "long.txt").write_text("We walked home. " * 20_000, encoding="utf-8")
    command = [*PROGRAM, "extract", "long.txt"]
    process = start_program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is sent to a console there")
@pytest.mark.parametrize("delay_seconds", [0.0, 1.0])
def test_that_ctrl_c_ends_the_program_at_once(essays, start_program, delay_seconds):
    # near the maximum length: reading takes several seconds
    sentences = (f"{number} people crossed the bridge. " for number in range(280_000))
    (essays / "long.txt").write_text("".join(sentences), encoding="utf-8")
    (essays / "marked.py").write_text(MARKED_PROGRAM, encoding="utf-8")
    command = [sys.executable, "marked.py", "compare", "bridge.txt", "long.txt"]
    process = start_program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
    while not (essays / "reading").exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(delay_seconds)
    # as a terminal does: to the program and its workers
    os.killpg(process.pid, signal.SIGINT)
    errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, *errors) == (130, b"", b"")


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="needs a user whom permissions hold back"
)
def test_that_a_read_only_folder_has_an_error(essays, run):
    (essays / "locked").mkdir(mode=0o500)
    result = run("extract", "bridge.txt", "--output", "locked/text.txt")
    assert result.exit_code == 2
    assert result.stderr.startswith("locked/text.txt cannot be written: access to it is not allowed.")


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder in which even root can write nothing")
@pytest.mark.parametrize("place", ["text.html", "text.zip", "texts"])
def test_that_a_place_that_cannot_be_written_is_refused_before_the_work(essays, run, place):
    with pytest.raises(OutputError, match=f"/proc/{place} cannot be written"):
        (check_output if place == "text.html" else check_bundle_output)(Path("/proc") / place, ())
    result = run("extract", "missing.txt", "--output", f"/proc/{place}")
    assert (result.exit_code, result.stderr.partition(" ")[0]) == (2, f"/proc/{place}")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such device")
def test_that_a_device_is_written_to_and_not_replaced(essays, run):
    assert run("extract", "bridge.txt", "--output", os.devnull).exit_code == 0
    assert not Path(os.devnull).is_file()


def test_that_the_help_follows_the_language(run, tmp_path, monkeypatch):
    put_chinese_catalogue(tmp_path, monkeypatch, **{"Format of the result.": "结果的格式。"})
    result = run("compare", "--language", "zh", "--help")
    assert result.exit_code == 0
    assert "结果的格式。" in result.stdout


def test_that_the_help_is_shown_without_a_command(run):
    assert "compare" in run().output
