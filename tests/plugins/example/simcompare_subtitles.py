"""Plug-ins for simcompare: read subtitles, write Markdown, and find sentences with the same numbers."""

import re
from collections.abc import Iterator

from simcompare.comparison.passages.passage_columns import Passage, Passages
from simcompare.loading.extraction import Extraction, Piece, ReadingOptions, Source
from simcompare.model.document import BlockKind
from simcompare.report.evidence import Evidence
from simcompare.text.prepared_text import PreparedText

_TIMES = re.compile(r"\d\d:\d\d:\d\d,\d{3} --> ")
_FEWEST_NUMBERS = 3


def read_srt(source: Source, _options: ReadingOptions) -> Extraction:
    """Read the words of subtitles, without their numbers and times."""
    text = source.data.decode("utf-8-sig").replace("\r\n", "\n")
    pieces = []
    for subtitle in re.split(r"\n\s*\n", text):
        lines = [line for line in subtitle.split("\n") if not line.isdecimal() and not _TIMES.match(line)]
        pieces.append(Piece(BlockKind.PARAGRAPH, " ".join(lines)))
    return Extraction("subtitles", pieces)


def write_markdown(evidence: Evidence) -> str:
    """Write the passages as a numbered list."""
    comparison = evidence.comparison
    text = comparison.left.document.text
    passages = [f"{each.number}. {each.kind}: {each.left.of(text)}" for each in evidence.passages]
    return "\n".join([f"# {comparison.left.name} – {comparison.right.name}", "", *passages]) + "\n"


def same_numbers(left: PreparedText, right: PreparedText, passages: Passages) -> Iterator[Passage]:
    """Find sentences with the same three numbers or more that are in no passage yet.

    With evidence, they are shown as possibly rewritten and never count for a share.
    """
    others = {_numbers(right, sentence): sentence for sentence in range(right.sentence_count)}
    for sentence in range(left.sentence_count):
        numbers, span = _numbers(left, sentence), left.sentence_span(sentence)
        is_found = any(each.left.start < span.end and span.start < each.left.end for each in passages)
        if len(numbers) >= _FEWEST_NUMBERS and numbers in others and not is_found:
            yield Passage(span, right.sentence_span(others[numbers]), evidence=2.0)


def _numbers(text: PreparedText, sentence: int) -> frozenset[str]:
    return frozenset(unit for unit in text.units_of(sentence) if unit.isdecimal())
