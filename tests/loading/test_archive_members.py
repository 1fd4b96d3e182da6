"""Files in zip archives: names, limits, refusals, and reading a member by its path."""

import zipfile
from datetime import datetime

import pytest

from simcompare.loading import load_document
from simcompare.loading.archive_members import (
    ArchiveMemberError,
    EncryptedArchiveError,
    EncryptedMemberError,
    UnsafeMemberError,
    list_files,
    list_members,
    modified,
)
from simcompare.model.errors import (
    DamagedFileError,
    EmptyFileError,
    FileNotReadableError,
    FileTooLargeError,
)
from tests.helpers.archives import with_encrypted_flag, write_zip, zipped

ESSAY = "雾漫过河。我走到桥上，看见对岸的灯。".encode()


def names_in(archive):
    return [path.relative_to(archive).as_posix() for path in list_members(archive).members]


def zip_of(tmp_path, *names, encoding=None):
    return write_zip(tmp_path / "class.zip", dict.fromkeys(names, ESSAY), encoding)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("20250001-张三-作业.docx", "gb18030"),
        ("张三.txt", "gb18030"),
        ("20250001-张三-作业.docx", "utf-8"),
        ("20250001-张三-作业.docx", None),
        ("李 芳/作文.docx", "gb18030"),
        # characters whose second byte in GBK is that of a backslash
        ("第一輯/誠.txt", "gb18030"),
        ("陳怡君 作文.docx", "big5hkscs"),
        ("Jürgen Müller.docx", "cp437"),
        ("Zoë Brontë - été.docx", "cp850"),
        ("Anna Kowalski.docx", "ascii"),
    ],
)
def test_that_names_are_decoded_however_they_are_stored(tmp_path, name, encoding):
    archive = zip_of(tmp_path, name, encoding=encoding)
    assert names_in(archive) == [name]
    assert load_document(archive / name).text.startswith("雾漫过河")


def test_that_short_chinese_names_are_decoded_by_all_names_of_the_archive(tmp_path):
    names = ["王伟.txt", "李芳.txt", "丁一.txt", "readme.txt", "联通.txt"]
    assert names_in(zip_of(tmp_path, *names, encoding="gb18030")) == sorted(names)


def test_that_a_member_keeps_archive_and_folder_in_its_path(tmp_path):
    archive = zip_of(tmp_path, "Anna Kowalski_1234_assignsubmission_file_/essay.txt")
    (path,) = list_files([tmp_path]).files
    assert path == archive / "Anna Kowalski_1234_assignsubmission_file_" / "essay.txt"
    document = load_document(path)
    assert (document.path, document.size_bytes) == (path, len(ESSAY))
    assert modified(path) == datetime(2026, 3, 4, 5, 6, 8).timestamp()
    assert modified(archive) == archive.stat().st_mtime
    assert modified(tmp_path / "missing.docx") is None


def test_that_archives_in_archives_are_read_and_documents_stay_whole(tmp_path):
    docx = zipped({"[Content_Types].xml": b"<x/>", "word/document.xml": b"<x/>"})
    inner = zipped({"李芳/作文.txt": ESSAY}, "gb18030")
    archive = write_zip(tmp_path / "class.zip", {"2班.zip": inner, "essay.docx": docx, "a.txt": ESSAY})
    assert names_in(archive) == ["2班.zip/李芳/作文.txt", "a.txt", "essay.docx"]
    assert load_document(archive / "2班.zip/李芳/作文.txt").text.startswith("雾")
    assert list_files([tmp_path / "missing.docx"]).files == (tmp_path / "missing.docx",)


def test_that_a_fourth_level_of_archives_is_refused(tmp_path):
    data = zipped({"essay.txt": ESSAY})
    for name in ("d.zip", "c.zip", "b.zip"):
        data = zipped({name: data, f"{name}.txt": ESSAY})
    (tmp_path / "a.zip").write_bytes(data)
    listing = list_members(tmp_path / "a.zip")
    assert names_in(tmp_path / "a.zip") == ["b.zip/c.zip/d.zip.txt", "b.zip/c.zip.txt", "b.zip.txt"]
    (error,) = listing.refused
    assert str(error).startswith("d.zip in c.zip is not read: it is an archive in an archive")


@pytest.mark.parametrize(
    "name", ["../secret.txt", "/etc/secret.txt", "a/../../secret.txt", "C:\\secret.txt", "..\\secret.txt"]
)
def test_that_a_name_that_points_outside_is_refused(tmp_path, name):
    (tmp_path / "secret.txt").write_bytes(b"secret")
    archive = zip_of(tmp_path, name, "essay.txt")
    listing = list_members(archive)
    assert names_in(archive) == ["essay.txt"]
    (error,) = listing.refused
    assert str(error) == (
        "secret.txt in class.zip is not read: its name points to a place outside of the archive. "
        "Do not unpack this archive; ask for a new one, or for the file."
    )
    with pytest.raises(UnsafeMemberError):
        load_document(error.path)
    with pytest.raises(FileNotReadableError):
        load_document(archive / "b" / "secret.txt")


def test_that_an_archive_with_a_password_is_refused_once(tmp_path):
    archive = tmp_path / "class.zip"
    members = {"张三.docx": ESSAY, "李四.docx": ESSAY, "__MACOSX/._张三.docx": b"x"}
    archive.write_bytes(with_encrypted_flag(zipped(members)))
    listing = list_files([archive])
    assert listing.files == ()
    (error,) = listing.refused
    assert error.path == archive
    assert str(error) == (
        "class.zip is protected by a password. Unpack it with its password and add the folder with the files."
    )
    with pytest.raises(EncryptedArchiveError):
        load_document(error.path)


