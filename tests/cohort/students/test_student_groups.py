"""Files grouped by student: drafts, appendices, duplicates, and who has not handed in."""

from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.cohort.class_check import is_named_as_task
from simcompare.cohort.document_preparation import submitted_files
from simcompare.cohort.student_groups import FileRole, SubmittedText, group_by_student, submitted_text
from simcompare.loading import load_document
from simcompare.pseudonyms.roster import read_students
from simcompare.pseudonyms.students import Student
from tests.helpers.archives import write_zip
from tests.helpers.documents import shared_path

CURRENT, DRAFT, APPENDIX, DUPLICATE = FileRole


def text(name, **values):
    return SubmittedText(Path("class", name), **{"sha256": name, **values})


def grouped(*texts, listed=()):
    """Students as (id, name, {file: role}), and the names of those without a file."""
    texts = [text(t) if isinstance(t, str) else t for t in texts]
    groups = group_by_student(texts, listed)
    files = [text.path.relative_to("class").as_posix() for text in texts]
    students = [(s.id, s.name, {files[n]: str(s.files[n]) for n in s.files}) for s in groups.students]
    return students, [student.names[0] for student in groups.missing]


def units(*texts, listed=()):
    return [list(files) for _id, _name, files in grouped(*texts, listed=listed)[0]]


LISTED = (
    Student(("王伟",), ("20250001",)),
    Student(("李芳",), ("20250002",)),
    Student(("王伟",), ("20250003",)),
    Student(("Anna Kowalski",), ("20250004",)),
)


def test_that_a_draft_is_folded_away_and_missing_students_are_named():
    students, missing = grouped(
        "20250002-李芳（初稿）.txt", "20250002-李芳.txt", "20250001-王伟.txt", listed=LISTED
    )
    assert students == [
        ("20250002", "李芳", {"20250002-李芳.txt": "current", "20250002-李芳（初稿）.txt": "draft"}),
        ("20250001", "王伟", {"20250001-王伟.txt": "current"}),
    ]
    assert missing == ["王伟", "Anna Kowalski"]


@pytest.mark.parametrize("listed", [(), LISTED])
def test_that_students_of_the_same_name_stay_apart_by_number(listed):
    files = ["20250001-王伟.txt", "20250003-王伟.txt", "20250002-李芳.txt"]
    students, _missing = grouped(*files, listed=listed)
    assert [(key, name) for key, name, _files in students] == [
        ("20250001", "王伟"), ("20250003", "王伟"), ("20250002", "李芳"),
    ]  # fmt: skip


@pytest.mark.parametrize("listed", [(), LISTED])
def test_that_a_file_that_may_be_of_two_students_is_a_unit_of_its_own(listed):
    files = ["20250001-王伟.txt", "20250003-王伟.txt", "王伟 终稿.txt"]
    assert units(*files, listed=listed) == [[file] for file in files]


def test_that_a_file_without_a_number_joins_the_only_student_of_its_name():
    assert units("20250002-李芳.txt", "李芳 初稿.txt", "20250001-王伟.txt") == [
        ["20250002-李芳.txt", "李芳 初稿.txt"], ["20250001-王伟.txt"],
    ]  # fmt: skip


def test_that_a_name_alone_joins_a_number_only_as_a_draft_or_by_the_class_list():
    files = ["20250002-李芳.txt", "李芳.txt", "20250001-王伟.txt"]
    assert units(*files) == [[file] for file in files]
    assert sorted(map(len, units(*files, listed=LISTED))) == [1, 2]


def test_that_the_number_of_one_student_and_the_name_of_another_join_neither():
    files = ["20250001-王伟.txt", "20250002-李芳.txt", "20250002-王伟.txt"]
    students, missing = grouped(*files, listed=LISTED)
    assert [list(own) for _key, _name, own in students] == [[file] for file in files]
    # either may have handed it in
    assert missing == ["Anna Kowalski"]
    assert units("20250001-王伟.txt", "20250001-李芳.txt") == [["20250001-王伟.txt"], ["20250001-李芳.txt"]]


def test_that_a_mistyped_number_is_not_reported_as_missing():
    students, missing = grouped("20259002-李芳.txt", "20250001-王伟.txt", listed=LISTED)
    assert students[0][:2] == ("20259002", "李芳")
    assert missing == ["王伟", "Anna Kowalski"]


