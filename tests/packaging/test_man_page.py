"""The manual page: it describes the commands as they are, and troff reads it without a complaint."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from tools.man_page import PAGE, man_page  # noqa: E402

PAGES = pytest.mark.parametrize(
    "page", [PAGE, PAGE.with_name("simcompare-gui.1")], ids=lambda page: page.name
)
# a date would be that of a build
_ACCEPTED = "missing date"


def test_that_the_page_is_that_of_the_commands():
    """`python3 packaging/dev.py man` renews it."""
    assert PAGE.read_text(encoding="utf-8") == man_page()


@PAGES
@pytest.mark.parametrize(
    "checker",
    [("mandoc", "-T", "lint"), ("groff", "-man", "-T", "utf8", "-ww", "-z")],
    ids=lambda words: words[0],
)
def test_that_the_page_is_well_formed(page, checker):
    if shutil.which(checker[0]) is None:
        pytest.skip(f"{checker[0]} is not installed")
    done = subprocess.run([*checker, page], capture_output=True, text=True, check=False)
    said = [line for line in (done.stdout + done.stderr).splitlines() if _ACCEPTED not in line]
    assert said == []
