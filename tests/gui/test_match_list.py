"""The match list and the kind chip, by mouse and keyboard."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.report.wording import kind_name
from simcompare.session.decisions import Decision, NotedDecision
from simcompare.support import i18n
from simcompare.ui.compare.matches.kind_chip import KindChip
from simcompare.ui.compare.matches.match_filter import DecisionFilterButton, KindSwitch
from simcompare.ui.compare.matches.match_list import MatchList
from simcompare.ui.state.language import LANGUAGE
from simcompare.ui.state.review.match_decisions import DecisionFilter, MatchDecisions, no_decisions
from simcompare.ui.style.appearance import APPEARANCE
from simcompare.ui.style.theme import DARK, LIGHT
from tests.gui.match_list_samples import Marked, comparison, comparison_with, huge_comparison, matches_of
from tests.gui.widgets import show_widget

LEFT_BUTTON = Qt.MouseButton.LeftButton
COMPARISON = comparison()


@pytest.fixture
def matches(qtbot: QtBot) -> MatchList:
    widget = MatchList()
    widget.set_comparison(COMPARISON)
    show_widget(widget, qtbot, 240, 480)
    return widget


def view(matches: MatchList) -> QTableView:
    return matches.findChild(QTableView)


def row_middle(matches: MatchList, row: int) -> QPoint:
    return view(matches).visualRect(view(matches).model().index(row, 0)).center()


def switch(matches: MatchList, kind: MatchKind) -> KindSwitch:
    return next(s for s in matches.findChildren(KindSwitch) if s.accessibleName().startswith(kind_name(kind)))


def decision_filter(matches: MatchList) -> DecisionFilterButton:
    return matches.findChild(DecisionFilterButton)


def choose_decision_filter(matches: MatchList, words: str) -> None:
    action = next(a for a in decision_filter(matches).menu().actions() if a.text().startswith(words))
    action.trigger()


def label_texts(matches: MatchList) -> list[str]:
    return [label.text() for label in matches.findChildren(QLabel)]


def selected_rows(matches: MatchList) -> list[int]:
    return [index.row() for index in view(matches).selectionModel().selectedIndexes()]


def test_that_every_match_is_listed_with_its_text(matches: MatchList):
    model = view(matches).model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == [
        "村口的石桥站了一百多年😀，桥面被磨得发亮。",
        "每到夏天傍晚，老人们来桥头乘凉。",
        "他们都认为这座桥很美丽，因为它连起了𠮷家湾的两岸。",
        "老师写下 <b>1 < 2 && 3</b> 给我们看。",
    ]
    assert "Matches" in label_texts(matches)
    assert decision_filter(matches).text() == "0 of 4 decided"
    spoken = model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Match 3, reworded: sentence 5 on the left, 5 on the right, P = 0.64, w = 0.83"


def test_that_clicking_a_row_chooses_its_match_and_clicking_again_chooses_it_again(
    matches: MatchList, qtbot: QtBot
):
    chosen: list[int] = []
    matches.match_chosen.connect(chosen.append)
    for _ in range(2):
        qtbot.mouseClick(view(matches).viewport(), LEFT_BUTTON, pos=row_middle(matches, 2))
    assert chosen == [2, 2]


def test_that_the_arrow_keys_choose_the_neighbours(matches: MatchList, qtbot: QtBot):
    matches.set_selected(1)
    chosen: list[int] = []
    matches.match_chosen.connect(chosen.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(view(matches), key)
    assert chosen == [2, 3, 2]


def test_that_focus_alone_chooses_nothing_and_enter_chooses_the_current_row(matches: MatchList, qtbot: QtBot):
    matches.activateWindow()
    with qtbot.assertNotEmitted(matches.match_chosen):
        view(matches).setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(matches.match_chosen) as chosen:
        qtbot.keyClick(view(matches), Qt.Key.Key_Return)
    assert chosen.args == [0]


def test_that_selecting_from_outside_shows_the_row_without_a_signal(matches: MatchList, qtbot: QtBot):
    with qtbot.assertNotEmitted(matches.match_chosen):
        matches.set_selected(3)
        assert selected_rows(matches) == [3]
        matches.set_selected(None)
        assert selected_rows(matches) == []


def test_that_a_switched_off_kind_is_hidden_and_match_indices_do_not_change(matches: MatchList, qtbot: QtBot):
    qtbot.mouseClick(switch(matches, MatchKind.EXACT), LEFT_BUTTON)
    qtbot.keyClick(switch(matches, MatchKind.EDITED), Qt.Key.Key_Space)
    assert view(matches).model().rowCount() == 2
    assert "2 of 4" in label_texts(matches)
    with qtbot.waitSignal(matches.match_chosen) as chosen:
        qtbot.mouseClick(view(matches).viewport(), LEFT_BUTTON, pos=row_middle(matches, 1))
    assert chosen.args == [3]
    matches.set_selected(0)
    assert selected_rows(matches) == []


def test_that_the_switches_show_the_number_of_matches_of_their_kind(matches: MatchList):
    assert [switch(matches, kind).accessibleName() for kind in MatchKind] == [
        "reworded 2",
        "edited 1",
        "identical 1",
    ]


# --- decisions

DECISIONS = MatchDecisions(
    copied=np.array([True, False, False, False]),
    fine=np.array([False, False, True, False]),
    notes={0: "与课文相同", 3: "问他"},
)


@pytest.fixture
def decided(matches: MatchList) -> MatchList:
    matches.set_decisions(DECISIONS)
    matches.decision_filter_changed.connect(
        lambda decision_filter: matches.show_listed(frozenset(MatchKind), decision_filter)
    )
    return matches


def numbers_listed(matches: MatchList) -> list[int]:
    model = view(matches).model()
    return [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]


def test_that_the_list_shows_how_many_matches_are_decided(decided: MatchList):
    assert decision_filter(decided).text() == "2 of 4 decided"
    entries = [a.text() for a in decision_filter(decided).menu().actions() if a.text()]
    assert entries == ["All matches\t4", "Undecided\t2", "Copied\t1", "No concern\t1", "With a note\t2"]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("Undecided", [1, 3]),
        ("Copied", [0]),
        ("No concern", [2]),
        ("With a note", [0, 3]),
        ("All", [0, 1, 2, 3]),
    ],
)
def test_that_matches_are_filtered_by_decision(decided: MatchList, words: str, numbers: list[int]):
    choose_decision_filter(decided, words)
    assert numbers_listed(decided) == numbers


def test_that_decision_filter_and_kind_filter_combine(decided: MatchList, qtbot: QtBot):
    choose_decision_filter(decided, "Undecided")
    qtbot.mouseClick(switch(decided, MatchKind.EDITED), LEFT_BUTTON)
    assert numbers_listed(decided) == [3]
    assert "1 of 4" in label_texts(decided)
    assert decision_filter(decided).text() == "Undecided"


def test_that_a_match_leaves_the_list_of_undecided_ones_once_it_is_decided(decided: MatchList):
    choose_decision_filter(decided, "Undecided")
    decided.set_decisions(replace(DECISIONS, fine=np.array([False, True, True, False])))
    assert numbers_listed(decided) == [3]
    decided.set_decisions(replace(DECISIONS, fine=np.array([False, True, True, True])))
    assert "No such match. “All matches” above lists them all." in label_texts(decided)


def test_that_a_row_describes_decision_and_note(decided: MatchList):
    first = view(decided).model().index(0, 0)
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert first.data(role).splitlines()[1:] == ["Copied", "与课文相同"]


def test_that_each_decision_has_an_icon_of_another_shape(decided: MatchList):
    def shape(row: int) -> set[tuple[int, int]]:
        """Pixels of the mark area that differ from the background."""
        area = view(decided).visualRect(view(decided).model().index(row, 0))
        image = view(decided).viewport().grab(area).toImage()
        ground = image.pixelColor(image.width() - 2, 2)
        wide = range(image.width() - 100, image.width() - 60)
        return {(x, y) for x in wide for y in range(8, 28) if image.pixelColor(x, y) != ground}

    shapes = [shape(row) for row in range(4)]
    assert not shapes[1]
    assert all(shapes[row] for row in (0, 2, 3))
    assert shapes[0] != shapes[2] != shapes[3] != shapes[0]


def test_that_an_empty_list_explains_why_it_is_empty(matches: MatchList, qtbot: QtBot):
    for kind in MatchKind:
        switch(matches, kind).click()
    assert "No matches of the selected kinds." in label_texts(matches)
    matches.set_comparison(None)
    assert "No matches." not in label_texts(matches), "it is not known yet"
    matches.show_waiting("Add one.")
    assert "Add one." in label_texts(matches)
    assert not view(matches).isVisible()


def test_that_the_selected_pair_stays_selected_when_a_threshold_removes_matches(
    matches: MatchList, qtbot: QtBot
):
    matches.set_selected(2)
    cells, kinds = COMPARISON.matches.cells, COMPARISON.matches.kinds
    fewer = [
        (
            int(cells.rows[n]),
            int(cells.columns[n]),
            MatchKind(int(kinds[n])),
            float(cells.p[n]),
            float(cells.w[n]),
        )
        for n in (0, 2)
    ]
    with qtbot.assertNotEmitted(matches.match_chosen):
        matches.set_comparison(comparison_with(matches_of(fewer), COMPARISON.left, COMPARISON.right))
    assert selected_rows(matches) == [1]


def test_that_fifty_thousand_matches_are_listed_and_can_be_scrolled_to(matches: MatchList, qtbot: QtBot):
    matches.set_comparison(huge_comparison(50_000))
    assert view(matches).model().rowCount() == 50_000
    matches.set_selected(0)
    with qtbot.waitSignal(matches.match_chosen) as chosen:
        qtbot.keyClick(view(matches), Qt.Key.Key_End)
    assert chosen.args == [49_999]
    before = view(matches).verticalScrollBar().value()
    matches.set_comparison(huge_comparison(50_000))
    assert view(matches).verticalScrollBar().value() == before > 0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_rows_show_their_kinds_in_the_colours_of_the_theme(matches: MatchList, theme):
    APPEARANCE.use(theme)
    image = view(matches).viewport().grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    for look in theme.kinds.values():
        assert {QColor(look.tint).name(), QColor(look.ink).name()} <= seen


def test_that_a_chip_is_as_wide_as_its_text_and_has_it_as_accessible_name(qtbot: QtBot):
    chip = KindChip()
    qtbot.addWidget(chip)
    chip.set_kind(MatchKind.SYNONYM)
    wide = chip.sizeHint().width()
    chip.set_kind(MatchKind.EXACT)
    assert chip.sizeHint().width() < wide
    assert chip.accessibleName() == "identical"


def test_that_the_table_follows_the_language(matches: MatchList, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(i18n._CurrentLanguage, "catalogue", Marked())
    LANGUAGE.changed.emit()
    assert "~Matches" in label_texts(matches)
    assert view(matches).accessibleName() == "~Matches"
    assert switch(matches, MatchKind.EXACT).accessibleName() == "~identical 1"


@pytest.mark.parametrize(
    "shown_kinds", [set(kinds) for n in range(4) for kinds in combinations(MatchKind, n)]
)
def test_that_the_listed_matches_of_a_kind_are_computed_once(shown_kinds: set[MatchKind]):
    kinds = np.array([MatchKind.EXACT, MatchKind.SYNONYM, MatchKind.EXACT] * 3, np.int8)
    decisions = no_decisions(len(kinds)).with_decision(2, NotedDecision(Decision.FINE))
    for shown, places in (
        (DecisionFilter.ALL, set(range(9))),
        (DecisionFilter.UNDECIDED, set(range(9)) - {2}),
    ):
        found = decisions.listed(kinds, frozenset(shown_kinds), shown)
        assert found.tolist() == [n for n in sorted(places) if kinds[n] in shown_kinds]
        assert decisions.listed(kinds, frozenset(shown_kinds), shown) is found