def test_that_the_same_name_in_folders_of_two_classes_is_not_joined():
    assert units("1班/刘静.txt", "2班/刘静.txt", "1班/陈丽.txt") == [
        ["1班/刘静.txt"], ["2班/刘静.txt"], ["1班/陈丽.txt"],
    ]  # fmt: skip
    assert units("初稿/刘静.txt", "定稿/刘静.txt", "初稿/陈丽.txt") == [
        ["定稿/刘静.txt", "初稿/刘静.txt"], ["初稿/陈丽.txt"],
    ]  # fmt: skip


@pytest.mark.parametrize("listed", [(), LISTED])
def test_that_essays_about_a_student_are_not_joined_with_those_of_the_student(listed):
    files = ["写给李芳的信.txt", "我的同桌李芳.txt", "李芳.txt", "刘静.txt"]
    assert units(*files, listed=listed) == [[file] for file in files]


@pytest.mark.parametrize("listed", [(), (*LISTED, Student(("陈丽",), ("20250005",)))])
def test_that_a_file_in_the_folder_of_another_student_is_no_draft(listed):
    files = ["李芳/作文.txt", "陈丽/李芳.txt", "刘静/作文.txt"]
    assert units(*files, listed=listed) == [[file] for file in files]
    groups = group_by_student(list(map(text, files)), listed)
    assert groups.students[1].other_names == ("陈丽",)


@pytest.mark.parametrize(
    ("names", "current"),
    [
        (["初稿", "二稿", "定稿"], "定稿"),
        (["修改稿", "初稿", "第二稿"], "修改稿"),
        (["", "初稿"], ""),
        (["", "_v2"], "_v2"),
        (["_v1", ""], ""),
        (["_v1", "_v3", "_v2"], "_v3"),
        ([" draft", " final"], " final"),
        ([" first draft", " second draft"], " second draft"),
        (["", "(1)", "（2）"], "（2）"),
        (["最终版", "最终版2"], "最终版2"),
        (["作文", "作文附件"], "作文"),
        (["作文初稿", "作文封面"], "作文初稿"),
    ],
)
def test_that_draft_words_decide_before_time_and_length(names, current):
    texts = [
        text(f"20250001-王伟{name}.docx", modified=-3600.0 * n + 1e9, characters=5000 - n)
        for n, name in enumerate(names)
    ]
    for order in (texts, texts[::-1]):
        (student,) = group_by_student(order).students
        assert order[student.current].path.name == f"20250001-王伟{current}.docx"
        assert len(student.files) == len(names)


def test_that_time_decides_before_length_and_moments_do_not_count():
    early, late = (
        text(f"20250001-王伟-{name}.txt", modified=at, characters=count)
        for name, at, count in (("作文", 1e9, 900), ("作业", 1e9 + 7200, 300))
    )
    assert group_by_student([early, late]).students[0].current == 1
    unpacked = SubmittedText(early.path, "1", 900, 1e9), SubmittedText(late.path, "2", 300, 1e9 + 5)
    assert group_by_student(unpacked).students[0].current == 0


def test_that_copies_of_one_file_are_folded_and_an_appendix_never_counts():
    students, _missing = grouped(
        text("20250001-王伟.docx", sha256="same"),
        text("王伟_20250001.docx", sha256="same"),
        text("20250001-王伟-附件.docx", characters=90_000, modified=2e9),
    )
    assert sorted(students[0][2].values()) == ["appendix", "current", "duplicate"]
    assert students[0][2]["20250001-王伟-附件.docx"] == "appendix"
    # a copied text of another student is evidence, not a duplicate
    assert units(text("20250001-王伟.docx", sha256="same"), text("20250002-李芳.docx", sha256="same")) == [
        ["20250001-王伟.docx"], ["20250002-李芳.docx"],
    ]  # fmt: skip


def test_that_files_without_a_student_are_units_of_their_own():
    students, _missing = grouped("a/essay.txt", "b/essay.txt", "c/桥.txt")
    assert students == [
        ("a/essay.txt", "", {"a/essay.txt": "current"}),
        ("b/essay.txt", "", {"b/essay.txt": "current"}),
        ("桥.txt", "", {"c/桥.txt": "current"}),
    ]
    copies = [text(name, sha256="same") for name in ("a/essay.txt", "a/essay (1).txt", "b/essay.txt")]
    assert units(*copies) == [["a/essay.txt", "a/essay (1).txt"], ["b/essay.txt"]]


