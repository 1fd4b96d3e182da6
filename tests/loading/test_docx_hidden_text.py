"""Hidden text of Word files: dropped, counted, flagged with its place."""

import re

import pytest

from simcompare.loading import load_document
from simcompare.model.document import Place
from simcompare.model.errors import EmptyFileError, HiddenTextError
from tests.helpers.essay_files import paragraph_xml, write_body_xml

WHITE = '<w:color w:val="FFFFFF"/>'
UNSEEN = "a sentence that nobody sees"
SEEN = "An honest sentence."
BLUE_CELL = '<w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="1F4E79"/></w:tcPr>'
BOX = (
    '<w:p><w:r><w:t>{around}</w:t></w:r><w:r><w:drawing><wp:anchor behindDoc="0">'
    '{position}<wp:extent cx="{size}" cy="{size}"/><wp:docPr id="1" name="b"{hidden}/>'
    "<wps:wsp><wps:spPr>{fill}</wps:spPr><wps:txbx><w:txbxContent>{inside}</w:txbxContent></wps:txbx></wps:wsp></wp:anchor></w:drawing></w:r></w:p>"
)
TABLE_STYLE = (
    '<w:style w:type="table" w:styleId="Dark"><w:name w:val="Dark"/><w:tblStylePr w:type="firstRow">'
    '<w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:tcPr><w:shd w:val="clear" w:fill="333333"/></w:tcPr>'
    "</w:tblStylePr></w:style>"
)


def run_xml(text, look):
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def box_xml(inside, *, position="", size=2_000_000, hidden="", fill=""):
    return BOX.format(around=SEEN, inside=inside, position=position, size=size, hidden=hidden, fill=fill)


def styles_xml(*styles):
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    return f"<w:styles {space}>{''.join(styles)}</w:styles>"


def load(tmp_path, body, **parts):
    return load_document(write_body_xml(tmp_path / "case.docx", body, **parts))


LOOKS = {
    "hidden": ("hidden_text", "<w:vanish/>"),
    "white": ("white_text", '<w:color w:val="FFFFFF"/>'),
    "white of the theme": ("white_text", '<w:color w:themeColor="background1"/>'),
    "nearly white": ("white_text", '<w:color w:val="FEFDFE"/>'),
    "white in its effect": (
        "white_text",
        "<w14:textFill xmlns:w14='http://schemas.microsoft.com/office/word/2010/wordml'>"
        '<w14:solidFill><w14:schemeClr w14:val="bg1"/></w14:solidFill></w14:textFill>',
    ),
    "black on black": ("white_text", '<w:color w:val="000000"/><w:highlight w:val="black"/>'),
    "one point high": ("tiny_text", '<w:sz w:val="2"/>'),
    "squeezed to a line": ("tiny_text", '<w:w w:val="1"/>'),
}


@pytest.mark.parametrize(("reason", "look"), LOOKS.values(), ids=LOOKS)
def test_that_hidden_characters_are_dropped_and_flagged(tmp_path, reason, look):
    body = paragraph_xml("The first paragraph.") + f"<w:p>{run_xml(SEEN, '')}{run_xml(UNSEEN, look)}</w:p>"
    document = load(tmp_path, body)
    assert document.text.split("\n") == ["The first paragraph.", SEEN]
    (flag,) = document.receipt.flags
    assert (flag.name, flag.count, flag.doubtful) == (reason, 23, True)
    assert (flag.excerpt, flag.places) == (UNSEEN, (Place(paragraph=2),))
    assert [(dropped.reason, dropped.characters) for dropped in document.receipt.dropped] == [(reason, 23)]


COPIED = "The keeper climbed the steps of the lighthouse every evening before the storm."


@pytest.mark.parametrize("look", ["white", "one point high"])
@pytest.mark.parametrize("unseen", ["x", "xyz", ",", "。"])
def test_that_unseen_characters_in_place_of_blanks_leave_blanks(tmp_path, look, unseen):
    runs = run_xml(unseen, LOOKS[look][1]).join(run_xml(word, "") for word in COPIED.split())
    document = load(tmp_path, paragraph_xml(SEEN) + f"<w:p>{runs}</w:p>")
    assert document.text.split("\n") == [SEEN, COPIED]


@pytest.mark.parametrize("look", ["white", "one point high"])
@pytest.mark.parametrize("text", [COPIED, "石桥下面的水在夏天总是很浅。"])
def test_that_unseen_characters_within_words_leave_the_words_whole(tmp_path, look, text):
    halves = [word[i : i + 2] for word in re.findall(r"\S+\s?", text) for i in range(0, len(word), 2)]
    runs = run_xml("x", LOOKS[look][1]).join(run_xml(half, "") for half in halves)
    assert load(tmp_path, f"<w:p>{runs}</w:p>").text == text


@pytest.mark.parametrize(("stops", "doubtful"), [(2, False), (3, True)])
def test_that_white_full_stops_make_a_document_doubtful(tmp_path, stops, doubtful):
    runs = "".join(run_xml("石桥很老", "") + run_xml("。", LOOKS["white"][1]) for _stop in range(stops))
    (flag,) = load(tmp_path, f"<w:p>{runs}</w:p>").receipt.flags
    assert (flag.name, flag.count, flag.doubtful) == ("white_text", stops, doubtful)


