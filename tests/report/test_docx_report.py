"""Word report of a comparison: complete, well-formed, reproducible."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import docx
import pypdfium2
import pytest
from docx.oxml.ns import qn

from simcompare.loading import load_document
from simcompare.report.case_file import case_passages, talk_sheet
from simcompare.report.html_sections import page_view
from simcompare.report.text_pieces import CHANGED
from simcompare.report.word_report import render_docx, render_sheet
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.support.i18n import set_language
from tests.report.essays import (
    BRIDGE,
    BRIDGE_REWORDED,
    comparison_of,
    evidence_of,
    review_of_passage,
)
from tests.report.words import squeezed, words_of_docx

ROOT = str(Path(__file__).parents[2])
OFFICE = shutil.which("soffice")
NAMES = ("桥.txt", "bridge.pdf")


@pytest.fixture
def bridges(tmp_path):
    return comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED, names=NAMES)


def opened(comparison, *when, **fields):
    return docx.Document(BytesIO(render_docx(evidence_of(comparison, *when, **fields))))


def table_of(document, head):
    return next(table for table in document.tables if table.cell(0, 0).text == head)


def runs_in(document, style):
    """Return the texts in a character style."""
    found = document.element.body.xpath(f".//w:r[w:rPr/w:rStyle/@w:val='{style}']")
    return ["".join(part.text or "" for part in run.iter(qn("w:t"))) for run in found]


def test_that_both_texts_have_their_passages_marked_and_numbered(bridges):
    document, words = opened(bridges), words_of_docx(render_docx(evidence_of(bridges)))
    for line in (*BRIDGE.split("\n")[1:], *BRIDGE_REWORDED.split("\n")[1:]):
        for sentence in re.findall("[^。]+。", line):
            assert sentence in words
    # the list of kinds, both sides of the passage, and both texts
    marked = runs_in(document, "MatchReworded")
    assert marked[0] == "reworded"
    assert marked.count("村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。") == 4
    assert runs_in(document, "NumberReworded") == ["1", "2"] * 2
    styles = {style.style_id: style.element for style in document.styles}
    kinds = ("Exact", "Identical", "Edited", "Synonym", "Reworded", "Reordered")
    looks = [styles[f"Match{kind}"] for kind in kinds]
    lines = [look.find(".//" + qn("w:u")).get(qn("w:val")) for look in looks]
    assert lines == ["single", "single", "dash", "dotted", "dotted", "dotDash"]
    assert len({look.find(".//" + qn("w:shd")).get(qn("w:fill")) for look in looks}) == 4


def test_that_the_passages_have_the_numbers_kinds_decisions_and_notes_of_the_other_reports(bridges):
    noted = NotedDecision(Decision.COPIED, "from the reader")
    evidence = evidence_of(bridges, review=review_of_passage(bridges, 0, noted))
    document, page = docx.Document(BytesIO(render_docx(evidence))), page_view(evidence, 500)
    (title,) = [passage.title for passage in page.passages]
    assert title.endswith(" · copied · Note: from the reader")
    assert table_of(document, "桥.txt").rows[1].cells[0].text == title
    rows = [(row.cells[0].text, row.cells[1].text) for row in table_of(document, "Passage").rows[1:]]
    assert rows == [(str(match.passage), match.kind_name) for match in page.matches]
    for side in page.sides:
        numbers = [
            str(passage.number) for block in side.blocks for run in block.runs for passage in run.starting
        ]
        assert numbers == runs_in(document, "NumberReworded")[:2]


def test_that_the_table_of_single_sentences_repeats_its_header_on_every_page(bridges):
    table = table_of(opened(bridges), "Passage")
    assert [cell.text for cell in table.rows[0].cells] == [
        "Passage",
        "Kind",
        "P",
        "w",
        "The two sentences, and why they match",
    ]
    assert table.rows[0]._tr.xpath("./w:trPr/w:tblHeader")
    assert [[cell.text for cell in row.cells][:4] for row in table.rows[1:]] == [
        ["2", "reworded", "0.50", "1.00"],
    ]
    pair = table.rows[1].cells[4]
    assert "它没有美丽的花纹，也没有著名的来历，可是大家都非常喜欢它。" in pair.text
    assert "美丽 ~ 漂亮" in pair.text
    paired = pair._tc.xpath(".//w:r[contains(w:rPr/w:rStyle/@w:val, 'Paired')]//w:t")
    assert {"美丽", "漂亮"} <= {part.text for part in paired}


def test_that_fingerprints_are_cells_and_the_matrix_is_a_picture_with_a_description(bridges):
    document = opened(bridges)
    assert bridges.left.fingerprint.hex in words_of_docx(render_docx(evidence_of(bridges)))
    cells = {*runs_in(document, "BitOn"), *runs_in(document, "BitOff")}
    assert cells == {"█"}, "digits of this size cannot be read"
    differing = sum(len(runs_in(document, f"Bit{digit}Differs")) for digit in ("On", "Off"))
    assert differing == 2 * bridges.hamming_distance_bits
    assert len(document.inline_shapes) == 1
    assert document.inline_shapes[0]._inline.docPr.get("descr").startswith("Comparison matrix: ")


def test_that_the_headings_of_the_figures_stay_with_them_and_lines_of_a_meeting_record_are_written_on(
    bridges,
):
    evidence = evidence_of(bridges)
    document = opened(bridges)
    figures = next(
        each for each in document.tables if len(each.rows) > 1 and "Sentence share" in each.cell(1, 0).text
    )
    above = [each for row in figures.rows[:2] for cell in row.cells for each in cell.paragraphs]
    assert all(each.paragraph_format.keep_with_next for each in above)
    (made,) = (each for each in document.paragraphs if each.text.startswith("Made by simcompare"))
    assert made.paragraph_format.keep_with_next
    page = page_view(evidence)
    sheet = talk_sheet(evidence, page, case_passages(evidence, page), 0, str)
    record = docx.Document(BytesIO(render_sheet(evidence, "Meeting record", sheet))).paragraphs
    (last,) = (place for place, each in enumerate(record) if each.text == "What else would you like to say?")
    lines = record[last - 2 : last]
    assert [(each.text, each.paragraph_format.line_spacing.pt) for each in lines] == [("", 22), ("", 22)]
    assert all(each.paragraph_format.keep_with_next for each in lines), "the last question is not alone"


def test_that_the_two_texts_of_a_passage_are_side_by_side(bridges):
    table = table_of(opened(bridges), "桥.txt")
    assert [cell.text for cell in table.rows[0].cells] == ["桥.txt", "bridge.pdf"]
    assert table.rows[1].cells[0].text.startswith("Passage 1 · reworded · 60% of")
    left, right = (cell.text for cell in table.rows[2].cells)
    assert "可是大家都非常喜欢它" in left
    assert right.startswith("村口的那座石桥已经站了一百多年")


def test_that_the_texts_mark_changed_words_of_a_passage_that_is_not_side_by_side(tmp_path):
    changed = (BRIDGE * 2).replace("我小时候常坐", "我小时候总坐", 1)
    document = opened(comparison_of(tmp_path, BRIDGE * 2, changed, names=NAMES))
    red = document.element.body.xpath(f".//w:r[w:rPr/w:color/@w:val='{CHANGED[1:].upper()}']")
    assert ["".join(part.text for part in run.iter(qn("w:t"))) for run in red][:2] == ["常", "总"]


def test_that_a_report_contains_decisions_and_notes(bridges):
    left, right = index_sentences(bridges.left.prepared).keys, index_sentences(bridges.right.prepared).keys
    first = bridges.matches[0]
    review = PairReview(
        NotedDecision(Decision.COPIED, "Both admit it."),
        {MatchKey(left[first.left], right[first.right]): NotedDecision(Decision.FINE, "a proverb")},
    )
    document = opened(bridges, review=review)
    assert document.paragraphs[1].text == "Decision on the pair: ⚑ copied – Note: Both admit it."
    assert "✓ no concern – Note: a proverb" in table_of(document, "Passage").rows[1].cells[4].text


def test_that_headings_have_heading_styles_and_the_footer_numbers_the_pages(bridges):
    document = opened(bridges)
    headings = [
        paragraph.text for paragraph in document.paragraphs if paragraph.style.name in {"Title", "Heading 1"}
    ]
    assert [heading.split("  ")[0] for heading in headings] == [
        "Comparison of two texts",
        "Comparison matrix",
        "Passages",
        "Single sentences",
        "Figures in detail",
        "How to read this",
        "How this was made",
        "桥.txt",
        "bridge.pdf",
    ]
    (foot,) = document.sections[0].footer.paragraphs
    fields = [field.get(qn("w:instr")).strip() for field in foot._p.iter(qn("w:fldSimple"))]
    assert foot.text.startswith("桥.txt ↔ bridge.pdf\tPage ")
    assert fields == ["PAGE", "NUMPAGES"]


def test_that_every_link_has_a_target(bridges):
    body = opened(bridges).element.body
    places = body.xpath(".//w:bookmarkStart/@w:name")
    assert len(places) == len(set(places)) == 5
    assert set(body.xpath(".//w:hyperlink/@w:anchor")) <= set(places)


def test_that_the_properties_are_set_and_a_chinese_font_is_named(bridges):
    document = opened(bridges)
    about = document.core_properties
    assert about.title == "Comparison of two texts: 桥.txt ↔ bridge.pdf"
    assert about.created == about.modified == datetime(2024, 5, 6, 7, 8, tzinfo=UTC)
    assert about.author.startswith("simcompare ")
    fonts = document.styles["Normal"].element.find(".//" + qn("w:rFonts"))
    assert fonts.get(qn("w:eastAsia")) == "Microsoft YaHei"


def test_that_the_same_evidence_gives_the_same_bytes_and_another_date_the_same_text(bridges):
    data = render_docx(evidence_of(bridges))
    assert render_docx(evidence_of(bridges)) == data
    with zipfile.ZipFile(BytesIO(data)) as file:
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not [name for name in file.namelist() if "thumbnail" in name]
    later = words_of_docx(render_docx(evidence_of(bridges, datetime(2025, 1, 2, 3, 4))))
    assert words_of_docx(data).replace("6May2024,07:08", "2January2025,03:04") == later


def test_that_a_character_forbidden_in_xml_is_shown_by_name(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED, names=("a\ufffe.txt", "b.txt"))
    assert "a[U+FFFE].txt" in words_of_docx(render_docx(evidence_of(comparison)))


def test_that_the_document_declares_its_language(bridges):
    set_language("zh")
    assert opened(bridges).core_properties.language == "zh-CN"


def test_that_simcompare_can_read_the_report(bridges, tmp_path):
    (tmp_path / "report.docx").write_bytes(render_docx(evidence_of(bridges)))
    assert (
        "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" in load_document(tmp_path / "report.docx").text
    )


@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
def test_that_libreoffice_shows_every_sentence(bridges, tmp_path):
    report = tmp_path / "report.docx"
    report.write_bytes(render_docx(evidence_of(bridges)))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    subprocess.run(
        [
            OFFICE,
            profile,
            "--headless",
            "--convert-to",
            "pdf",
            "--outdir",
            tmp_path,
            tmp_path / "report.docx",
        ],
        check=True,
        capture_output=True,
    )
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as file:
        words = [squeezed(page.get_textpage().get_text_bounded()) for page in file]
    assert squeezed(f"Page 1 of {len(words)}") in words[0]
    assert "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" in "".join(words)


def test_that_the_command_line_writes_it_without_loading_qt(tmp_path):
    (tmp_path / "bridge.txt").write_text(BRIDGE, encoding="utf-8")
    (tmp_path / "other.txt").write_text(BRIDGE_REWORDED, encoding="utf-8")
    asked = ["compare", "bridge.txt", "other.txt", "--to", "docx", "--output", "a.docx"]
    program = (
        "import sys; from simcompare.cli.main import main\n"
        f"sys.argv[1:] = {asked}\n"
        "try: main()\n"
        "finally: assert 'PySide6' not in sys.modules"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": ROOT},
        capture_output=True,
        check=False,
    )
    # a busy machine may show progress
    assert (result.returncode, result.stdout) == (0, b""), result.stderr
    assert docx.Document(str(tmp_path / "a.docx")).paragraphs
