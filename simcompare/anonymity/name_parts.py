"""The parts of a file's name: runs of one script, and what tells them from each other."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from simcompare.anonymity.ordinary_words import FUNCTION_WORDS, GENERAL_WORDS
from simcompare.anonymity.spelling import folded
from simcompare.loading.formats import is_suffix_of_text

# class, date, part of the course: "三年级2班", "高一", "第3单元", "第2稿"
_COURSE = re.compile(
    r"第?[初高大小]?[一二三四五六七八九十\d]+(?:年级|级|班|组|届|学期|学年|单元|课|次|稿|版|月|日|周|号)"
    r"|[初高][一二三](?=\W|_|\d|$)"
)
_BETWEEN_PIECES = re.compile(
    r"[_()\[\]【】《》<>「」『』“”\"+&#@|;、:~=]+|\s+[-\u2013\u2014]+\s+|[\u2013\u2014]+"
)
_WORD = r"(?![A-Za-z]{1,3}\d{5})[^\W\d_\u2e80-\uffff]+"
_RUN = re.compile(
    r"(?P<han>[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u00b7]+)"
    r"|(?P<number>(?<![A-Za-z\d])[A-Za-z]{0,3}\d{5,20}(?!\d))"
    rf"|(?P<latin>{_WORD}(?:(?:['\u2019\u02bc\-.]|,?\s|\.\s)?{_WORD})*\.?)"
    r"|(?P<digits>\d+)"
)
_ENDING = re.compile(r"\.(?:[a-z][a-z0-9]{0,7}|[A-Z][A-Z0-9]{0,3})")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LATIN_WORD = re.compile(r"[^\W\d_]+(?:['\u2019\u02bc][^\W\d_]+)*\.?")
_HAN = "[\u3400-\u9fff\uf900-\ufaff]"
# "王 明": the characters of a name set apart
_APART = re.compile(rf"(?<=(?<!{_HAN}){_HAN})\s+(?={_HAN}(?!{_HAN}))")


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a file's name, at a place among its parts; kind: "han", "latin", "number" or "digits"."""

    kind: str
    text: str
    place: int
    beside_number: bool


def stem_of(path: Path) -> str:
    """Return the name of a file without its ending; what stands behind the dot of "Ms.Kowalski" is none."""
    return path.stem if is_suffix_of_text(path.suffix) or _ENDING.fullmatch(path.suffix) else path.name


def runs_of(stem: str) -> list[Run]:
    """Return the runs of a file's name without its ending; class, date and draft are none of them."""
    plain = _APART.sub("", _COURSE.sub("_", unicodedata.normalize("NFKC", stem)))
    found = [
        (str(match.lastgroup), match[0].strip(" .-"))
        for piece in _BETWEEN_PIECES.split(plain)
        for match in _RUN.finditer(piece)
    ]
    return _placed(list(_joined_latin(found)))


def without(runs: Sequence[Run], texts: Collection[str]) -> list[Run]:
    """Return runs without those of these texts, at their new places."""
    return _placed([(run.kind, run.text) for run in runs if run.text not in texts])


def _placed(found: Sequence[tuple[str, str]]) -> list[Run]:
    numbers = [kind == "number" for kind, _text in found]
    return [
        Run(kind, text, n, any(numbers[max(n - 1, 0) : n + 2]) and kind != "number")
        for n, (kind, text) in enumerate(found)
    ]


def _joined_latin(found: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Join "Smith" and "John" of "Smith_John_essay2": single words alike that follow each other."""
    for (kind, _is_upper, _number), group in groupby(enumerate(found), key=_joined_with):
        texts = [text for _number, (_kind, text) in group]
        if kind == "word":
            yield "latin", " ".join(texts)
        else:
            yield from ((kind, text) for text in texts)


def _joined_with(numbered: tuple[int, tuple[str, str]]) -> tuple[str, bool, int]:
    """Return what the runs that are joined have alike; the number keeps others apart."""
    number, (kind, text) = numbered
    words = words_of(text) if kind == "latin" else []
    if len(words) == 1 and may_be_name(words[0]):
        return "word", words[0][0].isupper(), 0
    return kind, False, number


def camel_spaced(text: str) -> str:
    """Return "John Smith" for "JohnSmith"."""
    return _CAMEL.sub(" ", text)


def words_of(text: str) -> list[str]:
    """Return the words of a Latin run."""
    return LATIN_WORD.findall(camel_spaced(text))


def is_general(run: Run) -> bool:
    """Whether a run has words alone that stand in the names of all kinds of files."""
    if run.kind == "han":
        return folded(run.text).characters in GENERAL_WORDS
    return run.kind == "latin" and not any(map(may_be_name, words_of(run.text)))


def may_be_name(word: str) -> bool:
    """Whether a word is none of those that stand in the names of all kinds of files."""
    return word.casefold().strip(".") not in GENERAL_WORDS | FUNCTION_WORDS
