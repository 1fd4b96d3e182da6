"""Find the names and numbers of students in a text, with checks of the context of ambiguous names."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate

from simcompare.pseudonyms.chinese_names import (
    SPEAKING,
    has_name_form,
    is_name_alone,
    is_noun,
    is_ordinary,
    is_phrase,
    readings_of,
)
from simcompare.pseudonyms.latin_names import may_be_name
from simcompare.pseudonyms.name_folding import (
    MatchCondition,
    NameVariant,
    folded,
    is_ordinary_word,
    transliterations,
)
from simcompare.pseudonyms.spellings import students_by_variant, variants_of
from simcompare.pseudonyms.students import Student
from simcompare.support.lazy import LazyPattern
from simcompare.text.comparable import FoldedText, is_han
from simcompare.text.words import inverse_document_frequency, segmenter, surname_of

_EDGE = re.compile(r"[\s\d_()\[\]|/+&#@:\u00b7\-\u2013\u2014]?")
"""Character beside a lone name, in a list or a page header; empty at the end of a text."""
_LABEL = re.compile(
    r"(?:姓\s*名|作\s*者|学生|名字)\s*(?:[:_]\s*|是|叫)?$|[我他她名]叫$|我是$|[\d一二三四五六七八九十)]\s*班\s*$"
)
_TITLE = re.compile(
    r"同学|老师|小朋友|的?(?:作文|作业|习作|日记|周记|读后感|妈妈|爸爸|父母|爷爷|奶奶|姐姐|哥哥|弟弟|妹妹|同桌|书包)"
)
_COMPANION = re.compile(r"(?:同学|同桌|朋友|组长|班长|伙伴|(?:表扬|批评|告诉|提醒|鼓励)了?)$")
_OPENING_QUOTES = '\u201c\u300c"'
_WITH, _TOGETHER = re.compile("[和跟与同]$"), re.compile("一起|一块|两个人|俩")
_DOES = re.compile(
    r"(?:写的|画的|编的|讲的|(?:正?在[^,。!?;:\n]{0,5})?"
    r"(?:跑步|跳绳|[打踢]篮?足?球|[写做](?:作业|实验|题)|[看读]书|上课|举手|画画|骑车|弹琴|刷牙|洗脸|打电话))"
)
"""What only people do."""
_QUANTITY = re.compile(
    r"\s?[\d一二三四五六七八九十百千万两几数半.]+[多余]?\s?[公千厘毫]?"
    "(?:[里米丈尺寸亩顷平克斤吨元个人倍度%]|块(?!儿))"
)
AMOUNT = (
    r"\d*(?:\.\d+)?[多余几]?"
    r"(?:[百千万亿人台次]|年(?![级龄])|部(?!门)|\s?(?:[美欧日]?元|英镑|块|(?:yuan|rmb|usd|dollars?)\b))"
)
"""The rest of a number that counts or costs: neither an account nor a telephone."""
_SENTENCE = re.compile(r"[,。!?;]")
_OPENING_CHARACTERS = 600
_LONGEST_HEADING = 30
_MOST_BESIDE = 8


def is_person_context(text: str, start: int, end: int, *, is_noun: bool, is_own: bool) -> bool:
    """Return whether the folded characters [start, end), an ordinary word, are used as the name of a person.

    Refused: words before a quantity (方圆五里). Accepted: lone words, words that follow "姓名" or precede
    "同学", and nouns with a verb of speaking or writing. The first or last word of a heading is accepted in
    names of files, in notes and in the student's own text.
    """
    before, after = text[max(start - _MOST_BESIDE, 0) : start], text[end : end + _MOST_BESIDE]
    is_called = before[-1:] in _OPENING_QUOTES and after[:1] == "!"
    if _QUANTITY.match(after):
        return False
    if _LABEL.search(before) or _TITLE.match(after) or (before and is_called):
        return True
    is_together = _WITH.search(before) is not None and _TOGETHER.match(after) is not None
    if is_noun and (is_together or _COMPANION.search(before) or SPEAKING.match(after) or _DOES.match(after)):
        return True
    edges = [_EDGE.fullmatch(text[max(start - 1, 0) : start]), _EDGE.fullmatch(text[end : end + 1])]
    return all(edges) or (any(edges) and _is_in_a_heading(text, start, is_own=is_own))


def _is_in_a_heading(text: str, start: int, *, is_own: bool) -> bool:
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    line = text[begin : stop if stop >= 0 else len(text)]
    may_be_one = len(line) == len(text) or (is_own and start < _OPENING_CHARACTERS)
    return may_be_one and len(line) <= _LONGEST_HEADING and not _SENTENCE.search(line)


_BEFORE_NAMES = frozenset("和跟与同对向问叫让给把被是的了我你他她请而但听见找像以为")
"""Single characters before a name that are no surname there."""
_BEFORE_NAME = re.compile(
    r"(?:(?<![^\W_])(?!(?:an?|the|this|that|of|in|at|on|from|to)[^\S\n]?$)[a-z][\w'\u2019]{0,19},?|(?<![^\W_])I"
    r"|(?:^|[.!?\n])\s?(?!(?:The|An?|In|At|On|From)[^\S\n])[A-Z][a-z]+|[\u3400-\u9fff(\[](?!\n))[^\S\n]?$"
)
_CAPITAL_AFTER = re.compile(r"[^\S\n]+(?!I\b)[A-Z]")
_AFTER_NAME = re.compile(
    r"['\u2019]s\b|,? (?:said|says|asked|asks|told|thinks|thought|wrote|replied|answered|and I)\b"
    r"|[\u3400-\u9fff!\uff01]"
)
"""What follows a given name that begins a sentence and is a word as well, such as Grace."""
_OF_OTHERS = re.compile(
    r"\s(?:the\s[A-Z]|[IVX]{2,}\b)|['\u2019]s\s(?:modulus|laws?|theor(?:em|y)|rule|equation|constant|disease)\b"
)
"""After the name of someone who is not in the class: Alexander the Great, Young's modulus."""
_ABBREVIATION = re.compile(r"(?<=[a-z][^\S\n])[A-Z]{2,3}\b|[A-Z]{2,3}(?=[^\S\n][a-z])")
_RAREST_BEGUN_IDF = 7.2
_BLANKS = re.compile(r"[^\S\n]*")
_WORD = re.compile(r"[^\W_]+")
_NEXT_WORD = re.compile(r"[^\S\n]{1,2}([^\W\d_]{2,})")


