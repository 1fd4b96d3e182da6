"""Lines of a task, cover, form or declaration, equal in several texts."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.exclusions.name_lines import name_line_sentences
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading.shared.title_lines import is_cover_line, looks_like_title
from simcompare.model.document import BlockKind, Document
from simcompare.support.lazy_pattern import LazyPattern
from simcompare.text.prepared_text import digest_of_units

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
    rf"|(?i:(?!.*(?:\d{{3}}字|\d words|{_RULES}{_LABEL_END}))"
    rf".{{0,12}}(?:题目?|问题|question|topic)\s?(?:{_COUNT})?{_LABEL_END}.*?{_SENTENCE_END}"
    r"(?!(?:[^。!.]*\?|\W*(?:请|谈|结合|discuss|explain|give|support)[^。!?.]*[。!.]?)$)\W*\w)"
)
_DECLARATION = LazyPattern(
    r"(?:.{0,12}声明 ?: ?)?(?:本人|我)(?:[在特谨]此)?(?:郑重)?(?:声明|承诺|保证)(?![过了])"
    r".*(?:独立[完撰写创]|抄袭|成果)"
    r"|(?:本人|我)(?:知道|明白|了解|清楚|同意)(?![过了]).*(?:独立完成|抄袭).*(?:不予|零分|0分|处理|处分|后果)"
    r"|i (?:hereby |solemnly )?(?:declare|certify|confirm|affirm|pledge) that\b"
    r".*\b(?:own|original|plagiari|copied)"
    r"|i (?:also )?(?:understand|know) that\b.*\b(?:own|plagiari|copied).*\b(?:marks?|penal|misconduct)"
    r"|.{0,16}(?:原创|独创|诚信|授权|版权).{0,8}(?:声明|承诺书?|说明)$"
    r"|(?:statement|declaration) of (?:originality|authorship|academic integrity|own work)$",
    re.IGNORECASE,
)
_ITEM = LazyPattern(rf"\(?(?:{_COUNT}|[a-z])[、.)]\s?\S|[•·●▪*-] ?\S", re.IGNORECASE)
_FIRST_ITEM, _NARRATED = LazyPattern(r"\(?[一1a][、.)]", re.IGNORECASE), LazyPattern(r"我|\bI\b")


def equal_form_lines(documents: Sequence[PreparedDocument]) -> list[NDArray[np.str_] | None]:
    """Return `ExclusionCandidates.common` of a few texts: the sentences of forms that two of them have.

    Each is in a line that is recognised as one of a form, before the text begins or after it ends.
    """
    forms = [dict(_form_sentences(document)) for document in documents]
    found: list[NDArray[np.str_] | None] = []
    for number, form in enumerate(forms):
        others = {digest for other in (*forms[:number], *forms[number + 1 :]) for digest in other.values()}
        equal = [sentence for sentence, digest in form.items() if digest in others]
        digests = np.zeros(documents[number].prepared.sentence_count, "U16")
        digests[equal] = [form[sentence] for sentence in equal]
        found.append(digests if equal else None)
    return found


def _form_sentences(document: PreparedDocument) -> Iterator[tuple[int, str]]:
    """Yield number and digest of each sentence of a form; none if the text has no others."""
    prepared, numbers = document.prepared, range(len(document.document.blocks))
    is_form = np.zeros(len(numbers), np.bool_)
    is_form[[*_form_blocks(document.document, numbers), *_form_blocks(document.document, numbers[::-1])]] = (
        True
    )
    in_form = is_form[prepared.sentence_blocks]
    is_name = name_line_sentences(document.document, prepared)
    for sentence in [] if (in_form | is_name).all() else np.flatnonzero(in_form & ~is_name).tolist():
        if units := prepared.units_of(sentence):
            yield sentence, digest_of_units(units)


def _form_blocks(document: Document, numbers: range) -> Iterator[int]:
    """Yield the blocks of a form up to the first one of the text.

    Titles may be among them, which are those of a school or task if a line of a form is below, a paragraph
    after a line on material or a label without a value, and one list below a label of rules.
    """
    is_in_list = may_follow = is_item = False
    titles: list[int] = []
    for number in numbers[:_MOST_LINES]:
        block = document.blocks[number]
        line = " ".join(unicodedata.normalize("NFKC", block.span.of(document.text)).split())
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


def _is_of_form(line: str) -> bool:
    if len(line) <= _LONGEST_DECLARATION and _DECLARATION.match(line):
        return True
    if len(line) > (_LONGEST_ENGLISH_TASK if line.isascii() else _LONGEST_TASK) or _ANSWER.match(line):
        return False
    return is_cover_line(line) or _FORM_LINE.match(line) is not None
