"""A document as columns of an entry, and back.

The parts are those of a session (`session/session_parts.py`), and checked in the same way when they are
read. Positions of characters on pages are not kept: they only serve to mark copies of the file itself.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcompare.model.document import Document
from simcompare.session.json_fields import BrokenValueError, as_bytes, parsed
from simcompare.session.session_data import SessionDocument
from simcompare.session.session_parts import FACTS, TEXT, entry_of, members_of
from simcompare.support.display_text import escape_invisible

if TYPE_CHECKING:
    from sqlalchemy import Row

_LAYOUT = ("path", "title", "blocks")
_LAYOUT_END = b"\n"


def document_columns(document: Document) -> dict[str, Any]:
    """Return the columns of `entries` that hold the document itself.

    content: zlib of a line of JSON (path, title, blocks) and the text in UTF-8; pictures: zlib of JSON. name
    and title are for lists.
    """
    pictures = tuple(replace(each, thumbnail=b"") for each in document.pictures)
    without_boxes = replace(document, character_boxes=None, pictures=pictures)
    members = dict(members_of(SessionDocument(document.path, document=without_boxes)))
    facts = parsed(members[FACTS])
    layout = as_bytes({name: facts[name] for name in _LAYOUT})
    return {
        "file_sha256": document.sha256,
        "name": stored_name(document.path),
        "title": escape_invisible(document.title),
        "size_bytes": document.size_bytes,
        "receipt": as_bytes(facts["receipt"]).decode("ascii"),
        "content": zlib.compress(layout + _LAYOUT_END + members[TEXT], level=9),
        "pictures": zlib.compress(as_bytes(facts["pictures"]), level=9) if pictures else None,
    }


def stored_name(path: Path) -> str:
    """Return the name of a file in the database, as file names may have bytes that are not text."""
    return escape_invisible(path.name)


def document_from(row: Row[Any]) -> Document:
    """Restore the document of a row of `entries`. Raises BrokenValueError."""
    try:
        layout, _, text = zlib.decompress(row.content).partition(_LAYOUT_END)
        pictures = zlib.decompress(row.pictures) if row.pictures else b"[]"
    except (zlib.error, TypeError) as error:
        raise BrokenValueError("content") from error
    facts = parsed(layout) | {
        "whole_page": False,
        "sha256": row.file_sha256,
        "size_bytes": row.size_bytes,
        "receipt": parsed(row.receipt.encode()),
        "pictures": parsed(pictures),
    }
    document = entry_of({FACTS: as_bytes(facts), TEXT: text}).document
    assert document is not None, "its text is among the members"
    return document
