"""Reports say how each passage is marked as taken from a source."""

from dataclasses import replace

import pytest

from simcompare.model.settings import PRESETS
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from simcompare.redaction.redacted_class import anonymous_evidence
from simcompare.report.comparison_json import evidence_as_dict
from simcompare.report.html_report import render_html
from simcompare.report.plain_text import comparison_as_text
from simcompare.report.report_forms import FORMS
from simcompare.report.wording import citations_in_words
from simcompare.support.i18n import using_language
from tests.helpers.documents import compare_texts
from tests.helpers.passages import GARDEN, TRAFFIC, english
from tests.report.essays import evidence_of
from tests.report.words import WORDS, squeezed

CITED = english(GARDEN) + " (Harlow, 1974, p. 31)"
SINGLE = "“Taxes on salt were paid by everyone and remembered by everyone, which explains many revolts” [7]."
ESSAY = f"{CITED}\n{english(TRAFFIC)}\n{SINGLE}"
SOURCE = f"{english(GARDEN)}\n{SINGLE[1:-6]}.\n地铁五号线的工程队昨夜完成了隧道的最后一段开挖。"
KEEPING = replace(PRESETS["balanced"], exclude_quotations=False)
WORDS_FOUND = "Not marked as a quotation, but the source is named: (Harlow, 1974, p. 31)"


@pytest.fixture
def evidence():
    return evidence_of(compare_texts(ESSAY.split("\n"), SOURCE.split("\n"), KEEPING))


def test_that_text_and_json_name_the_source_of_each_passage(evidence):
    text = comparison_as_text(evidence.comparison, evidence.thesaurus)
    assert f" · Left: {WORDS_FOUND}\n" in text
    assert "1 passage quoted and cited, 1 passage cited without quotation marks" in text
    written = evidence_as_dict(evidence)
    assert written["citation_counts"] == {"quoted_and_cited": 1, "cited": 1, "quoted": 0, "neither": 0}
    named = [(each["citation"], each["citing"], each["citing_side"]) for each in written["passages"]]
    assert named == [("cited", "(Harlow, 1974, p. 31)", "left"), ("quoted_and_cited", "[7]", "left")]


def test_that_reports_for_readers_name_the_sources(evidence):
    for suffix, words_of in WORDS.items():
        words = words_of(FORMS[suffix].render(evidence))
        assert squeezed(f"Left: {WORDS_FOUND}") in squeezed(words), suffix
        assert squeezed("Quoted, and the source is named: [7]") in squeezed(words), suffix
        assert squeezed("1 passage quoted and cited, 1 passage cited without quotation marks") in squeezed(
            words
        ), suffix
    with using_language("zh"):
        assert "没有作为引文标出，但注明了出处：(Harlow, 1974, p. 31)" in render_html(evidence)


def test_that_nothing_is_said_of_two_essays_of_a_class(evidence):
    comparison = replace(evidence.comparison, copying=(False, False))
    own = replace(evidence, comparison=comparison)
    written = evidence_as_dict(own)
    assert written["citation_counts"] is None
    assert {each["citation"] for each in written["passages"]} == {None}
    assert "is named" not in comparison_as_text(comparison, None)


def test_that_unmarked_passages_are_counted_only_beside_a_known_source():
    evidence = evidence_of(compare_texts(english(GARDEN), english(GARDEN)))
    assert citations_in_words(evidence.comparison, evidence.citations) == ""
    known = replace(evidence, comparison=replace(evidence.comparison, copying=(True, False)))
    assert citations_in_words(known.comparison, known.citations) == "1 passage neither quoted nor cited"


def test_that_anonymous_reports_say_the_same_and_name_no_student(evidence):
    names = make_pseudonyms([], [Student(("Ann Harlow",)), Student(("Ben Whitlow",))])
    anonymous = anonymous_evidence(evidence, names)
    groups = [found.group for found in evidence.citations]
    assert [found.group for found in anonymous.citations] == groups
    for suffix, words_of in WORDS.items():
        words = words_of(FORMS[suffix].render(anonymous))
        assert squeezed("the source is named: (Student 0") in squeezed(words), suffix
        assert squeezed("1 passage quoted and cited, 1 passage cited without quotation marks") in squeezed(
            words
        ), suffix
        assert "Harlow" not in words, suffix
        assert anonymous.comparison.names == ("Text 03", "Text 03")
    written = evidence_as_dict(anonymous)
    assert written["citation_counts"] == evidence_as_dict(evidence)["citation_counts"]


REFERENCES = (
    "References",
    "Whitlow, B. (1990). Traffic in the old towns. Journal of Bridges, 3(2), 11-20.",
    "Kuhn, T. S. (1962). The structure of scientific revolutions. University of Chicago Press.",
)


def test_that_anonymous_reports_have_the_references_that_are_not_cited():
    essay = f"{ESSAY}\nHarlow (1974) and Ann Harlow (1980) say so."
    evidence = evidence_of(compare_texts([*essay.split("\n"), *REFERENCES], SOURCE.split("\n")))
    names = make_pseudonyms([], [Student(("Ann Harlow",)), Student(("Ben Whitlow",))])
    both = (evidence, anonymous_evidence(evidence, names))
    before, after = (evidence_as_dict(each)["documents"]["left"]["references"] for each in both)
    assert (len(before["uncited"]), len(before["unlisted"])) == (2, 3)
    assert after["uncited"][1] == before["uncited"][1]
    assert [len(each) for each in after.values()] == [len(each) for each in before.values()]
    assert not any(name in str(after) for name in ("Harlow", "Whitlow"))
