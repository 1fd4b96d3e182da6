"""Replacement of names by pseudonyms in texts, and stable assignment of pseudonyms."""

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.support.i18n import set_language

SECRET = "00" * 16
CLASS = (
    Student(("张三",), ("20231234",)),
    Student(("李小明",), ("20231235",)),
    Student(("王明",)),
    Student(("欧阳娜娜",)),
    Student(("John Smith",), ("S1234567",)),
    Student(("Mary-Ann O'Neil",)),
    Student(("José García López",)),
    Student(("Ann Lee",), ("12",)),
    Student(("阿依古丽·买买提",)),
    Student(("高山",)),
    Student(("Rose May",)),
)


def class_of(*students):
    names = make_pseudonyms([], students, SECRET)
    labels = {owner.student.names[0]: names.label(owner) for owner in names.owners}
    return names, labels


SPELLINGS = {
    "张三": "张三|张 三|張三|张　三|张\u200b三|20231234|２０２３１２３４|2023 1234|2023-1234",
    "李小明": "李小明|李 小 明|李\n小明|小明|李同学",
    "欧阳娜娜": "欧阳娜娜|歐陽娜娜|娜娜|欧阳同学",
    "阿依古丽·买买提": "阿依古丽·买买提|阿依古丽•买买提|阿依古丽买买提|阿依古丽",
    "John Smith": "John Smith|Smith, John|SMITH John|john smith|J. Smith|Smith, J.|JSmith|John\nSmith"
    "|J\u043ehn Smith|john.smith|smith_john|John Q. Smith|Smith|John|Ｊｏｈｎ Smith|s1234567",
    "Mary-Ann O'Neil": "Mary-Ann O'Neil|Mary-Ann O’Neil|MARY ANN ONEIL|O'Neil, Mary-Ann|M.-A. O'Neil"
    "|M. O'Neil|O'Neil|Mary-Ann|Mary\u2010Ann",
    "José García López": "José García López|Jose Garcia Lopez|López, José|J. G. López|García"
    "|JOSÉ GARCÍA LÓPEZ",
    "Ann Lee": "Ann Lee|Lee, Ann|Lee|学号：12|No. 012|A. Lee",
}


@pytest.mark.parametrize(
    ("text", "student"), [(text, name) for name, texts in SPELLINGS.items() for text in texts.split("|")]
)
def test_that_all_spellings_of_a_name_have_the_same_pseudonym(text, student):
    names, labels = class_of(*CLASS)
    label = labels[student]
    for before, behind in (("", ""), ("作者：", "。"), ("said ", ", and"), ("（", "）"), ("\n", "\n")):
        replaced = names.replaced(f"{before}{text}{behind}")
        assert replaced.replace(f"{label}\n{label}", label) == f"{before}{label}{behind}"


@pytest.mark.parametrize(
    "text",
    [
        "Annual reports, annex and Anne; an ant.",
        "Smithson met Johnson at the smithy.",
        "高山流水，高山族的歌。",
        "120231234567 and 20231234567",
        "There are 12 months and 012 days.",
        "A rose may be red; roses may not.",
        "小草明天来，张开三扇门。",
        "他很喜欢王子涵养的品格。",
    ],
)
def test_that_words_that_are_not_names_stay(text):
    names, _labels = class_of(*CLASS, Student(("李子涵",)))
    assert names.replaced(text) == text


def test_that_a_full_name_is_replaced_even_at_the_start_of_a_longer_word():
    names, labels = class_of(*CLASS)
    assert (
        names.replaced("王明显得很高兴，王明明显瘦了。")
        == f"{labels['王明']}显得很高兴，{labels['王明']}明显瘦了。"
    )


def test_that_a_name_that_is_a_word_is_recognised_if_capitalised():
    names, labels = class_of(*CLASS)
    assert names.replaced("Rose May came, a rose may not.") == f"{labels['Rose May']} came, a rose may not."


def test_that_a_surname_shared_by_two_students_is_replaced_by_no_pseudonym_of_theirs():
    names, labels = class_of(Student(("John Smith",)), Student(("Ann Smith",)))
    assert names.replaced("Smith; John Smith; Ann Smith; J. Smith") == (
        f"a student; {labels['John Smith']}; {labels['Ann Smith']}; {labels['John Smith']}"
    )


def test_that_a_name_of_two_students_is_that_of_the_author_in_their_own_text():
    file = Path("张伟.docx")
    names = make_pseudonyms([RecognisedStudent(file, "张伟")], [Student(("张丽",))], SECRET)
    own = names.label(names.owner_of(file))
    assert names.replaced("小张来了。", file) == f"{own}来了。"
    assert names.replaced("小张来了。") == "a student来了。"


