"""Where in a text the students of a class are named."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate

import rjieba

from simcompare.pseudonyms.chinese_names import is_noun
from simcompare.pseudonyms.name_folding import Check, Spelling, folded, written_otherwise
from simcompare.pseudonyms.pinyin import readings_of
from simcompare.pseudonyms.spellings import spellings_of, unshared
from simcompare.pseudonyms.students import Student
from simcompare.text.comparable import FoldedText

_EDGE = re.compile(r"[\s\d_()\[\]|/+&#@:\u00b7\-\u2013\u2014]?")
"""What stands beside a name by itself, in a list or the head of a sheet; nothing at the end of a line."""
_LABEL = re.compile(
    r"(?:姓\s*名|作\s*者|学生|名字)\s*(?:[:_]\s*|是|叫)?$|[我他她名]叫$|我是$|[\d一二三四五六七八九十)]\s*班\s*$"
)
_TITLE = re.compile(r"同学|老师|小朋友|的?(?:作文|作业|习作|日记|周记|读后感)")
_COMPANION = re.compile(r"(?:同学|同桌|朋友|组长|班长|伙伴)$")
_SPEAKING = re.compile(r"(?:笑着|大声|轻声)?(?:说(?![明法服起])|问道|喊道|答道|回答)")
_WITH, _TOGETHER = re.compile("[和跟与同]$"), re.compile("一起|一块|两个人|俩")
_SENTENCE = re.compile(r"[,。!?;]")
_OPENING_CHARACTERS = 600
_LONGEST_HEADING = 30
_MOST_BESIDE = 8


def speaks_of_a_person(text: str, start: int, end: int, *, is_noun: bool, is_own: bool) -> bool:
    """Whether folded characters [start, end), an ordinary word, are a student's name where they stand.

    They are by themselves, beside "姓名" or "同学", or nouns that speak. At an end of a heading they are in
    names of files and notes, and in the first lines of the student's own text.
    """
    before, behind = text[max(start - _MOST_BESIDE, 0) : start], text[end : end + _MOST_BESIDE]
    if _LABEL.search(before) or _TITLE.match(behind):
        return True
    is_together = _WITH.search(before) is not None and _TOGETHER.match(behind) is not None
    if is_noun and (is_together or _COMPANION.search(before) or _SPEAKING.match(behind)):
        return True
    edges = [_EDGE.fullmatch(text[max(start - 1, 0) : start]), _EDGE.fullmatch(text[end : end + 1])]
    return all(edges) or (any(edges) and _is_in_a_heading(text, start, is_own=is_own))


def _is_in_a_heading(text: str, start: int, *, is_own: bool) -> bool:
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    line = text[begin : stop if stop >= 0 else len(text)]
    may_be_one = len(line) == len(text) or (is_own and start < _OPENING_CHARACTERS)
    return may_be_one and len(line) <= _LONGEST_HEADING and not _SENTENCE.search(line)


_BLANKS = re.compile(r"[^\S\n]*")
_WORD = re.compile(r"[^\W_]+")
_NEXT_WORD = re.compile(r"[^\S\n]{1,2}([^\W\d_]{2,})")


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """Code points [start, end) of a text that name a student: one of those at these places of the list."""

    start: int
    end: int
    students: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Named:
    """Characters [start, stop) of a folded form that name one of these students."""

    start: int
    stop: int
    students: tuple[int, ...]
    letters: int
    is_whole: bool


class _Text:
    """A text in which names are looked for."""

    def __init__(self, text: str) -> None:
        self.source = text
        self.form: FoldedText = folded(text)

    @cached_property
    def borders(self) -> Sequence[int]:
        """Where words of the dictionary begin and end, in order; names are none of them."""
        return list(accumulate(map(len, rjieba.cut(self.form.characters, False)), initial=0))

    @cached_property
    def likely_borders(self) -> frozenset[int]:
        """Where words begin and end, those that a model takes for words as well."""
        return frozenset(accumulate(map(len, rjieba.cut(self.form.characters)), initial=0))

    def passes(self, check: Check, match: re.Match[str], *, is_own: bool) -> bool:
        """Whether what was found in the folded form may be a name, in the student's own text or another."""
        if check is Check.CAPITALS:
            return self._is_capitalised(match)
        if check is Check.CAPITALS_OF_ITS_OWN:
            return self._is_capitalised(match) and not self._is_among_capitals(match)
        if check is Check.NOTHING:
            return True
        if check is Check.OWN_TEXT:
            return is_own
        start, end = match.span()
        if check is Check.A_PERSON:
            noun = is_noun("".join(match[0].split()))
            return speaks_of_a_person(self.form.characters, start, end, is_noun=noun, is_own=is_own)
        return not self._is_in_a_word(start, end) and (self._ends_words(start) or self._ends_words(end))

    def _is_in_a_word(self, start: int, end: int) -> bool:
        place = bisect_right(self.borders, start) - 1
        begin, stop = self.borders[place], self.borders[place + 1]
        return end <= stop and (begin, stop) != (start, end)

    def _ends_words(self, edge: int) -> bool:
        is_border = self.borders[bisect_right(self.borders, edge) - 1] == edge
        return is_border or edge in self.likely_borders

    def _is_capitalised(self, match: re.Match[str]) -> bool:
        begins = [begin for begin, _end in match.regs[1:] if begin >= 0]
        return all(not self.source[int(self.form.starts[begin])].islower() for begin in begins)

    def _is_among_capitals(self, match: re.Match[str]) -> bool:
        start, end = int(self.form.starts[match.start()]), int(self.form.ends[match.end() - 1])
        following = _NEXT_WORD.match(self.source, end)
        return following is not None and self.source[start:end].isupper() and following[1].isupper()


