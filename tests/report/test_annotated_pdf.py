"""Annotated copies of PDFs: highlights over the sentences with comments, the rest unchanged."""

import io
import shutil
import subprocess
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.errors import FileNotReadableError, PasswordNeededError
from simcompare.model.settings import ComparisonSettings
from simcompare.report.annotated.annotate import annotated_copy, copy_names, remarks_in_words
from simcompare.report.annotated.annotations import (
    MARK_STYLES,
    NotAnnotatedError,
    corners,
    line_below,
    lines_around,
    marks_of,
)
from simcompare.report.evidence import Evidence
from simcompare.session.decisions import NO_REVIEW, Decision, MatchKey, NotedDecision, index_sentences
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import shared_path
from tests.helpers.patience import PATIENCE_S
from tests.helpers.pdf_files import drawn, write_pdf
from tests.report.marking import every_sentence

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
TWO_COLUMNS = drawn("The willows turn green and the", 60, 500) + drawn(
    "river wakes. Children fly kites", 60, 480
)
TWO_COLUMNS += drawn("over the fields. Everyone laughs", 320, 500) + drawn(
    "and nobody goes home early.", 320, 480
)


def highlights(data, password=""):
    """The highlights of simcompare in a PDF: page from 1, annotation."""
    with pikepdf.open(io.BytesIO(data), password=password) as pdf:
        return [
            (number, _values(annotation))
            for number, page in enumerate(pdf.pages, start=1)
            for annotation in page.obj.get("/Annots", [])
            if annotation.get("/T", "") == "simcompare"
        ]


def _values(annotation):
    quads = [float(value) for value in annotation.QuadPoints]
    points = [
        list(zip(quads[i : i + 8 : 2], quads[i + 1 : i + 8 : 2], strict=True))
        for i in range(0, len(quads), 8)
    ]
    return {
        "name": str(annotation.NM),
        "words": str(annotation.Contents),
        "rectangle": [float(value) for value in annotation.Rect],
        "quads": points,
        "colour": [float(value) for value in annotation.C],
        "drawn": annotation.AP.N.read_bytes().decode(),
    }


def inside(points, centres):
    """Return whether each centre is inside the quadrilateral, which is axis-aligned in user space."""
    (x0, y0), (x1, y1) = np.min(points, axis=0) - 0.02, np.max(points, axis=0) + 0.02
    return (centres[:, 0] >= x0) & (centres[:, 0] <= x1) & (centres[:, 1] >= y0) & (centres[:, 1] <= y1)


def check_coordinates(path, foreign_share=0.0):
    """Check that the quads of each sentence cover its characters, and few of other sentences."""
    prepared_document = read_prepared_document(path, "improved")
    marks = every_sentence(prepared_document)
    copy = annotated_copy(path, prepared_document.document, marks)
    assert copy.unplaced == ()
    boxes = prepared_document.document.character_boxes
    centres = (boxes.boxes[:, :2] + boxes.boxes[:, 2:]) / 2
    found = {}
    for page, highlight in highlights(copy.data):
        found.setdefault(highlight["name"], []).append((page, highlight))
    covered_of_others = total = 0
    for number, mark in enumerate(marks, start=1):
        mine = np.zeros(len(boxes.pages), bool)
        mine[mark.span.start : mark.span.end] = True
        under = np.zeros(len(boxes.pages), bool)
        for page, highlight in found[f"simcompare-{number}"]:
            for points in highlight["quads"]:
                under |= (boxes.pages == page) & inside(points, centres)
        assert under[mine & (boxes.pages > 0)].all(), mark.text
        covered_of_others += int((under & ~mine).sum())
        total += int(under.sum())
    assert covered_of_others <= foreign_share * total
    return found


@pytest.mark.parametrize("name", ["石桥记.pdf", "秋天的路.pdf", "Waiting for the last bus.pdf"])
def test_that_highlights_of_the_samples_lie_over_their_sentences(name):
    check_coordinates(SAMPLES / name, foreign_share=0.001)


