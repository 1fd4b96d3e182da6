"""Speed and size of the library with up to a million entries, and computed for more.

    python -m tests.benchmarks.library_scale [--sizes 10000 100000 1000000] [--folder FOLDER]
                                             [--results FILE] [--svg FILE]

Each library has synthetic entries (`synthetic_library.py`; 9.5 KB each: 10 GB for a million) and 80 real
articles between them. The Chinese ones are searched by passages of 200 units in 1,000 and texts with half of
the words replaced, in turn.

cold     finding the candidates in a library that was just opened and whose file is not in memory (Linux);
         the program and its word lists are loaded
warm     the same again
near     fingerprints within 3 bits
search   finding 10 candidates, restoring them and comparing them in full, all in memory
first 10 share of the queries whose article is among the first ten candidates
add      ready entries a second, while half as many others are recent as are before a merge
merge    the merge after it; with it, "in the long run" counts both

Times are medians over the queries (and 95% quantiles) in ms; "own" is processor time. Of times in memory the
shortest of five counts, as other programs interrupt.
"""

import argparse
import json
import math
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.evaluation.experiment import Chart, Series, render_svg
from simcompare.library import changes
from simcompare.library.changes import add_entries, merge_recent
from simcompare.library.search.search import LibrarySearch, entries_near, find_candidates
from simcompare.library.store.open_library import Library, open_library
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.text.thesaurus import load_thesaurus
from tests.benchmarks.library_recall import Words, articles, passage_in, with_replaced_words
from tests.benchmarks.synthetic_library import EntryMaker, TermModel, fill, fill_recent

SIZES = (10_000, 100_000, 1_000_000)
COMPUTED_SIZES = (10_000_000, 100_000_000)
ARTICLES, QUERIES = 120, 50
FIRST = 10
ADDED = 3_000
REPETITIONS = 5
Queries = list[tuple[int, PreparedDocument]]
"""Texts, and the entry that each was made of."""


