"""Lines at the beginning of a document that name its title, and lines that are never a title."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

from simcompare.support.lazy import LazyPattern

_SENTENCE_ENDS = tuple(".。!！?？;；:：,，、…")
_TITLE_MAX_CHARACTERS = 80

# Patterns are for text in NFKC ("：" is ":"), those named COMPACT for its letters and digits alone.
_HAN = "[㐀-鿿]"
_COUNT = "[一二三四五六七八九十百〇零\\d]"
_SIGNS = LazyPattern(r"[\W_]+")
_NUMBER = rf"(?:第?{_COUNT}+[章节]?)?"

_LABEL_COMPACT = LazyPattern(
    _NUMBER + r"(?:(?:本科|硕士|博士|学士|研究|学生|毕业|学位|课程|学年|学期|期末|生)*"
    r"(?:论文|設計|设计|大?作业|报告|作文|作品|课题|課題|选题|项目|論文|文章|实验|实训|实习)*(?:中文)?(?:题目|題目|标题|標題)(?:名称)?(?:中文)?"
    r"|(?:毕业|学位|研究|本科|科研)*(?:论文|论文设计|设计论文|课题|課題|选题|题目|毕业设计)(?:中文)?(?:名称|名稱)"
    r"|(?:研究|毕业|设计)?(?:课题|課題)"
    r"|(?:thesis|essay|paper|project|report|research|dissertation|assignment)?title"
    r"|titleof(?:the)?(?:thesis|essay|paper|project|report|dissertation|assignment))"
)
_SEPARATOR = LazyPattern(r"[:：\t]|(?<=[题題目称稱])\s(?=\S{4})")
_LABEL_END = LazyPattern("[:：]")
# "题    目：" has blanks and tabs between its letters
_LONGEST_LABEL = 24
_BLANKS = " \t_＿-—:：·.。"
_INSTRUCTION = LazyPattern(r"不少于|不得|请[写以根按]|左右[)）]?$|字以[上内]")
_PLACEHOLDER = LazyPattern(r"[\W_xX×*]*|[(（].*[)）]|(?:小?[一二三四]号|黑体|宋体|居中|字体).*")
# a title that goes on in the next line ends or begins like this
_GOES_ON = LazyPattern(
    r"(?:[的与和及或在对之以为—:：(（]|\b(?:of|and|the|in|on|for|to|a|an|with|from|by|at))$", re.IGNORECASE
)
_CONTINUES = ("—", "–", "--")


def _spaced(words: str) -> str:
    """Return a pattern for words whose letters may be spread: "姓    名"."""
    return "|".join(r"\s*".join(word) for word in words.split())


_FIELD_NAMES = _spaced(
    "姓名 学生姓名 作者姓名 作者 学生 学号 班级 专业班级 年级 学院 所在学院 学院名称 院系 "
    "所在院系 系别 系部 专业 专业名称 所学专业 学科 学科专业 教师 指导教师 指导教师姓名 "
    "指导老师 校内指导教师 企业指导教师 任课教师 导师 职称 日期 时间 提交日期 完成日期 "
    "完成时间 答辩日期 填表日期 起止日期 起止时间 课程 课程名称 课程代码 学校 学校代码 单位 "
    "培养单位 成绩 得分 研究方向 分类号 密级 编号 论文编号 届别 电话 邮箱 英文题目 "
    "外文题目 关键词 UDC"
)
_FIELD = LazyPattern(
    rf"\s*(?:{_FIELD_NAMES}|(?:student(?:'s)?\s*)?(?:name|id|number)|class|course(?:\s\w+)?|instructor|professor"
    r"|teacher|tutor|supervisor|advis[eo]r|date|due(?:\sdate)?|word\scount|module|author|department|school|college"
    r"|subject|key\s?words)\s*(?:[(（][^)）]*[)）]\s*)?[:：\t_]",
    re.IGNORECASE,
)
_FIELD_WITHOUT_COLON = LazyPattern(
    rf"\s*(?:{_spaced('姓名 学号 指导教师 指导老师 班级 院系 分类号 学校代码')})(?:\s+\S|$)"
)
# the lines of a cover may be joined: "...设计与实现学 院：河流学院"
_NEXT_FIELD = LazyPattern(
    rf"\s(?=(?:{_FIELD_NAMES}|name|author|class|date)\s*[:：_])"
    rf"|(?=(?:{_spaced('姓名 学号 学院 班级 专业 院系 系别 学生姓名 指导教师 指导老师')})\s*[:：])",
    re.IGNORECASE,
)

_SCHOOL = (
    rf"(?:(?![我你他她这那在走进爱致告想难]){_HAN}{{2,16}}(?<![的是和与入进上爱座所想])"
    r"(?:大学|學院|大學|学院|学校|中学|小学|党校|分校)){1,2}"
)
_SECTION_COMPACT = LazyPattern(
    r"(?:中文|英文|内容)?摘要|(?:内容)?提要|abstract|(?:executive)?summary|(?:关键词|keywords).*|[图表]{0,2}目[录錄次]"
    r"|(?:tableof)?contents|listof(?:figures|tables)|引言|前言|序言?|[绪緒]论|导[论言]|introduction|正文|结[论语]"
    r"|conclusions?|后记|致[谢謝]|[谢謝]辞|acknowledge?ments?|参考文献|references?|bibliography|附录.*|appendix.*"
    r"|符号说明|缩略语.*|声明|.{0,16}(?:原创性|独创性|诚信|授权|版权).{0,16}(?:声明|说明|承诺书?|书)|chapter(?:\d+|one|i).*"
)
_NUMBERED = LazyPattern(
    rf"第\s*{_COUNT}+\s*(?:章|[节部](?=[\s.、:：]|$))|[一二三四五六七八九十]+\s*[、.]|\([一二三四五六七八九十\d]+\)"
    r"|\d{1,2}(?:\.\d{1,2})+[\s.、㐀-鿿]|\d{1,2}\s*[.、]\s*\D|[01]\s+\S|I\.\s"
)
# a name, its label and a number, each of which may be missing
_STUDENT = rf"(?:学号)?(?:\d{{4,}})?(?:姓名)?(?:(?![的我时]){_HAN}{{2,3}})?(?:学号)?(?:\d{{4,}})?"
_COVER_COMPACT = LazyPattern(
    rf"(?:{_SCHOOL})?(?:\d{{4}}[届级])?"
    r"(?:全日制|普通|成人|高等教育|高等学校|自学考试|继续教育|网络教育|本科生?|专科生?|高职|大专|硕士生?|博士生?|学士"
    r"|研究生|专业|学术|学位|学生|毕业|课程|学年|学期|期末|期中|结课|实习|实践|实验|调研|社会实践|综合|科研)*"
    r"(?:论文|设计|大?作业|报告|考核|考试|试卷|作文|答卷)*"
    r"(?:封面|封皮|任务书|开题报告[书表]?|中期报告|中期检查表|文献综述|外文翻译|题目申报表|选题[申审]?[报批]?表"
    r"|评阅[书表]|登记表|审批表|成绩评定表|模板|格式|正文|说明书|答辩记录|指导记录)*"
    # kinds of work in a course
    rf"|(?:{_SCHOOL})?(?:{_HAN}{{2,12}}课程|语文|数学|英语|外语|政治|历史|思修|毛概|马原)"
    r"(?:论文|设计|大?作业|报告|作文|练习|试卷)+"
    # terms and classes
    rf"|.{{0,24}}学年.{{0,3}}第?.?学期.{{0,12}}|{_COUNT}年级(?:{_STUDENT})?"
    rf"|(?![我这那]){_HAN}{{0,12}}(?:\d{{1,4}}|{_COUNT}{{1,3}})(?:年级)?{_COUNT}{{0,3}}班(?:{_STUDENT})?"
    rf"|(?:学号)?\d{{6,}}{_HAN}{{2,3}}|{_HAN}{{2,3}}(?:学号)?\d{{6,}}"
    # dates, numbers, places to fill in
    r"|\d{4}年\d{1,2}月(?:\d{1,2}日)?|[二一][〇零○一二三四五六七八九]{3}年.{1,3}月.{0,4}|\d{5,}|[x×]+"
    r"|(?:a|bachelors?|masters?|doctoral|phd|undergraduate|graduate|diploma|honou?rs|final|term|research|course"
    r"|lab(?:oratory)?|degree|graduation|semester|midterm)*(?:thesis|dissertation|papers?|essay|reports?|project"
    r"|assignment|coursework|homework|proposal|cover(?:page|sheet))+\d{0,2}"
)
_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_COVER = LazyPattern(
    r"《[^》]+》\s*(?:课程)?\s*(?:论文|设计|大?作业|报告|实验报告|结课论文|课程设计报告?)"
    r"|(?:the\s)?(?:university|college|school|institute|department|faculty)\sof\s[A-Z][\w\s,&-]{2,60}"
    r"|(?!.*\b(?:my|our|your|an?|at|in|to|for|after|why|how|is|go|going|life|best)\b)[\w\s&'-]{2,40}\s"
    r"(?:university|college|institute\sof\s\w+|(?:high|middle|primary|secondary)\sschool)"
    r"|(?:a\s)?(?:thesis|dissertation|paper|report|essay)\ssubmitted\b.*|submitted\s(?:to|in|by|for)\b.*"
    rf"|in\spartial\sfulfil.*|\d{{1,2}}\s{_MONTH}\.?,?\s\d{{4}}|{_MONTH}\.?\s(?:\d{{1,2}},?\s)?\d{{4}}"
    r"|\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?",
    re.IGNORECASE,
)
_MIN_HAN, _MIN_WORDS = 5, 3
_MIN_HAN_OF_LINE, _MIN_HAN_OF_REST = 10, 4
# a cover, or the first pages of a form
_MOST_LINES, _MOST_CHARACTERS = 40, 2000


def looks_like_title(text: str) -> bool:
    """Return whether a line is short and does not end like a sentence."""
    return 0 < len(text) <= _TITLE_MAX_CHARACTERS and not text.endswith(_SENTENCE_ENDS)


def is_section_heading(text: str) -> bool:
    """Return whether a line is the heading of a part of a document: 摘要, 目录, 第一章, 1 Introduction."""
    if len(text) > _TITLE_MAX_CHARACTERS:
        return False
    folded = unicodedata.normalize("NFKC", text).strip()
    return (
        _NUMBERED.match(folded) is not None
        or _SECTION_COMPACT.fullmatch(letters_and_digits(folded)) is not None
    )


def is_cover_line(text: str) -> bool:
    """Return whether a line of a cover is no title: a school, kind of paper, class, date, or a field."""
    if len(text) > _TITLE_MAX_CHARACTERS:
        return False
    folded = unicodedata.normalize("NFKC", text).strip()
    if _FIELD.match(folded) or _FIELD_WITHOUT_COLON.match(folded) or _COVER.fullmatch(folded):
        return True
    return (
        _COVER_COMPACT.fullmatch(letters_and_digits(folded)) is not None or _split_label(folded) is not None
    )


def is_never_title(text: str) -> bool:
    """Return whether a line is known not to be the title of a document."""
    return is_cover_line(text) or is_section_heading(text)


def title_heading(headings: Iterable[str]) -> str | None:
    """Return the first heading that may be the title; none behind that of a section is."""
    before_sections = takewhile(lambda heading: not is_section_heading(heading), headings)
    return next((heading for heading in before_sections if not is_cover_line(heading)), None)


def opening_line(lines: Iterable[str]) -> str | None:
    """Return the first line if it may be a title; below the lines of a cover, only one longer than a name."""
    first, *others = [*islice(lines, _MOST_LINES), ""]
    if not is_cover_line(first):
        return first if looks_like_title(first) and not is_section_heading(first) else None
    line = next((line for line in others if not is_cover_line(line)), "")
    may_be_title = _may_be_title(line) and looks_like_title(line) and "\t" not in line
    return line if may_be_title and _is_longer_than_name(line) else None


def labelled_title(lines: Sequence[str]) -> str | None:
    """Return the title behind a label such as "论文题目：" or "Title:", in its line or row or the next."""
    characters = 0
    for number, line in enumerate(lines[:_MOST_LINES]):
        characters += len(line)
        if characters > _MOST_CHARACTERS or _SECTION_COMPACT.fullmatch(
            letters_and_digits(line[:_LONGEST_LABEL])
        ):
            return None
        value = _split_label(line)
        if value is not None and (title := _whole_title(value, lines[number + 1 : number + 4])):
            return title
    return None


def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text in NFKC and lower case: "参考文献" of "【参考文献】："."""
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold())


