"""Compare the pairs of `simcompare batch` in workers, and keep their results in a folder or file."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol, Self

from simcompare.cohort.document_preparation import PRELOADED_READERS
from simcompare.evaluation.batch_worker import (
    BatchOutcome,
    BatchPair,
    BatchPlan,
    compare_pairs,
    read_detections,
)
from simcompare.export.output_paths import OutputError, check_output, write_output
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.model.errors import ReadingTimeoutError, SimcompareError, os_errors_as
from simcompare.model.progress import Tick, no_tick
from simcompare.support.i18n import N_, _, set_language
from simcompare.support.interrupts import interrupts_blocked

_LINE_START = b'{"left": '


class SameNameError(SimcompareError):
    template = N_(
        "The results of {first} and of {second} would both be called {name}. Rename a file, "
        "or use --to jsonl."
    )


class BatchResults(Protocol):
    """Store of the results of finished pairs. `finished`: number of passages of the pairs of earlier runs."""

    finished: dict[BatchPair, int]

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def add(self, outcomes: Iterable[BatchOutcome]) -> None:
        """Store the results of finished pairs."""


class DetectionFolder:
    """Folder with one XML file per pair, each written atomically."""

    def __init__(self, folder: Path, pairs: Sequence[BatchPair], made_by: str) -> None:
        """Find results of earlier runs. Raises OutputError, SameNameError."""
        self._folder = folder
        self._names = _names(pairs)
        with os_errors_as(OutputError, folder):
            folder.mkdir(parents=True, exist_ok=True)
            present = {path.name for path in folder.iterdir()}
        self.finished: dict[BatchPair, int] = {}
        for pair, name in self._names.items():
            if name in present and (count := _passages_in(folder / name, made_by)) is not None:
                self.finished[pair] = count

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: every file is complete."""

    def add(self, outcomes: Iterable[BatchOutcome]) -> None:
        """Write the file of each pair."""
        for outcome in outcomes:
            write_output(self._folder / self._names[outcome.pair], [_encoded(outcome.text)])


def _names(pairs: Sequence[BatchPair]) -> dict[BatchPair, str]:
    """Return the file name of each pair. Raises SameNameError if two are the same."""
    owners: dict[str, BatchPair] = {}
    for pair in pairs:
        name = f"{Path(pair.left).stem}-{Path(pair.right).stem}.xml"
        # as on a case-insensitive file system
        owner = owners.setdefault(name.casefold(), pair)
        if owner != pair:
            first, second = (f"{p.left}, {p.right}" for p in (owner, pair))
            raise SameNameError(name=name, first=first, second=second)
    return {pair: f"{Path(pair.left).stem}-{Path(pair.right).stem}.xml" for pair in pairs}


def _passages_in(path: Path, made_by: str) -> int | None:
    """Return the number of passages of a result; None if the file is damaged or made by another version.

    Raises OutputError if simcompare did not write the file: files of others are not overwritten.
    """
    with os_errors_as(OutputError, path):
        detections = read_detections(path)
    if detections is None:
        return None
    if detections.made_by is None:
        raise _not_our_file(path)
    return detections.passages if detections.made_by == made_by else None


def _not_our_file(path: Path) -> OutputError:
    return OutputError(path=path, cause=_("it holds something that this command did not write"))


