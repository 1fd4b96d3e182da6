"""HTML report of a comparison, opened from disk in a real browser."""

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from simcompare.report.html_report import render_html
from simcompare.support.i18n import current_language, set_language
from tests.end2end import browser
from tests.end2end.browser import Browser, Page
from tests.gui.contrast import contrast
from tests.report.essays import comparison_of, evidence_of

pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="needs Chromium (apt-get install chromium)")

OpenPage = Callable[..., Page]
EXACT = [
    f"The {place} stone of the old bridge was laid by a mason in the year {year}."
    for place, year in (("first", 1711), ("second", 1725), ("third", 1736), ("fourth", 1749), ("fifth", 1758))
]
EDITED = "My grandmother sold {} apples on the bridge every Saturday morning before the church bells rang."
OWN = "In {} we walked to the {} and counted {} on the way, which nobody else ever wrote about."
HOSTILE = """An essay that means harm
</title><script>window.attacked = 1</script> is what the first sentence of it says.
A picture <img src="https://attacker.example/x.png" onerror="window.attacked = 2"> is in the second one.
" onmouseover="window.attacked = 3" and {{ 7 * 7 }} and &lt; stand here in the third one.
The fourth sentence \u202eis turned around\u202e, rings a bell \x07 and clears \x1b[2J the screen of all.
"""
SELECTED = """(() => {
  const inspector = document.querySelector('.inspector');
  return inspector.hidden ? '' : inspector.firstChild.innerText;
})()"""
NUMBERS = "[...document.querySelectorAll('.pane.l .number a')]"
NUMBER_TOPS = "[...document.querySelectorAll('.number a.framed')].map(m => m.getBoundingClientRect().top)"
BAR = """(() => {
  const run = document.querySelector('.pane.l .run'), bar = getComputedStyle(run, '::before');
  const block = run.parentElement.getBoundingClientRect(), box = run.getBoundingClientRect();
  const places = { top: box.top + parseFloat(bar.top), height: parseFloat(bar.height) };
  return [box.toJSON(), { ...places, left: block.left + parseFloat(bar.marginLeft) }, block.toJSON()];
})()"""
FRAMED_TOPS = "[...document.querySelectorAll('.match.framed')].map(m => m.getBoundingClientRect().top)"
TEXT_AND_BACKGROUND_COLOURS = """(() => {
  const hasText = e => [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
  const visible = [...document.querySelectorAll('body *')].filter(
    e => hasText(e) && e.getClientRects().length && !e.closest('svg'));
  const isClear = e => getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)';
  return visible.map(e => {
    let background = e;
    while (isClear(background)) background = background.parentElement;
    const colours = [getComputedStyle(e).color, getComputedStyle(background).backgroundColor];
    return [...colours, e.className || e.tagName];
  });
})()"""


@pytest.fixture
def open_page(chromium: Browser, tmp_path: Path) -> Iterator[OpenPage]:
    """Open the report of two texts; afterwards, check that there were no requests and no error messages."""
    opened: list[tuple[Path, Page]] = []

    def open_texts(
        left: str,
        right: str,
        *,
        width_px: int = 1280,
        height_px: int = 800,
        scheme: str = "light",
        names: tuple[str, str] = ("left.txt", "right.txt"),
    ) -> Page:
        path = tmp_path / f"report {len(opened)} – 报告.html"
        path.write_text(report_in(current_language(), left, right, names), "utf-8")
        page = chromium.open(path, width_px, height_px, {"prefers-color-scheme": scheme})
        opened.append((path, page))
        return page

    yield open_texts
    for path, page in opened:
        assert page.error_messages() == []
        assert page.requests() == [path.as_uri()]


@cache
def report_in(_language: str, left: str, right: str, names: tuple[str, str]) -> str:
    """Report in the current language; most tests open that of the same two texts."""
    with TemporaryDirectory() as folder:
        return render_html(evidence_of(comparison_of(Path(folder), left, right, names=names)))


