"""Contents, references and notes of Word files: dropped text and block kinds."""

import pytest

from simcompare.loading import load_document
from simcompare.model.document import BlockKind
from tests.helpers.essay_files import paragraph_xml, write_body_xml

ESSAY = [
    "河边的柳树发芽了，孩子们在放风筝，老人们坐在桥头说着从前的故事。",
    "我把看到的东西一句一句地写下来。",
]
ENTRIES = ["1 引言 1", "2 小河 2", "3 结语 4"]
SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def mark(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def command(text):
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


def paragraph(*parts, style=""):
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{''.join(parts)}</w:p>"


def text(words):
    return f'<w:r><w:t xml:space="preserve">{words}</w:t></w:r>'


def field_of_contents(entries):
    first, *rest = entries
    return (
        paragraph(mark("begin"), command(r'TOC \o "1-3" \h'), mark("separate"), text(first))
        + "".join(map(paragraph_xml, rest))
        + paragraph(mark("end"))
    )


def control(gallery, inside):
    return (
        f'<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="{gallery}"/></w:docPartObj></w:sdtPr>'
        f"<w:sdtContent>{inside}</w:sdtContent></w:sdt>"
    )


def load(tmp_path, body, **parts):
    return load_document(write_body_xml(tmp_path / "case.docx", body, **parts))


CONTENTS = {
    "a field": field_of_contents(ENTRIES),
    "a field below its heading": paragraph_xml("目  录") + field_of_contents(ENTRIES),
    "a content control": control("Table of Contents", "".join(map(paragraph_xml, ["Contents", *ENTRIES]))),
    "a simple field": f'<w:p><w:fldSimple w:instr="TOC \\o">{text("1 引言 1")}</w:fldSimple></w:p>',
    "styles alone": "".join(paragraph(text(entry), style="TOC2") for entry in ENTRIES),
}


@pytest.mark.parametrize("contents", CONTENTS.values(), ids=CONTENTS)
def test_that_a_table_of_contents_is_dropped(tmp_path, contents):
    document = load(tmp_path, contents + "".join(map(paragraph_xml, ESSAY)))
    assert document.text.split("\n") == ESSAY
    assert [dropped.reason for dropped in document.receipt.dropped] == ["table_of_contents"]
    assert not document.receipt.doubtful


TEXTS = {
    "a paragraph in the control": control("Table of Contents", paragraph_xml(ESSAY[0] * 6)),
    "a paragraph in the style": paragraph(text(ESSAY[0]), style="TOC1"),
    "a field that never ends": paragraph(mark("begin"), command("TOC"), mark("separate"), text("字")),
    "nothing but entries": field_of_contents([*ENTRIES, *ENTRIES, "4 一个很长很长很长很长的标题 5"] * 3),
}


@pytest.mark.parametrize("body", TEXTS.values(), ids=TEXTS)
def test_that_text_that_resembles_contents_is_kept(tmp_path, body):
    document = load(tmp_path, body + "".join(map(paragraph_xml, ESSAY)))
    assert ESSAY[1] in document.text
    assert not document.receipt.dropped


def test_that_text_after_the_end_of_contents_is_kept(tmp_path):
    first, *rest = ENTRIES
    body = (
        paragraph(mark("begin"), command("TOC"), mark("separate"), text(first))
        + "".join(map(paragraph_xml, rest))
        + paragraph(mark("end"), text(ESSAY[0]))
        + paragraph_xml(ESSAY[1])
    )
    assert load(tmp_path, body).text.split("\n") == ESSAY


@pytest.mark.parametrize(
    "references",
    [
        control("Bibliographies", paragraph_xml("Lv, X. (2019). On essays.")),
        "<w:sdt><w:sdtPr><w:bibliography/></w:sdtPr><w:sdtContent>"
        f"{paragraph_xml('Lv, X.')}</w:sdtContent></w:sdt>",
        paragraph(
            mark("begin"), command("ADDIN ZOTERO_BIBL {}"), mark("separate"), text("Lv, X."), mark("end")
        ),
        paragraph(text("Lv, X."), style="Bibliography"),
    ],
    ids=["gallery", "control", "field", "style"],
)
def test_that_a_bibliography_is_a_list_of_references(tmp_path, references):
    document = load(tmp_path, paragraph_xml(ESSAY[0]) + references + paragraph_xml(ESSAY[1]))
    kinds = [block.kind for block in document.blocks]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.REFERENCE, BlockKind.PARAGRAPH]


def notes_xml(*notes):
    inside = "".join(f'<w:footnote w:id="{n}">{paragraph_xml(note)}</w:footnote>' for n, note in notes)
    return f'<w:footnotes {SPACE}><w:footnote w:type="separator" w:id="-1"/>{inside}</w:footnotes>'


def test_that_notes_are_in_text_order_and_dropped_with_their_marks(tmp_path):
    body = (
        '<w:p><w:r><w:t>text</w:t><w:footnoteReference w:id="2"/></w:r>'
        '<w:del><w:r><w:footnoteReference w:id="3"/></w:r></w:del>'
        '<w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
        'Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" '
        'Target="footnotes.xml"/></Relationships>'
    )
    parts = {
        "word/footnotes.xml": notes_xml((1, "second"), (2, "first"), (3, "deleted")),
        "word/_rels/document.xml.rels": relations,
    }
    document = load(tmp_path, body, **parts)
    assert document.text.split("\n") == ["text", "first", "second"]
    assert [block.kind for block in document.blocks][1:] == [BlockKind.FOOTNOTE] * 2
    assert [(d.reason, d.excerpt) for d in document.receipt.dropped] == [("deleted_revision", "deleted")]
