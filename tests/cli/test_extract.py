"""`simcompare extract` of one file, many files and folders, with errors."""

import json
import os
import re
from pathlib import Path

import pytest

from simcompare.loading.workers import isolation
from tests.helpers.archives import write_zip
from tests.helpers.locked_files import write_locked_pdf

KEYS = ["path", "state", "title", "receipt", "text", "error", "seconds"]
RECEIPT_KEYS = [
    *("reader", "format", "characters_kept", "paragraphs"),
    *("pages", "encoding", "dropped", "flags", "origin"),
]


@pytest.fixture
def folder(essays):
    """Folder of classes: readable files, hidden files, a damaged file, an image."""
    inside = essays / "classes" / "class 3"
    (inside / ".git").mkdir(parents=True)
    for name in ("bridge.txt", "bus.html", "broken.docx"):
        (essays / name).rename(inside / name)
    (inside / "~$bridge.docx").write_bytes(b"lock")
    (inside / ".hidden.txt").write_text("hidden")
    (inside / ".git" / "config.txt").write_text("hidden")
    (essays / "classes" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n....")
    if hasattr(os, "mkfifo"):
        os.mkfifo(essays / "classes" / "pipe.txt")
    return essays / "classes"


def lines_of(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_that_a_zip_gives_a_line_for_every_member_and_is_never_overwritten(essays, run):
    archive = write_zip(essays / "class.zip", {"张三/作文.txt": b"Fog.", "../x.txt": b"Fog."}, "gb18030")
    result = run("extract", "class.zip", "--to", "jsonl")
    read, refused = lines_of(result)
    assert (read["path"], read["text"]) == ("class.zip/张三/作文.txt", "Fog.")
    assert refused["error"].startswith("x.txt in class.zip is not read: its name points")
    before = archive.read_bytes()
    assert run("extract", "class.zip", "--output", "class.zip").exit_code != 0
    assert archive.read_bytes() == before


def test_that_a_folder_gives_a_line_for_every_file_in_order(folder, run):
    result = run("extract", "classes", "--to", "jsonl")
    lines = lines_of(result)
    assert [(Path(line["path"]).name, line["state"]) for line in lines] == [
        ("bridge.txt", "ok"),
        ("broken.docx", "error"),
        ("bus.html", "ok"),
        ("picture.png", "error"),
    ]
    assert all(list(line) == KEYS for line in lines)
    assert list(lines[0]["receipt"]) == RECEIPT_KEYS
    assert lines[0]["text"].startswith("家乡的石桥\n")
    assert lines[1]["error"].startswith("broken.docx is damaged")
    assert all(line["seconds"] < 20 for line in lines)
    assert result.exit_code == 1
    assert result.stderr.startswith("4 files: 2 read, 0 read with doubts, 2 failed; ")


def test_that_receipts_can_be_written_without_texts(folder, run):
    (line,) = lines_of(run("extract", "classes/class 3/bridge.txt", "--to", "jsonl", "--no-text"))
    assert list(line) == [key for key in KEYS if key != "text"]


def test_that_json_without_the_text_is_the_receipt(essays, run):
    value = json.loads(run("extract", "bridge.txt", "--to", "json", "--no-text").stdout)
    assert list(value) == ["path", "state", "title", "receipt"]


@pytest.mark.parametrize("files", [["bridge.txt"], ["bridge.txt", "bus.html"]])
@pytest.mark.parametrize("receipt", [[], ["--receipt"]])
def test_that_only_receipts_are_printed_without_texts(essays, run, files, receipt):
    result = run("extract", *files, "--no-text", *receipt)
    assert result.stdout == ""
    assert [f"{name}: Read: " in result.stderr for name in files] == [True] * len(files)


def test_that_the_exit_status_is_0_if_every_file_was_read(folder, run):
    result = run("extract", "reworded.docx", "classes/class 3/bus.html", "--to", "jsonl")
    assert result.exit_code == 0
    assert [line["state"] for line in lines_of(result)] == ["ok", "ok"]


def test_that_the_texts_of_several_files_have_headings(folder, run):
    result = run("extract", "classes")
    assert result.stdout.count("==> ") == 2
    assert f"==> {Path('classes/class 3/bus.html')} <==\nThe last bus\n" in result.stdout
    first, second, summary = result.stderr.splitlines()
    assert first.startswith("broken.docx is damaged")
    assert second.startswith("picture.png ")
    assert summary.startswith("4 files: 2 read")


def test_that_several_files_in_json_are_a_list(folder, run):
    values = json.loads(run("extract", "classes", "--to", "json").stdout)
    assert [value["state"] for value in values] == ["ok", "error", "ok", "error"]
    assert list(values[1]) == ["path", "state", "error"]


def test_that_receipt_prints_the_receipt(essays, run):
    result = run("extract", "bridge.txt", "--receipt")
    assert result.stderr.startswith("bridge.txt: Read: plain text, ")
    assert result.stderr.endswith("bridge.txt: Technical: read by text\n")
    assert "Read:" not in result.stdout


def test_that_doubts_are_always_printed(essays, run):
    (essays / "odd.txt").write_bytes("家乡的小河很清，我们都喜欢它。".encode() * 20 + b"\xff\xfe\xfd")
    result = run("extract", "odd.txt")
    assert result.exit_code == 0
    assert result.stderr.startswith("Please check odd.txt: characters that could not be decoded (3)")


def test_that_json_lines_are_written_to_a_file(folder, run):
    result = run("extract", "classes", "--to", "jsonl", "--output", "lines.jsonl")
    assert result.stdout == ""
    assert len((folder.parent / "lines.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_that_an_empty_folder_is_not_an_error(essays, run):
    (essays / "empty").mkdir()
    result = run("extract", "empty", "--to", "jsonl")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("0 files")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_that_reading_a_pipe_does_not_block(folder, run):
    result = run("extract", "classes/pipe.txt")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "pipe.txt cannot be opened: it is not a file but a device or a pipe. "
        "Check that the file is there and that you may read it."
    ]


@pytest.mark.parametrize("command", [["extract"], ["fingerprint"], ["compare", "bus.html"]])
def test_that_whole_page_reads_the_whole_web_page(essays, run, command):
    links = "".join(f'<li><a href="https://example.org/{n}">Further reading {n}</a></li>' for n in range(30))
    text = "<p>The bus had gone, and the road lay dark before us for a long and wet mile.</p>" * 9
    page = f"<nav><ul>{links}</ul></nav><article><h1>Rain</h1>{text}</article><footer>{links}</footer>"
    (essays / "site.html").write_text(f"<html><body>{page}</body></html>", encoding="utf-8")
    article, whole = (run(*command, "site.html", *options).stdout for options in ([], ["--whole-page"]))
    assert article != whole
    assert "Further reading 7" not in article


def test_that_the_password_is_tried_on_encrypted_files(essays, run):
    locked = str(write_locked_pdf(essays / "locked.pdf", "The old bridge stands over the river.", "test"))
    assert run("extract", locked, "--no-text", "--to", "jsonl").exit_code == 1
    states = {
        word: [line["state"] for line in lines_of(run("extract", locked, "bus.html", "--to", "jsonl", *word))]
        for word in (("--password", "test"), ("--password", "wrong"))
    }
    assert list(states.values()) == [["ok", "ok"], ["error", "ok"]]
    assert run("fingerprint", locked, "--password", "test").exit_code == 0
    assert run("compare", locked, "bus.html", "--password", "test").exit_code == 0


def test_that_files_of_the_same_name_are_labelled_with_their_folders(essays, run):
    for folder in ("李小明", "王芳"):
        (essays / "class" / folder).mkdir(parents=True)
        (essays / "class" / folder / "作文.txt").write_text("今天我们去看桥。", encoding="utf-8")
    result = run("extract", "class", "--receipt", "--no-text")
    assert "李小明/作文.txt: Read" in result.stderr
    assert "王芳/作文.txt: Read" in result.stderr


def test_that_files_that_took_long_are_named_at_the_end_on_standard_error(essays, run, monkeypatch):
    monkeypatch.setattr(isolation, "LONG_SECONDS", -1.0)
    result = run("extract", "bridge.txt", "broken.docx", "--to", "jsonl")
    assert len(lines_of(result)) == 2
    slow = [line for line in result.stderr.splitlines() if line.startswith("2 files took longer than ")]
    assert len(slow) == 1
    assert re.fullmatch(r".*: \S+ \d+ s, \S+ \d+ s", slow[0])
    assert "broken.docx" in slow[0]
    assert "took longer" not in result.stdout


def test_that_files_that_did_not_take_long_are_not_named(essays, run):
    assert "took longer" not in run("extract", "bridge.txt", "bus.html").stderr
