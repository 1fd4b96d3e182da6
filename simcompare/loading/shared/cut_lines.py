"""Lines cut off inside a sentence: narrow hard wraps, Shift+Enter, text pasted from a PDF."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from simcompare.loading.extraction import Piece
from simcompare.model.document import BlockKind
from simcompare.support.lazy_pattern import LazyPattern

_HAN = "[\u3400-\u9fff\uf900-\ufaff]"
_MARKS_INSIDE = LazyPattern("[，、；。！？…,;!?]")
_END_INSIDE = LazyPattern("[。！？…]")

_ENDS_OPEN = LazyPattern(r"[^\W_][,\-–—]?$|[)\]”’\"'],$")
"""Ends in a letter, a digit or a comma: no mark ends a sentence there."""
_BEGINS_AS_SENTENCE = LazyPattern(r"[\"'“‘(\[]?(?:[A-Z]|\d)")
_CONTINUES = LazyPattern(r"[\"'“‘(\[]?(?!https?:|www\.)(?!\(?[a-z]{1,3}[.)]\s)[a-zà-öø-ÿ]")
"""Begins in lower case; not an address, nor an item such as "b) " or "ii. "."""
_FEWEST_WORDS = 3

_ENDS_SENTENCE = LazyPattern("[.。！？!?…][\"'”’」』）)]*$")
_ENDS_OPEN_IN_HAN = LazyPattern(rf"(?:{_HAN}|[，、])$")
_CONTINUES_IN_HAN = LazyPattern(
    rf"[“‘《（「]?(?!第?[一二三四五六七八九十百\d]+[、.．章节節]|[（(][一二三四五六七八九十\d]+[）)]|[图圖表]\s?\d){_HAN}"
)
_LABELLED = LazyPattern(r".{1,8}[:：]|(?:\S+\s){0,4}\S+:(?:\s\S+){1,3}$")
_NUMBERED = LazyPattern(r"第?[一二三四五六七八九十百\d]+[、.．章节節]|[（(][一二三四五六七八九十\d]+[）)]")
# "岁月如歌，青春如诗" may be a heading.
_SHORTEST_CUT = 12
# Lines of a hard wrap are full but for a word or a punctuation mark that may not begin a line.
_FEWEST_WRAPPED, _NARROWEST, _MOST_MISSING = 3, 8, 2
_FULL_SHARE = 0.7
# In wrapped English about one line in seven begins with a capital letter; below a heading every one does.
_FEWEST_CUT, _LEAST_CUT_SHARE = 5, 0.6


def join_cut_lines(pieces: Sequence[Piece], *, joins_clauses: bool = True) -> list[Piece]:
    """Join a paragraph without an end mark to the following one that continues its sentence.

    Continues: begins in lower case, if the first one begins as a sentence does; or in a Chinese character, if
    the first one ends at a comma, has more sentences or clauses, or is as full as its neighbours; or in a
    capital letter, if most lines of the text are cut. Headings, items and labels ("Name: ...") stay as they
    are, as do pieces with places on a page, whose lines the PDF reader joins.

    joins_clauses: also join a line of clauses that no mark and no width shows to be cut off.
    """
    wrapped = _wrapped(pieces)
    joined: list[Piece] = []
    for number, piece in enumerate(pieces):
        if (
            joined
            and _may_join(joined[-1], piece)
            and (
                _is_cut(joined[-1].text, pieces[number - 1].text, piece.text, joins_clauses=joins_clauses)
                or number in wrapped
            )
        ):
            text = _joined(joined[-1].text, piece.text)
            moved = len(text) - len(piece.text)
            marks = (*joined[-1].marks, *((moved + place, number) for place, number in piece.marks))
            joined[-1] = replace(joined[-1], text=text, marks=marks)
        else:
            joined.append(piece)
    return joined


def is_cut_line(pieces: Sequence[Piece], title: str) -> bool:
    """Return whether a title is the first line of a text and goes on to the end of a sentence."""
    if len(pieces) < 2 or pieces[0].text != title:
        return False
    joined = join_cut_lines(pieces, joins_clauses=False)[0].text  # a title may have clauses
    return joined != title and _ENDS_SENTENCE.search(joined) is not None


def _may_join(before: Piece, piece: Piece) -> bool:
    return (
        before.kind is piece.kind is BlockKind.PARAGRAPH
        and before.page == piece.page
        and before.places is None
        and piece.places is None
    )


def _is_cut(paragraph: str, line: str, following: str, *, joins_clauses: bool) -> bool:
    """Return whether the last line of a paragraph is cut off before the following line."""
    if _CONTINUES.match(following):
        words = len(line.split())
        return bool(
            words >= _FEWEST_WORDS
            and _BEGINS_AS_SENTENCE.match(paragraph)
            and _ENDS_OPEN.search(line)
            and not _LABELLED.match(line)
            # otherwise a list below its heading
            and (_MARKS_INSIDE.search(line) or line[-1] in ",-–—" or _ENDS_SENTENCE.search(following))
        )
    if not _is_open(line, following):
        return False
    # verses and points have no end mark either, and a paragraph below its heading is longer
    is_clause = (
        joins_clauses
        and len(line) >= _SHORTEST_CUT
        and len(following) <= 2 * len(line)
        and not _NUMBERED.match(line)
        and _MARKS_INSIDE.search(line)
        and _END_INSIDE.search(following)
    )
    return bool(line[-1] in "，、" or _END_INSIDE.search(line) or is_clause)


def _is_open(line: str, following: str) -> bool:
    """Return whether a line ends and the following one begins as Chinese text within a sentence does."""
    return bool(
        _ENDS_OPEN_IN_HAN.search(line) and _CONTINUES_IN_HAN.match(following) and not _LABELLED.match(line)
    )


def _wrapped(pieces: Sequence[Piece]) -> set[int]:
    """Return the indices of the pieces before which a hard wrap broke the line."""
    found: set[int] = set()
    for start, stop in _runs(pieces):
        lines = [piece.text for piece in pieces[start:stop]]
        found |= {start + number for number in _wrapped_at_words(lines)}
        open_lines = [
            (start + number, len(line), len(following))
            for number, (line, following) in enumerate(pairwise(lines), start=1)
            if len(line) >= _NARROWEST and _is_open(line, following)
        ]
        width = _usual_width([length for _number, length, _next in open_lines])
        full = {
            number
            for number, length, following in open_lines
            # behind a heading the line is longer
            if width - _MOST_MISSING <= length <= width and following <= width + 1
        }
        are_prose = 2 * sum(bool(_MARKS_INSIDE.search(line)) for line in lines) >= len(lines)
        if len(full) >= _FEWEST_WRAPPED and are_prose:
            found |= full
    return found


def _wrapped_at_words(lines: Sequence[str]) -> set[int]:
    """Return the indices of the lines before which a hard wrap broke the line between words, if most did."""
    open_breaks = [
        number
        for number, (line, following) in enumerate(pairwise(lines), start=1)
        if len(line) >= _NARROWEST
        and _ENDS_OPEN.search(line)
        and not _is_chinese(line[-1])
        and not _LABELLED.match(line)
        and (_CONTINUES.match(following) or _BEGINS_AS_SENTENCE.match(following))
    ]
    cut = [len(lines[number - 1]) for number in open_breaks if _CONTINUES.match(lines[number])]
    if len(cut) < max(_FEWEST_CUT, _LEAST_CUT_SHARE * len(open_breaks)):
        return set()
    full = _FULL_SHARE * sorted(cut)[len(cut) // 2]
    return {number for number in open_breaks if len(lines[number - 1]) >= full}


def _usual_width(lengths: Sequence[int]) -> int:
    """Return the width at which most lines are full, 0 for no lines."""
    counts = Counter(lengths)

    def full_lines(width: int) -> int:
        return sum(counts[width - missing] for missing in range(_MOST_MISSING + 1))

    return max(counts, key=full_lines, default=0)


def _runs(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Yield the runs of consecutive paragraphs, as (first, one after the last)."""
    start = 0
    for number in range(1, len(pieces) + 1):
        if number == len(pieces) or not _may_join(pieces[number - 1], pieces[number]):
            yield start, number
            start = number


def _joined(before: str, after: str) -> str:
    """Join two lines: with a blank between words, without one in Chinese or behind a hyphen."""
    is_hyphenated = before.endswith("-") and before[-2:-1].isalpha()
    return before + ("" if is_hyphenated or _is_chinese(max(before[-1], after[0])) else " ") + after


def _is_chinese(character: str) -> bool:
    return character >= "\u2e80"
