"""Pictures in a session: kept with what is shown of them, and checked when they are read."""

import base64
import json
import zipfile

import pytest

from simcompare.loading import load_document
from simcompare.model.errors import DamagedSessionError
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from tests.helpers.essay_files import ENGLISH_PARAGRAPHS
from tests.helpers.shared_pictures import drawing, write_docx_with_pictures
from tests.session.session_files import NOON, rewritten

MEMBER = "documents/0001/facts.json"


@pytest.fixture
def document(tmp_path):
    pictures = [drawing(1), drawing(2)]
    return load_document(write_docx_with_pictures(tmp_path / "essay.docx", ENGLISH_PARAGRAPHS, pictures))


@pytest.fixture
def path(document, tmp_path):
    path = tmp_path / "class.simcompare"
    write_session(Session((SessionDocument(document.path, document=document),)), path, saved=NOON)
    return path


def changed(path, **values):
    """Write the session again with other values of its first picture."""
    with zipfile.ZipFile(path) as archive:
        facts = json.loads(archive.read(MEMBER))
    facts["pictures"][0] |= values
    return rewritten(path, {MEMBER: json.dumps(facts).encode()})


def test_that_an_opened_session_has_the_pictures(document, path):
    assert len(document.pictures) == 2
    assert read_session(path).documents[0].document.pictures == document.pictures


def test_that_a_thumbnail_that_cannot_be_shown_is_not_kept(document, path):
    for data in (b"", b"\xff\xd8\xff broken", document.pictures[0].thumbnail[:200]):
        pictures = (
            read_session(changed(path, thumbnail=base64.b64encode(data).decode()))
            .documents[0]
            .document.pictures
        )
        assert [bool(picture.thumbnail) for picture in pictures] == [False, True]


def test_that_a_picture_without_its_values_is_damage(path):
    with pytest.raises(DamagedSessionError):
        read_session(changed(path, pixels=base64.b64encode(bytes(10)).decode()))


def test_that_a_session_of_before_has_no_pictures(path):
    with zipfile.ZipFile(path) as archive:
        facts = json.loads(archive.read(MEMBER))
    del facts["pictures"]
    session = read_session(rewritten(path, {MEMBER: json.dumps(facts).encode()}))
    assert session.documents[0].document.pictures == ()
