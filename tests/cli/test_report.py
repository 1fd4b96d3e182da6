"""`simcompare report`: tables, single reports and bundles of a session."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.export.output_paths import unused_path
from simcompare.model.settings import ComparisonSettings
from simcompare.report.report_forms import FORMS
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.support.display_text import percentage
from tests.cli.sessions import BRIDGE, HEART, STORY, column, session_of, table
from tests.report.cohort.class_of_essays import ESSAYS, compared_essays, essays


def test_that_the_first_pairs_are_reported_by_default(a_class, report):
    result = report()
    assert (result.exit_code, result.stdout) == (0, "class – reports: 3 reports\n")
    assert sorted(path.name for path in (a_class / "class – reports" / "reports").iterdir()) == [
        "1 家乡的石桥 – 桥的故事.html",
        "2 家乡的石桥 – 心中的桥.html",
        "3 心中的桥 – 桥的故事.html",
    ]
    assert ">copied<" in (a_class / "class – reports" / "index.html").read_text(encoding="utf-8")


def test_that_the_table_lists_all_pairs_with_figures_decisions_and_notes(a_class, report):
    result = report("--to", "csv")
    assert (result.exit_code, result.stdout) == (0, "class – pairs.csv: 6 pairs\n")
    head, *lines = table(a_class / "class – pairs.csv")
    summaries = [pair.summary for pair in compared_essays().pairs]
    assert [line[head.index("Matches")] for line in lines] == [str(summary.matches) for summary in summaries]
    assert lines[0][-2:] == ["copied", "see page 2"]


def test_that_the_default_output_never_overwrites_a_file(tmp_path):
    assert unused_path(tmp_path, "class 1.2", ".xlsx") == tmp_path / "class 1.2.xlsx"
    for name in ("class 1.2.xlsx", "class 1.2 (2).xlsx"):
        (tmp_path / name).write_text("grades")
    assert unused_path(tmp_path, "class 1.2", ".xlsx") == tmp_path / "class 1.2 (3).xlsx"


def test_that_output_overwrites_an_existing_file(a_class, report):
    (a_class / "t.csv").write_text("old")
    assert report("--to", "csv", "--output", "t.csv", "--pairs", "copied").exit_code == 0
    assert len(table(a_class / "t.csv")) == 2


@pytest.mark.parametrize(
    "options",
    [
        ("--to", "csv", "--output", HEART),
        ("--to", "docx", "--pair", HEART, "renamed.zip", "--output", BRIDGE),
        ("--top", "1", "--output", "renamed.zip"),
    ],
)
def test_that_no_document_of_the_session_is_overwritten(saved, report, tmp_path, options):
    names = (BRIDGE, HEART, "renamed.zip")
    for name in names:
        (tmp_path / name).write_text("what the student wrote")
    saved(session_of(*(str(tmp_path / name) for name in names)))
    result = report(*options)
    assert result.exit_code == 2
    assert f"{options[-1]} cannot be written: it is one of the files to read" in result.stderr
    assert {(tmp_path / name).read_text() for name in names} == {"what the student wrote"}


def test_that_the_name_of_a_pasted_text_is_allowed_as_output(saved, report, tmp_path):
    (tmp_path / "Pasted text 1").write_text("old")
    saved(session_of("Pasted text 1", BRIDGE))
    assert report("--to", "csv", "--output", "Pasted text 1").exit_code == 0
    assert len(table(tmp_path / "Pasted text 1")) == 2


def test_that_sentences_left_out_in_the_window_are_left_out_of_tables_and_reports(saved, report, tmp_path):
    left, right = essays()[:2]
    comparison = compare(left, right, ComparisonSettings(), None)
    first, share = comparison.matches[0], comparison.share.left_in_right
    chosen = ComparisonSettings(thesaurus="none", left_out=(left_out_sentence(left, first.left),))
    saved(session_of(BRIDGE, HEART, settings=chosen))
    assert report("--to", "json", "--pair", BRIDGE, HEART, "--output", "pair.json").exit_code == 0
    found = json.loads((tmp_path / "pair.json").read_text(encoding="utf-8"))
    left_out = [s["sentence_index"] for s in found["exclusions"]["left"] if s["excluded_as"] == "left_out"]
    assert left_out == [first.left]
    after = found["share"]["left_in_right"]["after_exclusions"]
    assert after != share.after_exclusions
    assert report("--to", "csv", "--output", "pairs.csv").exit_code == 0
    shown = [float(line[2]) for line in table(tmp_path / "pairs.csv")[1:] if line[:2] == [BRIDGE, HEART]]
    assert shown == [percentage(after)]


@pytest.mark.parametrize(("form", "begin"), [("html", b"<!D"), ("pdf", b"%PDF")])
def test_that_two_documents_make_one_report(a_class, report, form, begin):
    result = report("--to", form, "--pair", BRIDGE, STORY)
    assert (result.exit_code, result.stdout) == (0, f"家乡的石桥 – 桥的故事 – comparison report.{form}\n")
    assert (a_class / f"家乡的石桥 – 桥的故事 – comparison report.{form}").read_bytes().startswith(begin)


def test_that_the_document_named_first_is_on_the_left(a_class, report):
    report("--pair", STORY, BRIDGE, "--to", "json", "--output", "a.json")
    value = json.loads((a_class / "a.json").read_text(encoding="utf-8"))
    assert value["documents"]["left"]["file_name"] == STORY


def test_that_reports_of_essays_of_the_same_name_have_their_folders(saved, report, run, tmp_path):
    saved(session_of("/x/李小明/作文.docx", "/x/王芳/作文.docx", "/x/桥.docx"))
    assert (
        report("--pair", "李小明", "桥", "--to", "json").stdout
        == "李小明 作文 – 桥 – comparison report.json\n"
    )
    left = json.loads((tmp_path / "李小明 作文 – 桥 – comparison report.json").read_text("utf-8"))[
        "documents"
    ]["left"]
    assert (left["name"], left["file_name"]) == ("李小明/作文.docx", "作文.docx")
    result = report("--pair", "李小明/作文", "桥", "--to", "json", "--anonymous", "--output", "a.json")
    assert result.exit_code == 0
    assert "李小明" not in (tmp_path / "a.json").read_text("utf-8")
    students = run("whois", "class.simcompare").stdout
    assert "李小明/作文.docx" in students
    assert "王芳/作文.docx" in students


def test_that_decisions_on_matches_follow_the_order_of_the_pair(saved, report, tmp_path):
    left_keys, right_keys = (index_sentences(essays()[place].prepared).keys for place in (2, 0))
    evidence = next(pair for pair in compared_essays().pairs if (pair.left, pair.right) == (0, 2))
    assert evidence.summary.matches
    review = PairReview(
        matches={
            MatchKey(left, right): NotedDecision(Decision.FINE, "a common phrase")
            for left in left_keys
            for right in right_keys
        }
    )
    saved(session_of(*ESSAYS, reviews={(2, 0): review}))
    for number, names in enumerate(((BRIDGE, STORY), (STORY, BRIDGE))):
        report("--pair", *names, "--output", f"{number}.html")
        assert "a common phrase" in (tmp_path / f"{number}.html").read_text(encoding="utf-8")


def test_that_a_session_of_two_documents_is_one_report(saved, report, tmp_path):
    saved(session_of("a.docx", "b.html"))
    assert report("--to", "docx").stdout == "a – b – comparison report.docx\n"
    assert report("--to", "docx", "--output", "r.zip").stdout == "r.zip: 1 report\n"
    assert zipfile.ZipFile(tmp_path / "r.zip").testzip() is None


def test_that_anonymous_exports_omit_notes_by_default(a_class, report):
    def notes_and_hint(*options):
        result = report("--pair", STORY, BRIDGE, "--output", "r.html", *options)
        return "see page 2" in (a_class / "r.html").read_text("utf-8"), "--notes adds them" in result.stderr

    assert notes_and_hint() == (True, False)
    assert notes_and_hint("--no-notes") == (False, False)
    assert notes_and_hint("--anonymous") == (False, True)
    assert notes_and_hint("--anonymous", "--notes") == (True, False)
    for form, place in (("csv", "t.csv"), ("html", "r.zip")):
        result = report("--to", form, "--pairs", "judged", "--anonymous", "--output", place)
        assert "--notes adds them" in result.stderr
    assert "see page 2" not in (a_class / "t.csv").read_text("utf-8-sig")
    with zipfile.ZipFile(a_class / "r.zip") as archive:
        assert not any(b"see page 2" in archive.read(name) for name in archive.namelist())


def test_that_progress_lines_are_printed_without_a_terminal(a_class, report, monkeypatch):
    assert report("--to", "csv").stderr == ""
    monkeypatch.setattr("simcompare.cli.output._LINE_INTERVAL_SECONDS", 0.0)
    # on a slow machine, the time that is left follows
    lines = [line.split(" · ")[0] for line in report().stderr.splitlines()]
    assert "Preparing: 1 of 4 (25%)" in lines
    assert "Writing reports: 2 of 3 (66%)" in lines


def test_that_judged_pairs_are_written_as_a_zip(a_class, report):
    result = report("--pairs", "judged", "--to", "docx", "--output", "out.zip")
    assert result.stdout == "out.zip: 1 report\n"
    with zipfile.ZipFile(a_class / "out.zip") as archive:
        assert "reports/1 家乡的石桥 – 桥的故事.docx" in archive.namelist()


def test_that_reports_use_the_settings_of_the_session(saved, report, tmp_path):
    settings = ComparisonSettings(similar_weight=0.6, right_weight=0.9, prompt="/gone/prompt.docx")
    prompt = replace(essays()[0].document, path=Path("/gone/prompt.docx"))
    saved(session_of("a.docx", "b.html", settings=settings, prompt=prompt))
    report("--output", "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "possible from 0.60, sure from 0.90" in text
    assert "the sentences of prompt.docx" in text


def test_that_reports_are_in_the_chosen_language(a_class, report):
    assert report("--to", "csv", "--language", "zh", "--pairs", "copied").exit_code == 0
    assert table(a_class / "class – 作文对.csv")[0][2] == "A 的重复率（%）"


def test_that_tables_of_a_session_have_the_shares_after_decisions_of_the_report(saved, report, tmp_path):
    left_keys, right_keys = (index_sentences(essays()[place].prepared).keys for place in (2, 0))
    fine = {
        MatchKey(left, right): NotedDecision(Decision.FINE) for left in left_keys[5:] for right in right_keys
    }
    saved(session_of(*ESSAYS, reviews={(2, 0): PairReview(matches=fine)}))
    report("--pair", BRIDGE, STORY, "--to", "json", "--output", "pair.json")
    share = json.loads((tmp_path / "pair.json").read_text(encoding="utf-8"))["share"]["left_in_right"]
    assert share["after_decisions"] < share["after_exclusions"]
    expected = [percentage(share[key]) for key in ("after_decisions", "after_exclusions")]
    for options in (("--output", "one.csv"), ("--anonymous", "--output", "anonymous.csv")):
        report("--to", "csv", *options)
        rows = table(tmp_path / options[-1])
        columns = [
            column(rows, f"Share of {side} {when}(%)") for when in ("after decisions ", "") for side in "AB"
        ]
        pairs = [[float(cell) for cell in row] for row in zip(*columns, strict=True)]
        assert any(expected in ([row[0], row[2]], [row[1], row[3]]) for row in pairs)


def test_that_every_form_of_the_window_is_a_choice_of_the_command(run):
    shown = run("report", "--help").stdout
    pair_tables = {".csv": "csv"}
    assert all(pair_tables.get(suffix, form.name) in shown for suffix, form in FORMS.items())
    refused = run("report", "none.simcompare", "--to", "odt")
    assert refused.exit_code == 2
    assert "html, pdf, docx, json, case" in refused.output
