"""A file becomes a session, or one clear error."""

import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from simcompare.model.errors import (
    DamagedSessionError,
    FileNotReadableError,
    FolderInsteadOfFileError,
    NewerSessionError,
    cause_of,
)
from simcompare.model.settings import ComparisonSettings
from simcompare.session.document_parts import BOXES, FACTS, TEXT, entry_of
from simcompare.session.json_fields import BrokenValueError, Fields, parsed
from simcompare.session.main_part import session_from
from simcompare.session.session_data import FORMAT_NAME, FORMAT_VERSION, Session, SessionDocument
from simcompare.session.session_limits import MOST_DOCUMENTS, all_fit, member_fits, ratio_fits
from simcompare.session.session_writer import MAIN, PROMPT, folder_of
from simcompare.support.display_text import display_name, file_name
from simcompare.support.i18n import N_, _
from simcompare.text.thesaurus import CILIN, NONE, STARTER

_NO_SESSION = N_("it was not saved by simcompare")
_BROKEN = N_("a part of it is broken")
_TOO_LARGE = N_("it unpacks to more than a session can be")
_NO_FILE = N_("it is not a file but a device or a pipe")
# what zipfile raises, beside its own error, for bytes that nobody vouches for
_UNPACKING_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    KeyError,
    IndexError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)


def read_session(path: Path) -> Session:
    """Read what `write_session` wrote; no file but this one is looked at.

    Raises FileNotReadableError where the file cannot be opened, DamagedSessionError, NewerSessionError.
    """
    with _opened(path) as archive:
        try:
            return _session_in(archive, path)
        except BrokenValueError as error:
            raise DamagedSessionError(path, cause=_BROKEN) from error


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        facts = path.stat()
        if stat.S_ISDIR(facts.st_mode):
            raise FolderInsteadOfFileError(path)
        if not stat.S_ISREG(facts.st_mode):
            raise FileNotReadableError(path, cause=_NO_FILE)
        file = path.open("rb")
    except (OSError, ValueError) as error:
        raise FileNotReadableError(path, cause=cause_of(error)) from error
    with file:
        try:
            archive = zipfile.ZipFile(file)
        except (*_UNPACKING_ERRORS, OSError) as error:
            raise DamagedSessionError(path, cause=_NO_SESSION) from error
        with archive:
            _check_limits(archive, path, facts.st_size)
            yield archive


def _check_limits(archive: zipfile.ZipFile, path: Path, file_bytes: int) -> None:
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    fits = all_fit(len(members), unpacked) and ratio_fits(unpacked, file_bytes)
    if not fits or not all(member_fits(member.filename, member.file_size) for member in members):
        raise DamagedSessionError(path, cause=_TOO_LARGE)


def _session_in(archive: zipfile.ZipFile, path: Path) -> Session:
    main = _main_of(archive, path)
    documents = tuple(
        entry_of(_folder(archive, folder_of(place), path))
        for place in range(main.whole("documents", 0, MOST_DOCUMENTS))
    )
    prompt = _prompt_in(archive, path)
    return session_from(main, documents, None if prompt is None else prompt.document)


def _main_of(archive: zipfile.ZipFile, path: Path) -> Fields:
    """Return session.json, once it is known to be one that can be read."""
    data = _member(archive, MAIN, path)
    if data is None:
        raise DamagedSessionError(path, cause=_NO_SESSION)
    main = parsed(data)
    if main.text("format") != FORMAT_NAME:
        raise DamagedSessionError(path, cause=_NO_SESSION)
    version = main.whole("format_version", 1, 1_000_000)
    if version > FORMAT_VERSION:
        raise NewerSessionError(path, version=version, known=FORMAT_VERSION)
    return main


def _prompt_in(archive: zipfile.ZipFile, path: Path) -> SessionDocument | None:
    members = _folder(archive, PROMPT, path, required=False)
    return entry_of(members) if members else None


def _folder(
    archive: zipfile.ZipFile, folder: str, path: Path, *, required: bool = True
) -> Mapping[str, bytes]:
    """Return the members of a folder that a document has."""
    members = {name: _member(archive, f"{folder}/{name}", path) for name in (FACTS, TEXT, BOXES)}
    found = {name: data for name, data in members.items() if data is not None}
    if FACTS not in found and (found or required):
        raise BrokenValueError(folder)
    return found


def _member(archive: zipfile.ZipFile, name: str, path: Path) -> bytes | None:
    """Return what a member holds, None where there is none."""
    if name not in archive.NameToInfo:
        return None
    try:
        return archive.read(name)
    except OSError as error:
        raise FileNotReadableError(path, cause=cause_of(error)) from error
    except _UNPACKING_ERRORS as error:
        raise DamagedSessionError(path, cause=_BROKEN) from error


def is_remote(path: str) -> bool:
    """Return whether a path names another computer.

    Looking there would tell it who looks, and a session may come from anybody.
    """
    return path.startswith(("//", "\\\\"))


def usable_settings(session: Session) -> ComparisonSettings:
    """Return the settings of a session as far as they are of use here.

    The prompt goes by the path that its text has. A thesaurus must be here: for a session no other computer
    is asked and no device is read.
    """
    settings, prompt = session.settings, session.prompt
    thesaurus = settings.thesaurus
    is_here = thesaurus in {STARTER, CILIN, NONE} or (not is_remote(thesaurus) and Path(thesaurus).is_file())
    return replace(
        settings,
        thesaurus=thesaurus if is_here else STARTER,
        prompt=str(prompt.path) if prompt is not None and settings.prompt is not None else None,
    )


def lost_thesaurus(session: Session, settings: ComparisonSettings) -> str:
    """Return what is told where other settings had to be used than those of the session; else nothing."""
    thesaurus = session.settings.thesaurus
    if settings.thesaurus == thesaurus:
        return ""
    words = _("The thesaurus {name} of the session is not here. The starter list is used instead.")
    return words.format(name=display_name(file_name(thesaurus)))
