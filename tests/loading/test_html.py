"""Web pages and HTML documents: blocks, titles, and parts that are left out."""

import pytest

from simcompare.loading import load_document, sniff
from simcompare.loading.extraction import DEFAULT_OPTIONS, ReadingOptions
from simcompare.model.document import BlockKind, DropReason
from simcompare.model.errors import DamagedFileError, EmptyFileError, NoTextError, TextNotInFileError
from tests.helpers import essay_files as files


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "gbk"])
def test_that_a_page_is_recognised_by_its_markup(encoding):
    assert sniff("<!DOCTYPE html>\n<p>你好</p>".encode(encoding)) == "html"
    assert sniff("\n<!-- saved -->\n<frameset cols='1,*'>".encode(encoding)) == "html"
    assert sniff(b"\xfe\xff" + "<html><p>你好".encode("utf-16-be")) == "html"


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "utf-16"])
def test_that_a_web_page_is_decoded_as_it_declares(tmp_path, encoding):
    title, paragraphs = files.ESSAYS["zh"]
    path = files.write_html(tmp_path / "essay.html", title, paragraphs, encoding=encoding)
    assert load_document(path).text.split("\n") == [title, *paragraphs]


def _load(tmp_path, markup, options=DEFAULT_OPTIONS):
    path = tmp_path / "page.html"
    path.write_text(markup, encoding="utf-8")
    return load_document(path, options)


def _page(tmp_path, body):
    return _load(tmp_path, f"<html><body>{body}</body></html>")


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
    deep = "<div><B\n>" * 5000 + "deep down" + "</B></div>" * 4990 + "</div >last"
    assert _page(tmp_path, f"<p>first</p>{deep}").text == "first\ndeep down\nlast"
    unseen = '<div hidden><div>unseen</div></div><div class="a">seen</div>'
    assert _page(tmp_path, "<div>" * 5000 + unseen).text == "seen"
    with pytest.raises(DamagedFileError, match="nested too deeply"):
        _page(tmp_path, "<p>first</p>" + '<div class="a">' * 5000 + "deep down")


def test_that_readings_above_characters_are_counted(tmp_path):
    receipt = _load(tmp_path, "<p><ruby>漢<rt>kan</rt>字<rt hidden>ji</rt></ruby>。</p>").receipt
    assert [(d.reason, d.characters, d.excerpt) for d in receipt.dropped] == [("phonetic_guide", 5, "kan ji")]
    assert not receipt.flags


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<p>foo<b>bar</b>, f<span>o</span>o</p>", ["foobar, foo"]),
        ("<p>one<my-word>two</my-word><wbr>three</p>", ["onetwothree"]),
        ("<p>caf&eacute;&nbsp;&amp;&#160;t&#x68;&eacute; &lt;3</p>", ["café & thé <3"]),
        ("<p>a<br>b<br/>c</p>", ["a", "b", "c"]),
        ("<b><p>a</p>b</b><i>c</i>", ["a", "bc"]),
        ("<p>a<div>b</div>c", ["a", "b", "c"]),
        ("<a href=x><h2>Head</h2>text</a>", ["Head", "text"]),
        ("<span style='display:block'>a</span><span style='display:block'>b</span>", ["a", "b"]),
        ("<pre>first  line\n  second\r\nthird</pre>", ["first line", "second", "third"]),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>", ["漢字"]),
        ("<dl><dt>word<dd>what it means</dl>", ["word", "what it means"]),
        ("<figure><img alt=x><figcaption>A river.</figcaption></figure>", ["A river."]),
        (
            "<table><caption>Rain</caption><tr><th>May<th>June<tr><td>3<td>4</table>",
            ["Rain", "May\tJune", "3\t4"],
        ),
        ("<table><tr><td>x<br>y<p>z</p></td><td></td></tr></table>", ["x y z\t"]),
        ("<table><tr><td hidden>x</td><td>y</td></tr></table>", ["y"]),
        ("<details><summary>More</summary><p>Told.</p></details>", ["More", "Told."]),
        ("<ol><li>a<li><p>b</p><p>c</p><li value=7>d</ol>", ["1. a", "2. b", "c", "7. d"]),
        ("<ol type=a start=3><li>x<ol type=I><li>y</ol><li>z</ol>", ["c. x", "I. y", "d. z"]),
        ("<ol style='list-style:none'><li>x</ol><ul><li>y</ul>", ["x", "y"]),
        ("<table border=1><tr><td><p>a<p>b<p>c<p>d<p>e</td><td>f</table>", ["a b c d e\tf"]),
        ("<template><p>no</p></template><p>yes</p>", ["yes"]),
        ("<p>H<sub>2</sub>O, x<sup>2</sup></p>", ["H2O, x2"]),
        ("<svg><title>no</title><text>one</text><text>two</text></svg>", ["one", "two"]),
        ("<p><math><mi>x</mi><mo>=</mo><mn>2</mn><annotation>x=2</annotation></math></p>", ["x=2"]),
        ("<iframe srcdoc='&lt;p&gt;within&lt;/p&gt;'></iframe><p>after</p>", ["within", "after"]),
        ("Name: <input value='Li Ming'><input type=hidden value=x>", ["Name: Li Ming"]),
        ("<textarea>line one\nline two</textarea>", ["line one", "line two"]),
        ("<p>kept <s>struck</s> <strike>out</strike> <ins>new</ins> <u>u</u></p>", ["kept struck out new u"]),
        ("<p>note<sup><a href='#fn1'>1</a></sup>.</p>", ["note."]),
        ("<video>Your browser is old.</video><canvas>no</canvas><object>no</object><p>yes</p>", ["yes"]),
        ("<p>unclosed <b>bold <i>both</b> text", ["unclosed bold both text"]),
        ("<p>a <b hidden>x</b> c</p>", ["a c"]),
        ("<p>1 < 2 & 3 > 2</p>", ["1 < 2 & 3 > 2"]),
    ],
)
def test_that_the_text_of_a_page_is_its_visible_text(tmp_path, body, lines):
    assert _page(tmp_path, body).text.split("\n") == lines


