"""Fixture: an empty library, in a file and on a server."""

import pytest

from simcompare.library.store.open_library import open_library
from tests.library.essays import empty_library


@pytest.fixture(params=["file", "server"])
def library(request, tmp_path):
    """An empty library; a test for one kind names it: `parametrize("library", ["file"], indirect=True)`."""
    if request.param == "file":
        opened = empty_library(tmp_path / "essays.sqlite")
    else:
        opened = open_library(request.getfixturevalue("emptied_server").place(), create=True)
    with opened as library:
        yield library
