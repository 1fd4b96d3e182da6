"""Files added by the workers of a cluster, to one library and to several."""

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simcompare.cli.main import app
from simcompare.library.changes import check_library, read_new_entry
from simcompare.library.cluster.cluster_work import Reading, add_files, check_folder
from simcompare.library.cluster.connection import HandoverError
from simcompare.library.entries import list_entries
from simcompare.library.store.open_library import open_library
from simcompare.library.students import FileLabels
from simcompare.library.tags import Tag
from simcompare.loading.extraction import DEFAULT_OPTIONS
from simcompare.model.progress import no_tick
from tests.helpers.documents import unrelated_essays
from tests.helpers.shared_pictures import drawing, write_docx_with_pictures
from tests.helpers.word_sessions import write_edited_docx
from tests.library.cluster.conftest import SENTENCES, worker_process
from tests.library.essays import stored_terms

READING = Reading(read_new_entry, ((),), DEFAULT_OPTIONS, "en")
NAMES = [f"essay-{number:02}.txt" for number in range(12)]


def run(*arguments):
    return CliRunner().invoke(app, ["library", *map(str, arguments)])


def errors_of(result):
    """Standard error without the lines of progress."""
    return [line for line in result.stderr.splitlines() if not re.match(r"[\w ]+: (\d|$)", line)]


def checked_names(library):
    """Names of the entries of a library that has no fault."""
    assert check_library(library, no_tick).faults == ()
    return sorted(entry.name for entry in list_entries(library))


def labels_of(folder):
    return {path: FileLabels(path.name, (Tag("class", "3"),)) for path in sorted(folder.iterdir())}


@pytest.fixture
def library(tmp_path):
    with open_library(tmp_path / "essays.sqlite", create=True) as library:
        yield library


def test_that_files_are_added_as_without_a_cluster(class_3, scheduler):
    (class_3 / "broken.docx").write_bytes(b"PK\x03\x04 cut short")
    arguments = ("add", "class-3", "--tag", "class=3", "--library")
    added = run(*arguments, "one.sqlite", "--scheduler", scheduler, "--handover", class_3.parent)
    alone = run(*arguments, "other.sqlite")
    assert (added.exit_code, added.stdout) == (1, "12 documents added; 1 file not read\n")
    assert (alone.exit_code, alone.stdout) == (1, added.stdout)
    assert errors_of(added) == errors_of(alone)
    terms = []
    for name in ("one.sqlite", "other.sqlite"):
        with open_library(Path(name)) as library:
            assert checked_names(library) == NAMES
            assert {entry.tags for entry in list_entries(library)} == {(Tag("class", "3"),)}
            by_name = {entry.entry: entry.name for entry in list_entries(library)}
            stored = stored_terms(library)["recent_postings"]
            terms.append({(gram, by_name[entry]) for gram, entry in stored})
    assert terms[0] == terms[1]
    again = run(*arguments, "one.sqlite", "--scheduler", scheduler)
    assert again.stdout == "0 documents added; 12 files known already; 1 file not read\n"
    assert list(class_3.parent.glob("simcompare-*")) == []


def test_that_several_libraries_are_filled_and_searched_as_one(
    class_3, scheduler, emptied_server, monkeypatch
):
    monkeypatch.setenv("PGPASSWORD", emptied_server.password)
    Path("all.libraries").write_text(f"one.sqlite\n{emptied_server.place()}\n", encoding="utf-8")
    monkeypatch.setenv("SIMCOMPARE_LIBRARY", "all.libraries")
    assert run("add", "class-3", "--scheduler", scheduler).stdout == "12 documents added\n"
    assert run("add", "class-3").stdout == "0 documents added; 12 files known already\n"
    names = []
    for place in (Path("one.sqlite"), emptied_server.place()):
        with open_library(place) as library:
            names.append(checked_names(library))
    assert all(names)
    assert sorted(names[0] + names[1]) == NAMES
    texts = ("class-3/essay-03.txt", "class-3/missing.txt", "class-3/essay-04.txt")
    searched = ("search", *texts, "--no-meaning")
    found, alone = run(*searched, "--scheduler", scheduler), run(*searched)
    assert found.stdout.count("1 entry of the library shares text with it") == 2
    assert (found.exit_code, found.stdout) == (alone.exit_code, alone.stdout)
    assert "cannot open" in found.stderr


FACTS = ("kinship", "shared_pictures", "shared_mistakes")
WORK = "王小明. 石桥的历史与保护[J]. 建筑学报, {}, 3(2): 15-20."


