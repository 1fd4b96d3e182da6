"""The matrix P, compared with a textbook implementation of the longest common subsequence."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.comparison.comparison_matrix import (
    NumberedText,
    TextNumbering,
    assemble,
    make_matrix_input,
    numbered_matrix_input,
    row_blocks,
    score_rows,
    scored_cells,
)
from simcompare.comparison.comparison_result import HEAT_SCALE
from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT
from simcompare.text.prepared_text import prepare
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import document_of, make_document, own_text, own_texts
from tests.helpers.references import matrix_of

LOWEST = Fraction(str(LOWEST_SIMILAR_WEIGHT))


def score(left, right, thesaurus=None):
    matrix_input = make_matrix_input(left, right, thesaurus)
    return assemble(matrix_input.shape, [score_rows(matrix_input, rows) for rows in row_blocks(matrix_input)])


def assert_equals_textbook(left, right):
    matrix, expected = score(left, right), matrix_of(left, right)
    assert matrix.shape == (left.sentence_count, right.sentence_count)
    near = [(n, m) for n, row in enumerate(expected) for m, p in enumerate(row) if p >= LOWEST]
    cells = matrix.cells
    assert list(zip(cells.rows.tolist(), cells.columns.tolist(), strict=True)) == near
    for n, m, lcs, p in zip(cells.rows, cells.columns, cells.lcs, cells.p, strict=True):
        longer = max(left.sentence_lengths[n], right.sentence_lengths[m])
        assert Fraction(int(lcs), int(longer)) == expected[n][m]
        assert p == float(expected[n][m])
    heat = [[round(float(p) * HEAT_SCALE) for p in row] for row in expected]
    assert matrix.heat.tolist() == heat


SENTENCES = st.lists(
    st.text(st.sampled_from("天地人和我们 ab ABC12，"), min_size=1, max_size=20).filter(
        lambda text: any(c.isalnum() for c in text)
    ),
    min_size=1,
    max_size=6,
)


@given(SENTENCES, SENTENCES)
def test_that_p_equals_the_textbook_for_random_sentences(left, right):
    assert_equals_textbook(prepare(make_document(*left)), prepare(make_document(*right)))


def test_that_p_equals_the_textbook_for_chinese_articles():
    text = own_text(2_200)
    assert_equals_textbook(prepare(document_of(text[:1500])), prepare(document_of(text[700:])))


def test_that_p_equals_the_textbook_for_english_articles():
    text = "".join(own_texts("en"))
    assert_equals_textbook(prepare(document_of(text[:2500])), prepare(document_of(text[1200:4000])))


def test_that_a_text_has_the_same_cells_with_others_one_by_one_and_at_once():
    thesaurus = load_thesaurus("starter")
    numbering = TextNumbering(thesaurus)
    articles = [prepare(document_of(text)) for text in own_texts()]
    left, *others = (NumberedText(text, numbering) for text in articles)
    for other, cells in zip(articles[1:], scored_cells(left, others), strict=True):
        alone = score(articles[0], other, thesaurus).cells
        for name in ("rows", "columns", "lcs", "p", "w"):
            found, expected = getattr(cells, name), getattr(alone, name)
            assert found.dtype == expected.dtype
            assert found.tolist() == expected.tolist()


def test_that_very_many_words_keep_distinct_numbers():
    """More words than there are code points before the surrogates."""
    words = [f"w{i}" for i in range(60_000)]
    left = prepare(make_document(" ".join(words[:59_990]), *words[55_000:55_300]))
    right = prepare(make_document(" ".join(words[10:]), *words[55_100:55_400]))
    cells = score(left, right).cells
    assert (cells.lcs[0], cells.p[0]) == (59_980, 59_980 / 59_990)
    assert len(cells) == 201


@given(SENTENCES, SENTENCES)
def test_that_p_is_the_same_both_ways(left, right):
    a, b = prepare(make_document(*left)), prepare(make_document(*right))
    assert np.array_equal(score(a, b).heat, score(b, a).heat.T)
    there, back = score(a, b).cells, score(b, a).cells
    swapped = np.lexsort((back.rows, back.columns))
    assert np.array_equal(there.p, back.p[swapped])
    assert np.array_equal(there.w, back.w[swapped])


@pytest.mark.parametrize("length", [4_000, 12_000])
def test_that_texts_numbered_among_others_have_the_same_cells(length):
    text, numbering = own_text(3 * length), TextNumbering(load_thesaurus("starter"))
    texts = [
        prepare(document_of(text[start : start + length])) for start in range(0, 2 * length, length // 2)
    ]
    numbered = [NumberedText(each, numbering) for each in texts]
    for left, right in combinations(range(len(texts)), 2):
        alone = score(texts[left], texts[right], load_thesaurus("starter"))
        matrix_input = numbered_matrix_input(numbered[left], numbered[right])
        among = assemble(
            matrix_input.shape, (score_rows(matrix_input, rows) for rows in row_blocks(matrix_input))
        )
        assert np.array_equal(among.heat, alone.heat)
        for name in ("rows", "columns", "lcs", "p", "w"):
            assert np.array_equal(getattr(among.cells, name), getattr(alone.cells, name)), name


def test_that_words_are_numbered_only_for_similar_sentences():
    numbering = TextNumbering(None)
    river, bridge, copy = (
        NumberedText(prepare(make_document(sentence)), numbering)
        for sentence in ("孩子们在河边放风筝。", "古老石桥静静伫立。", "孩子们在河边放风筝！")
    )
    matrix_input = numbered_matrix_input(river, bridge)
    score_rows(matrix_input, range(1))
    assert "words" not in vars(river)
    matrix_input = numbered_matrix_input(river, copy)
    assert score_rows(matrix_input, range(1)).cells.w.tolist() == [1.0]
    assert "words" in vars(river)


def test_that_blocks_of_any_size_in_any_order_make_the_same_matrix():
    text = own_text(9_000)
    matrix_input = make_matrix_input(
        prepare(document_of(text[:6000])), prepare(document_of(text[3000:])), None
    )
    rows = matrix_input.shape[0]
    whole = score_rows(matrix_input, range(rows))
    for size in (1, 7, rows):
        blocks = [score_rows(matrix_input, range(a, min(a + size, rows))) for a in range(0, rows, size)]
        matrix = assemble(matrix_input.shape, reversed(blocks))
        assert np.array_equal(matrix.heat, whole.heat)
        for name in ("rows", "columns", "lcs", "p", "w"):
            assert np.array_equal(getattr(matrix.cells, name), getattr(whole.cells, name)), name


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (99, 3), (250, 1000), (5, 30_000)])
def test_that_row_blocks_cover_every_row_once_and_stay_small(rows, columns):
    matrix_input = make_matrix_input(
        prepare(make_document(*["好"] * rows)), prepare(make_document(*["坏"] * columns)), None
    )
    blocks = row_blocks(matrix_input)
    assert [row for block in blocks for row in block] == list(range(rows))
    assert all(1 <= len(block) <= 400 and len(block) * columns <= 400_000 for block in blocks)


def test_that_a_matrix_of_a_few_milliseconds_is_not_divided_among_threads():
    text = prepare(make_document(*["好"] * 400))
    assert row_blocks(make_matrix_input(text, text, None)) == [range(400)]


@pytest.mark.parametrize(
    ("left", "right", "kept"),
    [
        ("天地人一二三四五六七", "天地人甲乙丙丁戊己庚", True),  # 3 of 10
        ("天地人一二三四五六七", "天地人甲乙丙丁戊己庚辛", False),  # 3 of 11
        ("天", "天上人", True),  # 1 of 3
        ("天", "天上人间", False),  # 1 of 4
    ],
)
def test_that_cells_are_kept_from_exactly_3_in_10(left, right, kept):
    cells = score(prepare(make_document(left)), prepare(make_document(right))).cells
    expected = matrix_of(prepare(make_document(left)), prepare(make_document(right)))[0][0]
    assert (len(cells) == 1) == (expected >= LOWEST) == kept


@settings(max_examples=30)
@given(st.integers(1, 60), st.data())
def test_that_the_kept_ratio_is_the_exact_quotient(longer, data):
    """As bytes, 38 of 49 and 155 of 200 would be equal."""
    lcs = data.draw(st.integers(0, longer))
    same = "".join(chr(0x4E00 + i) for i in range(lcs))
    left = same + "".join(chr(0x6000 + i) for i in range(longer - lcs))
    right = same or "龙"
    cells = score(prepare(make_document(left)), prepare(make_document(right))).cells
    if Fraction(lcs, longer) >= LOWEST:
        assert cells.p.tolist() == [lcs / longer]
    else:
        assert len(cells) == 0
