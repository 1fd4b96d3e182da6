"""`simcompare report`: a session as a table, a report or many."""

import csv
import errno
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.cli.report_choice import (
    NoSuchDocumentError,
    NothingChosenError,
    SeveralDocumentsError,
    chosen_pairs,
    named_pair,
    telling_pairs,
)
from simcompare.cli.report_place import free_place
from simcompare.document import Document
from simcompare.errors import DamagedFileError
from simcompare.session.anchors import anchors_of
from simcompare.session.review import Decision, Judgement, MatchKey, PairReview
from simcompare.session.values import Session, SessionDocument
from simcompare.session.writing import write_session
from simcompare.settings import ComparisonSettings
from tests.report.cohort.class_of_essays import ESSAYS, compared_essays, essays

SESSION = Path("class.simcompare")
BRIDGE, HEART, STORY, BUS = ESSAYS
COPIED = PairReview(Judgement(Decision.COPIED, "see page 2"))


def kept(document: Document, path: str) -> SessionDocument:
    return SessionDocument(Path(path), document=replace(document, path=Path(path)))


def session_of(*paths: str, **given) -> Session:
    """A session whose files are nowhere."""
    files = [kept(subject.document, path) for subject, path in zip(essays(), paths, strict=False)]
    return Session(tuple(files), **given)


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """Save a session as class.simcompare in the working folder."""
    monkeypatch.chdir(tmp_path)
    return lambda session: write_session(session, tmp_path / "class.simcompare")


@pytest.fixture
def a_class(saved, tmp_path):
    """The session of four essays, in which two are judged as copied; returns its folder."""
    saved(session_of(*(f"/gone/{name}" for name in ESSAYS), reviews={(2, 0): COPIED}))
    return tmp_path


@pytest.fixture
def report(run):
    return lambda *more: run("report", "class.simcompare", *more)


def table(path):
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def test_that_the_simplest_command_reports_what_is_most_alike(a_class, report):
    result = report()
    assert (result.exit_code, result.stdout) == (0, "class-reports: 3 reports\n")
    assert sorted(path.name for path in (a_class / "class-reports" / "reports").iterdir()) == [
        "1 家乡的石桥 – 心中的桥.html",
        "2 家乡的石桥 – 桥的故事.html",
        "3 心中的桥 – 桥的故事.html",
    ]
    assert "judged as copied" in (a_class / "class-reports" / "index.html").read_text(encoding="utf-8")


def test_that_the_table_lists_all_pairs_with_figures_decisions_and_notes(a_class, report):
    result = report("--to", "csv")
    assert (result.exit_code, result.stdout) == (0, "class.csv: 6 pairs\n")
    _head, *lines = table(a_class / "class.csv")
    summaries = [pair.summary for pair in compared_essays().pairs]
    assert [line[8] for line in lines] == [str(summary.matches) for summary in summaries]
    assert lines[1][10:13] == ["judged as copied", "0", "see page 2"]


def test_that_nothing_beside_the_session_is_written_over(tmp_path):
    assert free_place(tmp_path, "class 1.2", ".xlsx") == tmp_path / "class 1.2.xlsx"
    for name in ("class 1.2.xlsx", "class 1.2 (2).xlsx"):
        (tmp_path / name).write_text("grades")
    assert free_place(tmp_path, "class 1.2", ".xlsx") == tmp_path / "class 1.2 (3).xlsx"


def test_that_a_place_that_was_asked_for_is_written_over(a_class, report):
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
def test_that_no_document_of_the_session_is_written_over(saved, report, tmp_path, options):
    names = (BRIDGE, HEART, "renamed.zip")
    for name in names:
        (tmp_path / name).write_text("what the student wrote")
    saved(session_of(*(str(tmp_path / name) for name in names)))
    result = report(*options)
    assert result.exit_code == 2
    assert f"{options[-1]} cannot be written: it is one of the files to read" in result.stderr
    assert {(tmp_path / name).read_text() for name in names} == {"what the student wrote"}


