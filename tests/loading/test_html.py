"""Web pages and HTML documents: blocks, titles, what is left out."""

import pytest

from simcompare.errors import DamagedFileError
from simcompare.loading import load_document
from tests.helpers import essay_files as files


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "utf-16"])
def test_that_a_web_page_is_decoded_as_it_declares(tmp_path, encoding):
    title, paragraphs = files.ESSAYS["zh"]
    path = files.write_html(tmp_path / "essay.html", title, paragraphs, encoding=encoding)
    assert load_document(path).text.split("\n") == [title, *paragraphs]


def _page(tmp_path, body):
    path = tmp_path / "page.html"
    path.write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    return load_document(path)


def test_that_the_blocks_of_a_web_page_keep_their_kinds(tmp_path):
    document = _page(
        tmp_path,
        "<h2>Head</h2><p>One<br>two <b>bold</b></p><ul><li>item</ul><blockquote><p>said</p></blockquote>"
        "<table><tr><td>a</td><td><p>b</p></td></tr></table><script>var x</script><p hidden>unseen</p>loose",
    )
    assert [(b.kind.value, b.span.of(document.text)) for b in document.blocks] == [
        ("title", "Head"),
        ("paragraph", "One"),
        ("paragraph", "two bold"),
        ("list_item", "item"),
        ("quotation", "said"),
        ("table_row", "a\tb"),
        ("paragraph", "loose"),
    ]
    assert [(d.reason, d.characters) for d in document.receipt.dropped] == [("hidden_text", 6)]


def test_that_a_table_that_lays_out_a_page_is_read_as_the_page(tmp_path):
    document = _page(
        tmp_path, "<table><tr><td><h1>Title</h1><p>One.</p></td><td><p>Two.</p></td></tr></table>"
    )
    assert document.text.split("\n") == ["Title", "One.", "Two."]


def test_that_a_thousand_open_elements_do_not_stop_the_reader(tmp_path):
    assert _page(tmp_path, "<div><b>" * 500 + "deep down").text == "deep down"


def test_that_a_page_nested_beyond_all_reason_loses_nothing_in_silence(tmp_path):
    with pytest.raises(DamagedFileError):
        _page(tmp_path, "<p>first</p>" + "<div><b>" * 5000 + "deep down")


def test_that_a_site_is_left_out_around_its_article(tmp_path):
    title, paragraphs = files.ESSAYS["en"]
    links = "".join(f'<li><a href="https://example.org/{n}">Link {n}</a></li>' for n in range(30))
    article = "".join(f"<p>{text}</p>" for text in paragraphs * 2)
    footer = f"<footer>Imprint {links}</footer>"
    document = _page(
        tmp_path, f"<nav><ul>{links}</ul></nav><article><h1>{title}</h1>{article}</article>{footer}"
    )
    assert "Link 3" not in document.text
    assert all(text in document.text for text in paragraphs)
    assert [dropped.reason for dropped in document.receipt.dropped] == ["navigation"]
