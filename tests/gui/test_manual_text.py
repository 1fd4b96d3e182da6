"""Pages of the manual: links, pictures, anchors, and the menus that they name."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from simcompare.support.i18n import LANGUAGES, using_language
from simcompare.support.resources import resource_path
from simcompare.ui.manual.manual_pages import INDEX, manual_path, page_of, pages_of, search_page

FILES = sorted(manual_path().rglob("*.md"))
_ANCHOR = re.compile(r'<a id="([a-z-]+)"></a>')


def tokens_of(path: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(path.read_text("utf-8"))


def parts_of(path: Path, kind: str) -> Iterator[Token]:
    return (child for token in tokens_of(path) for child in token.children or [] if child.type == kind)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_that_every_link_leads_to_a_page_and_heading_of_the_manual(path: Path) -> None:
    for link in parts_of(path, "link_open"):
        page, _hash, anchor = str(link.attrs["href"]).partition("#")
        target = path.parent / page if page else path
        assert target.resolve() in FILES, link.attrs["href"]
        assert not anchor or anchor in _ANCHOR.findall(target.read_text("utf-8")), link.attrs["href"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_that_every_picture_exists_and_is_described(path: Path) -> None:
    for picture in parts_of(path, "image"):
        assert (path.parent / str(picture.attrs["src"])).is_file()
        assert len(picture.content) > 10


def test_that_every_picture_is_used_in_its_language() -> None:
    used = [
        (path, path.parent / str(each.attrs["src"])) for path in FILES for each in parts_of(path, "image")
    ]
    assert {picture.resolve() for _page, picture in used} == set(manual_path("pictures").iterdir())
    assert all(picture.stem.endswith(f"-{page.parent.name}") for page, picture in used)


def test_that_both_languages_have_the_same_pages_and_anchors() -> None:
    def anchors(language: str) -> list[tuple[str, list[str]]]:
        return [(page.name, [each.anchor for each in page.sections]) for page in pages_of(language)]

    assert anchors("zh") == anchors("en")
    assert {path.stem for path in FILES} == {page.name for page in pages_of("en")}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_that_every_heading_below_the_title_has_an_anchor_of_its_own(path: Path) -> None:
    title, *sections = page_of(path.parent.name, path.stem).sections
    anchors = [section.anchor for section in sections]
    assert not title.anchor
    assert all(anchors)
    assert len(set(anchors)) == len(anchors)


def test_that_lines_of_chinese_text_are_joined_without_a_blank() -> None:
    text = page_of("zh", INDEX).sections[0].text
    assert "程序不下结论。全部计算都在您的电脑上完成" in text
    assert "程序不下结论。全部计算都在您的电脑上完成" in page_of("zh", INDEX).html


@pytest.mark.parametrize(("language", "query"), [("en", "class  LIST"), ("zh", "名单 学号")])
def test_that_a_search_finds_sections_with_all_words_and_marks_them(language: str, query: str) -> None:
    with using_language(language):
        html = search_page(language, query)
    assert 'href="what-does-not-count.html#class-list"' in html
    assert all(re.search(f"<b>{word}</b>", html, re.IGNORECASE) for word in query.split())


def test_that_a_search_shows_markup_as_text_and_says_if_nothing_is_found() -> None:
    html = search_page("en", "<b>no such word</b>")
    assert "&lt;b&gt;no such word&lt;/b&gt;" in html
    assert "does not contain this" in html


_WORDS_OF_MENUS = {
    "en": re.compile(r"\*([^*>#]{2,40}) > ([^*>#]{2,40})\*"),
    "zh": re.compile(r"“([^”]+)” ?→ ?“([^”]+)”"),
}
_MNEMONIC = re.compile(r"\(&.\)|&")


def catalogue_words(language: str) -> set[str]:
    """All texts of the window in a language, without mnemonics."""
    text = resource_path("i18n", "zh", "LC_MESSAGES", "simcompare.po").read_text("utf-8")
    kind = "msgid" if language == "en" else "msgstr"
    found = re.findall(rf'^{kind} ((?:"(?:[^"\\]|\\.)*"\n?)+)', text, re.MULTILINE)
    joined = ("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', each)).replace('\\"', '"') for each in found)
    return {_MNEMONIC.sub("", each) for each in joined}


def named_entries(language: str) -> list[tuple[str, str, str]]:
    """Page, menu and entry of each place where the manual names an entry of a menu."""
    return [
        (path.stem, menu, entry)
        for path in FILES
        if path.parent.name == language
        for menu, entry in _WORDS_OF_MENUS[language].findall(" ".join(path.read_text("utf-8").split()))
    ]


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_that_menus_are_named_as_the_window_names_them(language: str) -> None:
    words = catalogue_words(language)
    named = named_entries(language)
    assert len(named) > 15
    assert not [each for each in named if each[1] not in words or each[2] not in words]