@dataclass(frozen=True, slots=True)
class Times:
    """Median and 95% quantile in ms, and the median of the processor time."""

    median: float
    p95: float
    own: float

    def __str__(self) -> str:
        return f"{self.median:.1f} ({self.p95:.1f}), own {self.own:.1f}"


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of a library; adding: ready entries a second without and with merging."""

    entries: int
    bytes_per_entry: float
    cold: Times
    warm: Times
    near: Times
    search: Times
    first_ten: float
    added_per_second: float
    merged_entries: int
    merge_seconds: float
    log_megabytes: float

    @property
    def added_in_the_long_run(self) -> float:
        """Entries a second with the merges they cause."""
        due = max(changes._FEWEST_MERGED, changes._MERGED_SHARE * self.entries)
        return 1 / (1 / self.added_per_second + self.merge_seconds / due)


# --- texts


def read_articles() -> tuple[list[PreparedDocument], list[PreparedDocument]]:
    """Read articles: those to be planted in a library, and others."""
    read = articles(ARTICLES)
    return [text for place, text in enumerate(read) if place % 3], read[::3]


def planted_in(entries: int, stored: Sequence[PreparedDocument]) -> dict[int, PreparedDocument]:
    """Spread articles over the entries."""
    return {(place + 1) * entries // (len(stored) + 1): text for place, text in enumerate(stored)}


def make_queries(planted: dict[int, PreparedDocument], others: Sequence[PreparedDocument]) -> Queries:
    """Make passages and reworded copies of planted articles."""
    draw = random.Random(1)
    words = Words(load_thesaurus("starter"), [*planted.values(), *others])
    queries = []
    chinese = [item for item in sorted(planted.items()) if item[1].prepared.is_mostly_chinese]
    for place, (entry, text) in enumerate(draw.sample(chinese, min(QUERIES, len(chinese)))):
        copy = passage_in(others, text, draw) if place % 2 else with_replaced_words(text, 0.5, words, draw)
        queries.append((entry, prepare_document(load_pasted(Path("copy"), PastedText(copy)), "improved")))
    return queries


# --- measuring


def times_of(work: Callable[[PreparedDocument], object], queries: Queries, repetitions: int) -> Times:
    """Measure the work on each text."""
    wall, own = [], []
    for _, text in queries:
        runs = [_seconds_of(work, text) for _ in range(repetitions)]
        seconds, own_seconds = zip(*runs, strict=True)
        wall.append(1000 * min(seconds))
        own.append(1000 * min(own_seconds))
    return Times(float(np.median(wall)), float(np.quantile(wall, 0.95)), float(np.median(own)))


def _seconds_of(work: Callable[[PreparedDocument], object], text: PreparedDocument) -> tuple[float, float]:
    began, own_began = time.perf_counter(), time.process_time()
    work(text)
    return time.perf_counter() - began, time.process_time() - own_began


def forget_file(path: Path) -> None:
    """Remove the pages of a library from memory."""
    for file in path.parent.glob(f"{path.name}*"):
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def cold_times(path: Path, queries: Queries) -> Times:
    """Measure candidates, each of a library that is not in memory."""
    wall, own = [], []
    for query in queries:
        with open_library(path) as library:
            forget_file(path)
            found = times_of(partial(candidates, library), [query], 1)
        wall.append(found.median)
        own.append(found.own)
    return Times(float(np.median(wall)), float(np.quantile(wall, 0.95)), float(np.median(own)))


def candidates(library: Library, text: PreparedDocument) -> list[int]:
    with library.reading() as connection:
        return list(islice(find_candidates(connection, text), FIRST))


def near(library: Library, text: PreparedDocument) -> None:
    with library.reading() as connection:
        entries_near(connection, text.fingerprint)


def measure_searches(path: Path, queries: Queries) -> tuple[Times, Times, Times, float]:
    """Measure candidates, near fingerprints and searches in memory; return the share of articles found."""
    with open_library(path) as library:
        found = [entry in candidates(library, text) for entry, text in queries]
        works = partial(candidates, library), partial(near, library), LibrarySearch(library).search
        times = [times_of(work, queries, REPETITIONS) for work in works]
    return times[0], times[1], times[2], float(np.mean(found))


def measure_adding(path: Path, entries: int, maker: EntryMaker) -> tuple[float, int, float, float]:
    """Return ready entries a second, and of the merge: entries, seconds, and MB of the log."""
    others = int(max(changes._FEWEST_MERGED, changes._MERGED_SHARE * entries) / 2) if entries else 0
    if others:
        fill_recent(path, entries + ADDED + 1, others, maker.model)
    ready = list(islice(maker.entries(), ADDED))
    with open_library(path, create=True) as library:
        began = time.perf_counter()
        list(add_entries(library, ready))
        added = time.perf_counter()
        merge_recent(library)
        merged = time.perf_counter()
        log = path.with_name(f"{path.name}-wal").stat().st_size / 1e6
    return ADDED / (added - began), others + ADDED, merged - added, log


def measure(
    folder: Path, entries: int, maker: EntryMaker, texts: Sequence[Sequence[PreparedDocument]]
) -> Measured:
    """Fill a library, unless its file is there, measure it, and delete it."""
    stored, others = texts
    path = folder / f"{entries}.sqlite"
    planted = planted_in(entries, stored)
    if not path.exists():
        fill(path, entries, planted, maker)
    size = path.stat().st_size / entries
    queries = make_queries(planted, others)
    with open_library(path) as library:
        candidates(library, queries[0][1])  # loads word lists
    cold = cold_times(path, queries)
    figures = Measured(
        entries, size, cold, *measure_searches(path, queries), *measure_adding(path, entries, maker)
    )
    for file in folder.glob(f"{path.name}*"):
        file.unlink()
    return figures


# --- results


def print_figures(found: Measured) -> None:
    print(f"{found.entries:,} entries of {found.bytes_per_entry:,.0f} bytes")
    for name in ("cold", "warm", "near", "search"):
        print(f"  {name:<8}{getattr(found, name)}")
    print(f"  first 10: {found.first_ten:.3f}")
    print(
        f"  added a second: {found.added_per_second:.0f}, in the long run {found.added_in_the_long_run:.0f}"
    )
    print(
        f"  merge of {found.merged_entries:,}: {found.merge_seconds:.1f} s, log {found.log_megabytes:.0f} MB",
        flush=True,
    )


def computed(values: Sequence[float]) -> list[float]:
    """Continue a figure by its mean growth with each tenfold, as the depth of a tree grows."""
    step = max(values[-1] - values[0], 0.0) / max(len(values) - 1, 1)
    return [values[-1] + step * number for number in range(1, len(COMPUTED_SIZES) + 1)]


def plot(results: Sequence[Measured]) -> str:
    """Draw the growth of times and sizes; times in memory are processor times, which load prolongs little."""
    sizes = [*(found.entries for found in results), *COMPUTED_SIZES]
    categories = tuple(f"{size:,}" for size in sizes)
    gap = (None,) * len(COMPUTED_SIZES)
    before = (None,) * (len(results) - 1)

    def lines(values: Sequence[float], later: Sequence[float]) -> tuple[Series, Series]:
        return Series("measured", (*values, *gap)), Series("computed", (*before, values[-1], *later))

    def chart(title: str, unit: str, values: Sequence[float], later: Sequence[float]) -> Chart:
        return Chart(title, "entries", unit, categories, lines(values, later), "lines")

    times = {
        "Candidates from the disk": [found.cold.median for found in results],
        "Candidates in memory, processor time": [found.warm.own for found in results],
        "Search in memory, processor time": [found.search.own for found in results],
    }
    per_entry = results[-1].bytes_per_entry
    known = [math.log10(found.entries * found.bytes_per_entry) for found in results]
    charts = [chart(title, "ms", values, computed(values)) for title, values in times.items()]
    later = [math.log10(size * per_entry) for size in COMPUTED_SIZES]
    return render_svg([*charts, chart("Size of the file", "bytes, power of ten", known, later)])


def kept_results(path: Path | None) -> list[Measured]:
    """Read the figures of earlier runs."""
    if path is None or not path.exists():
        return []
    rows = json.loads(path.read_text("utf-8"))
    times = ("cold", "warm", "near", "search")
    return [Measured(**row | {name: Times(**row[name]) for name in times}) for row in rows]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--folder", type=Path, help="where the libraries are made; those in it are used")
    parser.add_argument("--results", type=Path, help="figures of several runs, for the plot")
    parser.add_argument("--svg", type=Path, help="write a plot of the growth")
    options = parser.parse_args()
    texts = read_articles()
    results = kept_results(options.results)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        maker = EntryMaker(texts[0], TermModel(1), 1)
        rate, _, _, _ = measure_adding(Path(name, "empty.sqlite"), 0, maker)
        print(f"ready entries a second into an empty library: {rate:.0f}", flush=True)
        for entries in options.sizes:
            # from the same beginning for any sizes
            maker = EntryMaker(texts[0], TermModel(1), 1)
            results.append(measure(options.folder or Path(name), entries, maker, texts))
            print_figures(results[-1])
    results.sort(key=lambda found: found.entries)
    if options.results:
        options.results.write_text(json.dumps([asdict(found) for found in results]), encoding="utf-8")
    if options.svg:
        options.svg.write_text(plot(results), encoding="utf-8")


if __name__ == "__main__":
    main()
