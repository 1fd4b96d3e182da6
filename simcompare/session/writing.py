"""A session becomes a file, whole or not at all."""

import errno
import os
import secrets
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from simcompare.errors import SessionNotSavedError, cause_of
from simcompare.i18n import N_
from simcompare.session.document_parts import members_of
from simcompare.session.fields import as_bytes
from simcompare.session.limits import MOST_DOCUMENTS, all_fit, member_fits
from simcompare.session.main_part import session_as_json
from simcompare.session.values import FORMAT_NAME, FORMAT_VERSION, Session, SessionDocument

MAIN = "session.json"
PROMPT = "prompt"
_TOO_LARGE = N_("there is more in it than a session can hold")
_FOLDER_MISSING = N_("its folder is not there")
_OWNER_ALONE, _AS_USUAL = 0o600, 0o666
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def folder_of(place: int) -> str:
    """Return the folder of a document's members; places count from 0."""
    return f"documents/{place + 1:04}"


def write_session(
    session: Session, path: Path, *, saved: datetime | None = None, private: bool = False
) -> None:
    """Write a session to a file in one step; `saved` is now where it is not given.

    A `private` file can be read by its owner alone. Until all of it is on the disk, the file is as it was.
    Raises SessionNotSavedError, and nothing else where the disk is full or the place cannot be written to.
    """
    if len(session.documents) > MOST_DOCUMENTS:
        raise SessionNotSavedError(path, cause=_TOO_LARGE)
    try:
        place = Path(os.path.realpath(path))
    except ValueError as error:
        raise SessionNotSavedError(path, cause=cause_of(error)) from error
    try:
        _replace(place, session, saved or datetime.now(UTC), private=private)
    except OSError as error:
        cause = cause_of(error) if place.parent.is_dir() else _FOLDER_MISSING
        raise SessionNotSavedError(path, cause=cause) from error


def _replace(place: Path, session: Session, saved: datetime, *, private: bool) -> None:
    if place.exists() and not os.access(place, os.W_OK):
        # the folder alone decides whether a file can be replaced; a file that is closed stays
        raise PermissionError(errno.EACCES, "", str(place))
    unfinished = place.with_name(f".simcompare-{secrets.token_hex(8)}")
    try:
        new = os.open(unfinished, _NEW_FILE, _OWNER_ALONE if private else _AS_USUAL)
        with os.fdopen(new, "wb") as file:
            _write(file, place, session, saved)
            file.flush()
            os.fsync(file.fileno())
        if place.exists() and not private:
            unfinished.chmod(place.stat().st_mode)
        unfinished.replace(place)
    finally:
        unfinished.unlink(missing_ok=True)
    _settle(place.parent)


def _settle(folder: Path) -> None:
    """Have the folder's new entry on the disk too, where the system can be asked for it."""
    if os.name != "posix":
        return
    with suppress(OSError):  # not every network drive can; the file is written
        entry = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(entry)
        finally:
            os.close(entry)


def _write(file: BinaryIO, place: Path, session: Session, saved: datetime) -> None:
    count = total = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _members(session, saved):
            count, total = count + 1, total + len(data)
            if not member_fits(name, len(data)) or not all_fit(count, total):
                raise SessionNotSavedError(place, cause=_TOO_LARGE)
            archive.writestr(_entry(name), data)


def _members(session: Session, saved: datetime) -> Iterator[tuple[str, bytes]]:
    about = {
        "format": FORMAT_NAME,
        "format_version": FORMAT_VERSION,
        "saved": saved.astimezone(UTC).isoformat(timespec="seconds"),
    }
    yield MAIN, as_bytes(about | session_as_json(session))
    for place, entry in enumerate(session.documents):
        yield from ((f"{folder_of(place)}/{name}", data) for name, data in members_of(entry))
    if session.prompt is not None:
        prompt = SessionDocument(session.prompt.path, document=session.prompt)
        yield from ((f"{PROMPT}/{name}", data) for name, data in members_of(prompt))


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a member that tells nothing of when and where it was written."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = _OWNER_ALONE << 16
    return entry
