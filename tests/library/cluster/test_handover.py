"""Parquet files of the hand-over: what is read from them is what was written."""

from dataclasses import replace

import numpy as np
import pytest

from simcompare.library.changes import make_new_entry
from simcompare.library.cluster.cluster_work import TERM_RANGES, hand_over
from simcompare.library.search.shared_facts import FactKind
from tests.library.essays import essays

pytest.importorskip("pyarrow", reason="the extra dask is not installed")


def test_that_entries_and_terms_are_read_as_they_were_written(tmp_path):
    new = [make_new_entry(document) for document in essays(3)]
    new[1] = replace(new[1], facts=[(int(FactKind.EDITING_ID), 77), (int(FactKind.PICTURE), -(2**63))])
    handed = hand_over(tmp_path, 2, [(4, new[0]), (7, new[1]), (9, new[2])])
    assert (handed.entries.name, handed.terms.name, handed.count) == (
        "2-entries.parquet",
        "2-terms.parquet",
        3,
    )
    read = list(handed.read())
    assert [place for place, _ in read] == [4, 7, 9]
    assert [each.columns for _, each in read] == [each.columns for each in new]
    assert [each.fingerprints for _, each in read] == [each.fingerprints for each in new]
    assert [list(map(tuple, each.facts)) for _, each in read] == [list(each.facts) for each in new]
    ranges = [handed.terms_in(number) for number in range(TERM_RANGES)]
    grams = np.concatenate([terms for terms, _ in ranges])
    rows = np.concatenate([owners for _, owners in ranges])
    assert (np.diff(grams) >= 0).all()
    for row, each in enumerate(new):
        assert grams[rows == row].tolist() == each.terms.tolist()
    handed.delete()
    assert list(tmp_path.iterdir()) == []


def test_that_ranges_without_terms_are_empty(tmp_path):
    (document,) = essays(1)
    new = make_new_entry(document)
    few = type(new)(new.columns, new.fingerprints, np.array([-(2**63), 0, 2**63 - 1]), new.tags)
    handed = hand_over(tmp_path, 0, [(0, few)])
    counts = [len(handed.terms_in(number)[0]) for number in range(TERM_RANGES)]
    assert [counts[0], counts[TERM_RANGES // 2], counts[-1], sum(counts)] == [1, 1, 1, 3]
