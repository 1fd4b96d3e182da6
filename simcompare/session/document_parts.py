"""A document of a session as the members of its folder, and back."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from simcompare.loading.extraction import UNPRINTABLE, PastedText
from simcompare.model import errors
from simcompare.model.document import Anchor, Block, BlockKind, CharacterBoxes, Document, Span
from simcompare.model.errors import FileError, SimcompareError
from simcompare.model.receipt import (
    UNKNOWN_ORIGIN,
    Dropped,
    DropReason,
    ExtractionReceipt,
    Flag,
    FlagName,
    Origin,
    Place,
)
from simcompare.session.json_fields import (
    BrokenValueError,
    Fields,
    as_bytes,
    checked_list,
    checked_text,
    checked_whole,
    parsed,
)
from simcompare.session.session_data import SessionDocument

FACTS, TEXT, BOXES = "facts.json", "text.txt", "boxes.bin"
BOX_BYTES = 20
"""Bytes that a character takes in boxes.bin."""

_HIGHEST_COUNT = 1_000_000_000
_LARGEST_FILE_BYTES = 1 << 50
_SHA256 = re.compile("[0-9a-f]{64}")
_PAGES, _BOXES = np.dtype("<i4"), np.dtype("<f4")
# what their constructors take beside the values, and what belongs to the program alone
_PLACED_BY_PATH = frozenset({"path", "name"})
_ERRORS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, SimcompareError) and kind.template
}


# --- to members


def members_of(entry: SessionDocument) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each member, in the order in which they stand in the file."""
    document = entry.document
    facts: dict[str, Any] = {"path": path_as_text(entry.path), "whole_page": entry.whole_page}
    if entry.pasted is not None:
        facts["pasted"] = asdict(entry.pasted)
    if document is None:
        yield FACTS, as_bytes(facts | ({"error": _error_as_json(entry.error)} if entry.error else {}))
        return
    yield FACTS, as_bytes(facts | _document_as_json(document))
    yield TEXT, document.text.encode("utf-8")
    if document.character_boxes is not None:
        yield BOXES, _boxes_as_bytes(document.character_boxes)


def path_as_text(path: PurePath) -> str:
    """Return a path with slashes, so that its last part is a name on every system."""
    return path.as_posix()


def _document_as_json(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "sha256": document.sha256,
        "size_bytes": document.size_bytes,
        "receipt": asdict(document.receipt),
        "blocks": [
            [b.kind, b.span.start, b.span.end, b.anchor.paragraph, b.anchor.page] for b in document.blocks
        ],
    }


def _boxes_as_bytes(boxes: CharacterBoxes) -> bytes:
    # column by column: neighbours on a line are alike and take a tenth of the room when packed
    columns = boxes.boxes.T.astype(_BOXES, order="C")
    return boxes.pages.astype(_PAGES).tobytes() + columns.tobytes()


def _error_as_json(error: SimcompareError) -> dict[str, Any]:
    placed = _PLACED_BY_PATH if isinstance(error, FileError) else frozenset()
    values = {name: _plain(value) for name, value in error.values.items() if name not in placed}
    return {"kind": type(error).__name__, "values": values}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int) else str(value)


# --- from members


def entry_of(members: Mapping[str, bytes]) -> SessionDocument:
    """Return the document that the members of a folder describe.

    An error that this program does not know leaves a file that is still to be read.
    Raises BrokenValueError.
    """
    facts = parsed(members[FACTS])
    path, whole_page = path_from(facts.text("path")), facts.truth("whole_page")
    pasted = _pasted_from(facts.fields("pasted")) if facts.has("pasted") else None
    if TEXT in members:
        return SessionDocument(path, whole_page, _document_from(path, facts, members), pasted=pasted)
    error = _error_from(path, facts.fields("error")) if facts.has("error") else None
    return SessionDocument(path, whole_page, error=error, pasted=pasted)


def _pasted_from(facts: Fields) -> PastedText:
    return PastedText(facts.text("text"), facts.truth("is_html"))


def path_from(text: str) -> Path:
    """Return the path that a text names, which nobody has looked for yet."""
    if not text or "\0" in text:
        raise BrokenValueError(text)
    return Path(text)


