"""Speed and size of adding essays with a cluster, and what 10 million essays need, computed from that.

    python -m tests.benchmarks.library_cluster [--files 400] [--libraries 1]

Word files with articles of zh-dev and pan13-dev are added by one worker process and by two, on this computer,
after each worker has read some files to load its modules. Besides the time, the processor time of the workers
with their reading processes and that of this program, which merges, are measured: other programs that use the
processors do not change them much. The hand-over is the size of the Parquet files.

The hours for 10 million essays are the processor time of the workers, divided among them, and that of this
program, which merges while they read; the longer ones count. Libraries are taken to grow by each essay as in
the second half of the run.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import docx

from simcompare.library.changes import merge_recent, read_new_entry
from simcompare.library.cluster import cluster_work
from simcompare.library.cluster.cluster_work import Reading
from simcompare.library.cluster.connection import connected
from simcompare.library.store.open_library import Library, open_library
from simcompare.library.students import FileLabels
from simcompare.loading.extraction import DEFAULT_OPTIONS
from simcompare.model.progress import no_tick
from tests.benchmarks.process_meter import process_tree
from tests.helpers.documents import shared_path
from tests.helpers.local_cluster import running_cluster

MILLIONS, THREADS = 10, (2, 32, 128)
WARM_UP_FILES, MOST_CHARACTERS = 16, 6_000
READING = Reading(read_new_entry, ((),), DEFAULT_OPTIONS, "en")


@dataclass(frozen=True)
class Run:
    """Figures of one cluster, of each essay. grown_bytes: of all libraries in the second half."""

    workers: int
    seconds: float
    worker_seconds: float
    own_seconds: float
    handed_bytes: float
    grown_bytes: float


def write_files(folder: Path, count: int) -> list[Path]:
    """Write Word files, of as many articles as there are, then of the same ones with a line of their own."""
    sources = [sorted(shared_path("bench", name, "src").iterdir()) for name in ("zh-dev", "pan13-dev")]
    articles = [path.read_text(encoding="utf-8") for both in zip(*sources, strict=False) for path in both]
    paths = []
    for number in range(count):
        document = docx.Document()
        article = articles[number % len(articles)][:MOST_CHARACTERS]
        for line in [f"Essay {number}", *article.splitlines()]:
            document.add_paragraph("".join(filter(str.isprintable, line)))
        paths.append(folder / f"essay-{number:05}.docx")
        document.save(str(paths[-1]))
    return paths


class MeasuringMerger(cluster_work.Merger):
    """A merger that sums up the size of what was handed over."""

    handed_bytes = 0

    def merge(self, batches: Mapping[int, Sequence[cluster_work.LabelledBatch]]) -> None:
        """Merge batches."""
        files = [batch.handed for own in batches.values() for batch in own]
        sizes = [path.stat().st_size for handed in files for path in (handed.entries, handed.terms)]
        MeasuringMerger.handed_bytes += sum(sizes)
        super().merge(batches)


def processor_seconds() -> tuple[float, float]:
    """Return the processor time of this process, and that of all its descendants."""
    seconds = {}
    for process in process_tree(os.getpid()):
        with suppress(FileNotFoundError):
            times = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[11:15]
            # of a process that ended, the time is that of its parent
            seconds[process] = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return time.process_time(), sum(seconds.values()) - seconds[os.getpid()]


def run(paths: Sequence[Path], workers: int, libraries: int, folder: Path) -> Run:
    """Add files with a cluster of this many worker processes to empty libraries."""
    setattr(cluster_work, "Merger", MeasuringMerger)  # noqa: B010 - measured in place of the other
    labels = {path: FileLabels(path.name, ()) for path in paths}
    with ExitStack() as stack:
        cluster = stack.enter_context(connected(stack.enter_context(running_cluster(workers))))
        places = [folder / f"{workers}-{number}.sqlite" for number in range(libraries)]
        spare, *opened = [
            stack.enter_context(open_library(place, create=True))
            for place in (folder / f"{workers}-spare.sqlite", *places)
        ]

        def add(some: Sequence[Path], into: Sequence[Library]) -> int:
            chosen = {path: labels[path] for path in some}
            cluster_work.add_files(cluster, into, chosen, READING, None, no_tick)
            for library in into:
                merge_recent(library)
            return sum(library.size_bytes() for library in into)

        add(paths[:WARM_UP_FILES], [spare])
        MeasuringMerger.handed_bytes = 0
        half, count = len(paths) // 2, len(paths)
        own, others = processor_seconds()
        begun = time.perf_counter()
        first_size, size = add(paths[:half], opened), add(paths[half:], opened)
        seconds = time.perf_counter() - begun
        own_after, others_after = processor_seconds()
    return Run(
        workers,
        seconds / count,
        (others_after - others) / count,
        (own_after - own) / count,
        MeasuringMerger.handed_bytes / count,
        (size - first_size) / (count - half),
    )


def lines(one: Run, two: Run, libraries: int) -> Iterator[str]:
    """Yield the figures in words."""
    for each in (one, two):
        yield (
            f"{each.workers} workers: {1 / each.seconds:.1f} essays a second; processor time of an essay: "
            f"workers {1000 * each.worker_seconds:.1f} ms, program {1000 * each.own_seconds:.1f} ms; "
            f"hand-over {each.handed_bytes:,.0f}, library {each.grown_bytes:,.0f} bytes"
        )
    yield f"two workers against one: {one.seconds / two.seconds:.2f} times"
    alone = max(one.worker_seconds, one.own_seconds)
    both = max((two.worker_seconds + two.own_seconds) / 2, two.own_seconds)
    yield f"  by processor time, if both processors were free: {alone / both:.2f} times"
    essays = MILLIONS * 1_000_000
    yield f"{MILLIONS} million essays: {essays * two.grown_bytes / 1e9:,.0f} GB in {libraries} libraries"
    for threads in THREADS:
        reading, merged = (
            essays * seconds / 3600 for seconds in (one.worker_seconds / threads, one.own_seconds)
        )
        yield f"  {threads} workers: {reading:,.1f} hours of reading, {merged:,.1f} of merging"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--libraries", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="simcompare-cluster-") as folder:
        paths = write_files(Path(folder), options.files)
        runs = []
        for workers in (2, 1):
            print(f"load {os.getloadavg()[0]:.1f}", flush=True)
            runs.append(run(paths, workers, options.libraries, Path(folder)))
    print(*lines(runs[1], runs[0], options.libraries), sep="\n")


if __name__ == "__main__":
    main()
