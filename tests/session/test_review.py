"""Decisions on matches and pairs, and keys of sentences."""

from dataclasses import FrozenInstanceError, replace

import pytest

from simcompare.model.document import Document
from simcompare.session.decisions import (
    NO_DECISION,
    NO_REVIEW,
    Decision,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageKey,
    SentenceKey,
    index_sentences,
)
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import document_of

COPIED, FINE = NotedDecision(Decision.COPIED), NotedDecision(Decision.FINE, "课文原句")
KEY = MatchKey(SentenceKey("00000000000000aa", 0), SentenceKey("00000000000000bb", 1))
PASSAGE = PassageKey(KEY.left, SentenceKey("00000000000000dd", 2), KEY.right, KEY.right)
OTHER = MatchKey(SentenceKey("00000000000000cc", 0), SentenceKey("00000000000000bb", 0))


def keys_of(document: Document) -> tuple[SentenceKey, ...]:
    return index_sentences(prepare(document)).keys


# --- decisions


def test_that_a_note_of_blanks_is_empty():
    assert NotedDecision(None, " \n").is_empty
    assert not NotedDecision(None, "引用了课文").is_empty
    assert not COPIED.is_empty


def test_that_a_new_decision_makes_a_new_review_and_leaves_the_old_one_unchanged():
    review = NO_REVIEW.with_decisions({KEY: COPIED}).with_decisions({OTHER: FINE})
    assert dict(review.matches) == {KEY: COPIED, OTHER: FINE}
    assert NO_REVIEW.is_empty
    assert review.of(KEY) == COPIED
    assert review.of(MatchKey(KEY.left, KEY.left)) == NO_DECISION


def test_that_a_decision_taken_back_leaves_an_empty_review():
    review = NO_REVIEW.with_decisions({KEY: COPIED, None: FINE, PASSAGE: FINE})
    blank = NotedDecision(None, "  ")
    assert review.with_decisions({KEY: blank, PASSAGE: NO_DECISION, OTHER: blank, None: blank}) == NO_REVIEW


def test_that_a_version_without_reasons_reads_no_concern():
    assert NotedDecision(Decision.JOINT_WORK, "lab").as_json() == {
        "decision": "fine",
        "note": "lab",
        "reason": "joint_work",
    }
    assert COPIED.as_json() == {"decision": "copied", "note": ""}


def test_that_the_key_none_is_the_pair_as_a_whole():
    review = NO_REVIEW.with_decisions({KEY: COPIED}).with_decisions({None: FINE})
    assert review.overall == review.of(None) == FINE
    assert review.of(KEY) == COPIED
    assert not PairReview(FINE).is_empty


def test_that_a_mirrored_review_has_left_and_right_exchanged():
    review = NO_REVIEW.with_decisions({KEY: COPIED}).with_decisions({None: FINE})
    assert review.mirrored == PairReview(FINE, {MatchKey(KEY.right, KEY.left): COPIED})
    assert review.mirrored.mirrored == review


def test_that_decisions_on_a_passage_are_kept_apart_and_mirrored():
    review = NO_REVIEW.with_decisions({KEY: COPIED}).with_decisions({PASSAGE: FINE})
    assert (review.of(KEY), review.of(PASSAGE)) == (COPIED, FINE)
    mirrored = PassageKey(KEY.right, KEY.right, KEY.left, PASSAGE.left_last)
    assert review.mirrored.passages == {mirrored: FINE}
    assert review.mirrored.mirrored == review
    assert review.with_decisions({PASSAGE: NO_DECISION}).passages == {}


def test_that_notes_and_a_decision_on_the_pair_are_no_decided_parts():
    noted = NotedDecision(None, "see page 2")
    assert not PairReview(COPIED, {KEY: noted}, {PASSAGE: noted}).has_decided_parts
    assert PairReview(NO_DECISION, {KEY: FINE}).has_decided_parts
    assert PairReview(NO_DECISION, {}, {PASSAGE: COPIED}).has_decided_parts


def test_that_a_review_without_notes_keeps_decisions_only():
    noted = NotedDecision(None, "see page 2")
    review = PairReview(COPIED, {KEY: FINE, OTHER: noted}, {PASSAGE: noted})
    assert review.without_notes == PairReview(COPIED, {KEY: NotedDecision(Decision.FINE)})


def test_that_values_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        COPIED.note = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        NO_REVIEW.matches[KEY] = COPIED  # type: ignore[index]


# --- keys of sentences


def test_that_equal_sentences_are_numbered_in_order():
    keys = keys_of(document_of("石桥很老。河水清清。石桥很老。石桥很老。"))
    assert [key.ordinal for key in keys] == [0, 0, 1, 2]
    assert keys[0].digest == keys[2].digest != keys[1].digest
    assert all(len(key.digest) == 16 and int(key.digest, 16) >= 0 for key in keys)


def test_that_keys_are_those_of_saved_sessions():
    keys = keys_of(document_of("石桥很老。The old Bridge."))
    assert keys == (SentenceKey("e2355d4e2298a8e8", 0), SentenceKey("b39a09cd83013196", 0))


def test_that_the_index_finds_the_sentence_of_a_key():
    index = index_sentences(prepare(document_of("石桥很老。河水清清。石桥很老。")))
    assert [index.sentence_of(key) for key in index.keys] == [0, 1, 2]
    assert index.sentence_of(SentenceKey("0" * 16, 0)) is None


def test_that_keys_do_not_depend_on_spacing_case_script_or_earlier_text():
    keys = keys_of(document_of("The old Bridge, made of stone. 家鄉的石橋很老。"))
    again = keys_of(document_of("A new first line!\nThe  old bridge made of stone. 家乡的石桥，很老！"))
    assert again[1:] == keys


def test_that_keys_depend_on_word_boundaries():
    assert keys_of(document_of("Bed room."))[0] != keys_of(document_of("Bedroom."))[0]


def test_that_a_text_without_sentences_has_no_keys():
    empty = replace(document_of("x"), text="", blocks=())
    assert keys_of(empty) == ()
