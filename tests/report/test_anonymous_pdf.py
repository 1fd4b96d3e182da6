"""Anonymous copies of PDFs: no pixel of them depends on a name."""

import io

import numpy as np
import pikepdf
import pytest

from simcompare.comparison.prepared_document import read_prepared_document
from simcompare.pseudonyms.students import Student
from simcompare.redaction.pdf_redaction import anonymous_copy
from tests.helpers.pdf_files import drawn, write_pdf
from tests.report.anonymous_pdfs import (
    BODY,
    CHINESE,
    NAMES,
    UPRIGHT,
    han,
    page_picture,
    pictures_in,
    pseudonyms_of,
    twins,
    write_han,
)
from tests.report.marking import every_sentence


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
    prepared_document = read_prepared_document(path, "improved")
    assert "李王李" in prepared_document.document.text
    names = pseudonyms_of(student).covering([path])
    copy = anonymous_copy(path, prepared_document.document, every_sentence(prepared_document), names)
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


def held_stream(entries, content):
    return f"<< {entries} /Length {len(content)} >> stream\n{content}\nendstream"


def test_that_names_in_tiles_and_masks_are_not_drawn(tmp_path):
    """An area is filled with tiles, another is seen through letters alone: neither is text to a reader."""

    def write(path, name):
        box, own = "/BBox [0 0 200 60]", "/Resources << /Font << /F 4 0 R >> >>"
        tile = f"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 {box} /XStep 200 /YStep 60 {own}"
        mask = f"/Type /XObject /Subtype /Form /Group << /S /Transparency /CS /DeviceGray >> {box} {own}"
        objects = [
            held_stream(tile, drawn(name, 5, 20, 24)),
            held_stream(mask, f"1 g {drawn(name, 5, 20, 24)}"),
        ]
        resources = "/Pattern << /T 7 0 R >> /ExtGState << /M << /SMask << /S /Luminosity /G 8 0 R >> >> >>"
        areas = "/Pattern cs /T scn 60 500 400 120 re f q /M gs 0 g 0 0 200 60 re f Q 0 g "
        return write_pdf(path, areas + BODY, objects=objects, resources=resources)

    one, other = twins(tmp_path, write)
    assert pictures_in(one.data) == pictures_in(other.data)
