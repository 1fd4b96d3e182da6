"""Annotated copies of Word files: sentences shaded and commented, the rest unchanged."""

import io
import re
import zipfile
from collections import defaultdict
from datetime import datetime

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from lxml import etree

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.loading import load_document
from simcompare.model.settings import ComparisonSettings
from simcompare.report.annotated.annotate import annotated_copy, remarks_in_words
from simcompare.report.annotated.annotations import marks_of, style_of
from simcompare.report.evidence import Evidence
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import shared_path
from tests.report.annotated_word import (
    SAMPLES,
    annotated,
    one_paragraph,
    part,
    runs_of,
    underlined,
)
from tests.report.marking import every_sentence
from tests.report.words import squeezed

LARGE = "bug65649.docx"  # 13,000 sentences, of which the test marks the first 752
FIRST_PARTS = 330  # paragraphs and tables
REAL = {
    # sentences without a run that has their text: equations, diagrams, combined accents
    "Comment042.docx": 0,
    "May_12_04.docx": 0,
    "Strict01.docx": 4,
    LARGE: 0,
    "delins.docx": 0,
    "drawingml.docx": 0,
    "equation.docx": 4,
    "footnotes.docx": 0,
    "textbox.docx": 0,
    "track_changes_move.docx": 0,
}


def bridges():
    left, right = (
        read_prepared_document(SAMPLES / name, "improved") for name in ("家乡的石桥.docx", "石桥记.pdf")
    )
    thesaurus = load_thesaurus("starter")
    return Evidence(compare(left, right, ComparisonSettings(), thesaurus), thesaurus, datetime(2024, 5, 6))


def test_that_the_matched_sentences_of_a_sample_are_shaded(tmp_path):
    evidence = bridges()
    document, marks = evidence.comparison.left.document, marks_of(evidence, "left")
    copy = annotated_copy(document.path, document, marks)
    assert (copy.placed, copy.unplaced) == (len(marks), ())
    by_kind = defaultdict(str)
    for run in part(copy.data, "word/document.xml").iter(qn("w:r")):
        shade = run.find("w:rPr/w:shd", {"w": run.nsmap["w"]})
        if shade is not None:
            by_kind[shade.get(qn("w:fill"))] += "".join(t.text for t in run.iter(qn("w:t")))
    expected = defaultdict(str)
    for mark in marks:
        expected[style_of(mark).background.upper()] += mark.text
    assert {fill: squeezed(text) for fill, text in by_kind.items()} == {
        fill: squeezed(text) for fill, text in expected.items()
    }
    assert {mark.is_between for mark in marks} == {True, False}
    (tmp_path / "copy.docx").write_bytes(copy.data)
    again = load_document(tmp_path / "copy.docx")
    assert (again.text, again.blocks) == (document.text, document.blocks)


def test_that_comments_describe_the_matches():
    evidence = bridges()
    document, marks = evidence.comparison.left.document, marks_of(evidence, "left")
    opened = docx.Document(io.BytesIO(annotated_copy(document.path, document, marks).data))
    comments = list(opened.comments)
    assert [(comment.author, comment.text) for comment in comments] == [
        ("simcompare", "\n".join(mark.lines)) for mark in marks if mark.lines
    ]
    title, match = comments[0].text.split("\n")
    assert title.startswith("Passage 1 · ")
    assert match.startswith("Match 1 (edited, P = 0.92): sentence 2 of 石桥记.pdf: 我的家乡在")
    body = opened.element.body
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        numbers = [element.get(qn("w:id")) for element in body.iter(qn(f"w:{name}"))]
        assert numbers == [str(comment.comment_id) for comment in comments]


@pytest.mark.parametrize("name", ["The last bus.docx", "家乡的石桥.docx", "桥的故事.docx"])
def test_that_every_sentence_of_the_samples_is_marked_and_the_text_stays(name, tmp_path):
    prepared_document, copy, place = annotated(SAMPLES / name, tmp_path)
    assert copy.unplaced == ()
    assert load_document(place).text == prepared_document.document.text
    assert underlined(copy.data).replace("\0", "") == squeezed(
        "".join(mark.text for mark in every_sentence(prepared_document))
    )


