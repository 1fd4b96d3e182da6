"""Reference lists, tables of contents and composition grids in any format."""

import docx

from simcompare.loading import load_document
from simcompare.loading.extraction import DroppedText, Piece
from simcompare.loading.load import without_contents
from simcompare.loading.shared.file_origin import load_verbatim
from simcompare.model.document import BlockKind
from tests.helpers import essay_files as files

ENTRIES = ["[1] 王小明. 桥的历史. 北京: 河流出版社, 2019.", "[2] Smith, J. Bridges. London, 2003."]
CONTENTS = ["目　录", "摘要 ……………… I", "一、绪论 ……………… 1", "二、河 . . . . . . 3", "参考文献 12"]


def kinds_of(document):
    return {block.span.of(document.text): block.kind for block in document.blocks}


def pieces(texts):
    return [Piece(BlockKind.PARAGRAPH, text) for text in texts]


def test_that_a_reference_list_is_marked_in_every_format(tmp_path):
    texts = [*files.CHINESE_PARAGRAPHS, "参考文献", *ENTRIES]
    for path in (
        files.write_text(tmp_path / "essay.txt", "小河", texts),
        files.write_html(tmp_path / "essay.html", "小河", texts),
        files.write_docx(tmp_path / "essay.docx", "小河", texts),
    ):
        document = load_document(path)
        kinds = kinds_of(document)
        assert [kinds[text] for text in texts[-3:]] == [BlockKind.REFERENCE] * 3
        assert BlockKind.REFERENCE not in [kinds[text] for text in texts[:-3]]


def test_that_a_verbatim_text_has_its_reference_list_marked(tmp_path):
    path = tmp_path / "essay.txt"
    path.write_text("\n\n".join([files.CHINESE_PARAGRAPHS[0], "References", *ENTRIES]), encoding="utf-8")
    kinds = [block.kind.value for block in load_verbatim(path).blocks]
    assert kinds == ["paragraph", "reference", "reference", "reference"]


def test_that_a_table_of_contents_in_the_text_is_dropped(tmp_path):
    path = files.write_text(tmp_path / "essay.txt", "小河", [*CONTENTS, *files.CHINESE_PARAGRAPHS])
    document = load_document(path)
    assert document.text.split("\n") == ["小河", *files.CHINESE_PARAGRAPHS]
    (dropped,) = document.receipt.dropped
    assert dropped.reason == "table_of_contents"
    assert dropped.excerpt.startswith("目 录 摘要 ……")


def test_that_contents_with_roman_signs_and_hyphens_are_dropped(tmp_path):
    contents = ["目 录", "摘要-----Ⅰ", "Abstract-----Ⅲ", "一、绪论----------1", "二、河----------12"]
    path = files.write_text(tmp_path / "essay.txt", "小河", [*contents, *files.CHINESE_PARAGRAPHS])
    assert load_document(path).text.split("\n") == ["小河", *files.CHINESE_PARAGRAPHS]


def test_that_a_table_of_contents_is_not_the_title(tmp_path):
    path = files.write_text(
        tmp_path / "essay.txt", CONTENTS[0], [*CONTENTS[1:], "小河", *files.CHINESE_PARAGRAPHS]
    )
    assert load_document(path).title == "小河"


def test_that_a_text_of_contents_alone_is_kept():
    assert without_contents(pieces(CONTENTS), DroppedText()) == pieces(CONTENTS)


def test_that_a_heading_called_contents_drops_no_text():
    texts = ["目录", "我家门前有一条小河。", "河水流过 3 座桥，也流过 1998", *files.CHINESE_PARAGRAPHS]
    assert without_contents(pieces(texts), DroppedText()) == pieces(texts)


def test_that_numbers_that_do_not_ascend_end_the_contents():
    texts = ["Contents", "One .... 1", "Two .... 5", "Three .... 9", "We were 2", *files.ENGLISH_PARAGRAPHS]
    assert [p.text for p in without_contents(pieces(texts), DroppedText())] == texts[4:]


def in_squares(text, columns=20):
    """Return a paragraph as table rows with one character per cell, after two empty cells."""
    squares = ["", "", *text]
    squares += [""] * (-len(squares) % columns)
    return [squares[begin : begin + columns] for begin in range(0, len(squares), columns)]


def write_tables(path, *tables):
    document = docx.Document()
    for rows in tables:
        table = document.add_table(len(rows), len(rows[0]))
        for row, cells in zip(table.rows, rows, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    document.save(path)
    return path


def test_that_a_composition_grid_is_joined_to_paragraphs(tmp_path):
    texts = ["小河的水清清的，一年四季都在唱歌。", "春天，柳树发芽了，孩子们在河边放风筝，大人们在田里播种。"]
    title = ["", "", "", "", "", "", "", "", "小", "河", *[""] * 10]
    rows = [title, *(row for text in texts for row in in_squares(text))]
    document = load_document(write_tables(tmp_path / "essay.docx", rows))
    assert document.text.split("\n") == ["小河", *texts]
    assert {block.kind for block in document.blocks} == {BlockKind.PARAGRAPH}


def test_that_a_table_of_short_entries_stays_a_table(tmp_path):
    marks = [["王", *"√√×√√√×√√√"], ["李", *"√×√√√√√√√√"], ["张", *"√√√√×√√√√√"]]
    document = load_document(write_tables(tmp_path / "marks.docx", marks))
    assert document.text.split("\n") == ["\t".join(row) for row in marks]
