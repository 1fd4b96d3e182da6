"""Read and write session files that may be damaged or hostile; select the settings that apply here.

The scores and figures of the pairs, and the common text, are in the members `scores/facts.json` and
`scores/columns.bin`, so that nothing is scored again; the format is in the docstring of the package.
"""

import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from simcompare.comparison.figures import SUMMARY_FIELDS
from simcompare.model.errors import (
    DamagedSessionError,
    FileError,
    FileNotReadableError,
    FolderInsteadOfFileError,
    NewerSessionError,
    SessionNotSavedError,
    os_errors_as,
    writing_errors_as,
)
from simcompare.model.settings import ComparisonSettings
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.school_class import CommonSentence
from simcompare.session.session_data import (
    FIGURES,
    FORMAT_NAME,
    FORMAT_VERSION,
    SavedScores,
    Session,
    SessionDocument,
)
from simcompare.session.session_parts import (
    BOX_BYTES,
    BOXES,
    DAMAGED_MEANINGS,
    FACTS,
    MEANINGS,
    MOST_DOCUMENTS,
    TEXT,
    MainPart,
    entry_of,
    members_of,
    session_as_json,
    session_from,
)
from simcompare.support.atomic_file import write_atomically
from simcompare.support.clock import now
from simcompare.support.display_text import display_name, file_name
from simcompare.support.i18n import N_, _, joined_sentences
from simcompare.text.sentence_meaning import is_meaning_available
from simcompare.text.thesaurus import CILIN, NONE, STARTER

SCORE_COLUMNS = "columns.bin"
_MOST_MEMBERS = 4 * MOST_DOCUMENTS + 6
# Real sessions stay far below these limits; a document has 10 MB of text at most.
_MOST_TEXT_BYTES = 20_000_000
_MOST_BOX_BYTES = BOX_BYTES * 10_000_000
MOST_MEANING_BYTES = 200_000_000
"""Of all documents: 5,000 essays of 40 sentences. More are not saved, but made again."""
# a book of 300,000 lines has 12 MB of facts
_MOST_JSON_BYTES = 64_000_000
# the pairs of 500 essays on one topic have 60 MB of scores
_MOST_SCORE_BYTES = 1_000_000_000
_MOST_BYTES = 2_000_000_000
# 300 pages with their boxes have 40
_HIGHEST_RATIO = 200
_RATIO_COUNTS_ABOVE_BYTES = 100_000_000
UNPACKING_ERRORS = (
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
"""What zipfile raises for damaged or hostile files, besides the errors of the file system."""
CASE_PARTS = ("case.json", "figures.json")
"""Members of every case file, the zip that holds the session of a pair with its reports."""
_NO_FILE = N_("it is not a file but a device or a pipe")


@contextmanager
def opened_zip(path: Path, damaged: FileError) -> Iterator[tuple[zipfile.ZipFile, int]]:
    """Open a zip file, with its size in bytes. Raises FileNotReadableError, and `damaged` if it is none."""
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)):
        facts = path.stat()
        if stat.S_ISDIR(facts.st_mode):
            raise FolderInsteadOfFileError(path)
        if not stat.S_ISREG(facts.st_mode):
            raise FileNotReadableError(path, cause=_NO_FILE)
        file = path.open("rb")
    with file:
        try:
            archive = zipfile.ZipFile(file)
        except (*UNPACKING_ERRORS, OSError) as error:
            raise damaged from error
        with archive:
            yield archive, facts.st_size


def member_fits(name: str, size_bytes: int) -> bool:
    most = {
        TEXT: _MOST_TEXT_BYTES,
        BOXES: _MOST_BOX_BYTES,
        MEANINGS: MOST_MEANING_BYTES,
        SCORE_COLUMNS: _MOST_SCORE_BYTES,
    }
    return size_bytes <= most.get(name.rpartition("/")[2], _MOST_JSON_BYTES)


def all_fit(members: int, unpacked_bytes: int) -> bool:
    """Return whether a session may have this number of members and this total size."""
    return members <= _MOST_MEMBERS and unpacked_bytes <= _MOST_BYTES


def ratio_fits(unpacked_bytes: int, file_bytes: int) -> bool:
    """Return whether a file of this size may unpack to this total size."""
    return unpacked_bytes <= max(_RATIO_COUNTS_ABOVE_BYTES, _HIGHEST_RATIO * file_bytes)


SCORE_FACTS, COLUMNS = "facts.json", SCORE_COLUMNS

_Digest = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{32})?\Z")]
_Count = Annotated[int, Meta(ge=0, le=1 << 31)]


class _ScoreFacts(Struct):
    stamp: _Digest
    figures_stamp: _Digest
    texts: tuple[_Digest, ...]
    common: tuple[CommonSentence, ...]
    pairs: _Count
    cells: _Count
    passages: _Count
    sentences: _Count


_INTEGERS, _FLOATS = np.dtype("<i4"), np.dtype("<f8")


def _shapes(facts: _ScoreFacts) -> Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """Return type and shape of each column, in the order of the file."""
    return {
        "weights": (_FLOATS, (facts.cells, 2)),
        "figures": (FIGURES, (facts.pairs,)),
        "pairs": (_INTEGERS, (facts.pairs, 2)),
        "cell_counts": (_INTEGERS, (facts.pairs,)),
        "passage_counts": (_INTEGERS, (facts.pairs,)),
        "cells": (_INTEGERS, (facts.cells, 3)),
        "spans": (_INTEGERS, (facts.passages, 4)),
        "sentence_counts": (_INTEGERS, (len(facts.texts),)),
        "common_numbers": (_INTEGERS, (facts.sentences,)),
        "summaries": (np.dtype(np.int8), (facts.passages,)),
        "evidence": (np.dtype("<f4"), (facts.passages,)),
    }