@pytest.mark.parametrize(
    ("name", "foreign_share"),
    [
        ("naacl06-shinyama.pdf", 0.02),  # two columns, with formulas and raised numbers
        ("nics-background-checks-2015-11-rotated.pdf", 0.0),
        ("issue-71-duplicate-chars.pdf", 0.005),
        ("XiaoBiaoSong.pdf", 0.0),
        ("kampo.pdf", 0.02),
        ("vertical.pdf", 0.0),
    ],
)
def test_that_highlights_of_real_files_lie_over_their_sentences(name, foreign_share):
    check_coordinates(shared_path("docs", name), foreign_share)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("corner", [(0, 0), (50, -30)])
def test_that_columns_of_rotated_pages_have_one_quad_per_line(tmp_path, turn, corner):
    box = (*corner, corner[0] + 595, corner[1] + 842)
    upright = {
        0: (1, 0, 0, 1, 0, 0),
        90: (0, 1, -1, 0, 595, 0),
        180: (-1, 0, 0, -1, 595, 842),
        270: (0, -1, 1, 0, 0, 842),
    }
    moved = f"1 0 0 1 {corner[0]} {corner[1]} cm {' '.join(map(str, upright[turn]))} cm"
    path = write_pdf(tmp_path / "essay.pdf", f"q {moved} {TWO_COLUMNS} Q", turn=turn, box=box)
    found = check_coordinates(path)
    # four lines, two of which have an end and a beginning
    assert sum(len(highlight["quads"]) for of_one in found.values() for _page, highlight in of_one) == 6
    for of_one in found.values():
        for (x0, y0), (x1, y1), (x2, y2), (x3, y3) in of_one[0][1]["quads"]:
            # upper left, upper right, lower left, lower right, as the page is displayed
            across, down = (x1 - x0, y1 - y0), (x2 - x0, y2 - y0)
            assert (x1 - x3, y1 - y3) == pytest.approx((x0 - x2, y0 - y2))
            clockwise = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
            assert np.sign(np.round(across, 2)).tolist() == list(clockwise)
            assert np.sign(np.round(down, 2)).tolist() == [clockwise[1], -clockwise[0]]


def test_that_the_corners_of_an_unrotated_page_begin_at_the_upper_left():
    assert corners((0, 0, 9, 4), 0) == [(0, 4), (9, 4), (0, 0), (9, 0)]


def test_that_blanks_are_bridged_and_columns_are_not():
    first, second, beyond = (0, 0, 5, 10), (12, 0, 17, 10), (60, 0, 65, 10)
    assert [line.around for line in lines_around([first, second, beyond])] == [(0, 0, 17, 10), beyond]


def test_that_the_underline_is_below_horizontal_and_beside_vertical_text():
    (across,) = lines_around([(0, 0, 5, 10), (5, 0, 10, 10)])
    (down,) = lines_around([(0, 10, 10, 20), (0, 0, 10, 10)])
    (alone,) = lines_around([(0, 0, 4, 10)])
    below = ((0, 0), (10, 0))
    assert line_below(across, across.around, 0) == line_below(across, across.around, 90) == below
    assert line_below(down, down.around, 0) == ((10, 0), (10, 20))
    # upward text on a rotated page is displayed upright, and so is the underline
    assert line_below(down, down.around, 90) == ((10, 0), (10, 20))
    assert line_below(down, down.around, 270) == ((0, 20), (0, 0))
    assert line_below(alone, alone.around, 0) == ((0, 0), (4, 0))


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler is not installed")
def test_that_poppler_extracts_the_same_text_from_the_copy(tmp_path):
    prepared_document = read_prepared_document(SAMPLES / "石桥记.pdf", "improved")
    copy = annotated_copy(
        prepared_document.document.path, prepared_document.document, every_sentence(prepared_document)
    )
    (tmp_path / "copy.pdf").write_bytes(copy.data)
    outputs = [
        subprocess.run(["pdftotext", path, "-"], check=True, capture_output=True, timeout=PATIENCE_S)
        for path in (prepared_document.document.path, tmp_path / "copy.pdf")
    ]
    assert outputs[0].stdout == outputs[1].stdout
    assert outputs[1].stderr == b""


