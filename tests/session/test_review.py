"""What a teacher decides about matches and pairs, as values."""

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
    SentenceKey,
    anchors_of,
)
from simcompare.text.text_preparation import prepare
from tests.helpers.documents import document_of

COPIED, FINE = NotedDecision(Decision.COPIED), NotedDecision(Decision.FINE, "课文原句")
KEY = MatchKey(SentenceKey("00000000000000aa", 0), SentenceKey("00000000000000bb", 1))
OTHER = MatchKey(SentenceKey("00000000000000cc", 0), SentenceKey("00000000000000bb", 0))


def keys_of(document: Document) -> tuple[SentenceKey, ...]:
    return anchors_of(prepare(document)).keys


# --- decisions


def test_that_a_judgement_of_blanks_alone_is_empty():
    assert NotedDecision(None, " \n").is_empty
    assert not NotedDecision(None, "引用了课文").is_empty
    assert not COPIED.is_empty


def test_that_a_review_keeps_what_is_judged_and_the_review_before_stays_as_it_was():
    review = NO_REVIEW.with_decision(KEY, COPIED).with_decision(OTHER, FINE)
    assert dict(review.matches) == {KEY: COPIED, OTHER: FINE}
    assert NO_REVIEW.is_empty
    assert review.of(KEY) == COPIED
    assert review.of(MatchKey(KEY.left, KEY.left)) == NO_DECISION


def test_that_a_judgement_taken_back_leaves_nothing():
    review = NO_REVIEW.with_decision(KEY, COPIED).with_decision(None, FINE)
    assert review.with_decision(KEY, NotedDecision(None, "  ")).with_decision(None, NO_DECISION) == NO_REVIEW


def test_that_none_names_the_pair_as_a_whole():
    review = NO_REVIEW.with_decision(KEY, COPIED).with_decision(None, FINE)
    assert review.overall == review.of(None) == FINE
    assert review.of(KEY) == COPIED
    assert not PairReview(FINE).is_empty


def test_that_a_mirrored_review_is_the_one_seen_from_the_other_document():
    review = NO_REVIEW.with_decision(KEY, COPIED).with_decision(None, FINE)
    assert review.mirrored == PairReview(FINE, {MatchKey(KEY.right, KEY.left): COPIED})
    assert review.mirrored.mirrored == review


def test_that_values_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        COPIED.note = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        NO_REVIEW.matches[KEY] = COPIED  # type: ignore[index]


# --- anchors


def test_that_sentences_that_say_the_same_are_told_apart_by_their_order():
    keys = keys_of(document_of("石桥很老。河水清清。石桥很老。"))
    assert [key.ordinal for key in keys] == [0, 0, 1]
    assert keys[0].digest == keys[2].digest != keys[1].digest
    assert all(len(key.digest) == 16 and int(key.digest, 16) >= 0 for key in keys)


def test_that_a_key_leads_back_to_its_sentence():
    anchors = anchors_of(prepare(document_of("石桥很老。河水清清。石桥很老。")))
    assert [anchors.sentence_of(key) for key in anchors.keys] == [0, 1, 2]
    assert anchors.sentence_of(SentenceKey("0" * 16, 0)) is None


def test_that_keys_survive_spacing_case_script_and_text_before():
    keys = keys_of(document_of("The old Bridge, made of stone. 家鄉的石橋很老。"))
    again = keys_of(document_of("A new first line!\nThe  old bridge made of stone. 家乡的石桥，很老！"))
    assert again[1:] == keys


def test_that_word_bounds_count():
    assert keys_of(document_of("Bed room."))[0] != keys_of(document_of("Bedroom."))[0]


def test_that_a_text_without_sentences_has_no_keys():
    empty = replace(document_of("x"), text="", blocks=())
    assert keys_of(empty) == ()
