"""What was written under a pseudonym is found by it again, whatever lists and corrections came later."""

import json
from pathlib import Path

import pytest

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.session.main_part import pseudonyms_as_json, pseudonyms_from
from simcompare.session.session_data import Session
from simcompare.session.session_writer import write_session

FIRST, SECOND = Path("f.docx"), Path("a.docx")
TWINS = (Student(("Li Wei",), ("20230001",)), Student(("Li Wei",), ("20230002",)))


@pytest.fixture
def before():
    """Two files of one student, "Student 01" and "Student 01 (2)"."""
    return make_pseudonyms([RecognisedStudent(FIRST, "Li Wei"), RecognisedStudent(SECOND, "Li Wei")])


@pytest.fixture
def after(before):
    return before.extended([], TWINS)


def kept(names):
    return pseudonyms_from(json.loads(json.dumps(pseudonyms_as_json(names))))


def test_that_a_list_with_two_of_a_name_leaves_both_files_what_they_were_called(after):
    first, second = after.owner_of(FIRST), after.owner_of(SECOND)
    assert first.number == 1
    assert second.number != 1
    assert second.former == (1,)
    assert after.owners_of("Student 01") == after.owners_of("Student 01 (2)") == [first, second]


def test_that_a_file_that_leaves_takes_its_pseudonym_along_as_a_former_one(before):
    corrected = before.corrected([RecognisedStudent(SECOND, "Ben Adams")])
    assert corrected.owner_of(FIRST).number == 1
    assert corrected.owners_of("Student 01 (2)") == [corrected.owner_of(path) for path in (FIRST, SECOND)]


def test_that_a_file_that_comes_back_has_one_number(before):
    corrected = before.corrected([RecognisedStudent(SECOND, "Ben Adams")])
    again = corrected.corrected([RecognisedStudent(SECOND, "Li Wei")])
    assert again.owner_of(FIRST) == again.owner_of(SECOND)
    assert again.owner_of(FIRST).numbers == (1, 2)


def test_that_a_file_goes_to_a_student_of_the_list_under_a_number_of_its_own(after):
    named = after.corrected([RecognisedStudent(SECOND, "Li Wei", "20230002")])
    student = named.owner_of(SECOND)
    assert student.student == TWINS[1]
    assert student.number not in {1, after.owner_of(FIRST).number}
    assert 1 in student.former
    assert len({owner.number for owner in named.owners}) == len(named.owners)


def test_that_no_number_is_given_twice_and_a_session_keeps_them_all(after):
    new = after.including_files([Path("Eve Parker essay.docx")])
    numbers = [owner.number for owner in new.owners]
    assert sorted(set(numbers)) == numbers
    assert new.count == max(numbers)
    assert kept(new) == new


def test_that_whois_names_all_who_were_called_so(after, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_session(Session(pseudonyms=after), Path("class.simcompare"))
    second = after.owner_of(SECOND).number
    assert run("whois", "class.simcompare", "Student 01 (2)").stdout == (
        f"Text 01: f.docx\nText {second:02}, Text 01: a.docx\n"
    )


def test_that_a_number_too_long_for_any_class_is_nobodys(after):
    assert after.owners_of("9" * 5000) == []
