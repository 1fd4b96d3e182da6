"""Kinship of Word files by the ids of their editing sessions."""

import random
import time
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.cohort.pair_facts import facts_of_class
from simcompare.cohort.shared_facts import MOST_CHANCE, POSSIBLE_IDS, chance_of_sharing, find_kin
from simcompare.model.document import Document, Origin
from simcompare.session.school_class import DocumentRole, SchoolClass
from tests.helpers.documents import make_document

Ids = list[str]


def ids(numbers: Iterable[int]) -> Ids:
    return [f"{number:08X}" for number in numbers]


def sessions(count: int, seed: int) -> Ids:
    """Return the ids of so many sessions of editing."""
    return ids(random.Random(seed).sample(range(1, POSSIBLE_IDS), count))


def shared(files: list[Ids]) -> dict[tuple[int, int], int]:
    return {pair: kin.shared_ids for pair, kin in find_kin(dict(enumerate(files))).items()}


def test_that_a_file_made_from_another_is_kin_to_it() -> None:
    own = sessions(12, 1)
    files = [own, [*own, *sessions(9, 2)], sessions(30, 3)]
    assert shared(files) == {(0, 1): 12}
    assert find_kin(dict(enumerate(files)))[0, 1].chance < 1e-50


def test_that_files_with_ids_by_chance_are_not_kin() -> None:
    own, other = sessions(150, 1), sessions(150, 2)
    assert chance_of_sharing(1, 151, 151) > MOST_CHANCE
    assert shared([[*own, "00ABCDEF"], [*other, "00ABCDEF"]]) == {}
    few = ["00ABCDEF", "00ABCDE0"]
    assert shared([[*own, *few], [*other, *few]]) == {}  # 8e-7
    assert shared([[*own[:20], *few], [*other[:20], *few]]) == {(0, 1): 2}


def test_that_files_of_a_single_id_are_those_of_a_program() -> None:
    assert shared([["00ABCDEF"]] * 2) == {}


def test_that_ids_of_many_files_of_the_class_do_not_count() -> None:
    template = sessions(20, 0)
    files = [[*template, *sessions(10, seed)] for seed in range(1, 41)]
    files[7] = [*files[7], *files[3][-5:]]
    assert shared(files) == {(3, 7): 5}
    # up to 3 files may share what they have from each other, in a class of 40 up to 4
    assert len(shared(files[8:11])) == 3
    assert shared(files[8:12]) == {}
    assert len(shared([*files[8:12], *(sessions(10, seed) for seed in range(50, 86))])) == 6


def test_that_files_without_ids_do_not_raise_the_number_of_files_that_may_share_an_id() -> None:
    template = sessions(20, 0)
    files = [[*template, *sessions(10, seed)] for seed in range(1, 6)]
    assert shared([*files, *([] for _number in range(95))]) == {}
    assert shared([[], []]) == shared([]) == {}


def with_origin(origin: Origin) -> Document:
    made = make_document("")
    return replace(made, receipt=replace(made.receipt, origin=origin))


def test_that_ids_of_templates_and_files_of_drafts_do_not_count_in_a_class() -> None:
    template, own = sessions(20, 0), sessions(12, 1)
    files = [
        template,
        *([*template, *sessions(10, seed)] for seed in (2, 3)),
        own,
        own,
        own,
        own,
        [*own, *own[:1]],
    ]
    origins = {
        10 + number: Origin(editing_ids=tuple(dict.fromkeys(each))) for number, each in enumerate(files)
    }
    roles = {10: DocumentRole.TEMPLATE, 13: DocumentRole.DRAFT, 14: DocumentRole.DRAFT, 15: DocumentRole.OLD}
    facts = facts_of_class({key: with_origin(each) for key, each in origins.items()}, SchoolClass(roles))
    assert {pair: each.kinship.shared_ids for pair, each in facts.items()} == {
        (15, 16): 12,
        (15, 17): 12,
        (16, 17): 12,
    }


@pytest.mark.parametrize(("count", "expected"), [(1, 6.0e-4), (2, 1.8e-7), (3, 3.5e-11), (100, 0.0)])
def test_that_the_chance_is_the_tail_of_the_poisson_distribution(count: int, expected: float) -> None:
    # 1 - exp(-l), 1 - exp(-l) (1 + l) ... with l = 100 * 100 / 2^24
    assert chance_of_sharing(count, 100, 100) == pytest.approx(expected, abs=1e-300, rel=0.02)


@given(st.integers(1, 60), st.integers(1, 10_000), st.integers(1, 10_000))
def test_that_more_shared_ids_are_less_probable_and_longer_lists_more(
    count: int, left: int, right: int
) -> None:
    chance = chance_of_sharing(count, left, right)
    assert 0.0 <= chance_of_sharing(count + 1, left, right) <= chance <= 1.0
    assert chance <= chance_of_sharing(count, left + 1, right)
    assert chance == chance_of_sharing(count, right, left)


def test_that_a_class_of_200_takes_milliseconds() -> None:
    template = sessions(30, 0)
    files = [[*template, *sessions(120, seed)] for seed in range(1, 201)]
    for place in range(0, 200, 2):
        files[place] = [*files[place], *files[place + 1][30:60]]
    began = time.process_time()
    found = shared(files)
    assert time.process_time() - began < 0.5  # 0.03 s; the limit allows for a busy computer
    assert found == {(place, place + 1): 30 for place in range(0, 200, 2)}
