"""Processes killed while they change a library: nothing is lost, and nothing is there twice."""

import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from simcompare.library.changes import check_library, merge_recent, remove_entries
from simcompare.library.entries import list_entries
from simcompare.library.store.open_library import open_library
from simcompare.library.tags import Tag
from simcompare.library.transfer import export_library, import_library, opened_export
from simcompare.model.progress import no_tick
from tests.library.essays import add, essays, expected_terms, stored_terms

ROOT = Path(__file__).resolve().parents[2]
KILLED = """
import os, signal, sys
from pathlib import Path
from threading import Event
from sqlalchemy import Engine, event
from simcompare.library import changes
from simcompare.library.changes import merge_recent
from simcompare.library.changes import remove_entries
from simcompare.library.store.library_place import library_place
from simcompare.library.store.open_library import open_library
from simcompare.library.entries import change_tags
from simcompare.library.tags import Tag
from simcompare.library.transfer import opened_export
from simcompare.library.transfer import import_library
from tests.library.essays import add, essays

def kill_at(moment):
    def kill(*_):
        nonlocal moment
        moment -= 1
        if not moment:
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("before_cursor_execute", "commit"):
        event.listen(Engine, name, kill)

def change(place, moment, work):
    changes._ENTRIES_PER_MERGED_PART = 2
    if work == "make":
        kill_at(moment)
    with open_library(library_place(place), create=True) as library:
        if work == "add":
            kill_at(moment)
        for document in documents:
            add(library, document, tags="class=3")
        kill_at(moment)
        if work == "merge":
            merge_recent(library)
        elif work == "remove":
            remove_entries(library, [1, 2])
        elif work == "tag":
            change_tags(library, [1, 2, 3], [], [Tag("class", "4"), Tag("year", "2026")])

def import_one(place, exported):
    def kill(done, total):
        os.kill(os.getpid(), signal.SIGKILL)

    changes._BATCH = 1
    with open_library(Path(place), create=True) as library, opened_export(Path(exported)) as export:
        import_library(library, export, export.submissions(lambda *_: None), kill, Event())

documents = essays(3)
for line in sys.stdin:
    place, work, argument = line.rstrip("\\n").split("\\t")
    if not os.fork():
        if work == "import":
            import_one(place, argument)
        else:
            change(place, int(argument), work)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


@pytest.fixture(scope="module")
def killed():
    """Have work done in a process that is killed at its statement or commit with a number.

    One program has imported everything and forks a process for each work: its imports took two seconds.
    """
    command = [sys.executable, "-c", KILLED]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as program:

        def run(place, work, argument):
            program.stdin.write(f"{place}\t{work}\t{argument}\n")
            program.stdin.flush()
            assert program.stdout.readline() == f"-{signal.SIGKILL}\n"

        yield run


def terms_of(*entries):
    return expected_terms(
        {entry: document for entry, document in enumerate(essays(3), 1) if entry in entries}
    )


@pytest.mark.parametrize(
    ("work", "moment"),
    [("make", 3), ("make", 12), ("make", 24), ("add", 3), ("add", 6), ("add", 9), ("add", 12), ("add", 15)],
)
def test_that_a_killed_run_can_be_repeated(killed, tmp_path, work, moment):
    path = tmp_path / "essays.sqlite"
    killed(path, work, moment)
    with open_library(path, create=True) as library:
        add(library, *essays(3), tags="class=3")
        assert [entry.name for entry in list_entries(library)] == [f"essay-{n}.txt" for n in (1, 2, 3)]
        assert all(entry.tags == (Tag("class", "3"),) for entry in list_entries(library))
        assert stored_terms(library) == {"postings": set(), "recent_postings": terms_of(1, 2, 3)}


@pytest.mark.parametrize("moment", [2, 4, 5, 6, 9, 13, 16])
def test_that_a_killed_merge_loses_nothing_and_can_be_repeated(killed, tmp_path, moment):
    path = tmp_path / "essays.sqlite"
    killed(path, "merge", moment)
    with open_library(path) as library:
        terms = stored_terms(library)
        assert terms["postings"] | terms["recent_postings"] == terms_of(1, 2, 3)
        assert not terms["postings"] & terms["recent_postings"]
        remove_entries(library, [2])
        merge_recent(library)
        assert stored_terms(library) == {"postings": terms_of(1, 3), "recent_postings": set()}


@pytest.mark.parametrize("moment", [3, 6, 9])
def test_that_a_killed_removal_removes_nothing_and_can_be_repeated(killed, tmp_path, moment):
    path = tmp_path / "essays.sqlite"
    killed(path, "remove", moment)
    with open_library(path) as library:
        assert len(list_entries(library)) == 3
        remove_entries(library, [1, 2])
        assert stored_terms(library)["recent_postings"] == terms_of(3)


@pytest.mark.parametrize("moment", [3, 4, 5, 6])
def test_that_a_killed_change_of_tags_changes_all_entries_or_none(killed, tmp_path, moment):
    path = tmp_path / "essays.sqlite"
    killed(path, "tag", moment)
    with open_library(path) as library:
        assert {tuple(map(str, entry.tags)) for entry in list_entries(library)} == {("class=3",)}
        assert check_library(library, no_tick).faults == ()


def test_that_a_killed_import_can_be_repeated(killed, library, tmp_path):
    exported, path = tmp_path / "library.zip", tmp_path / "other.sqlite"
    add(library, *essays(3), tags="class=3")
    export_library(library, exported)
    killed(path, "import", exported)
    with open_library(path) as other:
        known = len(list_entries(other))
        assert 0 < known < 3
        with opened_export(exported) as export:
            summary = import_library(other, export, export.submissions(no_tick), no_tick, Event())
        assert (summary.added, summary.known) == (3 - known, known)
        assert list_entries(other) == list_entries(library)
        assert stored_terms(other) == stored_terms(library)


def test_that_a_library_on_a_server_is_complete_after_a_program_was_killed(killed, emptied_server):
    killed(emptied_server.address(), "add", 9)
    with open_library(emptied_server.place()) as library:
        assert [entry.name for entry in list_entries(library)] == ["essay-1.txt"]
        add(library, *essays(3), tags="class=3")
        assert [entry.name for entry in list_entries(library)] == [f"essay-{n}.txt" for n in (1, 2, 3)]
        remove_entries(library, [entry.entry for entry in list_entries(library)])
        assert not stored_terms(library)["recent_postings"]
