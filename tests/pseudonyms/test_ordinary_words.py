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


IN_LONGER_WORDS = {
    "林海": "森林海洋都很美。|我读了《林海雪原》。|密林海拔很高。|树林海边都有人。|绿色的森林\n海洋在远处。",
    "高原": "青藏高原上有牛羊。|这是高原则性的人。|要提高原有的水平。",
    "方向": "我不知道方向在哪里。|方向盘坏了，地方向来安静。",
    "安静": "教室里很安静，我安静地坐着。|一生平安静好。",
    "田野": "金黄的田野上，风很大。",
    "白云": "我明白云彩的心。|白云飘过山顶。",
    "江山": "江山如画，长江山川都在眼前。",
    "马上": "我马上就来，马上要下雨了。",
    "温暖": "气温暖和，阳光温暖如春。",
    "文静": "他把语文静静地放着。",
    "张力": "他主张力行，不说空话。",
    "金波": "黄金波动很大。",
    "高洁": "那是崇高洁净的地方。",
    "周明": "房间四周明亮。",
    "王平": "国王平静地看着他。",
    "于海": "对于海洋，我们知道得很少。|关于海底的书。|由于海水涨了，船开走了。",
    "于江": "我家位于江边。",
    "石林": "山上岩石林立。",
    "李明": "桃李明年再开。",
    "向东": "他一向东张西望。|方向东边的路。",
    "林荫": "走过林荫道，树林荫凉。",
    "云海": "白云海鸥都很美。",
    "余光": "余光中的诗。",
    "江波": "长江波涛很大。",
    "黄山": "远处有黄山松。|黄山的云很白。",
    "江河": "江河湖海|长江河水很清。",
    "金鱼": "水里有金鱼，金鱼草开花了。",
    "高考": "最高考试院。|高考题很难。",
    "钟声": "闹钟声音很大，钟声响了。",
    "白杨": "路边有一排白杨树。",
    "王海洋": "国王海洋都不怕。",
    "王明明": "国王明明知道这件事。",
    "白雪飞": "白雪飞舞，天地一色。",
    "白云飞": "白云飞舞在山顶。",
    "江水清": "江水清澈见底。",
    "温暖阳": "那是温暖阳光的味道。",
    "杨柳青": "河边杨柳青青。",
    "明月光": "明月光照大地。",
    "万里云": "万里云天，一片晴朗。",
    "高中国": "高中国庆放假了。",
    "李子明": "李子明天会红。",
    "石小海": "岩石小海龟都在那里。",
    "程天天": "课程天天都有。",
    "马路远": "马路远处有一个人。",
    "夏天天": "夏天天气很热。",
    "高山青": "高山青翠，小溪流过。",
    "叶子青": "树上的叶子青翠。",
}


@pytest.mark.parametrize("name", IN_LONGER_WORDS)
def test_that_a_name_inside_longer_words_stays_in_all_texts_and_is_listed(name):
    own = Path("own.txt")
    names = make_pseudonyms([RecognisedStudent(own, name), RecognisedStudent(Path("other.txt"), "陈雨晨")])
    for text in IN_LONGER_WORDS[name].split("|"):
        for file in (own, Path("other.txt")):
            story = f"秋天的一天\n我们学习新课文。{text}"
            assert names.replaced(story, file) == story
            assert {name} <= {
                possible.text for possible in names.possible_names({file: story})
            } or "\n" in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("林海", "我叫{}，今年十岁。"),
        ("王海洋", "昨天{}来了。"),
        ("白雪飞", "{}同学飞快地跑来。"),
        ("江水清", "问过{}了。"),
    ],
)
def test_that_such_a_name_between_words_is_replaced(name, text):
    assert replaced(name, text.format(name)) == text.format("Student 01")


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("王明", "问过{}了。|{}显得很高兴。|我和{}去了国王那里。|{}说他明白。|是{}的书。|“{}！”"),
        ("田野", "姓名：{}\n学号|作者：{}|{}同学也来了。|{}老师好。|{}说他不来。|我叫{}，今年十岁。"),
        ("田野", "三年级2班{}\n题目|（{}）|初一（二）班 {} 20231234\n秋天|——{}\n|好朋友{}来了。"),
        ("田野", "作文是{}写的。|{}画的画"),
        ("田野", "田 野\n三年级|{}|问过{}|{}_作文"),
        ("田野", "课间{}正在打篮球。|{}在教室里看书。|{}举手了。|我和{}一块儿回家。"),
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
