"""Author, times and program of a file in each format."""

import struct
from collections.abc import Iterable
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pytest
from PIL import Image

from simcompare.loading import load_document
from simcompare.loading.formats.doc.doc_storage import CompoundFile
from simcompare.model.document import MOST_EDITING_IDS, UNKNOWN_ORIGIN, Origin
from tests.helpers.doc_files import compound_file
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE, write_docx, write_mhtml, write_text
from tests.helpers.open_document import flat_xml, paragraphs, write_epub, write_odt
from tests.helpers.pdf_files import drawn, write_pdf
from tests.helpers.word_sessions import write_edited_docx

AUTHOR, OTHER = "李小明", "王芳"
BEGUN, SAVED = datetime(2023, 1, 7, 10, 3, tzinfo=UTC), datetime(2023, 1, 8, 11, 30, tzinfo=UTC)
ALL_BUT_PROGRAM = Origin(AUTHOR, OTHER, BEGUN.isoformat(), SAVED.isoformat())
META_SPACES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"'
)
META = (
    f"<office:meta><meta:initial-creator>{AUTHOR}</meta:initial-creator><dc:creator>{OTHER}</dc:creator>"
    "<meta:creation-date>2023-01-07T10:03:00.123456789</meta:creation-date><dc:date>2023-01-08T11:30:00</dc:date>"
    "<meta:generator>LibreOffice/24.2.5.2$Linux_X86_64</meta:generator></office:meta>"
)


def word_file(tmp_path: Path, **properties: object) -> Path:
    path = write_docx(tmp_path / "essay.docx", CHINESE_TITLE, CHINESE_PARAGRAPHS)
    document = docx.Document(str(path))
    for name, value in properties.items():
        setattr(document.core_properties, name, value)
    document.save(str(path))
    return path


def origin_of(path: Path) -> Origin:
    return load_document(path).receipt.origin


def test_that_the_origin_of_a_word_file_is_read(tmp_path):
    path = word_file(tmp_path, author=AUTHOR, last_modified_by=OTHER, created=BEGUN, modified=SAVED)
    origin = origin_of(path)
    assert origin.program == "Microsoft Macintosh Word"  # of the template from which the file was made
    facts = AUTHOR, OTHER, BEGUN.isoformat(), SAVED.isoformat(), origin.program
    assert origin == Origin(*facts, "Normal.dotm", revision=1, edit_minutes=0)


def edited(path: Path, ids: Iterable[str] = (), **more: Any) -> Origin:
    return origin_of(write_edited_docx(path, CHINESE_TITLE, CHINESE_PARAGRAPHS, ids, **more))


def test_that_the_editing_of_a_word_file_is_read(tmp_path):
    origin = edited(
        tmp_path / "essay.docx",
        ["00A1B2C3", "00a1b2c4", "4B5F6C2D"],  # the last as WPS writes it
        Template=r"C:\Users\李小明\作业模板.dotx",
        TotalTime="95",
        revision="12",
    )
    assert origin.editing_ids == ("00A1B2C3", "00A1B2C4", "4B5F6C2D")
    assert (origin.template, origin.edit_minutes, origin.revision) == ("作业模板.dotx", 95, 12)


def test_that_editing_ids_of_the_text_serve_if_the_settings_list_none(tmp_path):
    origin = edited(tmp_path / "essay.docx", text_ids=["00A1B2C4", "00A1B2C3"])
    assert origin.editing_ids == ("00A1B2C3", "00A1B2C4")


def test_that_ids_of_templates_of_programs_are_no_editing_ids(tmp_path):
    assert origin_of(word_file(tmp_path)).editing_ids == ()
    assert edited(tmp_path / "wps.docx", ["00172A27", "00000000"]).editing_ids == ()


@pytest.mark.parametrize("value", ["-5", "1" * 40, "９", "12a", ""])
def test_that_impossible_numbers_of_a_word_file_are_dropped(tmp_path, value):
    origin = edited(tmp_path / "essay.docx", ["00A1B2C3", "x" * 8, "1234", value], TotalTime=value)
    assert origin.edit_minutes is None
    assert origin.editing_ids == ("00A1B2C3",)


def test_that_a_word_file_has_so_many_editing_ids_that_a_session_stores_them(tmp_path):
    ids = [f"{number:08X}" for number in range(1, 2 * MOST_EDITING_IDS)]
    origin = edited(tmp_path / "essay.docx", reversed(ids))
    assert origin.editing_ids == tuple(ids[:MOST_EDITING_IDS])


