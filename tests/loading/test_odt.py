"""OpenDocument texts: everything that their reader sees, and nothing else."""

import base64
import hashlib
import zlib

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CBC

from simcompare.document import BlockKind
from simcompare.errors import (
    DamagedFileError,
    FileTooLargeError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from simcompare.loading import load_document
from simcompare.loading.options import ReadingOptions
from simcompare.receipt import FlagName, Place
from tests.helpers.open_document import (
    ODT_TYPE,
    content_xml,
    flat_xml,
    meta_xml,
    paragraphs,
    styles_xml,
    text_style,
    write_odt,
    write_zip,
)

RIVER = "The river sings all the year round."
BRIDGE = "Old people sit on the bridge in the sun."


@pytest.fixture
def load(tmp_path):
    def load_body(body, styles="", password=None, **parts):
        path = write_odt(tmp_path / "essay.odt", body, styles, **parts)
        return load_document(path, ReadingOptions(password=password))

    return load_body


def _lines(document):
    return document.text.split("\n")


def _kinds(document):
    return [block.kind.value for block in document.blocks]


def _dropped(document):
    return {drop.reason.value: drop.excerpt for drop in document.receipt.dropped}


def _flagged(document):
    return {flag.name.value: (flag.excerpt, flag.places) for flag in document.receipt.flags}


def test_that_headings_and_paragraphs_are_told_apart(load):
    body = '<text:h text:outline-level="1">Rivers</text:h>' + paragraphs(RIVER, BRIDGE)
    document = load(body)
    assert _lines(document) == ["Rivers", RIVER, BRIDGE]
    assert _kinds(document) == ["title", "paragraph", "paragraph"]
    assert document.title == "Rivers"
    assert document.receipt.reader == document.receipt.format == "odt"


def test_that_spaces_tabs_and_line_breaks_are_those_of_the_reader(load):
    document = load(
        '<text:p>The<text:s text:c="3"/>river<text:tab/>sings<text:line-break/>all\n   day.</text:p>'
    )
    assert _lines(document) == ["The river sings", "all day."]


def test_that_spans_links_fields_and_ruby_read_as_shown(load):
    body = (
        '<text:p>On <text:date>1 May</text:date> we saw <text:a xlink:href="x"><text:span>the river'
        "</text:span></text:a>: <text:ruby><text:ruby-base>河</text:ruby-base><text:ruby-text>he2"
        "</text:ruby-text></text:ruby>, <text:title>Rivers</text:title>.</text:p>"
    )
    document = load(body)
    assert document.text == "On 1 May we saw the river: 河, Rivers."
    assert [(d.reason, d.excerpt) for d in document.receipt.dropped] == [("phonetic_guide", "he2")]


def test_that_notes_stand_after_the_text_as_blocks_of_their_own(load):
    note = (
        '<text:note text:note-class="{}"><text:note-citation>1</text:note-citation><text:note-body>'
        "<text:p>{}</text:p></text:note-body></text:note>"
    )
    end, foot = note.format("endnote", "At the end."), note.format("footnote", "At the foot.")
    document = load(f"<text:p>The river{end} sings{foot}.</text:p>" + paragraphs(BRIDGE))
    assert _lines(document) == ["The river sings.", BRIDGE, "At the foot.", "At the end."]
    assert _kinds(document)[2:] == ["footnote", "footnote"]


def test_that_comments_and_deleted_text_are_left_out_and_counted(load):
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><office:change-info>"
        "<dc:creator>A teacher</dc:creator></office:change-info><text:p>loudly</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        "<text:p>The river <text:change text:change-id='c'/>sings<office:annotation>"
        "<dc:creator>A teacher</dc:creator><text:p>Good</text:p></office:annotation>.</text:p>"
    )
    document = load(body)
    assert document.text == "The river sings."
    assert _dropped(document) == {"deleted_revision": "loudly", "comment": "Good"}


def test_that_headers_and_footers_are_left_out_and_counted(load):
    masters = (
        "<style:master-page><style:header><text:p>Class 3</text:p></style:header>"
        "<style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer>"
        '<style:footer-left style:display="false"><text:p>Unused</text:p></style:footer-left>'
        "</style:master-page>"
    )
    document = load(paragraphs(RIVER), **{"styles.xml": styles_xml(masters=masters)})
    assert document.text == RIVER
    assert _dropped(document) == {"page_header": "Class 3", "page_footer": "Page 1"}


