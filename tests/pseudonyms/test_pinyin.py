"""Chinese names in pinyin: one pseudonym per student, and English words stay."""

import subprocess
import sys
from datetime import datetime
from pathlib import Path

import docx
import pytest

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.chinese_names import name_order
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognitionReason, Student
from simcompare.redaction.anonymous_copies import anonymous_copy
from simcompare.redaction.redacted_class import anonymous_evidence, anonymous_marks
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import NAMED_FORMS
from simcompare.text.thesaurus import load_thesaurus
from tests.pseudonyms.leaks import leaks_in

SECRET = "00" * 16


@pytest.mark.parametrize(
    "ordered",
    [
        ["陈六", "李四", "王五", "张三"],
        # rare and traditional characters, some of one sound, and surnames with a reading of their own
        ["岑参", "黎明", "李阳", "郦道元", "欧阳锋", "仇英", "单雄信", "闫妮", "楊過", "嬴政", "曾国藩"],
        ["20230002 张三", "20230010 陈六", "alice Moore", "Bob Hill", "Émile Zola", "Frank Hill", "陈六"],
        ["高二（1）班", "高一（2）班", "高一（10）班"],
        ["", "\udc80"],
    ],
)
def test_that_names_are_sorted_as_in_a_class_list(ordered):
    assert sorted(set(ordered), key=name_order) == ordered


def class_of(*names):
    """Pseudonyms of students with these names, and the label of each."""
    made = make_pseudonyms([], [Student((name,)) for name in names], SECRET)
    return made, {owner.student.names[0]: made.label(owner) for owner in made.owners}


def owners_of(*files, listed=(), openings=None):
    """The names of the owners of files, None for unknown ones."""
    paths = [Path(file) for file in files]
    beginnings = {Path(file): text for file, text in (openings or {}).items()}
    names = make_pseudonyms(propose(paths, listed, beginnings), listed, SECRET)
    students = [names.owner_of(path).student for path in paths]
    return [student.names[0] if student else None for student in students]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "李小明",
            "Li Xiaoming|lixiaoming|LIXIAOMING|LiXiaoming|Xiaoming Li|xiaomingli"
            "|LI XIAO MING|li xiao ming|Li Xiao-ming"
            "|Li, Xiaoming|li_xiao_ming|li-xiao-ming|xiao_ming.li|Lǐ Xiǎomíng"
            "|lǐ xiǎo míng|Li3 Xiao3ming2|li3 xiao3 ming2"
            "|Ｌｉ Ｘｉａｏｍｉｎｇ|Li Xiao\nMing|Li Xiao-\nming",
        ),
        ("張三", "Zhang San|zhangsan|Zhangsan|San Zhang|ZHANG San|Zhāng Sān"),
        ("曾子墨", "Zeng Zimo|Ceng Zimo"),
        ("单雪", "Shan Xue|shanxue"),
        ("仇英杰", "Qiu Yingjie"),
        ("解文静", "Xie Wenjing"),
        ("查志强", "Zha Zhiqiang"),
        ("尉迟恭", "Yuchi Gong|Yu Chi Gong|Gong Yuchi"),
        ("万俟雪", "Moqi Xue"),
        ("欧阳娜娜", "Ouyang Nana|ouyang nana|OuYang Na Na|Nana Ouyang"),
        ("吕娜", "Lü Na|Lv Na|Lyu Na|Lu Na|Lǚ Nà|LÜ NA"),
        ("吕女英", "Lyu Nyuying|Lv Nvying|Lü Nüying|Lu Nuying"),
        ("张乐", "Zhang Le|Zhang Yue"),
        ("王西安", "Wang Xi'an|Wang Xi’an|Wang Xian"),
        ("何安", "He An|An He|HeAn"),
        ("阿依古丽·买买提", "Ayiguli Maimaiti|ayiguli.maimaiti"),
        ("Li Xiao Ming", "Li Xiaoming|Li Xiao-ming|lixiaoming"),
    ],
)
def test_that_a_chinese_name_is_replaced_in_pinyin_too(name, texts):
    names, labels = class_of(name)
    label = labels[name]
    for text in texts.split("|"):
        for before, behind in (
            ("", ""),
            ("said ", ", and"),
            ("（", "）"),
            ("我叫", "。"),
            ("essay_", ".docx"),
        ):
            replaced = names.replaced(before + text + behind)
            expected = f"{before}{label}{behind}"
            assert replaced.replace(f"{label}\n{label}", label).replace("@example.org", "") == expected, text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("何安", "He an… and he and An, an hour, he, an; Hean and hean."),
        ("何灿", "Then he can go. He can run."),
        ("何灿润", "he can run; He can run"),
        ("孙然", "The sun ran red. Sun and ran."),
        ("龙曼", "a long man and long mane"),
        ("吴涵", "Wuhan, wuhan and WUHAN are one."),
        ("胡曼", "A human being is Human."),
        ("党乐", "to dangle, Dangle"),
        ("马丽", "Mali lies in Africa; mali; MALI."),
        ("苏丹", "Sudan is hot, sudan."),
        ("黄珊", "Huangshan and huangshan"),
        ("沈阳", "Shenyang and SHENYANG"),
        ("尚海", "Shanghai, shanghai, SHANGHAI"),
        ("张三", "Zhangsanfeng met zhang; San; Li San; Zhang and San Francisco"),
        ("李小明", "Li and Xiao, ming vases, xiaolixiaomingli"),
        ("Zhang Wei", "Zhang Yimou; Wei"),
    ],
)
def test_that_words_and_parts_of_names_stay(name, text):
    names, _labels = class_of(name)
    assert names.replaced(text) == text


