"""Files in the folder of a class that cannot be essays: named once with the reason, and no students."""

import json
import os

import pytest

from simcompare.cli import class_inputs

ESSAYS = {
    "20260001-王小明": "外婆家的院子里有一口老井，夏天井水凉得刺骨。我常把西瓜放进竹篮，慢慢沉到水底。",
    "20260002-李雷": "火车穿过隧道的时候，车厢里忽然安静下来。对面的老人合上报纸，望着窗外漆黑的岩壁。",
    "20260003-韩梅": "实验室的灯一直亮到深夜，培养皿排成整齐的两行。老师教我们用显微镜数酵母菌的芽体。",
}
PAGE = "<!doctype html><title>{}</title><body>{}</body>"
WRONG = {
    "安装程序.exe": (b"MZ\x90\0\3\0\0\0" + bytes(200), "not an essay (program)"),
    "周晓彤.py": (b"print('hello, my fog')\n", "not an essay (program, settings or data"),
    "settings.json": (b'{"theme": "a dark one"}', "not an essay (program, settings or data"),
    "readme.md": (b"Write about your own day, 600 words.", "not an essay (the task or instructions"),
    "题目.txt": ("请以难忘的瞬间为题写一篇记叙文，不少于六百字。".encode(), "not an essay (the task"),
    "lib.so": (b"\x7fELF\2\1\1" + bytes(200), "not an essay (program)"),
    "run.bat": (b"@echo off\r\ndir\r\n", "not an essay (program)"),
    "作文.lnk": (bytes.fromhex("4c0000000114020000000000c0000000") + bytes(99), "not an essay (shortcut"),
    "essay.url": (b"[InternetShortcut]\r\nURL=https://example.com/\r\n", "not an essay (shortcut"),
    "录音.mp3": (b"ID3\4\0\0\0\0\0\0\1\2\3" + bytes(99), "not an essay (sound or video recording)"),
    "视频.mp4": (b"\0\0\0\x18ftypmp42" + bytes(99), "not an essay (sound or video recording)"),
    "marks.db": (b"SQLite format 3\0" + bytes(99), "not an essay (database)"),
    "20260004-钱七.txt": ("你好老师呀".encode(), "not an essay (its text has fewer than 10"),
    "hello.txt": (b"Hello", "not an essay (its text has fewer than 10"),
    "成绩.xlsx": (b"PK\3\4 cut short", "not an essay (damaged workbook; if it is the class list"),
    "成绩.numbers": (b"PK\3\4 Index/Document.iwa", "not an essay (damaged workbook"),
    "评分表.csv": ("题目,满分,得分\n一,20,18\n二,30,25\n三,50,44\n".encode(), "not an essay (table of"),
    "下载.html": (PAGE.format("Error", "<h1>404 Not Found</h1>").encode(), "not an essay (web page with"),
    "作文.docx": (PAGE.format("统一认证", "用户名：密码：登录").encode(), "not an essay (web page with"),
    "空.docx": (b"", "is empty"),
    "20260009-何静.docx": (b"PK\3\4 cut short", "is damaged"),
    "Photo Tim Park.jpg": (b"\xff\xd8\xff\xe0 cut short", "is damaged"),
    "a\u202etxt.exe": (b"MZ\x90\0\3" + bytes(99), "not an essay (program)"),
}  # fmt: skip
SKIPPED = (".DS_Store", "Thumbs.db", "desktop.ini", "~$作文.docx", "~WRL0001.tmp")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "class"
    (folder / "folder.docx").mkdir(parents=True)
    for name, text in ESSAYS.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    for name, (data, _reason) in WRONG.items():
        (folder / name).write_bytes(data)
    for name in SKIPPED:
        (folder / name).write_bytes(b"\0\1\2")
    return folder


def test_that_files_that_are_no_essays_are_named_once_and_are_no_students(folder, run):
    # but 何静 and Tim Park handed in what could not be read
    lines = run("check", str(folder), "--language", "en").stdout.splitlines()
    count = len(WRONG)
    assert lines[0] == f"Handed in: 5 students, {3 + count} files (of these {count} not checked)"
    shown = {name: name.replace("\u202e", "[U+202E]") for name in (*WRONG, *SKIPPED)}
    named = {name: [line for line in lines if f" {shown[name]} " in f" {line}"] for name in shown}
    assert all(len(found) == (name in WRONG) for name, found in named.items())
    assert not {name for name, (_data, reason) in WRONG.items() if reason not in named[name][0]}


def test_that_the_json_gives_the_reason_of_each_file_and_lists_no_student_for_it(folder, run):
    value = json.loads(run("check", str(folder), "--to", "json", "--language", "en").stdout)
    assert {student["name"] for student in value["students"]} == {"王小明", "李雷", "韩梅"}
    reasons = {os.path.basename(each["path"]): each["reason"] for each in value["not_checked"]}  # noqa: PTH119
    assert reasons.keys() == WRONG.keys()
    assert not {name for name, (_data, reason) in WRONG.items() if reason not in reasons[name]}


