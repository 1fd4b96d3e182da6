"""How often packages for Python by other authors share a formula, by its length.

    python -m tests.benchmarks.formulas FOLDER

FOLDER: wheels (`pip download --no-deps`) of packages on the same subjects, such as statistics. Formulas are
those of their docstrings (`.. math::` and `:math:`). --related: packages that have formulas from each other,
whose common ones do not count.
"""

import argparse
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from simcompare.cohort.shared_facts import LEAST_SIGNS, normal_forms

_BLOCK = re.compile(r"^([ \t]*)\.\. math::[ \t]*(.*(?:\n(?:[ \t]*\n)*\1[ \t]+\S.*)*)", re.MULTILINE)
_INLINE, _OPTION, _PARAGRAPH = (
    re.compile(r":math:`([^`]+)`"),
    re.compile(r":(label|nowrap):.*"),
    re.compile(r"\n\s*\n"),
)
_RELATED = (
    "pymc preliz",
    "pyro_ppl numpyro",
    "fluids thermo",
    "scikit_learn scipy",
    "gpytorch pyro_ppl",
    "numpy scipy",
)


def formulas(wheel: Path) -> Iterator[str]:
    """Yield the formulas of the docstrings of a wheel, as they are written."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".py") and "/tests/" not in name:
                text = archive.read(name).decode("utf-8", "ignore")
                text = text.replace("\\\\", "\\") if "\\\\frac" in text or "\\\\sum" in text else text
                for found in _BLOCK.finditer(text):
                    yield from _PARAGRAPH.split(_OPTION.sub("", found[2]))
                yield from _INLINE.findall(text)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--related", nargs="*", default=_RELATED)
    arguments = parser.parse_args()
    related = [set(names.split()) for names in arguments.related]
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for wheel in sorted(arguments.folder.glob("*.whl")):
        for written in formulas(wheel):
            for form in normal_forms(" ".join(written.split())):
                holders[form].add(wheel.name.split("-")[0])
    shared: dict[bool, int] = {False: 0, True: 0}
    counts: dict[bool, int] = {False: 0, True: 0}
    for form, packages in holders.items():
        is_long = sum(sign not in "()^_" for sign in form) >= LEAST_SIGNS
        counts[is_long] += 1
        shared[is_long] += any({*pair} not in related for pair in combinations(sorted(packages), 2))
    print(f"{len(holders):,} different formulas of {len(set().union(*holders.values()))} packages")
    for is_long, words in ((True, f"of {LEAST_SIGNS} signs or more"), (False, "shorter")):
        print(f"{words}: {counts[is_long]:,}, shared by packages of other authors: {shared[is_long]}")


if __name__ == "__main__":
    main()