@dataclass(frozen=True, slots=True, order=True)
class NameMatch:
    """Match span [start, end) in code points; `students`: indices of the students who have this name.

    is_whole: neither a part of a name nor initials.
    """

    start: int
    end: int
    students: tuple[int, ...]
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class _MatchCandidate:
    """Possible name at [start, end) of a folded form; is_whole: neither a part of a name nor initials."""

    start: int
    end: int
    students: tuple[int, ...]
    letters: int
    is_whole: bool


class _SearchText:
    """Text to search, with its folded form and, on first use, its word boundaries."""

    def __init__(self, text: str) -> None:
        self.source = text
        self.form: FoldedText = folded(text)

    @cached_property
    def boundaries(self) -> Sequence[int]:
        """Sorted boundaries of dictionary words, offsets in the folded form; unknown names are split."""
        return list(accumulate(map(len, segmenter().cut(self.form.characters, False)), initial=0))

    @cached_property
    def likely_boundaries(self) -> frozenset[int]:
        """Boundaries of words including unknown ones that the HMM of jieba proposes."""
        return frozenset(accumulate(map(len, segmenter().cut(self.form.characters)), initial=0))

    def meets(self, condition: MatchCondition, match: re.Match[str], *, is_own: bool) -> bool:
        """Return whether a match meets a condition; `is_own`: it is in the text of the student."""
        if condition is MatchCondition.NONE or condition is MatchCondition.OWN_TEXT:
            return condition is MatchCondition.NONE or (is_own and all(map(self._is_boundary, match.span())))
        return {
            MatchCondition.CAPITALISED: self._is_capitalised,
            MatchCondition.CAPITALISED_ALONE: self._is_capitalised_alone,
            MatchCondition.NAME_ALONE: self._is_name_alone,
            MatchCondition.CAMEL_CASE: self._is_camel_case,
            MatchCondition.NAME_IN_SENTENCE: self._is_in_sentence,
            MatchCondition.WHOLE_WORD: lambda found: all(map(self._is_boundary, found.span())),
            MatchCondition.SHORT_NAME: self._is_short_name,
            MatchCondition.PERSON_CONTEXT: lambda found: self._is_person(found, is_own=is_own),
            MatchCondition.WORD_BOUNDARY: self._is_between_words,
            MatchCondition.UNCUT: self._is_uncut,
            MatchCondition.NOT_OF_WORDS: lambda found: not self._is_of_words(*found.span()),
            MatchCondition.MISSPELT: self._is_misspelt,
        }[condition](match)

    def _is_person(self, match: re.Match[str], *, is_own: bool) -> bool:
        if self._is_within_word(*match.span()):
            return False
        noun = is_noun("".join(match[0].split()))
        return is_person_context(self.form.characters, *match.span(), is_noun=noun, is_own=is_own)

    def _is_misspelt(self, match: re.Match[str]) -> bool:
        if match[0].isascii():
            return self._is_capitalised(match) and not is_ordinary_word(match[0])
        return all(map(self._is_boundary, match.span())) and not is_ordinary(match[0])

    def _is_between_words(self, match: re.Match[str]) -> bool:
        start, end = match.span()
        if _TITLE.match(self.form.characters, end):
            return True
        return not self._is_within_word(start, end) and (self._is_boundary(start) or self._is_boundary(end))

    def _is_uncut(self, match: re.Match[str]) -> bool:
        start, end = match.span()
        characters = self.form.characters
        (first, first_stop), (last, stop) = self._word_at(start), self._word_at(end - 1)
        is_begun = last == end - 1 and inverse_document_frequency(characters[last:stop]) < _RAREST_BEGUN_IDF
        if (is_begun and stop > end) or characters[end : end + 1] == characters[end - 1]:
            # 王明 in 王明明显瘦了
            following = next(iter(segmenter().cut(characters[end : end + 4], False)))
            return len(following) > 1 and self._is_between_words(match)
        may_be_cut = first < start and not surname_of(match[0]) and end not in self.likely_boundaries
        return self._is_between_words(match) and not (
            may_be_cut and is_ordinary(characters[first:first_stop])
        )

    def _is_within_word(self, start: int, end: int) -> bool:
        begin, stop = self._word_at(start)
        return end <= stop and (begin, stop) != (start, end)

    def _word_at(self, offset: int) -> tuple[int, int]:
        index = bisect_right(self.boundaries, offset) - 1
        return self.boundaries[index], self.boundaries[index + 1]

    def _is_of_words(self, start: int, end: int) -> bool:
        """Return whether characters are the ends of words, as 国王|明明; a surname alone begins a name."""
        begin, stop = self._word_at(start)
        characters = self.form.characters
        if stop - begin == 1 or not is_ordinary(characters[begin:stop]) or _TITLE.match(characters, end):
            return False
        others = list(dict.fromkeys(map(self._word_at, range(stop, end))))
        is_cut = bool(others) and others[-1][1] > end
        return is_cut or (begin < start and all(last - first > 1 for first, last in others))

    def _is_boundary(self, offset: int) -> bool:
        is_known = self.boundaries[bisect_right(self.boundaries, offset) - 1] == offset
        return is_known or offset in self.likely_boundaries

    def _is_short_name(self, match: re.Match[str]) -> bool:
        """Return whether a character is not the end of a longer name, as in 陈梓轩说."""
        start = match.start()
        index = bisect_right(self.boundaries, start) - 1
        before = self.form.characters[self.boundaries[index - 1] : start] if index else ""
        if self.boundaries[index] != start:  # 和平 in 我和平同学
            before = self.form.characters[self.boundaries[index] : start]
            return before in _BEFORE_NAMES
        return not before or not is_han(before[-1]) or len(before) > 1 or before in _BEFORE_NAMES

    def _is_in_sentence(self, match: re.Match[str]) -> bool:
        if not self._is_capitalised(match):
            return False
        start, end = int(self.form.starts[match.start()]), int(self.form.ends[match.end() - 1])
        before, after = self.source[max(start - 20, 0) : start], self.source[end : end + 20]
        if _OF_OTHERS.match(after):
            return False
        if _BEFORE_NAME.search(before):
            return not _CAPITAL_AFTER.match(after)
        return _AFTER_NAME.match(after) is not None

    def _is_capitalised(self, match: re.Match[str]) -> bool:
        begins = [begin for begin, _end in match.regs[1:] if begin >= 0]
        return all(not self.source[int(self.form.starts[begin])].islower() for begin in begins)

    def _is_name_alone(self, match: re.Match[str]) -> bool:
        start, end = int(self.form.starts[match.start()]), int(self.form.ends[match.end() - 1])
        is_other = _ABBREVIATION.match(self.source, start) or _OF_OTHERS.match(self.source, end)
        return not is_other and self._is_capitalised(match)

    def _is_camel_case(self, match: re.Match[str]) -> bool:
        start, end = int(self.form.starts[match.start()]), int(self.form.ends[match.end() - 1])
        return self._is_capitalised(match) and not self.source[start:end].isupper()

    def _is_capitalised_alone(self, match: re.Match[str]) -> bool:
        start, end = int(self.form.starts[match.start()]), int(self.form.ends[match.end() - 1])
        following = _NEXT_WORD.match(self.source, end)
        is_among_capitals = self.source[start:end].isupper() and following and following[1].isupper()
        return self._is_capitalised(match) and not is_among_capitals