class _Group:
    """Spellings that begin with one character, the longest first."""

    def __init__(self, spellings: Mapping[Spelling, tuple[int, ...]]) -> None:
        ordered = sorted(spellings, key=lambda one: (-one.characters, one.is_part, one.pattern))
        self._spellings = [(one, spellings[one]) for one in ordered]
        self._any = re.compile("|".join(f"(?P<s{n}>{one.pattern})" for n, one in enumerate(ordered)))

    def matches(self, form: str, place: int) -> Iterator[tuple[Spelling, tuple[int, ...], re.Match[str]]]:
        """Yield the spellings that stand at a place, the longest first, whose they are, and what stands."""
        found = self._any.match(form, place)
        if found is None or found.lastgroup is None:
            return
        # what is longer than the first does not stand there
        for spelling, students in self._spellings[int(found.lastgroup[1:]) :]:
            if match := _compiled(spelling.pattern).match(form, place):
                yield spelling, students, match


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class Finder:
    """Finds students by all spellings of their names and numbers, the longest first."""

    def __init__(self, students: Sequence[Student]) -> None:
        self._students = students

    @cached_property
    def _groups(self) -> Mapping[str, _Group]:
        """The spellings by their first character: of hundreds of students few begin alike."""
        owners = unshared([list(spellings_of(student)) for student in self._students])
        found: defaultdict[str, dict[Spelling, tuple[int, ...]]] = defaultdict(dict)
        for spelling, students in owners.items():
            for begin in spelling.begins:
                found[begin][spelling] = students
        return {begin: _Group(spellings) for begin, spellings in found.items()}

    @cached_property
    def _begins(self) -> re.Pattern[str]:
        """Where a spelling may begin: at its first character, a letter or a digit not within others."""
        letters = "".join(one for one in self._groups if one.isascii() and one.isalpha())
        digits = "".join(one for one in self._groups if one.isdigit())
        others = re.escape("".join(set(self._groups) - {*letters, *digits}))
        known = {"(?<![a-z])[{}]": letters, r"(?<!\d)[{}]": digits, "[{}]": others}
        patterns = [pattern.format(characters) for pattern, characters in known.items() if characters]
        return re.compile("|".join(patterns) or "(?!)")

    def hits(self, text: str, own: int | None = None) -> list[Hit]:
        """Return where students are named, in order and apart from each other.

        `own` is the student to whom the text belongs: of several with the same name it is this one. What
        follows each other with blanks between, and may name the same student, is one hit.
        """
        joined: list[Hit] = []
        for hit in self._single(_Text(text), own):
            last = joined[-1] if joined else None
            both = () if last is None else tuple(one for one in last.students if one in hit.students)
            if last is not None and both and _BLANKS.fullmatch(text, last.end, hit.start):
                joined[-1] = Hit(last.start, hit.end, both)
            else:
                joined.append(hit)
        return joined

    def _single(self, text: _Text, own: int | None) -> Iterator[Hit]:
        written = 0
        for name in self._apart(text, own, 0, len(text.form.characters)):
            first, behind = int(text.form.starts[name.start]), int(text.form.ends[name.stop - 1])
            if first >= written:
                yield Hit(first, behind, name.students)
            written = behind

    def _apart(self, text: _Text, own: int | None, start: int, stop: int) -> Iterator[_Named]:
        """Yield the names at characters [start, stop) of the folded form; whole ones go before parts."""
        while (name := next(self._names(text, own, start, stop, stop), None)) is not None:
            first = name
            while longer := self._longest_within(text, own, name, stop):
                name = longer
            if name is not first:
                yield from self._apart(text, own, start, name.start)
            yield name
            start = name.stop

    def _longest_within(self, text: _Text, own: int | None, name: _Named, stop: int) -> _Named | None:
        """Return the longest name that begins within a shorter one that may not be meant."""
        if name.is_whole:
            return None
        names = self._names(text, own, name.start + 1, name.stop, stop)
        longer = (one for one in names if one.letters > name.letters)
        return max(longer, key=lambda one: one.letters, default=None)

    def _names(self, text: _Text, own: int | None, start: int, stop: int, most: int) -> Iterator[_Named]:
        """Yield the longest name at each place in [start, stop) that ends at `most` or before."""
        for begin in self._begins.finditer(text.form.characters, start):
            if begin.start() >= stop:
                return
            at = begin.start()
            for spelling, students, match in self._groups[begin[0]].matches(text.form.characters, at):
                is_own = own in students
                if match.end() <= most and text.passes(spelling.check, match, is_own=is_own):
                    is_whole = not (spelling.is_part or spelling.has_initials)
                    owners = (own,) if own is not None and is_own else students
                    yield _Named(at, match.end(), owners, sum(map(str.isalnum, match[0])), is_whole)
                    break

    def torn(self, text: str) -> tuple[int, int]:
        """Return the code points [start, end) of a text that are left without the rests of names at its ends.

        The text is cut out of a longer one: a name that the cut went through is found by no spelling.
        """
        form = folded(text)
        characters = form.characters
        begin = max(
            (
                len(rest) for rest in self._behinds
                if characters.startswith(rest) and _ends_a_word(characters, len(rest))
            ),
            default=0,
        )  # fmt: skip
        stop = max(
            (
                len(rest) for rest in self._beginnings
                if characters.endswith(rest) and _ends_a_word(characters, len(characters) - len(rest))
            ),
            default=0,
        )  # fmt: skip
        end = len(characters) - stop
        if begin >= end:
            return 0, 0
        return int(form.starts[begin]), int(form.ends[end - 1])

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        """What names and numbers may begin with before they are cut off."""
        return frozenset(name[:n] for name in self._written for n in range(1, len(name)))

    @cached_property
    def _behinds(self) -> frozenset[str]:
        return frozenset(name[n:] for name in self._written for n in range(1, len(name)))

    @cached_property
    def _written(self) -> frozenset[str]:
        told = [text for student in self._students for text in (*student.names, *student.numbers)]
        told += [other for text in told for other, _is_rare in written_otherwise(text)]
        read = (read for student in self._students for name in student.names for read in readings_of(name))
        forms = {folded(text).characters for text in (*told, *(one.written for one in read))}
        return frozenset({*forms, *(word for form in forms for word in _WORD.findall(form))})


def _ends_a_word(characters: str, edge: int) -> bool:
    """Whether no Latin word goes over an edge."""
    around = characters[max(edge - 1, 0) : edge + 1]
    return len(around) < 2 or not (around.isascii() and around.isalnum())
