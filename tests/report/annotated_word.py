"""Annotated copies of Word files, their marks and runs."""

import io
import zipfile
from pathlib import Path

import docx
from lxml import etree

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.report.annotated.annotate import annotated_copy
from simcompare.report.annotated.annotations import MARK_STYLES
from tests.report.marking import every_sentence
from tests.report.words import squeezed

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
UNDERLINES = {style.underline.upper() for style in MARK_STYLES.values()}


def part(data, name):
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return etree.fromstring(package.read(name))


def attributes_of(element):
    """Attributes by local name, which is the same in transitional and strict files."""
    return {etree.QName(key).localname: value for key, value in element.attrib.items()}


def underlined(data, parts=("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")):
    """The marked texts in the order of the file; consecutive runs of the same style are joined."""
    found = []
    for name in set(parts) & set(zipfile.ZipFile(io.BytesIO(data)).namelist()):
        for run in part(data, name).iter("{*}r"):
            line = run.find("{*}rPr/{*}u")
            is_marked = line is not None and attributes_of(line).get("color") in UNDERLINES
            found.append("".join(t.text or "" for t in run.findall("{*}t")) if is_marked else "\0")
    return squeezed("".join(found))


def annotated(path, tmp_path, marks=None):
    prepared_document = read_prepared_document(path, "improved")
    marks = every_sentence(prepared_document) if marks is None else marks
    copy = annotated_copy(path, prepared_document.document, marks)
    place = tmp_path / f"copy of {path.name}"
    place.write_bytes(copy.data)
    return prepared_document, copy, place


def one_paragraph(tmp_path, *texts, change=lambda run: None, name="essay.docx"):
    document = docx.Document()
    paragraph = document.add_paragraph()
    for text in texts:
        change(paragraph.add_run(text))
    document.save(str(tmp_path / name))
    return tmp_path / name


def runs_of(place):
    return [run for paragraph in docx.Document(str(place)).paragraphs for run in paragraph.runs if run.text]