def _split_label(line: str) -> str | None:
    """Return the text behind a label, "" if the label is alone; None if a line has no label.

    The text begins with a tab if it is another cell, without a colon.
    """
    cells = [0, *(match.end() for match in re.finditer("\t", line))]
    for start in cells:
        rest = line[start:]
        is_label = len(rest) <= _LONGEST_LABEL and _LABEL_COMPACT.fullmatch(letters_and_digits(rest))
        if is_label and rest.casefold() != "title":
            return ""
        for match in _SEPARATOR.finditer(rest, 0, _LONGEST_LABEL):
            if _LABEL_COMPACT.fullmatch(letters_and_digits(rest[: match.start()])):
                return rest[match.start() :] if match[0] == "\t" else rest[match.end() :].strip()
    return None


def _whole_title(value: str, following: Sequence[str]) -> str | None:
    title = _first_value(value)
    lines = list(following)
    if value.startswith("\t") and not _is_longer_than_name(title):
        return None
    if not value.strip(_BLANKS) and lines and not _is_other_line(lines[0]):
        title = _first_value(lines.pop(0))
    if not _may_be_title(title):
        return None
    if not lines or _is_other_line(lines[0]):
        return title
    if _goes_on(title, lines[0]) or _is_wrapped(title, *lines[:2]):
        rest = _before_next_field(lines[0].strip(" \t_"))
        return title + (" " if title[-1].isascii() and rest[:1].isascii() else "") + rest
    return title


