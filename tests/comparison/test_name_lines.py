"""Lines that only name the writer, class, school, number, date or teacher are excluded."""

from dataclasses import replace

import pytest

from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.comparison.comparison_result import Comparison, ExclusionCount, ExclusionReason
from simcompare.comparison.exclusions.name_lines import name_line_sentences
from simcompare.model.settings import ComparisonSettings
from tests.helpers.documents import prepared_text_document, unrelated_essays

ESSAY = "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。每到夏天傍晚，老人们搬着竹椅来桥头乘凉。"
ENGLISH_ESSAY = "On the evening of my fourteenth birthday, I missed the last bus home. It was raining hard."
SETTINGS = ComparisonSettings()


def excluded_lines(*paragraphs: str) -> list[str]:
    prepared_document = prepared_text_document(*paragraphs)
    marked = name_line_sentences(prepared_document.document, prepared_document.prepared)
    return [
        prepared_document.document.text[start:end]
        for start, end in prepared_document.prepared.sentence_spans[marked].tolist()
    ]


CHINESE = [
    "三年级2班 唐宁",
    "三年级2班 欧阳雪",
    "三年级2班唐宁",
    "三（2）班 唐宁 学号20230107",
    "初二(3)班　李小明　20230107",
    "高一 3 班 王 芳",
    "七年级3班 李小明 指导老师：王芳",
    "姓名：唐宁 班级：三年级2班 学号：12",
    "姓名：唐宁\t班级：三年级2班\t座号：____",
    "姓名：________　班级：________　得分：____",
    "班级：软件工程1701班",
    "北京市第一实验小学 三年级2班 唐宁",
    "北京市第一实验小学三年级2班唐宁",
    "学校：北京市第一实验小学",
    "指导教师：王芳老师",
    "三年级2班 唐宁 2024年3月5日",
    "2024年3月5日 星期二 晴",
    "日期：2024-03-05",
    "二〇二四年三月五日",
    "（三年级2班 唐宁）",
    "作者：唐宁　字数：612",
    "三年級2班 歐陽雪",
    "吴敏 20230119",
    "三年级2班   姓名：李小明  2023年9月",
    "高二(12)班 王小二 座位号：5",
    "班级 三年级2班 姓名 唐宁 学号 12",
    "四川省成都市实验小学 五年级一班 李明",
    "签名：李明 日期：2024年3月12日",
    "学生签名：李明　　2024年3月12日",
    "本人签字：________　家长签字：________　日期：____年__月__日",
    "承诺人：李明 承诺日期：2024年3月12日",
    "声明人（签名）：李明",
    "签 名: 李 明    日 期: 2024.3.12",
]
ENGLISH = [
    "Name: Wang Wei  Class: 3B  Date: 12 March 2024",
    "Name: Emily Johnson    Student ID: 20230107",
    "Emily Johnson, Grade 7, March 12, 2024",
    "Written by: Emily Jane Johnson | Class 3B | 12/03/2024",
    "School: Lincoln Middle School Teacher: Mr. A. Smith",
    "Date: 12 March 2024, Period 3, Word count: 523",
    "Signature: Bo Date: 12 March 2024",
    "Student's signature: Ann Fields    Date: 3/12/2024",
    "Signed: Bo Carter, 12 March 2024",
    "Signature of the student: ____________ Date: ____________",
    "Signed by: A. Fields Date signed: 12 March 2024",
    "Parent signature: Tom Carter  Date: 12-03-2024",
    "Signature:\tBo\tDate:\t12 March 2024",
]


@pytest.mark.parametrize("line", CHINESE)
def test_that_chinese_name_lines_are_detected(line):
    assert excluded_lines("家乡的石桥", line, ESSAY) == [line]


@pytest.mark.parametrize("line", ENGLISH)
def test_that_english_name_lines_are_detected(line):
    assert excluded_lines("The last bus", line, ENGLISH_ESSAY) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "家乡的石桥",
        "三年级2班的同学都喜欢唐宁",
        "三年级2班 春游日记",
        "我们三年级2班 赢了",
        "我爱我的学校",
        "唐宁是三年级2班的班长。",
        "时间：那是一个星期天的早晨",
        "老师：同学们好",
        "2024年3月5日，我和爸爸去爬山",
        "2024年3月5日是个晴天",
        "作者：他写了一百多年前的一座石桥",
        "题目：家乡的石桥",
        "日期 每一天都值得记住",
        "王老师",
        "姓名 是父母给我的第一件礼物",
        "春游 20230119",
        "Class 3B went to the zoo on 12 March 2024",
        "Grade 7 Summer Holiday Diary Pages",
        "Name one thing that you will never forget",
        "Date: I never knew what that word meant",
        "The School by the Old River",
        "12 March 2024 was the day that changed my life",
        "Signature: it is the last thing he ever wrote",
        "签名：他在信的最后写下了自己的名字",
        "承诺：我要好好学习",
    ],
)
def test_that_titles_and_sentences_are_no_name_lines(line):
    assert excluded_lines(line, ESSAY, ENGLISH_ESSAY) == []


