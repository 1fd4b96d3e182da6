"""Rich Text files by Word, WPS and LibreOffice: structures besides plain paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.loading import load_document
from simcompare.loading.formats.rtf.rtf_state import CLOSE, OPEN, tokens
from simcompare.model.document import BlockKind
from simcompare.model.errors import DamagedFileError, EmptyFileError, NoTextError, OnlyMarginTextError

HEAD = (
    r"{\rtf1\ansi\ansicpg936\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman;}"
    r"{\f1\fnil\fcharset134{\*\panose 02010600030101010101}\'cb\'ce\'cc\'e5;}{\f2\fcharset136 MingLiU;}"
    r"{\f3\fcharset128 MS Mincho;}{\f4\fcharset2 Wingdings;}{\f5\fcharset204 Times Cyr;}"
    r"{\f6\fcharset129 Batang;}}{\colortbl;\red255\green255\blue255;\red0\green0\blue128;}"
    r"{\stylesheet{\s0\fs21 Normal;}{\s1\sbasedon0 heading 1;}{\s2\sbasedon1 Mine;}{\s3 Title;}"
    r"{\s4 toc 1;}{\s5\outlinelevel2 Outline;}{\*\cs10 Character;}{\s6 Quote;}}"
)


def gbk(text):
    """Return text as Word and WPS write it: escaped GBK bytes."""
    return "".join(rf"\'{byte:02x}" for byte in text.encode("gb18030"))


def load(tmp_path, body, *, head=HEAD, end="}"):
    path = tmp_path / "essay.rtf"
    data = head + body + end
    path.write_bytes(data if isinstance(data, bytes) else data.encode("latin-1"))
    return load_document(path)


def lines(tmp_path, body, **parts):
    return load(tmp_path, body, **parts).text.split("\n")


SAME = "河水清清的，春天来了。"
CASES = {
    "text behind a destination in the middle of a group": (
        r"\pard The river {\b sings \*\unknown all day} and \*\other more.\par It does.\par",
        ["The river sings all day and more.", "It does."],
    ),
    "text around a destination in the outermost group": (
        r"\pard The river sings \*\generator Msft; all day.\par It does.\par",
        ["The river sings Msft; all day.", "It does."],
    ),
    "text around a group and a known destination in the middle of a group": (
        r"\pard The {\i river {\*\unknown gone}sings \*\footnote all day} and more.\par",
        ["The river sings all day and more."],
    ),
    "a drop cap with the paragraph that it begins": (
        r"\pard\dropcapli3\dropcapt1 T\par\pard he river sings.\par\pard It does.\par",
        ["The river sings.", "It does."],
    ),
    "GBK, every byte escaped": (rf"\f1 {gbk(SAME)}\par", [SAME]),
    "GBK in a font that is called Western": (rf"\f0 {gbk('春天镕来了')}\par", ["春天镕来了"]),
    "an accent in a Western font of a Chinese file": (r"\f0 r\'e9sum\'e9 caf\'e9\par", ["résumé café"]),
    "Big5, Shift-JIS, Korean, Cyrillic": (
        r"{\f2 \'a4\'a4\'a4\'e5}{\f3 \'93\'fa\'96\'7b\'83\'5c}{\f6 \'c7\'d1}{\f5 \'c4\'e0}\par",
        ["中文日本ソ한Да"],
    ),
    "a second byte that is written as it is, or escaped as a sign": (
        r"\f3 \'83\\\'83A {\f2 \'a5\'5c\'b3\\}\par",
        ["ソア 功許"],
    ),
    "Unicode with what old programs are to show": (r"\uc1\u26149?\u22825 ?\u-244\'3f\par", ["春天，"]),
    "Unicode with two bytes to skip, or none": (
        r"\uc2\u26149\'b4\'ba\u22825ab{\uc0\u26469\u20102}c\par",
        ["春天来了c"],
    ),
    "surrogates in two words": (r"\uc0\u-10180\u-8446 x\par", ["\U0001f302x"]),
    "a group that ends what is skipped": (r"{\uc1\u26149}ab\par", ["春ab"]),
    "signs and breaks": (
        r"a\~b\_c\-d\tab e\line f\emdash g\ldblquote h\rdblquote \{\}\\\par",
        ["a b-cd e", "f—g“h”{}\\"],
    ),
    "an escaped line end as a paragraph's": ("one\\\ntwo\\par", ["one", "two"]),
    "line ends of the file itself, which are nothing": ("o\r\nne\r\n\\par two\\par", ["one", "two"]),
    "hidden text": (r"seen{\v unseen} too\v1 never\v0\par", ["seen too"]),
    "a deleted revision": (r"new{\deleted old}{\revised er}\par", ["newer"]),
    "a deleted paragraph mark": (r"one {\deleted\par}line\par", ["one line"]),
    "white text": (r"dark{\cf1 white} end\par", ["dark end"]),
    "white blanks and line ends": (r"Name{\cf1    }Class{\cf1\line}Next\par", ["Name Class", "Next"]),
    "white text on a dark ground": (r"{\cf1\highlight2 white}{\cf1\chcbpat2 too}\par", ["whitetoo"]),
    "white text in a shaded paragraph": (r"\pard\cbpat2{\cf1 white}\par", ["white"]),
    "tiny text": (r"read{\fs2 nobody}\fs4 able\par", ["readable"]),
    "sizes of Chinese and of other characters": (
        r"{\dbch\afs2\loch\fs24 a\uc0\u26149 b}{\rtlch\afs2\ltrch\fs24\uc0\u26149}\par",
        ["ab春"],
    ),
    "a field's result": (
        r'{\field{\*\fldinst {HYPERLINK "x" }}{\fldrslt {\ul link}}} on page '
        r"{\field\flddirty{\*\fldinst PAGE}{\fldrslt 3}}\par",
        ["link on page 3"],
    ),
    "a field in a field's command": (
        r"{\field{\*\fldinst IF {\field{\*\fldinst PAGE}{\fldrslt 1}} = 1}{\fldrslt yes}}\par",
        ["yes"],
    ),
    "a character in a circle": (
        r"a{\field{\*\fldinst eq \\o\\ac(O,b)}{\fldrslt }}c{\field{\*\fldinst eq \\o\\ac(O,d)}}\par",
        ["abcd"],
    ),
    "pictures, objects and unknown groups": (
        r"a{\pict\wmetafile8 0123abcd}{\*\later text}{\object{\*\objdata 00ff}{\result b}}"
        r"{\nonshppict x}c\par",
        ["abc"],
    ),
    "literal bytes": ("a{\\pict\\bin4 }{\\}}b\\par", ["ab"]),
    "Unicode beside its old copy": (r"a{\upr{b}{\*\ud{\u26149 ?}}}c\par", ["a春c"]),
    "an equation without its properties": (
        r"{\mmath{\*\moMath{\mf{\mfPr{\mtype bar}}{\mnum{\mr 1}}{\mden{\mr 2}}}}}{\mmathPict{\pict 00}}\par",
        ["12"],
    ),
    "the base of a reading that a command draws, its result empty as LibreOffice writes it": (
        r"\f1 a{\field{\*\fldinst { EQ \\* jc3 \\* Liberation \\* hps12 "
        r"\\o\\al(\\s\\up 10(zh\u275\'3fn),\u29645\'3f\u24796\'3f)}}{\fldrslt {}}}b\par",
        ["a珍惜b"],
    ),
    "what a command draws once, where its result says it": (
        r"a{\field{\*\fldinst EQ \\o\\ac(O,1)}{\fldrslt 1}}b\par",
        ["a1b"],
    ),
    "a symbol's font": (r"a{\f4 \'fc\u-3841 ?}b\par", ["ab"]),
    "words before a table of contents and after": (
        r'Before\par{\field{\*\fldinst TOC \\o "1-3"}{\fldrslt \s4 One\tab 1\par\s4 Two\tab 2}}\par'
        r"\pard After\par",
        ["Before", "After"],
    ),
    "a paragraph without its mark": (r"one\par two", ["one", "two"]),
    "a brace too many and text behind it": (r"one\par}}two\par", ["one", "two"]),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES.keys())
def test_that_rich_text_yields_its_visible_text(tmp_path, body, expected):
    assert lines(tmp_path, body) == expected


def test_that_raw_double_bytes_do_not_break_the_groups(tmp_path):
    text = "寋在亇誠"
    assert set(b"{}\\") & set(text.encode("gbk"))
    path = tmp_path / "raw.rtf"
    path.write_bytes(HEAD.encode() + rb"\f1 " + text.encode("gbk") + rb"\par}")
    assert load_document(path).text == text


def test_that_styles_determine_block_kinds(tmp_path):
    body = (
        r"\pard\s3 The title\par\pard\s1 Head\par\pard\s2 Below\par\pard\s5 Outline\par"
        r"\pard\outlinelevel0 Own\par"
        r"\pard\s6 Quoted\par\pard\ls1 Item\par\pard{\listtext\f0 1.\tab}Numbered\par"
        r"{\pntext\f4\'b7\tab}\pard Bullet\par\pard Text\par"
    )
    document = load(tmp_path, body)
    assert [(str(b.kind), b.span.of(document.text)) for b in document.blocks] == [
        ("title", "The title"),
        ("heading", "Head"),
        ("heading", "Below"),
        ("heading", "Outline"),
        ("heading", "Own"),
        ("quotation", "Quoted"),
        ("list_item", "Item"),
        ("list_item", "1. Numbered"),
        ("list_item", "Bullet"),
        ("paragraph", "Text"),
    ]
    assert document.title == "The title"


def test_that_a_centred_bold_first_line_is_the_title(tmp_path):
    document = load(tmp_path, rf"\pard\qc{{\b\f1 {gbk('河边')}\b0}}\par\pard\f1 {gbk(SAME)}\par")
    assert document.title == "河边"
    assert document.blocks[0].kind is BlockKind.TITLE


def test_that_the_title_property_is_used_only_if_the_text_contains_it(tmp_path):
    info = r"{\info{\title Second}{\author Nobody}}"
    assert load(tmp_path, info + r"First.\par Second\par Third.\par").title == "Second"
    assert load(tmp_path, info + r"First.\par Third.\par").title == "essay"


TABLES = {
    "a row of cells": (
        r"\trowd\cellx1\cellx2\pard\intbl a\cell b\cell\row\pard after\par",
        ["a\tb", "after"],
    ),
    "paragraphs in a cell": (r"\trowd\pard\intbl a\par b\cell c\line d\cell\row", ["a b\tc d"]),
    "a frame around text": (r"\trowd\cellx9\pard\intbl a\par b\cell\row\pard c\par", ["a", "b", "c"]),
    "a cell that only widens the one before": (
        r"\trowd\clmgf\cellx1\clmrg\cellx2\cellx3\pard\intbl a\cell\cell b\cell\row",
        ["a\tb"],
    ),
    "a table in a cell": (
        r"\trowd\cellx1\cellx2\pard\intbl a\par\pard\intbl\itap2 b\nestcell c\nestcell"
        r"{\*\nesttableprops\trowd\cellx1\cellx2\nestrow}{\nonesttables\par}\pard\intbl d\cell e\cell\row",
        ["a", "b\tc", "d", "e"],
    ),
    "a table in a frame": (
        r"\trowd\cellx1\pard\intbl a\par\pard\intbl\itap2 b\nestcell c\nestcell"
        r"{\*\nesttableprops\trowd\cellx1\cellx2\nestrow}\pard\intbl d\cell\row",
        ["a", "b\tc", "d"],
    ),
    "a table whose last row has no end": (
        r"\trowd\cellx1\cellx2\pard\intbl a\cell b\cell\pard c\par",
        ["a\tb", "c"],
    ),
    "white text in a dark cell and in a light one": (
        r"\trowd\clcbpat2\cellx1\cellx2\pard\intbl\cf1 a\cell b\cell\row\pard\cf0 c\par",
        ["a\t", "c"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), TABLES.values(), ids=TABLES.keys())
def test_that_tables_become_rows(tmp_path, body, expected):
    assert lines(tmp_path, body) == expected


def test_that_headers_footers_and_comments_are_counted(tmp_path):
    document = load(
        tmp_path,
        r"{\header\pard My class\par}{\footer\pard{\field{\*\fldinst PAGE}{\fldrslt 7}}\par}"
        r"Text{\footnote\pard{\chftn} a note\par}{\footnote\ftnalt an end note} goes on"
        r"{\*\atnid A}{\*\annotation well done}{\v secret}{\deleted gone}\par"
        r" More{\cf1 blank}{\fs1 dust}\par",
    )
    assert document.text.split("\n") == ["Text goes on", "More", "a note", "an end note"]
    assert [str(block.kind) for block in document.blocks[2:]] == ["footnote", "footnote"]
    dropped = {str(part.reason): (part.characters, part.excerpt) for part in document.receipt.dropped}
    assert dropped == {
        "hidden_text": (6, "secret"),
        "deleted_revision": (4, "gone"),
        "white_text": (5, "blank"),
        "tiny_text": (4, "dust"),
        "page_header": (7, "My class"),
        "page_footer": (1, "7"),
        "comment": (8, "well done"),
    }
    flags = {str(flag.name): [place.paragraph for place in flag.places] for flag in document.receipt.flags}
    assert flags["hidden_text"] == [1]
    assert flags["white_text"] == flags["tiny_text"] == [2]


def test_that_a_text_box_follows_its_paragraph_once(tmp_path):
    box = (
        r"{\shp{\*\shpinst{\sp{\sn fillColor}{\sv %s}}{\shptxt \pard boxed{\cf1  white}\par}}"
        r"{\shprslt{\*\do\dptxbx{\dptxbxtext\pard boxed white\par}}}}"
    )
    assert lines(tmp_path, "be" + box % "16777215" + r"fore\par after\par") == ["before", "boxed", "after"]
    assert lines(tmp_path, "be" + box % "128" + r"fore\par after\par") == ["before", "boxed white", "after"]
    old = r"a{\*\do\dobxpage{\dptxbx{\dptxbxtext\pard old box\par}}}b\par"
    assert lines(tmp_path, old) == ["ab", "old box"]


def test_that_white_text_on_a_coloured_page_is_visible(tmp_path):
    page = r"{\*\background{\shp{\*\shpinst{\sp{\sn fillColor}{\sv 8388608}}}}}"
    document = load(tmp_path, page + r"\cf1 white\par")
    assert document.text == "white"
    assert not document.receipt.doubtful


def test_that_undecodable_bytes_are_flagged(tmp_path):
    flags = load(tmp_path, r"\f1 good\'ff\'ff text for all to read\par").receipt.flags
    assert "undecodable_characters" in {flag.name for flag in flags}


@pytest.mark.parametrize(
    "cut", [r"{\b one\par {\i two", r"{" * 3000 + "}" * 3000], ids=["cut short", "too deep"]
)
def test_that_broken_groups_are_damage(tmp_path, cut):
    with pytest.raises(DamagedFileError, match="cut short"):
        load(tmp_path, r"text\par" + cut, end="")


def test_that_large_pictures_are_flagged(tmp_path):
    picture = r"{\*\shppict{\pict\picscalex%d\picwgoal8000\pichgoal8000\pngblip 00}}{\nonshppict{\pict 00}}"
    assert not load(tmp_path, "name" + picture % 10 + r"\par").receipt.doubtful
    flags = load(tmp_path, "name" + picture % 50 + r"\par").receipt.flags
    assert [(flag.count, flag.doubtful) for flag in flags if flag.name == "pictures"] == [(1, True)]
    with pytest.raises(NoTextError):
        load(tmp_path, picture % 100 + r"\par")


def test_that_a_file_without_text_is_empty(tmp_path):
    with pytest.raises(EmptyFileError):
        load(tmp_path, r"{\pict 00}\par")


def test_that_a_missing_last_brace_is_tolerated(tmp_path):
    assert lines(tmp_path, r"one\par two\par", end="") == ["one", "two"]


def test_that_a_byte_order_mark_before_the_first_brace_is_not_text(tmp_path):
    assert lines(tmp_path, r"one\par", head="\xef\xbb\xbf\r\n" + HEAD) == ["one"]


def test_that_the_suffix_is_ignored(tmp_path):
    path = tmp_path / "essay.doc"
    path.write_text(HEAD + r"plain\par}", encoding="ascii")
    document = load_document(path)
    assert document.text == "plain"
    assert document.receipt.format == "rtf"


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"]), max_size=60))
def test_that_bytes_round_trip_however_they_are_escaped(text):
    data = text.encode("gb18030")
    escaped = "".join(rf"\'{byte:02x}" for byte in data).encode()
    found = list(tokens(b"{" + escaped + b"}"))
    assert (found[0], found[-1]) == (OPEN, CLOSE)
    assert b"".join(found[1:-1]) == data


@given(st.binary(max_size=300))
def test_that_any_bytes_can_be_tokenised(data):
    for token in tokens(data):
        assert token


def test_that_an_essay_in_the_page_header_alone_raises_its_own_error(tmp_path):
    header = "The whole essay stands up here."
    with pytest.raises(OnlyMarginTextError) as caught:
        load(tmp_path, rf"{{\header {header}\par}}\par")
    assert all(part in str(caught.value) for part in ("essay.rtf", "page headers", "26 characters", header))


def test_that_a_page_number_alone_is_an_empty_file(tmp_path):
    with pytest.raises(EmptyFileError) as caught:
        load(tmp_path, r"{\footer Page 1\par}\par")
    assert type(caught.value) is EmptyFileError
