"""The anonymous copy of a PDF: pictures of its pages, no pixel of which depends on a name."""

import io
from datetime import datetime
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest

from simcompare.anonymity.file_names import propose
from simcompare.anonymity.pseudonyms import make_pseudonyms
from simcompare.anonymity.students import Student
from simcompare.comparison.compare import compare
from simcompare.comparison.subject import read_subject
from simcompare.errors import PasswordNeededError
from simcompare.loading.options import ReadingOptions
from simcompare.report.annotated.errors import NotAnnotatedError
from simcompare.report.annotated.naming import remarks_in_words
from simcompare.report.anonymous.copies import anonymous_copy
from simcompare.report.anonymous.errors import NotAnonymousError
from simcompare.report.anonymous.evidence import anonymous_evidence, anonymous_marks
from simcompare.report.evidence import Evidence
from simcompare.settings import ComparisonSettings
from tests.anonymity.leaks import leaks_in
from tests.anonymity.planted_pdf import planted_pdf
from tests.helpers.documents import shared_path
from tests.helpers.pdf_files import drawn, write_pdf
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
    subject = read_subject(path, "improved", ReadingOptions(given.get("password")))
    marks = every_sentence(subject)
    return anonymous_copy(path, subject.document, marks, names_for(path), **given), subject


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


def letter_by_letter(name, x, y):
    widths = {"R": 8.7, "D": 8.7, "l": 2.7, "r": 4, "y": 6, " ": 3.3}
    shown = ""
    for letter in name:
        shown += drawn(letter, x, y)
        x += widths.get(letter, 6.7)
    return shown


@pytest.mark.parametrize(
    "show",
    [
        lambda name: drawn(name, 60, 800) + drawn("Class 3b", 400, 800),
        lambda name: drawn(f"When {name} and I waited for the bus, it was raining heavily.", 60, 700),
        lambda name: drawn(name.split()[0], 60, 700) + drawn(f"{name.split()[1]} went home.", 60, 680),
        lambda name: letter_by_letter(name, 60, 700),
        lambda name: drawn(name.split()[1], 90, 700) + drawn(name.split()[0], 60, 700),
        lambda name: f"q 0 1 -1 0 200 500 cm {drawn(name, 0, 0)} Q",
        lambda name: f"q .7 .7 -.7 .7 100 100 cm .8 g {drawn(name, 0, 0, 40)} Q",
        lambda name: drawn(name, 60, 700) + drawn(name, 60.4, 700),
        lambda name: f"/Span << /ActualText (Nobody) >> BDC {drawn(name, 60, 700)} EMC",
        lambda name: f"1 0 0 rg {drawn(name, 60, 700)} 0 g",
        lambda name: f".1 .2 .4 rg 0 690 595 30 re f 1 g {drawn(name, 60, 700)} 0 g",
        lambda name: f"q BT /F 40 Tf 7 Tr 60 600 Td ({name}) Tj ET 0 500 595 300 re f Q",
    ],
    ids=[
        "header", "line", "two lines", "letters", "shuffled", "sideways", "watermark", "twice",
        "told otherwise", "red", "on dark", "as a hole",
    ],
)  # fmt: skip
def test_that_no_pixel_depends_on_a_name(tmp_path, show):
    one, other = twins(tmp_path, lambda path, name: write_pdf(path, f"{show(name)}\n{BODY}"))
    assert pictures_in(one.data) == pictures_in(other.data)
    assert one.placed > 0


@pytest.mark.parametrize("is_upright", [True, False])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_that_pages_that_are_turned_or_cropped_hide_names_as_well(tmp_path, turn, is_upright):
    def write(path, name):
        text = drawn(f"When {name} waited, it was raining.", 60, 450) + BODY
        drawn_turned = UPRIGHT[turn if is_upright else (turn + 90) % 360]
        path = write_pdf(path, f"q {drawn_turned} cm {text} Q", turn=turn, box=(-20, -10, 620, 860))
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            pdf.pages[0].CropBox = [10, 20, 590, 830]
            pdf.save()
        return path

    one, other = twins(tmp_path, write)
    assert pictures_in(one.data) == pictures_in(other.data)
    with pikepdf.open(io.BytesIO(one.data)) as pdf:
        assert [float(side) for side in pdf.pages[0].MediaBox] == [10, 20, 590, 830]
        assert int(pdf.pages[0].Rotate) == turn


