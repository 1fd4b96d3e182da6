"""The documentation as pages: every page is made, and every link leads somewhere."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from tools.documentation import dead_links, make_documentation  # noqa: E402


def test_that_the_page_on_the_command_line_has_every_option():
    help_pages, page = (
        (ROOT / name).read_text("utf-8") for name in ("tests/data/golden/help/en.txt", "docs/command-line.md")
    )
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", help_pages))
    assert {each for each in options if each not in page} == {"--help", "--version"}


def test_that_the_pages_are_made_without_a_warning_or_a_dead_link(tmp_path: Path) -> None:
    start = make_documentation(tmp_path)
    assert "使用手册" in start.read_text("utf-8")
    reference = (tmp_path / "docs" / "reference.html").read_text("utf-8")
    assert all(name in reference for name in ("left_in_right", "hamming_distance_bits", "ExplainedPassage"))


def test_that_links_to_no_page_picture_or_anchor_are_named(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "second.html").write_text('<h2 id="here">二</h2><a href="../first.html#above">up</a>', "utf-8")
    (tmp_path / "first.html").write_text(
        '<a id="above"></a><a href="other/second.html#here">a</a><a href="https://example.org/none">b</a>'
        '<a href="other/third.html">c</a><a href="other/second.html#there">d</a><img src="none.png">',
        "utf-8",
    )
    assert sorted(dead_links(tmp_path)) == [
        "first.html: none.png",
        "first.html: other/second.html#there",
        "first.html: other/third.html",
    ]
