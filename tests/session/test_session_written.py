"""Sessions are written atomically."""

import errno
import os
import subprocess
import sys
import textwrap
import zipfile
from dataclasses import fields
from pathlib import Path

import pytest

from simcompare.model.errors import SessionNotSavedError
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from tests.session.session_files import NOON, assert_same


def test_that_no_password_is_written(session, path):
    assert not any("password" in field.name for field in fields(SessionDocument))
    write_session(session, path)
    with zipfile.ZipFile(path) as archive:
        assert not any(b'"password"' in archive.read(name) for name in archive.namelist())


def test_that_saving_leaves_one_file(session, path):
    write_session(Session(), path)
    write_session(session, path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_that_a_missing_folder_is_named_as_the_cause(tmp_path):
    with pytest.raises(
        SessionNotSavedError, match=r"a\.simcompare cannot be saved in .*gone: its folder is not there"
    ):
        write_session(Session(), tmp_path / "gone" / "a.simcompare")


def test_that_an_invalid_file_name_is_named_as_the_cause(tmp_path):
    with pytest.raises(SessionNotSavedError, match="contains a character that is not allowed"):
        write_session(Session(), Path(f"{tmp_path}/a\0.simcompare"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_that_a_disk_that_is_full_leaves_the_earlier_file_whole(session, path):
    write_session(Session(left=None), path, saved=NOON)
    before = path.read_bytes()
    other = path.with_name("large.simcompare")
    write_session(session, other)
    # a limit on the file size fails like a full disk
    script = f"""
        import resource, signal, sys
        from pathlib import Path
        from simcompare.model.errors import SessionNotSavedError
        from simcompare.session.session_file import read_session
        from simcompare.session.session_file import write_session
        session = read_session(Path({str(other)!r}))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        try:
            write_session(session, Path({str(path)!r}))
        except SessionNotSavedError as error:
            sys.exit("cannot be saved" not in str(error))
        sys.exit(2)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)
    assert done.returncode == 0
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == sorted([path.name, other.name])


def test_that_a_full_disk_is_named_as_the_cause(path, monkeypatch):
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(SessionNotSavedError, match="the disk is full"):
        write_session(Session(), path)
    assert not list(path.parent.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_that_permissions_are_kept_and_only_the_owner_can_read_a_private_file(path):
    write_session(Session(), path)
    path.chmod(0o640)
    write_session(Session(), path)
    assert path.stat().st_mode & 0o777 == 0o640
    write_session(Session(), path, private=True)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_that_the_target_of_a_link_is_written(session, path):
    link = path.with_name("link.simcompare")
    write_session(Session(), path)
    link.symlink_to(path)
    write_session(session, link)
    assert link.is_symlink()
    assert_same(read_session(path), session)
