"""OpenDocument texts: headings, notes, tables and lists, as displayed."""

import pytest

from simcompare.model.document import BlockKind, FlagName
from tests.helpers.open_document import (
    meta_xml,
    paragraphs,
    styles_xml,
)
from tests.loading.odt_essays import BRIDGE, RIVER, reading_odt
from tests.loading.readings import dropped, flagged, kinds, lines


@pytest.fixture
def load(tmp_path):
    return reading_odt(tmp_path)


def test_that_headings_and_paragraphs_are_distinguished(load):
    body = '<text:h text:outline-level="1">Rivers</text:h>' + paragraphs(RIVER, BRIDGE)
    document = load(body)
    assert lines(document) == ["Rivers", RIVER, BRIDGE]
    assert kinds(document) == ["title", "paragraph", "paragraph"]
    assert document.title == "Rivers"
    assert document.receipt.reader == document.receipt.format == "odt"


def test_that_spaces_tabs_and_line_breaks_are_kept_as_displayed(load):
    document = load(
        '<text:p>The<text:s text:c="3"/>river<text:tab/>sings<text:line-break/>All\n   day.</text:p>'
    )
    assert lines(document) == ["The river sings", "All day."]


def test_that_spans_links_fields_and_ruby_are_read_as_displayed(load):
    body = (
        '<text:p>On <text:date>1 May</text:date> we saw <text:a xlink:href="x"><text:span>the river'
        "</text:span></text:a>: <text:ruby><text:ruby-base>河</text:ruby-base><text:ruby-text>he2"
        "</text:ruby-text></text:ruby>, <text:title>Rivers</text:title>.</text:p>"
    )
    document = load(body)
    assert document.text == "On 1 May we saw the river: 河, Rivers."
    assert [(d.reason, d.excerpt) for d in document.receipt.dropped] == [("phonetic_guide", "he2")]


def test_that_notes_are_separate_blocks_after_the_text(load):
    note = (
        '<text:note text:note-class="{}"><text:note-citation>1</text:note-citation><text:note-body>'
        "<text:p>{}</text:p></text:note-body></text:note>"
    )
    end, foot = note.format("endnote", "At the end."), note.format("footnote", "At the foot.")
    document = load(f"<text:p>The river{end} sings{foot}.</text:p>" + paragraphs(BRIDGE))
    assert lines(document) == ["The river sings.", BRIDGE, "At the foot.", "At the end."]
    assert kinds(document)[2:] == ["footnote", "footnote"]


def test_that_comments_and_deleted_text_are_dropped_and_counted(load):
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><office:change-info>"
        "<dc:creator>A teacher</dc:creator></office:change-info><text:p>loudly</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        "<text:p>The river <text:change text:change-id='c'/>sings<office:annotation>"
        "<dc:creator>A teacher</dc:creator><text:p>Good</text:p></office:annotation>.</text:p>"
    )
    document = load(body)
    assert document.text == "The river sings."
    assert dropped(document) == {"deleted_revision": "loudly", "comment": "Good"}


def test_that_headers_and_footers_are_dropped_and_counted(load):
    masters = (
        "<style:master-page><style:header><text:p>Class 3</text:p></style:header>"
        "<style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer>"
        '<style:footer-left style:display="false"><text:p>Unused</text:p></style:footer-left>'
        "</style:master-page>"
    )
    document = load(paragraphs(RIVER), **{"styles.xml": styles_xml(masters=masters)})
    assert document.text == RIVER
    assert dropped(document) == {"page_header": "Class 3", "page_footer": "Page 1"}


def test_that_tables_of_contents_are_dropped_but_a_bibliography_is_kept(load):
    index = (
        "<text:{0}><text:{0}-source><text:index-title-template>Template</text:index-title-template>"
        "</text:{0}-source><text:index-body><text:index-title><text:p>{1}</text:p></text:index-title>"
        "<text:p>{2}</text:p></text:index-body></text:{0}>"
    )
    body = (
        index.format("table-of-content", "Contents", "Rivers 1")
        + paragraphs(RIVER)
        + index.format("bibliography", "Sources", "Li: Rivers. 1999.")
        + index.format("alphabetical-index", "Index", "river 1")
    )
    document = load(body)
    assert lines(document) == [RIVER, "Sources", "Li: Rivers. 1999."]
    assert document.blocks[-1].kind is BlockKind.REFERENCE
    assert dropped(document) == {"table_of_contents": "Contents Rivers 1 Index river 1"}


