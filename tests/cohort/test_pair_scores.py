"""Pair scores equal those of a full comparison, in this process and in the pool."""

import gc
import os
import signal
import sys
import threading
import time
import weakref
from dataclasses import replace
from functools import partial
from itertools import combinations
from queue import SimpleQueue

import pytest

from simcompare.cohort import pair_pool
from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.cohort.pair_pool import Batch, PairPool
from simcompare.cohort.pair_scores import (
    ExclusionCandidateCache,
    PairClassifier,
    PairScores,
    PairText,
    score_pair,
)
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_matrix import TextNumbering
from simcompare.comparison.comparison_result import Comparison, ExcludedSentences
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.comparison.figures import PairSummary
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.support.resources import resource_path
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import own_text, prepared_text_document, scores_of
from tests.helpers.patience import PATIENCE_S

SAMPLES = ("家乡的石桥.docx", "心中的桥.html", "石桥记.pdf", "桥的故事.docx", "秋天的路.pdf")
PROMPT = "以“桥”为题写一篇作文。家乡的小河上，有一座古老的石桥。"
JUDGED_DIFFERENTLY = [
    ComparisonSettings(),
    ComparisonSettings(similar_weight=0.30, right_weight=0.31),
    ComparisonSettings(similar_weight=0.80, right_weight=0.95),
    ComparisonSettings(word_stage=False),
    ComparisonSettings(minimum_units=25),
    ComparisonSettings(minimum_units=10_000),
    ComparisonSettings(exclude_quotations=False, exclude_references=False, minimum_units=0),
    ComparisonSettings(prompt="prompt.txt"),
    ComparisonSettings(
        left_out=(
            left_out_sentence(
                prepared_text_document("听祖父说，石桥建造于1926年，到现在已经将近一百岁了。"), 0
            ),
        )
    ),
]


@pytest.fixture(scope="module")
def samples():
    return [read_prepared_document(resource_path("samples", name), "improved") for name in SAMPLES]


@pytest.fixture(scope="module")
def prompt():
    return prepared_text_document(PROMPT).prepared


def units_in(text, span: Span, excluded: ExcludedSentences) -> int:
    """Count the units of a span that count, in the plain way."""
    sentences = zip(
        text.sentence_units.tolist(), text.sentence_units.tolist()[1:], excluded.kept, strict=False
    )
    return sum(
        span.start <= start < span.end
        for first, stop, counts in sentences
        for start in text.unit_spans[first:stop, 0].tolist()
        if counts
    )


def summary_of(comparison: Comparison) -> PairSummary:
    """Compute the figures of a pair from its comparison in the plain way."""
    left, right = comparison.left.prepared, comparison.right.prepared
    lengths = [
        min(
            units_in(left, p.left, comparison.left_excluded),
            units_in(right, p.right, comparison.right_excluded),
        )
        for p in comparison.passages
    ]
    matches = map(comparison.matches.__getitem__, range(len(comparison.matches)))
    lengths += [
        min(int(left.sentence_lengths[match.left]), int(right.sentence_lengths[match.right]))
        for match in matches
    ]
    return PairSummary.of(
        comparison.share,
        comparison.sentence_share,
        max(lengths, default=0),
        len(comparison.matches),
    )


@pytest.mark.parametrize("source", ["starter", "none"])
@pytest.mark.parametrize("passages", [PRESETS["balanced"].passages, PRESETS["sensitive"].passages, None])
def test_that_pair_figures_equal_those_of_the_comparison(samples, prompt, source, passages):
    thesaurus = load_thesaurus(source)
    numbering = TextNumbering(thesaurus)
    texts = {sample: PairText(sample.prepared, numbering) for sample in samples}
    scored_by = ComparisonSettings(thesaurus=source, passages=passages)
    for left, right in combinations(samples, 2):
        scores = score_pair(texts[left], texts[right], scored_by)
        for settings in JUDGED_DIFFERENTLY:
            asked = replace(settings, thesaurus=source, passages=passages)
            excluded = prompt if asked.prompt else None
            classifier = PairClassifier(asked, ExclusionCandidateCache(excluded, source))
            comparison = compare(left, right, asked, thesaurus, prompt=excluded)
            assert classifier.classify(left, right, scores) == summary_of(comparison)


def test_that_a_text_without_counted_sentences_has_no_share_after_exclusions(samples):
    left, right = samples[:2]
    scores = scores_of(left, right, ComparisonSettings())
    strict = PairClassifier(ComparisonSettings(minimum_units=10_000), ExclusionCandidateCache(None, "none"))
    summary = strict.classify(left, right, scores)
    assert (summary.share.left_in_right.after_exclusions, summary.matches) == (None, 0)
    assert summary.share.left_in_right.raw > 0