def test_that_several_lines_may_name_the_writer_before_and_below_the_title():
    opening = ["姓名：唐宁 班级：三年级2班", "家乡的石桥", "三年级2班 唐宁"]
    assert excluded_lines(*opening, ESSAY) == [opening[0], opening[2]]


def test_that_name_lines_at_the_very_end_are_detected():
    ending = ["指导老师：王芳", "2024年3月5日"]
    assert excluded_lines("家乡的石桥", ESSAY, *ending) == ending


def test_that_a_name_line_within_the_text_counts():
    assert excluded_lines(ESSAY, "三年级2班 唐宁", ESSAY) == []


def test_that_name_lines_with_a_label_follow_a_question_and_a_declaration():
    question = "请结合课文，谈谈你对家乡的看法，并说明理由。"
    declaration = "I declare that this essay is my own work and that I have named all of my sources."
    named = ["姓名：王小明 班级：八（2）班", "Name: Tom Baker"]
    diary = ["河水清清的。", "2024年5月3日 晴", "岸边有几棵老柳树，风一吹就摇起来。"]
    assert excluded_lines(question, declaration, *named, *diary, ESSAY) == named


def test_that_a_text_of_name_lines_only_is_not_excluded():
    assert excluded_lines("三年级2班 唐宁", "2024年3月5日 星期二") == []


def test_that_name_lines_of_two_essays_do_not_match():
    left, right = (
        prepared_text_document(title, line, text)
        for title, line, text in (
            ("家乡的石桥", "三年级2班 唐宁", ESSAY),
            ("秋天的路", "三年级2班 唐小宁", "秋天来了，路边的梧桐叶子一片一片落在地上。"),
        )
    )
    comparison = compare(left, right, SETTINGS, None)
    assert len(comparison.matches) == 0
    assert comparison.sentence_share.left_in_right.raw > 0, "the raw figure is over everything"
    assert comparison.share.left_in_right.after_exclusions == 0
    assert comparison.left_excluded.count(ExclusionReason.NAME_LINE) == ExclusionCount(2, 12), "and its title"
    counted = reclassify(comparison, replace(SETTINGS, exclude_name_lines=False))
    assert len(counted.matches) == 1


def compared(*texts: list[str]) -> Comparison:
    left, right = (prepared_text_document(*text) for text in texts)
    return compare(left, right, SETTINGS, None)


@pytest.mark.parametrize(
    "title",
    [
        ["My view on school uniforms"],
        ["数字媒体环境下城市公共传播的困境与对策研究"],
        ["Why should all pupils wear a school uniform?", "Tom Baker"],
    ],
)
def test_that_an_equal_title_above_two_texts_is_left_out_and_no_passage(title: list[str]) -> None:
    own, other = (" ".join(sentences) for sentences in unrelated_essays(2, 10))
    comparison = compared([*title, own], [title[0], other])
    assert not len(comparison.passages)
    assert not len(comparison.matches)
    assert comparison.share.left_in_right.after_exclusions == 0
    assert comparison.left_excluded.sentences() == [
        (line, ExclusionReason.NAME_LINE) for line in range(len(title))
    ]
    copied = compared([*title, own], [title[0], own])
    assert copied.share.left_in_right.after_exclusions == 1
    [span] = copied.passages.left_spans.tolist()
    assert own in copied.left.document.text[slice(*span)]


def test_that_lines_of_the_text_itself_are_no_titles() -> None:
    sentences = ["“We had to wear it.”", "I do not like it, and nor do you.", "Nobody asked us at all"]
    spoken = ["“Must we wear it?”", "“You must!”", *sentences[1:]]
    for text in (sentences, [" ".join(sentences)], spoken, [ESSAY], ["Nobody asked us at all"]):
        assert compared(text, text).left_excluded.count(ExclusionReason.NAME_LINE).sentences == 0
