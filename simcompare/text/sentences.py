"""Split a document into sentences (Lv et al., section 3.2(1)), Chinese and English."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Block, BlockKind, Document

Int32Array = NDArray[np.int32]
_CLOSERS = "\"'”’」』）)】》〉]}＂＇｣﹂﹄〕〗"
_STRONG_MARKS = "。！？；!?;…⋯｡‼⁇⁈⁉"
# A run of marks that end a sentence, with the closing quotes and brackets after it. For a single dot
# the text around it decides.
# It begins with one character set, because a set is searched several times as fast as alternatives.
_END = re.compile(
    rf"[{_STRONG_MARKS}.．](?:(?<=[{_STRONG_MARKS}])[{_STRONG_MARKS}]*[.。！？!?…⋯]*|[.．]+[!?]*|(?P<dot>))"
    rf"[{re.escape(_CLOSERS)}]*"
)
# English continues after "Really?" he asked. A Chinese sentence may begin in lower case: 对吗？python很好。
_CHINESE_ENDS = frozenset("。！？；｡")
_CJK = re.compile("[\u2e80-\u9fff\U00020000-\U0003ffff]")
_NEXT_LETTER = re.compile(r"\s*[\"'“‘(\[]?(\w)")
# Characters with their mark: 三字经 has 8, quick dialogue is longer and has fewer sentences in a paragraph.
_LONGEST_SCRAP, _FEWEST_SCRAPS = 6, 8
# a usual Chinese sentence with such marks in it
_JOINED_SCRAPS = 50
# limits the search backwards at every dot in a text without blanks
_LONGEST_ABBREVIATION = 24
# the text after the last blank, opening bracket or quote
_LAST_TOKEN = re.compile(r"(?:.*[\s(（\[“‘\"'])?(.*)", re.DOTALL)
# Longer words are neither abbreviations below nor list numbers.
_LONGEST_SHORT_WORD = 6
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_LIST_NUMBER = re.compile(r"\s*\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxIVX]{1,5})")
# Abbreviations after which the sentence continues; for those that may also end one (etc., Inc., a.m.)
# the following letter decides.
_ABBREVIATIONS = frozenset(
    re.split(
        r"\s+",
        "mr mrs ms dr prof st mt vs fig figs eq eqs ref refs vol vols pp ch chap sec sect ed eds cf al ca "
        "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun "
        "approx dept gen gov hon lt col sgt capt cmdr rev sen rep messrs mme mlle e.g i.e viz",
    )
)


def split_sentences(document: Document) -> Int32Array:
    """Split a document into sentences; blanks between them belong to no sentence.

    A sentence never crosses a block; the cells of a table row are separate sentences. Returns shape (s, 3):
    start and end as code points of `Document.text`, and the index of the block, in text order.
    """
    bounds = [
        (start, end, index)
        for index, block in enumerate(document.blocks)
        for piece_start, piece_end in _pieces(document.text, block)
        for start, end in _uncut(document.text, list(_sentences_of(document.text, piece_start, piece_end)))
    ]
    return np.array(bounds, dtype=np.int32).reshape(-1, 3)


def _pieces(text: str, block: Block) -> Iterator[tuple[int, int]]:
    start, end = block.span.start, block.span.end
    if block.kind is not BlockKind.TABLE_ROW:
        yield start, end
        return
    for cell in text[start:end].split("\t"):
        yield start, start + len(cell)
        start += len(cell) + 1


def _sentences_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for match in _END.finditer(text, start, end):
        if not _sentence_continues(text, match, begin, end):
            yield from _trimmed(text, begin, match.end())
            begin = match.end()
    yield from _trimmed(text, begin, end)


def _uncut(text: str, sentences: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join the sentences of a Chinese paragraph that end marks after every few characters cut into scraps."""
    lengths = sorted(end - start for start, end in sentences)
    if len(sentences) < _FEWEST_SCRAPS or lengths[len(lengths) // 2] > _LONGEST_SCRAP:
        return sentences
    if not _CJK.search(text, *sentences[len(sentences) // 2]):
        return sentences
    joined = [sentences[0]]
    for start, end in sentences[1:]:
        first = joined[-1][0]
        if end - first <= _JOINED_SCRAPS:
            joined[-1] = first, end
        else:
            joined.append((start, end))
    return joined


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _sentence_continues(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Return whether the sentence continues after what looks like its end."""
    following = _NEXT_LETTER.match(text, match.end(), end)
    letter = following.group(1) if following else ""
    chinese = text[match.start()] in _CHINESE_ENDS or _CJK.match(text, max(match.start() - 1, start))
    if letter.islower() and letter.isascii() and text[match.start()] != ";" and not chinese:
        return True
    return match.group("dot") is not None and _dot_is_inside(text, match, start, "" if chinese else letter)


def _token_before(text: str, start: int, end: int) -> str:
    """Return the token before `end`, from the last blank, opening bracket or quote, or its last part."""
    match = _LAST_TOKEN.match(text, max(start, end - _LONGEST_ABBREVIATION), end)
    return match.group(1) if match else ""


def _dot_is_inside(text: str, match: re.Match[str], start: int, letter: str) -> bool:
    """Return whether a dot belongs to a number, an abbreviation, an address or a list number."""
    touches = match.end() < len(text) and not text[match.end()].isspace()
    if touches and letter and letter.isascii() and match.end() == match.start() + 1:
        return True
    long_word = match.start() - _LONGEST_SHORT_WORD - 1
    if long_word >= start and text[long_word : match.start()].isalpha():
        return False
    token = _token_before(text, start, match.start())
    if token.lower() in _ABBREVIATIONS or _INITIALS.fullmatch(token):
        return True
    if token.lower() == "no" and letter.isdigit():
        return True
    return _LIST_NUMBER.fullmatch(text, start, match.start()) is not None
