"""The inspector: what is selected in one line, its reasons, decision, note, and steps between passages."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat
from PySide6.QtWidgets import QAbstractButton, QLabel, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import Alignment, Comparison, MatchKind, NearMiss
from simcompare.comparison.passage_explanation import PassageExplanation, explain_passage
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.session.decisions import Decision, NotedDecision
from simcompare.support import i18n
from simcompare.ui.compare.matches.decision_bar import NoteEdit
from simcompare.ui.compare.matches.inspector import Inspector, PairReasons
from simcompare.ui.compare.matches.inspector_sentences import KindChip
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.language import LANGUAGE
from simcompare.ui.style.layouts import column_of
from simcompare.ui.style.theme import APPEARANCE, DARK, LATIN_FIRST_FAMILIES, LIGHT
from tests.gui.match_list_samples import (
    RIGHT,
    Marked,
    alignment,
    comparison,
    comparison_with,
    matches_of,
    prepared_document,
)
from tests.gui.passage_samples import COPY, LONE, REWORDED, essays_compared
from tests.gui.widgets import show_widget

COMPARISON = comparison()
SYNONYMS = alignment(
    COMPARISON, ["这座桥", "因为它连起了𠮷家湾的两岸"], [("认为", "觉得"), ("很美丽", "非常漂亮")]
)
NOTHING_SHARED = alignment(COMPARISON, [], [])
ESSAYS = essays_compared()
PASSAGES = numbered_passages(ESSAYS)


@pytest.fixture
def view(qtbot: QtBot) -> QWidget:
    """View of 700 pixels with an inspector at the bottom."""
    widget = QWidget()
    column_of(widget, None, Inspector())
    show_widget(widget, qtbot, 900, 700)
    return widget


@pytest.fixture
def inspector(view: QWidget) -> Inspector:
    """Inspector with the reasons unfolded."""
    found = view.findChild(Inspector)
    found.why_action.setChecked(True)
    return found


def show_match(
    inspector: Inspector,
    index: int,
    aligned: Alignment = NOTHING_SHARED,
    reasons: Sequence[str] = (),
    made: Comparison = COMPARISON,
) -> None:
    inspector.show_match(made, PASSAGES, COPY, PairReasons(made.matches[index], aligned, reasons))


def show_passage(inspector: Inspector, index: int, explanation: PassageExplanation | None = None) -> None:
    explanation = explanation or explain_passage(ESSAYS, PASSAGES, index, None)
    pair = None
    if index == LONE:
        match = ESSAYS.matches[int(PASSAGES.matches_of(LONE)[0])]
        pair = ESSAYS, PairReasons(match, NOTHING_SHARED, [])
    inspector.show_passage(PASSAGES, index, explanation, pair)


def visible_words(inspector: Inspector) -> list[str]:
    labels = inspector.findChildren(QLabel)  # the chip paints its words
    return [label.text() for label in labels if label.isVisible() and label.text()]


def sentences(inspector: Inspector) -> QTextEdit:
    return next(
        view for view in inspector.findChildren(QTextEdit) if view.accessibleName() == "The two sentences"
    )


def reason(inspector: Inspector) -> QTextEdit:
    return next(view for view in inspector.findChildren(QTextEdit) if view.accessibleName().endswith("Why"))


def button(inspector: Inspector, word: str) -> QAbstractButton:
    return next(
        b for b in inspector.findChildren(QAbstractButton) if word in b.text() or word in b.accessibleName()
    )


def note_field(inspector: Inspector) -> NoteEdit:
    return inspector.note_popup.field


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
    show_match(inspector, 2, SYNONYMS, ["because"])
    inspector.clear("Choose one.")
    assert visible_words(inspector) == ["Choose one."]
    assert not reason(inspector).isVisible()


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
    show_match(inspector, index, NOTHING_SHARED, [])
    match = COMPARISON.matches[index]
    place = f"1 of 3 · {match.left + 1} ↔ {match.right + 1}"
    assert {place, numbers, "These sentences"} <= set(visible_words(inspector))


def test_that_an_english_sentence_has_a_font_with_narrow_quotation_marks(inspector: Inspector):
    english, chinese = (
        prepared_document("en.txt", ["T", "“Did you miss it too?” asked Ann."]),
        prepared_document("zh.txt", RIGHT),
    )
    made = comparison_with(matches_of([(1, 1, MatchKind.EDITED, 0.8, 0.0)]), english, chinese)
    show_match(inspector, 0, made=made)
    families = {text: style.fontFamilies() for text, style in fragments(sentences(inspector)).items()}
    assert families["“"][0] in LATIN_FIRST_FAMILIES
    assert families["我的老家在小河边"] is None


def test_that_changed_units_and_synonyms_have_a_colour_and_a_line_and_common_ones_are_plain(
    inspector: Inspector,
):
    show_match(inspector, 2, SYNONYMS, [])
    formats = fragments(sentences(inspector))
    for words in ("这座桥", "，因为它连起了𠮷家湾的两岸。"):  # punctuation is never changed
        assert formats[words].foreground().color() == QColor(LIGHT.ink)
        assert formats[words].underlineStyle() is QTextCharFormat.UnderlineStyle.NoUnderline
    for words in ("认为", "觉得", "很美丽", "非常漂亮"):
        assert formats[words].underlineStyle() is QTextCharFormat.UnderlineStyle.DotLine
        assert formats[words].foreground().color() == QColor(LIGHT.kinds[MatchKind.SYNONYM].ink)
    assert formats["他们都"].foreground().color() == QColor(LIGHT.changed)
    assert formats["他们都"].underlineStyle() is QTextCharFormat.UnderlineStyle.SingleUnderline


def test_that_both_synonyms_of_a_pair_have_the_same_number(inspector: Inspector):
    show_match(inspector, 2, SYNONYMS, [])
    text = sentences(inspector).toPlainText()
    assert "认为1这座桥很美丽2" in text
    assert "觉得1这座桥非常漂亮2" in text
    assert "left 5" in text
    assert "right 5" in text


def test_that_markup_in_an_essay_or_a_reason_is_shown_as_plain_text(inspector: Inspector):
    show_match(inspector, 3, NOTHING_SHARED, ["<i>16 of 25</i> units & more", "second"])
    assert "老师写下 <b>1 < 2 && 3</b> 给我们看。" in sentences(inspector).toPlainText()
    assert reason(inspector).toPlainText() == "<i>16 of 25</i> units & more\nsecond"


# --- passages


@pytest.mark.parametrize(
    ("index", "kind"), [(COPY, "identical"), (REWORDED, "reworded"), (LONE, "identical")]
)
def test_that_a_passage_is_explained_in_one_line_and_in_sentences(
    inspector: Inspector, index: int, kind: str
):
    show_passage(inspector, index)
    explanation = explain_passage(ESSAYS, PASSAGES, index, None)
    assert visible_words(inspector) == [f"{index + 1} of 3", explanation.summary, "This passage"]
    assert inspector.findChild(KindChip).accessibleName() == kind
    # toPlainText has common spaces in place of those that do not break
    words = "\n".join(explanation.reasons).replace("\N{NO-BREAK SPACE}", " ")
    assert reason(inspector).toPlainText() == words
    assert sentences(inspector).isVisible() is (index == LONE), "only a single pair of sentences is shown"


def test_that_the_reasons_unfold_and_fold_by_button_and_action(inspector: Inspector, qtbot: QtBot):
    folded = inspector.line.sizeHint().height()
    show_passage(inspector, REWORDED)
    qtbot.waitUntil(lambda: inspector.height() > folded)
    qtbot.mouseClick(button(inspector, "Why"), Qt.MouseButton.LeftButton)
    assert not inspector.why_action.isChecked()
    assert not reason(inspector).isVisible()
    qtbot.waitUntil(lambda: inspector.height() == folded)
    inspector.why_action.trigger()
    assert reason(inspector).isVisible()
    assert button(inspector, "Why").isChecked()
    qtbot.waitUntil(lambda: inspector.height() > folded)


def test_that_the_reasons_take_the_height_they_need_and_at_most_two_fifths_of_the_view(
    inspector: Inspector, qtbot: QtBot
):
    line = inspector.line.sizeHint().height()
    show_passage(inspector, REWORDED, PassageExplanation("short", ("one", "two")))
    qtbot.waitUntil(lambda: line < inspector.height() < line + 60)
    few = inspector.height()
    show_passage(inspector, REWORDED, PassageExplanation("longer", ("reason",) * 5))
    qtbot.waitUntil(lambda: inspector.height() > few)
    assert reason(inspector).verticalScrollBar().maximum() == 0
    grown = inspector.height()
    show_passage(inspector, REWORDED, PassageExplanation("short", ("one",)))
    assert inspector.height() == grown, "texts do not jump from passage to passage"
    show_passage(inspector, REWORDED, PassageExplanation("endless", ("reason",) * 99))
    qtbot.waitUntil(lambda: inspector.height() == line + 280)


def test_that_a_summary_with_markup_is_shown_as_plain_text(inspector: Inspector):
    show_passage(inspector, REWORDED, PassageExplanation("<b>a</b> ~ b & c", ()))
    label = next(each for each in inspector.findChildren(QLabel) if "~" in each.text())
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert "&lt;b&gt;" in label.toolTip()


def test_that_the_buttons_go_to_the_neighbours_and_are_disabled_at_the_ends(
    compared: MainWindow, qtbot: QtBot
):
    selection, line = compared.workspace.selection, compared.compare_view.inspector.line
    selection.select_passage(0)
    assert not line.previous_button.isEnabled()
    qtbot.mouseClick(line.next_button, Qt.MouseButton.LeftButton)
    assert selection.passage == 1
    assert line.previous_button.isEnabled()
    qtbot.keyClick(line.previous_button, Qt.Key.Key_Space)
    assert selection.passage == 0


def test_that_long_sentences_can_be_scrolled_by_keyboard(inspector: Inspector, qtbot: QtBot):
    long = prepared_document("长.txt", ["题", "这座桥很长" * 300])
    made = comparison_with(matches_of([(1, 1, MatchKind.EXACT, 1.0, 0.0)]), long, long)
    show_match(inspector, 0, reasons=["one reason"] * 60, made=made)
    for view in (sentences(inspector), reason(inspector)):
        qtbot.keyClick(view, Qt.Key.Key_PageDown)
        assert view.verticalScrollBar().value() > 0


def test_that_a_new_theme_recolours_the_match_shown(inspector: Inspector):
    show_match(inspector, 2, SYNONYMS, ["why"])
    APPEARANCE.use(DARK)
    assert fragments(sentences(inspector))["认为"].foreground().color() == QColor(
        DARK.kinds[MatchKind.SYNONYM].ink
    )


def test_that_the_match_shown_follows_the_language(inspector: Inspector, monkeypatch: pytest.MonkeyPatch):
    show_match(inspector, 2, SYNONYMS, ["why"])
    monkeypatch.setattr(i18n._CurrentLanguage, "catalogue", Marked())
    LANGUAGE.changed.emit()
    assert "~1 of 3 · 5 ↔ 5" in visible_words(inspector)
    for words in ("~Next passage", "~No concern", "~Copied", "~Note…", "~Why"):
        assert button(inspector, words)


# --- decisions


def test_that_a_switch_sets_its_decision_and_a_second_click_removes_it(inspector: Inspector, qtbot: QtBot):
    show_match(inspector, 2, SYNONYMS, ["why"])
    with qtbot.waitSignal(inspector.line.decisions.decided) as decided:
        qtbot.mouseClick(button(inspector, "Copied"), Qt.MouseButton.LeftButton)
    assert decided.args == [Decision.COPIED]
    inspector.show_decision(NotedDecision(Decision.COPIED))
    with qtbot.waitSignal(inspector.line.decisions.decided) as decided:
        qtbot.keyClick(button(inspector, "Copied"), Qt.Key.Key_Space)
    assert decided.args == [None]


def test_that_at_most_one_switch_is_on_and_showing_a_decision_emits_nothing(
    inspector: Inspector, qtbot: QtBot
):
    show_match(inspector, 2, SYNONYMS, ["why"])
    with qtbot.assertNotEmitted(inspector.line.decisions.decided):
        inspector.show_decision(NotedDecision(Decision.COPIED))
        inspector.show_decision(NotedDecision(Decision.FINE, "课文\n第三段"))
    assert [button(inspector, word).isChecked() for word in ("No concern", "Copied")] == [True, False]
    assert button(inspector, "Note").isChecked()
    assert "课文\n第三段" in button(inspector, "Note").toolTip()
    assert reason(inspector).toPlainText() == "why\nNote: 课文\n第三段"


def test_that_sentences_that_do_not_match_cannot_be_decided(inspector: Inspector):
    show_match(inspector, 2, SYNONYMS, ["why"])
    inspector.toggle_note()
    miss = NearMiss(0, 0, 1, 0.1, 0.1)
    inspector.show_near_miss(COMPARISON, PairReasons(miss, NOTHING_SHARED, ["why"]))
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
    show_match(inspector, 2, SYNONYMS, ["why"])
    inspector.activateWindow()
    notes: list[str] = []
    inspector.note_popup.field.note_changed.connect(notes.append)
    qtbot.mouseClick(button(inspector, "Note"), Qt.MouseButton.LeftButton)
    field = note_field(inspector)
    assert field.isVisible()
    qtbot.keyClicks(field, "ab")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.keyClicks(field, "c")
    with qtbot.waitSignal(inspector.note_closed):
        qtbot.keyClick(field, key, modifiers)
    assert notes[-1] == field.toPlainText() == "ab\nc"
    assert not field.isVisible()


def test_that_the_cursor_stays_in_place_when_the_typed_note_is_shown_again(
    inspector: Inspector, qtbot: QtBot
):
    show_match(inspector, 2, SYNONYMS, ["why"])
    changed = inspector.note_popup.field.note_changed
    changed.connect(lambda note: inspector.show_decision(NotedDecision(None, note)))
    inspector.toggle_note()
    field = note_field(inspector)
    qtbot.keyClicks(field, "  ad")
    qtbot.keyClick(field, Qt.Key.Key_Left)
    qtbot.keyClicks(field, "bc")
    assert field.toPlainText() == "  abcd"


def test_that_the_reasons_leave_no_empty_space_in_a_wider_window(
    inspector: Inspector, view: QWidget, qtbot: QtBot
):
    view.resize(500, 700)
    show_passage(inspector, REWORDED, PassageExplanation("long", ("a reason in many words " * 12,) * 3))
    qtbot.waitUntil(lambda: inspector.height() > inspector.line.sizeHint().height() + 120)
    narrow = inspector.height()
    view.resize(1900, 700)
    qtbot.waitUntil(lambda: inspector.height() < narrow - 60)


def test_that_reasons_have_the_font_of_the_window(inspector: Inspector):
    show_match(inspector, 2, SYNONYMS, ["Same order: 13 of 26 characters agree."])
    families = {words: style.fontFamilies() for words, style in fragments(reason(inspector)).items()}
    assert families["Same order: 13 of 26 characters agree."] is None


def test_that_the_note_has_a_title_and_a_button_that_closes_it(inspector: Inspector, qtbot: QtBot):
    show_match(inspector, 2, SYNONYMS, ["why"])
    inspector.activateWindow()
    inspector.toggle_note()
    popup, field = inspector.note_popup, note_field(inspector)
    titles = [label.text() for label in popup.findChildren(QLabel)]
    assert titles == ["Note on sentences 5 ↔ 5 of passage 1", "Saved as you type. Esc closes."]
    qtbot.keyClicks(field, "ask")
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert popup.done_button.hasFocus()
    assert popup.isVisible()
    with qtbot.waitSignal(inspector.note_closed):
        qtbot.keyClick(popup.done_button, Qt.Key.Key_Escape)
    inspector.toggle_note()
    qtbot.mouseClick(popup.done_button, Qt.MouseButton.LeftButton)
    assert not popup.isVisible()
    assert field.toPlainText() == "ask"
