"""Patterns that are compiled at their first use behave like compiled ones."""

import re

import pytest

from simcompare.support.lazy import LazyPattern

_TEXT = "Alder 12, birch 7; ALDER 3"
_PATTERN = r"(?P<tree>alder)\s(\d+)"


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("match", (_TEXT,)),
        ("match", (_TEXT, 19)),
        ("match", (_TEXT, 1)),
        ("fullmatch", (_TEXT,)),
        ("fullmatch", ("alder 12",)),
        ("search", (_TEXT,)),
        ("search", (_TEXT, 5)),
        ("search", (_TEXT, 5, 20)),
    ],
)
def test_that_a_match_is_that_of_the_compiled_pattern(method, arguments):
    lazy, compiled = LazyPattern(_PATTERN, re.IGNORECASE), re.compile(_PATTERN, re.IGNORECASE)
    found, expected = (getattr(pattern, method)(*arguments) for pattern in (lazy, compiled))
    assert (found and found.span()) == (expected and expected.span())
    assert (found and found.groupdict()) == (expected and expected.groupdict())


@pytest.mark.parametrize("part", [(), (5,), (0, 20)])
def test_that_all_matches_are_found(part):
    lazy, compiled = LazyPattern(_PATTERN, re.IGNORECASE), re.compile(_PATTERN, re.IGNORECASE)
    assert [m.span() for m in lazy.finditer(_TEXT, *part)] == [
        m.span() for m in compiled.finditer(_TEXT, *part)
    ]
    assert lazy.findall(_TEXT) == compiled.findall(_TEXT) == [("Alder", "12"), ("ALDER", "3")]


def test_that_matches_are_replaced_and_split_at():
    numbers = LazyPattern(r"\s\d+")
    assert numbers.sub("", _TEXT) == "Alder, birch; ALDER"
    assert numbers.sub(lambda match: match[0] * 2, "ash 1") == "ash 1 1"
    assert numbers.split(_TEXT) == ["Alder", ", birch", "; ALDER", ""]


def test_that_a_pattern_is_compiled_once_and_not_before_it_is_used():
    broken = LazyPattern("(")
    LazyPattern.all.remove(broken)
    with pytest.raises(re.error):
        broken.search("")
    used = LazyPattern("a")
    assert used.compiled is used.compiled
