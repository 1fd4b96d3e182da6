"""Plain text and Markdown: encodings, paragraphs, titles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.document import BlockKind
from simcompare.loading import load_document
from simcompare.loading.encodings import decode
from simcompare.loading.extraction import clean
from tests.helpers import essay_files as files

TRADITIONAL = "我們的老師說，寫作最要緊的是說真話。這條河的水很清，大家都喜歡在這裡看書。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_that_a_chinese_text_is_decoded_whatever_its_encoding(tmp_path, encoding):
    title, paragraphs = files.ESSAYS["zh"]
    path = files.write_text(tmp_path / "essay.txt", title, paragraphs, encoding=encoding)
    assert load_document(path).text.split("\n") == [title, *paragraphs]


@pytest.mark.parametrize("encoding", ["big5", "big5hkscs", "utf-16-le", "utf-8"])
def test_that_traditional_text_is_told_from_simplified(encoding):
    assert decode(TRADITIONAL.encode(encoding)).text == TRADITIONAL


def test_that_twenty_characters_are_enough():
    text = "我家门前有一条小河，河水清清的，一年四季"
    assert decode(text.encode("gb18030")).text == text


def test_that_western_letters_in_single_bytes_are_read():
    text = "Le cœur a ses raisons que la raison ne connaît point. Voilà l’été à la fenêtre."
    assert decode(text.encode("cp1252")).text == text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_that_utf8_always_comes_back(text):
    data = text.encode()
    if b"\0" not in data and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        assert decode(data).text == text


@given(st.binary(max_size=300))
def test_that_any_bytes_become_text(data):
    assert isinstance(decode(data).text, str)


@given(st.text())
def test_that_a_cleaned_text_is_one_line_and_stays_so(text):
    cleaned = clean(text)
    assert cleaned.splitlines() in ([], [cleaned])
    assert clean(cleaned) == cleaned


def test_that_wrapped_text_becomes_paragraphs(tmp_path):
    wrapped = (
        "The Village\n\n"
        "There is a small river in front of our house and its water sings all\n"
        "the year round, in spring as in winter, whoever may listen to it or\n"
        "not at all.\n\n"
        "When our teacher asked for an essay, thirty-two of us wrote about the\n"
        "same river, and she wondered at it for a long time before she spoke.\n"
    )
    path = tmp_path / "wrapped.txt"
    path.write_text(wrapped, encoding="utf-8")
    document = load_document(path)
    assert len(document.blocks) == 3
    assert document.text.endswith("the same river, and she wondered at it for a long time before she spoke.")


def test_that_markdown_marks_say_what_a_line_is(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text("# On Rivers\n\nSome words.\n\n- one\n- two\n\n> said she\n", encoding="utf-8")
    document = load_document(path)
    assert document.title == "On Rivers"
    assert [block.kind for block in document.blocks] == [
        BlockKind.TITLE,
        BlockKind.PARAGRAPH,
        BlockKind.LIST_ITEM,
        BlockKind.LIST_ITEM,
        BlockKind.QUOTATION,
    ]
    assert document.text.split("\n") == ["On Rivers", "Some words.", "one", "two", "said she"]
