"""Values of form fields and typed annotations are text in their place; comments are counted."""

import pytest

from simcompare.loading import load_document
from simcompare.model.document import DropReason
from simcompare.model.errors import EmptyFileError, FileError
from tests.helpers.essay_files import write_pdf_of_pictures
from tests.helpers.pdf_files import drawn, write_pdf

LINE = "the willows turn green and children fly kites on the bank of the river"
FONT = "/DA (/Helv 12 Tf 0 g)"


def _lines(*texts, top=780, pitch=16):
    return "".join(drawn(text, 72, top - n * pitch) for n, text in enumerate(texts))


def _free_text(text, box, *, look=FONT, more=""):
    sides = " ".join(map(str, box))
    return f"<< /Type /Annot /Subtype /FreeText /Rect [{sides}] /Contents ({text}) {look} /F 4 {more} >>"


def _text_field(value, box, *, more="/F 4"):
    sides = " ".join(map(str, box))
    name = f"/T (field {sides}) /V ({value})"
    return f"<< /Type /Annot /Subtype /Widget /FT /Tx {name} /Rect [{sides}] {FONT} {more} >>"


def _write(folder, content, *annotations, turn=0):
    references = " ".join(f"{number} 0 R" for number in range(7, 7 + len(annotations)))
    return write_pdf(
        folder / "essay.pdf",
        content,
        turn=turn,
        objects=annotations,
        page_entries=f"/Annots [{references}]",
        catalog_entries=f"/AcroForm << /Fields [{references}] /NeedAppearances true {FONT} >>",
    )


def _read(folder, content, *annotations):
    return load_document(_write(folder, content, *annotations))


def _texts(document):
    return document.text.split("\n")


def _dropped(document):
    return {dropped.reason: dropped.excerpt for dropped in document.receipt.dropped}


def test_that_the_value_of_a_field_is_beside_its_label(tmp_path):
    content = _lines("Name:", "Village:") + _lines(*[LINE] * 4, top=700)
    document = _read(
        tmp_path,
        content,
        _text_field("Northam", (122, 762, 300, 776)),
        _text_field("Anna Brook", (122, 778, 300, 792)),
    )
    assert "Name: Anna Brook" in document.text.replace("\t", " ")
    assert "Village: Northam" in document.text.replace("\t", " ")
    assert document.text.index("Northam") < document.text.index("willows")
    assert not document.receipt.doubtful


def test_that_a_value_between_two_labels_is_between_them(tmp_path):
    content = drawn("Name:", 72, 780) + drawn("Class:", 300, 780) + _lines(*[LINE] * 4, top=700)
    document = _read(
        tmp_path,
        content,
        _text_field("three", (340, 778, 400, 792)),
        _text_field("Anna Brook", (110, 778, 290, 792)),
    )
    assert " ".join(_texts(document)[0].split()) == "Name: Anna Brook Class: three"


def test_that_a_value_on_a_drawn_rule_is_between_its_labels(tmp_path):
    content = drawn("Name: ____________________ Class:", 72, 780) + _lines(*[LINE] * 4, top=700)
    document = _read(tmp_path, content, _text_field("Anna Brook", (110, 778, 230, 792)))
    first = _texts(document)[0]
    assert first.startswith("Name:")
    assert first.endswith("Class:")
    assert "Anna Brook" in first


def test_that_the_lines_of_a_large_field_are_paragraphs_in_their_place(tmp_path):
    content = _lines("Describe the river.") + _lines("Describe the bridge.", top=500)
    value = r"It sings all the year round.\rIn spring the willows turn green."
    document = _read(tmp_path, content, _text_field(value, (72, 530, 520, 760)))
    assert _texts(document) == [
        "Describe the river.",
        "It sings all the year round.",
        "In spring the willows turn green.",
        "Describe the bridge.",
    ]


def test_that_a_value_of_a_parent_field_is_read(tmp_path):
    child = f"<< /Type /Annot /Subtype /Widget /Parent 8 0 R /Rect [122 778 300 792] {FONT} /F 4 >>"
    parent = f"<< /FT /Tx /T (name) /V (Anna Brook) /Kids [7 0 R] {FONT} >>"
    path = write_pdf(
        tmp_path / "essay.pdf",
        _lines("Name:"),
        objects=[child, parent],
        page_entries="/Annots [7 0 R]",
        catalog_entries="/AcroForm << /Fields [8 0 R] >>",
    )
    assert load_document(path).text == "Name: Anna Brook"


