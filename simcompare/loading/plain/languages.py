"""The code pages that Windows gives to languages and to the character sets of fonts."""

import codecs

# By the lower ten bits of a language's number.
_BY_LANGUAGE = {
    0x01: "cp1256",
    0x02: "cp1251",
    0x05: "cp1250",
    0x08: "cp1253",
    0x0D: "cp1255",
    0x0E: "cp1250",
    0x11: "cp932",
    0x12: "cp949",
    0x15: "cp1250",
    0x18: "cp1250",
    0x19: "cp1251",
    0x1A: "cp1250",
    0x1B: "cp1250",
    0x1E: "cp874",
    0x1F: "cp1254",
    0x22: "cp1251",
    0x23: "cp1251",
    0x24: "cp1250",
    0x25: "cp1257",
    0x26: "cp1257",
    0x27: "cp1257",
    0x29: "cp1256",
    0x2A: "cp1258",
}
_CHINESE, _SIMPLIFIED = 0x04, frozenset({0x0004, 0x0804, 0x1004})
_BY_CHARSET = {
    77: "mac-roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
}
_CODE_PAGES = {936: "gb18030", 54936: "gb18030", 65001: "utf-8", 10000: "mac-roman", 0: "cp1252"}
_WESTERN = "cp1252"


def encoding_of_language(language: int) -> str:
    """Return the encoding of a language's old files."""
    if language & 0x3FF == _CHINESE:
        return "gb18030" if language in _SIMPLIFIED else "cp950"
    return _BY_LANGUAGE.get(language & 0x3FF, _WESTERN)


def encoding_of_charset(charset: int) -> str | None:
    """Return the encoding of a font's character set; None where the set names none."""
    return _WESTERN if charset == 0 else _BY_CHARSET.get(charset)


def encoding_of_code_page(number: int) -> str:
    """Return the encoding of a Windows code page; Western where there is none of that number."""
    name = _CODE_PAGES.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return _WESTERN
