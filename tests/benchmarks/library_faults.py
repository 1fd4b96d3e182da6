"""Kill, starve and damage libraries: nothing that was said to be stored is lost, and nothing is there twice.

    python -m tests.benchmarks.library_faults [kills] [disk] [writers] [damage] [--moments 100] [--seed 1]

kills: a process adds, removes, merges, exports, imports and migrates in random order, and is killed with
SIGKILL at a random moment, again and again with one library. After each kill the library opens,
`check_library` finds nothing, the entries are those of before or after the step that was under way (an import
may be in between), and an exported file is complete. disk: adding to a library on a full disk (a file system
of 4 MB, which only root may mount) ends with one error, and continues once there is room. writers: two
processes add essays at once, some of them the same. damage: a page in the middle of the postings is
overwritten; each use of the library ends with its result or one error. The exit status is 1 if anything
differs.
"""

import argparse
import json
import os
import random
import select
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.library.changes import (
    add_entries,
    check_library,
    make_new_entry,
    merge_recent,
    remove_entries,
)
from simcompare.library.entries import list_entries
from simcompare.library.library_errors import LibraryError
from simcompare.library.search.search import find_candidates
from simcompare.library.store.open_library import Library, open_library
from simcompare.library.transfer import export_library, import_library, opened_export
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import no_tick
from tests.library.essays import essay

_ROOT = Path(__file__).resolve().parents[2]
_SELF = "tests.benchmarks.library_faults"
_WORDS = [
    first + middle + last for first in "bdfgklmnprst" for middle in "aeiou" for last in ("n", "ran", "st")
]
_STEPS = {"add": 8, "remove": 3, "merge": 2, "export": 3, "import": 1, "migrate": 2}
_MOST_ENTRIES = 60
_MOST_SECONDS = 3.0
_PATIENCE_SECONDS = 300
_TINY_DISK_MB = 4
_State = frozenset[str]


def _essay(name: str) -> PreparedDocument:
    """Return an essay of random words; the same for the same name."""
    maker = random.Random(name)
    sentences = (" ".join(maker.choices(_WORDS, k=12)).capitalize() + "." for _sentence in range(25))
    return essay(" ".join(sentences), name=name)


def _add(library: Library, names: list[str]) -> None:
    list(add_entries(library, [make_new_entry(_essay(name)) for name in names]))


def _names(library: Library) -> list[str]:
    return [entry.name for entry in list_entries(library)]


def _import(library: Library, exported: Path) -> None:
    with opened_export(exported) as export:
        import_library(library, export, export.submissions(no_tick), no_tick, Event())


def _set_older(path: Path) -> None:
    """Make a library one of the program before the last migration, which only changed servers."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")


# --- kills --------------------------------------------------------------------------------------------------


def work(folder: Path, seed: str) -> None:
    """Change the library of a folder without end; say each step on standard output before and after it."""
    maker = random.Random(seed)
    path, exported = folder / "library.sqlite", folder / "export.zip"
    for number in range(10**9):
        with open_library(path, create=True) as library:
            stored = _names(library)
        step = maker.choices([*_STEPS], [*_STEPS.values()])[0]
        if len(stored) > _MOST_ENTRIES:
            step = "remove"
        names: list[str] = []
        if step == "add":
            names = [f"{seed}-{number}-{place}.txt" for place in range(maker.randrange(1, 6))]
        elif step == "remove":
            names = maker.sample(stored, min(len(stored), maker.randrange(1, 8)))
        elif step == "import":
            if not exported.exists():
                continue
            with opened_export(exported) as export:
                names = [each.name for part in export.submissions(no_tick) for each in part]
        _say(step, names)
        _run_step(step, names, path, exported)
        _say("done", [])


def _run_step(step: str, names: list[str], path: Path, exported: Path) -> None:
    if step == "migrate":
        _set_older(path)
    with open_library(path, create=True) as library:
        if step == "add":
            _add(library, names)
        elif step == "remove":
            entries = [entry.entry for entry in list_entries(library) if entry.name in names]
            remove_entries(library, entries)
        elif step == "merge":
            merge_recent(library)
        elif step == "export":
            export_library(library, exported)
        elif step == "import":
            _import(library, exported)


def _say(step: str, names: list[str]) -> None:
    print(json.dumps([step, names]), flush=True)


def kill(folder: Path, moment: int, maker: random.Random, before: _State) -> tuple[_State, str, list[str]]:
    """Start a process, and kill it; return what it said to have stored, and the step that was under way."""
    command = [sys.executable, "-m", _SELF, "--work", str(folder), "--seed", f"{maker.random()}-{moment}"]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        ready, _write, _error = select.select([process.stdout], [], [], _PATIENCE_SECONDS)
        assert ready, "the process did not begin"
        time.sleep(maker.uniform(0, _MOST_SECONDS))
        os.killpg(process.pid, signal.SIGKILL)
        said = process.stdout.read().decode().split("\n")
    stored, step, names = before, "", list[str]()
    for line in said[:-1]:  # the last one may be cut
        word, others = json.loads(line)
        if word == "done":
            stored, step, names = _after(stored, step, names), "", []
        else:
            step, names = word, others
    return stored, step, names


def _after(stored: _State, step: str, names: list[str]) -> _State:
    if step in {"add", "import"}:
        return stored | set(names)
    return stored - set(names) if step == "remove" else stored


def _faults(path: Path) -> Iterator[str]:
    with open_library(path, create=True) as library:
        yield from (f"{fault}" for fault in check_library(library, no_tick).faults)
        yield from (f"twice: {name}" for name, count in Counter(_names(library)).items() if count > 1)


def kills(moments: int, seed: int) -> list[str]:
    """Kill a process at random moments; return what was wrong."""
    found: list[str] = []
    steps: Counter[str] = Counter()
    maker = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, exported = folder / "library.sqlite", folder / "export.zip"
        stored: _State = frozenset()
        for moment in range(moments):
            stored, step, names = kill(folder, moment, maker, stored)
            steps[step or "between"] += 1
            wrong = list(_faults(path))
            with open_library(path, create=True) as library:
                now = frozenset(_names(library))
            after = _after(stored, step, names)
            is_between = step == "import" and stored <= now <= after
            if now not in (stored, after) and not is_between:
                wrong.append(f"lost {sorted(stored & after - now)}, too many {sorted(now - stored - after)}")
            if exported.exists():
                with opened_export(exported) as export:
                    export.submissions(no_tick)
            found += [f"moment {moment}, {step}: {each}" for each in wrong]
            stored = now
    print(f"killed {moments} times: {dict(steps.most_common())}")
    return found


# --- a full disk --------------------------------------------------------------------------------------------


@contextmanager
def _tiny_disk() -> Iterator[Path]:
    """Mount a file system of a few MB. Raises CalledProcessError if that is not allowed."""
    with tempfile.TemporaryDirectory() as folder:
        size = f"size={_TINY_DISK_MB}m"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], check=True, capture_output=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def full_disk() -> list[str]:
    """Fill a disk with a library; return what was wrong."""
    found: list[str] = []
    try:
        with _tiny_disk() as folder:
            path, stored = folder / "library.sqlite", list[str]()
            error = _add_until_refused(path, stored)
            print(f"disk: {len(stored)} essays, then: {error}")
            found += [] if error else ["the disk did not become full"]
            found += _different(path, stored)
            subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
            with open_library(path) as library:
                _add(library, ["more.txt"])
            found += _different(path, [*stored, "more.txt"])
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"disk: not tried, as nothing can be mounted here: {error}")
    return found


def _add_until_refused(path: Path, stored: list[str]) -> str:
    try:
        with open_library(path, create=True) as library:
            for number in range(5_000):
                _add(library, [f"{number}.txt"])
                stored.append(f"{number}.txt")
    except SimcompareError as error:
        return str(error)
    return ""


def _different(path: Path, expected: list[str]) -> list[str]:
    with open_library(path) as library:
        names = _names(library)
    difference = sorted((Counter(names) - Counter(expected)) + (Counter(expected) - Counter(names)))
    return [*_faults(path), *([f"differs in {difference[:5]}"] if difference else [])]


# --- two writers, and damage --------------------------------------------------------------------------------


def writers() -> list[str]:
    """Add essays in two processes at once, every other one the same; return what was wrong."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "library.sqlite"
        open_library(path, create=True).close()
        commands = [[sys.executable, "-m", _SELF, "--write", str(path), "--seed", each] for each in "ab"]
        processes = [subprocess.Popen(command, cwd=_ROOT) for command in commands]
        found = [f"a writer ended with {each.wait()}" for each in processes if each.wait()]
        both = {_written_name(writer, number) for writer in "ab" for number in range(100)}
        print(f"writers: {len(both)} essays")
        return found + _different(path, sorted(both))


