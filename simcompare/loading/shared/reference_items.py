"""Forms of lines in and behind a reference list: entries, running text, or neither for sure."""

import re
import unicodedata
from enum import Enum, auto

from simcompare.support.lazy_pattern import LazyPattern

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
    """Return whether a line without its number is an entry."""
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
