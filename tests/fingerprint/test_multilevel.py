"""Fingerprints of paragraphs and sentences."""

import pytest

from simcompare.fingerprint.recipes import RECIPES, make_fingerprint, multilevel_fingerprints
from simcompare.fingerprint.weights import CollectionIdf
from simcompare.model.errors import NoUnitsError
from simcompare.text.text_preparation import prepare
from tests.helpers.documents import document_of, make_document, own_text

ESSAY = (
    "家乡的河",
    "我的家乡有一条小河。春天，河边的柳树发芽了！孩子们在河边放风筝。",
    "———",
    "但是，现在河水变脏了。However small it is, we keep it.",
)


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
    levels = multilevel_fingerprints(document, prepared, recipe, idf)
    sentences = [prepared.sentence_span(i).of(document.text) for i in range(prepared.sentence_count)]
    assert levels.document == make_fingerprint(document, prepared, recipe, idf)
    assert levels.paragraphs == tuple(alone(paragraph, recipe, idf) for paragraph in ESSAY)
    assert levels.sentences == tuple(alone(sentence, recipe, idf) for sentence in sentences)
    assert len(sentences) == 6


@pytest.mark.parametrize("recipe", RECIPES)
def test_that_a_piece_without_terms_has_no_fingerprint(recipe):
    document = make_document(*ESSAY)
    levels = multilevel_fingerprints(document, prepare(document), recipe)
    assert [paragraph is None for paragraph in levels.paragraphs] == [False, False, True, False]
    # md5-32 counts Chinese words only
    assert (levels.sentences[-1] is None) == (recipe == "md5-32")


@pytest.mark.parametrize("recipe", RECIPES)
def test_that_a_document_without_words_has_no_fingerprints(recipe):
    document = make_document("———", "！？")
    with pytest.raises(NoUnitsError, match=r"essay\.txt"):
        multilevel_fingerprints(document, prepare(document), recipe)


def test_that_a_copied_sentence_is_found_in_another_article():
    text = own_text(4_200)
    first, second = document_of(text[:2000]), document_of(text[2200:])
    sentence = prepare(first).sentence_span(10).of(first.text)
    copied = document_of(second.text.replace("\n", f"\n{sentence}\n", 1), title="另一篇")
    original = multilevel_fingerprints(first, prepare(first), "improved").sentences[10]
    assert original in multilevel_fingerprints(copied, prepare(copied), "improved").sentences
    assert original not in multilevel_fingerprints(second, prepare(second), "improved").sentences
