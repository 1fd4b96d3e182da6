"""The comparable form of a text, and the spans of its units."""

import re
import unicodedata
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.support.confusables import fold_to_latin
from simcompare.text.comparable import _converter, comparable_units, is_han
from tests.helpers.documents import bench_text, own_text


def texts_of(text):
    return list(comparable_units(text).texts)


def sources_of(text):
    return [text[a:b] for a, b in comparable_units(text).spans.tolist()]


@pytest.mark.parametrize(
    ("disguised", "plain"),
    [
        pytest.param("ＡＢＣ１２３", "abc123", id="full width"),
        pytest.param("Ｈｅｌｌｏ　Ｗｏｒｌｄ", "hello world", id="full width words"),
        pytest.param("ﬁne eﬀort", "fine effort", id="ligatures"),
        pytest.param("Straße GROẞ", "strasse gross", id="casefold expands"),
        pytest.param("ΣΊΣΥΦΟΣ σίσυφος", "σίσυφοσ σίσυφοσ", id="final sigma"),
        pytest.param("⼈⽣⼤⼭", "人生大山", id="Kangxi radicals"),
        pytest.param("⺠⻢⻋⻅⻝", "民马车见食", id="radicals of the supplement"),
        pytest.param("漢語寫作軟體鍾錶", "汉语写作软体钟表", id="traditional"),
        pytest.param("他\u200b說\ufeff了\u00ad真\u2060話", "他说了真话", id="zero width"),
        pytest.param("pla\u200bgia\u200drism", "plagiarism", id="zero width inside a word"),
        pytest.param("葛\U000e0100飾\ufe01", "葛饰", id="variation selectors"),
        pytest.param("a\u3164b \u115fc", "ab c", id="fillers"),
        pytest.param("ｶﾞｷﾞﾊﾟﾝ", "ガギパン", id="halfwidth kana with voicing"),
        pytest.param("か\u3099き", "がき", id="kana with a combining voicing mark"),
        pytest.param("cafe\u0301", "café", id="decomposed accent"),
        pytest.param("cafe\u200b\u0301", "café", id="accent behind a zero-width space"),
        pytest.param("ｐlаgiаrism", "plagiarism", id="Cyrillic а in an English word"),
        pytest.param("thе dаy is рареr, ореns", "the day is paper opens", id="mostly Cyrillic letters"),
        pytest.param("а реасе of а kind", "a peace of a kind", id="words wholly of Cyrillic letters"),
        pytest.param("cοmparisοn", "comparison", id="Greek ο in an English word"),
        pytest.param("Моcква", "москва", id="Latin c in a Russian word"),
        pytest.param("ποταμoς", "ποταμοσ", id="Latin o in a Greek word"),
        pytest.param("㎏ ㈠ ½", "kg 一 1 2", id="compatibility characters"),
        pytest.param("划\u0332线\u0332", "划线", id="underlined with combining lines"),
        pytest.param("don´t", "don't", id="an accent typed for an apostrophe"),
        pytest.param("don’t", "don't", id="curly apostrophe"),
    ],
)
def test_that_disguised_text_has_the_same_form(disguised, plain):
    assert texts_of(disguised) == texts_of(plain)


def test_that_a_han_character_and_a_latin_word_are_one_unit_each():
    assert texts_of("我用Python3写了2篇essay。") == ["我", "用", "python3", "写", "了", "2", "篇", "essay"]


def test_that_punctuation_blanks_and_emoji_are_no_units():
    assert texts_of("，。！—…“”《》 \t\u3000😀👨\u200d👩\u200d👧☆→") == []


def test_that_a_lone_combining_mark_is_no_unit():
    assert texts_of("\u0301 \u3099 ´ ¨ ¸") == []


def test_that_kana_hangul_and_bopomofo_count_one_by_one():
    assert texts_of("ひらカー한글ㄅㄆ々〇") == list("ひらカー한글ㄅㄆ々〇")


def test_that_rare_ideographs_beyond_the_first_plane_are_units_with_their_place():
    text = "𠮷野家a𪚥"
    assert texts_of(text) == ["𠮷", "野", "家", "a", "𪚥"]
    assert sources_of(text) == ["𠮷", "野", "家", "a", "𪚥"]


@pytest.mark.parametrize("word", ["москва", "привет", "ποταμοσ", "вот"])
def test_that_a_word_wholly_of_another_script_stays(word):
    assert texts_of(word) == [word]


def test_that_russian_prose_is_not_taken_for_english():
    assert texts_of("сор") != texts_of("cop")
    assert texts_of("лес с сосной у реки") == ["лес", "с", "сосной", "у", "реки"]
    assert texts_of("用 с 表示") == ["用", "с", "表", "示"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("مرحبا بالعالم العربي", 3),
        ("हिन्दी में लिखा है", 4),
        ("שלום עולם", 2),
        ("Việt Nam đẹp", 3),
        ("தமிழ் மொழி", 2),
    ],
)
def test_that_the_words_of_scripts_with_blanks_are_units_with_their_marks(text, words):
    assert sources_of(text) == text.split()
    assert len(texts_of(text)) == words


def test_that_thai_without_blanks_is_one_run_with_its_vowel_signs():
    assert sources_of("ภาษาไทยที่สวย") == ["ภาษาไทยที่สวย"]


def test_that_a_unit_spans_all_its_source_characters():
    text = "x ｶﾞ 说\u200b话 e\u0301a ㎏"
    assert sources_of(text) == ["x", "ｶﾞ", "说", "话", "e\u0301a", "㎏"]


