"""Text of Word 6 and 95 documents, with one or two bytes a character."""

import struct

import pytest

from simcompare.loading import load_document
from tests.helpers.doc_files import compound_file
from tests.loading.readings import lines


def _word_95(tmp_path, text, *, version=0x65, language=0x0804):
    encoded = text.encode("gb18030")
    head = bytearray(0x300)
    struct.pack_into("<6H", head, 0, 0xA5DC, version, 0, language, 0, 0)
    struct.pack_into("<I", head, 0x18, len(head))
    struct.pack_into("<i", head, 0x34, len(encoded))
    path = tmp_path / "old.doc"
    path.write_bytes(compound_file({"WordDocument": bytes(head) + encoded}))
    return path


def test_that_the_text_of_word_95_is_read_in_its_language(tmp_path):
    document = load_document(_word_95(tmp_path, "河水清清的。\r一格\x07两格\x07\x07春天 spring\r"))
    assert lines(document) == ["河水清清的。", "一格\t两格", "春天 spring"]


WIDE_TEXT = "河水清清的，流过村庄。\rAll the boats go down to the sea.\r"


def _wide_codes(text, encoding):
    """Return two bytes a character, as East Asian versions of Word 95 store them."""
    return b"".join(char.encode(encoding)[::-1].ljust(2, b"\0") for char in text)


def _wide_word_95(tmp_path, data, *, complex_pieces=(), language=0x0804):
    head = bytearray(0x300)
    flags = 0x1000 | (0x0004 if complex_pieces else 0)
    struct.pack_into("<6H", head, 0, 0xA5DC, 0x65, 0, language, 0, flags)
    struct.pack_into("<2I", head, 0x18, len(head), len(head) + len(data))
    struct.pack_into("<i", head, 0x34, len(data) // 2)
    positions = [0, *complex_pieces, len(data) // 2]
    table = struct.pack(f"<{len(positions)}I", *positions)
    table += b"".join(struct.pack("<HIH", 0, len(head) + 2 * start, 0) for start in positions[:-1])
    table = b"\2" + struct.pack("<I", len(table)) + table
    struct.pack_into("<2I", head, 0x160, len(head) + len(data), len(table))
    path = tmp_path / "wide.doc"
    path.write_bytes(compound_file({"WordDocument": bytes(head) + data + table}))
    return path


@pytest.mark.parametrize("pieces", [(), (5, 20)], ids=["simple", "in pieces"])
@pytest.mark.parametrize("encoding", ["gb18030", "utf-16-le"])
def test_that_word_95_with_two_bytes_a_character_is_read_whole(tmp_path, encoding, pieces):
    data = WIDE_TEXT.encode(encoding) if encoding.startswith("utf") else _wide_codes(WIDE_TEXT, encoding)
    document = load_document(_wide_word_95(tmp_path, data, complex_pieces=pieces))
    assert lines(document) == WIDE_TEXT.split("\r")[:-1]


def test_that_wide_codes_are_read_in_the_language_of_word_95(tmp_path):
    data = _wide_codes("河水清清的，流過村莊。\r", "cp950")
    document = load_document(_wide_word_95(tmp_path, data, language=0x0404))
    assert lines(document) == ["河水清清的，流過村莊。"]
