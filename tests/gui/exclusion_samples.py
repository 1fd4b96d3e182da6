"""Two essays with shared text that may be excluded, and helpers that read exclusions from the window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.ui.compare.bars.settings_menus import ExclusionButton
from simcompare.ui.compare.text_pane.page_layout import DrawnRange
from simcompare.ui.compare.text_pane.text_view import TextView
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side

MUTED = "#566176"
NO_POPUPS = "This plugin does not support (raise|grabbing the keyboard|propagateSizeHints)"
PROMPT_LINE = "请以桥为题写一篇不少于六百字的作文。"
QUOTING_LEFT = f"""家乡的桥
村口的石桥站了一百多年，桥面被磨得发亮。我小时候常坐在栏杆上数过路的船。
{PROMPT_LINE}
“桥是会说话的，只是说得很慢。”诗人总这样说。好美！
参考文献
王小明，《中国古桥的历史》，河流出版社，二〇一九年。
"""
QUOTING_RIGHT = f"""石桥记
我的老家在一条小河边。村口的石桥站了一百多年，桥面被磨得发亮。
{PROMPT_LINE}“桥是会说话的，只是说得很慢。”好美！
参考文献
王小明，《中国古桥的历史》，河流出版社，二〇一九年。
"""


def button_of(window: MainWindow) -> ExclusionButton:
    return window.tool_bar.exclusions


def open_menu(window: MainWindow) -> None:
    button = button_of(window)
    button.menu().popup(button.mapToGlobal(button.rect().bottomLeft()))


def click_entry(window: MainWindow, reason: ExclusionReason, qtbot: QtBot) -> None:
    """Click an entry of the open menu."""
    button = button_of(window)
    menu = button.menu()
    place = menu.actionGeometry(button.ticks[reason]).center()
    qtbot.mouseMove(menu, place)
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    assert menu.isVisible(), "the menu stays open, so that the effect is seen"


def entries(window: MainWindow) -> dict[str, tuple[bool, str]]:
    ticks = [action for action in button_of(window).ticks.values() if action.isVisible()]
    texts = [action.text().partition("\t") for action in ticks]
    return {name: (a.isChecked(), count) for (name, _tab, count), a in zip(texts, ticks, strict=True)}


def shares(window: MainWindow) -> list[str]:
    """Texts of the shares in the header."""
    labels = window.compare_view.header.findChildren(QLabel, "share")
    return [label.accessibleName() for label in labels]


def share_labels(window: MainWindow) -> str:
    return " ".join(label.text() for label in window.compare_view.header.findChildren(QLabel, "share"))


def page_of(window: MainWindow, side: Side) -> QTextEdit:
    page = window.compare_view.panes[side].findChild(QTextEdit)
    assert isinstance(page, QTextEdit)
    return page


def greyed(window: MainWindow, side: Side) -> str:
    page = page_of(window, side)
    text, ranges = page.toPlainText(), grey_ranges(page)
    assert all(drawn.foreground().color().name() == MUTED for _start, _end, drawn in ranges)
    return "\n".join(text[start:end] for start, end, _drawn in ranges)


def grey_ranges(page: QTextEdit) -> list[DrawnRange]:
    assert isinstance(page, TextView)
    return page._drawn_ranges(0, page.document().characterCount())


def listed(window: MainWindow) -> list[str]:
    comparison = window.workspace.comparison
    return [
        comparison.left_span(comparison.matches[i]).of(comparison.left.document.text)
        for i in range(len(comparison.matches))
    ]