def test_that_units_from_one_character_share_its_span():
    units = comparable_units("㍿好")
    assert list(units.texts) == ["株", "式", "会", "社", "好"]
    assert units.spans.tolist() == [[0, 1]] * 4 + [[1, 2]]


def test_that_traditional_text_is_converted_one_for_one_however_long():
    text = "這個國家的後來與皇后，頭髮和發財，乾隆與乾燥。" * 50
    units = comparable_units(text)
    assert all(end == start + 1 for start, end in units.spans.tolist())
    assert "".join(units.texts) == "这个国家的后来与皇后头发和发财乾隆与干燥" * 50


def test_that_simplified_and_traditional_script_of_one_text_agree():
    simplified = "我们学习历史，后来头发都白了；里面发现台湾的云。"
    traditional = "我們學習歷史，後來頭髮都白了；裡面發現臺灣的雲。"
    assert texts_of(simplified) == texts_of(traditional)


def test_that_every_unicode_character_is_handled():
    """Every assigned character on a line, as a combining mark belongs to the one before it: units lie within
    their character and are unchanged by a second conversion.
    """
    codes = [*range(0x3400), *range(0xA000, 0xAC00), *range(0xD7A4, 0x20000)]
    assigned = [chr(code) for code in codes if unicodedata.category(chr(code)) not in {"Cn", "Co", "Cs"}]
    marks = [character for character in assigned if unicodedata.category(character)[0] == "M"]
    others = sorted(set(assigned) - set(marks))
    for lines in ("\n".join(others), *marks):
        units = comparable_units(lines)
        starts, ends = units.spans.T
        assert (ends == starts + 1).all()
        assert not (starts % 2).any(), "units of line ends"
        assert not units.texts or comparable_units(" ".join(units.texts)).texts == units.texts


MIXED = st.text(
    st.one_of(
        st.sampled_from("我们說話學習。，“”Ａa1 ﬁßǆё\u200b\u0301\u0332\ufe0fｶﾞ⼈⺠½㍿𠮷한हि์ไ\n\t.!?İŉaоαc"),
        st.characters(codec="utf-8"),
    ),
    max_size=40,
)


@given(MIXED)
def test_that_unit_spans_are_in_order_within_the_text(text):
    """They overlap only if one character gave parts of two units, as ½ does in a½b."""
    units = comparable_units(text)
    spans = units.spans.tolist()
    assert all(units.texts)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    for (start, end), (next_start, next_end) in pairwise(spans):
        assert start <= next_start
        assert end <= next_end
        shared = text[next_start:end]
        assert not shared or len(unicodedata.normalize("NFKC", shared).casefold()) > 1


@given(MIXED)
def test_that_the_span_of_a_unit_gives_the_same_unit(text):
    """Exceptions: a character of two units (½ in a½b) gives a part of each to the other; traditional
    characters are converted by phrases, so one of them alone may become another ideograph; and a word of
    letters that may be Cyrillic or Latin is told by its neighbours.
    """
    units = comparable_units(text)
    spans = units.spans.tolist()
    for i, (unit, (start, end)) in enumerate(zip(units.texts, spans, strict=True)):
        again = comparable_units(text[start:end]).texts
        shared = start < spans[i - 1][1] if i else False
        shared |= i + 1 < len(spans) and spans[i + 1][0] < end
        if shared:
            assert unit in "".join(again)
        else:
            assert (
                again == (unit,)
                or (is_han(unit) and len(again) == 1 and is_han(again[0]))
                or fold_to_latin(again[0]) == unit
            )


@given(MIXED)
def test_that_the_comparable_form_is_idempotent(text):
    units = comparable_units(text)
    again = comparable_units(" ".join(units.texts))
    assert len(again) == len(units)
    for before, after in zip(units.texts, again.texts, strict=True):
        assert before == after or (is_han(before) and is_han(after))


@pytest.mark.parametrize("text_of", [own_text, bench_text])
def test_that_spans_of_real_articles_are_exact(text_of):
    """Only phrase-dependent characters may differ when converted alone; there are few of them."""
    text = text_of(40_000)
    units = comparable_units(text)
    sources = (text[a:b] for a, b in units.spans.tolist())
    counts = Counter(zip(units.texts, sources, strict=True))
    moved = sum(n for (unit, source), n in counts.items() if comparable_units(source).texts != (unit,))
    assert len(units) > 30_000
    assert moved <= len(units) * 0.001


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.sampled_from("\t\n")))
def test_that_the_units_of_plain_english_are_its_runs_of_letters_and_digits(text):
    units = comparable_units(text)
    runs = list(re.finditer("[A-Za-z0-9]+", text))
    assert list(units.texts) == [run.group().lower() for run in runs]
    assert units.spans.tolist() == [list(run.span()) for run in runs]


@given(st.text(st.sampled_from("aBc9 ,.’…éÉ\u0301\u200bßаΣﬁ½İ\u00a0\t\r\x1c"), max_size=40))
def test_that_units_are_the_same_whether_or_not_a_character_is_one_by_itself(text):
    alone, followed = comparable_units(text), comparable_units(text + "字")
    assert followed.texts == (*alone.texts, "字")
    assert followed.spans[:-1].tolist() == alone.spans.tolist()


def test_that_conversion_to_simplified_script_changes_nothing_below_the_ideographs():
    lower = "".join(map(chr, range(1, 0x2E80)))
    assert _converter().convert(lower) == lower
    assert all(_converter().convert(character) == character for character in lower)
