"""The compound file around a Word document: its streams."""

import io
from pathlib import Path

import olefile

from simcompare.errors import DamagedFileError
from simcompare.i18n import N_

_TITLE_PROPERTY, _CODE_PAGE_PROPERTY = 2, 1
_SUMMARY = "\x05SummaryInformation"


class Storage:
    """The streams of a compound file, by their names in lower case."""

    def __init__(self, path: Path, data: bytes) -> None:
        try:
            self._file = olefile.OleFileIO(io.BytesIO(data))
        except (OSError, ValueError, IndexError) as error:
            raise DamagedFileError(path, cause=N_("the compound file is cut short or broken")) from error
        self._path = path

    def stream(self, name: str) -> bytes:
        """Return a stream; nothing where there is none."""
        try:
            if not self._file.exists(name):
                return b""
            with self._file.openstream(name) as stream:
                return bytes(stream.read())
        except (OSError, ValueError, IndexError) as error:
            raise DamagedFileError(
                self._path, cause=N_("the compound file is cut short or broken")
            ) from error

    def title(self) -> str:
        """Return the title among the properties."""
        try:
            properties = self._file.getproperties(_SUMMARY) if self._file.exists(_SUMMARY) else {}
            title = properties.get(_TITLE_PROPERTY, b"")
            return title if isinstance(title, str) else title.decode(_encoding(properties), "replace")
        except Exception:  # whatever is broken in there, the text is not
            return ""


def _encoding(properties: dict[int, int]) -> str:
    page = properties.get(_CODE_PAGE_PROPERTY, 1252) & 0xFFFF
    return {65001: "utf-8", 936: "gb18030", 1200: "utf-16-le"}.get(page, f"cp{page}")
