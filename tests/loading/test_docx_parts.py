"""Packages of other programs, embedded documents, and Word documents in one XML file."""

import base64
import zipfile

import pytest

from simcompare.loading import load_document
from simcompare.model.document import BlockKind
from simcompare.model.errors import DamagedFileError
from tests.helpers.essay_files import (
    CHINESE_PARAGRAPHS,
    CHINESE_TITLE,
    convert_by_libreoffice,
    paragraph_xml,
    soffice,
    write_docx,
)

WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
DIAGRAMS = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def document_xml(body):
    return f'<w:document xmlns:w="{WORDS}" xmlns:r="{RELATIONS}"><w:body>{body}</w:body></w:document>'


def relations_xml(*targets):
    inside = "".join(
        f'<Relationship Id="rId{n}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}">{inside}</Relationships>'


def write_package(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return path


MAIN = document_xml(paragraph_xml("Found"))
PACKAGES = {
    "no relationships": {"word/document.xml": MAIN},
    "backslashes": {
        "_rels\\.rels": relations_xml(("officeDocument", "word\\document.xml")),
        "word\\document.xml": MAIN,
    },
    "a main part of another name": {
        "_rels/.rels": relations_xml(("officeDocument", "/word/document2.xml")),
        "word/document2.xml": MAIN,
    },
    "a relationship to a part that is missing": {
        "_rels/.rels": relations_xml(("officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": relations_xml(("styles", "styles.xml"), ("footnotes", "NULL")),
        "word/document.xml": MAIN,
    },
    "broken properties": {
        "_rels/.rels": relations_xml(
            ("officeDocument", "word/document.xml"), ("core-properties", "core.xml")
        ),
        "word/document.xml": MAIN,
        "core.xml": "<broken",
    },
}


@pytest.mark.parametrize("parts", PACKAGES.values(), ids=PACKAGES)
def test_that_an_unusual_package_is_read(tmp_path, parts):
    assert load_document(write_package(tmp_path / "odd.docx", parts)).text == "Found"


def test_that_a_package_without_text_is_reported_as_damaged(tmp_path):
    path = write_package(tmp_path / "none.docx", {"word/styles.xml": "<styles/>"})
    with pytest.raises(DamagedFileError, match="text is missing"):
        load_document(path)


def test_that_too_deep_nesting_is_damage(tmp_path):
    deep = "<w:sdt>" * 5000 + "</w:sdt>" * 5000
    with pytest.raises(DamagedFileError):
        load_document(write_package(tmp_path / "deep.docx", {"word/document.xml": document_xml(deep)}))


def write_with_chunk(path, name, content, *, more=""):
    main = document_xml(paragraph_xml("before") + '<w:altChunk r:id="rId1"/>' + paragraph_xml("after"))
    return write_package(
        path,
        {
            "word/document.xml": main,
            "word/_rels/document.xml.rels": relations_xml(("aFChunk", name)),
            f"word/{name}": content,
        },
    )


def test_that_an_embedded_web_page_is_read(tmp_path):
    page = "<html><body><h2>一节</h2><p>网页里的一段话。</p></body></html>".encode()
    document = load_document(write_with_chunk(tmp_path / "case.docx", "page.html", page))
    assert document.text.split("\n") == ["before", "一节", "网页里的一段话。", "after"]


def test_that_embedded_rich_text_is_read(tmp_path):
    rich = rb"{\rtf1\ansi A rich sentence.\par}"
    document = load_document(write_with_chunk(tmp_path / "case.docx", "rich.rtf", rich))
    assert document.text.split("\n") == ["before", "A rich sentence.", "after"]


def test_that_an_embedded_document_is_read(tmp_path):
    inner = write_with_chunk(tmp_path / "inner.docx", "inner.txt", b"plain words")
    document = load_document(write_with_chunk(tmp_path / "case.docx", "inner.docx", inner.read_bytes()))
    assert document.text.split("\n") == ["before", "before", "plain words", "after", "after"]


def test_that_nested_documents_are_read_to_a_limited_depth(tmp_path):
    path = write_with_chunk(tmp_path / "inner.docx", "inner.txt", b"plain words")
    for _round in range(4):
        path = write_with_chunk(tmp_path / "outer.docx", "inner.docx", path.read_bytes())
    document = load_document(path)
    assert document.text.split("\n") == ["before"] * 3 + ["after"] * 3
    assert [(flag.name, flag.doubtful) for flag in document.receipt.flags] == [("unread_part", True)]


def test_that_a_diagram_is_read_in_the_order_of_its_outline(tmp_path):
    points = "".join(
        f'<dgm:pt modelId="{name}"{kind}><dgm:t><a:p><a:r><a:t>{name}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for name, kind in [("root", ' type="doc"'), ("b", ""), ("a1", ""), ("a", ""), ("p", ' type="pres"')]
    )
    lines = "".join(
        f'<dgm:cxn srcId="{upper}" destId="{lower}" srcOrd="{order}"/>'
        for upper, lower, order in [("root", "b", 1), ("root", "a", 0), ("a", "a1", 0)]
    )
    data = (
        f'<dgm:dataModel xmlns:dgm="{DIAGRAMS}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
        f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{lines}</dgm:cxnLst></dgm:dataModel>"
    )
    drawing = f'<w:p><w:r><w:drawing><dgm:relIds xmlns:dgm="{DIAGRAMS}" r:dm="rId1"/></w:drawing></w:r></w:p>'
    path = write_package(
        tmp_path / "case.docx",
        {
            "word/document.xml": document_xml(drawing + paragraph_xml("after")),
            "word/_rels/document.xml.rels": relations_xml(("diagramData", "diagrams/data1.xml")),
            "word/diagrams/data1.xml": data,
        },
    )
    assert load_document(path).text.split("\n") == ["a", "a1", "b", "after"]


def write_flat(path, source):
    """Write the parts of a package one after the other into one XML file."""
    space = "http://schemas.microsoft.com/office/2006/xmlPackage"
    with zipfile.ZipFile(source) as package, path.open("w", encoding="utf-8") as flat:
        flat.write(f'<?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="{space}">')
        for name in package.namelist():
            data = package.read(name)
            if name.endswith((".xml", ".rels")):
                content = data.decode().partition("?>")[2] if data.startswith(b"<?xml") else data.decode()
                content = f"<pkg:xmlData>{content}</pkg:xmlData>"
            else:
                content = f"<pkg:binaryData>{base64.b64encode(data).decode()}</pkg:binaryData>"
            flat.write(f'<pkg:part pkg:name="/{name}">{content}</pkg:part>')
        flat.write("</pkg:package>")
    return path


def test_that_a_package_in_one_xml_file_is_read_as_the_package_is(tmp_path):
    package = write_docx(tmp_path / "essay.docx", CHINESE_TITLE, CHINESE_PARAGRAPHS)
    document, flat = load_document(package), load_document(write_flat(tmp_path / "essay.xml", package))
    assert (flat.text, flat.title, flat.blocks) == (document.text, document.title, document.blocks)
    assert flat.receipt.dropped == document.receipt.dropped


OLD = (
    '<?mso-application progid="Word.Document"?>'
    '<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" '
    'xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint" '
    'xmlns:aml="http://schemas.microsoft.com/aml/2001/core" '
    'xmlns:o="urn:schemas-microsoft-com:office:office">'
    "<o:DocumentProperties><o:Title>春天</o:Title></o:DocumentProperties>"
    '<w:styles><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    "</w:styles><w:body><wx:sect>{}<w:sectPr><w:hdr><w:p><w:r><w:t>page head</w:t></w:r></w:p></w:hdr>"
    "</w:sectPr></wx:sect></w:body></w:wordDocument>"
)
OLD_BODY = (
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>春天</w:t></w:r></w:p>'
    '<w:p><w:pPr><w:listPr><w:ilvl w:val="0"/><w:ilfo w:val="1"/><wx:t wx:val="1."/></w:listPr></w:pPr>'
    "<w:r><w:t>item</w:t></w:r>"
    "<w:r><w:footnote><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote></w:r></w:p>"
    '<w:p><aml:annotation w:type="Word.Insertion"><aml:content><w:r><w:t>new</w:t></w:r></aml:content>'
    '</aml:annotation><aml:annotation w:type="Word.Deletion"><aml:content><w:r><w:delText>old</w:delText>'
    "</w:r></aml:content></aml:annotation><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r></w:p>"
)


def test_that_a_document_of_word_2003_in_xml_is_read(tmp_path):
    path = tmp_path / "old.xml"
    path.write_text(OLD.format(OLD_BODY), encoding="utf-8")
    document = load_document(path)
    assert document.text.split("\n") == ["春天", "1. item", "new", "note"]
    assert document.title == "春天"
    kinds = [BlockKind.TITLE, BlockKind.LIST_ITEM, BlockKind.PARAGRAPH, BlockKind.FOOTNOTE]
    assert [block.kind for block in document.blocks] == kinds
    assert {(d.reason, d.excerpt) for d in document.receipt.dropped} == {
        ("deleted_revision", "old"),
        ("hidden_text", "unseen"),
        ("page_header", "page head"),
    }


@pytest.mark.skipif(soffice() is None, reason="LibreOffice is not installed")
def test_that_libreoffice_saves_the_same_essay_for_word_2003(tmp_path):
    source = write_docx(tmp_path / "essay.docx", CHINESE_TITLE, CHINESE_PARAGRAPHS)
    convert_by_libreoffice(source, "xml:MS Word 2003 XML")
    assert load_document(tmp_path / "essay.xml").text == load_document(source).text