def test_that_a_number_after_a_name_belongs_to_its_account_and_is_not_a_tone():
    names, labels = class_of("李小明")
    replaced = names.replaced("lixiaoming2003, Li3 Xiao3ming2 3")
    assert replaced == f"{labels['李小明']}, {labels['李小明']} 3"


def test_that_a_usual_reading_has_precedence_over_a_rare_one():
    names, labels = class_of("单雪", "丹雪", "曾明明", "岑明明")
    assert names.replaced("Dan Xue") == labels["丹雪"]
    assert names.replaced("Shan Xue") == labels["单雪"]


def test_that_names_of_the_same_reading_are_distinguished_in_their_own_texts():
    files = [Path("张伟.docx"), Path("章伟.docx")]
    names = make_pseudonyms(propose(files), secret=SECRET)
    for file in files:
        assert names.replaced("Zhang Wei", file) == names.label(names.owner_of(file))


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("lixiaoming.docx", "Li Xiaoming"),
        ("essay_zhang_wei.pdf", "Zhang Wei"),
        ("zhang wei.docx", "Zhang Wei"),
        ("Zhang Wei.docx", "Zhang Wei"),
        ("wei zhang homework 3.docx", "Wei Zhang"),
        ("ouyangnana-final.docx", "Ouyang Nana"),
        ("hu_xiao_lan.docx", "Hu Xiaolan"),
        ("ZHANGSAN.docx", "Zhang San"),
        ("20231234 liuyang.docx", "Liu Yang"),
        ("lvli2.docx", ""),
        ("human.docx", ""),
        ("beijing.docx", ""),
        ("Shanghai.docx", ""),
        ("he ran.docx", ""),
        ("yin yang.docx", ""),
        ("my panda.docx", ""),
        ("long way home.docx", ""),
        ("changing.docx", ""),
        ("lina.docx", ""),
        ("zhang.docx", ""),
        ("zhang san feng wei.docx", ""),
        ("wuhan diary.docx", ""),
    ],
)
def test_that_a_name_in_pinyin_is_recognised_if_it_is_the_only_one(file, name):
    [found] = propose([Path(file)])
    assert found.name == name


def test_that_a_file_named_in_pinyin_is_matched_with_its_first_line():
    text = "家乡的石桥\n张三\n那年春天，我到了河边。"
    for file in ("zhangsan.docx", "Zhang San.docx", "san_zhang.docx"):
        [found] = propose([Path(file)], openings={Path(file): text})
        assert (found.name, found.name_reason, found.also) == ("张三", RecognitionReason.OPENING, ())
        names = make_pseudonyms([found], secret=SECRET)
        assert names.count == 1
        label = names.label(names.owners[0])
        assert names.replaced("张三, Zhang San", Path(file)) == f"{label}, {label}"