class _VariantGroup:
    """Name variants that begin with the same character, the longest first."""

    def __init__(self, variants: Mapping[NameVariant, tuple[int, ...]]) -> None:
        ordered = sorted(variants, key=lambda variant: (-variant.length, variant.is_part, variant.pattern))
        self._variants = [(variant, variants[variant]) for variant in ordered]
        self._any = re.compile("|".join(f"(?P<s{n}>{variant.pattern})" for n, variant in enumerate(ordered)))

    def matches(self, form: str, start: int) -> Iterator[tuple[NameVariant, tuple[int, ...], re.Match[str]]]:
        """Yield the variants that match at an offset, the longest first, with their students."""
        found = self._any.match(form, start)
        if found is None or found.lastgroup is None:
            return
        # variants longer than the first alternative that matched do not match here
        for variant, students in self._variants[int(found.lastgroup[1:]) :]:
            if match := _compiled(variant.pattern).match(form, start):
                yield variant, students, match


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class NameFinder:
    """Find students in texts by all variants of their names and numbers; the longest match wins."""

    def __init__(
        self,
        students: Sequence[Student],
        variants: Callable[[Student], Iterator[NameVariant]] = variants_of,
        *,
        with_shared_parts: bool = False,
    ) -> None:
        self._students = students
        self._variants = variants
        self._with_shared_parts = with_shared_parts

    @cached_property
    def _groups(self) -> Mapping[str, _VariantGroup]:
        """The variants by first character, so that few of hundreds of students are tried at an offset."""
        students_of = students_by_variant(
            [list(self._variants(student)) for student in self._students],
            with_shared_parts=self._with_shared_parts,
        )
        found: defaultdict[str, dict[NameVariant, tuple[int, ...]]] = defaultdict(dict)
        for variant, students in students_of.items():
            for character in variant.first_characters:
                found[character][variant] = students
        return {character: _VariantGroup(variants) for character, variants in found.items()}

    @cached_property
    def _begins(self) -> re.Pattern[str]:
        """Pattern of the offsets at which a variant can begin: not inside a Latin word or a number."""
        letters = "".join(
            character for character in self._groups if character.isascii() and character.isalpha()
        )
        digits = "".join(filter(str.isdigit, self._groups))
        others = re.escape("".join(set(self._groups) - {*letters, *digits}))
        known = {"(?<![a-z])[{}]": letters, r"(?<!\d)[{}]": digits, "[{}]": others}
        patterns = [pattern.format(characters) for pattern, characters in known.items() if characters]
        return re.compile("|".join(patterns) or "(?!)")

    def matches(self, text: str, own: int | None = None) -> list[NameMatch]:
        """Find where students are named, in order and without overlap.

        `own`: index of the author of the text, preferred among students of the same name. Adjacent matches
        with only blanks between them and a student in common are joined.
        """
        joined: list[NameMatch] = []
        for match in self._single_names(_SearchText(text), own):
            last = joined[-1] if joined else None
            common = () if last is None else tuple(s for s in last.students if s in match.students)
            if last is not None and common and _BLANKS.fullmatch(text, last.end, match.start):
                joined[-1] = NameMatch(last.start, match.end, common)
            else:
                joined.append(match)
        return joined

    def _single_names(self, text: _SearchText, own: int | None) -> Iterator[NameMatch]:
        source_end = 0
        for name in self._selected(text, own, 0, len(text.form.characters)):
            start, end = int(text.form.starts[name.start]), int(text.form.ends[name.end - 1])
            # two names in the folded form may share a character of the text, such as a ligature
            if start >= source_end:
                yield NameMatch(start, end, name.students, name.is_whole)
            source_end = end

    def _selected(
        self, text: _SearchText, own: int | None, start: int, end: int
    ) -> Iterator[_MatchCandidate]:
        """Yield names in [start, end) of the folded form, in order and without overlap.

        A longer name has precedence over initials or a part of a name that it overlaps: "Thomas Gray" over
        "A. Thomas" in "He got an A. Thomas Gray laughed."
        """
        while (name := next(self._candidates(text, own, start, end, end), None)) is not None:
            first = name
            while not name.is_whole:
                inside = list(self._candidates(text, own, name.start + 1, name.end, end))
                longest = max(inside, key=lambda candidate: candidate.letters, default=name)
                if longest.letters <= name.letters:
                    break
                name = longest
            if name is not first:
                yield from self._selected(text, own, start, name.start)
            yield name
            start = name.end

    def _candidates(
        self, text: _SearchText, own: int | None, start: int, stop: int, last_end: int
    ) -> Iterator[_MatchCandidate]:
        """Yield the longest name at each position in [start, stop) that ends at `last_end` or before."""
        characters = text.form.characters
        for begin in self._begins.finditer(characters, start):
            if begin.start() >= stop:
                return
            matching = [
                (variant, students, match)
                for variant, students, match in self._groups[begin[0]].matches(characters, begin.start())
                if match.end() <= last_end and text.meets(variant.condition, match, is_own=own in students)
            ]
            if matching:
                yield _candidate(matching, own)

    def named_by(self, text: str, *, in_full: bool = False) -> frozenset[int]:
        """Return the indices of the students of whose name the text is a spelling or, if allowed, a part."""
        matches, rest = self.matches(text), list(text)
        for match in reversed(matches):
            del rest[match.start : match.end]
        is_name = matches and all(match.is_whole or not in_full for match in matches)
        if not is_name or any(map(str.isalnum, rest)):
            return frozenset()
        return frozenset.intersection(*(frozenset(match.students) for match in matches))

    def without_cut_names(self, text: str) -> tuple[int, int]:
        """Return the code points [start, end) of an excerpt without fragments of names at its ends.

        An excerpt may begin or end inside a name, and no name variant matches such a fragment.
        """
        form = folded(text)
        characters = form.characters
        starts = (len(rest) for rest in self._suffixes if characters.startswith(rest))
        ends = (len(characters) - len(rest) for rest in self._prefixes if characters.endswith(rest))
        start = max((offset for offset in starts if _is_word_edge(characters, offset)), default=0)
        end = min((offset for offset in ends if _is_word_edge(characters, offset)), default=len(characters))
        if start >= end:
            return 0, 0
        return int(form.starts[start]), int(form.ends[end - 1])

    @cached_property
    def _prefixes(self) -> frozenset[str]:
        return frozenset(name[:n] for name in self._written for n in range(1, len(name)))

    @cached_property
    def _suffixes(self) -> frozenset[str]:
        return frozenset(name[n:] for name in self._written for n in range(1, len(name)))

    @cached_property
    def _written(self) -> frozenset[str]:
        """The folded forms of all names, numbers and pinyin readings, and their single words."""
        texts = [text for student in self._students for text in (*student.names, *student.numbers)]
        texts += [other for text in texts for other, _is_rare in transliterations(text)]
        readings = (
            reading for student in self._students for name in student.names for reading in readings_of(name)
        )
        forms = {folded(text).characters for text in (*texts, *(reading.written for reading in readings))}
        return frozenset({*forms, *(word for form in forms for word in _WORD.findall(form))})


