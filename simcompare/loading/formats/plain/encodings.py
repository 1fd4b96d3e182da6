"""Detect the encoding of text files and web pages by the likelihood of what is decoded.

The frequencies of characters are rounded from common counts for each language;
tests/benchmarks/encodings_grid.py measures that they suffice.
"""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import log

from simcompare.support.lazy import LazyPattern

# Frequencies in percent of the letters of ordinary text; capitals are a thirtieth as frequent.
_ACCENTED = {
    "english": "é.05 ï.02 è.01 ö.01 ü.01 ñ.01 ç.01 à.01 ê.01 á.005 í.005 ó.005",
    "french": "é1.9 à.5 è.3 ê.2 ç.1 ù.06 û.06 ô.06 î.05 â.05 œ.02 ë.01 ï.01 «.1 ».1",
    "german": "ü.6 ä.6 ß.3 ö.3 „.15 “.15 é.01",
    "spanish": "ó.8 í.7 á.5 é.4 ñ.3 ú.2 ü.02 ¿.03 ¡.02 «.05 ».05",
    "portuguese": "ã.7 ç.5 é.3 ê.4 á.3 í.2 ó.3 õ.1 ú.1 â.1 à.1 ô.1",
    "italian": "è.3 à.5 ù.1 ò.2 ì.1 é.05 «.05 ».05",
    "nordic": "å1.3 ä1.8 ö1.3 ø.9 æ.9 é.02 þ.1 ð.1",
    "polish": "ł1.8 ę1.1 ą1 ó.8 ż.8 ś.7 ć.4 ń.2 ź.06 „.1 ”.1",
    "czech": "í3.2 á2.2 é1.3 ě1.6 ř1.2 ž1 č1 ý1 š.8 ů.7 ú.1 ň.05 ť.04 ď.03 ó.03 ľ.2 ô.1 ä.1 „.1 “.1",
    "hungarian": "á3.5 é3.2 ó.9 ö.9 ő.9 í.5 ü.5 ú.3 ű.2 „.1 ”.1",
    "croatian": "č1 š1 ž.6 ć.6 đ.2 „.1 “.1",
    "romanian": "ă2.3 î1.2 ş1.2 ţ1 â.6 „.1 ”.1",
    "turkish": "ı4.8 ü1.9 ş1.8 ğ1.1 ç1.2 ö.8 â.1 İ.2",
}
_LETTERS = {
    "russian": "о11 е8.5 а8 и7.4 н6.7 т6.3 с5.5 р4.7 в4.5 л4.3 к3.5 м3.2 д3 п2.8 у2.6 я2 ы1.9 ь1.7 г1.7 з1.6"
    " б1.6 ч1.5 й1.2 х1 ж.9 ш.7 ю.6 ц.5 щ.4 э.3 ф.3 ъ.04 ё.2 «.2 ».2 №.02",
    "ukrainian": "о9 а8 н7 и6 і6 в5.5 т5 е5 р4.5 с4 к4 л3.7 д3 у3 м3 п2.8 я2 з2 ь1.8 г1.5 б1.5 ч1.3 х1.1 й1"
    " ї.9 ж.9 є.6 ц.8 ю.8 ш.7 щ.5 ф.3 ґ.02 «.2 ».2",
    "greek": "α9 ο8 ι7 ε7 τ7 ς4.5 ν6 η5 υ4 ρ4 σ4 κ4 π4 μ3 λ3 ω1.6 ί2 ό2 ά2.4 έ2 ή2 θ1.2 γ1.7 δ1.7 χ1.2 φ.8"
    " β.6 ύ1 ώ1 ξ.4 ζ.3 ψ.1 «.1 ».1",
}
_MARKS = "’.5 ‘.05 “.2 ”.2 –.15 —.15 ….1 \xa0.1 °.02 €.02 §.01 ©.01 ·.02 ².01 ½.01 •.03 ×.01 ®.01 ™.01"
_IDEOGRAPHIC_MARKS = (
    "，5 。3 、1 ；.3 ：.6 ？.4 ！.4 “.6 ”.6 「.4 」.4 《.2 》.2 （.3 ）.3 　1 —.3 ….3 ·.1 ‘.05 ’.05"
    " 『.05 』.05 【.05 】.05"
)
# The most frequent characters, half of any Chinese text, in simplified and traditional script.
_FREQUENT = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "這個們來為國說時會對於過發後裡用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些"
    "種經麼學現當沒動還進开開关關长長头頭问問无無前文本从從高日三月二者第与與因此但更内內心化性情"
)
_HIRAGANA = "のにはをたがでてとしれさいもなるかられりこうっまくそきんす"
_SYLLABLES = "이다는의에을를가한하고지로기은사도인자리대시어일서나라그것해아정들과만스수전부있었했습니"

