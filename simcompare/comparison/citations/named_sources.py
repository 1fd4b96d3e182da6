"""Find where a text names its sources: brackets, numbers, and authors with what they say."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from string import ascii_letters

from simcompare.loading.shared.reference_lists import LineForm, line_form
from simcompare.model.document import NamedSource, Span
from simcompare.support.lazy import LazyPattern
from simcompare.text.words import is_common_english, lexicon_lines, segment, surname_of

_HAN = "\u3400-\u9fff"
_YEAR = r"(?:(?:1[5-9]|20)\d\d(?!\d)[a-z]?|n\.\s?d\.|in press|forthcoming)"
_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
_NAME = rf"{_CAPITAL}(?:[\w’'.-]*[^\W\d_]|(?=\s))"
_PARTICLE = r"(?:(?:van|von|de|der|den|del|della|di|da|du|la|le|al|bin|ibn|ten|ter)\s)"
_PERSON = rf"{_PARTICLE}*{_NAME}(?:\s(?:[A-Z]\.\s?)*{_PARTICLE}*{_NAME}){{0,4}}"
_AUTHORS = (
    rf"{_PERSON}(?:,?\s(?:&|and)\s{_PERSON}|,\s{_PERSON}){{0,5}}"
    r"(?:,?\s(?:et al\.?|and (?:others|colleagues)))?"
)
_PAGES = r"(?:[\s,.:;]*(?:pp?|vol|no|chap|ch|sec|para|paras|line|lines|act|art)?\.?\s?\d[\d\s,:–—-]*[a-z]?)?"


@cache
def _words(name: str) -> frozenset[str]:
    lists = (line.partition(": ") for line in lexicon_lines("citing.txt"))
    found = (word for listed, _colon, words in lists if listed == name for word in words.split())
    return frozenset(word.replace("_", " ") for word in found)


def _any_of(name: str) -> str:
    return "|".join(map(re.escape, sorted(_words(name), key=lambda word: (-len(word), word))))


OFTEN_QUOTED = LazyPattern(rf"{_any_of('often-quoted-zh')}|\b(?:{_any_of('often-quoted-en')})\b")
"""People whose sayings many essays quote. What characters of a story say is the writer's own."""


@lru_cache(maxsize=8192)  # the paragraphs of two books, of which a report asks twice
def named_sources(paragraph: str) -> tuple[NamedSource, ...]:
    """Return the places within a paragraph that name a source, in order, an author with its year as one."""
    running = {*_authors(paragraph), *_chinese_authors(paragraph)}
    others = {
        span
        for span in (*_in_brackets(paragraph), *_numbers(paragraph))
        if not any(each.start <= span.start and span.end <= each.end for each in running)
    }
    return tuple(NamedSource(span, span in running) for span in sorted(running | others))


def is_source(note: str) -> bool:
    """Return whether a note names a source, unlike one that only comments."""
    text = unicodedata.normalize("NFKC", note).strip()
    opens = _OPENS_NOTE.match(text) if _HAS_YEAR.search(text) else None
    return (
        line_form(note) is LineForm.ENTRY
        or _AS_BEFORE.search(text) is not None
        or (_TITLE.search(text) is not None and _LOCATED.search(text) is not None)
        or bool(named_sources(note))
        or (opens is not None and _may_be_author(opens["author"]))
        or _names_source(text)
    )


_AS_BEFORE = LazyPattern(
    r"^(?:ibid|ibidem|op\.\s?cit|loc\.\s?cit|idem)\b|^(?:同上|同前|前引|前揭|上引)", re.IGNORECASE
)
_HAS_YEAR = LazyPattern(rf"\b{_YEAR}")
_OPENS_NOTE = LazyPattern(rf"(?:(?:[Ss]ee(?:\salso)?|[Cc]f\.|[Qq]uoted in)\s)?(?P<author>{_AUTHORS})[,.:(]")
_TITLE = LazyPattern("《[^《》]{1,60}》")
_LOCATED = LazyPattern(r"\d{4}|第\s?\d+|出版|[:：]")


# --- brackets

