"""`simcompare library` with students, `tag`, `retain` and `remove --expired`."""

import json
from pathlib import Path

import pytest

from simcompare.library.students import pseudonym_of
from tests.helpers.archives import write_zip
from tests.helpers.documents import unrelated_essays

SENTENCES = 6
STUDENTS = ("王小明", "李雷")


@pytest.fixture
def moodle(tmp_path, monkeypatch):
    """Working folder with class.zip as Moodle makes it: the file essay.txt in the folder of each student."""
    texts = unrelated_essays(2, SENTENCES)
    write_zip(
        tmp_path / "class.zip",
        {
            f"{student}_{number}_assignsubmission_file_/essay.txt": "\n".join(text).encode()
            for number, (student, text) in enumerate(zip(STUDENTS, texts, strict=True), start=71)
        },
    )
    (tmp_path / "new.txt").write_text("\n".join(texts[0]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMCOMPARE_LIBRARY", "school.sqlite")
    return tmp_path


@pytest.fixture
def filled(moodle, add_to_library):
    add_to_library("class.zip", "--tag", "class=3")
    return moodle


def entries(run, *options):
    return json.loads(run("library", "list", *options, "--to", "json").stdout)["entries"]


def test_that_list_and_search_show_the_students_of_an_archive(filled, run):
    lines = run("library", "list").stdout.splitlines()
    assert [line.split("essay.txt  ")[1] for line in lines] == [
        f"Class: 3 · Student: {student}" for student in sorted(STUDENTS)
    ]
    assert " of 王小明 (essay.txt · Class: 3 · " in run("library", "search", "new.txt").stdout
    assert run("library", "add", "class.zip", "--tag", "class=3").stdout == (
        "0 documents added; 2 files known already\n"
    )


def test_that_students_are_stored_by_pseudonym(moodle, run):
    for expected in ("2 documents added\n", "0 documents added; 2 files known already\n"):
        result = run("library", "add", "class.zip", "--students", "pseudonym")
        assert (result.exit_code, result.stdout) == (0, expected)
    pseudonym = pseudonym_of("王小明")
    assert f"{pseudonym}.txt  Student: {pseudonym}" in run("library", "list").stdout
    assert not [name for name in STUDENTS if name in run("library", "list", "--to", "json").stdout]
    removed = json.loads(run("library", "remove", "--student", "王小明", "--to", "json").stdout)["removed"]
    assert [entry["tags"] for entry in removed] == [{"student": [pseudonym]}]
    assert len(entries(run)) == 1


def test_that_students_are_left_out(moodle, run):
    run("library", "add", "class.zip", "--students", "none")
    assert [(entry["name"], entry["tags"]) for entry in entries(run)] == 2 * [("essay.txt", {})]


def test_that_the_class_list_beside_the_files_names_students(moodle, run):
    folder = moodle / "class"
    folder.mkdir()
    (folder / "20260001.txt").write_bytes((moodle / "new.txt").read_bytes())
    (folder / "名单.csv").write_text("学号,姓名\n20260001,王小明\n20260002,李雷\n", encoding="utf-8")
    run("library", "add", "class")
    assert [entry["tags"] for entry in entries(run)] == [{"student": ["王小明"]}]


def test_that_tags_are_changed(filled, run):
    changed = run("library", "tag", "--tag", "class=3", "--set", "class=4", "--set", "year=2026")
    assert changed.exit_code == 0
    first, *lines = changed.stdout.splitlines()
    assert first == "The tags of 2 entries were set"
    assert "李雷 (essay.txt · Class: 4 · Year: 2026 · entry 1 · " in lines[0]
    value = json.loads(run("library", "tag", "1", "--unset", "YEAR", "--to", "json").stdout)
    assert [entry["tags"] for entry in value["changed"]] == [{"class": ["4"], "student": ["李雷"]}]
    assert run("library", "tag", "--tag", "class=3", "--unset", "class").stdout == (
        "No entry fits, so nothing was changed.\n"
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("tag", "--set", "class=4"), "Say which entries to change"),
        (("tag", "1", "--tag", "class=3", "--set", "class=4"), "Say which entries to change"),
        (("tag", "1"), "Say what to change"),
        (("tag", "1", "--set", "class"), "class is not a tag"),
        (("tag", "1", "--set", "until=tomorrow"), "tomorrow is not a date"),
        (("retain", "--until", "2028-07-31"), "Say which entries to change"),
        (("retain", "1", "--until", "31.7.2028"), "31.7.2028 is not a date"),
        (("remove", "1", "--expired"), "Say what to remove"),
    ],
)
def test_that_wrong_use_changes_nothing(filled, run, options, sentence):
    before = run("library", "list").stdout
    result = run("library", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(sentence)
    assert run("library", "list").stdout == before


def test_that_a_class_is_kept_until_its_last_day(filled, run):
    run("library", "add", "new.txt", "--tag", "class=4", "--tag", "until=2999-12-31")
    result = run("library", "retain", "--tag", "class=3", "--until", "2020-07-31")
    assert "李雷 (essay.txt · Class: 3 · Keep until: 2020-07-31 · " in result.stdout.splitlines()[1]
    assert [entry["entry"] for entry in entries(run, "--expired")] == [1, 2]
    assert entries(run, "--expired", "--tag", "class=4") == []
    lines = run("library", "stats").stdout.splitlines()
    assert "  Keep until: 2020-07-31 – 2" in lines
    assert lines[-1].startswith("The last day of 2 entries has passed; “simcompare library remove --expired”")
    assert json.loads(run("library", "stats", "--to", "json").stdout)["expired"] == 2
    protocol = run("library", "remove", "--expired").stdout
    assert protocol.startswith("2 entries were removed")
    assert [entry["name"] for entry in entries(run)] == ["new.txt"]
    assert run("library", "remove", "--expired").stdout == "No entry fits, so nothing was removed.\n"
    assert Path("school.sqlite").exists()