def test_that_a_pasted_text_is_no_file_that_could_be_written_over(saved, report, tmp_path):
    (tmp_path / "Pasted text 1").write_text("old")
    saved(session_of("Pasted text 1", BRIDGE))
    assert report("--to", "csv", "--output", "Pasted text 1").exit_code == 0
    assert len(table(tmp_path / "Pasted text 1")) == 2


@pytest.mark.parametrize(("form", "begin"), [("html", b"<!D"), ("pdf", b"%PDF")])
def test_that_two_documents_make_one_report(a_class, report, request, form, begin):
    if form == "pdf":
        pytest.importorskip("PySide6", reason="the lines of a PDF are set by Qt")
        request.getfixturevalue("qapp")  # a process has one application, the first decides of which kind
    result = report("--to", form, "--pair", BRIDGE, STORY)
    assert (result.exit_code, result.stdout) == (0, f"家乡的石桥 – 桥的故事.{form}\n")
    assert (a_class / f"家乡的石桥 – 桥的故事.{form}").read_bytes().startswith(begin)


def test_that_the_first_one_named_is_on_the_left(a_class, report):
    report("--pair", STORY, BRIDGE, "--to", "json", "--output", "a.json")
    value = json.loads((a_class / "a.json").read_text(encoding="utf-8"))
    assert value["documents"]["left"]["file_name"] == STORY


def test_that_reports_of_essays_of_one_name_say_whose_they_are(saved, report, run, tmp_path):
    saved(session_of("/x/李小明/作文.docx", "/x/王芳/作文.docx", "/x/桥.docx"))
    assert report("--pair", "李小明", "桥", "--to", "json").stdout == "李小明 作文 – 桥.json\n"
    left = json.loads((tmp_path / "李小明 作文 – 桥.json").read_text("utf-8"))["documents"]["left"]
    assert (left["name"], left["file_name"]) == ("李小明/作文.docx", "作文.docx")
    result = report("--pair", "李小明/作文", "桥", "--to", "json", "--anonymous", "--output", "a.json")
    assert result.exit_code == 0
    assert "李小明" not in (tmp_path / "a.json").read_text("utf-8")
    told = run("whois", "class.simcompare").stdout
    assert "李小明/作文.docx" in told
    assert "王芳/作文.docx" in told


def test_that_decisions_on_matches_stand_with_the_right_sides(saved, report, tmp_path):
    one, other = (anchors_of(essays()[place].prepared).keys for place in (2, 0))
    evidence = next(pair for pair in compared_essays().pairs if (pair.left, pair.right) == (0, 2))
    assert evidence.summary.matches
    review = PairReview(
        matches={
            MatchKey(left, right): Judgement(Decision.FINE, "a common phrase")
            for left in one
            for right in other
        }
    )
    saved(session_of(*ESSAYS, reviews={(2, 0): review}))
    for number, names in enumerate(((BRIDGE, STORY), (STORY, BRIDGE))):
        report("--pair", *names, "--output", f"{number}.html")
        assert "a common phrase" in (tmp_path / f"{number}.html").read_text(encoding="utf-8")


def test_that_a_session_of_two_documents_is_one_report(saved, report, tmp_path):
    saved(session_of("a.docx", "b.html"))
    assert report("--to", "docx").stdout == "a – b.docx\n"
    assert report("--to", "docx", "--output", "r.zip").stdout == "r.zip: 1 report\n"
    assert zipfile.ZipFile(tmp_path / "r.zip").testzip() is None


@pytest.mark.parametrize(
    ("kind", "top", "above", "count"),
    [
        ("all", None, None, 6),
        ("judged", None, None, 1),
        ("copied", None, None, 1),
        ("all", 2, None, 2),
        ("all", None, 40, 3),
        ("all", 1, 40, 1),
        ("all", None, 0, 6),
    ],
)
def test_that_pairs_are_chosen_by_decision_number_and_coverage(kind, top, above, count):
    pairs = chosen_pairs(compared_essays(), SESSION, kind, top, above)
    assert len(pairs) == count
    assert pairs == [pair for pair in compared_essays().pairs if pair in pairs]


