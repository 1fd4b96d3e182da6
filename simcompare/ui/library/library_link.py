"""Words of the link to the library on the start page: how many essays it has, or why there are none."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from simcompare.library.store.library_place import LibraryServer
from simcompare.support.i18n import _
from simcompare.ui.library.library_words import error_in_words, essays_in_words
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.library.library_state import LibraryState
from simcompare.ui.style.text_labels import as_tooltip

_LOOKING_DELAY_MS = 1500
"""After the page is shown: loading the database toolkit would slow down the start."""


class LibraryLink(QObject):
    """Describes a library in a link.

    A file is looked into a moment after the link is shown; a server only when its page is opened.
    """

    def __init__(
        self, link: QWidget, show_texts: Callable[[str, str, str], None], library: LibraryState
    ) -> None:
        """show_texts: shows a title, a description and a tool tip."""
        super().__init__(link)
        self._link, self._show_texts, self._library = link, show_texts, library
        self._looking = QTimer(self, singleShot=True, interval=_LOOKING_DELAY_MS)
        self._looking.timeout.connect(self._look)
        link.installEventFilter(self)
        library.changed.connect(self._describe)
        library.replaced.connect(self._describe)
        follow_language(self._describe)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self._link and event.type() == QEvent.Type.Show:
            self._looking.start()
        elif watched is self._link and event.type() == QEvent.Type.Hide:
            self._looking.stop()
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        if not isinstance(self._library.place, LibraryServer):
            self._library.refresh()

    def _describe(self) -> None:
        library, tip = self._library, str(self._library.place)
        if library.error is not None:
            words, tip = _("It cannot be opened"), error_in_words(library.error)
        elif library.figures is not None and library.figures.entries:
            words = essays_in_words(library.figures.entries)
        elif library.is_known:
            words = _("Empty so far: essays are kept here for later years")
        else:
            words = _("Essays of past years")
        self._show_texts(_("Open the library"), words, as_tooltip(tip))
