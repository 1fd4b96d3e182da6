"""Accuracy and macro F1 of citation groups, on the cases that the rules were made with and on the other half.

Run: .venv/bin/python -m tests.benchmarks.citations [--errors]
"""

import sys
from collections import Counter

from simcompare.comparison.citations.citation import CitationGroup
from tests.helpers.citation_cases import CitationCase, citation_cases


def _macro_f1(pairs: Counter[tuple[CitationGroup, CitationGroup]]) -> float:
    def f1(group: CitationGroup) -> float:
        right = pairs[group, group]
        told = sum(count for (_expected, found), count in pairs.items() if found is group)
        are = sum(count for (expected, _found), count in pairs.items() if expected is group)
        return 2 * right / (told + are) if told + are else 1.0

    return sum(map(f1, CitationGroup)) / len(CitationGroup)


def _print(name: str, cases: list[CitationCase]) -> None:
    pairs = Counter((case.group, case.found) for case in cases)
    right = sum(count for (expected, found), count in pairs.items() if expected is found)
    print(
        f"{name:10} {len(cases):4} cases  accuracy {right / len(cases):.3f}  macro F1 {_macro_f1(pairs):.3f}"
    )


def main(*, with_errors: bool) -> None:
    """Print the figures of both halves, and with_errors the errors of the half that is known."""
    halves = {"seen": True, "unseen": False} if not with_errors else {"seen": True}
    for half, is_seen in halves.items():
        by_language = {name: list(citation_cases(name, is_seen=is_seen)) for name in ("zh", "en")}
        for language, cases in by_language.items():
            _print(f"{half} {language}", cases)
        _print(half, [case for cases in by_language.values() for case in cases])
        for case in (case for cases in by_language.values() for case in cases if with_errors):
            if case.found is not case.group:
                print(case.language, case.number, f"{case.found} for {case.group}", repr(case.document.text))


if __name__ == "__main__":
    main(with_errors="--errors" in sys.argv)
