"""A teacher's list: what is read from it, and what is said of one that cannot be used."""

import shutil

import pytest

from simcompare.anonymity.roster import read_students
from simcompare.anonymity.students import Student
from simcompare.errors import FileNotReadableError
from tests.anonymity.students import SAMPLES


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


def test_that_the_columns_of_a_schools_list_are_known_by_their_heads(read):
    rows = [
        "序号,学号,姓名,性别,班级,英文名",
        "1,2301,王明,男,三年级2班,Ming Wang",
        "2,2302,张雪,女,三年级2班,",
    ]
    expected = (Student(("王明", "Ming Wang"), ("2301",)), Student(("张雪",), ("2302",)))
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "gb18030"):
        assert read("\r\n".join(rows), encoding) == expected


def test_that_sex_and_class_are_no_names_in_a_list_without_heads(read):
    assert read("1,王明,男,三年级2班,20231201\n") == (Student(("王明",), ("20231201",)),)


def test_that_surname_and_given_name_make_one_name(read):
    assert read('Smith, John, 20231234\n"O\'Neil, Mary-Ann",20231235\n') == (
        Student(("Smith, John",), ("20231234",)),
        Student(("O'Neil, Mary-Ann",), ("20231235",)),
    )
    assert read("First name,Last name,Student ID\nJohn,Smith,S1234567\n") == (
        Student(("John Smith",), ("S1234567",)),
    )


@pytest.mark.parametrize("text", ["", "\n \n", "姓名,学号\n"])
def test_that_an_empty_list_says_so(read, text):
    with pytest.raises(Exception, match=r"class.csv cannot be used .*: there is nobody on it. Give a text"):
        read(text)


def test_that_a_line_without_a_name_is_told_by_its_number(read):
    with pytest.raises(
        Exception, match=r"class.csv .*: line 3 holds neither a name nor a number. Write on it"
    ):
        read("张三,20231234\n\n7,男\n")


@pytest.mark.parametrize("sample", ["桥的故事.docx", "石桥记.pdf"])
def test_that_a_document_is_no_list(tmp_path, sample):
    shutil.copy(SAMPLES / sample, tmp_path)
    with pytest.raises(Exception, match="cannot be used as a list of students: it is not a text file"):
        read_students(tmp_path / sample)


def test_that_a_list_that_is_not_there_is_told_as_any_file(tmp_path):
    with pytest.raises(FileNotReadableError, match="it is not there"):
        read_students(tmp_path / "none.csv")