@cache
def essays() -> tuple[str, str]:
    """Two long texts with common sentences at very different positions."""
    numbers = random.Random(7)
    own = [OWN.format(numbers.randint(1800, 1999), place, numbers.randint(20, 99)) for place in (
        "mill", "market", "harbour", "forest", "station", "tower", "orchard", "quarry", "lake", "school"
    ) * 4]  # fmt: skip
    left = [*own[:30], *EXACT, EDITED.format("ripe red"), *own[30:33]]
    right = [EXACT[3], EDITED.format("green"), *(line.replace("we", "they") for line in own[33:]), *EXACT[:3]]
    return "\n".join(left), "\n".join(right)


def tops(page: Page) -> list[float]:
    return list(page.value(FRAMED_TOPS))


def selected(page: Page) -> str:
    """Number of the match shown in the inspector."""
    return str(page.value(SELECTED))


def selected_passage(page: Page) -> str:
    """Number of the selected passage."""
    return str(page.value("document.querySelector('.number a.framed').innerText"))


def test_that_a_click_on_a_match_aligns_its_partner(open_page: OpenPage) -> None:
    page = open_page(*essays())
    first = page.value("document.querySelector('.pane.r .match.exact').id")
    page.click(f"#{first}")
    left, right = tops(page)
    assert abs(left - right) <= 1
    pane, inspector = page.value(
        "['.pane', '.inspector'].map(name => document.querySelector(name).getBoundingClientRect().top)"
    )
    assert pane <= left < inspector
    assert page.value("document.querySelectorAll('.inspector .pair bdi').length") == 2


def test_that_keys_step_through_passages_and_escape_deselects(open_page: OpenPage) -> None:
    page = open_page(*essays())
    count = page.value(f"{NUMBERS}.length")
    assert count > 2
    seen = []
    for key in "nnpn":
        page.press(key)
        seen.append(selected_passage(page))
        left, right = page.value(NUMBER_TOPS)
        assert abs(left - right) <= 1
    assert seen == ["1", "2", "1", "2"]
    page.press("p")
    page.press("p")
    assert selected_passage(page) == str(count)
    page.press("Escape")
    assert (selected(page), page.value(NUMBER_TOPS)) == ("", [])


def test_that_a_click_on_a_number_shows_the_passage_on_the_other_side(open_page: OpenPage) -> None:
    page = open_page(*essays())
    page.click(".pane.r .number a")
    assert selected_passage(page) == page.value("document.querySelector('.pane.r .number a').innerText")
    left, right = page.value(NUMBER_TOPS)
    assert abs(left - right) <= 1
    assert page.value("document.querySelectorAll('.run.framed').length") >= 2


def test_that_tab_reaches_a_passage_number_and_enter_opens_it(open_page: OpenPage) -> None:
    page = open_page(*essays())
    for _step in range(12):
        page.press("Tab")
        if page.value("document.activeElement.closest('.number') !== null"):
            break
    number = page.value("document.activeElement.innerText")
    page.press("Enter")
    assert selected_passage(page) == number


def test_that_a_passage_is_one_stretch_with_a_bar_beside_its_lines(open_page: OpenPage) -> None:
    page = open_page(*essays())
    run, bar, text = page.value(BAR)
    assert bar["top"] == pytest.approx(run["top"], abs=1)
    assert bar["height"] == pytest.approx(run["height"], abs=1)
    assert bar["left"] < text["left"]


def test_that_passages_of_a_hidden_kind_are_plain_text_and_skipped(open_page: OpenPage) -> None:
    page = open_page(*essays())
    kinds = page.value(f"{NUMBERS}.map(number => number.dataset.kind)")
    hidden, shown = kinds[0], next(kind for kind in kinds if kind != kinds[0])
    page.click(f"input[data-kind={hidden}]")
    style = f"getComputedStyle(document.querySelector('.pane .run.{hidden} .match'))"
    assert page.value(f"{style}.textDecorationLine") == "none"
    visible = page.value(f"{NUMBERS}.map(number => number.offsetHeight > 0)")
    assert visible == [kind != hidden for kind in kinds]
    page.press("n")
    assert selected_passage(page) == str(kinds.index(shown) + 1)
    page.click(f"input[data-kind={hidden}]")
    assert page.value(f"{style}.textDecorationLine") == "underline"


