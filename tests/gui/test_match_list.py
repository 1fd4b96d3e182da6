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
from simcompare.ui.compare.matches.match_filter import KindSwitch, ReviewFilter
from simcompare.ui.compare.matches.match_list import MatchList
from simcompare.ui.state.language import LANGUAGE
from simcompare.ui.state.match_decisions import DecisionFilter, MatchDecisions, no_decisions
from simcompare.ui.style.appearance import APPEARANCE
from simcompare.ui.style.theme import DARK, LIGHT
from tests.gui.match_list_samples import Marked, comparison, comparison_with, huge_comparison, matches_of

LEFT_BUTTON = Qt.MouseButton.LeftButton
COMPARISON = comparison()


@pytest.fixture
def matches(qtbot: QtBot) -> MatchList:
    widget = MatchList()
    qtbot.addWidget(widget)
    widget.resize(240, 480)
    widget.set_comparison(COMPARISON)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def view(matches: MatchList) -> QTableView:
    return matches.findChild(QTableView)


def row_middle(matches: MatchList, row: int) -> QPoint:
    return view(matches).visualRect(view(matches).model().index(row, 0)).center()


def switch(matches: MatchList, kind: MatchKind) -> KindSwitch:
    return next(s for s in matches.findChildren(KindSwitch) if s.accessibleName().startswith(kind_name(kind)))


def review_filter(matches: MatchList) -> ReviewFilter:
    return matches.findChild(ReviewFilter)


def choose_shown(matches: MatchList, words: str) -> None:
    action = next(a for a in review_filter(matches).menu().actions() if a.text().startswith(words))
    action.trigger()


def words_shown(matches: MatchList) -> list[str]:
    return [label.text() for label in matches.findChildren(QLabel)]


def selected_rows(matches: MatchList) -> list[int]:
    return [index.row() for index in view(matches).selectionModel().selectedIndexes()]


def test_that_every_match_is_listed_with_its_words(matches: MatchList):
    model = view(matches).model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == [
        "村口的石桥站了一百多年😀，桥面被磨得发亮。",
        "每到夏天傍晚，老人们来桥头乘凉。",
        "他们都认为这座桥很美丽，因为它连起了𠮷家湾的两岸。",
        "老师写下 <b>1 < 2 && 3</b> 给我们看。",
    ]
    assert "Matches" in words_shown(matches)
    assert review_filter(matches).text() == "0 of 4 decided"
    spoken = model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Match 3, synonym: sentence 5 on the left, 5 on the right, P = 0.64, w = 0.83"


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


def test_that_a_switched_off_kind_is_hidden_and_indices_still_count_all_matches(
    matches: MatchList, qtbot: QtBot
):
    qtbot.mouseClick(switch(matches, MatchKind.EXACT), LEFT_BUTTON)
    qtbot.keyClick(switch(matches, MatchKind.EDITED), Qt.Key.Key_Space)
    assert view(matches).model().rowCount() == 2
    assert "2 of 4" in words_shown(matches)
    with qtbot.waitSignal(matches.match_chosen) as chosen:
        qtbot.mouseClick(view(matches).viewport(), LEFT_BUTTON, pos=row_middle(matches, 1))
    assert chosen.args == [3]
    matches.set_selected(0)
    assert selected_rows(matches) == []


def test_that_the_switches_say_how_many_there_are(matches: MatchList):
    assert [switch(matches, kind).accessibleName() for kind in MatchKind] == [
        "synonym 2",
        "edited 1",
        "exact 1",
    ]


# --- what the teacher made of them

JUDGED = MatchDecisions(
    copied=np.array([True, False, False, False]),
    fine=np.array([False, False, True, False]),
    notes={0: "与课文相同", 3: "问他"},
)


@pytest.fixture
def judged(matches: MatchList) -> MatchList:
    matches.set_judgements(JUDGED)
    matches.shown_changed.connect(lambda shown: matches.show_listed(frozenset(MatchKind), shown))
    return matches


def numbers_listed(matches: MatchList) -> list[int]:
    model = view(matches).model()
    return [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]


def test_that_the_list_says_how_many_are_decided(judged: MatchList):
    assert review_filter(judged).text() == "2 of 4 decided"
    entries = [a.text() for a in review_filter(judged).menu().actions() if a.text()]
    assert entries == ["All matches\t4", "Undecided\t2", "Copied\t1", "Fine\t1", "With a note\t2"]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [("Undecided", [1, 3]), ("Copied", [0]), ("Fine", [2]), ("With a note", [0, 3]), ("All", [0, 1, 2, 3])],
)
def test_that_matches_are_listed_by_what_was_made_of_them(judged: MatchList, words: str, numbers: list[int]):
    choose_shown(judged, words)
    assert numbers_listed(judged) == numbers


