"""Cohorts made from documents or a session, without a window."""

from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from simcompare.cohort.cohort_scoring import CohortDocuments, larger_share, make_cohort
from simcompare.cohort.session_preparation import prepare_session_documents
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.figures import PairSummary
from simcompare.comparison.prepared_document import prepare_document
from simcompare.export.export_tasks import evidence_of
from simcompare.model.errors import FileNotReadableError, NoUnitsError
from simcompare.model.progress import Cancelled, no_tick
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, SentenceKey
from simcompare.session.session_data import Session, SessionDocument
from simcompare.text.thesaurus import load_thesaurus
from tests.report.cohort.class_of_essays import MADE_AT, compared_essays, essays

SETTINGS = ComparisonSettings()
COPIED = PairReview(
    NotedDecision(Decision.COPIED, "look"),
    {MatchKey(SentenceKey("0" * 16, 0), SentenceKey("1" * 16, 2)): NotedDecision(Decision.FINE)},
)


def test_that_every_pair_has_the_figures_of_its_comparison():
    cohort = compared_essays()
    thesaurus = load_thesaurus("starter")
    assert {(pair.left, pair.right) for pair in cohort.pairs} == {
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 2),
        (1, 3),
        (2, 3),
    }
    for pair in cohort.pairs:
        comparison = compare(essays()[pair.left], essays()[pair.right], cohort.settings, thesaurus)
        assert isinstance(pair.summary, PairSummary)
        assert pair.summary.share == comparison.share
        assert pair.summary.matches == len(comparison.matches)


def test_that_pairs_with_most_rare_text_in_common_come_first():
    scores = [pair.rank_score for pair in compared_essays().pairs]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.3
    assert [larger_share(pair) for pair in compared_essays().pairs[3:]] == [0, 0, 0]


def test_that_a_pair_has_its_review():
    judged = [pair for pair in compared_essays().pairs if not pair.review.is_empty]
    assert [(pair.left, pair.right, pair.review.overall.decision) for pair in judged] == [
        (0, 2, Decision.COPIED)
    ]


def test_that_the_evidence_of_a_pair_is_its_full_comparison_and_review():
    cohort = compared_essays()
    pair = cohort.pairs[0]
    evidence = evidence_of(cohort, pair)
    assert evidence.comparison.left is cohort.documents[pair.left]
    assert len(evidence.comparison.matches) == pair.summary.matches
    assert (evidence.made_at, evidence.review) == (MADE_AT, pair.review)


def test_that_sentences_of_the_prompt_are_excluded_in_all_pairs():
    bridge, settings = essays()[0], ComparisonSettings(prompt="prompt.txt")
    documents = CohortDocuments((bridge, essays()[2]), {}, prompt=bridge.prepared)
    cohort = make_cohort(documents, settings, MADE_AT, no_tick, Event())
    (pair,) = cohort.pairs
    assert pair.summary.matches == 0
    assert pair.summary.share.left_in_right.raw > 0.3
    assert len(evidence_of(cohort, pair).comparison.matches) == 0


def test_that_one_document_has_no_pair():
    documents = CohortDocuments(essays()[:1], {})
    assert make_cohort(documents, ComparisonSettings(), MADE_AT, no_tick, Event()).pairs == ()


def test_that_progress_ends_with_all_pairs():
    ticks = []
    documents = CohortDocuments(essays(), {})
    make_cohort(documents, ComparisonSettings(), MADE_AT, lambda *at: ticks.append(at), Event())
    assert ticks[-1] == (6, 6)
    assert ticks == sorted(ticks)


def test_that_comparing_can_be_cancelled():
    stop = Event()
    stop.set()
    documents = CohortDocuments(essays(), {})
    with pytest.raises(Cancelled):
        make_cohort(documents, ComparisonSettings(), MADE_AT, no_tick, stop)


def session_of(*names, reviews=None):
    """Return a session of the samples without their files, a file without words and a missing one."""
    files = [
        SessionDocument(
            Path("gone") / name, document=replace(prepared_document.document, path=Path("gone") / name)
        )
        for prepared_document, name in zip(essays(), names, strict=False)
    ]
    empty = replace(essays()[0].document, path=Path("gone/empty.txt"), text="…", blocks=())
    missing = FileNotReadableError(Path("gone/missing.txt"), cause="it does not exist")
    return Session(
        (
            SessionDocument(Path("gone/missing.txt"), error=missing),
            SessionDocument(Path("gone/empty.txt"), document=empty),
            *files,
        ),
        reviews=reviews or {},
    )


def test_that_a_session_is_compared_without_its_files():
    session = session_of("a.docx", "b.html", reviews={(3, 2): COPIED})
    found = prepare_session_documents(session, SETTINGS, range(4), no_tick, Event())
    assert [prepared_document.name for prepared_document in found.prepared_documents] == ["a.docx", "b.html"]
    again = prepare_document(session.documents[2].document, "improved")
    assert found.prepared_documents[0].prepared.unit_count == again.prepared.unit_count
    assert found.reviews == {(0, 1): COPIED.mirrored}


def test_that_documents_without_text_are_listed_with_the_reason():
    found = prepare_session_documents(session_of("a.docx"), SETTINGS, range(3), no_tick, Event())
    reasons = {unread.path.name: type(unread.error) for unread in found.unread}
    assert reasons == {"missing.txt": FileNotReadableError, "empty.txt": NoUnitsError}


def test_that_reviews_of_other_documents_are_left_out():
    session = session_of("a.docx", "b.html", reviews={(2, 3): COPIED})
    assert prepare_session_documents(session, SETTINGS, [2], no_tick, Event()).reviews == {}


def test_that_preparation_can_be_cancelled():
    stop = Event()
    stop.set()
    with pytest.raises(Cancelled):
        prepare_session_documents(session_of("a.docx"), SETTINGS, range(3), no_tick, stop)


def test_that_the_prompt_of_a_session_is_prepared():
    session = replace(session_of("a.docx", "b.html"), prompt=essays()[3].document)
    without = prepare_session_documents(session, SETTINGS, [2, 3], no_tick, Event())
    asked = prepare_session_documents(
        session, ComparisonSettings(prompt="bus.docx"), [2, 3], no_tick, Event()
    )
    assert without.prompt is None
    assert asked.prompt.unit_count == essays()[3].prepared.unit_count
    assert len(asked.prepared_documents) == 2


def test_that_a_prompt_without_words_is_reported():
    session = session_of("a.docx")
    session = replace(session, prompt=session.documents[1].document)
    with pytest.raises(NoUnitsError):
        prepare_session_documents(session, ComparisonSettings(prompt="empty.txt"), [2], no_tick, Event())
