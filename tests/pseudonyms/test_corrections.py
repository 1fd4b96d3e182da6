"""Corrections of the students of files: earlier exports still refer to the same files."""

from pathlib import Path

import pytest

from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student

FILES = [Path(f"{name} essay.docx") for name in ("Anna Kowalski", "Ben Adams", "Carla Jones")]
LATER = [Path(f"{name} essay.docx") for name in ("David Green", "Eve Parker")]
LISTED = (Student(("Anna Kowalski", "Ania"), ("2301",)), Student(("Ben Adams", "Benny"), ("2302",)))


@pytest.fixture
def names():
    return make_pseudonyms(propose(FILES)).including_files(LATER)


def labels(names, files):
    return [names.label(names.owner_of(file)) for file in files]


def test_that_correcting_a_name_changes_no_pseudonym(names):
    corrected = names.corrected([RecognisedStudent(LATER[1], "Eva Parker")])
    assert labels(corrected, FILES + LATER) == labels(names, FILES + LATER)
    assert corrected.owner_of(LATER[1]).student == Student(("Eva Parker",))
    assert corrected.replaced("Eve") == "Eve"


def test_that_unchanged_rows_change_nothing(names):
    assert names.corrected(names.known_students(FILES + LATER)) == names
    assert names.corrected([]) == names


def test_that_numbers_stay_with_the_files_when_names_are_swapped(names):
    rows = [RecognisedStudent(FILES[0], "Ben Adams"), RecognisedStudent(FILES[1], "Anna Kowalski")]
    for known in (names, names.extended([], LISTED)):
        corrected = known.corrected(rows)
        assert labels(corrected, FILES) == labels(known, FILES)
        assert [corrected.owner_of(file).student.names[0] for file in FILES[:2]] == [
            "Ben Adams", "Anna Kowalski",
        ]  # fmt: skip
    assert corrected.owner_of(FILES[0]).student == LISTED[1]


def test_that_a_file_moved_to_another_student_is_still_found_by_its_number(names):
    corrected = names.corrected([RecognisedStudent(LATER[1], "David Green")])
    david = corrected.owner_of(LATER[0])
    assert david == corrected.owner_of(LATER[1])
    assert david.number == names.owner_of(LATER[0]).number
    assert corrected.owners_of(str(names.owner_of(LATER[1]).number)) == [david]
    new = corrected.including_files([Path("Fred Hill essay.docx")])
    assert new.owner_of(Path("Fred Hill essay.docx")).number == 6


def test_that_a_cleared_name_is_no_longer_replaced_and_keeps_its_number(names):
    corrected = names.corrected([RecognisedStudent(LATER[1])])
    before, after = (pseudonyms.owner_of(LATER[1]) for pseudonyms in (names, corrected))
    assert (after.student, after.number) == (None, before.number)
    assert corrected.replaced("Eve Parker") == "Eve Parker"


def test_that_one_of_several_files_can_move_to_another_student(names):
    second = Path("Anna Kowalski 2.docx")
    both = names.including_files([second])
    corrected = both.corrected([RecognisedStudent(second, "Zoe Fox")])
    assert labels(corrected, FILES + LATER) == labels(both, FILES + LATER)
    assert corrected.owner_of(second).number == 6


def test_that_a_student_of_the_roster_stays_known_without_files(names):
    listed = names.extended([], LISTED)
    corrected = listed.corrected([RecognisedStudent(FILES[0], "Zoe Fox")])
    assert labels(corrected, FILES) == labels(listed, FILES)
    (anna,) = corrected.owners_of("6")
    assert anna.student == LISTED[0]
    assert corrected.replaced("Ania, No. 2301") == "Student 06, Student 06"


def test_that_a_roster_given_with_corrections_adds_spellings(names):
    corrected = names.corrected([RecognisedStudent(FILES[0], "Anna Kowalski", "2301")], LISTED)
    assert labels(corrected, FILES + LATER) == labels(names, FILES + LATER)
    assert corrected.owner_of(FILES[0]).student == LISTED[0]


NAMESAKES = (Student(("王伟",), ("20230001",)), Student(("王伟",), ("20230002",)))


def test_that_an_ambiguous_file_has_no_student_until_a_number_is_given():
    files = [Path("王伟-作文A.docx"), Path("王伟-作文B.docx"), Path("王伟 20230002.docx")]
    names = make_pseudonyms(propose(files, NAMESAKES), NAMESAKES)
    assert [names.owner_of(file).student for file in files] == [None, None, NAMESAKES[1]]
    assert "王" not in names.replaced("我是王伟。", files[0])
    corrected = names.corrected([RecognisedStudent(files[0], "王伟", "20230001")])
    assert corrected.owner_of(files[0]).student == NAMESAKES[0]
    assert len(corrected.owners) == 3


def test_that_a_later_roster_leaves_an_ambiguous_file_unassigned():
    files = [Path("王伟 河边.docx"), Path("李明.docx"), Path("王伟 桥.docx")]
    before = make_pseudonyms(propose(files))
    listed = (*NAMESAKES, Student(("李明",), ("20230003",)))
    for names in (before.extended([], listed), before.corrected(before.known_students(files), listed)):
        assert [names.owner_of(file).student for file in files] == [None, listed[2], None]
        assert labels(names, files[1:2]) == labels(before, files[1:2])
        assert names.owner_of(files[0]).number == before.owner_of(files[0]).number
        assert names.extended([], listed) == names
