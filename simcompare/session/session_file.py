"""Read session files that may be damaged or hostile; select the settings that apply on this computer."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

from msgspec import Meta, Struct

from simcompare.model.errors import (
    DamagedSessionError,
    FileNotReadableError,
    NewerSessionError,
    SessionNotSavedError,
    cause_of_writing,
    os_errors_as,
)
from simcompare.model.settings import ComparisonSettings
from simcompare.session.document_parts import (
    BOXES,
    DAMAGED_MEANINGS,
    FACTS,
    MEANINGS,
    TEXT,
    entry_of,
    members_of,
)
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.main_part import MainPart, session_as_json, session_from
from simcompare.session.score_part import COLUMNS, members_of_scores, scores_from
from simcompare.session.score_part import FACTS as SCORE_FACTS
from simcompare.session.session_data import FORMAT_NAME, FORMAT_VERSION, SavedScores, Session, SessionDocument
from simcompare.session.session_limits import (
    MOST_DOCUMENTS,
    MOST_MEANING_BYTES,
    UNPACKING_ERRORS,
    all_fit,
    member_fits,
    opened_zip,
    ratio_fits,
)
from simcompare.support.atomic_file import write_atomically
from simcompare.support.clock import now
from simcompare.support.display_text import display_name, file_name
from simcompare.support.i18n import N_, _, joined_sentences
from simcompare.text.sentence_meaning import is_meaning_available
from simcompare.text.thesaurus import CILIN, NONE, STARTER

MAIN = "session.json"
PROMPT = "prompt"
SCORES = "scores"
_TOO_MUCH = N_("there is more in it than a session can hold")
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
        raise SessionNotSavedError(path, cause=_TOO_MUCH)
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
                raise SessionNotSavedError(path, cause=_TOO_MUCH)
            archive.writestr(zip_entry(name), data)
    if not ratio_fits(total, file.tell()):
        raise SessionNotSavedError(path, cause=_TOO_MUCH)


def _members(session: Session, saved: datetime) -> Iterator[tuple[str, bytes]]:
    about = {
        "format": FORMAT_NAME,
        "format_version": FORMAT_VERSION,
        "saved": saved.astimezone(UTC).isoformat(timespec="seconds"),
    }
    yield MAIN, as_bytes(about | session_as_json(session))
    documents: Sequence[SessionDocument] = session.documents
    if sum(len(entry.meanings) for entry in documents) > MOST_MEANING_BYTES:
        documents = [replace(entry, meanings=b"") for entry in documents]
    for number, entry in enumerate(documents):
        yield from ((f"{folder_of(number)}/{name}", data) for name, data in members_of(entry))
    if session.prompt is not None:
        prompt = SessionDocument(session.prompt.path, document=session.prompt)
        yield from ((f"{PROMPT}/{name}", data) for name, data in members_of(prompt))
    if session.scores is not None:
        yield from ((f"{SCORES}/{name}", data) for name, data in members_of_scores(session.scores))


def zip_entry(name: str) -> zipfile.ZipInfo:
    """Describe a member without the time and the system it was written on."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = _MEMBER_MODE << 16
    return entry


_NO_SESSION = N_("it was not saved by simcompare")
_BROKEN = N_("a part of it is broken")
_TOO_LARGE = N_("it unpacks to more than a session can hold")


def read_session(path: Path) -> Session:
    """Read a session file, and no other file.

    Raises FileNotReadableError, DamagedSessionError, NewerSessionError.
    """
    with opened_zip(path, DamagedSessionError(path, cause=_NO_SESSION)) as (archive, size_bytes):
        _check_limits(archive, path, size_bytes)
        try:
            return _session_in(archive, path)
        except BrokenValueError as error:
            raise DamagedSessionError(path, cause=_BROKEN) from error


def _check_limits(archive: zipfile.ZipFile, path: Path, file_bytes: int) -> None:
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    fits = all_fit(len(members), unpacked) and ratio_fits(unpacked, file_bytes)
    if not fits or not all(member_fits(member.filename, member.file_size) for member in members):
        raise DamagedSessionError(path, cause=_TOO_LARGE)


def _session_in(archive: zipfile.ZipFile, path: Path) -> Session:
    main = _main_of(archive, path)
    documents = tuple(entry_of(_folder(archive, folder_of(place), path)) for place in range(main.documents))
    prompt = _prompt_in(archive, path)
    session = session_from(main, documents, None if prompt is None else prompt.document)
    return replace(session, scores=_scores_in(archive, path, len(documents)))


