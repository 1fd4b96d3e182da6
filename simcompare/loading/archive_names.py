"""Decode the names of the members of a zip archive."""

import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Sequence
from functools import lru_cache

from simcompare.loading.formats.plain.text_likelihood import ALL, CENTRAL, CYRILLIC, LATIN, likelihood

_UTF8_NAME = 0x800
_UNICODE_PATH = 0x7075
_TRIED = (
    ("utf-8", ALL),
    ("gb18030", ("simplified", "traditional")),
    ("big5hkscs", ("traditional",)),
    ("cp932", ("japanese",)),
    ("cp949", ("korean",)),
    ("cp437", LATIN),
    ("cp850", LATIN),
    ("cp852", CENTRAL),
    ("cp866", CYRILLIC),
    ("cp1252", LATIN),
)
"""Encodings of names without a mark, the likeliest first, and the languages written in them."""


def stored_names(infos: Sequence[zipfile.ZipInfo]) -> list[str]:
    """Decode the names of members.

    A name without the UTF-8 flag has no stated encoding: Chinese Windows writes GBK, macOS UTF-8. All such
    names of an archive are decoded alike, by the likelihood of the text; zipfile took them for cp437.
    """
    unmarked = [None if info.flag_bits & _UTF8_NAME else info.orig_filename.encode("cp437") for info in infos]
    names = dict.fromkeys(name for name in unmarked if name is not None and not name.isascii())
    encoding = _encoding_of(b"\n".join(names))
    decoded = [
        _unicode_path(info, raw) or raw.decode(encoding, "replace") if raw is not None else info.orig_filename
        for info, raw in zip(infos, unmarked, strict=True)
    ]
    return [unicodedata.normalize("NFC", name.split("\0")[0]) for name in decoded]


@lru_cache(maxsize=8)
def _encoding_of(joined: bytes) -> str:
    # takes 10 ms, and the members of an archive are read one by one
    readings = ((likelihood(joined.decode(name, "replace"), spoken), name) for name, spoken in _TRIED)
    # the first of equals
    return max(readings, key=lambda reading: reading[0])[1]


def _unicode_path(info: zipfile.ZipInfo, raw: bytes) -> str | None:
    """Return the name in the Info-ZIP Unicode Path field (APPNOTE 4.6.9), if made for the stored name."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        body, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and len(body) > 5 and body[0] == 1:
            checksum = int.from_bytes(body[1:5], "little")
            return body[5:].decode("utf-8", "replace") if checksum == zlib.crc32(raw) else None
    return None
