"""PDF report of a comparison: complete, selectable as written, reproducible."""

import ctypes
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pikepdf
import pypdfium2
import pytest
import typst
from pdfminer.high_level import extract_text
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfparser import PDFParser

from simcompare.model.settings import ComparisonSettings
from simcompare.report import pdf_report
from simcompare.report.pdf_report import render_first_page, render_pdf
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.support.i18n import set_language, using_language
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of, review_of_passage
from tests.report.words import FOOT_PT, squeezed, words_of_pdf

COMPILE = typst.compile
ROOT = str(Path(__file__).parents[2])
RARE = """生僻字与符号
𠮷野家的𪚥字很少见，𫖯视与䶮䲜也是。她说——“行一二，石人入八”……然后走了。
Ōkami naïve façade, Ελληνικά и русский: the office file waffles; “quotes” – dashes — and µ ≠ μ.
"""
ENGLISH = """The last bus
On the evening of my fourteenth birthday, I missed the last bus home. It was raining hard in the valley.
“Difficult,” she said; the office was affected by fluffy flakes — fine. AVAToWa. Yes, we're first!
"""


WITH_TITLES = ComparisonSettings(exclude_name_lines=False)


@pytest.fixture
def bridges(tmp_path):
    return comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED, names=("桥.txt", "bridge.pdf"))


def sentences_of(prepared_document):
    prepared, text = prepared_document.prepared, prepared_document.document.text
    return [squeezed(prepared.sentence_span(n).of(text)) for n in range(prepared.sentence_count)]


LIGATURES = """At the end of the line
She climbed up to the highest of the cliffs and leaned on her old wooden staff
The whole village stood around the sheriff
"""


@pytest.mark.parametrize(
    "text", [BRIDGE, ENGLISH, RARE, LIGATURES], ids=["chinese", "english", "rare", "ligatures"]
)
def test_that_the_sentences_copied_out_of_the_file_are_those_of_the_texts(tmp_path, text):
    changed = text.replace("。", "！")
    comparison = comparison_of(tmp_path, text, changed, settings=WITH_TITLES, thesaurus="none")
    data = render_pdf(evidence_of(comparison))
    with_pdfium, with_pdfminer = words_of_pdf(data), squeezed(extract_text(BytesIO(data)))
    for sentence in (*sentences_of(comparison.left), *sentences_of(comparison.right)):
        assert sentence in with_pdfium
        assert sentence in with_pdfminer


def test_that_characters_without_a_font_are_boxes_with_their_text(tmp_path):
    sentence = "नमस्ते दुनिया यह एक वाक्य है यहाँ और 𒀀𒁀𒂀𒃀𒄀 𓀀𓁀𓂀 भी"
    comparison = comparison_of(tmp_path, f"Title\n{sentence}।\n", BRIDGE, thesaurus="none")
    data = render_pdf(evidence_of(comparison))
    assert squeezed("𒀀𒁀𒂀𒃀𒄀 𓀀𓁀𓂀") in words_of_pdf(data)
    with pypdfium2.PdfDocument(data) as file:
        assert len(file) > 1


def test_that_every_font_is_embedded(bridges):
    data = render_pdf(evidence_of(bridges))
    with pypdfium2.PdfDocument(data) as file:
        fonts = {}
        for page in file:
            for shown in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT]):
                font = pypdfium2.raw.FPDFTextObj_GetFont(shown.raw)
                fonts[ctypes.addressof(font.contents)] = pypdfium2.raw.FPDFFont_GetIsEmbedded(font)
    assert fonts
    assert set(fonts.values()) == {1}


def test_that_the_two_texts_of_a_passage_face_each_other(bridges):
    words = words_of_pdf(render_pdf(evidence_of(bridges)))
    passage = words[words.index("Passage1") : words.index("Matches")]
    assert sentences_of(bridges.left)[1] in passage
    assert sentences_of(bridges.right)[2] in passage
    assert "我的老家在一条小河边" not in passage