def test_that_the_scores_of_unrelated_essays_take_little_memory():
    text = own_text(4_400)
    left, right = prepared_text_document(text[:2100]), prepared_text_document(text[2300:])
    scores = scores_of(left, right, ComparisonSettings(), load_thesaurus("starter"))
    columns = (scores.cells.rows, scores.cells.columns, scores.cells.lcs, scores.cells.p, scores.cells.w)
    assert sum(column.nbytes for column in columns) < 1000


# --- in worker processes


@pytest.fixture
def reports():
    return SimpleQueue()


@pytest.fixture
def pool(reports):
    pool = PairPool(2, reports.put)
    yield pool
    pool.close()


def batch(samples, *pairs, epoch=0):
    texts = {number: prepared_document.prepared for number, prepared_document in enumerate(samples)}
    return Batch(epoch, pairs, texts, ComparisonSettings())


def test_that_processes_find_the_same_scores(samples, pool, reports):
    pairs = list(combinations(range(len(samples)), 2))
    for start in range(0, len(pairs), 4):
        pool.submit(batch(samples, *pairs[start : start + 4], epoch=start))
    classifier = PairClassifier(ComparisonSettings(), ExclusionCandidateCache(None, "starter"))
    found = {}
    for _ in range(3):
        report = reports.get(timeout=PATIENCE_S)
        found |= zip(report.batch.pairs, report.outcomes, strict=True)
    for (left, right), scores in found.items():
        comparison = compare(samples[left], samples[right], ComparisonSettings(), load_thesaurus("starter"))
        assert classifier.classify(samples[left], samples[right], scores) == summary_of(comparison)
    assert sorted(found) == pairs


def test_that_nothing_keeps_the_texts_of_a_batch_that_was_scored(samples, pool, reports):
    texts = {number: replace(document.prepared) for number, document in enumerate(samples[:2])}
    kept = weakref.ref(texts[0])
    pool.submit(Batch(0, ((0, 1),), texts, ComparisonSettings()))
    reports.get(timeout=PATIENCE_S)
    del texts
    end = time.monotonic() + PATIENCE_S
    while kept() is not None and time.monotonic() < end:
        time.sleep(0.05)
        gc.collect()
    assert kept() is None


def _never_answer(_connection):
    time.sleep(600)


def test_that_a_stopped_batch_is_not_reported_and_the_next_one_is_scored(samples, reports, monkeypatch):
    pool = PairPool(1, reports.put)
    with monkeypatch.context() as patched:
        patched.setattr(pair_pool, "_score_requests", _never_answer)
        pool.submit(batch(samples, (0, 1)))
        while pool._workers[0]._process is None:
            assert reports.empty()
            time.sleep(0.01)
        pool.stop()
    pool.submit(batch(samples, (0, 1), epoch=1))
    assert reports.get(timeout=PATIENCE_S).batch.epoch == 1
    pool.close()


class _StoppingQueue(SimpleQueue):
    """Queue of batches that is stopped when a thread has just taken the first one."""

    pool = None

    def get(self):
        taken = super().get()
        if taken is not None and self.pool is not None:
            self.pool.stop()
            self.pool = None
        return taken


def test_that_a_batch_that_is_stopped_as_it_is_taken_is_not_scored(samples, reports, monkeypatch):
    monkeypatch.setattr(pair_pool, "SimpleQueue", _StoppingQueue)
    pool = PairPool(1, reports.put)
    pool._batches.pool = pool
    pool.submit(batch(samples, (0, 1)))
    while pool._batches.pool is not None:
        time.sleep(0.01)
    pool.submit(batch(samples, (0, 1), epoch=1))
    assert reports.get(timeout=PATIENCE_S).batch.epoch == 1
    pool.close()
    assert reports.empty()


def _score_unless_first(fail, _texts, pair, _settings, _cells):
    if pair == (0, 1):
        fail()
    return "scored"


def _fail_on_first(fail, connection):
    """Replace what scores a pair in the process, and score."""
    pair_pool._score_or_error = partial(_score_unless_first, fail)
    pair_pool._score_requests(connection)


def _sleep():
    time.sleep(10_000)


def _spin():
    while True:
        pass


def _die():
    os._exit(1)


