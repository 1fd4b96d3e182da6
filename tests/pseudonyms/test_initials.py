"""Initials before and after surnames, and words that are not initials."""

import pytest

from tests.pseudonyms.students import replaced


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Anna Kowalski", "We walked with {}. A friend of ours came."),
        ("Anna Kowalski", "We walked with {}, a friend of ours."),
        ("Anna Kowalski", "We met {} A friend of ours came."),
        ("Anna Kowalski", "It is about {}\nA friend of ours came."),
        ("Anna Kowalski", "It is about {}.\nA. Then it began."),
        ("Ian Irving", "I often talk to {}. I think that he is kind."),
        ("Ian Irving", "I often talk to {} I think."),
        ("Ben Adams", "I like {}\nB is the answer."),
        ("Ben Adams", "The answer is B.\n{} said so."),
        ("Ben Adams", "The answer is B\n{} said so."),
        ("Alice Baker", "A {} came."),
        ("Alice Baker", "I know {}. A dog."),
    ],
)
def test_that_the_first_word_of_the_next_sentence_is_not_an_initial(name, text):
    assert replaced(name, text.format(name.split()[1])) == text.format("Student 01")


@pytest.mark.parametrize("text", ["A Brown dog ran.", "A BROWN DOG RAN", "Alice.\nA Brown dog"])
def test_that_an_article_before_an_ordinary_word_is_not_an_initial(text):
    assert replaced("Alice Brown", text) == text.replace("Alice", "Student 01")


@pytest.mark.parametrize("text", ["I like Rose. Hill climbing is fun.", "Rose.\nHill walks"])
def test_that_a_name_does_not_match_across_the_end_of_a_sentence(text):
    assert "Hill" in replaced("Rose Hill", text)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("John Smith", "Smith, J.|Smith J.|J. Smith|Smith,J.|Smith J|J Smith|J.Smith|JSmith|J-Smith"),
        ("Anna Kowalski", "A. Kowalski|A.Kowalski|Kowalski, A.|Kowalski A.|Anna B. Kowalski|AKowalski"),
        ("Ian Irving", "I. Irving|Irving, I.|Irving I."),
        ("Zhang Xiao Ming", "Zhang, X.M.|Zhang, X. M.|Zhang X.M.|X.M. Zhang|X. M. Zhang"),
        ("Mary Ann Evans", "M. A. Evans|Evans, M.A.|Evans, M. A.|M A Evans|Evans M A"),
        ("Mary-Ann O'Neil", "M.-A. O'Neil|M. O'Neil|O'Neil, M.-A."),
        ("John Smith", "John A Smith|John A. Smith|John Q. Smith"),
    ],
)  # fmt: skip
def test_that_initials_are_replaced_with_their_surname(name, texts):
    for text in texts.split("|"):
        assert replaced(name, f"by {text}, here") == "by Student 01, here", text
