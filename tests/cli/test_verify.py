"""`simcompare verify`: a case file is computed again, and whatever was changed in it is told."""

import io
import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import docx
import pikepdf
import pypdfium2
import pytest

from simcompare import __version__
from simcompare.report import case_file
from simcompare.report.case_file import case_passages, committee_sheet
from simcompare.report.case_zip import documents_of, render_case_file
from simcompare.report.html_sections import page_view, strongest_passages
from simcompare.report.pdf_report import render_case
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.session.session_file import is_case_file, read_session, write_session
from simcompare.support.i18n import set_language
from tests.helpers.archives import with_encrypted_flag
from tests.helpers.locked_files import lock_docx
from tests.report.cohort.class_of_essays import SAMPLES
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of, review_of_passage

CLASS = next(folder for folder in SAMPLES.iterdir() if folder.name == "示例班级")
PDF, DOCX, FIGURES, SESSION = "Case file.pdf", "Case file.docx", "figures.json", "case.simcompare"
TALKS = ("Meeting record 1.docx", "Meeting record 2.docx")


@pytest.fixture
def case(run, essays):
    """Case file of two essays."""
    assert run("compare", "bridge.txt", "reworded.docx", "--to", "case", "--output", "a.zip").exit_code == 0
    return essays / "a.zip"


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def changed(path, **replaced):
    """Write the case file again with members replaced, or left out for None; names with "_" for each dot."""
    held = members(path)
    for name, change in replaced.items():
        (found,) = [each for each in held if each.replace(".", "_").replace(" ", "_").endswith(name)]
        held[found] = change(held[found])
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in held.items():
            if data is not None:
                archive.writestr(name, data)


def words(data):
    return "\n".join(each.text for each in docx.Document(io.BytesIO(data)).element.body.iter() if each.text)


def test_that_it_holds_the_documents_the_figures_and_the_files(case):
    held = members(case)
    originals = ["files/1/bridge.txt", "files/2/reworded.docx"]
    assert sorted(held) == sorted([PDF, DOCX, *TALKS, FIGURES, SESSION, "case.json", *originals])
    assert held[originals[0]].decode() == BRIDGE
    assert json.loads(held[FIGURES])["format"] == "simcompare-comparison"


def test_that_an_unchanged_one_is_equal(run, case):
    result = run("verify", "a.zip")
    assert result.exit_code == 0
    parts = ["bridge.txt", "reworded.docx", "Figures", DOCX, PDF, *TALKS]
    assert result.stdout.splitlines() == [
        *(f"{part}: unchanged" for part in parts),
        "Nothing has been changed.",
    ]


def test_that_one_made_by_another_version_says_so(run, case):
    version = f'"program":"{__version__}"'.encode()
    changed(case, case_json=lambda data: data.replace(version, version.replace(b'":"', b'":"9')))
    told = f"Version of simcompare (9{__version__}; this is {__version__}, which may compute other figures)"
    assert run("verify", "a.zip").stdout.splitlines()[0] == f"{told}: not checked"


