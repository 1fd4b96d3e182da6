"""Redaction of parts of a Word file besides its text: pictures, phonetic guides, times."""

import io
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from PIL import Image, PngImagePlugin

from simcompare.model.errors import NotAnonymousError
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from simcompare.redaction.docx_redaction import redacted_docx, without_metadata

EXIF = b"Exif\0\0 Kowalski Anna; ANNA KOWALSKI"


def picture(kind):
    image = Image.new("RGB", (40, 30), "#4477aa")
    remarks = PngImagePlugin.PngInfo()
    remarks.add_text("Author", "Anna Kowalski")
    metadata = {"pnginfo": remarks} if kind == "PNG" else {"comment": "Anna Kowalski"}
    buffer = io.BytesIO()
    image.save(buffer, kind, **metadata)
    return buffer.getvalue()


def jpeg_with_exif():
    data = picture("JPEG")
    segment = b"\xff\xe1" + (len(EXIF) + 2).to_bytes(2, "big") + EXIF
    return data[:2] + segment + data[2:] + b"Anna Kowalski, behind the end"


def pixels(data):
    return Image.open(io.BytesIO(data)).convert("RGB").tobytes()


def made(change, extra=()):
    """The parts of an anonymous copy of a changed Word file with further members."""
    document = docx.Document()
    change(document)
    saved = io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved, "a") as package:
        for name, data in extra:
            package.writestr(name, data)
    names = make_pseudonyms((), [Student(("Anna Kowalski",)), Student(("张三丰",))])
    made = redacted_docx(Path("essay.docx"), saved.getvalue(), names, None)
    return zipfile.ZipFile(io.BytesIO(made))


@pytest.mark.parametrize("data", [jpeg_with_exif(), picture("PNG")], ids=["jpeg", "png"])
def test_that_a_picture_keeps_its_pixels_and_loses_its_metadata(data):
    assert b"Kowalski" in data
    name = "word/media/image1.png"
    left = made(lambda document: None, [(name, data)]).read(name)
    assert b"nna" not in left
    assert pixels(left) == pixels(data)


def test_that_a_broken_or_unsupported_picture_is_not_changed():
    for data in (
        b"",
        b"GIF89a",
        jpeg_with_exif()[:90],
        picture("PNG")[:-4],
        b"\xff\xd8",
        b"\x89PNG\r\n\x1a\n",
    ):
        assert without_metadata(data) is None


@pytest.mark.parametrize("text", ["Kowalski Anna", "ANNA", "by kowalski", "张三丰"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_that_a_name_in_an_unsupported_picture_is_found_in_all_encodings(text, encoding):
    data = b"GIF89a " + text.encode(encoding)
    with pytest.raises(NotAnonymousError, match="picture"):
        made(lambda document: None, [("word/media/image9.gif", data)])


def ruby(base, reading):
    return parse_xml(
        f"<w:r {nsdecls('w')}><w:ruby><w:rt><w:r><w:t>{reading}</w:t></w:r></w:rt>"
        f"<w:rubyBase><w:r><w:t>{base}</w:t></w:r></w:rubyBase></w:ruby></w:r>"
    )


def test_that_a_name_is_replaced_with_its_phonetic_guide():
    def write(document):
        paragraph = document.add_paragraph("我叫")
        for base, reading in (("张", "zhāng"), ("三", "sān"), ("丰", "fēng"), ("吗", "ma")):
            paragraph._p.append(ruby(base, reading))

    text = made(write).read("word/document.xml").decode()
    assert "Student 0" in text
    assert not [left for left in ("张", "三", "丰", "zh", "sān", "fēng") if left in text]
    assert "<w:t>吗</w:t>" in text
    assert "<w:t>ma</w:t>" in text


def test_that_the_copy_contains_no_times():
    def write(document):
        document.core_properties.created = document.core_properties.modified
        paragraph = document.add_paragraph("Text")
        paragraph._p.append(
            parse_xml(
                f'<w:ins {nsdecls("w")} w:id="1" w:author="A" w:date="2024-01-02T03:04:05Z"><w:r><w:t>x</w:t>'
                "</w:r></w:ins>"
            )
        )

    package = made(write)
    assert b"2024" not in package.read("word/document.xml")
    core = package.read("docProps/core.xml")
    assert b"created" not in core
    assert b"modified" not in core
    assert {info.date_time[0] for info in package.infolist()} == {1980}


def test_that_headers_titles_and_data_of_forms_are_left_out_as_they_may_hold_any_number():
    def change(document):
        section = document.sections[0]
        section.header.paragraphs[0].text = "Riverside School, English, Ann Fields, 2024019"
        section.footer.paragraphs[0].text = "2024019"
        document.core_properties.title = document.core_properties.subject = "2024019"
        document.add_paragraph("The walk.")

    data = [("customXml/item7.xml", b"<number>2024019</number>")]
    parts = made(change, data)
    assert "word/header1.xml" in parts.namelist()
    assert not [name for name in parts.namelist() if b"2024019" in parts.read(name)]
    assert not [name for name in parts.namelist() if b"Fields" in parts.read(name)]
    assert "The walk." in docx.Document(io.BytesIO(parts.fp.getvalue())).paragraphs[0].text
