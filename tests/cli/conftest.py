"""Fixtures: essays in files, and the command line run in this process."""

import math
from functools import cache
from pathlib import Path

import docx
import pytest
import typer.main
from typer.testing import CliRunner

from simcompare.cli.main import app
from simcompare.session.session_file import write_session
from tests.cli.sessions import COPIED, session_of
from tests.helpers.kept_processes import processes_kept_between_tests  # noqa: F401 - a fixture
from tests.report.cohort.class_of_essays import ESSAYS
from tests.report.essays import BRIDGE, BRIDGE_REWORDED

BUS = "<html><body><h1>The last bus</h1><p>{}</p></body></html>".format(
    "On the evening of my fourteenth birthday, I missed the last bus home. It was raining hard."
)


made_command = cache(typer.main.get_command)


@pytest.fixture
def essays(tmp_path, monkeypatch):
    """Working folder with bridge.txt, reworded.docx, bus.html and the damaged broken.docx."""
    (tmp_path / "bridge.txt").write_text(BRIDGE, encoding="utf-8")
    document = docx.Document()
    for line in filter(None, BRIDGE_REWORDED.split("\n")):
        document.add_paragraph(line)
    document.save(str(tmp_path / "reworded.docx"))
    (tmp_path / "bus.html").write_text(BUS, encoding="utf-8")
    (tmp_path / "broken.docx").write_bytes((tmp_path / "reworded.docx").read_bytes()[:3000])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(monkeypatch, processes_kept_between_tests):  # noqa: F811
    """Run the command line in this process; the result has exit_code, stdout and stderr.

    No lines of progress are printed, as on a machine that is fast enough.
    """
    monkeypatch.setattr("simcompare.cli.output._LINE_INTERVAL_SECONDS", math.inf)

    def invoke(*arguments):
        # made once, as this takes longer than most commands; showing its help translates it for ever
        shows_help = not arguments or bool({"-h", "--help"} & set(arguments))
        get_command = typer.main.get_command if shows_help else made_command
        monkeypatch.setattr("typer.testing._get_command", get_command)
        return CliRunner().invoke(app, list(arguments), catch_exceptions=False)

    return invoke


@pytest.fixture(scope="session")
def made_libraries():
    """Bytes of libraries by module and arguments of `add_to_library`."""
    return {}


@pytest.fixture
def add_to_library(run, made_libraries, request):
    """Add files to the empty school.sqlite; the command runs once, then its library is copied."""

    def add(*arguments):
        path, key = Path("school.sqlite"), (request.module.__name__, *arguments)
        if key in made_libraries:
            path.touch(0o600)
            path.write_bytes(made_libraries[key])
            return
        assert run("library", "add", *arguments).exit_code == 0
        made_libraries[key] = path.read_bytes()

    return add


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """Save a session as class.simcompare in the working folder."""
    monkeypatch.chdir(tmp_path)
    return lambda session: write_session(session, tmp_path / "class.simcompare")


@pytest.fixture
def a_class(saved, tmp_path):
    """Folder with a session of four essays, one pair of which is marked as copied."""
    saved(session_of(*(f"/gone/{name}" for name in ESSAYS), reviews={(2, 0): COPIED}))
    return tmp_path


@pytest.fixture
def report(run):
    return lambda *more: run("report", "class.simcompare", *more)
