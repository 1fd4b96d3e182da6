"""Each file is that of the student whose name is written in it, whoever else is in class, list or text."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.cohort.student_groups import SubmittedText, group_by_student
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student, name_key

GIVEN = ("敏之", "敏", "静之", "杰", "杰之", "小明", "子轩", "敏芝")
HAN = [f"{surname}{name}" for surname in ("张", "萧", "王", "柳", "周", "欧阳", "司马") for name in GIVEN]
FIRST, LAST = ("John", "Emma", "Mary", "Li"), ("Smith", "Brown", "Kowalski", "Wei", "Weiming")
LATIN = [f"{first} {last}" for first in FIRST for last in LAST]
LAYOUTS = (
    "{number}-{name}.docx",
    "{number}{name}.txt",
    "{name}_{number}.txt",
    "{name}.docx",
    "{name} {number} 读后感.txt",
    "{name} - {other}和我.txt",
    "三年级2班_{name}_我的同桌{other}.txt",
    "{number}-{name} {number}.txt",
    "{name}_{number}/作文.txt",
    "{name}_{place}_assignsubmission_file_/{other}的作文.txt",
    "{number}.txt",
)
MENTIONS = ("那天我和{other}一起去河边。", "{other}说：“走吧。”", "致{other}", "{other} said hello.", "")


def spelled(name: str, order: int) -> str:
    """A name as a teacher or platform may write it."""
    first, _blank, last = name.partition(" ")
    return (name, f"{last}, {first}", f"{last} {first}")[order] if last else name


@st.composite
def classes(draw):
    """A class: names of students, the names and first lines of their files, and a class list."""
    pool = draw(st.sampled_from([HAN, LATIN, HAN + LATIN]))
    names = draw(st.lists(st.sampled_from(pool), min_size=2, max_size=6, unique=True))
    layout, same_layout = draw(st.sampled_from(LAYOUTS)), draw(st.booleans())
    files = []
    for place, name in enumerate(names):
        own = layout if same_layout else draw(st.sampled_from(LAYOUTS))
        other = draw(st.sampled_from([each for each in names if each != name]))
        values = {"number": f"2025{place + 3:04}", "name": name, "other": other, "place": place + 71}
        written = spelled(name, draw(st.integers(0, 2)))
        path = Path("class", own.format(**values | {"name": written}))
        header = (
            f"姓名：{name}\n"
            if own == "{number}.txt"
            else draw(
                st.sampled_from(
                    ["", f"姓名：{name}\n", f"姓名：{other}\n学号：2025{names.index(other) + 3:04}\n"]
                )
            )
        )
        files.append((path, header + draw(st.sampled_from(MENTIONS)).format(other=other)))
    listed = []
    if draw(st.booleans()):
        for place, name in enumerate(names):
            other = draw(st.sampled_from([name, name, name, *pool]))
            number = draw(st.sampled_from([place, place, place, 90 + place, (place + 1) % len(names)])) + 3
            if draw(st.integers(0, 4)):
                listed.append(Student((other,), (f"2025{number:04}",)))
    return names, files, tuple(listed)


def assert_written_names(names, files, listed):
    paths = [path for path, _opening in files]
    texts = [SubmittedText(path, sha256=str(path), opening=opening) for path, opening in files]
    students = group_by_student(texts, listed).students
    found = {paths[place]: student.name for student in students for place in student.files}
    owners = propose(paths, listed, dict(files))
    for name, path, owner in zip(names, paths, owners, strict=True):
        for given_name in (found[path], owner.name):
            assert not given_name or name_key(given_name) == name_key(name), (path, given_name)
    pseudonyms = make_pseudonyms(owners, listed, "5e" * 16)
    for name, path in zip(names, paths, strict=True):
        student = pseudonyms.owner_of(path).student
        assert student is None or not student.names or name_key(name) in map(name_key, student.names), (
            path,
            student,
        )


@given(classes())
@settings(max_examples=40, deadline=None)
def test_that_no_file_is_given_to_another_student(school_class):
    assert_written_names(*school_class)


@pytest.mark.parametrize("listed", [(), (Student(("张敏",)), Student(("李雷",)), Student(("王芳",)))])
def test_that_the_classmate_in_a_title_is_not_named(listed):
    files = ["张敏/我的同桌李雷.docx", "王芳/作文.docx", "李雷/河边.docx", "写给李雷的信.docx"]
    groups = group_by_student([SubmittedText(Path(file), sha256=file) for file in files], listed)
    assert [(student.label, student.other_names) for student in groups.students] == [
        ("张敏", ()), ("王芳", ()), ("李雷", ()), ("写给李雷的信.docx", ()),
    ]  # fmt: skip
    assert groups.missing == ()


@pytest.mark.parametrize("is_listed", [False, True])
@pytest.mark.parametrize(
    "form",
    ["我的同桌{}", "我的朋友{}", "写给{}的信", "寫給{}的信", "记{}", "{}和我", "My friend {}", "Dear {}"],
)
def test_that_students_who_all_write_about_classmates_are_named_by_their_folders(form, is_listed):
    names = LATIN[:5] if form.isascii() else ["韩梅梅", "李雷", "王芳", "张敏", "王小明"]
    files = [
        f"{name}/{form.format(other)}.docx" for name, other in zip(names, names[1:] + names[:1], strict=True)
    ]
    listed = [Student((name,)) for name in names if is_listed]
    groups = group_by_student([SubmittedText(Path(file), sha256=file) for file in files], listed)
    assert [student.label for student in groups.students] == names
    assert groups.missing == ()


@pytest.mark.parametrize("listed", [(), (Student(("王小明",)), Student(("李雷",)))])
@pytest.mark.parametrize("opening", ["", "姓名：王小明", "姓名：Emma Brown"])
@pytest.mark.parametrize("draft", ["李雷/王小明二稿.docx", "李雷/王小明.docx", "李雷/二稿/王小明.docx"])
def test_that_a_draft_in_the_folder_of_another_student_is_not_joined(draft, listed, opening):
    files = [draft, "王小明/王小明初稿.docx", "王小明/王小明.docx", "李雷/河边.docx", "王芳/李雷附件.docx"]
    files += ["张敏/河边.docx", "陈丽/河边.docx"]
    texts = [SubmittedText(Path(file), sha256=file) for file in files]
    texts[0] = replace(texts[0], opening=opening)
    groups = group_by_student(texts, listed)
    units = [sorted(files[place] for place in student.files) for student in groups.students]
    assert units == [[draft], sorted(files[1:3]), *([file] for file in files[3:])]
    assert groups.students[0].other_names[0] == "李雷"


def test_that_drafts_of_several_authors_are_joined():
    for files in (
        ["李雷 王小明初稿.docx", "李雷 王小明二稿.docx"],
        ["李雷 王小明/李雷初稿.docx", "李雷 王小明/李雷二稿.docx", "王芳/作文.docx"],
    ):
        groups = group_by_student([SubmittedText(Path(file), sha256=file) for file in files])
        assert len(groups.students[0].files) == 2


def test_that_another_name_in_the_text_does_not_keep_drafts_apart():
    files = ["王小明初稿.docx", "王小明二稿.docx"]
    texts = [SubmittedText(Path(file), sha256=file, opening="姓名：李雷\n河边") for file in files]
    (student,) = group_by_student(texts).students
    assert (student.label, len(student.files)) == ("王小明", 2)
