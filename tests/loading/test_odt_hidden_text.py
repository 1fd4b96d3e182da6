"""Hidden text of OpenDocument texts is dropped and located."""

import pytest

from simcompare.model.document import Place
from tests.helpers.open_document import (
    paragraphs,
    styles_xml,
    text_style,
)
from tests.loading.odt_essays import BRIDGE, RIVER, reading_odt
from tests.loading.readings import flagged, lines


@pytest.fixture
def load(tmp_path):
    return reading_odt(tmp_path)


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
def test_that_hidden_text_is_dropped_and_located(load, properties, flag):
    body = paragraphs(BRIDGE) + (
        '<text:p>The river <text:span text:style-name="T1">mountain <text:span>lake</text:span></text:span>'
        "sings.</text:p>"
    )
    document = load(body, text_style("T1", properties))
    assert lines(document)[1] == "The river sings."
    assert flagged(document) == {flag: ("mountain lake", (Place(paragraph=2),))}
    assert document.receipt.doubtful


def test_that_hiding_properties_are_inherited_by_styles(load):
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
    assert "white_text" in flagged(document)


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
def test_that_hidden_parts_are_dropped_and_located(load, body):
    document = load(paragraphs(RIVER, BRIDGE) + body)
    assert lines(document) == [RIVER, BRIDGE]
    assert flagged(document)["hidden_text"][0] == "mountain lake"


def test_that_a_text_box_far_off_the_page_is_dropped_and_located(load):
    box = (
        '<draw:frame svg:x="-200cm" svg:y="0cm"><draw:text-box><text:p>mountain lake</text:p>'
        "</draw:text-box></draw:frame>"
    )
    document = load(f"<text:p>{RIVER}{box}</text:p>")
    assert document.text == RIVER
    assert flagged(document)["outside_page"][0] == "mountain lake"


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
def test_that_white_text_on_a_dark_background_is_kept(load, style, body):
    document = load(paragraphs(RIVER) + body.format(WHITE), style + text_style("T1", 'fo:color="#ffffff"'))
    assert "mountain lake" in document.text
    assert "white_text" not in flagged(document)


def test_that_white_text_in_a_cell_without_background_is_hidden(load):
    body = (
        f"<table:table><table:table-row><table:table-cell>{WHITE}</table:table-cell>"
        "<table:table-cell><text:p>river</text:p></table:table-cell></table:table-row></table:table>"
    )
    document = load(body, text_style("T1", 'fo:color="#ffffff"'))
    assert "mountain" not in document.text
    assert "white_text" in flagged(document)


def test_that_the_automatic_colour_is_visible_whatever_opacity_is_stored(load):
    style = text_style("T1", 'style:use-window-font-color="true" fo:color="#ffffff" loext:opacity="0%"')
    document = load(WHITE, style)
    assert document.text == "mountain lake"
    assert not document.receipt.doubtful