@pytest.mark.parametrize(
    ("part", "change", "told"),
    [
        ("bridge_txt", lambda data: data.replace("石".encode(), "木".encode(), 1), "bridge.txt"),
        ("figures_json", lambda data: data.replace(b'"raw": 0.', b'"raw": 0.1', 1), "Figures"),
        ("Case_file_docx", lambda data: data[:-30] + bytes(1) + data[-29:], DOCX),
        ("record_1_docx", lambda _data: None, TALKS[0]),
        ("Case_file_pdf", lambda data: data[: len(data) // 2], PDF),
    ],
)
def test_that_one_change_is_told(run, case, part, change, told):
    changed(case, **{part: change})
    result = run("verify", "a.zip")
    assert result.exit_code == 1
    differing = [line for line in result.stdout.splitlines() if line.endswith(": differs")]
    assert differing == [f"{told}: differs"]
    assert result.stdout.splitlines()[-1] == "Something differs."


def test_that_a_changed_figure_is_named_with_both_values(run, case):
    shares = json.loads(members(case)[FIGURES])["share"]["left_in_right"]

    def lowered(data):
        value = json.loads(data)
        value["share"]["left_in_right"]["raw"] = 0.25
        return json.dumps(value).encode()

    changed(case, figures_json=lowered)
    expected = f"  share.left_in_right.raw: 0.25 in the case file, computed {shares['raw']}"
    assert expected in run("verify", "a.zip").stdout.splitlines()


def test_that_other_decisions_in_the_session_give_other_figures(run, case):

    def decided(data):
        path = case.with_name("b.simcompare")
        path.write_bytes(data)
        copied = {(0, 1): PairReview(NotedDecision(Decision.COPIED))}
        write_session(replace(read_session(path), reviews=copied), path)
        return path.read_bytes()

    changed(case, case_simcompare=decided)
    assert '  judgement.decision: null in the case file, computed "copied"' in run("verify", "a.zip").stdout


def test_that_a_member_that_does_not_belong_there_is_told(run, case):
    with zipfile.ZipFile(case, "a") as archive:
        archive.writestr("proof.txt", "guilty")
    assert "Other files: differs\n  proof.txt\n" in run("verify", "a.zip").stdout


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", None])
def test_that_another_file_is_refused_with_the_cause(run, essays, content):
    (essays / "a.zip").write_bytes(content or b"")
    if content is None:
        with zipfile.ZipFile(essays / "a.zip", "w") as archive:
            archive.writestr("essay.txt", BRIDGE)
    result = run("verify", "a.zip")
    assert result.exit_code == 1
    refusal = (
        "a.zip cannot be verified: it is not a case file of simcompare, or is damaged; ask for it again."
    )
    assert refusal in " ".join(result.stderr.split())


def test_that_a_zip_of_reports_leads_to_the_case_files_in_it(run, case):
    with zipfile.ZipFile(case.with_name("reports.zip"), "w") as archive:
        archive.write(case, "reports/1 bridge – reworded.case.zip")
    result = run("verify", "reports.zip")
    assert result.exit_code == 1
    refusal = "reports.zip cannot be verified: it holds case files; unpack it, and verify each of them."
    assert refusal in " ".join(result.stderr.split())


def test_that_an_anonymous_one_names_nobody_and_says_why_it_cannot_be_verified(run, essays):
    for name, text in (("张三-作文.txt", BRIDGE), ("李四-作文.txt", BRIDGE_REWORDED)):
        (essays / name).write_text(text, encoding="utf-8")
    arguments = ["--to", "case", "--output", "a.zip", "--anonymous"]
    assert run("compare", "张三-作文.txt", "李四-作文.txt", *arguments).exit_code == 0
    held = members(essays / "a.zip")
    assert sorted(held) == sorted([PDF, DOCX, *TALKS, FIGURES, "case.json"])
    with pypdfium2.PdfDocument(held[PDF]) as document:
        read = "".join(page.get_textpage().get_text_bounded() for page in document)
    every = read + held["case.json"].decode() + held[FIGURES].decode() + words(held[DOCX])
    assert not any(name in every for name in ("张三", "李四"))
    assert "simcompare verify" not in read
    result = run("verify", "a.zip")
    assert result.exit_code == 1
    assert "it is anonymous" in result.stderr


def test_that_a_pair_of_a_class_is_equal_with_its_task_and_common_text(run, report, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(CLASS, "class")
    checked = run("check", "class", "--session", "class.simcompare", "--to", "json", "--output", "c.json")
    assert checked.exit_code == 0
    pair = [str(Path("class") / f"20267{name}-作文.txt") for name in ("01-陈晓雨", "02-林嘉豪")]
    assert report("--pair", *pair, "--to", "case", "--output", "a.zip").exit_code == 0
    shutil.rmtree("class")
    result = run("verify", "a.zip")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "Nothing has been changed.")


def test_that_a_lost_original_is_told_and_its_kept_text_is_used(run, saved, a_class, report):
    made = report("--pair", "家乡的石桥.docx", "桥的故事.docx", "--to", "case", "--output", "a.zip")
    assert made.exit_code == 0
    result = run("verify", "a.zip")
    assert result.exit_code == 0
    assert "家乡的石桥.docx: the file is not in the case file, only its text: not checked" in result.stdout


# --- the sheets of paper


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "Comparison of two texts"), ("zh", "两篇文章的比对")]
)
def test_that_the_sheet_for_a_committee_has_two_pages(tmp_path, language, heading):
    set_language(language)
    evidence = evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED))
    page = page_view(evidence)
    sheet = committee_sheet(evidence, page, case_passages(evidence, page))
    with pypdfium2.PdfDocument(render_case(evidence, page, sheet)) as document:
        with_heading = [heading in page.get_textpage().get_text_bounded() for page in document]
    assert with_heading[:3] == [False, False, True]


