"""Surnames and given names in lower case: found unless they are ordinary words."""

import pytest

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from tests.pseudonyms.students import replaced


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Anna Kowalski", "kowalski"),
        ("Anna Kowalski", "anna"),
        ("John Smith", "john"),
        ("John Smith", "smith"),
        ("Søren Ørsted", "ørsted"),
        ("Ben Adams", "ben"),
        ("Mary-Ann O'Neil", "o'neil"),
        ("Mary-Ann O'Neil", "mary-ann"),
        ("Kowalski", "kowalski"),
    ],
)
def test_that_a_name_that_is_not_a_word_is_found_in_lower_case(name, word):
    assert replaced(name, f"I talked about it with {word} again") == (
        "I talked about it with Student 01 again"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Tom Baker", "the baker and his bread"),
        ("Will Shepherd", "the shepherd will come"),
        ("Rose Green", "a green field, a rose"),
        ("Crystal Waters", "crystal waters run deep"),
        ("Amy Carpenter", "a carpenter and a fisher"),
        ("Paul Butler", "the butler's room"),
        ("Una Wolf", "tiene una casa"),
        ("Baker", "a baker"),
    ],
)
def test_that_an_ordinary_word_in_lower_case_stays(name, text):
    assert replaced(name, text) == text


def test_that_a_capitalised_ordinary_word_is_replaced():
    assert replaced("Tom Baker", "I met Baker there") == "I met Student 01 there"
    assert replaced("Tom Baker", "I met tom baker there") == "I met Student 01 there"


def test_that_a_word_made_of_an_initial_and_a_surname_stays():
    assert replaced("Alice Broad", "he went abroad") == "he went abroad"
    assert replaced("Sue Harp", "a sharp stone") == "a sharp stone"


@pytest.mark.parametrize("text", ["WILL YOUNG PEOPLE COME?", "AND A ROSE MAY BE RED"])
def test_that_a_word_in_a_line_of_capitals_is_not_a_name(text):
    names = make_pseudonyms([], [Student(("Will Young",)), Student(("Rose May",))])
    assert names.replaced(text) == text


@pytest.mark.parametrize("text", ["BY {}", "{}, CLASS 5B", "{}", "{} wrote this", "{}\nTHE RIVER"])
def test_that_a_name_of_ordinary_words_in_capitals_is_found_alone(text):
    assert replaced("Will Young", text.format("WILL YOUNG")) == text.format("Student 01")
