"""The renewal of the exact versions of packages."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from tools.constraints import renewed  # noqa: E402
from tools.environment import CONSTRAINTS  # noqa: E402

OLD = """\
# The exact versions.
# Renewed.
alembic==1.0
# the newest has no wheel for Intel
pikepdf==10.13 ; sys_platform == "darwin"
pikepdf==10.17 ; sys_platform != "darwin"
old_one==3
"""


def test_that_versions_are_renewed_and_lines_of_some_systems_stay():
    new = renewed(OLD, [("zipp", "2"), ("Alembic", "1.1"), ("pikepdf", "11"), ("fast_lib", "1")])
    assert new.splitlines() == [
        *OLD.splitlines()[:2],
        "Alembic==1.1",
        "fast_lib==1",
        *OLD.splitlines()[3:6],
        "zipp==2",
    ]


def test_that_the_file_is_as_it_would_be_written():
    text = CONSTRAINTS.read_text(encoding="utf-8")
    found = [line.split("==") for line in text.splitlines() if "==" in line and " ;" not in line]
    assert renewed(text, found) == text
