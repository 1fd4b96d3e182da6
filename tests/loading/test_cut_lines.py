"""Lines cut off inside a sentence are joined; headings, lists, verse and labels are not."""

import pytest

from simcompare.loading import load_document
from simcompare.loading.extraction import Piece
from simcompare.loading.load import join_cut_lines
from simcompare.model.document import BlockKind
from tests.helpers.essay_files import write_body_xml
from tests.helpers.passages import GARDEN, LIBRARY, LIGHTHOUSE, METRO, ORCHARD, chinese, english

ENGLISH = english(LIGHTHOUSE, GARDEN)
CHINESE = chinese(ORCHARD, LIBRARY, METRO)


def lines_of(*lines, kind=BlockKind.PARAGRAPH):
    return [piece.text for piece in join_cut_lines([Piece(kind, line) for line in lines])]


def wrapped_words(text, width):
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def wrapped_characters(text, width):
    """Break Chinese text at a width; no punctuation mark begins a line."""
    lines = [""]
    for character in text:
        if len(lines[-1]) >= width and character not in "，。；、":
            lines.append("")
        lines[-1] += character
    return lines


@pytest.mark.parametrize("width", [34, 50, 72])
def test_that_hard_wrapped_english_is_joined(width):
    joined = lines_of(*wrapped_words(ENGLISH, width))
    assert " ".join(joined) == ENGLISH
    assert all(line.endswith(".") for line in joined)


def test_that_wrapped_english_goes_on_in_a_name():
    text = (
        f"{english(LIGHTHOUSE[:2])} They were brass lanterns from the workshop of the lamplighter Adam Young."
    )
    wrapped = (wrapped_words(text, width) for width in range(24, 44))
    lines = next(lines for lines in wrapped if {"Adam", "Young."} & {line.split()[0] for line in lines})
    joined = lines_of(*lines)
    assert " ".join(joined) == text
    assert all(line.endswith(".") for line in joined)


@pytest.mark.parametrize("width", [10, 17, 38])
def test_that_hard_wrapped_chinese_is_joined(width):
    joined = lines_of(*wrapped_characters(CHINESE, width))
    assert "".join(joined) == CHINESE
    assert all(line.endswith("。") for line in joined)


@pytest.mark.parametrize(("before", "after", "joined"), [
    ("When the storm came, the keeper", "climbed the steps.",
     "When the storm came, the keeper climbed the steps."),
    ("The keeper saw a light-", "house on the rock.", "The keeper saw a light-house on the rock."),
    ("果园里都是苹果的香味，", "爷爷走在最前面。", "果园里都是苹果的香味，爷爷走在最前面。"),
    ("大家坐在田埂上。奶奶把", "苹果洗净切片。", "大家坐在田埂上。奶奶把苹果洗净切片。"),
    ("秋天来了，爷爷背着筐走在", "最前面，狗跟在后面。", "秋天来了，爷爷背着筐走在最前面，狗跟在后面。"),
])  # fmt: skip
def test_that_a_line_without_an_end_mark_is_joined_to_its_continuation(before, after, joined):
    assert lines_of(before, after) == [joined]


@pytest.mark.parametrize("lines", [
    ["The last bus", "On the evening of my birthday I missed the bus."],
    ["It was late and dark.", "he walked on."],
    ["We need three things:", "apples and pears from the garden"],
    ["apples from the garden", "pears from the market", "bread from the shop"],
    ["What the ferry brought us", "a) letters from home", "b) a barrel of oil"],
    ["Name of the student: Li", "from the second class"],
    ["我的老家", "我的老家在一条小河边，河上有一座石桥。"],
    ["岁月如歌，青春如诗", "我们的学校在一条小河边，河上有一座石桥。"],
    ["一、研究的背景，以及它的意义和价值", "近年来，人们对石桥的兴趣越来越大。"],
    ["他走了很远的路，到了山的那边去看", "二、第二天的事情"],
    ["姓名：王小明，学校：河边中学二年级", "我的老家在一条小河边。"],
    [
        "石桥研究背景与意义", "近年来，人们对石桥的兴趣越来越大，研究也多。",
        "国内石桥研究的现状", "国内的研究很多，大多数关注桥的结构。",
        "石桥研究的主要方法", "本文采用文献法，也采用实地考察的方法。",
        "石桥研究的创新之处", "本文的创新在于，把桥和人放在一起。",
    ],
    ["石桥下面的水很浅", "爷爷坐在石狮子旁", "风从稻田那边吹来", "带着青草的味道啊"],
    ["The things we took with us", "bread from the shop", "a lamp for the night"],
    [
        "月光照着村口的老石桥，河水慢慢地流", "风从稻田里吹过来，带着青草的香味",
        "爷爷坐在石狮子旁，等我们回家吃饭",
    ],
    ["研究石桥的历史，弄清它的来历", "走访村里的老人，记录他们的故事", "整理照片和文字，写成一份报告"],
    [
        "走进百年的果园，寻找失落的味道",
        "秋天的果园里弥漫着苹果的香味，爷爷背着竹筐走在最前面，小黄狗跟在他的脚后，谁也不说话。",
    ],
])  # fmt: skip
def test_that_headings_lists_labels_and_verse_stay_as_they_are(lines):
    assert lines_of(*lines) == lines


@pytest.mark.parametrize("kind", [BlockKind.HEADING, BlockKind.LIST_ITEM, BlockKind.TABLE_ROW])
def test_that_only_paragraphs_are_joined(kind):
    lines = ["When the storm came, the keeper", "climbed the steps."]
    assert lines_of(*lines, kind=kind) == lines


def test_that_lines_with_places_on_a_page_are_left_to_the_reader_of_the_file():
    pieces = [Piece(BlockKind.PARAGRAPH, "When the storm came, the keeper", page=1)]
    pieces.append(Piece(BlockKind.PARAGRAPH, "climbed the steps.", page=2))
    assert join_cut_lines(pieces) == pieces


@pytest.mark.parametrize("text", [wrapped_words(ENGLISH, 34), wrapped_characters(CHINESE, 17)])
@pytest.mark.parametrize("is_one_paragraph", [True, False])
def test_that_a_word_file_with_a_break_at_each_line_has_the_sentences_of_its_text(
    tmp_path, text, is_one_paragraph
):
    between = "<w:br/>" if is_one_paragraph else "</w:r></w:p><w:p><w:r>"
    body = between.join(f"<w:t>{line}</w:t>" for line in text)
    document = load_document(write_body_xml(tmp_path / "case.docx", f"<w:p><w:r>{body}</w:r></w:p>"))
    assert document.text.replace("\n", " ").replace(" ", "") == "".join(text).replace(" ", "")
    assert all(block.span.of(document.text)[-1] in ".。" for block in document.blocks)
    assert document.title == "case"


def test_that_a_title_above_a_line_in_lower_case_stays_the_title(tmp_path):
    path = tmp_path / "case.txt"
    path.write_text(f"The Keeper of the Light\nby a friend of his\n{ENGLISH}\n", encoding="utf-8")
    document = load_document(path)
    assert document.title == "The Keeper of the Light"
    assert document.blocks[0].kind is BlockKind.TITLE


def test_that_a_chinese_title_of_two_clauses_stays_the_title(tmp_path):
    path = tmp_path / "case.txt"
    path.write_text(f"走进百年的果园，寻找失落的味道\n{chinese(ORCHARD)}\n", encoding="utf-8")
    document = load_document(path)
    assert document.title == "走进百年的果园，寻找失落的味道"
    assert document.blocks[0].kind is BlockKind.TITLE
