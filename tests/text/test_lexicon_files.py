"""Format and content of the lexicon files that ship with the program."""

import re
import warnings
from collections import Counter
from pathlib import Path

import pytest

from simcompare.text.prepared_text import words_of_text

LEXICONS = Path(__file__).parents[2] / "resources" / "lexicons"

LEAST_GROUPS = {"synonyms-zh.txt": 1600, "synonyms-en.txt": 400}
LEAST_MARKERS = {"markers-zh.txt": 60, "markers-en.txt": 25}
WORD_SHAPE = {
    "synonyms-zh.txt": re.compile(r"[\u4e00-\u9fff]+"),
    "synonyms-en.txt": re.compile(r"[a-z][a-z'-]*"),
}
MARKER_SHAPE = {
    "markers-zh.txt": re.compile(r"[\u4e00-\u9fff]+"),
    "markers-en.txt": re.compile(r"[a-z]+"),
}
MOST_GROUPS_OF_A_WORD = 3
LEAST_SHARE_OF_SINGLE_TOKENS = 0.97

synonym_files = pytest.mark.parametrize("name", sorted(LEAST_GROUPS))
marker_files = pytest.mark.parametrize("name", sorted(LEAST_MARKERS))


def _entries(name: str) -> list[str]:
    lines = (LEXICONS / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _groups(name: str) -> list[list[str]]:
    return [line.split(" ") for line in _entries(name)]


@pytest.mark.parametrize("name", sorted({*LEAST_GROUPS, *LEAST_MARKERS}))
def test_that_a_lexicon_opens_with_a_comment_that_names_its_licence(name: str):
    text = (LEXICONS / name).read_text(encoding="utf-8")
    head = text.split("\n\n", maxsplit=1)[0]
    assert all(line.startswith("#") for line in head.splitlines())
    assert "Format:" in head
    assert "MIT licence" in head
    assert text.endswith("\n")
    assert "\r" not in text


@synonym_files
def test_that_a_synonym_file_holds_enough_groups(name: str):
    assert len(_groups(name)) >= LEAST_GROUPS[name]


@synonym_files
def test_that_every_group_is_two_to_eight_words_of_the_right_script(name: str):
    shape = WORD_SHAPE[name]
    wrong = [
        group
        for group in _groups(name)
        if not 2 <= len(group) <= 8 or not all(shape.fullmatch(word) for word in group)
    ]
    assert wrong == []


@synonym_files
def test_that_no_group_repeats_a_word(name: str):
    assert [group for group in _groups(name) if len(set(group)) != len(group)] == []


@synonym_files
def test_that_no_group_equals_or_lies_inside_another(name: str):
    groups = [frozenset(group) for group in _groups(name)]
    at: dict[str, set[int]] = {}
    for index, group in enumerate(groups):
        for word in group:
            at.setdefault(word, set()).add(index)
    inside = [
        sorted(group)
        for index, group in enumerate(groups)
        if set.intersection(*(at[word] for word in group)) - {index}
    ]
    assert inside == []


@synonym_files
def test_that_each_word_is_in_few_groups(name: str):
    counts = Counter(word for group in _groups(name) for word in group)
    assert {word: count for word, count in counts.items() if count > MOST_GROUPS_OF_A_WORD} == {}


def test_that_the_segmenter_yields_chinese_synonyms_as_single_tokens():
    with warnings.catch_warnings():
        # jieba 0.42 imports pkg_resources and has old-style escapes; both warn on import.
        warnings.simplefilter("ignore")
        import jieba

        words = {word for group in _groups("synonyms-zh.txt") for word in group}
        split = sorted(word for word in words if jieba.lcut(word) != [word])
    assert 1 - len(split) / len(words) >= LEAST_SHARE_OF_SINGLE_TOKENS, split


@marker_files
def test_that_a_marker_file_holds_enough_markers_of_the_right_script(name: str):
    markers = _entries(name)
    assert len(markers) >= LEAST_MARKERS[name]
    assert [marker for marker in markers if not MARKER_SHAPE[name].fullmatch(marker)] == []


@marker_files
def test_that_no_marker_is_given_twice(name: str):
    markers = _entries(name)
    assert [marker for marker, count in Counter(markers).items() if count > 1] == []


@marker_files
def test_that_every_marker_is_one_word_as_texts_are_cut(name: str):
    assert [marker for marker in _entries(name) if words_of_text(marker) != [marker]] == []