def test_that_tables_of_contents_are_left_out_and_a_bibliography_is_not(load):
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
    assert _lines(document) == [RIVER, "Sources", "Li: Rivers. 1999."]
    assert document.blocks[-1].kind is BlockKind.REFERENCE
    assert _dropped(document) == {"table_of_contents": "Contents Rivers 1 Index river 1"}


def test_that_tables_give_rows_and_a_table_of_one_column_its_paragraphs(load):
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
    assert _lines(document) == ["Name\tClass", "Li\tLi", "Together", "\tBelow", RIVER]
    assert _kinds(document)[:4] == ["table_row", "table_row", "paragraph", "table_row"]


def test_that_a_row_with_a_table_or_many_paragraphs_lays_out_the_text(load):
    row = (
        "<table:table><table:table-row><table:table-cell>{}</table:table-cell>"
        "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>"
    )
    inner = row.format(paragraphs("a"))
    assert _lines(load(row.format(paragraphs("x") + inner))) == ["x", "a\tb", "b"]
    assert _lines(load(row.format(paragraphs("1", "2", "3", "4")))) == ["1", "2", "3", "4", "b"]
    assert _lines(load(row.format(paragraphs("1", "2", "3")))) == ["1 2 3\tb"]


def test_that_cells_and_rows_are_not_repeated_without_end(load):
    cell = (
        '<table:table-cell table:number-columns-repeated="1000000"><text:p>river</text:p></table:table-cell>'
    )
    row = f'<table:table-row table:number-rows-repeated="1000000">{cell}</table:table-row>'
    document = load(f"<table:table>{row}</table:table>" + paragraphs(RIVER))
    assert 2 <= document.text.count("river") < 20_000


def test_that_much_is_not_repeated(load):
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
    assert _lines(document) == ["The river sings.", "In the box", "In the shape", BRIDGE]


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
    assert "pictures" in _flagged(load(paragraphs("Li Ming") + picture))
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
    assert _lines(document) == [
        "一、 River", "Water", "3) Bank", "Grass", "4) Boat", RIVER, "二、 Bridge", "Anew", "一、 Road",
    ]  # fmt: skip
    assert _kinds(document)[0] == "list_item"


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
    assert _lines(document) == ["1 Rivers", "2 Bridges", "2.1. Stone", "2.2. Wood"]


@pytest.mark.parametrize(
    ("properties", "flag"),
    [
        ('text:display="none"', "hidden_text"),
        ('fo:color="#ffffff"', "white_text"),
        ('fo:color="#FEFDFE"', "white_text"),
        ('fo:font-size="1pt"', "tiny_text"),
        ('fo:font-size="5%"', "tiny_text"),
        ('style:text-position="super 2%"', "tiny_text"),
        ('style:text-scale="1%"', "tiny_text"),
        ('fo:color="#000000" loext:opacity="0%"', "hidden_text"),
    ],
)
def test_that_what_nobody_sees_is_left_out_and_pointed_at(load, properties, flag):
    body = paragraphs(BRIDGE) + (
        '<text:p>The river <text:span text:style-name="T1">mountain <text:span>lake</text:span></text:span>'
        "sings.</text:p>"
    )
    document = load(body, text_style("T1", properties))
    assert _lines(document)[1] == "The river sings."
    assert _flagged(document) == {flag: ("mountain lake", (Place(paragraph=2),))}
    assert document.receipt.doubtful


def test_that_a_style_inherits_that_it_is_not_seen(load):
    named = (
        '<style:style style:name="Secret" style:family="text"><style:text-properties fo:color="#ffffff"/>'
        "</style:style>"
    )
    own = (
        '<style:style style:name="T1" style:family="text" style:parent-style-name="Secret">'
        '<style:text-properties fo:font-weight="bold"/></style:style>'
    )
    body = '<text:p>The river <text:span text:style-name="T1">mountain</text:span>sings.</text:p>'
    document = load(body, own, **{"styles.xml": styles_xml(named)})
    assert document.text == "The river sings."
    assert "white_text" in _flagged(document)