def test_that_by_default_the_copied_and_the_most_alike_are_reported(monkeypatch):
    monkeypatch.setattr("simcompare.cli.report_choice.MOST_REPORTS", 2)
    *alike, last = compared_essays().pairs
    copied = replace(last, review=COPIED)
    cohort = replace(compared_essays(), pairs=(*alike, copied))
    judged_too = next(pair for pair in alike if pair.review.overall.decision is Decision.COPIED)
    assert telling_pairs(cohort, SESSION) == [judged_too, copied]
    undecided = replace(cohort, pairs=tuple(replace(pair, review=PairReview()) for pair in cohort.pairs))
    assert telling_pairs(undecided, SESSION) == list(undecided.pairs[:2])


def test_that_no_pair_as_asked_for_is_told_of():
    with pytest.raises(NothingChosenError, match=r"^None of the 6 pairs of class.simcompare is chosen\."):
        chosen_pairs(compared_essays(), SESSION, "all", None, 99)


def test_that_groups_have_the_same_numbers_whichever_pairs_are_wanted(a_class, report):
    report("--to", "csv", "--output", "all.csv")
    report("--to", "csv", "--output", "copied.csv", "--pairs", "copied")
    (wanted,) = table(a_class / "copied.csv")[1:]
    assert wanted[9] == "1"
    assert wanted in table(a_class / "all.csv")
    assert report("--to", "xlsx", "--pairs", "copied").stdout == "class.xlsx: 1 pair\n"
    strings = zipfile.ZipFile(a_class / "class.xlsx").read("xl/sharedStrings.xml").decode("utf-8")
    assert STORY in strings
    assert BUS not in strings


def test_that_pairs_judged_as_fine_are_reported_only_where_asked_for(saved, report, tmp_path):
    fine = PairReview(Judgement(Decision.FINE))
    saved(session_of(*ESSAYS, reviews={(2, 0): COPIED, (0, 1): fine}))
    result = report("--output", "told.zip")
    assert result.stdout == "told.zip: 2 reports\n"
    assert "1 pair judged as fine is left out; --pairs judged reports it too." in result.stderr
    result = report("--pairs", "judged", "--output", "judged.zip")
    assert (result.stdout, result.stderr) == ("judged.zip: 2 reports\n", "")
    with zipfile.ZipFile(tmp_path / "judged.zip") as archive:
        index = archive.read("index.html").decode()
    assert ("judged as copied" in index, "judged as fine" in index) == (True, True)


def test_that_notes_stay_behind_where_names_are_replaced_unless_they_are_wanted(a_class, report):
    def told(*options):
        result = report("--pair", STORY, BRIDGE, "--output", "r.html", *options)
        return "see page 2" in (a_class / "r.html").read_text("utf-8"), "--notes adds them" in result.stderr

    assert told() == (True, False)
    assert told("--no-notes") == (False, False)
    assert told("--anonymous") == (False, True)
    assert told("--anonymous", "--notes") == (True, False)
    for form, place in (("csv", "t.csv"), ("html", "r.zip")):
        result = report("--to", form, "--pairs", "judged", "--anonymous", "--output", place)
        assert "--notes adds them" in result.stderr
    assert "see page 2" not in (a_class / "t.csv").read_text("utf-8-sig")
    with zipfile.ZipFile(a_class / "r.zip") as archive:
        assert not any(b"see page 2" in archive.read(name) for name in archive.namelist())


@pytest.mark.parametrize("options", [("--top", "2"), ("--above", "40")])
def test_that_pairs_judged_as_fine_do_not_come_with_the_most_alike_unasked(saved, report, tmp_path, options):
    first = compared_essays().pairs[0]
    fine = {(first.left, first.right): PairReview(Judgement(Decision.FINE))}
    saved(session_of(*ESSAYS, reviews=fine))
    result = report(*options, "--output", "some.zip")
    assert result.stdout == "some.zip: 2 reports\n"
    assert result.stderr == "1 pair judged as fine is left out; --pairs all reports it too.\n"
    with zipfile.ZipFile(tmp_path / "some.zip") as archive:
        assert "judged as fine" not in archive.read("index.html").decode()
    assert report(*options, "--pairs", "all", "--output", "all.zip").stderr == ""
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert "judged as fine" in archive.read("index.html").decode()
    # a table tells the decision
    report(*options, "--to", "csv", "--output", "some.csv")
    assert [line[10] for line in table(tmp_path / "some.csv")[1:3]] == ["judged as fine", ""]


