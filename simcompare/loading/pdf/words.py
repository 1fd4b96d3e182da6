"""How the lines of a paragraph join: what a line end stood for."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from simcompare.loading.pdf.lines import Line, is_cjk

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Joined:
    """The text of a paragraph; `pages` and `origins` say of each character where its box is.

    A character that no page shows has page 0 and origin -1.
    """

    text: str
    pages: Sequence[int] = field(repr=False)
    origins: Sequence[int] = field(repr=False)

    def after(self, begin: int) -> "Joined":
        """Return what stands from `begin` on."""
        return Joined(self.text[begin:], self.pages[begin:], self.origins[begin:])


def joined_text(lines: Sequence[Line], words: "Words") -> Joined:
    """Return the lines of a paragraph as one: hyphens at line ends joined, no space within Chinese."""
    texts, pages, origins = [lines[0].text], [lines[0].page] * len(lines[0].text), list(lines[0].origins)
    for before, line in pairwise(lines):
        if line.cell != before.cell:
            between = "\t"
        else:
            between = "" if before.hyphenated else words.separator(before, line)
        if not between and before.hyphenated and words.is_broken(before.text, line.text):
            texts[-1] = texts[-1][:-1]
            del pages[-1], origins[-1]
        texts += between, line.text
        pages += [0] * len(between) + [line.page] * len(line.text)
        origins += [-1] * len(between)
        origins += line.origins
    return Joined("".join(texts), pages, origins)


class Words:
    """What the document's own lines say about its words: broken at a hyphen or hyphenated, spaced or not."""

    _BORDER = re.compile(r"[\u4e00-\u9fff]( ?)[A-Za-z]|[A-Za-z%]( ?)[\u4e00-\u9fff]")

    def __init__(self, lines: Sequence[Line]) -> None:
        self._known = Counter(word.lower() for word in _whole_words(lines))
        borders = [one or other for line in lines for one, other in self._BORDER.findall(line.text)]
        self._spaced_borders = borders.count(" ") * 2 > len(borders)

    def is_broken(self, text: str, following: str) -> bool:
        """Return whether a word was broken at the hyphen, which the document does not write elsewhere."""
        stem, rest = _last_word(text.removesuffix("-")), _first_word(following)
        whole, with_hyphen = self._known[(stem + rest).lower()], self._known[f"{stem}-{rest}".lower()]
        both_are_words = self._known[stem.lower()] > 0 and self._known[rest.lower()] > 0
        return with_hyphen <= whole and (whole > 0 or not both_are_words)

    def separator(self, before: Line, after: Line) -> str:
        """Return what stands for a line end: a space, nothing within Chinese, between the two as drawn."""
        left, right = before.text[-1:], after.text[:1]
        if is_cjk(left) != is_cjk(right):
            return " " if before.spaced or self._is_spaced(left, right) else ""
        return "" if is_cjk(left) else " "

    def _is_spaced(self, left: str, right: str) -> bool:
        """Return whether the document mostly sets Chinese and Latin letters apart within its lines."""
        return (left.isalnum() or left == "%") and right.isalnum() and self._spaced_borders


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
