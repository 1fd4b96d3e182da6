"""Bytes to text: which encoding a text file or a web page was written in."""

import codecs
import re
from dataclasses import dataclass

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Half of any Chinese text consists of these characters and signs, in either script; decoded wrongly a
# text shows next to none of them. This tells GB18030 from Big5 where both decode without an error.
_FREQUENT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "這個們來為國說時會對於過發後裡用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些"
    "種經麼學現當沒動還進开开关开關長长頭头问問无無开開前文本从從高日三月二者第与與因此但更内內心化性情"
    "，。、；：？！“”「」《》（）　"
)
_ENOUGH_FREQUENT = 0.12
_CHINESE = ("gb18030", "big5hkscs", "cp950")
_UNMARKED_UTF16 = ("utf-16-le", "utf-16-be")
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "iso8859-1": "cp1252"}
_SAMPLE_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the encoding that gave it, and how many places could not be decoded."""

    text: str
    encoding: str
    undecodable: int = 0


def decode(data: bytes, *, markup: bool = False, charset: str | None = None) -> Decoded:
    """Decode `data`: byte order mark, UTF-8, `charset` or what `markup` declares of itself, then by trial."""
    found = _by_mark(data) or _strictly(data, "utf-8")
    if found is None or _is_unmarked_utf16(data):
        declared = (charset and _codec(charset)) or (_declared(data) if markup else None)
        found = (declared and _strictly(data, declared)) or _by_trial(data, declared)
    return found


def _by_mark(data: bytes) -> Decoded | None:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            # "utf-8" would keep the mark as a character; the UTF-16 and UTF-32 codecs consume it.
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
    return _codec(match[1].decode("ascii")) if match else None


def _codec(charset: str) -> str | None:
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return None
    return _WIDER.get(name, name)


def _is_unmarked_utf16(data: bytes) -> bool:
    """Return whether every second byte is often zero, as in UTF-16 with some Latin in it."""
    sample = data[:_SAMPLE_BYTES]
    return max(sample[0::2].count(0), sample[1::2].count(0)) > len(sample) / 40 and b"\0\0\0" not in sample


def is_utf16_text(data: bytes) -> bool:
    """Return whether the bytes, which carry no mark, read as Chinese in UTF-16."""
    sample = data[: len(data) // 2 * 2]
    return any(_frequent_share(sample, encoding) >= _ENOUGH_FREQUENT for encoding in _UNMARKED_UTF16)


def _by_trial(data: bytes, declared: str | None) -> Decoded:
    sample = data[:_SAMPLE_BYTES]
    tried = (*_UNMARKED_UTF16, *_CHINESE) if len(data) % 2 == 0 else _CHINESE
    scores = {encoding: _frequent_share(sample, encoding) for encoding in tried}
    best = max(scores, key=lambda encoding: scores[encoding])
    if scores[best] >= _ENOUGH_FREQUENT:
        return _leniently(data, best)
    if _is_unmarked_utf16(data):
        return _leniently(data, "utf-16-le" if data[1::2].count(0) > data[0::2].count(0) else "utf-16-be")
    return _leniently(data, declared or _western_or_utf8(data))


def _western_or_utf8(data: bytes) -> str:
    """Take a text with a few broken places for UTF-8; else single bytes for Western letters."""
    broken = data.decode("utf-8", errors="replace").count("\ufffd")
    high = sum(byte >= 0x80 for byte in data[:_SAMPLE_BYTES])
    return "utf-8" if broken * 10 < high else "cp1252"


def _frequent_share(sample: bytes, encoding: str) -> float:
    """Return the share of frequent Chinese characters among all that are not ASCII."""
    text = sample.decode(encoding, errors="replace")
    foreign = [char for char in text if char >= "\x80"]
    if not foreign or text.count("\ufffd") > len(foreign) / 20:
        return 0.0
    return sum(char in _FREQUENT for char in foreign) / len(foreign)