@pytest.mark.parametrize(
    "note",
    [
        "<aside role=doc-footnote><p>{}</p></aside>",
        "<section class=footnotes><ol><li><p>{} <a href='#r1' class=footnote-back>↩</a></p></ol></section>",
        "<div class=footnote>{}</div>",
        "<section role=doc-endnotes><p>{}</p></section>",
    ],
)
def test_that_notes_are_footnotes(tmp_path, note):
    document = _page(tmp_path, f"<p>Text.</p>{note.format('In spring.')}")
    assert document.text.split("\n") == ["Text.", "In spring."]
    assert document.blocks[1].kind is BlockKind.FOOTNOTE


def test_that_dropped_text_of_a_document_is_counted(tmp_path):
    document = _page(
        tmp_path,
        "<div id=toc><ul><li>Contents</li></ul></div><p>a <del>b</del> c</p><button>Send</button>"
        "<select><option>one</option></select>",
    )
    assert document.text == "a c"
    assert [(d.reason, d.characters, d.excerpt) for d in document.receipt.dropped] == [
        (DropReason.TABLE_OF_CONTENTS, 8, "Contents"),
        (DropReason.DELETED_REVISION, 1, "b"),
        (DropReason.NAVIGATION, 7, "Send one"),
    ]


def test_that_character_data_of_an_xhtml_file_is_text(tmp_path):
    markup = (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><a name="top"/>'
        "<p>1 <![CDATA[< 2 &]]>"
        " 3.</p><p/>end</body></html>"
    )
    assert _load(tmp_path, markup).text.split("\n") == ["1 < 2 & 3.", "end"]


def test_that_a_noscript_that_holds_the_page_is_read(tmp_path):
    text = "The river comes from the hills and goes to the sea, and nobody asks it why. " * 5
    assert _page(tmp_path, f"<script>x()</script><noscript><p>{text}</p></noscript>").text == text.strip()
    assert (
        _page(tmp_path, f"<p>{text}</p><noscript>Please enable JavaScript.</noscript>").text == text.strip()
    )


@pytest.mark.parametrize(
    ("markup", "cause"),
    [
        ("<html><body><div id=root></div><script src=main.js></script></body></html>", "a script"),
        (
            "<html><body><noscript>You need to enable JavaScript to run this app.</noscript>"
            "<div id=app></div><script>x()</script></body></html>",
            "a script",
        ),
        ("<html><body><div id=app></div><p>正在加载……</p><script>x()</script></body></html>", "a script"),
        ("<html><frameset cols='20%,*'><frame src=a.htm><frame src=b.htm></frameset></html>", "frames"),
        (
            "<html><head><meta http-equiv=refresh content='0; url=b.htm'></head>"
            "<body><a href=b.htm>Go on</a></body></html>",
            "another page",
        ),
    ],
)
def test_that_a_page_whose_text_is_elsewhere_gives_the_place(tmp_path, markup, cause):
    with pytest.raises(TextNotInFileError) as caught:
        _load(tmp_path, markup)
    assert cause in str(caught.value)
    assert "page.html" in str(caught.value)
    assert "save it as a complete web page" in str(caught.value)


def test_that_a_page_without_text_is_empty(tmp_path):
    with pytest.raises(EmptyFileError) as caught:
        _page(tmp_path, "<p>&nbsp;</p>")
    assert type(caught.value) is EmptyFileError
    with pytest.raises(NoTextError):
        _page(tmp_path, "<p>&nbsp;</p><img src=page1.jpg><img src=page2.jpg>")