def test_that_nothing_is_reported_where_all_that_is_alike_was_judged_as_fine(saved, report):
    fine = PairReview(Judgement(Decision.FINE))
    saved(session_of(*ESSAYS[:2], reviews={(0, 1): fine}))
    for options in (("--top", "1"), ("--output", "r.zip")):
        result = report(*options)
        assert (result.exit_code, result.stderr) == (
            2,
            "All pairs of class.simcompare that could be reported were judged as fine. Report them with "
            "--pairs judged.\n",
        )


def test_that_a_pair_counts_as_judged_where_it_has_a_note_or_a_match_is_judged(saved, report, tmp_path):
    bridge, _heart, story, _bus = (anchors_of(one.prepared).keys for one in essays())
    of_a_match = PairReview(matches={MatchKey(story[0], bridge[0]): Judgement(Decision.COPIED)})
    noted = PairReview(Judgement(note="ask him"))
    saved(session_of(*ESSAYS, reviews={(2, 0): of_a_match, (1, 3): noted}))
    assert report("--pairs", "judged", "--to", "csv").stdout == "class.csv: 2 pairs\n"
    assert {line[12] for line in table(tmp_path / "class.csv")[1:]} == {"", "ask him"}


def test_that_the_group_of_a_pair_is_told_where_it_is_written_alone(saved, report, tmp_path):
    broken = SessionDocument(Path("broken.docx"), error=DamagedFileError("broken.docx", cause="torn"))
    held = session_of(*ESSAYS)
    saved(replace(held, documents=(broken, *held.documents)))
    report("--to", "csv", "--output", "all.csv")
    result = report("--to", "csv", "--pair", STORY, BRIDGE)
    assert (result.exit_code, result.stderr) == (0, "")
    (wanted,) = table(tmp_path / "class.csv")[1:]
    assert wanted[9] == "1"
    assert wanted in table(tmp_path / "all.csv")
    report("--pair", STORY, BRIDGE, "--output", "one.zip")
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        index = archive.read("index.html").decode()
    assert "Group" in index
    assert not any(name in index for name in (BUS, HEART, "broken.docx"))


def test_that_a_log_tells_now_and_then_how_far_it_is(a_class, report, monkeypatch):
    assert report("--to", "csv").stderr == ""
    monkeypatch.setattr("simcompare.cli.progress_bar._SILENT_SECONDS", 0.0)
    lines = report().stderr.splitlines()
    assert "Preparing: 1 of 4 (25 %)" in lines
    assert "Writing reports: 2 of 3 (66 %)" in lines


@pytest.mark.parametrize("written", ["40", "40%", " 40 % ", "40％", "40.0"])
def test_that_a_percentage_may_have_its_sign(a_class, report, written):
    assert report("--to", "csv", "--above", written).stdout == "class.csv: 3 pairs\n"


def test_that_a_part_of_a_name_is_enough_where_one_document_has_it():
    paths = [
        Path("三年级2班_李小明_20230107.docx"),
        Path("李小明 第一次做饭.docx"),
        Path("b/Anna Kowalski.docx"),
    ]
    assert named_pair(SESSION, paths, ("2023", "kowal")) == (0, 2)
    with pytest.raises(SeveralDocumentsError) as told:
        named_pair(SESSION, paths, ("李小明", "Anna"))
    assert str(told.value) == (
        "Several documents of class.simcompare have 李小明 in their names. Name one of them: "
        "三年级2班_李小明_20230107.docx, 李小明 第一次做饭.docx."
    )


def test_that_nothing_judged_is_told_of(saved, report):
    saved(session_of(*ESSAYS))
    result = report("--pairs", "judged")
    assert (result.exit_code, result.stderr) == (
        2,
        "None of the 6 pairs of class.simcompare is chosen. Choose others with --pairs, --top or --above.\n",
    )


