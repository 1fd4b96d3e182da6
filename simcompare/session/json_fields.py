"""Decode untrusted JSON into checked values, and encode values in reproducible bytes."""

import json
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from simcompare.model.errors import SettingsError

Value = TypeVar("Value")


class BrokenValueError(Exception):
    """A value that the session format does not allow; reported as damage of the whole file."""


def parsed(data: bytes) -> Any:
    """Parse JSON in UTF-8.

    msgspec would refuse lone surrogates, which file names and notes may contain. Raises BrokenValueError.
    """
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BrokenValueError from error


def _refuse(constant: str) -> float:
    raise BrokenValueError(constant)


def checked(value: Any, kind: type[Value]) -> Value:
    """Convert parsed JSON to `kind`, whose annotations state types and limits; ignore unknown members.

    msgspec raises UnicodeEncodeError for a lone surrogate in a string with a pattern or in an enumeration.
    Raises BrokenValueError.
    """
    try:
        return msgspec.convert(value, kind, dec_hook=_decoded_path)
    except (msgspec.ValidationError, UnicodeEncodeError, SettingsError) as error:
        raise BrokenValueError from error


def _decoded_path(_path: type, value: Any) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError(value)
    return Path(value)


def as_bytes(value: Any) -> bytes:
    """Encode a value as JSON, always in the same bytes.

    Characters outside ASCII are escaped: a file name may hold bytes that are not text.
    """
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
