"""Damaged and hostile session files: one clear error, or a session."""

import json
import os
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.model.errors import (
    DamagedSessionError,
    FileNotReadableError,
    FolderInsteadOfFileError,
    NewerSessionError,
    SessionNotSavedError,
    SimcompareError,
)
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from simcompare.support.resources import resource_path
from tests.helpers.documents import make_document
from tests.session.conftest import SAMPLES
from tests.session.session_files import NOON, member, rewritten


def opened_or_refused(path: Path) -> Session | None:
    """Open a file; an error must be a SimcompareError that names the file."""
    try:
        return read_session(path)
    except SimcompareError as error:
        if path.name not in str(error):
            raise
        return None


# --- damaged and hostile content


@pytest.fixture(scope="module")
def sound(session, tmp_path_factory) -> bytes:
    """A session file that is not damaged."""
    path = tmp_path_factory.mktemp("sound") / "sound.simcompare"
    write_session(session, path, saved=NOON)
    return path.read_bytes()


@given(st.data())
@settings(max_examples=2 * settings.default.max_examples)
def test_that_a_damaged_file_gives_one_clear_error_or_its_session(tmp_path, session, sound, data):
    path = tmp_path / "damaged.simcompare"
    if data.draw(st.booleans()):
        damaged = bytearray(sound[: data.draw(st.integers(0, len(sound) - 1))])
    else:
        damaged = bytearray(sound)
        for place in data.draw(st.lists(st.integers(0, len(sound) - 1), min_size=1, max_size=6)):
            damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(damaged)
    read = opened_or_refused(path)
    assert read is None or len(read.documents) in {0, len(session.documents)}


_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
@settings(max_examples=2 * settings.default.max_examples)
def test_that_any_value_in_any_place_gives_one_clear_error_or_a_session(tmp_path, sound, data):
    path = tmp_path / "hostile.simcompare"
    path.write_bytes(sound)
    name = data.draw(
        st.sampled_from(["session.json", *(f"documents/{i:04}/facts.json" for i in (1, 3, 4, 6))])
    )
    facts = member(path, name)
    place: dict | list = facts
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        deeper = place[key]
        if not isinstance(deeper, dict | list) or not deeper or data.draw(st.integers(0, 3)) == 0:
            place[key] = data.draw(_junk)
            break
        place = deeper
    rewritten(path, {name: json.dumps(facts).encode()})
    opened_or_refused(path)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("session.json", b"[" * 100_000),
        ("session.json", b'{"format": NaN}'),
        ("session.json", b'{"format": 1' + b"0" * 5000 + b"}"),
        ("session.json", b"\xff\xfe"),
        ("session.json", b"[]"),
        ("documents/0001/facts.json", b'{"path": "a", "whole_page": false, "sha256": "\\ud800"}'),
        ("documents/0001/facts.json", None),
        ("documents/0001/text.txt", b"\xff"),
        ("documents/0001/text.txt", b"short"),
        ("documents/0001/text.txt", b""),
        ("documents/0003/boxes.bin", b"\0" * 19),
        ("prompt/facts.json", b"{}"),
        ("prompt/facts.json", None),
    ],
)
def test_that_a_broken_member_is_a_damaged_session(session, path, name, data):
    write_session(session, path)
    with pytest.raises(
        DamagedSessionError, match=r"四班\.simcompare cannot be opened as a session: .*broken"
    ):
        read_session(rewritten(path, {name: data}))


@pytest.mark.parametrize(
    "change",
    [
        lambda main: main.update(left=main["right"]),
        lambda main: main.update(left=main["documents"]),
        lambda main: main["reviews"].append(main["reviews"][0]),
        lambda main: main["reviews"].append(
            main["reviews"][0] | {"left": main["reviews"][0]["right"], "right": main["reviews"][0]["left"]}
        ),
        lambda main: main["settings"].update(minimum_units=-1),
        lambda main: main["settings"]["passages"]["summary"].update(least_words=1_000_001),
        lambda main: main["settings"].update(similar_weight=0.9, right_weight=0.8),
        lambda main: main["settings"].update(recipe="unknown"),
    ],
)
def test_that_values_which_contradict_each_other_are_refused(session, path, change):
    write_session(session, path)
    main = member(path, "session.json")
    change(main)
    with pytest.raises(DamagedSessionError, match="broken"):
        read_session(rewritten(path, {"session.json": json.dumps(main).encode()}))