@pytest.mark.parametrize(
    "body",
    [
        '<text:section text:display="none"><text:p>mountain lake</text:p></text:section>',
        '<text:section text:display="condition" text:is-hidden="true"><text:p>mountain lake</text:p>'
        "</text:section>",
        '<text:p><text:hidden-paragraph text:is-hidden="true"/>mountain lake</text:p>',
        '<text:p><text:hidden-text text:is-hidden="true" text:string-value="mountain lake"/></text:p>',
    ],
)
def test_that_hidden_parts_are_left_out_and_pointed_at(load, body):
    document = load(paragraphs(RIVER, BRIDGE) + body)
    assert _lines(document) == [RIVER, BRIDGE]
    assert _flagged(document)["hidden_text"][0] == "mountain lake"


def test_that_a_text_box_far_off_the_page_is_left_out_and_pointed_at(load):
    box = (
        '<draw:frame svg:x="-200cm" svg:y="0cm"><draw:text-box><text:p>mountain lake</text:p>'
        "</draw:text-box></draw:frame>"
    )
    document = load(f"<text:p>{RIVER}{box}</text:p>")
    assert document.text == RIVER
    assert _flagged(document)["outside_page"][0] == "mountain lake"


def _ground(family, kind, properties):
    return (
        f'<style:style style:name="G" style:family="{family}"><style:{kind}-properties {properties}/>'
        "</style:style>"
    )


WHITE = '<text:p><text:span text:style-name="T1">mountain lake</text:span></text:p>'


@pytest.mark.parametrize(
    ("style", "body"),
    [
        (
            _ground("table-cell", "table-cell", 'fo:background-color="#203864"'),
            '<table:table><table:table-row><table:table-cell table:style-name="G">{}</table:table-cell>'
            "<table:table-cell/></table:table-row></table:table>",
        ),
        (
            _ground("table", "table", 'fo:background-color="#203864"'),
            '<table:table table:style-name="G"><table:table-row><table:table-cell>{}</table:table-cell>'
            "<table:table-cell/></table:table-row></table:table>",
        ),
        (
            _ground("graphic", "graphic", 'draw:fill="solid" draw:fill-color="#203864"'),
            '<text:p><draw:frame draw:style-name="G"><draw:text-box>{}</draw:text-box></draw:frame></text:p>',
        ),
        (
            _ground("graphic", "graphic", 'draw:fill="gradient"'),
            '<text:p><draw:rect draw:style-name="G">{}</draw:rect></text:p>',
        ),
        (
            _ground("graphic", "graphic", 'draw:fill="none"'),
            '<text:p><draw:frame><draw:image xlink:href="a.png"/></draw:frame>'
            '<draw:frame draw:style-name="G"><draw:text-box>{}</draw:text-box></draw:frame></text:p>',
        ),
        (
            '<style:page-layout style:name="G"><style:page-layout-properties fo:background-color="#203864"/>'
            "</style:page-layout>",
            "{}",
        ),
    ],
)
def test_that_white_text_on_a_dark_ground_is_honest(load, style, body):
    document = load(paragraphs(RIVER) + body.format(WHITE), style + text_style("T1", 'fo:color="#ffffff"'))
    assert "mountain lake" in document.text
    assert "white_text" not in _flagged(document)


def test_that_white_text_in_a_cell_without_ground_is_not_seen(load):
    body = (
        f"<table:table><table:table-row><table:table-cell>{WHITE}</table:table-cell>"
        "<table:table-cell><text:p>river</text:p></table:table-cell></table:table-row></table:table>"
    )
    document = load(body, text_style("T1", 'fo:color="#ffffff"'))
    assert "mountain" not in document.text
    assert "white_text" in _flagged(document)


def test_that_the_automatic_colour_is_seen_whatever_is_written_beside_it(load):
    style = text_style("T1", 'style:use-window-font-color="true" fo:color="#ffffff" loext:opacity="0%"')
    document = load(WHITE, style)
    assert document.text == "mountain lake"
    assert not document.receipt.doubtful


def _named_style(name, shown=""):
    shown = f'style:display-name="{shown}"' if shown else ""
    return f'<style:style style:name="{name}" {shown} style:family="paragraph"/>'


