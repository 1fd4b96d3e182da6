"""The compound file around a Word document: its streams."""

import io
import struct
from pathlib import Path

import olefile

from simcompare.errors import DamagedFileError
from simcompare.i18n import N_
from simcompare.loading.plain.languages import encoding_of_code_page

_SUMMARY = "\x05SummaryInformation"
_FIRST_SET_AT, _MOST_PROPERTIES = 44, 100
_CODE_PAGE, _TITLE = 1, 2
_STRING, _WIDE_STRING, _UTF16_CODE_PAGE = 30, 31, 1200


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

    def title(self) -> str:
        """Return the title among the properties; nothing where they are broken."""
        try:
            properties = _properties(self.stream(_SUMMARY))
            return _text(properties.get(_TITLE, b""), _code_page(properties))
        except struct.error:
            return ""


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


def _text(value: bytes, code_page: int) -> str:
    if not value:
        return ""
    kind, length = struct.unpack_from("<2I", value)
    if kind == _WIDE_STRING:
        return value[8 : 8 + 2 * length].decode("utf-16-le", "ignore").rstrip("\0")
    encoding = "utf-16-le" if code_page == _UTF16_CODE_PAGE else encoding_of_code_page(code_page)
    return value[8 : 8 + length].decode(encoding, "ignore").rstrip("\0") if kind == _STRING else ""