def test_that_the_strongest_passages_are_copied_ones_first_and_none_of_no_concern(tmp_path):
    evidence = evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED))
    numbers = [part.passage.number for part in _passages(evidence)]
    assert len(numbers) > 1
    last = numbers[-1]
    review = review_of_passage(evidence.comparison, last - 1, NotedDecision(Decision.COPIED))
    assert _passages(evidence_of(evidence.comparison, review=review))[0].passage.number == last
    review = review_of_passage(evidence.comparison, last - 1, NotedDecision(Decision.CITED))
    without = _passages(evidence_of(evidence.comparison, review=review))
    assert [part.passage.number for part in without] == numbers[:-1]


def _passages(evidence):
    page = page_view(evidence)
    sheet = committee_sheet(evidence, page, case_passages(evidence, page))
    return [part for part in sheet if part.passage is not None]


def test_that_no_passage_of_a_decided_pair_is_called_undecided_nor_one_decided_in_part(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    copied, first = NotedDecision(Decision.COPIED), comparison.matches[0]
    sides = zip((comparison.left, comparison.right), (first.left, first.right), strict=True)
    key = MatchKey(*(index_sentences(side.prepared).keys[sentence] for side, sentence in sides))
    reviews = PairReview(), PairReview(copied), PairReview(matches={key: copied})
    told = [_passages_told(evidence_of(comparison, review=review)) for review in reviews]
    assert told == ["2 (2 undecided)", "2", "2 (1 in part, 1 undecided)"]


def _passages_told(evidence):
    facts = (fact for part in committee_sheet(evidence, page_view(evidence), []) for fact in part.facts)
    return next(value for label, value, *_other in facts if label == "Passages")


def test_that_the_strongest_passages_are_found_once_for_all_sheets(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(
        case_file, "strongest_passages", lambda *each: calls.append(each) or strongest_passages(*each)
    )
    render_case_file(evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)))
    assert len(calls) == 1


def test_that_the_sheet_for_the_talk_has_no_figures_and_does_not_name_the_other_student(case):
    held = members(case)
    files = "bridge.txt", "reworded.docx"
    for name, own, other in zip(TALKS, files, files[::-1], strict=True):
        text = words(held[name])
        assert own in text
        assert other not in text
        assert "%" not in text
        assert "Did you work together with others" in text


def test_that_the_sheet_for_the_talk_hides_the_name_of_the_other_student_in_the_other_text(run, essays):
    for name, student, text in (("a.txt", "陈嘉怡", BRIDGE), ("b.txt", "何俊杰", BRIDGE_REWORDED)):
        title, *rest = text.split("\n", 1)
        (essays / name).write_text(
            f"{title}\n姓名：{student}\n{rest[0]}\n{student}写于桥头。", encoding="utf-8"
        )
    assert run("compare", "a.txt", "b.txt", "--to", "case", "--output", "a.zip").exit_code == 0
    held = members(essays / "a.zip")
    assert "何俊杰" not in words(held[TALKS[0]])
    assert "陈嘉怡" not in words(held[TALKS[1]])
    assert run("verify", "a.zip").exit_code == 0


def test_that_a_pdf_changed_without_its_text_is_told(run, case):
    with pikepdf.open(io.BytesIO(members(case)[PDF])) as file:
        file.pages[0].contents_add(b"1 0 0 rg 60 600 200 60 re f")
        drawn = io.BytesIO()
        file.save(drawn)
    changed(case, Case_file_pdf=lambda _data: drawn.getvalue())
    assert f"{PDF}: differs\n  it was changed after it was made\n" in run("verify", "a.zip").stdout


def test_that_a_file_taken_out_is_told(run, case):
    changed(case, bridge_txt=lambda _data: None)
    result = run("verify", "a.zip")
    assert result.exit_code == 1
    assert "bridge.txt: differs\n  it is missing\n" in result.stdout


