"""How the lines of a paragraph join: what a line end stood for."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from simcompare.loading.pdf.lines import Line, is_cjk

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def joined_text(lines: Sequence[Line], words: "Words") -> str:
    """Return the lines of a paragraph as one: hyphens at line ends joined, no space within Chinese."""
    text = lines[0].text
    for before, line in pairwise(lines):
        if before.hyphenated:
            text = words.joined(text, line.text)
        else:
            text += words.separator(before, line) + line.text
    return text


class Words:
    """What the document's own lines say about its words: broken at a hyphen or hyphenated, spaced or not."""

    _BORDER = re.compile(r"[\u4e00-\u9fff]( ?)[A-Za-z]|[A-Za-z]( ?)[\u4e00-\u9fff]")

    def __init__(self, lines: Sequence[Line]) -> None:
        self._known = Counter(word.lower() for word in _whole_words(lines))
        borders = [one or other for line in lines for one, other in self._BORDER.findall(line.text)]
        self._spaced_borders = borders.count(" ") * 2 > len(borders)

    def joined(self, text: str, following: str) -> str:
        """Join a word broken at a hyphen; keep the hyphen where the document writes it elsewhere."""
        stem, rest = _last_word(text.removesuffix("-")), _first_word(following)
        whole, with_hyphen = self._known[(stem + rest).lower()], self._known[f"{stem}-{rest}".lower()]
        both_are_words = self._known[stem.lower()] > 0 and self._known[rest.lower()] > 0
        keep = with_hyphen > whole or (whole == 0 and both_are_words)
        return (text if keep else text.removesuffix("-")) + following

    def separator(self, before: Line, after: Line) -> str:
        """Return what stands for a line end: a space, nothing within Chinese, between the two as drawn."""
        left, right = before.text[-1:], after.text[:1]
        if is_cjk(left) != is_cjk(right):
            return " " if before.spaced or self._is_spaced(left, right) else ""
        return "" if is_cjk(left) else " "

    def _is_spaced(self, left: str, right: str) -> bool:
        """Return whether the document mostly sets Chinese and Latin letters apart within its lines."""
        return left.isalnum() and right.isalnum() and self._spaced_borders


def _whole_words(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the words that stand whole in a line: not the halves of one broken at a line end."""
    broken = False
    for line in lines:
        text = line.text.partition(" ")[2] if broken else line.text
        broken = line.hyphenated
        for word in _WORD.findall(text.rpartition(" ")[0] if broken else text):
            yield word
            yield from word.split("-") if "-" in word else ()


def _last_word(text: str) -> str:
    match = re.search(r"[^\W\d_]+$", text)
    return match[0] if match else ""


def _first_word(text: str) -> str:
    match = re.match(r"[^\W\d_]+", text)
    return match[0] if match else ""
