"""A decision on a passage is found again when other settings change the passage's sentences."""

from dataclasses import replace

import numpy as np
import pytest

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages, numbered_passages
from simcompare.model.settings import ComparisonSettings, LeftOutSentence
from simcompare.session.decisions import (
    Decision,
    KeyedDecisions,
    NotedDecision,
    PassageKey,
    PassageKeys,
    decided_by_key,
    index_sentences,
)
from simcompare.text.prepared_text import sentence_digests
from tests.helpers.documents import compare_texts
from tests.helpers.passages import LIBRARY, METRO, ORCHARD, chinese

SENTENCES = [*METRO, *LIBRARY, *ORCHARD]
COPIED, FINE = NotedDecision(Decision.COPIED, "same words"), NotedDecision(Decision.FINE)

Region = tuple[int, int]
"""First and last sentence, on both sides."""


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Two equal texts of twelve sentences."""
    return compare_texts(chinese(SENTENCES), chinese(SENTENCES))


def passages_of(comparison: Comparison, *regions: Region) -> NumberedPassages:
    """List of passages with these sentences and without matches."""
    spans = comparison.left.prepared.sentence_spans
    sections = np.array([[spans[first][0], spans[last][1]] for first, last in regions], np.int32)
    count = len(regions)
    listed = numbered_passages(comparison)
    return replace(
        listed,
        left_spans=sections,
        right_spans=sections,
        kinds=np.repeat(listed.kinds[:1], count),
        match_bounds=np.zeros(count + 1, np.intp),
        match_indices=listed.match_indices[:0],
    )


def keys_of(comparison: Comparison, *regions: Region) -> PassageKeys:
    indexes = (index_sentences(side.prepared) for side in (comparison.left, comparison.right))
    return PassageKeys(comparison, passages_of(comparison, *regions), *indexes)


def found_again(
    comparison: Comparison, decided: dict[Region, NotedDecision], *regions: Region
) -> KeyedDecisions:
    """Decide passages, and find them in a list of others."""
    by_key: dict[PassageKey, NotedDecision] = {
        keys_of(comparison, region).key(0): noted for region, noted in decided.items()
    }
    return decided_by_key(keys_of(comparison, *regions), by_key)


@pytest.mark.parametrize(
    ("before", "after"),
    [((0, 5), (1, 5)), ((0, 5), (0, 4)), ((1, 5), (0, 6)), ((0, 5), (0, 5)), ((0, 11), (4, 6))],
    ids=["without its first sentence", "without its last", "longer", "the same", "shorter"],
)
def test_that_a_decision_follows_its_passage(comparison: Comparison, before: Region, after: Region) -> None:
    assert found_again(comparison, {before: COPIED}, after).decided == {0: COPIED}


def test_that_both_parts_of_a_passage_that_was_split_are_decided(comparison: Comparison) -> None:
    found = found_again(comparison, {(0, 8): COPIED}, (0, 3), (5, 8), (9, 11))
    assert found.decided == {0: COPIED, 1: COPIED}


def test_that_passages_joined_are_decided_if_they_were_decided_alike(comparison: Comparison) -> None:
    alike = {(0, 3): COPIED, (4, 7): replace(COPIED, note="again"), (8, 11): COPIED}
    found = found_again(comparison, alike, (0, 11))
    assert found.decided == {0: NotedDecision(Decision.COPIED, "same words\nagain")}
    assert not found.partly


def test_that_passages_joined_are_undecided_if_decisions_contradict(comparison: Comparison) -> None:
    found = found_again(comparison, {(0, 6): COPIED, (7, 9): FINE}, (0, 9))
    assert found.decided[0] == NotedDecision(None, "same words"), "the note is not lost"
    assert found.partly == {0}


def test_that_a_passage_of_which_little_was_decided_is_undecided(comparison: Comparison) -> None:
    found = found_again(comparison, {(2, 3): COPIED}, (0, 9))
    assert found.decided[0].decision is None
    assert found.partly == {0}
    assert not found_again(comparison, {(0, 3): COPIED}, (3, 9)).decided


def test_that_a_decision_by_the_own_key_comes_first(comparison: Comparison) -> None:
    assert found_again(comparison, {(0, 5): COPIED, (1, 5): FINE}, (1, 5)).decided == {0: FINE}


def test_that_a_decision_does_not_reach_a_passage_inside_its_own(comparison: Comparison) -> None:
    assert found_again(comparison, {(0, 5): COPIED}, (1, 5), (2, 3)).decided == {0: COPIED}


@pytest.mark.parametrize("left_out", [0, 3])
def test_that_a_passage_stays_decided_when_its_first_or_last_sentence_is_left_out(left_out: int) -> None:
    body = chinese(METRO)
    before = compare_texts(f"{body}\n{ORCHARD[0]}", f"{LIBRARY[0]}\n{body}")
    indexes = index_sentences(before.left.prepared), index_sentences(before.right.prepared)
    key = PassageKeys(before, numbered_passages(before), *indexes).key(0)
    digest = list(sentence_digests(before.left.prepared))[left_out]
    excluding = ComparisonSettings(left_out=(LeftOutSentence(digest, METRO[left_out]),))
    after = compare_texts(f"{body}\n{ORCHARD[0]}", f"{LIBRARY[0]}\n{body}", excluding)
    keys = PassageKeys(after, numbered_passages(after), *indexes)
    assert not keys.indices(key), "the passage has another end"
    assert decided_by_key(keys, {key: COPIED}).decided == {0: COPIED}
