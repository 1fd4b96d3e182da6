"""Sentence indexes, built in the background."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import index_sentences
from simcompare.text.prepared_text import PreparedText, prepare
from simcompare.ui.state.review.review_history import SentenceIndexes
from tests.helpers.documents import make_document


@pytest.fixture
def names(qtbot: QtBot) -> Iterator[SentenceIndexes]:
    names = SentenceIndexes()
    yield names
    names.close()


def text(*paragraphs: str) -> PreparedText:
    return prepare(make_document(*paragraphs))


def test_that_indexes_are_built_in_idle_time_and_equal_index_sentences(names: SentenceIndexes, qtbot: QtBot):
    bridge = text("石桥很老。河水清清。石桥很老。")
    with qtbot.waitSignal(names.built) as found:
        names.follow([bridge])
    assert names.of(bridge) is found.args[0][1]
    assert names.of(bridge).keys == index_sentences(bridge).keys


def test_that_an_index_needed_earlier_is_built_at_once_and_kept(names: SentenceIndexes, qtbot: QtBot):
    bridge, river = text("石桥很老。"), text("河水清清。")
    names.follow([bridge, river])
    early = names.of(bridge)
    assert early.keys == index_sentences(bridge).keys
    with qtbot.waitSignal(names.built) as found:
        pass
    assert found.args[0][0] is river
    assert names.of(bridge) is early


def test_that_only_the_texts_followed_last_are_indexed(names: SentenceIndexes, qtbot: QtBot):
    names.follow([text("石桥很老。")])
    river = text("河水清清。")
    with qtbot.waitSignal(names.built) as found:
        names.follow([river])
    assert found.args[0][0] is river


def test_that_a_long_text_indexed_in_steps_has_the_same_index(names: SentenceIndexes, qtbot: QtBot):
    long = text("".join(f"石桥有{number // 2}块石头。" for number in range(3000)))
    with qtbot.waitSignal(names.built) as found:
        names.follow([long])
    assert found.args[0][1].keys == index_sentences(long).keys
    assert found.args[0][1].sentences == index_sentences(long).sentences
