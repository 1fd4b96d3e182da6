"""The texts that Qt itself shows: buttons of its dialogs, file dialogs, menus of text fields."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

_LOCALES = {"en": "en", "zh": "zh_CN"}
_CATALOGUE = "qtbase"


class QtTexts:
    """Qt's own catalogue for the language of the window; one is installed at a time."""

    def __init__(self) -> None:
        self._translator: QTranslator | None = None

    def use_language(self, language: str) -> None:
        """Let Qt speak a language of ours ("en", "zh"); English stands in Qt itself."""
        application = QCoreApplication.instance()
        assert application is not None, "a window has an application"
        if self._translator is not None:
            application.removeTranslator(self._translator)
        self._translator = translator = QTranslator()
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if translator.load(f"{_CATALOGUE}_{_LOCALES[language]}", folder):
            application.installTranslator(translator)
        QLocale.setDefault(QLocale(_LOCALES[language]))
