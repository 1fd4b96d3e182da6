"""Change one tuned constant or rule of the program at a time, and list the changes that no test notices.

    python -m tests.benchmarks.mutants FOLDER [NUMBER ...]

FOLDER: a checkout of the project that may be changed; every change is undone. Takes about a minute a change.
"""

import os
import subprocess
import sys
from pathlib import Path

EXCLUDED = "comparison/exclusions/excluded_sentences.py"
DETECTION = "comparison/passages/passage_detection.py"
COMPARISON = ("tests/comparison",)
CHECK = "cohort/class_check.py"
COHORT = ("tests/cohort", "tests/report/cohort", "tests/report/class_report")
FACTS = tuple(f"tests/cohort/test_{name}.py" for name in ("kinship", "shared_mistakes", "shared_tables"))
CITATION = "comparison/citations/citation.py"
CITED = (
    "tests/comparison/test_citations.py",
    "tests/report/test_citations_reported.py",
    "tests/gui/test_citations.py",
)
MARKS = ("tests/comparison/test_passage_words.py", "tests/comparison/test_passage_explanation.py")
DECIDED = (
    "tests/comparison/test_copied_quotations.py",
    "tests/comparison/test_shares.py",
    "tests/comparison/test_numbered_passages.py",
    "tests/gui/test_pair_decisions.py",
)
MUTANTS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (EXCLUDED, "_MOST_QUOTED_OF_OWN = 0.3", "_MOST_QUOTED_OF_OWN = 0.4", COMPARISON),
    (EXCLUDED, "_LEAST_OWN_PER_QUOTED = 0.25", "_LEAST_OWN_PER_QUOTED = 0.15", COMPARISON),
    ("comparison/comparison_result.py", "QUOTED_SHARE = 0.8", "QUOTED_SHARE = 0.7", COMPARISON),
    (EXCLUDED, "_LONGEST_SPEECH_UNITS = 60", "_LONGEST_SPEECH_UNITS = 80", COMPARISON),
    (DETECTION, "_ROUNDS = 2", "_ROUNDS = 1", COMPARISON),
    (DETECTION, "is_mostly_chinese and right", "is_mostly_chinese or right", COMPARISON),
    ("comparison/passages/passage_kinds.py", "MOST_IN_COMMON = 0.75", "MOST_IN_COMMON = 0.7", COMPARISON),
    ("comparison/passages/passage_kinds.py", "SAME_ORDER = 0.9", "SAME_ORDER = 0.8", COMPARISON),
    ("comparison/passages/term_cosine.py", "_MOST_COUNTED = 2", "_MOST_COUNTED = 3", COMPARISON),
    ("comparison/exclusions/name_lines.py", "_LONGEST_LINE = 60", "_LONGEST_LINE = 50", COMPARISON),
    ("cohort/pair_scores.py", "_HIGH_QUANTILE = 0.9", "_HIGH_QUANTILE = 0.8", COHORT),
    ("cohort/pair_scores.py", "_FEWEST_PAIRS = 45", "_FEWEST_PAIRS = 36", COHORT),
    ("cohort/pair_scores.py", "LEAST_LIMIT = 0.12", "LEAST_LIMIT = 0.13", COHORT),
    ("cohort/pair_scores.py", "_MOST_CLASS_PAIRS = 0.01", "_MOST_CLASS_PAIRS = 0.02", COHORT),
    (CHECK, "_LEAST_OWN = 0.1", "_LEAST_OWN = 0.2", ("tests/cohort", "tests/cli/test_check.py")),
    (CHECK, "-order[other], other", "order[other], other", COHORT),
    ("cohort/class_figures.py", "is_highest, own.T, -np.inf", "is_highest, -own.T, -np.inf", COHORT),
    ("cohort/common_text.py", "FEWEST_ESSAYS = 5", "FEWEST_ESSAYS = 4", COHORT),
    ("cohort/common_text.py", "_LEAST_OWN = 0.1", "_LEAST_OWN = 0.2", COHORT),
    ("session/review_journal.py", "os.fsync(file.fileno())", "pass", ("tests/session",)),
    ("support/atomic_file.py", "os.fsync(file.fileno())", "pass", ("tests/session", "tests/support")),
    (
        "ui/state/file_reading.py",
        "with_recipe(future.result(), self.recipe, self.user_words)",
        "future.result()",
        ("tests/gui/test_reading.py", "tests/gui/test_fingerprint_strip.py"),
    ),
    ("cohort/kinship.py", "_LEAST_SHARED_IDS = 2", "_LEAST_SHARED_IDS = 1", FACTS),
    ("cohort/kinship.py", "MOST_CHANCE = 1e-7", "MOST_CHANCE = 1e-5", FACTS),
    ("cohort/shared_mistakes.py", "_LEAST_USERS = 7, 3", "_LEAST_USERS = 7, 2", FACTS),
    ("cohort/shared_tables.py", "LEAST_COMMON = 6, 0.8", "LEAST_COMMON = 6, 0.7", FACTS),
    (CITATION, "(count <= 2,) * 2", "(count <= 3,) * 2", CITED),
    (CITATION, "_LEAST_QUOTED_AT_BEGINNING = 0.4, 0.25", "_LEAST_QUOTED_AT_BEGINNING = 0.4, 0.4", CITED),
    ("comparison/passages/passage_words.py", "(2 * np.bincount", "(np.bincount", MARKS),
    ("comparison/shares.py", "and right and not left", "and right", DECIDED),
    (
        "comparison/decided_shares.py",
        "return shares_that_count(left, right, comparison.left.prepared, comparison.right.prepared)",
        "return left, right",
        DECIDED,
    ),
    (
        "report/class_report/student_rows.py",
        "reaches(before, check.limit)",
        "reaches(share, check.limit)",
        ("tests/report/class_report",),
    ),
)  # fmt: skip
"""Module, text in it, the text put in its place, and the tests that should fail."""


def survives(folder: Path, number: int) -> bool:
    """Return whether the tests pass with a change."""
    module, before, after, tests = MUTANTS[number]
    path = folder / "simcompare" / module
    text = path.read_text("utf-8")
    if text.count(before) != 1:
        raise SystemExit(f"{module}: {before!r} is there {text.count(before)} times.")
    path.write_text(text.replace(before, after), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        return done.returncode == 0
    finally:
        path.write_text(text, "utf-8")


def main() -> None:
    """Print the fate of each change and the number that tests notice."""
    folder, chosen = Path(sys.argv[1]), [int(number) for number in sys.argv[2:]] or range(len(MUTANTS))
    noticed = 0
    for number in chosen:
        is_alive = survives(folder, number)
        noticed += not is_alive
        module, before, after, _tests = MUTANTS[number]
        print(
            f"{number:2} {'SURVIVES' if is_alive else 'noticed '} {module}: {before} -> {after}", flush=True
        )
    print(f"{noticed} of {len(chosen)} noticed")


if __name__ == "__main__":
    main()
