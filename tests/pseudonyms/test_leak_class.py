"""No trace of a student of a class of hostile files, in any form of the command line."""

import re
import shutil
from pathlib import Path

import pytest

from tests.helpers.documents import shared_path
from tests.pseudonyms.leaks import parts_of

TRACES = re.compile(
    r"zhang|xiaohong|ouyang|nana(?![a-z])|zhāng|ǒhóng|nànà|\bwei\b|o[’']?connor|john|jonh|smith|(?<!m)mary\b|lixh|20230101"
    r"|(?<![\d.])13[789]\d{8}(?!\d)|school\.example|qq\.com|伟|偉|小红|小紅|娜|欧阳|歐陽|小张|小李|小明|缺席|xiaoming"
    r"|\b[XWNZO]\. ?[A-Z][a-z]",
    re.IGNORECASE,
)


@pytest.fixture
def essays(tmp_path, monkeypatch):
    """Copy the class, so that it has no name of a folder; the essays without the class list."""
    folder = tmp_path / "class"
    shutil.copytree(shared_path("cases", "leak-class"), folder)
    monkeypatch.chdir(tmp_path)
    return sorted(path for path in folder.iterdir() if path.suffix != ".csv")


def traces_in(*places):
    """Find traces in files and folders, with their names and the parts of archives."""
    files = [
        file
        for place in places
        for file in (place.rglob("*") if place.is_dir() else [place])
        if file.is_file()
    ]
    parts = [(file.name, file.name.encode()) for file in files]
    parts += [part for file in files for part in parts_of(file.read_bytes(), file.name)]
    texts = [
        (name, held.decode("utf-8", "ignore"))
        for name, held in parts
        if not held.startswith((b"PK", b"%PDF")) and b"\0" not in held and not name.endswith(".xml (text)")
    ]
    # the six letters before the name of a font are made of the glyphs in the file
    texts = [(name, re.sub(r"\b[A-Z]{6}\+", "", text)) for name, text in texts]
    return sorted({(name, match[0]) for name, text in texts for match in TRACES.finditer(text)})


def test_that_the_search_finds_traces(essays):
    assert len(traces_in(*essays)) > 50


@pytest.mark.parametrize(
    "output", ["out.zip", "folder", "page.html", "t.json", "t.csv", "t.xlsx", "t.pdf", "t.txt"]
)
def test_that_a_check_has_no_trace(essays, run, output):
    to = {".zip": "html", "": "pdf", ".txt": "text"}.get(Path(output).suffix, Path(output).suffix[1:])
    result = run("check", "class", "--anonymous", "--to", to, "--output", output)
    assert result.exit_code == 0, result.stderr
    assert traces_in(Path(output)) == []


@pytest.mark.parametrize("to", ["text", "json", "html", "pdf", "docx", "matches-csv"])
def test_that_a_comparison_has_no_trace(essays, run, to):
    names = ("--anonymous", "--names", "class/名单.csv")
    result = run("compare", *map(str, essays[:2]), *names, "--to", to, "--output", f"out.{to}")
    assert result.exit_code == 0, result.stderr
    assert traces_in(Path(f"out.{to}")) == []


def test_that_annotated_copies_and_reports_of_a_session_have_no_trace(essays, run):
    names = ("--anonymous", "--names", "class/名单.csv")
    run("annotate", *map(str, essays[:2]), *names, "--output-dir", "copies")
    run(
        "check", "class", "--session", "class.simcompare", "--anonymous", "--to", "json", "--output", "c.json"
    )
    for to, place in (("docx", "words.zip"), ("pdf", "prints.zip"), ("html", "pages"), ("xlsx", "t.xlsx")):
        result = run(
            "report", "class.simcompare", "--above", "1", "--anonymous", "--to", to, "--output", place
        )
        assert result.exit_code == 0, result.stderr
        assert traces_in(Path(place)) == []
    assert len(list(Path("copies").iterdir())) == 2
    assert traces_in(Path("copies")) == []