@pytest.mark.parametrize(
    "show",
    [
        lambda name: han(f"我和{name}每天早晨都要从桥上走过。", 60, 700),
        lambda name: han(f"姓名：{' '.join(name)}", 60, 700),
        lambda name: han(f"我的好朋友{name[:1]}", 60, 700) + han(f"{name[1:]}每天早晨都要走过。", 60, 680),
        lambda name: han(name, 560, 700, "V"),
        lambda name: "".join(han(one, 560, 700 - 14 * n) for n, one in enumerate(name)),
    ],
    ids=["line", "spaced", "two lines", "vertical", "one below the other"],
)
def test_that_no_pixel_depends_on_a_chinese_name(tmp_path, show):
    one, other = twins(tmp_path, lambda path, name: write_han(path, show(name) + BODY), CHINESE)
    assert pictures_in(one.data) == pictures_in(other.data)


def test_that_a_chinese_name_is_found_though_one_of_its_characters_means_nothing(tmp_path):
    def write(path, name):
        return write_han(path, han(f"我和{name[0]}\ue001{name[2]}每天早晨都要从桥上走过。", 60, 700) + BODY)

    one, other = twins(tmp_path, write, CHINESE)
    assert pictures_in(one.data) == pictures_in(other.data)


TYPE_3 = """<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0]
/FirstChar 65 /LastChar 66 /Widths [700 700] /Encoding << /Differences [65 /A /B] >>
/CharProcs << /A 8 0 R /B 9 0 R >> /ToUnicode 10 0 R >>"""


def test_that_letters_drawn_by_the_file_are_hidden_though_they_reach_beyond_their_boxes(tmp_path):
    glyphs = ["700 0 d0 0 0 600 600 re f", "700 0 d0 -1500 -1500 4000 4000 re f"]
    streams = [f"<< /Length {len(one)} >> stream\n{one}\nendstream" for one in glyphs]
    cmap = "2 beginbfchar <41> <674E> <42> <738B> endbfchar"
    cmap = f"/CMapName /X def 1 begincodespacerange <00> <FF> endcodespacerange {cmap} endcmap"
    streams.append(f"<< /Length {len(cmap)} >> stream\n{cmap}\nendstream")
    path = tmp_path / "essay.pdf"
    write_pdf(path, f"BT /T 12 Tf 60 700 Td (ABA) Tj ET {BODY}", objects=[TYPE_3, *streams])
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.pages[0].Resources.Font.T = pdf.get_object(7, 0)
        pdf.save()
    student = Student(("李王李",))
    subject = read_subject(path, "improved")
    assert "李王李" in subject.document.text
    names = pseudonyms_of(student).covering([path])
    copy = anonymous_copy(path, subject.document, every_sentence(subject), names)
    around = [slice(2 * (842 - 730), 2 * (842 - 716)), slice(2 * (842 - 694), 2 * (842 - 680))]
    before, after = page_picture(path.read_bytes()), page_picture(copy.data)
    assert min(before[rows, 100:300].min() for rows in around) == 0
    assert min(after[rows, 100:300].min() for rows in around) == 255


def test_that_what_cannot_be_read_of_a_page_is_painted_over(tmp_path):
    """A letter that means nothing to a program may be one of a name; here it is another one each time."""

    def write(path, letter):
        text = drawn(f"My friend {letter} went home early, and all of us sang on the way.", 60, 700) + BODY
        return write_pdf(path, text, to_unicode="<71> <E001> <70> <E002>")

    one, other = twins(tmp_path, write, ("q", "p"))
    assert pictures_in(one.data) == pictures_in(other.data)


def picture_object(bits):
    data = bits * 8
    return (
        "<< /Type /XObject /Subtype /Image /Width 64 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 1 "
        f"/Length {len(data)} >> stream\n{data}\nendstream"
    )


@pytest.mark.parametrize(
    "show",
    [
        lambda name: f"q 100 0 0 60 60 600 cm BI /W 8 /H 1 /CS /G /BPC 1 ID {name[3]} EI Q",
        lambda name: f"q 60 600 m 100 600 {90 + 30 * (name == NAMES[0])} 700 160 600 c 160 700 l f Q",
        lambda name: "",
    ],
    ids=["within", "curve", "picture"],
)
def test_that_photographs_and_drawings_are_left_out_in_the_same_way(tmp_path, show):
    def write(path, name):
        objects = [picture_object("U" if name == NAMES[0] else "3")]
        text = f"q 100 0 0 60 60 500 cm /X Do Q {show(name)} {BODY}"
        return write_pdf(path, text, objects=objects, resources="/XObject << /X 7 0 R >>")

    one, other = twins(tmp_path, write)
    assert pictures_in(one.data) == pictures_in(other.data)
    shown = page_picture(one.data)
    # a quiet area with a word in it: neither white nor black
    assert 200 < np.median(shown[2 * (842 - 550) : 2 * (842 - 510), 2 * 70 : 2 * 150]) < 250


