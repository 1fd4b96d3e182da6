"""The inspector: explanation of a match, decision, note, and steps between matches."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat
from PySide6.QtWidgets import QLabel, QPushButton, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind, NearMiss
from simcompare.model.document import Span
from simcompare.session.decisions import Decision, NotedDecision
from simcompare.support import i18n
from simcompare.ui.compare.matches.decision_bar import NoteEdit
from simcompare.ui.compare.matches.inspector import Inspector
from simcompare.ui.compare.matches.inspector_sentences import SentencePart, sentence_parts
from simcompare.ui.state.language import LANGUAGE
from simcompare.ui.style.appearance import APPEARANCE
from simcompare.ui.style.theme import DARK, LATIN_FIRST_FAMILIES, LIGHT
from tests.gui.match_list_samples import (
    RIGHT,
    Marked,
    alignment,
    comparison,
    comparison_with,
    matches_of,
    prepared_document,
)
from tests.gui.widgets import show_widget

COMPARISON = comparison()
SYNONYMS = alignment(
    COMPARISON, ["这座桥", "因为它连起了𠮷家湾的两岸"], [("认为", "觉得"), ("很美丽", "非常漂亮")]
)
NOTHING_SHARED = alignment(COMPARISON, [], [])


@pytest.fixture
def inspector(qtbot: QtBot) -> Inspector:
    widget = Inspector()
    show_widget(widget, qtbot, 900, 150)
    return widget


def visible_words(inspector: Inspector) -> list[str]:
    return [label.text() for label in inspector.findChildren(QLabel) if label.isVisible()]


def sentences(inspector: Inspector) -> QTextEdit:
    return next(
        view for view in inspector.findChildren(QTextEdit) if view.accessibleName() == "The two sentences"
    )


def reason(inspector: Inspector) -> QTextEdit:
    return next(view for view in inspector.findChildren(QTextEdit) if view.accessibleName().endswith("Why"))


def button(inspector: Inspector, word: str) -> QPushButton:
    return next(
        b for b in inspector.findChildren(QPushButton) if word in b.text() or word in b.accessibleName()
    )


def note_field(inspector: Inspector) -> NoteEdit:
    return inspector.findChild(NoteEdit)


def fragments(view: QTextEdit) -> dict[str, QTextCharFormat]:
    found = {}
    block = view.document().begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            found[pieces.fragment().text()] = pieces.fragment().charFormat()
            pieces += 1
        block = block.next()
    return found


def test_that_an_inspector_without_a_match_shows_a_hint(inspector: Inspector):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["because"])
    inspector.clear("Choose one.")
    assert visible_words(inspector) == ["Choose one."]


@pytest.mark.parametrize(
    ("index", "numbers"),
    [
        (0, "P = 1.00"),
        (1, "P = 0.79 ≥ 0.75"),
        (2, "P = 0.64   w = 0.83 ≥ 0.75"),
        (3, "P = 0.56   w = 0.76 ≥ 0.75"),
    ],
)
def test_that_the_score_line_shows_the_deciding_score(inspector: Inspector, index: int, numbers: str):
    inspector.show_match(COMPARISON, index, NOTHING_SHARED, [])
    assert {f"Match {index + 1} of 4", numbers} <= set(visible_words(inspector))


def test_that_an_english_sentence_has_a_font_with_narrow_quotation_marks(inspector: Inspector):
    english, chinese = (
        prepared_document("en.txt", ["T", "“Did you miss it too?” asked Ann."]),
        prepared_document("zh.txt", RIGHT),
    )
    made = comparison_with(matches_of([(1, 1, MatchKind.EDITED, 0.8, 0.0)]), english, chinese)
    inspector.show_match(made, 0, NOTHING_SHARED, [])
    families = {text: style.fontFamilies() for text, style in fragments(sentences(inspector)).items()}
    assert families["“Did you miss it too?” asked Ann."][0] in LATIN_FIRST_FAMILIES
    assert families["我的老家在小河边。"] is None


def test_that_common_units_are_bold_and_synonyms_coloured_with_a_dotted_underline(inspector: Inspector):
    inspector.show_match(COMPARISON, 2, SYNONYMS, [])
    formats = fragments(sentences(inspector))
    for words in ("这座桥", "因为它连起了𠮷家湾的两岸"):
        assert formats[words].fontWeight() == 700
    for words in ("认为", "觉得", "很美丽", "非常漂亮"):
        assert formats[words].underlineStyle() is QTextCharFormat.UnderlineStyle.DotLine
        assert formats[words].foreground().color() == QColor(LIGHT.kinds[MatchKind.SYNONYM].ink)
    assert formats["他们都"].fontWeight() != 700


def test_that_both_synonyms_of_a_pair_have_the_same_number(inspector: Inspector):
    inspector.show_match(COMPARISON, 2, SYNONYMS, [])
    text = sentences(inspector).toPlainText()
    assert "认为1这座桥很美丽2" in text
    assert "觉得1这座桥非常漂亮2" in text
    assert "left 5" in text
    assert "right 5" in text


def test_that_markup_in_an_essay_or_a_reason_is_shown_as_plain_text(inspector: Inspector):
    inspector.show_match(COMPARISON, 3, NOTHING_SHARED, ["<i>16 of 25</i> units & more", "second"])
    assert "老师写下 <b>1 < 2 && 3</b> 给我们看。" in sentences(inspector).toPlainText()
    assert reason(inspector).toPlainText() == "Why\u2002<i>16 of 25</i> units & more\nsecond"


def test_that_a_sentence_is_split_at_the_ends_of_its_marks_in_code_points():
    text = "前😀abc𠮷d后"
    pieces = sentence_parts(text, Span(1, 7), [Span(1, 3), Span(0, 1)], [Span(5, 6), Span(6, 99)])
    assert pieces == [
        SentencePart("😀a", common=True),
        SentencePart("bc"),
        SentencePart("𠮷", synonym=1),
        SentencePart("d", synonym=2),
    ]


def test_that_the_buttons_request_the_neighbours_and_are_disabled_at_the_ends(
    inspector: Inspector, qtbot: QtBot
):
    inspector.show_match(COMPARISON, 1, NOTHING_SHARED, [])
    with qtbot.waitSignal(inspector.previous_requested):
        qtbot.mouseClick(button(inspector, "Previous"), Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(inspector.next_requested):
        qtbot.keyClick(button(inspector, "Next"), Qt.Key.Key_Space)
    inspector.enable_steps(previous=False, following=True)
    APPEARANCE.use(DARK)
    assert not button(inspector, "Previous").isEnabled()
    assert button(inspector, "Next").isEnabled()


def test_that_long_sentences_can_be_scrolled_by_keyboard(inspector: Inspector, qtbot: QtBot):
    long = prepared_document("长.txt", ["题", "这座桥很长" * 300])
    made = comparison_with(matches_of([(1, 1, MatchKind.EXACT, 1.0, 0.0)]), long, long)
    inspector.show_match(made, 0, NOTHING_SHARED, ["one reason"] * 12)
    for view in (sentences(inspector), reason(inspector)):
        qtbot.keyClick(view, Qt.Key.Key_PageDown)
        assert view.verticalScrollBar().value() > 0


def test_that_a_new_theme_recolours_the_match_shown(inspector: Inspector):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["why"])
    APPEARANCE.use(DARK)
    assert fragments(sentences(inspector))["认为"].foreground().color() == QColor(
        DARK.kinds[MatchKind.SYNONYM].ink
    )
    assert fragments(reason(inspector))["why"].foreground().color() == QColor(DARK.ink)
    APPEARANCE.use(LIGHT)
    assert fragments(reason(inspector))["why"].foreground().color() == QColor(LIGHT.ink)


def test_that_the_match_shown_follows_the_language(inspector: Inspector, monkeypatch: pytest.MonkeyPatch):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["why"])
    monkeypatch.setattr(i18n._CurrentLanguage, "catalogue", Marked())
    LANGUAGE.changed.emit()
    assert "~Match 3 of 4" in visible_words(inspector)
    assert reason(inspector).toPlainText().startswith("~Why")
    for words in ("~Next match", "~No concern", "~Copied", "~Note…"):
        assert button(inspector, words)


# --- decisions


def test_that_a_switch_sets_its_decision_and_a_second_click_removes_it(inspector: Inspector, qtbot: QtBot):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["why"])
    with qtbot.waitSignal(inspector.decided) as decided:
        qtbot.mouseClick(button(inspector, "Copied"), Qt.MouseButton.LeftButton)
    assert decided.args == [Decision.COPIED]
    inspector.show_decision(NotedDecision(Decision.COPIED))
    with qtbot.waitSignal(inspector.decided) as decided:
        qtbot.keyClick(button(inspector, "Copied"), Qt.Key.Key_Space)
    assert decided.args == [None]


def test_that_at_most_one_switch_is_on_and_showing_a_decision_emits_nothing(
    inspector: Inspector, qtbot: QtBot
):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["why"])
    with qtbot.assertNotEmitted(inspector.decided):
        inspector.show_decision(NotedDecision(Decision.COPIED))
        inspector.show_decision(NotedDecision(Decision.FINE, "课文\n第三段"))
    assert [button(inspector, word).isChecked() for word in ("No concern", "Copied")] == [True, False]
    assert "课文 第三段" in visible_words(inspector)


def test_that_sentences_that_do_not_match_cannot_be_decided(inspector: Inspector):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["why"])
    inspector.toggle_note()
    inspector.show_near_miss(COMPARISON, NearMiss(0, 0, 1, 0.1, 0.1), NOTHING_SHARED, ["why"])
    assert not button(inspector, "No concern").isVisible()
    assert not note_field(inspector).isVisible()
    inspector.toggle_note()
    assert not note_field(inspector).isVisible()


@pytest.mark.parametrize(
    ("key", "modifiers"),
    [
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier),
    ],
)
def test_that_a_note_is_emitted_while_typed_and_kept_when_the_field_closes(
    inspector: Inspector, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier
):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["why"])
    inspector.activateWindow()
    notes: list[str] = []
    inspector.note_changed.connect(notes.append)
    qtbot.mouseClick(button(inspector, "Note"), Qt.MouseButton.LeftButton)
    field = note_field(inspector)
    assert field.isVisible()
    assert not reason(inspector).isVisible()
    qtbot.keyClicks(field, "ab")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.keyClicks(field, "c")
    with qtbot.waitSignal(inspector.note_closed):
        qtbot.keyClick(field, key, modifiers)
    assert notes[-1] == field.toPlainText() == "ab\nc"
    assert reason(inspector).isVisible()


def test_that_the_cursor_stays_in_place_when_the_typed_note_is_shown_again(
    inspector: Inspector, qtbot: QtBot
):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["why"])
    inspector.note_changed.connect(lambda note: inspector.show_decision(NotedDecision(None, note)))
    inspector.toggle_note()
    field = note_field(inspector)
    qtbot.keyClicks(field, "  ad")
    qtbot.keyClick(field, Qt.Key.Key_Left)
    qtbot.keyClicks(field, "bc")
    assert field.toPlainText() == "  abcd"


def test_that_reasons_have_the_font_of_the_window(inspector: Inspector):
    inspector.show_match(COMPARISON, 2, SYNONYMS, ["Same order: 13 of 26 characters agree."])
    families = {words: style.fontFamilies() for words, style in fragments(reason(inspector)).items()}
    assert families["Same order: 13 of 26 characters agree."] is None