def test_that_judged_pairs_become_a_zip(a_class, report):
    result = report("--pairs", "judged", "--to", "docx", "--output", "out.zip")
    assert result.stdout == "out.zip: 1 report\n"
    with zipfile.ZipFile(a_class / "out.zip") as archive:
        assert "reports/1 家乡的石桥 – 桥的故事.docx" in archive.namelist()


def test_that_a_document_goes_by_its_name_in_several_ways():
    paths = [Path("/gone") / name for name in ESSAYS]
    for name in (BRIDGE, "家乡的石桥", f"/gone/{BRIDGE}"):
        assert named_pair(SESSION, paths, (name, "the LAST bus")) == (0, 3)


def test_that_documents_of_one_name_go_by_their_folders():
    paths = [Path("/x/a/essay.docx"), Path("/x/b/essay.docx"), Path("/x/c/other.docx")]
    with pytest.raises(SeveralDocumentsError, match=r"Name one of them: a/essay.docx, b/essay.docx\.$"):
        named_pair(SESSION, paths, ("essay.docx", "other.docx"))
    assert named_pair(SESSION, paths, ("b/essay.docx", "other")) == (1, 2)
    assert named_pair(SESSION, paths, ("B/Essay", "a/ess")) == (1, 0)


@pytest.mark.parametrize(
    ("wanted", "near"),
    [("The last buss.docx", "The last bus.docx"), ("xyz", f"{BRIDGE}, {HEART}, {STORY}")],
)
def test_that_a_name_that_is_not_there_is_told_with_near_ones(wanted, near):
    with pytest.raises(NoSuchDocumentError) as told:
        named_pair(SESSION, list(map(Path, ESSAYS)), (wanted, BRIDGE))
    assert str(told.value) == (f"class.simcompare holds no document called {wanted}. Nearest to it: {near}.")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--pair", BRIDGE, BRIDGE),
            "家乡的石桥.docx is one document. Name two different ones after --pair.\n",
        ),
        (("--pair", BRIDGE, HEART, "--top", "3"), "Name one pair with --pair, or choose pairs with"),
        (("--pairs", "some"), "--pairs cannot be some. Choose one of: all, judged, copied.\n"),
        (("--output", "all.html"), "all.html would be one file, and there are several reports."),
        (("--output", "all.xls"), "all.xls would be one file, and there are several reports."),
        (
            ("--to", "xlsx", "--output", "t.xls"),
            "t.xls has not the ending of xlsx. Call it t.xlsx, or choose another form with --to.",
        ),
        (("--pair", BRIDGE, HEART, "--to", "pdf", "--output", "r.html"), "Call it r.pdf, or choose"),
        (("--above", "half"), "--above cannot be half. Write a percentage from 0 to 100, such as 50."),
        (("--above", "101%"), "--above cannot be 101%. Write a percentage"),
        (("--output", "no/where"), "its folder does not exist"),
        (("--to", "csv", "--output", "class.simcompare"), "it is one of the files to read"),
        (("--output", "."), "something of that name is there"),
    ],
)
def test_that_wrong_use_is_told_in_one_sentence(a_class, report, options, sentence):
    result = report(*options)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert [path.name for path in a_class.iterdir()] == ["class.simcompare"]


def test_that_texts_that_share_nothing_make_no_reports(saved, report):
    bridge, _heart, _story, bus = essays()
    saved(Session((kept(bridge.document, "a"), kept(bus.document, "b"), kept(bus.document, "c"))))
    assert report("--to", "csv").exit_code == 0
    saved(Session((kept(bridge.document, "a"), kept(bus.document, "b"))))
    result = report("--output", "out.zip")
    assert result.exit_code == 2
    assert (
        "None of the 1 pairs of class.simcompare has a match, so there is nothing to report." in result.stderr
    )


