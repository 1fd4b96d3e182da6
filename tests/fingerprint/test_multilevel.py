"""Fingerprints of paragraphs and sentences."""

import pytest

from simcompare.fingerprint.simhash import (
    BACKGROUND,
    RECIPES,
    CollectionIdf,
    Level,
    make_fingerprint,
    multilevel_fingerprints,
)
from simcompare.model.errors import NoUnitsError
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import make_document

ESSAY = (
    "家乡的河",
    "我的家乡有一条小河。春天，河边的柳树发芽了！孩子们在河边放风筝。",
    "———",
    "但是，现在河水变脏了。However small it is, we keep it.",
)


def fingerprints(document, level, recipe="improved", idf=BACKGROUND):
    parts = multilevel_fingerprints(document, prepare(document), recipe, idf)
    return [part.fingerprint for part in parts if part.level is level]


def alone(text, recipe, idf):
    """Return the fingerprint of a text as a separate document."""
    document = make_document(text)
    try:
        return make_fingerprint(document, prepare(document), recipe, idf)
    except NoUnitsError:
        return None


@pytest.mark.parametrize("recipe", RECIPES)
def test_that_a_paragraph_or_sentence_has_the_bits_it_has_in_any_document(recipe):
    document = make_document(*ESSAY, title="春天的河")
    prepared = prepare(document)
    idf = CollectionIdf.of_texts([prepared, prepare(make_document("春天来了。"))])
    sentences = [prepared.sentence_span(i).of(document.text) for i in range(prepared.sentence_count)]
    for level, expected in (
        (Level.DOCUMENT, [make_fingerprint(document, prepared, recipe, idf)]),
        (Level.PARAGRAPH, [alone(paragraph, recipe, idf) for paragraph in ESSAY]),
        (Level.SENTENCE, [alone(sentence, recipe, idf) for sentence in sentences]),
    ):
        assert fingerprints(document, level, recipe, idf) == expected
    assert len(sentences) == 6
    assert fingerprints(document, Level.PARAGRAPH, recipe, idf)[2] is None, "it has no words"
