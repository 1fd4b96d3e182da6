"""E-books: the pages of the reading order as one text."""

import pytest

from simcompare.loading import load_document
from simcompare.model.document import BlockKind, FlagName, Place
from simcompare.model.errors import (
    DamagedFileError,
    FileTooLargeError,
    NoTextError,
    PasswordNeededError,
    UnsupportedFormatError,
)
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE
from tests.helpers.open_document import (
    EPUB_TYPE,
    container_xml,
    opf_xml,
    page_xhtml,
    write_epub,
    write_zip,
)

RIVER = "<p>The river sings all the year round.</p>"
BRIDGE = "<p>Old people sit on the bridge in the sun.</p>"


def _lines(path):
    return load_document(path).text.split("\n")


def _dropped(document):
    return {drop.reason.value: drop.characters for drop in document.receipt.dropped}


def test_that_chapters_are_in_reading_order_not_archive_order(tmp_path):
    chapters = {"b.xhtml": "<h1>One</h1>" + RIVER, "a.xhtml": "<h1>Two</h1>" + BRIDGE}
    document = load_document(write_epub(tmp_path / "book.epub", chapters))
    assert document.text.split("\n") == [
        "One", "The river sings all the year round.", "Two", "Old people sit on the bridge in the sun.",
    ]  # fmt: skip
    assert [block.kind for block in document.blocks][::2] == [BlockKind.HEADING] * 2
    assert document.title == "A Walk by the River"
    assert document.receipt.reader == document.receipt.format == "epub"


def test_that_a_chinese_essay_is_whole(tmp_path):
    body = f"<h1>{CHINESE_TITLE}</h1>" + "".join(f"<p>{text}</p>" for text in CHINESE_PARAGRAPHS)
    assert _lines(write_epub(tmp_path / "book.epub", {"a.xhtml": body})) == [
        CHINESE_TITLE,
        *CHINESE_PARAGRAPHS,
    ]


def test_that_the_table_of_contents_is_dropped_and_counted(tmp_path):
    items = (
        '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
    )
    nav = '<nav epub:type="toc"><h2>Contents</h2><ol><li><a href="c.xhtml">River</a></li></ol></nav>'
    path = write_epub(
        tmp_path / "book.epub",
        {"c.xhtml": RIVER},
        **{
            "OEBPS/content.opf": opf_xml(items, '<itemref idref="n"/><itemref idref="c"/>'),
            "OEBPS/nav.xhtml": page_xhtml(nav),
        },
    )
    document = load_document(path)
    assert document.text == "The river sings all the year round."
    assert _dropped(document) == {"table_of_contents": len("ContentsRiver")}