_BRACKETS = LazyPattern(r"[(（\[［](?P<inside>[^()（）\[\]［］]{1,200})[)）\]］]")
_LEAD = LazyPattern(
    r"(?:(?:see(?:\salso)?|cf\.?|e\.g\.,?|compare|(?:as )?cited in|q(?:uo)?td\.? in|quoted in|in|from|after"
    r"|adapted from|according to)\s+"
    r"|(?:转引自|参见|另见|详见|引自|出自|选自|摘自|源自|语出|参考|来源|见|据)[:：]?\s*)+",
    re.IGNORECASE,
)
_ELSEWHERE = LazyPattern(
    r"(?:figs?|figures?|tables?|tab|chapters?|sections?|appendix|appendices|eqs?|equations?|examples?|notes?|parts?"
    r"|steps?|box|plates?|maps?|graph|line|page)\b\.?\s*[\divxA-Z]"
    r"|(?:下|上|左|右|附|如)?(?:图|表|附录|附件|式|公式|例|注|第.{1,4}[章节]|[上下][文图表])",
    re.IGNORECASE,
)
_PAGE_ONLY = LazyPattern(r"(?:pp?\.?\s?\d|第\s?\d+(?:\s?[-–—~至]\s?\d+)?\s?页|页\s?\d)")
_YEAR_AND_PAGE = LazyPattern(rf"{_YEAR}\s?(?::\s?|,\s?(?:pp?\.|第|页)\s?)\d{{1,4}}")
_BODIES = rf"{_AUTHORS}(?:\s(?:of|for|on)\s(?:the\s)?{_AUTHORS}){{0,3}}"
_AUTHOR_AND_YEAR = LazyPattern(rf"(?P<author>{_BODIES}),?:?\s*\(?{_YEAR}(?!\s?[-–—]\s?\d{{4}}){_PAGES}\)?")
_AUTHOR_AND_PAGE = LazyPattern(rf"(?P<author>{_AUTHORS})[,:]?\s(?:pp?\.\s?)?\d{{1,4}}(?:[-–—]\d{{1,4}})?")
_HAN_AUTHOR = rf"[{_HAN}·・]{{2,12}}"
_HAN_AUTHOR_AND_YEAR = LazyPattern(
    rf"(?P<author>{_HAN_AUTHOR}(?:\s?[、,和与及&]\s?{_HAN_AUTHOR}){{0,4}})\s*(?:等人?|主?编|著|译)?\s*[,、:]\s*"
    rf"(?:(?:1[5-9]|20)\d\d[a-z]?年?(?!\d|\.\d|\s?[-–—~至]\s?(?:\d{{4}}|今)|\d*月))"
)
_EVENT = LazyPattern(r"战争|战役|革命|运动|事件|会议|条约|截至|成立|(?<!\b.)建国|时期|年间|[图表式]$")
_WORK = LazyPattern(
    rf"(?P<author>[{_HAN}·・\[\]()A-Za-z. ]{{0,20}}?)[:：,，]?\s*《[^《》]{{1,60}}》(?P<rest>[^《》]*)$"
)
_PART_OF_WORK = LazyPattern(r"第.{1,6}[章回卷篇页节册]|[·•]|\d|[篇章传]$")
_QUOTED_BEFORE = LazyPattern(r"[”」』\"’'。！？.!?…]\s*$")


def _in_brackets(paragraph: str) -> Iterator[Span]:
    for found in _BRACKETS.finditer(paragraph):
        inside = unicodedata.normalize("NFKC", found["inside"]).strip()
        before = paragraph[: found.start()]
        if _names_source(inside, is_behind_quotation=bool(_QUOTED_BEFORE.search(before))):
            yield Span(*found.span())


def _names_source(inside: str, *, is_behind_quotation: bool = False) -> bool:
    """Return whether what stands in brackets, in NFKC, names a source."""
    lead = _LEAD.match(inside)
    bare = inside[lead.end() :] if lead else inside
    if _ELSEWHERE.match(bare):
        return False
    if any(pattern.match(bare) for pattern in (_AS_BEFORE, _PAGE_ONLY, _YEAR_AND_PAGE)):
        return True
    for part in re.split(r"\s*;\s*", bare):
        if (match := _AUTHOR_AND_YEAR.match(part)) and _may_be_author(match["author"]):
            return True
        if (match := _AUTHOR_AND_PAGE.fullmatch(part)) and _may_be_author(match["author"]):
            return True
        match = _HAN_AUTHOR_AND_YEAR.match(part)
        if match and not _EVENT.search(match["author"]):
            return True
    work = _WORK.match(bare)
    if work is None or work["rest"].strip().startswith(("等", "和", "与")):
        return False
    return bool(work["author"] or lead or is_behind_quotation or _PART_OF_WORK.search(work["rest"]))