def test_that_bookmarks_title_and_dates_are_those_of_the_report(bridges):
    data = render_pdf(evidence_of(bridges))
    with pypdfium2.PdfDocument(data) as file:
        marks = [mark.get_title() for mark in file.get_toc()]
        meta = file.get_metadata_dict()
    assert marks == [
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
    assert meta["Title"] == "Comparison of two texts: 桥.txt ↔ bridge.pdf"
    assert meta["CreationDate"] == "D:20240506070800"
    assert meta["Creator"].startswith("simcompare ")


def test_that_each_page_names_the_files_and_its_number(bridges):
    with pypdfium2.PdfDocument(render_pdf(evidence_of(bridges))) as file:
        count = len(file)
        for number, page in enumerate(file, start=1):
            foot = page.get_textpage().get_text_bounded(top=FOOT_PT)
            assert "桥.txt ↔ bridge.pdf" in foot
            assert f"Page {number} of {count}" in foot
            assert page.get_size() == pytest.approx((595.28, 841.89), abs=0.01)


def test_that_the_same_evidence_gives_the_same_bytes_and_another_date_the_same_text(bridges):
    data = render_pdf(evidence_of(bridges))
    assert render_pdf(evidence_of(bridges)) == data
    later = words_of_pdf(render_pdf(evidence_of(bridges, datetime(2025, 1, 2, 3, 4))))
    assert words_of_pdf(data).replace("6May2024,07:08", "2January2025,03:04") == later


def test_that_a_line_without_a_break_fills_pages_and_loses_nothing(tmp_path):
    line = "".join(chr(0x4E00 + number * 7919 % 5000) for number in range(30_000))
    comparison = comparison_of(tmp_path, f"Title\n{line}", BRIDGE, thesaurus="none")
    assert line in words_of_pdf(render_pdf(evidence_of(comparison)))


def test_that_passages_over_several_pages_have_the_names_of_the_texts_on_each(tmp_path):
    text = "\n".join(f"Sentence number {n} speaks of the {n * n} lamps in street {n * 7}." for n in range(99))
    other = "Nobody else has ever written a word of this line about the river.\n" * 20 + text
    data = render_pdf(evidence_of(comparison_of(tmp_path, text, other, thesaurus="none")))
    with pypdfium2.PdfDocument(data) as file:
        words = [page.get_textpage().get_text_bounded(bottom=FOOT_PT) for page in file]
    last = next(number for number, page in enumerate(words) if "Figures in detail" in page)
    with_passage = [page for page in words[:last] if "Sentence number" in page]
    assert len(with_passage) > 2
    assert all("left.txt" in page and "right.txt" in page for page in with_passage)


def test_that_a_sentence_is_once_in_its_passage_and_once_in_its_text(bridges):
    words = words_of_pdf(render_pdf(evidence_of(bridges)))
    assert words.count(sentences_of(bridges.left)[1]) == 2 + 2  # the same in both texts
    assert words.count("大家都十分喜爱它") == 2  # a single sentence: in the list and in its text


def test_that_it_follows_the_language(bridges):
    set_language("zh")
    data = render_pdf(evidence_of(bridges))
    assert squeezed("两篇文章的比对") in words_of_pdf(data)
    assert PDFDocument(PDFParser(BytesIO(data))).catalog["Lang"] == b"zh-CN"


def test_that_a_number_in_a_text_leads_to_its_passage_and_the_title_of_a_passage_to_its_text(bridges):
    with pypdfium2.PdfDocument(render_pdf(evidence_of(bridges))) as file:
        links = sum(len(list(links_of(page))) for page in file)
    # two passages in both texts, one of them side by side
    assert links == 2 * 2 + 1


def links_of(page):
    place, link = ctypes.c_int(0), pypdfium2.raw.FPDF_LINK()
    while pypdfium2.raw.FPDFLink_Enumerate(page.raw, place, link):
        yield link


def test_that_links_lead_to_the_passage_and_back_to_the_text(bridges):
    with pikepdf.open(BytesIO(render_pdf(evidence_of(bridges)))) as file:
        links = [link for page in file.pages for link in page.get("/Annots", ())]
        names = sorted(str(link.Contents) for link in links)
        pages = {page.objgen for page in file.pages}
        assert all(link.Dest[0].objgen in pages and "/A" not in link for link in links)
    # a number from each text to the passage, and back; a single sentence from text to text
    assert names == [
        "Passage 1",
        "Passage 1",
        "Passage 1 in the left text",
        "Passage 2 in the left text",
        "Passage 2 in the right text",
    ]


def test_that_it_is_tagged_as_screen_readers_need_it(bridges):
    with pikepdf.open(BytesIO(render_pdf(evidence_of(bridges)))) as file:
        root = file.Root
        assert root.MarkInfo.Marked
        assert str(root.Lang) == "en"
        assert root.ViewerPreferences.DisplayDocTitle
        with file.open_metadata() as about:
            assert about["pdfuaid:part"] == "1"
            assert about["dc:title"] == "Comparison of two texts: 桥.txt ↔ bridge.pdf"
        elements = list(elements_of(root.StructTreeRoot.K))
        kinds = [str(element.S) for element in elements]
        assert {"/H1", "/H2", "/H3", "/P", "/Table", "/TH", "/TD", "/Link"} <= set(kinds)
        figures = [element for element in elements if element.S == "/Figure"]
        assert [str(figure.Alt)[:17] for figure in figures] == ["Comparison matrix"]
        languages = {str(element.Lang) for element in elements if "/Lang" in element}
        assert "zh-CN" in languages


def elements_of(kids):
    """The structure elements of a tagged PDF, in reading order."""
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from elements_of(kid.get("/K", pikepdf.Array()))


def test_that_the_table_has_the_judged_and_the_best_where_rows_are_too_many(bridges, monkeypatch):
    monkeypatch.setattr(pdf_report, "MOST_ROWS", 1)
    left, right = index_sentences(bridges.left.prepared).keys, index_sentences(bridges.right.prepared).keys
    last = bridges.matches[2]
    key = MatchKey(left[last.left], right[last.right])
    review = PairReview(matches={key: NotedDecision(None, "ask the parents")})
    words = words_of_pdf(render_pdf(evidence_of(bridges, review=review)))
    assert squeezed("ask the parents") in words
    # the numbers in the texts stay
    assert words.count("1村口的那座石桥已经") == 2


def test_that_a_report_whose_matches_are_all_in_passages_reports_them(tmp_path):
    words = words_of_pdf(render_pdf(evidence_of(comparison_of(tmp_path, ENGLISH, ENGLISH, thesaurus="none"))))
    assert squeezed("Passages 1") in words
    assert squeezed("No two sentences are similar") not in words


def test_that_single_sentences_beyond_the_limit_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf_report, "MOST_ROWS", 1)
    same = ["桥面被脚步磨得发亮，谁都记得它。", "老船夫的烟斗挂在窗边。", "那年冬天的雪下到了屋檐。"]
    left = "".join(f"{sentence}\n" + "山上的树一年四季都是绿的。\n" * 6 for sentence in same)
    right = "".join("河里的鱼在夏天游得很快。\n" * 6 + f"{sentence}\n" for sentence in same)
    words = words_of_pdf(render_pdf(evidence_of(comparison_of(tmp_path, left, right, thesaurus="none"))))
    assert squeezed("2 of 3 single sentences are not in this table, but marked in the texts.") in words


