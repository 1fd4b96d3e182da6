"""Marks of passages in annotated copies: decided and noted ones, and those without matches."""

from collections import Counter
from dataclasses import replace

import docx
import pytest
from docx.oxml.ns import qn

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.model.document import Span
from simcompare.model.settings import ComparisonSettings
from simcompare.report.annotated.annotation_marks import MARK_STYLES, marks_of
from simcompare.session.decisions import Decision, NotedDecision
from tests.comparison.test_summaries import SCATTERED, SUMMARY
from tests.helpers.passages import LIGHTHOUSE, english
from tests.report.annotated_word import annotated, part
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of, review_of_passage

NOTED = NotedDecision(Decision.FINE, "from the question sheet")
IN_WORDS = "no concern · Note: from the question sheet"


@pytest.fixture
def retold(tmp_path):
    """Comparison of a summary, without matched sentences, with the text that it condenses."""
    settings = ComparisonSettings(similar_weight=0.6, right_weight=0.8, thesaurus="none")
    texts = english(LIGHTHOUSE, SUMMARY), SCATTERED
    return comparison_of(tmp_path, *texts, settings=settings, thesaurus="none")


@pytest.mark.parametrize("side", ["left", "right"])
def test_that_the_decision_on_a_passage_is_once_at_its_first_matched_sentence(tmp_path, side):
    bridges = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    marks = marks_of(evidence_of(bridges, review=review_of_passage(bridges, 0, NOTED)), side)
    first, *rest = [mark.lines for mark in marks]
    assert first[0].startswith("Passage 1 · reworded · ")
    assert first[0].endswith(IN_WORDS)
    assert first[1].startswith("Match 1 (identical")
    assert "question sheet" not in str(rest)
    undecided = marks_of(evidence_of(bridges), side)
    assert [mark.span for mark in undecided] == [mark.span for mark in marks]
    assert "Passage" not in str([mark.lines for mark in undecided])


@pytest.mark.parametrize("side", ["left", "right"])
def test_that_a_passage_of_one_match_has_its_decision_and_note_once(tmp_path, side):
    bridges = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    lines = [
        line
        for mark in marks_of(evidence_of(bridges, review=review_of_passage(bridges, 1, NOTED)), side)
        for line in mark.lines
    ]
    assert Counter(lines)["Note: from the question sheet"] == 1
    assert Counter(lines)["Decision: no concern"] == 1


@pytest.mark.parametrize("side", ["left", "right"])
def test_that_a_passage_without_matches_is_marked_as_a_whole(retold, side):
    evidence = evidence_of(retold, review=review_of_passage(retold, 0, NOTED))
    (passage,) = evidence.passages
    assert (passage.kind, passage.matches) == (PassageKind.SUMMARY, ())
    (mark,) = marks_of(evidence, side)
    assert (mark.span, mark.kind) == (getattr(passage, side), None)
    title, other = mark.lines
    assert title.startswith("Passage 1 · summary · ")
    assert title.endswith(IN_WORDS)
    name, start = ("right.txt", SCATTERED) if side == "left" else ("left.txt", SUMMARY[0])
    assert other.startswith(f"{name}: {start[:60]}")


def test_that_two_passages_with_the_same_text_share_its_mark(retold):
    (whole,) = retold.passages
    first, second = (SUMMARY[0], SUMMARY[1])
    text = retold.left.document.text
    both = Passages.of(
        replace(whole, left=Span(text.index(sentence), text.index(sentence) + len(sentence)))
        for sentence in (first, second)
    )
    evidence = evidence_of(replace(retold, passages=both))
    assert [mark.text for mark in marks_of(evidence, "left")] == [first, second]
    (mark,) = marks_of(evidence, "right")
    assert [line[:10] for line in mark.lines] == ["Passage 1 ", "left.txt: ", "Passage 2 ", "left.txt: "]


def test_that_a_word_file_shades_a_passage_without_matches_and_has_its_comment(retold, tmp_path):
    path = tmp_path / "essay.docx"
    written = docx.Document()
    for sentences in (LIGHTHOUSE, SUMMARY[:2], SUMMARY[2:]):
        written.add_paragraph(" ".join(sentences))
    written.save(str(path))
    essay = read_prepared_document(path, "improved")
    evidence = evidence_of(compare(essay, retold.right, retold.settings, None))
    review = review_of_passage(evidence.comparison, 0, NOTED)
    marks = marks_of(evidence_of(evidence.comparison, review=review), "left")
    _document, copy, place = annotated(path, tmp_path, marks)
    assert (copy.placed, copy.unplaced) == (1, ())
    fill = MARK_STYLES[None].background.upper()
    shaded = [
        "".join(text.text for text in run.iter(qn("w:t")))
        for run in part(copy.data, "word/document.xml").iter(qn("w:r"))
        if run.find(f"w:rPr/w:shd[@w:fill='{fill}']", run.nsmap) is not None
    ]
    assert shaded == [" ".join(SUMMARY[:2]), " ".join(SUMMARY[2:])]
    (comment,) = docx.Document(str(place)).comments
    assert comment.text == "\n".join(marks[0].lines)
