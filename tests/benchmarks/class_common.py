"""Common text, limit and false alarms of classes, on `class-dev` and `zh-dev`.

    python -m tests.benchmarks.class_common [--parts class,groups,draws,speed] [--draws N]

class   `class-dev` with nothing set by hand but its drafts removed: common text at several shares, rank of
        the planted pairs, other pairs above 5%, the proposed limit
groups  the template on unrelated essays of `zh-dev`, a part of which are copies of one: does their text
        become common?
draws   clean classes of 40 essays drawn from unrelated ones, and the same with one pair that shares 15% of
        a text, made as in calibration.py. Each pair is scored once. Unrelated essays have no 8 units in a row
        in common, which says nothing of how this program compares.
speed   seconds for the common text of 100, 200 and 400 essays of 60 sentences
"""

import argparse
import random
import time
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from threading import Event

import numpy as np

from simcompare.cohort.cohort_scoring import CohortPair, larger_share, score_pairs
from simcompare.cohort.common_text import CommonText, find_common_text
from simcompare.cohort.pair_scores import ClassShares, ExclusionCandidateCache, PairClassifier
from simcompare.comparison.figures import PairSummary
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading import load_document
from simcompare.model.progress import no_tick
from simcompare.model.settings import ComparisonSettings
from simcompare.session.school_class import Pair
from simcompare.support.display_text import reaches
from tests.benchmarks.calibration import KINDS, compared, planted_pair
from tests.helpers.documents import SHARED, prepared_text_document

BENCH = SHARED / "bench"
CLASS = BENCH / "class-dev"
CLASS_SIZE = 40
PLANTED_PERCENT, PLANTED_OF_EACH_KIND = 15, 20
COMMON_RUN_UNITS = 8
HIGH_SHARE = 0.05
Shares = Mapping[Pair, float]


def read(paths: Sequence[Path]) -> list[PreparedDocument]:
    return [prepare_document(load_document(path), "improved") for path in paths]


def shares_of(documents: Sequence[PreparedDocument], common: CommonText) -> Shares:
    """The larger share of each pair, after exclusions; pairs without any counting text are left out."""
    settings = ComparisonSettings()
    candidates = ExclusionCandidateCache(None, settings.thesaurus, common.by_text(documents))
    scored = score_pairs(documents, PairClassifier(settings, candidates), no_tick, Event())
    found = {
        pair: larger_share(CohortPair(*pair, summary))
        for pair, summary in scored.items()
        if isinstance(summary, PairSummary)
    }
    return {pair: share for pair, share in found.items() if share is not None}


def class_shares(shares: Shares) -> ClassShares:
    return ClassShares(np.array(list(shares.values())))


def template() -> list[str]:
    return (CLASS / "template.txt").read_text(encoding="utf-8").splitlines()


# --- parts --------------------------------------------------------------------------------------------------


def print_class() -> None:
    drafts = {line.split("\t")[1] for line in (CLASS / "drafts.tsv").read_text("utf-8").splitlines()}
    gold = [line.split("\t") for line in (CLASS / "gold.tsv").read_text("utf-8").splitlines()]
    documents = read([path for path in sorted((CLASS / "essays").iterdir()) if path.name not in drafts])
    lines = "".join(template())
    print("| share | common sentences | not in the template |\n|---|---|---|")
    for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9):
        found = find_common_text(documents, range(len(documents)), share).sentences
        others = [f"{s.text} ({len(s.documents)})" for s in found if s.text.rstrip("…") not in lines]
        print(f"| {share} | {len(found)} | {', '.join(others)} |")
    shares = shares_of(documents, find_common_text(documents, range(len(documents))))
    names = [document.name.removesuffix(".txt") for document in documents]
    kinds = {frozenset(name.removesuffix(".txt") for name in pair[:2]): pair[2] for pair in gold}
    ranked = sorted(shares.items(), key=lambda each: -each[1])
    limit = class_shares(shares).limit
    print("\n| rank | share | pair | planted |\n|---|---|---|---|")
    for rank, (pair, share) in enumerate(ranked, 1):
        if share > HIGH_SHARE:
            kind = kinds.get(frozenset(names[place] for place in pair), "")
            print(f"| {rank} | {share:.3f} | {' '.join(names[place] for place in pair)} | {kind} |")
    print(f"\nlimit {limit:.2f}, {class_shares(shares).chance_pairs:.2f} pairs by chance\n")


