"""Word files: structures besides plain paragraphs, and visibility."""

import pytest

from simcompare.loading import load_document
from simcompare.model.document import BlockKind
from simcompare.model.errors import DamagedFileError
from tests.helpers.essay_files import paragraph_xml, write_body_xml


def field_mark(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


CASES = {
    "a run in a content control": (
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>in control</w:t></w:r></w:p></w:sdtContent></w:sdt>",
        ["in control"],
    ),
    "inserted and deleted revisions": (
        "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>",
        ["new"],
    ),
    "moved text once": (
        "<w:p><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p>"
        "<w:p><w:moveTo><w:r><w:t>moved</w:t></w:r></w:moveTo></w:p>",
        ["moved"],
    ),
    "a deleted paragraph mark": (
        paragraph_xml("one ", properties="<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>") + paragraph_xml("line"),
        ["one line"],
    ),
    "a drop cap with the paragraph that it begins": (
        paragraph_xml("T", properties='<w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>')
        + paragraph_xml("he river sings.")
        + paragraph_xml("in a frame", properties='<w:pPr><w:framePr w:dropCap="none"/></w:pPr>'),
        ["The river sings.", "in a frame"],
    ),
    "a field's result and not its command": (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>Figure 1</w:t></w:r></w:p>',
        ["Figure 1"],
    ),
    "ruby without the reading": (
        "<w:p><w:r><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r>"
        "</w:rubyBase></w:ruby></w:r></w:p>",
        ["漢"],
    ),
    "line breaks as lines and tabs as spaces": (
        "<w:p><w:r><w:t>first</w:t><w:br/><w:t>second</w:t><w:tab/><w:t>half</w:t></w:r></w:p>",
        ["first", "second half"],
    ),
    "the first choice of an alternate content": (
        "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx><w:txbxContent>"
        "<w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice>"
        "<mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p>"
        "</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent><w:t>around</w:t></w:r></w:p>",
        ["around", "boxed"],
    ),
    "an equation": (
        "<w:p><w:r><w:t>E=</w:t></w:r><m:oMath><m:r><m:t>mc²</m:t></m:r></m:oMath></w:p>",
        ["E=mc²"],
    ),
    "a built-up equation in linear form": (
        "<w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den>"
        "</m:f><m:r><m:t>≥</m:t></m:r><m:rad><m:radPr/><m:deg/><m:e><m:r><m:t>ab</m:t></m:r></m:e></m:rad>"
        "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>n-1</m:t></m:r></m:sup></m:sSup>"
        "</m:oMath></w:p>",
        ["(a+b)/2≥√abx^(n-1)"],
    ),
    "a deleted last paragraph mark in a cell": (
        "<w:tbl><w:tr><w:tc>"
        + paragraph_xml("kept", properties="<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>")
        + "</w:tc><w:tc>"
        + paragraph_xml("too")
        + "</w:tc></w:tr></w:tbl>",
        ["kept\ttoo"],
    ),
    "a heading and text that a hidden mark joins": (
        paragraph_xml("Run-in head.", properties="<w:pPr><w:rPr><w:vanish/><w:specVanish/></w:rPr></w:pPr>")
        + paragraph_xml(" And its text."),
        ["Run-in head. And its text."],
    ),
    "a deleted cell left out": (
        "<w:tbl><w:tr><w:tc><w:tcPr><w:cellDel/></w:tcPr><w:p><w:r><w:t>gone</w:t></w:r></w:p></w:tc>"
        "<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc>"
        "</w:tr></w:tbl>",
        ["a\tb"],
    ),
    "a field within the command of a field as a command": (
        f"<w:p>{field_mark('begin')}<w:r><w:instrText>IF </w:instrText></w:r>{field_mark('begin')}"
        f"<w:r><w:instrText>REF x</w:instrText></w:r>{field_mark('separate')}<w:r><w:t>unseen</w:t></w:r>"
        f"{field_mark('end')}{field_mark('separate')}<w:r><w:t>seen</w:t></w:r>{field_mark('end')}</w:p>",
        ["seen"],
    ),
    "text in a command that never ends": (
        f"<w:p>{field_mark('begin')}<w:r><w:t>not lost</w:t></w:r></w:p>" + paragraph_xml("either"),
        ["not lost", "either"],
    ),
    "a result in a command that never ends": (
        f"<w:p>{field_mark('begin')}{field_mark('begin')}{field_mark('separate')}"
        f"<w:r><w:t>not lost</w:t></w:r>{field_mark('end')}</w:p>",
        ["not lost"],
    ),
    "ringed characters, which are drawn from a command": (
        f"<w:p><w:r><w:t>第</w:t></w:r>{field_mark('begin')}<w:r><w:instrText>eq \\o\\ac(○,一)"
        f"</w:instrText></w:r>{field_mark('end')}<w:r><w:t>题</w:t></w:r></w:p>",
        ["第一题"],
    ),
    "the base of a reading that a command draws": (
        f'<w:p>{field_mark("begin")}<w:r><w:instrText>EQ \\* jc2 \\* "Font:宋体" \\* hps10 '
        f"\\o\\ad(\\s\\up 9(ma),妈)</w:instrText></w:r>{field_mark('end')}</w:p>",
        ["妈"],
    ),
    "the base of a reading whose result is empty, or counted": (
        f"<w:p>{field_mark('begin')}<w:r><w:instrText>EQ \\o\\ad(\\s\\up 9(ma),妈)</w:instrText></w:r>"
        f"{field_mark('separate')}{field_mark('end')}{field_mark('begin')}<w:r><w:instrText>EQ \\o\\ac(○,五)"
        f"</w:instrText></w:r>{field_mark('separate')}<w:r><w:t>五</w:t></w:r>{field_mark('end')}</w:p>",
        ["妈五"],
    ),
    "signs of symbol fonts that Unicode has": (
        '<w:p><w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'
        "</w:p>",
        ["α✓"],
    ),
    "letters drawn as a picture": (
        '<w:p><w:r><w:pict><v:shape style="width:200pt;height:60pt"><v:textpath string="我的家乡"/></v:shape>'
        "</w:pict></w:r></w:p>",
        ["我的家乡"],
    ),
    "the paragraphs of a drawing apart": (
        "<w:p><w:r><w:t>before</w:t><w:drawing><wps:txBody><a:p><a:r><a:t>one</a:t></a:r></a:p>"
        "<a:p><a:r><a:t>two</a:t></a:r></a:p></wps:txBody></w:drawing></w:r></w:p>",
        ["before", "one", "two"],
    ),
    "a layout table as the paragraphs in it": (
        "<w:tbl><w:tr><w:tc>"
        + "".join(paragraph_xml(text) for text in ("one", "two", "three", "four"))
        + f"</w:tc><w:tc>{paragraph_xml('beside')}</w:tc></w:tr></w:tbl>",
        ["one", "two", "three", "four", "beside"],
    ),
    "hidden text left out": (
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r><w:r><w:t>seen</w:t></w:r></w:p>",
        ["seen"],
    ),
    "an unknown element of a later Word": (
        "<w:p><w:later><w:r><w:t>kept</w:t></w:r></w:later></w:p>",
        ["kept"],
    ),
    "a table's rows": (
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
        ["a\tb c"],
    ),
    "a frame of one cell as its paragraphs": (
        f"<w:tbl><w:tr><w:tc>{paragraph_xml('one')}{paragraph_xml('two')}</w:tc></w:tr></w:tbl>",
        ["one", "two"],
    ),
    "zero-width characters": (paragraph_xml("ze\u200bro"), ["ze\u200bro"]),
    "decomposed letters composed": (paragraph_xml("cafe\u0301"), ["caf\u00e9"]),
}


@pytest.mark.parametrize(("body", "lines"), CASES.values(), ids=CASES)
def test_that_the_walker_finds_visible_text(tmp_path, body, lines):
    document = load_document(write_body_xml(tmp_path / "case.docx", body))
    assert document.text.split("\n") == lines
    assert [block.span.of(document.text) for block in document.blocks] == lines


def test_that_phonetic_guides_are_counted(tmp_path):
    receipt = load_document(
        write_body_xml(tmp_path / "case.docx", CASES["ruby without the reading"][0])
    ).receipt
    assert [(d.reason, d.characters, d.excerpt) for d in receipt.dropped] == [("phonetic_guide", 3, "kan")]
    assert not receipt.doubtful


def test_that_deleted_text_is_counted(tmp_path):
    body = (
        "<w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone for good</w:delText></w:r></w:del></w:p>"
    )
    receipt = load_document(write_body_xml(tmp_path / "case.docx", body)).receipt
    assert [(d.reason, d.characters) for d in receipt.dropped] == [("deleted_revision", 11)]


@pytest.mark.parametrize(
    ("properties", "kind"),
    [
        ('<w:pPr><w:pStyle w:val="Title"/></w:pPr>', BlockKind.TITLE),
        ('<w:pPr><w:pStyle w:val="Heading2"/></w:pPr>', BlockKind.HEADING),
        ('<w:pPr><w:outlineLvl w:val="0"/></w:pPr>', BlockKind.HEADING),
        ('<w:pPr><w:pStyle w:val="ListBullet"/></w:pPr>', BlockKind.LIST_ITEM),
        ('<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>', BlockKind.LIST_ITEM),
        ('<w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>', BlockKind.PARAGRAPH),
        ('<w:pPr><w:pStyle w:val="Quote"/></w:pPr>', BlockKind.QUOTATION),
        ('<w:pPr><w:pStyle w:val="标题1"/></w:pPr>', BlockKind.HEADING),
        ('<w:pPr><w:pStyle w:val="参考文献"/></w:pPr>', BlockKind.REFERENCE),
        ("", BlockKind.PARAGRAPH),
    ],
)
def test_that_a_style_determines_the_block_kind(tmp_path, properties, kind):
    body = paragraph_xml("An ordinary line above.") + paragraph_xml("Some words", properties=properties)
    document = load_document(write_body_xml(tmp_path / "case.docx", body))
    assert document.blocks[1].kind is (BlockKind.TITLE if kind is BlockKind.HEADING else kind)
    assert document.title == ("Some words" if kind in {BlockKind.TITLE, BlockKind.HEADING} else "case")


def test_that_a_document_type_declaration_is_refused(tmp_path):
    bomb = (
        '<!DOCTYPE w:document [<!ENTITY a "aaaa">]><w:document xmlns:w="x"><w:body>&a;</w:body></w:document>'
    )
    path = write_body_xml(tmp_path / "bomb.docx", paragraph_xml("x"), **{"word/document.xml": bomb})
    with pytest.raises(DamagedFileError):
        load_document(path)
