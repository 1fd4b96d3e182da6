"""Format of an exported library: manifest, lines, and limits that are checked before anything is unpacked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins

from simcompare.library.library_errors import RetentionDateError, TagError
from simcompare.library.new_entry import SubmissionKey
from simcompare.library.tags import Tag, make_tag
from simcompare.model.document import Document
from simcompare.session.document_parts import FACTS, TEXT, entry_of, members_of
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.session_data import SessionDocument
from simcompare.support.display_text import escape_invisible

FORMAT, VERSION = "simcompare-library-export", 1
MANIFEST = "manifest.json"

_MOST_PARTS = 100_000
MOST_MANIFEST_BYTES = 64_000_000
MOST_PART_BYTES = 128_000_000
"""A document has 10 MB of text at most, which JSON writes with up to 6 bytes a character."""
_MOST_TAGS = 1000

_Number = Annotated[int, Meta(ge=0, le=1 << 40)]
_Sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class ExportPart(Struct, frozen=True):
    """A member with entries: its name, their number, and the SHA-256 of its bytes."""

    name: Annotated[str, Meta(pattern=r"\Aentries-[0-9]{5,6}\.jsonl\Z")]
    entries: _Number
    sha256: _Sha256


class Recipes(Struct, frozen=True):
    """Names of the recipes of the library that was exported; those of an imported one are in its program."""

    terms: tuple[str, ...]
    fingerprints: tuple[str, ...]


class Manifest(Struct, frozen=True):
    """What is in an exported library; exported_at: UTC in ISO 8601."""

    format: str
    version: _Number
    exported_at: str
    recipes: Recipes
    entries: _Number
    parts: Annotated[tuple[ExportPart, ...], Meta(max_length=_MOST_PARTS)]


class ExportVersion(Struct):
    """The part of a manifest that every version has."""

    format: str
    version: _Number


class _ExportLine(Struct):
    facts: dict[str, Any]
    text: str
    name: Annotated[str, Meta(min_length=1, max_length=4096)]
    added_at: Annotated[str, Meta(max_length=32)]
    tags: Annotated[tuple[tuple[str, str], ...], Meta(max_length=_MOST_TAGS)]


@dataclass(frozen=True, slots=True)
class ExportedEntry:
    """A line of a part: a document, the name that lists show, when it was added, and its tags."""

    document: Document
    name: str
    added_at: str
    tags: tuple[Tag, ...]

    @property
    def submission(self) -> SubmissionKey:
        return SubmissionKey.of(self.document.sha256, self.name, self.tags)


def line_of(document: Document, name: str, added_at: str, tags: Iterable[Tag]) -> bytes:
    """Return an entry as a line of JSON."""
    members = dict(members_of(SessionDocument(document.path, document=document)))
    value = {
        "facts": parsed(members[FACTS]),
        "text": document.text,
        "name": name,
        "added_at": added_at,
        "tags": [[tag.name, tag.value] for tag in tags],
    }
    return as_bytes(value) + b"\n"


def entry_from(line: bytes) -> ExportedEntry:
    """Read a line with the checks of a session. Raises BrokenValueError."""
    value = checked(parsed(line), _ExportLine)
    try:
        added_at = datetime.fromisoformat(value.added_at)
        tags = tuple(make_tag(*tag) for tag in value.tags)
        text = value.text.encode("utf-8")
    except (ValueError, TagError, RetentionDateError) as error:
        raise BrokenValueError("line") from error
    document = entry_of({FACTS: as_bytes(value.facts), TEXT: text}).document
    # names in the database have no invisible characters
    if document is None or added_at.tzinfo is None or value.name != escape_invisible(value.name):
        raise BrokenValueError("line")
    return ExportedEntry(document, value.name, value.added_at, tags)


def manifest_of(exported_at: str, recipes: Recipes, parts: Sequence[ExportPart]) -> bytes:
    """Return the manifest as JSON."""
    entries = sum(part.entries for part in parts)
    return as_bytes(to_builtins(Manifest(FORMAT, VERSION, exported_at, recipes, entries, tuple(parts))))