def test_that_the_contents_that_older_readers_show_are_counted(tmp_path):
    ncx = (
        '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" '
        '"http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/">'
        "<navMap><navPoint><navLabel><text>River</text></navLabel></navPoint></navMap></ncx>"
    )
    items = (
        '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    )
    opf = opf_xml(items, '<itemref idref="c"/>')
    path = write_epub(
        tmp_path / "book.epub", {"c.xhtml": RIVER}, **{"OEBPS/content.opf": opf, "OEBPS/toc.ncx": ncx}
    )
    assert _dropped(load_document(path)) == {"table_of_contents": 5}


def test_that_a_contents_page_of_the_guide_is_dropped_but_not_an_anchor_in_a_chapter(tmp_path):
    items = "".join(
        f'<item id="{name}" href="{name}.html" media-type="application/xhtml+xml"/>' for name in "tc"
    )
    spine = '<itemref idref="t"/><itemref idref="c"/>'
    guide = '<guide><reference type="toc" href="t.html"/><reference type="toc" href="c.html#toc"/></guide>'
    path = write_epub(
        tmp_path / "book.epub",
        {"t.html": "<p>River 1</p>", "c.html": RIVER},
        **{"OEBPS/content.opf": opf_xml(items, spine, more=guide)},
    )
    document = load_document(path)
    assert document.text == "The river sings all the year round."
    assert _dropped(document) == {"table_of_contents": 6}


def test_that_notes_are_separate_blocks_without_their_numbers(tmp_path):
    body = (
        '<p>The river sings<a epub:type="noteref" href="#n1">1</a> all the year.</p>'
        '<aside epub:type="footnote" id="n1"><p>Even in winter.</p></aside>'
    )
    document = load_document(write_epub(tmp_path / "book.epub", {"a.xhtml": body}))
    assert document.text.split("\n") == ["The river sings all the year.", "Even in winter."]
    assert document.blocks[-1].kind is BlockKind.FOOTNOTE


@pytest.mark.parametrize(
    ("hidden", "flag"), [("display: none", FlagName.HIDDEN_TEXT), ("color: #fff", FlagName.WHITE_TEXT)]
)
def test_that_a_style_sheet_file_hides_text_and_the_receipt_has_its_place(tmp_path, hidden, flag):
    page = page_xhtml(
        RIVER + '<p class="key">mountain lake</p>' + BRIDGE,
        '<link rel="stylesheet" href="../style/a%20b.css" type="text/css"/>',
    )
    path = write_epub(
        tmp_path / "book.epub",
        {"first.xhtml": "<h1>One</h1>", "text/c.xhtml": ""},
        **{"OEBPS/text/c.xhtml": page, "OEBPS/style/a b.css": f".key {{ {hidden} }}</style>"},
    )
    document = load_document(path)
    assert document.text.split("\n")[1:] == [
        "The river sings all the year round.",
        "Old people sit on the bridge in the sun.",
    ]
    found = next(raised for raised in document.receipt.flags if raised.name is flag)
    assert found.places == (Place(paragraph=2),)
    assert found.excerpt == "mountain lake"


LIST = "<ol><li>River</li><li><p>Bridge</p><ol type='a'><li>Sun</li></ol></li></ol><ul><li>Wind</li></ul>"
NUMBERED = ["1. River", "2. Bridge", "a. Sun", "Wind"]


def test_that_numbered_lists_keep_their_numbers_in_every_chapter(tmp_path):
    assert _lines(write_epub(tmp_path / "book.epub", {"a.xhtml": LIST, "b.xhtml": LIST})) == NUMBERED * 2


@pytest.mark.parametrize(
    ("sheet", "lines"),
    [
        ("ol { list-style: none }", ["River", "Bridge", "Sun", "Wind"]),
        ("ol { list-style-type: upper-roman }", ["I. River", "II. Bridge", "I. Sun", "Wind"]),
        ("p { color: red }", NUMBERED),
        (None, NUMBERED),
    ],
    ids=["without numbers", "Roman", "of other things", "not in the book"],
)
def test_that_the_style_sheets_of_a_book_determine_list_numbers(tmp_path, sheet, lines):
    page = page_xhtml(LIST, '<link rel="stylesheet" href="a.css" type="text/css"/>')
    parts = {"OEBPS/c.xhtml": page} | ({"OEBPS/a.css": sheet} if sheet else {})
    assert _lines(write_epub(tmp_path / "book.epub", {"c.xhtml": ""}, **parts)) == lines


@pytest.mark.parametrize(
    ("href", "stored"),
    [
        ("Chapter%201.xhtml", "Chapter 1.xhtml"),
        ("Chapter%201.xhtml", "Chapter%201.xhtml"),
        ("%E7%AC%AC.xhtml", "第.xhtml"),
        ("text/../CHAPTER.xhtml", "chapter.XHTML"),
        ("chapter.xhtml#start", "chapter.xhtml"),
    ],
)
def test_that_chapters_are_found_however_their_names_are_encoded(tmp_path, href, stored):
    items = f'<item id="c" href="{href}" media-type="application/xhtml+xml"/>'
    opf = opf_xml(items, '<itemref idref="c"/>')
    path = write_epub(tmp_path / "book.epub", {stored: RIVER}, **{"OEBPS/content.opf": opf})
    assert _lines(path) == ["The river sings all the year round."]


def test_that_a_book_without_a_container_or_an_order_is_read(tmp_path):
    parts = {
        "mimetype": EPUB_TYPE,
        "content.opf": opf_xml('<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>', ""),
        "c.xhtml": page_xhtml(RIVER),
    }
    assert _lines(write_zip(tmp_path / "book.epub", parts)) == ["The river sings all the year round."]


def test_that_a_book_with_a_bare_ampersand_in_its_title_is_read(tmp_path):
    items = '<item id="c" href="a.xhtml" media-type="application/xhtml+xml"/>'
    opf = opf_xml(items, '<itemref idref="c"/>', title="Rivers & Bridges")
    path = write_epub(tmp_path / "book.epub", {"a.xhtml": RIVER}, **{"OEBPS/content.opf": opf})
    assert _lines(path) == ["The river sings all the year round."]


def test_that_an_untitled_book_has_its_first_heading_as_title(tmp_path):
    items = '<item id="c" href="a.xhtml" media-type="application/xhtml+xml"/>'
    opf = opf_xml(items, '<itemref idref="c"/>', title="Unknown")
    chapters = {"a.xhtml": RIVER + "<h1>Old Bridges</h1>" + BRIDGE}
    path = write_epub(tmp_path / "book.epub", chapters, **{"OEBPS/content.opf": opf})
    assert load_document(path).title == "Old Bridges"


def _encryption(algorithm, uri):
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData>'
        f'<enc:CipherReference URI="{uri}"/></enc:CipherData></enc:EncryptedData></encryption>'
    )


