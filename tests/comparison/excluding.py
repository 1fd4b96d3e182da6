"""Exclusions of a document, compared with itself or with a short other one."""

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.comparison.prepared_document import prepare_document
from simcompare.model.document import Document
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import make_document, prepared_text_document


def comparison_of(document: Document, settings: ComparisonSettings, *, prompt: str | None = None):
    prepared_document = prepare_document(document, "improved")
    prepared = None if prompt is None else prepare(make_document(prompt))
    return compare(prepared_document, prepared_document, settings, None, prompt=prepared)


def excluded(document: Document, settings: ComparisonSettings, *, prompt: str | None = None):
    """Return the text of the excluded sentences of a document."""
    other = prepare_document(make_document("我们走吧。"), "improved")
    prepared = None if prompt is None else prepare(make_document(prompt))
    comparison = compare(prepare_document(document, "improved"), other, settings, None, prompt=prepared)
    spans = comparison.left.prepared.sentence_span
    return [(spans(i).of(document.text), reason) for i, reason in comparison.left_excluded.sentences()]


def left_out(*texts: str):
    """Settings value that leaves out texts of one sentence each."""
    return tuple(left_out_sentence(prepared_text_document(text), 0) for text in texts)
