"""Labels that tell students apart, also those of one name."""

import pytest

from simcompare.cohort.student_groups import student_labels


@pytest.mark.parametrize(
    ("students", "short", "numbered"),
    [
        ([("Emma Smith", "7")], ["Emma Smith"], ["Emma Smith 7"]),
        ([("Emma Smith", "7"), ("Emma Smith", "8")], *[["Emma Smith 7", "Emma Smith 8"]] * 2),
        ([("Emma Smith", "7"), ("Emma Smith", "")], *[["Emma Smith 7", ""]] * 2),
        ([("Emma Smith", ""), ("Emma Smith", ""), ("Tom Ray", "")], *[["", "", "Tom Ray"]] * 2),
        ([("", "7"), ("", ""), ("", "8")], ["", "", ""], ["7", "", "8"]),
    ],
)
def test_that_a_label_belongs_to_one_student(students, short, numbered):
    keyed = [(key, *student) for key, student in enumerate(students)]
    assert list(student_labels(keyed).values()) == short
    assert list(student_labels(keyed, with_numbers=True).values()) == numbered
