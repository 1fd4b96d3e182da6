"""Whether a place of a text speaks of a person, where a student's name is an ordinary word as well."""

import re

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
