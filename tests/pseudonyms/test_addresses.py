"""Names in mail addresses, which are in lower case."""

import pytest

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student


@pytest.mark.parametrize(
    ("student", "text", "expected"),
    [
        ("Anna Kowalski", "kowalski@x.pl, kowalski.a@x.pl", "Student 01@x.pl, Student 01.a@x.pl"),
        ("Anna Kowalski", "a.kowalski7@x.pl; kowalski_anna@x.pl", "Student 01 7@x.pl; Student 01@x.pl"),
        ("Rose Green", "rose.green@x.pl, rosegreen7@x.pl", "Student 01@x.pl, Student 01 7@x.pl"),
        ("Rose Green", "a rose green as grass @ home", "a rose green as grass @ home"),
        ("Li Wei", "liwei2023@qq.com", "Student 01 2023@qq.com"),
    ],
)
def test_that_a_name_in_an_email_address_is_replaced(student, text, expected):
    names = make_pseudonyms([], [Student((student,))], "00" * 16)
    assert names.replaced(text) == expected
