"""Decisions on passages in the header of the pair: shares after decisions, and the question for the pair."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.support.display_text import percent
from simcompare.ui.compare.bars.pair_header import PairHeader, PairQuestionBar
from simcompare.ui.main_window import MainWindow
from simcompare.ui.style.text_labels import ElidedName
from tests.gui.conftest import Essay, wait_for_comparison
from tests.gui.review_steps import CTRL, overall, press
from tests.helpers.passages import LIBRARY, METRO, ORCHARD, chinese

pytestmark = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)

FINE, COPIED = Decision.FINE, Decision.COPIED
LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def copied(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with two passages in common: four sentences, and a single one."""
    left = f"{chinese(METRO)}\n{chinese(LIBRARY)}\n{ORCHARD[0]}"
    right = f"{chinese(METRO)}\n{chinese(ORCHARD)}"
    window.workspace.documents.add([essay("left.txt", left), essay("right.txt", right)])
    wait_for_comparison(window, qtbot)
    assert len(window.workspace.passages) == 2
    window.activateWindow()
    return window


def header(window: MainWindow) -> PairHeader:
    return window.compare_view.header


def question(window: MainWindow) -> PairQuestionBar:
    return header(window).question_bar


def shown(window: MainWindow) -> list[str]:
    labels = header(window).findChildren(QLabel)
    return [label.text() for label in labels if label.isVisible()]


def cut_figures(line: PairHeader) -> list[str]:
    """Texts of the visible shares and captions that are wider than their labels."""
    labels = [label for name in ("share", "muted") for label in line.findChildren(QLabel, name)]
    return [each.text() for each in labels if each.isVisible() and each.width() < each.sizeHint().width()]


def remaining(window: MainWindow) -> list[str]:
    return list(map(percent, window.workspace.review.shares))


def test_that_a_passage_of_no_concern_shows_what_remains_then_the_share_before_decisions(
    copied: MainWindow, qtbot: QtBot
) -> None:
    copied.resize(1700, 800)  # enough for wide fonts
    share = copied.workspace.comparison.share
    whole = [percent(side.after_exclusions) for side in (share.left_in_right, share.right_in_left)]
    assert not [text for text in shown(copied) if "before" in text]
    copied.workspace.review.decide_passages([0], COPIED)
    assert not [text for text in shown(copied) if "before" in text], "copied text stays in the share"
    copied.workspace.review.decide_passages([1], FINE)
    texts = shown(copied)
    assert remaining(copied)[0] != whole[0]
    stressed = [label.text() for label in header(copied).findChildren(QLabel, "share")]
    assert stressed == remaining(copied)
    assert "Whole pair" in texts
    assert [text for text in texts if "before" in text] == [f"before decisions: {each}" for each in whole]
    copied.resize(1060, 600)
    qtbot.waitUntil(lambda: "before" not in "".join(shown(copied)))
    assert [text for text in shown(copied) if "was" in text] == [f"was {each}" for each in whole]
    copied.workspace.history.undo()
    assert not [text for text in shown(copied) if "was" in text]


def test_that_a_pair_of_no_concern_says_that_its_shares_are_still_counted(copied: MainWindow) -> None:
    review = copied.workspace.review
    review.decide_pair(*review.pair, FINE)
    assert shown(copied).count("· still counted") == 2
    review.decide_passages([0], COPIED)
    assert shown(copied).count("· 1 passage: copied") == 2, "what contradicts the decision on the pair"
    review.decide_passages([0, 1], FINE)
    assert not [text for text in shown(copied) if "counted" in text], "nothing is left that counts"


