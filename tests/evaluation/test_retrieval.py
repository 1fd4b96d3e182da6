"""Precision, recall and time of retrieval methods on documents with known groups."""

import random
from dataclasses import dataclass

import numpy as np
import pytest

from simcompare.evaluation.retrieval import (
    METHOD_NAMES,
    RetrievalScore,
    Sample,
    collection_sizes,
    count_similar_texts,
    evaluate_method,
    interleave_groups,
    make_method,
)
from simcompare.fingerprint.simhash import BACKGROUND, CollectionIdf, make_fingerprint
from simcompare.model.errors import UnknownRecipeError
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import bench_text, document_of, make_document, shared_path


def sample_of(text, group):
    document = document_of(text)
    return Sample(document, prepare(document), group)


@dataclass
class FirstLetterMethod:
    """Retrieval method: documents with the same first letter; "?" has no fingerprint."""

    name: str = "letter"
    signature: str = "letter/1"

    def make(self, sample):
        letter = sample.document.text[0]
        return None if letter == "?" else letter

    def search(self, fingerprints):
        return [np.flatnonzero(np.array(fingerprints) == letter) for letter in fingerprints]


def test_that_precision_and_recall_are_counted_over_all_queries():
    """a: two of three and an unrelated document are hits of each other; b: one of two has no fingerprint."""
    texts = [("xa", "a"), ("xb", "a"), ("ya", "a"), ("xc", None), ("zb", "b"), ("?b", "b"), ("wc", None)]
    samples = [sample_of(text, group) for text, group in texts]
    *_, whole = evaluate_method(samples, FirstLetterMethod())
    assert whole.groups == {"a": RetrievalScore(4, 2, 6), "b": RetrievalScore(0, 0, 2)}
    assert whole.overall == RetrievalScore(6, 2, 8)
    assert (whole.overall.precision, whole.overall.recall) == (2 / 6, 2 / 8)
    assert (whole.groups["b"].precision, whole.groups["b"].recall) == (None, 0)
    assert RetrievalScore(0, 0, 0).recall is None
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


def test_that_every_prefix_has_the_same_share_of_each_group():
    samples = [Sample(None, None, group) for group in ["a"] * 40 + ["b"] * 20 + [None] * 60]
    mixed = interleave_groups(samples)
    assert sorted(map(id, mixed)) == sorted(map(id, samples))
    for size in (12, 30, 60, 90):
        groups = [sample.group for sample in mixed[:size]]
        for group, share in (("a", 1 / 3), ("b", 1 / 6), (None, 1 / 2)):
            assert groups.count(group) == pytest.approx(size * share, abs=1)


@pytest.fixture(scope="module")
def near_copies():
    """Ten articles, each with a copy without one sentence in twenty."""
    text, draw = bench_text(30_000), random.Random(2)
    samples = []
    for start in range(0, 30_000, 3000):
        article = text[start : start + 3000]
        kept = [part for part in article.split("。") if draw.random() > 0.05]
        samples += [sample_of(article, str(start)), sample_of("。".join(kept), str(start))]
    return samples


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_that_every_method_finds_near_copies_with_few_false_hits(name, near_copies):
    collection = CollectionIdf.of_texts(sample.prepared for sample in near_copies)
    # md5-32 has half the bits, and function words such as "的" and "了" decide most of them
    distance_bits, lowest_precision = (3, 0.7) if name == "md5-32" else (6, 0.9)
    *_, whole = evaluate_method(near_copies, make_method(name, distance_bits, 0.5, collection))
    assert whole.method == name
    assert whole.overall.relevant == 20
    assert whole.overall.recall >= 0.5
    assert whole.overall.precision >= lowest_precision


def test_that_the_signature_of_a_method_is_the_recipe_of_its_fingerprints(near_copies):
    collection = CollectionIdf.of_texts(sample.prepared for sample in near_copies)
    first = near_copies[0]
    for name, idf in (("improved", BACKGROUND), ("improved/collection", collection)):
        fingerprint = make_fingerprint(first.document, first.prepared, "improved", idf)
        method = make_method(name, 3, 0.5, collection)
        assert method.make(first) == fingerprint
        assert method.signature == fingerprint.recipe
    shingle = make_method("shingle", 3, 0.5, collection)
    assert shingle.signature == shingle.make(first).recipe


def test_that_documents_without_features_have_no_hits():
    samples = [sample_of("The last bus left early.", "bus"), sample_of("The last bus left early.", "bus")]
    *_, whole = evaluate_method(samples, make_method("md5-32", 3, 0.5, BACKGROUND))
    assert whole.overall == RetrievalScore(0, 0, 2)


def test_that_every_method_accepts_a_document_without_words():
    empty = make_document("———")
    samples = [Sample(empty, prepare(empty), "g"), sample_of("春天来了。", "g"), sample_of("春天来了。", "g")]
    for name in ("shingle", "improved", "traditional"):
        *_, whole = evaluate_method(samples, make_method(name, 3, 0.5, BACKGROUND))
        assert whole.overall == RetrievalScore(2, 2, 6)


def test_that_the_error_for_an_unknown_method_lists_the_known_ones():
    with pytest.raises(UnknownRecipeError, match="shingle, improved"):
        make_method("traditional/collection", 3, 0.5, BACKGROUND)


def test_that_copied_passages_of_shared_articles_are_found_by_sentences_and_matrix():
    folder = shared_path("bench", "zh-dev")
    samples = []
    for kind in ("copy", "none"):
        for gold in sorted(folder.joinpath(kind).iterdir())[:8]:
            suspicious, source = gold.stem.split("-source-")
            paths = folder / "susp" / f"{suspicious}.txt", folder / "src" / f"source-{source}.txt"
            samples += [
                sample_of(path.read_text(encoding="utf-8"), gold.stem if kind == "copy" else None)
                for path in paths
            ]
    score = count_similar_texts(samples)[32]
    # others have lines in common that name an editor
    assert (score.correct, score.relevant) == (16, 16)