# --- numbers

_NUMBER = LazyPattern(
    r"[\[［〔【]\s*\d{1,3}(?:\s*[,，、;；–—\-~～]\s*\d{1,3})*\s*(?:[,，:：]\s*(?:pp?\.?|第|页)\s*\d[^\]〕】］]{0,15})?[\]］〕】]"
    r"(?:\d{1,4}(?:[-–—]\d{1,4})?)?"
    r"|[⁰¹²³⁴-⁹]+(?:[,–⁻][⁰¹²³⁴-⁹]+)*|[\[［〔【]?[①-⑳][\]］〕】]?"
)
_CODE_OR_UNIT = LazyPattern(r"(?:^|[^A-Za-z])[A-Za-z_]{1,2}$|[\d_]$")
_BEHIND_TEXT = LazyPattern(rf"[{_HAN}\w。！？”」』）)》,，;；.!?\"’']\s?$")
_BEFORE_ITEM = LazyPattern(r"(?:^|[:：;；]|[、，,]\s?)$")


def _numbers(paragraph: str) -> Iterator[Span]:
    for found in _NUMBER.finditer(paragraph):
        before = paragraph[max(found.start() - 4, 0) : found.start()]
        if _CODE_OR_UNIT.search(before) or not _BEHIND_TEXT.search(before):
            continue
        is_circled = any("①" <= char <= "⑳" for char in found[0])
        if is_circled and (_BEFORE_ITEM.search(before) or paragraph.count(found[0]) > 1):
            continue
        yield Span(*found.span())


# --- authors in English text


@cache
def _english_patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of an author with a year, and with what reports the author's thought."""
    thinks = r"(?=\s(?:that|how|why|what|whether)\b|:|,?\s[“\"‘])"
    verbs, nouns = rf"{_any_of('verbs-en')}|(?:{_any_of('weak-verbs-en')}){thinks}", _any_of("nouns-en")
    author = rf"(?:(?:Dr|Prof|Professor|Mr|Mrs|Ms|Sir)\.?\s)?(?P<author>{_AUTHORS})"
    adverbs = (
        r"(?:(?:also|once|has|had|have|clearly|further|later|rightly|therefore|thus|himself|herself"
        r"|famously|first|even|often|recently|already|convincingly|again|not)\s){0,3}"
    )
    by = (
        r"[Aa]ccording to|[Ii]n the words of|(?:argued|noted|suggested|shown|pointed out|described|defined"
        r"|observed|proposed|put|written|found|explained|claimed|reported|coined|quoted|cited) (?:by|in)"
    )
    patterns = (
        rf"{author}(?:[’']s?)?\s\({_YEAR}(?!\s?[-–—]\s?\d{{4}}){_PAGES}\)"
        rf"(?P<verb>,?\s{adverbs}(?:{verbs})\b)?",
        rf"{author}(?:\s\([^()]*\))?,?\s{adverbs}(?:{verbs})\b(?!,\s[“\"‘'])",
        rf"\b(?:{by}) (?:the \w+ )?{author}",
        rf"\b(?:[IiOo]n|[Ff]rom|[Tt]o|[Bb]y|[Ff]ollowing) {author}[’']s?\s(?:own\s)?(?:{nouns})\b",
        rf"(?:^|(?<=[.!?;]\s))(?:For|To) {author}, ",
        rf"[”\"’',]\s(?!said|says|told|called)(?:{verbs})\s{author}",
    )
    return tuple(map(re.compile, patterns))


