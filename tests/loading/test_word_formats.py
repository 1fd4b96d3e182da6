"""A document with many structures is the same in .docx, .doc and .rtf."""

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor

from simcompare.loading import load_document
from tests.helpers import essay_files as files

pytestmark = pytest.mark.skipif(files.soffice() is None, reason="LibreOffice is not installed")

WHITE = RGBColor(255, 255, 255)
TEXTS = {
    "zh": "家乡的河|一、春天|河水清清的，|看不见的话|孩子们放风筝。|格|框里的一段|引用的话|三年级二班",
    "en": "The River|Spring|Clear water, |hidden|and kites.|cell|A framed part|Quoted|Class 3",
}
REVISION = 'w:id="1" w:author="a" w:date="2024-01-01T00:00:00Z"'


def _run_xml(tag, text):
    return f'<w:r><w:{tag} xml:space="preserve">{text}</w:{tag}></w:r>'


def _write(path, texts):
    title, heading, seen, hidden, more, cell, framed, quoted, header = texts
    document = docx.Document()
    document.add_paragraph(title, style="Title")
    document.add_heading(heading, 1)
    paragraph = document.add_paragraph(seen)
    paragraph.add_run(hidden).font.hidden = True
    paragraph.add_run(more)
    paragraph.add_run(seen * 2).font.color.rgb = WHITE
    paragraph.add_run(more * 2).font.size = Pt(1)
    for style in ("List Number", "List Number", "List Bullet", "Quote"):
        document.add_paragraph(quoted, style=style)
    table = document.add_table(3, 3)
    for number, table_cell in enumerate(table._cells):
        table_cell.text = f"{cell}{number}"
    for table_cell in table.rows[0].cells:
        table_cell._tc.get_or_add_tcPr().append(
            parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:color="auto" w:fill="1F3864"/>')
        )
        table_cell.paragraphs[0].runs[0].font.color.rgb = WHITE
    table.cell(1, 0).merge(table.cell(1, 1))
    frame = document.add_table(1, 1).cell(0, 0)
    frame.text = framed
    frame.add_paragraph(framed)
    last = document.add_paragraph(f"{seen}\t{more}\n{seen}-{more}𠮷")
    last._p.append(
        parse_xml(
            f"<w:ins {nsdecls('w')} {REVISION}>{_run_xml('t', heading)}</w:ins>",
        )
    )
    last._p.append(parse_xml(f"<w:del {nsdecls('w')} {REVISION}>{_run_xml('delText', framed)}</w:del>"))
    document.sections[0].header.paragraphs[0].text = header
    document.save(path)
    return path


def _gist(document):
    kinds = [str(block.kind) for block in document.blocks]
    dropped = {str(part.reason): part.characters for part in document.receipt.dropped}
    places = {str(flag.name): flag.places for flag in document.receipt.flags}
    return document.text.split("\n"), kinds, document.title, dropped, places


@pytest.mark.parametrize("suffix", ["doc", "rtf"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_older_formats_yield_the_same_blocks_and_receipt(tmp_path, language, suffix):
    source = _write(tmp_path / "essay.docx", TEXTS[language].split("|"))
    found = _gist(load_document(files.convert_by_libreoffice(source, suffix)))
    assert found == _gist(load_document(source))
    assert {"hidden_text", "white_text", "tiny_text", "deleted_revision", "page_header"} == set(found[3])
