"""Reading class rosters, and errors of unusable files."""

import shutil

import pytest
import xlsxwriter

from simcompare.loading.archive_members import list_files
from simcompare.model.errors import FileNotReadableError
from simcompare.pseudonyms.roster import StudentListError, is_roster, read_students
from simcompare.pseudonyms.students import Student
from tests.helpers.documents import shared_path
from tests.helpers.locked_files import lock_docx
from tests.pseudonyms.students import SAMPLES


@pytest.fixture
def read(tmp_path):
    def read(text, encoding="utf-8"):
        path = tmp_path / "class.csv"
        path.write_bytes(text.encode(encoding))
        return read_students(path)

    return read


def test_that_a_line_has_a_name_a_number_and_other_spellings(read):
    assert read("张三,20231234\n\n李小明，20231235，小明、Li Xiaoming\nJohn Smith\t77123\n王五\n") == (
        Student(("张三",), ("20231234",)),
        Student(("李小明", "小明", "Li Xiaoming"), ("20231235",)),
        Student(("John Smith",), ("77123",)),
        Student(("王五",)),
    )


def test_that_columns_are_assigned_by_their_headings(read):
    rows = [
        "序号,学号,姓名,性别,班级,英文名",
        "1,2301,王明,男,三年级2班,Ming Wang",
        "2,2302,张雪,女,三年级2班,",
    ]
    expected = (Student(("王明", "Ming Wang"), ("2301",)), Student(("张雪",), ("2302",)))
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "gb18030"):
        assert read("\r\n".join(rows), encoding) == expected


def test_that_sex_and_class_are_not_names_without_headings(read):
    assert read("1,王明,男,三年级2班,20231201\n") == (Student(("王明",), ("20231201",)),)


def test_that_columns_of_groups_are_not_spellings_without_headings(read):
    assert read("Anna Kowalski,A\nBen Adams,B\n") == (Student(("Anna Kowalski",)), Student(("Ben Adams",)))
    assert read("Anna Kowalski,5b,Berlin\nBen Adams,5b,Berlin\nCem Kaya,5b,Hof\n") == (
        Student(("Anna Kowalski",)), Student(("Ben Adams",)), Student(("Cem Kaya",)),
    )  # fmt: skip
    assert read("张三,男,汉族,2301\n李四,女,汉族,2302\n王五,女,回族,2303\n") == (
        Student(("张三",), ("2301",)), Student(("李四",), ("2302",)), Student(("王五",), ("2303",)),
    )  # fmt: skip


def test_that_names_shared_by_students_stay_names_without_headings(read):
    assert read("王伟,20230001\n王伟,20230002\n") == (
        Student(("王伟",), ("20230001",)), Student(("王伟",), ("20230002",)),
    )  # fmt: skip
    assert read("Smith,John\nAdams,John\n") == (Student(("Smith, John",)), Student(("Adams, John",)))
    # a nickname of two students is ambiguous and dropped; other nicknames stay
    assert read("李小明,小明\n王小明,小明\n李大力,力力\n赵六,六六\n") == (
        Student(("李小明",)), Student(("王小明",)), Student(("李大力", "力力")), Student(("赵六", "六六")),
    )  # fmt: skip


def test_that_surname_and_given_name_are_joined(read):
    assert read('Smith, John, 20231234\n"O\'Neil, Mary-Ann",20231235\n') == (
        Student(("Smith, John",), ("20231234",)),
        Student(("O'Neil, Mary-Ann",), ("20231235",)),
    )
    assert read("First name,Last name,Student ID\nJohn,Smith,S1234567\n") == (
        Student(("John Smith",), ("S1234567",)),
    )


@pytest.mark.parametrize("text", ["", "\n \n", "姓名,学号\n"])
def test_that_an_empty_roster_is_refused(read, text):
    with pytest.raises(
        Exception, match=r"class.csv cannot be used .*: it contains no students. Provide a text"
    ):
        read(text)


def test_that_a_line_without_a_name_is_reported_with_its_number(read):
    with pytest.raises(
        Exception, match=r"class.csv .*: line 3 contains neither a name nor a number. Add a name"
    ):
        read("张三,20231234\n\n7,男\n")


@pytest.mark.parametrize("sample", ["桥的故事.docx", "石桥记.pdf"])
def test_that_a_document_is_refused_as_a_roster(tmp_path, sample):
    shutil.copy(SAMPLES / sample, tmp_path)
    with pytest.raises(Exception, match="cannot be used as a list of students: it is neither a text nor"):
        read_students(tmp_path / sample)


