"""Atomic file writes."""

import os
import stat

import pytest

from simcompare.support.atomic_file import write_atomically


def fail(file):
    file.write(b"half of it")
    raise OSError(28, "No space left on device")


def test_that_a_file_is_replaced_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "report.html"
    path.write_bytes(b"old")
    path.chmod(0o640)
    mode = path.stat().st_mode  # other bits on Windows
    write_atomically(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode == mode
    assert list(tmp_path.iterdir()) == [path]


def test_that_a_full_disk_leaves_the_old_file_and_no_temporary_file(tmp_path):
    path = tmp_path / "report.html"
    path.write_bytes(b"old")
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, fail)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_that_a_private_file_is_readable_by_its_owner_only(tmp_path):
    path = tmp_path / "work.simcompare"
    write_atomically(path, lambda file: file.write(b"mine"), private=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege on Windows")
def test_that_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "report.html", tmp_path / "link.html"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write_atomically(link, lambda file: file.write(b"new"))
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_that_an_invalid_file_name_raises_os_error(tmp_path):
    with pytest.raises(OSError, match="Invalid argument"):
        write_atomically(tmp_path / "a\0b", lambda file: file.write(b"x"))


def test_that_all_bytes_are_on_the_disk_before_the_file_takes_its_place(tmp_path, monkeypatch):
    path, synced, sync = tmp_path / "work.simcompare", [], os.fsync
    path.write_bytes(b"old")

    def recorded(descriptor):
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        synced.append((is_file, os.fstat(descriptor).st_size if is_file else 0, path.read_bytes()))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", recorded)
    write_atomically(path, lambda file: file.write(b"all of it"))
    assert synced[0] == (True, 9, b"old")
    if os.name == "posix":
        # the folder is synced after its entry refers to the new file
        assert synced[1:] == [(False, 0, b"all of it")]
