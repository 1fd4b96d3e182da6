"""Reading class rosters, and errors of unusable files."""

import shutil

import pytest

from simcompare.model.errors import FileNotReadableError
from simcompare.pseudonyms.roster import read_students
from simcompare.pseudonyms.students import Student
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
    with pytest.raises(Exception, match="cannot be used as a list of students: it is not a text file"):
        read_students(tmp_path / sample)


def test_that_a_missing_roster_is_reported_like_any_file(tmp_path):
    with pytest.raises(FileNotReadableError, match="it does not exist"):
        read_students(tmp_path / "none.csv")
