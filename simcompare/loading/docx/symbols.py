"""Signs of the fonts Symbol and Wingdings, which stand in places of those fonts' own."""

_FIRST_OF_FONT = 0xF000
_SYMBOL = dict(
    zip(
        (*range(0x41, 0x5B), *range(0x61, 0x7B)),
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
) | {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼",
    0xA2: "′", 0xA3: "≤", 0xA4: "⁄", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓",
    0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷",
    0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC4: "⊗", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪",
    0xC9: "⊃", 0xCA: "⊇", 0xCB: "⊄", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇",
    0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDC: "⇐", 0xDE: "⇒",
    0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_WINGDINGS = {0x81 + place: chr(ord("①") + place) for place in range(10)} | {
    0x8C + place: chr(ord("❶") + place) for place in range(10)
} | {
    0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒", 0x74: "◆",
    0x75: "❖", 0x76: "❖", 0x77: "•", 0x9F: "•", 0xA1: "○", 0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xB6: "☆",
    0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓",
    0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}


def sign_of(font: str | None, code: int) -> str | None:
    """Return the character that a place in a symbol font stands for, None where it has no other."""
    signs = _FONTS.get((font or "").lower())
    place = code - _FIRST_OF_FONT if code >= _FIRST_OF_FONT else code
    if signs is None:
        return None
    own = chr(place) if signs is _SYMBOL and 0x20 <= place < 0x7F else None
    return signs.get(place, own)
