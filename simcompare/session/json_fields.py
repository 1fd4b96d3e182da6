"""JSON that nobody vouches for: each member is checked when it is taken."""

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, TypeVar

Word = TypeVar("Word", bound=StrEnum)


class BrokenValueError(Exception):
    """Something is not what the format says; it becomes the error of the whole file."""


def parsed(data: bytes) -> "Fields":
    """Return the object that JSON in UTF-8 describes.

    Raises BrokenValueError.
    """
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BrokenValueError from error
    return Fields(value)


def _refuse(constant: str) -> float:
    raise BrokenValueError(constant)


def as_bytes(value: Any) -> bytes:
    """Return a value as JSON, in the same bytes every time.

    Other than ASCII is escaped: a file name may hold what is no text.
    """
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def checked_text(value: object) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise BrokenValueError(value)
    return value


def checked_whole(value: object, low: int, high: int) -> int:
    """Return a whole number between two bounds, both of which it may be."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BrokenValueError(value)
    return value


def checked_number(value: object, low: float, high: float) -> float:
    """Return a number between two bounds, both of which it may be."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BrokenValueError(value)
    return float(value)


def checked_truth(value: object) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise BrokenValueError(value)
    return value


def checked_list(value: object, length: int | None = None) -> list[Any]:
    """Return a list, of a certain length where one is given."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise BrokenValueError(value)
    return value


class Fields:
    """The members of a JSON object. Every method raises BrokenValueError for what is missing or wrong."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, dict):
            raise BrokenValueError(value)
        self._members: dict[str, Any] = value

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def has(self, name: str) -> bool:
        """Return whether the member is there, and not null."""
        return self._members.get(name) is not None

    def value(self, name: str) -> Any:
        """Return a member that the caller checks."""
        if name not in self._members:
            raise BrokenValueError(name)
        return self._members[name]

    def text(self, name: str) -> str:
        """Return a text."""
        return checked_text(self.value(name))

    def optional_text(self, name: str) -> str | None:
        """Return a text, or None for null."""
        return None if self.value(name) is None else self.text(name)

    def whole(self, name: str, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        return checked_whole(self.value(name), low, high)

    def optional_whole(self, name: str, low: int, high: int) -> int | None:
        """Return a whole number, or None for null."""
        return None if self.value(name) is None else self.whole(name, low, high)

    def truth(self, name: str) -> bool:
        """Return true or false."""
        return checked_truth(self.value(name))

    def word(self, name: str, words: type[Word]) -> Word:
        """Return one of the words of an enumeration."""
        try:
            return words(self.text(name))
        except ValueError as error:
            raise BrokenValueError(name) from error

    def items(self, name: str, length: int | None = None) -> list[Any]:
        """Return a list, whose values the caller checks."""
        return checked_list(self.value(name), length)

    def fields(self, name: str) -> "Fields":
        """Return an object."""
        return Fields(self.value(name))