def _authors(paragraph: str) -> Iterator[Span]:
    for pattern in _english_patterns() if _BEGINS_NAME.search(paragraph) else ():
        for found in pattern.finditer(paragraph):
            name = _without_other_words(found["author"])
            start = found.end("author") - len(name)
            if "verb" in pattern.groupindex:  # with a year, which may be that of an event or a place
                is_author = bool(found["verb"]) or not _EVENT_BEFORE.search(paragraph[:start])
            else:  # without one the name may be the first word of a sentence
                is_inside = paragraph[:start].rstrip("\"“‘'( ").endswith(_INSIDE_SENTENCE)
                is_author = is_inside or not is_common_english(name.lower())
            if is_author and _may_be_author(name):
                yield Span(start, found.end())


_BEGINS_NAME = LazyPattern(_CAPITAL)
_INSIDE_SENTENCE = (*ascii_letters, ",", ";", ":")
_EVENT_BEFORE = LazyPattern(
    r"\b(?:[Tt]he|[Aa]n?|[Ii]n|[Aa]t|[Dd]uring|[Aa]fter|[Ss]ince|[Uu]ntil|[A-Z]\w+ of) $"
)
"""The Treaty of Rome (1957), in Vienna (1815)."""


def _without_other_words(author: str) -> str:
    """Remove words before an author that begin a sentence: As Kuhn."""
    words = author.split(" ")
    while words and words[0].lower().rstrip(",") in _words("no-author-en"):
        words = words[1:]
    return " ".join(words)


def _may_be_author(author: str) -> bool:
    words = re.findall(r"[^\W\d_]+", author.lower())
    return bool(words) and words[0] not in _words("no-author-en") and words[-1] not in _words("no-author-en")


# --- authors in Chinese text

_HAN_YEAR = LazyPattern(
    rf"(?P<author>[{_HAN}·・]{{2,12}})(?:等人?|先生|教授|博士)?\s?[（(](?P<year>(?:1[5-9]|20)\d\d)(?P<unit>年?)"
    r"(?:\s?[,，:：]\s?(?:第|p{1,2}\.?|页)?\s?\d[^（）()]{0,12})?[）)]"
)

_BRACKETED_YEAR = LazyPattern(r"[（(](?:1[5-9]|20)\d\d")
"""What a match of `_HAN_YEAR` contains: looking for this alone takes a fiftieth."""


@cache
def _chinese_patterns() -> tuple[re.Pattern[str], ...]:
    verbs, nouns = _any_of("verbs-zh"), _any_of("nouns-zh")
    author = (
        rf"(?P<author>(?:[{_HAN}]|(?<=[{_HAN}])[·・](?=[{_HAN}])){{2,10}}?)"
        "(?:先生|教授|博士|女士|等人?|等学者)?"
    )
    begins = r"(?:^|(?<=[，。：；、！？“”「」『』（）\s如据按照而但故引]))"
    within = (
        r"(?:在?其?《[^《》]{1,40}》[^，。：；]{0,6}?|在[^，。：；《]{1,12}?[中里]"
        rf"|[^，。：；{_HAN}]{{0,2}})"
    )
    adverbs = r"(?:曾经?|也|就|还|则|都|明确|进一步|这样|那样|早已|早就|在\d{4}年|反复|多次|所|里)*"
    work = r"《[^《》]{1,60}》(?:一书|一文|这本书|这篇文章|第[^，。]{1,4}[章回卷篇])?(?:[中里上])?"
    patterns = (
        rf"{begins}{author}{within}{adverbs}(?:{verbs})(?![明服法谎话理])",
        rf"{begins}{author}(?:{work})?的?(?:[^，。：；]{{0,4}})(?:{nouns})[，,：:]",
        rf"(?:在|照|依|用|引用|借用|套用|参考|来自|采用)了?{author}(?:看来|的)",
        rf"{begins}{author}(?:曾|也)?[将把][^，。；]{{1,30}}?(?:定义|称|概括|比作|归纳|理解|看作|视|总结|解释)",
        rf"(?P<work>{work})(?:曾|也|就|有|还|所|早已)*(?:{verbs}|云|曰|载|有言|言)(?![明服法谎话理])",
        rf"(?P<work>(?:据|根据|按照|出自|引自|源自){work})",
    )
    return tuple(map(re.compile, patterns))


