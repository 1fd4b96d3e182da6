"""Processes killed while they change a library: nothing is lost, and nothing is there twice."""

import subprocess
import sys
from pathlib import Path

import pytest

from simcompare.library.adding import merge_recent
from simcompare.library.entries import list_entries
from simcompare.library.removing import remove_entries
from simcompare.library.store.open_library import open_library
from simcompare.library.tags import Tag
from tests.library.essays import add, essays, expected_terms, stored_terms

ROOT = Path(__file__).resolve().parents[2]
KILLED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import Engine, event
from simcompare.library import adding
from simcompare.library.adding import merge_recent
from simcompare.library.removing import remove_entries
from simcompare.library.store.open_library import open_library
from tests.library.essays import add, essays

adding._ENTRIES_PER_MERGED_PART = 2
moment = int(sys.argv[2])
work = sys.argv[3]

def kill(*_):
    global moment
    moment -= 1
    if not moment:
        os.kill(os.getpid(), signal.SIGKILL)

def listen():
    for name in ("before_cursor_execute", "commit"):
        event.listen(Engine, name, kill)

if work == "make":
    listen()
with open_library(Path(sys.argv[1]), create=True) as library:
    if work == "add":
        listen()
    for document in essays(3):
        add(library, document, tags="class=3")
    listen()
    if work == "merge":
        merge_recent(library)
    elif work == "remove":
        remove_entries(library, [1, 2])
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


def killed(path, moment, work):
    """Do the work in a process that is killed at its statement or commit with this number."""
    command = [sys.executable, "-c", KILLED, str(path), str(moment), work]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -9


def terms_of(*entries):
    return expected_terms(
        {entry: document for entry, document in enumerate(essays(3), 1) if entry in entries}
    )


@pytest.mark.parametrize(
    ("work", "moment"),
    [("make", 3), ("make", 12), ("make", 24), ("add", 3), ("add", 6), ("add", 9), ("add", 12), ("add", 15)],
)
def test_that_a_killed_run_can_be_repeated(tmp_path, work, moment):
    path = tmp_path / "essays.sqlite"
    killed(path, moment, work)
    with open_library(path, create=True) as library:
        add(library, *essays(3), tags="class=3")
        assert [entry.name for entry in list_entries(library)] == [f"essay-{n}.txt" for n in (1, 2, 3)]
        assert all(entry.tags == (Tag("class", "3"),) for entry in list_entries(library))
        assert stored_terms(library) == {"postings": set(), "recent_postings": terms_of(1, 2, 3)}


@pytest.mark.parametrize("moment", [2, 4, 5, 6, 9, 13, 16])
def test_that_a_killed_merge_loses_nothing_and_can_be_repeated(tmp_path, moment):
    path = tmp_path / "essays.sqlite"
    killed(path, moment, "merge")
    with open_library(path) as library:
        terms = stored_terms(library)
        assert terms["postings"] | terms["recent_postings"] == terms_of(1, 2, 3)
        assert not terms["postings"] & terms["recent_postings"]
        remove_entries(library, [2])
        merge_recent(library)
        assert stored_terms(library) == {"postings": terms_of(1, 3), "recent_postings": set()}


@pytest.mark.parametrize("moment", [3, 6, 9])
def test_that_a_killed_removal_removes_nothing_and_can_be_repeated(tmp_path, moment):
    path = tmp_path / "essays.sqlite"
    killed(path, moment, "remove")
    with open_library(path) as library:
        assert len(list_entries(library)) == 3
        remove_entries(library, [1, 2])
        assert stored_terms(library)["recent_postings"] == terms_of(3)