def test_that_a_listed_student_who_handed_in_no_essay_is_not_missing(folder, run):
    roster = "学号,姓名\n20260001,王小明\n20260002,李雷\n20260003,韩梅\n20260004,钱七\n20260005,吴芳\n"
    (folder / "名单.csv").write_text(roster, encoding="utf-8")
    value = json.loads(run("check", str(folder), "--to", "json").stdout)
    assert [student["name"] for student in value["missing_students"]] == ["吴芳"]


def test_that_the_class_report_names_each_file_once_with_its_reason(folder, run, tmp_path):
    run("check", str(folder), "--to", "html", "--output", str(tmp_path / "report.html"), "--language", "en")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for name in ("安装程序.exe", "评分表.csv", "hello.txt"):
        assert page.count(f"<bdi>{name}</bdi>") == 1
    assert page.count("This file is not an essay (") == sum(
        "not an essay" in each for _data, each in WRONG.values()
    )
    assert "<td>安装程序" not in page


def test_that_poems_lists_tables_with_prose_and_pages_about_errors_are_essays(tmp_path, run):
    story = "实验一共做了三次，每一次我们都认真记下水温和时间，"
    texts = {
        "poem.txt": "白日依山尽，黄河入海流。\n欲穷千里目，更上一层楼。",
        "caesar.txt": "I came, I saw, 3\nWe fought, 4, and won\nAll went home, 5, singing",
        "market.txt": "six eggs, 6\nripe plums, 12\nsmall breads, 2",
        "counting.txt": "我来了,3,你见了\n他打了,4,都赢了\n回家了,唱着歌,5",
        "days.txt": "星期一;3;只鸟飞来。\n星期二;5;只鸟飞走。",
        "report.txt": "\n".join(f"第{n}次,{story},{n}" for n in "一二三四五") + "\n一,20,3\n二,30,4",
        "short.html": PAGE.format(
            "思念", "<p>有一种离别不存在，</p><p>有一条小路通向家门，</p><p>母亲在等我。</p>"
        ),
        "safe.html": PAGE.format(
            "My website",
            "<p>I opened my first website, saw 404 and cried. My father helped me and together we found "
            "a password and the mistake.</p>",
        ),
        "page.html": PAGE.format("我的错误", f"<p>{story * 4}后来登录网站时我忘了密码。</p>"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    value = json.loads(run("check", str(tmp_path), "--to", "json").stdout)
    assert {document["name"] for document in value["documents"]} == texts.keys()


def test_that_the_task_among_the_essays_is_named_as_template_and_no_student(tmp_path, run):
    task = "请结合自己的亲身经历，写一篇不少于四百字的记叙文，题目自拟，文体不限，不得抄袭。"
    bodies = (
        *ESSAYS.values(),
        "足球赛下半场下起了暴雨，球鞋陷在泥里。",
        "邮局门口的绿色信箱已经锈了，没有人投信。",
    )
    for number, body in enumerate(bodies):
        (tmp_path / f"2026000{number}-{'王李韩赵孙'[number]}敏.txt").write_text(
            f"{task}\n{body}", encoding="utf-8"
        )
    (tmp_path / "作文要求.txt").write_text(task, encoding="utf-8")
    value = json.loads(run("check", str(tmp_path), "--to", "json", "--language", "en").stdout)
    assert len(value["students"]) == len(bodies)
    (named,) = value["not_checked"]
    assert (
        "作文要求.txt is not an essay (only text that is common to the class: a template" in named["reason"]
    )
    given = run("check", str(tmp_path), "--template", str(tmp_path / "作文要求.txt"), "--to", "json").stdout
    assert json.loads(given)["not_checked"] == []


def test_that_too_many_files_are_refused_before_they_are_read(folder, run, monkeypatch):
    monkeypatch.setattr(class_inputs, "MOST_FILES", 3)
    done = run("check", str(folder), "--language", "en")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "files cannot be compared each with all others, 3 at most." in done.stderr


def test_that_a_session_is_no_archive_of_essays(folder, run, tmp_path):
    session = tmp_path / "last.simcompare"
    run("check", str(folder), "--session", str(session))
    result = run("check", str(session), "--language", "en")
    assert (result.exit_code, result.stdout) == (1, "")
    sentence = "is not an essay (saved session; open it with “Open session…” or “simcompare report”)."
    assert result.stderr.startswith(f"last.simcompare {sentence}")
    renamed = session.rename(tmp_path / "last.zip")
    assert f"last.zip {sentence}" in run("check", str(renamed), "--language", "en").stderr
    for name in SKIPPED:
        (folder / name).unlink()
    renamed.rename(folder / session.name)
    result = run("check", str(folder), "--language", "en")
    assert result.stderr.count(f"last.simcompare {sentence}") == 1
    count = len(WRONG)
    assert result.stdout.startswith(
        f"Handed in: 5 students, {3 + count} files (of these {count} not checked)"
    )


@pytest.mark.parametrize("name", ["roster.csv", "roster.txt"])
def test_that_a_class_list_among_the_essays_is_named_and_counts(folder, run, name):
    (folder / name).write_text("姓名\n王小明\n李雷\n韩梅\n吴敏\n", encoding="utf-8")
    result = run("check", str(folder), "--language", "en")
    assert f"{name} is a class list, not an essay." in result.stderr
    assert "Not handed in: 吴敏" in result.stdout
    assert "5 students" in result.stdout