def test_that_tables_become_rows_and_a_table_of_one_column_its_paragraphs(load):
    cell = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        + cell.format("", "Name")
        + cell.format("", "Class")
        + "</table:table-row></table:table-header-rows><table:table-row>"
        + cell.format(' table:number-columns-repeated="2"', "Li")
        + "</table:table-row><table:table-row>"
        + cell.format(' table:number-columns-spanned="2"', "Together")
        + "<table:covered-table-cell/></table:table-row><table:table-row><table:covered-table-cell/>"
        + cell.format("", "Below")
        + "</table:table-row></table:table>"
    )
    document = load(body + paragraphs(RIVER))
    assert lines(document) == ["Name\tClass", "Li\tLi", "Together", "\tBelow", RIVER]
    assert kinds(document)[:4] == ["table_row", "table_row", "paragraph", "table_row"]


def test_that_a_row_with_a_table_or_many_paragraphs_is_body_text(load):
    row = (
        "<table:table><table:table-row><table:table-cell>{}</table:table-cell>"
        "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>"
    )
    inner = row.format(paragraphs("a"))
    assert lines(load(row.format(paragraphs("x") + inner))) == ["x", "a\tb", "b"]
    assert lines(load(row.format(paragraphs("1", "2", "3", "4")))) == ["1", "2", "3", "4", "b"]
    assert lines(load(row.format(paragraphs("1", "2", "3")))) == ["1 2 3\tb"]


def test_that_repetition_of_cells_and_rows_is_limited(load):
    cell = (
        '<table:table-cell table:number-columns-repeated="1000000"><text:p>river</text:p></table:table-cell>'
    )
    row = f'<table:table-row table:number-rows-repeated="1000000">{cell}</table:table-row>'
    document = load(f"<table:table>{row}</table:table>" + paragraphs(RIVER))
    assert 2 <= document.text.count("river") < 20_000


def test_that_long_content_is_not_repeated(load):
    cells = "<table:table-cell><text:p>river</text:p></table:table-cell>" * 300
    row = f'<table:table-row table:number-rows-repeated="1000">{cells}</table:table-row>'
    assert load(f"<table:table>{row}</table:table>").text.count("river") == 300


def test_that_text_boxes_follow_their_paragraph(load):
    box = "<draw:frame><draw:text-box><text:p>In the box</text:p></draw:text-box></draw:frame>"
    shape = (
        "<draw:g><draw:custom-shape><svg:title>unseen</svg:title><text:p>In the shape</text:p>"
        "<draw:enhanced-geometry/></draw:custom-shape></draw:g>"
    )
    document = load(f"<text:p>The river{box} sings{shape}.</text:p>" + paragraphs(BRIDGE))
    assert lines(document) == ["The river sings.", "In the box", "In the shape", BRIDGE]


def test_that_the_mark_where_libreoffice_anchors_a_shape_is_not_text(load):
    document = load("<text:p>The river\u200b<draw:rect/> sings.</text:p>")
    assert document.text == "The river sings."
    assert not document.receipt.flags


def test_that_the_description_of_a_picture_is_not_text(load):
    picture = (
        '<draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="a.png"/>'
        "<svg:desc>unseen</svg:desc></draw:frame>"
    )
    assert load(f"<text:p>The river{picture} sings.</text:p>").text == "The river sings."


def test_that_large_pictures_beside_a_name_make_the_text_doubtful(load):
    picture = (
        '<text:p><draw:frame svg:width="17cm" svg:height="24cm"><draw:image xlink:href="a.png"/>'
        "</draw:frame></text:p>"
    )
    assert "pictures" in flagged(load(paragraphs("Li Ming") + picture))
    receipt = load(paragraphs(RIVER * 3) + picture).receipt
    assert [(flag.name, flag.doubtful) for flag in receipt.flags] == [(FlagName.PICTURES, False)]


NUMBERS = (
    '<text:list-style style:name="L1">'
    '<text:list-level-style-number text:level="1" style:num-format="一, 二, 三, ..." style:num-suffix="、"/>'
    '<text:list-level-style-number text:level="2" style:num-format="1" style:num-suffix=")" '
    'text:start-value="3"/>'
    '<text:list-level-style-bullet text:level="3" text:bullet-char="•"/></text:list-style>'
)


