"""How the pairs of `simcompare batch` are shared out to processes, and what is done when one breaks down."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from pathlib import Path

from simcompare.cli.batch_results import Results
from simcompare.cli.options import deaf_to_interrupts, read_files
from simcompare.cli.output import progress_bar
from simcompare.cohort.document_preparation import PRELOADED
from simcompare.evaluation.batch_worker import BatchPlan, BatchResult, FilePair, check_file, process_pairs
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.model.errors import ReadingTimeoutError, SimcompareError
from simcompare.model.progress import Tick, no_tick
from simcompare.support.i18n import N_, _, set_language

# A worker is replaced after some tasks: they must be large enough for that to cost little.
_MOST_PAIRS_PER_TASK = 20
_LEAST_TASKS_PER_WORKER = 4
_SECONDS_PER_TASK = 300.0


class PairError(SimcompareError):
    """Two files that can be read and cannot be compared. Values: left, right, cause."""

    template = N_("{left} and {right} cannot be compared: {cause}.")


def run_batch(
    pairs: Sequence[FilePair], plan: BatchPlan, results: Results, workers: int, language: str
) -> tuple[dict[FilePair, int], list[SimcompareError]]:
    """Compare the pairs and keep the results; return how many passages each has, and what failed.

    `language` is that of the messages. A file that fails is told once, however many pairs it costs.
    """
    run = _Run(plan, results, workers, language)
    with progress_bar(_("Comparing")) as tick:
        broken = run.perform(list(_tasks(pairs, workers)), tick)
    if broken:
        # which file or which pair did it shows when each is alone
        broken = run.perform([[pair] for pair in run.readable(broken)], no_tick)
    errors = [run.failed[path] for pair in pairs for path in plan.paths(pair) if path in run.failed]
    errors += [PairError(left=p.left, right=p.right, cause=_cause(error)) for p, error in broken.items()]
    return run.found, list(dict.fromkeys(errors))


def _tasks(pairs: Sequence[FilePair], workers: int) -> Iterator[list[FilePair]]:
    """Cut the pairs into tasks, those of one left file side by side."""
    groups: dict[str, list[FilePair]] = {}
    for pair in pairs:
        groups.setdefault(pair.left, []).append(pair)
    grouped = [pair for group in groups.values() for pair in group]
    size = max(1, min(_MOST_PAIRS_PER_TASK, len(grouped) // (_LEAST_TASKS_PER_WORKER * workers)))
    for start in range(0, len(grouped), size):
        yield grouped[start : start + size]


def _cause(error: SimcompareError) -> str:
    if isinstance(error, ReadingTimeoutError):
        return N_("it takes too long")
    return str(error.values.get("cause", error))


class _Run:
    """The state of a run: passages of each finished pair, and the files that failed."""

    def __init__(self, plan: BatchPlan, results: Results, workers: int, language: str) -> None:
        self._plan = plan
        self._results = results
        self._workers = workers
        self._language = language
        self.found: dict[FilePair, int] = {}
        self.failed: dict[Path, SimcompareError] = {}

    def perform(self, tasks: Sequence[Sequence[FilePair]], tick: Tick) -> dict[FilePair, SimcompareError]:
        """Do the tasks; return the pairs of those that broke down with their process, and why."""
        broken: dict[FilePair, SimcompareError] = {}
        done, total = 0, sum(map(len, tasks))
        for task, outcomes in self._outcomes(tasks):
            if isinstance(outcomes, SimcompareError):
                broken |= dict.fromkeys(task, outcomes)
            else:
                self._keep(outcomes)
            done += len(task)
            tick(done, total)
        return broken

    def _outcomes(
        self, tasks: Sequence[Sequence[FilePair]]
    ) -> Iterator[tuple[Sequence[FilePair], list[BatchResult] | SimcompareError]]:
        """Yield each task as it ends."""
        if not tasks:
            return
        workers = min(self._workers, len(tasks))
        with ReaderPool(workers, _SECONDS_PER_TASK, set_language, (self._language,), PRELOADED) as pool:
            with deaf_to_interrupts():
                futures = {
                    pool.submit(process_pairs, self._plan.paths(task[0])[0], task, self._plan): task
                    for task in tasks
                }
            for future in as_completed(futures):
                try:
                    yield futures[future], future.result()
                except SimcompareError as error:
                    yield futures[future], error

    def _keep(self, outcomes: Sequence[BatchResult]) -> None:
        finished = [outcome for outcome in outcomes if not outcome.failed]
        self._results.add(finished)
        self.found |= {outcome.pair: outcome.passages for outcome in finished}
        for outcome in outcomes:
            self.failed |= outcome.failed

    def readable(self, pairs: Iterable[FilePair]) -> list[FilePair]:
        """Return the pairs whose files can be read when each is read alone; the others have failed."""
        paths = list(dict.fromkeys(path for pair in pairs for path in self._plan.paths(pair)))
        asked = self._plan.settings.recipe, self._plan.options
        outcomes = read_files(check_file, paths, *asked, language=self._language)
        for path, outcome in zip(paths, outcomes, strict=True):
            if isinstance(outcome, SimcompareError):
                self.failed[path] = outcome
        return [pair for pair in pairs if self.failed.keys().isdisjoint(self._plan.paths(pair))]
