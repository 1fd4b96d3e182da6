"""Order of the pairs of a class with planted copies: average precision by shares and by rank.

Checks the classes of ../shared/bench as `simcompare check` does. Some texts were the same before anything was
planted, and two copies of one text share it too: these pairs are named, and count as right in the second
figure.

    python tests/benchmarks/class_ranks.py [CLASS ...]
"""

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from threading import Event

import numpy as np

from simcompare.cohort.class_check import ClassCheck, ClassFiles, check_class
from simcompare.cohort.cohort_scoring import CohortPair, connected, larger_share
from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.model.progress import no_tick
from simcompare.model.settings import ComparisonSettings

BENCH = Path(__file__).parents[3] / "shared" / "bench"
CLASSES = ("class-en-dev", "class-dev")
DUPLICATE_SHARE = 0.9
SHOWN = 25


def checked(folder: Path) -> ClassCheck:
    """Check the essays of a class."""
    settings = ComparisonSettings()
    paths = sorted(path for path in (folder / "essays").iterdir() if path.is_file())
    files = ClassFiles(tuple(read_prepared_document(path, settings.recipe) for path in paths))
    return check_class(files, settings, datetime.now(UTC), no_tick, Event())


def planted_pairs(folder: Path) -> set[frozenset[str]]:
    """Return the names of both files of each planted pair."""
    lines = (folder / "gold.tsv").read_text(encoding="utf-8").splitlines()
    return {frozenset(line.split("\t")[:2]) for line in lines if "\t" in line}


def average_precision(is_right: Sequence[bool]) -> float:
    """Return the mean of the precision at each right pair of an order."""
    places = [place for place, each in enumerate(is_right, 1) if each]
    return sum(found / place for found, place in enumerate(places, 1)) / len(places)


def is_duplicate(pair: CohortPair) -> bool:
    """Return whether both texts are nearly all the same."""
    shares = () if pair.summary is None else pair.summary.after_exclusions
    return bool(shares) and all(share is not None and share >= DUPLICATE_SHARE for share in shares)


def measure(folder: Path) -> None:
    """Print the average precision of both orders, and where the planted pairs are."""
    planted, began = planted_pairs(folder), time.perf_counter()
    check = checked(folder)
    seconds = time.perf_counter() - began
    names = [document.document.path.name for document in check.cohort.documents]
    by_rank = list(check.cohort.pairs)
    orders = {"rank": by_rank, "shares": sorted(by_rank, key=lambda pair: -(larger_share(pair) or 0.0))}

    def named(pair: CohortPair) -> frozenset[str]:
        return frozenset((names[pair.left], names[pair.right]))

    linked = [pair for pair in by_rank if is_duplicate(pair) or named(pair) in planted]
    ends = (np.array([getattr(pair, side) for pair in linked], np.intp) for side in ("left", "right"))
    labels = connected(len(names), *ends)
    related = (pair for pair in by_rank if labels[pair.left] == labels[pair.right] and check.is_unusual(pair))
    natural = {named(pair) for pair in related} - planted
    print(f"{folder.name}: {len(names)} essays, {len(planted)} planted pairs, {seconds:.1f} s")
    for pair in sorted(map(sorted, natural)):
        print(f"  not planted, but the same text or copies of one: {' – '.join(pair)}")
    for order, pairs in orders.items():
        is_planted = [named(pair) in planted for pair in pairs]
        is_right = [named(pair) in planted | natural for pair in pairs]
        places = list(islice((place for place, each in enumerate(is_planted, 1) if each), SHOWN))
        figures = f"{average_precision(is_planted):.3f}, with the others {average_precision(is_right):.3f}"
        print(f"  by {order}: average precision {figures}; planted pairs at {places}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("classes", nargs="*", default=CLASSES)
    folders = [BENCH / name for name in parser.parse_args().classes]
    if missing := [folder.name for folder in folders if not folder.is_dir()]:
        sys.exit(f"Skipped: {', '.join(missing)} not found in {BENCH}.")
    for folder in folders:
        measure(folder)


if __name__ == "__main__":
    main()