class _FormatPart(Struct):
    format: str
    format_version: Annotated[int, Meta(ge=1, le=1_000_000)]


def _main_of(archive: zipfile.ZipFile, path: Path) -> MainPart:
    """Read session.json, once its format is known to be one that this version reads."""
    data = _member(archive, MAIN, path)
    if data is None:
        raise DamagedSessionError(path, cause=_NO_SESSION)
    value = parsed(data)
    found = checked(value, _FormatPart)
    if found.format != FORMAT_NAME:
        raise DamagedSessionError(path, cause=_NO_SESSION)
    if found.format_version > FORMAT_VERSION:
        raise NewerSessionError(path, version=found.format_version, known=FORMAT_VERSION)
    return checked(value, MainPart)


def _prompt_in(archive: zipfile.ZipFile, path: Path) -> SessionDocument | None:
    members = _folder(archive, PROMPT, path, required=False)
    return entry_of(members) if members else None


def _scores_in(archive: zipfile.ZipFile, path: Path, documents: int) -> SavedScores | None:
    """Read the scores; None if there are none, or broken ones, as they can be made again."""
    members = {name: _member(archive, f"{SCORES}/{name}", path) for name in (SCORE_FACTS, COLUMNS)}
    found = {name: data for name, data in members.items() if data is not None}
    if len(found) < len(members):
        return None
    try:
        return scores_from(found, documents)
    except BrokenValueError:
        return None


def _folder(
    archive: zipfile.ZipFile, folder: str, path: Path, *, required: bool = True
) -> Mapping[str, bytes]:
    """Read the members of a document's folder."""
    members = {name: _member(archive, f"{folder}/{name}", path) for name in (FACTS, TEXT, BOXES)}
    try:
        members[MEANINGS] = _member(archive, f"{folder}/{MEANINGS}", path)
    except DamagedSessionError:
        members[MEANINGS] = DAMAGED_MEANINGS
    found = {name: data for name, data in members.items() if data is not None}
    if FACTS not in found and (found or required):
        raise BrokenValueError(folder)
    return found


def _member(archive: zipfile.ZipFile, name: str, path: Path) -> bytes | None:
    """Read a member; None if the archive has none of that name."""
    if name not in archive.NameToInfo:
        return None
    try:
        with os_errors_as(FileNotReadableError, path):
            return archive.read(name)
    except UNPACKING_ERRORS as error:
        raise DamagedSessionError(path, cause=_BROKEN) from error


# --- settings


def is_remote(path: str) -> bool:
    """Return whether a path is on another computer.

    Opening it would reveal this computer to the other one, and a session may come from anywhere.
    """
    return path.startswith(("//", "\\\\"))


def usable_settings(session: Session) -> ComparisonSettings:
    """Select the settings of a session that apply on this computer.

    The path of the prompt is that of its text. A thesaurus must be a regular local file, because a session
    from elsewhere must not make the program open remote files or devices.
    """
    settings, prompt = session.settings, session.prompt
    if prompt is None and "template" not in session.school_class.roles.values():
        settings = replace(settings, prompt=None)
    thesaurus = settings.thesaurus
    is_local = thesaurus in {STARTER, CILIN, NONE} or (not is_remote(thesaurus) and Path(thesaurus).is_file())
    return replace(
        settings,
        thesaurus=thesaurus if is_local else STARTER,
        prompt=settings.prompt if prompt is None or settings.prompt is None else str(prompt.path),
        meaning=settings.meaning and is_meaning_available(),
    )


def lost_settings(session: Session, settings: ComparisonSettings) -> str:
    """Make the notice that settings of the session do not apply on this computer, or "" if all do."""
    thesaurus, notices = session.settings.thesaurus, []
    if settings.thesaurus != thesaurus:
        notice = _(
            "The session's thesaurus {name} is not on this computer. The starter list is used instead."
        )
        notices.append(notice.format(name=display_name(file_name(thesaurus))))
    wanted, kept = session.settings.meaning, [each.meanings for each in session.documents]
    if wanted is None:  # earlier work was compared so
        wanted = any(kept)
    if wanted and not is_meaning_available():
        notice = _(
            "Passages that were possibly rewritten are not shown, as the extra simcompare[meaning] is not "
            "installed. All else is as it was saved; install it and open the session again to see them."
        )
        notices.append(notice)
    if settings.meaning is not False and DAMAGED_MEANINGS in kept:
        notices.append(_("The saved sentence vectors are damaged, and are made again."))
    return joined_sentences(notices)
