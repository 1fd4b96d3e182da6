"""Errors of `simcompare report`: wrong use, missing files, interruption."""

import errno
import os
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.model.errors import DamagedFileError
from simcompare.model.settings import ComparisonSettings
from simcompare.session.session_data import Session, SessionDocument
from tests.cli.sessions import BRIDGE, HEART, session_document, session_of
from tests.helpers.patience import PATIENCE_S
from tests.report.cohort.class_of_essays import essays

# The program; it never finishes the second report.
ENDLESS_PROGRAM = """
import functools, itertools, time
from simcompare.cli.main import main
from simcompare.export import export_tasks

def begin(*pair, begin_real=export_tasks.begin_report, numbers=itertools.count()):
    return begin_real(*pair) if next(numbers) == 0 else functools.partial(time.sleep, 600)

if __name__ == "__main__":
    export_tasks.begin_report = begin
    main()
"""


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--pair", BRIDGE, BRIDGE),
            "家乡的石桥.docx is one document. Name two different ones after --pair.\n",
        ),
        (("--pair", BRIDGE, HEART, "--top", "3"), "Name one pair with --pair, or choose pairs with"),
        (("--pairs", "some"), "--pairs cannot be some. Choose one of: all, judged, copied.\n"),
        (("--output", "all.html"), "all.html is one file, and each pair has a report of its own."),
        (("--output", "all.xls"), "all.xls is one file, and each pair has a report of its own."),
        (
            ("--to", "xlsx", "--output", "t.xls"),
            "t.xls does not end in .xlsx. Rename it to t.xlsx, or choose another form with --to.",
        ),
        (("--pair", BRIDGE, HEART, "--to", "pdf", "--output", "r.html"), "Rename it to r.pdf, or choose"),
        (("--above", "half"), "--above cannot be half. Write a percentage from 0 to 100, such as 50."),
        (("--above", "101%"), "--above cannot be 101%. Write a percentage"),
        (("--output", "no/where"), "its folder does not exist"),
        (("--to", "csv", "--output", "class.simcompare"), "it is one of the files to read"),
        (("--output", "."), "a file or folder of that name exists"),
    ],
)
def test_that_wrong_use_has_a_one_sentence_error(a_class, report, options, sentence):
    result = report(*options)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert [path.name for path in a_class.iterdir()] == ["class.simcompare"]


def test_that_texts_without_matches_have_no_reports(saved, report):
    bridge, _heart, _story, bus = essays()
    saved(
        Session(
            (
                session_document(bridge.document, "a"),
                session_document(bus.document, "b"),
                session_document(bus.document, "c"),
            )
        )
    )
    assert report("--to", "csv").exit_code == 0
    saved(Session((session_document(bridge.document, "a"), session_document(bus.document, "b"))))
    result = report("--output", "out.zip")
    assert result.exit_code == 2
    assert (
        "None of the 1 pairs of class.simcompare has a match, so there is nothing to report." in result.stderr
    )


def test_that_a_file_that_is_not_a_session_has_an_error(a_class, run):
    (a_class / "essay.txt").write_text("no session")
    data = (a_class / "class.simcompare").read_bytes()
    (a_class / "torn.simcompare").write_bytes(data[: len(data) // 2])
    for name in ("essay.txt", "torn.simcompare", "missing.simcompare", "."):
        result = run("report", name)
        assert result.exit_code == 1
        assert result.stderr.count("\n") == 1


def test_that_unread_documents_have_errors_and_are_listed_in_the_table(saved, report, tmp_path):
    session = session_of("a.docx", "b.html")
    broken = SessionDocument(Path("broken.docx"), error=DamagedFileError("broken.docx", cause="torn"))
    saved(replace(session, documents=(broken, *session.documents, SessionDocument(Path("later.docx")))))
    result = report("--to", "xlsx")
    assert (result.exit_code, result.stdout) == (1, "class – pairs.xlsx: 1 pair\n")
    assert "broken.docx is damaged (torn)" in result.stderr
    assert "later.docx was not read yet when the session was saved" in result.stderr
    strings = zipfile.ZipFile(tmp_path / "class – pairs.xlsx").read("xl/sharedStrings.xml").decode("utf-8")
    assert "This file is damaged (torn)" in strings


def test_that_a_session_without_two_texts_has_an_error(saved, report):
    saved(session_of("a.docx"))
    assert "class.simcompare holds fewer than two texts that can be compared" in report().stderr
    broken = SessionDocument(Path("broken.docx"), error=DamagedFileError("broken.docx", cause="torn"))
    saved(Session((*session_of("a.docx").documents, broken)))
    for options in ((), ("--pair", "a.docx", "broken.docx")):
        result = report(*options)
        assert result.exit_code == 1
        assert "broken.docx is damaged (torn)" in result.stderr


def test_that_a_missing_thesaurus_has_a_message(saved, report):
    saved(session_of("a.docx", "b.html", settings=ComparisonSettings(thesaurus="//server/words.txt")))
    result = report("--to", "csv")
    assert result.exit_code == 0
    assert "The session's thesaurus words.txt is not on this computer." in result.stderr


@pytest.mark.parametrize(
    "options", [("--output", "r.zip"), ("--output", "r"), ("--to", "xlsx", "--output", "r")]
)
def test_that_a_full_disk_has_a_one_sentence_error_and_leaves_no_file(a_class, report, monkeypatch, options):
    def fail(_file):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    result = report(*options, "--pairs", "copied")
    assert (result.exit_code, result.stderr) == (
        2,
        f"{options[-1]} cannot be written: the disk is full. Choose another place with --output.\n",
    )
    assert [path.name for path in a_class.iterdir()] == ["class.simcompare"]


@pytest.mark.skipif(os.name != "posix", reason="only there can a test press Ctrl+C for one program alone")
def test_that_ctrl_c_leaves_no_file(saved, tmp_path, start_program):
    documents = [
        session_document(essay.document, f"{number}-{essay.name}")
        for number in range(3)
        for essay in essays()
    ]
    saved(Session(tuple(documents)))
    command = [sys.executable, "-c", ENDLESS_PROGRAM, "report", "class.simcompare"]
    program = start_program(command, stderr=subprocess.PIPE)
    while not list(tmp_path.rglob("*.html")):  # reports are first written into a hidden folder
        assert program.poll() is None
        time.sleep(0.01)
    os.killpg(program.pid, signal.SIGINT)
    _out, errors = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 130
    assert b"Traceback" not in errors
    assert [path.name for path in tmp_path.iterdir()] == ["class.simcompare"]