def _candidate(
    matching: Sequence[tuple[NameVariant, tuple[int, ...], re.Match[str]]], own: int | None
) -> _MatchCandidate:
    """Return the first of the matches at an offset, with the students of all that are equal to it.

    "W. Zhang" matches different variants for Zhang Wei and Zhang Wenjing.
    """
    first, _students, match = matching[0]
    is_whole = not (first.is_part or first.has_initials)
    equal = [
        students
        for variant, students, other in matching
        if other.end() == match.end()
        and variant.is_rare <= first.is_rare
        and (variant.is_part or variant.has_initials) <= (not is_whole)
    ]
    students = tuple(dict.fromkeys(student for each in equal for student in each))
    found = (own,) if own is not None and own in students else students
    return _MatchCandidate(*match.span(), found, sum(map(str.isalnum, match[0])), is_whole)


_MET_IN_ENGLISH = re.compile(r"\bmy (?:friend|classmate|deskmate)s? (?P<name>[A-Z]\w+)(?= [a-z])")
_ACCOUNT_OR_NUMBER = re.compile(
    r"(?<![a-zA-Z\d_.%@/])(?:@[A-Za-z][\w.\-]{2,30}|(?!(?:19|20)\d{6}(?!\d))\d{7,18}|\d{3}-\d{4}(?!-))"
    rf"(?![.%]\d|[a-zA-Z\d_]|{AMOUNT})"
)
_NAME_LINE = LazyPattern(
    r"(?:(?:(?:成员|组员|组长|合作(?:者|人|伙伴)|搭档|同组(?:同学)?|老师|教师|班主任|作者|提交人|报告人|姓名)\s?:"
    r"|^(?:(?:小组)?成员|组员|组长|合作者|同组|(?:指导|任课)(?:老师|教师))[^\S\n])"
    r"|\b(?:members?|(?:team|group)s?(?:\s\w)?|partners?|collaborators?|(?:co-?)?authors?|teachers?|tutors?|instructors?"
    r"|supervisors?|lecturers?|professors?|students?|names?)\s?:|^(?:from|to|cc)\s?:"
    r"|(?:\b(?:submitted|prepared|written|reviewed)\s|^)by\b:?"
    r"|^(?=(?:professor|prof|dr|mrs?|ms|miss)\b[^\n]{3,40}$))[^\S\n]{0,3}(?P<names>(?:\n[^\n:]{2,30}$)+|[^\n]+?)(?=\s[^\s:]{1,12}:|$)",
    re.MULTILINE,
)
"""Line that names a group, an author or a teacher, in a folded text."""
_CAPITALISED = r"(?![a-z\u00df-\u00ff])[^\W\d_\u2e80-\uffff](?:['\u2019\-]?[^\W\d_\u2e80-\uffff])*+"
_HAN_NO_AND = "[^\x00-\u33ff\ua000-\U0010ffff和与及]"
_AFTER_HAN_NAME = "老师|老師|教授|同学|同學|先生|女士"
_BETWEEN_NAMES = re.compile(rf"(?:[(（][^\n()（）]*[)）]|[\W\d]|and\b|with\b|[和与及]|{_AFTER_HAN_NAME})*+")
_NAME_IN_LINE = LazyPattern(
    rf"\b(?:(?:Professor|Prof|Dr|Mrs?|Ms|Miss)\b\.?\s)?"
    rf"(?P<latin>{_CAPITALISED}(?:\.?[^\S\n](?:(?:van|von|de[rl]?|la|bin|al)\s)*{_CAPITALISED})*)"
    rf"|(?<![\u3400-\u9fff])[\u3400-\u9fff]{{2,4}}?(?:\u00b7[\u3400-\u9fff]+)*(?={_AFTER_HAN_NAME}|(?![\u3400-\u9fff]))"
    rf"|(?<!{_HAN_NO_AND}){_HAN_NO_AND}{{2,4}}?(?={_AFTER_HAN_NAME}|(?!{_HAN_NO_AND}))"
)
_WORK = re.compile(r"《[^《》\n]{1,40}》|(?<![:,说道喊问叫答])[“「][^“”「」,。!?;:\n]{1,20}[”」]")


