"""Lines that contain only the writer's name, class, school, student number, date or teacher."""

import unicodedata
from collections.abc import Iterator, Sequence
from enum import Enum, auto

import numpy as np

from simcompare.comparison.comparison_result import BoolArray
from simcompare.model.document import Document
from simcompare.support.lazy_pattern import LazyPattern
from simcompare.text.comparable import fold_for_search
from simcompare.text.prepared_text import PreparedText
from simcompare.text.word_lists import surname_of

_LONGEST_LINE = 60
_MOST_FIRST_LINES, _MOST_LAST_LINES = 8, 4
_ENDS_OF_SENTENCES = tuple("。！？!?…；;")

_HAN = "[\u3400-\u9fff\uf900-\ufaff]"
_COUNT = "[一二三四五六七八九十\\d]"
_BLANKS = r"[\s_]*"
_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_DATE = (
    r"\d{2,4}\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d{1,4}\s?[日号]?|\d{1,2}\s?月\s?\d{1,2}\s?[日号]|\d{4}\s?年\s?\d{1,2}\s?月"
    r"|[〇零○一二三四五六七八九]{4}年[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}[日号]"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}\.?,?\s\d{{4}}"
    rf"|{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}}"
)
_CLASS = (
    rf"[初高大小]?{_COUNT}+\s*(?:年级|年級|级|級|年)?\s*\(?\s*{_COUNT}*\s*\)?\s*班|[初高大小]?{_COUNT}+年[级級]"
    rf"|[初高][一二三](?!{_HAN})|(?![我你他她它咱这那在]){_HAN}{{2,10}}\d{{1,4}}班"
    r"|\b(?:class|grade|year|form|section|period)\s(?:\d{1,2}\s?[a-z]?|[a-z])\b"
)
_SCHOOL = (
    rf"{_HAN}{{2,15}}?(?:小学|小學|中学|中學|学校|學校|大学|大學|学院|學院|附小|附中)"
    rf"(?=[\W\d_]|{_COUNT}|[初高]|$)"
)
_ANY_SCHOOL = LazyPattern(
    rf"(?:^|(?<=[^\u3400-\u9fff]))(?:(?![我你他她它们的是上在这那每到]){_HAN}){{2,15}}?"
    r"(?:小学|小學|中学|中學|学校|學校|大学|大學|学院|學院|附小|附中)(?![生时時])"
    r"|\b(?:[A-Z][\w'’.\-]*\s){1,4}(?:School|College|University|Academy)\b"
)
_ANY_CLASS = LazyPattern(rf"(?i:{_CLASS})")
_CHINESE_NAME = rf"{_HAN}(?:\s{{1,2}}{_HAN}){{1,2}}(?!{_HAN})|{_HAN}{{2,4}}(?:·{_HAN}{{1,6}})?(?!{_HAN})"
_WORD = r"(?:[A-Z][\w'’\-]*\.?)"
_LATIN_NAME = rf"(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s)?{_WORD}(?:\s{_WORD}){{0,3}}"