def test_that_the_headings_of_the_table_are_beside_each_other(tmp_path):
    comparison = comparison_of(tmp_path, ENGLISH, f"A letter\n{ENGLISH.splitlines()[1][:58]}.\n")
    with pypdfium2.PdfDocument(render_pdf(evidence_of(comparison))) as document:
        pages = [page.get_textpage() for page in document]
        words = [page.get_text_range() for page in pages]
        (at,) = [n for n, each in enumerate(words) if "Single sentences" in each]
        kind = words[at].index("Kind")
        passage = len(words[at][:kind].rstrip()) - 1
        assert words[at][:kind].rstrip().endswith("Passage")
        assert pages[at].get_charbox(passage)[2] < pages[at].get_charbox(kind)[0]


def test_that_a_passage_too_long_to_face_is_named_and_marked_in_the_texts(bridges, monkeypatch):
    monkeypatch.setattr(pdf_report, "MOST_FACING_CHARACTERS", 20)
    words = words_of_pdf(render_pdf(evidence_of(bridges)))
    assert squeezed("Too long to be shown side by side, but marked in the texts of this report: 1.") in words
    assert words.count("1村口的那座石桥已经") == 2


def test_that_the_decision_on_a_passage_too_long_to_face_is_not_lost(bridges, monkeypatch):
    monkeypatch.setattr(pdf_report, "MOST_FACING_CHARACTERS", 20)
    review = review_of_passage(bridges, 0, NotedDecision(Decision.FINE, "the question sheet"))
    words = words_of_pdf(render_pdf(evidence_of(bridges, review=review)))
    assert squeezed("Passage 1 · reworded · 60% of the words in common") in words
    assert squeezed("no concern · Note: the question sheet") in words


