"""Damage sessions, libraries and exported libraries, and use them: each ends with a result or one error.

    python -m tests.benchmarks.damaged_files [session] [library] [export] [--cases 1000] [--seed 1]

Bytes are changed, cut, doubled and spliced, in the file or in its members, which are packed again (see
file_breaking). A session is read and reported as JSON with everything the command `report` does; a library is
checked, listed, searched, added to and exported; an exported library is imported. Findings are any exception
but a SimcompareError, an error that does not name the file, and a use that takes over half a minute. The exit
status is 1 if there are any.
"""

import argparse
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event

import typer

from simcompare.cli.main import app
from simcompare.cli.report import report_command
from simcompare.library.adding import add_entries
from simcompare.library.checking import check_library
from simcompare.library.entries import list_entries
from simcompare.library.new_entry import make_new_entry
from simcompare.library.removing import remove_entries
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.open_library import open_library
from simcompare.library.transfer.export_file import opened_export
from simcompare.library.transfer.exporting import export_library
from simcompare.library.transfer.importing import import_library
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import no_tick
from simcompare.session.session_reader import read_session
from simcompare.session.session_writer import write_session
from simcompare.support.resources import resource_path
from tests.benchmarks.file_breaking import broken
from tests.cli.sessions import COPIED
from tests.library.essays import add, essays
from tests.session.conftest import SAMPLES

SLOWEST_SECONDS = 30
LIBRARY_ENTRIES = 9


def session_seed(folder: Path) -> Path:
    """Write a session of the samples with their scores and a decision."""
    path = folder / "sound.simcompare"
    result = ["--to", "json", "--output", str(folder / "check.json")]
    files = [str(resource_path("samples", each)) for each in SAMPLES]
    app(["check", *files, "--session", str(path), *result], standalone_mode=False)
    content = read_session(path)
    write_session(replace(content, reviews={(0, 1): COPIED}), path)
    return path


def library_seed(folder: Path) -> Path:
    """Write a library with entries and tags."""
    path = folder / "sound.sqlite"
    with open_library(path, create=True) as library:
        add(library, *essays(LIBRARY_ENTRIES), tags="class=3 student=Li")
    return path


def export_seed(folder: Path) -> Path:
    """Write an exported library."""
    path = folder / "sound.zip"
    with open_library(library_seed(folder)) as library:
        export_library(library, path)
    return path


def use_session(path: Path) -> None:
    """Do all that `simcompare report SESSION --to json --pairs all` does."""
    with suppress(typer.Exit):  # some files of the session were not read
        report_command(path, to="json", output=path.with_suffix(".out.zip"), pairs="all")


def use_library(path: Path) -> None:
    """Check, list, search, add to, remove from and export a library; each may end with an error."""
    wanted = essays(LIBRARY_ENTRIES + 1)
    with open_library(path) as library:
        uses: tuple[Callable[[], object], ...] = (
            lambda: check_library(library, no_tick),
            lambda: list_entries(library),
            lambda: LibrarySearch(library).search(wanted[3]),
            lambda: list(add_entries(library, [make_new_entry(wanted[-1])])),
            lambda: remove_entries(library, [2]),
            lambda: export_library(library, path.with_suffix(".zip")),
        )
        errors = []
        for use in uses:
            try:
                use()
            except SimcompareError as error:
                errors.append(error)
    if errors:
        raise errors[0]


def use_export(path: Path) -> None:
    """Import an exported library into an empty one."""
    with open_library(path.with_suffix(".sqlite"), create=True) as library, opened_export(path) as export:
        import_library(library, export, export.submissions(no_tick), no_tick, Event())


KINDS = {
    "session": (session_seed, use_session),
    "library": (library_seed, use_library),
    "export": (export_seed, use_export),
}


def _too_slow(*_arguments: object) -> None:
    raise TimeoutError


def try_kind(kind: str, cases: int, random: Random) -> int:
    """Damage and use a file many times; print the outcomes, return the number of findings."""
    make, use = KINDS[kind]
    outcomes: Counter[str] = Counter()
    findings: Counter[str] = Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        seed = make(Path(name)).read_bytes()
        for number in range(cases):
            with tempfile.TemporaryDirectory(dir=name) as case:
                path = Path(case) / f"damaged{number}{'.sqlite' if kind == 'library' else '.simcompare'}"
                path.write_bytes(broken([seed], random))
                begun = time.monotonic()
                signal.alarm(SLOWEST_SECONDS)
                try:
                    use(path)
                    outcomes["used"] += 1
                except SimcompareError as error:
                    outcomes[type(error).__name__] += 1
                    if path.stem not in str(error):
                        findings[f"does not name the file: {type(error).__name__}: {error}"[:300]] += 1
                except (Exception, SystemExit) as error:
                    place = traceback.extract_tb(error.__traceback__)[-1]
                    findings[f"{error!r:.200} in {Path(place.filename).name}:{place.lineno}"] += 1
                finally:
                    signal.alarm(0)
                slowest = max(slowest, time.monotonic() - begun)
    print(f"{kind}: {cases} damaged files, slowest {slowest:.1f} s; {dict(outcomes.most_common())}")
    for finding, count in findings.most_common():
        print(f"  {count} x {finding}")
    return findings.total()


def main() -> None:
    """Try the kinds that are asked for, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_slow)
    random = Random(options.seed)
    findings = [try_kind(kind, options.cases, random) for kind in options.kinds or KINDS]
    sys.exit(1 if any(findings) else 0)


if __name__ == "__main__":
    main()
