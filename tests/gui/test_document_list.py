"""The document list by mouse, keyboard and menu."""

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor, QFont, QFontMetrics
from PySide6.QtWidgets import QLabel, QListView
from pytestqt.qtbot import QtBot

from simcompare import i18n
from simcompare.ui.document_list.painter import offer_rect, wrapped
from simcompare.ui.document_list.rows import badge_rect
from simcompare.ui.document_list.view import DocumentList, DocumentRow
from simcompare.ui.looks.theme import LIGHT, THEMES, Theme
from simcompare.ui.matches.list_header import SIDE_PX
from tests.gui.contrast import contrast
from tests.gui.match_list_samples import Marked

LEFT_BUTTON = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
REASON = "这个文件没有文字层，只有图片😀。请另存为带文字的文件再试。" * 4
ROWS = [
    DocumentRow(11, "家乡的桥-01.docx", "ready", "1,204 字 · 9f3a…c21d", "left", "路径一"),
    DocumentRow(12, "<b>桥</b>.pdf", "ready", "1,350 字 · 2 页", "right", "<b>桥</b>.pdf"),
    DocumentRow(13, "我和外婆.html", "ready", "980 字", None, "路径三"),
    DocumentRow(14, "秋天的路.docx", "reading", "64 %", None, ""),
    DocumentRow(15, "扫描件.pdf", "problem", REASON, None, REASON),
]
LOCKED = DocumentRow(16, "上锁.docx", "locked", "上锁.docx is protected by a password.", None, "")
DOUBTFUL = DocumentRow(17, "心中的桥.docx", "doubtful", "602 字", None, "", doubt="white text (32)")
CHANGED = replace(ROWS[2], remark="changed on disk", has_changed=True)
TWIN = replace(ROWS[2], id=21, name="又一份.pdf", twin=13, twin_words="same text as 我和外婆.html")
PAGE = DocumentRow(18, "桥.html", "ready", "602 字", None, "", whole_page=False)


@pytest.fixture
def documents(qtbot: QtBot) -> DocumentList:
    widget = DocumentList()
    qtbot.addWidget(widget)
    widget.resize(240, 520)
    widget.set_rows(ROWS)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def view(documents: DocumentList) -> QListView:
    return documents.findChild(QListView)


def rect_of(documents: DocumentList, row: int):
    return view(documents).visualRect(view(documents).model().index(row, 0))


def click(
    documents: DocumentList, qtbot: QtBot, point: QPoint, modifiers=Qt.KeyboardModifier.NoModifier
) -> None:
    qtbot.mouseClick(view(documents).viewport(), LEFT_BUTTON, modifiers, pos=point)


def click_row(
    documents: DocumentList, qtbot: QtBot, row: int, modifiers=Qt.KeyboardModifier.NoModifier
) -> None:
    click(documents, qtbot, rect_of(documents, row).topLeft() + QPoint(30, 14), modifiers)


def action_called(documents: DocumentList, text: str) -> QAction:
    (action,) = (action for action in view(documents).actions() if action.text() == text)
    return action


def offered(documents: DocumentList) -> list[str]:
    """The context menu as it is shown."""
    return [a.text() for a in view(documents).actions() if a.isVisible() and not a.isSeparator()]


def many(count: int) -> list[DocumentRow]:
    return [replace(ROWS[n % 5], id=n, name=f"{n} {ROWS[n % 5].name}", side=None) for n in range(count)]


def test_that_the_header_counts_the_documents(documents: DocumentList):
    assert [label.text() for label in documents.findChildren(QLabel)] == ["Documents", "5"]


@pytest.mark.parametrize(("side", "row"), [("left", 1), ("right", 0), ("right", 2), ("left", 0)])
def test_that_a_badge_chooses_the_side(documents: DocumentList, qtbot: QtBot, side: str, row: int):
    with qtbot.waitSignal(documents.side_chosen) as chosen:
        click(documents, qtbot, badge_rect(rect_of(documents, row), side, SIDE_PX).center())
    assert chosen.args == [ROWS[row].id, side]


@pytest.mark.parametrize("row", [3, 4])
def test_that_a_document_that_is_not_ready_takes_no_side(documents: DocumentList, qtbot: QtBot, row: int):
    with qtbot.assertNotEmitted(documents.side_chosen):
        click(documents, qtbot, badge_rect(rect_of(documents, row), "left", SIDE_PX).center())
        qtbot.keyClick(view(documents), Qt.Key.Key_L, CONTROL)
    assert not action_called(documents, "Show on the left").isEnabled()
    assert not action_called(documents, "Show on the right").isEnabled()


