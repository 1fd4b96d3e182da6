"""Language of the window: our catalogue and Qt's, and a signal when they change."""

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from simcompare.support.i18n import LANGUAGES, _, set_language

_QT_CATALOGUE = "qtbase"


_ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


class _QtTexts(QTranslator):
    """Qt's catalogue, with arrows for the names of their keys, as other programs write them in menus."""

    def translate(self, context: str, source: str, disambiguation: str | None = None, count: int = -1) -> str:
        if context == "QShortcut" and source in _ARROWS:
            return _ARROWS[source]
        # an empty text would count as a translation
        return super().translate(context, source, disambiguation, count) or source


class Language(QObject):
    """Language of the whole application, including Qt's own texts (dialogs, menus of text fields)."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._qt_translator: QTranslator | None = None

    def use(self, language: str) -> None:
        set_language(language)
        self._use_qt_catalogue(LANGUAGES[language].locale)
        self.changed.emit()

    def _use_qt_catalogue(self, locale: str) -> None:
        """Install Qt's catalogue; English has none, as it is the language of Qt's source."""
        if self._qt_translator is not None:
            QCoreApplication.removeTranslator(self._qt_translator)
        self._qt_translator = translator = _QtTexts()
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        translator.load(f"{_QT_CATALOGUE}_{locale}", folder)
        QCoreApplication.installTranslator(translator)
        QLocale.setDefault(QLocale(locale))


LANGUAGE = Language()


def follow_language(show_texts: Callable[[], None]) -> None:
    """Call a method now and after each change of language.

    Pass a bound method of a QObject: Qt disconnects it when the object is deleted.
    """
    LANGUAGE.changed.connect(show_texts)
    show_texts()


Words = str | Callable[[], str]
"""A gettext id, or a function that returns a text in the current language."""
_Named = TypeVar("_Named", bound=QObject)


def translated(named: _Named, text: Words = "", tip: Words = "", **texts: Words) -> _Named:
    """Give a widget or an action texts that follow the language, by their properties in Qt."""
    given = {"text": text, "toolTip": tip, **texts}
    _Texts(named, {name: text for name, text in given.items() if text})
    return named


class _Texts(QObject):
    def __init__(self, named: QObject, texts: dict[str, Words]) -> None:
        super().__init__(named)
        self._texts = texts
        follow_language(self._show)

    def _show(self) -> None:
        for name, text in self._texts.items():
            words = _(text) if isinstance(text, str) else text()
            getattr(self.parent(), f"set{name[0].upper()}{name[1:]}")(words)


Key = QKeySequence.StandardKey | str


class NamedAction(QAction):
    """Action whose text follows the language; an entry of its parent if that is a menu. keys: shortcuts."""

    def __init__(
        self,
        text: Words,
        parent: QObject | None,
        run: Callable[[], object] | None = None,
        *keys: Key,
        **properties: Any,
    ) -> None:
        super().__init__(parent, **properties)
        self.setShortcuts([QKeySequence(key) for key in keys])
        if run is not None:
            self.triggered.connect(lambda _checked=False: run())
        if isinstance(parent, QMenu):
            parent.addAction(self)
        translated(self, text)
