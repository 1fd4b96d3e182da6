"""Write session files atomically."""

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
from simcompare.session.score_part import members_of_scores
from simcompare.session.session_data import FORMAT_NAME, FORMAT_VERSION, Session, SessionDocument
from simcompare.session.session_limits import MOST_DOCUMENTS, all_fit, member_fits, ratio_fits
from simcompare.support.atomic_file import write_atomically
from simcompare.support.clock import now
from simcompare.support.i18n import N_

MAIN = "session.json"
PROMPT = "prompt"
SCORES = "scores"
_TOO_LARGE = N_("there is more in it than a session can hold")
_MEMBER_MODE = 0o600


def folder_of(number: int) -> str:
    """Return the folder of a document's members; `number` is from 0."""
    return f"documents/{number + 1:04}"


def write_session(
    session: Session, path: Path, *, saved: datetime | None = None, private: bool = False
) -> None:
    """Write a session to a file in one step, with the time `saved`, by default now.

    Only its owner can read a `private` file. If writing fails, an existing file keeps its content.
    Raises SessionNotSavedError, also for every OSError.
    """
    if len(session.documents) > MOST_DOCUMENTS:
        raise SessionNotSavedError(path, cause=_TOO_LARGE)
    try:
        write_atomically(path, partial(_write, path, session, saved or now()), private=private)
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
    for number, entry in enumerate(session.documents):
        yield from ((f"{folder_of(number)}/{name}", data) for name, data in members_of(entry))
    if session.prompt is not None:
        prompt = SessionDocument(session.prompt.path, document=session.prompt)
        yield from ((f"{PROMPT}/{name}", data) for name, data in members_of(prompt))
    if session.scores is not None:
        yield from ((f"{SCORES}/{name}", data) for name, data in members_of_scores(session.scores))


def _entry(name: str) -> zipfile.ZipInfo:
    """Describe a member without the time and the system it was written on."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = _MEMBER_MODE << 16
    return entry