_OF_PEOPLE = (
    r"(?:学\s*生|學\s*生)?姓\s*名|作\s*者|撰\s*稿人?|指[导導](?:教[师師]|老[师師])|任[课課](?:教[师師]|老[师師])|教\s*[师師]"
    r"|班主任|(?:student(?:'s)?\s)?name|author|teacher|instructor|professor|(?:written\s)?by"
)
_OF_GROUPS = (
    r"班\s*[级級]|年\s*[级級]|专\s*业|院\s*系|学\s*院|系\s*别|[学學]\s*校|小\s*组|课\s*程|科\s*目"
    r"|class|grade|year|school|section|period|course|subject"
)
_OF_NUMBERS = (
    r"[学學]\s*[号號]|座\s*位?\s*[号號]|考\s*[号號]|编\s*号|学籍号|准考证号|字\s*[数數]|得\s*分|成\s*绩|分\s*数|评\s*分"
    r"|student\s(?:id|no\.?|number)|id|no\.?|number|word\scount|words|score|mark"
)
_OF_DATES = r"日\s*期|写作时间|date"
_LABELS = "|".join((_OF_PEOPLE, _OF_GROUPS, _OF_NUMBERS, _OF_DATES, r"性\s*别"))
_END_OF_VALUE = (
    rf"(?=\s*(?:$|[,|/;\t])|\s{{2,}}|\s(?i:{_LABELS}){_BLANKS}:|(?:姓名|班级|学号|座号|日期){_BLANKS}:)"
)
_SET_APART = r"(?:^|(?<=[,|/;\t(:])|(?<=[,|/;\t(:]\s)|(?<=\s\s))"
_VALUE_CHARACTER = r"[^\n\t:。！？!?；;，,]"
_BLANK_TO_FILL = rf"(?=\s*$|[\t|]|_|\s+(?i:{_LABELS}))_*"


class _NameLinePart(Enum):
    """Kind of a part of a line; a decisive one, or a long number beside a name, makes it a name line."""

    LABELLED = auto()
    CLASS = auto()
    DATE = auto()
    SCHOOL = auto()
    LONG_NUMBER = auto()
    NUMBER = auto()
    DAY = auto()
    TEACHER = auto()
    NAME = auto()


_DECISIVE_PARTS = frozenset({_NameLinePart.LABELLED, _NameLinePart.CLASS, _NameLinePart.DATE})


def _labelled(labels: str, value: str, *, colon: str = ":|(?<=_)") -> str:
    return rf"(?i:{labels}){_BLANKS}(?:{colon}){_BLANKS}(?:{value}|{_BLANK_TO_FILL})"


_PATTERNS = tuple(
    (part, LazyPattern(pattern))
    for part, pattern in (
        (
            _NameLinePart.LABELLED,
            _labelled(_OF_PEOPLE, rf"(?:{_CHINESE_NAME})(?:老[师師])?|{_LATIN_NAME}{_END_OF_VALUE}"),
        ),
        (_NameLinePart.LABELLED, rf"姓\s*名\s+(?:{_CHINESE_NAME})"),
        (_NameLinePart.LABELLED, rf"班\s*[级級]\s+(?:{_CLASS})"),
        (_NameLinePart.LABELLED, _labelled(_OF_DATES, rf"(?i:{_DATE})")),
        (
            _NameLinePart.LABELLED,
            _labelled(_OF_NUMBERS, r"[A-Za-z]{0,3}\d[\d\-]{0,19}分?", colon=r":|(?<=[_\s])|(?=\d)"),
        ),
        (_NameLinePart.LABELLED, _labelled(r"性\s*别", "[男女]")),
        (_NameLinePart.LABELLED, _labelled(_OF_GROUPS, rf"{_VALUE_CHARACTER}{{1,30}}?{_END_OF_VALUE}")),
        (_NameLinePart.DATE, rf"(?i:{_DATE})"),
        (_NameLinePart.CLASS, rf"(?i:{_CLASS})"),
        (_NameLinePart.SCHOOL, _SCHOOL),
        (_NameLinePart.LONG_NUMBER, r"[A-Za-z]{0,2}\d{6,20}(?![\w])"),
        (_NameLinePart.NUMBER, r"(?:No\.\s?)?[A-Za-z]{0,2}\d{1,20}号?(?![\w])"),
        (
            _NameLinePart.DAY,
            r"(?:星期|周|礼拜)[一二三四五六日天]|(?i:(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
        ),
        (
            _NameLinePart.DAY,
            rf"(?:天气:?)?(?:晴|阴|多云|小雨|中雨|大雨|雨|雪|小雪|大雪)(?:转(?:晴|阴|多云|雨|雪))?(?!{_HAN})",
        ),
        (_NameLinePart.TEACHER, rf"(?:指[导導]|任[课課])(?:教[师師]|老[师師]){_BLANKS}(?={_HAN})"),
        (_NameLinePart.TEACHER, rf"{_HAN}{{1,4}}(?:老[师師]|教[师師])(?!{_HAN})"),
        (_NameLinePart.NAME, _CHINESE_NAME),
        (_NameLinePart.NAME, rf"{_SET_APART}{_WORD}(?:\s{_WORD}){{1,3}}(?=\s*(?:$|[,|/;\t])|\s{{2,}})"),
    )
)
_SEPARATORS = LazyPattern(r"[\s,、;|/·.:_()\[\]【】《》—\-]*")
_MOST_NAMES = 2


