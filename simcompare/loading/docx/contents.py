"""Which of the pieces are the table of contents."""

import re
from collections.abc import Sequence
from itertools import pairwise

from simcompare.loading.docx.story import Found
from simcompare.loading.extraction import clean, is_visible, visible_length

# What is longer is a paragraph, whatever it stands in or is styled as.
_LONGEST_ENTRY = 150
_PAGE_NUMBER = re.compile(r"(?:^|.*[^\d])(?:\d{1,4}|[ivxlc]{1,6})\)?", re.DOTALL | re.IGNORECASE)
_HEADING = re.compile(
    r"目\s*[录錄次]|(?:table of )?contents|list of (?:figures|tables)|[图圖表]\s*目[录錄]", re.IGNORECASE
)
# A table of contents is less than the text it is of.
_LARGEST_SHARE = 0.5


def contents_of(found: Sequence[Found]) -> frozenset[int]:
    """Return the numbers of the pieces that are a table of contents, none if they are most of the text."""
    texts = [clean(one.piece.text) for one in found]
    entries = {n for n, (one, text) in enumerate(zip(found, texts, strict=True)) if _is_entry(one, text)}
    shown = [number for number, text in enumerate(texts) if is_visible(text)]
    for number, following in pairwise(shown):
        if following in entries and _HEADING.fullmatch(texts[number]):
            entries.add(number)
    within = sum(visible_length(texts[number]) for number in entries)
    if within > _LARGEST_SHARE * sum(map(visible_length, texts)):
        return frozenset()
    return frozenset(entries)


def _is_entry(found: Found, text: str) -> bool:
    if not text or len(text) > _LONGEST_ENTRY:
        return False
    if found.part_of_contents and (found.field is None or found.field.is_closed):
        return True
    return found.styled_as_contents and (
        _PAGE_NUMBER.fullmatch(text) is not None or _HEADING.fullmatch(text) is not None
    )
