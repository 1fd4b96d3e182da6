"""Group lines into paragraphs by indent, gap, font size, short last lines, and the marks of list items."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from simcompare.loading.formats.pdf.pdf_lines import UNBROKEN, PdfLine, divided, is_cjk

_BULLETS = "•●■▪◦‣∙○□◆◇➢\uf0b7"
_BULLET = re.compile(rf"[{_BULLETS}]\s*")
# Further signs that begin items or notes below each other, but also lines within a paragraph.
_SIGN = re.compile(rf"[{_BULLETS}*–]")
# A cell with nothing but the sign, number or letter of an item.
_MARK = re.compile(rf"{_SIGN.pattern}|[\[(（]?[\dA-Za-z一二三四五六七八九十]{{1,3}}[\])）.、]")
_CHINESE_DIGITS = "一二三四五六七八九"
_NUMBER = re.compile(
    rf"(?P<opening>[(（\[]?)(?P<number>\d{{1,3}}|[{_CHINESE_DIGITS}十]{{1,3}})(?P<closing>[)）\]、．]|\.(?!\d))"
)


def bullet_length(text: str) -> int:
    """Return the number of characters of the bullet that begins a text and the blanks after it; 0 without."""
    match = _BULLET.match(text)
    return match.end() if match else 0


def is_mark(text: str) -> bool:
    """Return whether a text is only the bullet, number or letter of a list item."""
    return _MARK.fullmatch(text) is not None


def is_item(text: str) -> bool:
    """Return whether a text begins as a list item does."""
    return _SIGN.match(text) is not None or item_number(text) is not None


def is_next_item(first: str, text: str) -> bool:
    """Return whether a text begins with the sign, or the next number, of the item `first`."""
    if _SIGN.match(text):
        return first[:1] == text[:1]
    before, number = item_number(first), item_number(text)
    return before is not None and number == (before[0], before[1] + 1)


def item_number(text: str) -> tuple[str, int] | None:
    """Return the form and the value of the number of a list item: ("()", 2) of "(2) The bridge"."""
    match = _NUMBER.match(text)
    if match is None or (match["opening"] == "[") != (match["closing"] == "]"):
        return None
    number = match["number"]
    value = int(number) if number.isdecimal() else _chinese_value(number)
    return match["opening"] + match["closing"], value


def _chinese_value(number: str) -> int:
    """Return the value of a Chinese number below 100."""
    tens, ten, ones = number.rpartition("十")
    value = _CHINESE_DIGITS.find(ones) + 1 if ones else 0
    return value + (10 * (_CHINESE_DIGITS.find(tens) + 1 if tens else 1) if ten else 0)


# All distances are shares of the font size.
_INDENT = 0.8
_SLACK = 0.6
_SAME_SIZE = 0.12
_GAP = 1.3
_JUMP_UP = 0.5
_SAME_BASELINE = 0.5
_SAME_MARGIN = 0.5
_MIN_LINES_FOR_MARGINS = 4
# All lines of a shorter column, between two tables for instance, may be short: it has the margins of others,
# unless it is narrower than this share of their width.
_MIN_LINES_OF_LARGE = 12
_MIN_SHARE_OF_LARGE = 0.3
_MAX_MARGINS = 100
_BLOCK_INDENT = 1.2
# Share of the column width: narrower text is a poem, a list or a heading.
_MIN_WIDTH = 0.6
_MAX_PIECES = 8
_LARGER = 1.2
_TITLE_PITCH = 1.8
_SENTENCE_END = re.compile(r"[.!?。！？…；;:：][”’」』）)\"']*$")


@dataclass(slots=True)
class TextColumn:
    """Consecutive lines of a column, its margins, line pitch and median font size."""

    lines: list[PdfLine]
    left: float = 0.0
    right: float = 0.0
    pitch: float = 0.0
    size: float = 0.0


@dataclass(slots=True)
class PdfParagraph:
    lines: list[PdfLine] = field(default_factory=list)
    column: TextColumn | None = None

    @property
    def size(self) -> float:
        """Median font size of its lines."""
        return median(line.size for line in self.lines)


def paragraphs_of(lines: Sequence[PdfLine]) -> list[PdfParagraph]:
    """Group the lines of a document without margins into paragraphs, also across pages."""
    # A column ends if the next line is higher, beside, or on another page.
    columns = [TextColumn(run) for run in divided(lines, _breaks_column)]
    _measure(columns)
    grouped = [_grouped(column) for column in columns]
    if indent := _usual_indent(grouped):
        before = [None, *(paragraphs[-1] for paragraphs in grouped)]
        grouped = [_grouped(*pair, indent) for pair in zip(columns, before, strict=False)]
    found: list[PdfParagraph] = []
    for first, *others in grouped:
        if found and _continues(found[-1], first, indents=indent > 0):
            found[-1].lines += first.lines
            found[-1].column = first.column
        else:
            found.append(first)
        found += others
    return found


def _breaks_column(before: PdfLine, line: PdfLine) -> bool:
    if line.row or before.row:
        return line.row != before.row or line.page != before.page
    beside = line.x0 > before.x1 or line.x1 < before.x0
    higher = line.y0 > before.y0 + _JUMP_UP * before.size
    return line.page != before.page or higher or (beside and abs(line.y0 - before.y0) < before.size)


def _measure(columns: Sequence[TextColumn]) -> None:
    for column in columns:
        column.left = -_supported_margin(
            [-line.x0 for line in column.lines], _SAME_MARGIN * column.lines[0].size
        )
        column.right = _right_margin(column.lines)
        column.pitch = _pitch(column.lines)
        column.size = median(line.size for line in column.lines)
    running = [column for column in columns if not column.lines[0].row]
    for fewest, least in ((_MIN_LINES_FOR_MARGINS, _MIN_LINES_OF_LARGE), (0, _MIN_LINES_FOR_MARGINS)):
        large = _distinct(column for column in running if len(column.lines) >= least)
        for column in columns:
            if fewest <= len(column.lines) < least:
                _adopt_margins(column, large)


def _distinct(columns: Iterable[TextColumn]) -> list[TextColumn]:
    """Return columns with different margins, a limited number: most pages have the same."""
    found = {(round(column.left), round(column.right), round(column.pitch)): column for column in columns}
    return list(found.values())[:_MAX_MARGINS]


def _adopt_margins(column: TextColumn, large: Sequence[TextColumn]) -> None:
    """Assign a column of few lines the margins of the narrowest larger column that it fits in.

    A much narrower one with margins of its own is a label beside the text.
    """
    width = column.right - column.left
    least_width = _MIN_SHARE_OF_LARGE if len(column.lines) >= _MIN_LINES_FOR_MARGINS else 0.0
    fitting = [
        other
        for other in large
        if other.left <= column.left + _SAME_MARGIN * column.size
        and other.right >= column.right - 0.1 * width
    ]
    if fitting:
        nearest = min(fitting, key=lambda other: (other.right - other.left, -len(other.lines)))
        if width >= least_width * (nearest.right - nearest.left):
            column.left, column.right, column.pitch = nearest.left, nearest.right, nearest.pitch


def _right_margin(lines: Sequence[PdfLine]) -> float:
    """Return the end of full lines: justified ones share one end, ragged ones end near the furthest."""
    step = _SAME_MARGIN * median(line.size for line in lines) or 1.0
    end, count = Counter(round(line.x1 / step) for line in lines).most_common(1)[0]
    if count >= 3 and count * 4 >= len(lines):
        return max(line.x1 for line in lines if round(line.x1 / step) == end)
    return _supported_margin([line.x1 for line in lines], 6 * step)


def _supported_margin(ends: Sequence[float], reach: float) -> float:
    """Return the furthest end near which other lines end too: a title may be wider than its column."""
    needed = max(2, len(ends) // 12)
    for end in sorted(ends, reverse=True):
        if sum(end - reach <= other <= end for other in ends) >= needed:
            return end
    return max(ends)


def _pitch(lines: Sequence[PdfLine]) -> float:
    """Return the line distance within paragraphs: the lower quartile of all distances."""
    steps = sorted(
        step
        for before, line in pairwise(lines)
        if (step := _line_distance(before, line)) > _SAME_BASELINE * line.size
    )
    return steps[len(steps) // 4] if steps else lines[0].size * 1.5


def _line_distance(before: PdfLine, line: PdfLine) -> float:
    """Return the distance to the line above, less the height of phonetic guides."""
    return before.y0 - line.y0 - line.headroom


def _grouped(
    column: TextColumn, before: PdfParagraph | None = None, indent: float = 0.0
) -> list[PdfParagraph]:
    """Group the lines of a column.

    `indent` is the known indent of first lines, `before` the last paragraph of the column before.
    """
    if column.lines[0].row:
        return [PdfParagraph(list(column.lines), column)]
    paragraphs = [PdfParagraph([column.lines[0]], column)]
    rights = _right_ends(column)
    hanging = _hanging_indent(before) if before else 0.0
    # Indented lines at the top may belong to a list item that begins in the column before.
    continued = hanging > 0 and abs(column.lines[0].x0 - column.left - hanging) < _SAME_MARGIN * column.size
    for line, right in zip(column.lines[1:], rights[1:], strict=True):
        follows_first = (
            indent > 0
            and right == column.right
            and not (continued and len(paragraphs) == 1)
            and _are_first_lines(paragraphs[-1], line, indent)
        )
        if follows_first or _begins_paragraph(paragraphs[-1], line, column, right):
            paragraphs.append(PdfParagraph([line], column))
        else:
            paragraphs[-1].lines.append(line)
    return paragraphs


def _are_first_lines(paragraph: PdfParagraph, line: PdfLine, indent: float) -> bool:
    """Return whether a one-line paragraph and the line below it are both indented as first lines.

    All lines of a list item may be indented.
    """
    first, column = paragraph.lines[0], paragraph.column
    if column is None or len(paragraph.lines) > 1 or _is_same_line(first, line):
        return False
    if is_item(first.text) and not is_item(line.text):
        return False
    near = _SAME_MARGIN * line.size
    return all(abs(candidate.x0 - column.left - indent) < near for candidate in (first, line))


def _right_ends(column: TextColumn) -> list[float]:
    """Return the end of full lines for each line: less in a block that is indented on both sides."""
    rights = [column.right] * len(column.lines)
    start = 0
    for stop in range(1, len(column.lines) + 1):
        first = column.lines[start]
        if stop < len(column.lines) and abs(column.lines[stop].x0 - first.x0) < _SAME_MARGIN * first.size:
            continue
        end = max(line.x1 for line in column.lines[start:stop])
        if stop - start >= _MIN_LINES_FOR_MARGINS - 1 and _is_block_indented(column, first, end):
            rights[start:stop] = [end] * (stop - start)
        start = stop
    return rights


def _is_block_indented(column: TextColumn, first: PdfLine, end: float) -> bool:
    inset = min(first.x0 - column.left, column.right - end)
    return inset > _BLOCK_INDENT * first.size and end - first.x0 > _MIN_WIDTH * (column.right - column.left)


def _begins_paragraph(paragraph: PdfParagraph, line: PdfLine, column: TextColumn, right: float) -> bool:
    before = paragraph.lines[-1]
    if before.typed or line.typed:
        return True
    if _is_same_line(before, line) or _is_centred_title(before, line, column):
        # Parts of one line, or lines of one title.
        return False
    return (
        _differs_in_size(before, line)
        or before.bold != line.bold
        or _line_distance(before, line) > _GAP * max(column.pitch, line.size)
        or _is_item_after(before, line)
        or _is_indented_after(paragraph, line)
        or _is_short(before, line, right)
    )


def _is_same_line(before: PdfLine, line: PdfLine) -> bool:
    return abs(before.y0 - line.y0) < _SAME_BASELINE * min(before.size, line.size)


def _is_centred_title(before: PdfLine, line: PdfLine, column: TextColumn) -> bool:
    """Return whether two lines, larger than the rest of their column, are centred close to each other."""
    if min(before.size, line.size) <= _LARGER * column.size:
        return False
    middle = (column.left + column.right) / 2
    off = max(abs((candidate.x0 + candidate.x1) / 2 - middle) for candidate in (before, line))
    close = before.y0 - line.y0 < _TITLE_PITCH * line.size
    alike = not _differs_in_size(before, line) and before.bold == line.bold
    return close and alike and off < _SAME_MARGIN * line.size


def _differs_in_size(before: PdfLine, line: PdfLine) -> bool:
    return abs(before.size - line.size) > _SAME_SIZE * max(before.size, line.size)


def _is_item_after(before: PdfLine, line: PdfLine) -> bool:
    """Return whether a line begins with a bullet or, after the end of a sentence, with a list number."""
    if bullet_length(line.text):
        return True
    # After a sentence, "[2]" may be a citation.
    return item_number(line.text) is not None and not line.text.startswith("[") and ends_sentence(before)


def ends_sentence(line: PdfLine) -> bool:
    """Return whether a line ends with the mark of a sentence or clause, a colon too."""
    return _SENTENCE_END.search(line.text) is not None


def _is_indented_after(paragraph: PdfParagraph, line: PdfLine) -> bool:
    """Return whether a line is further in than the one before, or ends an indented paragraph."""
    last = paragraph.lines[-1]
    # A superscript may split a line.
    begin = last.x0
    for piece in paragraph.lines[-_MAX_PIECES:-1]:
        if piece.x0 < begin and piece.page == last.page and _is_same_line(piece, last):
            begin = piece.x0
    step = line.x0 - begin
    if is_item(paragraph.lines[0].text):
        return _ends_item(paragraph, line, step)
    out_again = step < -_INDENT * line.size and len(paragraph.lines) > 1
    return step > _INDENT * line.size or out_again


def _ends_item(paragraph: PdfParagraph, line: PdfLine, step: float) -> bool:
    """Return whether a line, `step` further in than the one before, is not part of a list item.

    The second line of an item may be further in (hanging) or, as in running text, further out at the margin.
    """
    first, last, column = paragraph.lines[0], paragraph.lines[-1], paragraph.column
    if is_next_item(first.text, line.text):
        hangs = last.x0 > first.x0 + _INDENT * line.size
        return not (hangs and abs(step) < _SAME_MARGIN * line.size)
    is_first_line = _is_same_line(first, last)
    if step < -_INDENT * line.size:
        at_margin = column is not None and line.x0 < column.left + _INDENT * line.size
        full = column is not None and not _is_short(last, line, column.right)
        return not (is_first_line and at_margin and full)
    return step > _INDENT * line.size and not is_first_line


def _is_short(before: PdfLine, line: PdfLine, right: float) -> bool:
    """Return whether the first word of `line` would have fitted on the line before."""
    return before.x1 + _first_word_width(line) + _SLACK * line.size < right


def _first_word_width(line: PdfLine) -> float:
    """Return the width of an unbreakable unit: a word or a Chinese character, with its punctuation."""
    if line.first_width:
        return line.first_width
    word = UNBROKEN.match(line.text)
    signs = word[0] if word else line.text[:1]
    wide = sum(map(is_cjk, signs))
    narrow_width = (line.x1 - line.x0) / max(len(line.text), 1)
    return wide * line.size + (len(signs) - wide) * min(narrow_width, 0.6 * line.size)


def _usual_indent(grouped: Iterable[Sequence[PdfParagraph]]) -> float:
    """Return the usual indent of first lines, 0 if most paragraphs of several lines have none.

    List items are laid out differently. Two lines that are both indented, before a paragraph further out, are
    a full line that is a paragraph and the first line of the next.
    """
    several: list[PdfParagraph] = []
    indents: list[float] = []
    for paragraph in (paragraph for paragraphs in grouped for paragraph in paragraphs):
        first, *others = paragraph.lines
        if not others or first.row or is_item(first.text):
            continue
        before = several[-1] if several and several[-1].column is paragraph.column else None
        step = before.lines[0].x0 - first.x0 if before and len(before.lines) == 2 else 0.0
        if step > _INDENT * first.size and abs(indents[-1]) < _INDENT:
            indents[-1] = step
            continue
        several.append(paragraph)
        indents.append(first.x0 - others[0].x0)
    indented = [step for step, p in zip(indents, several, strict=True) if step > _INDENT * p.size]
    return median(indented) if len(indented) * 2 > len(several) else 0.0


def _continues(last: PdfParagraph, first: PdfParagraph, *, indents: bool) -> bool:
    """Return whether a paragraph continues in the next column or page."""
    before, line = last.lines[-1], first.lines[0]
    if (
        before.row
        or line.row
        or before.typed
        or line.typed
        or last.column is None
        or first.column is None
        or _differs_in_size(before, line)
    ):
        return False
    # If first lines are indented, a line without indent continues, even after a ragged line.
    right = (
        last.column.left + _MIN_WIDTH * (last.column.right - last.column.left)
        if indents
        else last.column.right
    )
    if (
        _is_short(before, line, right)
        or is_next_item(last.lines[0].text, line.text)
        or _is_item_after(before, line)
    ):
        return False
    hanging = _hanging_indent(last)
    step = line.x0 - first.column.left - hanging
    if (abs(step) if hanging else step) > _INDENT * line.size or before.bold != line.bold:
        return False
    return indents or hanging > 0 or not ends_sentence(before)


def _hanging_indent(paragraph: PdfParagraph) -> float:
    """Return the indent of the lines after the first of a list item, 0 for other paragraphs."""
    first, last, column = paragraph.lines[0], paragraph.lines[-1], paragraph.column
    if column is None or last is first or not is_item(first.text):
        return 0.0
    set_in = last.x0 - column.left
    return set_in if set_in > _INDENT * last.size else 0.0