@pytest.mark.parametrize(("key", "side"), [(Qt.Key.Key_L, "left"), (Qt.Key.Key_R, "right")])
def test_that_the_keyboard_chooses_the_side_of_the_current_row(
    documents: DocumentList, qtbot: QtBot, key: Qt.Key, side: str
):
    documents.activateWindow()
    documents.setFocus()
    click_row(documents, qtbot, 1)
    qtbot.keyClick(view(documents), Qt.Key.Key_Down)
    with qtbot.waitSignal(documents.side_chosen) as chosen:
        qtbot.keyClick(view(documents), key, CONTROL)
    assert chosen.args == [13, side]


def test_that_delete_asks_to_remove_all_selected_rows(documents: DocumentList, qtbot: QtBot):
    documents.activateWindow()
    documents.setFocus()
    click_row(documents, qtbot, 4)
    click_row(documents, qtbot, 1, CONTROL)
    with qtbot.waitSignal(documents.remove_requested) as asked:
        qtbot.keyClick(view(documents), Qt.Key.Key_Delete)
    assert asked.args == [[12, 15]]


def test_that_the_context_menu_offers_the_same(documents: DocumentList, qtbot: QtBot):
    click_row(documents, qtbot, 2)
    assert offered(documents) == [
        "What was read…",
        "Show on the left",
        "Show on the right",
        "Sort by name",
        "Remove from the list",
        "Remove all documents",
    ]
    assert view(documents).contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu
    with qtbot.waitSignal(documents.side_chosen) as chosen:
        action_called(documents, "Show on the left").trigger()
    assert chosen.args == [13, "left"]


def test_that_nothing_can_be_done_where_nothing_is_selected(documents: DocumentList):
    documents.set_rows([])
    about_the_list = {documents.order_action}
    actions = [a for a in view(documents).actions() if not a.isSeparator() and a not in about_the_list]
    assert not any(action.isVisible() and action.isEnabled() for action in actions)


def test_that_progress_keeps_the_current_row_and_the_place(documents: DocumentList, qtbot: QtBot):
    documents.set_rows(many(300))
    view(documents).setCurrentIndex(view(documents).model().index(150, 0))
    before = view(documents).verticalScrollBar().value()
    documents.set_rows([replace(row, detail="65 %") for row in many(300)])
    assert view(documents).currentIndex().row() == 150
    assert view(documents).verticalScrollBar().value() == before > 0
    assert view(documents).currentIndex().data(Qt.ItemDataRole.AccessibleTextRole).endswith("65 %")


def test_that_the_current_document_stays_current_when_others_come_and_go(
    documents: DocumentList, qtbot: QtBot
):
    click_row(documents, qtbot, 2)
    documents.set_rows([DocumentRow(99, "新.txt", "waiting", "", None, ""), *ROWS[1:]])
    assert view(documents).currentIndex().data() == "我和外婆.html"
    assert [index.row() for index in view(documents).selectionModel().selectedIndexes()] == [2]
    documents.set_rows(ROWS[:2])
    assert not view(documents).selectionModel().hasSelection()