def test_that_a_copied_cover_does_not_join_two_files():
    cover = "家乡的桥\n姓名：刘静\n学号：20250009\n雾漫过河。"
    files = [text("a/essay.txt", opening=cover), text("b/essay.txt", opening=cover)]
    assert units(*files) == [["a/essay.txt"], ["b/essay.txt"]]
    listed = (Student(("刘静",), ("20250009",)),)
    assert grouped(files[0], listed=listed)[1] == []


MOODLE = "{}_{}_assignsubmission_file_"


def test_that_folders_of_moodle_are_students():
    folders = [MOODLE.format(*own) for own in (("Anna Kowalski", 17), ("王小明", 18), ("王小明", 19))]
    files = [f"{folders[0]}/鲁迅读后感.docx", f"{folders[0]}/鲁迅读后感 draft.docx"]
    files += [f"{folder}/essay.docx" for folder in folders[1:]]
    students, missing = grouped(*files, listed=LISTED)
    assert [(name, list(own)) for _key, name, own in students] == [
        ("Anna Kowalski", files[:2]), ("王小明", files[2:3]), ("王小明", files[3:]),
    ]  # fmt: skip
    assert students[0][0] == "20250004"
    assert [key for key, _name, _own in students[1:]] == ["王小明", "王小明 (2)"]
    assert missing == ["王伟", "李芳", "王伟"]


def test_that_files_of_moodle_without_folders_are_students():
    files = [MOODLE.format("Anna Kowalski", 17) + "essay.docx", MOODLE.format("Ben Adams", 18) + "essay.docx"]
    files.append("Ben Adams_18_assignsubmission_onlinetext_.html")
    students, _missing = grouped(*files)
    assert [(name, len(own)) for _key, name, own in students] == [("Anna Kowalski", 1), ("Ben Adams", 2)]


def test_that_names_of_canvas_are_matched_with_the_class_list():
    files = [
        "kowalskianna_late_12345_67890_essay.docx",
        "kowalskianna_12345_67891_essay-1.docx",
        "adamsben_12346_67892_My final essay.docx",
        "王伟_12347_67893_作文.docx",
        "王伟_12348_67894_作文.docx",
    ]
    students, missing = grouped(*files, listed=(*LISTED, Student(("Ben Adams",), ("20250005",))))
    assert [(name, len(own)) for _key, name, own in students] == [
        ("Anna Kowalski", 2), ("Ben Adams", 1), ("王伟", 1), ("王伟", 1),
    ]  # fmt: skip
    assert missing == ["李芳"]


def test_that_archives_of_students_in_the_archive_of_the_class_are_students():
    students, _missing = grouped(
        "kowalskianna_12345_67890_work.zip/essay.docx",
        "kowalskianna_12345_67890_work.zip/附件.docx",
        "adamsben_12346_67891_work.zip/essay.docx",
        listed=LISTED,
    )
    assert [(name, list(own.values())) for _key, name, own in students] == [
        ("Anna Kowalski", ["current", "appendix"]), ("adamsben", ["current"]),
    ]  # fmt: skip
    students, _missing = grouped(*(f"{own}.zip/作业.docx" for own in ("王伟_20250001", "李芳_20250002")))
    assert [(key, name) for key, name, _own in students] == [("20250001", "王伟"), ("20250002", "李芳")]


@pytest.mark.parametrize(
    "form",
    [
        "{number}-{name}-作业.docx",
        "{name}_{number}/作业.docx",
        "{number}_{name}/第3次作业.docx",
        "{name}_{number}_20260301_作文.docx",
    ],
)
def test_that_names_of_chaoxing_are_understood(form):
    class_list = [("20250001", "王伟"), ("20250002", "李芳"), ("20250003", "王伟"), ("20250004", "石桥")]
    files = [form.format(number=number, name=name) for number, name in class_list]
    students, missing = grouped(*files, listed=[Student((n,), (k,)) for k, n in class_list])
    assert [(key, name) for key, name, _own in students] == class_list
    assert missing == []
    assert [key for key, _name, _own in grouped(*files)[0]] == [number for number, _name in class_list]


