"""Marks on every sentence of a text, as an annotated copy has them."""

from itertools import cycle

from simcompare.comparison.comparison_result import MatchKind
from simcompare.report.annotated.annotation_marks import Mark


def every_sentence(subject):
    """Return a mark of two lines for each sentence, with alternating kinds."""
    spans = map(subject.prepared.sentence_span, range(subject.prepared.sentence_count))
    text = subject.document.text
    return [
        Mark(span, span.of(text), kind, (f"Match {number}", "two lines"))
        for number, (span, kind) in enumerate(zip(spans, cycle(MatchKind), strict=False), start=1)
    ]
