"""Kinship of Word files in a check of a class and in the reports of its session."""

import csv
import io
import json
import zipfile

import pytest

from tests.helpers.word_sessions import write_edited_docx
from tests.pseudonyms.leaks import parts_of

STUDENTS = ("2023001张三", "2023002李四", "2023003王五", "2023004赵六", "2023005孙七", "2023006周八")
TOPICS = ("石桥", "小河", "老屋", "灯塔", "枣树", "渡船")
TEMPLATE_IDS = [f"00A0000{number}" for number in range(1, 8)]
OWN_IDS = {
    # 李四 wrote in the file of 张三, 王五 began a new one from the same template
    0: ["00B11111", "00B22222", "00B33333"],
    1: ["00B11111", "00B22222", "00B33333", "00B44444"],
    2: ["00C11111", "00C22222"],
    3: ["00D11111", "00D22222"],
    4: ["00E11111", "00E22222"],
}
FIRST, SECOND = f"{STUDENTS[0]}.docx", f"{STUDENTS[1]}.docx"


def essay(topic):
    return [
        f"村口的{topic}陪我长大，每年夏天我都去那里看一看。爷爷说{topic}的年纪比他还大。",
        f"后来我离开了家乡，梦里却常常出现{topic}。不论走多远，{topic}都在原来的地方等我。",
    ]


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """Class of six essays on different topics, two of which were written in one file; one is no Word file."""
    folder = tmp_path / "class"
    folder.mkdir()
    for number, (student, topic) in enumerate(zip(STUDENTS, TOPICS, strict=True)):
        path = folder / f"{student}.docx"
        if number in OWN_IDS:
            write_edited_docx(path, topic, essay(topic), [*TEMPLATE_IDS, *OWN_IDS[number]])
        else:
            path.with_suffix(".txt").write_text("\n".join(essay(topic)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_that_the_json_names_the_pairs_whose_files_share_ids_that_are_not_those_of_the_class(a_class, run):
    value = json.loads(run("check", "class", "--to", "json").stdout)
    assert value["kinship"] == [{"left": FIRST, "right": SECOND, "shared_ids": 3, "chance": 6.1e-20}]


def test_that_the_order_and_the_shares_of_the_pairs_are_the_same_without_ids(a_class, run):
    with_ids = json.loads(run("check", "class", "--to", "json").stdout)
    for number, student in enumerate(STUDENTS[:5]):
        write_edited_docx(a_class / "class" / f"{student}.docx", TOPICS[number], essay(TOPICS[number]))
    without = json.loads(run("check", "class", "--to", "json").stdout)
    assert without.pop("kinship") == []
    assert with_ids.pop("kinship") != []
    assert with_ids == without


def test_that_the_text_says_what_common_ids_mean(a_class, run):
    text = run("check", "class").stdout
    assert "The files of 1 pair share editing ids of Word or WPS: parts of both were once written in" in text
    assert f"\n   {FIRST} – {SECOND}: 3\n" in text


def test_that_ids_of_a_template_do_not_count(a_class, run):
    shared = write_edited_docx(a_class / "template.docx", "作文纸", ["题目："], [*TEMPLATE_IDS, *OWN_IDS[0]])
    value = json.loads(run("check", "class", "--template", str(shared), "--to", "json").stdout)
    assert value["kinship"] == []


def test_that_the_table_of_pairs_has_a_column_only_if_files_share_ids(a_class, run):
    table = run("check", "class", "--to", "csv").stdout.removeprefix("\ufeff")
    rows = csv.DictReader(io.StringIO(table))
    found = {(row["A"], row["B"]): row["Editing ids in common"] for row in rows}
    assert found.pop((FIRST, SECOND)) == "3"
    assert set(found.values()) == {""}
    (a_class / "class" / FIRST).unlink()
    assert "Editing ids" not in run("check", "class", "--to", "csv").stdout


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_that_the_class_report_has_the_groups_of_files(a_class, run, form):
    run("check", "class", "--to", form, "--output", f"report.{form}")
    content = (a_class / f"report.{form}").read_bytes()
    text = "".join(part.decode("utf-8", "replace") for _name, part in parts_of(content))
    assert "Files with common editing ids" in text
    assert "Common ids: 3" in text


def test_that_an_anonymous_check_keeps_the_kinship_and_nothing_that_finds_the_files(a_class, run):
    printed = run("check", "class", "--anonymous", "--to", "json").stdout
    (kin,) = json.loads(printed)["kinship"]
    assert (kin["shared_ids"], kin["chance"]) == (3, 6.1e-20)
    assert not any(each in printed for each in (*TEMPLATE_IDS, *OWN_IDS[0], *STUDENTS))


def test_that_reports_of_a_session_have_the_kinship_in_the_class(a_class, run):
    run("check", "class", "--session", "class.simcompare")
    for pair, words in (((0, 1), "The files share 3 editing ids"), ((2, 3), "No more in common than chance")):
        names = [f"{STUDENTS[number]}.docx" for number in pair]
        run("report", "class.simcompare", "--pair", *names, "--to", "html", "--output", "pair.html")
        assert words in (a_class / "pair.html").read_text("utf-8")
        (a_class / "pair.html").unlink()
    run("report", "class.simcompare", "--pairs", "all", "--to", "json", "--output", "all.zip")
    with zipfile.ZipFile("all.zip") as bundle:
        reports = [json.loads(bundle.read(name)) for name in bundle.namelist() if name.endswith(".json")]
    assert len(reports) == 15
    assert sorted(report["kinship"]["shared_ids"] for report in reports if report["kinship"]) == [3]


def test_that_two_files_in_no_class_are_compared_by_their_own_ids(a_class, run):
    files = [f"class/{STUDENTS[number]}.docx" for number in (2, 3)]
    value = json.loads(run("compare", *files, "--to", "json").stdout)
    assert value["kinship"]["shared_ids"] == len(TEMPLATE_IDS)