def test_that_the_archive_of_one_student_with_a_password_does_not_stop_the_others(tmp_path):
    locked = with_encrypted_flag(zipped({"张三.docx": ESSAY}))
    archive = write_zip(tmp_path / "class.zip", {"张三.zip": locked, "李四.txt": ESSAY})
    listing = list_members(archive)
    assert names_in(archive) == ["李四.txt"]
    assert [error.path for error in listing.refused] == [archive / "张三.zip"]
    with pytest.raises(EncryptedArchiveError):
        load_document(archive / "张三.zip")


def test_that_one_encrypted_member_is_refused_by_name(tmp_path):
    archive = tmp_path / "class.zip"
    archive.write_bytes(with_encrypted_flag(zipped({"张三.docx": ESSAY, "李四.txt": ESSAY}), only="张三"))
    listing = list_members(archive)
    assert names_in(archive) == ["李四.txt"]
    assert [str(error) for error in listing.refused] == [
        "张三.docx in class.zip is not read: it is protected by a password. Unpack the archive with its "
        "password and add the file."
    ]
    with pytest.raises(EncryptedMemberError):
        load_document(listing.refused[0].path)


def test_that_a_bomb_is_refused_and_the_others_are_read(tmp_path):
    bomb = bytes(6_000_000)
    archive = write_zip(tmp_path / "class.zip", {"bomb.txt": bomb, "essay.txt": ESSAY})
    listing = list_members(archive)
    assert names_in(archive) == ["essay.txt"]
    assert str(listing.refused[0]).startswith(
        "bomb.txt in class.zip is not read: it is too large when unpacked."
    )
    with pytest.raises(ArchiveMemberError):
        load_document(archive / "bomb.txt")


def test_that_bombs_in_nested_archives_count_together(tmp_path, monkeypatch):
    monkeypatch.setattr("simcompare.loading.archive_members._MAX_TOTAL_BYTES", 5_000)
    part = zipped({"a.txt": bytes(range(200)) * 20})
    archive = write_zip(tmp_path / "class.zip", {"1.zip": part, "2.zip": part, "essay.txt": ESSAY})
    listing = list_members(archive)
    assert names_in(archive) == ["1.zip/a.txt", "essay.txt"]
    assert [(type(error), error.path.name) for error in listing.refused] == [(FileTooLargeError, "2.zip")]


def test_that_too_many_members_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("simcompare.loading.archive_members._MOST_MEMBERS", 3)
    with pytest.raises(FileTooLargeError, match="10,000"):
        list_members(zip_of(tmp_path, *(f"{n}.txt" for n in range(4))))


def test_that_files_that_are_no_documents_are_counted_only(tmp_path):
    names = ["__MACOSX/._a.docx", ".DS_Store", "Thumbs.db", "~$essay.docx", "x/.git/a", "desktop.ini"]
    archive = zip_of(tmp_path, *names, "essay.txt", "old.simcompare", "pair.case.zip", "folder/")
    listing = list_members(archive)
    assert (names_in(archive), listing.skipped, listing.refused) == (["essay.txt"], 8, ())
    exported = ["a – b – comparison report – anonymous.pdf", "甲班 – 全班报告.zip", "a – annotated (2).pdf"]
    for name in ["Thumbs.db", *exported]:
        (tmp_path / name).write_bytes(b"")
    assert list_files([tmp_path]).skipped == 12


def test_that_members_of_the_same_name_are_all_read(tmp_path):
    archive = zip_of(tmp_path, "a/essay.txt")
    with zipfile.ZipFile(archive, "a") as package, pytest.warns(UserWarning, match="Duplicate"):
        package.writestr("a/essay.txt", "月亮升起。")
    assert names_in(archive) == ["a/essay (2).txt", "a/essay.txt"]
    assert load_document(archive / "a/essay (2).txt").text == "月亮升起。"


def test_that_folders_with_neither_files_nor_refusals_are_empty(tmp_path):
    empty, refused, filled = (tmp_path / name for name in ("empty", "refused", "filled"))
    for folder in (empty, refused, filled):
        folder.mkdir()
    (empty / "Thumbs.db").write_bytes(b"")
    (refused / "empty.zip").write_bytes(zipped({".DS_Store": b"x"}))
    (filled / "essay.txt").write_bytes(ESSAY)
    assert list_files([empty, refused, filled]).empty == (empty,)


def test_that_broken_and_empty_archives_are_reported(tmp_path):
    data = zipped({"a.txt": ESSAY, "b.txt": ESSAY})
    (tmp_path / "cut.zip").write_bytes(data[:-30])
    (tmp_path / "empty.zip").write_bytes(zipped({".DS_Store": b"x"}))
    with pytest.raises(DamagedFileError):
        list_members(tmp_path / "cut.zip")
    assert [type(error) for error in list_files([tmp_path / "empty.zip"]).refused] == [EmptyFileError]
    broken = write_zip(tmp_path / "class.zip", {"inner.zip": data[:-30], "a.txt": ESSAY})
    assert names_in(broken) == ["a.txt", "inner.zip"]
    with pytest.raises(DamagedFileError):
        load_document(broken / "inner.zip")


def test_that_a_member_with_a_wrong_checksum_is_reported(tmp_path):
    data = bytearray(zipped({"a.txt": ESSAY}))
    data[data.index(b"a.txt") + 5 + 4] ^= 0xFF
    (tmp_path / "class.zip").write_bytes(data)
    with pytest.raises(ArchiveMemberError, match=r"a\.txt in class\.zip is not read: it is broken"):
        load_document(tmp_path / "class.zip" / "a.txt")
