"""Segmentation with a user's own words equals jieba's after `load_userdict`."""

import io
import random
import re
from collections import Counter
from pathlib import Path

import pytest
import rjieba

from simcompare.comparison.prepared_document import prepare_document, with_recipe
from simcompare.fingerprint.simhash import RECIPES, hamming_distance_bits
from simcompare.model.errors import FileError, RecipeMismatchError
from simcompare.model.settings import UserWords
from simcompare.text.comparable import comparable_units, is_han
from simcompare.text.words import are_usable, read_user_words, segment
from tests.helpers.documents import document_of, own_text, shared_path

HAN_RUN = re.compile("[\u3007\u3400-\u9fff]+")
FORMS = ["{}", "{} 7", "{} nz", "{} 5 v"]
# known and new words, those within others, repeated and rare ones
LISTED = [
    "我们 3",
    "发展 40000 n",
    "仫佬",
    "石桥镇",
    "石桥镇中学 5 nt",
    "芦苇旁边 v",
    "鿏",
    "的 1",
    "芦苇旁边 7",
]


@pytest.fixture(scope="module")
def jieba():
    return pytest.importorskip("jieba")


@pytest.fixture(scope="module")
def frequencies(jieba):
    """Return the words of jieba's dictionary and the sum of their frequencies, read once."""
    tokenizer = jieba.Tokenizer()
    return tokenizer.gen_pfdict(tokenizer.get_dict_file())


def bench_runs():
    """A fifth of the Han runs of the shared texts, as they are written and in comparable form."""
    texts = [path.read_text(encoding="utf-8") for path in shared_path("bench").rglob("*.t[xs][tv]")]
    forms = ["".join(unit if is_han(unit) else " " for unit in comparable_units(t).texts) for t in texts]
    return sorted({run for text in (*texts, *forms) for run in HAN_RUN.findall(text)})[::5]


@pytest.mark.parametrize("runs_of", [lambda: HAN_RUN.findall(own_text(20_000)), bench_runs])
def test_that_texts_are_segmented_as_by_jieba_with_these_words(jieba, frequencies, runs_of):
    runs, chance = runs_of(), random.Random(5)
    pieces = Counter(run[i : i + n] for run in runs for n in (2, 3, 4, 5) for i in range(0, len(run) - n, 7))
    words = chance.sample([piece for piece, _count in pieces.most_common(2000)], 300)
    text = "\n".join([*(chance.choice(FORMS).format(word) for word in words), *LISTED])
    tokenizer = jieba.Tokenizer()
    # without its cache in a folder of all users
    tokenizer.FREQ, tokenizer.total = frequencies[0].copy(), frequencies[1]
    tokenizer.initialized = True
    tokenizer.load_userdict(io.StringIO(text))
    cut = [[word for word, _tag in tagged] for tagged in segment(runs, UserWords("words.txt", text))]
    assert cut != [[word for word, _tag in tagged] for tagged in segment(runs)]
    assert cut == [tokenizer.lcut(run) for run in runs]


def test_that_rjieba_has_the_dictionary_of_jieba(jieba):
    text = Path(jieba.__file__).with_name("dict.txt").read_text(encoding="utf-8")
    lines, loaded = [line.split() for line in text.splitlines()], rjieba.Jieba.empty()
    for word, frequency, tag in lines:
        loaded.add_word(word, int(frequency), tag)
    assert len(lines) > 340_000
    assert [w for w, *_ in lines if loaded.suggest_freq(w) != rjieba.suggest_freq(w)] == []


def test_that_tags_are_those_of_the_list_and_else_those_of_jieba():
    words = UserWords("words.txt", "桥头堡镇\n桥头堡村 9 ns\n我们 500 nz\n发展 60000")
    [tagged] = segment(["桥头堡镇我们桥头堡村发展"], words)
    assert tagged == [("桥头堡镇", "x"), ("我们", "nz"), ("桥头堡村", "ns"), ("发展", "vn")]


def test_that_a_list_is_read_as_jieba_reads_it(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff區塊鏈\r\n\r\n云计算 5 n\n easy_install 3 eng\nC语言\n韩玉 nr".encode())
    words = read_user_words(path)
    assert words == UserWords(str(path), "区块链\n云计算 5 n\n韩玉 nr")
    assert (words.count, are_usable(words)) == (3, True)


WRONG = [
    "云计算\t5",
    "云计算 n 5",
    "云计算 -3",
    "云计算 0",
    "云 计算",
    "云计算 5 n n",
    "计" * 33,
    "\udcce\udcd2",
]


@pytest.mark.parametrize("line", WRONG)
def test_that_a_line_in_another_form_is_named(tmp_path, line):
    path = tmp_path / "words.txt"
    path.write_text(f"石桥镇\n\n{line}\n", encoding="utf-8", errors="surrogateescape")
    with pytest.raises(FileError, match=r"^words\.txt, line 3: "):
        read_user_words(path)
    assert not are_usable(UserWords("words.txt", f"石桥镇\n{line}"))


@pytest.mark.parametrize("text", ["", "C++\n", "石桥镇\n" * 10_001])
def test_that_no_words_and_too_many_are_refused(tmp_path, text):
    path = tmp_path / "words.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError):
        read_user_words(path)
    assert not are_usable(UserWords("words.txt", text))


@pytest.mark.parametrize("recipe", RECIPES)
def test_that_fingerprints_of_other_words_are_never_compared(recipe):
    document = document_of("石桥镇的孩子们喜欢石桥镇中学。")
    words = UserWords("words.txt", "石桥镇\n石桥镇中学")
    plain, own = prepare_document(document, recipe), prepare_document(document, recipe, words)
    assert own.fingerprint.recipe == f"{plain.fingerprint.recipe}+words-{words.digest}"
    assert own.fingerprint.value != plain.fingerprint.value
    with pytest.raises(RecipeMismatchError):
        hamming_distance_bits(plain.fingerprint, own.fingerprint)
    assert with_recipe(own, recipe, words) is own
    assert with_recipe(own, recipe).fingerprint == plain.fingerprint