def members_of_scores(scores: SavedScores) -> Iterator[tuple[str, bytes]]:
    facts = _ScoreFacts(
        scores.stamp,
        scores.figures_stamp,
        scores.texts,
        scores.common,
        len(scores.pairs),
        len(scores.cells),
        len(scores.spans),
        len(scores.common_numbers),
    )
    yield (
        SCORE_FACTS,
        as_bytes(
            {
                **{name: getattr(facts, name) for name in facts.__struct_fields__},
                "common": list(map(asdict, scores.common)),
            }
        ),
    )
    columns = (
        np.ascontiguousarray(getattr(scores, name), kind) for name, (kind, _shape) in _shapes(facts).items()
    )
    yield COLUMNS, b"".join(column.tobytes() for column in columns)


def scores_from(members: Mapping[str, bytes], documents: int) -> SavedScores:
    """Convert the members of the scores of this number of documents. Raises BrokenValueError."""
    facts = checked(parsed(members[SCORE_FACTS]), _ScoreFacts)
    data = members.get(COLUMNS, b"")
    shapes = _shapes(facts)
    sizes = [kind.itemsize * int(np.prod(shape)) for kind, shape in shapes.values()]
    if len(facts.texts) != documents or sum(sizes) != len(data):
        raise BrokenValueError(COLUMNS)
    columns, offset = {}, 0
    for (name, (kind, shape)), size in zip(shapes.items(), sizes, strict=True):
        column = np.frombuffer(data, kind, int(np.prod(shape)), offset).reshape(shape)
        columns[name] = column.astype(kind.newbyteorder("="))
        offset += size
    scores = SavedScores(facts.stamp, facts.figures_stamp, facts.texts, facts.common, **columns)
    if not (_are_pairs(scores) and _are_scores(scores) and _are_figures(scores) and _is_common(scores)):
        raise BrokenValueError(COLUMNS)
    return scores


def _are_pairs(scores: SavedScores) -> bool:
    left, right = scores.pairs.T.astype(np.int64)
    count = len(scores.texts)
    has_text = np.array([bool(text) for text in scores.texts], np.bool_)
    is_valid = (left >= 0) & (left < right) & (right < count)
    if not is_valid.all():
        return False
    is_once = len(np.unique(left * count + right)) == len(left)
    return is_once and bool((has_text[left] & has_text[right]).all())


def _are_scores(scores: SavedScores) -> bool:
    counts, passages = scores.cell_counts.astype(np.int64), scores.passage_counts.astype(np.int64)
    if (counts < 0).any() or (passages < -1).any():
        return False
    if counts.sum() != len(scores.cells) or np.maximum(passages, 0).sum() != len(scores.spans):
        return False
    pair = np.repeat(np.arange(len(counts)), counts)
    rows, columns = scores.cells[:, 0].astype(np.int64), scores.cells[:, 1].astype(np.int64)
    is_later = (np.diff(pair) > 0) | (np.diff(rows) > 0) | ((np.diff(rows) == 0) & (np.diff(columns) > 0))
    spans = scores.spans
    return bool(
        (scores.cells >= 0).all()
        and is_later.all()
        and _are_shares(scores.weights).all()
        and (spans >= 0).all()
        and (spans[:, [0, 2]] <= spans[:, [1, 3]]).all()
        and np.isin(scores.summaries, (0, 1, 2)).all()
        and (np.isfinite(scores.evidence) & (scores.evidence >= 0)).all()
        and ((scores.evidence == 0) | (scores.summaries == 0)).all()
    )


def _are_figures(scores: SavedScores) -> bool:
    shares = [scores.figures[name] for name in SUMMARY_FIELDS if FIGURES[name].kind == "f"]
    counts = [scores.figures[name] for name in SUMMARY_FIELDS if FIGURES[name].kind == "i"]
    return bool(
        all((_are_shares(share) | np.isnan(share)).all() for share in shares)
        and all((count >= -1).all() for count in counts)
        and (scores.figures["is_known"] <= 1).all()
    )


def _is_common(scores: SavedScores) -> bool:
    counts, numbers = scores.sentence_counts.astype(np.int64), scores.common_numbers
    holders = [number for sentence in scores.common for number in sentence.documents]
    return bool(
        (counts >= 0).all()
        and counts.sum() == len(numbers)
        and ((numbers >= -1) & (numbers < len(scores.common))).all()
        and all(number < len(scores.texts) for number in holders)
    )


def _are_shares(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    within: NDArray[np.bool_] = (values >= 0) & (values <= 1)
    return within


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
    with writing_errors_as(SessionNotSavedError, path):
        write_atomically(path, partial(_write, path, session, saved or now()), private=private)


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


def is_case_file(path: Path) -> bool:
    with suppress(OSError, *UNPACKING_ERRORS):
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as archive:
                return case_folder(archive.namelist()) is not None
    return False


def case_folder(members: Iterable[str]) -> str | None:
    """Return the folder in a zip that holds a case file, "" for the zip itself, None if there is none.

    One that was unpacked is packed again with its folder by some programs.
    """
    names = set(members)
    folders = sorted({"", *(name[: name.find("/") + 1] for name in names)})
    return next((each for each in folders if all(f"{each}{part}" in names for part in CASE_PARTS)), None)


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
    members = _folder(archive, PROMPT, path, required=False)
    prompt = entry_of(members) if members else None
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
            "Passages that may have been rewritten are not shown, as the extra simcompare[meaning] is not "
            "installed. All else is as it was saved; install it and open the session again to see them."
        )
        notices.append(notice)
    if settings.meaning is not False and DAMAGED_MEANINGS in kept:
        notices.append(_("The saved sentence vectors are damaged, and are made again."))
    return joined_sentences(notices)
