"""Names in XML attributes of a Word file: replaced in user text, not in values of Word."""

import io
import re
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Inches
from PIL import Image

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from simcompare.redaction.docx_redaction import redacted_docx

STUDENTS = (
    Student(("Anna Kowalski",)),
    Student(("Georgia Smith",)),
    Student(("Tom Heading",)),
    Student(("李雷",), ("12240",)),
)


def anonymous(document):
    """The anonymous copy of a Word file."""
    saved = io.BytesIO()
    document.save(saved)
    names = make_pseudonyms((), STUDENTS)
    return redacted_docx(Path("essay.docx"), saved.getvalue(), names, None)


def whole_text(data):
    """All parts of a copy, joined, in lower case."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return "\n".join(package.read(name).decode("utf-8", "replace") for name in package.namelist()).lower()


def add_picture(document, name):
    picture = io.BytesIO()
    Image.new("RGB", (8, 8)).save(picture, "PNG")
    document.add_picture(picture, width=Inches(1))
    for tag in ("wp:docPr", "pic:cNvPr"):
        for element in document.element.iter(qn(tag)):
            element.set("name", name)
    return document


def test_that_a_picture_named_after_a_student_is_renamed():
    data = anonymous(add_picture(docx.Document(), "kowalski.png"))
    assert "kowalski" not in whole_text(data)
    assert re.search(r"student \d\d\.png", whole_text(data))


def test_that_the_local_path_of_a_picture_is_removed():
    document = add_picture(docx.Document(), "Picture 1")
    for element in document.element.iter(qn("wp:docPr")):
        element.set("descr", r"C:\Users\akowalski77\Pictures\bridge.jpg")
    assert "users" not in whole_text(anonymous(document))


def test_that_a_link_with_a_name_is_replaced():
    document = docx.Document()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), document.part.relate_to("https://school.example/~kowalski", kind, is_external=True))
    link.set(qn("w:tooltip"), "kowalski, page 2")
    document.add_paragraph("see ")._p.append(link)
    text = whole_text(anonymous(document))
    assert "kowalski" not in text
    assert "about:blank" in text


@pytest.mark.parametrize(
    "smart",
    [
        '<w:smartTagPr {ns}><w:attr w:name="person" w:val="Anna Kowalski"/></w:smartTagPr>',
        '<w:sdtPr {ns}><w:alias w:val="Anna Kowalski"/></w:sdtPr>',
        '<w:permStart {ns} w:id="1" w:ed="school\\kowalski"/>',
        '<w:bookmarkStart {ns} w:id="1" w:name="kowalski_page"/>',
        '<x:note xmlns:x="urn:school" owner="Anna Kowalski"/>',
    ],
    ids=["smart tag", "content control", "permission", "bookmark", "a vocabulary of another program"],
)
def test_that_names_in_user_defined_values_are_replaced(smart):
    document = docx.Document()
    document.add_paragraph()._p.append(parse_xml(smart.format(ns=nsdecls("w"))))
    assert "kowalski" not in whole_text(anonymous(document))


def test_that_a_user_defined_style_is_renamed_with_its_references():
    document = docx.Document()
    document.styles.add_style("Kowalski", 1)
    document.add_paragraph("text", style="Kowalski")
    data = anonymous(document)
    assert "kowalski" not in whole_text(data)
    again = docx.Document(io.BytesIO(data))
    assert re.fullmatch(r"Student_\d\d", again.paragraphs[0].style.name)


def test_that_built_in_fonts_styles_and_sizes_stay():
    document = docx.Document()
    document.add_heading("On bridges", 1)
    document.add_paragraph("text").runs[0].font.name = "Georgia"
    document.sections[0].page_width = 12240 * 635  # 635 EMU per twip
    again = docx.Document(io.BytesIO(anonymous(document)))
    assert again.paragraphs[0].style.name == "Heading 1"
    assert again.paragraphs[1].runs[0].font.name == "Georgia"
    assert again.sections[0].page_width == 12240 * 635
