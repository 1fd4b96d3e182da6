"""Reference lists in any format: the forms of their lines, their headings, and where they end."""

import re
import string
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto

from simcompare.loading.extraction import Piece
from simcompare.loading.shared.title_lines import letters_and_digits
from simcompare.model.document import BlockKind
from simcompare.support.lazy import LazyPattern

_YEAR = r"(?:1[5-9]|20)\d\d"
_MONTH = r"\s*[年./-]\s*\d{1,2}(?!\d)"
_NAME = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"
_INITIALS = r"(?:[A-Z]\.?[\s-]?){1,3}"
_PARTICLE = r"(?:[a-z]{2,3}\s){0,2}"
_HAN_NAME = r"[㐀-鿿·]{2,12}"

# All patterns are for text in NFKC: "（" is "(", "，" is ",", "①" is "1"; "。" and "《" are as written.
_BRACKETED_NUMBER = LazyPattern(r"[\[【〔]\s*\d{1,3}\s*[\]】〕]\s*")
_PLAIN_NUMBER = LazyPattern(
    r"(?:\(\s*\d{1,3}\s*\)|\d{1,3}\s*[.、)](?!\d)|\d{1,2}(?=[㐀-鿿])(?![年月日时点分周天个名位次届])"
    r"|[•●■◆*-](?=\s))\s*"
)
_SURE_SIGNS = tuple(
    LazyPattern(pattern, re.IGNORECASE)
    for pattern in (
        # document types of GB/T 7714: "[J]", "[M]", "[EB/OL]"
        r"\[\s*(?:[JMCDNRSPZGAK]|EB|DB|CP|CM|DS)\s*(?:/\s*(?:OL|CD|MT|DK))?\s*\]",
        r"https?:\s?//|www\.\w|\b(?:doi|arxiv|isbn|issn)\b",
        # issue and pages: "(3): 12", "2019, 32: 12-18"
        r"\(\s*\d{1,3}\s*\)\s*[:,]\s*e?\d{1,6}|\b\d{1,4}\s*:\s*\d{1,6}\s*[-–—]\s*\d{1,6}(?![\d:])",
    )
)
_SIGNS = tuple(
    LazyPattern(pattern)
    for pattern in (
        # year
        rf"\(\s*(?:{_YEAR}[a-z]?|n\.d\.|in press|forthcoming)\b[^()]{{0,20}}\)(?!,?\s+[a-z]|[,，]?[㐀-鿿])"
        rf"|[,.;:。》]\s*(?:[A-Z][a-z]{{2,8}}\.?\s)?{_YEAR}[a-z]?(?![\d余餘多人名个元万亿例家])(?!\s*年\s*\d{{1,2}}\s*月|{_MONTH}\s*[至到~—-])"
        rf"|\b{_YEAR}\s*年?\s*[版第]|\b{_YEAR}[)年]?[.。]?$",
        # publisher
        r"出版(?![了的物业前后于])|书店|书局|印书馆|学报|杂志|期刊|[日晚]报(?![道告])|博士|硕士|学位论文|论文集|第\s*\d+\s*[期版卷辑页]"
        r"|\b(?:Press|Publish\w*|Journal|Proceedings|Proc|Transactions|Trans|Conference|Conf|Symposium|Workshop"
        r"|Advances|Review|Letters|Bulletin|Annals|Springer|Elsevier|Wiley|IEEE|ACM|Routledge|Sage|University"
        r"|Magazine|Quarterly|Lecture Notes|Technical Report|Dissertation|Thesis|Preprint|Penguin|Books)\b"
        rf"|\b[^\WA-Z]*+[A-Z]\w++:\s[A-Z][^,:]{{2,40}},\s*{_YEAR}\b",
        # marks of citations
        r"\b(?:[Vv]ol|[Nn]o|[Pp]p?|[Ee]ds?|[Ee]dn|[Tt]rans)\.|\bet al\b|\d(?:st|nd|rd|th) ed\b"
        r"|[,\s]等\s*[.,:]|\b(?:Retrieved|Accessed|Available|In):?\s|访问日期|引用日期|\[\d{4}-\d",
        # title
        r"《[^》]{2,40}》|[“\"][^”\"]{8,200}[,.]?[”\"]",
        # pages, or volume and issue
        r"[:,]\s*[A-Z]?\d{1,5}\s*[-–—~]\s*[A-Z]?\d{1,5}\b(?!:)|\b\d{1,4}(?:,\s|:\s?)(?:no\.\s*)?\d{1,4}\b(?!:)",
    )
)
_AUTHOR = LazyPattern(
    # as in "Smith, J. B.", "Smith JB,", "J. B. Smith", "Smith, John.", "---."
    rf"{_PARTICLE}{_NAME}(?:\s{_NAME})?,?\s{_INITIALS}(?=[,.&;:(\s])|{_INITIALS}{_PARTICLE}{_NAME}"
    rf"|{_NAME},\s{_NAME}(?:\s[A-Z]\.)?(?:[.,]|\sand\s)|[-—–_]{{2,4}}[.,]\s"
    # as in "王小明, 李红. ", "[美]史密斯等著:", "王小明主编:"
    rf"|(?:\[[^\]]{{1,5}}\]|\([^)]{{1,5}}\))?{_HAN_NAME}(?:\s*[,、]\s*{_HAN_NAME}){{0,6}}"
    r"\s*,?\s*等?(?:主?编著?|著|译)?\s*[.:]"
)
# as in "World River Organization. (2021, March 4). Floods", with a capital behind it
_AUTHOR_AND_YEAR = LazyPattern(
    rf"[^()]{{2,200}}\(\s*{_YEAR}[a-z]?\b[^()]{{0,20}}\)[.:,]?\s+[‘“'\"]?(?=[A-Z])"
)
# Points for signs: two for a sure one, one for each other. With `_CERTAIN`, words of sentences do not matter.
_ENOUGH, _CERTAIN = 2, 4
# A longer line needs `_CERTAIN`.
_LONG_ENTRY = 300
# The beginning of a paragraph tells its form.
_MOST_CHARACTERS = 3000

