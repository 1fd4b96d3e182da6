"""Export of a library to one file, and import: nothing lost, nothing doubled, damaged and hostile files."""

import json
import stat
import sys
import zipfile
from datetime import datetime
from hashlib import sha256
from threading import Event

import pytest

from simcompare.cohort.document_preparation import lower_process_priority
from simcompare.library import changes, transfer
from simcompare.library.changes import remove_entries
from simcompare.library.entries import list_entries, restored_document
from simcompare.library.library_errors import (
    DamagedExportError,
    DamagedLibraryError,
    ExportNotSavedError,
    NewerExportError,
)
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.schema import ENTRIES
from simcompare.library.tags import Tag
from simcompare.library.transfer import (
    ImportSummary,
    export_library,
    import_library,
    opened_export,
)
from simcompare.model.errors import FileNotReadableError
from simcompare.model.progress import Cancelled, no_tick
from tests.helpers.kept_processes import keeping_processes
from tests.library.essays import add, empty_library, essay, essays, stored_terms

MANIFEST, PART = "manifest.json", "entries-00001.jsonl"


@pytest.fixture(scope="module", autouse=True)
def processes_kept_between_tests():
    with keeping_processes(lower_process_priority):
        yield


@pytest.fixture
def other(tmp_path):
    """A second, empty library."""
    with empty_library(tmp_path / "other.sqlite") as library:
        yield library


@pytest.fixture
def filled(library):
    """A library of three entries; two submissions of the first are equal."""
    first, second = essays(2)
    add(library, first, tags="class=3 year=2024 student=王小明 until=2030-07-31")
    add(library, second, first, first)
    return library


@pytest.fixture
def exported(filled, tmp_path):
    export_library(filled, tmp_path / "library.zip")
    return tmp_path / "library.zip"


def imported(library, path, tick=no_tick, stop=None):
    with opened_export(path) as export:
        submissions = export.submissions(no_tick)
        return import_library(library, export, submissions, tick, stop or Event())


def contents(library):
    entries = list_entries(library)
    with library.reading() as connection:
        documents = [restored_document(library, connection, entry.entry) for entry in entries]
    return [(entry.name, entry.tags, entry.added_at) for entry in entries], documents


def members_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def changed(path, *, manifest=None, line=None, lines=None):
    """Write the file again with another manifest or first line, and hashes that fit."""
    members = members_of(path)
    rows = [json.loads(row) for row in members[PART].splitlines()]
    if line is not None:
        rows[0] = rows[0] | line
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows) if lines is None else lines
    value = json.loads(members[MANIFEST])
    value["parts"][0]["sha256"] = sha256(data).hexdigest()
    write(path, {PART: data, MANIFEST: json.dumps(value | (manifest or {}))})


def test_that_an_imported_library_is_the_exported_one(filled, other, exported):
    assert imported(other, exported) == ImportSummary(4, 0)
    assert contents(other) == contents(filled)
    assert stored_terms(other) == stored_terms(filled)
    query = essays(2)[1]
    hits = [LibrarySearch(library).search(query) for library in (filled, other)]
    assert hits[0] == hits[1] != []
    assert list_entries(other)[0].tags[-1] == Tag("year", "2024")


def test_that_a_second_import_adds_nothing_and_what_is_missing_is_added(other, exported):
    imported(other, exported)
    assert imported(other, exported) == ImportSummary(0, 4)
    remove_entries(other, [1, 3])
    assert imported(other, exported) == ImportSummary(2, 2)
    assert [entry.entry for entry in list_entries(other)] == [2, 4, 5, 6]
    assert imported(other, exported) == ImportSummary(0, 4)


def test_that_only_entries_with_the_tags_are_exported(filled, other, tmp_path):
    path = tmp_path / "class.zip"
    assert export_library(filled, path, [Tag("class", "3")]) == 1
    imported(other, path)
    assert [entry.name for entry in list_entries(other)] == ["essay-1.txt"]
    assert export_library(filled, path, [Tag("class", "9")]) == 0
    assert imported(other, path) == ImportSummary(0, 0)


def test_that_the_manifest_says_what_is_in_the_file(exported):
    members = members_of(exported)
    value = json.loads(members[MANIFEST])
    assert (value["format"], value["version"], value["entries"]) == ("simcompare-library-export", 1, 4)
    assert value["parts"] == [{"name": PART, "entries": 4, "sha256": sha256(members[PART]).hexdigest()}]
    assert value["recipes"]["fingerprints"] == ["improved/background-1"]
    assert value["recipes"]["terms"][0].startswith("winnowed-6-6/1")
    assert datetime.fromisoformat(value["exported_at"]).tzinfo is not None
    if sys.platform != "win32":
        assert stat.S_IMODE(exported.stat().st_mode) == 0o600


def test_that_several_parts_and_batches_give_the_same(filled, other, tmp_path, monkeypatch):
    monkeypatch.setattr(transfer, "_PART_BYTES", 1000)
    monkeypatch.setattr(transfer, "_LINES_AT_ONCE", 1)
    path = tmp_path / "parts.zip"
    ticks = []
    export_library(filled, path, tick=lambda *done: ticks.append(done))
    assert len(members_of(path)) == 5
    assert ticks == [(done, 4) for done in range(1, 5)]
    assert imported(other, path, lambda *done: ticks.append(done)) == ImportSummary(4, 0)
    assert ticks[4:] == ticks[:4]
    assert contents(other) == contents(filled)


