"""`simcompare check --library`: hits of a class in a library, in every form of the result."""

import json
from pathlib import Path

import pytest

from tests.helpers.documents import unrelated_essays
from tests.helpers.shared_pictures import drawing, write_docx_with_pictures
from tests.report.cohort.workbooks import Workbook

SENTENCES = 12


@pytest.fixture
def school(tmp_path, monkeypatch, add_to_library):
    """Working folder with a class of three, the last of which has a passage of the only entry."""
    first, second, third, past = unrelated_essays(4, SENTENCES)
    folder = tmp_path / "class"
    folder.mkdir()
    essays = {"20260001-王小明": first, "20260002-李雷": second, "20260003-韩梅": [*third, *past[2:8]]}
    for name, essay in essays.items():
        (folder / f"{name}.txt").write_text("\n".join(essay), encoding="utf-8")
    (tmp_path / "孙立 2024.txt").write_text("\n".join(past), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    tags = ("--tag", "class=3", "--tag", "year=2024")
    add_to_library("孙立 2024.txt", *tags, "--library", "school.sqlite")
    return tmp_path


@pytest.fixture
def check(run, school):
    return lambda *more: run("check", "class", *more)


def hits_of(result):
    value = json.loads(result.stdout)
    return [(hit["document"], hit["entry"]) for hit in value["library_hits"]]


def test_that_json_has_the_hits_and_what_names_the_entries(check):
    result = check("--library", "school.sqlite", "--no-meaning", "--to", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    value = json.loads(result.stdout)
    (hit,) = value["library_hits"]
    keys = ["document", "entry", "name", "tags", "added_at", "share", "entry_share", "longest_passage_units"]
    assert list(hit) == keys
    assert (hit["document"], hit["entry"], hit["name"]) == ("20260003-韩梅.txt", 1, "孙立 2024.txt")
    assert hit["tags"] == {"class": ["3"], "year": ["2024"]}
    assert hit["added_at"].endswith("+00:00")
    assert 0.2 < hit["share"] < hit["entry_share"] < 0.6
    assert hit["longest_passage_units"] > 40
    assert (value["library_own"], value["library_not_compared"], value["library_top"]) == ([], [], 10)


def test_that_the_library_is_also_named_by_the_environment(check, monkeypatch):
    assert "library_hits" not in json.loads(check("--to", "json").stdout)
    monkeypatch.setenv("SIMCOMPARE_LIBRARY", "school.sqlite")
    assert hits_of(check("--to", "json")) == [("20260003-韩梅.txt", 1)]


def test_that_text_names_the_hits(check):
    lines = check("--library", "school.sqlite").stdout.splitlines()
    place = next(n for n, line in enumerate(lines) if "with an entry of the library" in line)
    assert lines[place].startswith("1 essay shares ")
    assert lines[place + 1].startswith(
        "1. 20260003-韩梅.txt – 孙立 2024.txt (Class: 3 · Year: 2024 · entry 1 · added "
    )
    assert "of the first text" in lines[place + 2]
    assert "library" not in check().stdout


def test_that_above_also_selects_hits(check):
    assert hits_of(check("--library", "school.sqlite", "--to", "json", "--above", "90")) == []
    text = check("--library", "school.sqlite", "--above", "90").stdout
    assert "No essay shares 90% or more with an entry of the library. 1 smaller match is not listed." in text


def test_that_a_class_that_was_added_has_no_hits_with_itself(check, run):
    run("library", "add", "class", "--tag", "class=3", "--tag", "year=2026", "--library", "school.sqlite")
    result = check("--library", "school.sqlite", "--to", "json")
    assert hits_of(result) == [("20260003-韩梅.txt", 1)]
    own = json.loads(result.stdout)["library_own"]
    assert sorted((each["document"], each["name"]) for each in own) == [
        (name, name) for name in sorted(path.name for path in Path("class").iterdir())
    ]
    text = check("--library", "school.sqlite").stdout
    assert "3 essays are entries of the library themselves (Class: 3 · Year: 2026 – 3)." in text
    others = check("--library", "school.sqlite", "--library-tag", "year=2027", "--to", "json")
    assert len(hits_of(others)) == 4
    assert json.loads(others.stdout)["library_own"] == []


def test_that_more_entries_than_are_compared_are_told(check, run):
    for year in range(2010, 2019):
        run("library", "add", "孙立 2024.txt", "--tag", f"year={year}", "--library", "school.sqlite")
    text = check("--library", "school.sqlite").stdout
    assert "Further entries may share as much with 1 essay, as only the best 10 were compared." in text
    assert "Further entries" not in check("--library", "school.sqlite", "--above", "90").stdout


def test_that_the_page_the_workbook_and_the_bundle_have_the_hits(check, school):
    searched = check("--library", "school.sqlite", "--no-meaning", "--to", "html", "--output", "out")
    assert searched.exit_code == 0
    page = (school / "out" / "index.html").read_text("utf-8")
    header, section = page.split("Also in the library")
    assert "1 essay shares " in header
    assert "entries that are essays of this class are left out" in section
    assert "孙立 2024.txt (Class: 3 · Year: 2024 · entry 1 · added " in page
    head, row = Workbook((school / "out" / "class.xlsx").read_bytes()).cells(3)
    assert head[:4] == ["Essay", "Entry of the library", "Share of the essay", "Share of the entry"]
    assert row[:2] == ["韩梅 20260003", "孙立 2024.txt"]
    assert row[5] == 1
    assert row[7] == "Class: 3 · Year: 2024"
    assert check("--to", "html", "--output", "without.html").exit_code == 0
    assert "Also in the library" not in (school / "without.html").read_text("utf-8")


def test_that_the_pdf_is_written(check, school):
    assert check("--library", "school.sqlite", "--to", "pdf", "--output", "class.pdf").exit_code == 0
    assert (school / "class.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_that_anonymous_results_do_not_name_entries(check, form):
    result = check("--library", "school.sqlite", "--anonymous", "--to", form)
    assert result.exit_code == 0
    assert not [name for name in ("孙立", "韩梅", "Year: 2024") if name in result.stdout]
    if form == "json":
        value = json.loads(result.stdout)
        (hit,) = value["library_hits"]
        assert (hit["entry"], hit["name"], hit["tags"]) == (1, "", {})
        named = json.loads(check("--to", "json").stdout)["documents"]
        units = {each["name"]: each["units"] for each in (*named, *value["documents"])}
        assert units[hit["document"]] == units["20260003-韩梅.txt"]
    else:
        assert "entry 1 (added " in result.stdout


def test_that_a_missing_library_is_an_error_before_anything_is_read(check):
    result = check("--library", "other.sqlite")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("There is no library at other.sqlite.")
    wrong = check("--library", "school.sqlite", "--library-tag", "class")
    assert (wrong.exit_code, wrong.stdout) == (2, "")


def test_that_the_library_is_not_overwritten_and_not_read_as_an_essay(check, school):
    refused = check("--library", "school.sqlite", "--to", "json", "--output", "school.sqlite")
    assert refused.exit_code == 2
    (school / "school.sqlite").rename(school / "class" / "school.sqlite")
    result = check("--library", "class/school.sqlite", "--to", "json")
    assert (result.exit_code, hits_of(result)) == (0, [("20260003-韩梅.txt", 1)])


def test_that_an_entry_with_the_same_picture_is_named_in_every_form_and_anonymously(
    run, school, add_to_library
):
    texts = unrelated_essays(6, SENTENCES)
    write_docx_with_pictures(school / "孙立.docx", texts[4], [drawing(1)])
    add_to_library("孙立.docx", "--tag", "year=2024", "--library", "school.sqlite")
    write_docx_with_pictures(school / "class" / "20260004-赵敏.docx", texts[5], [drawing(1)])
    arguments = ["check", "class", "--library", "school.sqlite", "--no-meaning"]
    hit = json.loads(run(*arguments, "--to", "json").stdout)["library_hits"][-1]
    assert (hit["name"], hit["share"]) == ("孙立.docx", 0.0)
    assert hit["shared_pictures"] == [{"kind": "similar", "pictures": [1, 1]}]
    printed = run(*arguments).stdout
    assert "孙立.docx (Year: 2024 · entry 2 · added " in printed
    assert "longest passage 0 characters; 1 common picture" in printed
    anonymous = run(*arguments, "--anonymous").stdout
    assert "1 common picture" in anonymous
    assert not any(name in anonymous for name in ("孙立", "赵敏"))
    searched = run("library", "search", "class/20260004-赵敏.docx", "--library", "school.sqlite").stdout
    assert "1 common picture" in searched