def test_that_a_roster_with_a_password_is_said_to_have_one(tmp_path):
    path = lock_docx(xlsx_of(tmp_path / "class.xlsx", [["姓名"], ["王伟华"], ["李芳"]]), "川")
    with pytest.raises(StudentListError, match="it is protected by a password"):
        read_students(path)


def test_that_a_missing_roster_is_reported_like_any_file(tmp_path):
    with pytest.raises(FileNotReadableError, match="it does not exist"):
        read_students(tmp_path / "none.csv")


def xlsx_of(path, rows):
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("empty")
        sheet = book.add_worksheet("class")
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    return path


def test_that_an_excel_table_is_read_like_a_text(tmp_path):
    rows = [
        ["三年级2班学生名单"],
        ["序号", "学 号", "姓 名", "英文名"],
        [1, 20231234, "张三", None],
        [2, "020231235", "李小明", "Li Xiaoming"],
    ]
    assert read_students(xlsx_of(tmp_path / "class.xlsx", rows)) == (
        Student(("张三",), ("20231234",)), Student(("李小明", "Li Xiaoming"), ("020231235",)),
    )  # fmt: skip


def test_that_blanks_separate_number_and_name(read):
    expected = (Student(("张三",), ("20231234",)), Student(("Anna Kowalski",), ("20231235",)))
    assert read("20231234 张三\n20231235　Anna Kowalski\n") == expected
    assert read("张三 20231234\nAnna Kowalski  20231235\n") == expected
    assert read("20231234|张三\n20231235|Anna Kowalski\n") == expected


ROSTERS = {
    "csv": "学号,姓名\n20250001,王伟华\n20250002,李芳\n",
    "semicolons": "Name;Student ID\nAnna Kowalski;S1234567\nBen Adams;S1234568\n",
    "no headings": "20250001,王伟华\n20250002,李芳\n20250003,张敏之\n",
    "blanks": "20250001 王伟华\n20250002 李芳\n20250003 张敏之\n",
    "list numbers": "1. 王伟华\n2. 李芳\n3. 张敏之\n4. 刘静\n",
    "title and groups": "三年级2班\n序号,学号,姓名,性别,班级\n1,2301,王明,男,2班\n2,2302,张雪,女,2班\n",
    "names": "王伟华\n李芳\n张敏之\n刘静\n陈丽萍\n杨强\n",
    "names in two scripts": "王伟华\nEmma Carter\n李芳\nWei Zhang\n欧阳明月\nJoe Adams\n",
    "Moodle": "First name,Surname,ID number,Email address\nEmma,Carter,1901,e@u.edu\nBo,Fox,1902,b@u.edu\n",
    "学习通": "学号/工号\t姓名\t院系\t班级\n20250001\t王伟华\t文学院\t1班\n20250002\t李芳\t文学院\t1班\n",
    "names below a heading": "Name\nAnn Fields\nBo Carter\nKim Park\nTim Young\nEva Stone\n",
    "names below a heading and a title": "Class 7B\nStudent Name\nAnn Fields\nBo Carter\nKim Park\n",
    "Chinese names below a heading": "姓名\n王伟华\n李芳\n张敏之\n",
    "surname first": "Kowalski, Anna, 20250001\nAdams, Ben, 20250002\nKaya, Cem, 20250003\n",
    "mail": "First name,Surname,Email\nAnna,Kowalski,anna@example.org\nBen,Adams,ben@example.org\n",
    "marks to fill in": "学号\t姓名\t成绩\n20250001\t王伟华\t\n20250002\t李芳\t\n",
}
NO_ROSTERS = {
    "essay": "家乡的桥\n王伟华 20250001\n雾漫过河。我走到桥上，看见对岸的灯。\n",
    "essay about names": "张伟、李伟、王伟，都是我的同学。\n张伟爱跑步。\n李伟爱唱歌。\n王伟爱画画。\n",
    "poem": "江南好\n风景旧曾谙\n日出江花红胜火\n春来江水绿如蓝\n能不忆江南\n",
    "short lines": "王伟来了\n李芳走了\n张敏哭了\n刘静笑了\n陈丽睡了\n杨强醒了\n",
    "marks": "学号,姓名,成绩\n20250001,王伟华,95\n20250002,李芳,88.5\n20250003,张敏之,71\n",
    "marks without headings": "王伟华,95\n李芳,88\n张敏之,71\n刘静,88\n",
    "marks below names": "姓名,语文,数学\n王伟华,95,90\n李芳,88,100\n",
    "references": "Smith, J. 2019. Rivers of the north. Oxford.\nAdams, B. 2020. Fog. London.\n",
    "years": "2019 Rivers Of The North\n2020 Fog And Water\n2021 The Last Bus\n",
    "titles below a heading": "Name\nThe Last Bus\nThe River\nThe Long Walk\nThe Bridge\n",
    "sentence below a name": "Name\nAnn Fields\nWe went up the hill before sunrise.\nIt was cold.\n",
    "two names below a heading": "姓名\n王伟华\n李芳\n",
    "titles of a few words": "The Last Bus\nFog And Water\nThe Long Walk\nThe Bridge\nA River\n",
    "list of words": "春天\n夏天\n秋天\n冬天\n白云\n江水\n",
    "dialogue": "Anna: Hello\nBen: Hi\nAnna: Fog\nBen: Rain\n",
    "one line": "20250001,王伟华\n",
    "empty": "",
}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("text", ROSTERS.values(), ids=ROSTERS)
def test_that_a_class_list_is_recognised(tmp_path, text, encoding):
    path = tmp_path / "class.csv"
    path.write_bytes(text.encode(encoding))
    assert is_roster(path)