def _chinese_authors(paragraph: str) -> Iterator[Span]:
    for found in _HAN_YEAR.finditer(paragraph) if _BRACKETED_YEAR.search(paragraph) else ():
        name = _name_at_end(found["author"])
        if name and not (found["unit"] and not _REPORTS.match(paragraph, found.end())):
            yield Span(found.end("author") - len(name), found.end())
    for number, pattern in enumerate(_chinese_patterns()):
        for found in pattern.finditer(paragraph):
            if (
                "work" in pattern.groupindex
                or _is_person(_BEFORE_AUTHOR.sub("", found["author"]))
                or (number == 0 and _is_introduced(paragraph, found))
            ):
                yield Span(*found.span())


_INTRODUCES = LazyPattern(rf"(?P<lead>[正诚恰]如|正像|[如据照])(?P<name>[{_HAN}]{{2,4}})$")


def _is_introduced(paragraph: str, found: re.Match[str]) -> bool:
    """Return whether a name that is a word is said to speak: "正如高远所说", but not "正如标题所说"."""
    end = found.end("author")
    intro = _INTRODUCES.search(paragraph[max(found.start() - 2, 0) : end])
    if intro is None or (len(intro["lead"]) == 1 and paragraph[end] != "所"):
        return False
    name = intro["name"]
    tokens = next(iter(segment([name])), [])
    return (
        len(tokens) == 1
        and tokens[0][1][0] not in _NO_NAMES
        and name[-1] not in "".join(_words("no-speaker-ends"))
        and not _has_no_author(name)
    )


_NO_NAMES = "fmrcpuq"
"""First letters of classes: places, numbers, pronouns, conjunctions, prepositions, particles, measures."""


_BEFORE_AUTHOR = LazyPattern(
    "^(?:(?:正如|正像|就像|恰如|诚如|例如|譬如|比如|如|依据|根据|据|按照|依照|按|而|但|故|引用|引|对此|对于|其中|后来|近代|现代|当代"
    "|著名|古代|西方|德国|英国|美国|法国|日本|中国|[\u3400-\u9fff]{0,10}?(?:教授|学者|作家|诗人|院士|[^国大]家))(?=..))+"
)


_REPORTS = LazyPattern("的(?:研究|调查|观点|看法)|认为|指出|提出|发现|说|写|曾")


def _name_at_end(text: str) -> str:
    """Return the name of a person at the end of Chinese text, "" without one."""
    if _BODY.search(text):
        return text
    for length in (3, 2, 4, 5, 6):
        name = text[-length:]
        if (
            len(name) == length
            and name[0] not in "和与及由"
            and (_is_person(name) or _is_named_by_quality(name))
        ):
            return name
    return ""


_BODY = LazyPattern(
    "(?:统计局|研究院|研究所|研究中心|中心|委员会|组织|协会|学会|署|大学|银行|基金会|教育部|卫生部|部门)$"
)
_LONGEST_FOREIGN = 6


@lru_cache(maxsize=4096)
def _is_person(name: str) -> bool:
    """Return whether Chinese characters may be the name of a person, by surname, sounds or dictionary."""
    if _has_no_author(name):
        return False
    tokens = next(iter(segment([name])), [])
    if len(tokens) == 1:
        return tokens[0][1].startswith("nr") or (tokens[0][1] == "x" and _has_form_of_name(name))
    return _has_form_of_name(name)


def _is_named_by_quality(name: str) -> bool:
    """Return whether an adjective before a year is a name: "高远（2023）", but not "方案（2023）"."""
    tokens = next(iter(segment([name])), [])
    return (
        len(tokens) == 1 and tokens[0][1][0] in "az" and not _has_no_author(name) and _has_form_of_name(name)
    )


def _has_form_of_name(name: str) -> bool:
    """Return whether a name is a surname and one or two characters, or written by its sounds."""
    surname, parts = surname_of(name), re.split("[·・]", name)
    if surname and 0 < len(name) - len(surname) <= 2:
        return True
    sounds = "".join(_words("sounds"))
    return len(parts) > 1 or (len(name) <= _LONGEST_FOREIGN and all(char in sounds for char in name))


def _has_no_author(name: str) -> bool:
    return any(word in name for word in _words("no-author-zh"))