# Words of sentences that titles and publishers' names seldom have.
_PROSE_WORD = LazyPattern(
    r"\b(?:is|are|was|were|has|have|had|be|been|being|this|that|these|those|which|who|we|our|us|they|them|it|he"
    r"|she|his|him|i|my|me|you|your|will|would|can|could|should|may|might|must|not|but|because|however|therefore"
    r"|thus|also|there|their|her|do|does|did|such|than|then|when|while|if|so|into|received|currently)\b",
    re.IGNORECASE,
)
_PROSE_HAN = LazyPattern(
    "[你您她它了是着也还這这那把被]|(?<!自)我(?!国)|(?<!其)他|(?<!成)就(?![业读医])|已经?|可以|通过|因此|所以|但"
    "|然而|由于|如果|虽然|不仅|而且|认为|指出|表明|需要|应该|能够|正在|其中|本[文课系研项设]|进行|完成|提出|具有|为了|对于|以及|表示|报道|记者"
)
# "Smith (2019) found", "(Smith, 2019)": citations, which only running text has
_CITATION = LazyPattern(rf"\(\s*{_YEAR}[a-z]?\s*\),?\s+[a-z]|\([A-Z][^()]{{2,60}},\s*{_YEAR}[a-z]?[);]")
_HAN = LazyPattern("[㐀-鿿]")
_LATIN_WORD = LazyPattern(r"[^\W\d_㐀-鿿]+")
_NOT_PROSE = LazyPattern(r"《[^《》]*》|https?://\S+")
_MIN_PROSE_WORDS, _PROSE_SHARE = 2, 0.03
_MUCH_PROSE, _MUCH_PROSE_SHARE = 6, 0.06
_SENTENCE_END = LazyPattern(r"[。!?…][”’」』)]?$|^[^。]*+。[^,，]*+[,，]|^[^,，]*+[,，][^。]*+。.")
# Least length of a sentence without signs, of one with a sign, and of any line without signs that is text.
_SENTENCE, _SENTENCE_WITH_SIGN, _LONG_LINE = 18, 45, 120
_SENTENCE_WORDS = 10
# least length of clauses in Chinese characters
_CLAUSES = 25
# "2024.3-2024.4 ...", "第1-2周 ...", "3月 ..."
_SCHEDULE = LazyPattern(
    rf"{_YEAR}{_MONTH}|第?\s*[\d一二三四五六七八九十]+\s*(?:[-—~至到]\s*[\d一二三四五六七八九十]+\s*)?[周月]|第.{{1,3}}阶段"
)