def test_that_the_structure_of_a_copy_is_valid():
    evidence = bridges()
    document = evidence.comparison.right.document
    copy = annotated_copy(document.path, document, marks_of(evidence, "right"))
    with pikepdf.open(io.BytesIO(copy.data)) as pdf:
        assert pdf.check_pdf_syntax() == []


def test_that_a_highlight_is_drawn_in_the_colour_of_its_kind(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", TWO_COLUMNS)
    prepared_document = read_prepared_document(path, "improved")
    marks = every_sentence(prepared_document)[:1]
    shown = (
        pypdfium2.PdfDocument(annotated_copy(path, prepared_document.document, marks).data)[0]
        .render(scale=1)
        .to_numpy()
    )
    colour = [int(MARK_STYLES[marks[0].kind].background[place : place + 2], 16) for place in (4, 2, 0)]
    rows, columns = np.nonzero((abs(shown[:, :, :3].astype(int) - colour) < 3).all(axis=2))
    assert (842 - rows).min() > 475
    assert (842 - rows).max() < 515
    assert (columns.min(), columns.max()) == pytest.approx((60, 235), abs=20)


def bridges(**fields):
    left, right = (
        read_prepared_document(SAMPLES / name, "improved") for name in ("家乡的石桥.docx", "石桥记.pdf")
    )
    thesaurus = load_thesaurus("starter")
    comparison = compare(left, right, ComparisonSettings(), thesaurus)
    return Evidence(comparison, thesaurus, datetime(2024, 5, 6), **fields)


def test_that_a_highlight_describes_the_match_and_the_decision():
    evidence = bridges()
    match = evidence.comparison.matches[0]
    keys = (
        index_sentences(side.prepared).keys for side in (evidence.comparison.left, evidence.comparison.right)
    )
    key = MatchKey(next(keys)[match.left], next(keys)[match.right])
    judged = NotedDecision(Decision.COPIED, "asked her on Monday")
    evidence = replace(evidence, review=NO_REVIEW.with_decisions({key: judged}))
    document = evidence.comparison.right.document
    copy = annotated_copy(document.path, document, marks_of(evidence, "right"))
    words = [highlight["words"] for _page, highlight in highlights(copy.data)]
    text = evidence.comparison.left_span(match).of(evidence.comparison.left.document.text)
    assert f"Match 1 (edited, P = 0.92): sentence {match.left + 1} of 家乡的石桥.docx: {text}" in words[0]
    assert "Decision: copied\rNote: asked her on Monday" in words[0]
    assert copy.placed == len(marks_of(evidence, "right"))


def test_that_a_sentence_with_many_matches_lists_the_best_and_counts_the_rest(tmp_path):
    (tmp_path / "many.txt").write_text("The willows turn green in spring.\n" * 9)
    path = write_pdf(tmp_path / "one.pdf", drawn("The willows turn green in spring.", 72, 700))
    left, right = (read_prepared_document(file, "improved") for file in (path, tmp_path / "many.txt"))
    evidence = Evidence(compare(left, right, ComparisonSettings(), None), None, datetime(2024, 5, 6))
    (mark,) = marks_of(evidence, "left")
    assert [line[:8] for line in mark.lines[:5]] == [f"Match {number} " for number in range(1, 6)]
    assert mark.lines[5:] == ("4 more matches of this sentence",)


def test_that_the_same_marks_give_the_same_bytes_and_the_file_stays_unchanged():
    evidence = bridges()
    document, marks = evidence.comparison.right.document, marks_of(evidence, "right")
    before = document.path.read_bytes()
    first, second = (annotated_copy(document.path, document, marks) for _ in range(2))
    assert first.data == second.data
    assert document.path.read_bytes() == before


def test_that_a_copy_has_the_text_of_its_file(tmp_path):
    prepared_document = read_prepared_document(SAMPLES / "石桥记.pdf", "improved")
    (tmp_path / "copy.pdf").write_bytes(
        annotated_copy(
            prepared_document.document.path, prepared_document.document, every_sentence(prepared_document)
        ).data
    )
    assert (
        read_prepared_document(tmp_path / "copy.pdf", "improved").document.text
        == prepared_document.document.text
    )


def test_that_existing_annotations_stay(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", TWO_COLUMNS)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        own = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Text, Rect=[0, 0, 9, 9])
        own.Contents = pikepdf.String("mine")
        pdf.pages[0].Annots = pdf.make_indirect(pikepdf.Array([pdf.make_indirect(own)]))
        pdf.save()
    prepared_document = read_prepared_document(path, "improved")
    copy = annotated_copy(path, prepared_document.document, every_sentence(prepared_document))
    with pikepdf.open(io.BytesIO(copy.data)) as pdf:
        first_lines = [str(annotation.Contents).split("\r")[0] for annotation in pdf.pages[0].Annots]
    assert first_lines == ["mine", "Match 1", "Match 2", "Match 3"]


def test_that_a_signed_file_says_that_the_copy_is_not_signed(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", TWO_COLUMNS)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.Root.AcroForm = pikepdf.Dictionary(SigFlags=3, Fields=[])
        pdf.save()
    prepared_document = read_prepared_document(path, "improved")
    copy = annotated_copy(path, prepared_document.document, every_sentence(prepared_document))
    assert remarks_in_words(copy, path) == [
        "essay.pdf is signed: its signature is valid for the original only, not for the annotated copy."
    ]


def test_that_an_encrypted_file_and_its_copy_need_the_password():
    path = shared_path("docs", "password-example.pdf")
    prepared_document = read_prepared_document(path, "improved", ReadingOptions("test"))
    marks = every_sentence(prepared_document)
    with pytest.raises(PasswordNeededError):
        annotated_copy(path, prepared_document.document, marks)
    with pytest.raises(NotAnnotatedError, match="the password is wrong"):
        annotated_copy(path, prepared_document.document, marks, "wrong")
    copy = annotated_copy(path, prepared_document.document, marks, "test")
    assert len(highlights(copy.data, "test")) >= copy.placed == len(marks)
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(io.BytesIO(copy.data))


def test_that_a_file_that_only_pdfminer_reads_is_refused_with_one_sentence():
    path = shared_path("docs", "unreadablemetadata.pdf")
    prepared_document = read_prepared_document(path, "improved")
    with pytest.raises(NotAnnotatedError) as error:
        annotated_copy(path, prepared_document.document, every_sentence(prepared_document))
    assert str(error.value).startswith("unreadablemetadata.pdf cannot be annotated: its structure is broken")


def test_that_a_changed_or_missing_file_is_not_annotated(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", TWO_COLUMNS)
    prepared_document = read_prepared_document(path, "improved")
    write_pdf(path, TWO_COLUMNS + drawn("More.", 60, 100))
    with pytest.raises(NotAnnotatedError, match="no longer the file that was compared"):
        annotated_copy(path, prepared_document.document, every_sentence(prepared_document))
    path.unlink()
    with pytest.raises(FileNotReadableError):
        annotated_copy(path, prepared_document.document, every_sentence(prepared_document))


def test_that_a_sentence_without_a_position_is_reported(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", TWO_COLUMNS)
    prepared_document = read_prepared_document(path, "improved")
    boxes = prepared_document.document.character_boxes
    marks = every_sentence(prepared_document)
    boxes.pages[marks[1].span.start : marks[1].span.end] = 0
    copy = annotated_copy(path, prepared_document.document, marks)
    assert remarks_in_words(copy, path) == [
        "1 of 3 places could not be marked in essay.pdf: “Children fly kites over the fields.”"
    ]


def test_that_copies_have_unique_names():
    names = copy_names([Path("a/essay.pdf"), Path("b/essay.pdf"), Path("notes.docx")])
    assert names == ["essay – annotated.pdf", "essay – annotated (2).pdf", "notes – annotated.docx"]
