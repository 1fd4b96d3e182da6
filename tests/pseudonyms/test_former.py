"""Former pseudonyms: earlier exports can be resolved after later rosters and corrections."""

from pathlib import Path

import pytest

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.session.session_data import Session
from simcompare.session.session_file import read_session, write_session

FIRST, SECOND = Path("f.docx"), Path("a.docx")
NAMESAKES = (Student(("Li Wei",), ("20230001",)), Student(("Li Wei",), ("20230002",)))


@pytest.fixture
def before():
    """Two files of one student, "Student 01" and "Student 01 (2)"."""
    return make_pseudonyms([RecognisedStudent(FIRST, "Li Wei"), RecognisedStudent(SECOND, "Li Wei")])


@pytest.fixture
def after(before):
    return before.extended([], NAMESAKES)


def test_that_a_roster_with_two_students_of_a_name_leaves_the_names_of_both_files(after):
    first, second = after.owner_of(FIRST), after.owner_of(SECOND)
    assert first.number == 1
    assert second.number != 1
    assert second.former == (1,)
    assert after.owners_of("Student 01") == after.owners_of("Student 01 (2)") == [first, second]


def test_that_a_file_that_moves_keeps_its_pseudonym_as_a_former_one(before):
    corrected = before.corrected([RecognisedStudent(SECOND, "Ben Adams")])
    assert corrected.owner_of(FIRST).number == 1
    assert corrected.owners_of("Student 01 (2)") == [corrected.owner_of(path) for path in (FIRST, SECOND)]


def test_that_a_file_that_moves_back_has_one_number(before):
    corrected = before.corrected([RecognisedStudent(SECOND, "Ben Adams")])
    again = corrected.corrected([RecognisedStudent(SECOND, "Li Wei")])
    assert again.owner_of(FIRST) == again.owner_of(SECOND)
    assert again.owner_of(FIRST).numbers == (1, 2)


def test_that_a_file_assigned_to_a_student_of_the_roster_has_its_own_number(after):
    named = after.corrected([RecognisedStudent(SECOND, "Li Wei", "20230002")])
    student = named.owner_of(SECOND)
    assert student.student == NAMESAKES[1]
    assert student.number not in {1, after.owner_of(FIRST).number}
    assert 1 in student.former
    assert len({owner.number for owner in named.owners}) == len(named.owners)


def test_that_numbers_are_never_reused_and_a_session_stores_all(after, tmp_path):
    new = after.including_files([Path("Eve Parker essay.docx")])
    numbers = [owner.number for owner in new.owners]
    assert sorted(set(numbers)) == numbers
    assert new.count == max(numbers)
    write_session(Session(pseudonyms=new), tmp_path / "class.simcompare")
    assert read_session(tmp_path / "class.simcompare").pseudonyms == new


def test_that_whois_lists_current_and_former_holders(after, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_session(Session(pseudonyms=after), Path("class.simcompare"))
    second = after.owner_of(SECOND).number
    assert run("whois", "class.simcompare", "Student 01 (2)").stdout == (
        f"Text 01: f.docx\nText {second:02}, Text 01: a.docx\n"
    )


def test_that_a_number_with_too_many_digits_has_no_owner(after):
    assert after.owners_of("9" * 5000) == []
