"""One essay with all its sources: what is found where, counted once, and the report of it."""

from dataclasses import replace

import pytest

from simcompare.cohort.class_check import ClassFiles, ClassHit, ClassHits, NamedEntry
from simcompare.export.export_tasks import redacted
from simcompare.redaction.redacted_class import class_pseudonyms
from simcompare.report.evidence import evidence_of
from simcompare.report.student_report import (
    STUDENT_FORMS,
    EssayCheck,
    essay_sources,
    student_view,
)
from simcompare.report.wording import NO_NUMBER
from simcompare.session.decisions import Decision, NotedDecision, PairReview, PassageKeys
from simcompare.support.display_text import percent
from simcompare.support.i18n import using_language
from tests.report.class_report.checked_class import (
    COPIER,
    LISTED,
    SECRETS,
    SOURCE,
    STORIES,
    checked,
    class_with_copies,
    document,
    handed_in,
)
from tests.report.words import WORDS, squeezed

OWN = "".join(STORIES[4:7])
"""Text that no other essay has."""


@pytest.fixture(scope="module")
def mixed():
    """The last of five essays: text of the first and of the second, which the third has both, and its own."""
    texts = [STORIES[0], STORIES[1], STORIES[0] + STORIES[1], STORIES[2], STORIES[0] + OWN + STORIES[1]]
    check = checked(ClassFiles(tuple(handed_in(*each) for each in enumerate(texts)), listed=LISTED))
    return EssayCheck(check, 4)


def essay_of(check, name):
    files = [each.document.path.name for each in check.cohort.documents]
    return EssayCheck(check, next(place for place, file in enumerate(files) if name in file))


def with_review(essay, other, review):
    """Return the check with a review of the pair of the essay and another document."""
    pairs = tuple(
        replace(pair, review=review) if {pair.left, pair.right} == {essay.place, other} else pair
        for pair in essay.check.cohort.pairs
    )
    cohort = replace(essay.check.cohort, pairs=pairs)
    return EssayCheck(replace(essay.check, cohort=cohort), essay.place)


def texts_of(essay, found):
    return [each.span.of(essay.document.document.text) for each in found.stretches]


def units_in(essay, *texts):
    """Return how many units some parts of the essay have."""
    whole, prepared = essay.document.document.text, essay.document.prepared
    starts = [whole.index(text) for text in texts]
    spans = [(start, start + len(text)) for start, text in zip(starts, texts, strict=True)]
    return sum(sum(start <= at < end for at in prepared.unit_spans[:, 0].tolist()) for start, end in spans)


def test_that_text_of_two_sources_is_counted_once_and_belongs_to_the_longest_passage(mixed):
    found = essay_sources(mixed)
    assert {source.place for source in found.sources} == {0, 1, 2}
    assert found.sources[0].place == 2, "the one with most of the essay comes first"
    assert texts_of(mixed, found) == [STORIES[0], STORIES[1]]
    assert [len(each.also) for each in found.stretches] == [1, 1]
    copied, own = units_in(mixed, STORIES[0], STORIES[1]), units_in(mixed, OWN)
    assert found.share == pytest.approx(copied / (copied + own)), "the cover is common to the class"
    assert sum(source.share for source in found.sources) == pytest.approx(2 * found.share)


def test_that_the_share_of_a_single_source_is_that_of_the_pair():
    check = class_with_copies()
    essay = essay_of(check, COPIER)
    found = essay_sources(essay)
    [source] = found.sources
    [pair] = [pair for pair in essay.pairs if source.place in (pair.left, pair.right)]
    expected = pair.shares[pair.left != essay.place]
    assert found.share == source.share == pytest.approx(expected)
    assert source.decision is Decision.COPIED


def test_that_a_passage_of_no_concern_is_not_counted(mixed):
    [pair] = [pair for pair in mixed.pairs if {pair.left, pair.right} == {0, 4}]
    evidence = evidence_of(mixed.check.cohort, pair)
    keys = PassageKeys(evidence.comparison, evidence.passages, *evidence._indexes)
    fine = {keys.key(index): NotedDecision(Decision.FINE) for index in range(len(evidence.passages))}
    found = essay_sources(with_review(mixed, 0, PairReview(passages=fine)))
    assert {source.place for source in found.sources} == {1, 2}
    assert [len(each.also) for each in found.stretches] == [0, 1]
    assert found.share == essay_sources(mixed).share, "the third essay has that text too"


def test_that_a_pair_of_no_concern_is_listed_apart(mixed):
    review = PairReview(NotedDecision(Decision.FINE))
    found = essay_sources(with_review(mixed, 2, review))
    assert [source.place for source in found.fine] == [2]
    assert {source.place for source in found.sources} == {0, 1}
    assert [each.also for each in found.stretches] == [(), ()]
    cleared = with_review(with_review(with_review(mixed, 2, review), 1, review), 0, review)
    with using_language("en"):
        result = student_view(cleared, essay_sources(cleared)).result
    before = percent(essay_sources(mixed).share)
    words = "All that this essay has in common with other texts is marked as no concern. Before decisions, it"
    assert result == f"{words} was {before}."


