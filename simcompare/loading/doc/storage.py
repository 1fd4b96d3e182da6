"""The compound file around a Word document: its streams."""

import io
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import olefile

from simcompare.errors import DamagedFileError
from simcompare.i18n import N_
from simcompare.loading.common.origin import origin_from
from simcompare.loading.plain.languages import encoding_of_code_page
from simcompare.receipt import UNKNOWN_ORIGIN, Origin

_SUMMARY = "\x05SummaryInformation"
_FIRST_SET_AT, _MOST_PROPERTIES = 44, 100
_CODE_PAGE, _TITLE, _AUTHOR, _LAST_AUTHOR, _CREATED, _LAST_SAVED, _PROGRAM = 1, 2, 4, 8, 12, 13, 18
_STRING, _WIDE_STRING, _FILE_TIME, _UTF16_CODE_PAGE = 30, 31, 64, 1200
_FIRST_MOMENT = datetime(1601, 1, 1, tzinfo=UTC)
# of the year 9999
_LAST_FILE_TIME = 2_650_467_743_990_000_000


@dataclass(frozen=True, slots=True)
class Summary:
    """The properties of a document that are of use here."""

    title: str
    origin: Origin


class Storage:
    """The streams of a compound file, by their names in lower case."""

    def __init__(self, path: Path, data: bytes) -> None:
        try:
            self._file = olefile.OleFileIO(io.BytesIO(data))
        except (OSError, ValueError, IndexError) as error:
            raise DamagedFileError(path, cause=N_("the compound file is cut short or broken")) from error
        self._path = path
        self._size = len(data)

    def stream(self, name: str) -> bytes:
        """Return a stream; nothing where there is none."""
        try:
            # a broken directory may give a folder the name of a stream
            if self._file.get_type(name) != olefile.STGTY_STREAM:
                return b""
            # Small streams stand in the root's: a size that is too great would be read in circles.
            if max(self._file.get_size(name), self._file.root.size) > self._size:
                raise DamagedFileError(self._path, cause=N_("the compound file is cut short or broken"))
            with self._file.openstream(name) as stream:
                return bytes(stream.read())
        except (OSError, ValueError, IndexError) as error:
            raise DamagedFileError(
                self._path, cause=N_("the compound file is cut short or broken")
            ) from error

    def summary(self) -> Summary:
        """Return the properties that a person may have set; nothing where they are broken."""
        try:
            properties = _properties(self.stream(_SUMMARY))
            return Summary(_text_of(properties, _TITLE), _origin(properties))
        except struct.error:
            return Summary("", UNKNOWN_ORIGIN)


def _origin(properties: dict[int, bytes]) -> Origin:
    return origin_from(
        author=_text_of(properties, _AUTHOR),
        last_saved_by=_text_of(properties, _LAST_AUTHOR),
        created=_moment(properties.get(_CREATED, b"")),
        last_saved=_moment(properties.get(_LAST_SAVED, b"")),
        program=_text_of(properties, _PROGRAM),
    )


def _properties(summary: bytes) -> dict[int, bytes]:
    """Return where each property of the first set stands, from its type on ([MS-OLEPS] 2.20)."""
    if not summary:
        return {}
    (start,) = struct.unpack_from("<I", summary, _FIRST_SET_AT)
    (count,) = struct.unpack_from("<I", summary, start + 4)
    count = min(count, _MOST_PROPERTIES)
    places = struct.unpack_from(f"<{2 * count}I", summary, start + 8)
    return {number: summary[start + place :] for number, place in zip(places[::2], places[1::2], strict=True)}


def _code_page(properties: dict[int, bytes]) -> int:
    value = properties.get(_CODE_PAGE, b"")
    return int.from_bytes(value[4:6], "little") if len(value) >= 6 else 0


def _moment(value: bytes) -> str:
    """Return when something was; tenths of microseconds since 1601 ([MS-DTYP] 2.3.3)."""
    if not value:
        return ""
    kind, ticks = struct.unpack_from("<IQ", value)
    if kind != _FILE_TIME or ticks > _LAST_FILE_TIME:
        return ""
    return (_FIRST_MOMENT + timedelta(microseconds=ticks // 10)).isoformat()


def _text_of(properties: dict[int, bytes], number: int) -> str:
    value, code_page = properties.get(number, b""), _code_page(properties)
    if not value:
        return ""
    kind, length = struct.unpack_from("<2I", value)
    if kind == _WIDE_STRING:
        return value[8 : 8 + 2 * length].decode("utf-16-le", "ignore").rstrip("\0")
    encoding = "utf-16-le" if code_page == _UTF16_CODE_PAGE else encoding_of_code_page(code_page)
    return value[8 : 8 + length].decode(encoding, "ignore").rstrip("\0") if kind == _STRING else ""