def unknown_people(text: str) -> Iterator[NameMatch]:
    """Yield accounts, long numbers, and people who are called friends, other than in titles of works."""
    for match in _MET_IN_ENGLISH.finditer(text):
        yield NameMatch(*match.span("name"), ())
    yield from (NameMatch(*match.span(), ()) for match in _ACCOUNT_OR_NUMBER.finditer(text))
    searched = _SearchText(text)
    yield from _people_in_name_lines(searched)
    characters, borders = searched.form.characters, searched.boundaries
    in_titles = {n for title in _WORK.finditer(characters) for n in range(*title.span())}
    for start, end in ((start, end) for n, start in enumerate(borders) for end in borders[n + 1 : n + 4]):
        name = characters[start:end]
        before = characters[max(start - _MOST_BESIDE, 0) : start]
        is_met = _LABEL.search(before) or _COMPANION.search(before) or _TITLE.match(characters, end)
        is_short = len(name) <= len(surname_of(name)) + 2 and end in searched.likely_boundaries
        is_name = is_short and has_name_form(name) and all(map(is_han, name)) and name[0] not in _BEFORE_NAMES
        if is_met and is_name and start not in in_titles and is_name_alone(name) and not is_phrase(name):
            yield NameMatch(int(searched.form.starts[start]), int(searched.form.ends[end - 1]), ())


def _people_in_name_lines(searched: _SearchText) -> Iterator[NameMatch]:
    """Yield the names in lines that name a group, an author or, at the head of a text, a teacher."""
    for line in _NAME_LINE.finditer(searched.form.characters):
        if line.start("names") == line.start() > _OPENING_CHARACTERS:
            continue
        end, last = (int(searched.form.starts[n]) for n in (line.start("names"), line.end("names") - 1))
        for match in _NAME_IN_LINE.finditer(searched.source, end, last + 1):
            if not _BETWEEN_NAMES.fullmatch(searched.source, end, match.start()):
                break
            end = match.end()
            if match["latin"]:
                is_name = any(map(may_be_name, _WORD.findall(match["latin"])))
            else:
                words = list(segmenter().cut(folded(match[0]).characters, False))
                is_name = has_name_form("".join(words)) or not any(
                    len(w) > 1 and is_ordinary(w) for w in words
                )
            if is_name:
                yield NameMatch(*match.span("latin" if match["latin"] else 0), ())


def _is_word_edge(characters: str, offset: int) -> bool:
    """Return whether no Latin word or number continues across an offset."""
    around = characters[max(offset - 1, 0) : offset + 1]
    return len(around) < 2 or not (around.isascii() and around.isalnum())
