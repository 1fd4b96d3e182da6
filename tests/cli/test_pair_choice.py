"""Choice of pairs and documents of `simcompare report`, and messages about omitted pairs."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.cli.pair_choice import (
    NoSuchDocumentError,
    NothingChosenError,
    SeveralDocumentsError,
    chosen_pairs,
    named_pair,
)
from simcompare.export.reported_pairs import MOST_REPORTS, default_pairs
from simcompare.model.errors import DamagedFileError
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.session.session_data import SessionDocument
from tests.cli.sessions import BRIDGE, BUS, COPIED, HEART, SESSION, STORY, column, session_of, table
from tests.report.cohort.class_of_essays import ESSAYS, compared_essays, essays


@pytest.mark.parametrize(
    ("kind", "top", "above", "count"),
    [
        ("all", None, None, 6),
        ("judged", None, None, 1),
        ("copied", None, None, 1),
        ("all", 2, None, 2),
        ("all", None, 30, 3),
        ("all", 1, 30, 1),
        ("all", None, 0, 6),
    ],
)
def test_that_pairs_are_chosen_by_decision_number_and_share(kind, top, above, count):
    pairs = chosen_pairs(compared_essays(), SESSION, kind, top, above)
    assert len(pairs) == count
    assert pairs == [pair for pair in compared_essays().pairs if pair in pairs]


def test_that_copied_pairs_and_those_of_largest_share_are_the_default(monkeypatch):
    monkeypatch.setattr("simcompare.export.reported_pairs.MOST_REPORTS", 2)
    *alike, last = compared_essays().pairs
    copied = replace(last, review=COPIED)
    cohort = replace(compared_essays(), pairs=(*alike, copied))
    judged_too = next(pair for pair in alike if pair.review.overall.decision is Decision.COPIED)
    assert default_pairs(cohort.pairs) == [judged_too, copied]
    undecided = replace(cohort, pairs=tuple(replace(pair, review=PairReview()) for pair in cohort.pairs))
    assert default_pairs(undecided.pairs) == list(undecided.pairs[:2])


def test_that_the_help_names_the_number_of_reports(run):
    assert f"{MOST_REPORTS} in all" in " ".join(run("report", "--help").stdout.split())


def test_that_an_empty_choice_is_an_error():
    with pytest.raises(NothingChosenError, match=r"^None of the 6 pairs of class.simcompare fits\."):
        chosen_pairs(compared_essays(), SESSION, "all", None, 99)


def test_that_group_numbers_do_not_depend_on_the_chosen_pairs(a_class, report):
    report("--to", "csv", "--output", "all.csv")
    report("--to", "csv", "--output", "copied.csv", "--pairs", "copied")
    rows = table(a_class / "copied.csv")
    assert column(rows, "Group") == ["1"]
    assert rows[1] in table(a_class / "all.csv")
    assert report("--to", "xlsx", "--pairs", "copied").stdout == "class – pairs.xlsx: 1 pair\n"
    strings = zipfile.ZipFile(a_class / "class – pairs.xlsx").read("xl/sharedStrings.xml").decode("utf-8")
    assert STORY in strings
    assert BUS not in strings


def test_that_pairs_judged_as_fine_are_reported_only_on_request(saved, report, tmp_path):
    fine = PairReview(NotedDecision(Decision.FINE))
    saved(session_of(*ESSAYS, reviews={(2, 0): COPIED, (0, 1): fine}))
    result = report("--output", "told.zip")
    assert result.stdout == "told.zip: 2 reports\n"
    assert "1 pair of no concern is left out; --pairs judged reports it too." in result.stderr
    result = report("--pairs", "judged", "--output", "judged.zip")
    assert (result.stdout, result.stderr) == ("judged.zip: 2 reports\n", "")
    with zipfile.ZipFile(tmp_path / "judged.zip") as archive:
        index = archive.read("index.html").decode()
    assert (">copied<" in index, ">no concern<" in index) == (True, True)


@pytest.mark.parametrize("options", [("--top", "2"), ("--above", "30")])
def test_that_top_and_above_omit_pairs_judged_as_fine(saved, report, tmp_path, options):
    first = compared_essays().pairs[0]
    fine = {(first.left, first.right): PairReview(NotedDecision(Decision.FINE))}
    saved(session_of(*ESSAYS, reviews=fine))
    result = report(*options, "--output", "some.zip")
    assert result.stdout == "some.zip: 2 reports\n"
    assert result.stderr == "1 pair of no concern is left out; --pairs all reports it too.\n"
    with zipfile.ZipFile(tmp_path / "some.zip") as archive:
        assert ">no concern<" not in archive.read("index.html").decode()
    assert report(*options, "--pairs", "all", "--output", "all.zip").stderr == ""
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert ">no concern<" in archive.read("index.html").decode()
    # a table has the decision
    report(*options, "--to", "csv", "--output", "some.csv")
    assert column(table(tmp_path / "some.csv"), "Decision")[:2] == ["no concern", ""]


def test_that_an_error_is_printed_if_all_pairs_were_judged_as_fine(saved, report):
    fine = PairReview(NotedDecision(Decision.FINE))
    saved(session_of(*ESSAYS[:2], reviews={(0, 1): fine}))
    for options in (("--top", "1"), ("--output", "r.zip")):
        result = report(*options)
        assert (result.exit_code, result.stderr) == (
            2,
            "All pairs of class.simcompare that could be reported are of no concern. Report them with "
            "--pairs judged.\n",
        )


def test_that_a_pair_with_a_note_or_a_judged_match_counts_as_judged(saved, report, tmp_path):
    bridge, _heart, story, _bus = (index_sentences(document.prepared).keys for document in essays())
    of_a_match = PairReview(matches={MatchKey(story[0], bridge[0]): NotedDecision(Decision.COPIED)})
    noted = PairReview(NotedDecision(note="ask him"))
    saved(session_of(*ESSAYS, reviews={(2, 0): of_a_match, (1, 3): noted}))
    assert report("--pairs", "judged", "--to", "csv").stdout == "class – pairs.csv: 2 pairs\n"
    assert set(column(table(tmp_path / "class – pairs.csv"), "Note")) == {"", "ask him"}


def test_that_a_single_pair_keeps_its_group(saved, report, tmp_path):
    broken = SessionDocument(Path("broken.docx"), error=DamagedFileError("broken.docx", cause="torn"))
    held = session_of(*ESSAYS)
    saved(replace(held, documents=(broken, *held.documents)))
    report("--to", "csv", "--output", "all.csv")
    result = report("--to", "csv", "--pair", STORY, BRIDGE)
    assert (result.exit_code, result.stderr) == (0, "")
    rows = table(tmp_path / "class – pairs.csv")
    assert column(rows, "Group") == ["1"]
    assert rows[1] in table(tmp_path / "all.csv")
    report("--pair", STORY, BRIDGE, "--output", "one.zip")
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        index = archive.read("index.html").decode()
    assert "Group" in index
    assert not any(name in index for name in (BUS, HEART, "broken.docx"))


@pytest.mark.parametrize("written", ["30", "30%", " 30% ", "30％", "30.0"])
def test_that_a_percentage_may_have_a_percent_sign(a_class, report, written):
    assert report("--to", "csv", "--above", written).stdout == "class – pairs.csv: 3 pairs\n"


def test_that_a_unique_part_of_a_name_finds_a_document():
    paths = [
        Path("三年级2班_李小明_20230107.docx"),
        Path("李小明 第一次做饭.docx"),
        Path("b/Anna Kowalski.docx"),
    ]
    assert named_pair(SESSION, paths, ("2023", "kowal")) == (0, 2)
    with pytest.raises(SeveralDocumentsError) as excinfo:
        named_pair(SESSION, paths, ("李小明", "Anna"))
    assert str(excinfo.value) == (
        "Several documents of class.simcompare have 李小明 in their names. Name one of them: "
        "三年级2班_李小明_20230107.docx, 李小明 第一次做饭.docx."
    )


@pytest.mark.parametrize("kind", ["judged", "copied"])
def test_that_a_session_without_judged_pairs_is_an_error(saved, report, kind):
    saved(session_of(*ESSAYS))
    result = report("--pairs", kind)
    assert (result.exit_code, result.stderr) == (
        2,
        "None of the 6 pairs of class.simcompare fits. Choose others with --pairs, --top or --above.\n",
    )


def test_that_all_pairs_are_reported_of_a_session_without_decisions(saved, report, tmp_path):
    saved(session_of(*ESSAYS))
    result = report("--pairs", "all", "--to", "csv", "--output", "all.csv")
    assert (result.exit_code, result.stdout) == (0, "all.csv: 6 pairs\n")
    assert len(table(tmp_path / "all.csv")) == 7
    assert report("--pairs", "all", "--above", "30", "--output", "all.zip").exit_code == 0


def test_that_a_document_is_found_by_path_name_or_stem():
    paths = [Path("/gone") / name for name in ESSAYS]
    for name in (BRIDGE, "家乡的石桥", f"/gone/{BRIDGE}"):
        assert named_pair(SESSION, paths, (name, "the LAST bus")) == (0, 3)


def test_that_documents_of_the_same_name_are_found_by_their_folders():
    paths = [Path("/x/a/essay.docx"), Path("/x/b/essay.docx"), Path("/x/c/other.docx")]
    with pytest.raises(SeveralDocumentsError, match=r"Name one of them: a/essay.docx, b/essay.docx\.$"):
        named_pair(SESSION, paths, ("essay.docx", "other.docx"))
    assert named_pair(SESSION, paths, ("b/essay.docx", "other")) == (1, 2)
    assert named_pair(SESSION, paths, ("B/Essay", "a/ess")) == (1, 0)


@pytest.mark.parametrize(
    ("unknown", "near"),
    [("The last buss.docx", "The last bus.docx"), ("xyz", f"{BRIDGE}, {HEART}, {STORY}")],
)
def test_that_the_error_for_an_unknown_name_lists_similar_ones(unknown, near):
    with pytest.raises(NoSuchDocumentError) as excinfo:
        named_pair(SESSION, list(map(Path, ESSAYS)), (unknown, BRIDGE))
    assert str(excinfo.value) == (
        f"class.simcompare holds no document called {unknown}. Nearest to it: {near}."
    )