def test_that_the_names_of_inserted_pictures_are_read(tmp_path):
    document, picture = docx.Document(), BytesIO()
    Image.new("RGB", (300, 300)).save(picture, "PNG")
    named = (r"D:\照片\石桥.JPG", ""), ("图片 1", "IMG_2034.png"), ("Picture 3", "A bridge.")
    for name, description in named:
        document.add_paragraph(CHINESE_PARAGRAPHS[0]).add_run().add_picture(picture, width=1_000_000)
        shown = document.inline_shapes[-1]._inline.docPr
        shown.set("name", name)
        shown.set("descr", description)
    document.save(str(tmp_path / "essay.docx"))
    assert origin_of(tmp_path / "essay.docx").pictures == ("石桥.JPG", "IMG_2034.png")


def test_that_broken_properties_do_not_affect_the_text(tmp_path):
    path = word_file(tmp_path, author=AUTHOR)
    data = path.read_bytes().replace(b"docProps/core.xml", b"docProps/nope.xml")
    path.write_bytes(data)
    document = load_document(path)
    assert CHINESE_PARAGRAPHS[0] in document.text
    assert not document.receipt.origin.author


def test_that_the_origin_of_a_word_2003_xml_file_is_read(tmp_path):
    path = tmp_path / "essay.xml"
    path.write_text(
        '<?xml version="1.0"?><?mso-application progid="Word.Document"?>'
        '<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" '
        'xmlns:o="urn:schemas-microsoft-com:office:office"><o:DocumentProperties>'
        f"<o:Author>{AUTHOR}</o:Author><o:LastAuthor>{OTHER}</o:LastAuthor>"
        "<o:Created>2023-01-07T10:03:00Z</o:Created><o:LastSaved>2023-01-08T11:30:00Z</o:LastSaved>"
        f"</o:DocumentProperties><w:body><w:p><w:r><w:t>{CHINESE_PARAGRAPHS[0]}</w:t></w:r></w:p></w:body>"
        "</w:wordDocument>",
        "utf-8",
    )
    assert origin_of(path) == ALL_BUT_PROGRAM


@pytest.mark.parametrize("is_flat", [False, True], ids=["zipped", "flat"])
def test_that_the_origin_of_an_opendocument_text_is_read(tmp_path, is_flat):
    body = paragraphs(*CHINESE_PARAGRAPHS)
    if is_flat:
        path = tmp_path / "essay.fodt"
        spaced = META.replace("<office:meta>", f"<office:meta {META_SPACES}>")
        path.write_text(flat_xml(body).replace("<office:body>", f"{spaced}<office:body>", 1), "utf-8")
    else:
        meta = f"<office:document-meta {META_SPACES}>{META}</office:document-meta>"
        path = write_odt(tmp_path / "essay.odt", body, **{"meta.xml": meta})
    assert origin_of(path) == Origin(
        AUTHOR, OTHER, "2023-01-07T10:03:00", "2023-01-08T11:30:00", "LibreOffice/24.2.5.2$Linux_X86_64"
    )


def hexadecimal(text: str) -> str:
    return f"<FEFF{text.encode('utf-16-be').hex()}>"


@pytest.mark.parametrize("is_broken", [False, True], ids=["pdfium", "pdfminer"])
def test_that_the_origin_of_a_pdf_is_read_by_either_reader(tmp_path, is_broken, monkeypatch):
    info = (
        f"<< /Author {hexadecimal(AUTHOR)} /Creator (Microsoft\\256 Word 2019) /Producer (Some library) "
        "/CreationDate (D:20230107180300+08'00') /ModDate (D:20230108113000Z) >>"
    )
    path = write_pdf(tmp_path / "essay.pdf", drawn("A river runs through it.", 72, 700), objects=[info])
    path.write_bytes(path.read_bytes().replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 7 0 R"))
    if is_broken:
        monkeypatch.setattr(
            "simcompare.loading.formats.pdf.pdf_reader.opened_by_pdfium", lambda *_given: None
        )
    assert origin_of(path) == Origin(
        AUTHOR, "", "2023-01-07T18:03:00+08:00", SAVED.isoformat(), "Microsoft® Word 2019"
    )


OFFICE_PAGE = (
    "<html><head><!--[if gte mso 9]><xml><o:DocumentProperties><o:Author>李小明</o:Author>"
    "<o:LastAuthor>王芳</o:LastAuthor><o:Created>2023-01-07T10:03:00Z</o:Created>"
    "<o:LastSaved>2023-01-08T11:30:00Z</o:LastSaved></o:DocumentProperties></xml><![endif]--></head>"
    "<body><p>河水清清的，春天来了。</p></body></html>"
)
PAGE = (
    '<html><head><meta name="author" content="李小明"><meta name="changedby" content="王芳">'
    '<meta name="created" content="2023-01-07T10:03:00Z"><meta name="changed" content="2023-01-08T11:30:00Z">'
    "</head><body><p>河水清清的，春天来了。</p></body></html>"
)


@pytest.mark.parametrize("page", [PAGE, OFFICE_PAGE], ids=["meta elements", "saved by Word"])
def test_that_the_origin_of_a_web_page_and_its_archive_is_read(tmp_path, page):
    plain = tmp_path / "essay.html"
    plain.write_text(page, "utf-8")
    archive = write_mhtml(tmp_path / "essay.mht", page.encode(), "base64")
    assert origin_of(plain) == origin_of(archive) == ALL_BUT_PROGRAM


def test_that_the_generator_of_a_web_page_is_read(tmp_path):
    path = tmp_path / "essay.html"
    path.write_text('<meta name="generator" content="LibreOffice 24.2"><p>The river runs on.</p>', "utf-8")
    assert origin_of(path) == Origin(program="LibreOffice 24.2")


def test_that_the_origin_of_an_e_book_is_read(tmp_path):
    path = write_epub(tmp_path / "book.epub", {"one.xhtml": "<p>The river runs on and on.</p>"})
    assert origin_of(path) == UNKNOWN_ORIGIN
    package = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>李小明</dc:creator>'
        '<meta property="dcterms:modified">2023-01-08T11:30:00Z</meta>'
        '<meta name="generator" content="Pandoc"/></metadata><manifest>'
        '<item id="c0" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c0"/></spine></package>'
    )
    path = write_epub(
        tmp_path / "book.epub",
        {"one.xhtml": "<p>The river runs on and on.</p>"},
        **{"OEBPS/content.opf": package},
    )
    assert origin_of(path) == Origin(AUTHOR, last_saved=SAVED.isoformat(), program="Pandoc")