@pytest.mark.parametrize("text", NO_ROSTERS.values(), ids=NO_ROSTERS)
def test_that_other_texts_are_no_class_lists(tmp_path, text):
    path = tmp_path / "essay.txt"
    path.write_text(text, encoding="utf-8")
    assert not is_roster(path)


@pytest.mark.parametrize(
    "name", ["名单.txt", "高一花名册.txt", "class_list.csv", "Students.txt", "participants.txt"]
)
def test_that_a_file_named_as_a_list_is_one_if_each_line_is_a_name(tmp_path, name):
    path = tmp_path / name
    path.write_text("张伟\nMay Brown\n田野\nJan van der Berg\nEmma\n", encoding="utf-8")
    assert is_roster(path)
    assert read_students(path)[3].names == ("Jan van der Berg",)
    path.write_text("张伟\nMay Brown\n今天我们去公园。\nEmma\n", encoding="utf-8")
    assert not is_roster(path)


@pytest.mark.parametrize(
    ("text", "names", "number"),
    [
        ("Last Name,First Name,Preferred Name,ID\nZhang,Wei,Will,30011\n", "Wei Zhang,Will Zhang", "30011"),
        ("Name,Known as,ID number\n\"Zhang, Wei\",Bill,30011\n", "Zhang, Wei,Bill Zhang", "30011"),
        ("Student,ID,SIS User ID,SIS Login ID\nWei Zhang,77,30011,wzhang\n", "Wei Zhang,wzhang", "77"),
        ("Last Name,First Name,Username,Student ID\nZhang,Wei,wzhang,30011\n", "Wei Zhang,wzhang", "30011"),
        ("姓名,英文名,学号/工号\n王小明,Emma,20250001\n", "王小明,Emma Wang", "20250001"),
        ("姓名,常用名,学号\n王小明,王大明,20250001\n", "王小明,王大明", "20250001"),
        ("姓氏,名,学号,电子邮箱\n王,小明,20250001,m@example.org\n", "王小明,m@example.org", "20250001"),
    ],
)  # fmt: skip
def test_that_exports_of_platforms_give_number_and_names_in_use(read, text, names, number):
    (student,) = read(text)
    assert ",".join(student.names).startswith(names)
    assert student.numbers[0] == number


def test_that_excel_tables_of_students_are_recognised_and_of_marks_not(tmp_path):
    rows = [["学号", "姓名"], [20250001, "王伟华"], [20250002, "李芳"]]
    assert is_roster(xlsx_of(tmp_path / "class.xlsx", rows))
    marks = [[*row, mark] for row, mark in zip(rows, ("成绩", 95, 88), strict=True)]
    assert not is_roster(xlsx_of(tmp_path / "marks.xlsx", marks))


@pytest.mark.parametrize("sample", ["桥的故事.docx", "石桥记.pdf"])
def test_that_a_document_is_no_class_list(sample):
    assert not is_roster(SAMPLES / sample)


def test_that_of_the_shared_documents_only_the_roster_is_a_class_list():
    folders = [shared_path("docs"), shared_path("bench", "class-dev")]
    files = list_files(folders).files
    assert len(files) > 120
    assert [path.name for path in files if is_roster(path)] == ["roster.csv"]
