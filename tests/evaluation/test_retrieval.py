"""Precision, recall and time of the methods, on documents with known groups."""

import random
from dataclasses import dataclass

import numpy as np
import pytest

from simcompare.evaluation.retrieval import (
    METHOD_NAMES,
    Sample,
    Score,
    collection_sizes,
    evaluate_method,
    interleave_groups,
    make_method,
)
from simcompare.fingerprint.recipes import make_fingerprint
from simcompare.fingerprint.weights import BACKGROUND, CollectionIdf
from simcompare.model.errors import UnknownRecipeError
from simcompare.text.text_preparation import prepare
from tests.helpers.documents import bench_text, document_of, make_document, own_texts


def sample_of(text, group):
    document = document_of(text)
    return Sample(document, prepare(document), group)


@dataclass
class FirstLetterMethod:
    """Finds all documents with the same first letter; has no fingerprint for those that begin with "?"."""

    name: str = "letter"
    signature: str = "letter/1"

    def make(self, sample):
        letter = sample.document.text[0]
        return None if letter == "?" else letter

    def search(self, made):
        return [np.flatnonzero(np.array(made) == letter) for letter in made]


def test_that_precision_and_recall_are_counted_over_all_queries():
    """a: two of three find each other and an unrelated document; b: one of two has no fingerprint."""
    texts = [("xa", "a"), ("xb", "a"), ("ya", "a"), ("xc", None), ("zb", "b"), ("?b", "b"), ("wc", None)]
    samples = [sample_of(text, group) for text, group in texts]
    *_, whole = evaluate_method(samples, FirstLetterMethod())
    assert whole.groups == {"a": Score(4, 2, 6), "b": Score(0, 0, 2)}
    assert whole.overall == Score(6, 2, 8)
    assert (whole.overall.precision, whole.overall.recall) == (2 / 6, 2 / 8)
    assert (whole.groups["b"].precision, whole.groups["b"].recall) == (None, 0)
    assert Score(0, 0, 0).recall is None
    assert whole.signature == "letter/1"


def test_that_the_time_is_measured_at_growing_sizes():
    samples = [sample_of(letter, "g") for letter in "aabbccddee"]
    ticks = []
    retrievals = evaluate_method(
        samples, FirstLetterMethod(), tick=lambda done, total: ticks.append((done, total))
    )
    assert [retrieval.document_count for retrieval in retrievals] == collection_sizes(10) == [3, 5, 8, 10]
    seconds = [retrieval.fingerprint_seconds for retrieval in retrievals]
    assert seconds == sorted(seconds)
    assert all(retrieval.seconds >= retrieval.search_seconds > 0 for retrieval in retrievals)
    assert ticks[-1] == (20, 20)
    assert collection_sizes(2) == [1, 2]


def test_that_every_prefix_has_its_share_of_each_group():
    samples = [Sample(None, None, group) for group in ["a"] * 40 + ["b"] * 20 + [None] * 60]
    mixed = interleave_groups(samples)
    assert sorted(map(id, mixed)) == sorted(map(id, samples))
    for size in (12, 30, 60, 90):
        groups = [sample.group for sample in mixed[:size]]
        for group, share in (("a", 1 / 3), ("b", 1 / 6), (None, 1 / 2)):
            assert groups.count(group) == pytest.approx(size * share, abs=1)


def bench_articles():
    text = bench_text(30_000)
    return [text[start : start + 3000] for start in range(0, 30_000, 3000)]


@pytest.fixture(scope="module", params=[own_texts, bench_articles])
def near_copies(request):
    """Ten articles, each with a copy that lacks one sentence in twenty."""
    samples, draw = [], random.Random(2)
    for number, article in enumerate(request.param()):
        kept = [part for part in article.split("。") if draw.random() > 0.05]
        samples += [sample_of(article, str(number)), sample_of("。".join(kept), str(number))]
    return samples


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_that_every_method_finds_near_copies_and_little_else(name, near_copies):
    collection = CollectionIdf.of_texts(sample.prepared for sample in near_copies)
    # md5-32 has half the bits, and most of them are decided by "的" and "了"
    distance_bits, lowest_precision = (2, 0.7) if name == "md5-32" else (6, 0.9)
    *_, whole = evaluate_method(near_copies, make_method(name, distance_bits, 0.5, collection))
    assert whole.method == name
    assert whole.overall.relevant == 20
    assert whole.overall.recall >= 0.5
    assert whole.overall.precision >= lowest_precision


def test_that_a_signature_names_what_fingerprints_depend_on(near_copies):
    collection = CollectionIdf.of_texts(sample.prepared for sample in near_copies)
    first = near_copies[0]
    for name, idf in (("improved", BACKGROUND), ("improved/collection", collection)):
        made = make_fingerprint(first.document, first.prepared, "improved", idf)
        method = make_method(name, 3, 0.5, collection)
        assert method.make(first) == made
        assert method.signature == made.recipe
    shingle = make_method("shingle", 3, 0.5, collection)
    assert shingle.signature == shingle.make(first).recipe


def test_that_a_document_without_terms_is_never_found():
    samples = [sample_of("The last bus left early.", "bus"), sample_of("The last bus left early.", "bus")]
    *_, whole = evaluate_method(samples, make_method("md5-32", 3, 0.5, BACKGROUND))
    assert whole.overall == Score(0, 0, 2)


def test_that_a_document_without_words_breaks_no_method():
    empty = make_document("———")
    samples = [Sample(empty, prepare(empty), "g"), sample_of("春天来了。", "g"), sample_of("春天来了。", "g")]
    for name in ("shingle", "improved", "traditional"):
        *_, whole = evaluate_method(samples, make_method(name, 3, 0.5, BACKGROUND))
        assert whole.overall == Score(2, 2, 6)


def test_that_an_unknown_method_error_lists_the_known_ones():
    with pytest.raises(UnknownRecipeError, match="shingle, improved"):
        make_method("traditional/collection", 3, 0.5, BACKGROUND)
