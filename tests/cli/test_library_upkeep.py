"""`simcompare library check` and `migrate`."""

import json
import sqlite3
from pathlib import Path

import pytest

from simcompare.library.store.schema import REVISION
from tests.helpers.documents import unrelated_essays


@pytest.fixture
def filled(tmp_path, monkeypatch, add_to_library):
    """Working folder with a library of one essay."""
    (tmp_path / "essay.txt").write_text("\n".join(unrelated_essays(1, 6)[0]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMCOMPARE_LIBRARY", "school.sqlite")
    add_to_library("essay.txt")
    return tmp_path


def test_that_a_sound_library_is_said_to_be_sound(filled, run):
    result = run("library", "check")
    assert (result.exit_code, result.stdout) == (0, "1 entry checked: nothing is wrong\n")


def test_that_what_is_wrong_is_said_with_what_to_do(filled, run):
    connection = sqlite3.connect("school.sqlite")
    connection.execute("DELETE FROM recent_postings")
    connection.commit()
    connection.close()
    result = run("library", "check")
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert first.startswith("Entry 1 is not in the index as it should be (0 / ")
    assert second.startswith("Export the library and import it into a new one")
    value = json.loads(run("library", "check", "--to", "json").stdout)
    (fault,) = value["faults"]
    assert (value["checked"], fault["kind"], fault["entry"]) == (1, "terms", 1)
    run("library", "export", "library.zip")
    run("library", "import", "library.zip", "--library", "new.sqlite")
    assert run("library", "check", "--library", "new.sqlite").exit_code == 0


def test_that_migrating_says_the_version_of_the_tables(filled, run):
    result = run("library", "migrate")
    assert (result.exit_code, result.stdout) == (
        0,
        f"The tables of the library are up to date (version {REVISION})\n",
    )


@pytest.mark.parametrize("command", ["check", "migrate", "stats"])
def test_that_only_a_library_is_checked(filled, run, command):
    missing = run("library", command, "--library", "missing.sqlite")
    assert missing.exit_code == 1
    assert missing.stderr.startswith("There is no library at missing.sqlite.")
    other = run("library", command, "--library", "essay.txt")
    assert other.exit_code == 1
    assert "it is not a library of simcompare" in other.stderr
    assert not Path("missing.sqlite").exists()