# Scripts mixed within a word: accented words look like this when decoded with a wrong encoding.
_MIXED = LazyPattern(
    "(?<=[A-Za-z])[\u0370-\u052f]|[\u0370-\u052f](?=[A-Za-z])"
    "|[\uac00-\ud7a3](?=[a-z])|(?<=[a-z])[\u2e80-\u9fff](?=[a-z])"
)
_MIXING = log(1e-3)
_FLOOR = log(1e-8)
_UNDECODABLE = log(1e-7)
_CONTROL = log(1e-9)
_CAPITAL_SHARE = 1 / 30
_LEAST_ASCII = 0.3


def _shares(table: str) -> dict[str, float]:
    return {item[0]: log(float(item[1:]) / 100) for item in table.split(" ") if item}


def _ascii_share(table: str) -> float:
    """Return the share that the accented letters of a language leave to ASCII: few Czech words have none."""
    return max(_LEAST_ASCII, 1 - sum(float(item[1:]) for item in table.split(" ") if item) / 100)


def _with_capitals(shares: Mapping[str, float]) -> dict[str, float]:
    capitals = {char.upper(): share + log(_CAPITAL_SHARE) for char, share in shares.items()}
    return {char: share for char, share in capitals.items() if len(char) == 1} | dict(shares)


def _ascii(character: str) -> float:
    if character == " ":
        return log(0.16)
    if character.islower():
        return log(0.03)
    if character.isupper() or character in "\n,.":
        return log(0.005)
    return log(0.002) if character.isprintable() or character in "\t\r" else _CONTROL


def _row(character: str, encoding: str) -> int:
    """Return the row of a character in a national standard, or 0; low rows have the common characters."""
    try:
        return character.encode(encoding)[0]
    except UnicodeEncodeError:
        return 0


def _simplified(character: str) -> float:
    row = _row(character, "gb2312")
    if row:
        return log(1.1e-4) if 0xB0 <= row <= 0xD7 else log(1e-5)
    return log(1e-6) if 0x81 <= _row(character, "gbk") <= 0xFE else _FLOOR


def _traditional(character: str) -> float:
    row = _row(character, "big5")
    if row:
        return log(8e-5) if 0xA4 <= row <= 0xC6 else log(5e-6)
    return log(5e-7) if "\u4e00" <= character <= "\u9fff" else _FLOOR


def _japanese(character: str) -> float:
    if "\u3041" <= character <= "\u3096":
        return log(0.02 if character in _HIRAGANA else 0.004)
    if "\u30a1" <= character <= "\u30fc":
        return log(0.01 if character == "ー" else 0.002)
    row = _row(character, "euc_jp")
    if "\u4e00" <= character <= "\u9fff":
        return log(1.3e-4) if 0xB0 <= row <= 0xCF else log(4e-6)
    return log(1e-5) if row > 0x8F else _FLOOR


def _korean(character: str) -> float:
    if "\uac00" <= character <= "\ud7a3":
        return log(0.01 if character in _SYLLABLES else 2e-4 if _row(character, "euc_kr") else 1e-7)
    return log(1e-6) if _row(character, "euc_kr") else _FLOOR


def _rare(character: str) -> float:
    """Return the log probability of a character that the language does not use."""
    return log(1e-5) if character.isalpha() and character < "\u0250" else log(1e-7)