def first_parts_of(path, place):
    """Write a file with the first parts of a large one."""
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as first:
        for name in whole.namelist():
            data = whole.read(name)
            if name == "word/document.xml":
                document = etree.fromstring(data)
                document[0][FIRST_PARTS:-1] = []  # the last one is the format of the section
                data = etree.tostring(document)
            first.writestr(name, data)
    return place


@pytest.mark.parametrize("name", REAL)
def test_that_real_files_keep_their_text_and_every_sentence_has_its_mark(name, tmp_path):
    path = shared_path("docs", name)
    if name == LARGE:
        path = first_parts_of(path, tmp_path / name)
    prepared_document, copy, place = annotated(path, tmp_path)
    assert len(copy.unplaced) == REAL[name]
    assert load_document(place).text == prepared_document.document.text
    original = zipfile.ZipFile(path)
    changed = zipfile.ZipFile(place)
    same = [
        name_in_zip
        for name_in_zip in original.namelist()
        if original.read(name_in_zip) == changed.read(name_in_zip)
    ]
    touched = re.compile(
        r"\[Content_Types\]\.xml|word/(document|footnotes|endnotes|comments|_rels/document).*"
    )
    assert all(touched.fullmatch(name_in_zip) for name_in_zip in set(original.namelist()) - set(same))


def test_that_runs_are_split_at_the_ends_of_sentences_and_keep_their_format(tmp_path):
    def look(run):
        run.bold, run.font.size = True, Pt(15)

    path = one_paragraph(
        tmp_path, "The willows turn green. Chil", "dren fly kites. Nobody goes home.", change=look
    )
    prepared_document = read_prepared_document(path, "improved")
    _prepared_document, _copy, place = annotated(path, tmp_path, every_sentence(prepared_document)[1:2])
    runs = runs_of(place)
    assert [run.text for run in runs] == [
        "The willows turn green. ",
        "Chil",
        "dren fly kites.",
        " Nobody goes home.",
    ]
    assert all(run.bold and run.font.size == Pt(15) for run in runs)
    marked = [run._r.find(qn("w:rPr")).find(qn("w:shd")) is not None for run in runs]
    assert marked == [False, True, True, False]


def test_that_elements_between_the_words_of_a_sentence_stay_in_place(tmp_path):
    path = one_paragraph(tmp_path, "The willows\tturn green.\tChildren\nfly kites over all the fields.")
    prepared_document, _copy, place = annotated(path, tmp_path)
    assert load_document(place).text == prepared_document.document.text
    body = docx.Document(str(path)).paragraphs[0].text
    assert docx.Document(str(place)).paragraphs[0].text == body


def test_that_own_shading_underlines_and_light_text_stay(tmp_path):
    def look(run):
        run.font.highlight_color, run.underline = 7, True

    path = one_paragraph(tmp_path, "The willows turn green in spring.", change=look)
    _prepared_document, _copy, place = annotated(path, tmp_path)
    (run,) = runs_of(place)
    assert (run.font.highlight_color, run.underline) == (7, True)
    assert run._r.rPr.find(qn("w:shd")) is None
    assert len(list(docx.Document(str(place)).comments)) == 1

    def light(run):
        run.font.color.rgb = RGBColor(0xB0, 0xB0, 0xB0)

    _prepared_document, _copy, place = annotated(
        one_paragraph(tmp_path, "Children fly kites.", change=light), tmp_path
    )
    (run,) = runs_of(place)
    assert run._r.rPr.find(qn("w:shd")) is None
    assert run._r.rPr.find(qn("w:u")) is not None


