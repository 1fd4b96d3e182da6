"""PDFs that differ by a name, and their anonymous copies."""

import io

import pikepdf
import pypdfium2

from simcompare.comparison.prepared_document import read_prepared_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from simcompare.redaction.pdf_redaction import anonymous_copy
from tests.helpers.pdf_files import drawn, write_pdf
from tests.pseudonyms.leaks import leaks_in
from tests.report.marking import every_sentence

# as wide as each other, so that pages which differ by the name alone must give the same picture
NAMES = ("Roland Dyer", "Ronald Drey")
CHINESE = ("李小明", "张三丰")
ONE_STUDENT = Student((*NAMES, *CHINESE), ("20231234", "20234321"))
BODY = drawn("The willows turn green and the river wakes in spring.", 60, 400)
BODY += drawn("Children fly kites over the fields, and nobody goes home early.", 60, 380)
UPRIGHT = {0: "1 0 0 1 0 0", 90: "0 1 -1 0 595 0", 180: "-1 0 0 -1 595 842", 270: "0 -1 1 0 0 842"}
"""How text is drawn that is upright on an A4 page which is shown turned."""
HAN_FONT = """<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-{}
/DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /CIDSystemInfo
<< /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor << /Type /FontDescriptor
/FontName /STSong-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200
/CapHeight 700 /StemV 80 >> >>] >>"""


def names_for(*files):
    # the student first, so that no number depends on where the files lie
    return pseudonyms_of(ONE_STUDENT).covering(files)


def pseudonyms_of(*students):
    return make_pseudonyms(propose([], students), students, "5e" * 16)


def copy_of(path, **given):
    """The anonymous copy of a file with all of its sentences marked, and the subject it was made of."""
    prepared_document = read_prepared_document(path, "improved", ReadingOptions(given.get("password")))
    marks = every_sentence(prepared_document)
    return anonymous_copy(
        path, prepared_document.document, marks, names_for(path), **given
    ), prepared_document


def page_picture(data, page=0, *, marks=False):
    """A page in greys, unturned, at 2 pixels a point."""
    shown = pypdfium2.PdfDocument(data)[page]
    upright = -shown.get_rotation() % 360
    return shown.render(scale=2, rotation=upright, draw_annots=marks, grayscale=True).to_numpy().squeeze()


def pictures_in(data):
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [page.Resources.XObject.P.read_bytes() for page in pdf.pages]


def twins(tmp_path, write, names=NAMES):
    """The copies of two files that differ by the name in them."""
    made = []
    for number, name in enumerate(names):
        folder = tmp_path / str(number)
        folder.mkdir()
        made.append((write(folder / "essay.pdf", name), name))
    originals = [page_picture(path.read_bytes()) for path, _name in made]
    assert (originals[0] != originals[1]).any()
    copies = [copy_of(path)[0] for path, _name in made]
    for copy, (_path, name) in zip(copies, made, strict=True):
        assert leaks_in(copy.data, name, [*names, *name.split()]) == []
    return copies


def han(text, x, y, font="H"):
    return f"BT /{font} 12 Tf 1 0 0 1 {x} {y} Tm <{text.encode('utf-16-be').hex()}> Tj ET\n"


def write_han(path, content, **given):
    """Write a page that has Chinese characters of /H, and of /V from top to bottom."""
    path = write_pdf(path, content, objects=[HAN_FONT.format(way) for way in "HV"], **given)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        fonts = pdf.pages[0].Resources.Font
        fonts.H, fonts.V = (
            next(
                held
                for held in pdf.objects
                if isinstance(held, pikepdf.Dictionary) and held.get("/Encoding") == f"/UniGB-UTF16-{way}"
            )
            for way in "HV"
        )
        pdf.save()
    return path
