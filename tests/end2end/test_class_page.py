"""Report of a class, opened from disk in a real browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simcompare.report.class_report.class_forms import render_class
from simcompare.support.i18n import set_language
from tests.end2end import browser
from tests.end2end.browser import Browser, Page
from tests.gui.contrast import contrast
from tests.report.class_report.checked_class import class_with_copies

pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="needs Chromium (apt-get install chromium)")

OpenClass = Callable[..., Page]
LABELS = """(() => [...document.querySelectorAll('.drawing text')].map(e => {
  const box = e.getBoundingClientRect(), area = e.closest('svg').getBoundingClientRect();
  return [e.textContent, box.left - area.left, area.right - box.right];
}))()"""
TEXT_COLOURS = """(() => {
  const hasText = e => [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
  const shown = [...document.querySelectorAll('body *')].filter(e => hasText(e) && e.getClientRects().length);
  const colour = e => e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color;
  return shown.map(e => [colour(e), getComputedStyle(document.body).backgroundColor, e.textContent.trim()]);
})()"""


@pytest.fixture
def open_class(chromium: Browser, tmp_path: Path) -> Iterator[OpenClass]:
    """Open the report of a class; afterwards, check that there were no requests and no error messages."""
    opened: list[tuple[Path, Page]] = []

    def open_report(*, width_px: int = 1280, scheme: str = "light") -> Page:
        path = tmp_path / f"class {len(opened)} – 报告.html"
        path.write_bytes(render_class(class_with_copies(), "高一（5）班"))
        page = chromium.open(path, width_px, 800, {"prefers-color-scheme": scheme})
        opened.append((path, page))
        return page

    yield open_report
    for path, page in opened:
        assert page.error_messages() == []
        assert page.requests() == [path.as_uri()]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_no_label_of_a_picture_is_cut_off(open_class: OpenClass, language: str) -> None:
    set_language(language)
    labels = open_class().value(LABELS)
    assert len(labels) > 20
    assert [label for label, *space in labels if min(space) < -20] == []


@pytest.mark.parametrize("width_px", [360, 1280])
def test_that_the_page_is_not_wider_than_the_window(open_class: OpenClass, width_px: int) -> None:
    page = open_class(width_px=width_px)
    assert page.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_that_all_text_has_sufficient_contrast(open_class: OpenClass, scheme: str) -> None:
    page = open_class(scheme=scheme)
    pale = {
        text
        for colour, background, text in page.value(TEXT_COLOURS)
        if contrast(as_hex(colour), as_hex(background)) < 4.5
    }
    assert pale == set()
    pictures = "[...document.querySelectorAll('image')].filter(e => e.getClientRects().length)"
    assert page.value(f"{pictures}.map(e => e.getAttribute('class'))") == [scheme]


def as_hex(colour: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


def test_that_the_first_printed_page_has_the_result_and_the_histogram(open_class: OpenClass) -> None:
    import pypdfium2

    with pypdfium2.PdfDocument(open_class().printed()) as file:
        first = " ".join(file[0].get_textpage().get_text_bounded().split())
    assert "4 of 45 pairs are unusual" in first
    assert "limit 12%" in first