class JsonLinesFile:
    """File with a line of JSON per pair.

    Lines are appended as pairs finish, so that an interruption loses little; at the end the file is
    rewritten atomically in the order of the pairs.
    """

    def __init__(self, path: Path, pairs: Sequence[BatchPair], made_by: str, inputs: Sequence[Path]) -> None:
        """Find results of earlier runs. Raises OutputError."""
        check_output(path, inputs)
        self._path = path
        self._pairs = pairs
        requested = set(pairs)
        self._lines: dict[BatchPair, str] = {}
        self.finished: dict[BatchPair, int] = {}
        for line, value in self._complete_lines():
            pair = BatchPair(value["left"], value["right"])
            if value["made_by"] == made_by and pair in requested:
                self._lines[pair] = line
                self.finished[pair] = len(value["passages"])

    def _complete_lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the lines of the file and their objects, except an incomplete last line."""
        if not self._path.exists():
            return
        with os_errors_as(OutputError, self._path):
            *lines, incomplete = self._path.read_bytes().split(b"\n")
        if not (incomplete.startswith(_LINE_START) or _LINE_START.startswith(incomplete)):
            raise _not_our_file(self._path)
        for line in lines:
            try:
                value = json.loads(line)
                BatchPair(value["left"], value["right"]), value["made_by"], len(value["passages"])
            except (ValueError, TypeError, KeyError) as error:
                raise _not_our_file(self._path) from error
            yield line.decode("utf-8") + "\n", value

    def __enter__(self) -> Self:
        self._rewrite(self._lines.values())
        with os_errors_as(OutputError, self._path):
            self._file: BinaryIO = self._path.open("ab")
        return self

    def add(self, outcomes: Iterable[BatchOutcome]) -> None:
        """Append a line for each pair."""
        texts = {outcome.pair: outcome.text for outcome in outcomes}
        self._lines |= texts
        with os_errors_as(OutputError, self._path):
            self._file.write("".join(texts.values()).encode("utf-8"))
            self._file.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with os_errors_as(OutputError, self._path):
            self._file.close()
        if kind is None:
            self._rewrite(self._lines[pair] for pair in self._pairs if pair in self._lines)

    def _rewrite(self, lines: Iterable[str]) -> None:
        write_output(self._path, map(_encoded, lines))


def _encoded(text: str) -> bytes:
    # a file name may contain bytes that are not text; they appear as JSON escapes them
    return text.encode("utf-8", "backslashreplace")


# Workers are replaced after a number of tasks, and read the texts again: larger tasks make that cheap.
# A worker returns what it compared within a few seconds.
_MOST_PAIRS_PER_TASK = 1000
# Pairs are compared in tiles of this many left and right texts, which a worker can keep.
_TILE_TEXTS = 32
_LEAST_TASKS_PER_WORKER = 4
_SECONDS_PER_TASK = 300.0
CheckFiles = Callable[[Sequence[Path]], Sequence[SimcompareError | None]]
"""Reads each file alone in a worker; returns the error, or None, of each."""


class PairError(SimcompareError):
    template = N_("{left} and {right} cannot be compared: {cause}.")


def run_batch(
    pairs: Sequence[BatchPair],
    plan: BatchPlan,
    results: BatchResults,
    workers: int,
    language: str,
    *,
    tick: Tick,
    check_files: CheckFiles,
) -> tuple[dict[BatchPair, int], list[SimcompareError]]:
    """Compare the pairs and store the results; return the number of passages of each pair, and the errors.

    `language`: language of the messages. A file that fails gives one error, however many pairs contain it.
    """
    run = _BatchRun(plan, results, workers, language)
    dead = run.perform(list(_tasks(pairs, workers)), tick)
    if dead:
        # one file or one pair made the worker die: read the files, then compare the pairs, one by one
        dead = run.perform([[pair] for pair in run.readable(dead, check_files)], no_tick)
    errors = [run.failed[path] for pair in pairs for path in plan.paths(pair) if path in run.failed]
    errors += [PairError(left=p.left, right=p.right, cause=_cause(error)) for p, error in dead.items()]
    return run.passage_counts, list(dict.fromkeys(errors))


def _tasks(pairs: Sequence[BatchPair], workers: int) -> Iterator[list[BatchPair]]:
    """Split the pairs into tasks; pairs of the same texts are near each other."""
    lefts = {name: place for place, name in enumerate(dict.fromkeys(pair.left for pair in pairs))}
    rights = {name: place for place, name in enumerate(dict.fromkeys(pair.right for pair in pairs))}

    def tile(pair: BatchPair) -> tuple[int, int, int]:
        left, right = lefts[pair.left], rights[pair.right]
        return left // _TILE_TEXTS, right // _TILE_TEXTS, left

    ordered = sorted(pairs, key=tile)
    size = max(1, min(_MOST_PAIRS_PER_TASK, len(ordered) // (_LEAST_TASKS_PER_WORKER * workers)))
    for start in range(0, len(ordered), size):
        yield ordered[start : start + size]


def _cause(error: SimcompareError) -> str:
    if isinstance(error, ReadingTimeoutError):
        return N_("it takes too long")
    return str(error.values.get("cause", error))


class _BatchRun:
    """State of a run: number of passages of each finished pair, and the files that failed."""

    def __init__(self, plan: BatchPlan, results: BatchResults, workers: int, language: str) -> None:
        self._plan = plan
        self._results = results
        self._workers = workers
        self._language = language
        self.passage_counts: dict[BatchPair, int] = {}
        self.failed: dict[Path, SimcompareError] = {}

    def perform(self, tasks: Sequence[Sequence[BatchPair]], tick: Tick) -> dict[BatchPair, SimcompareError]:
        """Run the tasks; return the pairs of those whose worker died or timed out, with the error."""
        dead: dict[BatchPair, SimcompareError] = {}
        done, total = 0, sum(map(len, tasks))
        for task, outcomes in self._outcomes(tasks):
            if isinstance(outcomes, SimcompareError):
                dead |= dict.fromkeys(task, outcomes)
            else:
                self._store(outcomes)
            done += len(task)
            tick(done, total)
        return dead

    def _outcomes(
        self, tasks: Sequence[Sequence[BatchPair]]
    ) -> Iterator[tuple[Sequence[BatchPair], list[BatchOutcome] | SimcompareError]]:
        """Yield the pairs of a task that a worker has compared, or all of them with its error."""
        if not tasks:
            return
        workers = min(self._workers, len(tasks))
        with ReaderPool(
            workers, _SECONDS_PER_TASK, set_language, (self._language,), PRELOADED_READERS
        ) as pool:
            futures = self._submit(pool, tasks)
            while futures:
                for future in wait(futures, return_when=FIRST_COMPLETED).done:
                    task = futures.pop(future)
                    try:
                        outcomes = future.result()
                    except SimcompareError as error:
                        yield task, error
                        continue
                    if rest := task[len(outcomes) :]:
                        futures |= self._submit(pool, [rest])
                    yield task[: len(outcomes)], outcomes

    def _submit(
        self, pool: ReaderPool, tasks: Sequence[Sequence[BatchPair]]
    ) -> dict[Future[list[BatchOutcome]], Sequence[BatchPair]]:
        with interrupts_blocked():
            return {
                pool.submit(compare_pairs, self._plan.paths(task[0])[0], task, self._plan): task
                for task in tasks
            }

    def _store(self, outcomes: Sequence[BatchOutcome]) -> None:
        finished = [outcome for outcome in outcomes if not outcome.failed]
        self._results.add(finished)
        self.passage_counts |= {outcome.pair: outcome.passages for outcome in finished}
        for outcome in outcomes:
            self.failed |= outcome.failed

    def readable(self, pairs: Iterable[BatchPair], check_files: CheckFiles) -> list[BatchPair]:
        """Return the pairs whose files can both be read; note the errors of the other files."""
        paths = list(dict.fromkeys(path for pair in pairs for path in self._plan.paths(pair)))
        for path, error in zip(paths, check_files(paths), strict=True):
            if error is not None:
                self.failed[path] = error
        return [pair for pair in pairs if self.failed.keys().isdisjoint(self._plan.paths(pair))]
