"""Commands that export the library to one file and import such a file, and what they say at the end."""

from pathlib import Path

from PySide6.QtCore import QDate, QObject
from PySide6.QtWidgets import QMenu, QWidget

from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.desktop.file_dialogs import ask_for_exported_library, ask_where_to_export_library
from simcompare.ui.library.library_words import import_in_words
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.library.library_state import LibraryState
from simcompare.ui.state.library.transfers import ExportReceipt, ImportReceipt


class TransferCommands(QObject):
    """Export and import of one library; `menu` has both."""

    def __init__(self, library: LibraryState, notice: NoticeBar, window: QWidget) -> None:
        super().__init__(window)
        self._library, self._notice, self._window = library, notice, window
        self.menu = QMenu(window)
        self.export_action = self.menu.addAction("", self.ask_where_to_export)
        self.import_action = self.menu.addAction("", self.ask_what_to_import)
        self._texts = {self.export_action: N_("Export to a file…"), self.import_action: N_("Import a file…")}
        for signal in (library.changed, library.work_changed):
            signal.connect(self._enable)
        library.exported.connect(self._tell_exported)
        library.imported.connect(self._tell_imported)
        self._enable()
        follow_language(self._retranslate)

    def _enable(self) -> None:
        is_free = self._library.work is None
        self.export_action.setEnabled(is_free and bool(self._library.groups))
        self.import_action.setEnabled(is_free)

    def ask_where_to_export(self) -> None:
        """Ask for the file to write, and export all essays to it."""
        today = QDate.currentDate().toString("yyyy-MM-dd")
        dialog = ask_where_to_export_library(self._window, f"{_('Library')} {today}.zip")
        dialog.fileSelected.connect(lambda name: self._library.export_to(Path(name)))

    def ask_what_to_import(self) -> None:
        """Ask for an exported library, and import what is not known."""
        dialog = ask_for_exported_library(self._window)
        dialog.fileSelected.connect(lambda name: self._library.import_from(Path(name)))

    def _tell_exported(self, receipt: ExportReceipt) -> None:
        name = display_name(receipt.path.name)
        if receipt.entries is None:
            self._notice.show_notice(_("You stopped the export; {name} was not written.").format(name=name))
            return
        words = ngettext(
            "Library: {count} essay exported to {name}.",
            "Library: {count} essays exported to {name}.",
            receipt.entries,
            name=name,
        )
        self._notice.show_notice(words, passes=True)

    def _tell_imported(self, receipt: ImportReceipt) -> None:
        if receipt.summary is None:
            words = _("You stopped the import; import {name} again to continue.")
            self._notice.show_notice(words.format(name=display_name(receipt.path.name)))
        else:
            self._notice.show_notice(import_in_words(receipt.summary), passes=True)

    def _retranslate(self) -> None:
        for action, text in self._texts.items():
            action.setText(_(text))
