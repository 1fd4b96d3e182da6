"""Words and parts of speech of Han text, by jieba's dictionary and model.

rjieba gives jieba's own words for Han text, some twenty times faster; a test compares the two.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import rjieba

from simcompare.support.resources import resource_path

_BETWEEN_RUNS = "\n"
# rjieba needs memory by the length of what it is given at once; beyond this it is not faster either.
_CHARACTERS_AT_ONCE = 100_000


def segment(runs: Iterable[str]) -> Iterator[list[tuple[str, str]]]:
    """Cut each run of Han characters into (word, tag) pairs; tags are jieba's ("n", "v", "ns", ...).

    Runs must hold Han characters alone. The words of a run, joined, are the run.
    """
    for joined in _joined(runs):
        run: list[tuple[str, str]] = []
        for word_and_tag in rjieba.tag(joined):
            if word_and_tag[0] == _BETWEEN_RUNS:
                yield run
                run = []
            else:
                run.append(word_and_tag)
        yield run


def _joined(runs: Iterable[str]) -> Iterator[str]:
    """Join as many runs as are cut at once; a longer run stays whole, so that its words do."""
    waiting: list[str] = []
    characters = 0
    for run in runs:
        if waiting and characters + len(run) > _CHARACTERS_AT_ONCE:
            yield _BETWEEN_RUNS.join(waiting)
            waiting, characters = [], 0
        waiting.append(run)
        characters += len(run) + len(_BETWEEN_RUNS)
    if waiting:
        yield _BETWEEN_RUNS.join(waiting)


def cut_mixed_text(text: str) -> list[str]:
    """Cut a text of any script into tokens as `jieba.cut` does, punctuation and blanks included."""
    tokens: list[str] = rjieba.cut(text)
    return tokens


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


_LEAST_STEM = 3
# longest first; what is left must still look like a word
_ENDINGS = (
    "ingly", "edly", "ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e",
)  # fmt: skip


def stem(word: str) -> str:
    """Cut one common ending off an English word in comparable form; other words stay as they are.

    Rougher than Porter's stemmer and as good for finding reworded sentences.
    """
    if not word.endswith(_ENDINGS) or not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word
