"""Letters that choose the entries of a menu by Alt or alone, unique in each menu."""

from PySide6.QtWidgets import QMenu

from simcompare.support.i18n import current_language


def without_mnemonic(text: str) -> str:
    """Text of a menu without its mnemonic: “文件(&F)” is “文件”."""
    before, mark, after = text.partition("(&")
    return before if mark and after.endswith(")") else text.replace("&", "")


def assign_mnemonics(menu: QMenu) -> None:
    """Give each entry of an English menu a letter of its own; Chinese texts have no letters to underline.

    Call it whenever the menu is opened, as entries of several parts of the window change their texts.
    """
    if current_language() != "en":
        return
    taken: set[str] = set()
    for action in menu.actions():
        text = _unmarked(action.text())
        place = _place_of_letter(text, taken)
        if place is not None:
            taken.add(text[place].casefold())
            text = f"{text[:place]}&{text[place:]}"
        if text != action.text():
            action.setText(text)


def _unmarked(text: str) -> str:
    """Remove the mark of a mnemonic, but not "&&", which is shown as "&"."""
    return "&&".join(part.replace("&", "") for part in text.split("&&"))


def _place_of_letter(text: str, taken: set[str]) -> int | None:
    """Index of the first letter of a word, or else of any letter, that no other entry has."""
    letters = [place for place, letter in enumerate(text) if letter.isascii() and letter.isalpha()]
    starts = [place for place in letters if place == 0 or text[place - 1] == " "]
    free = (place for place in (*starts, *letters) if text[place].casefold() not in taken)
    return next(free, None)