@pytest.mark.parametrize(
    "change",
    [
        lambda blocks: blocks.__setitem__(slice(2), [[*blocks[0][:2], *blocks[1][2:]]]),  # two lines
        lambda blocks: blocks[0].__setitem__(2, blocks[1][1] + 1),  # overlaps the next one
        lambda blocks: blocks[0].__setitem__(1, blocks[0][2]),  # empty
        lambda blocks: blocks[-1].__setitem__(2, blocks[-1][2] + 1),  # beyond the text
        lambda blocks: blocks.reverse(),
        lambda blocks: blocks[0].append(1),
        lambda blocks: blocks[0].__setitem__(0, "unknown"),
    ],
)
def test_that_blocks_which_are_not_lines_of_the_text_are_refused(session, path, change):
    write_session(session, path)
    name = "documents/0001/facts.json"
    facts = member(path, name)
    change(facts["blocks"])
    with pytest.raises(DamagedSessionError, match="broken"):
        read_session(rewritten(path, {name: json.dumps(facts).encode()}))


def test_that_a_note_or_formula_beyond_the_text_is_refused(session, path):
    write_session(session, path)
    name = "documents/0001/facts.json"
    facts = member(path, name)
    for note in ([10**6, 0, 1], [0, 0, 10**6], [0, -1, 1]):
        changed = facts | {"notes": [note]}
        with pytest.raises(DamagedSessionError, match="broken"):
            read_session(rewritten(path, {name: json.dumps(changed).encode()}))
    for formula in ([0, 10**6], [1, 1], [-1, 1]):
        changed = facts | {"formulas": [formula]}
        with pytest.raises(DamagedSessionError, match="broken"):
            read_session(rewritten(path, {name: json.dumps(changed).encode()}))
    facts.pop("formulas")
    facts.pop("notes")
    assert read_session(rewritten(path, {name: json.dumps(facts).encode()})).documents[0].document.notes == ()


@pytest.mark.parametrize("content", [b"", b"an essay", b"PK\x03\x04", b"\0" * 1000])
def test_that_another_kind_of_file_is_refused_as_not_saved_by_simcompare(path, content):
    path.write_bytes(content)
    with pytest.raises(DamagedSessionError, match="not saved by simcompare"):
        read_session(path)


def test_that_a_word_document_is_refused_as_not_saved_by_simcompare():
    with pytest.raises(DamagedSessionError, match="not saved by simcompare"):
        read_session(resource_path("samples", SAMPLES[0]))


def test_that_the_error_for_a_newer_format_names_both_versions(session, path):
    write_session(session, path)
    main = member(path, "session.json") | {"format_version": 7}
    with pytest.raises(NewerSessionError, match=r"format 7; this one reads formats up to 2"):
        read_session(rewritten(path, {"session.json": json.dumps(main).encode()}))


def test_that_a_zip_bomb_is_refused_before_it_is_unpacked(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(1, 8):
            archive.writestr(f"documents/{number:04}/text.txt", b" " * 19_000_000)
    with pytest.raises(DamagedSessionError, match="unpacks to more"):
        read_session(path)


def test_that_a_session_too_large_to_be_opened_is_not_saved(path):
    blank = SessionDocument(Path("blank.txt"), document=make_document("啊" * 6_500_000))
    with pytest.raises(SessionNotSavedError, match="more in it than a session can hold"):
        write_session(Session((blank,) * 6), path)
    assert not path.exists()


def test_that_too_many_members_are_refused(path):
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(41_000):
            archive.writestr(str(number), b"")
    with pytest.raises(DamagedSessionError, match="unpacks to more"):
        read_session(path)


def test_that_an_encrypted_archive_is_refused(session, path):
    write_session(session, path)
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02", 0, data.index(b"PK\x01\x02") + 4)
    data[at + 8] |= 1
    data[6] |= 1
    path.write_bytes(data)
    with pytest.raises(DamagedSessionError):
        read_session(path)


def test_that_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(FileNotReadableError, match="it does not exist"):
        read_session(tmp_path / "gone.simcompare")
    with pytest.raises(FolderInsteadOfFileError):
        read_session(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in its file system")
def test_that_a_pipe_is_refused_at_once(path):
    os.mkfifo(path)
    with pytest.raises(FileNotReadableError, match="a device or a pipe"):
        read_session(path)