def test_that_typst_forgets_a_report_once_it_is_made(bridges):
    compiled = []
    with patch.object(
        typst,
        "compile",
        side_effect=lambda data, **options: compiled.append(data) or COMPILE(data, **options),
    ):
        render_pdf(evidence_of(bridges))
    # it keeps the ten documents compiled last
    assert compiled[-11:] == [b""] * 11


def test_that_it_is_made_in_a_thread_beside_the_window(bridges):
    with ThreadPoolExecutor(1) as pool:
        data = pool.submit(render_pdf, evidence_of(bridges)).result()
    assert data == render_pdf(evidence_of(bridges))


def test_that_the_command_line_makes_it_without_a_screen(tmp_path):
    (tmp_path / "bridge.txt").write_text(BRIDGE, encoding="utf-8")
    (tmp_path / "other.txt").write_text(BRIDGE_REWORDED, encoding="utf-8")
    asked = ["--to", "pdf", "--output", "a.pdf"]
    screen = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    result = subprocess.run(
        [sys.executable, "-m", "simcompare", "compare", "bridge.txt", "other.txt", *asked],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name not in screen} | {"PYTHONPATH": ROOT},
        capture_output=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, b"")
    assert "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" in words_of_pdf(
        (tmp_path / "a.pdf").read_bytes()
    )


def test_that_the_first_page_alone_is_drawn_as_in_the_whole_file(bridges):
    evidence = evidence_of(bridges)
    with pypdfium2.PdfDocument(render_first_page(evidence)) as alone:
        assert len(alone) == 1
        words = alone[0].get_textpage().get_text_range()
    with pypdfium2.PdfDocument(render_pdf(evidence)) as whole:
        assert len(whole) > 1
        assert whole[0].get_textpage().get_text_range().replace(f" of {len(whole)}", "") == words


def test_that_apostrophes_of_english_words_are_narrow_in_a_chinese_report(tmp_path):
    title = "The keeper’s lamp"
    text = f"{title}\n老师说：“It’s a bridge that doesn’t sleep.” 我们都笑了，因为桥的确从来不睡觉。\n"
    with using_language("zh"):
        comparison = comparison_of(tmp_path, text, text, names=("Sean O’Brien.txt", "Mary D’Arcy.txt"))
        report = render_pdf(evidence_of(comparison))  # names are in its footers, too
    widths = set()
    with pypdfium2.PdfDocument(report) as file:
        for page in file:
            words = page.get_textpage()
            for place, character in enumerate(words.get_text_range()):
                if character == "’":
                    left, _bottom, right, _top = words.get_charbox(place, loose=True)
                    widths.add(right - left)
    assert widths
    assert max(widths) < 6, "a character of 9.5 points is as wide"


def test_that_lines_break_where_invisible_characters_are_behind_each_character(tmp_path):
    text = "\u200b".join("村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" * 6)
    data = render_pdf(evidence_of(comparison_of(tmp_path, BRIDGE, text, settings=WITH_TITLES)))
    with pypdfium2.PdfDocument(data) as file:
        for page in file:
            characters = page.get_textpage()
            rights = [characters.get_charbox(place)[2] for place in range(characters.count_chars())]
            assert max(rights) < page.get_width() - 56