def _written_name(writer: str, number: int) -> str:
    return f"{writer if number % 2 else 'both'}-{number}.txt"


def write(path: Path, writer: str) -> None:
    """Add the essays of one writer, in transactions of their own."""
    with open_library(path) as library:
        for number in range(100):
            _add(library, [_written_name(writer, number)])


def damage() -> list[str]:
    """Overwrite a page of the postings, and use the library; return what was wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "library.sqlite"
        with open_library(path, create=True) as library:
            _add(library, [f"{number}.txt" for number in range(150)])
            merge_recent(library)
        with closing(sqlite3.connect(path)) as connection:
            size = connection.execute("PRAGMA page_size").fetchone()[0]
            rows = connection.execute("SELECT pageno FROM dbstat WHERE name = 'postings' ORDER BY pageno")
            pages = [page for (page,) in rows]
        with path.open("r+b") as file:
            file.seek((pages[len(pages) // 2] - 1) * size)
            file.write(random.Random(1).randbytes(size))
        print(f"damage: one of {len(pages)} pages of postings")
        return list(_uses_of_damaged(path, folder / "export.zip"))


def _uses_of_damaged(path: Path, exported: Path) -> Iterator[str]:
    with open_library(path) as library:
        if not check_library(library, no_tick).faults:
            yield "the check found no damage"

        def search() -> None:
            with library.reading() as connection:
                for number in range(150):
                    list(find_candidates(connection, _essay(f"{number}.txt")))

        uses: dict[str, Callable[[], object]] = {
            "search": search,
            "add": lambda: _add(library, ["new.txt"]),
            "merge": lambda: merge_recent(library),
            "remove": lambda: remove_entries(library, [1, 75]),
            "export": lambda: export_library(library, exported),
        }
        for name, use in uses.items():
            try:
                use()
                print(f"  {name}: done")
            except LibraryError as error:
                print(f"  {name}: {error}")
            except Exception as error:
                yield f"{name}: {error!r}"


def main() -> None:
    """Try what is asked for, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="kills, disk, writers, damage")
    parser.add_argument("--moments", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.seed)
    if options.write:
        write(options.write, options.seed)
        return
    kinds: dict[str, Callable[[], list[str]]] = {
        "kills": lambda: kills(options.moments, int(options.seed)),
        "disk": full_disk,
        "writers": writers,
        "damage": damage,
    }
    if unknown := set(options.kinds) - kinds.keys():
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    found = [f"{kind}: {each}" for kind in options.kinds or kinds for each in kinds[kind]()]
    print("\n".join(found) or "nothing lost, nothing twice, nothing damaged")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
