"""Recognise the name and number of a student in the first lines of a text."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from simcompare.model.document import Document
from simcompare.pseudonyms.chinese_names import has_name_form, is_name_alone
from simcompare.pseudonyms.latin_names import (
    LATIN_WORD,
    MOST_LATIN_WORDS,
    FileNameRun,
    has_capital,
    may_be_name,
    name_words,
    runs_of,
)
from simcompare.pseudonyms.name_folding import GENERAL_WORDS, folded
from simcompare.support.lazy import LazyPattern

_OPENING_CHARACTERS = 600
_MOST_LINES = 8
_LONGEST_LINE, _LONGEST_GROUP = 60, 160
_LONGEST_LINE_WITHOUT_LABEL = 30


def opening_of(document: Document | None) -> str:
    """Return the beginning of a text, in which its student may be named; empty without a document."""
    if document is None:
        return ""
    margins = [entry.excerpt for entry in document.receipt.dropped if entry.is_in_margin]
    text = document.text[:_OPENING_CHARACTERS]
    # behind the first line, which may be a title, but no name without a label
    first, _end, rest = text.partition("\n")
    return "\n".join([first[: _LONGEST_LINE + 1], *margins, rest]) if margins else text


_HAN = "[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_BLANKS = r"[\s_]*"
_SURE_LABEL = r"(?:学生)?姓\s*名|(?:student(?:'s)?\s+)?name|student"
_LABEL = r"作\s*者|学生|撰稿|author|written\s+by"
# labels after the name in the header of a page
_NEXT_LABEL = LazyPattern(
    r"(?<!\s)\s*+(?:班\s*级|年\s*级|学\s*号|学\s*校|座\s*号|考\s*号|编\s*号|性\s*别|日\s*期|时\s*间|得\s*分|成\s*绩|分\s*数|指导"
    r"|姓\s*名|题\s*目|(?:class|grade|date|year|school|student\s+(?:id|no|number)|id|no|number|teacher)\b"
    r"\W{0,2}[:#])",
    re.IGNORECASE,
)
_LABELLED = LazyPattern(
    rf"(?i:(?:^|(?<=\W))(?:(?P<sure>{_SURE_LABEL})|{_LABEL})(?:\s*:|(?<=名)[\s_]){_BLANKS}(?P<name>[^\n]+))"
)
# "Teacher Name: …" is no student's
_OF_OTHERS = LazyPattern(
    r"(?i:teacher|tutor|instructor|lecturer|course|file|school|parent)(?:['\u2019]s)?\s*$"
)
_BY = LazyPattern(r"(?i:(?:(?:written|submitted|prepared)\s+)?by:?)\s+(?P<name>[^\n]+)")
_GROUP = LazyPattern(
    r"(?i:(?:^|(?<=\W))(?:小组成员|团队成员|组\s*[员长]|成\s*员|小组|作\s*者|(?:(?:group|team)\s+)?members|group|team"
    r"|authors?)\s*:\s*(?P<names>[^\n:]+?)(?=\s[^\s:]+\s*:|$))"
)
_BETWEEN = LazyPattern(r"[、,;/&+()\d]|\s+(?:and|和)\s+|\s{2,}")
_NUMBER = LazyPattern(
    rf"(?i:学\s*号|学籍号|考\s*号|student\s+(?:id|no\.?|number)|id){_BLANKS}[:#]?{_BLANKS}"
    r"(?P<number>[A-Za-z]{0,3}\d{3,20})(?!\d)"
)
_CLASS = LazyPattern(
    r"(?:[初高大小]|(?<![一二三四五六七八九十\d]))[一二三四五六七八九十\d]++"
    r"(?:\s*+(?:年级|年|级)?\s*+\(?\s*+[一二三四五六七八九十\d]*+\s*+\)?\s*+班|年级)|[初高][一二三]|\b(?:[Cc]lass|[Gg]rade|[Yy]ear)\s+\d+[A-Za-z]?\b"
)
_CHINESE_NAME = LazyPattern(
    rf"{_HAN}{{2,5}}(?:\u00b7{_HAN}+)*|{_HAN}(?:\s+{_HAN}){{1,3}}(?!{_HAN})|{_HAN}\s+{_HAN}{{2}}(?!{_HAN})"
)
_LATIN_NAME = LazyPattern(r"[^\W\d_\u2e80-\uffff]++(?:['\u2019\-.,]{0,2}+[ ]?+[^\W\d_\u2e80-\uffff]++)*+")
_SENTENCE = LazyPattern(r"[。！？，；!?;]|[a-z]\.\s|,\s\w+\s\w+\s\w+")
_LONGEST_NAME_WITHOUT_SURNAME = 4
_TITLES = ("老师", "老師", "先生", "女士", "同学", "同學")


@dataclass(frozen=True, slots=True)
class OpeningInfo:
    """Name and number in first lines, empty if there are none; is_sure: labelled as the student's.

    spellings: the name in Latin letters beside one in characters. group: all members of a group. title: the
    first line.
    """

    name: str = ""
    number: str = ""
    is_sure: bool = False
    spellings: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    title: str = field(default="", compare=False)


def read_opening(text: str) -> OpeningInfo:
    """Recognise "姓名：…", "Name: …", "三年级2班 李小明" and "By …" in the first lines of a text."""
    lines = list(_lines(text))
    number = next((match["number"] for line in lines if (match := _NUMBER.search(line))), "")
    names = [info for place, line in enumerate(lines) for info in _names_in_line(line, is_first=not place)]
    best = min(names, key=lambda info: not info.is_sure, default=OpeningInfo())
    group = tuple(dict.fromkeys(name for line in _lines(text, _LONGEST_GROUP) for name in _members(line)))
    title = next(iter(lines), "")
    return replace(best, number=number or best.number, group=group if len(group) > 1 else (), title=title)


def _members(line: str) -> Iterator[str]:
    for piece in (piece for match in _GROUP.finditer(line) for piece in _BETWEEN.split(match["names"])):
        words = piece.split()
        for own in words if re.search(_HAN, piece) else [piece] if len(words) > 1 else []:
            if name := own if has_name_form(folded(own).characters) else _latin_name(own):
                yield name


def _lines(text: str, longest: int = _LONGEST_LINE) -> Iterator[str]:
    """Yield the short ones among the first lines, in form NFKC."""
    lines = unicodedata.normalize("NFKC", text[:_OPENING_CHARACTERS]).splitlines()
    filled = [stripped for line in lines if (stripped := line.strip())]
    yield from (line for line in filled[:_MOST_LINES] if len(line) <= longest)


def _names_in_line(line: str, *, is_first: bool) -> Iterator[OpeningInfo]:
    for match in _LABELLED.finditer(line):
        if not _OF_OTHERS.search(line[: match.start()]) and (names := _names_at_start(match["name"])):
            yield OpeningInfo(names[0], is_sure=match["sure"] is not None, spellings=names[1:])
    by = _BY.fullmatch(line)
    if by is not None and len(LATIN_WORD.findall(by["name"])) > 1 and _latin_name(by["name"]):
        yield OpeningInfo(_latin_name(by["name"]))
    if len(line) <= _LONGEST_LINE_WITHOUT_LABEL and not _SENTENCE.search(line):
        yield from _unlabelled_names(line, is_first=is_first)


def _names_at_start(text: str) -> tuple[str, ...]:
    """Return the name at the start of a text, before the next label, and one in Latin letters beside it."""
    label = _NEXT_LABEL.search(text)
    text = (text[: label.start()] if label else text).strip(" _")
    match = _CHINESE_NAME.search(text)
    rest = (text[: match.start()] or text[match.end() :]) if match else text
    latin = _latin_name(re.split(r"\s{2,}|\t", rest.strip(" _"))[0])
    if match is None or (match.start() and not latin):
        return (latin,) if latin else ()
    name = "".join(match[0].split())
    is_long = len(name) > _LONGEST_NAME_WITHOUT_SURNAME and "\u00b7" not in name
    found = "" if is_long or folded(name).characters in GENERAL_WORDS else name
    return tuple(filter(None, (found, latin))) if found or match.start() else ()


def _latin_name(text: str) -> str:
    """Return a text that is a Latin name and nothing else, otherwise an empty string."""
    match = _LATIN_NAME.fullmatch(text.strip(" _.,/()[]-"))
    words = name_words(match[0]) if match else []
    is_name = 0 < len(words) <= MOST_LATIN_WORDS and all(map(has_capital, words))
    return match[0] if match and is_name and all(map(may_be_name, LATIN_WORD.findall(match[0]))) else ""


def _unlabelled_names(line: str, *, is_first: bool) -> Iterator[OpeningInfo]:
    """Yield a name beside a class or a number, or alone on a line that is not a title."""
    runs = runs_of(_CLASS.sub(" _ ", line))
    number = next((run.text for run in runs if run.kind == "number"), "")
    names = sorted((run.text for run in runs if _may_be_name(run)), key=str.isascii)
    is_one = len(names) == len({name.isascii() for name in names}) > 0
    if is_one and (number or _CLASS.search(line)):
        # "Year 7 Summer Holiday" is a title
        yield OpeningInfo(names[0], number, not names[0].isascii(), tuple(names[1:]))
    elif is_one and len(names) == len(runs) and not is_first and is_name_alone(folded(names[0]).characters):
        yield OpeningInfo(names[0], spellings=tuple(names[1:]))


def _may_be_name(run: FileNameRun) -> bool:
    """Return whether a run beside a class or a number is a name: not a teacher's, not a single Latin word."""
    if run.kind == "han":
        return has_name_form(folded(run.text).characters) and not run.text.endswith(_TITLES)
    return run.kind == "latin" and len(LATIN_WORD.findall(run.text)) > 1 and bool(_latin_name(run.text))