def test_that_on_a_phone_screen_the_page_fits_and_the_partner_is_scrolled_into_view(
    open_page: OpenPage,
) -> None:
    page = open_page(*essays(), width_px=360, height_px=740)
    assert page.value("document.documentElement.scrollWidth") == 360
    page.click(".pane.l .match.exact")
    assert page.value("document.documentElement.scrollWidth") == 360
    _left, right = tops(page)
    assert 0 <= right < page.value("document.querySelector('.inspector').getBoundingClientRect().top")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_that_all_text_has_sufficient_contrast_in_light_and_dark(open_page: OpenPage, scheme: str) -> None:
    page = open_page(*(f"{text}\n“Quoted words.” Short one.\n" for text in essays()), scheme=scheme)
    page.press("n")
    pairs = page.value(TEXT_AND_BACKGROUND_COLOURS)
    faint = {
        (name, colour, background)
        for colour, background, name in map(tuple, pairs)
        if contrast(as_hex(colour), as_hex(background)) < 4.5
    }
    assert faint == set()
    background = as_hex(page.value("getComputedStyle(document.body).backgroundColor"))
    assert (contrast(background, "#000000") < 2) == (scheme == "dark")


def as_hex(colour: str) -> str:
    parts = re.findall(r"[\d.]+", colour)[:3]
    # mixed colours are given as shares
    scale = 255 if colour.startswith("color(srgb") else 1
    return "#" + "".join(f"{round(float(part) * scale):02x}" for part in parts)


def test_that_markup_and_scripts_in_texts_are_shown_as_text(open_page: OpenPage) -> None:
    name = '"><img src=x onerror="window.attacked = 4">.txt'
    page = open_page(HOSTILE, HOSTILE, names=(name, name))
    page.press("n")
    page.value("document.querySelector('.match').dispatchEvent(new Event('mouseover', {bubbles: true}))")
    assert page.value("window.attacked") is None
    assert page.value("document.scripts.length") == 1
    assert page.value("document.images.length") == 1
    text = page.value("document.querySelector('.pane.l').innerText")
    assert "</title><script>window.attacked = 1</script>" in text
    assert "&lt;" in text
    assert "{{ 7 * 7 }}" in text
    assert "[U+202E]is turned around[U+202E]" in text
    assert "\x1b" not in text
    assert page.value("document.title") == f"{name} ↔ {name} (2)"


def test_that_a_line_of_a_megabyte_is_wrapped_and_aligned(open_page: OpenPage) -> None:
    long = (
        "x" * 500_000
        + " "
        + " ".join(f"Word{number} of a line that does not end" for number in range(14_000))
    )
    page = open_page(f"{long}.\n{EXACT[0]}\n", f"{EXACT[0]}\nAnd nothing else stands here today.\n")
    assert page.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.click(".pane.r .match")
    left, right = tops(page)
    assert abs(left - right) <= 1


def test_that_the_page_can_be_in_chinese(open_page: OpenPage) -> None:
    set_language("zh")
    page = open_page(*essays())
    assert page.value("document.documentElement.lang") == "zh-Hans"
    assert "汉明距离" in page.value("document.body.innerText")


def test_that_a_printed_page_has_both_texts_in_full_after_scrolling(
    open_page: OpenPage, tmp_path: Path
) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    page = open_page(*essays())
    page.press("n")
    printed = pdfium.PdfDocument(page.printed())
    text = " ".join("".join(sheet.get_textpage().get_text_range() for sheet in printed).split())
    printed.close()
    for essay in essays():
        assert essay.splitlines()[-1] in text
        assert essay.splitlines()[0] in text
