"""What the anonymous copy of a PDF is: pictures, marks over the right words, and nothing of the original."""

import io
from datetime import datetime

import numpy as np
import pikepdf
import pypdfium2
import pytest

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.prepared_document import read_prepared_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.errors import PasswordNeededError
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from simcompare.redaction.pdf_redaction import anonymous_copy
from simcompare.redaction.redacted_evidence import anonymous_evidence, anonymous_marks
from simcompare.redaction.redaction_errors import NotAnonymousError
from simcompare.report.annotated.annotate import remarks_in_words
from simcompare.report.annotated.annotation_errors import NotAnnotatedError
from simcompare.report.evidence import Evidence
from simcompare.support.resources import resource_path
from tests.helpers.documents import shared_path
from tests.helpers.pdf_files import drawn, write_pdf
from tests.pseudonyms.leaks import leaks_in
from tests.pseudonyms.planted_pdf import planted_pdf
from tests.report.anonymous_pdfs import (
    BODY,
    UPRIGHT,
    copy_of,
    names_for,
    page_picture,
    pictures_in,
    pseudonyms_of,
)
from tests.report.marking import every_sentence


def test_that_nothing_of_the_original_is_in_the_copy(tmp_path):
    path = planted_pdf(tmp_path / "Smith_John.pdf")
    students = [Student(("John Smith",), ("20231235",)), Student(("Mary-Ann O'Neil",))]
    prepared_document = read_prepared_document(path, "improved")
    assert leaks_in(path.read_bytes())
    names = make_pseudonyms(propose([path], students), students, "5e" * 16)
    copy = anonymous_copy(path, prepared_document.document, every_sentence(prepared_document), names)
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
    copy, prepared_document = copy_of(path)
    boxes = prepared_document.document.character_boxes
    start = prepared_document.document.text.index("Roland Dyer")
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
    prepared_document = read_prepared_document(path, "improved")
    names = pseudonyms_of(student).covering([path])
    second = every_sentence(prepared_document)[1:]
    copy = anonymous_copy(path, prepared_document.document, second, names)
    with pikepdf.open(io.BytesIO(copy.data)) as pdf:
        (note,) = pdf.pages[0].Annots
        found = [float(side) for side in note.Rect]
    boxes = prepared_document.document.character_boxes.boxes[second[0].span.start : second[0].span.end]
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
    prepared_documents = [read_prepared_document(path, "improved") for path in (left, right)]
    evidence = Evidence(compare(*prepared_documents, ComparisonSettings(), None), None, datetime(2024, 5, 6))
    names = names_for(left, right)
    marks = anonymous_marks(evidence, anonymous_evidence(evidence, names), "left")
    copy = anonymous_copy(left, prepared_documents[0].document, marks, names)
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
    copy, _prepared_document = copy_of(path)
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
    prepared_document = read_prepared_document(path, "improved", ReadingOptions("test"))
    names, marks = names_for(path), every_sentence(prepared_document)
    with pytest.raises(PasswordNeededError):
        anonymous_copy(path, prepared_document.document, marks, names)
    with pytest.raises(NotAnnotatedError, match="its password is not the one given"):
        anonymous_copy(path, prepared_document.document, marks, names, "wrong")
    copy = anonymous_copy(path, prepared_document.document, marks, names, "test")
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(io.BytesIO(copy.data))
    with pikepdf.open(io.BytesIO(copy.data), password="test") as pdf:
        assert len(pdf.pages) == 4


@pytest.mark.parametrize("name", ["prefilled_f1040.pdf", "kampo.pdf", "naacl06-shinyama.pdf"])
def test_that_real_files_become_pictures_of_the_same_size(name):
    path = shared_path("docs", name)
    copy, _prepared_document = copy_of(path)
    with pikepdf.open(io.BytesIO(copy.data)) as pdf, pikepdf.open(path) as original:
        assert len(pdf.pages) == len(original.pages)
        assert pdf.check_pdf_syntax() == []
    shown = pypdfium2.PdfDocument(path)[0].get_size()
    assert pypdfium2.PdfDocument(copy.data)[0].get_size() == pytest.approx(shown, abs=0.01)
    assert len(copy.data) < 400_000 * len(pictures_in(copy.data))


def test_that_a_page_without_names_looks_as_it_did():
    path = resource_path("samples", "石桥记.pdf")
    copy, _prepared_document = copy_of(path)
    before, after = (page_picture(data).astype(int) for data in (path.read_bytes(), copy.data))
    assert np.abs(before - after).mean() < 6
