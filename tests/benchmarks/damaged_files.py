"""Damage sessions, libraries and exports, and kill the program while it writes: no crash, nothing lost.

    python -m tests.benchmarks.damaged_files [session] [window] [library] [export] [kills]
        [--cases 1000] [--seed 1] [--outputs session report.zip ...]

session, library, export: bytes are changed, cut, doubled and spliced, in the file or in its members, which
are packed again, or, in every other file, only values in a valid archive or database (see file_breaking). A
session is read, compared and listed as the command `report` does; a library is checked, listed,
searched, added to and exported; an exported library is imported. window: sessions with other values that can
be read are opened in the window until it is idle. Findings are any exception but a SimcompareError, an error
that does not name the file, and a use that takes over two minutes. kills: a process saves a session or writes
reports or copies again and again, and is killed with SIGKILL at a random moment. Then the session holds the
last or the next state, each report is complete, and nothing is left after the next
start of the program. The exit status is 1 if there are findings.
"""

import argparse
import io
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import typer

from simcompare.cli.anonymity_options import SessionAnonymityOptions
from simcompare.cli.main import app
from simcompare.cli.report import ReportOptions, report_command
from simcompare.cohort import cohort_scoring, session_preparation
from simcompare.cohort.pair_pool import Batch, ScoredBatch
from simcompare.cohort.pair_scores import PairText, score_pair
from simcompare.comparison.comparison_matrix import TextNumbering
from simcompare.library import transfer
from simcompare.library.changes import add_entries, check_library, make_new_entry, remove_entries
from simcompare.library.entries import list_entries
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.open_library import open_library
from simcompare.library.transfer import export_library, import_library, opened_export
from simcompare.loading.workers import isolation
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import no_tick
from simcompare.session.session_file import read_session, write_session
from simcompare.support.resources import resource_path
from simcompare.support.workers.worker_pool import MeasuredFuture
from simcompare.text.thesaurus import load_thesaurus
from tests.benchmarks.file_breaking import broken, with_other_values
from tests.benchmarks.killed_writers import OUTPUTS, kills
from tests.cli.sessions import COPIED
from tests.library.essays import add, essays
from tests.session.conftest import SAMPLES

SLOWEST_SECONDS = 120  # on a busy machine
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


class _Pool:
    """In place of pools of processes, which take longer to start than to work; all errors are raised."""

    worker_count = 1

    def __init__(self, _workers: int, report: Callable[[ScoredBatch], None] | None = None, **_rest: object):
        self.report = report

    def __enter__(self) -> "_Pool":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """There is nothing to end."""

    def submit(
        self, work: Any, _path: Path = Path(), *arguments: Any, **_rest: object
    ) -> MeasuredFuture[object]:
        future = MeasuredFuture[object]()
        if isinstance(work, Batch):
            numbering = TextNumbering(load_thesaurus(work.settings.thesaurus))
            texts = {key: PairText(text, numbering) for key, text in work.texts.items()}
            scores = (score_pair(texts[left], texts[right], work.settings) for left, right in work.pairs)
            self.report(ScoredBatch(work, tuple(scores)))
            return future
        try:
            future.set_result(work(_path, *arguments))
        except SimcompareError as error:
            future.set_exception(error)
        return future

    def start(self, call: tuple[Any, ...]) -> MeasuredFuture[object]:
        return self.submit(*call)


def use_session(path: Path) -> None:
    """Do all that `simcompare report SESSION --to csv` does."""
    # some files of the session were not read
    with suppress(typer.Exit), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        output, anonymity = path.with_suffix(".csv"), SessionAnonymityOptions()
        report_command.__wrapped__(
            options=ReportOptions(session=path, to="csv", output=output, anonymity=anonymity)
        )


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


def use_window(path: Path) -> None:
    """Open a session in the window, wait until it is idle, and start a new session."""
    from tests.benchmarks import soak  # loads Qt

    read_session(path)
    if not WINDOWS:
        QApplication = soak.QApplication  # noqa: N806 - a class
        application = QApplication.instance() or QApplication([])
        application.setQuitOnLastWindowClosed(False)
        WINDOWS.append(soak.new_window())
    [window] = WINDOWS
    errors: list[BaseException] = []
    sys.excepthook = lambda _kind, error, _trace: errors.append(error)
    answers: list[object] = []
    for signal_ in (window.sessions.keeper.opened, window.sessions.keeper.not_opened):
        signal_.connect(answers.append)
    window.sessions.open(path)
    soak.spin(lambda: bool(answers or errors))
    soak.spin(lambda: not window.workspace.is_busy or bool(errors))
    soak.settle()
    soak.spin(lambda: not window.workspace.is_busy or bool(errors))
    window.grab()
    soak.discard(window, window.sessions.reset)
    soak.settle()
    for error in [*errors, *(each for each in answers if isinstance(each, Exception))]:
        raise error


WINDOWS: list[Any] = []
"""The window of `use_window`, once it is needed."""
KINDS = {
    "session": (session_seed, use_session),
    "library": (library_seed, use_library),
    "window": (session_seed, use_window),
    "export": (export_seed, use_export),
}


def _too_slow(*_arguments: object) -> None:
    raise TimeoutError


def try_kind(kind: str, cases: int, random: Random) -> int:
    """Damage and use a file many times; print the outcomes, return the number of findings."""
    make, use = KINDS[kind]
    outcomes: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    findings: Counter[str] = Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        seed = make(Path(name)).read_bytes()
        for number in range(cases):
            with tempfile.TemporaryDirectory(dir=name) as case:
                path = Path(case) / f"damaged{number}{'.sqlite' if kind == 'library' else '.simcompare'}"
                is_valid = kind == "window" or number % 2
                path.write_bytes(with_other_values(seed, random) if is_valid else broken([seed], random))
                begun = time.monotonic()
                signal.alarm(0 if kind == "window" else SLOWEST_SECONDS)
                try:
                    use(path)
                    outcomes[bool(is_valid)]["used"] += 1
                except SimcompareError as error:
                    outcomes[bool(is_valid)][type(error).__name__] += 1
                    if path.stem not in str(error):
                        findings[f"does not name the file: {type(error).__name__}: {error}"[:300]] += 1
                except (Exception, SystemExit) as error:
                    place = traceback.extract_tb(error.__traceback__)[-1]
                    findings[f"{error!r:.200} in {Path(place.filename).name}:{place.lineno}"] += 1
                finally:
                    signal.alarm(0)
                slowest = max(slowest, time.monotonic() - begun)
    bytes_, values = (dict(outcomes[each].most_common()) for each in (False, True))
    print(f"{kind}: {cases} damaged files, slowest {slowest:.1f} s; bytes {bytes_}; values {values}")
    for finding, count in findings.most_common():
        print(f"  {count} x {finding}")
    return findings.total()


def main() -> None:
    """Try the kinds that are asked for, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, "kills", []], metavar="KIND")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--outputs", nargs="*", choices=["session", *OUTPUTS], default=["session", *OUTPUTS])
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_slow)
    for module, pool in (
        (session_preparation, "ReaderPool"),
        (isolation, "ReaderPool"),
        (cohort_scoring, "PairPool"),
        (transfer, "WorkerPool"),
    ):
        setattr(module, pool, _Pool)
    random = Random(options.seed)
    findings = [
        kills(session_seed, options.cases, random, options.outputs)
        if kind == "kills"
        else try_kind(kind, options.cases, random)
        for kind in options.kinds or (*KINDS, "kills")
    ]
    sys.exit(1 if any(findings) else 0)


if __name__ == "__main__":
    main()
