"""--meaning: what was rewritten or translated, in the commands that compare."""

import csv
import json
import zipfile

import pytest

from tests.comparison.test_rewriting import BEES, BEES_IN_CHINESE, BRIDGE, RIVER
from tests.helpers.rewordings import topics
from tests.report.cohort.workbooks import Workbook

PAIR = ("bees.txt", "told.txt")


@pytest.fixture
def class_files(essays):
    (essays / "bees.txt").write_text(BEES, encoding="utf-8")
    (essays / "told.txt").write_text("\n\n".join([RIVER, BEES_IN_CHINESE, BRIDGE]), encoding="utf-8")
    (essays / "town.txt").write_text("\n\n".join([RIVER, BRIDGE]), encoding="utf-8")
    return essays


def test_that_compare_names_and_explains_it(class_files, run):
    plain, value = (
        json.loads(run("compare", *PAIR, "--to", "json", *more).stdout) for more in ((), ["--meaning"])
    )
    assert (plain["passages"], value["settings"]["meaning"]) == ([], True)
    [passage] = value["passages"]
    assert (passage["kind"], passage["summary"]) == ("meaning", None)
    assert value["share"] == plain["share"]
    text = run("compare", *PAIR, "--meaning").stdout
    assert "No sentences or passages with similar words were found" in text
    assert (
        "1 passage is possibly rewritten: 96 words of “bees.txt”, 130 characters of “told.txt” (not counted"
        in text
    )
    words = "possibly rewritten · 96 words on the left and 130 characters on the right, possibly the same"
    assert words in text


@pytest.mark.parametrize("form", ["html", "docx", "pdf"])
def test_that_reports_show_it(class_files, run, form):
    assert run("compare", *PAIR, "--meaning", "--to", form, "--output", f"a.{form}").exit_code == 0
    if form == "html":
        assert 'class="passage meaning' in (class_files / "a.html").read_text(encoding="utf-8")


def test_that_check_lists_it_apart_and_counts_it_in_each_pair(class_files, run):
    files = (*PAIR, "town.txt")
    value, plain = (
        json.loads(run("check", *files, "--to", "json", *more).stdout) for more in (["--meaning"], ())
    )
    units = {(pair["left"], pair["right"]): pair["possibly_rewritten_units"] for pair in value["pairs"]}
    assert units.pop(PAIR) == 96
    assert set(units.values()) == {0}
    assert {pair["possibly_rewritten_units"] for pair in plain["pairs"]} == {None}
    text = run("check", *files, "--meaning").stdout
    assert "1 pair has passages that may have been rewritten." in text
    assert "bees.txt – told.txt: 96 characters or words" in text
    assert "possibly rewritten" not in run("check", *files).stdout
    report = ("check", *files, "--meaning", "--to", "html", "--output", "class.html")
    assert run(*report).exit_code == 0
    page = (class_files / "class.html").read_text(encoding="utf-8")
    assert "Possibly rewritten" in page
    table = ("check", *files, "--meaning", "--to", "csv", "--output", "pairs.csv")
    assert run(*table).exit_code == 0
    assert "Possibly rewritten" in (class_files / "pairs.csv").read_text(encoding="utf-8-sig")


def test_that_a_library_is_searched_by_it(class_files, run):
    topic = list(topics("en"))[3]
    (class_files / "old.txt").write_text(topic.source, encoding="utf-8")
    (class_files / "new.txt").write_text(topic.planted("medium")[0], encoding="utf-8")
    place = ("--library", "school.sqlite")
    assert run("library", "add", "old.txt", "town.txt", *place).exit_code == 0
    assert "nothing like it" in run("library", "search", "new.txt", *place, "--no-meaning").stdout
    for more in ((), ("--meaning",)):  # unasked, as the library is small
        assert "possibly rewritten: " in run("library", "search", "new.txt", *place, *more).stdout


def test_that_the_essays_of_a_class_are_searched_by_it(class_files, run):
    place = ("--library", "school.sqlite")
    assert run("library", "add", "told.txt", "town.txt", *place).exit_code == 0
    check = ("check", "bees.txt", "town.txt", *place)
    assert "possibly rewritten" not in run(*check, "--no-meaning").stdout
    text = run(*check).stdout
    assert "1 essay has passages that may have been rewritten from an entry" in text
    assert "bees.txt – told.txt (entry 1" in text
    assert "possibly rewritten: 96 words" in text
    hits = json.loads(run(*check, "--meaning", "--to", "json").stdout)["library_hits"]
    units = {(hit["document"], hit["name"]): hit.get("possibly_rewritten_units") for hit in hits}
    assert units == {("bees.txt", "told.txt"): 96, ("town.txt", "told.txt"): None}
    report = (*check, "--meaning", "--to", "html", "--output", "class.html")
    assert run(*report).exit_code == 0
    page = (class_files / "class.html").read_text(encoding="utf-8")
    assert "possibly rewritten: 96 words" in page
    assert run(*check, "--meaning", "--to", "xlsx", "--output", "class.xlsx").exit_code == 0
    head, *rows = Workbook((class_files / "class.xlsx").read_bytes()).cells(3)
    (name,) = (each for each in head if each.startswith("Possibly rewritten"))
    assert {row[0]: row[head.index(name)] for row in rows} == {"bees.txt": 96, "town.txt": 0}


