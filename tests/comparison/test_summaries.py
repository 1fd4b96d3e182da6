"""Summaries: sentences that condense sentences scattered over the other text."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.comparison.passages.passage_columns import NO_PASSAGES, _runs, find_summaries
from simcompare.comparison.passages.term_cosine import TermCosines
from simcompare.model.settings import PassageSettings, SummarySettings
from tests.helpers.documents import shared_text
from tests.helpers.passages import (
    GARDEN,
    LIGHTHOUSE,
    METRO,
    TRAFFIC,
    english,
    passages_between,
    shared_texts,
    terms_of,
)

TOLD = [
    "The ferry company announced in March that the island route would close after ninety years of service.",
    "Islanders gathered in the chapel, where the schoolteacher read a petition with four hundred signatures.",
    "A marine engineer estimated that replacing the rusted hull would cost three million crowns.",
    "The fishing cooperative offered its storage shed as a ticket office without asking for rent.",
    "In October the parliament voted for a subsidy, and the old captain wept on the quay.",
]
SUMMARY = [
    "The ferry company would close the island route after ninety years.",
    "Islanders signed a petition in the chapel with the schoolteacher.",
    "An engineer estimated three million crowns for replacing the hull.",
    "The cooperative offered a shed as ticket office.",
    "The parliament voted for a subsidy in October.",
]
FILLER = [
    f"Chapter {word} describes the {thing} of the coast, its {other} and the customs of {season}."
    for word, thing, other, season in [
        ("one", "granite cliffs", "hidden caves", "Easter"),
        ("two", "heather moors", "grazing ponies", "Whitsun"),
        ("three", "salt marshes", "wading birds", "harvest"),
        ("four", "slate quarries", "narrow railways", "Advent"),
        ("five", "mussel banks", "sailing dinghies", "Lent"),
    ]
]
SCATTERED = english(
    *(chain.from_iterable(zip(([s] for s in TOLD), (FILLER, GARDEN, TRAFFIC, FILLER, GARDEN), strict=True)))
)


BEYOND = " " + english(*[TRAFFIC, GARDEN] * 5)


def test_that_a_summary_of_a_part_is_found_with_the_part_it_draws_on():
    left = english(LIGHTHOUSE, SUMMARY)
    ((own, source),) = shared_texts(left, SCATTERED + BEYOND)
    assert own == english(SUMMARY)
    assert source.startswith(TOLD[0])
    assert source.endswith(TOLD[-1])


def test_that_a_summary_of_most_of_a_text_is_one_of_the_whole_text():
    assert shared_texts(english(LIGHTHOUSE, SUMMARY), SCATTERED) == [(english(SUMMARY), SCATTERED)]


def test_that_a_summary_in_the_right_text_is_found_too():
    ((source, own),) = shared_texts(SCATTERED + BEYOND, english(LIGHTHOUSE, SUMMARY))
    assert own == english(SUMMARY)
    assert source.endswith(TOLD[-1])


def test_that_no_summary_is_found_if_disabled():
    found = passages_between(english(LIGHTHOUSE, SUMMARY), SCATTERED, PassageSettings(summary=None))
    assert found == NO_PASSAGES


@pytest.mark.parametrize(
    ("setting", "enough", "too_much"),
    [
        ("least_sentences", len(SUMMARY), len(SUMMARY) + 1),
        ("least_words", len(english(SUMMARY).split()), len(english(SUMMARY).split()) + 1),
        ("least_evidence", 1.0, 100.0),
        ("least_spread", 1.0, 100.0),
        ("most_of_text", 0.5, 0.4),
        ("least_times_rest", 2.5, 50.0),
    ],
)
def test_that_a_summary_needs_as_much_as_is_asked_for(setting, enough, too_much):
    left = english(LIGHTHOUSE, SUMMARY)
    for value, found in ((enough, 1), (too_much, 0)):
        asked = PassageSettings(summary=SummarySettings(**{setting: value}))
        assert len(passages_between(left, SCATTERED, asked)) == found


def test_that_most_of_a_text_is_no_summary():
    own = LIGHTHOUSE[:2]
    assert len(english(own).split()) < len(english(SUMMARY).split())
    assert passages_between(english(own, SUMMARY), SCATTERED) == NO_PASSAGES
    asked = PassageSettings(summary=SummarySettings(most_of_text=1.0))
    assert len(passages_between(english(own, SUMMARY), SCATTERED, asked)) == 1


def test_that_a_passage_copied_inside_a_summary_stays():
    copied = english(TRAFFIC[:2])
    left = english(LIGHTHOUSE, GARDEN, METRO, SUMMARY[:3], [copied], SUMMARY[3:])
    source = english(TOLD[:1], FILLER, TOLD[1:2], GARDEN[:2], TOLD[2:3], TRAFFIC, TOLD[3:4], FILLER, TOLD[4:])
    asked = PassageSettings(summary=SummarySettings(least_times_rest=1.0))
    kinds = {p.summary: left[p.left.start : p.left.end] for p in passages_between(left, source, asked)}
    assert copied in kinds["left"]
    assert copied in kinds[None]


def test_that_a_copied_passage_is_no_summary():
    left = english(LIGHTHOUSE, TOLD)
    right = english(FILLER, GARDEN, TRAFFIC, TOLD, METRO)
    assert shared_texts(left, right) == [(english(TOLD), english(TOLD))]


def test_that_passages_from_the_same_text_are_no_summary_of_it():
    # two passages of the right text are far apart in the left one
    left = english(LIGHTHOUSE, FILLER, GARDEN, TRAFFIC, TOLD)
    right = english(LIGHTHOUSE, TOLD)
    assert shared_texts(left, right) == [(english(s), english(s)) for s in (LIGHTHOUSE, TOLD)]


def test_that_passages_copied_from_several_places_are_no_summary():
    between = [f"Sentence{n} names thing{n}, place{n} and cause{n} without more to say." for n in range(60)]
    passages = [LIGHTHOUSE, GARDEN, TOLD]
    left = english(LIGHTHOUSE, FILLER[:1], GARDEN, FILLER[1:2], TOLD)
    right = english(LIGHTHOUSE, between[:30], TOLD, between[30:], GARDEN)
    assert shared_texts(left, right) == [(english(passage), english(passage)) for passage in passages]


def test_that_many_short_passages_copied_from_several_places_are_no_summary():
    between = [f"Sentence{n} names thing{n}, place{n} and cause{n} without more to say." for n in range(60)]
    passages = [LIGHTHOUSE[:2], TOLD[:2], GARDEN[:2], LIGHTHOUSE[2:], TOLD[2:4]]
    left = english(FILLER[:1], *passages, FILLER[1:2])
    places = (part for n, text in enumerate(passages[::-1]) for part in (text, between[12 * n :][:12]))
    assert shared_texts(left, english(*places)) == [(english(p), english(p)) for p in passages]


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=12))
def test_that_the_best_run_has_the_largest_sum_of_all(values):
    runs = _runs(np.array(values, dtype=np.float64), np.inf)
    sums = {(a, b): sum(values[a : b + 1]) for a in range(len(values)) for b in range(a, len(values))}
    assert all(sums[first, last] == total for total, first, last in runs)
    assert max((total for total, _, _ in runs), default=0) == max(0, *sums.values())


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=12))
def test_that_runs_do_not_overlap_and_bridge_no_great_loss(values):
    after = 0
    for _, first, last in _runs(np.array(values, dtype=np.float64), 15.0):
        assert after <= first <= last
        after = last + 1
        assert all(sum(values[a : b + 1]) >= -15 for a in range(first, last) for b in range(a, last))


def partners_at(text, source, *cosines):
    """Return the cosines of the first sentences with partners that are far from each other."""
    best, partners = np.zeros(text.sentence_count), np.zeros(text.sentence_count, dtype=np.int64)
    best[: len(cosines)] = cosines
    partners[: len(cosines)] = np.linspace(0, source.sentence_count - 1, len(cosines)).astype(np.int64)
    none = np.zeros(0, dtype=np.int64)
    return TermCosines(none, none, np.zeros(0), none, best, np.zeros(0), partners, none)


@pytest.mark.parametrize(
    ("source_sentences", "cosines", "found"),
    [
        (40, (0.31, 0.32, 0.31, 0.30), True),
        (800, (0.31, 0.32, 0.31, 0.30), False),
        (800, (0.41, 0.42, 0.41, 0.40), True),
    ],
)
def test_that_chance_cosines_in_a_long_source_are_no_evidence(source_sentences, cosines, found):
    text = terms_of(english(LIGHTHOUSE, GARDEN, METRO, TRAFFIC))
    source = terms_of(
        " ".join(f"Sentence{n} tells of thing{n} and of place{n}." for n in range(source_sentences))
    )
    cells = partners_at(text, source, *cosines)
    assert bool(find_summaries(text, source, cells, SummarySettings())) == found


@pytest.mark.parametrize(
    ("suspicious", "source"), [("00562", "01150"), ("00562", "01956"), ("01790", "01377")]
)
def test_that_common_phrases_are_no_summary_of_a_long_text(suspicious, source):
    left = shared_text("bench", "pan13-dev", "susp", f"suspicious-document{suspicious}.txt")
    right = shared_text("bench", "pan13-dev", "src", f"source-document{source}.txt")
    assert passages_between(left, right) == NO_PASSAGES