def _document_from(path: Path, facts: Fields, members: Mapping[str, bytes]) -> Document:
    try:
        text = members[TEXT].decode("utf-8")
    except UnicodeDecodeError as error:
        raise BrokenValueError(TEXT) from error
    sha256 = facts.text("sha256")
    if not _SHA256.fullmatch(sha256) or UNPRINTABLE.search(text):
        raise BrokenValueError(TEXT)
    boxes = _boxes_from(members[BOXES], len(text)) if BOXES in members else None
    blocks = _blocks_from(facts.items("blocks"), text)
    receipt = _receipt_from(facts.fields("receipt"))
    size_bytes = facts.whole("size_bytes", 0, _LARGEST_FILE_BYTES)
    return Document(path, facts.text("title"), text, blocks, receipt, sha256, size_bytes, boxes)


def _blocks_from(rows: list[Any], text: str) -> tuple[Block, ...]:
    blocks = tuple(_block_from(checked_list(row, 5), text) for row in rows)
    if any(first.span.end > second.span.start for first, second in pairwise(blocks)):
        raise BrokenValueError("blocks")
    return blocks


def _block_from(row: list[Any], text: str) -> Block:
    end = checked_whole(row[2], 1, len(text))
    span = Span(checked_whole(row[1], 0, end - 1), end)
    if text.find("\n", span.start, span.end) >= 0:
        raise BrokenValueError(row)
    page = None if row[4] is None else checked_whole(row[4], 0, _HIGHEST_COUNT)
    try:
        kind = BlockKind(checked_text(row[0]))
    except ValueError as error:
        raise BrokenValueError(row) from error
    return Block(kind, span, Anchor(checked_whole(row[3], 0, _HIGHEST_COUNT), page))


def _boxes_from(data: bytes, characters: int) -> CharacterBoxes:
    if len(data) != BOX_BYTES * characters:
        raise BrokenValueError(BOXES)
    pages = np.frombuffer(data, _PAGES, characters).astype(np.int32)
    columns = np.frombuffer(data, _BOXES, 4 * characters, offset=_PAGES.itemsize * characters)
    boxes = columns.reshape(4, characters).T.astype(np.float32, order="C")
    # what has no place is on no page, and the other way round
    placed = (pages > 0) & np.isfinite(boxes).all(axis=1)
    pages[~placed], boxes[~placed] = 0, np.nan
    return CharacterBoxes(pages, boxes)


def _receipt_from(facts: Fields) -> ExtractionReceipt:
    return ExtractionReceipt(
        reader=facts.text("reader"),
        format=facts.text("format"),
        characters_kept=facts.whole("characters_kept", 0, _HIGHEST_COUNT),
        paragraphs=facts.whole("paragraphs", 0, _HIGHEST_COUNT),
        pages=facts.optional_whole("pages", 0, _HIGHEST_COUNT),
        encoding=facts.optional_text("encoding"),
        dropped=tuple(_dropped_from(Fields(value)) for value in facts.items("dropped")),
        flags=tuple(_flag_from(Fields(value)) for value in facts.items("flags")),
        # older sessions do not tell it
        origin=_origin_from(facts.fields("origin")) if facts.has("origin") else UNKNOWN_ORIGIN,
    )


def _origin_from(facts: Fields) -> Origin:
    return Origin(**{part.name: facts.text(part.name) for part in fields(Origin)})


def _dropped_from(facts: Fields) -> Dropped:
    reason = facts.word("reason", DropReason)
    return Dropped(reason, facts.whole("characters", 0, _HIGHEST_COUNT), facts.text("excerpt"))


def _flag_from(facts: Fields) -> Flag:
    return Flag(
        name=facts.word("name", FlagName),
        count=facts.whole("count", 0, _HIGHEST_COUNT),
        places=tuple(_place_from(Fields(value)) for value in facts.items("places")),
        excerpt=facts.text("excerpt"),
        doubtful=facts.truth("doubtful"),
    )


def _place_from(facts: Fields) -> Place:
    page = facts.optional_whole("page", 0, _HIGHEST_COUNT)
    return Place(page, facts.optional_whole("paragraph", 0, _HIGHEST_COUNT))


def _error_from(path: Path, facts: Fields) -> SimcompareError | None:
    kind = _ERRORS.get(facts.text("kind"))
    given = facts.fields("values")
    values = {name: _value_from(given.value(name)) for name in given}
    if kind is None:
        return None
    try:
        error = kind(path, **values) if issubclass(kind, FileError) else kind(**values)
        str(error)
    except (TypeError, KeyError, ValueError):
        # the message of this program wants other values
        return None
    return error


def _value_from(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(checked_whole(item, 0, _HIGHEST_COUNT) for item in value)
    if value is None or isinstance(value, str | int):
        return value
    raise BrokenValueError(value)