def test_that_a_batch_writes_it_and_does_not_mix_it_with_others(class_files, run):
    (class_files / "pairs").write_text("\t".join(PAIR), encoding="utf-8")
    batch = ("batch", "pairs", ".", ".", "--to", "jsonl", "--output", "out.jsonl")
    assert run(*batch).exit_code == 0
    assert "0 finished before" in run(*batch, "--meaning").stdout
    assert "1 finished before" in run(*batch, "--meaning").stdout


def test_that_a_preset_without_passages_refuses_it(class_files, run):
    (class_files / "pairs").write_text("\t".join(PAIR), encoding="utf-8")
    for command in (("compare", *PAIR), ("batch", "pairs", ".", ".", "--to", "jsonl", "--output", "out")):
        result = run(*command, "--preset", "paper", "--meaning")
        assert result.exit_code == 2
        assert "--preset with --meaning cannot be paper. Choose one of: balanced" in result.stderr


@pytest.mark.parametrize("command", ["compare", "check"])
def test_that_a_missing_model_is_said_once(class_files, run, monkeypatch, command):
    monkeypatch.setattr("simcompare.text.sentence_meaning.find_spec", lambda _name: None)
    result = run(command, *PAIR, "--meaning")
    assert result.exit_code != 0
    assert result.stderr.count("simcompare[meaning]") == 2  # what is missing, and how to install it


def test_that_earlier_work_is_compared_by_it_unasked_and_classmates_are_not(class_files, run):
    command = ("check", "bees.txt", "town.txt", "told.txt", "--old", "old.txt")
    (class_files / "old.txt").write_text("\n\n".join([BRIDGE, BEES_IN_CHINESE]), encoding="utf-8")
    result = run(*command)
    assert "1 pair has passages that may have been rewritten." in result.stdout
    assert "Only pairs with earlier work were searched" in result.stdout
    assert "bees.txt – old.txt: 96 characters or words" in result.stdout
    assert "--no-meaning leaves it out" in result.stderr
    assert "text possibly rewritten from earlier work" in run(*command, "--to", "html").stdout
    units = {
        (pair["left"], pair["right"]): pair["possibly_rewritten_units"]
        for pair in json.loads(run(*command, "--to", "json").stdout)["pairs"]
    }
    assert {pair for pair, count in units.items() if count is None} == {
        PAIR,
        ("bees.txt", "town.txt"),
        ("town.txt", "told.txt"),
    }
    assert units["bees.txt", "old.txt"] == 96
    result = run(*command, "--no-meaning")
    assert "possibly rewritten" not in result.stdout
    assert "meaning" not in result.stderr


def test_that_a_session_keeps_that_earlier_work_was_compared_by_it(class_files, run):
    (class_files / "old.txt").write_text("\n\n".join([BRIDGE, BEES_IN_CHINESE]), encoding="utf-8")
    run("check", "bees.txt", "town.txt", "--old", "old.txt", "--session", "class.simcompare")
    table = ("report", "class.simcompare", "--to", "csv", "--output", "table.csv")
    assert run(*table).exit_code == 0
    head, *rows = csv.reader((class_files / "table.csv").read_text(encoding="utf-8-sig").splitlines())
    place = next(place for place, name in enumerate(head) if name.startswith("Possibly rewritten"))
    assert {row[0] + row[1]: row[place] for row in rows}["bees.txtold.txt"] == "96"
    pair = ("--pair", "bees.txt", "old.txt")
    case = ("report", "class.simcompare", *pair, "--to", "case", "--output", "one.case.zip")
    assert run(*case).exit_code == 0
    with zipfile.ZipFile("one.case.zip") as archive:
        assert any(b'"kind": "meaning"' in archive.read(name) for name in archive.namelist())
    assert "Nothing has been changed." in run("verify", "one.case.zip").stdout


def test_that_a_missing_model_leaves_earlier_work_as_it_was(class_files, run, monkeypatch):
    (class_files / "old.txt").write_text(BEES_IN_CHINESE, encoding="utf-8")
    monkeypatch.setattr("simcompare.text.sentence_meaning.find_spec", lambda _name: None)
    result = run("check", "bees.txt", "town.txt", "--old", "old.txt")
    assert (result.exit_code, "meaning" in result.stderr) == (0, False)
    assert "possibly rewritten" not in result.stdout
