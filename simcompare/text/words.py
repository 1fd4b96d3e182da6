"""Word segmentation and part-of-speech tags of Han text; IDF, marker words and English stems.

rjieba segments Han text exactly as jieba does, about twenty times faster; a test compares the two.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from simcompare.support.resources import resource_path

_RUN_SEPARATOR = "\n"
# rjieba needs 250 bytes for each character of its input, and hangs or ends the process if there is no memory;
# longer input is not faster either.
_CHARACTERS_PER_CALL = 100_000
# Characters read beyond a place where a long run is cut. The words before it do not depend on what follows.
_LOOK_AHEAD = 1_000


@cache
def segmenter() -> ModuleType:
    """Import rjieba at its first use: it then loads its dictionary, for a fifth of a second."""
    import rjieba  # noqa: PLC0415 - see above

    return rjieba


def segment(runs: Iterable[str]) -> Iterator[list[tuple[str, str]]]:
    """Segment each run of Han characters into (word, tag) pairs; tags are jieba's ("n", "v", "ns", ...).

    Runs must contain only Han characters. The concatenated words of a run equal the run.
    """
    for joined in _joined_batches(runs):
        if len(joined) > _CHARACTERS_PER_CALL:
            yield _segmented_in_parts(joined)
            continue
        run: list[tuple[str, str]] = []
        for word_and_tag in segmenter().tag(joined):
            if word_and_tag[0] == _RUN_SEPARATOR:
                yield run
                run = []
            else:
                run.append(word_and_tag)
        yield run


def _segmented_in_parts(run: str) -> list[tuple[str, str]]:
    """Segment a run too long for one call; each part begins where a word of the part before it ends.

    Equal words are one object: 3 million characters have 2 million words.
    """
    words: list[tuple[str, str]] = []
    known: dict[tuple[str, str], tuple[str, str]] = {}
    start = 0
    while start < len(run):
        part = run[start : start + _CHARACTERS_PER_CALL]
        found = segmenter().tag(part)
        end = len(part)
        # a word of the whole part is kept
        while start + len(part) < len(run) and len(found) > 1 and end > len(part) - _LOOK_AHEAD:
            end -= len(found.pop()[0])
        words += [known.setdefault(word_and_tag, word_and_tag) for word_and_tag in found]
        start += end
    return words


def _joined_batches(runs: Iterable[str]) -> Iterator[str]:
    """Join runs up to the batch size; a longer run is a batch of its own."""
    waiting: list[str] = []
    characters = 0
    for run in runs:
        if waiting and characters + len(run) > _CHARACTERS_PER_CALL:
            yield _RUN_SEPARATOR.join(waiting)
            waiting, characters = [], 0
        waiting.append(run)
        characters += len(run) + len(_RUN_SEPARATOR)
    if waiting:
        yield _RUN_SEPARATOR.join(waiting)


def cut_mixed_text(text: str) -> list[str]:
    """Split a text of any script into tokens as `jieba.cut` does, including punctuation and blanks."""
    tokens: list[str] = segmenter().cut(text)
    return tokens


BACKGROUND_NAME = "background-1"
"""Part of every fingerprint's recipe; changed figures need a new name."""

# The median of jieba's list, which jieba itself assigns to Chinese words that are not in it.
_UNLISTED_CHINESE_IDF = 11.9547675029
# A text of random letters can have a million words: kept for ever, they take 100 MB.
_WORDS_KEPT = 1 << 16
# Just above the rarest listed English word; also for figures and for words of other scripts.
_UNLISTED_LATIN_IDF = 5.30


@lru_cache(maxsize=_WORDS_KEPT)
def inverse_document_frequency(word: str) -> float:
    """Return IDF = log(N/n + 0.01) of a word in the background, above 0 (Zhang & He, section 2.3)."""
    known = _chinese_idf().get(word) or _latin_idf().get(word)
    if known is not None:
        return known
    return _UNLISTED_LATIN_IDF if word.isascii() or not _is_han(word) else _UNLISTED_CHINESE_IDF


def is_listed_chinese(word: str) -> bool:
    """Return whether a word is in the list of Chinese words that the background has."""
    return word in _chinese_idf()


def is_common_english(word: str) -> bool:
    """Return whether a lower-case word is a common word of English articles; the list includes names."""
    return word in _latin_idf()


@cache
def marker_words() -> frozenset[str]:
    """Load the words that conclude, contrast or stress ("总之", "但是", "however"; Zhang & He, 3.2.2)."""
    files = ("markers-zh.txt", "markers-en.txt")
    return frozenset(line for name in files for line in lexicon_lines(name))


@cache
def _chinese_idf() -> dict[str, float]:
    """Load the IDF list that jieba ships for its own keyword extraction."""
    package = find_spec(
        "jieba"
    )  # importing jieba takes longer than all other modules of this package together
    assert package is not None, "simcompare is installed with it"
    assert package.origin is not None, "a package of files"
    return _table((Path(package.origin).with_name("analyse") / "idf.txt").read_text(encoding="utf-8"))


@cache
def _latin_idf() -> dict[str, float]:
    return _table("\n".join(lexicon_lines("background-en.tsv")))


def _table(text: str) -> dict[str, float]:
    """Parse words and their figures, separated by white space.

    Each process that reads a text parses 270,000 of them. They have 3,300 different figures: converting and
    keeping each of these once takes half the time and 6 MB less.
    """
    parts = text.split()
    figures = parts[1::2]
    values = {figure: float(figure) for figure in set(figures)}
    return dict(zip(parts[::2], map(values.__getitem__, figures), strict=True))


def lexicon_lines(name: str) -> list[str]:
    """Return the lines of a file of resources/lexicons, without comments."""
    lines = resource_path("lexicons", name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _is_han(word: str) -> bool:
    return "\u2e80" <= word[0] <= "\u9fff" or word[0] >= "\U00020000"


_MINIMUM_STEM_LENGTH = 3
# longest first; the rest must still look like a word
_ENDINGS = (
    "ingly", "edly", "ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e",
)  # fmt: skip


def stem(word: str) -> str:
    """Remove one common ending from an English word in comparable form; other words are unchanged.

    Simpler than Porter's stemmer and equally good for finding reworded sentences.
    """
    if not word.endswith(_ENDINGS) or not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MINIMUM_STEM_LENGTH:
            return word.removesuffix(ending)
    return word
