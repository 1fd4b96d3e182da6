"""Students of added files: names and pseudonyms as tags."""

import stat
import sys
from collections import Counter
from pathlib import Path

import pytest

from simcompare.library.changes import SubmissionKey, read_unnamed_entry, remove_student, unknown_files
from simcompare.library.entries import list_entries
from simcompare.library.library_errors import PseudonymKeyError
from simcompare.library.students import StudentNaming, file_labels, pseudonym_of, students_of, tag_values
from simcompare.library.tags import Tag
from simcompare.pseudonyms.students import Student
from simcompare.support.resources import user_data_path
from tests.library.essays import add, essay, essays

MOODLE = Path("class/王小明_1234_assignsubmission_file_/essay.docx")
CLASS_3 = Tag("class", "3")


def labels_of(*paths, places=(Path("class"),), tags=(), naming=StudentNaming.NAME, listed=()):
    labels = file_labels(paths, places, tags, naming, listed)
    return [(labels[path].name, *map(str, labels[path].tags)) for path in paths]


def test_that_platforms_folders_and_names_of_files_give_students():
    other = Path("class/Anna Kowalski_77_assignsubmission_file_/essay.docx")
    named, unknown = Path("class/20260003-李雷.txt"), Path("class/homework.txt")
    assert labels_of(MOODLE, other, named, unknown, tags=[CLASS_3]) == [
        ("essay.docx", "class=3", "student=王小明"),
        ("essay.docx", "class=3", "student=Anna Kowalski"),
        ("20260003-李雷.txt", "class=3", "student=李雷"),
        ("homework.txt", "class=3"),
    ]


@pytest.mark.parametrize(
    ("folder", "student"),
    [
        ("20260001 王小明_71_assignsubmission_file_", ["student=王小明"]),
        ("王小明20260001_71_assignsubmission_file_", ["student=王小明"]),
        ("Anna Kowalski s1234567_71_assignsubmission_file_", ["student=Anna Kowalski"]),
        ("20260001_71_assignsubmission_file_", []),
        ("Participant 71_71_assignsubmission_file_", []),
        ("参与者_1071_assignsubmission_file_", []),
        ("Participant 1071_1071_assignsubmission_file_", []),
    ],
)
def test_that_a_student_number_beside_a_name_is_not_stored(folder, student):
    ((_name, *tags),) = labels_of(Path("class", folder, "essay.docx"))
    assert tags == student


def test_that_names_of_a_platform_without_blanks_are_found_in_the_class_list():
    path = Path("class/kowalskianna_1234_567890_essay.docx")
    listed = [Student(("Anna Kowalski",), ("s1234567",))]
    assert labels_of(path, listed=listed) == [(path.name, "student=Anna Kowalski")]
    assert labels_of(path) == [(path.name, "student=kowalskianna")]


def test_that_a_student_known_by_number_alone_has_no_tag_but_with_a_class_list():
    path = Path("class/20260003.txt")
    assert labels_of(path) == [("20260003.txt",)]
    assert labels_of(path, listed=[Student(("李雷",), ("20260003",))]) == [("20260003.txt", "student=李雷")]


def test_that_no_student_is_recognised_in_a_single_file_or_beside_a_given_one_or_if_not_wanted():
    assert labels_of(MOODLE, places=[MOODLE]) == [("essay.docx",)]
    assert labels_of(MOODLE, tags=[Tag("student", "李雷")]) == [("essay.docx", "student=李雷")]
    assert labels_of(MOODLE, naming=StudentNaming.NONE) == [("essay.docx",)]


def test_that_a_pseudonym_replaces_name_and_file_name_and_is_the_same_every_year():
    path, unknown = Path("class/20260003-王小明.txt"), Path("class/20260004.txt")
    first, second, third = labels_of(MOODLE, path, unknown, naming=StudentNaming.PSEUDONYM)
    pseudonym = pseudonym_of("王小明")
    assert first == (f"{pseudonym}.docx", f"student={pseudonym}")
    assert second == (f"{pseudonym}.txt", f"student={pseudonym}")
    assert third == (f"{pseudonym_of('20260004')}.txt",)
    assert pseudonym_of("Anna Kowalski") == pseudonym_of("kowalski anna") != pseudonym_of("Anna Kowalska")
    assert "王" not in pseudonym


@pytest.mark.skipif(sys.platform == "win32", reason="files there have no such modes")
def test_that_the_key_of_pseudonyms_is_private_and_made_once():
    assert tag_values("王小明") == ["王小明"]
    pseudonym = pseudonym_of("王小明")
    key = user_data_path("library-pseudonyms.key")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert tag_values(" 王小明") == ["王小明", pseudonym]
    key.write_bytes(b"short")
    with pytest.raises(PseudonymKeyError, match="damaged"):
        pseudonym_of("王小明")
    key.unlink()
    assert pseudonym_of("王小明") != pseudonym


def test_that_a_document_read_for_a_pseudonym_has_neither_name_nor_folders(tmp_path, library):
    path = tmp_path / "王小明.txt"
    path.write_text("雾锁石桥流水东，远山如黛晚来风。", encoding="utf-8")
    new = read_unnamed_entry(path, ())
    assert new.columns["name"] == "essay.txt"
    add(library, essay("雾锁石桥", name="b.txt"))
    assert "王小明" not in repr(new.columns)


def test_that_a_student_is_removed_by_name_and_by_pseudonym(library):
    first, second, third, fourth = essays(4)
    add(library, first, tags="student=王小明")
    add(library, second, tags=f"student={pseudonym_of('王小明')}")
    add(library, third, tags="student=李雷")
    add(library, fourth)
    assert [entry.entry for entry in remove_student(library, "王小明").entries] == [1, 2]
    assert [entry.entry for entry in list_entries(library)] == [3, 4]


def unknown(library, *submissions, recognised=True):
    paths = {Path(str(number)): submission for number, submission in enumerate(submissions)}
    found = unknown_files([library], paths, students_recognised=recognised)
    return [int(str(path)) for path in found]


def test_that_a_file_stored_without_its_student_is_known_if_students_were_recognised(library):
    (own,) = essays(1)
    add(library, own)
    sha256, name = own.document.sha256, own.document.path.name
    plain = SubmissionKey(sha256, name, frozenset())
    of_student = SubmissionKey(sha256, name, frozenset({Tag("student", "王小明")}))
    of_other = SubmissionKey(sha256, name, frozenset({Tag("student", "李雷")}))
    assert unknown(library, plain) == []
    assert unknown(library, of_student) == []
    assert unknown(library, of_student, recognised=False) == [0]
    assert unknown(library, of_student, of_other) == [1]
    assert unknown(library, plain, plain) == [0, 1]
    add(library, own, tags="student=李雷")
    assert unknown(library, of_student, of_other) == []


def test_that_the_same_file_of_another_student_is_not_known(library):
    (own,) = essays(1)
    add(library, own, tags="student=王小明")
    sha256, name = own.document.sha256, own.document.path.name
    assert unknown(library, SubmissionKey(sha256, name, frozenset({Tag("student", "李雷")}))) == [0]
    assert unknown(library, SubmissionKey(sha256, "other.txt", frozenset({Tag("student", "王小明")}))) == [0]


def test_that_students_of_many_classes_are_recognised_as_of_one():
    names = [a + b for a in "王李张刘" for b in ("小明", "建国", "大伟")]
    paths = [Path(f"{folder}/{name}.txt") for folder in ("class-3", "class-4") for name in names]
    assert Counter(students_of(paths).values()) == dict.fromkeys(names, 2)
