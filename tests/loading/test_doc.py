"""Word 97-2003 files: structures besides plain paragraphs, and visibility."""

import hashlib
import io
import struct

import pytest
from msoffcrypto.method.rc4 import DocumentRC4

from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.document import BlockKind
from simcompare.model.errors import (
    DamagedFileError,
    FileTooLargeError,
    NoTextError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from tests.helpers.doc_files import DocFile, Style, sprm
from tests.loading.readings import lines

DELETED, HIDDEN, BOLD, SIZE = 0x0800, 0x083C, 0x0835, 0x4A43
COLOUR_INDEX, COLOUR, HIGHLIGHT, SHADING = 0x2A42, 0x6870, 0x2A0C, 0xCA71
CENTRED = sprm(0x2403, 1)
WHITE = sprm(COLOUR, 0x00FFFFFF)
DARK_SHADING = struct.pack("<IIH", 0xFF000000, 0x00800000, 0)
NO_SHADING = struct.pack("<IIH", 0xFF000000, 0xFF000000, 0)


@pytest.fixture
def load(tmp_path):
    return lambda document: load_document(document.write(tmp_path / "essay.doc"))


CASES = {
    "Chinese, and signs beyond the first plane": (
        DocFile().paragraph("春天来了，𠮷野家。").paragraph("\U0001f302"),
        ["春天来了，𠮷野家。", "\U0001f302"],
    ),
    "one byte a character": (DocFile(compressed=True).paragraph("café “x”"), ["café “x”"]),
    "streams whose names are in lower case": (
        DocFile(stream_names={"WordDocument": "worddocument", "1Table": "1table"}).paragraph("text"),
        ["text"],
    ),
    "breaks, tabs and hyphens": (
        DocFile().paragraph("a\x0bb\tc\x1ed\x1fe\x0cf"),
        ["a", "b c-de", "f"],
    ),
    "hidden and deleted text": (
        DocFile().run("seen ").run("unseen", sprm(HIDDEN, 1)).run("old", sprm(DELETED, 1)).run("too").end(),
        ["seen too"],
    ),
    "a drop cap with the paragraph that it begins": (
        DocFile().paragraph("T", sprm(0x442C, 0x19)).paragraph("he river sings.").paragraph("It does."),
        ["The river sings.", "It does."],
    ),
    "a deleted paragraph mark": (
        DocFile().run("one ").end(look=sprm(DELETED, 1)).paragraph("line"),
        ["one line"],
    ),
    "white text by its colour, by its number, and near white": (
        DocFile()
        .run("a").run("b", WHITE).run("c", sprm(COLOUR_INDEX, 8)).run("d", sprm(COLOUR, 0xFEFEFE)).run("e")
        .end(),
        ["ae"],
    ),
    "white text on a dark ground": (
        DocFile()
        .run("a", WHITE, sprm(HIGHLIGHT, 2)).run("b", WHITE, sprm(SHADING, DARK_SHADING)).run("c").end(),
        ["abc"],
    ),
    "white text in a shaded paragraph": (
        DocFile().run("a", WHITE).end(sprm(0xC64D, DARK_SHADING)),
        ["a"],
    ),
    "tiny text": (DocFile().run("a").run("b", sprm(SIZE, 2)).run("c", sprm(SIZE, 4)).end(), ["ac"]),
    "a field's result": (
        DocFile().paragraph('\x13 HYPERLINK "x" \x14link\x15 on \x13 PAGE \x15.'),
        ["link on ."],
    ),
    "a field in a field's command": (DocFile().paragraph("\x13 IF \x13PAGE\x141\x15=1 \x14yes\x15"), ["yes"]),
    "the base of a reading whose result is empty, or counted": (
        DocFile().paragraph("a\x13 EQ \\o\\ad(\\s\\up 9(ma),妈)\x14\x15b\x13 EQ \\o\\ac(○,五)\x14五\x15c"),
        ["a妈b五c"],
    ),
    "a field that never ends": (DocFile().paragraph("a\x13 b").paragraph("c"), ["a b", "c"]),
    "a command of two paragraphs": (DocFile().paragraph("a\x13 IF b").paragraph("c\x14d\x15e"), ["ade"]),
    "a character in a circle": (DocFile().paragraph("第\x13 eq \\o\\ac(○,五)\x15题"), ["第五题"]),
    "a sign of a symbol font": (
        DocFile().run("a").run("(", sprm(0x6A09, 0xF0FC0003)).run("(", sprm(0x6A09, 0x00B10003)).end(),
        ["a±"],
    ),
    "a row of cells": (DocFile().row("a", "b").row("c", "").paragraph("d"), ["a\tb", "c\t", "d"]),
    "a frame around text": (
        DocFile().run("a").end(sprm(0x2416, 1)).row("b").paragraph("c"),
        ["a", "b", "c"],
    ),
    "cells of which nothing is said": (
        DocFile().end(mark="a\x07").end(mark="b\x07").end(mark="\x07").paragraph("c"),
        ["a\tb", "c"],
    ),
    "white text in a dark cell and in a light one": (
        DocFile()
        .run("a", WHITE).end(sprm(0x2416, 1), mark="\x07").run("b", WHITE).end(sprm(0x2416, 1), mark="\x07")
        .row("c", shading=sprm(0xD612, DARK_SHADING + NO_SHADING + NO_SHADING)),
        ["a\t\tc"],
    ),
    "a table in a cell, which lays out a page": (
        DocFile()
        .run("a").end(sprm(0x2416, 1))
        .run("b").end(sprm(0x2416, 1), sprm(0x6649, 2), sprm(0x244B, 1))
        .run("c").end(sprm(0x2416, 1), sprm(0x6649, 2), sprm(0x244B, 1))
        .end(sprm(0x2416, 1), sprm(0x6649, 2), sprm(0x244C, 1))
        .row("d", "e"),
        ["a", "b\tc", "d", "e"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("document", "expected"), CASES.values(), ids=CASES.keys())
def test_that_a_word_97_file_yields_its_visible_text(load, document, expected):
    assert lines(load(document)) == expected


def test_that_styles_determine_block_kinds(load):
    styles = (
        Style(0, "Normal"),
        Style(1, "heading 1", 0),
        Style(62, "Title", 0),
        Style(0xFFE, "标题 2,Mine", 0),
        Style(0xFFE, "Below", 1),
        Style(180, "Quote", 0),
        Style(0xFFE, "Unseen", 0, character=sprm(HIDDEN, 1)),
        Style(0xFFE, "Itself", 7),
        Style(19, "toc 1", 0),
    )
    document = DocFile(styles).paragraph("Title", style=2).paragraph("Head", style=1).paragraph("二", style=3)
    document.paragraph("Below", style=4).paragraph("Said", style=5).paragraph("Never", style=6)
    document.run("Seen ", sprm(HIDDEN, 0)).run("not", sprm(HIDDEN, 0x80)).run("all", sprm(HIDDEN, 0x81))
    document.end(style=6).paragraph("Own", style=7).paragraph("Level", sprm(0x2640, 0))
    document.paragraph("Contents 1", style=8).paragraph("Item", sprm(0x460B, 1)).paragraph("Lost", style=99)
    loaded = load(document)
    assert [(str(block.kind), block.span.of(loaded.text)) for block in loaded.blocks] == [
        ("title", "Title"),
        ("heading", "Head"),
        ("heading", "二"),
        ("heading", "Below"),
        ("quotation", "Said"),
        ("paragraph", "Seen all"),
        ("paragraph", "Own"),
        ("heading", "Level"),
        ("list_item", "Item"),
        ("paragraph", "Lost"),
    ]
    assert loaded.title == "Title"
    dropped = {str(part.reason): part.characters for part in loaded.receipt.dropped}
    assert dropped == {"hidden_text": len("Nevernot"), "table_of_contents": len("Contents1")}


def test_that_a_centred_bold_first_line_is_the_title(load):
    document = load(DocFile().run("河边", sprm(BOLD, 1)).end(CENTRED).paragraph("河水清清的。"))
    assert document.title == "河边"
    assert document.blocks[0].kind is BlockKind.TITLE


def _summary(*, count=2, kind=30):
    title = "河边".encode("gb18030") + b"\0"
    values = struct.pack("<2I", 2, 936) + struct.pack("<2I", kind, len(title)) + title
    return bytes(44) + struct.pack("<7I", 48, len(values), count, 1, 24, 2, 32) + values


def test_that_the_title_property_is_used_only_if_the_text_contains_it(load):
    assert (
        load(DocFile(summary=_summary()).paragraph("我。").paragraph("河边").paragraph("他。")).title
        == "河边"
    )
    assert load(DocFile(summary=_summary()).paragraph("我。").paragraph("他。")).title == "essay"


@pytest.mark.parametrize("summary", [_summary(count=2**31), _summary(kind=0x101E), b"short"])
def test_that_broken_properties_do_not_affect_the_text(load, summary):
    assert load(DocFile(summary=summary).paragraph("我。").paragraph("河边")).text == "我。\n河边"


@pytest.mark.parametrize("form", [35, 37, 39])
def test_that_lists_have_their_numbers(load, form):
    level = struct.pack("<iBB9sB8s4B", 1, form, 0, bytes(9), 2, bytes(8), 0, 0, 0, 0)
    text = "第\0章 "
    lists = struct.pack("<H2i18s2B", 1, 77, 0, bytes(18), 1, 0)
    lists += level + struct.pack("<H", len(text)) + text.encode("utf-16-le")
    instances = struct.pack("<Ii8s4BI", 1, 77, bytes(8), 0, 0, 0, 0, 0xFFFFFFFF)
    document = DocFile(structures={"lists": lists, "list_instances": instances})
    document.paragraph("河", sprm(0x460B, 1)).paragraph("text").paragraph("桥", sprm(0x460B, 1))
    assert lines(load(document)) == ["第一章 河", "text", "第二章 桥"]


def test_that_headers_footers_and_comments_are_counted(load):
    document = DocFile().run("Text\x02 goes on").run("secret", sprm(HIDDEN, 1)).end()
    document.run("More").run("blank", WHITE).run("dust", sprm(SIZE, 1)).end()
    document.part = "footnotes"
    document.paragraph("\x02 a note")
    document.part = "headers"
    for text in ("", "", "", "", "", "", "", "My class", "", "7"):
        document.run(text).end()
    stories = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 19, 20, 21]
    document.structures["headers"] = struct.pack(f"<{len(stories)}I", *stories)
    document.part = "comments"
    document.paragraph("\x05well done")
    document.part = "endnotes"
    document.paragraph("\x02 an end note")
    loaded = load(document)
    assert lines(loaded) == ["Text goes on", "More", "a note", "an end note"]
    assert [str(block.kind) for block in loaded.blocks[2:]] == ["footnote", "footnote"]
    dropped = {str(part.reason): (part.characters, part.excerpt) for part in loaded.receipt.dropped}
    assert dropped == {
        "hidden_text": (6, "secret"),
        "white_text": (5, "blank"),
        "tiny_text": (4, "dust"),
        "page_header": (7, "My class"),
        "page_footer": (1, "7"),
        "comment": (8, "well done"),
    }
    places = {str(flag.name): [place.paragraph for place in flag.places] for flag in loaded.receipt.flags}
    assert (places["hidden_text"], places["white_text"], places["tiny_text"]) == ([1], [2], [2])


def _record(kind, content, *, instance=0, container=False):
    return struct.pack("<2HI", instance << 4 | (15 if container else 2), kind, len(content)) + content


def _shape(number, *, colour=None, flags=0xA00, options=None):
    drawing_options = (options or {}) | ({} if colour is None else {0x0181: colour})
    options = b"".join(struct.pack("<HI", *item) for item in drawing_options.items())
    head = _record(0xF00A, struct.pack("<2I", number, flags))
    return _record(0xF004, head + _record(0xF00B, options, instance=len(options) // 6), container=True)


def _with_box(colour):
    """Return a document with a text box in a group, a part of it in white."""
    group = _record(0xF003, _shape(1) + _shape(2, colour=colour), container=True)
    root = _record(0xF003, _shape(9) + group, container=True)
    drawing = b"\0" + _record(0xF002, root, container=True)
    document = DocFile()
    document.structures["drawings"] = _record(0xF000, b"", container=True) + drawing
    document.structures["shapes"] = struct.pack("<2II22s", 2, 20, 1, bytes(22))
    document.structures["boxes"] = struct.pack("<3I14sI26s", 0, 12, 13, b"", 2, b"")
    document.run("be\x08fore").end().paragraph("after")
    document.part = "boxes"
    return document.run("boxed").run(" white", WHITE).end().end()


def test_that_a_text_box_follows_its_paragraph(load):
    assert lines(load(_with_box(0xFFFFFF))) == ["before", "boxed", "after"]


def test_that_white_text_in_a_coloured_box_is_visible(load):
    document = load(_with_box(0x800000))
    assert lines(document) == ["before", "boxed white", "after"]
    assert document.receipt.dropped == ()


def test_that_white_text_on_a_coloured_page_is_visible(load):
    page = b"\0" + _record(0xF002, _shape(1, colour=0x800000, flags=0xC00), container=True)
    document = DocFile(structures={"drawings": _record(0xF000, b"", container=True) + page})
    assert load(document.run("white", WHITE).end()).text == "white"


def _with_pictures(width, *, floating=False):
    """Return a document with a name and two pictures."""
    if floating:
        shape = b"\0" + _record(0xF002, _shape(1, options={0x4104: 1}), container=True)
        anchors = struct.pack("<3I", 0, 1, 2) + struct.pack("<I4i6x", 1, 0, 0, width, 5000) * 2
        structures = {"drawings": _record(0xF000, b"", container=True) + shape, "shapes": anchors}
        return DocFile(structures=structures).paragraph("\x08\x08name")
    data = struct.pack("<IH22x2h2H", 36, 36, width, 5000, 1000, 1000)
    pictures = DocFile(data=data).run("\x01", sprm(0x6A03, 0)).run("\x01", sprm(0x6A03, 0))
    return pictures.paragraph("name")


@pytest.mark.parametrize("floating", [False, True])
def test_that_pictures_beside_hardly_any_text_are_flagged(load, floating):
    assert not load(_with_pictures(1000, floating=floating)).receipt.doubtful
    receipt = load(_with_pictures(5000, floating=floating)).receipt
    assert [flag.count for flag in receipt.flags if flag.name == "pictures"] == [2]
    assert receipt.doubtful


def test_that_a_file_of_pictures_alone_raises_the_no_text_error(load):
    data = struct.pack("<IH22x2h2H", 36, 36, 4000, 4000, 1000, 1000)
    with pytest.raises(NoTextError, match="consists of images"):
        load(DocFile(data=data).run("\x01", sprm(0x6A03, 0)).end())


def test_that_a_locked_file_asks_for_its_password(tmp_path):
    path = DocFile(flags=0x0300).paragraph("text").write(tmp_path / "locked.doc")
    with pytest.raises(PasswordNeededError, match=r"locked\.doc"):
        load_document(path)


@pytest.fixture
def locked_file(tmp_path):
    """Encrypt the streams as Word 97 does, with the password 秘密1."""
    salt, verifier = bytes(range(16)), bytes(range(100, 116))

    def lock(stream):
        return DocumentRC4.decrypt("秘密1", salt, io.BytesIO(stream)).read()

    both = lock(verifier + hashlib.md5(verifier).digest())
    document = DocFile(flags=0x0300, table_head=struct.pack("<2H", 1, 1) + salt + both, lock=lock)
    document.paragraph("河水清清的。").row("春", "夏")
    return document.write(tmp_path / "locked.doc")


def test_that_the_password_opens_a_word_97_file(locked_file):
    document = load_document(locked_file, ReadingOptions(password="秘密1"))
    assert lines(document) == ["河水清清的。", "春\t夏"]


def test_that_a_wrong_password_raises_its_own_error(locked_file):
    with pytest.raises(WrongPasswordError, match=r"locked\.doc"):
        load_document(locked_file, ReadingOptions(password="guess"))


def test_that_an_unknown_encryption_is_unsupported(tmp_path):
    path = DocFile(flags=0x8300).paragraph("text").write(tmp_path / "locked.doc")
    with pytest.raises(UnsupportedFormatError, match="encryption"):
        load_document(path, ReadingOptions(password="x"))


@pytest.mark.parametrize("in_pieces", [5000, 10])
def test_that_text_beyond_the_end_of_the_file_is_damage(tmp_path, in_pieces):
    document = DocFile()
    document.counts["body"] = 5000
    pieces = struct.pack("<2I", 0, in_pieces) + struct.pack("<HIH", 0, 0x800, 0)
    document.structures["pieces"] = b"\2" + struct.pack("<I", len(pieces)) + pieces
    with pytest.raises(DamagedFileError, match="cut short"):
        load_document(document.write(tmp_path / "cut.doc"))


@pytest.mark.parametrize("entry", [0, 1], ids=["root", "stream"])
def test_that_a_stream_larger_than_its_file_is_damage(tmp_path, entry):
    path = DocFile().paragraph("text").write(tmp_path / "circles.doc")
    data = bytearray(path.read_bytes())
    directory = data.index("Root Entry".encode("utf-16-le"))
    struct.pack_into("<I", data, directory + 128 * entry + 120, 0x7FFFFFFF)
    path.write_bytes(data)
    with pytest.raises(DamagedFileError, match="cut short or broken"):
        load_document(path)


def test_that_a_folder_with_the_name_of_the_text_is_damage(tmp_path):
    path = DocFile().paragraph("text").write(tmp_path / "folder.doc")
    data = bytearray(path.read_bytes())
    directory = data.index("Root Entry".encode("utf-16-le"))
    data[directory + 128 + 66] = 1
    path.write_bytes(data)
    with pytest.raises(DamagedFileError, match="the text is missing"):
        load_document(path)


def test_that_a_small_file_that_declares_much_text_is_refused(tmp_path):
    count = 2000
    positions = [n * 60_000 for n in range(count + 1)]
    pieces = struct.pack(f"<{count + 1}I", *positions) + struct.pack("<HIH", 0, 0x40001000, 0) * count
    document = DocFile(structures={"pieces": b"\2" + struct.pack("<I", len(pieces)) + pieces})
    document.paragraph("x" * 70_000)
    with pytest.raises(FileTooLargeError, match=r"bomb\.doc"):
        load_document(document.write(tmp_path / "bomb.doc"))