def test_that_styles_say_what_a_paragraph_is(load):
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
    assert _kinds(document) == ["title", "heading", "quotation"]
    assert document.title == "On Rivers"
    assert _dropped(document) == {"table_of_contents": "Rivers 1"}


def test_that_a_big_centred_line_is_the_title(load):
    style = (
        '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties '
        'fo:text-align="center"/><style:text-properties fo:font-size="18pt" fo:font-weight="bold"/>'
        "</style:style>"
    )
    body = paragraphs("Li Ming") + '<text:p text:style-name="P1">On Rivers</text:p>' + paragraphs(RIVER)
    assert load(body, style).title == "On Rivers"


def test_that_the_property_is_the_title_where_a_line_reads_so(load):
    document = load(paragraphs("On Rivers", RIVER), **{"meta.xml": meta_xml("On Rivers")})
    assert document.title == "On Rivers"
    assert load(paragraphs(RIVER), **{"meta.xml": meta_xml("Template")}).title == "essay"


def test_that_a_formula_stands_in_its_line(load):
    formula = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>a</mi><mo>=</mo>'
        "<mfrac><mn>1</mn><msup><mi>x</mi><mn>2</mn></msup></mfrac></mrow>"
        '<annotation encoding="StarMath 5.0">a = 1 over x^2</annotation></semantics></math>'
    )
    body = (
        '<text:p>So <draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="r.png"/>'
        "</draw:frame> holds.</text:p>"
    )
    assert load(body, **{"Object 1/content.xml": formula}).text == "So a=1/(x^2) holds."


def test_that_a_flat_document_is_read_and_its_pictures_do_not_count(tmp_path):
    picture = "<office:binary-data>" + "iVBORw0KGgo\n" * 1_000_000 + "</office:binary-data>"
    path = tmp_path / "essay.fodt"
    path.write_text(
        flat_xml(
            paragraphs(RIVER)
            + f"<text:p><draw:frame><draw:image>{picture}</draw:image></draw:frame></text:p>"
        )
    )
    document = load_document(path)
    assert document.text == RIVER
    assert document.receipt.format == "odt"


def test_that_a_template_is_read_as_a_document(tmp_path):
    parts = {"mimetype": ODT_TYPE + "-template", "content.xml": content_xml(paragraphs(RIVER))}
    assert load_document(write_zip(tmp_path / "essay.ott", parts)).text == RIVER


def test_that_a_document_of_openoffice_1_is_read(tmp_path):
    content = (
        '<?xml version="1.0"?><!DOCTYPE office:document-content PUBLIC '
        '"-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd"><office:document-content '
        'xmlns:office="http://openoffice.org/2000/office" xmlns:style="http://openoffice.org/2000/style" '
        'xmlns:text="http://openoffice.org/2000/text" xmlns:fo="http://www.w3.org/1999/XSL/Format">'
        '<office:automatic-styles><style:style style:name="T1" style:family="text">'
        '<style:properties fo:color="#ffffff"/></style:style></office:automatic-styles><office:body>'
        '<text:h text:level="1">Rivers</text:h><text:p>The river<text:footnote><text:footnote-citation>1'
        "</text:footnote-citation><text:footnote-body><text:p>A note.</text:p></text:footnote-body>"
        '</text:footnote> <text:span text:style-name="T1">mountain</text:span>sings.</text:p>'
        "<text:unordered-list><text:list-item><text:p>Boat</text:p></text:list-item></text:unordered-list>"
        "</office:body></office:document-content>"
    )
    parts = {"mimetype": "application/vnd.sun.xml.writer", "content.xml": content}
    document = load_document(write_zip(tmp_path / "essay.sxw", parts))
    assert _lines(document) == ["Rivers", "The river sings.", "Boat", "A note."]
    assert "white_text" in _flagged(document)


