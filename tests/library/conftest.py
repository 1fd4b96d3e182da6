"""Fixtures: an empty library, and essays of sentences of tests/data."""

import pytest

from simcompare.library.store.open_library import open_library


@pytest.fixture
def library(tmp_path):
    with open_library(tmp_path / "essays.sqlite", create=True) as library:
        yield library
