"""Tags of entries: class, year, assignment, student, and any other name."""

import re
import unicodedata
from dataclasses import dataclass

from sqlalchemy import ColumnElement, exists

from simcompare.library.library_errors import TagError
from simcompare.library.store.schema import ENTRIES, TAGS
from simcompare.support.display_text import escape_invisible

STUDENT = "student"
"""Name of the tag with the writer of a document, by name or pseudonym."""

_BLANKS = re.compile(r"\s+")
# a row of an index of PostgreSQL has at most 2,704 bytes, and a character up to four
_LONGEST_NAME, _LONGEST_VALUE = 64, 500


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """A name such as "class" and a value such as "3"."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.name}={self.value}"


def make_tag(name: str, value: str) -> Tag:
    """Return a tag in one spelling: NFC, no invisible characters, single blanks; its name in lower case.

    Raises TagError if the name or the value is empty or too long.
    """
    tag = Tag(_normal(name).casefold(), _normal(value))
    if not 0 < len(tag.name) <= _LONGEST_NAME or not 0 < len(tag.value) <= _LONGEST_VALUE:
        raise TagError(tag=escape_invisible(f"{name}={value}"))
    return tag


def parsed_tag(text: str) -> Tag:
    """Parse "name=value". Raises TagError."""
    name, separator, value = text.partition("=")
    if not separator:
        raise TagError(tag=escape_invisible(text))
    return make_tag(name, value)


def _normal(text: str) -> str:
    blanks_single = _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()
    return escape_invisible(blanks_single)


def has_tag(tag: Tag) -> ColumnElement[bool]:
    """Return the condition that an entry has a tag."""
    return exists().where(TAGS.c.entry == ENTRIES.c.id, TAGS.c.name == tag.name, TAGS.c.value == tag.value)
