"""The names of sentences, found in the background."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import index_sentences
from simcompare.text.prepared_text import PreparedText
from simcompare.text.text_preparation import prepare
from simcompare.ui.state.review_history import SentenceIndexes
from tests.helpers.documents import make_document


@pytest.fixture
def names(qtbot: QtBot) -> Iterator[SentenceIndexes]:
    names = SentenceIndexes()
    yield names
    names.close()


def text(*paragraphs: str) -> PreparedText:
    return prepare(make_document(*paragraphs))


def test_that_names_come_by_themselves_and_are_those_that_are_kept(names: SentenceIndexes, qtbot: QtBot):
    bridge = text("石桥很老。河水清清。石桥很老。")
    with qtbot.waitSignal(names.built) as found:
        names.follow([bridge])
    assert names.of(bridge) is found.args[0][1]
    assert names.of(bridge).keys == index_sentences(bridge).keys


def test_that_who_asks_before_they_come_has_them_at_once_and_they_stay(names: SentenceIndexes, qtbot: QtBot):
    bridge, river = text("石桥很老。"), text("河水清清。")
    names.follow([bridge, river])
    early = names.of(bridge)
    assert early.keys == index_sentences(bridge).keys
    with qtbot.waitSignal(names.built) as found:
        pass
    assert found.args[0][0] is river
    assert names.of(bridge) is early


def test_that_only_the_texts_followed_last_are_named(names: SentenceIndexes, qtbot: QtBot):
    names.follow([text("石桥很老。")])
    river = text("河水清清。")
    with qtbot.waitSignal(names.built) as found:
        names.follow([river])
    assert found.args[0][0] is river


def test_that_a_long_text_which_is_named_bit_by_bit_has_the_names_it_has_at_once(
    names: SentenceIndexes, qtbot: QtBot
):
    long = text("".join(f"石桥有{number // 2}块石头。" for number in range(3000)))
    with qtbot.waitSignal(names.built) as found:
        names.follow([long])
    assert found.args[0][1].keys == index_sentences(long).keys
    assert found.args[0][1].sentences == index_sentences(long).sentences
