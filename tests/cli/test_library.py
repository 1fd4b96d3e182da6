"""`simcompare library`: add, search, list, remove, stats."""

import json
import os
import re
import stat
import sys
from pathlib import Path

import pytest

from simcompare.support.resources import user_data_path
from tests.helpers.archives import write_zip
from tests.helpers.documents import own_texts, unrelated_essays

SENTENCES = 12


@pytest.fixture
def school(tmp_path, monkeypatch):
    """Working folder with the folder class-3 of three essays, and new.txt with a passage of the second."""
    first, second, third, other = unrelated_essays(4, SENTENCES)
    folder = tmp_path / "class-3"
    folder.mkdir()
    for name, essay in (("王小明", first), ("李雷", second), ("韩梅", third)):
        (folder / f"{name}.txt").write_text("\n".join(essay), encoding="utf-8")
    (tmp_path / "new.txt").write_text("\n".join([*other, *second[3:7]]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMCOMPARE_LIBRARY", "school.sqlite")
    return tmp_path


@pytest.fixture
def filled(school, add_to_library):
    add_to_library("class-3", "--tag", "class=3", "--tag", "year=2025")
    return school


def names(run, *tags):
    value = json.loads(run("library", "list", *tags, "--to", "json").stdout)
    return [entry["name"] for entry in value["entries"]]


def test_that_a_sentence_in_another_text_is_found_by_fingerprints(filled, run):
    result = run("library", "search", "new.txt", "--by", "fingerprints", "--to", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    (searched,) = json.loads(result.stdout)["searched"]
    (hit,) = searched["hits"]
    assert hit["entry"]["name"] == "李雷.txt"
    assert (
        hit in json.loads(run("library", "search", "new.txt", "--to", "json").stdout)["searched"][0]["hits"]
    )


def test_that_the_files_of_a_folder_are_added_with_tags(school, run):
    result = run("library", "add", "class-3", "--tag", "class=3", "--tag", "year=2025")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "3 documents added\n", "")
    lines = run("library", "list").stdout.splitlines()
    assert all(line.endswith("Year: 2025") for line in lines)
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert names(run, "--tag", "class=3") == ["李雷.txt", "王小明.txt", "韩梅.txt"]
    assert names(run, "--tag", "class=4") == []
    assert stat.S_IMODE(Path("school.sqlite").stat().st_mode) == 0o600


def test_that_the_members_of_an_archive_are_added(school, run):
    text = "\n".join(unrelated_essays(4, SENTENCES)[3])
    write_zip(school / "essays.zip", {"class/赵敏.txt": text.encode()})
    assert run("library", "add", "essays.zip").exit_code == 0
    assert names(run) == ["赵敏.txt"]
    assert run("library", "add", "essays.zip").stdout == "0 documents added; 1 file known already\n"


def test_that_known_submissions_are_skipped_and_told(filled, run):
    (filled / "class-3" / "赵敏.txt").write_bytes((filled / "class-3" / "李雷.txt").read_bytes())
    for expected in (
        "1 document added; 3 files known already\n",
        "0 documents added; 4 files known already\n",
    ):
        result = run("library", "add", "class-3", "--tag", "year=2025", "--tag", "class=3")
        assert (result.exit_code, result.stdout) == (0, expected)
    value = json.loads(run("library", "search", "class-3/李雷.txt", "--to", "json").stdout)
    hits = [(hit["entry"]["name"], hit["share"], hit["same_file"]) for hit in value["searched"][0]["hits"]]
    assert hits == [("李雷.txt", 1.0, True), ("赵敏.txt", 1.0, True)]


def test_that_a_folder_added_with_the_tags_of_another_year_is_added(filled, run):
    assert run("library", "add", "class-3", "--tag", "year=2026").stdout == "3 documents added\n"
    assert names(run, "--tag", "year=2025") == names(run, "--tag", "year=2026")
    assert run("library", "stats").stdout.splitlines()[0].startswith("6 entries; ")


def test_that_equal_files_in_the_folders_of_two_students_are_added_once_each(school, run):
    for student in ("王小明", "李雷"):
        (school / "handed-in" / student).mkdir(parents=True)
        (school / "handed-in" / student / "essay.txt").write_bytes((school / "new.txt").read_bytes())
    # as if the run had been interrupted after the first
    assert run("library", "add", "handed-in/王小明").stdout == "1 document added\n"
    assert run("library", "add", "handed-in").stdout == "1 document added; 1 file known already\n"
    again = run("library", "add", "handed-in", str(school / "handed-in" / "李雷"))
    assert again.stdout == "0 documents added; 2 files known already\n"
    assert names(run) == ["essay.txt", "essay.txt"]


def test_that_a_file_that_cannot_be_read_does_not_stop_the_others(school, run):
    (school / "class-3" / "torn.docx").write_bytes(b"PK\x03\x04 torn")
    result = run("library", "add", "class-3", "missing.txt")
    assert result.exit_code == 1
    assert result.stdout == "3 documents added; 2 files not read\n"
    assert sorted(line.split()[0] for line in result.stderr.splitlines()) == ["missing.txt", "torn.docx"]


def test_that_a_class_list_is_told_and_not_added(school, run):
    (school / "class-3" / "名单.csv").write_text(
        "学号,姓名\n20260001,王小明\n20260002,李雷\n", encoding="utf-8"
    )
    result = run("library", "add", "class-3")
    assert (result.exit_code, result.stdout) == (0, "3 documents added\n")
    assert result.stderr == "名单.csv is a class list, not an essay.\n"


def test_that_the_library_itself_is_not_added(filled, run):
    result = run("library", "add", ".", "--tag", "class=3", "--tag", "year=2025")
    assert result.stdout == "1 document added; 3 files known already\n"


def test_that_a_copied_passage_is_found(filled, run):
    result = run("library", "search", "new.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    first, second, third = result.stdout.splitlines()
    assert first == "new.txt: 1 entry of the library shares text with it"
    assert "of 李雷 (李雷.txt · Class: 3 · Year: 2025 · entry 1 · added " in second
    assert re.search(r" · added \d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d\); longest passage:", second)
    chinese = run("library", "search", "new.txt", "--language", "zh").stdout
    assert "占李雷（李雷.txt · 班级：3 · 年份：2025 · 条目 1 · " in chinese
    assert re.search(r"20\d\d年\d{1,2}月\d{1,2}日 \d\d:\d\d 存入", chinese)
    assert third.strip().startswith("“")


def test_that_json_has_the_hits_of_every_file(filled, run):
    result = run("library", "search", "new.txt", "missing.txt", "class-3/韩梅.txt", "--to", "json")
    assert result.exit_code == 1
    value = json.loads(result.stdout)
    assert (value["format"], value["version"]) == ("simcompare-library", 1)
    new, missing, known = value["searched"]
    assert (new["text"], known["text"]) == ("new.txt", "class-3/韩梅.txt")
    assert missing["error"].startswith("missing.txt cannot be opened")
    (hit,) = new["hits"]
    keys = ["entry", "share", "entry_share", "longest_passage_units", "excerpt", "same_file"]
    assert list(hit) == keys
    assert hit["entry"]["tags"] == {"class": ["3"], "student": ["李雷"], "year": ["2025"]}
    assert 0 < hit["share"] < hit["entry_share"] < 1
    assert hit["longest_passage_units"] > 20
    assert (known["hits"][0]["share"], known["hits"][0]["same_file"]) == (1.0, True)


def test_that_a_text_without_hits_says_so(filled, run):
    (filled / "other.txt").write_text(own_texts("en")[0], encoding="utf-8")
    assert run("library", "search", "other.txt").stdout == "other.txt: nothing like it is in the library\n"


def test_that_a_sentence_is_searched(filled, run):
    sentence = unrelated_essays(4, SENTENCES)[2][4]
    result = run("library", "search", "--sentence", sentence, "--to", "json", "--output", "hits.json")
    assert (result.exit_code, result.stdout) == (0, "")
    (searched,) = json.loads(Path("hits.json").read_text(encoding="utf-8"))["searched"]
    assert searched["text"] == sentence
    assert searched["hits"][0]["entry"]["name"] == "韩梅.txt"
    assert searched["hits"][0]["excerpt"] == sentence


def test_that_a_sentence_without_words_is_an_error(filled, run):
    result = run("library", "search", "--sentence", "？！")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("？！ holds no words")


def test_that_top_limits_the_entries(filled, run):
    essays = unrelated_essays(4, SENTENCES)
    (filled / "mixed.txt").write_text("\n".join([*essays[0][:4], *essays[1][:4]]), encoding="utf-8")
    found = [
        json.loads(run("library", "search", "mixed.txt", "--top", top, "--no-meaning", "--to", "json").stdout)
        for top in ("1", "5")
    ]
    assert [len(value["searched"][0]["hits"]) for value in found] == [1, 2]


def test_that_submissions_of_one_text_take_one_place_among_those_compared(filled, run):
    for year in ("2024", "2026"):
        run("library", "add", "class-3", "--tag", f"year={year}")
    lines = run("library", "search", "class-3/李雷.txt", "--top", "1").stdout.splitlines()
    assert lines[0] == "class-3/李雷.txt: 3 entries of the library share text with it"
    assert lines[-1] == "  Other entries may share text with it, too; --top 2 compares more of them."
    lines = run("library", "search", "class-3/李雷.txt", "--top", "2").stdout.splitlines()
    assert lines[0] == "class-3/李雷.txt: 3 entries of the library share text with it"
    assert "Other entries" not in lines[-1]


def test_that_entries_are_removed_with_a_protocol(filled, run):
    result = run("library", "remove", "1", "3")
    assert result.exit_code == 0
    first, *rest = result.stdout.splitlines()
    assert first.startswith(
        "2 entries were removed with their texts, fingerprints, tags and places in the index"
    )
    assert [line.split()[:2] for line in rest] == [["李雷", "(李雷.txt"], ["韩梅", "(韩梅.txt"]]
    assert names(run) == ["王小明.txt"]
    assert run("library", "search", "new.txt").stdout == "new.txt: nothing like it is in the library\n"


def test_that_a_student_is_removed_everywhere(filled, run):
    for number, year in enumerate(("2024", "2025"), start=1):
        (filled / f"{year}.txt").write_text(own_texts("en")[number], encoding="utf-8")
        run("library", "add", f"{year}.txt", "--tag", f"year={year}", "--tag", "student=赵敏")
    result = run("library", "remove", "--student", "赵敏", "--to", "json")
    value = json.loads(result.stdout)
    assert [entry["name"] for entry in value["removed"]] == ["2024.txt", "2025.txt"]
    assert value["removed_at"].endswith("+00:00")
    assert len(names(run)) == 3
    again = run("library", "remove", "--student", "赵敏")
    assert (again.exit_code, again.stdout) == (0, "No entry fits, so nothing was removed.\n")


def test_that_a_class_is_removed_by_its_tags(filled, run):
    run("library", "add", "new.txt", "--tag", "class=3", "--tag", "year=2026")
    run("library", "remove", "--tag", "class=3", "--tag", "year=2025")
    assert names(run) == ["new.txt"]


@pytest.mark.parametrize(
    "options", [(), ("1", "--tag", "class=3"), ("--student", "赵敏", "--tag", "class=3")]
)
def test_that_what_to_remove_is_said_in_one_way(filled, run, options):
    result = run("library", "remove", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Say what to remove")
    assert len(names(run)) == 3


def test_that_a_missing_entry_is_an_error(filled, run):
    result = run("library", "remove", "1", "9")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "The library has no entry 9. List its entries with “simcompare library list”.\n"
    assert len(names(run)) == 3


def test_that_figures_say_how_much_there_is(filled, run):
    lines = run("library", "stats").stdout.splitlines()
    assert lines[0].startswith("3 entries; ")
    assert re.match(r"added from \d{1,2} [A-Z][a-z]+ 20", lines[1])
    assert lines[2:] == ["3 students", "  Class: 3 – 3", "  Year: 2025 – 3"]
    value = json.loads(run("library", "stats", "--to", "json").stdout)
    assert (value["entries"], value["tags"][0]) == (3, {"name": "class", "value": "3", "entries": 3})
    assert value["size_bytes"] == Path("school.sqlite").stat().st_size


@pytest.mark.parametrize("command", [("search", "new.txt"), ("list",), ("remove", "1"), ("stats",)])
def test_that_only_adding_makes_a_library(school, run, command):
    result = run("library", *command)
    assert result.exit_code == 1
    assert result.stderr.startswith("There is no library at school.sqlite.")
    assert not Path("school.sqlite").exists()


def test_that_searching_needs_a_text(filled, run):
    result = run("library", "search")
    assert result.exit_code == 2
    assert result.stderr.startswith("There is nothing to search.")


def test_that_a_wrong_tag_is_refused_before_anything_is_read(school, run):
    result = run("library", "add", "class-3", "--tag", "class")
    assert (result.exit_code, result.stderr) == (
        2,
        "class is not a tag. Write a name of up to 64 characters and a value of up to 500, "
        "such as class=3.\n",
    )
    assert not Path("school.sqlite").exists()


def test_that_results_do_not_overwrite_the_library(filled, run):
    result = run("library", "search", "new.txt", "--output", "school.sqlite")
    assert result.exit_code == 2
    assert len(names(run)) == 3


def test_that_the_option_precedes_the_environment_and_the_default_is_the_users(school, run, monkeypatch):
    run("library", "add", "new.txt", "--library", "other.sqlite")
    assert Path("other.sqlite").exists()
    assert not Path("school.sqlite").exists()
    monkeypatch.delenv("SIMCOMPARE_LIBRARY")
    run("library", "add", "new.txt")
    assert user_data_path("library.sqlite").exists()


def test_that_another_file_is_no_library(school, run):
    result = run("library", "list", "--library", "new.txt")
    assert result.exit_code == 1
    assert result.stderr.startswith("new.txt cannot be used as a library: it is not a library of simcompare.")


@pytest.mark.skipif(sys.platform == "win32", reason="file names are text there")
def test_that_a_file_name_that_is_not_text_is_accepted(school, run):
    name = os.fsdecode(b"br\xfccke.txt")
    (school / name).write_bytes((school / "new.txt").read_bytes())
    assert run("library", "add", name).exit_code == 0
    assert names(run) == ["br[U+DCFC]cke.txt"]