def test_that_a_problem_is_told_in_red_wrapped_and_in_full_as_a_tip(documents: DocumentList):
    assert rect_of(documents, 4).height() > rect_of(documents, 3).height() + 20
    assert REASON in view(documents).model().index(4, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "cannot be read" in view(documents).model().index(4, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    image = view(documents).viewport().grab(rect_of(documents, 4)).toImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert QColor(LIGHT.danger).name() in seen


def double_click_row(documents: DocumentList, qtbot: QtBot, row: int) -> None:
    click_row(documents, qtbot, row)
    place = rect_of(documents, row).topLeft() + QPoint(30, 14)
    qtbot.mouseDClick(view(documents).viewport(), LEFT_BUTTON, pos=place)


@pytest.mark.parametrize(
    ("row", "asked", "wanted"),
    [
        (ROWS[2], "receipt_requested", 13),
        (DOUBTFUL, "receipt_requested", 17),
        (LOCKED, "password_requested", 16),
        (ROWS[4], "receipt_requested", 15),
    ],
)
@pytest.mark.parametrize("way", ["double click", Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_that_a_document_is_opened_for_what_it_calls_for(
    documents: DocumentList, qtbot: QtBot, row: DocumentRow, asked: str, wanted: object, way: str | Qt.Key
):
    documents.set_rows([row])
    documents.activateWindow()
    documents.setFocus()
    click_row(documents, qtbot, 0)
    with qtbot.waitSignal(getattr(documents, asked)) as request:
        if isinstance(way, str):
            double_click_row(documents, qtbot, 0)
        else:
            qtbot.keyClick(view(documents), way)
    assert request.args == [wanted]


def test_that_a_document_being_read_is_not_opened(documents: DocumentList, qtbot: QtBot):
    signals = (documents.receipt_requested, documents.password_requested, documents.reading_again_requested)
    heard = []
    for signal in signals:
        signal.connect(heard.append)
    double_click_row(documents, qtbot, 3)
    assert heard == []


def test_that_a_double_click_on_a_badge_opens_nothing(documents: DocumentList, qtbot: QtBot):
    with qtbot.assertNotEmitted(documents.receipt_requested):
        badge = badge_rect(rect_of(documents, 2), "left", SIDE_PX)
        click(documents, qtbot, badge.center())
        qtbot.mouseDClick(view(documents).viewport(), LEFT_BUTTON, pos=badge.center())


@pytest.mark.parametrize(
    ("row", "asked", "wanted"),
    [(LOCKED, "password_requested", 16), (ROWS[4], "reading_again_requested", [15])],
)
def test_that_the_offer_in_a_row_is_clicked(
    documents: DocumentList, qtbot: QtBot, row: DocumentRow, asked: str, wanted: object
):
    documents.set_rows([row])
    place = offer_rect(rect_of(documents, 0), row, view(documents).font()).center()
    with qtbot.waitSignal(getattr(documents, asked)) as request:
        click(documents, qtbot, place)
    assert request.args == [wanted]


def test_that_the_menu_offers_what_the_selected_documents_need(documents: DocumentList, qtbot: QtBot):
    documents.set_rows([LOCKED, ROWS[4], PAGE, replace(PAGE, id=19)])
    click_row(documents, qtbot, 0)
    assert offered(documents)[1:3] == ["Enter password…", "Try again"]
    click_row(documents, qtbot, 1, CONTROL)
    with qtbot.waitSignal(documents.reading_again_requested) as again:
        action_called(documents, "Try again").trigger()
    assert again.args == [[16, 15]]
    click_row(documents, qtbot, 2)
    click_row(documents, qtbot, 3, CONTROL)
    assert offered(documents)[1] == "Read the whole page"
    with qtbot.waitSignal(documents.whole_page_requested) as whole:
        action_called(documents, "Read the whole page").trigger()
    assert whole.args == [[18, 19], True]


def test_that_a_page_that_was_read_whole_is_ticked(documents: DocumentList, qtbot: QtBot):
    documents.set_rows([replace(PAGE, whole_page=True)])
    click_row(documents, qtbot, 0)
    action = action_called(documents, "Read the whole page")
    assert action.isChecked()
    with qtbot.waitSignal(documents.whole_page_requested) as whole:
        action.trigger()
    assert whole.args == [[18], False]


def test_that_a_doubt_shows_by_a_sign_by_its_colour_and_in_words(documents: DocumentList):
    def image(state: str):
        doubt = DOUBTFUL.doubt if state == "doubtful" else ""
        documents.set_rows([replace(DOUBTFUL, state=state, doubt=doubt)])
        return view(documents).viewport().grab(rect_of(documents, 0)).toImage()

    plain, doubtful = image("ready"), image("doubtful")
    words = view(documents).model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "心中的桥.docx, needs a look, white text (32), 602 字"
    seen = {
        doubtful.pixelColor(x, y).name() for x in range(doubtful.width()) for y in range(doubtful.height())
    }
    assert QColor(LIGHT.caution).name() in seen
    sign = [doubtful.pixelColor(x, y) for x in range(SIDE_PX, SIDE_PX + 12) for y in range(44, 58)]
    assert any(colour.red() - colour.blue() > 80 for colour in sign)
    assert plain != doubtful


def test_that_what_waits_for_a_password_says_so(documents: DocumentList):
    documents.set_rows([LOCKED])
    words = view(documents).model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "上锁.docx, locked, 上锁.docx is protected by a password."


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_warnings_can_be_read_on_every_ground(theme: Theme):
    grounds = (theme.surface, theme.background, theme.raised, theme.accent_tint)
    for ink in (theme.caution, theme.danger):
        assert min(contrast(ink, ground) for ground in grounds) >= 4.5


def test_that_markup_in_a_name_stays_text(documents: DocumentList):
    index = view(documents).model().index(1, 0)
    assert index.data() == "<b>桥</b>.pdf"
    assert "&lt;b&gt;桥&lt;/b&gt;.pdf" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_that_a_narrower_list_wraps_a_reason_anew(documents: DocumentList, qtbot: QtBot):
    documents.set_rows([replace(ROWS[4], detail="没有文字层，只有图片，请另存。")])
    before = rect_of(documents, 0).height()
    documents.resize(120, 520)
    qtbot.waitUntil(lambda: rect_of(documents, 0).height() > before)


def test_that_a_wider_list_leaves_no_gap_below_a_shortened_row(documents: DocumentList, qtbot: QtBot):
    documents.set_rows([replace(ROWS[4], detail="没有文字层，只有图片，请另存。"), ROWS[0]])
    documents.resize(120, 520)
    qtbot.waitUntil(lambda: rect_of(documents, 0).width() < 130)
    qtbot.wait(50)
    before = rect_of(documents, 0).height()
    documents.resize(400, 520)
    qtbot.waitUntil(lambda: rect_of(documents, 0).height() < before)
    assert rect_of(documents, 1).top() == rect_of(documents, 0).bottom() + 1


def test_that_wrapping_loses_nothing_but_what_is_elided_after_the_last_line():
    font = QFont()
    text = "😀一二三四五六七八九十😀一二三四五六七八九十。" * 3
    lines = wrapped(text, font, 150, 3)
    assert len(lines) == 3
    assert text.startswith(lines[0] + lines[1])
    assert lines[2].endswith("…")
    assert all(QFontMetrics(font).horizontalAdvance(line) <= 150 for line in lines)
    assert wrapped("", font, 150, 3) == [""]
    assert wrapped("短", font, 150, 3) == ["短"]


def test_that_three_hundred_rows_are_set_and_updated(documents: DocumentList, qtbot: QtBot, record_property):
    began = time.perf_counter()
    documents.set_rows(many(300))
    documents.set_rows([replace(row, state="ready") for row in many(300)])
    documents.repaint()
    record_property("set_rows_ms", round((time.perf_counter() - began) * 1000, 1))
    assert view(documents).model().rowCount() == 300


def test_that_another_language_takes_over(documents: DocumentList, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(i18n._Current, "catalogue", Marked())
    documents.retranslate()
    assert documents.findChildren(QLabel)[0].text() == "~Documents"
    assert view(documents).actions()[0].text() == "~What was read…"


@pytest.mark.parametrize(
    ("row", "asked", "wanted"),
    [(CHANGED, "reading_again_requested", [[13]]), (TWIN, "pair_requested", [13, 21])],
)
def test_that_a_change_and_a_twin_are_told_and_lead_on_at_a_click(
    documents: DocumentList, qtbot: QtBot, row: DocumentRow, asked: str, wanted: list[object]
):
    rows = [ROWS[2], row] if row.id != 13 else [row]
    documents.set_rows(rows)
    place = rect_of(documents, len(rows) - 1)
    with qtbot.waitSignal(getattr(documents, asked)) as request:
        click(documents, qtbot, offer_rect(place, row, view(documents).font()).center())
    assert request.args == wanted
    words = view(documents).model().index(len(rows) - 1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words.endswith(row.remark or row.twin_words)


def test_that_a_changed_twin_offers_both_each_on_a_line_of_its_own(documents: DocumentList, qtbot: QtBot):
    both = replace(TWIN, remark="changed on disk", has_changed=True)
    documents.set_rows([ROWS[2], both])
    places = [offer_rect(rect_of(documents, 1), both, view(documents).font(), n) for n in range(2)]
    assert places[0].bottom() < places[1].top()
    assert [offer.leads_to for offer in both.offers] == ["again", "pair"]
    signals = (documents.reading_again_requested, documents.pair_requested)
    for place, asked in zip(places, signals, strict=True):
        with qtbot.waitSignal(asked):
            click(documents, qtbot, place.center())


def test_that_the_menu_leads_to_the_pair_and_reads_changed_files_again(documents: DocumentList, qtbot: QtBot):
    documents.set_rows([CHANGED, TWIN])
    click_row(documents, qtbot, 1)
    with qtbot.waitSignal(documents.pair_requested) as pair:
        action_called(documents, "Compare with 我和外婆.html").trigger()
    assert pair.args == [13, 21]
    click_row(documents, qtbot, 0)
    with qtbot.waitSignal(documents.reading_again_requested) as again:
        action_called(documents, "Read again").trigger()
    assert again.args == [[13]]


def test_that_all_documents_are_removed_at_once(documents: DocumentList, qtbot: QtBot):
    with qtbot.waitSignal(documents.remove_requested) as asked:
        action_called(documents, "Remove all documents").trigger()
    assert asked.args == [[11, 12, 13, 14, 15]]


def test_that_documents_are_sorted_by_name_and_as_they_came_again(documents: DocumentList):
    names = ["essay 10.txt", "Essay 2.txt", "a.txt"]
    documents.set_rows([replace(ROWS[2], id=number, name=name) for number, name in enumerate(names)])
    action_called(documents, "Sort by name").trigger()
    shown = [view(documents).model().index(row, 0).data() for row in range(3)]
    assert shown == ["a.txt", "Essay 2.txt", "essay 10.txt"]
    action_called(documents, "Sort by name").trigger()
    assert [view(documents).model().index(row, 0).data() for row in range(3)] == names