class _CharacterFrequencies(dict[str, float]):
    """Log probability of each character; computed on first use for characters without a known frequency."""

    def __init__(
        self, known: Mapping[str, float], score_unknown: Callable[[str], float], ascii_share: float = 1.0
    ) -> None:
        super().__init__(known)
        self._score_unknown = score_unknown
        self._ascii_share = log(ascii_share)

    def __missing__(self, character: str) -> float:
        self[character] = self._scored(character)
        return self[character]

    def _scored(self, character: str) -> float:
        if character.isascii():
            return _ascii(character) + self._ascii_share
        if character == "\ufffd":
            return _UNDECODABLE
        if "\x80" <= character <= "\x9f" or "\ue000" <= character <= "\uf8ff":
            return _CONTROL
        return self._score_unknown(character)


@cache
def _languages() -> dict[str, _CharacterFrequencies]:
    marks = _shares(_MARKS)
    languages = {
        name: _CharacterFrequencies(marks | _with_capitals(_shares(table)), _rare, _ascii_share(table))
        for name, table in {**_ACCENTED, **_LETTERS}.items()
    }
    frequent = dict.fromkeys(_FREQUENT, log(0.5 / len(_FREQUENT)))
    chinese = _shares(_IDEOGRAPHIC_MARKS)
    languages["simplified"] = _CharacterFrequencies(chinese | frequent, _simplified)
    languages["traditional"] = _CharacterFrequencies(chinese | frequent, _traditional)
    languages["japanese"] = _CharacterFrequencies(chinese, _japanese)
    languages["korean"] = _CharacterFrequencies(chinese, _korean)
    return languages


LATIN = ("english", "french", "german", "spanish", "portuguese", "italian", "nordic")
CENTRAL = ("polish", "czech", "hungarian", "croatian", "romanian", "german")
CYRILLIC = ("russian", "ukrainian")
ALL = (*_ACCENTED, *_LETTERS, "simplified", "traditional", "japanese", "korean")


def likelihood(text: str, languages: Iterable[str]) -> float:
    """Return the log probability of a text in the likeliest of the languages."""
    counts = Counter(text)
    mixed = len(_MIXED.findall(text))
    return mixed * _MIXING + max(
        sum(count * table[char] for char, count in counts.items())
        for table in (_languages()[name] for name in languages)
    )


# Values: the lower ten bits of Windows language identifiers (the primary language).
_LANGUAGES_OF = {
    "cp874": (0x1E,),
    "cp932": (0x11,),
    "cp949": (0x12,),
    "cp1250": (0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x24),
    "cp1251": (0x02, 0x19, 0x22, 0x23),
    "cp1253": (0x08,),
    "cp1254": (0x1F,),
    "cp1255": (0x0D,),
    "cp1256": (0x01, 0x29),
    "cp1257": (0x25, 0x26, 0x27),
    "cp1258": (0x2A,),
}
_CHINESE, _SIMPLIFIED = 0x04, frozenset({0x0004, 0x0804, 0x1004})
_BY_CHARSET = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437",
}  # fmt: skip
_CODE_PAGES = {936: "gb18030", 54936: "gb18030", 65001: "utf-8", 10000: "mac-roman", 0: "cp1252"}
_WESTERN = "cp1252"


def encoding_of_language(language: int) -> str:
    """Return the legacy Windows encoding of a language, given its Windows language identifier."""
    if language & 0x3FF == _CHINESE:
        return "gb18030" if language in _SIMPLIFIED else "cp950"
    primary = language & 0x3FF
    return next((name for name, languages in _LANGUAGES_OF.items() if primary in languages), _WESTERN)


def encoding_of_charset(charset: int) -> str | None:
    """Return the encoding of a font's character set; None if the set implies none."""
    return _WESTERN if charset == 0 else _BY_CHARSET.get(charset)


def encoding_of_code_page(number: int) -> str:
    """Return the encoding of a Windows code page; cp1252 for an unknown number."""
    name = _CODE_PAGES.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return _WESTERN


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