def test_that_a_zip_with_a_class_list_is_read_as_a_class(tmp_path):
    essays = {
        f"2025000{n}-{name}.txt": f"{name}写的河。".encode() for n, name in enumerate(["张敏", "刘静"], 1)
    }
    roster = "学号,姓名\n20250001,张敏\n20250002,刘静\n20250003,陈丽\n".encode("gb18030")
    members = {**essays, "名单.csv": roster, "__MACOSX/._x": b"x", "../刘静.txt": b"x"}
    archive = write_zip(tmp_path / "class.zip", members, "gb18030")
    files = submitted_files([archive])
    assert [path.name for path in files.documents] == list(essays)
    assert [path.name for path in files.rosters] == ["名单.csv"]
    assert len(files.refused) == 1
    texts = [submitted_text(load_document(path)) for path in files.documents]
    groups = group_by_student(texts, read_students(files.rosters[0]))
    assert [student.display_name for student in groups.missing] == ["陈丽 20250003"]
    assert [list(student.files.values()) for student in groups.students] == [[CURRENT]] * 2


def test_that_drafts_and_missing_students_of_a_whole_class_are_found():
    files = submitted_files([shared_path("bench", "class-dev")])
    (roster,) = files.rosters
    essays = [path for path in files.documents if path.parent.name == "essays"]
    texts = [submitted_text(load_document(path)) for path in essays]
    drafts = shared_path("bench", "class-dev", "drafts.tsv").read_text(encoding="utf-8").splitlines()
    for listed in ((), read_students(roster)):
        groups = group_by_student(texts, listed)
        roles = {essays[n].name: role for student in groups.students for n, role in student.files.items()}
        folded = {name: role for name, role in roles.items() if role is not CURRENT}
        assert folded == {line.split("\t")[1]: DRAFT for line in drafts}
        assert len(groups.students) == len(essays) - len(drafts)
    handed_in = {path.name[:8] for path in essays}
    assert [(s.names, s.numbers) for s in groups.missing] == [
        (s.names, s.numbers) for s in read_students(roster) if s.numbers[0] not in handed_in
    ]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Brown, John.html", "John Brown"),
        ("O'Neil, Mary Ann - essay.txt", "Mary Ann O'Neil"),
        ("Wang, Xiaoming.docx", "Wang Xiaoming"),
        ("John Brown.txt", "John Brown"),
    ],
)
def test_that_the_surname_before_a_comma_is_shown_behind_the_given_name(file, name):
    [(_id, shown, files)] = grouped(file)[0]
    assert shown == name
    assert list(files) == [file]


def test_that_a_listed_student_is_shown_as_the_class_list_does():
    listed = (Student(("Brown, John",), ("7",)), Student(("Mary Green",), ("8",)))
    students, _missing = grouped("Brown, John.html", "Green, Mary.html", listed=listed)
    assert [name for _id, name, _files in students] == ["Brown, John", "Mary Green"]


def test_that_two_files_of_one_name_in_both_orders_are_of_one_student():
    assert units("Brown, John.html", "John Brown draft.html") == [
        ["Brown, John.html", "John Brown draft.html"]
    ]


CLASSMATES = ("张明明-作文.docx", "Alice Moore essay.docx", "陈大伟-作文.docx", "刘思远-作文.docx")


def copies(opening, *names, content=7):
    return [text(name, opening=opening, content=content, sha256=name) for name in names]


@pytest.mark.parametrize("listed", [(), (Student(("李小红",), ("1",)), Student(("赵小刚",), ("2",)))])
@pytest.mark.parametrize("opening", ["家乡的桥\n姓名：李小红 班级：高一（3）班\n雾漫过河。", "雾漫过河。"])
@pytest.mark.parametrize("copy", ["副本.docx", "Copy of essay.docx", "作文 - 副本.docx", "复件 作文.pdf"])
def test_that_a_copy_named_after_nobody_is_of_the_student_whose_text_it_is(copy, opening, listed):
    files = ["李小红-作文.docx", copy]
    assert units(*copies(opening, *files), *CLASSMATES, listed=listed)[0] == files
    # two students handed in the same: a text that names neither may be a copy of either
    files = ["李小红-作文.docx", "赵小刚-作文.docx", copy]
    own = [[files[0], copy], [files[1]]] if "李小红" in opening else [[file] for file in files]
    assert units(*copies(opening, *files), *CLASSMATES, listed=listed)[: len(own)] == own


