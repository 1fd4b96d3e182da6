"""Fingerprints of documents: the improved formula, the recipes, and reproducible bits."""

import hashlib
import importlib
import math
import os
import pickle
import subprocess
import sys
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.fingerprint.simhash import (
    BACKGROUND,
    RECIPES,
    Fingerprint,
    hamming_distance_bits,
    improved_weights,
    make_fingerprint,
    term_bits,
    word_terms,
)
from simcompare.model.errors import NoTermsError, NoUnitsError, RecipeMismatchError, UnknownRecipeError
from simcompare.text.prepared_text import prepare, split_sentences, words_of_text
from tests.fingerprint.test_golden_values import combined
from tests.helpers.documents import document_of, make_document, own_text, prepared_text_document

ROOT = Path(__file__).resolve().parents[2]
ESSAY = (
    "家乡的河",
    "我的家乡有一条小河。春天，河边的柳树发芽了，孩子们在河边放风筝。",
    "但是，现在河水变脏了，鱼也少了。总之，我们应该保护家乡的河流，however small it is。",
)


def weights_of(document, weigh, idf=BACKGROUND):
    """Return the weight of each word of a document."""
    terms = word_terms(document.text, prepare(document), slice(None))
    title = frozenset(words_of_text(document.title))
    return dict(zip(terms.vocabulary, weigh(terms, title, idf).tolist(), strict=True))


def improved(document):
    return weights_of(document, improved_weights)


def fingerprint_of(document, recipe):
    return make_fingerprint(document, prepare(document), recipe)


@pytest.fixture(scope="module")
def posseg():
    with warnings.catch_warnings():
        # jieba 0.42 imports pkg_resources and has old-style escapes; both warn on import.
        warnings.simplefilter("ignore")
        module = importlib.import_module("jieba.posseg")
    importlib.import_module("jieba").setLogLevel("ERROR")
    return module


def plain_idf():
    path = Path(importlib.import_module("jieba").__file__).parent / "analyse" / "idf.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return {word: float(figure) for word, figure in (line.split(" ") for line in lines)}


def plain_improved(title, sentences, posseg, markers):
    """Compute section 3.2 of Zhang & He with jieba.posseg only, for Chinese words in jieba's idf.txt."""
    idf = plain_idf()
    pairs = [(p.word, p.flag) for s in sentences for p in posseg.cut(s) if p.word[0] >= "\u4e00"]
    pairs = [(word, flag) for word, flag in pairs if word[0] <= "\u9fff"]
    title_words = {pair.word for pair in posseg.cut(title)}
    counts, flags = Counter(word for word, _ in pairs), dict(pairs)
    longest, shortest = max(map(len, counts)), min(map(len, counts))
    weights = {}
    for word, count in counts.items():
        pos = {"n": 3, "v": 2}.get(flags[word][0], 1)
        length = (len(word) - shortest) / (longest - shortest)
        total = 1 + pos + length + 5 * (word in markers) + 5 * (word in title_words)
        weights[word] = count / len(pairs) * idf.get(word, math.nan) * total
    return weights


def plain_simhash(weights):
    bits = ""
    for j in range(64):
        total = 0.0
        for term, weight in weights.items():
            value = int(hashlib.md5(term.encode()).hexdigest()[-16:], 16)
            total += weight if value >> (63 - j) & 1 else -weight
        bits += "1" if total > 0 else "0"
    return int(bits, 2)


def test_that_the_improved_weights_are_those_of_the_formula(posseg):
    document = make_document(*(line.replace("however small it is", "") for line in ESSAY), title=ESSAY[0])
    sentences = [document.text[start:end] for start, end, _block in split_sentences(document).tolist()]
    expected = plain_improved(document.title, sentences, posseg, {"但是", "总之"})
    weights = improved(document)
    assert weights.keys() == expected.keys()
    assert {"但是", "总之", "家乡", "我们"} <= expected.keys()
    for word, weight in expected.items():
        if not math.isnan(weight):
            assert weights[word] == pytest.approx(weight), word
    assert sum(map(math.isnan, expected.values())) < len(expected) / 2


def test_that_the_fingerprint_is_the_simhash_of_the_weights():
    document = make_document(*ESSAY, title=ESSAY[0])
    weights = improved(document)
    assert fingerprint_of(document, "improved").value == plain_simhash(weights)


def test_that_traditional_weights_are_the_counts_of_the_words():
    document = make_document(*ESSAY)
    prepared = prepare(document)
    words = Counter(word for i in range(prepared.sentence_count) for word in prepared.words_of(i))
    assert make_fingerprint(document, prepared, "traditional").value == plain_simhash(words)


@pytest.mark.parametrize("recipe", ["improved", "levels"])
def test_that_the_name_of_a_file_is_no_title_that_weighs_more(tmp_path, recipe):
    text = "".join(f"第{number}天，我在春天的河边散步，看见柳树发芽。" for number in range(9)).encode()
    values = set()
    for name in ("春天的河边.txt", "柳树.txt", "20250001-王伟.txt"):
        path = tmp_path / name
        path.write_bytes(text)
        values.add(read_prepared_document(path, recipe).fingerprint.value)
    assert len(values) == 1


@pytest.mark.parametrize("first", ["春天的河边", "论文题目：春天的河边"])
def test_that_a_title_in_the_text_weighs_more_whatever_the_name_of_the_file(tmp_path, first):
    values = []
    for number, name in enumerate(("春天的河边.txt", "作业.txt")):
        path = tmp_path / name
        path.write_text(f"{first}\n" + "我在春天的河边散步，看见柳树发芽，听见鸟儿唱歌。\n" * 3, "utf-8")
        read = read_prepared_document(path, "improved")
        untitled = replace(read.document, title="")
        values.append(read.fingerprint.value)
        assert make_fingerprint(untitled, read.prepared, "improved").value != values[number]
    assert values[0] == values[1]


