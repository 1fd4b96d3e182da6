"""Plain text and Markdown: encodings, paragraphs, titles."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.loading import load_document, sniff
from simcompare.loading.extraction import DroppedText, clean
from simcompare.loading.formats.plain.encodings import Decoded, decode
from simcompare.loading.formats.plain.markdown import read_markdown
from simcompare.model.document import BlockKind
from tests.benchmarks.encodings_grid import ENCODINGS, TEXTS, UNICODE, windows
from tests.helpers import essay_files as files

TRADITIONAL = "我們的老師說，寫作最要緊的是說真話。這條河的水很清，大家都喜歡在這裡看書。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_that_a_chinese_text_is_decoded_whatever_its_encoding(tmp_path, encoding):
    title, paragraphs = files.ESSAYS["zh"]
    path = files.write_text(tmp_path / "essay.txt", title, paragraphs, encoding=encoding)
    assert load_document(path).text.split("\n") == [title, *paragraphs]


@pytest.mark.parametrize("encoding", ["big5", "big5hkscs", "utf-16-le", "utf-8"])
def test_that_traditional_text_is_distinguished_from_simplified(encoding):
    assert decode(TRADITIONAL.encode(encoding)).text == TRADITIONAL


def test_that_twenty_characters_are_enough():
    text = "我家门前有一条小河，河水清清的，一年四季"
    assert decode(text.encode("gb18030")).text == text


@pytest.mark.parametrize(
    ("language", "encoding"),
    [(language, encoding) for language in TEXTS for encoding in (*UNICODE, *ENCODINGS[language])],
)
def test_that_two_hundred_characters_round_trip_in_every_usual_encoding(language, encoding):
    text = windows(TEXTS[language], encoding, 200, 10)[0]
    decoded = decode(text.encode(encoding))
    # an uncertain encoding must at least be flagged
    assert decoded.text.lstrip("\ufeff") == text or not decoded.sure


def test_that_a_guessed_encoding_is_flagged(tmp_path):
    path = tmp_path / "name.txt"
    path.write_bytes("Łódź".encode("mac_latin2"))
    (flag,) = load_document(path).receipt.flags
    assert (flag.name, flag.doubtful) == ("guessed_encoding", True)


def test_that_an_english_text_with_a_few_accents_is_not_a_guess():
    text = "Naïve “quotes” – and café are here, in English prose which has few such letters."
    assert decode(text.encode("cp1252")) == Decoded(text, "cp1252")


def test_that_utf_16_without_a_byte_order_mark_is_distinguished_from_binary_data():
    text = "Перед нашим домом течёт маленькая река."
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        assert sniff(text.encode(encoding)) == "text"
    assert sniff(random.Random(1).randbytes(4000)) == "unknown"
    assert sniff(bytes(range(256)) * 20) == "unknown"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_that_utf8_round_trips(text):
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


def test_that_markdown_marks_determine_block_kinds(tmp_path):
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


def markdown(tmp_path, text, name="notes.md"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load_document(path)


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("Some **strong**, *soft* and ***both*** words", "Some strong, soft and both words"),
        ("a_name_with_lines and __bold__ _soft_", "a_name_with_lines and bold soft"),
        ("~~gone~~ 3 * 4 = 12 and 2 ** 8", "gone 3 * 4 = 12 and 2 ** 8"),
        ("a [link](https://x.org/a_(b) 'T') ![picture](a.png) here", "a link here"),
        ("`code *as it is*` and \\*stars\\*", "code *as it is* and *stars*"),
        ("<b>bold</b> &amp; AT&T <https://x.org/_a_>", "bold & AT&T https://x.org/_a_"),
        ("他说**很好**，又说_不_。", "他说很好，又说_不_。"),
        ("A note[^1] here", "A note here"),
        ("他说**“很好”**了，**《春》**是好书。", "他说“很好”了，《春》是好书。"),
        ("a ==marked== word, \\==kept== and [![picture](y.png)](z) gone", "a marked word, ==kept== and gone"),
    ],
)
def test_that_inline_marks_are_removed(tmp_path, line, seen):
    assert markdown(tmp_path, line).text == seen


def test_that_the_blocks_of_markdown_are_those_of_the_rendered_page(tmp_path):
    document = markdown(
        tmp_path,
        "---\ntitle: On Rivers\n---\nHead\n====\nfirst line\nsecond line\n\n中文一行\n接着写。\n新的一行\n\n"
        "- [x] item\n  more of it\n1. step\n\n> said\n> she\n\n| a | b |\n|---|:-:|\n| 1 | **2** |\n\n"
        "```c\n# no *heading*\n```\n***\n[^n]: The note.\n[x]: https://x.org\n<!-- unseen -->",
    )
    assert document.title == "On Rivers"
    assert [(block.kind.value, block.span.of(document.text)) for block in document.blocks] == [
        ("heading", "Head"),
        ("paragraph", "first line second line"),
        ("paragraph", "中文一行接着写。"),
        ("paragraph", "新的一行"),
        ("list_item", "item more of it"),
        ("list_item", "1. step"),
        ("quotation", "said she"),
        ("table_row", "a\tb"),
        ("table_row", "1\t2"),
        ("paragraph", "# no *heading*"),
        ("footnote", "The note."),
    ]
    assert [(d.reason, d.excerpt) for d in document.receipt.dropped] == [
        ("front_matter", "title: On Rivers"),
        ("comment", "unseen"),
    ]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("> [!note] The title\n> Some words.", ["The title", "Some words."]),
        ("> [!WARNING]-\n> Some words.", ["Some words."]),
        ("> [!quote|left]+ 题目\n>\n> > [!tip] 内\n> > 字", ["题目", "内", "字"]),
        (":::info\nSome words.\n:::\n::: tip Title\nMore.\n:::", ["Some words.", "Title", "More."]),
        ("See [[Page|the page]] and [[Other]], [[Page#Part]], [[#Part]], [[a#^b1]].", [
            "See the page and Other, Page > Part, Part, a."
        ]),
        ("|a|\n|---|\n|[[Page\\|label]]|", ["a", "label"]),
        ("An ![[picture.png|300]]embed, ![[note#Part]].", ["An embed, ."]),
        ("A %%remark%%word.\n\n%%\nlong\n\nremark\n%%\n\nEnd at 50%%.", ["A word.", "End at 50%%."]),
        ("A ==marked **bold**== word, ==n=b==, if a == b.", ["A marked bold word, n=b, if a == b."]),
        ("Some words. ^a1b2c3\n\nx ^2", ["Some words.", "x ^2"]),
        ("A #tag and #[[long tag]].", ["A #tag and #long tag."]),
        ("- [ ] one\n- [-] two\n1. [x] three\n- [1] four", ["one", "two", "1. three", "[1] four"]),
        ("Let $a_1*b*c=\\frac{1}{2}$ be, it cost $5 or $6.", [
            "Let a_1*b*c=\\frac{1}{2} be, it cost $5 or $6."
        ]),
        ("设$n=b$为船数。\n\n$$\nx^2=[y]\n$$", ["设n=b为船数。", "x^2=[y]"]),
        ("A note^[at the foot] here.", ["A note here.", "at the foot"]),
        ("H~2~O, x^2^, 3~5天，7~9天, ^o^ ^o^", ["H2O, x2, 3~5天，7~9天, ^o^ ^o^"]),
        ("id:: 64a-1\n- Some words.\n  collapsed:: true\n- {{embed [[x]]}}More.", ["Some words.", "More."]),
        ("[TOC]\n\n[[_toc_]]\n\nSome words.", ["Some words."]),
        ("<a name='x1'></a>\n## Head\n- Some <font color=red>words</font>.<br />", ["Head", "Some words."]),
        ("<p align=center>Logo</p>\n\n# Head\n\nSome **words**.", ["Logo", "Head", "Some words."]),
        ("`[[a]] %%b%% ==c==` ``$d$``\n\n~~~\n%% [[e]] ==f==\n~~~", [
            "[[a]] %%b%% ==c== $d$", "%% [[e]] ==f=="
        ]),
        ("\\[[a]] and \\$b$ and \\%%c%%", ["[[a]] and $b$ and %%c%%"]),
    ],
)  # fmt: skip
def test_that_the_markup_of_note_programs_is_read_as_displayed(tmp_path, text, seen):
    assert markdown(tmp_path, text).text.split("\n") == seen


def test_that_what_note_programs_do_not_display_is_counted(tmp_path):
    text = "A %%first%% word. ^b1\n\n%%\nsecond\n%%\n\n![[picture.png]] id\n\nid:: 64a"
    document = markdown(tmp_path, text)
    assert document.text.split("\n") == ["A word.", "id"]
    assert [(d.reason, d.characters, d.excerpt) for d in document.receipt.dropped] == [
        ("comment", 11, "first second"),
        ("navigation", 19, "^b1 ![[picture.png]]"),
        ("front_matter", 7, "id:: 64a"),
    ]


def test_that_own_words_below_a_quotation_are_not_quoted(tmp_path):
    document = markdown(tmp_path, "> 引文一句。\n我的话。\n\n- 甲\n- 乙\n\n  乙的第二段", name="quoted.md")
    assert [(block.kind.value, block.span.of(document.text)) for block in document.blocks] == [
        ("quotation", "引文一句。"),
        ("paragraph", "我的话。"),
        ("list_item", "甲"),
        ("list_item", "乙"),
        ("paragraph", "乙的第二段"),
    ]


@pytest.mark.parametrize("opening", [">", "- ", "1. "])
def test_that_no_text_is_lost_in_markdown_nested_too_deeply(opening):
    for levels in (5, 10, 40, 1000):
        pieces, _title = read_markdown(opening * levels + "深", DroppedText())
        assert "深" in pieces[-1].text


def test_that_a_plain_text_keeps_its_stars_and_lines(tmp_path):
    text = "We counted *every* bird.\na_b and 2*3*4 = 24\n| no table |"
    assert markdown(tmp_path, text, name="essay.txt").text == text


def test_that_markdown_is_detected_by_clear_marks(tmp_path):
    text = "# On Rivers\n\nSome **strong** words.\n\n## More\n\nAnd a [link](https://x.org)."
    assert markdown(tmp_path, text, name="essay.txt").text.split("\n") == [
        *("On Rivers", "Some strong words."),
        *("More", "And a link."),
    ]


@given(st.text(alphabet="*_`[]()<>!#|-=~>\\ a1中\n", max_size=300))
def test_that_any_markdown_is_read(text):
    pieces, _title = read_markdown(text, DroppedText())
    assert all("\x1e" not in piece.text for piece in pieces)


def test_that_an_endless_word_does_not_slow_the_reader(tmp_path):
    path = tmp_path / "endless.txt"
    path.write_bytes(b"a" * 1_000_000 + b"\n\xf0ar\n")
    flags = load_document(path).receipt.flags
    assert [flag.excerpt[-1:] for flag in flags if flag.name == "guessed_encoding"] == ["r"]
