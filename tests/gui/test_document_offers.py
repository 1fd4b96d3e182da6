"""States and clickable actions in the rows of the document list."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.matches.passage_rows import SIDE_PX
from simcompare.ui.compare.text_pane.highlights import wrapped
from simcompare.ui.documents.document_list import DocumentList, DocumentRow
from simcompare.ui.documents.document_rows import badge_rect, offer_rect
from simcompare.ui.style.theme import LIGHT, THEMES, Theme
from tests.gui.contrast import contrast
from tests.gui.document_rows import (
    CHANGED,
    CONTROL,
    DOUBTFUL,
    DUPLICATE,
    LEFT_BUTTON,
    LOCKED,
    PAGE,
    REASON,
    ROWS,
    action_called,
    click,
    click_row,
    double_click_row,
    offered,
    rect_of,
    shown_list,
    view,
)
from tests.gui.pixels import is_colour


@pytest.fixture
def documents(qtbot: QtBot) -> DocumentList:
    return shown_list(qtbot)


def test_that_a_problem_is_red_and_wrapped_with_the_full_text_as_tooltip(documents: DocumentList):
    assert rect_of(documents, 4).height() > rect_of(documents, 3).height() + 20
    assert REASON in view(documents).model().index(4, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "not read" in view(documents).model().index(4, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    image = view(documents).viewport().grab(rect_of(documents, 4)).toImage()
    assert is_colour(image, LIGHT.danger).any()


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
def test_that_the_default_action_depends_on_the_document_state(
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


def test_that_a_doubt_has_an_icon_a_colour_and_words(documents: DocumentList):
    def image(state: str):
        doubt = DOUBTFUL.doubt if state == "doubtful" else ""
        documents.set_rows([replace(DOUBTFUL, state=state, doubt=doubt)])
        return view(documents).viewport().grab(rect_of(documents, 0)).toImage()

    plain, doubtful = image("ready"), image("doubtful")
    words = view(documents).model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "心中的桥.docx, to check, white text (32), 602 字"
    assert is_colour(doubtful, LIGHT.caution).any()
    sign = [doubtful.pixelColor(x, y) for x in range(SIDE_PX, SIDE_PX + 12) for y in range(44, 58)]
    assert any(colour.red() - colour.blue() > 80 for colour in sign)
    assert plain != doubtful


def test_that_a_locked_document_says_so(documents: DocumentList):
    documents.set_rows([LOCKED])
    words = view(documents).model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "上锁.docx, locked, 上锁.docx is protected by a password."


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_warnings_have_enough_contrast_on_every_background(theme: Theme):
    grounds = (theme.surface, theme.background, theme.raised, theme.accent_tint)
    for ink in (theme.caution, theme.danger):
        assert min(contrast(ink, ground) for ground in grounds) >= 4.5


def test_that_markup_in_a_name_stays_text(documents: DocumentList):
    index = view(documents).model().index(1, 0)
    assert index.data() == "<b>桥</b>.pdf"
    assert "&lt;b&gt;桥&lt;/b&gt;.pdf" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_that_a_reason_is_wrapped_again_in_a_narrower_list(documents: DocumentList, qtbot: QtBot):
    documents.set_rows([replace(ROWS[4], detail="没有文字层，只有图片，请另存。")])
    before = rect_of(documents, 0).height()
    documents.resize(120, 520)
    qtbot.waitUntil(lambda: rect_of(documents, 0).height() > before)


def test_that_a_wider_list_leaves_no_gap_below_a_shortened_row(documents: DocumentList, qtbot: QtBot):
    documents.set_rows([replace(ROWS[4], detail="没有文字层，只有图片，请另存。"), ROWS[0]])
    wide = rect_of(documents, 0).height()
    documents.resize(120, 520)
    qtbot.waitUntil(lambda: rect_of(documents, 0).height() > wide)
    before = rect_of(documents, 0).height()
    documents.resize(400, 520)
    qtbot.waitUntil(lambda: rect_of(documents, 0).height() < before)
    assert rect_of(documents, 1).top() == rect_of(documents, 0).bottom() + 1


def test_that_wrapping_drops_only_what_is_elided_in_the_last_line():
    font = QFont()
    text = "😀一二三四五六七八九十😀一二三四五六七八九十。" * 3
    lines = wrapped(text, font, 150, 3)
    assert len(lines) == 3
    assert text.startswith(lines[0] + lines[1])
    assert lines[2].endswith("…")
    assert all(QFontMetrics(font).horizontalAdvance(line) <= 150 for line in lines)
    assert wrapped("", font, 150, 3) == ("",)
    assert wrapped("短", font, 150, 3) == ("短",)


@pytest.mark.parametrize(
    ("row", "asked", "wanted"),
    [(CHANGED, "reading_again_requested", [[13]]), (DUPLICATE, "pair_requested", [13, 21])],
)
def test_that_a_change_and_a_duplicate_have_clickable_actions(
    documents: DocumentList, qtbot: QtBot, row: DocumentRow, asked: str, wanted: list[object]
):
    rows = [ROWS[2], row] if row.id != 13 else [row]
    documents.set_rows(rows)
    place = rect_of(documents, len(rows) - 1)
    with qtbot.waitSignal(getattr(documents, asked)) as request:
        click(documents, qtbot, offer_rect(place, row, view(documents).font()).center())
    assert request.args == wanted
    words = view(documents).model().index(len(rows) - 1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words.endswith(row.remark or row.duplicate_text)


def test_that_a_changed_duplicate_has_both_actions_on_separate_lines(documents: DocumentList, qtbot: QtBot):
    both = replace(DUPLICATE, remark="changed on disk", has_changed=True)
    documents.set_rows([ROWS[2], both])
    places = [offer_rect(rect_of(documents, 1), both, view(documents).font(), n) for n in range(2)]
    assert places[0].bottom() < places[1].top()
    assert [offer.action for offer in both.offers] == ["again", "pair"]
    signals = (documents.reading_again_requested, documents.pair_requested)
    for place, asked in zip(places, signals, strict=True):
        with qtbot.waitSignal(asked):
            click(documents, qtbot, place.center())


def test_that_the_menu_opens_the_pair_and_reads_changed_files_again(documents: DocumentList, qtbot: QtBot):
    documents.set_rows([CHANGED, DUPLICATE])
    click_row(documents, qtbot, 1)
    with qtbot.waitSignal(documents.pair_requested) as pair:
        action_called(documents, "Compare with 我和外婆.html").trigger()
    assert pair.args == [13, 21]
    click_row(documents, qtbot, 0)
    with qtbot.waitSignal(documents.reading_again_requested) as again:
        action_called(documents, "Read again").trigger()
    assert again.args == [[13]]
