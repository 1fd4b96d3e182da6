"""Marks on every sentence of a text, as an annotated copy has them."""

from itertools import cycle

from simcompare.comparison.comparison_result import MatchKind
from simcompare.report.annotated.annotations import Mark


def every_sentence(prepared_document):
    """Return a mark of two lines for each sentence, with alternating kinds."""
    spans = map(prepared_document.prepared.sentence_span, range(prepared_document.prepared.sentence_count))
    text = prepared_document.document.text
    return [
        Mark(span, span.of(text), kind, (f"Match {number}", "two lines"))
        for number, (span, kind) in enumerate(zip(spans, cycle(MatchKind), strict=False), start=1)
    ]