@pytest.mark.parametrize("fail", [_sleep, _spin, _die])
def test_that_a_pair_whose_process_hangs_or_dies_twice_is_reported_and_others_are_scored(
    fail, samples, reports, monkeypatch
):
    pool = PairPool(1, reports.put)
    with monkeypatch.context() as patched:
        patched.setattr(pair_pool, "_score_requests", partial(_fail_on_first, fail))
        patched.setattr(pair_pool, "_LEAST_LIMIT_SECONDS", 0.2)
        pool.submit(batch(samples, (0, 1)))
        assert reports.get(timeout=PATIENCE_S).outcomes == (pair_pool._LOST,)
    pool.submit(batch(samples, (0, 1)))
    assert isinstance(reports.get(timeout=PATIENCE_S).outcomes[0], PairScores)
    pool.close()
    assert not pool._workers[0].thread.is_alive()


def test_that_the_other_pairs_of_a_dying_process_are_scored(samples, reports, monkeypatch):
    monkeypatch.setattr(pair_pool, "_score_requests", partial(_fail_on_first, _die))
    pool = PairPool(1, reports.put)
    pool.submit(batch(samples, (0, 2), (0, 1), (1, 2)))
    assert reports.get(timeout=PATIENCE_S).outcomes == ("scored", pair_pool._LOST, "scored")
    pool.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be stopped there")
def test_that_a_process_that_takes_no_request_is_replaced(samples, reports, monkeypatch):
    pool = PairPool(1, reports.put)
    pool.submit(batch(samples, (0, 1)))
    reports.get(timeout=PATIENCE_S)
    os.kill(pool._workers[0]._process.pid, signal.SIGSTOP)
    monkeypatch.setattr(pair_pool, "WAITING_FACTOR", 0.1)
    large = ComparisonSettings(prompt="x" * 2_000_000)  # more than a connection holds
    pool.submit(replace(batch(samples, (0, 1)), settings=large))
    assert isinstance(reports.get(timeout=PATIENCE_S).outcomes[0], PairScores)
    pool.close()


def test_that_a_failing_pair_reports_its_error_and_the_others_are_scored(samples, pool, reports):
    broken = replace(samples[1].prepared, unit_ids=samples[1].prepared.unit_ids[:3])
    texts = {0: samples[0].prepared, 1: broken, 2: samples[2].prepared}
    pool.submit(Batch(0, ((0, 1), (0, 2)), texts, ComparisonSettings()))
    failed, scored = reports.get(timeout=PATIENCE_S).outcomes
    assert isinstance(failed, str)
    assert failed
    assert len(scored.cells) > 0


def test_that_a_single_matched_sentence_is_the_longest_passage():
    shared = "河水流过古老的石桥。"
    left, right = (
        prepared_text_document(shared, "孩子们放起了风筝。"),
        prepared_text_document("月亮慢慢升起。", shared),
    )
    settings = ComparisonSettings()
    scores = scores_of(left, right, settings)
    summary = PairClassifier(settings, ExclusionCandidateCache(None, "none")).classify(left, right, scores)
    assert (summary.matches, summary.longest_passage_units) == (1, 9)


def test_that_a_raising_report_is_repeated_with_failed_pairs(samples, reports):
    def report(scored):
        if scored.batch.epoch == 1 and not isinstance(scored.outcomes[0], str):
            raise ValueError("no room for the figures")
        reports.put(scored)

    pool = PairPool(1, report)
    pool.submit(batch(samples, (0, 1), (0, 2), epoch=1))
    pool.submit(batch(samples, (0, 1), epoch=2))
    failed, scored = (reports.get(timeout=PATIENCE_S) for _time in range(2))
    assert failed.outcomes == ("no room for the figures",) * 2
    assert isinstance(scored.outcomes[0], PairScores)
    pool.close()


def test_that_an_unpicklable_batch_is_reported_as_failed(samples, reports):
    pool = PairPool(1, reports.put)
    pool.submit(replace(batch(samples, (0, 1)), settings=lambda: None))
    pool.submit(batch(samples, (0, 1)))
    failed, scored = (reports.get(timeout=PATIENCE_S) for _time in range(2))
    assert "lambda" in failed.outcomes[0]
    assert isinstance(scored.outcomes[0], PairScores)
    pool.close()


def test_that_an_always_raising_report_goes_to_the_excepthook(samples, monkeypatch):
    seen: SimpleQueue = SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", seen.put)

    def report(scored):
        raise ValueError("never")

    pool = PairPool(1, report)
    for _time in range(2):
        pool.submit(batch(samples, (0, 1)))
        assert seen.get(timeout=PATIENCE_S).exc_type is ValueError
    pool.close()
