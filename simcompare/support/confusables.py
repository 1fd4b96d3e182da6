"""Letters and characters that look like others: folding, and detection of disguised words."""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

# Cyrillic and Greek letters whose usual glyph is a Latin letter's; lower case, as comparable forms are.
_LATIN_LOOK_ALIKES = {
    "а": "a", "ӓ": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "ё": "e", "ѐ": "e", "һ": "h", "н": "h",
    "і": "i", "ї": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p", "ԛ": "q",
    "г": "r", "ѕ": "s", "т": "t", "ц": "u", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y", "ү": "y",
    "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "μ": "m", "ν": "v", "ο": "o", "ρ": "p",
    "τ": "t", "υ": "u", "χ": "x", "γ": "y", "ω": "w",
}  # fmt: skip
_TO_LATIN = str.maketrans(_LATIN_LOOK_ALIKES)
# The reverse direction: a Latin letter in a Cyrillic or Greek word.
_FROM_LATIN = {
    "CYRILLIC": str.maketrans("abcehikmopstxyj", "авсенікморѕтхуј"),
    "GREEK": str.maketrans("abehikmnoptuvxyz", "αβεηικμνορτυνχυζ"),
}

# Greek letters that formulas do not use, because they are indistinguishable from Latin letters.
_IDENTICAL_GREEK = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")
_FEWEST_LETTERS = 3
_WORDS_KEPT = 1 << 16
_WORDS_AROUND = 8
_FUNCTIONS = ("sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "lim", "exp", "max", "min")


@cache
def _script(character: str) -> str:
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


@lru_cache(maxsize=_WORDS_KEPT)
def fold_look_alikes(word: str) -> str:
    """Fold a word of mixed scripts to that of most of its letters, or to the only one it can have.

    A word in one script is unchanged: Cyrillic prose is no disguise.
    """
    if word.isascii():
        return word
    scripts = [_script(c) for c in word if c.isalpha()]
    other_script = max(_FROM_LATIN, key=scripts.count)
    latin = scripts.count("LATIN")
    if not latin or other_script not in scripts:
        return word
    is_latin = latin >= scripts.count(other_script) or not _all_in(other_script, word.lower())
    return word.translate(_TO_LATIN if is_latin else _FROM_LATIN[other_script])


def _all_in(other_script: str, word: str) -> bool:
    """Return whether all Latin letters of a word look like some of the other script."""
    return all(ord(c) in _FROM_LATIN[other_script] for c in word if _script(c) == "LATIN")


def fold_to_latin(word: str) -> str:
    return word.translate(_TO_LATIN)


@lru_cache(maxsize=_WORDS_KEPT)
def may_be_latin(word: str) -> bool:
    """Return whether Cyrillic letters of a word could all be Latin ones, and the Latin ones all Cyrillic."""
    letters = [character for character in word.lower() if character.isalpha()]
    scripts = {_script(character) for character in letters}
    if "CYRILLIC" not in scripts or not scripts <= {"CYRILLIC", "LATIN"}:
        return False
    return _all_in("CYRILLIC", "".join(letters)) and all(
        c in _LATIN_LOOK_ALIKES for c in letters if _script(c) == "CYRILLIC"
    )


def is_among_latin(words: Sequence[str], place: int) -> bool:
    """Return whether the next words on both sides that cannot be of two scripts are Latin ones.

    Words wholly of look-alike letters are only told by them; at the ends of a text one side is enough.
    """
    sides = (
        range(place - 1, max(-1, place - 1 - _WORDS_AROUND), -1),
        range(place + 1, min(len(words), place + 1 + _WORDS_AROUND)),
    )
    told = {_first_script(words[each] for each in side) for side in sides} - {None}
    return told == {True}


def _first_script(words: Iterable[str]) -> bool | None:
    """Return whether the first word of one script is a Latin one; None without any."""
    for word in words:
        if not may_be_latin(word) and (scripts := {_script(character) for character in word} - {""}):
            return "LATIN" in scripts
    return None


@lru_cache(maxsize=_WORDS_KEPT)
def is_disguised(word: str) -> bool:
    """Return whether a word of one script contains look-alike letters of another script.

    Formulas are no disguise (λmax, μm, ΔT), nor are words with letters of another script that look like no
    letter of the first.
    """
    letters = [character for character in word if character.isalpha()]
    scripts = [_script(character) for character in letters]
    other_script = max(_FROM_LATIN, key=scripts.count)
    latin = scripts.count("LATIN")
    if len(letters) < _FEWEST_LETTERS or not latin or other_script not in scripts:
        return False
    if latin < scripts.count(other_script) and _all_in(other_script, "".join(letters).lower()):
        return True
    places = [place for place, script in enumerate(scripts) if script == other_script]
    return all(_looks_latin(letters, place) for place in places)


def _looks_latin(letters: list[str], place: int) -> bool:
    letter = letters[place]
    if letter.lower() not in _LATIN_LOOK_ALIKES:
        return False
    inside = 0 < place < len(letters) - 1 and not "".join(letters).startswith(_FUNCTIONS)
    return _script(letter) != "GREEK" or letter in _IDENTICAL_GREEK or inside


_KANGXI = "".join(map(chr, range(0x2F00, 0x2FD6)))

_MORE_RADICALS = (
    "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡"
    "⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁"
    "⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡"
    "⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳"
)
_IDEOGRAPHS = (
    "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵旡日月歺母民氵"
    "氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎"
    "衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐"
    "马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟"
)
EQUIVALENT_IDEOGRAPHS = str.maketrans(
    _KANGXI + _MORE_RADICALS, unicodedata.normalize("NFKC", _KANGXI) + _IDEOGRAPHS
)
"""Table for `str.translate`: each radical to the unified ideograph that it looks like."""
RADICALS = "\u2e80-\u2fdf"
COMPATIBILITY_IDEOGRAPHS = (
    "\uf900-\ufa0d\ufa10\ufa12\ufa15-\ufa1e\ufa20\ufa22\ufa25\ufa26\ufa2a-\ufaff\U0002f800-\U0002fa1f"
)
"""Ranges for patterns: characters that look like unified ideographs."""
