"""HTML report of two long texts, in which the browser lays out only the parts near the visible area."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from simcompare.report import html_sections
from simcompare.report.html_report import render_html
from tests.end2end import browser
from tests.end2end.browser import Browser, Page
from tests.report.essays import comparison_of, evidence_of

pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="needs Chromium (apt-get install chromium)")

PLACES = ("mill", "market", "harbour", "forest", "station", "tower", "orchard", "quarry", "lake", "school")
OWN = "In {} {} walked to the {} and counted {} {} on the way, which nobody else ever wrote about."
THINGS = ("carts", "sheep", "lanterns", "barrels", "pigeons", "ladders", "windows", "chimneys")
COMMON = "The {} stone of bridge number {} was laid by a mason from the {} in the year {}."
EDITED = "My grandmother sold {} apples beside bridge {} every Saturday morning before the church bells rang."
SELECTED = "document.querySelector('.number a.framed').innerText"
PLACES_OF_FRAMED = """(() => {
  const framed = [...document.querySelectorAll('.match.framed, .number a.framed')];
  const tops = framed.map(mark => mark.getBoundingClientRect().top);
  const pane = document.querySelector('.pane').getBoundingClientRect().top;
  return [...tops, pane, document.querySelector('.inspector').getBoundingClientRect().top];
})()"""


def long_texts(lengths: Sequence[int] = (1, 2, 9, 40)) -> tuple[str, str]:
    """Two texts of 78,000 characters together, with common sentences in opposite order and uneven paragraphs.

    lengths: how many sentences of their own paragraphs may have.
    """
    chance = random.Random(5)

    def own_sentence(who: str) -> str:
        year, count = chance.randint(1500, 1999), chance.randint(20, 99)
        return OWN.format(year, who, chance.choice(PLACES), count, chance.choice(THINGS))

    common = [COMMON.format(PLACES[n % 10], n, PLACES[n % 7], 1600 + n) for n in range(24)]
    texts = []
    for who, apples, order in (("we", "ripe red", 1), ("they", "green", -1)):
        marked = [*common, *(EDITED.format(apples, n) for n in range(6))][::order]
        paragraphs = [
            " ".join(own_sentence(who) for _number in range(chance.choice(lengths))) for _sentence in marked
        ]
        lines = [line for pair in zip(paragraphs, marked, strict=True) for line in pair]
        texts.append("\n".join([*lines, f"The very last line of all is what {who} end with here tonight."]))
    return texts[0], texts[1]


def write_report(folder: Path, texts: tuple[str, str]) -> Path:
    path = folder / "long.html"
    page = render_html(evidence_of(comparison_of(folder, *texts)))
    assert 'class="long"' in page
    path.write_text(page, "utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(tmp_path_factory.mktemp("report"), long_texts())


@pytest.fixture
def page(chromium: Browser, report: Path) -> Iterator[Page]:
    open_page = chromium.open(report, 1280, 800, {"prefers-color-scheme": "light"})
    yield open_page
    assert open_page.error_messages() == []
    assert open_page.requests()[0] == report.as_uri()


def settled_tops(page: Page) -> list[float]:
    """Top edges of the two selected sentences, the texts and the inspector, once scrolling has ended."""
    frames = "requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))"
    page.value(f"new Promise(done => {{ {frames} }}).then(() => true)")
    return list(page.value(PLACES_OF_FRAMED))


def test_that_stepping_through_passages_aligns_both_sides(page: Page) -> None:
    count = page.value("document.querySelectorAll('.pane.l .number a').length")
    assert count >= 30
    for key, numbers in (("n", [1, 2, 3, 4, 5]), ("p", [4, 3, 2, 1, count, count - 1])):
        for number in numbers:
            page.press(key)
            left, right, pane, inspector = settled_tops(page)
            assert page.value(SELECTED) == str(number)
            assert abs(left - right) <= 1
            assert pane <= left < inspector


def test_that_a_click_far_down_in_a_text_aligns_the_partner(page: Page) -> None:
    last = page.value("[...document.querySelectorAll('.pane.r .match')].at(-2).id")
    page.value(f"document.getElementById({last!r}).scrollIntoView({{block: 'center'}})")
    assert page.value("document.querySelector('.pane.r').scrollTop > 1000")
    page.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    page.click(f"#{last}")
    left, right, pane, inspector = settled_tops(page)
    assert abs(left - right) <= 1
    assert pane <= right < inspector


def test_that_a_click_on_a_row_far_down_shows_its_sentences(page: Page) -> None:
    page.value("[...document.querySelectorAll('tbody tr a')].at(-1).click()")
    left, right, pane, inspector = settled_tops(page)
    assert abs(left - right) <= 1
    assert max(0, pane) <= left < min(inspector, 800)


def test_that_a_url_with_the_fragment_of_a_sentence_shows_it(page: Page) -> None:
    page.value("location.hash = [...document.querySelectorAll('.pane.r .match')].at(-1).id")
    edges = """(() => {
      const box = document.querySelector('.match:target').getBoundingClientRect();
      return [box.top, box.bottom];
    })()"""
    page.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    top, bottom = page.value(edges)
    # a highlight is one pixel higher than its line
    assert top >= -2
    assert bottom <= 800


def test_that_passages_of_a_hidden_kind_are_plain_text_and_skipped(page: Page) -> None:
    numbers = "[...document.querySelectorAll('.pane.l .number a')]"
    kinds = page.value(f"{numbers}.map(number => number.dataset.kind)")
    assert {"reworded", "edited"} <= set(kinds)
    page.click("input[data-kind=edited]")
    marks = "[...document.querySelectorAll('.pane .run.edited .match')]"
    assert page.value(f"{marks}.every(mark => getComputedStyle(mark).textDecorationLine === 'none')")
    page.value(f"{marks}[3].click()")
    assert page.value("document.querySelector('.inspector').hidden")
    for number in [place + 1 for place, kind in enumerate(kinds) if kind != "edited"][:3]:
        page.press("n")
        assert page.value(SELECTED) == str(number)
    page.click("input[data-kind=edited]")
    assert page.value(f"{marks}.every(mark => getComputedStyle(mark).textDecorationLine === 'underline')")


def test_that_header_and_rows_of_the_match_table_have_the_same_columns(page: Page) -> None:
    lefts = page.value(
        """['thead th', 'tbody tr > *'].map(name => [...document.querySelectorAll('.matches ' + name)]
          .map(cell => Math.round(cell.getBoundingClientRect().left)))"""
    )
    assert set(lefts[0]) == set(lefts[1])
    is_wider = "chip => chip.offsetWidth > chip.parentElement.clientWidth"
    assert not page.value(f"[...document.querySelectorAll('.chip')].some({is_wider})")


def test_that_text_never_scrolled_to_is_found_and_printed(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    monkeypatch.setattr(html_sections, "_SHORT_CHARACTERS", 10_000)  # printing takes long for 159 pages
    texts = long_texts((1, 2, 3))
    report = write_report(tmp_path, texts)
    page = chromium.open(report, 1280, 800, {"prefers-color-scheme": "light"})
    last = [text.splitlines()[-1] for text in texts]
    assert page.value(f"window.find({last[1]!r})")
    printed = pdfium.PdfDocument(page.printed())
    text = " ".join("".join(sheet.get_textpage().get_text_range() for sheet in printed).split())
    printed.close()
    for essay in texts:
        assert all(paragraph[:60] in text for paragraph in essay.splitlines())
    assert text.count(last[0]) >= 1
    assert page.error_messages() == []


def test_that_on_a_phone_screen_the_partner_is_scrolled_into_view(chromium: Browser, report: Path) -> None:
    page = chromium.open(report, 360, 740, {"prefers-color-scheme": "dark"})
    assert page.value("document.documentElement.scrollWidth") == 360
    page.value("document.querySelectorAll('.pane.l .match')[20].click()")
    _left, right, _pane, inspector = settled_tops(page)
    assert 0 <= right < inspector
    assert page.error_messages() == []


def test_that_short_texts_are_not_divided_into_parts(tmp_path: Path) -> None:
    essay = long_texts()[0][:3000]
    page = render_html(evidence_of(comparison_of(tmp_path, essay, essay)))
    assert 'class="long"' not in page
    assert 'class="part"' not in page
