"""Report, workbook and bundle of `simcompare check`, and pseudonyms."""

import zipfile

import pytest

from simcompare.session.session_file import read_session

ESSAYS = {
    "20260001-王小明.txt": "外婆家的院子里有一口老井，夏天井水凉得刺骨。我常把西瓜放进竹篮，慢慢沉到水底。",
    "20260002-李雷.txt": "火车穿过隧道的时候，车厢里忽然安静下来。对面的老人合上报纸，望着窗外漆黑的岩壁。",
    "20260003-韩梅.txt": "外婆家的院子里有一口老井，夏天井水凉得刺骨。后来井被填平了，没有人再提起它。",
}


@pytest.fixture
def check(run, tmp_path, monkeypatch):
    """Run the command for the folder 高一5班 of three essays, two of which agree."""
    folder = tmp_path / "高一5班"
    folder.mkdir()
    for name, text in ESSAYS.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run("check", "高一5班", *arguments)


def test_that_html_is_one_page_with_the_name_of_the_class(check, tmp_path):
    assert check("--to", "html", "--output", "class.html").exit_code == 0
    page = (tmp_path / "class.html").read_text("utf-8")
    assert "<h1><bdi>高一5班</bdi></h1>" in page
    assert "3 essays were compared with each other. 1 of 3 pairs is unusual" in page
    assert "1 of 3 pairs is unusual" in check("--to", "html").stdout


@pytest.mark.parametrize(("form", "start"), [("pdf", b"%PDF"), ("xlsx", b"PK")])
def test_that_a_binary_form_needs_a_file_of_its_suffix(check, tmp_path, form, start):
    refused = check("--to", form)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"{form.upper()} cannot be printed as text" in refused.stderr
    refused = check("--to", form, "--output", "class.html")
    assert refused.exit_code == 2
    assert f"class.html does not end in .{form}" in refused.stderr
    assert not (tmp_path / "class.html").exists()
    assert check("--to", form, "--output", f"class.{form}").exit_code == 0
    assert (tmp_path / f"class.{form}").read_bytes().startswith(start)


def test_that_a_folder_gets_a_report_of_each_unusual_pair(check, tmp_path):
    assert check("--to", "html", "--output", "out").exit_code == 0
    names = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    report = "reports/1 王小明 20260001 – 韩梅 20260003.html"
    assert names == ["class.xlsx", "index.html", report, "students.csv"]
    again = check("--to", "html", "--output", "out")
    assert again.exit_code == 2
    assert "a file or folder of that name exists" in again.stderr


def test_that_a_zip_gets_reports_in_the_form_asked_for(check, tmp_path):
    assert check("--to", "pdf", "--output", "out.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        names = archive.namelist()
        assert [name for name in names if name.startswith("reports/")] == [
            "reports/1 王小明 20260001 – 韩梅 20260003.pdf"
        ]


def test_that_anonymous_replaces_names_and_keeps_the_key_in_the_session(check, tmp_path):
    done = check("--to", "html", "--output", "class.html", "--anonymous", "--session", "s.simcompare")
    assert done.exit_code == 0
    page = (tmp_path / "class.html").read_text("utf-8")
    assert not [word for word in ("王小明", "韩梅", "20260001", "高一5班", str(tmp_path)) if word in page]
    pseudonyms = read_session(tmp_path / "s.simcompare").pseudonyms
    (owner,) = [each for each in pseudonyms.owners if "20260001" in each.display_name]
    assert f"{pseudonyms.label(owner)}: 王小明 20260001 (20260001-王小明.txt)" in done.stderr
    assert f"<bdi>{pseudonyms.label(owner)}</bdi>" in page


def test_that_a_session_made_anonymous_later_replaces_students_of_its_class_list_without_essays(
    check, run, tmp_path
):
    (tmp_path / "高一5班" / "20260001-王小明.txt").write_text(
        "外婆家的院子里有一口老井，孙丽华和李白云同学常来打水，夏天井水凉得刺骨。", encoding="utf-8"
    )
    (tmp_path / "高一5班" / "20260010-白云.txt").write_text("邮局门口的绿色信箱已经锈了。", encoding="utf-8")
    roster = "学号,姓名\n20260001,王小明\n20260002,李雷\n20260008,孙丽华\n20260009,李白云\n20260010,白云\n"
    (tmp_path / "高一5班" / "名单.csv").write_text(roster, encoding="utf-8")
    assert check("--session", "s.simcompare").exit_code == 0
    done = run("report", "s.simcompare", "--anonymous", "--pairs", "all", "--output", "out")
    assert done.exit_code == 0, done.stderr
    pages = "".join(page.read_text("utf-8") for page in (tmp_path / "out").rglob("*.html"))
    assert "常来打水" in pages
    assert not [name for name in ("孙丽华", "白云", "李Student", "李学生") if name in pages]
    owners = read_session(tmp_path / "s.simcompare").pseudonyms.owners
    assert {"孙丽华 20260008", "李白云 20260009"} <= {owner.display_name for owner in owners}
