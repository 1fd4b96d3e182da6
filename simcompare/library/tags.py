"""Tags of entries: class, year, assignment, student, and any other name."""

import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from simcompare.library.library_errors import RetentionDateError, TagError
from simcompare.support.display_text import display_name, escape_invisible

STUDENT = "student"
"""Name of the tag with the writer of a document, by name or pseudonym."""
UNTIL = "until"
"""Name of the tag with the last day on which an entry may be kept, such as 2028-07-31."""

_BLANKS = re.compile(r"\s+")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
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

    Raises TagError if the name or the value is empty or too long, RetentionDateError if `until` is none.
    """
    tag = Tag(normal_name(name), _normal(value))
    if not 0 < len(tag.name) <= _LONGEST_NAME or not 0 < len(tag.value) <= _LONGEST_VALUE:
        raise TagError(tag=display_name(f"{name}={value}"))
    if tag.name == UNTIL:
        parsed_date(tag.value)
    return tag


def parsed_date(text: str) -> date:
    """Parse a date such as 2028-07-31. Raises RetentionDateError."""
    if _DATE.fullmatch(text):
        with suppress(ValueError):
            return date.fromisoformat(text)
    raise RetentionDateError(date=escape_invisible(text))


def normal_name(name: str) -> str:
    """Return the name of a tag in its one spelling."""
    return _normal(name).casefold()


def parsed_tag(text: str) -> Tag:
    """Parse "name=value". Raises TagError."""
    name, separator, value = text.partition("=")
    if not separator:
        raise TagError(tag=display_name(text))
    return make_tag(name, value)


def _normal(text: str) -> str:
    blanks_single = _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()
    return escape_invisible(blanks_single)
