"""Page of the manual for each part of the window, and for each dialog."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from simcompare.ui.manual.manual_pages import INDEX


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the manual, and the anchor of a heading on it; empty for its beginning."""

    page: str
    anchor: str = ""


PLACES = {
    # pages of the window
    "StartPage": Place("first-class"),
    "ClassPage": Place("first-class", "class"),
    "CompareView": Place("reading-a-pair"),
    "LibraryPage": Place("library"),
    # parts of the window
    "CommonTextBar": Place("what-does-not-count", "common"),
    "DocumentList": Place("first-class", "documents"),
    "FindBar": Place("reading-a-pair", "more"),
    "HitsView": Place("library", "searching"),
    "PassageList": Place("reading-a-pair", "kinds"),
    "RecoveryBar": Place("troubleshooting", "crash"),
    "ShareHistogram": Place("percentages", "limit"),
    # dialogs
    "AboutDialog": Place(INDEX),
    "AdditionDialog": Place("library", "adding"),
    "ClassListDialog": Place("what-does-not-count", "class-list"),
    "ClosingDialog": Place("reports", "steps"),
    "CommonSentencesDialog": Place("what-does-not-count", "common"),
    "ExportDialog": Place("reports"),
    "LinesDialog": Place("library", "deleting"),
    "NamesDialog": Place("reports", "names"),
    "PasswordDialog": Place("troubleshooting", "password"),
    "PictureTableDialog": Place(INDEX),
    "PasteDialog": Place("first-class", "adding"),
    "ProblemDialog": Place("troubleshooting", "stuck"),
    "ReceiptDialog": Place("troubleshooting", "checking"),
    "ReplaceDialog": Place("reports", "steps"),
    "RetentionDialog": Place("library", "keeping"),
    "ServerDialog": Place("library", "server"),
    "ShortcutsDialog": Place(INDEX),
    "UnsavedDialog": Place("first-class", "saving"),
}
"""Places by the name of the widget's class."""


def place_of(focused: QWidget | None, page: QWidget | None) -> Place:
    """Return the place of the widget that has the focus or of what contains it, or else of `page`.

    page: the page that the main window shows.
    """
    for widget in (*_with_parents(focused), *_with_parents(page)):
        for name in (each.__name__ for each in type(widget).__mro__):
            if name in PLACES:
                return PLACES[name]
    return Place(INDEX)


def _with_parents(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = widget.parentWidget()
