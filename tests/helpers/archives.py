"""Zip archives of tests, with names as different programs store them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path


def zipped(members: Mapping[str, bytes], encoding: str | None = None) -> bytes:
    """Zip members by name. With an encoding, names are stored in it and without the UTF-8 flag."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in members.items():
            package.writestr(_StoredName(name, encoding), data)
    return stream.getvalue()


def write_zip(path: Path, members: Mapping[str, bytes], encoding: str | None = None) -> Path:
    path.write_bytes(zipped(members, encoding))
    return path


def with_encrypted_flag(data: bytes, only: str = "") -> bytes:
    """Set the flag of encryption of all members, or of those whose name contains `only`."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = [info.filename.encode() for info in package.infolist() if only in info.filename]
    changed = bytearray(data)
    for mark, place, name_at in ((b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)):
        at = data.find(mark)
        while at >= 0:
            if any(data.startswith(name, at + name_at) for name in names):
                changed[at + place] |= 1
            at = data.find(mark, at + 1)
    return bytes(changed)


class _StoredName(zipfile.ZipInfo):
    """Name stored in an encoding of its own."""

    def __init__(self, name: str, encoding: str | None) -> None:
        super().__init__(name, (2026, 3, 4, 5, 6, 8))
        self.filename = name  # ZipInfo would turn backslashes into slashes on Windows
        self.compress_type = zipfile.ZIP_DEFLATED
        self._encoding = encoding

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802 - named by zipfile
        if self._encoding is None:
            return self.filename.encode("utf-8"), self.flag_bits | 0x800
        return self.filename.encode(self._encoding), self.flag_bits
