"""TF*IDF, the five levels of Lv et al., and IDF over the loaded documents."""

import math
from collections import Counter

import numpy as np
import pytest

from simcompare.fingerprint.simhash import (
    BACKGROUND,
    RECIPES,
    CollectionIdf,
    hamming_distance_bits,
    improved_weights,
    level_weights,
    make_fingerprint,
    tfidf_weights,
)
from simcompare.model.errors import RecipeMismatchError
from simcompare.text.prepared_text import prepare
from simcompare.text.words import inverse_document_frequency
from tests.fingerprint.test_recipes import ESSAY, plain_simhash, weights_of
from tests.helpers.documents import document_of, make_document, own_text

OTHERS = ("春天的河边有柳树。", "我们应该读书。", "The small river runs on.")


@pytest.fixture(scope="module")
def documents():
    return [make_document(*ESSAY, title=ESSAY[0]), *map(make_document, OTHERS)]


@pytest.fixture(scope="module")
def collection(documents):
    return CollectionIdf.of_texts(map(prepare, documents))


def words(document):
    prepared = prepare(document)
    return [word for i in range(prepared.sentence_count) for word in prepared.words_of(i)]


def test_that_tfidf_is_term_share_times_idf():
    document = make_document(*ESSAY)
    counts = Counter(words(document))
    weights = weights_of(document, tfidf_weights)
    assert weights.keys() == counts.keys()
    for word, weight in weights.items():
        share = counts[word] / counts.total()
        assert weight == pytest.approx(share * inverse_document_frequency(word)), word
    assert make_fingerprint(document, prepare(document), "tfidf").value == plain_simhash(weights)


def test_that_the_collection_gives_the_idf_of_the_formula(documents, collection):
    document_counts = Counter(word for document in documents for word in set(words(document)))
    assert document_counts["春天"] == document_counts["我们"] == 2
    assert document_counts["放风筝"] == 1
    for word, n in document_counts.items():
        assert collection.of([word])[0] == pytest.approx(math.log(len(documents) / n + 0.01)), word
    assert collection.of(["从未见过"]) == pytest.approx([math.log(len(documents) + 0.01)])


def test_that_a_word_of_every_document_still_weighs_something():
    texts = [prepare(make_document("春天来了。")), prepare(make_document("春天走了。"))]
    assert CollectionIdf.of_texts(texts).of(["春天"]) == pytest.approx([math.log(1.01)])
    assert CollectionIdf.of_texts(texts[:1]).of(["春天"])[0] > 0


def test_that_an_empty_collection_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        CollectionIdf.of_texts([])


def test_that_a_collection_name_depends_on_its_content_only(documents, collection):
    texts = [prepare(document) for document in documents]
    assert CollectionIdf.of_texts(texts[::-1]).name == collection.name
    assert CollectionIdf.of_texts(texts[:-1]).name != collection.name
    assert CollectionIdf.of_texts([*texts, texts[-1]]).name != collection.name


@pytest.mark.parametrize("recipe", [name for name, recipe in RECIPES.items() if recipe.uses_idf])
def test_that_fingerprints_over_different_collections_are_never_compared(recipe, documents, collection):
    document = documents[0]
    background = make_fingerprint(document, prepare(document), recipe)
    over_collection = make_fingerprint(document, prepare(document), recipe, collection)
    assert over_collection.recipe == f"{recipe}/{collection.name}"
    with pytest.raises(RecipeMismatchError):
        hamming_distance_bits(background, over_collection)


def test_that_the_improved_recipe_uses_the_collection_idf(documents, collection):
    document = documents[0]
    over_background = weights_of(document, improved_weights)
    for word, weight in weights_of(document, improved_weights, collection).items():
        ratio = collection.of([word])[0] / BACKGROUND.of([word])[0]
        assert weight == pytest.approx(over_background[word] * ratio), word
    fingerprint = make_fingerprint(document, prepare(document), "improved", collection)
    assert fingerprint.value == plain_simhash(weights_of(document, improved_weights, collection))


def test_that_a_recipe_without_idf_is_the_same_over_every_collection(documents, collection):
    document = documents[0]
    for recipe in ("traditional", "md5-32"):
        over_collection = make_fingerprint(document, prepare(document), recipe, collection)
        assert over_collection == make_fingerprint(document, prepare(document), recipe)


def test_that_levels_are_quintiles_of_the_improved_weights():
    document = document_of(own_text(3000))
    improved, levels = weights_of(document, improved_weights), weights_of(document, level_weights)
    ranked = np.array(list(improved.values()))
    for word, weight in improved.items():
        lighter = int((ranked < weight).sum())
        assert levels[word] == 1 + 5 * lighter // len(ranked), word
    counts = Counter(levels.values())
    assert set(counts) == {1, 2, 3, 4, 5}
    assert max(counts.values()) < 1.3 * len(levels) / 5


def test_that_the_levels_of_a_document_are_combined_to_its_fingerprint():
    document = make_document(*ESSAY, title=ESSAY[0])
    fingerprint = make_fingerprint(document, prepare(document), "levels")
    assert fingerprint.value == plain_simhash(weights_of(document, level_weights))
