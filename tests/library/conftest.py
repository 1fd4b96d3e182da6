"""Fixture: an empty library, in a file and on a server."""

import pytest

from simcompare.library.store.open_library import open_library


@pytest.fixture(params=["file", "server"])
def library(request, tmp_path):
    """An empty library; a test for one kind names it: `parametrize("library", ["file"], indirect=True)`."""
    place = tmp_path / "essays.sqlite"
    if request.param == "server":
        place = request.getfixturevalue("emptied_server").place()
    with open_library(place, create=True) as library:
        yield library
