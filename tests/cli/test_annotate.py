"""`simcompare annotate` run with real files."""

import shutil
from pathlib import Path

import docx
import pikepdf
import pytest
from lxml import etree

from simcompare.loading import load_document
from tests.helpers.locked_files import write_locked_pdf

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


@pytest.fixture
def buses(tmp_path, monkeypatch):
    """Working folder with bus.docx, waiting.pdf and bridge.html."""
    for name, sample in {
        "bus.docx": "The last bus.docx",
        "waiting.pdf": "Waiting for the last bus.pdf",
        "bridge.html": "心中的桥.html",
    }.items():
        shutil.copy(SAMPLES / sample, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def words_in(path):
    with pikepdf.open(path) as pdf:
        return [str(annotation.Contents) for page in pdf.pages for annotation in page.obj.get("/Annots", [])]


def test_that_the_output_folder_is_created(buses, run):
    before = (buses / "waiting.pdf").read_bytes()
    result = run("annotate", "bus.docx", "waiting.pdf", "--output-dir", "new/copies", "--side", "right")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "new/copies/waiting – annotated.pdf: 24 places marked\n"
    words = words_in(buses / "new/copies/waiting – annotated.pdf")
    assert words[0].startswith("Passage 1 · ")
    match = next(line for line in "\r".join(words).split("\r") if line.startswith("Match"))
    assert match.startswith("Match 1 (edited, P = 0.")
    assert "of bus.docx: " in match
    assert (buses / "waiting.pdf").read_bytes() == before
    assert [path.name for path in (buses / "new/copies").iterdir()] == ["waiting – annotated.pdf"]


def test_that_both_files_are_annotated_and_the_originals_unchanged(buses, run):
    before = (buses / "bus.docx").read_bytes()
    result = run("annotate", "bus.docx", "waiting.pdf", "--output-dir", "out", "--language", "zh")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line.partition(":")[0].partition("：")[0] for line in result.stdout.splitlines()] == [
        "out/bus – 批注.docx",
        "out/waiting – 批注.pdf",
    ]
    assert load_document(buses / "out/bus – 批注.docx").text == load_document(buses / "bus.docx").text
    assert (buses / "bus.docx").read_bytes() == before


def test_that_the_same_files_give_the_same_copies(buses, run):
    for folder in ("one", "two"):
        assert run("annotate", "bus.docx", "waiting.pdf", "--output-dir", folder).exit_code == 0
    for name in ("bus – annotated.docx", "waiting – annotated.pdf"):
        assert (buses / "one" / name).read_bytes() == (buses / "two" / name).read_bytes()


def test_that_sentences_without_a_position_are_listed_at_the_end(buses, run):
    document = docx.Document()
    equation = "<m:oMath xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'><m:r><m:t>{}</m:t></m:r></m:oMath>"
    for text in ("the sum of all the willows by the river.", "the number of children with kites."):
        document.add_paragraph()._p.append(etree.fromstring(equation.format(text)))
    document.add_paragraph("The willows turn green in spring and the river wakes.")
    document.save("sums.docx")
    result = run("annotate", "sums.docx", "sums.docx", "--side", "left", "--output-dir", "out")
    assert result.stdout == "out/sums – annotated.docx: 1 place marked\n"
    assert result.stderr == (
        "2 of 3 places could not be marked in sums.docx: "
        "“the sum of all the willows by the river.”; “the number of children with kites.”\n"
    )


def test_that_an_error_in_one_file_is_printed_and_the_other_copy_written(buses, run):
    result = run("annotate", "waiting.pdf", "bridge.html", "--output-dir", "out")
    assert result.exit_code == 1
    assert result.stdout.startswith("out/waiting – annotated.pdf: ")
    assert result.stderr == (
        "bridge.html cannot be annotated: "
        "only PDF and Word files (.docx, .docm, .dotx) can be. "
        "Save it in one of these formats and compare the new file.\n"
    )


def test_that_no_copy_overwrites_an_input_file(buses, run):
    shutil.copy(buses / "waiting.pdf", buses / "bus – annotated.docx")
    before = (buses / "bus – annotated.docx").read_bytes()
    result = run("annotate", "bus.docx", "bus – annotated.docx", "--output-dir", ".")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "bus – annotated.docx cannot be written: it is one of the files to read. "
        "Choose another folder with --output-dir.\n"
    )
    assert (buses / "bus – annotated.docx").read_bytes() == before


def test_that_an_impossible_folder_is_refused_before_any_work(buses, run):
    result = run("annotate", "missing.docx", "waiting.pdf", "--output-dir", "waiting.pdf")
    assert result.exit_code == 2
    assert result.stderr.startswith("waiting.pdf cannot be written: ")
    assert len(result.stderr.splitlines()) == 1


def test_that_files_of_the_same_name_get_different_copy_names(buses, run):
    (buses / "b").mkdir()
    shutil.copy(buses / "waiting.pdf", buses / "b" / "waiting.pdf")
    result = run("annotate", "waiting.pdf", "b/waiting.pdf", "--output-dir", "out")
    assert result.exit_code == 0
    names = {path.name for path in (buses / "out").iterdir()}
    assert names == {"waiting – annotated.pdf", "waiting – annotated (2).pdf"}


def test_that_a_password_opens_the_file_to_be_annotated(buses, run):
    write_locked_pdf(buses / "locked.pdf", "The willows turn green in spring.", "crane")
    (buses / "willows.txt").write_text("The willows turn green in spring.")
    arguments = ("annotate", "locked.pdf", "willows.txt", "--side", "left", "--output-dir", "out")
    result = run(*arguments, "--password", "crane")
    assert result.stdout == "out/locked – annotated.pdf: 1 place marked\n"
    with pikepdf.open(buses / "out/locked – annotated.pdf", password="crane") as pdf:
        assert len(pdf.pages[0].Annots) == 1


def test_that_the_marks_follow_the_settings(buses, run):
    arguments = ("annotate", "bus.docx", "waiting.pdf", "--side", "right", "--output-dir", "out")
    assert "24 places" in run(*arguments).stdout
    assert "24 places" not in run(*arguments, "--without-words").stdout
    assert "--output-dir" in run("annotate", "bus.docx", "waiting.pdf").stderr