def test_that_a_choice_is_read_as_it_is_shown(tmp_path):
    choices = "/Opt [[(n) (Northam)] [(s) (Southam)] [(w) (Weston)]]"
    common = f"/Type /Annot /Subtype /Widget /FT /Ch {choices} {FONT} /F 4"
    one = f"<< {common} /T (one) /Ff 131072 /V (s) /Rect [122 778 300 792] >>"
    several = f"<< {common} /T (several) /Ff 2097152 /V [(n) (w)] /I [0 2] /Rect [72 600 300 700] >>"
    assert _texts(_read(tmp_path, _lines("Village:"), one, several)) == [
        "Village: Southam",
        "Northam",
        "Weston",
    ]


def test_that_cells_typed_into_a_table_are_rows(tmp_path):
    head = drawn("Name", 72, 700) + drawn("Village", 220, 700) + drawn("Kites", 400, 700)
    rows = [("Anna", "Northam", "three"), ("Ben", "Southam", "four")]
    fields = [
        _text_field(text, (x, 698 - 20 * row, x + 100, 712 - 20 * row))
        for row, texts in enumerate(rows, 1)
        for x, text in zip((72, 220, 400), texts, strict=True)
    ]
    document = _read(tmp_path, _lines(*[LINE] * 3) + head, *fields)
    assert _texts(document)[-3:] == ["Name\tVillage\tKites", "Anna\tNortham\tthree", "Ben\tSoutham\tfour"]


def test_that_text_typed_onto_an_empty_page_is_its_text(tmp_path):
    document = _read(tmp_path, "", _free_text(LINE, (72, 600, 520, 760)))
    assert document.text == LINE
    assert not document.receipt.doubtful


def test_that_text_typed_between_paragraphs_is_between_them(tmp_path):
    content = _lines(*[LINE] * 4) + _lines("The bridge is old.", top=600)
    document = _read(tmp_path, content, _free_text("I know the river.", (72, 640, 520, 660)))
    assert _texts(document)[-2:] == ["I know the river.", "The bridge is old."]


def test_that_a_remark_beside_running_text_is_not_in_its_sentence(tmp_path):
    document = _read(tmp_path, _lines(*[LINE] * 4), _free_text("cite", (470, 745, 500, 760)))
    assert " ".join([LINE] * 4) in document.text.replace("\n", " ")
    assert _texts(document)[-1] == "cite"


@pytest.mark.parametrize(
    ("remark", "pitch"), [("where?", 26), (r"where is it?\rwho says so?", 16), (r"where is it?\rwho?", 26)]
)
def test_that_a_remark_between_the_lines_of_a_paragraph_is_behind_it(tmp_path, remark, pitch):
    low = 780 - 2 * pitch + 14
    typed = _free_text(remark, (100, low, 300, low + pitch - 14), look="/DA (/Helv 6 Tf 0 g)")
    content = _lines(*[LINE] * 4, pitch=pitch) + _lines("The bridge is old.", top=600)
    document = _read(tmp_path, content, typed)
    assert _texts(document) == [" ".join([LINE] * 4), *remark.split(r"\r"), "The bridge is old."]


def test_that_text_typed_below_the_question_of_a_form_stays_there(tmp_path):
    questions = ("Describe the river that flows through your village", "Describe the bridge of your village")
    content = drawn(questions[0], 72, 780) + drawn(questions[1], 72, 740)
    document = _read(tmp_path, content, _free_text("It sings all the year.", (72, 757, 400, 773)))
    assert _texts(document) == [questions[0], "It sings all the year.", questions[1]]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_that_text_typed_onto_a_rotated_page_is_read(tmp_path, turn):
    path = _write(
        tmp_path, _lines(*[LINE] * 4), _free_text("I know the river.", (72, 640, 520, 660)), turn=turn
    )
    assert "I know the river." in _texts(load_document(path))


def test_that_typed_characters_have_positions_in_their_box(tmp_path):
    document = _read(tmp_path, _lines(LINE, LINE), _free_text("I know the river.", (72, 640, 520, 660)))
    begin = document.text.index("I know")
    boxes = document.character_boxes.boxes[begin : begin + len("I know the river.")]
    assert (boxes >= [71.9, 639.9, 71.9, 639.9]).all()
    assert (boxes <= [520.1, 660.1, 520.1, 660.1]).all()
    assert (boxes[1:, 0] > boxes[:-1, 0]).all()


def test_that_comments_are_counted_and_not_text(tmp_path):
    note = "<< /Type /Annot /Subtype /Text /Rect [500 700 520 720] /Contents (Who says so?) >>"
    mark = "<< /Type /Annot /Subtype /Highlight /Rect [72 700 90 720] /Contents (A good word) >>"
    link = "<< /Type /Annot /Subtype /Link /Rect [72 700 90 720] /Contents (A link) >>"
    popup = "<< /Type /Annot /Subtype /Popup /Rect [72 700 90 720] /Contents (Who says so?) >>"
    document = _read(tmp_path, _lines(*[LINE] * 4), note, mark, link, popup)
    assert _dropped(document) == {DropReason.COMMENT: "Who says so? A good word"}
    assert "says" not in document.text
    assert not document.receipt.doubtful


