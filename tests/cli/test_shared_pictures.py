"""Pictures in common in a check of a class, in comparisons and in the reports of a session."""

import json
import zipfile

import pytest
from PIL import ImageOps

from simcompare.cohort import shared_pictures
from tests.helpers.shared_pictures import diagram, drawing, needs_opencv, write_docx_with_pictures
from tests.pseudonyms.leaks import parts_of

STUDENTS = ("2023001张三", "2023002李四", "2023003王五", "2023004赵六", "2023005孙七", "2023006周八")
TOPICS = ("石桥", "小河", "老屋", "灯塔", "枣树", "渡船")
FIRST, SECOND, THIRD = (f"{student}.docx" for student in STUDENTS[:3])
BADGE = 99


def essay(topic):
    return [
        f"村口的{topic}陪我长大，每年夏天我都去那里看一看。爷爷说{topic}的年纪比他还大。",
        f"后来我离开了家乡，梦里却常常出现{topic}。不论走多远，{topic}都在原来的地方等我。",
    ]


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """Class of six essays on different topics with the badge of the school and a picture each.

    The picture of 李四 is that of 张三, scaled; 王五 has the mirrored one.
    """
    own = {1: [drawing(0).resize((240, 160))], 2: [ImageOps.mirror(drawing(0))]}
    (tmp_path / "class").mkdir()
    for number, (student, topic) in enumerate(zip(STUDENTS, TOPICS, strict=True)):
        pictures = [drawing(BADGE), *own.get(number, [drawing(number)])]
        write_docx_with_pictures(tmp_path / "class" / f"{student}.docx", essay(topic), pictures)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_that_the_json_names_the_documents_and_how_their_pictures_are_alike(a_class, run):
    value = json.loads(run("check", "class", "--to", "json").stdout)
    assert value["shared_pictures"] == [
        {"documents": [FIRST, SECOND], "kind": "similar", "pictures": [2, 2]},
        {"documents": [FIRST, THIRD], "kind": "mirrored", "pictures": [2, 2]},
        {"documents": [SECOND, THIRD], "kind": "mirrored", "pictures": [2, 2]},
    ]


def test_that_the_shares_and_the_order_are_the_same_without_pictures(a_class, run):
    with_pictures = json.loads(run("check", "class", "--to", "json").stdout)
    for student, topic in zip(STUDENTS, TOPICS, strict=True):
        write_docx_with_pictures(a_class / "class" / f"{student}.docx", essay(topic), [])
    without = json.loads(run("check", "class", "--to", "json").stdout)
    assert without.pop("shared_pictures") == []
    assert with_pictures.pop("shared_pictures") != []
    assert with_pictures == without


def test_that_the_text_counts_the_pairs_with_pictures_in_common(a_class, run):
    text = run("check", "class").stdout
    assert "3 pairs have pictures in common that most of the class does not have." in text
    assert f"\n   {FIRST} – {SECOND}: 1\n" in text


def test_that_pictures_of_the_template_do_not_count(a_class, run):
    write_docx_with_pictures(a_class / "template.docx", ["作文纸", "题目："], [drawing(0)])
    value = json.loads(run("check", "class", "--template", "template.docx", "--to", "json").stdout)
    assert value["shared_pictures"] == []


@pytest.mark.parametrize("form", ["html", "pdf", "docx"])
def test_that_reports_of_a_session_show_the_pictures_side_by_side(a_class, run, form):
    run("check", "class", "--session", "class.simcompare")
    run("report", "class.simcompare", "--pair", THIRD, FIRST, "--to", form, "--output", f"pair.{form}")
    content = (a_class / f"pair.{form}").read_bytes()
    text = "".join(part.decode("utf-8", "replace") for _name, part in parts_of(content))
    assert "1 picture is in both texts." in text
    if form == "html":
        assert text.count("data:image/jpeg;base64,") == 2
    if form == "docx":
        with zipfile.ZipFile(a_class / "pair.docx") as report:
            assert sum(name.endswith(".jpg") for name in report.namelist()) == 2


@pytest.mark.parametrize("form", ["html", "pdf", "docx", "json"])
def test_that_anonymous_outputs_have_the_fact_but_no_pictures(a_class, run, form):
    run(
        "compare",
        f"class/{FIRST}",
        f"class/{SECOND}",
        "--anonymous",
        "--to",
        form,
        "--output",
        f"pair.{form}",
    )
    content = (a_class / f"pair.{form}").read_bytes()
    assert b"\xff\xd8\xff" not in content
    assert b"/DCTDecode" not in content
    text = "".join(part.decode("utf-8", "replace") for _name, part in parts_of(content))
    assert "data:image/jpeg" not in text
    if form == "json":
        assert len(json.loads(text)["shared_pictures"]) == 2  # the badge, too: there is no class
    else:
        assert "Pictures are not shown here, as they may show names." in " ".join(text.split())


def test_that_an_anonymous_check_and_its_bundle_have_no_pictures(a_class, run):
    value = json.loads(run("check", "class", "--anonymous", "--to", "json").stdout)
    assert len(value["shared_pictures"]) == 3
    run("check", "class", "--session", "class.simcompare")
    run("report", "class.simcompare", "--pairs", "all", "--anonymous", "--to", "html", "--output", "all.zip")
    with zipfile.ZipFile("all.zip") as bundle:
        pages = [bundle.read(name).decode() for name in bundle.namelist() if name.endswith(".html")]
    assert not any("data:image/jpeg" in page for page in pages)
    assert sum("as they may show names" in page for page in pages) == 3


def test_that_a_case_file_has_the_pictures_of_the_pair_in_the_class_and_is_verified(a_class, run):
    run("check", "class", "--session", "class.simcompare")
    run("report", "class.simcompare", "--pair", FIRST, SECOND, "--to", "case", "--output", "case.zip")
    with zipfile.ZipFile(a_class / "case.zip") as case:
        figures = json.loads(case.read("figures.json"))
    assert [(each["kind"], each["left"]["number"]) for each in figures["shared_pictures"]] == [("similar", 2)]
    result = run("verify", "case.zip")
    assert result.stdout.splitlines()[-1] == "Nothing has been changed."


@needs_opencv
def test_that_a_case_file_with_a_part_of_a_picture_is_also_verified_without_opencv(a_class, run, monkeypatch):
    for student, picture in zip(STUDENTS[:2], (diagram(1), diagram(1).crop((60, 30, 470, 300))), strict=True):
        write_docx_with_pictures(a_class / "class" / f"{student}.docx", essay(student), [picture])
    run("check", "class", "--session", "class.simcompare")
    run("report", "class.simcompare", "--pair", FIRST, SECOND, "--to", "case", "--output", "case.zip")
    with zipfile.ZipFile(a_class / "case.zip") as case:
        (found,) = json.loads(case.read("figures.json"))["shared_pictures"]
    assert found["kind"] == "part"
    monkeypatch.setattr(shared_pictures.importlib.util, "find_spec", lambda name: None)
    assert run("verify", "case.zip").stdout.splitlines()[-1] == "Nothing has been changed."


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_that_the_class_report_lists_the_essays_with_pictures_in_common(a_class, run, form):
    run("check", "class", "--to", form, "--output", f"class.{form}")
    content = (a_class / f"class.{form}").read_bytes()
    text = "".join(part.decode("utf-8", "replace") for _name, part in parts_of(content))
    assert "Essays with common pictures" in text
    assert "3 pairs have pictures in common that most of the class does not have." in " ".join(text.split())
