"""List numbers, which Word displays but does not store."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.loading import load_document
from simcompare.loading.shared.list_numbers import written_number
from simcompare.model.document import BlockKind
from tests.helpers.essay_files import convert_by_libreoffice, paragraph_xml, soffice, write_body_xml

SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
LEVELS = (
    ("chineseCounting", "%1、", "nothing"),
    ("decimal", "%1.%2", "tab"),
    ("lowerRoman", "(%3)", "space"),
)


def level_xml(number, form, text, behind, more=""):
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:suff w:val="{behind}"/><w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering_xml(
    levels=LEVELS, *, instances='<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>', more=""
):
    shapes = "".join(level_xml(number, *level, more=more) for number, level in enumerate(levels))
    definition = f'<w:abstractNum w:abstractNumId="0">{shapes}</w:abstractNum>'
    return f"<w:numbering {SPACE}>{definition}{instances}</w:numbering>"


def item(text, level=0, number=1):
    properties = f'<w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr></w:pPr>'
    return paragraph_xml(text, properties=properties)


def lines_of(tmp_path, body, **parts):
    return load_document(write_body_xml(tmp_path / "list.docx", body, **parts)).text.split("\n")


def test_that_every_level_counts_within_the_one_above(tmp_path):
    body = "".join(
        item(text, level)
        for text, level in [("甲", 0), ("a", 1), ("b", 1), ("x", 2), ("乙", 0), ("c", 1), ("y", 2), ("z", 2)]
    )
    assert lines_of(tmp_path, body, **{"word/numbering.xml": numbering_xml()}) == [
        *("一、甲", "一.1 a", "一.2 b", "(i) x"),
        *("二、乙", "二.1 c", "(i) y", "(ii) z"),
    ]


def test_that_a_level_in_digits_writes_those_above_in_digits(tmp_path):
    levels = (("chineseCounting", "第%1章", "space"), ("decimal", "%1.%2", "space"))
    numbering = numbering_xml(levels, more="<w:isLgl/>")
    assert (
        lines_of(tmp_path, item("总", 0) + item("分", 1), **{"word/numbering.xml": numbering})[1] == "1.1 分"
    )


def test_that_bullets_are_not_text_but_items_stay_items(tmp_path):
    path = write_body_xml(
        tmp_path / "list.docx",
        item("first") + item("second"),
        **{"word/numbering.xml": numbering_xml([("bullet", "\uf0b7", "tab")])},
    )
    document = load_document(path)
    assert document.text.split("\n") == ["first", "second"]
    assert {block.kind for block in document.blocks} == {BlockKind.LIST_ITEM}


def test_that_instances_of_a_list_continue_or_restart(tmp_path):
    instances = (
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="1"/></w:lvlOverride></w:num>'
    )
    numbering = numbering_xml([("decimal", "%1.", "space")], instances=instances)
    body = "".join(item("x", number=number) for number in (1, 1, 2, 3, 3))
    lines = lines_of(tmp_path, body, **{"word/numbering.xml": numbering})
    assert lines == ["1. x", "2. x", "3. x", "1. x", "2. x"]


def test_that_a_style_numbers_its_headings(tmp_path):
    styles = (
        f'<w:styles {SPACE}><w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 2"/><w:basedOn w:val="1"/>'
        "</w:style></w:styles>"
    )
    shapes = level_xml(0, "decimal", "%1", "space") + level_xml(
        1, "decimal", "%1.%2", "space", more='<w:pStyle w:val="2"/>'
    )
    numbering = (
        f'<w:numbering {SPACE}><w:abstractNum w:abstractNumId="0">{shapes}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    body = "".join(
        paragraph_xml(text, properties=f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>')
        for text, style in [("One", 1), ("Below", 2), ("Two", 1), ("Beneath", 2)]
    )
    lines = lines_of(tmp_path, body, **{"word/numbering.xml": numbering, "word/styles.xml": styles})
    assert lines == ["1 One", "1.1 Below", "2 Two", "2.1 Beneath"]


def test_that_a_deleted_item_is_not_counted(tmp_path):
    gone = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
        "<w:rPr><w:del/></w:rPr></w:pPr>"
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    )
    body = item("one") + gone + item("two")
    numbering = numbering_xml([("decimal", "%1)", "space")])
    assert lines_of(tmp_path, body, **{"word/numbering.xml": numbering}) == ["1) one", "2) two"]


def test_that_a_column_of_numbers_in_a_table_is_kept(tmp_path):
    rows = "".join(
        f"<w:tr><w:tc>{item('')}</w:tc><w:tc>{paragraph_xml(name)}</w:tc></w:tr>" for name in "甲乙"
    )
    numbering = numbering_xml([("decimal", "%1", "nothing")])
    assert lines_of(tmp_path, f"<w:tbl>{rows}</w:tbl>", **{"word/numbering.xml": numbering}) == [
        "1\t甲",
        "2\t乙",
    ]


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        (
            "chineseCountingThousand",
            {1: "一", 10: "十", 12: "十二", 20: "二十", 105: "一百零五", 210: "二百一十"},
        ),
        ("chineseLegalSimplified", {1: "壹", 10: "壹拾", 21: "贰拾壹"}),
        ("ideographTraditional", {1: "甲", 10: "癸", 11: "11"}),
        ("decimalEnclosedCircle", {1: "①", 20: "⑳", 21: "21"}),
        ("lowerLetter", {1: "a", 26: "z", 27: "aa", 53: "aaa"}),
        ("upperRoman", {4: "IV", 1994: "MCMXCIV"}),
        ("decimalZero", {1: "01", 10: "10"}),
        ("ordinal", {1: "1st", 11: "11th", 22: "22nd"}),
        ("hebrew1", {1: None}),
    ],
)
def test_that_numbers_are_written_as_word_writes_them(form, numbers):
    assert {number: written_number(number, form) for number in numbers} == numbers


@given(st.integers(1, 9999), st.integers(1, 9999))
@pytest.mark.parametrize(
    "form", ["chineseCounting", "chineseLegalSimplified", "upperRoman", "ideographDigital"]
)
def test_that_different_numbers_are_written_differently(form, first, second):
    assert (written_number(first, form) == written_number(second, form)) == (first == second)


@pytest.mark.skipif(soffice() is None, reason="LibreOffice is not installed")
def test_that_libreoffice_shows_the_same_numbers(tmp_path):
    levels = (
        ("chineseCounting", "%1、", "nothing"),
        ("decimal", "%2.", "space"),
        ("lowerLetter", "(%3)", "space"),
    )
    body = "".join(item(f"条目{n}", level) for n, level in enumerate([0, 1, 1, 2, 2, 0, 0, 1, 2, 0]))
    path = write_body_xml(tmp_path / "list.docx", body, **{"word/numbering.xml": numbering_xml(levels)})
    lines = load_document(path).text.split("\n")
    shown = convert_by_libreoffice(path, "txt").read_text(encoding="utf-8-sig").splitlines()
    assert ["".join(line.split()) for line in lines] == ["".join(line.split()) for line in shown]