def test_that_files_in_characters_and_pinyin_have_the_same_student():
    assert owners_of("zhangsan_draft2.docx", "张三.docx", "San Zhang.docx") == ["张三"] * 3
    assert owners_of("lixiaoming 2.docx", "李小明 20231235.docx") == ["李小明"] * 2
    assert len(set(owners_of("Li Xiao Ming.docx", "lixiaoming.docx", "Xiaoming Li.docx"))) == 1


def test_that_a_roster_in_characters_matches_files_in_pinyin():
    listed = [Student(("李小明",), ("20231235",)), Student(("单雪",))]
    assert owners_of("lixiaoming.docx", "Shan Xue essay.docx", listed=listed) == ["李小明", "单雪"]


def test_that_a_roster_in_pinyin_matches_files_in_characters():
    listed = [Student(("Li Xiaoming",), ("20231235",))]
    assert owners_of("李小明.docx", listed=listed) == ["Li Xiaoming"]


def test_that_a_file_in_pinyin_is_ambiguous_between_names_of_the_same_reading():
    files = ["zhangwei.docx", "张伟.docx", "章伟.docx"]
    assert owners_of(*files) == [None, "张伟", "章伟"]
    assert owners_of(*files, listed=[Student(("章伟",)), Student(("张伟",))]) == [None, "张伟", "章伟"]


def test_that_the_pinyin_dictionary_is_loaded_on_first_use():
    code = "import sys, simcompare.pseudonyms.pseudonyms; sys.exit('pypinyin' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


LEAKS = (
    "李小明",
    "Li Xiaoming",
    "LI XIAO MING",
    "lixiaoming",
    "Xiǎomíng",
    "xiao_ming",
    "Xiaoming",
    "吕娜",
    "Lyu Na",
)
ESSAY = (
    "My name is Li Xiaoming and I am twelve years old. My grandmother sold apples every day.",
    "On my passport stands LI XIAO MING, which is Lǐ Xiǎomíng. He an apple, she a pear, said my grandmother.",
    "Write to lixiaoming@example.org or ask Lyu Na, who sits beside me. The bells rang over the bridge.",
)


@pytest.fixture
def essays(tmp_path):
    """Two Word files with names in pinyin only, of students known in characters."""
    paths = tmp_path / "李小明 20231235.docx", tmp_path / "li_xiao_ming_2.docx"
    for path in paths:
        document = docx.Document()
        for line in ESSAY:
            document.add_paragraph(line)
        document.core_properties.author = "Li Xiaoming"
        document.save(str(path))
    return paths


def compared(left, right):
    """Evidence of two files, and pseudonyms for them and for a list in characters."""
    thesaurus = load_thesaurus("starter")
    prepared_documents = [read_prepared_document(path, "improved") for path in (left, right)]
    evidence = Evidence(
        compare(*prepared_documents, ComparisonSettings(), thesaurus),
        thesaurus,
        datetime(2024, 5, 6),
    )
    listed = [Student(("李小明",), ("20231235",)), Student(("吕娜",))]
    return evidence, make_pseudonyms(propose((left, right), listed), listed, SECRET)


def test_that_reports_and_word_copies_contain_no_names_in_pinyin(essays):
    evidence, names = compared(*essays)
    assert names.owner_of(essays[0]) == names.owner_of(essays[1])
    anonymous = anonymous_evidence(evidence, names)
    assert leaks_in(NAMED_FORMS["html"].render(evidence), spellings=LEAKS)
    for form in ("html", "docx"):
        assert leaks_in(NAMED_FORMS[form].render(anonymous), form, LEAKS) == []
    assert "He an apple" in NAMED_FORMS["html"].render(anonymous).decode()
    marks = anonymous_marks(evidence, anonymous, "left")
    copy = anonymous_copy(essays[0], evidence.comparison.left.document, marks, names)
    assert leaks_in(copy.data, "copy", LEAKS) == []
