"""What may still name a student is listed before an export, and replaced on request."""

from pathlib import Path

import pytest

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session

FILE = Path("田野.txt")
CLASS = (
    Student(("张伟",), ("2023010101",)),
    Student(("田野",), ("2023010102",)),
    Student(("John Smith",), ("2023010103",)),
    Student(("马静",)),
)


@pytest.fixture
def names():
    return make_pseudonyms([RecognisedStudent(FILE, "田野", "2023010102")], CLASS, "5e" * 16)


@pytest.mark.parametrize(
    ("text", "found", "student"),
    [
        ("我和张玮一起去河边。", "张玮", "张伟"),
        ("小马跑得很快。", "小马", "马静"),
        ("我走在田野上。", "田野", "田野"),
        ("Jnohn came.", "Jnohn", "John Smith"),
        ("J.S. came.", "J.S", "John Smith"),
        ("Z.W. came.", "Z.W", "张伟"),
        ("Wei came.", "Wei", "张伟"),
        ("我的学号后四位是0101。", "0101", "张伟"),
        ("我的编号是7654321。", "7654321", None),
        ("我和同桌赵丽一起玩。", "赵丽", None),
        ("她说：“我叫赵丽”。", "赵丽", None),
        ("my friend Katie went home.", "Katie", None),
        ("follow @zw_home now", "@zw_home", None),
        ("call 555-0142 now", "555-0142", None),
    ],
)
def test_that_a_place_is_listed_with_whom_it_may_name_and_is_gone_once_replaced(names, text, found, student):
    [possible] = names.possible_names({FILE: f"题目\n{text}"})
    assert (possible.text, possible.student and possible.student.names[0]) == (found, student)
    assert possible.places == ((FILE, text.index(found) + 3),)
    after = names.extended([], [possible.spelling])
    assert after.possible_names({FILE: text}) == []
    assert found not in after.replaced(text)
    if student:
        [label] = [names.label(owner) for owner in names.owners if owner.display_name.startswith(student)]
        assert label in after.replaced(text)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("小组成员：周晓彤、吴昊天、张伟", ["周晓彤", "吴昊天"]),
        ("小組成員：周曉彤（組長）、吴昊天 班级：三年级", ["周曉彤", "吴昊天"]),
        ("组员：周晓彤和吴昊天，周和平", ["周晓彤", "吴昊天", "周和平"]),
        ("组长 周晓彤", ["周晓彤"]),
        ("合作者：阿依古丽·热合曼", ["阿依古丽·热合曼"]),
        ("同组：周晓彤 吴昊天", ["周晓彤", "吴昊天"]),
        ("指导教师：刘建国教授", ["刘建国"]),
        ("Group members: Oliver Stone, John Smith", ["Oliver Stone"]),
        ("Team: Oliver Stone, Chloe Dubois and Ravi Menon", ["Oliver Stone", "Chloe Dubois", "Ravi Menon"]),
        ("Group 3:\nOliver Stone\nJohn Smith\nChloe Dubois", ["Oliver Stone", "Chloe Dubois"]),
        ("Partner: Katherine Lowe", ["Katherine Lowe"]),
        ("Submitted by Oliver Stone", ["Oliver Stone"]),
        ("From: Nora Quinn Subject: Essay", ["Nora Quinn"]),
        ("Professor Helen Brooks", ["Helen Brooks"]),
        ("Dr. Alan Reed", ["Alan Reed"]),
        ("Teacher: Mr. J. Reed", ["J. Reed"]),
    ],
)
def test_that_unknown_names_in_a_line_that_names_people_are_listed(names, line, found):
    listed = names.possible_names({FILE: f"{line}\n题目\n"})
    assert [possible.text for possible in listed] == found


@pytest.mark.parametrize(
    "text",
    [
        "定档的《我是余欢水》很好。",
        "看电影“我是余欢水”时",
        "从小张开嘴。",
        "张伟和John来了。",
        "2023年12月31日，1234人。",
        "The US and UK.",
        "老师：大家好！",
        "同学都在晒照片，那是爸爸的，同学都盯着它，老师曾在北京。",
        "The story was written by the end of May.",
    ],
)
def test_that_what_is_replaced_and_ordinary_words_are_not_listed(names, text):
    assert names.possible_names({FILE: text}) == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("何必", "昨天小何在操场上跑步。", "小何"),
        ("何必", "We asked B. He about it.", "B. He"),
        ("史可", "可同学的妈妈来了。", "可"),
        ("李春天", "放学以后，春天来了。", "春天"),
        ("赵朝阳", "Z.Zhaoyang is here.", "Z.Zhaoyang"),
        ("马力", "We asked MaLi.", "MaLi"),
        ("Grace May", "Yesterday May came.", "May"),
        ("Will Young", "Will this change? Will you? May the best win. Will was late.", "Will"),
        ("那英", "同学那英来了。", "那英"),
        ("Rose Park", "https://instagram.com/rosepark", "rosepark"),
        ("Rose Park", "see github.com/park-rose", "park-rose"),
        ("Rose Park", "rose dot park at gmail dot com", "rose dot park"),
        ("Rose Park", "http://roseparkblog.example.com", "roseparkblog"),
        ("张伟", "weixin.example/zhangweiblog", "zhangweiblog"),
        ("Joy Wood", "We asked Jyo.", "Jyo"),
        ("余欢水", "定档的《我是余欢水》很好。", "余欢水"),
    ],
)
def test_that_what_is_an_ordinary_word_as_well_is_replaced_or_listed(name, text, found):
    names = make_pseudonyms([], [Student((name,))])
    listed = [possible.text for possible in names.possible_names({FILE: text})]
    assert listed == [found] or found not in names.replaced(text)


def test_that_a_session_keeps_what_was_replaced(names, tmp_path):
    [possible] = names.possible_names({FILE: "我走在田野上。"})
    after = names.extended([], [possible.spelling])
    place = tmp_path / "class.simcompare"
    write_session(Session((SessionDocument(FILE),), pseudonyms=after), place)
    kept = read_session(place).pseudonyms
    assert "田野" not in kept.replaced("我走在田野上。")
    assert [owner.display_name for owner in kept.owners] == [owner.display_name for owner in names.owners]


def test_that_the_terminal_lists_places_and_replaces_words(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "我家门前有一条小河。\n我的好朋友张玮来了，Jnohn也来了。"
    for name in ("张伟", "李明"):
        Path(f"{name}.txt").write_text(text, encoding="utf-8")
    Path("list.csv").write_text("张伟,2023010101\n李明,2023010102\nJohn Smith,2023010103\n", encoding="utf-8")
    command = ("compare", "张伟.txt", "李明.txt", "--anonymous", "--names", "list.csv")
    result = run(*command)
    assert "4 places may still identify a student." in result.stderr
    assert "张玮 (perhaps 张伟 2023010101): …" in result.stderr
    assert "张伟.txt, line 2; 李明.txt, line 2" in result.stderr
    result = run(*command, "--replace", "张玮", "--replace", "John Smith=Jnohn")
    assert "may still name" not in result.stderr
    assert not {"张玮", "Jnohn"} & set(result.stdout)
    assert "张玮" not in result.stdout
    assert "Jnohn" not in result.stdout


def test_that_words_to_replace_without_anonymous_are_refused(run, tmp_path):
    result = run("compare", "a.txt", "b.txt", "--replace", "x")
    assert result.exit_code == 2
    assert "--replace works only with --anonymous." in result.stderr
