"""Pasted texts: read like files, in the stated format."""

from pathlib import Path

import pytest

from simcompare.loading.extraction import PastedText, ReadingOptions
from simcompare.loading.load import load_document, load_pasted
from simcompare.model.document import FlagName
from simcompare.model.errors import EmptyFileError

NAME = Path("Pasted text 1")
ESSAY = "家乡的小河\n清晨的河面上飘着一层薄薄的雾。渔船慢慢地从芦苇旁边划过去。"
FROM_WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<meta http-equiv=Content-Type content="text/html; charset=gb2312">
<meta name=Generator content="Microsoft Word 15">
<style>p.MsoNormal {margin:0cm; font-size:10.5pt}</style></head><body lang=ZH-CN>
<!--StartFragment--><p class=MsoNormal>清晨的河面上飘着一层薄薄的雾。<o:p></o:p></p>
<p class=MsoNormal>渔船慢慢地从芦苇旁边划过去。</p><!--EndFragment--></body></html>"""
FROM_DARK_PAGE = (
    "<meta charset='utf-8'><p style=\"color: rgb(232, 234, 237); background-color: rgb(32, 33, 36);\">"
    "The river is quiet before the sun has risen.</p>"
)


def flags(pasted: str) -> set[FlagName]:
    return {flag.name for flag in load_pasted(NAME, PastedText(pasted)).receipt.flags}


def test_that_a_pasted_text_is_read_as_a_file_of_the_same_text_is(tmp_path: Path) -> None:
    file = tmp_path / "essay.txt"
    file.write_text(ESSAY, encoding="utf-8")
    pasted, read = load_pasted(NAME, PastedText(ESSAY)), load_document(file)
    assert (pasted.text, pasted.title, pasted.blocks) == (read.text, read.title, read.blocks)
    assert pasted.path == NAME
    assert pasted.receipt.encoding == "utf-8"


@pytest.mark.parametrize("start", ["%PDF-1.7", "{\\rtf1", "<p>", "Subject: a\nMime-Version: 1.0\n\n"])
def test_that_a_pasted_text_stays_text_whatever_it_begins_with(start: str) -> None:
    text = load_pasted(NAME, PastedText(f"{start} 清晨的河面上飘着一层薄薄的雾。")).text
    assert text.startswith(start.partition("\n")[0])


def test_that_text_copied_from_word_keeps_paragraphs_and_letters() -> None:
    document = load_pasted(NAME, PastedText(FROM_WORD, is_html=True), ReadingOptions(whole_page=True))
    assert document.text == "清晨的河面上飘着一层薄薄的雾。\n渔船慢慢地从芦苇旁边划过去。"


def test_that_light_letters_on_the_dark_background_they_were_copied_with_are_kept() -> None:
    document = load_pasted(NAME, PastedText(FROM_DARK_PAGE, is_html=True), ReadingOptions(whole_page=True))
    assert document.text == "The river is quiet before the sun has risen."
    assert not document.receipt.doubtful


def test_that_invisible_characters_in_a_pasted_text_are_flagged() -> None:
    assert FlagName.ZERO_WIDTH_CHARACTERS in flags("\u200b".join("家乡的小河很美。" * 8))


def test_that_a_lone_surrogate_does_not_stop_a_pasted_text() -> None:
    assert load_pasted(NAME, PastedText("家乡\ud83d的小河")).text == "家乡?的小河"


def test_that_pasted_spaces_alone_raise_the_empty_file_error() -> None:
    with pytest.raises(EmptyFileError, match="Pasted text 1 is empty"):
        load_pasted(NAME, PastedText(" \n\t"))
