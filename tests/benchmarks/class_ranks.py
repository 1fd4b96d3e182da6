"""Order of the pairs of a class with planted copies: average precision by shares and by rank.

Checks the classes of ../shared/bench as `simcompare check` does. Some texts were the same before anything was
planted, and two copies of one text share it too: these pairs are named, and count as right in the second
figure.

    python tests/benchmarks/class_ranks.py [CLASS ...] [--meaning] [--draws N]

CLASS: name of one of these or a folder; by default two of these and tests/data/class-zh, where all that was
planted is rewritten. --meaning: search rewritten passages, too.
--draws: also counts the clean classes with an unusual pair, of N that are drawn: 8 to 30 of the essays that
nothing was planted in or taken from, and of each same text one. Each is checked with its own common text.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations, islice
from pathlib import Path
from threading import Event

import numpy as np

from simcompare.cohort.class_check import ClassCheck, ClassFiles, check_class
from simcompare.cohort.cohort_scoring import CohortPair, connected, larger_share
from simcompare.cohort.common_text import find_common_text
from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.cohort.pair_scores import ClassShares, ExclusionCandidateCache, PairClassifier
from simcompare.loading.extraction import DEFAULT_OPTIONS
from simcompare.model.progress import no_tick
from simcompare.model.settings import ComparisonSettings
from simcompare.support.display_text import reaches
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import scores_of

BENCH = Path(__file__).parents[3] / "shared" / "bench"
CLASSES = ("class-en-dev", "class-dev", Path(__file__).parents[1] / "data" / "class-zh")
DUPLICATE_SHARE = 0.9
CLEAN_CLASS_SIZES = 8, 30
SHOWN = 25


def checked(folder: Path, meaning: bool) -> ClassCheck:
    """Check the essays of a class."""
    settings = ComparisonSettings(meaning=meaning)
    paths = sorted(path for path in (folder / "essays").iterdir() if path.is_file())
    options = replace(DEFAULT_OPTIONS, meaning=meaning)
    files = ClassFiles(tuple(read_prepared_document(path, settings.recipe, options) for path in paths))
    return check_class(files, settings, datetime.now(UTC), no_tick, Event())


def planted_pairs(folder: Path) -> set[frozenset[str]]:
    """Return the names of both files of each planted pair."""
    lines = (folder / "gold.tsv").read_text(encoding="utf-8").splitlines()
    return {frozenset(line.split("\t")[:2]) for line in lines if "\t" in line}


def drafts(folder: Path) -> set[str]:
    """Return the names of the files that are drafts of others."""
    path = folder / "drafts.tsv"
    return {line.split("\t")[1] for line in path.read_text("utf-8").splitlines()} if path.exists() else set()


def average_precision(is_right: Sequence[bool]) -> float:
    """Return the mean of the precision at each right pair of an order."""
    places = [place for place, each in enumerate(is_right, 1) if each]
    return sum(found / place for found, place in enumerate(places, 1)) / len(places)


def is_duplicate(pair: CohortPair) -> bool:
    """Return whether both texts are nearly all the same."""
    shares = () if pair.summary is None else pair.summary.after_exclusions
    return bool(shares) and all(share is not None and share >= DUPLICATE_SHARE for share in shares)


def measure(folder: Path, meaning: bool) -> None:
    """Print the average precision of both orders, and where the planted pairs are."""
    planted, began = planted_pairs(folder), time.perf_counter()
    check = checked(folder, meaning)
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


def measure_clean_draws(folder: Path, draws: int) -> None:
    """Print how many clean classes have a pair that is named as unusual, and the pairs named most often."""
    settings, chance = ComparisonSettings(), random.Random(11)
    linked = frozenset[str]().union(*planted_pairs(folder), drafts(folder))
    names = sorted(path.name for path in (folder / "essays").iterdir() if path.name not in linked)
    documents = [read_prepared_document(folder / "essays" / name, settings.recipe) for name in names]
    scored = {
        pair: scores_of(documents[pair[0]], documents[pair[1]], settings, load_thesaurus(settings.thesaurus))
        for pair in combinations(range(len(names)), 2)
    }
    flagged, named = 0, Counter[str]()
    for _draw in range(draws):
        members = sorted(chance.sample(range(len(names)), chance.randint(*CLEAN_CLASS_SIZES)))
        essays = [documents[member] for member in members]
        common = find_common_text(essays, range(len(essays))).by_text(essays)
        classifier = PairClassifier(settings, ExclusionCandidateCache(None, settings.thesaurus, common))
        shares = {}
        for pair in combinations(members, 2):
            summary = classifier.classify(documents[pair[0]], documents[pair[1]], scored[pair])
            sides = [share for share in summary.after_exclusions if share is not None]
            if sides and not (len(sides) == 2 and min(sides) >= DUPLICATE_SHARE):
                shares[pair] = max(sides)
        limit = ClassShares(np.array(list(shares.values()))).limit
        unusual = [pair for pair, share in shares.items() if reaches(share, limit)]
        flagged += bool(unusual)
        named.update(f"{names[left]} – {names[right]}" for left, right in unusual)
    print(f"{folder.name}: {flagged} of {draws} clean classes have an unusual pair")
    print(f"  {len(named)} different pairs; most often {named.most_common(5)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("classes", nargs="*", default=CLASSES)
    parser.add_argument("--meaning", action="store_true")
    parser.add_argument("--draws", type=int, default=0)
    options = parser.parse_args()
    folders = [Path(name) if Path(name).is_dir() else BENCH / name for name in options.classes]
    if missing := [folder.name for folder in folders if not folder.is_dir()]:
        sys.exit(f"Skipped: {', '.join(missing)} not found in {BENCH}.")
    for folder in folders:
        measure(folder, options.meaning)
        if options.draws:
            measure_clean_draws(folder, options.draws)


if __name__ == "__main__":
    main()