def test_that_a_word_of_the_title_or_a_marker_weighs_more():
    plain = improved(make_document(*ESSAY))
    titled = improved(make_document(*ESSAY, title="春天"))
    assert titled["春天"] > plain["春天"]
    assert {word for word in plain if plain[word] != titled[word]} == {"春天"}


def test_that_words_of_one_length_have_no_length_weight():
    document = make_document("河水小河。")
    assert {len(word) for word in improved(document)} == {2}
    assert fingerprint_of(document, "improved").value == plain_simhash(improved(document))


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("text", ["", "———", "！？……"])
def test_that_a_text_without_words_has_no_fingerprint(recipe, text):
    with pytest.raises(NoUnitsError, match=r"essay\.txt"):
        prepared_text_document(text, recipe=recipe)


def test_that_an_unknown_recipe_error_lists_the_known_ones():
    with pytest.raises(UnknownRecipeError, match="improved, traditional, md5-32"):
        prepared_text_document("作文", recipe="best")


def test_that_fingerprints_of_different_recipes_are_never_compared():
    made = {recipe: prepared_text_document(*ESSAY, recipe=recipe).fingerprint for recipe in RECIPES}
    assert len({fingerprint.recipe for fingerprint in made.values()}) == len(RECIPES)
    for left, a in made.items():
        for right, b in made.items():
            if left == right:
                assert hamming_distance_bits(a, b) == 0
            else:
                with pytest.raises(RecipeMismatchError, match=left):
                    hamming_distance_bits(a, b)


def test_that_bits_and_hex_keep_their_leading_zeros():
    fingerprint = Fingerprint(5, 64, "improved/test")
    assert fingerprint.bits == "0" * 61 + "101"
    assert fingerprint.hex == "0" * 15 + "5"
    assert Fingerprint(1, 32, "md5-32/1").hex == "00000001"


BITS = st.integers(0, 2**64 - 1)


@given(BITS, BITS, BITS)
def test_that_hamming_distance_is_a_metric(a, b, c):
    x, y, z = (Fingerprint(value, 64, "r") for value in (a, b, c))
    assert hamming_distance_bits(x, y) == hamming_distance_bits(y, x) == bin(a ^ b).count("1")
    assert hamming_distance_bits(x, z) <= hamming_distance_bits(x, y) + hamming_distance_bits(y, z)


@given(
    st.dictionaries(st.text(min_size=1, max_size=4), st.floats(0.001, 1000), min_size=1, max_size=30),
    st.data(),
)
def test_that_neither_the_order_of_the_terms_nor_a_common_factor_changes_a_bit(weights, data):
    terms = data.draw(st.permutations(list(weights)))
    value = combined(term_bits(list(weights)), list(weights.values()))
    assert combined(term_bits(terms), [weights[term] for term in terms]) == value
    assert combined(term_bits(terms), [weights[term] / 7 for term in terms]) == value


def test_that_script_width_and_invisible_characters_change_no_bit():
    plain = prepared_text_document("我们学习历史，发现台湾的云。ABC").fingerprint
    disguised = prepared_text_document("我們學習\u200b歷史，發現臺灣的雲。ＡＢＣ").fingerprint
    assert disguised == plain


def test_that_a_copy_with_a_word_exchanged_is_nearer_than_another_text():
    text = own_text(4_200)
    first, second = document_of(text[:2000]), document_of(text[2200:])
    copy = document_of(text[:2000].replace("的", "之", 3))
    a, b, c = (fingerprint_of(document, "improved") for document in (first, copy, second))
    assert hamming_distance_bits(a, b) <= 8
    assert hamming_distance_bits(a, b) < hamming_distance_bits(a, c)


PROGRAM = """
from tests.helpers.documents import prepared_text_document
from tests.fingerprint.test_recipes import ESSAY
from simcompare.fingerprint.simhash import RECIPES
print(*(prepared_text_document(*ESSAY, title=ESSAY[0], recipe=r).fingerprint.hex for r in RECIPES))
"""


def test_that_all_processes_make_the_same_bits():
    here = " ".join(
        prepared_text_document(*ESSAY, title=ESSAY[0], recipe=recipe).fingerprint.hex for recipe in RECIPES
    )
    for seed in ("0", "4242"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
        there = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=environment, cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert there.stdout.strip() == here, seed


def test_that_the_bits_of_a_fixed_text_never_change():
    """Stored fingerprints depend on them: a change needs a new recipe name."""
    made = {
        name: prepared_text_document(*ESSAY, title=ESSAY[0], recipe=name).fingerprint.hex for name in RECIPES
    }
    assert made == {
        "improved": "ec1bd111ea379a2e",
        "traditional": "c87ad51936d7cabf",
        "md5-32": "2343d92f",
        "tfidf": "6e3bd1113e7782bf",
        "levels": "0a795119367783bf",
    }


def test_that_a_fingerprint_survives_pickling():
    fingerprint = Fingerprint(2**63 + 1, 64, "improved/test")
    assert pickle.loads(pickle.dumps(fingerprint)) == fingerprint


def test_that_the_chinese_recipe_refuses_an_english_text():
    english = document_of("The last bus had left, and the street was empty.")
    with pytest.raises(NoTermsError, match=r"md5-32"):
        make_fingerprint(english, prepare(english), "md5-32")