def _is_wrapped(title: str, line: str, next_line: str = "") -> bool:
    """Return whether a Chinese line between a long title and the next field is part of the title."""
    is_long = len(title) >= _MIN_HAN_OF_LINE and len(line) >= _MIN_HAN_OF_REST
    return is_long and all(re.search(_HAN, text) for text in (title, line)) and bool(_FIELD.match(next_line))


def _is_longer_than_name(text: str) -> bool:
    """Return whether a text is longer than the name of a person or of a column."""
    if re.search(_HAN, text):
        return len(text) >= _MIN_HAN
    return len(text.split()) >= _MIN_WORDS


def _first_value(text: str) -> str:
    """Return the text up to the next field of a line or row, without the line to write on."""
    cells = takewhile(lambda cell: not _FIELD.match(f"{cell}\t"), text.split("\t"))
    value = " ".join(cell.strip() for cell in cells if cell.strip(_BLANKS))
    return _before_next_field(value).strip(_BLANKS)


def _before_next_field(text: str) -> str:
    field = _NEXT_FIELD.search(text)
    return text[: field.start() if field else len(text)]


def _is_other_line(line: str) -> bool:
    has_label = _FIELD.match(f"{line}\t") or _LABEL_END.search(line, 0, _LONGEST_LABEL // 2)
    return bool(has_label) or is_never_title(line) or len(line) > _TITLE_MAX_CHARACTERS


def _may_be_title(text: str) -> bool:
    if not 1 < len(text) <= _TITLE_MAX_CHARACTERS or text.endswith(("。", ";", "；", ",", "，")):
        return False
    return not (_INSTRUCTION.search(text) or _PLACEHOLDER.fullmatch(text) or is_never_title(text))


def _goes_on(title: str, line: str) -> bool:
    rest = line.strip(" _")
    is_next_row = rest.startswith("\t") and rest.count("\t") == 1 and len(rest) > 1
    return bool(rest.strip()) and (is_next_row or bool(_GOES_ON.search(title)) or rest.startswith(_CONTINUES))
