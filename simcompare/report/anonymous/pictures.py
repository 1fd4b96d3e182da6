"""Pictures without what programs and cameras write into them beside the picture: names, places, times."""

import re
from collections.abc import Iterator

_JPEG, _PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
_JPEG_END, _JPEG_SCAN = 0xD9, 0xDA
_JPEG_COMMENT, _JPEG_APPLICATIONS = 0xFE, range(0xE0, 0xF0)
# by which a picture is shown: its resolution, how its colours are kept, and what they mean
_JPEG_KEPT, _JPEG_COLOURS = frozenset({0xE0, 0xEE}), b"ICC_PROFILE"
# within a scan 0xFF stands only before zero and before marks of restarting
_JPEG_MARK = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)
_PNG_TEXTS = frozenset({b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME"})
_PNG_END = b"IEND"
_LENGTH, _CHUNK_FRAME = 4, 12


def cleaned(data: bytes) -> bytes | None:
    """Return a JPEG or PNG picture without remarks, texts and times; None for any other, or a broken one."""
    try:
        if data.startswith(_JPEG):
            return _JPEG + b"".join(_jpeg_segments(data))
        if data.startswith(_PNG):
            return _PNG + b"".join(_png_chunks(data))
    except IndexError:
        pass
    return None


def _jpeg_segments(data: bytes) -> Iterator[bytes]:
    """Yield what is kept of a JPEG, up to its end; what may follow that is no part of the picture."""
    at = len(_JPEG)
    while True:
        if data[at] != _JPEG[0]:
            raise IndexError(at)
        mark = data[at + 1]
        if mark == _JPEG_END:
            yield data[at : at + 2]
            return
        end = _end_of_segment(data, at)
        if mark not in {_JPEG_COMMENT, *_JPEG_APPLICATIONS} or _is_shown_by(data[at:end]):
            yield data[at:end]
        at = end


def _end_of_segment(data: bytes, at: int) -> int:
    end = at + 2 + (data[at + 2] << 8) + data[at + 3]
    if data[at + 1] != _JPEG_SCAN:
        return end
    following = _JPEG_MARK.search(data, end)
    if following is None:
        raise IndexError(end)
    return following.start()


def _is_shown_by(segment: bytes) -> bool:
    return segment[1] in _JPEG_KEPT or segment[4:].startswith(_JPEG_COLOURS)


def _png_chunks(data: bytes) -> Iterator[bytes]:
    """Yield what is kept of a PNG, up to its end."""
    at, kind = len(_PNG), b""
    while kind != _PNG_END:
        kind = data[at + _LENGTH : at + 2 * _LENGTH]
        end = at + _CHUNK_FRAME + int.from_bytes(data[at : at + _LENGTH], "big")
        if end > len(data):
            raise IndexError(end)
        if kind not in _PNG_TEXTS:
            yield data[at:end]
        at = end