def test_that_a_page_in_one_long_line_is_read(tmp_path):
    text = "The river sings. " * 60_000
    assert len(_page(tmp_path, f"<p>{text}<b>end</b></p>").text) == len(text) + 3


def test_that_control_characters_and_their_numbers_break_nothing(tmp_path):
    article = "".join(
        f"<p>Line {n} of the story\x01 goes &#1;on&#x0b; and on&#128;.\x0c</p>" for n in range(9)
    )
    text = _load(tmp_path, _site(f"<article>{article}</article>")).text
    assert text.startswith("Line 0 of the story goes on and on€.")


def test_that_markup_without_an_element_is_empty(tmp_path):
    with pytest.raises(EmptyFileError):
        _load(tmp_path, "<!DOCTYPE html>  ")


def test_that_thousands_of_rules_over_deep_elements_are_read_in_time(tmp_path):
    rules = "".join(f".a{n} .b{n} div, .a{n} div b {{color:#fff}}" for n in range(2000))
    elements = "".join(f"<div class='c{n % 7}'><b>x</b>" for n in range(500))
    assert len(_page(tmp_path, f"<style>{rules}</style>{elements}").blocks) == 500


@pytest.mark.parametrize(
    "opening",
    ["<!--[if gte vml 1]><v:textbox>", "<!--[if gte vml 1]><v:textbox><![endif]-->", "<", "<style>/*"],
)
def test_that_a_hundred_thousand_open_elements_are_read_quickly(tmp_path, opening):
    assert _page(tmp_path, f"<p>text</p>{opening * 100_000}").text.startswith("text")


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "&nbsp;", "\u3000"])
def test_that_a_site_with_a_desert_of_blanks_is_read(tmp_path, blank):
    text = "".join(f"<p>Part {n} of the story is told here at some length.</p>" for n in range(9))
    site = _site(f"<article><h1>River</h1><p>x{blank * 200_000}y</p>{text}</article>")
    assert _load(tmp_path, site).text.count("is told here") == 9


def test_that_cells_within_hundreds_of_elements_are_read(tmp_path):
    cell = "<span>" * 900 + "deep"
    assert _page(tmp_path, f"<table><tr><td>{cell}</td><td>b</td></tr></table>").text == "deep\tb"


def _site(article):
    links = "".join(f'<li><a href="https://example.org/{n}">Link {n}</a></li>' for n in range(30))
    return (
        f"<html><body><nav><ul>{links}</ul></nav>{article}"
        f"<footer>Imprint {links}</footer><form><button>Search</button></form></body></html>"
    )


def test_that_a_site_is_left_out_around_its_article(tmp_path):
    title, paragraphs = files.ESSAYS["en"]
    article = "".join(f"<p>{text}</p>" for text in paragraphs * 2)
    document = _load(tmp_path, _site(f"<article><h1>{title}</h1>{article}</article>"))
    assert "Link 3" not in document.text
    assert all(text in document.text for text in paragraphs)
    [dropped] = document.receipt.dropped
    assert dropped.reason is DropReason.NAVIGATION
    assert dropped.characters > 200
    assert dropped.excerpt.startswith("Search Link 0 Link 1")


def test_that_paragraphs_that_a_site_fades_in_are_read(tmp_path):
    text = "".join(f"<p class=fade>Part {n} of the story is told here at some length.</p>" for n in range(9))
    site = _site(
        f"<style>.fade{{opacity:0}}</style><article><h1>River</h1>{text}</article><script>x()</script>"
    )
    document = _load(tmp_path, site)
    assert document.text.count("is told here") == 9
    assert "Link 3" not in document.text


def test_that_the_whole_page_is_read_on_request(tmp_path):
    markup = _site(
        "<article><h1>River</h1>" + "<p>It sings all the year round, they say.</p>" * 9 + "</article>"
    )
    whole = _load(tmp_path, markup, ReadingOptions(whole_page=True))
    assert "Link 3" in whole.text
    assert "Imprint" in whole.text
    assert [(d.reason, d.excerpt) for d in whole.receipt.dropped] == [(DropReason.NAVIGATION, "Search")]


@pytest.mark.parametrize("charset", ["uu", "base64", "undefined"])
def test_that_a_page_whose_charset_is_no_encoding_of_text_is_read(tmp_path, charset):
    path = tmp_path / "page.html"
    start = f'<html><head><meta charset="{charset}"></head><body>'
    path.write_bytes(f"{start}<p>河水清清的，一年四季都在唱歌，岸边的柳树也绿了。</p>".encode("gb18030"))
    assert load_document(path).text == "河水清清的，一年四季都在唱歌，岸边的柳树也绿了。"
