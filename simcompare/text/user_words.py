"""Read a user's own words, in the form that `jieba.load_userdict` reads."""

import re
from pathlib import Path

from simcompare.model.errors import FileError, FileNotReadableError, FileTooLargeError, os_errors_as
from simcompare.model.settings import UserWords
from simcompare.support.i18n import N_
from simcompare.text.thesaurus import comparable_words

_MOST_WORDS, _MOST_BYTES = 10_000, 1_000_000
# jieba takes any line as a word, but finds none with blanks; with frequency 0 it would delete a word
_REST = "(?: [1-9][0-9]{0,8})?(?: [a-z]{1,16})?"
_LINE = re.compile(r"[^\s\ufffd]{1,32}" + _REST)
_USED = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]{1,32}" + _REST)


class UserWordError(FileError):
    template = N_(
        "{name}, line {line}: there must be a word in UTF-8 and, if wanted, a frequency and a tag after it, "
        "separated by one space, as in “云计算 5 n”."
    )


def read_user_words(path: Path) -> UserWords:
    """Read a list of words; those with other than Chinese characters have no effect. Raises FileError."""
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)), path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    lines = [line.strip() for line in data.decode("utf-8-sig", "replace").splitlines()]
    if len(data) > _MOST_BYTES or len(lines) > _MOST_WORDS:
        raise FileTooLargeError(path, cause=N_("it has more than 10,000 words"))
    for number, line in enumerate(lines, start=1):
        if line and not _LINE.fullmatch(line):
            raise UserWordError(path, line=number)
    entries = [line.split() for line in lines if line]
    words = comparable_words([word for word, *_rest in entries])
    rewritten = (" ".join([word, *rest]) for word, (_word, *rest) in zip(words, entries, strict=True))
    if not (text := "\n".join(filter(_USED.fullmatch, rewritten))):
        raise UserWordError(path, line=1)
    return UserWords(str(path), text)


def are_usable(words: UserWords) -> bool:
    """Return whether words that a session has are such as are read from a file."""
    lines = words.text.split("\n")
    return len(lines) <= _MOST_WORDS and all(map(_USED.fullmatch, lines))
