"""Invisible and look-alike characters are counted and located; ordinary writing is not flagged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.loading import load_document
from simcompare.loading.inspection import disguises, inspect, mostly_dropped
from simcompare.model.document import Anchor, BlockKind, Dropped, DropReason, FlagName, Place
from tests.helpers import essay_files as files

RIVER = "我家门前有一条小河，河水清清的，一年四季都在唱歌。"


def flags_of(*paragraphs, size_bytes=1000, pages=None):
    placed = [(BlockKind.PARAGRAPH, text, Anchor(n)) for n, text in enumerate(paragraphs, start=1)]
    return {flag.name: flag for flag in inspect(placed, size_bytes=size_bytes, pages=pages)}


def between(text, mark):
    return mark.join(text)


@pytest.mark.parametrize("paragraphs", [
    files.CHINESE_PARAGRAPHS,
    files.ENGLISH_PARAGRAPHS,
    ["می\u200cخواهم کتاب\u200cها را بخوانم و نمی\u200cدانم چه می\u200cشود."],
    ["\u200fقال المعلم (Lesson 1)\u200e للطلاب: اقرأوا."],
    ["क्\u200dष और र्\u200dय, क्\u200cष भी।"],
    ["ภาษา\u200bไทย\u200bไม่\u200bมี\u200bช่องว่าง"],
    ["ភាសា\u200bខ្មែរ\u200bគ្មាន\u200bដកឃ្លា"],
    ["👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 ☺\ufe0e 👍🏽"],
    ["🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f won."],
    ["Donau\u00addampf\u00adschiff\u00adfahrt and hyphen\u00adation, вело\u00adси\u00adпед."],
    ["葛\U000e0100飾区の辻\U000e0100さん"],
    ["λmax, μm, ΔT, cosα, sinαcosβ, 3 Ω, σx, Δx, πr², β-carotene, Яndex, ＡＢＣ１２３"],
    ["В лесу родилась ёлочка, USB-кабель и SMS-сообщение."],
])  # fmt: skip
def test_that_ordinary_writing_is_not_flagged(paragraphs):
    assert flags_of(*paragraphs) == {}


@pytest.mark.parametrize(
    "mark", list("\u200b\u200c\u200d\u2060\u00ad\ufeff\u202e\u2063\u3164\ufe0f\U000e0041")
)
def test_that_characters_slipped_between_chinese_ones_are_doubtful(mark):
    flag = flags_of(RIVER, between(RIVER, mark))[FlagName.ZERO_WIDTH_CHARACTERS]
    assert flag.doubtful
    assert flag.places == (Place(None, 2),)
    assert f"[U+{ord(mark):04X}]" in flag.excerpt


def test_that_characters_slipped_into_english_words_are_doubtful():
    flag = flags_of("The ri\u200bver in fr\u200bont of our ho\u200buse si\u200bngs.")["zero_width_characters"]
    assert (flag.count, flag.doubtful) == (4, True)
    assert flag.excerpt.startswith("The ri[U+200B]ver")


def test_that_an_excerpt_has_whole_words():
    text = "Teachers hear complaints. When the pup\u0456ls in many schools write, they do not look up."
    (flag,) = flags_of(text).values()
    assert flag.excerpt == "complaints. When the pup\u0456ls in many schools"


def test_that_a_few_stray_characters_are_counted_but_not_doubtful():
    flag = flags_of(f"{RIVER}\u200b", f"\ufeff{RIVER}", "小\u200b河")["zero_width_characters"]
    assert (flag.count, flag.doubtful) == (3, False)
    assert flag.places[0] == Place(None, 3)


def test_that_a_single_reversal_of_direction_is_doubtful():
    flag = flags_of(RIVER, RIVER, f"\u202e{RIVER[::-1]}\u202c")["zero_width_characters"]
    assert (flag.doubtful, flag.places) == (True, (Place(None, 3),))


def test_that_a_number_copied_from_a_contact_is_not_doubtful():
    flag = flags_of(RIVER, "电话：\u202d13800000000\u202c。")["zero_width_characters"]
    assert not flag.doubtful


def test_that_a_message_in_variation_selectors_is_flagged():
    hidden = "".join(chr(0xE0100 + byte) for byte in b"ignore this")
    assert flags_of(f"小河{hidden}很清")["zero_width_characters"].doubtful


@pytest.mark.parametrize("word", ["pаssage", "Соmpare", "rivеr", "οnly", "Ηouse", "рареr", "реасе"])
def test_that_a_word_with_letters_that_look_alike_is_doubtful(word):
    flag = flags_of("Nothing here.", f"This {word} is written so.")["look_alike_letters"]
    assert (flag.count, flag.doubtful, flag.places) == (1, True, (Place(None, 2),))


def test_that_latin_letters_in_russian_words_are_flagged_but_a_single_slip_is_not_doubtful():
    russian = "Сегодня мы были на реке и долго говорили о школе, погоде и книгах. " * 3
    assert not flags_of(f"{russian} Peка.")["look_alike_letters"].doubtful
    many = " ".join(["Peка", "шкoла", "пoгода", "книгa", "дoлго"] * 3)
    assert flags_of(f"{russian} {many}")["look_alike_letters"].doubtful


def test_that_russian_words_in_an_english_text_are_not_flagged():
    assert "look_alike_letters" not in flags_of("The Russian words рот and нос, like лес, are short.")
    assert "look_alike_letters" not in flags_of("Язык Java с Python и C.")


def test_that_formulas_are_not_flagged():
    assert "look_alike_letters" not in flags_of("The angle α is αβr and λmax, μm or ΔT.")


SEA = "人生像大海，我一人在车上看日出。十二个小时里，水气从山口升起，心里有话，手足无力，门口的老牛走来走去。"
PDF_FONT = str.maketrans(
    dict(
        zip(
            "人生大一车日十二小里水气山口心手足力门老牛走",
            "⼈⽣⼤⼀⻋⽇⼗⼆⼩⾥⽔⽓⼭⼝⼼⼿⾜⼒⻔⽼⽜⾛",
            strict=True,
        )
    )
)


@pytest.mark.parametrize(
    ("plain", "alike"), [("人大一车", "⼈⼤⼀⻋"), ("不年里了", "\uf967\uf98e\uf9e9\uf9ba")]
)
def test_that_characters_that_look_like_ideographs_are_doubtful(plain, alike):
    text = f"{SEA}不来的人里，年年有了他。" + "我不知道，行不行？" * 2
    flag = flags_of(RIVER, text.translate(str.maketrans(plain, alike)))["look_alike_letters"]
    count = sum(map(text.count, plain))
    assert (flag.count, flag.doubtful, flag.places) == (count, True, (Place(None, 2),))


def test_that_ideographs_that_a_font_or_an_encoding_chose_are_not_flagged():
    assert flags_of(RIVER, SEA.translate(PDF_FONT)) == {}
    assert flags_of(SEA.replace("人", "⼈").replace("大", "⼤"), pages=1) == {}
    assert flags_of("“⻌”“⺮”是部首，大家要会写。", "金先生は\uf967年を", "한국\uf967年이다 不年") == {}
    assert not flags_of(SEA.replace("大海", "⼤海"))["look_alike_letters"].doubtful


def test_that_a_few_private_characters_are_noted_and_many_doubtful():
    few = flags_of(f"\uf0b7 {RIVER * 3}")["private_use_characters"]
    assert (few.count, few.doubtful) == (1, False)
    assert "[U+F0B7]" in few.excerpt
    assert flags_of(f"{RIVER}\ue001\ue002\ue003")["private_use_characters"].doubtful


def test_that_little_text_is_doubtful_only_in_a_file_with_much_else():
    assert flags_of("春天。") == {}
    assert flags_of("春天。", pages=3) == {}
    assert flags_of("春天。", pages=9)["almost_empty"].doubtful
    assert flags_of("春天。", size_bytes=300_000)["almost_empty"].doubtful
    assert flags_of(RIVER, size_bytes=300_000) == {}


def test_that_broken_characters_are_counted():
    flag = flags_of(RIVER, "小\ufffd河\ufffd")["undecodable_characters"]
    assert (flag.count, flag.doubtful, flag.places) == (2, True, (Place(None, 2),))


def test_that_the_receipt_of_a_file_has_the_flag(tmp_path):
    path = files.write_docx(tmp_path / "essay.docx", "小河", [between(RIVER, "\u200b")])
    receipt = load_document(path).receipt
    assert [flag.name for flag in receipt.flags if flag.doubtful] == ["zero_width_characters"]


@given(st.lists(st.text(min_size=1), max_size=4))
def test_that_any_text_can_be_inspected(paragraphs):
    for flag in flags_of(*paragraphs).values():
        assert flag.count >= 1
        assert "\u200b" not in flag.excerpt


@pytest.mark.parametrize(
    "reason", [DropReason.PAGE_HEADER, DropReason.TABLE_OF_CONTENTS, DropReason.DELETED_REVISION]
)
def test_that_a_text_that_was_mostly_dropped_is_doubtful(reason):
    (flag,) = mostly_dropped(
        "正文很短。", [Dropped(DropReason.PAGE_NUMBER, 2, "1"), Dropped(reason, 360, RIVER)]
    )
    assert (flag.name, flag.count, flag.excerpt, flag.doubtful) == ("mostly_left_out", 360, RIVER, True)


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        (RIVER, [Dropped(DropReason.PAGE_HEADER, 60)]),
        (RIVER * 5, [Dropped(DropReason.COMMENT, 350)]),
        (RIVER * 20, [Dropped(DropReason.TABLE_OF_CONTENTS, 9000)]),
        (RIVER, [Dropped(DropReason.HIDDEN_TEXT, 9000)]),
    ],
)
def test_that_a_text_with_some_dropped_parts_is_not_flagged(text, dropped):
    assert mostly_dropped(text, dropped) == []


@pytest.mark.parametrize(("times", "state"), [(1, "ok"), (20, "doubtful")])
def test_that_an_essay_in_the_page_header_is_flagged(tmp_path, times, state):
    path = tmp_path / "essay.rtf"
    path.write_text(rf"{{\rtf1{{\header {'Class three. ' * times}\par}}The essay.\par}}")
    assert load_document(path).receipt.state == state


def test_that_an_article_between_long_menus_is_not_flagged(tmp_path):
    path = tmp_path / "page.html"
    menu = "".join(f"<li><a href='https://example.org/{n}'>Section number {n}</a></li>" for n in range(60))
    comments = "".join(f"<p>Well said, number {n}.</p>" for n in range(60))
    article = "<p>The river sings, and we listen to it all the year.</p>" * 5
    path.write_text(
        f"<html><body><nav><ul>{menu}</ul></nav><article><h1>River</h1>{article}</article>"
        f"<div class='comment-list'>{comments}</div></body></html>"
    )
    receipt = load_document(path).receipt
    assert sum(part.characters for part in receipt.dropped) > 1000
    assert receipt.state == "ok"


@pytest.mark.parametrize("mark", ["", "\u200b", "\u2060\ufeff"])
def test_that_only_visible_characters_are_counted_as_kept(tmp_path, mark):
    path = tmp_path / "essay.txt"
    path.write_text(between(f"{RIVER} On rivers.", mark), encoding="utf-8")
    assert load_document(path).receipt.characters_kept == len(RIVER) + len(" On rivers.")


def test_that_the_places_of_disguises_are_those_that_are_counted(tmp_path):
    words = [RIVER, "河\u200b\u2060水，", "A b\u0430dge in Donau\u00addampfschiff.", "河水\u202e。"]
    path = tmp_path / "essay.txt"
    path.write_text("\n".join(words), "utf-8")
    document = load_document(path)
    assert [(span.of(document.text), name) for span, name in disguises(document)] == [
        ("\u200b\u2060", FlagName.ZERO_WIDTH_CHARACTERS),
        ("b\u0430dge", FlagName.LOOK_ALIKE_LETTERS),
        ("\u202e", FlagName.ZERO_WIDTH_CHARACTERS),
    ]
    assert {flag.name: flag.count for flag in document.receipt.flags if flag.count > 1} == {
        FlagName.ZERO_WIDTH_CHARACTERS: 3
    }
    path.write_text(RIVER, "utf-8")
    assert disguises(load_document(path)) == []
