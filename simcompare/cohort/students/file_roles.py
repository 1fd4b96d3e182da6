"""Roles of the files of one student: the one that counts, drafts, appendices and duplicates."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simcompare.loading.archive_members import modified
from simcompare.model.document import Document
from simcompare.pseudonyms.opening_lines import opening_of
from simcompare.session.school_class import FileRole


@dataclass(frozen=True, slots=True)
class SubmittedText:
    """Properties of a handed-in text that tell whose it is and which of a student's texts counts.

    modified: in seconds since 1970, None if unknown. opening: the first lines.
    """

    path: Path
    sha256: str = ""
    characters: int = 0
    modified: float | None = None
    opening: str = ""


def submitted_text(document: Document) -> SubmittedText:
    """Return the properties of a document that was read."""
    return SubmittedText(
        document.path,
        document.sha256,
        document.receipt.characters_kept,
        modified(document.path),
        opening_of(document),
    )


_NUMERALS = {numeral: n for n, numeral in enumerate("一二三四五六七八九十", start=1)}
_NUMERALS |= {"初": 0, "首": 0, "first": 1, "second": 2, "third": 3, "rough": 0}
_FINAL = re.compile(r"定稿|终稿|終稿|最终|最終|(?<![a-z])final(?![a-z])")
_REVISED = re.compile(r"修改|修订|修訂|更新|(?<![a-z])(?:revised|revision|edited|updated|corrected)(?![a-z])")
_EARLY = re.compile(r"草稿|旧|舊|提纲|(?<![a-z])(?:old|outline)(?![a-z])")
_NUMBERED = re.compile(
    r"第?(?P<before>[一二三四五六七八九十初首]+|\d{1,2})[稿版]"
    r"|(?<![a-z])(?P<word>first|second|third|rough)[\s_-]*draft"
    r"|(?<![a-z])(?:draft|v|ver|version)[\s_.-]*(?P<after>\d{1,2})(?!\d)"
)
_DRAFT = re.compile(r"(?<![a-z])draft(?![a-z])")
_LAST_NUMBER = re.compile(r"(\d{1,2})\D*$")
_COPY = re.compile(r"\s*(?:\((?P<count>\d{1,2})\)|[-_ ]+(?:副本|copy)|副本|的副本)\s*")
_APPENDIX = re.compile(
    r"附件|附录|附錄|补充材料|原始数据|问卷|封面|承诺书|声明书"
    r"|(?<![a-z])(?:appendix|appendices|supplement|cover[\s_-]*(?:page|sheet)|declaration|questionnaire)(?![a-z])"
)
_TASK = re.compile(r"的?(?:期[中末])?(?:大作业|作业|作文|论文|读后感|观后感|实验报告|报告)")
_RANK_REVISED, _RANK_FINAL = 60.0, 80.0
_RANK_LATEST_DRAFT, _RANK_PLAIN_AFTER_DRAFT, _RANK_PLAIN = 1.0, 50.0, 1.5
_SAME_TIME_SECONDS = 60


def draft_number(name: str) -> float | None:
    """Return the place of a file among drafts by the words in its name, or None without such words.

    "初稿" and "draft" are 0, "二稿" and "v2" are 2, then "修改稿", then "定稿" and "final".
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    last = _LAST_NUMBER.search(_COPY.sub("", text))
    extra = int(last[1]) / 100 if last else 0.0
    if _FINAL.search(text):
        return _RANK_FINAL + extra
    if match := _NUMBERED.search(text):
        return _numeral(match["before"] or match["word"] or match["after"])
    if _REVISED.search(text):
        return _RANK_REVISED + extra
    return 0.0 if _EARLY.search(text) or _DRAFT.search(text) else None


def has_role_words(name: str) -> bool:
    """Return whether a name says that a file is a draft, a revision or an appendix."""
    return draft_number(name) is not None or _is_appendix(name)


def _is_appendix(name: str) -> bool:
    return _APPENDIX.search(unicodedata.normalize("NFKC", name).casefold()) is not None


def _numeral(text: str) -> float:
    return float(text) if text.isdecimal() else float(_NUMERALS.get(text, _NUMERALS.get(text[-1], 0)))


def without_copy_marks(stem: str) -> str:
    """Return a file name without extension and without "(1)", "副本" and "copy"."""
    return _COPY.sub("", unicodedata.normalize("NFKC", stem).casefold())


def without_role_words(stem: str) -> str:
    """Return a file name without words of drafts and tasks; "王伟初稿" and "王伟作文" are no names."""
    text = unicodedata.normalize("NFKC", stem)
    for words in (_NUMBERED, _FINAL, _REVISED, _EARLY, _DRAFT, _APPENDIX, _TASK):
        text = re.sub(words.pattern, "_", text, flags=re.IGNORECASE)
    return text.strip("_- ") or stem


def roles_of(texts: Sequence[SubmittedText], titles: Sequence[str]) -> list[FileRole]:
    """Return the role of each text of one student; exactly one is current.

    titles: names of the files without extension and without what a platform added. Current is the newest
    by draft words, then by time, then the longest. A name without draft words counts as the final text
    beside a first draft, and as the first text beside "v2". An appendix is never current unless there is
    nothing else.
    """
    ranks = _ranks([_draft_number(text, title) for text, title in zip(texts, titles, strict=True)], titles)
    is_appendix = list(map(_is_appendix, titles))
    order = sorted(
        range(len(texts)),
        key=lambda n: (not is_appendix[n], ranks[n], _time(texts[n]), texts[n].characters),
        reverse=True,
    )
    seen: set[str] = set()
    roles = [FileRole.DRAFT] * len(texts)
    for place in order:
        sha256 = texts[place].sha256
        if sha256 and sha256 in seen:
            roles[place] = FileRole.DUPLICATE
        elif is_appendix[place]:
            roles[place] = FileRole.APPENDIX
        seen.add(sha256)
    roles[order[0]] = FileRole.CURRENT
    return roles


def _draft_number(text: SubmittedText, title: str) -> float | None:
    """Return the place among drafts by the name of the file, or else of its folder."""
    own = draft_number(title)
    return draft_number(text.path.parent.name) if own is None else own


def _ranks(numbers: Sequence[float | None], titles: Sequence[str]) -> list[float]:
    has_first = any(number is not None and number <= _RANK_LATEST_DRAFT for number in numbers)
    plain = _RANK_PLAIN_AFTER_DRAFT if has_first else _RANK_PLAIN
    return [
        (plain if number is None else number) + _copy_number(title) / 100
        for number, title in zip(numbers, titles, strict=True)
    ]


def _copy_number(title: str) -> int:
    match = re.search(r"\((\d{1,2})\)", unicodedata.normalize("NFKC", title))
    return int(match[1]) if match else 0


def _time(text: SubmittedText) -> int:
    """Return when a text was changed, in minutes: files unpacked together differ by moments."""
    return int((text.modified or 0) // _SAME_TIME_SECONDS)
