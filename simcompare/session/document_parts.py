"""A document of a session: convert it to the members of its folder, and back."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, to_builtins

from simcompare.loading.extraction import UNPRINTABLE, PastedText
from simcompare.loading.shared.pictures import is_thumbnail
from simcompare.model import errors
from simcompare.model.document import (
    MOST_COMPARED_PICTURES,
    Anchor,
    Block,
    BlockKind,
    CharacterBoxes,
    Count,
    Document,
    ExtractionReceipt,
    FilePicture,
    Note,
    Span,
)
from simcompare.model.errors import FileError, SimcompareError
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.session_data import SessionDocument
from simcompare.text.sentence_meaning import meanings_in

FACTS, TEXT, BOXES, MEANINGS = "facts.json", "text.txt", "boxes.bin", "meanings.bin"
DAMAGED_MEANINGS = b"damaged"
"""In place of vectors that cannot be read, and can be made again."""
BOX_BYTES = 20
"""Bytes per character in boxes.bin."""

_PAGES, _BOXES = np.dtype("<i4"), np.dtype("<f4")
# arguments of an error that follow from its path
_PLACED_BY_PATH = frozenset({"path", "name"})
_ERRORS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, SimcompareError) and kind.template
}


class _BlockPart(Struct, array_like=True, forbid_unknown_fields=True):
    kind: BlockKind
    start: Count
    end: Count
    paragraph: Count
    page: Count | None


class _ErrorPart(Struct):
    kind: str
    values: dict[str, str | int | tuple[Count, ...] | None]


class _Facts(Struct, kw_only=True):
    path: Path
    whole_page: bool
    pasted: PastedText | None = None
    error: _ErrorPart | None = None


class _FactsOfText(_Facts, kw_only=True):
    title: str
    sha256: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    size_bytes: Annotated[int, Meta(ge=0, le=1 << 50)]
    receipt: ExtractionReceipt
    blocks: tuple[_BlockPart, ...]
    notes: tuple[tuple[Count, Count, Count], ...] = ()
    pictures: Annotated[tuple[FilePicture, ...], Meta(max_length=MOST_COMPARED_PICTURES)] = ()


# --- to members


def members_of(entry: SessionDocument) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each member, in the order of the file."""
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
    if entry.meanings:
        yield MEANINGS, entry.meanings


def path_as_text(path: PurePath) -> str:
    """Convert a path to text with slashes, so that its last part is the file name on every system."""
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
        "notes": [[note.place, note.span.start, note.span.end] for note in document.notes],
        "pictures": to_builtins(document.pictures),
    }


def _boxes_as_bytes(boxes: CharacterBoxes) -> bytes:
    # by column: the values of neighbours on a line are alike, and compress to a tenth of the size
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
    """Convert the members of a folder to a document of the list.

    If this version does not know the saved error, the document is one that is still to be read.
    Raises BrokenValueError.
    """
    value = parsed(members[FACTS])
    if TEXT in members:
        read = checked(value, _FactsOfText)
        document, meanings = _document_from(read, members), members.get(MEANINGS, b"")
        if meanings and meanings_in(meanings) is None:
            meanings = DAMAGED_MEANINGS
        return SessionDocument(read.path, read.whole_page, document, pasted=read.pasted, meanings=meanings)
    facts = checked(value, _Facts)
    error = None if facts.error is None else _error_from(facts.path, facts.error)
    return SessionDocument(facts.path, facts.whole_page, error=error, pasted=facts.pasted)


def _document_from(facts: _FactsOfText, members: Mapping[str, bytes]) -> Document:
    try:
        text = members[TEXT].decode("utf-8")
    except UnicodeDecodeError as error:
        raise BrokenValueError(TEXT) from error
    if UNPRINTABLE.search(text):
        raise BrokenValueError(TEXT)
    boxes = _boxes_from(members[BOXES], len(text)) if BOXES in members else None
    blocks = _blocks_from(facts.blocks, text)
    notes = tuple(Note(place, Span(start, end)) for place, start, end in facts.notes)
    if any(max(note.place, note.span.start, note.span.end) > len(text) for note in notes):
        raise BrokenValueError("notes")
    return Document(
        facts.path,
        facts.title,
        text,
        blocks,
        facts.receipt,
        facts.sha256,
        facts.size_bytes,
        boxes,
        notes,
        tuple(map(_with_usable_thumbnail, facts.pictures)),
    )


def _with_usable_thumbnail(picture: FilePicture) -> FilePicture:
    return picture if is_thumbnail(picture.thumbnail) else replace(picture, thumbnail=b"")


def _blocks_from(parts: Iterable[_BlockPart], text: str) -> tuple[Block, ...]:
    blocks = tuple(_block_from(part, text) for part in parts)
    if any(first.span.end > second.span.start for first, second in pairwise(blocks)):
        raise BrokenValueError("blocks")
    return blocks


def _block_from(part: _BlockPart, text: str) -> Block:
    if not part.start < part.end <= len(text) or text.find("\n", part.start, part.end) >= 0:
        raise BrokenValueError("blocks")
    return Block(part.kind, Span(part.start, part.end), Anchor(part.paragraph, part.page))


def _boxes_from(data: bytes, characters: int) -> CharacterBoxes:
    if len(data) != BOX_BYTES * characters:
        raise BrokenValueError(BOXES)
    pages = np.frombuffer(data, _PAGES, characters).astype(np.int32)
    columns = np.frombuffer(data, _BOXES, 4 * characters, offset=_PAGES.itemsize * characters)
    boxes = columns.reshape(4, characters).T.astype(np.float32, order="C")
    # a character has both a page and a box, or neither
    placed = (pages > 0) & np.isfinite(boxes).all(axis=1)
    pages[~placed], boxes[~placed] = 0, np.nan
    return CharacterBoxes(pages, boxes)


def _error_from(path: Path, part: _ErrorPart) -> SimcompareError | None:
    kind = _ERRORS.get(part.kind)
    if kind is None:
        return None
    try:
        error = kind(path, **part.values) if issubclass(kind, FileError) else kind(**part.values)
        str(error)
    except (TypeError, KeyError, ValueError):
        # the message of this version needs other values
        return None
    return error
