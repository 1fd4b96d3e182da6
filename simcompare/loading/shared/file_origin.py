"""File metadata (author, times, program ...) in one form, picture flags, and verbatim loading."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import Piece, clean, visible_length
from simcompare.loading.shared.reference_lists import marked_references
from simcompare.model.document import (
    MOST_EDITING_IDS,
    MOST_PICTURES,
    Anchor,
    Block,
    BlockKind,
    Document,
    ExtractionReceipt,
    Flag,
    FlagName,
    Origin,
    Span,
)
from simcompare.model.errors import DamagedFileError, EmptyFileError, NoTextError
from simcompare.support.i18n import N_

_MAX_CHARACTERS = 100
# earlier years are placeholders that programs write if they know none
_FIRST_YEAR = 1980
_TIME = re.compile(
    r"(?:D:)?(?P<day>\d{4}-?\d\d-?\d\d)"
    r"(?:[T ]?(?P<hours>\d\d):?(?P<minutes>\d\d)(?::?(?P<seconds>\d\d))?(?:[.,]\d+)?"
    r"\s*(?P<zone>Z|[+-]\d\d(?:[:']?\d\d)?)?)?"
)

_COUNT = re.compile(r"[0-9]{1,9}")
# not "image1.png", as programs call pictures without a name
_PICTURE = re.compile(
    r"(?:.*[/\\])?(?!image\d*\.)[^/\\]+\.(?:bmp|emf|gif|heic|jpe?g|png|svg|tiff?|webp|wmf)", re.IGNORECASE
)
_EDITING_ID = re.compile(r"[0-9A-Fa-f]{8}")
_TEMPLATE_IDS = frozenset(
    {
        # not a session; WPS; early versions of pandoc and python-docx
        *("00000000", "FFFFFFFF", "00172A27", "008D6863", "00590D07"),
        # the default template of python-docx
        *("00034616", "0006063C", "0015074B", "0029639D", "00326F90"),
        *("00AA1D8D", "00B47730", "00CB0664", "00FC693F"),
    }
)
"""Ids in files that have nothing in common but the program with which they were made."""


def origin_from(  # noqa: PLR0913 - the parameters are the fields of Origin
    *,
    author: str | None = None,
    last_saved_by: str | None = None,
    created: str | None = None,
    last_saved: str | None = None,
    program: str | None = None,
    template: str | None = None,
    revision: str | None = None,
    edit_minutes: str | None = None,
    pictures: Iterable[str] = (),
    editing_ids: Iterable[str] = (),
) -> Origin:
    """Return unverified file metadata, each text as one line; impossible values are dropped.

    template, pictures: paths, of which the folders are dropped. editing_ids: hexadecimal, in any order; those
    of templates that come with programs are dropped.
    """
    ids = {text.upper() for text in editing_ids if _EDITING_ID.fullmatch(text)} - _TEMPLATE_IDS
    names = dict.fromkeys(_file_name(path) for path in pictures if _PICTURE.fullmatch(path))
    return Origin(
        _line(author),
        _line(last_saved_by),
        _iso_time(created or ""),
        _iso_time(last_saved or ""),
        _line(program),
        _file_name(template),
        _count(revision),
        _count(edit_minutes),
        tuple(names)[:MOST_PICTURES],
        # of two files with too many, the lowest ones are kept of both
        tuple(sorted(ids)[:MOST_EDITING_IDS]),
    )


def _line(text: str | None) -> str:
    return clean(text or "")[:_MAX_CHARACTERS].strip()


def _file_name(path: str | None) -> str:
    return _line((path or "").replace("\\", "/").rpartition("/")[2])


def _count(text: str | None) -> int | None:
    return int(text) if text and _COUNT.fullmatch(text) else None


def _iso_time(text: str) -> str:
    """Return a time in ISO 8601, read from ISO or PDF notation, or "" if it is invalid."""
    match = _TIME.match(text.strip())
    if match is None:
        return ""
    hours, minutes, seconds = (match[part] or "00" for part in ("hours", "minutes", "seconds"))
    zone = (match["zone"] or "").replace("'", "").replace(":", "")
    iso = f"{match['day'].replace('-', '')}T{hours}{minutes}{seconds}{zone}"
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return ""
    return moment.isoformat() if moment.year >= _FIRST_YEAR else ""


# Six centimetres; a smaller picture is a logo, a portrait or a drawing.
LARGE_TWIPS = 3402
# Fewer characters are only a name and a class: the text is in the pictures.
_MIN_BESIDE_PICTURES = 40


def flags_of_pictures(path: Path, large_pictures: int, pieces: Sequence[Piece]) -> Iterator[Flag]:
    """Yield a flag for large pictures. Raises NoTextError if there is nothing else."""
    if not large_pictures:
        return
    characters = sum(visible_length(piece.text) for piece in pieces)
    if not characters:
        raise NoTextError(path, pages=large_pictures)
    yield Flag(FlagName.PICTURES, large_pictures, doubtful=characters < _MIN_BESIDE_PICTURES)


# lines up to a blank line: verbatim texts are often wrapped at a fixed width
_PARAGRAPH = re.compile(r"[^\r\n]+(?:\r?\n[^\r\n]+)*")


def load_verbatim(path: Path) -> Document:
    """Read a UTF-8 text without changing a character: offsets are those of the decoded file.

    Raises DamagedFileError if it is not UTF-8, and the errors of `bytes_of`.
    """
    data = bytes_of(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedFileError(path, cause=N_("it is not UTF-8 text")) from error
    spans = [Span(*match.span()) for match in _PARAGRAPH.finditer(text)]
    if not spans:
        raise EmptyFileError(path)
    kinds = marked_references([BlockKind.PARAGRAPH] * len(spans), [span.of(text) for span in spans])
    return Document(
        path=path,
        title=path.stem,
        text=text,
        blocks=tuple(
            Block(kind, span, Anchor(number))
            for number, (kind, span) in enumerate(zip(kinds, spans, strict=True), start=1)
        ),
        receipt=ExtractionReceipt(
            reader="verbatim",
            format="text",
            characters_kept=len(text),
            paragraphs=len(spans),
            encoding="utf-8",
        ),
        sha256=hashlib.sha256(data).hexdigest(),
        size_bytes=len(data),
    )
