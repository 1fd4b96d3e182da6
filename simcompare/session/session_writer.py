"""A session becomes a file, whole or not at all."""

import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO

from simcompare.model.errors import SessionNotSavedError, cause_of_writing
from simcompare.session.document_parts import members_of
from simcompare.session.json_fields import as_bytes
from simcompare.session.main_part import session_as_json
from simcompare.session.session_data import FORMAT_NAME, FORMAT_VERSION, Session, SessionDocument
from simcompare.session.session_limits import MOST_DOCUMENTS, all_fit, member_fits, ratio_fits
from simcompare.support.atomic_file import write_atomically
from simcompare.support.i18n import N_

MAIN = "session.json"
PROMPT = "prompt"
_TOO_LARGE = N_("there is more in it than a session can hold")
_MEMBER_MODE = 0o600


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
        write_atomically(path, partial(_write, path, session, saved or datetime.now(UTC)), private=private)
    except OSError as error:
        raise SessionNotSavedError(path, cause=cause_of_writing(path, error)) from error


def _write(path: Path, session: Session, saved: datetime, file: BinaryIO) -> None:
    count = total = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _members(session, saved):
            count, total = count + 1, total + len(data)
            if not member_fits(name, len(data)) or not all_fit(count, total):
                raise SessionNotSavedError(path, cause=_TOO_LARGE)
            archive.writestr(_entry(name), data)
    if not ratio_fits(total, file.tell()):
        raise SessionNotSavedError(path, cause=_TOO_LARGE)


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
    entry.external_attr = _MEMBER_MODE << 16
    return entry
