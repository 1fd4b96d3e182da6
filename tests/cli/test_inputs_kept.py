"""Results never overwrite a list or thesaurus that the command reads."""

import pytest

from simcompare.session.session_file import write_session
from tests.cli.test_report import session_of

MESSAGE = "cannot be written: it is one of the files to read"
LIST, SYNONYMS = "王小明\n李雷\n", "高兴 快乐\n"


@pytest.fixture
def input_lists(essays):
    """Working folder with a list of students and a thesaurus."""
    (essays / "list.csv").write_text(LIST, encoding="utf-8")
    (essays / "words.txt").write_text(SYNONYMS, encoding="utf-8")
    return essays


@pytest.mark.parametrize(
    "options",
    [
        ("--anonymous", "--names", "list.csv", "--output", "list.csv"),
        ("--thesaurus", "words.txt", "--output", "words.txt"),
    ],
)
def test_that_compare_does_not_overwrite_its_input_lists(input_lists, run, options):
    result = run("compare", "bridge.txt", "reworded.docx", *options)
    assert result.exit_code == 2
    assert MESSAGE in result.stderr
    assert (input_lists / "list.csv").read_text(encoding="utf-8") == LIST
    assert (input_lists / "words.txt").read_text(encoding="utf-8") == SYNONYMS


def test_that_report_does_not_overwrite_the_list_of_students(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    write_session(session_of("/gone/a.docx", "/gone/b.docx"), tmp_path / "a.simcompare")
    (tmp_path / "list.csv").write_text(LIST, encoding="utf-8")
    options = ("--anonymous", "--names", "list.csv", "--to", "csv", "--output", "list.csv")
    result = run("report", "a.simcompare", *options)
    assert result.exit_code == 2
    assert MESSAGE in result.stderr
    assert (tmp_path / "list.csv").read_text(encoding="utf-8") == LIST