def test_that_the_numbers_of_lists_are_text_and_bullets_are_not(load):
    body = (
        '<text:list xml:id="one" text:style-name="L1"><text:list-item><text:p>River</text:p>'
        "<text:p>Water</text:p><text:list><text:list-item><text:p>Bank</text:p><text:list><text:list-item>"
        "<text:p>Grass</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Boat"
        "</text:p></text:list-item></text:list></text:list-item></text:list>"
        + paragraphs(RIVER)
        + '<text:list text:continue-list="one" text:style-name="L1"><text:list-item><text:p>Bridge</text:p>'
        "</text:list-item></text:list>"
        '<text:list text:style-name="L1"><text:list-header><text:p>Anew</text:p></text:list-header>'
        "<text:list-item><text:p>Road</text:p></text:list-item></text:list>"
    )
    document = load(body, NUMBERS)
    assert lines(document) == [
        "一、 River", "Water", "3) Bank", "Grass", "4) Boat", RIVER, "二、 Bridge", "Anew", "一、 Road",
    ]  # fmt: skip
    assert kinds(document)[0] == "list_item"


def test_that_numbered_headings_show_the_levels_above(load):
    outline = (
        "<text:outline-style>"
        '<text:outline-level-style text:level="1" style:num-format="1"/>'
        '<text:outline-level-style text:level="2" style:num-format="1" loext:num-list-format="%1%.%2%."/>'
        "</text:outline-style>"
    )
    body = "".join(
        f'<text:h text:outline-level="{level}">{text}</text:h>'
        for level, text in ((1, "Rivers"), (1, "Bridges"), (2, "Stone"), (2, "Wood"))
    )
    document = load(body, **{"styles.xml": styles_xml(outline)})
    assert lines(document) == ["1 Rivers", "2 Bridges", "2.1. Stone", "2.2. Wood"]


def _named_style(name, display_name=""):
    display_name = f'style:display-name="{display_name}"' if display_name else ""
    return f'<style:style style:name="{name}" {display_name} style:family="paragraph"/>'


def test_that_styles_determine_block_kinds(load):
    names = {"Title": "", "Heading_20_2": "Heading 2", "Quotations": "", "Contents_20_1": "Contents 1"}
    styles = "".join(_named_style(*item) for item in names.items())
    own = (
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
        '<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Quotations"/>'
    )
    body = (
        '<text:p text:style-name="Contents_20_1">Rivers 1</text:p>'
        '<text:p text:style-name="P1">On Rivers</text:p>'
        '<text:p text:style-name="Heading_20_2">Bridges</text:p>'
        f'<text:p text:style-name="P2">{RIVER}</text:p>'
    )
    document = load(body, own, **{"styles.xml": styles_xml(styles)})
    assert kinds(document) == ["title", "heading", "quotation"]
    assert document.title == "On Rivers"
    assert dropped(document) == {"table_of_contents": "Rivers 1"}


def test_that_a_large_centred_line_is_the_title(load):
    style = (
        '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties '
        'fo:text-align="center"/><style:text-properties fo:font-size="18pt" fo:font-weight="bold"/>'
        "</style:style>"
    )
    body = paragraphs("Li Ming") + '<text:p text:style-name="P1">On Rivers</text:p>' + paragraphs(RIVER)
    assert load(body, style).title == "On Rivers"


def test_that_the_title_property_is_used_if_a_line_equals_it(load):
    document = load(paragraphs("On Rivers", RIVER), **{"meta.xml": meta_xml("On Rivers")})
    assert document.title == "On Rivers"
    assert load(paragraphs(RIVER), **{"meta.xml": meta_xml("Template")}).title == "essay"


def test_that_a_formula_is_read_in_its_line(load):
    formula = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>a</mi><mo>=</mo>'
        "<mfrac><mn>1</mn><msup><mi>x</mi><mn>2</mn></msup></mfrac></mrow>"
        '<annotation encoding="StarMath 5.0">a = 1 over x^2</annotation></semantics></math>'
    )
    body = (
        '<text:p>So <draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="r.png"/>'
        "</draw:frame> holds.</text:p>"
    )
    document = load(body, **{"Object 1/content.xml": formula})
    assert document.text == "So a=1/(x^2) holds."
    assert [span.of(document.text).strip() for span in document.formulas] == ["a=1/(x^2)"]
