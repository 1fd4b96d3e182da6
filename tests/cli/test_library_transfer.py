"""`simcompare library export` and `import`."""

import json
from pathlib import Path

import pytest

from tests.helpers.documents import unrelated_essays

SENTENCES = 6


@pytest.fixture
def filled(tmp_path, monkeypatch, add_to_library):
    """Working folder with a library of a class of two, and another text."""
    folder = tmp_path / "class"
    folder.mkdir()
    for name, text in zip(("王小明", "李雷"), unrelated_essays(2, SENTENCES), strict=True):
        (folder / f"{name}.txt").write_text("\n".join(text), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMCOMPARE_LIBRARY", "school.sqlite")
    add_to_library("class", "--tag", "class=3")
    return tmp_path


def entries(run, library):
    return json.loads(run("library", "list", "--to", "json", "--library", library).stdout)["entries"]


def test_that_a_library_is_taken_to_another_computer_in_one_file(filled, run):
    result = run("library", "export", "library.zip")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "2 entries exported\n", "")
    for expected in ("2 entries imported\n", "0 entries imported; 2 entries known already\n"):
        result = run("library", "import", "library.zip", "--library", "other.sqlite")
        assert (result.exit_code, result.stdout, result.stderr) == (0, expected, "")
    assert entries(run, "other.sqlite") == entries(run, "school.sqlite")
    assert run("library", "search", "class/李雷.txt", "--library", "other.sqlite").stdout == (
        run("library", "search", "class/李雷.txt").stdout
    )


def test_that_entries_with_tags_are_exported(filled, run):
    assert run("library", "export", "one.zip", "--tag", "student=李雷").stdout == "1 entry exported\n"
    assert run("library", "import", "one.zip", "--library", "other.sqlite").stdout == "1 entry imported\n"
    assert [entry["name"] for entry in entries(run, "other.sqlite")] == ["李雷.txt"]


def test_that_a_damaged_file_is_one_sentence_and_makes_no_library(filled, run):
    run("library", "export", "library.zip")
    data = Path("library.zip").read_bytes()
    Path("library.zip").write_bytes(data[: len(data) // 2])
    result = run("library", "import", "library.zip", "--library", "other.sqlite")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "library.zip cannot be imported: it is not an exported library. Export the library again, or use "
        "another copy.\n"
    )
    assert not Path("other.sqlite").exists()


def test_that_the_library_is_not_overwritten_and_must_exist(filled, run):
    refused = run("library", "export", "school.sqlite")
    assert (refused.exit_code, refused.stdout) == (2, "")
    missing = run("library", "export", "library.zip", "--library", "missing.sqlite")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert not Path("library.zip").exists()
    folder = run("library", "export", "missing/library.zip")
    assert folder.exit_code == 2