def test_that_decision_and_kind_filter_together(judged: MatchList, qtbot: QtBot):
    choose_shown(judged, "Undecided")
    qtbot.mouseClick(switch(judged, MatchKind.EDITED), LEFT_BUTTON)
    assert numbers_listed(judged) == [3]
    assert "1 of 4" in words_shown(judged)
    assert review_filter(judged).text() == "Undecided"


def test_that_a_match_leaves_a_list_of_the_undecided_once_it_is_decided(judged: MatchList):
    choose_shown(judged, "Undecided")
    judged.set_judgements(replace(JUDGED, fine=np.array([False, True, True, False])))
    assert numbers_listed(judged) == [3]
    judged.set_judgements(replace(JUDGED, fine=np.array([False, True, True, True])))
    assert "No such match. “All matches” above lists them all." in words_shown(judged)


def test_that_a_row_tells_what_was_decided_and_noted(judged: MatchList):
    first = view(judged).model().index(0, 0)
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert first.data(role).splitlines()[1:] == ["Copied", "与课文相同"]


def test_that_each_decision_has_a_mark_of_its_own_shape(judged: MatchList):
    def shape(row: int) -> set[tuple[int, int]]:
        """Where the room for marks differs from its ground."""
        area = view(judged).visualRect(view(judged).model().index(row, 0))
        image = view(judged).viewport().grab(area).toImage()
        ground = image.pixelColor(image.width() - 2, 2)
        wide = range(image.width() - 100, image.width() - 60)
        return {(x, y) for x in wide for y in range(8, 28) if image.pixelColor(x, y) != ground}

    shapes = [shape(row) for row in range(4)]
    assert not shapes[1]
    assert all(shapes[row] for row in (0, 2, 3))
    assert shapes[0] != shapes[2] != shapes[3] != shapes[0]


def test_that_an_empty_list_says_why(matches: MatchList, qtbot: QtBot):
    for kind in MatchKind:
        switch(matches, kind).click()
    assert "No match is of a kind that is shown." in words_shown(matches)
    matches.set_comparison(None)
    assert "No matches." not in words_shown(matches), "it is not known yet"
    matches.show_waiting("Add one.")
    assert "Add one." in words_shown(matches)
    assert not view(matches).isVisible()


def test_that_the_selected_pair_stays_selected_when_a_threshold_takes_matches_away(
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


def test_that_fifty_thousand_matches_are_listed_and_reached(matches: MatchList, qtbot: QtBot):
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


def test_that_a_chip_is_as_wide_as_its_word_and_says_it(qtbot: QtBot):
    chip = KindChip()
    qtbot.addWidget(chip)
    chip.set_kind(MatchKind.SYNONYM)
    wide = chip.sizeHint().width()
    chip.set_kind(MatchKind.EXACT)
    assert chip.sizeHint().width() < wide
    assert chip.accessibleName() == "exact"


def test_that_the_table_follows_the_language(matches: MatchList, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(i18n._Current, "catalogue", Marked())
    LANGUAGE.changed.emit()
    assert "~Matches" in words_shown(matches)
    assert view(matches).accessibleName() == "~Matches"
    assert switch(matches, MatchKind.EXACT).accessibleName() == "~exact 1"


@pytest.mark.parametrize(
    "shown_kinds", [set(kinds) for n in range(4) for kinds in combinations(MatchKind, n)]
)
def test_that_matches_are_listed_by_kind_and_found_once_for_all_who_ask(shown_kinds: set[MatchKind]):
    kinds = np.array([MatchKind.EXACT, MatchKind.SYNONYM, MatchKind.EXACT] * 3, np.int8)
    judgements = no_decisions(len(kinds)).with_decision(2, NotedDecision(Decision.FINE))
    for shown, places in (
        (DecisionFilter.ALL, set(range(9))),
        (DecisionFilter.UNDECIDED, set(range(9)) - {2}),
    ):
        found = judgements.listed(kinds, frozenset(shown_kinds), shown)
        assert found.tolist() == [n for n in sorted(places) if kinds[n] in shown_kinds]
        assert judgements.listed(kinds, frozenset(shown_kinds), shown) is found
