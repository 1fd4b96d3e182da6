"""Recognition of names and numbers in the names of files and folders."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.students import RecognitionReason, Student

LATELY = date.today() - timedelta(days=60)


def proposed(*names, listed=()):
    return [(student.name, student.number) for student in propose(list(map(Path, names)), listed)]


def day(count):
    """A date of the last months in the format of file names."""
    return f"{LATELY + timedelta(days=count):%Y%m%d}"


@pytest.mark.parametrize(
    ("file", "name", "number"),
    [
        ("张三 20231234 作文.docx", "张三", "20231234"),
        ("三年级2班_李小明_河边.docx", "李小明", ""),
        ("Smith_John_essay2.pdf", "Smith John", ""),
        ("essay-Mary-Ann O'Neil (12).docx", "Mary-Ann O'Neil", ""),
        ("张三（２０２３１２３４）.docx", "张三", "20231234"),
        ("20231234张三.docx", "张三", "20231234"),
        ("作文张三.docx", "张三", ""),
        ("李小明的作文.docx", "李小明", ""),
        ("高一3班 诸葛亮 期中作文.docx", "诸葛亮", ""),
        ("欧阳娜娜-第3单元作文（终稿）.docx", "欧阳娜娜", ""),
        ("王　明.docx", "王明", ""),
        ("陳怡君 作文.docx", "陳怡君", ""),
        ("阿依古丽·买买提 作文.docx", "阿依古丽·买买提", ""),
        ("Smith, John - Homework 3.docx", "Smith, John", ""),
        ("JohnSmith-essay.docx", "John Smith", ""),
        ("J. Smith S1234567.docx", "J. Smith", "S1234567"),
        ("Anna.Kowalski", "Anna.Kowalski", ""),
        ("作文.张三", "张三", ""),
        ("Anna Kowalski.pages", "Anna Kowalski", ""),
        ("孙悟空读后感_刘洋.docx", "刘洋", ""),
        ("Brown, John.txt", "Brown, John", ""),
        ("Smith, Emma.docx", "Smith, Emma", ""),
        ("Okafor, Peace.docx", "Okafor, Peace", ""),
        ("De la Cruz, José.txt", "De la Cruz, José", ""),
        ("DE LA CRUZ, JOSÉ.txt", "DE LA CRUZ, JOSÉ", ""),
        ("De La Cruz Garcia, José Luis.txt", "De La Cruz Garcia, José Luis", ""),
        ("De la Cruz_José.txt", "De la Cruz José", ""),
        ("Van der Berg, Anna Maria.txt", "Van der Berg, Anna Maria", ""),
        ("van der Berg Anna.txt", "van der Berg Anna", ""),
        ("Maria van der Berg.txt", "Maria van der Berg", ""),
        ("Maria_van_der_Berg.txt", "Maria van der Berg", ""),
        ("van 't Hoff, Jan.txt", "van 't Hoff, Jan", ""),
        ("Garcia-Lopez-Ruiz-Mora, Elena.txt", "Garcia-Lopez-Ruiz-Mora, Elena", ""),
        ("St. James, Lucy.txt", "St. James, Lucy", ""),
        ("d'Artagnan, Charles.txt", "d'Artagnan, Charles", ""),
        ("al-Hassan, Omar.txt", "al-Hassan, Omar", ""),
        ("Omar bin Said.txt", "Omar bin Said", ""),
        ("Le Van Anh.txt", "Le Van Anh", ""),
        ("McDonald, Tom.txt", "McDonald, Tom", ""),
        ("a\\b Miller, Tom.txt", "Miller, Tom", ""),
        ("5b Smith, Emma.txt", "Smith, Emma", ""),
    ],
)
def test_that_names_and_numbers_are_recognised(file, name, number):
    assert proposed(file) == [(name, number)]


@pytest.mark.parametrize(
    "file",
    [
        "家乡的石桥.docx",
        "石桥记.pdf",
        "心中的桥.html",
        "The last bus.docx",
        "Waiting for the Last Bus.pdf",
        "作文 第2稿.docx",
        "三年级2班作文.docx",
        "essay2.docx",
        "12.docx",
        "期末考试.txt",
        "新建 Microsoft Word 文档.docx",
        "Microsoft Word 文档.docx",
        "New Microsoft Word Document (2).docx",
        "新建 DOCX 文档.docx",
        "新建文本文档.txt",
        "WPS 文字 文档1.docx",
        "WPS图片.pdf",
        "微信图片_20230107153012.pdf",
        "mmexport1673073001234.pdf",
        "War, Peace.html",
        "Life, Death.txt",
        "Paris, Texas.txt",
        "Pride, Prejudice.docx",
        "Summer Holiday.docx",
        "Climate Change.docx",
        "Tour de France.docx",
        "La vida.txt",
    ],
)
def test_that_titles_classes_and_drafts_are_not_names(file):
    assert proposed(file) == [("", "")]


@pytest.mark.parametrize("listed", [(), (Student(("李雷",), ("20250002",)), Student(("John Smith",)))])
@pytest.mark.parametrize(
    "title",
    [
        "我的同桌李雷",
        "我最好的朋友李雷",
        "我的老师李雷",
        "我的同学李雷",
        "我眼中的李雷",
        "写给李雷的信",
        "给李雷的一封信",
        "致李雷",
        "致我的同桌李雷",
        "记李雷",
        "记我的好友李雷",
        "怀念李雷",
        "我和李雷",
        "和李雷在一起的日子",
        "李雷和我",
        "My friend John Smith",
        "My_Friend_John_Smith",
        "MyFriendJohnSmith",
        "A letter to John Smith",
        "Dear John Smith",
        "Dear_John_Smith",
        "Best Friend John Smith",
        "Remembering John Smith",
    ],
)
def test_that_the_person_a_title_is_about_is_not_its_student(title, listed):
    assert proposed(f"{title}.docx", listed=listed) == [("", "")]
    assert proposed(f"20259903{title}.docx", listed=listed) == [("", "20259903")]
    folder = [f"张敏/{title}.docx", "王芳/作文.docx"]
    assert proposed(*folder, listed=listed) == [("张敏", ""), ("王芳", "")]
    [found] = propose([Path(f"{title}.docx")], listed, {Path(f"{title}.docx"): "姓名：张敏\n河边"})
    assert (found.name, found.also) == ("张敏", ())


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("20250003-张敏之.txt", "张敏之"),
        ("张敏之-我的同桌.docx", "张敏之"),
        ("我的同桌-张敏之.docx", "张敏之"),
        ("我的同桌 张敏之.docx", "张敏之"),
        ("《我的同桌》张敏之.docx", "张敏之"),
        ("张敏我的同桌李雷.docx", "张敏"),
        ("我的同桌李雷-张敏.docx", "张敏"),
        ("岳阳楼记张敏.docx", "张敏"),
        ("童年记忆张敏.docx", "张敏"),
        ("我的家乡张敏.docx", "张敏"),
        ("高一3班同学张敏.docx", "张敏"),
        ("My friend - John Smith.docx", "John Smith"),
        ("Emma Brown - My friend John Smith.docx", "Emma Brown"),
    ],
)
def test_that_a_name_beside_a_title_about_a_person_is_that_of_the_student(file, name):
    assert [found for found, _number in proposed(file)] == [name]


def test_that_a_title_is_a_name_if_its_text_or_the_files_of_its_class_say_so():
    [own] = propose([Path("Rain, Weather.txt")], (), {Path("Rain, Weather.txt"): "Name: Weather Rain\nText"})
    assert own.name == "Weather Rain"
    names = ("Brown, John.txt", "Smith, Emma.txt", "De la Cruz, José.txt", "Rain, Weather.txt")
    assert proposed(*names)[-1] == ("Rain, Weather", "")
    assert proposed(*names[:2], "Holiday.txt", "The river.txt", "Rain, Weather.txt")[-1] == ("", "")


def test_that_a_word_at_the_position_of_other_names_is_a_name():
    files = [
        f"三年级2班_{name}_{title}.docx"
        for name, title in zip(
            ("李小明", "高山", "张伟", "周末"), ("石桥", "石桥", "春游", "秋天"), strict=True
        )
    ]
    found = propose(list(map(Path, files)))
    assert [student.name for student in found] == ["李小明", "高山", "张伟", "周末"]
    assert [student.name_reason for student in found] == [
        RecognitionReason.PERSONAL_NAME,
        RecognitionReason.SAME_PLACE,
        RecognitionReason.PERSONAL_NAME,
        RecognitionReason.SAME_PLACE,
    ]


def test_that_a_name_of_ordinary_words_is_known_if_nearly_all_files_are_names_alone() -> None:
    names = ("何雨桐", "王芳", "张三", "李四", "杨帆", "陈静", "林志强", "孙丽", "徐强")
    assert proposed(*(f"{name}.docx" for name in (*names, "曾黎")))[-1] == ("曾黎", "")
    assert proposed(*(f"{name}.docx" for name in (*names[:-3], "曾黎", "时光", "方向")))[-1] == ("", "")


def test_that_a_rare_surname_is_known_at_the_position_of_other_names_but_begins_no_word():
    names = ("陈思远", "林小雨", "王嘉宁", "华知行")
    found = proposed(*(f"20260{n}-{name}.docx" for n, name in enumerate(names)))
    assert [name for name, _number in found] == list(names)
    assert (
        proposed("20260-陈思远.docx", "20261-林小雨.docx", "20262-王嘉宁.docx", "20263-华夏.docx")[-1][0]
        == ""
    )
    assert proposed("20264-华知行.docx") == [("", "20264")]


def test_that_words_in_most_files_of_a_class_are_not_names():
    files = ["Green School Li Wei.docx", "Green School Ann Lee.docx", "Green School Tom Ray.docx"]
    files += ["Green School Amy Fox.docx"]
    assert [name for name, _number in proposed(*files)] == ["Li Wei", "Ann Lee", "Tom Ray", "Amy Fox"]


def test_that_a_date_in_files_of_several_students_is_not_a_number():
    assert proposed("张三 20240513.docx", "李小明 20240513.docx") == [("张三", ""), ("李小明", "")]


def test_that_spellings_of_a_name_are_recognised_as_the_same_student():
    assert proposed("Smith_John_essay.docx", "draft john smith.docx")[1] == ("Smith John", "")


def test_that_the_roster_has_precedence():
    listed = [Student(("王小明", "WangXM", "Wang Xiaoming"), ("12",)), Student(("石桥记",))]
    files = ["12_essay.docx", "wangxm.docx", "Xiaoming Wang.pdf", "石桥记.docx"]
    found = propose(list(map(Path, files)), listed)
    assert [(student.name, student.number) for student in found] == [("王小明", "12")] * 3 + [("石桥记", "")]
    assert {student.name_reason for student in found} == {RecognitionReason.LISTED}


def test_that_the_number_of_a_draft_is_not_a_student_number():
    listed = [Student(("陈晨",), ("07",)), Student(("Zoe Fox",), ("2",))]
    files = ["smith_john_essay2.docx", "Essay 2 final.docx", "王小明的暑假作文.docx", "作文2.docx"]
    assert proposed(*files, listed=listed) == [("", ""), ("", ""), ("王小明", ""), ("", "")]


def test_that_roster_numbers_are_recognised_if_most_files_have_one():
    listed = [Student(("陈晨",), ("07",)), Student(("Zoe Fox",), ("2",)), Student(("李雷",), ("2301",))]
    files = ["7 家乡的桥.docx", "02_作文.docx", "三年级2班 2301.docx"]
    assert proposed(*files, listed=listed) == [("陈晨", "07"), ("Zoe Fox", "2"), ("李雷", "2301")]
    assert proposed("2 a.docx", "2 b.docx", listed=listed) == [("", ""), ("", "")]


def test_that_students_of_the_same_name_are_distinguished_by_number_only():
    listed = [Student(("王伟",), ("20230001",)), Student(("王伟",), ("20230002",))]
    files = ["王伟-作文.docx", "王伟-20230002.docx", "作文20230001.docx"]
    found = propose(list(map(Path, files)), listed)
    assert [(student.name, student.number) for student in found] == [
        ("王伟", ""), ("王伟", "20230002"), ("王伟", "20230001"),
    ]  # fmt: skip
    assert found[0].name_reason is RecognitionReason.SEVERAL


def test_that_the_date_of_a_picture_is_not_a_number():
    assert (
        proposed(f"微信图片_{day(0)}.pdf", f"IMG_{day(1)}_153000.pdf", f"扫描件{day(2)}.pdf")
        == [("", "")] * 3
    )


def test_that_dates_near_each_other_are_not_numbers():
    files = [f"李小明 {day(0)}.docx", f"张三 {day(0)}.docx", f"王芳 {day(1)}.docx"]
    assert proposed(*files) == [("李小明", ""), ("张三", ""), ("王芳", "")]


def test_that_possible_dates_are_numbers_if_each_file_has_its_own():
    files = [f"李小明 {day(0)}.docx", f"张三 {day(1)}.docx", f"王芳 {day(2)}.docx"]
    assert [number for _name, number in proposed(*files)] == [day(0), day(1), day(2)]


def test_that_a_number_is_found_beside_a_date():
    files = [f"{day(0)} 李小明 20190301.docx", f"{day(0)} 张三 20190302.docx"]
    assert proposed(*files) == [("李小明", "20190301"), ("张三", "20190302")]


def test_that_files_of_the_same_name_are_recognised_by_their_folders():
    found = propose([Path("三年级2班/李小明/作文.docx"), Path("三年级2班/王芳_20230112/作文.docx")])
    assert [(student.name, student.number) for student in found] == [("李小明", ""), ("王芳", "20230112")]
    assert {student.name_reason for student in found} == {RecognitionReason.FOLDER}


def test_that_a_subfolder_of_a_students_folder_is_skipped():
    files = [Path(f"class/{name}/终稿/作文.docx") for name in ("李小明", "王芳", "张三")]
    assert [student.name for student in propose(files)] == ["李小明", "王芳", "张三"]


def test_that_the_folder_of_a_whole_class_is_not_a_student():
    assert proposed("王芳/作文1.docx", "王芳/作文2.docx") == [("", "")] * 2
    files = [f"{teacher}/作文{n}.docx" for teacher in ("王芳", "李小明") for n in range(6)]
    assert proposed(*files) == [("", "")] * 12


def test_that_the_file_name_has_precedence_over_the_folder():
    assert proposed("李小明/张三.docx", "王芳/作文.docx") == [("张三", ""), ("王芳", "")]


def test_that_a_file_without_a_name_is_recognised_by_its_first_lines():
    openings = {
        Path("a/作文.docx"): "三年级2班 李小明 学号20230107\n河边",
        Path("20230112.docx"): "姓名：王芳\n河边",
    }
    found = propose(list(openings), openings=openings)
    assert [(student.name, student.number) for student in found] == [
        ("李小明", "20230107"),
        ("王芳", "20230112"),
    ]
    assert {student.name_reason for student in found} == {RecognitionReason.OPENING}


def test_that_an_author_named_in_all_texts_is_not_a_student():
    openings = {Path(f"作文{n}.docx"): "读《背影》\n作者：朱自清\n我很感动。" for n in range(4)}
    assert {student.name for student in propose(list(openings), openings=openings)} == {""}


def test_that_a_name_in_the_title_does_not_hide_the_name_in_the_text():
    openings = {Path("高山.docx"): "姓名：李小明\n高山"}
    [found] = propose(list(openings), openings=openings)
    assert {found.name, *found.also} >= {"李小明"}


def test_that_all_coauthors_of_a_file_are_recognised():
    [found] = propose([Path("李明 王芳 合写.docx")])
    assert (found.name, found.also) == ("李明", ("王芳",))


def test_that_the_numbers_of_a_platform_are_not_those_of_a_student():
    assert proposed("lihua_12345_67890_essay.docx") == [("Li Hua", "")]
    assert proposed(
        "lihua_1234567_8901234_20250001-李华-作文.docx",
        "wangwei_late_1234568_8901235_孙悟空读后感.docx",
        "kowalskianna_1234569_8901236_Huckleberry Finn.docx",
    ) == [("李华", "20250001"), ("wangwei", ""), ("kowalskianna", "")]
    assert proposed(
        "Anna Kowalski_1234567_assignsubmission_file_essay.docx",
        "王伟_1234568_assignsubmission_file_/20250002-作文.docx",
    ) == [("Anna Kowalski", ""), ("王伟", "20250002")]
    assert proposed("李华_20250001_3_作文.docx") == [("李华", "20250001")]


def test_that_a_joined_name_of_a_platform_is_found_on_the_roster():
    listed = [
        Student(("Anna Kowalski",), ("20250007",)),
        Student(("李华",), ("20250001",)),
        Student(("王伟",), ("20250002",)),
    ]
    found = propose(
        [
            Path("kowalskianna_123_4567_20250003.docx"),
            Path("huali_124_4568_王伟.docx"),
            Path("wangwei_125_4569_x.txt"),
        ],
        listed,
    )
    assert [(student.name, student.number) for student in found] == [
        ("Anna Kowalski", "20250007"),
        ("李华", "20250001"),
        ("王伟", "20250002"),
    ]
    assert {student.name_reason for student in found} == {RecognitionReason.LISTED}


@pytest.mark.parametrize("file", ["Smith_MaryAnn_essay.docx", "Mary Smith.docx", "Mary Ann.docx"])
def test_that_a_longer_form_of_the_name_in_the_text_is_the_same_student(file: str) -> None:
    [found] = propose([Path(file)], openings={Path(file): "Name: Mary Ann Smith\nThe harbour"})
    assert (found.name, found.also) == ("Mary Ann Smith", ())


def test_that_a_name_with_two_surnames_is_one_name():
    [found] = propose([Path("三年级2班_张王子涵.txt")])
    assert (found.name, found.also) == ("张王子涵", ())
