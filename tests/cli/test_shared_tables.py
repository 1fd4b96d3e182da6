"""Tables of numbers that two essays share, of several formats, in a check, a comparison and a case file."""

import json
import random
import zipfile

import docx
import pytest

from tests.helpers.documents import own_texts

HEADS = ["时间", "质量", "温度"]


def measured(seed):
    chance = random.Random(seed)
    return [[f"{chance.uniform(1, 50):.2f}" for _head in HEADS] for _row in range(4)]


def write_docx(path, paragraphs, rows):
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    table = document.add_table(len(rows), len(rows[0]))
    for cells, row in zip(table.rows, rows, strict=True):
        for cell, shown in zip(cells.cells, row, strict=True):
            cell.text = shown
    document.save(str(path))


def html_of(paragraphs, rows):
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    text = "".join(f"<p>{each}</p>" for each in paragraphs)
    return f'<html><head><meta charset="utf-8"></head><body>{text}<table>{cells}</table></body></html>'


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """Class of five reports with one table given to all; the last has the data of the first, transposed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    for number, text in enumerate(own_texts("zh")[:5]):
        paragraphs, rows = text.split("\n"), [HEADS, *measured(99), *measured(number)]
        write_docx(tmp_path / "class" / f"{number}.docx", paragraphs, rows)
    own = [list(column) for column in zip(*measured(0), strict=True)]
    (tmp_path / "class" / "4.docx").unlink()
    (tmp_path / "class" / "4.html").write_text(html_of(paragraphs, own), encoding="utf-8")
    return tmp_path


def test_that_check_names_the_documents_with_the_same_measurements(a_class, run):
    (found,) = json.loads(run("check", "class", "--to", "json").stdout)["shared_tables"]
    assert found["documents"] == ["0.docx", "4.html"]
    assert (found["common"], found["count"]) == (12, 12)


def test_that_check_and_the_class_report_list_the_essays_with_the_same_tables(a_class, run):
    text = run("check", "class").stdout
    assert "1 pair has tables with the same numbers in common that few other essays have." in text
    assert "0.docx – 4.html: 1" in text
    run("check", "class", "--to", "html", "--output", "class.html")
    assert "Essays with the same tables" in (a_class / "class.html").read_text(encoding="utf-8")


def test_that_a_report_says_how_many_numbers_are_the_same_and_a_case_file_is_verified(a_class, run):
    run("check", "class", "--session", "class.simcompare")
    run("report", "class.simcompare", "--pair", "4.html", "0.docx", "--to", "html", "--output", "pair.html")
    assert "all 12 numbers are the same (left: near paragraph" in (a_class / "pair.html").read_text(
        encoding="utf-8"
    )
    run("report", "class.simcompare", "--pair", "4.html", "0.docx", "--to", "case", "--output", "case.zip")
    with zipfile.ZipFile("case.zip") as case:
        assert len(json.loads(case.read("figures.json"))["shared_tables"]) == 1
    assert run("verify", "case.zip").stdout.splitlines()[-1] == "Nothing has been changed."
