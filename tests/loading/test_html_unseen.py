"""Invisible text of HTML documents is left out and flagged with its place; ordinary pages are not flagged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from simcompare.loading import load_document
from simcompare.loading.formats.web.css_cascade import Cascade
from simcompare.loading.shared.visibility import are_alike, colour_in
from simcompare.model.document import DropReason, FlagName, Place

SECRET = "borrowed words"


def _load(tmp_path, body, head=""):
    path = tmp_path / "essay.html"
    path.write_text(f"<html><head>{head}</head>{body}</html>", encoding="utf-8")
    return load_document(path)


@pytest.mark.parametrize(
    ("style", "reason"),
    [
        ("display:none", DropReason.HIDDEN_TEXT),
        ("DISPLAY : None !important", DropReason.HIDDEN_TEXT),
        ("visibility:hidden", DropReason.HIDDEN_TEXT),
        ("visibility:collapse", DropReason.HIDDEN_TEXT),
        ("opacity:0", DropReason.HIDDEN_TEXT),
        ("opacity:.01", DropReason.HIDDEN_TEXT),
        ("mso-hide:all", DropReason.HIDDEN_TEXT),
        ("height:0;overflow:hidden", DropReason.HIDDEN_TEXT),
        ("position:absolute;clip:rect(0,0,0,0)", DropReason.HIDDEN_TEXT),
        ("position:absolute; clip:rect(1px 1px 1px 1px)", DropReason.HIDDEN_TEXT),
        ("clip-path:inset(50%)", DropReason.HIDDEN_TEXT),
        ("transform:scale(0)", DropReason.HIDDEN_TEXT),
        ("transform:rotate(0) scaleX(.01)", DropReason.HIDDEN_TEXT),
        ("filter:blur(0) opacity(0%)", DropReason.HIDDEN_TEXT),
        ("font-size:0", DropReason.TINY_TEXT),
        ("font-size:1px", DropReason.TINY_TEXT),
        ("font-size:1.0pt", DropReason.TINY_TEXT),
        ("font-size:5%", DropReason.TINY_TEXT),
        ("font:1px/1 SimSun", DropReason.TINY_TEXT),
        ("color:white", DropReason.WHITE_TEXT),
        ("color:#fff", DropReason.WHITE_TEXT),
        ("color:#FDFDFD", DropReason.WHITE_TEXT),
        ("color:rgb(255, 255, 255)", DropReason.WHITE_TEXT),
        ("color:transparent", DropReason.WHITE_TEXT),
        ("color:hsl(120deg 50% 99%)", DropReason.WHITE_TEXT),
        ("color:hsla(0, 0%, 0%, 0)", DropReason.WHITE_TEXT),
        ("color:rgba(0,0,0,0)", DropReason.WHITE_TEXT),
        ("color:#123;background:#112233", DropReason.WHITE_TEXT),
        ("color:white;text-shadow:none", DropReason.WHITE_TEXT),
        ("color:white;text-shadow:1px 1px white", DropReason.WHITE_TEXT),
        ("color:white;text-shadow:1px 1px", DropReason.WHITE_TEXT),
        ("color:white;text-shadow:0 0 0 #000", DropReason.WHITE_TEXT),
        ("color:white;text-shadow:1px 1px rgba(0,0,0,.05)", DropReason.WHITE_TEXT),
        ("color:white;text-shadow:-9999px 0 #000", DropReason.WHITE_TEXT),
        ("color:white;-webkit-text-stroke:1px", DropReason.WHITE_TEXT),
        ("color:white;-webkit-text-stroke:0 black", DropReason.WHITE_TEXT),
        ("position:absolute;left:-9999px", DropReason.OUTSIDE_PAGE),
        ("position:fixed;top:-100em", DropReason.OUTSIDE_PAGE),
        ("position:relative;left:-9999px", DropReason.OUTSIDE_PAGE),
        ("text-indent:-9999px", DropReason.OUTSIDE_PAGE),
        ("margin-left:-5000px", DropReason.OUTSIDE_PAGE),
    ],
)
def test_that_a_trick_is_left_out_and_placed(tmp_path, style, reason):
    document = _load(
        tmp_path,
        f"<body><p>First.</p><p>Se<span style='{style}'>{SECRET}</span>cond.</p><p>Third.</p></body>",
    )
    assert document.text.split("\n") == ["First.", "Second.", "Third."]
    [flag] = document.receipt.flags
    assert (flag.name, flag.count) == (FlagName(reason.value), 13)
    assert flag.places == (Place(paragraph=2),)
    assert flag.excerpt == SECRET
    assert [(d.reason, d.characters, d.excerpt) for d in document.receipt.dropped] == [(reason, 13, SECRET)]


@pytest.mark.parametrize(
    ("rule", "attributes"),
    [
        (".x{color:#fff}", "class=x"),
        (".a .x, h1 {display:none}", "class=x"),
        ("div > p > span {visibility:hidden}", ""),
        ("#x{font-size:1px}", "id=x"),
        ("@media screen { span.x {opacity:0} }", "class='y x'"),
        ("<!-- /* Word */ span.x {mso-style-name:x; display:none;} -->", "class=x"),
        (".x{display:none !important}", "class=x style='display:inline'"),
    ],
)
def test_that_a_style_sheet_in_the_page_hides_as_well(tmp_path, rule, attributes):
    body = f"<body><div class=a><p>Seen.<span {attributes}>{SECRET}</span></p></div></body>"
    document = _load(tmp_path, body, f"<style>{rule}</style>")
    assert document.text == "Seen."
    assert document.receipt.doubtful


@pytest.mark.parametrize(
    "rule",
    [
        "@media print{.x{display:none}}",
        "@keyframes k{from{display:none}}",
        ".x:hover{display:none}",
        ".other .x{display:none}",
        "p > .x{display:none}",
        ".x{display:none} p .x{display:inline}",
        ".x{color:#fff} #x{color:#000}",
        ".x{font-size:0} .x{font-size:12pt}",
    ],
)
def test_that_a_rule_that_does_not_hold_hides_nothing(tmp_path, rule):
    body = f"<body><p>Seen, <i><span class=x id=x>{SECRET}</span></i></p></body>"
    document = _load(tmp_path, body, f"<style>{rule}</style>")
    assert document.text == f"Seen, {SECRET}"
    assert document.receipt.flags == ()


@pytest.mark.parametrize(
    "body",
    [
        "<body bgcolor=black text=white><p>{}</p></body>",
        "<body bgcolor=000000><p><font color=FFFFFF>{}</font></p></body>",
        "<body style='background:#222;color:#eee'><div><p>{}</p></div></body>",
        "<body><table><tr><td bgcolor='#336699'><font color=white>{}</font></td></tr></table></body>",
        "<body><table bgcolor=navy><tr><td><span style='color:#fff'>{}</span></td></tr></table></body>",
        "<body><p><span style='color:white;background:black;mso-highlight:black'>{}</span></p></body>",
        "<body><div style='background:url(night.jpg)'><p style='color:#fff'>{}</p></div></body>",
        "<body><p style='background:linear-gradient(red,blue);color:transparent'>{}</p></body>",
        "<body><div style='font-size:0'><span style='font-size:14px'>{}</span></div></body>",
        "<body><div style='visibility:hidden'><p style='visibility:visible'>{}</p></div></body>",
        "<body style='color:white'><p><a href='x.html'>{}</a></p></body>",
        "<body><p aria-hidden=true>{}</p></body>",
        "<body><details><summary>{}</summary></details></body>",
        "<body><p style='text-indent:-21pt;margin-left:-20px;overflow:hidden;width:100%'>{}</p></body>",
        "<body><p style='color:#888'>{}</p></body>",
        "<body><p style='color:var(--ink)'>{}</p></body>",
        "<body><p style='color:white;text-shadow:1px 1px 2px #000'>{}</p></body>",
        "<body><p style='color:#fff;text-shadow:0 0 3px rgba(0, 0, 0, .8), 0 0 5px #fff'>{}</p></body>",
        "<body><div style='text-shadow:navy .1em .1em'><p style='color:#fff'>{}</p></div></body>",
        "<body><h1 style='color:white;-webkit-text-stroke:1px black'>{}</h1></body>",
        "<body><p style='color:white;-webkit-text-stroke-width:thin;"
        "-webkit-text-stroke-color:red'>{}</p></body>",
        "<body><p style='color:white;text-shadow:var(--shade)'>{}</p></body>",
        "<body><p><span style='color:white;text-effect:outline'>{}</span></p></body>",
    ],
)
def test_that_honest_text_is_neither_lost_nor_accused(tmp_path, body):
    document = _load(tmp_path, body.format("An honest line."))
    assert document.text == "An honest line."
    assert document.receipt.flags == ()


def test_that_a_sheet_that_is_not_here_may_colour_what_has_a_class(tmp_path):
    link = "<link rel=stylesheet href='essay_files/night.css'>"
    body = (
        "<body><div class=night><p style='color:#fff'>By night.</p></div>"
        "<p style='color:#fff'>Hidden.</p></body>"
    )
    document = _load(tmp_path, body, link)
    assert document.text == "By night."
    assert [flag.name for flag in document.receipt.flags] == [FlagName.WHITE_TEXT]


def test_that_hidden_text_at_either_end_has_a_place(tmp_path):
    document = _load(tmp_path, "<body><p hidden>above</p><p>One.</p><p>Two.</p><p hidden>below</p></body>")
    [flag] = document.receipt.flags
    assert flag.places == (Place(paragraph=1), Place(paragraph=2))


def test_that_text_shown_by_a_script_is_not_hidden_text(tmp_path):
    article = "".join(f"<p>这是公众号文章的第{n}段，内容写得清清楚楚，读者一看就明白。</p>" for n in range(9))
    body = (
        "<body><h1 class=rich_media_title id=activity-name>秋天的河</h1>"
        f"<div id=js_content style='visibility: hidden; opacity: 0'>{article}"
        "<p style='display:none'>广告</p></div>"
        "<div>微信扫一扫 赞赏作者</div><script>show()</script></body>"
    )
    document = _load(tmp_path, body, "<meta property=og:title content=秋天的河><title></title>")
    assert document.title == "秋天的河"
    assert document.text.count("公众号文章") == 9
    assert "赞赏" not in document.text
    assert "广告" not in document.text
    assert document.receipt.flags == ()


def test_that_the_hidden_menus_of_a_page_with_scripts_cast_no_doubt_on_it(tmp_path):
    body = (
        "<body><nav><a href='a.html'>A</a><ul style='display:none'><li>B</li></ul></nav><p>One.</p>"
        "<p style='font-size:1px'>tiny</p><script>menus()</script></body>"
    )
    flags = {flag.name: flag.doubtful for flag in _load(tmp_path, body).receipt.flags}
    assert flags == {FlagName.HIDDEN_TEXT: False, FlagName.TINY_TEXT: True}


def test_that_an_article_page_is_not_accused_of_its_hidden_menus(tmp_path):
    links = "".join(f'<li><a href="https://example.org/{n}">Link {n}</a></li>' for n in range(9))
    text = "".join(
        f"<p>Paragraph {n} tells at some length how the river came to the town.</p>" for n in range(9)
    )
    body = (
        f"<body><nav style='display:none'><ul>{links}</ul></nav><article><h1>The river</h1>{text}"
        f"<p style='color:#fff'>{SECRET}</p></article></body>"
    )
    document = _load(tmp_path, body)
    assert SECRET not in document.text
    assert document.receipt.flags == ()
    assert {dropped.reason for dropped in document.receipt.dropped} >= {
        DropReason.HIDDEN_TEXT,
        DropReason.WHITE_TEXT,
    }


@given(st.text(alphabet="ap.#{}>,*:;@/!-+ ()%019ecolr", max_size=120))
def test_that_any_style_sheet_is_taken_as_it_is(sheet):
    element = html.fragment_fromstring("<div class=a><p id=p class='a c' style='color:red'>x</p></div>")
    cascade = Cascade([sheet])
    assert isinstance(dict(cascade.enter(element)), dict)
    assert cascade.enter(element[0])["color"]


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_that_a_colour_is_read_however_it_is_written(colour):
    red, green, blue = colour
    for written in (
        f"#{red:02x}{green:02x}{blue:02x}",
        f"rgb({red},{green}, {blue})",
        f"rgba({red} {green} {blue} / 1)",
    ):
        assert colour_in(written) == (colour, 1.0)
    assert are_alike(colour, colour)


@given(st.text(alphabet="#rgbahsl(),.% 0159transparentwhite", max_size=40))
def test_that_any_colour_is_taken_as_it_is(value):
    found = colour_in(value)
    assert found is None or len(found[0]) == 3
