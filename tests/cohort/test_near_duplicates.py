"""Near-duplicate sentences: all pairs with P >= 0.8 are found, and no others."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from simcompare.cohort.common_text import find_near_duplicates
from simcompare.comparison.prepared_document import PreparedDocument
from tests.helpers.documents import prepared_text_document

LETTERS = st.text("山水木火土金", min_size=1, max_size=12)


@st.composite
def similar_sentences(draw: st.DrawFn) -> list[str]:
    """Sentences of few units, some of them others with a unit removed, added or changed."""
    found = draw(st.lists(LETTERS, min_size=2, max_size=6))
    for sentence in list(found):
        place = draw(st.integers(0, len(sentence)))
        end = min(place + draw(st.integers(0, 1)), len(sentence))
        found.append(sentence[:place] + draw(st.sampled_from(["", "日", "月"])) + sentence[end:] or sentence)
    return found


def near_duplicates_of(*documents: PreparedDocument) -> set[tuple[int, int]]:
    whole = [np.full(document.prepared.sentence_count, -1, np.int32) for document in documents]
    duplicates = find_near_duplicates([document.prepared for document in documents], whole)
    texts = dict(zip(duplicates.texts.tolist(), range(len(duplicates.texts)), strict=True))
    assert len(texts) == duplicates.text_count
    pairs = set(zip(duplicates.first.tolist(), duplicates.second.tolist(), strict=True))
    return {
        (one, other)
        for one, other in product(range(len(duplicates.texts)), repeat=2)
        if (duplicates.texts[one], duplicates.texts[other]) in pairs
    }


@given(similar_sentences())
def test_that_all_near_duplicates_are_found_and_nothing_else(sentences: list[str]) -> None:
    expected = {
        (i, j)
        for (i, one), (j, other) in product(enumerate(sentences), repeat=2)
        if 5 * LCSseq.similarity(one, other) >= 4 * max(len(one), len(other))
    }
    assert (
        near_duplicates_of(*(prepared_text_document(f"{sentence}。") for sentence in sentences)) == expected
    )


def test_that_sentences_that_differ_in_numbers_alone_are_equal() -> None:
    document = prepared_text_document("第1题，共20分。", "第3题，共5分。", "第三题，共5分。", "见1.")
    assert (0, 1) in near_duplicates_of(document)
    assert (0, 3) not in near_duplicates_of(document)