def test_that_a_file_that_is_no_session_is_told_of(a_class, run):
    (a_class / "essay.txt").write_text("no session")
    data = (a_class / "class.simcompare").read_bytes()
    (a_class / "torn.simcompare").write_bytes(data[: len(data) // 2])
    for name in ("essay.txt", "torn.simcompare", "missing.simcompare", "."):
        result = run("report", name)
        assert result.exit_code == 1
        assert result.stderr.count("\n") == 1


def test_that_documents_without_text_are_told_of_and_named_in_the_table(saved, report, tmp_path):
    session = session_of("a.docx", "b.html")
    broken = SessionDocument(Path("broken.docx"), error=DamagedFileError("broken.docx", cause="torn"))
    saved(replace(session, documents=(broken, *session.documents, SessionDocument(Path("later.docx")))))
    result = report("--to", "xlsx")
    assert (result.exit_code, result.stdout) == (1, "class.xlsx: 1 pair\n")
    assert "broken.docx is damaged (torn)" in result.stderr
    assert "later.docx was not read yet when the session was saved" in result.stderr
    strings = zipfile.ZipFile(tmp_path / "class.xlsx").read("xl/sharedStrings.xml").decode("utf-8")
    assert "broken.docx is damaged (torn)" in strings


def test_that_a_session_without_two_texts_is_told_of(saved, report):
    saved(session_of("a.docx"))
    assert "class.simcompare holds fewer than two texts that can be compared" in report().stderr
    broken = SessionDocument(Path("broken.docx"), error=DamagedFileError("broken.docx", cause="torn"))
    saved(Session((*session_of("a.docx").documents, broken)))
    for options in ((), ("--pair", "a.docx", "broken.docx")):
        result = report(*options)
        assert result.exit_code == 1
        assert "broken.docx is damaged (torn)" in result.stderr


def test_that_the_settings_of_the_session_are_those_of_the_reports(saved, report, tmp_path):
    settings = ComparisonSettings(similar_weight=0.6, right_weight=0.9, prompt="/gone/prompt.docx")
    prompt = replace(essays()[0].document, path=Path("/gone/prompt.docx"))
    saved(session_of("a.docx", "b.html", settings=settings, prompt=prompt))
    report("--output", "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "similar from 0.60, certain from 0.90" in text
    assert "the sentences of prompt.docx" in text


def test_that_a_thesaurus_that_is_not_here_is_told_of(saved, report):
    saved(session_of("a.docx", "b.html", settings=ComparisonSettings(thesaurus="//server/words.txt")))
    result = report("--to", "csv")
    assert result.exit_code == 0
    assert "The thesaurus words.txt of the session is not here." in result.stderr


def test_that_reports_speak_the_language_asked_for(a_class, report):
    assert report("--to", "csv", "--language", "zh", "--pairs", "copied").exit_code == 0
    assert table(a_class / "class.csv")[0][2] == "A 见于 B 的比例（%）"


@pytest.mark.parametrize(
    "options", [("--output", "r.zip"), ("--output", "r"), ("--to", "xlsx", "--output", "r")]
)
def test_that_a_full_disk_is_one_sentence_and_leaves_nothing(a_class, report, monkeypatch, options):
    def fail(_file):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    result = report(*options, "--pairs", "copied")
    assert (result.exit_code, result.stderr) == (
        2,
        f"{options[-1]} cannot be written: the disk is full. Choose another place with --output.\n",
    )
    assert [path.name for path in a_class.iterdir()] == ["class.simcompare"]


@pytest.mark.skipif(os.name != "posix", reason="only there can a test press Ctrl+C for one program alone")
def test_that_ctrl_c_leaves_nothing_behind(saved, tmp_path):
    documents = [kept(essay.document, f"{number}-{essay.name}") for number in range(30) for essay in essays()]
    saved(Session(tuple(documents)))
    program = subprocess.Popen(
        [sys.executable, "-m", "simcompare", "report", "class.simcompare"],
        start_new_session=True,
        stderr=subprocess.PIPE,
    )
    time.sleep(3)
    os.killpg(program.pid, signal.SIGINT)
    _out, told = program.communicate(timeout=60)
    assert program.returncode == 130
    assert b"Traceback" not in told
    assert [path.name for path in tmp_path.iterdir()] == ["class.simcompare"]
