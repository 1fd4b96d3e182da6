"""The same essay yields the same lines in every format."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.loading import load_document
from simcompare.model.document import BlockKind
from tests.helpers import essay_files as files
from tests.helpers import open_document
from tests.helpers.doc_files import DocFile

SAMPLES = Path(__file__).resolve().parents[2] / "resources" / "samples"
SAMPLE_SOURCES = {
    "石桥记.pdf": "stone-bridge-light",
    "秋天的路.pdf": "autumn-road",
    "Waiting for the last bus.pdf": "the-last-bus-reworded",
    "same-essay/家乡的石桥.pdf": "old-bridge",
}
_SPACE_IN_CHINESE = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])")
_BLANK_BESIDE_CHINESE = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) | (?=[\u3000-\u9fff\uff00-\uffef])")

needs_libreoffice = pytest.mark.skipif(files.soffice() is None, reason="LibreOffice is not installed")


def _assert_same(document, title, paragraphs):
    expected = "\n".join([title, *paragraphs])
    assert document.text.split("\n") == expected.split("\n")
    assert document.title == title
    assert document.blocks[0].kind in {BlockKind.TITLE, BlockKind.HEADING}


@pytest.mark.parametrize(("sample", "source"), SAMPLE_SOURCES.items())
def test_that_a_sample_pdf_yields_its_source_paragraphs(sample, source):
    written = (SAMPLES / "source" / f"{source}.txt").read_text(encoding="utf-8")
    read = load_document(SAMPLES / sample).text
    assert _SPACE_IN_CHINESE.sub("", read).splitlines() == _SPACE_IN_CHINESE.sub("", written).splitlines()


def test_that_every_sample_pdf_is_compared_with_its_source():
    assert {path.relative_to(SAMPLES).as_posix() for path in SAMPLES.rglob("*.pdf")} == set(SAMPLE_SOURCES)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("indented", [True, False], ids=["indented", "blocks"])
def test_that_a_word_file_yields_its_paragraphs(tmp_path, language, indented):
    essay = files.long_essay(language)
    document = load_document(files.write_docx(tmp_path / "essay.docx", *essay, indented=indented))
    _assert_same(document, *essay)
    assert [(d.reason, d.characters) for d in document.receipt.dropped] == [("page_footer", 6)]


@pytest.fixture(scope="module")
def saved_copies(request, tmp_path_factory):
    """Return the folder of essays that LibreOffice saved in a format; starting it takes most of the time."""
    folder = tmp_path_factory.mktemp("saved")
    sources = [
        files.write_docx(
            folder / f"{language}-{indented}.docx", *files.long_essay(language), indented=indented
        )
        for language in ("zh", "en")
        for indented in (True, False)
    ]
    files.convert_by_libreoffice(sources[0], request.param, *sources[1:])
    return folder, request.param


@needs_libreoffice
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("indented", [True, False], ids=["indented", "blocks"])
@pytest.mark.parametrize("saved_copies", ["pdf", "html", "odt", "fodt", "doc", "rtf"], indirect=True)
def test_that_a_copy_saved_by_libreoffice_yields_the_same_essay(saved_copies, language, indented):
    folder, suffix = saved_copies
    essay = files.long_essay(language)
    document = load_document(folder / f"{language}-{indented}.{suffix}")
    if suffix == "pdf":
        # With some fonts, LibreOffice draws no blanks beside Chinese.
        essay = _BLANK_BESIDE_CHINESE.sub("", essay[0]), [_BLANK_BESIDE_CHINESE.sub("", p) for p in essay[1]]
        document = replace(document, text=_BLANK_BESIDE_CHINESE.sub("", document.text))
        if not indented:
            document = _parted_at_page_ends(document, essay[1])
    _assert_same(document, *essay)


def _parted_at_page_ends(document, paragraphs):
    """Part paragraphs that are joined, at most one for each end of a page.

    A full last line at the end of a page and a line without indent on the next may be one paragraph. Which
    paragraphs end so depends on the fonts and the version of LibreOffice.
    """
    lines, most = [], document.receipt.pages - 1
    for line in document.text.split("\n"):
        first = next((text for text in paragraphs if line != text and line.startswith(text)), None)
        if first is not None and most:
            lines += [first, line.removeprefix(first).lstrip()]
            most -= 1
        else:
            lines.append(line)
    return replace(document, text="\n".join(lines))


_RICH = (
    '<text:h text:outline-level="1">河 Rivers</text:h><text:p>{0}<text:note text:note-class="footnote">'
    "<text:note-citation>1</text:note-citation><text:note-body><text:p>课本 A book.</text:p></text:note-body>"
    "</text:note> 完</text:p><text:table-of-content><text:table-of-content-source/><text:index-body>"
    '<text:p>Rivers 1</text:p></text:index-body></text:table-of-content><text:list text:style-name="L1">'
    "<text:list-item><text:p>第一 One</text:p></text:list-item><text:list-item><text:p>第二 Two</text:p>"
    "</text:list-item></text:list><table:table><table:table-column/><table:table-column/><table:table-row>"
    "<table:table-cell><text:p>姓名</text:p></table:table-cell><table:table-cell><text:p>Class</text:p>"
    "</table:table-cell></table:table-row></table:table><text:p>{1} "
    '<text:span text:style-name="T1">hidden words</text:span></text:p>'
)
_RICH_STYLES = (
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" '
    'style:num-suffix="."><style:list-level-properties '
    'text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment '
    'text:label-followed-by="space"/></style:list-level-properties></text:list-level-style-number>'
    "</text:list-style>"
) + open_document.text_style("T1", 'text:display="none"')


@needs_libreoffice
@pytest.mark.parametrize("suffix", ["odt", "docx"])
def test_that_lists_tables_notes_and_hidden_text_are_the_same_in_word_and_opendocument(tmp_path, suffix):
    body = _RICH.format(files.CHINESE_PARAGRAPHS[0], files.ENGLISH_PARAGRAPHS[0])
    path = tmp_path / "essay.fodt"
    path.write_text(open_document.flat_xml(body, _RICH_STYLES), encoding="utf-8")
    written, saved = load_document(path), load_document(files.convert_by_libreoffice(path, suffix))
    assert saved.text == written.text
    assert [block.kind for block in saved.blocks] == [block.kind for block in written.blocks]
    assert {drop.reason: drop.characters for drop in saved.receipt.dropped} == {
        drop.reason: drop.characters for drop in written.receipt.dropped
    }


@pytest.fixture
def offscreen_qt(request):
    pytest.importorskip("PySide6.QtGui", reason="PySide6 is not installed")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return request.getfixturevalue("qapp")


@pytest.mark.usefixtures("offscreen_qt")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_a_pdf_written_by_qt_yields_the_same_essay(tmp_path, language, request):
    if language == "zh":
        request.getfixturevalue("chinese_font")
    essay = files.long_essay(language)
    _assert_same(load_document(files.write_pdf_by_qt(tmp_path / "essay.pdf", *essay)), *essay)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_a_web_page_yields_the_same_essay(tmp_path, language):
    essay = files.long_essay(language)
    _assert_same(load_document(files.write_html(tmp_path / "essay.html", *essay)), *essay)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_a_text_yields_the_same_essay(tmp_path, language):
    essay = files.long_essay(language)
    _assert_same(load_document(files.write_text(tmp_path / "essay.txt", *essay)), *essay)


_OPENING, _REST = "河边", ["河水清清的，一年四季都在唱歌。", "我常常到河边去玩。"]


def _write_plain(path):
    """Write lines without style or formatting."""
    lines = [_OPENING, *_REST]
    if path.suffix == ".docx":
        files.write_body_xml(path, "".join(map(files.paragraph_xml, lines)))
    elif path.suffix == ".doc":
        document = DocFile()
        for line in lines:
            document.paragraph(line)
        document.write(path)
    elif path.suffix == ".rtf":
        body = "".join(
            "".join(rf"\u{ord(char) - 0x10000 * (ord(char) >= 0x8000)}?" for char in line) + r"\par "
            for line in lines
        )
        path.write_text(rf"{{\rtf1\uc1 {body}}}", encoding="ascii")
    elif path.suffix == ".fodt":
        body = "".join(f"<text:p>{line}</text:p>" for line in lines)
        path.write_text(open_document.flat_xml(body, ""), encoding="utf-8")
    else:
        path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", [".docx", ".doc", ".rtf", ".fodt", ".txt"])
def test_that_an_opening_line_without_a_style_is_the_title_in_every_format(tmp_path, suffix):
    document = load_document(_write_plain(tmp_path / f"essay{suffix}"))
    assert document.title == _OPENING
    assert [block.kind for block in document.blocks] == [BlockKind.TITLE, *[BlockKind.PARAGRAPH] * 2]


@pytest.mark.parametrize("first", ["这里没有题目，一开始就是正文。", "a\tb"])
def test_that_a_sentence_and_a_table_row_are_not_titles(tmp_path, first):
    cells = "".join(f"<w:tc>{files.paragraph_xml(cell)}</w:tc>" for cell in first.split("\t"))
    opening = f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>" if "\t" in first else files.paragraph_xml(first)
    document = load_document(
        files.write_body_xml(tmp_path / "essay.docx", opening + files.paragraph_xml(_REST[0]))
    )
    assert document.title == "essay"