def print_groups() -> None:
    essays = unrelated_texts()[:CLASS_SIZE]
    print("| template in | copies | of the essay | lines of it found | other sentences |")
    print("|---|---|---|---|---|")
    for with_template in (CLASS_SIZE * 9 // 20, CLASS_SIZE * 7 // 10, CLASS_SIZE):
        print_group(essays, with_template, 1, 0)
    for copied_percent in (20, 40, 60, 100):
        for copies in (4, 16, 20, 28, 36):
            print_group(essays, CLASS_SIZE, copies, copied_percent)
    print()


def print_group(
    essays: Sequence[Sequence[str]], with_template: int, copies: int, copied_percent: int
) -> None:
    """Print a row: the first essays are copies, in part, of the first one."""
    texts = [list(essay) for essay in essays]
    for text in texts[1:copies]:
        copied = texts[0][: max(len(texts[0]) * copied_percent // 100, 1)]
        text[len(text) - len(text) * copied_percent // 100 :] = copied
    for text in texts[CLASS_SIZE - with_template :]:
        text[:0] = template()
    found = find_common_text([prepared_text_document(*text) for text in texts], range(len(texts))).sentences
    others = [s for s in found if s.text.rstrip("…") not in "".join(template())]
    print(
        f"| {with_template} of {CLASS_SIZE} | {copies} | {copied_percent}% | {len(found) - len(others)} "
        f"| {len(others)} |"
    )


def unrelated_texts() -> list[list[str]]:
    """The lines of each unrelated article of `zh-dev`."""
    return [document.document.text.split("\n") for document in unrelated(zh_sources())]


def zh_sources() -> list[PreparedDocument]:
    return read(sorted((BENCH / "zh-dev" / "src").iterdir()))


def unrelated(documents: Sequence[PreparedDocument]) -> list[PreparedDocument]:
    """Select documents without a run of units in common, first those that have one with few others."""
    runs = [runs_of(document) for document in documents]
    related = {
        pair for pair in combinations(range(len(documents)), 2) if not runs[pair[0]].isdisjoint(runs[pair[1]])
    }
    degrees = np.bincount(np.array([place for pair in related for place in pair]), minlength=len(documents))
    chosen: list[int] = []
    for place in np.argsort(degrees, kind="stable").tolist():
        if all((min(place, other), max(place, other)) not in related for other in chosen):
            chosen.append(place)
    return [documents[place] for place in sorted(chosen)]


def runs_of(document: PreparedDocument) -> set[tuple[str, ...]]:
    units = [document.prepared.units_of(sentence) for sentence in range(document.prepared.sentence_count)]
    length = COMMON_RUN_UNITS
    return {
        tuple(sentence[start : start + length])
        for sentence in units
        for start in range(len(sentence) - length + 1)
    }


def print_draws(draws: int) -> None:
    documents = unrelated(zh_sources())
    shares = shares_of(documents, find_common_text(documents, range(len(documents))))
    planted = planted_shares()
    chance = random.Random(14)
    limits, false_alarms, found, expected = [], 0, 0, 0.0
    for _draw in range(draws):
        members = sorted(chance.sample(range(len(documents)), CLASS_SIZE))
        drawn = class_shares({pair: shares[pair] for pair in combinations(members, 2)})
        false_alarms += bool(reaches(drawn.shares, drawn.limit).any())
        expected += drawn.chance_pairs / draws
        share = chance.choice(planted)
        with_copy = ClassShares(np.append(drawn.shares[1:], share))
        found += reaches(share, with_copy.limit)
        limits.append(drawn.limit)
    print(f"{len(documents)} unrelated essays, highest share {max(shares.values()):.3f}")
    print(
        f"{draws} clean classes of {CLASS_SIZE}: {false_alarms} flagged; {expected:.3f} pairs expected each"
    )
    print(
        f"the same with a pair of {PLANTED_PERCENT}%: {found} found; limits {min(limits)} to {max(limits)}\n"
    )


def planted_shares() -> list[float]:
    """The larger share of pairs of which one text has a known part of the other, in every Chinese kind."""
    found = []
    for label, kind in KINDS.items():
        if kind.language != "zh":
            continue
        of_kind = []
        for number in range(PLANTED_OF_EACH_KIND):
            pair = planted_pair(BENCH, kind, PLANTED_PERCENT, number)
            share = compared(pair.text, pair.sources).share
            sides = (share.left_in_right.after_exclusions, share.right_in_left.after_exclusions)
            of_kind.append(max(side or 0.0 for side in sides))
        print(f"{label}: lowest share {min(of_kind):.3f}")
        found += of_kind
    return found


def print_speed() -> None:
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((BENCH / "zh-dev" / "susp").iterdir())
    )
    pool = [f"{piece}。" for piece in text.replace("\n", "。").split("。") if len(piece) > 10]
    chance = random.Random(5)
    for count in (100, 200, 400):
        essays = [prepared_text_document(*template(), *chance.sample(pool, 50)) for _essay in range(count)]
        begin = time.perf_counter()
        found = find_common_text(essays, range(count))
        seconds = time.perf_counter() - begin
        print(f"{count} essays: {seconds:.2f} s, {len(found.sentences)} common sentences")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", default="class,groups,draws,speed")
    parser.add_argument("--draws", type=int, default=100)
    arguments = parser.parse_args()
    parts = arguments.parts.split(",")
    if "class" in parts:
        print_class()
    if "groups" in parts:
        print_groups()
    if "draws" in parts:
        print_draws(arguments.draws)
    if "speed" in parts:
        print_speed()


if __name__ == "__main__":
    main()