def test_that_earlier_work_is_a_source_and_named_as_such():
    essay = essay_of(class_with_copies(), "赵敏")
    with using_language("en"):
        view = student_view(essay, essay_sources(essay))
    assert [(row.label, row.role, row.share) for row in view.sources] == [
        ("旧作.txt", "earlier work", percent(1.0))
    ]


def test_that_earlier_work_comes_before_a_classmate_of_the_same_share():
    texts = [STORIES[0] + OWN, STORIES[0] + STORIES[2], STORIES[3]]
    old = (document("旧作.txt", STORIES[0]),)
    check = checked(ClassFiles(tuple(handed_in(*each) for each in enumerate(texts)), old, listed=LISTED))
    essay = EssayCheck(check, 0)
    view = student_view(essay, essay_sources(essay))
    assert view.sources[0].label == "旧作.txt"
    assert view.sources[0].share == view.sources[1].share


def test_that_what_counts_in_no_comparison_is_grey():
    quotation = "正如费孝通在《乡土中国》中所说：“从基层上看去，中国社会是乡土性的，土气是人们的根本。”"
    texts = [STORIES[0] + OWN, STORIES[0] + quotation + STORIES[2], STORIES[3], STORIES[1]]
    check = checked(ClassFiles(tuple(handed_in(*each) for each in enumerate(texts)), listed=LISTED))
    view = student_view(essay := EssayCheck(check, 1), essay_sources(essay))
    pieces = [piece for block in view.blocks for piece in block.pieces]
    grey = [piece.text for piece in pieces if not piece.counts]
    assert quotation in grey
    assert not any(STORIES[place] in "".join(grey) for place in (0, 2))
    assert "".join(piece.text for piece in pieces) == essay.document.document.text.replace("\n", "")


def test_that_an_essay_of_its_own_has_no_sources():
    essay = essay_of(class_with_copies(), "李雷.txt")
    found = essay_sources(essay)
    assert (found.share, found.sources, found.stretches) == (0.0, [], [])
    with using_language("en"):
        assert student_view(essay, found).result == "Nothing that counts in this essay is in another text."


def test_that_a_draft_is_compared_with_nothing():
    essay = essay_of(class_with_copies(), "初稿")
    with using_language("en"):
        view = student_view(essay, essay_sources(essay))
    assert (view.share, view.sources) == (NO_NUMBER, [])


def test_that_sources_beyond_the_twelfth_have_one_colour():
    copies = [document(f"copy {number}.txt", STORIES[0] + f"第{number}份。") for number in range(14)]
    check = checked(ClassFiles((handed_in(0, STORIES[0] + OWN), *copies)))
    essay = EssayCheck(check, 0)
    with using_language("en"):
        view = student_view(essay, essay_sources(essay))
    assert [row.number for row in view.sources] == list(range(1, 15))
    assert [row.tone for row in view.sources][10:] == [11, 12, 13, 13]
    assert view.remarks == ["Sources from number 13 on have one colour."]


def test_that_hits_of_the_library_are_listed_without_a_colour(mixed):
    entry = NamedEntry(7, "old.docx", (("year", "2023"),), "2024-01-01T00:00:00+00:00")
    summary = mixed.pairs[0].summary
    hits = ClassHits((ClassHit(4, entry, summary), ClassHit(1, entry, summary)), (), (), 10)
    essay = EssayCheck(replace(mixed.check, library_hits=hits), 4)
    with using_language("en"):
        view = student_view(essay, essay_sources(essay))
    [row] = view.library
    assert (row.tone, row.role) == (0, "library")
    assert "old.docx (Year: 2023" in row.label
    assert view.share == student_view(mixed, essay_sources(mixed)).share


@pytest.mark.parametrize("form", STUDENT_FORMS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_the_report_has_the_text_the_sources_and_the_share(mixed, form, language):
    with using_language(language):
        view = student_view(mixed, essay_sources(mixed))
        words = WORDS[form](STUDENT_FORMS[form](mixed, ""))
    for row in view.sources:
        assert squeezed(row.label + row.role) in words or squeezed(row.label) in words
        assert squeezed(row.share) in words
    for text in (OWN, view.result, view.name, percent(essay_sources(mixed).share)):
        assert squeezed(text) in words
    assert squeezed(f"1+1{STORIES[0]}") in words


@pytest.mark.parametrize("form", STUDENT_FORMS)
def test_that_an_anonymous_report_names_nobody(form):
    check = class_with_copies()
    for essay in (essay_of(check, COPIER), essay_of(check, "吴倩")):
        named = WORDS[form](STUDENT_FORMS[form](essay, "甲班"))
        assert any(secret in named for secret in SECRETS)
        with using_language("en"):
            anonymous = redacted(essay, class_pseudonyms(check, LISTED))
            data = STUDENT_FORMS[form](anonymous, "")
        words = WORDS[form](data)
        assert [secret for secret in (*SECRETS, SOURCE) if secret in words or secret.encode() in data] == []
        assert "Student" in words
        assert essay_sources(anonymous).share == essay_sources(essay).share
