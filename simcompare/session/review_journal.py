"""Append-only journal of decisions and notes, and of what is shown, beside a recovery copy.

Each line has a checksum (CRC 32, eight hexadecimal digits), a space, and JSON in ASCII. The first one names
the copy by the SHA-256 of its bytes, each other one has all decisions on a pair, which replace those before,
or the pair and page that are shown.
The journal of an earlier copy is ignored: the present copy has all its decisions.
"""

import hashlib
import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import Struct

from simcompare.model.errors import SessionNotSavedError, writing_errors_as
from simcompare.model.file_kinds import JOURNAL_SUFFIX
from simcompare.session.decisions import PairReview
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.school_class import Pair
from simcompare.session.session_data import Session
from simcompare.session.session_parts import ReviewPart, review_as_json, reviews_from
from simcompare.support.atomic_file import write_atomically


class _FirstLine(Struct):
    copy: str


class Shown(Struct, frozen=True):
    """Numbers of the two documents side by side, and the page, as in a session."""

    left: int | None
    right: int | None
    page: str


def journal_of(copy: Path) -> Path:
    return copy.with_suffix(JOURNAL_SUFFIX)


def start_journal(copy: Path) -> None:
    """Replace the journal by an empty one for a copy that was just written.

    Raises SessionNotSavedError.
    """
    path = journal_of(copy)
    with writing_errors_as(SessionNotSavedError, path):
        first = _line({"copy": _digest(copy)})
        write_atomically(path, lambda file: file.write(first), private=True)


def append_reviews(copy: Path, reviews: Mapping[Pair, PairReview], shown: Shown | None = None) -> None:
    """Append all decisions on some pairs, by numbers of documents in the copy, and sync them to disk.

    shown: what is shown, if that is another pair or page than before.

    Raises SessionNotSavedError; then start another journal, as a part of a line may have been written.
    """
    path = journal_of(copy)
    lines = b"".join(_line(review_as_json(pair, review)) for pair, review in reviews.items())
    if shown is not None:
        lines += _line({"left": shown.left, "right": shown.right, "page": shown.page})
    # an existing journal only: it may have been deleted with its folder
    with writing_errors_as(SessionNotSavedError, path), path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def with_journal(session: Session, copy: Path) -> tuple[Session, bool]:
    """Apply the journal of a copy to the session read from it.

    Return also whether all lines were read: what follows a damaged line is not applied.
    """
    reviews, lines = dict(session.reviews), _lines_of(copy)
    try:
        for value in lines:
            if isinstance(value, dict) and "page" in value:
                session = _with_shown(session, checked(value, Shown))
                continue
            part = checked(value, ReviewPart)
            for pair, review in reviews_from([part], len(session.documents)).items():
                if pair[::-1] in reviews:
                    raise BrokenValueError(pair)
                reviews[pair] = review
    except BrokenValueError:
        return _with_reviews(session, reviews), False
    return _with_reviews(session, reviews), True


def _with_shown(session: Session, shown: Shown) -> Session:
    numbers = range(len(session.documents))
    if not {shown.left, shown.right} <= {None, *numbers}:
        raise BrokenValueError(shown)
    cell = session.layout.cell if (shown.left, shown.right) == (session.left, session.right) else None
    layout = replace(session.layout, page=shown.page, cell=cell)
    return replace(session, left=shown.left, right=shown.right, layout=layout)


def _with_reviews(session: Session, reviews: Mapping[Pair, PairReview]) -> Session:
    return replace(session, reviews={pair: held for pair, held in reviews.items() if not held.is_empty})


def _lines_of(copy: Path) -> Iterator[Any]:
    """Yield the values of all lines after the first one. Raises BrokenValueError at a damaged line."""
    try:
        first, *others = journal_of(copy).read_bytes().splitlines(keepends=True) or [b""]
        digest = _digest(copy)
    except FileNotFoundError:
        return
    except OSError as error:
        raise BrokenValueError from error
    if checked(_value(first), _FirstLine).copy == digest:
        yield from map(_value, others)


def _line(value: Any) -> bytes:
    data = as_bytes(value)
    return b"%08x %s\n" % (zlib.crc32(data), data)


def _value(line: bytes) -> Any:
    checksum, _blank, data = line.partition(b" ")
    data = data.removesuffix(b"\n")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(data):
        raise BrokenValueError(line)
    return parsed(data)


def _digest(copy: Path) -> str:
    with copy.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