class LineForm(Enum):
    """Form of a line: an entry of a reference list, running text, or neither for sure."""

    ENTRY = auto()
    TEXT = auto()
    OTHER = auto()


def line_form(line: str) -> LineForm:
    """Classify a line by signs of an entry (number, year, publisher, author) and words of sentences."""
    line = unicodedata.normalize("NFKC", line[:_MOST_CHARACTERS]).strip()
    points = _points(line)
    words = _NOT_PROSE.sub("", line)
    prose = len(_PROSE_WORD.findall(words)) + len(_PROSE_HAN.findall(words))
    prose += _MIN_PROSE_WORDS * len(_CITATION.findall(words))
    share = prose / max(1, len(_HAN.findall(words)) + len(_LATIN_WORD.findall(words)))
    is_prose = prose >= _MIN_PROSE_WORDS and share >= _PROSE_SHARE
    enough = _ENOUGH if len(line) <= _LONG_ENTRY else _CERTAIN
    is_much_prose = prose >= _MUCH_PROSE and share >= _MUCH_PROSE_SHARE
    if (points >= _CERTAIN and not is_much_prose) or (points >= enough and not is_prose):
        return LineForm.ENTRY
    return LineForm.TEXT if is_prose or _is_sentence(line, points) else LineForm.OTHER


def is_certain_entry(line: str) -> bool:
    line = unicodedata.normalize("NFKC", line[:_MOST_CHARACTERS]).strip()
    return line_form(line) is LineForm.ENTRY and _points(line) >= _CERTAIN - 1


def _points(line: str) -> int:
    bracketed = _BRACKETED_NUMBER.match(line)
    numbered = bracketed or _PLAIN_NUMBER.match(line)
    rest = line[numbered.end() :] if numbered else line
    sure = sum(2 for sign in _SURE_SIGNS if sign.search(rest))
    if _SCHEDULE.match(rest) and not sure:
        return 0
    with_year = _AUTHOR_AND_YEAR.match(rest)
    if with_year and not _PROSE_WORD.search(with_year[0]):
        sure += 3
    points = sure + sum(1 for sign in _SIGNS if sign.search(rest)) + bool(_AUTHOR.match(rest))
    if bracketed:
        return points + 2
    return points + 1 if numbered and points else points


def _is_sentence(line: str, points: int) -> bool:
    if points > 1:
        return False
    if points == 0 and (len(line) >= _LONG_LINE or ("," in line and len(_HAN.findall(line)) >= _CLAUSES)):
        return True
    if _SENTENCE_END.search(line):
        return len(line) >= (_SENTENCE_WITH_SIGN if points else _SENTENCE)
    return points == 0 and line.endswith(".") and len(_LATIN_WORD.findall(line)) >= _SENTENCE_WORDS


_HEADINGS = frozenset({BlockKind.TITLE, BlockKind.HEADING})

