"""What stands in the margins of pages (headers, footers, page numbers) and beyond the edges."""

import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace

from simcompare.loading.left_out import LeftOut
from simcompare.loading.pdf.lines import Line, Page
from simcompare.receipt import DropReason, Place

_MARGIN_SHARE = 0.1
# So deep in the page only the outermost line is a header or footer.
_DEEPEST_SHARE = 0.15
_LEAST_GAP = 0.8
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"[-–—~·\s|]*(?:第\s*)?(?:p(?:age|\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*[页頁])?"
    r"(?:\s*(?:/|of|共|，共|,)\s*\d{1,4}\s*[页頁]?)?[-–—~·\s|]*",
    re.IGNORECASE,
)
# A header stands at the same height on each page, to within this many points.
_SAME_HEIGHT_POINTS = 3.0


def without_margins(pages: Sequence[Page], left_out: LeftOut) -> list[Page]:
    """Leave out headers, footers and page numbers."""
    repeated = _repeated(pages)
    kept = []
    for page in pages:
        reasons = {number: _reason(page, line, repeated) for number, line in enumerate(page.lines)}
        body = [line for number, line in enumerate(page.lines) if reasons[number] is None]
        for number, line in enumerate(page.lines):
            deeper = reasons[number] or _repeated_margin(page, line, repeated, _DEEPEST_SHARE)
            if reasons[number] is None and deeper and _stands_apart(line, body):
                reasons[number] = deeper
            if reason := reasons[number]:
                left_out.add(reason, line.text, Place(page.number))
        kept.append(replace(page, lines=[line for n, line in enumerate(page.lines) if reasons[n] is None]))
    return kept


def _stands_apart(line: Line, body: Sequence[Line]) -> bool:
    """Whether a line is the outermost of its page, with a gap between it and the others."""
    gap = _LEAST_GAP * line.size
    others = [other for other in body if other is not line]
    return all(other.y1 < line.y0 - gap for other in others) or all(
        other.y0 > line.y1 + gap for other in others
    )


def repeated_lines(pages: Sequence[Page]) -> set[str]:
    """Return the texts that stand on more than one page, wherever: headers, and watermarks too."""
    counts = Counter(key for page in pages for key in {_key(line) for line in page.lines})
    return {key for key, count in counts.items() if count > 1}


def _reason(page: Page, line: Line, repeated: Container[tuple[str, int]]) -> DropReason | None:
    if line.y1 < page.low or line.y0 > page.high:
        return DropReason.OUTSIDE_PAGE
    if _margin(page, line, _MARGIN_SHARE) and _PAGE_NUMBER.fullmatch(line.text):
        return DropReason.PAGE_NUMBER
    return _repeated_margin(page, line, repeated, _MARGIN_SHARE)


def _repeated_margin(
    page: Page, line: Line, repeated: Container[tuple[str, int]], share: float
) -> DropReason | None:
    margin = _margin(page, line, share)
    return margin if margin and any(place in repeated for place in _places(line)) else None


def _margin(page: Page, line: Line, share: float) -> DropReason | None:
    depth = share * (page.high - page.low)
    if line.y0 >= page.high - depth:
        return DropReason.PAGE_HEADER
    return DropReason.PAGE_FOOTER if line.y1 <= page.low + depth else None


def _repeated(pages: Sequence[Page]) -> set[tuple[str, int]]:
    """Return the lines, by text and height, that stand in the margin of two pages or more."""
    counts: Counter[tuple[str, int]] = Counter()
    for page in pages:
        margin = (line for line in page.lines if _margin(page, line, _DEEPEST_SHARE))
        counts.update({place for line in margin for place in _places(line)})
    return {place for place, count in counts.items() if count > 1}


def _places(line: Line) -> tuple[tuple[str, int], tuple[str, int]]:
    """Text and height, rounded down and up, so that neighbours meet in one of the two."""
    step = int(line.y0 // _SAME_HEIGHT_POINTS)
    return (_key(line), step), (_key(line), step + 1)


def _key(line: Line) -> str:
    return _DIGITS.sub("#", line.text)
