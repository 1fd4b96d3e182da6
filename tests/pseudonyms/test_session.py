"""Pseudonyms in session files, valid and damaged."""

import json
import zipfile
from pathlib import Path

import pytest

from simcompare.model.errors import DamagedSessionError
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from simcompare.session.session_data import Session
from simcompare.session.session_file import read_session, write_session

FILES = [Path("class/张三 20231234.docx"), Path("class/Smith_John_essay.pdf"), Path("class/source.html")]
NAMES = make_pseudonyms(propose(FILES), [Student(("Ann Lee", "Annie"), ("77123",))])


@pytest.fixture
def path(tmp_path):
    write_session(Session(pseudonyms=NAMES), tmp_path / "class.simcompare")
    return tmp_path / "class.simcompare"


def test_that_a_reopened_session_has_its_pseudonyms(path):
    names = read_session(path).pseudonyms
    assert names == NAMES
    assert {file: names.path_of(file) for file in FILES} == {file: NAMES.path_of(file) for file in FILES}


def test_that_a_session_without_pseudonyms_has_none(tmp_path):
    write_session(Session(), tmp_path / "class.simcompare")
    assert read_session(tmp_path / "class.simcompare").pseudonyms is None


def test_that_an_older_session_without_pseudonyms_is_read(path, tmp_path):
    rewrite(path, tmp_path / "old.simcompare", lambda main: main.pop("pseudonyms"))
    assert read_session(tmp_path / "old.simcompare").pseudonyms is None


def rewrite(path, place, change):
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "session.json":
                main = json.loads(data)
                change(main)
                data = json.dumps(main)
            new.writestr(name, data)


@pytest.mark.parametrize(
    "change",
    [
        lambda held: held.update(secret="no digits"),
        lambda held: held["owners"].reverse(),
        lambda held: held["owners"][0].update(number=0),
        lambda held: held["owners"][0].update(files=[""]),
        lambda held: held["owners"][0].update(student={"names": [], "numbers": []}),
        lambda held: held["owners"][0].update(student={"names": [7], "numbers": []}),
        lambda held: held["owners"][0].update(student=None, files=[]),
        lambda held: held.pop("owners"),
    ],
)
def test_that_a_session_with_invalid_pseudonyms_is_damaged(path, tmp_path, change):
    rewrite(path, tmp_path / "broken.simcompare", lambda main: change(main["pseudonyms"]))
    with pytest.raises(DamagedSessionError):
        read_session(tmp_path / "broken.simcompare")