# matched without blanks and punctuation: "五、参考文献：", "[參考文獻]", "6. Works Cited"
_NUMBER = r"(?:第?[\d一二三四五六七八九十]+[章节節部]?分?|[ivx]+)?"
_CHINESE_NAME = (
    r"(?:本文|主要|部分|相[关關])?的?(?:中外文?|中英文|[英外中]文)?(?:[参參]考|引用|引[证證])(?:文[献獻]|[资資]料|[书書]目)"
    r"(?:[及和与與]?(?:参考)?(?:文[献獻]|[资資]料|[书書]目|网站|来源|出处|注释))?(?:目录|列表|清单)?"
)
_LATIN_NAME = (
    r"references?(?:(?:and)?notes|lists?)?|listofreferences|(?:selected|annotated|select)?bibliography"
    r"|(?:works|literature|sources)cited"
)
_LIST_BEGINS = LazyPattern(rf"{_NUMBER}(?:{_CHINESE_NAME}(?:{_LATIN_NAME})?|{_LATIN_NAME})")
_LIST_MAY_BEGIN = LazyPattern(r"[献獻料目]|refer|biblio|cited", re.IGNORECASE)
_REMARK = LazyPattern(r"[(（【\[][^)）】\]]{0,50}[)）】\]]")
# "参考文献：[1] ...", "主要参考文献<tab>[1] ..." in a form
_HEADING_WITHIN = LazyPattern(r"([^\t\n:：]{2,30}?)(?:[\t\n:：]\s*|\s+(?=[\[［]?1))(?=\S)")
# plain text has no marked headings, only lines like these
_LIST_ENDS = LazyPattern(
    _NUMBER + r"(?:附[录錄件]|致[谢謝]|[谢謝][辞辭]|鸣谢|后记|作者简介|个人简[历介]|攻读.{0,12}期间"
    r"|在[学校]期间|原创性|[独獨][创創]性|append(?:ix|ices)|acknowledge?ments?|abouttheauthors?|authors?bio|biograph"
    r"|vita$|supplement|curriculum"
    # in proposals
    r"|外文|译文|(?:指导)?[教导]师|(?:学院|专家|审[查核]|评审|答辩).{0,6}意见|(?:研究|工作|论文|写作|课题|设计|毕业设计|时间)?"
    r"(?:进[度程]|计划|提纲|大纲|安排|日程)|预期|研究[内方]|技术路线|可行性|创新)"
)
# headings of parts of a list: "中文文献", "一、专著类", "Primary sources"
_PART_OF_LIST = LazyPattern(
    _NUMBER + r".{0,6}(?:文[献獻]|[资資]料|著作|专著|[书書]籍|期刊|论文|报纸|网站|网络|法[规律]|标准"
    r"|sources?|books?|articles?|journals?|websites?|works)[类類]?"
)
_ENTRY_NUMBER = LazyPattern(r"[\[【〔［(（]?\s*(\d{1,3})\s*[\]】〕］)）.．、]\s*")
_FIRST_NUMBER = LazyPattern(r"[\[【〔［(（]?\s*1\s*[\]】〕］)）.．、]")
_MAX_HEADING_LENGTH = 60
_MAX_PLAIN_HEADING = 30

# form and parts of the number of a heading
_Number = tuple[str, tuple[int, ...]]
# numbers of headings: "三、", "（三）", "第三章", "3.", "第3章", "1.4"
_HAN_DIGITS = "〇一二三四五六七八九"
_HAN_NUMBER = LazyPattern(r"([(第]?)([一二三四五六七八九]?十?[一二三四五六七八九]?)([、.章节節部)])")
_CHAPTERS = frozenset({"、", "第章", "第节", "第部"})
_DECIMAL_NUMBER = LazyPattern(r"[(第]?(\d{1,2}(?:\.\d{1,2}){0,3})(?:[、.章节節)]|\s|(?=[㐀-鿿]))")

# An entry may be broken into lines, a list may begin with entries that have no signs.
_MAX_LINES_BETWEEN = 5
_MAX_LINES_OF_ENTRY = 4
_FEW_ENTRIES = 2
# a printed line
_MAX_LINE = 120
_MAX_LINES_WITHOUT_SIGNS = 20
_SENTENCE_ENDS = (".", "。", "！", "？", "!", "?", "；", ";")
_ENTRY_ENDS = (*_SENTENCE_ENDS, *string.digits, ")", "]", "/")
_GOES_ON = (",", "，", "-", ":", "：", "&")


def marked_references(kinds: Sequence[BlockKind], texts: Sequence[str]) -> list[BlockKind]:
    """Return the kinds with REFERENCE for the entries of reference lists and for the lists' headings.

    A list extends from its heading as far as its lines have the form of entries; before the first list there
    must be text of the essay. A heading without entries, as in a table of contents, is not marked.
    """
    marked = list(kinds)
    for number in _referenced(kinds, texts):
        marked[number] = BlockKind.REFERENCE
    return marked


def mark_references(pieces: Sequence[Piece]) -> list[Piece]:
    """Set the kind of the blocks of reference lists to REFERENCE."""
    kinds = marked_references([piece.kind for piece in pieces], [piece.text for piece in pieces])
    return [
        piece if piece.kind is kind else replace(piece, kind=kind)
        for piece, kind in zip(pieces, kinds, strict=True)
    ]


