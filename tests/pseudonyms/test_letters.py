"""Transliterations of special letters in names."""

import pytest

from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from tests.pseudonyms.students import replaced


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("Søren Ørsted", "Søren Ørsted|Soren Orsted|Soeren Oersted|SØREN ØRSTED|Orsted|Oersted|S. Oersted"),
        ("Łukasz Wójcik", "Łukasz Wójcik|Lukasz Wojcik|LUKASZ|Lukasz"),
        ("Max Müller", "Max Müller|Max Mueller|Max Muller|Mueller|MÜLLER|Mu\u0308ller|Mueller, M.|mueller"),
        ("Max Mueller", "Max Müller|Max Mueller|Müller|Mueller|MÜLLER"),
        ("Jürgen Groß", "Jürgen Groß|Juergen Gross|Jurgen Gross|Juergen Groß|GROSS|GROẞ|Jürgen Gross"),
        ("Juergen Gross", "Jürgen Groß|Jürgen|Groß|Juergen Groß"),
        ("Đorđe Đinđić", "Djordje Djindjic|Dorde Dindic|Đorđe"),
        ("Guðrún Þórsdóttir", "Gudrun Thorsdottir|Guðrún|Thorsdottir"),
        ("Kjær Ægir", "Kjaer Aegir|KJÆR|Aegir"),
        ("Lœtitia Dubois", "Loetitia Dubois|LŒTITIA"),
        ("Åse Håkonsen", "Aase Haakonsen|Ase Hakonsen|Haakonsen"),
        ("Jörg Schäfer", "Joerg Schaefer|Jorg Schafer|Schaefer"),
        ("Joerg Schaefer", "Jörg Schäfer|Schäfer"),
        ("Yıldız Işık", "Yildiz Isik|Yıldız"),
    ],
)
def test_that_a_name_is_found_with_and_without_special_letters(name, texts):
    for text in texts.split("|"):
        assert replaced(name, f"by {text}, here") == "by Student 01, here", text


@pytest.mark.parametrize(
    ("name", "text"), [("Joe Poe", "Jo, Po"), ("Samuel Sue", "su"), ("Lue Xue", "Lu Xu")]
)
def test_that_other_names_stay(name, text):
    assert replaced(name, text) == text


def test_that_a_usual_spelling_has_precedence_over_a_rare_one():
    names = make_pseudonyms([], [Student(("Michael Ford",)), Student(("Michal Nowak",))])
    michal = next(owner for owner in names.owners if owner.student.names == ("Michal Nowak",))
    assert names.replaced("Michal") == names.label(michal)


def test_that_a_file_with_a_transliterated_name_is_matched_with_the_roster(tmp_path):
    listed = [Student(("Jürgen Müller",)), Student(("Søren Ørsted",))]
    files = [tmp_path / "Juergen Mueller essay.docx", tmp_path / "Orsted_Soren.docx"]
    names = make_pseudonyms(propose(files, listed), listed)
    assert [names.owner_of(file).student for file in files] == listed
