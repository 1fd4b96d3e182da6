"""Addresses, accounts and numbers that lead to a person are replaced whole, with or without a known name."""

import pytest

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student


@pytest.mark.parametrize(
    ("student", "text", "expected"),
    [
        ("Anna Kowalski", "kowalski@x.pl, kowalski.a@x.pl", "Student 01, Student 01"),
        ("Anna Kowalski", "a.kowalski7@x.pl; kowalski_anna@x.pl", "Student 01; Student 01"),
        ("Anna Kowalski", "anna_kowalski2009, kowalski７", "Student 01, Student 01"),
        ("Rose Green", "to rosegreen7@x.pl now", "to [personal data] now"),
        ("Rose Green", "a rose green as grass @ home", "a rose green as grass @ home"),
        ("张伟", "邮箱：zhangwei2008＠school.example。", "邮箱：Student 01。"),
        ("张伟", "write to zw (at) school.example", "write to [personal data]"),
        ("张伟", "电话13812345678，138 1234 5678", "电话[personal data]，[personal data]"),
        ("张伟", "身份证11010120080101123X。", "身份证[personal data]。"),
        ("张伟", "+44 20 7946 0958 or 555-010-9999", "[personal data] or [personal data]"),
        ("张伟", "+44 7700 900123, +44 (0)117 496 0123", "[personal data], [personal data]"),
        ("张伟", "(0117) 496 0123; 020 7946 0958", "[personal data]; [personal data]"),
        ("张伟", "tel: 01174 960123，(010) 12345678", "tel: [personal data]，[personal data]"),
        ("张伟", "微信号：zw_2008，QQ：12345678", "微信号：[personal data]，QQ：[personal data]"),
        ("张伟", "手机20000多元，手机19999.9元", "手机20000多元，手机19999.9元"),
        ("张伟", "微信12345人，手机13800000000元", "微信12345人，手机13800000000元"),
        ("张伟", "电话62345678部门，手机 phone 20000 yuan", "电话[personal data]部门，手机 phone 20000 yuan"),
        ("张伟", "1998-2008年，3.14159，100000000元", "1998-2008年，3.14159，100000000元"),
    ],
)
def test_that_addresses_and_numbers_of_people_are_replaced_whole(student, text, expected):
    names = make_pseudonyms([], [Student((student,))], "00" * 16)
    assert names.replaced(text) == expected


def test_that_the_address_of_a_class_list_is_replaced_and_its_words_are_not():
    students = [Student(("John Smith", "jsm@school.example"))]
    names = make_pseudonyms([], students, "00" * 16)
    assert names.replaced("Our School: an Example. jsm@school.example, jsm") == (
        "Our School: an Example. Student 01, Student 01"
    )
