"""Header of a pair: the shares, and the details behind them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import Share
from simcompare.support.display_text import percent
from simcompare.ui.compare.bars.pair_details import FingerprintStrip, PairDetails
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import Essay, wait_for_comparison
from tests.gui.loading_samples import write_docx_with_white_text
from tests.helpers.passages import LIBRARY, METRO, chinese

pytestmark = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)


def share_labels(window: MainWindow) -> list[QLabel]:
    return window.compare_view.header.findChildren(QLabel, "share")


def open_details(window: MainWindow, qtbot: QtBot) -> PairDetails:
    """Open the details by keyboard."""
    button = window.compare_view.header.details_button
    window.activateWindow()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.waitUntil(button.details.isVisible)
    return button.details


def texts(details: PairDetails) -> list[str]:
    return [label.text() for label in details.findChildren(QLabel)]


def both(shares: tuple[Share, Share]) -> str:
    return ", ".join(percent(share.after_exclusions) for share in shares)


def test_that_the_header_is_one_line_with_one_share_a_side(compared: MainWindow) -> None:
    header, share = compared.compare_view.header, compared.workspace.comparison.share
    sides = (share.left_in_right, share.right_in_left)
    assert [label.text() for label in share_labels(compared)] == [percent(s.after_exclusions) for s in sides]
    spoken = [label.accessibleName() for label in share_labels(compared)]
    assert spoken[0].startswith(f"Share of left.txt: {percent(sides[0].after_exclusions)}\n")
    assert spoken[1].startswith(f"Share of right.txt: {percent(sides[1].after_exclusions)}\n")
    assert "Sentence share: " in spoken[0]
    assert header.height() - header.fingerprints.height() < 3 * header.fontMetrics().lineSpacing()


def test_that_details_open_by_keyboard_and_show_every_figure(compared: MainWindow, qtbot: QtBot) -> None:
    details, comparison = open_details(compared, qtbot), compared.workspace.comparison
    shown, description = texts(details), details.accessibleDescription()
    assert {"left.txt", "right.txt"} <= set(shown)
    for name, pair in (
        ("Share after exclusions", comparison.share),
        ("Sentence share", comparison.sentence_share),
    ):
        assert name in shown
        assert f"{name}: {both((pair.left_in_right, pair.right_in_left))}" in description
    qtbot.keyClick(details, Qt.Key.Key_Escape)
    assert not details.isVisible()
    assert not compared.compare_view.header.details_button.isDown()


def test_that_the_header_shows_both_fingerprints_and_their_distance(compared: MainWindow) -> None:
    row, comparison = compared.compare_view.header.fingerprints, compared.workspace.comparison
    assert row.isVisible()
    assert row.distance.text() == f"Hamming distance {comparison.hamming_distance_bits} of 64 bits"
    assert "A fingerprint condenses a whole text into 64 bits" in row.distance.toolTip()
    assert "improved Simhash" in row.distance.toolTip()
    strips = row.findChildren(FingerprintStrip)
    assert [strip._bits for strip in strips] == [
        comparison.left.fingerprint.bits,
        comparison.right.fingerprint.bits,
    ]
    assert all(len(strip._differing) == comparison.hamming_distance_bits for strip in strips)
    compared.workspace.documents.remove([compared.workspace.documents.sides[Side.RIGHT]])
    assert row.isVisible()
    assert row.distance.text() == ""


def test_that_details_open_inside_the_window(compared: MainWindow, qtbot: QtBot) -> None:
    for size in ((1366, 768), (1920, 1080), (1060, 600)):
        compared.resize(*size)
        qtbot.waitUntil(lambda size=size: (compared.width(), compared.height()) == size)
        details = open_details(compared, qtbot)
        window = QRect(compared.mapToGlobal(QPoint(0, 0)), compared.size())
        assert window.contains(details.geometry())
        button = compared.compare_view.header.details_button
        assert details.geometry().top() > button.mapToGlobal(QPoint(0, button.height() - 1)).y()
        details.close()


def test_that_open_details_follow_the_comparison(compared: MainWindow, qtbot: QtBot) -> None:
    details, before = open_details(compared, qtbot), compared.workspace.comparison.share
    compared.tool_bar.strictness.sliders.weights_changed.emit(0.98, 0.99)
    after = compared.workspace.comparison.share
    assert after != before
    assert percent(after.left_in_right.after_exclusions) in texts(details)
    compared.use_language("zh")
    assert "逐句重复率" in texts(details)


@pytest.mark.parametrize(("short", "is_explained"), [("好。走吧。来了。", True), ("", False)])
def test_that_details_explain_a_share_that_exclusions_raise(
    window: MainWindow, essay: Essay, qtbot: QtBot, short: str, is_explained: bool
) -> None:
    texts_of_both = f"{chinese(METRO)}\n{short}", f"{chinese(METRO)}\n{chinese(LIBRARY)}"
    window.workspace.documents.add([essay("a.txt", texts_of_both[0]), essay("b.txt", texts_of_both[1])])
    wait_for_comparison(window, qtbot)
    share = window.workspace.comparison.share.left_in_right
    assert (share.after_exclusions > share.raw) is is_explained
    shown = "".join(texts(open_details(window, qtbot)))
    assert ("higher after exclusions than before" in shown) is is_explained


def test_that_a_text_of_which_nothing_counts_has_words_instead_of_a_figure(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add(
        [essay("a.txt", "好。走吧。来了。对了。"), essay("b.txt", "好。再见。去吧。是的。")]
    )
    wait_for_comparison(window, qtbot)
    assert [label.text() for label in share_labels(window)] == ["nothing counts"] * 2
    large = window.compare_view.header.fontMetrics().height() * 1.4
    assert all(label.fontMetrics().height() < large for label in share_labels(window))


def test_that_a_doubt_about_a_text_is_marked_beside_its_name_and_opens_the_receipt(
    window: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot
) -> None:
    doubtful = write_docx_with_white_text(tmp_path / "white.docx")
    window.workspace.documents.add([essay("plain.txt", chinese(METRO)), doubtful])
    wait_for_comparison(window, qtbot)
    marks = window.compare_view.header.findChildren(QToolButton, "quietButton")
    (mark,) = [each for each in marks if not each.isHidden()]
    assert mark.accessibleName().startswith("Check white.docx: text in the colour of the page")
    assert "text in the colour of the page" in mark.toolTip()
    qtbot.mouseClick(mark, Qt.MouseButton.LeftButton)
    assert window.receipt.isVisible()
    assert window.receipt.windowTitle() == "What was read of white.docx"
    window.receipt.close()
