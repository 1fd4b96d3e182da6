"""The numbered list of passages, their kinds and their matches."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.comparison.comparison_result import MatchKind
from simcompare.comparison.decided_shares import counted_units, shares_after_decisions
from simcompare.comparison.passages import numbered_passages as numbered_module
from simcompare.comparison.passages import passage_kinds
from simcompare.comparison.passages.numbered_passages import UNKNOWN_LCS, FigureTable, numbered_passages
from simcompare.comparison.passages.passage_columns import Passage, Passages
from simcompare.comparison.passages.passage_kinds import PassageKind, passage_figures
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS
from simcompare.session.decisions import (
    DECISION_OF_CODE,
    NO_KEYED_DECISIONS,
    Decision,
    MatchDecisions,
    decisions_on_passages,
)
from simcompare.support.resources import resource_path
from simcompare.text.thesaurus import load_thesaurus
from tests.comparison.test_shares import with_words_replaced
from tests.comparison.test_summaries import SCATTERED, SUMMARY
from tests.helpers.documents import DEFAULT_SETTINGS, compare_texts, excluding_nothing, own_texts
from tests.helpers.passages import GARDEN, LIBRARY, LIGHTHOUSE, METRO, ORCHARD, chinese, english

SAMPLES = ("家乡的石桥.docx", "心中的桥.html", "石桥记.pdf", "桥的故事.docx", "秋天的路.pdf")
PAPER = excluding_nothing(PRESETS["paper"])
KEEPER = own_texts("en")[1]


@pytest.fixture(scope="module")
def sample_comparisons():
    samples = [read_prepared_document(resource_path("samples", name), "improved") for name in SAMPLES]
    return [
        compare(left, right, settings, load_thesaurus("starter"))
        for settings in PRESETS.values()
        for left, right in combinations(samples, 2)
    ]


def texts_of(comparison, passage):
    return (
        passage.left.of(comparison.left.document.text),
        passage.right.of(comparison.right.document.text),
    )


def test_that_in_a_rewritten_passage_only_sentences_that_count_are_listed_too():
    last = "晚饭之后奶奶坐在院子里给我讲她小时候放羊的故事。"
    left = f"今天的天气非常好。\n放学以后我一个人沿着河边走回家。\n{last}"
    right = f"这里的天气非常好。\n隔壁的小猫又跑到了屋顶上面晒太阳。\n{last}"
    comparison = compare_texts(left, right)
    assert len(comparison.matches) == 2
    rewritten = Passage(Span(0, len(left)), Span(0, len(right)), evidence=1.5)
    listed = numbered_passages(replace(comparison, passages=Passages.of([rewritten])))
    kinds = [(each.kind, each.left.of(left)) for each in listed]
    assert kinds == [(PassageKind.MEANING, left), (PassageKind.IDENTICAL, last)]


# --- kinds


def test_that_two_sentences_that_are_a_passage_are_of_its_kind(sample_comparisons):
    kind_of = {MatchKind.EXACT: "identical", MatchKind.EDITED: "edited", MatchKind.SYNONYM: "reworded"}
    changed = 0
    for comparison in sample_comparisons:
        passages, matches = numbered_passages(comparison), comparison.matches
        kinds, single = passages.kinds_of_matches(comparison), {}
        for passage in (each for each in passages if len(each.matches) == 1):
            match = matches[passage.matches[0]]
            spans = comparison.left_span(match), comparison.right_span(match)
            if (passage.left, passage.right) == spans and passage.kind in kind_of.values():
                single[passage.matches[0]] = passage.kind
        for index, (kind, own) in enumerate(zip(kinds.tolist(), matches.kinds.tolist(), strict=True)):
            assert kind_of[MatchKind(kind)] == single.get(index, kind_of[MatchKind(own)])
            changed += kind != own
    assert changed


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        (chinese(METRO), chinese(METRO).replace("。", "！"), PassageKind.IDENTICAL),
        (chinese(METRO), chinese(METRO).replace("的", "").replace("昨夜", "前夜"), PassageKind.EDITED),
        (english(LIGHTHOUSE), english(LIGHTHOUSE).replace("evening", "night"), PassageKind.EDITED),
        (KEEPER, with_words_replaced(KEEPER, lambda word: word % 2), PassageKind.REWORDED),
        (chinese(METRO), chinese(METRO[::-1]), PassageKind.REORDERED),
        (english(GARDEN), english(GARDEN[2:], GARDEN[:2]), PassageKind.REORDERED),
    ],
)
def test_that_a_passage_is_identical_edited_reworded_or_reordered(left, right, kind):
    comparison = compare_texts(left, right)
    [passage] = numbered_passages(comparison)
    assert (passage.number, passage.kind, passage.summary) == (1, kind, None)
    assert passage.left_units == comparison.left.prepared.unit_count
    assert passage.right_units == comparison.right.prepared.unit_count


@pytest.mark.parametrize("side", ["left", "right"])
def test_that_a_summary_names_the_side_that_summarises(side):
    texts = (english(LIGHTHOUSE, SUMMARY), SCATTERED)
    comparison = compare_texts(*(texts if side == "left" else texts[::-1]))
    [passage] = numbered_passages(comparison)
    assert (passage.kind, passage.summary) == (PassageKind.SUMMARY, side)


def test_that_the_figures_of_a_passage_are_shares_of_words_and_units():
    comparison = compare_texts("a b c d e f g h.", "d a b c x e f.")
    [passage] = numbered_passages(comparison)
    assert passage.common_words == 6 / 8
    assert passage.p == 5 / 8
    assert passage.in_order == 5 / 6


def test_that_a_word_counts_as_common_as_often_as_on_the_side_with_fewer():
    comparison = compare_texts("a a a b c d e f.", "a b b b c d e f.")
    [passage] = numbered_passages(comparison)
    assert passage.common_words == 6 / 8


def test_that_long_passages_are_compared_in_sections(monkeypatch):
    text = "".join(own_texts())
    sentences = text.splitlines()
    random.Random(3).shuffle(sentences)
    for other, least in (
        (text.replace("的", ""), 0.99),
        (text.replace("我", "她"), 0.99),
        ("\n".join(sentences), 0.5),
    ):
        left, right = (compare_texts(part.splitlines(), "好").left.prepared for part in (text, other))
        spans = [np.array([[0, prepared.unit_spans[-1, 1]]], np.int32) for prepared in (left, right)]
        exact = passage_figures(left, right, *spans)
        with monkeypatch.context() as patch:
            patch.setattr(passage_kinds, "_MOST_LCS_CELLS", 300**2)
            lower = passage_figures(left, right, *spans)
        assert least * exact.p[0] <= lower.p[0] <= exact.p[0]
        assert lower.common_words == exact.common_words


# --- the list


def test_that_a_lone_matched_sentence_is_a_passage_of_its_own():
    shared = "爷爷总说：好桥不说话。"
    left, right = chinese(METRO, LIBRARY, [shared]), chinese([shared], ORCHARD, METRO)
    comparison = compare_texts(left, right)
    first, second = numbered_passages(comparison)
    assert texts_of(comparison, first) == (chinese(METRO), chinese(METRO))
    assert texts_of(comparison, second) == (shared, shared)
    assert (second.number, second.kind, second.matches) == (2, PassageKind.IDENTICAL, (4,))
    assert second.left_units == second.right_units == 9


def test_that_a_sentence_matched_many_times_is_a_passage_for_each_best_match():
    shared = "爷爷总说：好桥不说话。"
    comparison = compare_texts(chinese([shared], METRO), [shared, *LIBRARY[:2], shared, *LIBRARY[2:], shared])
    passages = numbered_passages(comparison)
    assert len(comparison.matches) == 3
    assert [(passage.left.start, passage.matches) for passage in passages] == [
        (0, (0,)),
        (0, (1,)),
        (0, (2,)),
    ]
    both = [METRO[0], shared, *METRO[1:3], shared, METRO[3]]
    comparison = compare_texts(both, [shared, *LIBRARY[:2], shared, *LIBRARY[2:]])
    passages = numbered_passages(comparison)
    assert len(comparison.matches) == 4
    assert len(passages) == 3, "the second sentence has no better match than its equal"
    assert sorted(passages.match_indices.tolist()) == [0, 1, 2, 3]


def test_that_without_detection_the_passages_are_stretches_of_matched_sentences():
    comparison = compare_texts(
        chinese(METRO[:2], LIBRARY, METRO[2:]), chinese(METRO[:2], ORCHARD, METRO[2:]), PAPER
    )
    passages = list(numbered_passages(comparison))
    assert [texts_of(comparison, p)[0] for p in passages] == [chinese(METRO[:2]), chinese(METRO[2:])]
    assert [p.matches for p in passages] == [(0, 1), (2, 3)]
    assert {p.kind for p in passages} == {PassageKind.IDENTICAL}


def test_that_texts_without_matches_have_no_passage():
    for settings in (DEFAULT_SETTINGS, PAPER):
        assert list(numbered_passages(compare_texts(chinese(METRO), chinese(LIBRARY), settings))) == []


def test_that_the_list_covers_every_match_in_reading_order(sample_comparisons):
    for comparison in sample_comparisons:
        passages = list(numbered_passages(comparison))
        assert [p.number for p in passages] == list(range(1, len(passages) + 1))
        places = [(p.left, p.right) for p in passages]
        assert places == sorted(places)
        assert {(p.left, p.right) for p in comparison.passages} <= set(places)
        listed = [comparison.matches[index] for passage in passages for index in passage.matches]
        matched = [comparison.matches[index] for index in range(len(comparison.matches))]
        assert {match.left for match in listed} == {match.left for match in matched}
        assert {match.right for match in listed} == {match.right for match in matched}


def test_that_a_passage_has_the_matches_whose_sentences_it_overlaps(sample_comparisons):
    def overlap(first: Span, second: Span) -> bool:
        return first.start < second.end and second.start < first.end

    for comparison in sample_comparisons:
        passages = numbered_passages(comparison)
        for passage in passages:
            expected = {
                index
                for index in range(len(comparison.matches))
                if overlap(comparison.left_span(comparison.matches[index]), passage.left)
                and overlap(comparison.right_span(comparison.matches[index]), passage.right)
            }
            assert set(passage.matches) == expected
            for match in passage.matches:
                of_match = passages.of_match(match)
                assert of_match is not None
                assert match in passages[of_match].matches


def test_that_only_counting_units_are_counted():
    comparison = compare_texts(
        "“桥是会说话的啊。”天地人和一二三。", "“桥是会说话的啊。”天地人和一二三。", PRESETS["balanced"]
    )
    [passage] = numbered_passages(comparison)
    assert (passage.left_units, passage.right_units) == (7, 7)


# --- shares after decisions


def decided(comparison, *fine):
    is_fine = np.zeros(len(comparison.matches), np.bool_)
    is_fine[list(fine)] = True
    passages = numbered_passages(comparison)
    on_matches = MatchDecisions((is_fine * DECISION_OF_CODE.index(Decision.FINE)).astype(np.int8), {})
    on_passages = decisions_on_passages(passages, on_matches, on_matches, NO_KEYED_DECISIONS)
    decided = comparison, passages, is_fine, on_passages.closed
    shares = shares_after_decisions(*decided)
    counted = (
        units.sum() / excluded.lengths[excluded.kept].sum() if excluded.kept.any() else None
        for excluded, units in zip(comparison.excluded, counted_units(*decided), strict=True)
    )
    assert tuple(counted) == shares
    return shares


def test_that_without_decisions_the_share_is_that_after_exclusions(sample_comparisons):
    for comparison in sample_comparisons:
        share = comparison.share
        assert decided(comparison) == (
            share.left_in_right.after_exclusions,
            share.right_in_left.after_exclusions,
        )


def test_that_a_single_decision_only_removes_its_sentences(sample_comparisons):
    for comparison in sample_comparisons:
        before = decided(comparison)
        cells = comparison.matches.cells
        once = [
            index
            for index in range(len(cells))
            if (cells.rows == cells.rows[index]).sum() == (cells.columns == cells.columns[index]).sum() == 1
        ]
        sizes = np.diff(numbered_passages(comparison).match_bounds)
        if not once or sizes.min() == 1 < sizes.max():
            continue
        after = decided(comparison, once[0])
        units = comparison.left.prepared.sentence_lengths
        removed = units[cells.rows[once[0]]] / units[comparison.left_excluded.kept].sum()
        assert before[0] - after[0] == pytest.approx(removed)


def test_that_a_passage_whose_matches_are_all_fine_does_not_count_with_the_text_between_them():
    gap = "这一句只有左边才有，讲的是昨天的大雨。"
    left, right = chinese(METRO[:2], [gap], METRO[2:], LIBRARY), chinese(METRO)
    comparison = compare_texts(left, right)
    [passage] = numbered_passages(comparison)
    assert gap in texts_of(comparison, passage)[0]
    assert decided(comparison, *passage.matches) == (0.0, 0.0)


def test_that_a_sentence_judged_fine_leaves_the_share_though_its_passage_does_not():
    comparison = compare_texts(chinese(METRO, LIBRARY), chinese(METRO))
    lengths = comparison.left.prepared.sentence_lengths
    expected = (lengths[1:4].sum() / lengths.sum(), lengths[1:4].sum() / lengths[:4].sum())
    assert decided(comparison, 0) == expected


def test_that_a_sentence_with_an_open_match_still_counts():
    shared = "爷爷总说：好桥不说话。"
    comparison = compare_texts(chinese([shared], METRO), [shared, *LIBRARY, shared])
    share, units = comparison.share.left_in_right.raw, comparison.right.prepared.unit_count
    assert decided(comparison, 0) == (share, 9 / units)
    assert decided(comparison, 0, 1) == (0.0, 0.0)


def test_that_a_passage_without_matches_stays_in_the_share():
    shared = "The ferry was late again on Monday."
    other = with_words_replaced(KEEPER, lambda word: word % 2)
    comparison = compare_texts([KEEPER, *GARDEN, shared], [shared, *SUMMARY, other])
    assert [passage.matches for passage in numbered_passages(comparison)] == [(), (0,)]
    units = comparison.left.prepared.unit_count
    before = comparison.share.left_in_right.raw
    assert decided(comparison, 0)[0] == pytest.approx(before - 7 / units)


def test_that_excluding_everything_gives_no_share_after_decisions():
    comparison = compare_texts("天地人和。", "天地人和。", replace(DEFAULT_SETTINGS, minimum_units=5))
    assert decided(comparison) == (None, None)


def test_that_known_figures_equal_newly_computed_ones():
    comparison = compare_texts(
        english(LIGHTHOUSE, GARDEN, ORCHARD), english(GARDEN, LIGHTHOUSE, ORCHARD[::-1])
    )
    left, right = comparison.left.prepared, comparison.right.prepared
    draw, table = np.random.default_rng(1), FigureTable()
    ends = left.sentence_spans[-1, 1], right.sentence_spans[-1, 1]
    for _ in range(20):
        starts = draw.integers(0, np.array(ends) // 40, (9, 2)) * 40
        spans = np.stack([starts[:, 0], starts[:, 0] + 90, starts[:, 1], starts[:, 1] + 60], axis=1)
        spans = spans.astype(np.int32)
        found = table.figures(left, right, spans, np.full(9, UNKNOWN_LCS, np.int32))
        expected = passage_figures(left, right, spans[:, :2], spans[:, 2:])
        for column in ("is_identical", "common_words", "p", "in_order"):
            assert np.array_equal(getattr(found, column), getattr(expected, column))


def test_that_only_the_figures_of_new_passages_are_computed(monkeypatch):
    comparison = compare_texts(
        english(LIGHTHOUSE, GARDEN), english(GARDEN, ORCHARD), excluding_nothing(DEFAULT_SETTINGS)
    )
    numbered_passages(comparison)
    settings, computed = comparison.settings, []
    real = passage_kinds.passage_figures
    monkeypatch.setattr(numbered_module, "passage_figures", lambda *a: computed.append(len(a[2])) or real(*a))
    numbered_passages(reclassify(comparison, replace(settings, similar_weight=0.5)))
    assert computed == []