def test_that_of_one_text_the_decided_file_or_else_the_first_counts_whatever_the_copy_is_called():
    for name in ("王伟-作文.docx", "王伟-作文(1).docx", "王伟-作文定稿.docx"):
        files = [
            text(f"{folder}/20250001-{title}", sha256="same", modified=at)
            for folder, title, at in (("new", "王伟-作文.docx", 1e9), ("again", name, 1e9 + 7200))
        ]
        decided = (
            [replace(files[0], is_decided=True), files[1]],
            [files[0], replace(files[1], is_decided=True)],
        )
        found = [group_by_student(each).students for each in (files, *decided)]
        assert [[student.current for student in students] for students in found] == [[0], [0], [1]]


def test_that_of_one_text_the_file_not_named_as_a_copy_counts_though_the_copy_is_later():
    for files in (
        ["李小红-作文.docx", "李小红-作文 - 副本.docx"],
        ["Ann Lee 8.docx", "Copy of Ann Lee 8.docx"],
    ):
        own, copy = (
            text(name, content=7, modified=when) for name, when in zip(files, (1e6, 9e6), strict=True)
        )
        for order in ((own, copy), (copy, own)):
            (student,) = grouped(*order)[0]
            assert student[2][files[0]] == str(CURRENT)
        changed = text(files[1], content=8, modified=9e6)
        (student,) = grouped(own, changed)[0]
        assert student[2][files[1]] == str(CURRENT), "it is a later version"


@pytest.mark.parametrize("name", ["新建 Microsoft Word 文档.docx", "作文.docx", "Document1.docx"])
def test_that_an_untitled_copy_is_of_the_student_named_in_its_text(name):
    own = copies("姓名：李小红\n雾漫过河。", "李小红-作文.docx", name)
    assert list(map(len, units(*own, *CLASSMATES))) == [2, 1, 1, 1, 1]
    assert list(map(len, units(*copies("姓名：李小红\n雾。", name, "副本.docx"), *CLASSMATES))) == [
        2,
        1,
        1,
        1,
        1,
    ]
    # another student may have handed in a text without a name
    assert list(map(len, units(*copies("雾漫过河。", "李小红-作文.docx", name)))) == [1, 1]


def test_that_identical_files_of_two_students_stay_a_pair():
    opening = "姓名：李小红\n雾漫过河。"
    for files in (
        ["李小红-作文.docx", "赵小刚.docx"],
        ["李小红-作文.docx", "赵小刚 - 副本.docx"],
        ["李小红-作文.docx", "河边的阿强.docx"],
        ["李小红/作文.docx", "赵小刚/副本.docx"],
        ["李小红-作文.docx", "阿强/副本.docx"],
    ):
        assert units(*copies(opening, *files), *CLASSMATES)[:2] == [[file] for file in files]
    both = [*copies(opening, "李小红-作文.docx"), *copies(opening, "副本.docx", content=8)]
    assert units(*both) == [["李小红-作文.docx"], ["副本.docx"]]


TEAM = tuple(Student((name,)) for name in ("刘洋", "王芳", "周晓彤", "吴昊天", "Alice Moore", "Bob Hill"))


@pytest.mark.parametrize("listed", [(), TEAM])
@pytest.mark.parametrize(
    ("name", "opening", "student", "others"),
    [
        ("刘洋&王芳.txt", "", "刘洋", ("王芳",)),
        ("刘洋和王芳的报告.txt", "", "刘洋", ("王芳",)),
        ("Alice Moore & Bob Hill.txt", "", "Alice Moore", ("Bob Hill",)),
        ("Alice Moore and Bob Hill essay.txt", "", "Alice Moore", ("Bob Hill",)),
        ("马原作业.txt", "小组成员：周晓彤、吴昊天\n路灯下只有白气。", "周晓彤", ("吴昊天",)),
        ("王芳.txt", "我们的桥\n组长：周晓彤 组员：王芳 吴昊天\n雾漫过河。", "王芳", ("周晓彤", "吴昊天")),
        ("刘洋.txt", "小组成员：王芳、周晓彤\n路灯下只有白气。", "刘洋", ("王芳", "周晓彤")),
        ("essay.txt", "Group members: Alice Moore and Bob Hill\nFog rose.", "Alice Moore", ("Bob Hill",)),
    ],
)
def test_that_no_author_of_joint_work_is_missing(name, opening, student, others, listed):
    groups = group_by_student([text(name, opening=opening)], listed)
    (only,) = groups.students
    assert (only.name, only.other_names) == (student, others)
    missing = {each.names[0] for each in groups.missing}
    assert missing == {each.names[0] for each in listed} - {student, *others}


