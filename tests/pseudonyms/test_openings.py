"""Recognition of students in the first lines of a text."""

import pytest

from simcompare.pseudonyms.file_names import read_opening


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("河边的童年\n姓名：李小明\n我家门前有一条小河。", "李小明", ""),
        ("姓名：李小明 学号：20230107 班级：三（2）班\n河边的童年", "李小明", "20230107"),
        ("姓 名：___李 明___  学校：实验小学", "李明", ""),
        ("姓名:欧阳娜娜班级:高一3班", "欧阳娜娜", ""),
        ("学生姓名：阿依古丽·买买提", "阿依古丽·买买提", ""),
        ("姓名   王小红   班级   三(1)", "王小红", ""),
        ("My mother\nClass 7B  Li Hua\nShe is a nurse.", "Li Hua", ""),
        ("Tom Ray 20230107", "Tom Ray", "20230107"),
        ("三年级2班 李小明 学号20230107\n河边的童年", "李小明", "20230107"),
        ("河边的童年\n七（3）班 王芳\n我家门前有一条小河。", "王芳", ""),
        ("高一(3)班　陳怡君", "陳怡君", ""),
        ("20230112 王芳", "王芳", "20230112"),
        ("作文\n作者：方圆", "方圆", ""),
        ("河边的童年\n李小明\n我家门前有一条小河。", "李小明", ""),
        ("My day\nName: Li Xiaoming\tClass: 7B", "Li Xiaoming", ""),
        ("Name: John Smith  Date: 7 March", "John Smith", ""),
        ("The last bus\nBy Mary-Ann O'Neil\nIt was late.", "Mary-Ann O'Neil", ""),
        ("Name: José de la Cruz\nIt was late.", "José de la Cruz", ""),
        ("Name: Anna Maria van der Berg", "Anna Maria van der Berg", ""),
        ("Student: Smith, John\nStudent ID: S1234567", "Smith, John", "S1234567"),
    ],
)
def test_that_the_student_is_recognised_in_first_lines(text, name, number):
    info = read_opening(text)
    assert (info.name, info.number) == (name, number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "河边的童年\n我家门前有一条小河，高山在远处。",
        "三年级2班作文\n春游",
        "第3单元 作文\n家乡的石桥",
        "姓名：\n学号：",
        "姓名：______ 班级：______",
        "王老师 三年级2班\n河边",
        "姓名 班级 学号",
        "Class reader\nGrade 7 Unit 3",
        "By the river\nBy Monday we had found it.",
        "The last bus\nName the animals that you saw. They were many.",
        "方法和王芳说的一样，我们在三年级2班。",
        "家乡的石桥\n石桥记\n那年春天，我到了河边。",
    ],
)
def test_that_titles_labels_and_sentences_are_not_names(text):
    info = read_opening(text)
    assert (info.name, info.number) == ("", "")


def test_that_later_lines_are_ignored():
    assert read_opening("我家门前有一条小河。\n" * 12 + "姓名：李小明").name == ""


def test_that_the_label_author_is_less_reliable_than_name():
    assert read_opening("姓名：李小明").is_sure
    assert read_opening("三年级2班 李小明").is_sure
    assert not read_opening("作者：朱自清").is_sure
    assert not read_opening("The last bus\nBy Rachel Carson").is_sure


@pytest.mark.parametrize(
    ("line", "group"),
    [
        ("Author: Tomás Núñez-Ortega", ()),
        ("Authors: Tomás Núñez-Ortega, Ann Cole", ("Tomás Núñez-Ortega", "Ann Cole")),
        ("小组成员：周晓彤 吴昊天", ("周晓彤", "吴昊天")),
    ],
)
def test_the_members_of_a_line_of_a_group(line, group):
    assert read_opening(f"{line}\nThe rain stopped.").group == group