def test_that_a_number_within_the_name_of_a_file_is_found():
    names, labels = class_of(*CLASS)
    assert (
        names.replaced("essay20231234.docx, 20231234b.txt")
        == f"essay {labels['张三']}.docx, {labels['张三']} b.txt"
    )


FULL_NAMES = make_pseudonyms([], CLASS, SECRET)
AROUND = st.text(
    alphabet="的一是了我不人在他有这上们来到时大地为子中你说生国年着就那和要她出也得里后自以会，。！“” \n",
    max_size=12,
)


@given(AROUND, st.sampled_from(["李小明", "欧阳娜娜", "阿依古丽·买买提", "李 小 明", "20231234"]), AROUND)
def test_that_a_full_name_is_found_in_any_context(before, name, behind):
    replaced = FULL_NAMES.replaced(before + name + behind)
    assert name not in replaced
    assert "Student " in replaced


@given(st.text(max_size=40))
def test_that_any_text_without_a_name_stays(text):
    if not FULL_NAMES.replacements(text):
        assert FULL_NAMES.replaced(text) == text
    for replacement in FULL_NAMES.replacements(text):
        assert 0 <= replacement.start < replacement.end <= len(text)


def test_that_lone_surrogates_do_not_raise():
    names, labels = class_of(*CLASS)
    assert names.replaced("问过王明了 \ud800") == f"问过{labels['王明']}了 \ud800"
    files = [Path("张\udcff三.docx"), Path("\udcff.txt"), Path("王明\udcff.docx")]
    names = make_pseudonyms(propose(files, CLASS), CLASS)
    assert [str(names.path_of(file)).isascii() for file in files] == [True] * 3
    assert names.owner_of(files[2]).student == CLASS[2]


def test_that_the_longest_name_has_precedence():
    names, labels = class_of(Student(("王明",)), Student(("王明明",)))
    assert names.replaced("王明明和王明") == f"{labels['王明明']}和{labels['王明']}"


@pytest.mark.parametrize(
    "text", ["a Ming Stone", "Ming Stone", "Ben Adams", "Anna Ben and Ben Adams", "saw Ming Ng, a Ming Stone"]
)
def test_that_a_name_is_replaced_whole_after_a_part_of_another_name(text):
    names, _labels = class_of(
        *(Student((name,)) for name in ("Ming Ng", "Ming Abel", "Ming Stone", "Anna Ben"))
    )
    ben = make_pseudonyms([], [*names.students, Student(("Ben Adams",))], SECRET)
    assert not re.search("Ming|Stone|Ng|Ben|Adams|Anna", ben.replaced(text))


def test_that_a_name_after_an_initial_of_another_name_is_replaced_whole():
    names, labels = class_of(Student(("Alice Thomas",)), Student(("Thomas Gray",)))
    assert (
        names.replaced("He got an A. Thomas Gray laughed.")
        == f"He got an A. {labels['Thomas Gray']} laughed."
    )


def test_that_a_name_before_a_longer_overlapping_name_is_replaced():
    names, labels = class_of(Student(("Anna Ben",)), Student(("Ben Adams-Long",)))
    assert names.replaced("Anna Ben Adams-Long") == f"{labels['Anna Ben']} {labels['Ben Adams-Long']}"


def test_that_students_of_the_same_name_are_distinguished_in_their_own_texts():
    files = [
        RecognisedStudent(Path("a.txt"), "张伟", "20230001"),
        RecognisedStudent(Path("b.txt"), "张伟", "20230002"),
    ]
    names = make_pseudonyms(files)
    for file in files:
        label = names.label(names.owner_of(file.path))
        replaced = names.replaced(f"我是张伟。号码：{file.number}。", file.path)
        assert replaced == f"我是{label}。号码：{label[-2:]}。"
    assert len(names.owners) == 2


@pytest.mark.parametrize(
    ("student", "text", "expected"),
    [
        ("Anna Kowalski", "copied from Kowalski, a friend of mine", "copied from {}, a friend of mine"),
        ("Anna Kowalski", "Mr Kowalski a teacher.", "Mr {} a teacher."),
        ("Ben Adams", "Ben, a boy in my class, helped.", "{}, a boy in my class, helped."),
        ("Ian Irving", "Irving i think", "{} i think"),
        ("Max Mustermann", "Max, machst du mit? Max m", "{}, machst du mit? {} m"),
        ("Max Mustermann", "Mustermann, m", "{}, m"),
        ("Alice Brown", "Alice, begin! Alice: b", "{}, begin! {}: b"),
    ],
)
def test_that_a_name_followed_by_a_lower_case_letter_is_found(student, text, expected):
    names, labels = class_of(Student((student,)))
    assert names.replaced(text) == expected.format(*[labels[student]] * 2)