def test_that_the_author_of_a_copied_first_line_is_missing():
    copy = text("刘洋.txt", opening="姓名：王芳\n路灯下只有白气。")
    assert [student.names[0] for student in group_by_student([copy], TEAM[:2]).missing] == ["王芳"]


@pytest.mark.parametrize(
    ("name", "opening", "student", "others"),
    [
        ("马原作业-最终版.txt", "路灯下只有白气。", "", ()),
        ("《祝福》读后感.txt", "《祝福》读后感\n作者：陈静怡\n雾漫过河。", "陈静怡", ()),
        ("苏轼.txt", "论苏轼的豁达\n高二（1）班 何雨\n雾漫过河。", "何雨", ("苏轼",)),
        ("王芳.txt", "论苏轼的豁达\n高二（1）班 何雨\n雾漫过河。", "王芳", ("何雨",)),
        ("Marie Curie and Albert Einstein - Tom Reed.txt", "", "Tom Reed", ()),
    ],
)
def test_that_courses_and_titles_are_no_students(name, opening, student, others):
    (only,) = group_by_student([text(name, opening=opening)]).students
    assert (only.name, only.other_names) == (student, others)


TASKS = [
    "作文题目",
    "月考作文题目",
    "期末作文要求（定稿）",
    "高一期末作文题目",
    "高三第二次月考作文题目_v2",
    "七年级语文第三单元作文题目",
    "高一（3）班月考作文题目",
    "期中考试作文题",
    "2025-2026学年第一学期高一月考作文题目",
    "材料作文题目及要求",
    "作文题目（月考）",
    "月考作文題目",
    "《红楼梦》读后感要求",
    "课程论文写作指南",
    "Essay question",
    "Midterm essay question",
    "HIST101 assignment brief",
    "Essay 2 prompt",
    "Task sheet HI2041",
    "Question 1",
    "HIST 101 - Final essay questions (v2)",
    "Week 3 writing task",
    "Term 2 Assessment task sheet",
    "Task sheet - mobile phones",
    "Assignment brief_Should phones be banned",
]
ESSAYS = [
    "王伟-我的题目",
    "张三_作文题目之我见",
    "高一3班王伟作文题目",
    "人生的说明",
    "我的题目",
    "难忘的考题",
    "月考作文",
    "第3题",
    "说明文作业",
    "高三第二次月考王伟",
    "Smith essay question",
    "Task sheet - Emma Clarke",
    "Essay question - Emma Clarke",
    "Assignment brief_Li Wei",
    "A difficult question",
    "Final essay",
    "John Brief - essay",
    "Wang 2025001 prompt",
]


@pytest.mark.parametrize("name", TASKS)
def test_that_the_name_of_a_task_is_no_students(name):
    assert is_named_as_task(Path(f"{name}.docx"))
    students = grouped("2025101-王思远.docx", "2025102-李雨桐.docx", f"{name}.docx")[0]
    assert "" in [student for _id, student, _files in students]


@pytest.mark.parametrize("name", ESSAYS)
def test_that_the_name_of_an_essay_is_no_tasks(name):
    assert not is_named_as_task(Path(f"{name}.docx"))


@pytest.mark.parametrize(
    ("name", "is_task"),
    [
        ("Task sheet Macbeth", True),
        ("Macbeth essay question", True),
        ("Task sheet - Year 10 Macbeth", True),
        ("作文要求红楼梦", True),
        ("Task sheet Emma Clarke", False),
        ("My essay question", False),
        ("Task 1 Macbeth", False),
        ("作文要求王伟", False),
        ("我的作文题目", False),
    ],
)
def test_that_a_task_may_be_named_with_the_topic_of_most_texts(name, is_task):
    """The question was counted as an essay of a student; that of a student has a name no other text has."""
    texts = ["My view of Macbeth. 我的红楼梦。"] * 3 + ["Emma Clarke on Lady Macbeth. 王伟"]
    assert is_named_as_task(Path(f"{name}.docx"), texts) is is_task