def gbk(text: str) -> str:
    return "".join(rf"\'{byte:02x}" for byte in text.encode("gb18030"))


def test_that_the_origin_of_a_rich_text_file_is_read(tmp_path):
    path = tmp_path / "essay.rtf"
    path.write_text(
        rf"{{\rtf1\ansi\ansicpg936{{\*\generator Riched20 10.0.19041;}}{{\info{{\author {gbk(AUTHOR)}}}"
        rf"{{\operator {gbk(OTHER)}}}{{\creatim\yr2023\mo1\dy7\hr10\min3}}"
        r"{\revtim\yr2023\mo1\dy8\hr11\min30}}"
        r"The river runs on.\par}",
        "latin-1",
    )
    assert load_document(path).text == "The river runs on."
    assert origin_of(path) == Origin(
        AUTHOR, OTHER, "2023-01-07T10:03:00", "2023-01-08T11:30:00", "Riched20 10.0.19041"
    )


def summary_information(texts: dict[int, str], moments: dict[int, datetime]) -> bytes:
    """Return a property set of a compound file ([MS-OLEPS] 2.21), texts in GBK."""
    values = {1: struct.pack("<IhH", 2, 936, 0)}
    for number, text in texts.items():
        data = text.encode("gb18030") + b"\0"
        values[number] = struct.pack("<2I", 30, len(data)) + data + bytes(-len(data) % 4)
    for number, moment in moments.items():
        ticks = int((moment - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
        values[number] = struct.pack("<IQ", 64, ticks)
    table, data = b"", b""
    for number, value in values.items():
        table += struct.pack("<2I", number, 8 + 8 * len(values) + len(data))
        data += value
    head = (
        struct.pack("<2H", 0xFFFE, 0) + bytes(20) + struct.pack("<I", 1) + bytes(16) + struct.pack("<I", 48)
    )
    return head + struct.pack("<2I", 8 + len(table) + len(data), len(values)) + table + data


def test_that_the_origin_of_a_word_97_file_is_read(tmp_path):
    stream = summary_information({4: AUTHOR, 8: OTHER, 18: "Microsoft Office Word"}, {12: BEGUN, 13: SAVED})
    storage = CompoundFile(tmp_path, compound_file({"\x05SummaryInformation": stream}))
    assert storage.summary().origin == Origin(
        AUTHOR, OTHER, BEGUN.isoformat(), SAVED.isoformat(), "Microsoft Office Word"
    )


def test_that_plain_text_has_no_origin(tmp_path):
    path = write_text(tmp_path / "essay.txt", CHINESE_TITLE, CHINESE_PARAGRAPHS)
    assert origin_of(path) == UNKNOWN_ORIGIN


@pytest.mark.parametrize(
    "written", ["yesterday", "1601-01-01T00:00:00Z", "2023-13-45", "", "0000-00-00T00:00:00"]
)
def test_that_an_impossible_time_is_dropped(tmp_path, written):
    page = tmp_path / "essay.html"
    page.write_text(PAGE.replace("2023-01-07T10:03:00Z", written), "utf-8")
    assert origin_of(page) == Origin(AUTHOR, OTHER, "", SAVED.isoformat())


def test_that_a_name_is_shortened_to_one_line(tmp_path):
    page = tmp_path / "essay.html"
    page.write_text(PAGE.replace(AUTHOR, "Li\n \u0007 Xiaoming" + "g" * 500), "utf-8")
    author = origin_of(page).author
    assert author.startswith("Li Xiaomingg")
    assert len(author) <= 100
