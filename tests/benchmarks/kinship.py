"""Kinship of Word files: pairs called kin by chance, and pairs of one file that are found.

    python tests/benchmarks/kinship.py [FOLDER]

Simulated files have the ids of one template and random ones of their own sessions, as Word makes them, in
classes of 40. FOLDER: real Word files, no two of which are related; by default those in ../shared/docs.
"""

import random
import sys
import time
from itertools import combinations
from pathlib import Path

from simcompare.cohort.shared_facts import POSSIBLE_IDS, find_kin
from simcompare.loading import load_document
from simcompare.model.errors import FileError

SHARED = Path(__file__).parents[3] / "shared" / "docs"
CLASS_SIZE, CLASSES, TEMPLATE_IDS = 40, 65, 60
MOST_SESSIONS, MOST_SHARED = 400, 12
TRIALS = 200


def new_ids(count: int, chance: random.Random) -> set[str]:
    return {f"{chance.randrange(1, POSSIBLE_IDS):08X}" for _session in range(count)}


def false_pairs(chance: random.Random) -> tuple[int, int, int]:
    """Return the numbers of false pairs, of pairs with a common id of their own, and of all pairs."""
    false = sharing = pairs = 0
    for _number in range(CLASSES):
        template = new_ids(TEMPLATE_IDS, chance)
        own = [new_ids(chance.randint(1, MOST_SESSIONS), chance) for _file in range(CLASS_SIZE)]
        false += len(find_kin({place: ids | template for place, ids in enumerate(own)}))
        sharing += sum(not left.isdisjoint(right) for left, right in combinations(own, 2))
        pairs += CLASS_SIZE * (CLASS_SIZE - 1) // 2
    return false, sharing, pairs


def found_of(shared: int, chance: random.Random) -> int:
    """Return how many of TRIALS pairs of one file are found in a class, by the number of common sessions."""
    found = 0
    for _trial in range(TRIALS):
        template, common = new_ids(TEMPLATE_IDS, chance), new_ids(shared, chance)
        files = [new_ids(chance.randint(1, MOST_SESSIONS), chance) | template for _file in range(CLASS_SIZE)]
        files[0] |= common
        files[1] |= common
        found += (0, 1) in find_kin(dict(enumerate(files)))
    return found


def real_files(folder: Path) -> str:
    """Compare real files with each other."""
    if not folder.is_dir():
        return f"skipped: there is no folder {folder}"
    ids, failed = {}, 0
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {".docx", ".docm"})
    for number, path in enumerate(paths):
        try:
            ids[number] = load_document(path).receipt.origin.editing_ids
        except FileError:
            failed += 1
    with_ids = sum(map(bool, ids.values()))
    kin = [f"{paths[a].name} – {paths[b].name}: {each.shared_ids}" for (a, b), each in find_kin(ids).items()]
    counts = (
        f"{len(paths)} files, {failed} not read, {with_ids} with ids, {with_ids * (with_ids - 1) // 2} pairs"
    )
    return "\n".join([f"{counts}, {len(kin)} kin", *kin])


def main() -> None:
    chance = random.Random(1)
    false, sharing, pairs = false_pairs(chance)
    print(f"{false} false of {pairs} pairs made from one template; {sharing} share an id of their own")
    for shared in range(1, MOST_SHARED + 1):
        print(f"{shared:2} common sessions: {found_of(shared, chance) / TRIALS:.3f} found")
    files = {place: new_ids(150, chance) for place in range(200)}
    began = time.perf_counter()
    find_kin(files)
    print(f"class of 200 files with 150 ids each: {1000 * (time.perf_counter() - began):.0f} ms")
    print(real_files(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED))


if __name__ == "__main__":
    main()
