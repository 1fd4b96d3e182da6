"""Chinese names that are ordinary words or parts of them: replaced only where a person is meant."""

from pathlib import Path

import pytest

from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from tests.pseudonyms.students import replaced


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("王明", "国王明白了大臣的意思。"),
        ("王明", "君王明天出发。"),
        ("田野", "我走在田野上。"),
        ("田野", "田野里开满了花，田野的风吹来。"),
        ("田野", "《田野》是一首歌，田野说明了一切。"),
        ("时光", "时光，请你慢些走。"),
        ("安心", "妈妈说：“你安心学习吧。”"),
        ("于是", "于是我走了。于是，他说好。我于是说好。"),
        ("于是", "同学于是笑了。\n于是\u201c"),
        ("白雪", "白雪落在高山上，他们班白雪茫茫。"),
        ("方圆", "几何：方圆五里|方圆 10 公里|（方圆几十里）"),
        ("刘阳光", "坚持阳光操作，正午的阳光。"),
        ("向阳", "公寓有个向阳的阳台。"),
    ],
)
def test_that_ordinary_words_are_not_replaced(name, text):
    for part in text.split("|"):
        assert replaced(name, part) == part


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("王明", "问过{}了。|{}显得很高兴。|我和{}去了国王那里。|{}说他明白。|是{}的书。|“{}！”"),
        ("田野", "姓名：{}\n学号|作者：{}|{}同学也来了。|{}老师好。|{}说他不来。|我叫{}，今年十岁。"),
        ("田野", "三年级2班{}\n题目|（{}）|初一（二）班 {} 20231234\n秋天|——{}\n|好朋友{}来了。"),
        ("田野", "作文是{}写的。|{}画的画"),
        ("田野", "田 野\n三年级|{}|问过{}|{}_作文"),
        ("于是", "姓名：{}\n班级|{}同学来了。|我叫{}。|三（2）班{}\n"),
        ("时光", "同桌{}笑着看我。|我和{}一起去。|{}说：“走吧。”"),
    ],
)
def test_that_a_word_in_the_context_of_a_person_is_replaced(name, texts):
    for text in texts.split("|"):
        assert "Student 01" in replaced(name, text.format(name)), text
        assert name not in replaced(name, text.format(name)), text


@pytest.mark.parametrize(
    ("name", "text"),
    [("Summer Brown", "昨天Summer同学来了。"), ("刘阳光", "阳光同学来了。")],
)
def test_that_other_forms_of_names_that_are_words_are_replaced(name, text):
    assert "Student 01" in replaced(name, text)


def test_that_the_name_is_replaced_in_the_first_lines_of_the_own_text():
    file = Path("田野.docx")
    names = make_pseudonyms([RecognisedStudent(file, "田野")])
    text = "秋天的歌\n田野三年级\n我走在田野上，田野里很美。"
    assert names.replaced(text, file) == "秋天的歌\nStudent 01三年级\n我走在田野上，田野里很美。"


@pytest.mark.parametrize("text", ["国王李小明白了", "王李小明天去", "在李小明天里"])
def test_that_a_name_of_three_characters_is_always_replaced(text):
    assert "李小明" not in replaced("李小明", text)


def test_that_a_name_that_is_a_word_is_recognised_in_a_file_name():
    files = [Path("田野石桥记.docx"), Path("2班_时光_作文.docx"), Path("安心20231234.docx")]
    listed = [Student(("田野",)), Student(("时光",)), Student(("安心",))]
    names = make_pseudonyms(propose(files, listed), listed)
    assert [names.owner_of(file).student.names[0] for file in files] == ["田野", "时光", "安心"]


@pytest.mark.parametrize("name", ["李俊", "李伟", "王建", "刘芳", "李强", "王平", "金波", "张力", "石磊"])
def test_that_a_name_that_is_not_a_word_is_found_at_all_word_boundaries(name):
    assert replaced(name, f"昨天我和{name}去了河边。") == "昨天我和Student 01去了河边。"


def test_that_the_terminal_lists_the_places_of_names_that_are_ordinary_words(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("田野", "李明"):
        Path(f"{name}.txt").write_text("我家门前有一条小河，田野里开满了花。", encoding="utf-8")
    result = run("compare", "田野.txt", "李明.txt", "--anonymous")
    assert "田野 (perhaps 田野): …" in result.stderr
    assert "田野里开满了花" in result.stdout
