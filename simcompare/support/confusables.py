"""Letters of Cyrillic and Greek that look like Latin ones: folding them, and words disguised by them."""

import unicodedata
from functools import cache

# Cyrillic and Greek letters whose usual glyph is that of a Latin letter, lower case (forms are casefolded).
_LATIN_LOOKS = {
    "а": "a", "ӓ": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "ё": "e", "ѐ": "e", "һ": "h", "н": "h",
    "і": "i", "ї": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p", "ԛ": "q",
    "г": "r", "ѕ": "s", "т": "t", "ц": "u", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y", "ү": "y",
    "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "μ": "m", "ν": "v", "ο": "o", "ρ": "p",
    "τ": "t", "υ": "u", "χ": "x", "γ": "y", "ω": "w",
}  # fmt: skip
_TO_LATIN = str.maketrans(_LATIN_LOOKS)
# The way back: a Latin letter slipped into a Cyrillic or Greek word.
_FROM_LATIN = {
    "CYRILLIC": str.maketrans("abcehikmopstxyj", "авсенікморѕтхуј"),
    "GREEK": str.maketrans("abehikmnoptuvxyz", "αβεηικμνορτυνχυζ"),
}

# Of the Greek ones, those that no formula uses, as nobody could tell them from Latin letters.
_IDENTICAL_GREEK = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")
_FEWEST_LETTERS = 3
_FUNCTIONS = ("sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "lim", "exp", "max", "min")


@cache
def _script(character: str) -> str:
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


@cache
def fold_look_alikes(word: str) -> str:
    """Return a word of mixed scripts in the script that most of its letters have.

    A word wholly of one script stays as it is: Cyrillic prose is no disguise.
    """
    if word.isascii():
        return word
    scripts = [_script(c) for c in word if c.isalpha()]
    foreign = max(_FROM_LATIN, key=scripts.count)
    latin = scripts.count("LATIN")
    if not latin or foreign not in scripts:
        return word
    return word.translate(_TO_LATIN if latin >= scripts.count(foreign) else _FROM_LATIN[foreign])


@cache
def is_disguised(word: str) -> bool:
    """Whether a word of one script holds letters of another that only look as if they belonged to it.

    Formulas are no disguise: λmax, μm, ΔT; nor is a word whose foreign letters look like nothing else.
    """
    letters = [character for character in word if character.isalpha()]
    scripts = [_script(character) for character in letters]
    foreign = max(_FROM_LATIN, key=scripts.count)
    latin = scripts.count("LATIN")
    if len(letters) < _FEWEST_LETTERS or not latin or foreign not in scripts:
        return False
    if latin < scripts.count(foreign):
        table = _FROM_LATIN[foreign]
        return all(ord(c.lower()) in table for c, s in zip(letters, scripts, strict=True) if s == "LATIN")
    places = [place for place, script in enumerate(scripts) if script == foreign]
    return all(_looks_latin(letters, place) for place in places)


def _looks_latin(letters: list[str], place: int) -> bool:
    letter = letters[place]
    if letter.lower() not in _LATIN_LOOKS:
        return False
    inside = 0 < place < len(letters) - 1 and not "".join(letters).startswith(_FUNCTIONS)
    return _script(letter) != "GREEK" or letter in _IDENTICAL_GREEK or inside


_KANGXI = "".join(map(chr, range(0x2F00, 0x2FD6)))

_RADICALS = (
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
    _KANGXI + _RADICALS, unicodedata.normalize("NFKC", _KANGXI) + _IDEOGRAPHS
)
"""For `str.translate`: each radical to the ideograph a reader takes it for."""