def _referenced(kinds: Sequence[BlockKind], texts: Sequence[str]) -> Iterator[int]:
    number, text_before = 0, False
    while number < len(texts):
        if text_before and (
            _begins_list(texts[number])
            or _has_list(texts[number])
            or _are_first_entries(texts[number : number + 3])
        ):
            found = _ReferenceList(kinds, texts, number)
            yield from found.marked
            number = found.end
        else:
            text_before = text_before or kinds[number] not in _HEADINGS
            number += 1


class _ReferenceList:
    """A list that begins at the block `start`; `marked` are its blocks, `end` is the first block behind it.

    Lines without the form of an entry wait until an entry follows: then they were parts of entries.
    """

    def __init__(self, kinds: Sequence[BlockKind], texts: Sequence[str], start: int) -> None:
        self._kinds, self._texts = kinds, texts
        self._number = _number_of(texts[start])
        self._entry_number: _Number | None = None
        self._has_heading = _begins_list(texts[start])
        self._entries = int(not self._has_heading)
        self._without_signs = -int(self._has_heading)
        self._waiting = [start] if self._has_heading else []
        self.marked = [] if self._has_heading else [start]
        self.end = self._read(start + 1)

    def _read(self, start: int) -> int:
        for number in range(start, len(self._texts)):
            form = self._form(number)
            if form is LineForm.ENTRY:
                if self._entries and len(self._waiting) > _MAX_LINES_BETWEEN:
                    self._mark_last_lines()
                    return number
                self._add_entry(number)
            elif form is LineForm.TEXT and self._is_cut(number):
                self._waiting.append(number)
            elif self._kinds[number] is BlockKind.FOOTNOTE or (
                form is LineForm.TEXT and self._goes_on(number)
            ):
                continue  # a note, or a remark on a source
            elif form is LineForm.TEXT:
                self._mark_last_lines(before=LineForm.TEXT)
                return number
            elif self._ends_at(number):
                self._mark_last_lines(before=LineForm.OTHER)
                return number
            else:
                self._waiting.append(number)
        self._mark_last_lines()
        return len(self._texts)

    def _form(self, number: int) -> LineForm:
        is_marked = self._kinds[number] is BlockKind.REFERENCE
        return LineForm.ENTRY if is_marked else line_form(self._texts[number])

    def _add_entry(self, number: int) -> None:
        self._entries += 1
        self._entry_number = _number_of(self._texts[number]) or self._entry_number
        if self._kinds[number] is BlockKind.FOOTNOTE and self.marked:
            self.marked.append(number)
            return
        self._without_signs += len(self._waiting)
        self.marked += [*self._waiting, number]
        self._waiting = []

    def _goes_on(self, number: int) -> bool:
        """Return whether the next block is an entry."""
        return number + 1 < len(self._texts) and self._form(number + 1) is LineForm.ENTRY

    def _is_cut(self, number: int) -> bool:
        """Return whether a line with the words of a sentence is a middle line of an entry."""
        before, text, end = self._texts[number - 1], self._texts[number], number + _MAX_LINES_OF_ENTRY
        if len(text) > _MAX_LINE or text.endswith(_SENTENCE_ENDS) or before.endswith(_ENTRY_ENDS):
            return False
        return any(
            self._form(later) is LineForm.ENTRY for later in range(number + 1, min(end, len(self._texts)))
        )

    def _ends_at(self, number: int) -> bool:
        """Return whether a line that is no entry is a heading of the text behind the list."""
        text = self._texts[number]
        letters = letters_and_digits(text) if len(text) <= _MAX_HEADING_LENGTH else ""
        if _begins_list(text) or (_PART_OF_LIST.fullmatch(letters) and self._goes_on(number)):
            return False
        if self._kinds[number] in _HEADINGS:
            return self._kinds[number - 1] not in _HEADINGS or not self._goes_on(number)
        if len(text) <= _MAX_PLAIN_HEADING and _LIST_ENDS.match(letters):
            return True
        heading_number = _number_of(text)
        is_next_entry = self._entry_number is not None and _follows(self._entry_number, heading_number)
        return not is_next_entry and _follows(self._number, heading_number)

    def _mark_last_lines(self, *, before: LineForm | None = None) -> None:
        """Mark lines without signs that are entries by their place; running text begins with a heading."""
        lines = self._waiting
        if not self._entries:
            lines = lines[:-1] if before is LineForm.TEXT else lines
            self.marked += lines if 1 < len(lines) <= _MAX_LINES_WITHOUT_SIGNS else []
        elif self._has_heading and before is LineForm.OTHER and self._are_entries(lines):
            self.marked += lines
        else:
            self.marked += lines[: self._lines_of_last_entry()]

    def _are_entries(self, lines: Sequence[int]) -> bool:
        """Return whether lines before a heading are entries, as other lines without signs in the list are."""
        kind = self._kinds[self.marked[-1]]
        if len(lines) > 2 * self._entries or any(self._kinds[number] is not kind for number in lines):
            return False
        return self._without_signs > 0 or self._entries <= _FEW_ENTRIES or kind is BlockKind.LIST_ITEM

    def _lines_of_last_entry(self) -> int:
        """Return how many of the lines continue the last entry or are one entry together."""
        texts = [self._texts[number] for number in self._waiting[:_MAX_LINES_OF_ENTRY]]
        for count in range(len(texts), 0, -1):
            if line_form(" ".join(texts[:count])) is LineForm.ENTRY:
                return count
        return int(
            bool(texts) and (texts[0][:1].islower() or self._texts[self.marked[-1]].endswith(_GOES_ON))
        )