def test_that_properties_are_in_the_order_of_the_schema(tmp_path):
    def look(run):
        run.bold, run.font.size, run.font.superscript = True, Pt(9), True
        run.font.color.rgb = RGBColor(0x20, 0x20, 0x20)

    path = one_paragraph(tmp_path, "The willows turn green in spring.", change=look)
    _prepared_document, _copy, place = annotated(path, tmp_path)
    (run,) = runs_of(place)
    names = [etree.QName(element).localname for element in run._r.rPr]
    assert names == ["b", "color", "sz", "u", "shd", "vertAlign"]


def test_that_existing_comments_stay(tmp_path):
    document = docx.Document()
    paragraph = document.add_paragraph("The willows turn green. Children fly kites.")
    document.add_comment(paragraph.runs, text="mine", author="Lin")
    document.save(str(tmp_path / "essay.docx"))
    _prepared_document, _copy, place = annotated(tmp_path / "essay.docx", tmp_path)
    comments = list(docx.Document(str(place)).comments)
    assert [(comment.author, comment.text) for comment in comments] == [
        ("Lin", "mine"),
        ("simcompare", "Match 1\ntwo lines"),
        ("simcompare", "Match 2\ntwo lines"),
    ]
    assert len({comment.comment_id for comment in comments}) == 3


def test_that_blanks_between_the_runs_of_a_sentence_are_shaded_with_them(tmp_path):
    path = one_paragraph(
        tmp_path, "The willows ", " ", "turn", " ", "green", " again. ", "Children fly kites."
    )
    _prepared_document, _copy, place = annotated(path, tmp_path)
    shaded = ["".join(run.text if run._r.xpath("w:rPr/w:shd") else "|" for run in runs_of(place))]
    assert shaded == ["The willows  turn green again.|Children fly kites."]


def test_that_white_text_of_a_table_style_is_not_shaded(tmp_path):
    document = docx.Document()
    table = document.add_table(2, 2, style="Medium Shading 1 Accent 1")
    plain = document.add_table(1, 2, style="Table Grid")
    for where in (table, plain):
        where.cell(0, 0).text, where.cell(0, 1).text = "The willows turn green.", "Children fly kites."
    document.save(str(tmp_path / "essay.docx"))
    _prepared_document, copy, _place = annotated(tmp_path / "essay.docx", tmp_path)
    shown, grid = part(copy.data, "word/document.xml").iter(qn("w:tbl"))
    assert (len(list(shown.iter(qn("w:u")))), len(list(shown.iter(qn("w:shd"))))) == (2, 0)
    assert (len(list(grid.iter(qn("w:u")))), len(list(grid.iter(qn("w:shd"))))) == (2, 2)


LINK = """<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">
<w:r><w:t xml:space="preserve">The willows turn </w:t></w:r><w:del w:id="7" w:author="Lin"><w:r>
<w:delText>red </w:delText></w:r></w:del><w:ins w:id="8" w:author="Lin"><w:r>
<w:t xml:space="preserve">green. Chil</w:t></w:r></w:ins>
<w:hyperlink w:anchor="x"><w:r><w:t>dren fly kites</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r>
<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>
<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t xml:space="preserve"> Nobody goes home.</w:t></w:r>
<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>"""


def test_that_insertions_hyperlinks_and_fields_are_marked_in_place(tmp_path):
    document = docx.Document()
    document.element.body.insert(0, etree.fromstring(LINK))
    document.save(str(tmp_path / "essay.docx"))
    prepared_document, copy, place = annotated(tmp_path / "essay.docx", tmp_path)
    assert [mark.text for mark in every_sentence(prepared_document)] == [
        "The willows turn green.",
        "Children fly kites.",
        "Nobody goes home.",
    ]
    assert (copy.placed, load_document(place).text) == (3, prepared_document.document.text)
    root = part(copy.data, "word/document.xml")
    by_mark = {}
    for run in root.iter(qn("w:r")):
        for shade in run.iter(qn("w:shd")):
            by_mark.setdefault(shade.get(qn("w:fill")), []).append(
                "".join(t.text for t in run.iter(qn("w:t")))
            )
    assert list(by_mark.values()) == [
        ["The willows turn ", "green."],
        ["Chil", "dren fly kites", "."],
        ["Nobody goes home."],
    ]
    assert [
        [etree.QName(element).localname for element in link] for link in root.iter(qn("w:hyperlink"))
    ] == [["r"]]
    assert [text.text for text in root.iter(qn("w:delText"))] == ["red "]