@pytest.mark.parametrize(
    ("student", "texts"),
    [
        (
            "Grace van Dijk",
            "Grace van Dijk|Grace_van_Dijk|Grace Van Dijk|G. van Dijk|van Dijk, Grace|GRACE VAN DIJK|Dijk",
        ),
        (
            "Van der Berg, Anna Maria",
            "Anna Maria van der Berg|Anna van der Berg|van der Berg, Anna|A. van der Berg|Van der Berg|Berg",
        ),
        ("van der Berg Anna", "Anna van der Berg|van der Berg, Anna"),
        ("Garcia-Lopez-Mora, Elena", "Elena Garcia-Lopez-Mora|Elena Garcia|Garcia-Lopez|Mora"),
        ("van 't Hoff, Jan", "Jan van 't Hoff|van ’t Hoff"),
        ("St. James, Lucy", "St. James|Lucy St James|St. James, Lucy"),
        ("Will van Dyke", "Will van Dyke|van Dyke|Van Dyke"),
        ("Bo de Wit", "Bo de Wit|B. de Wit|de Wit, B."),
        ("GRACE VAN DIJK", "Grace van Dijk|van Dijk"),
        ("Anne-Marie Cross", "Anne-marie Cross|Anne-marie|Anne-Marie Cross|Cross, Anne-marie"),
        ("Katherine O'Brien", "O'brien|Katherine O'brien|Obrien|O’BRIEN"),
        ("Gabriele d'Annunzio", "Gabriele d'Annunzio|D'Annunzio|d'Annunzio"),
        ("Li Wei", "li wei|LiWei|Li Wei|WeiLi|LI WEI|Li, Wei"),
        ("Rose Green", "RoseGreen|Rose Green|Green, Rose"),
        ("Anna Kowalski", "Kowal-\nski|Anna Kowal-\nski"),
        ("李雷", "李雷|学号07|No. 7|Nr. 07|07号|007号|7号同学"),
    ],
)
def test_that_names_with_particles_and_inner_capitals_are_found(student, texts):
    number = ("07",) if student == "李雷" else ()
    names, labels = class_of(Student((student,), number))
    for text in texts.split("|"):
        redacted = names.replaced(f"by {text}, here")
        assert set(redacted.removeprefix("by ").removesuffix(", here").split("\n")) <= {
            labels[student], f"{labels[student]} 99", f"{labels[student]} 7",
        }, text  # fmt: skip


@pytest.mark.parametrize(
    ("student", "text"),
    [
        ("Grace van Dijk", "a van with grace"),
        ("Rose Green", "a rose green as grass, rosegreen paint"),
        ("She Can", "then she can go"),
        ("Bo At", "a boat and Boat"),
        ("Li Na", "lina and Lina"),
        ("张三", "张\n三天"),
    ],
)
def test_that_words_that_only_look_like_a_name_stay(student, text):
    names, _labels = class_of(Student((student,), ("07",)))
    assert names.replaced(text) == text
    assert names.replaced("5月7号, 7 days, 07:30") == "5月7号, 7 days, 07:30"


def test_that_a_short_name_over_two_lines_is_found_in_the_own_text_only():
    names = make_pseudonyms(
        [RecognisedStudent(Path("a.txt"), "张三"), RecognisedStudent(Path("b.txt"), "李四")]
    )
    label = names.label(names.owner_of(Path("a.txt")))
    assert names.replaced("我是张\n三。", Path("a.txt")) == f"我是{label}\n{label}。"
    assert names.replaced("我是张\n三。", Path("b.txt")) == "我是张\n三。"


@pytest.mark.parametrize("listed", ["• Anna Smith", "Anna・Smith", "·", "• 张三"])
def test_that_full_stops_of_the_roster_are_not_part_of_a_name(listed):
    names, labels = class_of(Student((listed,)))
    name = "张三" if "张三" in listed else "Anna Smith"
    assert names.replaced(f"by {name}.") == (f"by {labels[listed]}." if len(listed) > 1 else f"by {name}.")


def test_that_adjacent_name_and_number_are_replaced_once():
    names, labels = class_of(*CLASS)
    assert names.replaced("张三 20231234") == labels["张三"]


def test_that_files_and_roster_are_merged_into_one_student():
    paths = [Path("张三 作文.docx"), Path("Smith_John_2.pdf"), Path("20231234.txt"), Path("source.html")]
    names = make_pseudonyms(propose(paths, CLASS), CLASS)
    assert len(names.owners) == len(CLASS) + 1
    zhang = names.owner_of(paths[0])
    assert names.owner_of(paths[2]) == zhang
    assert names.owner_of(paths[1]).student == CLASS[4]
    label = names.label(zhang)
    assert [str(names.path_of(path)) for path in (paths[0], paths[2])] == [
        f"{label}.docx",
        f"{label} (2).txt",
    ]
    assert str(names.path_of(paths[3])).startswith("Text ")


