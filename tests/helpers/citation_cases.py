"""Cases of citations: short paragraphs with a marked passage and how it is marked as taken from a source."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from simcompare.comparison.citations.citation import CitationGroup, citation_of
from simcompare.model.document import BlockKind, Document, Note, Span
from tests.helpers.documents import make_document

_CASES = Path(__file__).parent.parent / "data" / "citations"
_MARK = re.compile(r"⟦|⟧|\{\{\d+\}\}")


@dataclass(frozen=True)
class CitationCase:
    """A case; `number` tells its half: rules were made with the odd ones, the even ones measure."""

    language: str
    number: int
    group: CitationGroup
    document: Document
    passage: Span

    @property
    def found(self) -> CitationGroup:
        return citation_of(self.document, self.passage).group


def citation_cases(language: str, *, is_seen: bool) -> Iterator[CitationCase]:
    """Yield the cases of a half; in their texts ⟦⟧ marks the passage and {{1}} the place of a note."""
    for line in (_CASES / f"{language}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if bool(case["number"] % 2) == is_seen:
            yield _case(language, case)


def _case(language: str, case: dict) -> CitationCase:
    places: dict[str, int] = {}
    text, removed = case["text"], 0
    for mark in _MARK.finditer(text):
        places[mark[0][:2]] = mark.start() - removed
        removed += len(mark[0])
    paragraphs = _MARK.sub("", text).split("\n")
    document = make_document(*paragraphs, *case.get("notes", ()))
    passage = Span(places["⟦"], places["⟧"])
    if case.get("block_quotation"):
        blocks = tuple(
            replace(block, kind=BlockKind.QUOTATION) if block.span.start == passage.start else block
            for block in document.blocks
        )
        document = replace(document, blocks=blocks)
    if "{{" in places:
        document = replace(document, notes=(Note(places["{{"], document.blocks[-1].span),))
    return CitationCase(language, case["number"], CitationGroup(case["group"]), document, passage)
