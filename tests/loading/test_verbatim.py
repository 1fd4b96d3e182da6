"""Verbatim loading: offsets are those of the file, as scoring tools require."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.loading.shared.file_origin import load_verbatim
from simcompare.model.errors import DamagedFileError, EmptyFileError, FileNotReadableError
from simcompare.text.prepared_text import prepare


@pytest.fixture
def load(tmp_path):
    """Return a function that loads bytes as a file."""

    def load_bytes(data):
        (tmp_path / "text.txt").write_bytes(data)
        return load_verbatim(tmp_path / "text.txt")

    return load_bytes


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff标题\r\n\r\n　　第一段。\u200b第二句。\n",
        "e\u0301tude  with   blanks\t\n\n\n\n  end",
        "ﬁne print … Ⅳ\r\nnext line\rold line end\n",
    ],
)
def test_that_no_character_is_changed(load, text):
    document = load(text.encode("utf-8"))
    assert document.text == text
    assert document.sha256 == hashlib.sha256(text.encode("utf-8")).hexdigest()
    assert document.receipt.characters_kept == len(text)


def test_that_lines_up_to_a_blank_line_are_a_paragraph(load):
    document = load(b"One line\r\nand its end.\r\n\r\nAnother\nparagraph.\n\n\nThird")
    assert [block.span.of(document.text) for block in document.blocks] == [
        "One line\r\nand its end.",
        "Another\nparagraph.",
        "Third",
    ]
    assert [block.anchor.paragraph for block in document.blocks] == [1, 2, 3]


@settings(max_examples=60)
@given(st.text(st.sampled_from("ab。. \n\r\t石桥\u200b\u3000!"), max_size=40))
def test_that_blocks_and_sentences_are_within_the_text(load, text):
    try:
        document = load(text.encode("utf-8"))
    except EmptyFileError:
        assert not text.strip("\r\n")
        return
    assert document.text == text
    spans = [block.span for block in document.blocks]
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    kept = "".join(span.of(text) for span in spans)
    assert [c for c in kept if c not in "\r\n"] == [c for c in text if c not in "\r\n"]
    for start, end in prepare(document).sentence_spans.tolist():
        assert 0 <= start < end <= len(text)


def test_that_another_encoding_is_refused(load):
    with pytest.raises(DamagedFileError, match="it is not UTF-8 text"):
        load("家乡的石桥".encode("gb18030"))


@pytest.mark.parametrize("data", [b"", b"\r\n\n"])
def test_that_a_file_without_text_is_refused(load, data):
    with pytest.raises(EmptyFileError):
        load(data)


def test_that_a_missing_file_and_a_folder_are_refused(tmp_path):
    for place, message in ((tmp_path / "missing.txt", "cannot be opened"), (tmp_path, "is a folder")):
        with pytest.raises(FileNotReadableError, match=message):
            load_verbatim(place)
