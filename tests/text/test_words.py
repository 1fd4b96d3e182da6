"""Word segmentation equals jieba's words and tags."""

import importlib
import re
import warnings
from types import SimpleNamespace

import pytest
import rjieba

from simcompare.text import words
from simcompare.text.words import cut_mixed_text, segment
from tests.helpers.documents import bench_text, own_text

HAN_RUN = re.compile("[\u4e00-\u9fa5]+")


@pytest.fixture(scope="module")
def jieba(tmp_path_factory):
    with warnings.catch_warnings():
        # jieba 0.42 imports pkg_resources and has old-style escapes; both warn on import.
        warnings.simplefilter("ignore")
        module = importlib.import_module("jieba")
    module.setLogLevel("ERROR")
    module.dt.tmp_dir = str(tmp_path_factory.mktemp("jieba"))
    module.initialize()
    return module


@pytest.fixture(scope="module")
def posseg(jieba):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as above
        return importlib.import_module("jieba.posseg")


@pytest.fixture(scope="module", params=[own_text, bench_text])
def text_of(request):
    return request.param


@pytest.fixture(scope="module")
def runs(text_of):
    return HAN_RUN.findall(text_of(100_000))


def test_that_articles_are_cut_into_the_words_of_jieba(jieba, runs):
    """One run in 75,608 is known to differ: two segmentations of it are equally likely."""
    different = [
        run for run, words in zip(runs, segment(runs), strict=True) if joined(words) != jieba.lcut(run)
    ]
    assert sum(map(len, runs)) > 70_000
    assert len(different) <= 1, different


def joined(words):
    return [word for word, _ in words]


def test_that_the_words_of_a_run_are_the_run(runs):
    assert ["".join(joined(words)) for words in segment(runs)] == runs


def test_that_tags_are_those_of_jiebas_dictionary(posseg, runs, text_of):
    dictionary = posseg.dt.word_tag_tab
    tagged = {word: tag for words in segment(runs) for word, tag in words}
    known = {word: tag for word, tag in tagged.items() if word in dictionary}
    assert len(known) > (5_000 if text_of is bench_text else 1_000)
    assert {word: (tag, dictionary[word]) for word, tag in known.items() if tag != dictionary[word]} == {}


def test_that_mixed_text_is_cut_as_jieba_cuts_it(jieba, text_of):
    for line in text_of(30_000).splitlines():
        assert cut_mixed_text(line) == jieba.lcut(line)


def test_that_runs_are_segmented_separately():
    assert [joined(words) for words in segment(["北", "京", "北京"])] == [["北"], ["京"], ["北京"]]


@pytest.mark.parametrize("run", ["〇", "二〇二〇年", "𠮷野家", "㐀好", "𫝀", "鿿"])
def test_that_rare_ideographs_are_segmented_without_loss(run):
    [words, after] = segment([run, "今天"])
    assert "".join(joined(words)) == run
    assert joined(after) == ["今天"]


def test_that_no_runs_give_no_words():
    assert list(segment([])) == []


def test_that_a_long_text_is_cut_into_the_same_words_in_bounded_portions(monkeypatch, runs):
    portions = []

    def tag(text):
        portions.append(len(text))
        return rjieba.tag(text)

    many = runs * 5
    whole = rjieba.tag("\n".join(many))
    monkeypatch.setattr(words, "segmenter", lambda _own: SimpleNamespace(tag=tag))
    cut = list(segment(many))
    assert len(cut) == len(many)
    assert [pair for run in cut for pair in run] == [pair for pair in whole if pair[0] != "\n"]
    assert len(portions) > 3
    assert max(portions) <= 100_000


def test_that_a_run_longer_than_a_portion_stays_whole():
    long = "家乡的小河" * 25_000
    before, cut, after = segment(["北京", long, "今天"])
    assert "".join(joined(cut)) == long
    assert [joined(before), joined(after)] == [["北京"], ["今天"]]
    assert cut == rjieba.tag(long)


def test_that_a_sentence_without_end_is_cut_into_the_same_words_in_bounded_portions(monkeypatch, runs):
    portions = []

    def tag(text):
        portions.append(len(text))
        return rjieba.tag(text)

    long = "".join(runs * 5)
    monkeypatch.setattr(words, "segmenter", lambda _own: SimpleNamespace(tag=tag))
    [cut] = segment([long])
    assert cut == rjieba.tag(long)
    assert len(portions) > 3
    assert max(portions) <= 100_000


def test_that_word_frequencies_are_those_of_the_list():
    lines = (words._jieba_folder() / "analyse" / "idf.txt").read_text(encoding="utf-8").splitlines()
    listed = {word: float(figure) for word, figure in map(str.split, lines[::7])}
    assert {word: words.inverse_document_frequency(word) for word in listed} == listed
    for unlisted in ("不在其中的词", "\ue000", "的的", "\ud800", "of"):
        assert not words.is_listed_chinese(unlisted)
