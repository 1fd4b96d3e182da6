"""Office files whose XML has faults that cost no text, as foreign programs write them."""

import pytest

from simcompare.loading import load_document
from simcompare.model.document import FlagName
from simcompare.model.errors import DamagedFileError
from tests.helpers.documents import SHARED
from tests.helpers.essay_files import paragraph_xml, write_body_xml
from tests.helpers.open_document import content_xml, opf_xml, paragraphs, write_epub, write_odt, write_zip
from tests.loading.readings import lines

RIVER = "The river sings all the year round."
BOATS = "家乡的小河上有三条船"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TEXT = content_xml(paragraphs(RIVER, BOATS))


@pytest.mark.parametrize(
    "content",
    [
        content_xml(
            f'<text:list xml:id="l1"><text:list-item>{paragraphs(RIVER)}</text:list-item></text:list>'
            f'<text:list xml:id="l1"><text:list-item>{paragraphs(BOATS)}</text:list-item></text:list>'
        ),
        TEXT.replace("<text:p>", '<text:p xml:id="7 days">'),
        TEXT.replace("<text:p>", '<text:p text:style-name="A" text:style-name="B" t>'),
        TEXT.replace("<text:p>", '<text:p new:mark="1"><new:bookmark/>'),
        TEXT.replace('xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"', ""),
        TEXT.replace("sings", "si\x01ngs&#11;&#x1F;"),
        TEXT.replace("<text:p>", '<text:p text:condition="a<b"><!-- a -- b -->'),
        f'\n<?xml version="1.0"?>{TEXT}',
        *(
            f'<?xml version="1.0" encoding="{declared}"?>{TEXT}'.encode(encoding)
            for declared, encoding in [
                ("gb2312", "utf-8"),
                ("gb2312", "gb18030"),
                ("UTF-8", "gb18030"),
                ("UTF-16", "utf-8"),
                ("UTF-8", "utf-16"),
                ("unheard-of", "utf-8"),
            ]
        ),
    ],
)
def test_that_an_opendocument_text_with_a_harmless_fault_is_read(tmp_path, content):
    document = load_document(write_zip(tmp_path / "essay.odt", {
        "mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content,
    }))  # fmt: skip
    assert (lines(document), document.receipt.flags) == ([RIVER, BOATS], ())


@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0" encoding="UTF-8"?>'])
@pytest.mark.parametrize(("text", "bad"), [("a café", b"\xff\xe9"), (RIVER, b"\xe9"), (BOATS, b"\xff")])
def test_that_a_few_broken_bytes_do_not_change_the_encoding(tmp_path, declaration, text, bad):
    def broken(xml):
        return f"{declaration}{xml}".encode().replace(b"second", b"sec" + bad + b"ond")

    body = f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{text}</p><p>second</p></body></html>'
    main = paragraph_xml(text) + paragraph_xml("second")
    main = f'<w:document xmlns:w="{WORD}"><w:body>{main}</w:body></w:document>'
    (tmp_path / "page.xhtml").write_bytes(broken(body))
    paths = [
        tmp_path / "page.xhtml",
        write_body_xml(tmp_path / "essay.docx", "", **{"word/document.xml": broken(main)}),
        write_zip(tmp_path / "essay.odt", {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": broken(content_xml(paragraphs(text, "second"))),
        }),
    ]  # fmt: skip
    for path in paths:
        document = load_document(path)
        assert lines(document) == [text, "sec" + "\ufffd" * len(bad) + "ond"]
        flags = [(flag.name, flag.count) for flag in document.receipt.flags]
        assert flags == [(FlagName.UNDECODABLE_CHARACTERS, len(bad))]


def test_that_a_bare_ampersand_and_a_named_character_are_text(tmp_path):
    content = content_xml("<text:p>Tom & Ann&nbsp;at R&D &copy; a &lt; b&#33;</text:p>")
    assert lines(load_document(write_odt(tmp_path / "essay.odt", "", **{"content.xml": content}))) == [
        "Tom & Ann at R&D © a < b!"
    ]


@pytest.mark.parametrize("fault", ['<w:p w:id="1" w:id="2">', "<w:p><mc2:anchor/>", "<w:p>\x02"])
def test_that_a_word_file_with_a_harmless_fault_is_read(tmp_path, fault):
    body = paragraph_xml(RIVER).replace("<w:p>", fault) + paragraph_xml(BOATS)
    main = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    document = load_document(write_body_xml(tmp_path / "essay.docx", "", **{"word/document.xml": main}))
    assert (lines(document), document.receipt.flags) == ([RIVER, BOATS], ())


@pytest.mark.parametrize(
    ("old", "new"), [(' xmlns:dc="http://purl.org/dc/elements/1.1/"', ""), ("Walk", "W&#1;alk")]
)
def test_that_a_book_with_a_harmless_fault_keeps_its_title(tmp_path, old, new):
    item = '<item id="c" id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
    package = opf_xml(item, '<itemref idref="c"/>').replace(old, new)
    path = write_epub(tmp_path / "b.epub", {"c.xhtml": f"<p>{RIVER}</p>"}, **{"OEBPS/content.opf": package})
    assert load_document(path).title == "A Walk by the River"


@pytest.mark.parametrize("name", ["styles.xml", "meta.xml"])
def test_that_the_text_beside_a_broken_part_of_an_opendocument_text_is_doubtful(tmp_path, name):
    document = load_document(write_odt(tmp_path / "essay.odt", paragraphs(RIVER), **{name: "<broken>"}))
    assert (document.text, document.receipt.doubtful) == (RIVER, True)
    assert [(flag.name, flag.count) for flag in document.receipt.flags] == [(FlagName.UNREAD_PART, 1)]


def test_that_the_text_beside_a_broken_part_of_a_word_file_is_doubtful(tmp_path):
    path = write_body_xml(tmp_path / "essay.docx", paragraph_xml(RIVER), **{"word/styles.xml": "<broken>"})
    document = load_document(path)
    assert document.text == RIVER
    assert [(flag.name, flag.count) for flag in document.receipt.flags] == [(FlagName.UNREAD_PART, 1)]


@pytest.mark.parametrize(
    "content", [TEXT[:-100], TEXT.replace("</text:p>", "", 1), TEXT.replace(' xmlns:text="', " xmlns:text=")]
)
def test_that_xml_whose_elements_are_broken_is_damaged_rather_than_read_in_part(tmp_path, content):
    with pytest.raises(DamagedFileError, match="a part of it is broken"):
        load_document(write_odt(tmp_path / "essay.odt", "", **{"content.xml": content}))


def test_that_entities_are_refused_whatever_else_is_wrong(tmp_path):
    content = '<!DOCTYPE a [<!ENTITY b "c">]>' + TEXT.replace("sings", "&b;\x01 & ")
    with pytest.raises(DamagedFileError, match="instructions that no ordinary"):
        load_document(write_odt(tmp_path / "essay.odt", "", **{"content.xml": content}))


def test_that_the_given_file_with_a_repeated_id_is_read():
    if not (path := SHARED / "cases" / "o01_duplicate_xml_id.odt").exists():
        pytest.skip("no shared files beside this checkout")
    document = load_document(path)
    assert (len(lines(document)), document.receipt.state) == (3, "ok")
