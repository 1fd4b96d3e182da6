"""The page of a comparison as a teacher opens it: from the disk, in a real browser."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simcompare.report.html_report import render_html
from simcompare.support.i18n import set_language
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
FRAMED_TOPS = "[...document.querySelectorAll('.match.framed')].map(m => m.getBoundingClientRect().top)"
INKS_AND_GROUNDS = """(() => {
  const says = e => [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
  const shown = [...document.querySelectorAll('body *')].filter(
    e => says(e) && e.getClientRects().length && !e.closest('svg'));
  const isClear = e => getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)';
  return shown.map(e => {
    let ground = e;
    while (isClear(ground)) ground = ground.parentElement;
    return [getComputedStyle(e).color, getComputedStyle(ground).backgroundColor, e.className || e.tagName];
  });
})()"""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser.running_browser(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture
def open_page(chromium: Browser, tmp_path: Path) -> Iterator[OpenPage]:
    """Open the page of two texts; whatever a test does, nothing may be asked for nor complained of."""
    opened: list[tuple[Path, Page]] = []

    def open_texts(
        left: str,
        right: str,
        *,
        width_px: int = 1280,
        height_px: int = 800,
        scheme: str = "light",
        **given: object,
    ) -> Page:
        path = tmp_path / f"report {len(opened)} – 报告.html"
        path.write_text(render_html(evidence_of(comparison_of(tmp_path, left, right, **given))), "utf-8")
        page = chromium.open(path, width_px, height_px, {"prefers-color-scheme": scheme})
        opened.append((path, page))
        return page

    yield open_texts
    for path, page in opened:
        assert page.complaints() == []
        assert page.requests() == [path.as_uri()]


def essays() -> tuple[str, str]:
    """Two long texts, whose common sentences stand at very different heights."""
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
    """The number of the match that the inspector shows."""
    return str(page.value(SELECTED))


def test_that_a_click_on_a_match_brings_its_partner_alongside(open_page: OpenPage) -> None:
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


def test_that_matches_are_gone_through_by_keyboard_and_let_go_with_escape(open_page: OpenPage) -> None:
    page = open_page(*essays())
    seen = []
    for key in "nnpn":
        page.press(key)
        seen.append(selected(page))
        left, right = tops(page)
        assert abs(left - right) <= 1
    assert seen == ["1", "2", "1", "2"]
    page.press("p")
    page.press("p")
    assert selected(page) == page.value("[...document.querySelectorAll('tbody th')].at(-1).innerText")
    page.press("Escape")
    assert (selected(page), tops(page)) == ("", [])


def test_that_a_number_is_reached_by_tab_and_opened_by_enter(open_page: OpenPage) -> None:
    page = open_page(*essays())
    for _step in range(12):
        page.press("Tab")
        if page.value("document.activeElement.closest('.numbers') !== null"):
            break
    number = page.value("document.activeElement.innerText")
    page.press("Enter")
    assert selected(page) == number


def test_that_a_kind_that_is_not_chosen_is_plain_text_and_passed_over(open_page: OpenPage) -> None:
    page = open_page(*essays())
    kinds = page.value("[...document.querySelectorAll('tbody tr')].map(row => row.dataset.kind)")
    assert set(kinds) == {"exact", "edited"}
    page.click("input[data-kind=exact]")
    looks = "getComputedStyle(document.querySelector('.pane .match.exact'))"
    assert page.value(f"{looks}.textDecorationLine") == "none"
    rows = page.value("[...document.querySelectorAll('tbody tr')].map(row => row.offsetHeight > 0)")
    assert rows == [kind != "exact" for kind in kinds]
    page.press("n")
    assert selected(page) == str(kinds.index("edited") + 1)
    page.click("input[data-kind=exact]")
    assert page.value(f"{looks}.textDecorationLine") == "underline"


def test_that_on_a_telephone_nothing_is_wider_than_the_screen_and_the_partner_comes(
    open_page: OpenPage,
) -> None:
    page = open_page(*essays(), width_px=360, height_px=740)
    assert page.value("document.documentElement.scrollWidth") == 360
    page.click(".pane.l .match.exact")
    assert page.value("document.documentElement.scrollWidth") == 360
    _left, right = tops(page)
    assert 0 <= right < page.value("document.querySelector('.inspector').getBoundingClientRect().top")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_that_all_text_can_be_read_by_day_and_by_night(open_page: OpenPage, scheme: str) -> None:
    page = open_page(*(f"{text}\n“Quoted words.” Short one.\n" for text in essays()), scheme=scheme)
    page.press("n")
    pairs = page.value(INKS_AND_GROUNDS)
    faint = {
        (name, ink, ground)
        for ink, ground, name in map(tuple, pairs)
        if contrast(as_hex(ink), as_hex(ground)) < 4.5
    }
    assert faint == set()
    ground = as_hex(page.value("getComputedStyle(document.body).backgroundColor"))
    assert (contrast(ground, "#000000") < 2) == (scheme == "dark")


def as_hex(colour: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


def test_that_a_hostile_text_stays_text(open_page: OpenPage) -> None:
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


def test_that_a_line_of_a_megabyte_is_shown_and_followed(open_page: OpenPage) -> None:
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


def test_that_the_page_speaks_chinese(open_page: OpenPage) -> None:
    set_language("zh")
    page = open_page(*essays())
    assert page.value("document.documentElement.lang") == "zh-Hans"
    assert "汉明距离" in page.value("document.body.innerText")


def test_that_paper_shows_both_texts_whole_whatever_was_scrolled(open_page: OpenPage, tmp_path: Path) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    page = open_page(*essays())
    page.press("n")
    printed = pdfium.PdfDocument(page.printed())
    text = " ".join("".join(sheet.get_textpage().get_text_range() for sheet in printed).split())
    printed.close()
    for essay in essays():
        assert essay.splitlines()[-1] in text
        assert essay.splitlines()[0] in text
