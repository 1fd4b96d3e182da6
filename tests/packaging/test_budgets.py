"""Each package keeps to its budget of lines, and imports go one way."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from tools.code_figures import BUDGETS_LINES, import_cycles, module_trees, package_lines  # noqa: E402


def test_that_no_package_is_over_its_budget():
    used = package_lines(ROOT)
    assert set(used) == set(BUDGETS_LINES)
    assert {package: lines for package, lines in used.items() if lines > BUDGETS_LINES[package]} == {}


def test_that_no_modules_import_each_other():
    assert import_cycles(module_trees(ROOT)) == []
