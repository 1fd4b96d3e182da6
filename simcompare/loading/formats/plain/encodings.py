"""Detect the encoding of text files and web pages, and decode them."""

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from simcompare.loading.formats.plain.text_likelihood import ALL, CENTRAL, CYRILLIC, LATIN, likelihood

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Encodings to try for a text without a byte order mark, their languages, and a penalty in nats for rarer
# encodings: of two equally likely decodings the more usual one is right.
_TRIED: tuple[tuple[str, tuple[str, ...], float], ...] = (
    ("gb18030", ("simplified", "traditional"), 0),
    ("big5hkscs", ("traditional",), 0),
    ("cp950", ("traditional",), 1),
    ("cp1252", LATIN, 0),
    ("cp1251", CYRILLIC, 2),
    ("cp1250", CENTRAL, 1.5),
    ("cp932", ("japanese",), 2),
    ("cp949", ("korean",), 2),
    ("koi8_r", ("russian",), 2),
    ("koi8_u", ("ukrainian",), 3),
    ("cp1253", ("greek",), 3),
    ("cp1254", ("turkish",), 2),
    ("euc_jp", ("japanese",), 3),
    ("iso8859_2", CENTRAL, 3),
    ("mac_roman", LATIN, 4),
    ("mac_latin2", CENTRAL, 5),
    ("mac_cyrillic", CYRILLIC, 5),
    ("cp866", ("russian",), 5),
    ("iso8859_5", CYRILLIC, 5),
)
_WIDE = (("utf-16-le", 2), ("utf-16-be", 2), ("utf-32-le", 4), ("utf-32-be", 4))
_ESCAPES_OF_JAPANESE = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
# Nats per character: Chinese text has about 7, bytes that are not text 12 and more.
_STILL_TEXT = 9.0
# Lead in nats of the best decoding over the next one at which it counts as sure.
_SURE = 4.0
_HIGH = re.compile(rb"[\x80-\xff]")
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "iso8859-1": "cp1252"}
_SAMPLE_BYTES = 40_000
_XML = re.compile(rb"\s*+(?:<![^<>]*+>\s*+)?<(?:\?xml\s|[^<>]{0,999}\sxmlns)")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded text, its encoding, and the number of places that could not be decoded.

    `sure` is False if another encoding gives a different text of similar likelihood.
    """

    text: str
    encoding: str
    undecodable: int = 0
    sure: bool = True

    @property
    def is_readable(self) -> bool:
        """Whether so few characters, markup included, are broken that the encoding is right."""
        return self.undecodable <= 3 + len(self.text) // 100


def decode(data: bytes, *, markup: bool = False, charset: str | None = None) -> Decoded:
    """Decode `data`: byte order mark, UTF-8, declared encoding, UTF-8 of XML, then by trial.

    The declared encoding is `charset` or, with `markup`, the one that the text itself declares.
    """
    if (marked := _by_mark(data)) is not None:
        return marked
    utf8 = _strictly(data, "utf-8")
    if utf8 is not None and not _may_be_no_utf8(data):
        return utf8
    declared = (charset and _codec(charset)) or (_declared(data) if markup else None)
    if markup and declared is None and _XML.match(data) and (xml := _leniently(data, "utf-8")).is_readable:
        return xml
    return (declared and _strictly(data, declared)) or _by_trial(data, declared, utf8)


def _may_be_no_utf8(data: bytes) -> bool:
    """Return whether bytes that are valid UTF-8 contain zeros or escape sequences of another encoding."""
    head = data[:_SAMPLE_BYTES]
    return b"\0" in head or any(escape in head for escape in _ESCAPES_OF_JAPANESE)


def _by_mark(data: bytes) -> Decoded | None:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            # "utf-8" would keep the mark as a character; the UTF-16 and UTF-32 codecs remove it.
            body = data[len(mark) :] if encoding == "utf-8" else data
            return _leniently(body, encoding)
    return None


def _strictly(data: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None


def _leniently(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    return Decoded(text, encoding, text.count("\ufffd"))


def _declared(data: bytes) -> str | None:
    match = _DECLARED.search(data[:4096])
    codec = _codec(match[1].decode("ascii")) if match else None
    # a declaration that is readable byte by byte rules out wide characters
    return None if codec is not None and codec.startswith(("utf-16", "utf-32")) else codec


def _codec(charset: str) -> str | None:
    try:
        name = codecs.lookup(charset).name
        bytes(4).decode(name)  # codecs that decode to bytes, such as uu, are no encodings
    except (LookupError, ValueError):
        return None
    return _WIDER.get(name, name)


def is_wide_text(data: bytes) -> bool:
    """Return whether bytes without a byte order mark are text of two or four bytes per character."""
    return _wide(data) is not None


def _wide(data: bytes) -> str | None:
    """Return the likeliest encoding of two or four bytes per character, or None if none gives a text."""
    best, least = None, _STILL_TEXT
    for encoding, width in _WIDE:
        sample = data[: min(len(data), _SAMPLE_BYTES) // width * width]
        text = sample.decode(encoding, errors="replace")
        cost = -likelihood(text, ALL) / max(len(text), 1)
        # a decoding to far fewer characters than expected drops bytes, which makes it look likely
        if cost < least and len(text) * width >= len(sample) // 2:
            best, least = encoding, cost
    return best


def _by_trial(data: bytes, declared: str | None, utf8: Decoded | None) -> Decoded:
    if any(escape in data[:_SAMPLE_BYTES] for escape in _ESCAPES_OF_JAPANESE):
        return _leniently(data, "iso2022_jp_ext")
    wide = _wide(data) if b"\0" in data or len(data) % 2 == 0 else None
    sample = _sample(data)
    readings = sorted((_reading(sample, *tried) for tried in _TRIED), reverse=True)
    best, encoding, text = readings[0]
    if wide is not None and _wide_is_likelier(data, wide, best, len(sample)):
        return _leniently(data, wide)
    if utf8 is not None or _is_broken_utf8(data):
        return utf8 or _leniently(data, "utf-8")
    if declared is not None:
        return _leniently(data, declared)
    ahead = next((best - score for score, _name, other in readings[1:] if other != text), _SURE)
    return replace(_leniently(data, encoding), sure=ahead >= _SURE)


def _reading(
    sample: bytes, encoding: str, languages: Iterable[str], unusual: float
) -> tuple[float, str, str]:
    text = sample.decode(encoding, errors="replace")
    return likelihood(text, languages) - unusual, encoding, text


def _wide_is_likelier(data: bytes, wide: str, best: float, sampled: int) -> bool:
    text = data[: min(len(data), _SAMPLE_BYTES) // 4 * 4].decode(wide, errors="replace")
    return likelihood(text, ALL) / max(len(data[:_SAMPLE_BYTES]), 1) > best / max(sampled, 1)


def _sample(data: bytes) -> bytes:
    """Return a part that contains non-ASCII bytes: ASCII does not distinguish encodings."""
    first = next((match.start() for match in [_HIGH.search(data)] if match), 0)
    # starts at a line so that no character is split
    start = data.rfind(b"\n", 0, first) + 1
    return data[start : start + _SAMPLE_BYTES]


def _is_broken_utf8(data: bytes) -> bool:
    """Return whether the bytes are UTF-8 except in a few places."""
    sample = _sample(data)
    broken = sample.decode("utf-8", errors="replace").count("\ufffd")
    return broken * 10 < len(_HIGH.findall(sample))