def name_line_sentences(document: Document, prepared: PreparedText) -> BoolArray:
    """Mark the sentences in name lines at the very beginning or end of a text, shape (s,)."""
    lines = [block.span.of(document.text) for block in document.blocks]
    named = np.zeros(len(lines), np.bool_)
    named[[*_first(lines), *_last(lines)]] = True
    found: BoolArray = named[prepared.sentence_blocks]
    # a sheet of name lines only has nothing else to compare
    return found if not found.all() else np.zeros_like(found)


def _first(lines: Sequence[str]) -> Iterator[int]:
    """Yield the name lines before the text begins; a title may be among them.

    Behind sentences, such as the question or a declaration, only those with a label.
    """
    in_text = False
    for number, line in enumerate(lines[:_MOST_FIRST_LINES]):
        parts = _name_line_parts(line)
        if _NameLinePart.LABELLED in parts or (parts and not in_text):
            yield number
        elif len(line) > _LONGEST_LINE or line.endswith(_ENDS_OF_SENTENCES):
            in_text = True


def _last(lines: Sequence[str]) -> Iterator[int]:
    for number in range(len(lines) - 1, max(len(lines) - 1 - _MOST_LAST_LINES, -1), -1):
        if not is_name_line(lines[number]):
            return
        yield number


def is_name_line(line: str) -> bool:
    """Return whether a line has only names, classes, schools, numbers and dates, one of them decisive."""
    return bool(_name_line_parts(line))


def _name_line_parts(line: str) -> list[_NameLinePart]:
    """Return the parts of a name line; none if it is another line."""
    line = unicodedata.normalize("NFKC", line)
    if len(line) > _LONGEST_LINE:
        return []
    parts: list[_NameLinePart] = []
    place = _match_end(_SEPARATORS, line, 0)
    while place < len(line):
        part, end = _part_at(line, place)
        if part is None:
            return []
        parts.append(part)
        place = _match_end(_SEPARATORS, line, end)
    is_sure = not _DECISIVE_PARTS.isdisjoint(parts) or {_NameLinePart.LONG_NUMBER, _NameLinePart.NAME} <= set(
        parts
    )
    return parts if is_sure and parts.count(_NameLinePart.NAME) <= _MOST_NAMES else []


def names_school_or_class(text: str) -> bool:
    """Return whether a text has what looks like the name of a school or a class, anywhere in it."""
    text = unicodedata.normalize("NFKC", text)
    return _ANY_SCHOOL.search(text) is not None or _ANY_CLASS.search(text) is not None


def _part_at(line: str, place: int) -> tuple[_NameLinePart | None, int]:
    """Return the kind of the part that starts at an offset, and its end."""
    for part, pattern in _PATTERNS:
        match = pattern.match(line, place)
        if (
            match is not None
            and match.end() > place
            and (part is not _NameLinePart.NAME or _may_be_name(match[0]))
        ):
            return part, match.end()
    return None, place


def _may_be_name(text: str) -> bool:
    """Return whether text is Latin words, or Chinese characters that begin with a surname."""
    return text.isascii() or bool(surname_of("".join(fold_for_search(text).characters.split())))


def _match_end(pattern: LazyPattern, line: str, place: int) -> int:
    match = pattern.match(line, place)
    return match.end() if match is not None else place