def test_that_cells_are_marked(tmp_path):
    document = docx.Document()
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "The willows turn green.", "Children fly kites."
    document.save(str(tmp_path / "essay.docx"))
    prepared_document, copy, place = annotated(tmp_path / "essay.docx", tmp_path)
    assert copy.unplaced == ()
    assert load_document(place).text == prepared_document.document.text
    assert [comment.text for comment in docx.Document(str(place)).comments] != []


def test_that_an_essay_on_squared_paper_is_marked_square_by_square(tmp_path):
    document = docx.Document()
    essay = "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。每到夏天傍晚，老人们搬着竹椅来桥头乘凉。"
    table = document.add_table(-(-len(essay) // 20), 20)
    for place, char in enumerate(essay):
        table.cell(*divmod(place, 20)).text = char
    document.save(str(tmp_path / "essay.docx"))
    prepared_document, copy, place = annotated(tmp_path / "essay.docx", tmp_path)
    assert [mark.text for mark in every_sentence(prepared_document)] == [essay[:26], essay[26:]]
    assert (copy.placed, load_document(place).text) == (2, essay)
    assert underlined(copy.data).replace("\0", "") == essay


def test_that_a_table_of_contents_is_not_marked(tmp_path):
    document = docx.Document()
    for text in ("The willows", "The river"):
        document.add_paragraph(f"{text}\t3", style=_contents_style(document))
    for text in ("The willows", "The river"):
        document.add_heading(text)
        document.add_paragraph(f"{text} wakes in spring and all the children of the village laugh at it.")
    document.save(str(tmp_path / "essay.docx"))
    prepared_document, copy, _place = annotated(tmp_path / "essay.docx", tmp_path)
    marked = underlined(copy.data)
    assert "\0Thewillows3" not in marked
    assert copy.placed == prepared_document.prepared.sentence_count


def _contents_style(document):
    if "toc 1" not in document.styles:
        document.styles.add_style("toc 1", WD_STYLE_TYPE.PARAGRAPH)
    return document.styles["toc 1"]


def test_that_text_boxes_and_notes_are_commented_where_word_allows_it(tmp_path):
    for name, inside in (("textbox.docx", "txbxContent"), ("footnotes.docx", "footnote")):
        _prepared_document, copy, _place = annotated(shared_path("docs", name), tmp_path)
        root = part(copy.data, "word/document.xml")
        for reference in root.iter("{*}commentReference"):
            assert inside not in {etree.QName(ancestor).localname for ancestor in reference.iterancestors()}
        if inside == "footnote":
            assert list(part(copy.data, "word/footnotes.xml").iter("{*}commentReference")) == []


def test_that_decomposed_accents_and_rare_characters_are_located(tmp_path):
    path = one_paragraph(tmp_path, "Le cafe\u0301 est  ferme\u0301. \U000f1234Nous\u00a0rentrons  chez nous.")
    prepared_document, copy, place = annotated(path, tmp_path)
    assert copy.unplaced == ()
    assert load_document(place).text == prepared_document.document.text
    assert "cafe\u0301est" in underlined(copy.data)


def test_that_sentences_outside_runs_are_reported(tmp_path):
    _prepared_document, copy, _place = annotated(shared_path("docs", "equation.docx"), tmp_path)
    (remark,) = remarks_in_words(copy, shared_path("docs", "equation.docx"))
    assert re.match(r"4 of \d+ places could not be marked in equation\.docx: “", remark)