def _duplicated(data):
    packed = io.BytesIO(data)
    with zipfile.ZipFile(packed, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(FIGURES, "{}")
    return packed.getvalue()


def _without(key):
    def change(path):
        def less(data):
            value = json.loads(data)
            del value[key]
            return json.dumps(value).encode()

        changed(path, case_json=less)

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(_duplicated(path.read_bytes())),
        lambda path: path.write_bytes(path.read_bytes()[:4000] + b"\xff" * 40 + path.read_bytes()[4040:]),
        lambda path: changed(path, case_json=lambda _data: b"[" * 100_000),
        lambda path: changed(path, case_json=lambda data: data.replace(b'"en"', b'"xx"')),
        lambda path: changed(path, case_simcompare=lambda data: data[:500]),
        _without("exclusions"),
        _without("made_at"),
    ],
)
def test_that_a_hostile_or_damaged_case_file_is_refused_in_one_sentence(run, case, change):
    change(case)
    result = run("verify", "a.zip")
    assert result.exit_code == 1
    assert (
        "a.zip cannot be verified: it is not a case file of simcompare, or is damaged; ask for it again."
        in " ".join(result.stderr.split())
    )


def test_that_one_packed_again_is_equal_but_not_with_a_password(run, case):
    held = members(case)
    with zipfile.ZipFile(case, "w") as archive:
        archive.mkdir("a")
        for name, data in held.items():
            archive.writestr(f"a/{name}", data)
        archive.writestr("__MACOSX/._a", b"")
    assert is_case_file(case)
    assert run("verify", "a.zip").stdout.splitlines()[-1] == "Nothing has been changed."
    case.write_bytes(with_encrypted_flag(case.read_bytes(), only="case.json"))
    result = run("verify", "a.zip")
    assert result.exit_code == 1
    told = "a.zip cannot be verified: it is protected by a password; unpack it, and pack all"
    assert told in " ".join(result.stderr.split())


def test_that_a_file_with_a_password_is_checked_with_it_alone(run, essays):
    lock_docx(essays / "reworded.docx", "sesame")
    files = "compare", "bridge.txt", "reworded.docx", "--password", "sesame"
    assert run(*files, "--to", "case", "--output", "a.zip").exit_code == 0
    result = run("verify", "a.zip")
    assert result.exit_code == 0
    ends = ["Everything that could be checked is unchanged.", "Give the password with --password."]
    assert result.stdout.splitlines()[-2:] == ends
    told = "reworded.docx: the file is the one that was compared, but its text is protected by a password"
    assert f"{told}: not checked" in result.stdout
    assert "reworded.docx: unchanged" in run("verify", "a.zip", "--password", "sesame").stdout


def test_that_its_first_page_names_course_and_teacher_unless_it_is_anonymous(run, essays):
    run("check", str(CLASS), "--session", "class.simcompare")
    case = ("report", "class.simcompare", "--pair", "陈晓雨", "林嘉豪", "--to", "case")
    named = (*case, "--course", "大学写作", "--teacher", "海老师")
    assert run(*named, "--output", "named.zip").exit_code == 0
    assert run(*named, "--anonymous", "--output", "anonymous.zip").exit_code == 0
    page = words(members(essays / "named.zip")[DOCX])
    assert "大学写作" in page
    assert "海老师" in page
    assert run("verify", "named.zip").stdout.splitlines()[-1] == "Nothing has been changed."
    anonymous = words(members(essays / "anonymous.zip")[DOCX])
    assert "海老师" not in anonymous
    assert "Teacher\n" not in anonymous, "an empty row"


def test_that_the_lines_for_an_answer_stay_with_the_question_and_the_marked_words_with_the_committee(
    tmp_path,
):
    evidence = evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED))
    documents = documents_of(evidence)
    record = docx.Document(io.BytesIO(documents[TALKS[0]]))
    asked = [at for at, each in enumerate(record.paragraphs) if each.text.endswith("?")]
    assert len(asked) >= 5
    for at in asked:
        kept = [each.paragraph_format.keep_with_next for each in record.paragraphs[at : at + 3]]
        # the last question is not alone on a page
        is_before_last = True if at == asked[-2] else None
        assert kept == [True, True, is_before_last], record.paragraphs[at].text
    cells = [cell for table in record.tables for row in table.rows for cell in row.cells]
    assert not any(
        run.bold or run.underline for cell in cells for each in cell.paragraphs for run in each.runs
    )
    page = page_view(evidence)
    hints = [part.text for part in committee_sheet(evidence, page, case_passages(evidence, page))]
    assert any("Changed words are red and underlined. Synonyms are green" in hint for hint in hints)
    copy = evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE))
    page = page_view(copy)
    assert not any(
        "Changed words" in part.text for part in committee_sheet(copy, page, case_passages(copy, page))
    )