def test_that_a_copy_protected_book_is_unsupported(tmp_path):
    locked = _encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/a.xhtml")
    path = write_epub(tmp_path / "book.epub", {"a.xhtml": RIVER}, **{"META-INF/encryption.xml": locked})
    with pytest.raises(UnsupportedFormatError, match="copy protection"):
        load_document(path)


@pytest.mark.parametrize(
    ("algorithm", "uri"),
    [
        ("http://www.idpf.org/2008/embedding", "OEBPS/a.xhtml"),
        ("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/font.otf"),
    ],
)
def test_that_obfuscated_fonts_do_not_lock_a_book(tmp_path, algorithm, uri):
    locked = _encryption(algorithm, uri)
    path = write_epub(tmp_path / "book.epub", {"a.xhtml": RIVER}, **{"META-INF/encryption.xml": locked})
    assert _lines(path) == ["The river sings all the year round."]


def test_that_a_missing_chapter_makes_the_text_doubtful(tmp_path):
    items = "".join(
        f'<item id="{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>' for n in ("a", "lost")
    )
    opf = opf_xml(items, '<itemref idref="a"/><itemref idref="lost"/>')
    path = write_epub(tmp_path / "book.epub", {"a.xhtml": RIVER}, **{"OEBPS/content.opf": opf})
    flags = {flag.name: flag.count for flag in load_document(path).receipt.flags}
    assert flags[FlagName.PAGE_WITHOUT_TEXT] == 1


@pytest.mark.parametrize(
    "parts",
    [
        {"META-INF/container.xml": container_xml("OEBPS/content.opf")},
        {"OEBPS/content.opf": opf_xml("", "")},
        {"OEBPS/content.opf": "no markup"},
        {
            "OEBPS/content.opf": opf_xml(
                '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>', '<itemref idref="a"/>'
            )
        },
    ],
)
def test_that_a_book_without_its_chapters_is_damaged(tmp_path, parts):
    with pytest.raises(DamagedFileError, match=r"book\.epub"):
        load_document(write_zip(tmp_path / "book.epub", {"mimetype": EPUB_TYPE, **parts}))


def test_that_a_book_of_pictures_raises_the_no_text_error(tmp_path):
    chapters = dict.fromkeys(("a.xhtml", "b.xhtml"), '<img src="page.png" alt="a page"/>')
    with pytest.raises(NoTextError, match="images"):
        load_document(write_epub(tmp_path / "book.epub", chapters))


def test_that_ten_million_bytes_of_text_are_too_much(tmp_path):
    chapters = {f"{n}.xhtml": "<p>" + "river and bridge " * 70_000 + "</p>" for n in range(20)}
    with pytest.raises(FileTooLargeError, match="10 MB"):
        load_document(write_epub(tmp_path / "book.epub", chapters))


def test_that_a_locked_archive_asks_for_its_password(tmp_path):
    path = write_epub(tmp_path / "book.epub", {"a.xhtml": RIVER})
    data = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(mark)
        while start >= 0:
            data[start + flags] |= 1
            start = data.find(mark, start + 1)
    path.write_bytes(data)
    with pytest.raises(PasswordNeededError):
        load_document(path)
