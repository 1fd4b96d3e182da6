"""Page of the manual for each part of the window, and for each dialog."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from simcompare.ui.manual.manual_pages import INDEX


@dataclass(frozen=True, slots=True)
class ManualPlace:
    """A page of the manual, and the anchor of a heading on it; empty for its beginning."""

    page: str
    anchor: str = ""


PLACES = {
    # pages of the window
    "StartPage": ManualPlace("first-class"),
    "ClassPage": ManualPlace("first-class", "class"),
    "CompareView": ManualPlace("reading-a-pair"),
    "LibraryPage": ManualPlace("library"),
    # parts of the window
    "CommonTextBar": ManualPlace("what-does-not-count", "common"),
    "DecisionBar": ManualPlace("reading-a-pair", "steps"),
    "DocumentList": ManualPlace("first-class", "documents"),
    "ExclusionButton": ManualPlace("reading-a-pair", "excluding"),
    "FindBar": ManualPlace("reading-a-pair", "more"),
    "HitsView": ManualPlace("library", "searching"),
    "MethodButton": ManualPlace("reading-a-pair", "strictness"),
    "NotePopup": ManualPlace("reading-a-pair", "steps"),
    "PairDetails": ManualPlace("reading-a-pair", "more"),
    "PairDetailsButton": ManualPlace("reading-a-pair", "more"),
    "PassageList": ManualPlace("reading-a-pair", "kinds"),
    "RecoveryBar": ManualPlace("troubleshooting", "crash"),
    "ShareHistogram": ManualPlace("percentages", "limit"),
    "StrictnessButton": ManualPlace("reading-a-pair", "strictness"),
    # dialogs
    "AboutDialog": ManualPlace(INDEX),
    "AdditionDialog": ManualPlace("library", "adding"),
    "ClassListDialog": ManualPlace("what-does-not-count", "class-list"),
    "ClosingDialog": ManualPlace("reports", "steps"),
    "CommonSentencesDialog": ManualPlace("what-does-not-count", "common"),
    "ExportDialog": ManualPlace("reports"),
    "LinesDialog": ManualPlace("library", "deleting"),
    "NamesDialog": ManualPlace("reports", "names"),
    "PasswordDialog": ManualPlace("troubleshooting", "password"),
    "PictureTableDialog": ManualPlace("accessibility", "screen-reader"),
    "PasteDialog": ManualPlace("first-class", "adding"),
    "ProblemDialog": ManualPlace("troubleshooting", "stuck"),
    "ReceiptDialog": ManualPlace("troubleshooting", "checking"),
    "ReplaceDialog": ManualPlace("reports", "steps"),
    "RetentionDialog": ManualPlace("library", "keeping"),
    "ServerDialog": ManualPlace("library", "server"),
    "ShortcutsDialog": ManualPlace("accessibility", "keyboard"),
    "UnsavedDialog": ManualPlace("first-class", "saving"),
}
"""Places by the name of the widget's class."""


def place_of(focused: QWidget | None, page: QWidget | None) -> ManualPlace:
    """Return the place of the widget that has the focus or of what contains it, or else of `page`.

    page: the page that the main window shows.
    """
    for widget in (*_with_parents(focused), *_with_parents(page)):
        for name in (each.__name__ for each in type(widget).__mro__):
            if name in PLACES:
                return PLACES[name]
    return ManualPlace(INDEX)


def _with_parents(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = widget.parentWidget()
