"""Menus: in the order of the work, each action once, with letters and places of the system."""

from collections import Counter

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from simcompare.ui.actions import without_mnemonic
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side


def menus(window: MainWindow) -> list[QMenu]:
    found = [QMenu.menuInAction(action) for action in window.menus.actions()]
    assert all(isinstance(menu, QMenu) for menu in found)
    return found


def entries(menu: QMenu) -> list[QAction]:
    return [action for action in menu.actions() if not action.isSeparator()]


def letter_of(action: QAction) -> str:
    before, _mark, after = action.text().replace("&&", "").partition("&")
    assert after, before
    return after[0].casefold()


def test_that_menus_are_in_the_order_of_the_work_and_each_entry_has_one_place_and_name(
    window: MainWindow,
) -> None:
    # menus are in the order of the work
    titles = [without_mnemonic(menu.title()) for menu in menus(window)]
    assert titles == ["File", "Edit", "Documents", "Compare", "View", "Help"]

    # each action has one place
    counts = Counter(id(action) for menu in menus(window) for action in entries(menu))
    assert set(counts.values()) == {1}

    # about and quit have their places on macos
    roles = {name: action.menuRole() for name, action in window.commands.actions.items()}
    assert roles.pop("about") is QAction.MenuRole.AboutRole
    assert roles.pop("quit") is QAction.MenuRole.QuitRole
    assert {role for name, role in roles.items() if ":" not in name} == {QAction.MenuRole.NoRole}

    # pages have the same names in the menu as on their buttons
    switch = window.page_switch
    buttons = (switch.pairs_button, switch.compare_button, switch.library_button)
    actions = (window.commands.actions[name] for name in ("page_pairs", "page_compare", "page_library"))
    assert [action.text() for action in actions] == [button.text() for button in buttons]

    # letters do not change the texts or other languages
    file_menu = menus(window)[0]
    file_menu.aboutToShow.emit()
    assert without_mnemonic(window.commands.actions["add"].text()) == "Add documents…"
    window.use_language("zh")
    file_menu.aboutToShow.emit()
    assert window.commands.actions["add"].text() == "添加文档…"


def test_that_each_entry_of_an_english_menu_has_a_letter_of_its_own(compared: MainWindow) -> None:
    bar = [letter_of(menu.menuAction()) for menu in menus(compared)]
    assert len(bar) == len(set(bar))
    for menu in menus(compared):
        menu.aboutToShow.emit()
        menu.aboutToShow.emit()
        letters = [letter_of(action) for action in entries(menu) if action.text()]
        assert len(letters) == len(set(letters))


def test_that_copy_and_select_all_act_on_the_focused_part(compared: MainWindow, qtbot: QtBot) -> None:
    copied, selected = (
        next(action for action in entries(menus(compared)[1]) if action.text().startswith(text))
        for text in ("Copy", "Select all")
    )
    pane = compared.compare_view.panes[Side.LEFT]
    pane.setFocus()
    qtbot.waitUntil(pane.focusProxy().hasFocus)
    selected.trigger()
    copied.trigger()
    text = compared.workspace.comparison.left.document.text
    assert QApplication.clipboard().text().split() == text.split()
    field = compared.compare_view.finder
    field.open()
    field.bar.field.setText("words to copy")
    selected.trigger()
    copied.trigger()
    assert QApplication.clipboard().text() == "words to copy"