def _locked(parts, password, *, algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"):
    """Return the parts as LibreOffice locks them, and the list that says how."""
    locked, entries = {}, ""
    for name, text in parts.items():
        vector, salt = hashlib.md5(name.encode()).digest(), b"salt" * 4
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(text.encode()) + packer.flush()
        start = hashlib.sha256(password.encode()).digest()
        key = hashlib.pbkdf2_hmac("sha1", start, salt, 1000, 32)
        padding = 16 - len(packed) % 16
        padded = packed + bytes(padding - 1) + bytes([padding])
        encryptor = Cipher(AES256(key), CBC(vector)).encryptor()
        locked[name] = encryptor.update(padded) + encryptor.finalize()
        checksum = base64.b64encode(hashlib.sha256(packed[:1024]).digest()).decode()
        entries += (
            f'<manifest:file-entry manifest:full-path="{name}"><manifest:encryption-data '
            f'manifest:checksum-type="urn:x#sha256-1k" manifest:checksum="{checksum}"><manifest:algorithm '
            f'manifest:algorithm-name="{algorithm}" '
            f'manifest:initialisation-vector="{base64.b64encode(vector).decode()}"/>'
            '<manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32" '
            f'manifest:iteration-count="1000" manifest:salt="{base64.b64encode(salt).decode()}"/>'
            "<manifest:start-key-generation manifest:start-key-generation-name="
            '"http://www.w3.org/2000/09/xmldsig#sha256"/></manifest:encryption-data></manifest:file-entry>'
        )
    spaces = 'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
    manifest = f"<manifest:manifest {spaces}>{entries}</manifest:manifest>"
    return {"mimetype": ODT_TYPE, **locked, "META-INF/manifest.xml": manifest}


@pytest.fixture
def locked_path(tmp_path):
    parts = {"content.xml": content_xml(paragraphs(RIVER)), "styles.xml": styles_xml()}
    return write_zip(tmp_path / "essay.odt", _locked(parts, "川"))


def test_that_a_locked_document_asks_for_its_password(locked_path):
    with pytest.raises(PasswordNeededError) as caught:
        load_document(locked_path)
    assert not isinstance(caught.value, WrongPasswordError)


def test_that_the_password_opens_a_locked_document(locked_path):
    assert load_document(locked_path, ReadingOptions(password="川")).text == RIVER


def test_that_a_wrong_password_is_said_to_be_wrong(locked_path):
    with pytest.raises(WrongPasswordError):
        load_document(locked_path, ReadingOptions(password="水"))


@pytest.mark.parametrize(
    "parts",
    [
        _locked({"content.xml": "x"}, "川", algorithm="Blowfish CFB"),
        _locked({"encrypted-package": "x"}, "川", algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"),
    ],
)
def test_that_other_locks_ask_for_a_password_and_then_for_a_copy_without(tmp_path, parts):
    path = write_zip(tmp_path / "essay.odt", parts)
    with pytest.raises(PasswordNeededError):
        load_document(path)
    with pytest.raises(UnsupportedFormatError, match="encryption"):
        load_document(path, ReadingOptions(password="川"))


@pytest.mark.parametrize(
    "content",
    [
        "no markup",
        "<office:document-content xmlns:office='o'/>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        content_xml("<text:span>" * 300 + "</text:span>" * 300),
    ],
)
def test_that_a_broken_document_is_damaged(tmp_path, content):
    path = write_zip(tmp_path / "essay.odt", {"mimetype": ODT_TYPE, "content.xml": content})
    with pytest.raises(DamagedFileError, match=r"essay\.odt"):
        load_document(path)


@pytest.mark.parametrize("element", ["text:p", "text:section", "text:span", "draw:g"])
def test_that_elements_nested_as_deeply_as_xml_allows_are_read(load, element):
    depth = 240
    body = f"<{element}>" * depth + paragraphs(RIVER) + f"</{element}>" * depth
    if element != "text:section":
        body = f"<text:p>{body}</text:p>"
    assert "river" in load(body).text


def test_that_an_archive_without_a_text_is_damaged(tmp_path):
    with pytest.raises(DamagedFileError, match="missing"):
        load_document(write_zip(tmp_path / "essay.odt", {"mimetype": ODT_TYPE}))


def test_that_a_bomb_is_too_large(tmp_path):
    parts = {"mimetype": ODT_TYPE, "content.xml": content_xml("<text:p>" + " " * 20_000_000 + "</text:p>")}
    with pytest.raises(FileTooLargeError):
        load_document(write_zip(tmp_path / "essay.odt", parts))
