"""How a passage is marked as taken from a source: quoted, cited, both or neither."""

from dataclasses import replace

import pytest

from simcompare.comparison.citations.citation import (
    CitationGroup,
    citation_of,
    copying_sides,
    passage_citation,
)
from simcompare.comparison.citations.named_sources import is_source, named_sources
from simcompare.comparison.passage_explanation import explain_passage
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.model.document import Note, Span
from tests.helpers.citation_cases import citation_cases
from tests.helpers.documents import compare_texts, make_document

SENTENCE = "Scientists in a mature field rarely question the tools they were once trained with"
CITED = f"It is an old idea. {SENTENCE} (Harlow, 1974, p. 31). We return to it."


def test_that_nearly_all_cases_have_their_group():
    """The half that the rules were made with; tests/benchmarks/citations.py measures the other one, too."""
    cases = [case for language in ("zh", "en") for case in citation_cases(language, is_seen=True)]
    wrong = [f"{case.language} {case.number}: {case.found}" for case in cases if case.found is not case.group]
    assert len(cases) > 100
    assert len(wrong) <= 0.03 * len(cases), wrong


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (CITED, "(Harlow, 1974, p. 31)"),
        (f"{SENTENCE} [3, 5–7].", "[3, 5–7]"),
        (f"Kuhn (1962, p. 10) claims that {SENTENCE.lower()}.", "Kuhn (1962, p. 10) claims"),
        (f"According to Harlow, {SENTENCE.lower()}.", "According to Harlow"),
    ],
)
def test_that_the_words_which_name_the_source_are_found(text, source):
    document = make_document(text)
    start = text.lower().index(SENTENCE.lower())
    citation = citation_of(document, Span(start, start + len(SENTENCE)))
    assert citation.group is CitationGroup.CITED
    assert source.endswith(citation.text)
    assert citation.place.of(text) == citation.text


@pytest.mark.parametrize("lead", ["正如{}所说", "这正如{}说的那样", "诚如{}所言", "如{}所指出的", "据{}所述"])
@pytest.mark.parametrize(
    ("name", "is_source"),
    [("高远", True), ("光明", True), ("王晓光", True)]
    + [(name, False) for name in ("标题", "歌词", "长辈", "保安", "古语", "史料", "上面", "前文", "老师")],
)
def test_that_a_name_that_is_a_word_is_a_source_where_it_speaks(lead, name, is_source):
    text = f"{lead.format(name)}，桥下的水比桥上的人更懂得时间的长短。"
    assert bool(named_sources(text)) is is_source


@pytest.mark.parametrize(
    ("inside", "is_source"),
    [
        ("李建国，2025", True),
        ("王芳、张建国，2019", True),
        ("新中国建国，1949", False),
        ("建国，1949", False),
    ],
)
def test_that_a_usual_name_in_brackets_is_no_event(inside, is_source):
    assert bool(named_sources(f"他的话被抄了下来（{inside}）。")) is is_source


@pytest.mark.parametrize(
    ("note", "group"),
    [
        ("Thomas Harlow, The Tools of Science (Boston: Mill Press, 1974), 31.", CitationGroup.CITED),
        ("周正清：《晚明士风研究》，上海：东海书局，1996年，第112页。", CitationGroup.CITED),
        ("Ibid., p. 33.", CitationGroup.CITED),
        ("By tools I mean instruments and methods alike.", CitationGroup.NEITHER),
    ],
)
def test_that_a_note_cites_if_it_names_a_source(note, group):
    document = make_document(f"{SENTENCE}. We return to it.", note)
    document = replace(document, notes=(Note(len(SENTENCE) + 1, document.blocks[1].span),))
    citation = citation_of(document, Span(0, len(SENTENCE) + 1))
    assert citation.group is group
    assert citation.text == (note if group is CitationGroup.CITED else "")
    assert is_source(note) is (group is CitationGroup.CITED)


@pytest.mark.parametrize(
    "text",
    [
        "会议强调，要坚持以人为本。",
        "老师认为，开头最重要。",
        "We see this in the data (see Figure 3).",
        "我国四大名著（《红楼梦》《西游记》《水浒传》《三国演义》）影响深远。",
        "The Treaty of Rome (1957) followed, and x[3] was set.",
        "According to our teacher, the Second World War (1939–1945) began there.",
    ],
)
def test_that_what_looks_like_a_source_is_none(text):
    assert named_sources(text) == ()


def test_that_a_pair_has_the_citation_of_the_text_that_may_have_copied():
    comparison = compare_texts(f"{SENTENCE}. Nobody says so.", CITED)
    (passage,) = numbered_passages(comparison)
    found = passage_citation(comparison, passage)
    assert (found.side, found.group) == ("right", CitationGroup.CITED)
    essay_is_left = passage_citation(replace(comparison, copying=(True, False)), passage)
    assert (essay_is_left.side, essay_is_left.group) == ("left", CitationGroup.NEITHER)
    assert passage_citation(replace(comparison, copying=(False, False)), passage) is None


def test_that_two_essays_of_a_class_are_no_sources_of_each_other():
    assert copying_sides((True, True), 40) == (False, False)
    assert copying_sides((True, True), 2) == (True, True)
    assert copying_sides((False, True), 40) == (False, True)


def test_that_the_explanation_of_a_passage_names_the_source():
    comparison = compare_texts(f"{SENTENCE}. Nobody says so.", CITED)
    explained = explain_passage(comparison, numbered_passages(comparison), 0, None)
    assert explained.citation == (
        "Right: Not marked as a quotation, but the source is named: (Harlow, 1974, p. 31)"
    )
    assert explained.reasons[-1] == explained.citation
    unmarked = compare_texts(f"{SENTENCE}.", f"{SENTENCE}.")
    explained = explain_passage(unmarked, numbered_passages(unmarked), 0, None)
    assert explained.citation == ""
    assert explained.reasons[-1] == "Not marked as a quotation, and no source is named."


def test_that_a_text_without_paragraphs_is_cited_in_time():
    text = "Smith and Jones (1999) say so [3]. " * 20_000 + f"{SENTENCE} (Harlow, 1974)."
    document = make_document(text)
    start = text.index(SENTENCE)
    assert citation_of(document, Span(start, len(text))).text == "(Harlow, 1974)"
    assert citation_of(document, Span(0, len(text))).group is CitationGroup.CITED


def test_that_the_cases_are_balanced_and_valid():
    for language in ("zh", "en"):
        for is_seen in (True, False):
            cases = list(citation_cases(language, is_seen=is_seen))
            assert len(cases) >= 50
            for group in CitationGroup:
                assert sum(case.group is group for case in cases) >= 10
