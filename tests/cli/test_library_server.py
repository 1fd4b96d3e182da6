"""`simcompare library` with a library on a server."""

import json
from pathlib import Path

import pytest

from tests.helpers.documents import unrelated_essays


@pytest.fixture
def class_3(emptied_server, tmp_path, monkeypatch):
    """Working folder with the folder class-3 of three essays; the password is in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PGPASSWORD", emptied_server.password)
    for name, essay in zip(("王小明", "李雷", "韩梅"), unrelated_essays(3, 12), strict=True):
        path = tmp_path / "class-3" / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(essay), encoding="utf-8")


@pytest.fixture
def address(emptied_server):
    """The address of the library without its password."""
    return str(emptied_server.place())


def test_that_a_library_on_a_server_is_used_like_one_in_a_file(class_3, run, address, emptied_server):
    library = ("--library", address)
    assert run("library", "add", "class-3", "--tag", "class=3", *library).stdout == "3 documents added\n"
    again = run("library", "add", "class-3", "--tag", "class=3", *library)
    assert again.stdout == "0 documents added; 3 files known already\n"
    found = run("library", "search", "class-3/李雷.txt", "--to", "json", "--output", "hits.json", *library)
    assert (found.exit_code, found.stderr) == (0, "")
    hit = json.loads(Path("hits.json").read_text(encoding="utf-8"))["searched"][0]["hits"][0]
    assert (hit["entry"]["name"], hit["share"]) == ("李雷.txt", 1.0)
    assert run("library", "stats", *library).stdout.startswith("3 entries; ")
    assert run("library", "remove", "--tag", "class=3", *library).exit_code == 0
    assert run("library", "list", *library).stdout == ""
    rows = emptied_server.run("SELECT action, entry_count, tags FROM access_log ORDER BY id")
    assert rows == [("search", 1, ""), ("remove", 3, "class=3")]


def test_that_the_address_may_be_in_the_environment_with_its_password(
    class_3, run, emptied_server, monkeypatch
):
    monkeypatch.delenv("PGPASSWORD")
    monkeypatch.setenv("SIMCOMPARE_LIBRARY", emptied_server.address())
    assert run("library", "add", "class-3").stdout == "3 documents added\n"
    monkeypatch.setenv("SIMCOMPARE_LIBRARY", emptied_server.address(password="wrong-one"))
    result = run("library", "list")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "the password is wrong" in result.stderr
    assert "wrong-one" not in result.stderr


def test_that_a_password_in_the_command_is_refused(run, emptied_server):
    result = run("library", "list", "--library", emptied_server.address())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Other users of this computer can see the password in a command.")
    assert emptied_server.password not in result.stderr


def test_that_another_address_is_refused(run):
    result = run("library", "list", "--library", "mysql://li@school.example/essays")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Write it as postgresql://user@host/database" in result.stderr