@pytest.mark.parametrize("more", ["/F 2", "/F 32", "/F 4 /Ff 8192"], ids=["hidden", "no view", "password"])
def test_that_a_field_that_is_not_shown_is_counted(tmp_path, more):
    document = _read(tmp_path, _lines(*[LINE] * 4), _text_field("secret", (72, 640, 300, 660), more=more))
    assert _dropped(document) == {DropReason.FORM_FIELD: "secret"}
    assert "secret" not in document.text
    assert not document.receipt.doubtful


def test_that_a_field_without_extent_is_counted(tmp_path):
    document = _read(tmp_path, _lines(*[LINE] * 4), _text_field("secret", (72, 640, 72, 640)))
    assert _dropped(document) == {DropReason.FORM_FIELD: "secret"}


def test_that_the_caption_of_a_button_is_not_text(tmp_path):
    button = (
        f"<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (send) /MK << /CA (Send) >> /V (Send) {FONT}"
        " /Rect [72 600 150 620] /F 4 >>"
    )
    document = _read(tmp_path, _lines(*[LINE] * 4), button)
    assert "Send" not in document.text


WHITE = "/DA (/Helv 12 Tf 1 g)"
INSIDE = (72, 640, 520, 660)


@pytest.mark.parametrize(
    ("reason", "annotation"),
    [
        (DropReason.HIDDEN_TEXT, _free_text("unseen words", INSIDE, more="/F 2").replace("/F 4 ", "")),
        (DropReason.HIDDEN_TEXT, _free_text("unseen words", (72, 640, 72, 640))),
        (DropReason.OUTSIDE_PAGE, _free_text("unseen words", (72, 900, 520, 920))),
        (DropReason.TINY_TEXT, _free_text("unseen words", INSIDE, look="/DA (/Helv 1 Tf 0 g)")),
        (DropReason.WHITE_TEXT, _free_text("unseen words", INSIDE, look=WHITE)),
        (DropReason.WHITE_TEXT, _free_text("unseen words", INSIDE, look=WHITE, more="/AP << /N 8 0 R >>")),
    ],
    ids=["hidden", "without extent", "off the page", "tiny", "white", "drawn white"],
)
def test_that_typed_text_that_cannot_be_seen_is_dropped_and_flagged(tmp_path, reason, annotation):
    look = "BT /F 12 Tf 1 g 2 6 Td (unseen words) Tj ET"
    appearance = (
        f"<< /Type /XObject /Subtype /Form /BBox [0 0 448 20] /Resources 6 0 R /Length {len(look)} >> "
        f"stream\n{look}\nendstream"
    )
    path = write_pdf(
        tmp_path / "essay.pdf",
        _lines(*[LINE] * 4),
        objects=[annotation, appearance],
        page_entries="/Annots [7 0 R]",
    )
    document = load_document(path)
    assert "unseen" not in document.text
    assert list(_dropped(document)) == [reason]
    assert document.receipt.doubtful


def test_that_white_text_typed_on_a_dark_box_is_read(tmp_path):
    dark = "0 0 0.4 rg 60 630 480 40 re f 0 g\n"
    document = _read(tmp_path, _lines(*[LINE] * 4) + dark, _free_text("seen words", INSIDE, look=WHITE))
    assert "seen words" in document.text
    assert not document.receipt.doubtful


def test_that_a_file_with_only_comments_says_so(tmp_path):
    note = "<< /Type /Annot /Subtype /Text /Rect [500 700 520 720] /Contents (Who says so, and to whom?) >>"
    with pytest.raises(FileError) as caught:
        _read(tmp_path, "", note)
    assert caught.type is not EmptyFileError


def test_that_pictures_with_typed_text_are_still_pages_without_text(tmp_path):
    import pypdfium2
    from pypdfium2 import raw

    path = write_pdf_of_pictures(tmp_path / "pictures.pdf", 2)
    document = pypdfium2.PdfDocument(path.read_bytes())
    page = document[0]
    annotation = raw.FPDFPage_CreateAnnot(page, raw.FPDF_ANNOT_FREETEXT)
    raw.FPDFAnnot_SetRect(annotation, raw.FS_RECTF(left=10, bottom=200, right=190, top=220))
    written = "Anna Brook".encode("utf-16-le") + b"\0\0"
    buffer = (raw.FPDF_WCHAR * (len(written) // 2)).from_buffer_copy(written)
    raw.FPDFAnnot_SetStringValue(annotation, b"Contents", buffer)
    raw.FPDFPage_CloseAnnot(annotation)
    document.save(str(path))
    document.close()
    read = load_document(path)
    assert read.text == "Anna Brook"
    assert {flag.name.value: flag.count for flag in read.receipt.flags}["page_without_text"] == 2