def test_that_nothing_of_the_original_is_in_the_copy(tmp_path):
    path = planted_pdf(tmp_path / "Smith_John.pdf")
    students = [Student(("John Smith",), ("20231235",)), Student(("Mary-Ann O'Neil",))]
    subject = read_subject(path, "improved")
    assert leaks_in(path.read_bytes())
    names = make_pseudonyms(propose([path], students), students, "5e" * 16)
    copy = anonymous_copy(path, subject.document, every_sentence(subject), names)
    assert leaks_in(copy.data) == []
    with pikepdf.open(io.BytesIO(copy.data)) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert set(pdf.Root.keys()) == {"/Type", "/Pages"}
        assert set(pdf.docinfo.keys()) == {"/Title", "/Subject"}
        assert str(pdf.docinfo.Title) == names.label(names.owner_of(path))
        assert {str(note.Subtype) for page in pdf.pages for note in page.Annots} == {"/Highlight"}
        fonts = [held for held in pdf.objects if isinstance(held, pikepdf.Dictionary) and "/Font" in held]
        assert fonts == []
    # neither the field nor the remark is drawn
    shown = page_picture(copy.data)
    assert shown[2 * (842 - 622) : 2 * (842 - 558), 120:520].min() == 255


def test_that_a_pseudonym_stands_where_the_name_stood_and_reads_well(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", drawn("When Roland Dyer waited, it rained.", 60, 700) + BODY)
    copy, subject = copy_of(path)
    boxes = subject.document.character_boxes
    start = subject.document.text.index("Roland Dyer")
    x0, y0 = boxes.boxes[start, :2]
    here = page_picture(copy.data)[round(2 * (842 - y0 - 14)) : round(2 * (842 - y0)), round(2 * x0) :]
    there = page_picture(path.read_bytes())[
        round(2 * (842 - y0 - 14)) : round(2 * (842 - y0)), round(2 * x0) :
    ]
    assert (here != there).any()
    # capitals are as high as those of the text around, to a pixel
    heights = [np.flatnonzero((one[:, :120] < 128).any(axis=1)) for one in (here, there)]
    assert abs(int(heights[0][0]) - int(heights[1][0])) <= 2
    # black on white
    assert here.min() < 60


def ink_under(data, boxes):
    """How much ink of the first page is within boxes of the unturned page, and how much there is."""
    dark = 255 - page_picture(data).astype(int)
    left, _low, _right, high = pypdfium2.PdfDocument(data)[0].get_bbox()
    within = np.zeros(dark.shape, bool)
    for x0, y0, x1, y1 in boxes:
        columns = slice(max(0, round(2 * (x0 - left)) - 1), round(2 * (x1 - left)) + 1)
        within[max(0, round(2 * (high - y1)) - 1) : round(2 * (high - y0)) + 1, columns] = True
    return dark[within].sum(), dark.sum()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("corner", [(0, 0), (50, -30)])
def test_that_highlights_lie_over_the_words_that_made_room(tmp_path, turn, corner):
    box = (*corner, corner[0] + 595, corner[1] + 842)
    moved = f"1 0 0 1 {corner[0]} {corner[1]} cm {UPRIGHT[turn]} cm"
    line = drawn("Amy said no. Children fly kites over the green fields.", 60, 450)
    path = write_pdf(tmp_path / "essay.pdf", f"q {moved} {line} Q", turn=turn, box=box)
    # a name that is shorter than what replaces it
    student = Student(("Amy",))
    subject = read_subject(path, "improved")
    names = pseudonyms_of(student).covering([path])
    second = every_sentence(subject)[1:]
    copy = anonymous_copy(path, subject.document, second, names)
    with pikepdf.open(io.BytesIO(copy.data)) as pdf:
        (note,) = pdf.pages[0].Annots
        found = [float(side) for side in note.Rect]
    boxes = subject.document.character_boxes.boxes[second[0].span.start : second[0].span.end]
    wanted, _all = ink_under(path.read_bytes(), boxes[~np.isnan(boxes).any(axis=1)].tolist())
    under, total = ink_under(copy.data, [found])
    assert under == pytest.approx(wanted, rel=0.1)
    assert total > 1.2 * under
    # it is not where the words were
    old = (np.nanmin(boxes[:, :2], axis=0), np.nanmax(boxes[:, 2:], axis=0))
    assert np.abs(np.array(found) - np.concatenate(old)).max() > 10


def test_that_remarks_of_the_copy_speak_of_pseudonyms(tmp_path):
    left = write_pdf(tmp_path / "Roland Dyer.pdf", drawn("Written by Roland Dyer.", 60, 700) + BODY)
    right = write_pdf(tmp_path / "Tom Weaver.pdf", BODY + drawn("Roland Dyer told me so.", 60, 300))
    subjects = [read_subject(path, "improved") for path in (left, right)]
    evidence = Evidence(compare(*subjects, ComparisonSettings(), None), None, datetime(2024, 5, 6))
    names = names_for(left, right)
    marks = anonymous_marks(evidence, anonymous_evidence(evidence, names), "left")
    copy = anonymous_copy(left, subjects[0].document, marks, names)
    with pikepdf.open(io.BytesIO(copy.data)) as pdf:
        told = [str(note.Contents) for note in pdf.pages[0].Annots]
    assert len(told) == copy.placed == 2
    assert all(names.path_of(right).name in one for one in told)
    assert leaks_in(copy.data, "left", ["Roland", "Dyer", "Tom", "Weaver"]) == []


def test_that_the_same_file_gives_the_same_bytes(tmp_path):
    path = planted_pdf(tmp_path / "essay.pdf")
    first, second = (copy_of(path)[0] for _ in range(2))
    assert first.data == second.data


def test_that_a_teacher_is_told_what_the_copy_is(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", BODY)
    (told,) = remarks_in_words(copy_of(path)[0], path)
    assert told.startswith("The pages of the anonymous copy of essay.pdf are pictures")


def test_that_a_page_that_cannot_be_searched_is_left_out_and_that_it_says_so(tmp_path):
    garbled = drawn("My friend qqqq qqqqq went qqqqqqq home early, qqqqq sang.", 60, 700)
    path = write_pdf(tmp_path / "essay.pdf", BODY, garbled, to_unicode="<71> <E001>")
    copy, _subject = copy_of(path)
    assert copy.left_out == (2,)
    assert remarks_in_words(copy, path)[1] == (
        "The anonymous copy of essay.pdf lacks page 2: names there cannot be found."
    )
    assert copy.unplaced
    assert page_picture(copy.data, 1).min() < 200
    with pikepdf.open(io.BytesIO(copy.data)) as pdf:
        assert [len(page.get("/Annots", [])) for page in pdf.pages] == [2, 0]


def test_that_a_file_none_of_whose_pages_can_be_searched_gets_no_copy(tmp_path):
    garbled = drawn("My friend qqqq qqqqq went qqqqqqq home early.", 60, 700)
    path = write_pdf(tmp_path / "essay.pdf", garbled, to_unicode="<71> <E001>")
    with pytest.raises(NotAnonymousError) as told:
        copy_of(path)
    assert str(told.value).startswith("essay.pdf gets no anonymous copy: its pages are pictures, or ")
    assert str(told.value).endswith("Export the anonymous report of the pair instead.")


def test_that_an_encrypted_file_gets_an_encrypted_copy():
    path = shared_path("docs", "password-example.pdf")
    subject = read_subject(path, "improved", ReadingOptions("test"))
    names, marks = names_for(path), every_sentence(subject)
    with pytest.raises(PasswordNeededError):
        anonymous_copy(path, subject.document, marks, names)
    with pytest.raises(NotAnnotatedError, match="its password is not the one given"):
        anonymous_copy(path, subject.document, marks, names, "wrong")
    copy = anonymous_copy(path, subject.document, marks, names, "test")
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(io.BytesIO(copy.data))
    with pikepdf.open(io.BytesIO(copy.data), password="test") as pdf:
        assert len(pdf.pages) == 4


@pytest.mark.parametrize("name", ["prefilled_f1040.pdf", "kampo.pdf", "naacl06-shinyama.pdf"])
def test_that_real_files_become_pictures_of_the_same_size(name):
    path = shared_path("docs", name)
    copy, _subject = copy_of(path)
    with pikepdf.open(io.BytesIO(copy.data)) as pdf, pikepdf.open(path) as original:
        assert len(pdf.pages) == len(original.pages)
        assert pdf.check_pdf_syntax() == []
    shown = pypdfium2.PdfDocument(path)[0].get_size()
    assert pypdfium2.PdfDocument(copy.data)[0].get_size() == pytest.approx(shown, abs=0.01)
    assert len(copy.data) < 400_000 * len(pictures_in(copy.data))


def samples(name):
    return Path(__file__).parents[2] / "resources" / "samples" / name


def test_that_a_page_without_names_looks_as_it_did():
    path = samples("石桥记.pdf")
    copy, _subject = copy_of(path)
    before, after = (page_picture(data).astype(int) for data in (path.read_bytes(), copy.data))
    assert np.abs(before - after).mean() < 6