HONEST_LOOKS = {
    "shown on screen alone": "<w:webHidden/>",
    "not hidden after all": '<w:vanish w:val="0"/>',
    "white on a highlight": '<w:color w:val="FFFFFF"/><w:highlight w:val="darkBlue"/>',
    "white on its own shading": '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="333333"/>',
    "white and outlined": '<w:color w:val="FFFFFF"/><w:outline/>',
    "of the colour that suits the ground": '<w:color w:val="auto"/><w:shd w:val="clear" w:fill="000000"/>',
    "yellow": '<w:color w:val="FFFF00"/>',
    "light grey": '<w:color w:val="D9D9D9"/>',
    "small": '<w:sz w:val="8"/>',
}


@pytest.mark.parametrize("look", HONEST_LOOKS.values(), ids=HONEST_LOOKS)
def test_that_visible_text_is_not_flagged(tmp_path, look):
    document = load(tmp_path, f"<w:p>{run_xml(SEEN, look)}</w:p>")
    assert document.text == SEEN
    assert not document.receipt.flags


def test_that_styles_hide_text_too(tmp_path):
    styles = styles_xml(
        '<w:style w:type="character" w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style>',
        '<w:style w:type="character" w:styleId="Based"><w:basedOn w:val="Base"/></w:style>',
        f'<w:style w:type="paragraph" w:styleId="White"><w:name w:val="W"/><w:rPr>{WHITE}</w:rPr></w:style>',
    )
    hidden = run_xml("hidden by style", '<w:rStyle w:val="Based"/>')
    white = paragraph_xml("white by style", properties='<w:pPr><w:pStyle w:val="White"/></w:pPr>')
    body = f"<w:p>{run_xml(SEEN, '')}{hidden}</w:p>{white}"
    document = load(tmp_path, body, **{"word/styles.xml": styles})
    assert document.text == SEEN
    assert {(flag.name, flag.excerpt) for flag in document.receipt.flags} == {
        ("hidden_text", "hidden by style"),
        ("white_text", "white by style"),
    }


def test_that_white_words_in_a_shaded_table_head_are_kept(tmp_path):
    cells = (f"<w:tc>{BLUE_CELL}<w:p>{run_xml(word, WHITE)}</w:p></w:tc>" for word in ("Name", "Mark"))
    document = load(tmp_path, f"<w:tbl><w:tr>{''.join(cells)}</w:tr></w:tbl>")
    assert document.text == "Name\tMark"
    assert not document.receipt.flags


def test_that_a_table_style_shades_its_head_alone(tmp_path):
    rows = "".join(
        f"<w:tr><w:tc><w:p>{run_xml(text, look)}</w:p></w:tc><w:tc>{paragraph_xml('x')}</w:tc></w:tr>"
        for text, look in [("Head", ""), ("Seen", ""), ("Unseen", WHITE)]
    )
    body = f'<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr>{rows}</w:tbl>'
    document = load(tmp_path, body, **{"word/styles.xml": styles_xml(TABLE_STYLE)})
    assert document.text.split("\n") == ["Head\tx", "Seen\tx", "\tx"]
    assert [(flag.name, flag.excerpt) for flag in document.receipt.flags] == [("white_text", "Unseen")]


WHITE_PARAGRAPH = f"<w:p>{run_xml('white words', WHITE)}</w:p>"


def filled_box_xml(colour):
    return box_xml(WHITE_PARAGRAPH, fill=f"<a:solidFill>{colour}</a:solidFill>")


BOXES = {
    "white on a white box": (filled_box_xml('<a:srgbClr val="FFFFFF"/>'), "white_text"),
    "white on a dark box": (filled_box_xml('<a:srgbClr val="203864"/>'), None),
    "white on a box of the theme": (filled_box_xml('<a:schemeClr val="accent1"/>'), None),
    "a box of no size": (box_xml(paragraph_xml("boxed"), size=10), "hidden_text"),
    "a box that is switched off": (box_xml(paragraph_xml("boxed"), hidden=' hidden="1"'), "hidden_text"),
    "a box beside the page": (
        box_xml(
            paragraph_xml("boxed"),
            position='<wp:positionH relativeFrom="page"><wp:posOffset>-9000000</wp:posOffset></wp:positionH>',
        ),
        "outside_page",
    ),
    "a box on the page": (
        box_xml(
            paragraph_xml("boxed"),
            position='<wp:positionH relativeFrom="page"><wp:posOffset>900000</wp:posOffset></wp:positionH>',
        ),
        None,
    ),
}


@pytest.mark.parametrize(("body", "reason"), BOXES.values(), ids=BOXES)
def test_that_a_text_box_is_hidden_by_its_background_or_position(tmp_path, body, reason):
    document = load(tmp_path, body)
    assert [flag.name for flag in document.receipt.flags] == ([reason] if reason else [])
    assert len(document.blocks) == (1 if reason else 2)