def test_that_pictures_ids_and_references_are_found_that_workers_handed_over(class_3, scheduler):
    texts = unrelated_essays(9, SENTENCES)
    for path in class_3.iterdir():
        path.unlink()
    ids = [f"00B{number}1111" for number in range(6)]
    queries = class_3.parent / "queries"
    queries.mkdir()
    for number, year in enumerate((2051, 2015, 2015, 2015)):
        lines = [*texts[number], "参考文献", WORK.format(year)]
        (class_3 / f"cites-{number}.txt").write_text("\n".join(lines), encoding="utf-8")
    cited = "\n".join([*texts[4], "参考文献", WORK.format(2051)])
    (queries / "cites.txt").write_text(cited, encoding="utf-8")
    for folder, number, size in ((class_3, 5, (480, 320)), (queries, 6, (240, 160))):
        picture = drawing(1).resize(size)
        write_docx_with_pictures(folder / "drawn.docx", texts[number], [picture])
        write_edited_docx(folder / "edited.docx", "", texts[number + 2], ids)
    searched = ("search", *sorted(queries.iterdir()), "--to", "json", "--library")
    found = []
    for name, cluster in (("one.sqlite", ["--scheduler", scheduler]), ("other.sqlite", [])):
        assert run("add", "class-3", "--library", name, *cluster).exit_code == 0
        results = json.loads(run(*searched, name, *cluster).stdout)["searched"]
        hits = [hit for each in results for hit in each["hits"]]
        found.append({(hit["entry"]["name"], fact) for hit in hits for fact in hit.keys() & FACTS})
    expected = set(zip(("edited.docx", "drawn.docx", "cites-0.txt"), FACTS, strict=True))
    assert found == [expected, expected]


def test_that_nothing_is_lost_or_doubled_if_a_worker_is_killed(class_3, cluster, library):
    workers = {pid for _, pid in cluster.results(worker_process, range(8))}

    def kill_one(_done, _total):
        if len(workers) > 1:
            os.kill(workers.pop(), signal.SIGKILL)

    additions = add_files(cluster, [library], labels_of(class_3), READING, None, kill_one)
    assert (additions.added, additions.known, additions.errors) == (12, 0, [])
    assert checked_names(library) == NAMES


def test_that_an_interrupted_run_leaves_no_files_and_is_continued(class_3, cluster, library, monkeypatch):
    monkeypatch.setattr("simcompare.library.cluster.cluster_work._MERGED_AT_ONCE", 1)

    def interrupt(done, _total):
        if done >= 3:
            raise KeyboardInterrupt

    handover = class_3.parent / "shared"
    handover.mkdir()
    with pytest.raises(KeyboardInterrupt):
        add_files(cluster, [library], labels_of(class_3), READING, handover, interrupt)
    assert list(handover.iterdir()) == []
    first = len(checked_names(library))
    assert 0 < first < 12
    additions = add_files(cluster, [library], labels_of(class_3), READING, handover, no_tick)
    assert (additions.added, additions.known) == (12 - first, first)
    assert checked_names(library) == NAMES


def test_that_a_file_that_a_worker_cannot_open_is_told_and_the_others_are_added(class_3, cluster, library):
    labels = labels_of(class_3)
    (class_3 / "essay-05.txt").unlink()
    additions = add_files(cluster, [library], labels, READING, None, no_tick)
    assert additions.added == 11
    (error,) = map(str, additions.errors)
    assert error.startswith("The worker on ")
    assert f"cannot open {class_3 / 'essay-05.txt'}: it does not exist." in error


def test_that_a_folder_that_is_not_shared_is_refused_before_anything_is_read(class_3, cluster, library):
    with pytest.raises(HandoverError, match="that this computer and all workers share with --handover"):
        cluster.on_each_worker(check_folder, class_3, "mark")
    with pytest.raises(HandoverError, match="it does not exist"):
        add_files(cluster, [library], labels_of(class_3), READING, class_3 / "missing", no_tick)
    assert checked_names(library) == []


KILLED = """
import os, signal, sys
from simcompare.cli.main import main
from simcompare.library.cluster import cluster_work, connection

class Merger(cluster_work.Merger):
    def merge(self, batches):
        super().merge(batches)
        os.kill(os.getpid(), signal.SIGKILL)

cluster_work.Merger, cluster_work._MERGED_AT_ONCE = Merger, 1
connection._CONNECT_SECONDS = connection._FIRST_WORKER_SECONDS = 120
if __name__ == "__main__":
    main()
"""


def test_that_a_killed_program_is_continued(class_3, scheduler, start_program):
    arguments = ["library", "add", "class-3", "--library", "one.sqlite", "--scheduler", scheduler]
    shared = ["--handover", str(class_3.parent)]
    Path("killed.py").write_text(KILLED, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    program = start_program([sys.executable, "killed.py", *arguments, *shared], env=environment)
    assert program.wait() == -signal.SIGKILL
    assert list(class_3.parent.glob("simcompare-*")) != []
    with open_library(Path("one.sqlite")) as library:
        first = len(checked_names(library))
    assert 0 < first < 12
    again = CliRunner().invoke(app, arguments)
    assert again.stdout == f"{12 - first} documents added; {first} files known already\n"
    with open_library(Path("one.sqlite")) as library:
        assert checked_names(library) == NAMES
