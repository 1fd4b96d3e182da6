"""Difference between the texts of one essay read from several file formats.

    python -m tests.benchmarks.same_essay [--formats doc rtf odt pdf html txt epub]

The essays (Chinese and English: plain, and one with headings, lists, a table, a header and page numbers) are
written as Word files, LibreOffice converts each to the other formats, and every file is loaded. Prints the
units to insert or delete to turn the Word file's text into that of the other file, as a share of the units
of both: 0 for equal texts.
"""

import argparse
import tempfile
from pathlib import Path

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from rapidfuzz.distance import Indel

from simcompare.loading import load_document
from simcompare.model.document import Document
from simcompare.text.comparable import comparable_units
from tests.helpers import essay_files as files

FORMATS = ("doc", "rtf", "odt", "fodt", "pdf", "html", "txt", "epub")
_TABLE = {
    "zh": [["年份", "篇数", "雷同"], ["二〇二一", "三十二篇", "四篇"], ["二〇二二", "三十五篇", "两篇"]],
    "en": [["Year", "Essays", "Alike"], ["First", "thirty-two", "four"], ["Second", "thirty-five", "two"]],
}
_HEADINGS = {
    "zh": ["河边的春天", "写作与真话", "一点数字"],
    "en": ["Spring", "Writing and truth", "Some figures"],
}


def write_plain(path: Path, language: str) -> Path:
    """Write forty paragraphs below a title."""
    return files.write_docx(path, *files.long_essay(language))


def write_structured(path: Path, language: str) -> Path:
    """Write an essay with the elements of a longer one: headings, lists, a table, a header, page numbers."""
    title, paragraphs = files.ESSAYS[language]
    document = docx.Document()
    normal = document.styles["Normal"]
    normal.font.name = "Liberation Serif"
    normal.element.rPr.rFonts.set(qn("w:eastAsia"), "Noto Serif CJK SC")
    document.add_heading(title, 0)
    for number, heading in enumerate(_HEADINGS[language]):
        document.add_heading(heading, 1)
        for text in paragraphs:
            document.add_paragraph(text)
        for text in paragraphs[1:3]:
            document.add_paragraph(text, style="List Number" if number == 1 else "List Bullet")
    rows = _TABLE[language]
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    document.add_paragraph(paragraphs[-1])
    section = document.sections[0]
    section.header.paragraphs[0].text = title
    section.footer.paragraphs[0]._p.append(
        parse_xml(f'<w:fldSimple {nsdecls("w")} w:instr="PAGE"><w:r><w:t>1</w:t></w:r></w:fldSimple>')
    )
    document.save(str(path))
    return path


def in_two_columns(source: Path, target: Path) -> Path:
    """Save a Word file again, its text in two columns."""
    document = docx.Document(str(source))
    for section in document.sections:
        section._sectPr.append(parse_xml(f'<w:cols {nsdecls("w")} w:num="2" w:space="425"/>'))
    document.save(str(target))
    return target


def difference(first: Document, second: Document) -> float:
    """Return the share of units inserted or deleted between two texts, in [0, 1]."""
    first_units, second_units = (list(comparable_units(d.text).texts) for d in (first, second))
    return float(Indel.normalized_distance(first_units, second_units))


def main() -> None:
    """Save, load, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--formats", nargs="+", default=list(FORMATS), choices=FORMATS)
    options = parser.parse_args()
    if files.soffice() is None:
        raise SystemExit("LibreOffice is not installed")
    print(f"{'essay':28}{'format':14}{'different units':>16}{'blocks':>10}  dropped")
    with tempfile.TemporaryDirectory() as folder:
        for language in files.ESSAYS:
            for write in (write_plain, write_structured):
                name = f"{write.__name__.removeprefix('write_')}-{language}"
                source = write(Path(folder) / f"{name}.docx", language)
                whole = load_document(source)
                print(f"{name:28}{'docx':14}{'':16}{len(whole.blocks):10}")
                saved = [(kind, source) for kind in options.formats]
                if "pdf" in options.formats:
                    saved.append(("pdf", in_two_columns(source, source.with_stem(f"{name}-columns"))))
                for kind, origin in saved:
                    document = load_document(files.convert_by_libreoffice(origin, kind))
                    label = kind if origin is source else "pdf, 2 columns"
                    dropped = ", ".join(f"{d.reason.value} {d.characters}" for d in document.receipt.dropped)
                    print(
                        f"{name:28}{label:14}{difference(whole, document):16.2%}"
                        f"{len(document.blocks):10}  {dropped}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
