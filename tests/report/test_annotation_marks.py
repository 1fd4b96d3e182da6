"""Marks of passages in annotated copies: decided and noted ones, and those without matches."""

from collections import Counter
from dataclasses import replace

import docx
import numpy as np
import pytest
from docx.oxml.ns import qn

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.model.document import Span
from simcompare.model.settings import ComparisonSettings
from simcompare.report.annotated.annotations import marks_of, style_of
from simcompare.session.decisions import Decision, NotedDecision
from tests.comparison.test_summaries import SCATTERED, SUMMARY
from tests.helpers.passages import LIGHTHOUSE, english
from tests.report.annotated_word import annotated, part
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of, review_of_passage
from tests.report.words import squeezed

ADDED = "那年冬天特别冷，河面结了厚厚的冰。"
NOTED = NotedDecision(Decision.FINE, "from the question sheet")
IN_WORDS = "no concern · Note: from the question sheet"


@pytest.fixture
def between(tmp_path):
    """Comparison of two texts with one passage, in which the left one has a sentence of its own."""
    start, end = (
        "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。",
        "每到夏天的傍晚，老人们搬着竹椅来到桥头乘凉。",
    )
    lines = "小时候我常坐在栏杆上数过路的船，一数就是一个下午。"
    left = f"{start}“好桥不说话。”{ADDED}{end}{lines}"
    return comparison_of(tmp_path, left, f"{start}{end}{lines}", thesaurus="none")


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
    assert undecided[0].lines[0].startswith("Passage 1 · reworded · ")
    assert "no concern" not in str([mark.lines for mark in undecided])


def test_that_whole_passages_are_marked_and_excluded_sentences_are_not(between):
    for side, excluded in (("left", between.left_excluded), ("right", between.right_excluded)):
        document = getattr(between, side)
        marked = "".join(mark.text for mark in marks_of(evidence_of(between), side))
        for passage in evidence_of(between).passages:
            span = getattr(passage, side)
            (bounds,) = document.prepared.sentences_in(np.array([[span.start, span.end]]))
            for sentence in range(*bounds):
                text = document.prepared.sentence_span(sentence).of(document.document.text)
                assert (squeezed(text) in squeezed(marked)) is bool(excluded.kept[sentence]), text


def test_that_a_part_between_matched_sentences_is_paler_and_of_no_concern_palest(between):
    undecided = marks_of(evidence_of(between), "left")
    fine = marks_of(evidence_of(between, review=review_of_passage(between, 0, NOTED)), "left")
    (part,) = [mark for mark in undecided if mark.is_between]
    assert ADDED in part.text
    assert part.lines == ()
    sentence = next(mark for mark in undecided if not mark.is_between)
    pale, strong = style_of(part), style_of(sentence)
    assert pale.underline == "" != strong.underline
    assert all(mark.is_fine for mark in fine)
    assert IN_WORDS in fine[0].lines[0]
    for before, after in zip(undecided, fine, strict=True):
        assert int(style_of(after).background, 16) > int(style_of(before).background, 16)


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
    fill = style_of(marks[0]).background.upper()
    shaded = [
        "".join(text.text for text in run.iter(qn("w:t")))
        for run in part(copy.data, "word/document.xml").iter(qn("w:r"))
        if run.find(f"w:rPr/w:shd[@w:fill='{fill}']", run.nsmap) is not None
    ]
    assert shaded == [" ".join(SUMMARY[:2]), " ".join(SUMMARY[2:])]
    (comment,) = docx.Document(str(place)).comments
    assert comment.text == "\n".join(marks[0].lines)