def test_that_a_stopped_import_can_be_repeated(other, exported, monkeypatch):
    monkeypatch.setattr(changes, "_BATCH", 1)
    monkeypatch.setattr(transfer, "_LINES_AT_ONCE", 1)
    stop = Event()
    with pytest.raises(Cancelled):
        imported(other, exported, lambda done, _total: stop.set(), stop)
    known = len(list_entries(other))
    assert 0 < known < 4
    assert imported(other, exported) == ImportSummary(4 - known, known)
    assert len(list_entries(other)) == 4


@pytest.mark.parametrize("place", [0.1, 0.5, 0.97])
def test_that_a_damaged_file_is_refused_and_nothing_is_added(other, exported, place):
    data = bytearray(exported.read_bytes())
    data[int(place * len(data))] ^= 0xFF
    exported.write_bytes(bytes(data))
    with pytest.raises(DamagedExportError, match=r"^library\.zip cannot be imported: "):
        imported(other, exported)
    assert list_entries(other) == []


def test_that_a_part_that_was_changed_or_is_missing_is_refused(other, exported):
    members = members_of(exported)
    for other_members in (
        members | {PART: members[PART].replace(b"essay-1", b"essay-9")},
        members | {PART: b"".join(members[PART].splitlines(keepends=True)[:-1])},
        {MANIFEST: members[MANIFEST]},
    ):
        write(exported, other_members)
        with pytest.raises(DamagedExportError, match="a part of it is broken"):
            imported(other, exported)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 torn", b"not a zip"])
def test_that_another_file_is_no_export(other, tmp_path, data):
    path = tmp_path / "other.zip"
    path.write_bytes(data)
    with pytest.raises(DamagedExportError, match="it is not an exported library"):
        imported(other, path)
    write(path, {"essay.txt": b"text"})
    with pytest.raises(DamagedExportError, match="it is not an exported library"):
        imported(other, path)


def test_that_a_missing_file_and_a_folder_cannot_be_read(other, tmp_path):
    for path in (tmp_path / "missing.zip", tmp_path):
        with pytest.raises(FileNotReadableError):
            imported(other, path)


def test_that_a_file_of_a_newer_program_is_refused(other, exported):
    write(exported, {MANIFEST: json.dumps({"format": "simcompare-library-export", "version": 2})})
    with pytest.raises(NewerExportError, match=r"newer simcompare \(version 2; .* up to 1\)"):
        imported(other, exported)


@pytest.mark.parametrize(
    "manifest",
    [
        {"entries": 5},
        {"version": "1"},
        {"parts": [{"name": "../entries-00001.jsonl", "entries": 4, "sha256": 64 * "0"}]},
        {"parts": [{"name": PART, "entries": -1, "sha256": 64 * "0"}]},
        {"parts": None},
    ],
)
def test_that_a_hostile_manifest_is_refused(other, exported, manifest):
    changed(exported, manifest=manifest)
    with pytest.raises(DamagedExportError, match="a part of it is broken"):
        imported(other, exported)


@pytest.mark.parametrize(
    "line",
    [
        {"tags": [["class", ""]]},
        {"tags": [["until", "soon"]]},
        {"tags": [["class"]]},
        {"added_at": "yesterday"},
        {"added_at": "2026-01-01T00:00:00"},
        {"name": ""},
        {"name": "a\u202etxt.exe"},
        {"text": "shorter"},
        {"text": "？！", "facts": {}},
        {"facts": {"path": "a\0b"}},
    ],
)
def test_that_a_hostile_line_is_refused(other, exported, line):
    changed(exported, line=line)
    with pytest.raises(DamagedExportError, match="a part of it is broken"):
        imported(other, exported)
    assert list_entries(other) == []


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"facts": {}, "text": NaN}', b"\xff\xfe", b"[]"])
def test_that_a_line_that_is_no_entry_is_refused(other, exported, line):
    changed(exported, lines=4 * (line + b"\n"))
    with pytest.raises(DamagedExportError, match="a part of it is broken"):
        imported(other, exported)


def test_that_a_file_that_unpacks_to_too_much_is_refused(other, exported, monkeypatch):
    monkeypatch.setattr(transfer, "MOST_PART_BYTES", 1000)
    with pytest.raises(DamagedExportError, match="unpacks to more than its size allows"):
        imported(other, exported)
    members = members_of(exported)
    write(exported, members | {"bomb": bytes(150_000_000)})
    with pytest.raises(DamagedExportError, match="unpacks to more than its size allows"):
        imported(other, exported)


def test_that_a_text_without_words_is_refused_when_it_is_prepared(other, exported):
    row = json.loads(members_of(exported)[PART].splitlines()[0])
    row["facts"]["blocks"] = [["paragraph", 0, 2, 1, None]]
    changed(exported, line={"text": "？！", "facts": row["facts"]})
    with pytest.raises(DamagedExportError, match="a part of it is broken"):
        imported(other, exported)


def test_that_a_damaged_library_is_not_exported_over_an_older_file(filled, exported):
    before = exported.read_bytes()
    with filled.writing() as connection:
        connection.execute(ENTRIES.update().where(ENTRIES.c.id == 3).values(content=b"broken"))
    with pytest.raises(DamagedLibraryError):
        export_library(filled, exported)
    assert exported.read_bytes() == before


def test_that_an_impossible_place_is_one_sentence(filled, tmp_path):
    with pytest.raises(ExportNotSavedError, match="cannot be exported to"):
        export_library(filled, tmp_path / "missing" / "library.zip")


def test_that_a_file_name_and_a_pseudonym_are_kept(library, other, tmp_path):
    add(library, essay("雾锁石桥流水东，远山如黛晚来风。", name="br\udcfccke.txt"))
    path = tmp_path / "names.zip"
    export_library(library, path)
    imported(other, path)
    assert contents(other) == contents(library)