def _begins_list(text: str) -> bool:
    # the cheap search excludes nearly all lines before the full match
    if len(text) > _MAX_HEADING_LENGTH or not _LIST_MAY_BEGIN.search(text):
        return False
    return any(_LIST_BEGINS.fullmatch(letters_and_digits(t)) for t in (text, _REMARK.sub("", text)))


def _has_list(text: str) -> bool:
    """Return whether a block is a heading and entries, as in the row of a form."""
    match = _HEADING_WITHIN.match(text) if _LIST_MAY_BEGIN.search(text, 0, _MAX_PLAIN_HEADING) else None
    return match is not None and _begins_list(match[1]) and line_form(text[match.end() :]) is LineForm.ENTRY


def _are_first_entries(texts: Sequence[str]) -> bool:
    """Return whether blocks are the entries 1 to 3 of a list, whose heading is missing or cannot be read."""
    if not _FIRST_NUMBER.match(texts[0]):
        return False
    matches = [_ENTRY_NUMBER.match(text) for text in texts]
    return [match and int(match[1]) for match in matches] == [1, 2, 3] and all(
        match and is_certain_entry(text[match.end() :]) for match, text in zip(matches, texts, strict=True)
    )


def _number_of(text: str) -> _Number | None:
    """Return form and number of a heading: ("、", (3,)) for "三、", ("", (1, 4)) for "1.4"."""
    text = unicodedata.normalize("NFKC", text[:_MAX_HEADING_LENGTH]).strip()
    if (match := _HAN_NUMBER.match(text)) and match[2]:
        tens, has_tens, ones = match[2].rpartition("十")
        value = 10 * _HAN_DIGITS.index(tens or "一") if has_tens else 0
        return match[1] + match[3], (value + _HAN_DIGITS.index(ones or "〇"),)
    if match := _DECIMAL_NUMBER.match(text):
        return "", tuple(int(part) for part in match[1].split("."))
    return None


def _follows(number: _Number | None, other: _Number | None) -> bool:
    """Return whether a heading's number is the next after another: "1.5", "2" or "2.1" after "1.4"."""
    if other is None:
        return False
    if number is None or number[0] != other[0]:
        # A chapter: entries are rarely numbered so.
        return other[0] in _CHAPTERS and other[1] != (1,)
    parts, next_parts = number[1], other[1]
    for level in range(min(len(parts), len(next_parts))):
        if next_parts[level] != parts[level]:
            return next_parts[level] == parts[level] + 1 and set(next_parts[level + 1 :]) <= {1}
    return False
