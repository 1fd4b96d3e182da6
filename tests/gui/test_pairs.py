"""Three or more documents: the page shown, and the rows and order of the table of pairs."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.support.resources import resource_path
from simcompare.ui.cohort.class_table import SIDE_PX, SIGN_PX, Words
from simcompare.ui.cohort.pair_order import OPTIONAL, PairColumn
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.text_labels import surname
from simcompare.ui.window_assembly import whole_window
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT, Essay, wait_for_comparison
from tests.gui.pair_table import LEFT_BUTTON, cells, click, click_header, names, settle, words

# --- which page is shown


def test_that_two_documents_are_compared_and_a_third_shows_the_table(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("a.txt", LEFT_TEXT), essay("b.txt", RIGHT_TEXT)])
    wait_for_comparison(window, qtbot)
    assert window.pages.currentWidget() is window.compare_view
    assert not window.page_switch.isVisible()
    assert len(window.workspace.pairs.table) == 0
    window.workspace.documents.add([essay("c.txt", OTHER_TEXT)])
    assert window.pages.currentWidget() is window.class_page
    assert window.page_switch.isVisible()
    settle(window, qtbot)
    assert names(window)[0] == "ab"
    window.workspace.documents.remove([3])
    assert window.pages.currentWidget() is window.compare_view
    assert not window.page_switch.isVisible()
    assert not window.commands.actions["page_pairs"].isEnabled()


def test_that_a_chosen_pair_stays_shown_when_documents_are_added(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("a.txt", LEFT_TEXT), essay("b.txt", RIGHT_TEXT)])
    wait_for_comparison(window, qtbot)
    qtbot.mouseClick(window.tool_bar.swap_button, LEFT_BUTTON)
    window.workspace.documents.add([essay("c.txt", OTHER_TEXT)])
    assert window.pages.currentWidget() is window.compare_view
    settle(window, qtbot)


def test_that_the_table_is_shown_for_new_documents_after_all_were_removed(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    click(four, qtbot, 0)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    documents = four.workspace.documents
    documents.remove(list(documents.entries))
    documents.add([essay(f"next-{number}.txt", LEFT_TEXT) for number in range(3)])
    assert four.pages.currentWidget() is four.class_page


def test_that_the_switch_and_its_keys_show_both_pages(four: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(four.page_switch.compare_button, LEFT_BUTTON)
    assert four.pages.currentWidget() is four.compare_view
    assert four.sidebar.passages.isVisible()
    four.activateWindow()
    qtbot.keyClick(four, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert four.pages.currentWidget() is four.class_page
    assert four.page_switch.pairs_button.isChecked()
    assert not four.sidebar.passages.isVisible()
    qtbot.keyClick(four, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert four.pages.currentWidget() is four.compare_view


def test_that_a_document_chosen_for_a_side_is_shown_there(four: MainWindow) -> None:
    four.workspace.documents.choose(Side.LEFT, 3)
    four.sidebar.documents.side_chosen.emit(4, "right")
    assert four.pages.currentWidget() is four.compare_view


# --- contents of the table


def test_that_the_table_shows_the_same_figures_as_compare(window: MainWindow, qtbot: QtBot) -> None:
    essays = ("家乡的石桥.docx", "心中的桥.html", "石桥记.pdf", "桥的故事.docx", "秋天的路.pdf")
    window.workspace.documents.add(resource_path("samples", name) for name in essays)
    settle(window, qtbot)
    table = window.workspace.pairs.table
    assert len(table) == 10
    for left, right in [(1, 2), (1, 3), (3, 5)]:
        window.workspace.documents.choose(Side.LEFT, left)
        window.workspace.documents.choose(Side.RIGHT, right)
        wait_for_comparison(window, qtbot)
        comparison, row = window.workspace.comparison, table.rows[table.place_of((left, right))]
        assert row["left_in_right"] == comparison.share.left_in_right.raw
        assert row["after_exclusions_right_in_left"] == comparison.share.right_in_left.after_exclusions
        sentence_share = comparison.sentence_share
        assert row["sentence_left_in_right"] == sentence_share.left_in_right.raw
        assert row["after_exclusions_sentence_right_in_left"] == sentence_share.right_in_left.after_exclusions
        assert row["distance_bits"] == comparison.hamming_distance_bits
        assert row["matches"] == len(comparison.matches)


def test_that_headings_show_and_change_the_order_and_a_click_restores_the_default_one(
    four: MainWindow, qtbot: QtBot
) -> None:
    # the pair with most rare text in common is first
    assert names(four)[0] == "ab"
    assert len(names(four)) == 6
    assert cells(four, PairColumn.SHARE_A)[0].endswith("%")
    assert cells(four, PairColumn.MATCHES)[0] == "3"
    assert "6 pairs" in words(four)

    # the headings show the sort order
    def heading(column: PairColumn) -> str:
        return str(four.pairs_view.table.model().headerData(column, Qt.Orientation.Horizontal))

    assert not [column for column in PairColumn if heading(column)[-1] in "▼▲"], "the default order"
    four.pairs_view.sort_by(PairColumn.MATCHES)
    assert [heading(column) for column in PairColumn if heading(column)[-1] in "▼▲"] == ["Matches ▼"]
    four.pairs_view.sort_by(PairColumn.MATCHES)
    assert [heading(column) for column in PairColumn if heading(column)[-1] in "▼▲"] == ["Matches ▲"]
    four.pairs_view.filter.default_order_button.click()

    # the default order returns with one click
    button, before = four.pairs_view.filter.default_order_button, names(four)
    assert not button.isVisible()
    click_header(four, qtbot, PairColumn.A)
    assert names(four) != before
    assert button.isVisible()
    qtbot.mouseClick(button, LEFT_BUTTON)
    assert names(four) == before
    assert not button.isVisible()

    # headings sort in both directions
    click_header(four, qtbot, PairColumn.A)
    assert [pair[0] for pair in names(four)] == list("aaabbc")
    click_header(four, qtbot, PairColumn.A)
    assert [pair[0] for pair in names(four)] == list("cbbaaa")
    four.pairs_view.sort_by(PairColumn.DISTANCE)
    distances = [int(bits) for bits in cells(four, PairColumn.DISTANCE)]
    assert distances == sorted(distances)
    four.pairs_view.menu.show_state(True, PairColumn.DISTANCE)
    (by_matches,) = (a for a in four.pairs_view.menu.sort_menu.actions() if a.text() == "Matches")
    by_matches.trigger()
    assert cells(four, PairColumn.MATCHES)[0] == "3"


def test_that_words_of_the_filter_may_be_in_either_of_the_two_names(four: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(four.pairs_view.filter.text, "d.t a.t")
    assert names(four) == ["ad"]


def test_that_a_filter_lists_matching_pairs_and_their_number(four: MainWindow, qtbot: QtBot) -> None:
    bar = four.pairs_view.filter
    qtbot.keyClicks(bar.text, "D.T")
    assert sorted(names(four)) == ["ad", "bd", "cd"]
    assert "3 of 6 pairs" in words(four)
    qtbot.mouseClick(bar.only_matches, LEFT_BUTTON, pos=QPoint(8, bar.only_matches.height() // 2))
    assert names(four) == []
    assert "No pair matches the filter." in words(four)
    qtbot.mouseClick(four.pairs_view._hint_button, LEFT_BUTTON)
    assert len(names(four)) == 6
    assert not bar.clear_button.isVisible()
    bar.least.setCurrentIndex(bar.least.findData(30))
    assert names(four) == ["ab"]
    qtbot.mouseClick(bar.clear_button, LEFT_BUTTON)
    assert len(names(four)) == 6


def test_that_new_first_rows_are_visible_without_a_selection(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    four.resize(1060, 600)
    four.pairs_view.table.setFocus()
    four.workspace.documents.add([essay(f"more-{n}.txt", f"{OTHER_TEXT}{n}") for n in range(8)])
    four.workspace.documents.add([essay("copy.txt", LEFT_TEXT)])
    settle(four, qtbot)
    assert four.pairs_view.table.rowAt(0) == 0


def test_that_the_filter_bar_fits_the_smallest_window(four: MainWindow, qtbot: QtBot) -> None:
    four.resize(four.minimumSize())
    click_header(four, qtbot, PairColumn.B)
    bar = four.pairs_view.filter
    qtbot.waitUntil(lambda: bar.default_order_button.geometry().right() < bar.width())
    assert bar.width() >= bar.minimumSizeHint().width()
    assert bar.default_order_button.accessibleName() == "Default order"


def test_that_the_reason_of_a_decision_has_space(four: MainWindow, qtbot: QtBot) -> None:
    table, review = four.pairs_view.table, four.workspace.review
    before_px = table.columnWidth(PairColumn.DECISION)
    review.decide_pair(*four.pairs_view._rows.pair_at(0), Decision.JOINT_WORK)
    reason_px = table.fontMetrics().horizontalAdvance("Joint work permitted") + SIGN_PX + 2 * SIDE_PX
    qtbot.waitUntil(lambda: table.columnWidth(PairColumn.DECISION) >= reason_px)
    four.workspace.history.undo()
    qtbot.waitUntil(lambda: table.columnWidth(PairColumn.DECISION) == before_px)


def test_that_no_concern_is_never_cut_to_concern(
    four: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, painted = four.pairs_view.table, list[str]()
    module = "simcompare.ui.cohort.class_table.draw_name"
    monkeypatch.setattr(module, lambda _painter, _box, _flags, text: painted.append(text))
    four.workspace.review.decide_pair(*four.pairs_view._rows.pair_at(0), Decision.FINE)
    qtbot.waitUntil(lambda: "No concern" in cells(four, PairColumn.DECISION))
    for part in (1.0, 0.8):
        table.setColumnWidth(PairColumn.DECISION, round(table.columnWidth(PairColumn.DECISION) * part))
        table._form_of_names = surname  # as beside long names of persons
        table.grab()
    assert "No concern" in painted
    assert "concern" not in painted


_USUAL_NAME_PX = 66


@pytest.mark.parametrize("size", [(1257, 707), (1366, 768)])
def test_that_the_table_shows_whole_names_on_a_laptop(
    window: MainWindow, size: tuple[int, int], qtbot: QtBot
) -> None:
    window.resize(*size)
    window.workspace.documents.add(sorted(resource_path("samples", "Sample class").iterdir()))
    settle(window, qtbot)
    qtbot.waitUntil(lambda: bool(window.pairs_view._rows.groups))
    table = window.pairs_view.table
    name_px = table.fontMetrics().horizontalAdvance("Daniel Ellis") + 2 * SIDE_PX
    advance = table.fontMetrics().horizontalAdvance
    if size == (1366, 768):
        mark = Words("4 mistakes", "", "muted")
        # a wide font gets a wider window
        window.resize(round(size[0] * max(1, advance("Daniel Ellis") / _USUAL_NAME_PX)), size[1])
        qtbot.waitUntil(
            lambda: (
                mark.words_beside("Daniel Ellis", table.columnWidth(PairColumn.B) - 2 * SIDE_PX, advance)
                == mark.text
            )
        )
    assert min(table.columnWidth(column) for column in (PairColumn.A, PairColumn.B)) >= name_px
    window.resize(2600, 1000)  # also with a wide font
    qtbot.waitUntil(lambda: not table.isColumnHidden(PairColumn.GROUP))


def test_that_names_have_space_before_figures_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1060, 600)
    window.workspace.documents.add(sorted(resource_path("samples", "Sample class").iterdir()))
    settle(window, qtbot)
    window.pairs_view.show_columns(["rewritten"])
    table = window.pairs_view.table
    advance = table.fontMetrics().horizontalAdvance
    listed = cells(window, PairColumn.B)
    longest_px = max(advance(surname(name)) for name in listed if surname(name) != name)
    assert table.columnWidth(PairColumn.B) >= longest_px + 2 * SIDE_PX
    assert not table.isColumnHidden(PairColumn.RARE_TEXT), "the order of the pairs"
    page = window.class_page
    page._student_count.setText("20 students · 1 not on the class list")
    page.missing_button.setText("1 not handed in")
    page.missing_button.show()
    page._fit()
    page._align()
    qtbot.waitUntil(lambda: page.histogram.width() == page.students.width(), timeout=9_000)
    assert table.columnWidth(PairColumn.B) >= longest_px + 2 * SIDE_PX
    assert table.viewport().height() >= 5 * table.rowHeight(0)


def test_that_columns_of_a_class_stay_as_others_grow(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(2600, 1000)
    window.workspace.documents.add(sorted(resource_path("samples", "Sample class").iterdir()))
    settle(window, qtbot)
    table, hidden = window.pairs_view.table, PairColumn.GROUP
    qtbot.waitUntil(lambda: not table.isColumnHidden(hidden))
    spare_px = sum(table.columnWidth(each) for each in (PairColumn.A, PairColumn.B))
    spare_px -= table._names_px_beside(PairColumn.MATCHES)
    window.resize(window.width() - spare_px, window.height())  # no column more has space
    window.pairs_view.show_columns(["matches"])
    assert not table.isColumnHidden(hidden)


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_hidden_columns_are_chosen_in_a_menu_and_remembered(four: MainWindow, qtbot: QtBot) -> None:
    def shown(window: MainWindow) -> set[PairColumn]:
        return {c for c in OPTIONAL if not window.pairs_view.table.isColumnHidden(c)}

    assert shown(four) == set()
    menu = four.pairs_view.menu
    menu.column_menu.popup(four.mapToGlobal(QPoint(50, 50)))
    place = menu.column_menu.actionGeometry(menu.columns[PairColumn.RAW_A]).center()
    qtbot.mouseClick(menu.column_menu, LEFT_BUTTON, pos=place)
    assert menu.column_menu.isVisible(), "several can be ticked"
    qtbot.keyClick(menu.column_menu, Qt.Key.Key_Escape)
    assert shown(four) == {PairColumn.RAW_A}
    other = whole_window(Preferences())
    qtbot.addWidget(other)
    assert shown(other) == {PairColumn.RAW_A}


def test_that_a_column_sorted_by_is_shown(four: MainWindow) -> None:
    # the table can show and be sorted by the sentence share
    assert four.pairs_view.table.isColumnHidden(PairColumn.SENTENCE_A)
    four.pairs_view.use_order("-sentence_a")
    assert not four.pairs_view.table.isColumnHidden(PairColumn.SENTENCE_A)
    shares = [int(cell.removesuffix("%")) for cell in cells(four, PairColumn.SENTENCE_A)]
    assert shares[0] > shares[-1]
    assert shares == sorted(shares, reverse=True)
    four.pairs_view.filter.default_order_button.click()

    # a column sorted by is shown and hiding it restores the default order
    before = names(four)
    four.pairs_view.use_order("-distance")
    assert not four.pairs_view.table.isColumnHidden(PairColumn.DISTANCE)
    action = four.pairs_view.menu.columns[PairColumn.DISTANCE]
    assert action.isChecked()
    action.trigger()
    assert four.pairs_view.table.isColumnHidden(PairColumn.DISTANCE)
    assert names(four) == before

    # an order saved by an earlier version is used
    for word, now in (("-net_a_in_b", "-share_a"), ("b_in_a", "raw_b")):
        four.pairs_view.use_order(word)
        assert four.pairs_view.order_word == now


def test_that_a_pair_of_which_nothing_counts_says_so(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    window.workspace.documents.add([essay(f"{n}.txt", "好。走吧。来了。对了。") for n in range(3)])
    settle(window, qtbot)
    index = window.pairs_view.table.model().index(0, PairColumn.SHARE_A)
    assert index.data() == "–"
    assert "Nothing counts" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Share of A: nothing counts"


# --- groups and duplicates


def test_that_documents_sharing_an_essay_form_a_group(four: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    assert four.pairs_view.table.model().index(0, PairColumn.GROUP).data() == "1", (
        "a and b share more than half"
    )
    four.workspace.documents.add(
        [essay("e.txt", LEFT_TEXT + "结尾。"), essay("f.txt", OTHER_TEXT + "大家都笑了。")]
    )
    settle(four, qtbot)
    groups = dict(zip(names(four), cells(four, PairColumn.GROUP), strict=True))
    assert [groups[pair] for pair in ("ab", "ae", "be")] == ["1"] * 3
    assert groups["cf"] == "2"
    assert groups["ac"] == groups["cd"] == "–"
    (row,) = (row for row, pair in enumerate(names(four)) if pair == "be")
    tip = four.pairs_view.table.model().index(row, PairColumn.GROUP).data(Qt.ItemDataRole.ToolTipRole)
    assert "Group 1: 3 essays\na.txt\nb.txt\ne.txt" in tip
    four.resize(2600, 800)  # also with a wide font
    qtbot.waitUntil(lambda: not four.pairs_view.table.isColumnHidden(PairColumn.GROUP))
    click_header(four, qtbot, PairColumn.GROUP)
    assert cells(four, PairColumn.GROUP)[:4] == ["1", "1", "1", "2"]
    group = four.pairs_view.filter.group
    assert [group.itemText(place) for place in range(group.count())] == [
        "All groups",
        "In a group",
        "Group 1 (3)",
        "Group 2 (2)",
    ]
    group.setCurrentIndex(1)
    assert len(names(four)) == 4
    group.setCurrentIndex(3)
    assert names(four) == ["cf"]
    four.workspace.documents.remove([6])
    settle(four, qtbot)
    assert len(names(four)) == 10, "with its group the choice of it is gone"


def test_that_the_same_file_and_the_same_text_are_marked(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    four.workspace.documents.add([essay("e.txt", LEFT_TEXT), essay("f.txt", LEFT_TEXT + "\n\n")])
    settle(four, qtbot)
    model, rows = four.pairs_view.table.model(), {pair: row for row, pair in enumerate(names(four))}
    for pair, accessible_texts in (("ae", "same file"), ("af", "same text"), ("ab", "")):
        index = model.index(rows[pair], PairColumn.B)
        assert (accessible_texts in index.data(Qt.ItemDataRole.AccessibleTextRole)) or not accessible_texts
    tip = model.index(rows["ae"], PairColumn.B).data(Qt.ItemDataRole.ToolTipRole)
    assert "same file as a.txt" in tip


def test_that_sorting_does_not_move_the_tables(four: MainWindow, qtbot: QtBot) -> None:
    four.resize(1366, 768)
    qtbot.keyClicks(four.pairs_view.filter.text, "t")
    table, wide = four.pairs_view.table, four.pairs_view.filter
    QApplication.processEvents()
    top, count = table.mapTo(four, QPoint(0, 0)).y(), wide._count.pos()
    four.pairs_view.sort_by(PairColumn.B)
    QApplication.processEvents()
    assert wide.default_order_button.isVisible()
    assert (table.mapTo(four, QPoint(0, 0)).y(), wide._count.pos()) == (top, count)