def test_that_text_on_lines_without_height_is_dropped(tmp_path):
    flat = '<w:pPr><w:spacing w:line="2" w:lineRule="exact"/></w:pPr>'
    document = load(tmp_path, paragraph_xml(SEEN) + paragraph_xml(UNSEEN, properties=flat))
    assert document.text == SEEN
    assert [flag.name for flag in document.receipt.flags] == ["tiny_text"]


def test_that_white_text_on_a_page_picture_is_kept(tmp_path):
    picture = (
        '<w:p><w:r><w:drawing><wp:anchor behindDoc="1"><wp:extent cx="7560000" cy="10692000"/>'
        "</wp:anchor></w:drawing></w:r></w:p>"
    )
    document = load(tmp_path, picture + WHITE_PARAGRAPH)
    assert document.text == "white words"
    assert not document.receipt.flags


def picture_xml(centimetres):
    size = centimetres * 360_000
    return (
        f'<w:p><w:r><w:drawing><wp:inline><wp:extent cx="{size}" cy="{size}"/><a:blip r:embed="rId99"/>'
        "</wp:inline></w:drawing></w:r></w:p>"
    )


def test_that_pictures_instead_of_text_are_doubtful(tmp_path):
    document = load(tmp_path, paragraph_xml("王小明 三年级二班") + picture_xml(16) * 3)
    flag = next(flag for flag in document.receipt.flags if flag.name == "pictures")
    assert (flag.count, flag.doubtful) == (3, True)


def test_that_pictures_beside_text_are_not_doubtful(tmp_path):
    document = load(tmp_path, paragraph_xml(SEEN * 4) + picture_xml(16) + picture_xml(1))
    assert [(flag.name, flag.count, flag.doubtful) for flag in document.receipt.flags] == [
        ("pictures", 1, False)
    ]


def test_that_white_blanks_and_line_ends_separate_the_words_around_them(tmp_path):
    white = f"<w:r><w:rPr>{WHITE}</w:rPr>"
    body = (
        f"<w:p>{run_xml('Name', '')}{run_xml('    ', WHITE)}{run_xml('Class', '')}"
        f"{run_xml(' unseen ', WHITE)}{run_xml('Day', '')}{white}<w:br/></w:r>{run_xml('Next', '')}</w:p>"
    )
    assert load(tmp_path, body).text == "Name Class Day\nNext"


def test_that_a_white_placeholder_line_is_not_doubtful(tmp_path):
    body = f"<w:p>{run_xml('姓名：', '')}{run_xml('＿＿＿', WHITE)}</w:p>" + paragraph_xml(SEEN)
    receipt = load(tmp_path, body).receipt
    assert [(flag.name, flag.count) for flag in receipt.flags] == [("white_text", 3)]
    assert not receipt.doubtful


@pytest.mark.parametrize(
    "place",
    ['<w:ind w:left="12240"/>', '<w:ind w:start="20000"/>', '<w:framePr w:x="15000" w:hAnchor="page"/>'],
)
def test_that_a_paragraph_off_the_page_is_dropped_and_flagged(tmp_path, place):
    page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
    body = paragraph_xml(SEEN) + paragraph_xml(UNSEEN, properties=f"<w:pPr>{place}</w:pPr>") + page
    document = load(tmp_path, body)
    assert document.text == SEEN
    assert [(flag.name, flag.excerpt) for flag in document.receipt.flags] == [("outside_page", UNSEEN)]


def test_that_a_deep_indent_on_the_page_is_visible(tmp_path):
    page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
    body = paragraph_xml(SEEN, properties='<w:pPr><w:ind w:left="6000"/></w:pPr>') + page
    assert load(tmp_path, body).text == SEEN


@pytest.mark.parametrize(("look", "cause"), [(WHITE, "in the colour of the page"), ("<w:vanish/>", "hidden")])
def test_that_a_file_with_only_hidden_text_raises_its_own_error(tmp_path, look, cause):
    with pytest.raises(HiddenTextError) as caught:
        load(tmp_path, f"<w:p>{run_xml(UNSEEN, look)}</w:p>")
    message = str(caught.value)
    assert all(part in message for part in ("case.docx", cause, "23 characters", UNSEEN))


def test_that_a_file_of_hidden_punctuation_is_empty(tmp_path):
    with pytest.raises(EmptyFileError) as caught:
        load(tmp_path, f"<w:p>{run_xml('. .', WHITE)}</w:p>")
    assert type(caught.value) is EmptyFileError


def test_that_a_style_without_a_name_is_no_ancestor_of_other_styles(tmp_path):
    tiny = '<w:rPr><w:sz w:val="2"/></w:rPr>'
    styles = styles_xml(
        f'<w:style w:type="paragraph" w:styleId=""><w:name w:val="Odd"/>{tiny}</w:style>',
        '<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>',
    )
    paragraph = paragraph_xml(SEEN, properties='<w:pPr><w:pStyle w:val=""/></w:pPr>')
    document = load(tmp_path, paragraph_xml(SEEN) + paragraph, **{"word/styles.xml": styles})
    assert document.text.split("\n") == [SEEN, SEEN]
    assert document.receipt.flags == ()
