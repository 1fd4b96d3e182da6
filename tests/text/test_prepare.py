"""Prepared text: consistency of sentences, units and words."""

import pickle
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.cohort.pair_scores import scored_text_digest
from simcompare.model.document import BlockKind, Span
from simcompare.text import prepared_text
from simcompare.text.comparable import comparable_units
from simcompare.text.prepared_text import PreparedText, prepare, words_of_text
from tests.helpers.documents import bench_text, document_of, make_document, own_text


def words_with_tags(text):
    prepared = prepare(make_document(text))
    return [(prepared.word_vocabulary[i], prepared.word_tags[i]) for i in prepared.word_ids]


def assert_consistent(document):
    prepared = prepare(document)
    s, u, w = prepared.sentence_count, prepared.unit_count, len(prepared.word_ids)
    assert prepared.sentence_spans.shape == (s, 2)
    assert prepared.unit_spans.shape == (u, 2)
    for bounds, count, end in (
        (prepared.sentence_units, s, u),
        (prepared.sentence_words, s, w),
        (prepared.word_units, w, u),
    ):
        assert bounds.shape == (count + 1,)
        assert (bounds[0], bounds[-1]) == (0, end)
        assert (np.diff(bounds) > 0).all()
    assert len(prepared.word_tags) == len(prepared.word_vocabulary)
    assert len(set(prepared.word_vocabulary)) == len(prepared.word_vocabulary)
    for sentence in range(s):
        assert "".join(prepared.words_of(sentence)) == "".join(prepared.units_of(sentence))
    units = [prepared.unit_vocabulary[i] for i in prepared.unit_ids]
    assert units == list(comparable_units(document.text).texts)
    return prepared


@pytest.mark.parametrize("text_of", [own_text, bench_text])
def test_that_words_joined_are_the_units_of_real_articles(text_of):
    prepared = assert_consistent(document_of(text_of(60_000)))
    assert prepared.unit_count > 40_000


@given(
    st.lists(
        st.text(
            st.sampled_from("我们在河边看书天气abc3 ，。！—\u200b\u0301½㍿𠮷々〇ｶﾞ\t"), min_size=1, max_size=25
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(BlockKind),
)
def test_that_the_columns_of_any_text_fit_together(paragraphs, kind):
    assert_consistent(make_document(*paragraphs, kind=kind))


@pytest.mark.parametrize("text", ["", "———", "……！！", "   ", "😀"])
def test_that_a_text_without_words_has_empty_columns(text):
    prepared = prepare(make_document(text))
    assert prepared.sentence_count == prepared.unit_count == len(prepared.word_ids) == 0
    assert prepared.sentence_units.tolist() == prepared.sentence_words.tolist() == [0]
    assert prepared.sentence_at(0) is None


@pytest.mark.parametrize("title", ["", "——", "？！"])
def test_that_a_title_of_punctuation_has_no_words(title):
    assert words_of_text(title) == []


def test_that_a_line_of_dashes_is_no_sentence():
    prepared = prepare(make_document("开头。", "———", "结尾。"))
    assert prepared.sentence_count == 2
    assert prepared.sentence_blocks.tolist() == [0, 2]


def test_that_a_word_never_crosses_a_sentence_or_a_mark():
    prepared = prepare(make_document("我爱北京。天安门", "北，京"))
    assert [prepared.words_of(i) for i in range(3)] == [["我", "爱", "北京"], ["天安门"], ["北", "京"]]


def test_that_a_blank_or_invisible_character_does_not_hide_a_word():
    plain = [word for word, _ in words_with_tags("我们学习历史知识")]
    assert [word for word, _ in words_with_tags("我们学 习历\u200b史知\u3000识")] == plain


def test_that_nouns_verbs_letters_and_numbers_have_distinct_tags():
    tags = dict(words_with_tags("老师喜欢学习，essay 有 2020 字"))
    assert tags["老师"].startswith("n")
    assert tags["学习"].startswith("v")
    assert (tags["essay"], tags["2020"]) == ("eng", "m")


@pytest.mark.parametrize(
    ("text", "is_chinese"),
    [("我们在 the park 散步。", True), ("我 went home", False), ("我们 went home", False), ("", False)],
)
def test_that_a_text_is_chinese_where_more_than_half_of_its_units_are(text, is_chinese):
    assert prepare(make_document(text)).is_mostly_chinese is is_chinese


def test_that_the_sentence_at_an_offset_is_found():
    prepared = prepare(make_document("一二。", "三四。 五"))
    assert [prepared.sentence_at(i) for i in range(9)] == [0, 0, 0, None, 1, 1, 1, None, 2]
    assert prepared.sentence_at(9) is None
    assert prepared.sentence_at(-1) is None
    assert prepared.sentence_span(1) == Span(4, 7)


def test_that_a_prepared_text_survives_pickling():
    prepared = prepare(make_document("他说：“走吧。”我没动。", "Then we left."))
    copy = pickle.loads(pickle.dumps(prepared))
    for column in fields(PreparedText):
        assert np.array_equal(getattr(copy, column.name), getattr(prepared, column.name)), column.name


@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_very_many_words_kept_as_one_text_are_the_same_words(
    language: str, monkeypatch: pytest.MonkeyPatch
):
    document = document_of(
        "家乡的河。河上有 3 座石桥。" if language == "zh" else "The river. A bridge of 1820."
    )
    separate = prepare(document)
    monkeypatch.setattr(prepared_text, "_MOST_SEPARATE", 1)
    joined = pickle.loads(pickle.dumps(prepare(document)))
    for name in ("unit_vocabulary", "word_vocabulary", "word_tags"):
        column, expected = getattr(joined, name), getattr(separate, name)
        assert not isinstance(column, tuple)
        assert list(column) == [column[place] for place in range(len(column))] == list(expected)
    assert scored_text_digest(joined) == scored_text_digest(separate)
