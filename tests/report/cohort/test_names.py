"""File names of reports, valid on every system."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.report.cohort.report_bundle import file_name_problem, pair_name, report_name, safe_name

DEVICES = {"CON", "PRN", "AUX", "NUL", "COM1", "LPT9"}


def test_that_a_report_is_named_after_its_two_files():
    name = report_name(7, 20, "Anna.docx", "本.pdf", ".html")
    assert name == "07 Anna – 本.html"


def test_that_reports_of_files_of_the_same_name_include_the_folder():
    assert pair_name("李小明/作文.docx", "王芳/作文.docx") == "李小明 作文 – 王芳 作文"


def test_that_an_initial_with_a_dot_is_no_suffix():
    assert pair_name("J. Smith", "J.Brown") == "J. Smith – J.Brown"


def test_that_numbers_are_wide_enough_to_sort():
    assert report_name(3, 44_850, "a", "b", ".pdf") == "00003 a – b.pdf"


@pytest.mark.parametrize("name", ["con", "NUL", "aux.tar", "com1", "LPT9 ", "Com¹", "nul .x"])
def test_that_no_name_is_a_windows_device_name(name):
    assert safe_name(name).startswith("_")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ('a<b>c:d"e/f\\g|h?i*j', "a_b_c_d_e_f_g_h_i_j"),
        ("ends with dots and blanks. . ", "ends with dots and blanks"),
        ("...", "_"),
        ("", "_"),
        ("two\n lines", "two_ lines"),
        ("a\u202egnp.exe", "a[U+202E]gnp.exe"),
        ("console", "console"),
    ],
)
def test_that_a_name_is_made_safe(name, safe):
    assert safe_name(name) == safe


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "Enter a name."),
        (" . ", "Enter a name."),
        ("a/b", 'Choose a name without the characters < > : " / \\ | ? *'),
        ("what?", 'Choose a name without the characters < > : " / \\ | ? *'),
        ("two\nlines", "The name contains an invisible character. Type it again."),
        ("a\x01b", "The name contains an invisible character. Type it again."),
        ("a\u202egnp", "The name contains an invisible character. Type it again."),
        ("a\ud800", "The name contains an invisible character. Type it again."),
        ("CON", "Windows reserves this name. Choose another one."),
        ("aux", "Windows reserves this name. Choose another one."),
        ("LPT1", "Windows reserves this name. Choose another one."),
        ("nul.x", "Windows reserves this name. Choose another one."),
        ("n" * 300, "The name is too long for a file. Shorten it."),
        ("长" * 100, "The name is too long for a file. Shorten it."),
        ("四班 2026.11.21", ""),
        ("console", ""),
    ],
)
def test_that_an_invalid_file_name_is_refused_with_the_reason(name, reason):
    assert file_name_problem(name) == reason


def test_that_long_names_fit_into_a_file_name():
    for letter in ("x", "长", "\U0001f600"):
        name = report_name(44_850, 44_850, letter * 300, letter * 300, ".html")
        assert len(name.encode("utf-8")) <= 255
        assert len(name.encode("utf-16-le")) <= 2 * 255


@given(st.text())
def test_that_every_text_becomes_a_valid_windows_name(text):
    name = safe_name(text)
    assert name
    assert name == name.strip(". ")
    assert not set(name) & set('<>:"/\\|?*')
    assert all(ord(letter) >= 32 for letter in name)
    assert name.split(".")[0].strip().upper() not in DEVICES
    assert len(name.encode("utf-8")) <= 120
    assert not file_name_problem(name)


def test_that_a_shortened_name_has_no_open_bracket():
    assert safe_name("Priya Nair (2026 · 10B · Macbeth ambition essay)") == "Priya Nair"
    assert safe_name("王伟（高一三班）") == "王伟（高一三班）"
