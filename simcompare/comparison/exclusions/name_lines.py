"""Lines above and below a text: titles, and those with only name, class, school, number, date or teacher."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading.shared.title_lines import is_cover_line, looks_like_title
from simcompare.model.document import BlockKind, Document, Span
from simcompare.support.arrays import BoolArray
from simcompare.support.lazy import LazyPattern
from simcompare.text.comparable import fold_for_search
from simcompare.text.prepared_text import PreparedText, digest_of_units
from simcompare.text.words import surname_of

_LONGEST_LINE = 60
_MOST_FIRST_LINES, _MOST_LAST_LINES = 8, 4
_ENDS_OF_SENTENCES = tuple("。！？!?…；;")
_NEVER_ENDS_OF_TITLES, _CLOSING_MARKS = tuple("。.…；;，,、"), "\"'”’」』)）"

_HAN = "[\u3400-\u9fff\uf900-\ufaff]"
_CLASS_NUMBER = "[一二三四五六七八九十\\d]"
_BLANKS = r"[\s_]*"
_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_DATE = (
    r"\d{2,4}\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d{1,4}\s?[日号]?|\d{1,2}\s?月\s?\d{1,2}\s?[日号]|\d{4}\s?年\s?\d{1,2}\s?月"
    r"|[〇零○一二三四五六七八九]{4}年[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}[日号]"
    rf"|\d{{1,2}}[-./]\d{{1,2}}[-./]\d{{4}}|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}\.?,?\s\d{{4}}"
    rf"|{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}}|[\s_]*年[\s_]+月[\s_]+[日号]"
)
_CLASS = (
    rf"[初高大小]?{_CLASS_NUMBER}+\s*(?:年级|年級|级|級|年)?\s*\(?\s*{_CLASS_NUMBER}*\s*\)?\s*班|[初高大小]?{_CLASS_NUMBER}+年[级級]"
    rf"|[初高][一二三](?!{_HAN})|(?![我你他她它咱这那在]){_HAN}{{2,10}}\d{{1,4}}班"
    r"|\b(?:class|grade|year|form|section|period)\s(?:\d{1,2}\s?[a-z]?|[a-z])\b"
)
_SCHOOL = (
    rf"{_HAN}{{2,15}}?(?:小学|小學|中学|中學|学校|學校|大学|大學|学院|學院|附小|附中)"
    rf"(?=[\W\d_]|{_CLASS_NUMBER}|[初高]|$)"
)
_ANY_SCHOOL = LazyPattern(
    rf"(?:^|(?<=[^\u3400-\u9fff]))(?:(?![我你他她它们的是上在这那每到]){_HAN}){{2,15}}?"
    r"(?:小学|小學|中学|中學|学校|學校|大学|大學|学院|學院|附小|附中)(?![生时時])"
    r"|\b(?:[A-Z][\w'’.\-]*\s){1,4}(?:School|College|University|Academy)\b"
)
_ANY_CLASS = LazyPattern(rf"(?i:{_CLASS})")
_CHINESE_NAME = rf"{_HAN}(?:\s{{1,2}}{_HAN}){{1,2}}(?!{_HAN})|{_HAN}{{2,4}}(?:·{_HAN}{{1,6}})?(?!{_HAN})"
_WORD = r"(?:[A-Z][\w'’\-]*\.?)"
_LATIN_NAME = rf"(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s)?{_WORD}(?:\s{_WORD}){{0,3}}?"

_OF_PEOPLE = (
    r"(?:学\s*生|學\s*生)?姓\s*名|作\s*者|撰\s*稿人?|指[导導](?:教[师師]|老[师師])|任[课課](?:教[师師]|老[师師])|教\s*[师師]"
    r"|班主任|(?:student(?:'s)?\s)?name|author|teacher|instructor|professor|(?:written\s)?by"
    r"|(?:(?:本人|作者|承诺[人书]|声明人|[学學]生|家[长長]|教[师師]|老[师師])\s*)?\(?[签簽]\s*[名字章](?:人|[处處])?\)?|(?:承诺|声明|保证|签署)人"
    r"|(?:(?:student|author|parent|guardian|teacher)(?:['’]s)?\s)?sign(?:ature|ed)"
    r"(?:\sby|\sof\s(?:the\s)?(?:student|author|parent|guardian|teacher))?"
)
_OF_GROUPS = (
    r"班\s*[级級]|年\s*[级級]|专\s*业|院\s*系|学\s*院|系\s*别|[学學]\s*校|小\s*组|课\s*程|科\s*目"
    r"|class|grade|year|school|section|period|course|subject"
)
_OF_NUMBERS = (
    r"[学學]\s*[号號]|座\s*位?\s*[号號]|考\s*[号號]|编\s*号|学籍号|准考证号|字\s*[数數]|得\s*分|成\s*绩|分\s*数|评\s*分"
    r"|student\s(?:id|no\.?|number)|id|no\.?|number|word\scount|words|score|mark"
)
_OF_DATES = r"(?:[签簽][署名字]|承诺|声明)?日\s*期|写作时间|date(?:\ssigned)?"
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


_NUMBERED_NAME = frozenset({_NameLinePart.LONG_NUMBER, _NameLinePart.NAME})
_DECISIVE_PARTS = frozenset({_NameLinePart.LABELLED, _NameLinePart.CLASS, _NameLinePart.DATE})


def _labelled(labels: str, value: str, *, colon: str = ":|(?<=_)") -> str:
    return rf"(?i:{labels})(?:\([^()]{{1,8}}\))?{_BLANKS}(?:{colon}){_BLANKS}(?:{value}|{_BLANK_TO_FILL})"


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


def sentences_beside_text(document: Document, prepared: PreparedText) -> BoolArray:
    """Mark the sentences in name lines, and in title lines above the text; shape (s,)."""
    name_lines = name_line_sentences(document, prepared)
    found = name_lines.copy()
    for sentence in range(prepared.lines_above):
        line = prepared.sentence_span(sentence).of(document.text)
        inside = line.rstrip(_CLOSING_MARKS)
        never = _NEVER_ENDS_OF_TITLES if inside == line else _ENDS_OF_SENTENCES  # dialogue
        if not name_lines[sentence] and inside.endswith((*_NEVER_ENDS_OF_TITLES, *never)):
            break
        found[sentence] = True
    return found if not found.all() else name_lines


def name_line_sentences(document: Document, prepared: PreparedText) -> BoolArray:
    """Mark the sentences in name lines at the very beginning or end of a text, shape (s,)."""
    lines = [block.span.of(document.text) for block in document.blocks]
    found: BoolArray = np.isin(prepared.sentence_blocks, [*_first(lines), *_last(lines)])
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
    is_sure = not _DECISIVE_PARTS.isdisjoint(parts) or set(parts) >= _NUMBERED_NAME
    return parts if is_sure and parts.count(_NameLinePart.NAME) <= _MOST_NAMES else []


def names_school_or_class(text: str) -> bool:
    """Return whether a text has what looks like the name of a school or a class, anywhere in it."""
    text = unicodedata.normalize("NFKC", text)
    return _ANY_SCHOOL.search(text) is not None or _ANY_CLASS.search(text) is not None


def _part_at(line: str, place: int) -> tuple[_NameLinePart | None, int]:
    """Return the kind of the part that starts at an offset, and its end."""
    for part, pattern in _PATTERNS:
        match = pattern.match(line, place)
        if match and match.end() > place and (part is not _NameLinePart.NAME or _may_be_name(match[0])):
            return part, match.end()
    return None, place


def _may_be_name(text: str) -> bool:
    """Return whether text is Latin words, or Chinese characters that begin with a surname."""
    return text.isascii() or bool(surname_of("".join(fold_for_search(text).characters.split())))


def _match_end(pattern: LazyPattern, line: str, place: int) -> int:
    match = pattern.match(line, place)
    return match.end() if match is not None else place


_MOST_LINES, _MOST_TITLES = 40, 3
# longer ones may be an essay in one line
_LONGEST_TASK, _LONGEST_ENGLISH_TASK, _LONGEST_DECLARATION = 150, 600, 1200

# Patterns are for lines in NFKC ("：" is ":") with single blanks.
_COUNT = r"[一二三四五六七八九十\d]{1,2}"
_RULES = r"(?:要求|提示|说明|须知|标准|事项|instructions?|directions?|requirements?|guidelines|hints?)"
_LABEL_END = r"\s?(?:\([^()]{0,20}\))?\s?[:\]】]"
_FORM_LINE = LazyPattern(
    rf"\W{{0,3}}(?:{_COUNT}[、.]\s?)?(?:(?:作文|写作|作业|论文|课程|考试|题目|本次|具体|内容|格式|评分|注意){{0,2}}"
    rf"(?:题目?|任务|问题|材料|字数|文体|{_RULES})|(?:诚信|学术|原创性?|独创性){{0,2}}(?:声明|承诺书?)|.{{0,6}}签[名字]"
    r"|(?:essay |exam )?(?:assignment|question|prompt|task|topic|length|declaration|sign(?:ature|ed))"
    rf")\s?(?:{_COUNT})?{_LABEL_END}|思考题?:.*\?$"
    # an order without a label; a text that tells of one has persons
    r"|(?!.*[我他她])请?(?:(?:先|仔细|认真)?阅读[下上以].{0,40}(?:要求|写作|作文|文章|回答).{0,30}$"
    r"|(?:阅读|根据|围绕|结合|以.{1,30}为(?:题|话题)).{0,60}写.{0,40}"
    r"(?:不少于|不超过|不低于|\d{3}字左右|\d{3}字以[上内]))"
    r"|(?!.*\b(?:i|my|me|we|our)\b)(?:write|discuss|explain|describe|compose|in (?:an|your) essay)\b"
    r".{0,300}\d words\b",
    re.IGNORECASE,
)
_RULES_LABEL = LazyPattern(rf"{_RULES}{_LABEL_END}$", re.IGNORECASE)
_SENTENCE_END = r"(?:[。!?…]|(?<!\d)\.\s)"
# An answer or essay in the line of its task: labelled, in the first person, or behind the sentence of a
# question. Further questions, one order and a line with rules are of the task.
_ANSWER = LazyPattern(
    rf"(?i:.*(?:答案?|解答|answer)\s?:)|.*?{_SENTENCE_END}.*(?:(?<!自)我(?!国)|本人|笔者|\b(?:I|[Mm]y)\b)"
    rf"|(?i:.{{0,20}}{_RULES}{_LABEL_END}).*\b(?:I|my|me)\b"
    rf"|(?i:(?!.*(?:\d{{3}}字|\d words|{_RULES}{_LABEL_END}))"
    rf".{{0,12}}(?:题目?|问题|question|topic)\s?(?:{_COUNT})?{_LABEL_END}.*?{_SENTENCE_END}"
    r"(?!(?:[^。!.]*\?|\W*(?:请|谈|结合|discuss|explain|give|support)[^。!?.]*[。!.]?)$)\W*\w)"
)
_DECLARATION = LazyPattern(
    r"(?:.{0,12}(?:声明|承诺书?) ?: ?)?(?:本人(?:[\u3400-\u9fff]{2,4})?|我)(?:\([^()]{2,40}\))?,?"
    r"(?:[在特谨]此)?(?:郑重)?(?:声明|承诺|保证)(?![过了]).*(?:独立[完撰写创]|抄袭|成果)"
    r"|(?:本人|我)(?:知道|明白|了解|清楚|同意)(?![过了]).*(?:独立完成|抄袭).*(?:不予|零分|0分|处理|处分|后果)"
    r"|(?:(?:.{0,16} )?(?:declaration|statement)(?: of \w+)? ?[:.] ?)?"
    r"(?:by (?:signing|submitting) [^,.]{4,20}?,? )?i(?:, [^,.]{2,40},)?"
    r" (?:hereby |solemnly )?(?:declare|certify|confirm|affirm|pledge) that\b"
    r".*\b(?:own|original|plagiari|copied)"
    r"|this (?:essay|work|assignment|paper) is (?:entirely |wholly |solely |all )?my own (?:original )?work\b"
    r"|i (?:also )?(?:understand|know) that\b.*\b(?:own|plagiari|copied).*\b(?:marks?|penal|misconduct)"
    r"|.{0,16}(?:原创|独创|诚信|授权|版权).{0,8}(?:声明|承诺书?|说明)$"
    r"|(?:statement|declaration) of (?:originality|authorship|academic integrity|own work)$",
    re.IGNORECASE,
)
_ITEM = LazyPattern(rf"\(?(?:{_COUNT}|[a-z])[、.)]\s?\S|[•·●▪*-] ?\S", re.IGNORECASE)
_FIRST_ITEM, _NARRATED = LazyPattern(r"\(?[一1a][、.)]", re.IGNORECASE), LazyPattern(r"我|\bI\b")


def equal_form_lines(documents: Sequence[PreparedDocument]) -> list[NDArray[np.str_] | None]:
    """Return `ExclusionCandidates.common` of texts: the sentences of forms that two of them have.

    Each is in a line that is recognised as one of a form, before the text begins or after it ends.
    """
    forms = [dict(_form_sentences(document)) for document in documents]
    counts = Counter(digest for form in forms for digest in set(form.values()))
    found: list[NDArray[np.str_] | None] = []
    for document, form in zip(documents, forms, strict=True):
        equal = [sentence for sentence, digest in form.items() if counts[digest] > 1]
        digests = np.zeros(document.prepared.sentence_count, "U16")
        digests[equal] = [form[sentence] for sentence in equal]
        found.append(digests if equal else None)
    return found


def _form_sentences(document: PreparedDocument) -> Iterator[tuple[int, str]]:
    """Yield number and digest of each sentence of a form; none if the text has no others."""
    prepared, numbers = document.prepared, range(len(document.document.blocks))
    blocks = [*_form_blocks(document.document, numbers), *_form_blocks(document.document, numbers[::-1])]
    in_form = np.isin(prepared.sentence_blocks, blocks)
    is_name = name_line_sentences(document.document, prepared)
    for sentence in [] if (in_form | is_name).all() else np.flatnonzero(in_form & ~is_name).tolist():
        line = _line(document.document, prepared.sentence_span(sentence))
        # of declarations and signatures, only what is filled in differs
        is_filled_in = _DECLARATION.match(line) or is_name_line(line)
        if units := prepared.units_of(sentence):
            yield sentence, digest_of_units("…" if is_filled_in else units)


def _form_blocks(document: Document, numbers: range) -> Iterator[int]:
    """Yield the blocks of a form up to the first one of the text.

    Titles may be among them, which are those of a school or task if a line of a form is below, a paragraph
    after a line on material or a label without a value, and one list below a label of rules.
    """
    is_in_list = may_follow = is_item = False
    titles: list[int] = []
    for number in numbers[:_MOST_LINES]:
        block = document.blocks[number]
        line = _line(document, block.span)
        is_text = len(line) > _LONGEST_TASK or _NARRATED.search(line) or (is_item and _FIRST_ITEM.match(line))
        is_item = not is_text and (block.kind is BlockKind.LIST_ITEM or _ITEM.match(line) is not None)
        if _is_of_form(line) or (is_in_list and is_item):
            # a poem below its task, or above a signature, has more of such lines
            yield from (number, *titles[: _MOST_TITLES if len(titles) <= _MOST_TITLES else 0])
            titles.clear()
            may_follow = "材料" in line or line.endswith((":", "】"))
        elif may_follow or looks_like_title(line):
            titles += [number] * (not may_follow and numbers.step > 0)
            may_follow = False
        else:
            return
        # from the end backwards, a list would be that of the text
        is_in_list = numbers.step > 0 and (bool(_RULES_LABEL.search(line)) or (is_in_list and is_item))


def _line(document: Document, span: Span) -> str:
    """Return a line or sentence in NFKC with single blanks, as the patterns expect it."""
    return " ".join(unicodedata.normalize("NFKC", span.of(document.text)).split())


def _is_of_form(line: str) -> bool:
    if len(line) <= _LONGEST_DECLARATION and _DECLARATION.match(line):
        return True
    if len(line) > (_LONGEST_ENGLISH_TASK if line.isascii() else _LONGEST_TASK) or _ANSWER.match(line):
        return False
    return is_cover_line(line) or _FORM_LINE.match(line) is not None