def test_that_names_stay_whole_before_words_beside_the_shares(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    names = ["suspicious-document00012.txt", "source-document00847.txt"]
    text = f"{chinese(METRO)}\n{chinese(LIBRARY)}"
    window.workspace.documents.add([essay(names[0], text), essay(names[1], f"{text}\n{chinese(ORCHARD)}")])
    wait_for_comparison(window, qtbot)
    window.workspace.review.decide_passages([0], FINE)
    for width in (1366, 1440, 1600):
        window.resize(width, 768)
        qtbot.waitUntil(lambda wanted=width: window.width() == wanted)
        labels = header(window).findChildren(ElidedName, "pairName")
        assert all(label._shortened().count("…") <= (width < 1600) for label in labels)
        captions = shown(window).count("share")
        assert captions in (0, 2), "both sides alike"
        assert cut_figures(header(window)) == []


def test_that_the_question_on_the_pair_covers_no_explanation(copied: MainWindow, qtbot: QtBot) -> None:
    inspector = copied.compare_view.inspector
    copied.resize(1366, 768)
    copied.workspace.selection.select_passage(0)
    inspector.why_action.setChecked(True)
    copied.workspace.review.decide_passages([0, 1], COPIED)

    def top_px(widget: QWidget) -> int:
        return widget.mapTo(copied, QPoint()).y()

    qtbot.waitUntil(question(copied).isVisible)
    qtbot.waitUntil(lambda: top_px(question(copied)) + question(copied).height() < top_px(inspector))


def test_that_the_details_list_the_shares_after_decisions(copied: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(header(copied).details_button, LEFT_BUTTON)
    details = header(copied).details_button.details
    qtbot.waitUntil(details.isVisible)
    for decision in (None, FINE):
        copied.workspace.review.decide_passages([0], decision)
        line = f"Share after decisions: {', '.join(remaining(copied))}"
        assert line in details.accessibleDescription().splitlines()
        assert set(remaining(copied)) <= {label.text() for label in details.findChildren(QLabel)}
    qtbot.keyClick(details, Qt.Key.Key_Escape)


@pytest.mark.parametrize("decision", [FINE, COPIED])
def test_that_the_pair_is_asked_for_once_all_passages_are_decided(
    copied: MainWindow, qtbot: QtBot, decision: Decision
) -> None:
    review = copied.workspace.review
    review.decide_passages([0], FINE)
    assert not question(copied).isVisible()
    review.decide_passages([1], COPIED)
    assert question(copied).isVisible()
    assert question(copied).question.text() == "All passages are decided. What about the whole pair?"
    qtbot.mouseClick(question(copied).buttons[decision], LEFT_BUTTON)
    assert overall(copied).decision is decision
    assert header(copied).decision_bar.switches[decision].isChecked()
    assert not question(copied).isVisible()
    press(copied, qtbot, Qt.Key.Key_Z, CTRL)
    assert question(copied).isVisible()
    press(copied, qtbot, Qt.Key.Key_Z, CTRL)
    assert not question(copied).isVisible(), "the second passage is undecided again"


def test_that_a_pair_with_a_decision_or_without_passages_is_not_asked_for(
    copied: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    review = copied.workspace.review
    review.decide_pair(*review.pair, COPIED)
    review.decide_passages([0, 1], COPIED)
    assert not question(copied).isVisible()
    copied.workspace.documents.add([essay("other.txt", chinese(LIBRARY[2:]) + ORCHARD[3])])
    qtbot.waitUntil(lambda: not copied.workspace.is_busy)
    other, right = 3, review.pair[1]
    copied.workspace.documents.choose_pair(right, other)
    wait_for_comparison(copied, qtbot)
    assert not question(copied).isVisible()


def test_that_the_header_has_one_line_at_1366_pixels_and_names_shorten_first(
    copied: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    long = "2026 autumn term, class four, essay about the village and the river, second draft"
    essays = [essay(f"{long} {name}.txt", chinese(METRO, ORCHARD)) for name in ("Li", "Wang")]
    copied.workspace.documents.add(essays)
    qtbot.waitUntil(lambda: not copied.workspace.is_busy)
    copied.workspace.documents.choose_pair(3, 4)
    copied.pages.show_compare()
    wait_for_comparison(copied, qtbot)
    copied.workspace.review.decide_passages([0], FINE)
    copied.workspace.review.decide_pair(3, 4, COPIED)
    for language in ("en", "zh"):
        copied.use_language(language)
        for size in ((1366, 768), (1060, 600)):
            copied.resize(*size)
            qtbot.waitUntil(lambda size=size: copied.width() == size[0])
            line = header(copied)
            qtbot.waitUntil(lambda line=line: line.width() <= copied.pages.width())
            assert line.height() - line.fingerprints.height() < 3 * line.fontMetrics().lineSpacing()
            switches = line.decision_bar.switches.values()
            parts = [line.step_bar, *switches, line.details_button]
            assert all(part.visibleRegion().boundingRect().size() == part.size() for part in parts)
            qtbot.waitUntil(lambda line=line: not cut_figures(line))
            has_words = [s.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon for s in switches]
            assert all(has_words) is (size[0] == 1366)


def test_that_the_keys_decide_the_pair_if_it_has_no_passage(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("left.txt", chinese(METRO)), essay("right.txt", chinese(LIBRARY))])
    wait_for_comparison(window, qtbot)
    assert not len(window.workspace.passages)
    window.activateWindow()
    for key, decision in ((Qt.Key.Key_2, Decision.CITED), (Qt.Key.Key_5, COPIED), (Qt.Key.Key_C, None)):
        press(window, qtbot, key)
        assert window.workspace.review.overall.decision is decision