@pytest.mark.parametrize(
    ("file", "ending"),
    [
        ("essay by A.Smith", ""),
        ("Ms.Kowalski", ""),
        ("Essay.ZhangSan", ""),
        ("张三.作文", ""),
        ("essay.DOCX", ".DOCX"),
        ("essay.jpeg", ".jpeg"),
    ],
)
def test_that_only_known_extensions_are_kept(file, ending):
    names = make_pseudonyms(()).including_files([Path(file)])
    assert str(names.path_of(Path(file))) == names.label(names.owners[0]) + ending


def test_that_numbers_do_not_depend_on_roster_names_or_files():
    students = [Student((f"Student{letter}son Example{letter}",)) for letter in "abcdefghijklmnopqrstuvwxyz"]
    orders = []
    for students_as_listed in (students, students[::-1]):
        names = make_pseudonyms([], students_as_listed, SECRET)
        orders.append([owner.student for owner in names.owners])
    assert orders[0] == orders[1]
    assert orders[0] not in (students, students[::-1])
    assert orders[0] != [owner.student for owner in make_pseudonyms([], students).owners]


def test_that_the_same_secret_gives_the_same_pseudonyms_which_can_be_pickled():
    paths = [Path("张三 作文.docx"), Path("source.html")]
    names = make_pseudonyms(propose(paths), CLASS, SECRET)
    assert make_pseudonyms(propose(paths), CLASS, SECRET) == names
    assert pickle.loads(pickle.dumps(names)).path_of(paths[0]) == names.path_of(paths[0])


def test_that_adding_files_changes_no_pseudonym():
    paths = [Path("张三 作文.docx"), Path("source.html")]
    before = make_pseudonyms(propose(paths), CLASS, SECRET)
    after = before.including_files([*paths, Path("李小明 2.docx"), Path("赵六.docx"), Path("other.pdf")])
    assert [(owner.number, owner.student) for owner in after.owners[: len(before.owners)]] == [
        (owner.number, owner.student) for owner in before.owners
    ]
    assert after.owner_of(Path("李小明 2.docx")).student.names == ("李小明",)
    assert [owner.number for owner in after.owners] == list(range(1, len(before.owners) + 3))
    assert before.including_files(paths) is before
    with pytest.raises(KeyError):
        before.path_of(Path("赵六.docx"))


def test_that_pseudonyms_are_in_the_current_language_and_found_in_each():
    names, _labels = class_of(*CLASS)
    owner = names.owners[6]
    assert names.label(owner) == "Student 07"
    for pseudonym in ("Student 07", "学生 07", "7", "Student 07.docx", "Student 07 (2).docx"):
        assert names.owners_of(pseudonym) == [owner]
    for pseudonym in ("Student 99", "somebody", ""):
        assert names.owners_of(pseudonym) == []
    set_language("zh")
    assert names.replaced("张三") == names.label(
        next(o for o in names.owners if o.student.names == ("张三",))
    )


def test_that_all_coauthors_of_a_file_have_a_pseudonym():
    names = make_pseudonyms(propose([Path("李明 王芳 合写.docx"), Path("张三.docx")]))
    redacted = names.replaced("李明和王芳一起写。张三没有写。")
    assert not any(name in redacted for name in ("李明", "王芳", "张三"))
    assert names.count == 3


def test_that_a_student_named_only_in_the_text_has_a_pseudonym():
    file = Path("王芳.docx")
    names = make_pseudonyms(propose([file], openings={file: "姓名：李小明 学号：20230107"}))
    assert "李小明" not in names.replaced("姓名：李小明 学号：20230107")
    assert "20230107" not in names.replaced("姓名：李小明 学号：20230107")


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("姓名：张三 学号：20231234", "姓名：{} 学号：{n}"),
        ("学号：20231234，姓名：张三", "学号：{n}，姓名：{}"),
        ("姓名：张三\n学号：20231234", "姓名：{}\n学号：{}"),
        ("张三和张三的学号", "{}和{}的学号"),
        ("学号：20231234", "学号：{}"),
    ],
)
def test_that_a_name_line_has_the_pseudonym_once(text, replaced):
    names, labels = class_of(*CLASS)
    label = labels["张三"]
    assert names.replaced(text) == replaced.format(label, label, n=label.removeprefix("Student "))


def test_that_numbers_do_not_tell_who_is_not_on_the_list():
    files = {Path(f"{number}-{name}.docx"): "" for number, name in ((2025030, "赵云"), (2025031, "钱进"))}
    places = set()
    for secret in range(8):
        names = make_pseudonyms((), secret=f"{secret:032x}").including_texts(files, (), CLASS)
        assert names.count == len(CLASS) + len(files)
        places |= {names.owner_of(file).number for file in files}
    assert min(places) < len(CLASS) / 2
