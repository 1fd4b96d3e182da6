"""`--anonymous`, `--names` and `whois`, as a person or a script uses them."""

from pathlib import Path

import pytest

from simcompare.anonymity.file_names import propose
from simcompare.anonymity.pseudonyms import make_pseudonyms
from simcompare.session.values import Session
from simcompare.session.writing import write_session
from tests.anonymity.leaks import leaks_in
from tests.anonymity.students import copy_buses, write_bridges


@pytest.fixture
def essays(tmp_path, monkeypatch):
    """The working folder with the planted bridges and the buses."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.csv").write_text(
        "姓名,学号\n张三,20231234\n李小明,20231235\n欧阳娜娜,\n", encoding="gb18030"
    )
    return *write_bridges(Path()), *copy_buses(Path())


def test_that_an_anonymous_page_names_nobody_and_the_terminal_tells_who_is_who(essays, run):
    names = "John Smith\nMary-Ann O'Neil\n张三\t20231234\n李小明\t20231235\n欧阳娜娜\n"
    Path("list.txt").write_text(names, encoding="utf-8")
    left, right = map(str, essays[:2])
    arguments = ("--to", "html", "--output", "report.html", "--anonymous", "--names", "list.txt")
    result = run("compare", left, right, *arguments)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "stands for 张三 20231234" in result.stderr
    page = Path("report.html").read_bytes()
    assert leaks_in(page) == []
    assert b"Student 0" in page


def test_that_names_of_the_files_are_enough_where_there_is_no_list(essays, run):
    result = run("compare", *map(str, essays[3:]), "--anonymous")
    assert result.exit_code == 0
    assert leaks_in(result.stdout.encode()) == []
    assert "Smith_John_essay2.docx: Student 0" in result.stderr


def test_that_a_file_without_a_name_is_told_of(essays, run):
    essays[3].rename("essay2.docx")
    result = run("compare", "essay2.docx", str(essays[4]), "--anonymous")
    assert "No name was recognised in essay2.docx." in result.stderr
    assert "Text 0" in result.stdout
    assert "essay2" not in result.stdout


def test_that_a_list_without_anonymous_is_refused(essays, run):
    result = run("compare", *map(str, essays[:2]), "--names", "list.csv")
    assert result.exit_code == 2
    assert result.stderr == (
        "--names is of use with --anonymous alone. Add --anonymous, or leave --names out.\n"
    )


def test_that_a_list_that_is_none_ends_the_program_before_anything_is_read(essays, run):
    result = run("compare", *map(str, essays[:2]), "--anonymous", "--names", str(essays[0]))
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "三年级2班_张三_20231234_作文.docx cannot be used as a list of students: "
    )


def test_that_annotated_copies_are_anonymous_where_they_can_be(essays, run):
    result = run(
        "annotate", *map(str, essays[:2]), "--output-dir", "out", "--anonymous", "--names", "list.csv"
    )
    assert result.exit_code == 0
    copies = sorted(Path("out").iterdir())
    assert len(copies) == 2
    assert all(copy.name.startswith("Student 0") for copy in copies)
    chinese = ("张三", "張三", "20231234", "李小明", "20231235", "欧阳娜娜")
    assert [leaks_in(copy.read_bytes(), copy.name, chinese) for copy in copies] == [[], []]


def test_that_no_annotated_pdf_is_made_anonymously(essays, run):
    result = run("annotate", *map(str, essays[3:]), "--output-dir", "out", "--anonymous")
    assert result.exit_code == 1
    assert "names can be taken out of Word files (.docx) alone" in result.stderr
    assert [copy.suffix for copy in Path("out").iterdir()] == [".docx"]


def test_that_the_session_tells_who_stands_behind_a_pseudonym(essays, run):
    names = make_pseudonyms(propose([essays[0], essays[3], Path("source.html")]))
    write_session(Session(pseudonyms=names), Path("class.simcompare"))
    owner = names.owner_of(essays[0])
    for asked in (f"Student {owner.number:02}", f"学生 {owner.number:02}", str(owner.number)):
        result = run("whois", "class.simcompare", asked)
        assert result.stdout == f"Student {owner.number:02}: 张三 20231234 ({essays[0].name})\n"
    everybody = run("whois", "class.simcompare").stdout.splitlines()
    assert len(everybody) == 3
    assert f"Text {names.owner_of(Path('source.html')).number:02}: source.html" in everybody


def test_that_whois_says_what_is_wrong(essays, run):
    write_session(Session(), Path("new.simcompare"))
    assert run("whois", "new.simcompare", "1").stderr.startswith("new.simcompare holds no pseudonyms.")
    write_session(Session(pseudonyms=make_pseudonyms(propose(essays))), Path("class.simcompare"))
    result = run("whois", "class.simcompare", "Student 99")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "class.simcompare has no “Student 99”. Its pseudonyms go from 1 to 5.\n"
