"""The fixed background collection: how rare a word is in general, and which words mark a turn.

A fixed background keeps the weight of a word, and so every stored fingerprint, independent of the
documents that happen to be loaded.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from simcompare.resources import resource_path

BACKGROUND_NAME = "background-1"
"""Named in every fingerprint made with it; a change of the figures needs a new name."""

# The median of jieba's list, which jieba itself gives to Chinese words that are not in it.
_UNLISTED_CHINESE_IDF = 11.9547675029
# Just above the rarest listed English word; also for figures and for words of other scripts.
_UNLISTED_LATIN_IDF = 5.30


@cache
def inverse_document_frequency(word: str) -> float:
    """Return IDF = log(N/n + 0.01) of a word in the background, above 0 (Zhang & He, section 2.3)."""
    known = _chinese().get(word) or _latin().get(word)
    if known is not None:
        return known
    return _UNLISTED_LATIN_IDF if word.isascii() or not _is_han(word) else _UNLISTED_CHINESE_IDF


def is_common_english(word: str) -> bool:
    """Whether a word in small letters is one of the common ones of English articles, names among them."""
    return word in _latin()


@cache
def marker_words() -> frozenset[str]:
    """Return the words that conclude, turn or stress ("总之", "但是", "however"; section 3.2.2)."""
    files = ("markers-zh.txt", "markers-en.txt")
    return frozenset(line for name in files for line in _lines(resource_path("lexicons", name)))


@cache
def _chinese() -> dict[str, float]:
    """Return the list that jieba brings along for its own keyword extraction."""
    package = find_spec("jieba")  # to import it takes longer than all other modules of this room
    assert package is not None, "simcompare is installed with it"
    assert package.origin is not None, "a package of files"
    return _table(Path(package.origin).with_name("analyse") / "idf.txt", " ")


@cache
def _latin() -> dict[str, float]:
    return _table(resource_path("lexicons", "background-en.tsv"), "\t")


def _table(path: Path, separator: str) -> dict[str, float]:
    pairs = (line.rsplit(separator, 1) for line in _lines(path))
    return {word: float(figure) for word, figure in pairs}


def _lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _is_han(word: str) -> bool:
    return "\u2e80" <= word[0] <= "\u9fff" or word[0] >= "\U00020000"
