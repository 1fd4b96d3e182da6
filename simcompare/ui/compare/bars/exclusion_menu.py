"""Tool bar button for exclusions."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.model.settings import DEFAULT_MINIMUM_UNITS, LeftOutSentence
from simcompare.report.wording import sentences_left_out
from simcompare.support.i18n import _, ngettext
from simcompare.ui.compare.bars.method_menu import KeepOpenMenu, SettingsButton
from simcompare.ui.compare.left_out_sentences import count_again, count_all_again, leave_out
from simcompare.ui.desktop.file_dialogs import ask_for_documents
from simcompare.ui.labels import escape_menu_text
from simcompare.ui.state.changes import ComparisonPart, SettingsPart
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.tool_tips import as_tooltip

_MOST_LISTED = 10
_WIDTH_EM = 20


class LeftOutMenu(KeepOpenMenu):
    """Lists the sentences left out by hand, the latest first; one without its tick counts again."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def show_count(self) -> None:
        """Show in the title how many there are; without any the menu is hidden."""
        settings = self._workspace.settings
        self.setTitle(sentences_left_out(settings))
        self.menuAction().setVisible(bool(settings.left_out))

    def _fill(self) -> None:
        self.clear()
        sentences = self._workspace.settings.left_out[::-1]
        for sentence in sentences[:_MOST_LISTED]:
            self._add(sentence)
        if (more := len(sentences) - _MOST_LISTED) > 0:
            self.addAction(_("and {count} more").format(count=f"{more:,}")).setEnabled(False)
        self.addSeparator()
        self.addAction(_("Count all again"), lambda: count_all_again(self._workspace))

    def _add(self, sentence: LeftOutSentence) -> None:
        metrics = self.fontMetrics()
        width_px = _WIDTH_EM * metrics.height()
        text = metrics.elidedText(sentence.text, Qt.TextElideMode.ElideRight, width_px)
        action = QAction(escape_menu_text(text), self, checkable=True, checked=True)
        action.setToolTip(as_tooltip(sentence.text))
        action.triggered.connect(lambda ticked: self._switch(sentence, ticked=ticked))
        self.addAction(action)

    def _switch(self, sentence: LeftOutSentence, *, ticked: bool) -> None:
        (leave_out if ticked else count_again)(self._workspace, sentence)


_MINIMA = (3, 5, 8, 10)


class ExclusionButton(SettingsButton):
    """Shows the number of active exclusions; its menu switches each and shows how much it excludes."""

    common_requested = Signal()
    """Show the sentences common to the class."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self._minimum_units = DEFAULT_MINIMUM_UNITS
        self._fill_menu()
        workspace.settings_changed.connect(self._follow_settings)
        workspace.comparison_changed.connect(self._follow_comparison)
        workspace.prompt.changed.connect(self._show)
        workspace.class_state.changed.connect(self._follow_class)
        follow_language(self._show)

    def _fill_menu(self) -> None:
        menu = self.menu()
        reasons = (
            ExclusionReason.QUOTATION,
            ExclusionReason.REFERENCE,
            ExclusionReason.NAME_LINE,
            ExclusionReason.SHORT,
        )
        self.ticks = {reason: self._reason_tick(menu, reason) for reason in reasons}
        self._minima_menu = KeepOpenMenu(menu)
        menu.addMenu(self._minima_menu)
        self.minima = self._choices(self._minima_menu, _MINIMA, self._set_minimum)
        self.left_out = LeftOutMenu(self._workspace, menu)
        menu.addMenu(self.left_out)
        menu.addSeparator()
        self.ticks[ExclusionReason.COMMON] = self._reason_tick(menu, ExclusionReason.COMMON)
        self.open_common = menu.addAction("", self.common_requested.emit)
        menu.addSeparator()
        self.ticks[ExclusionReason.PROMPT] = self._reason_tick(menu, ExclusionReason.PROMPT)
        self.open_prompt = menu.addAction("", self.ask_for_prompt)

    def _reason_tick(self, menu: QMenu, reason: ExclusionReason) -> QAction:
        return self._tick(menu, lambda ticked: self._exclude(reason, ticked=ticked))

    # --- choices

    def _exclude(self, reason: ExclusionReason, *, ticked: bool) -> None:
        settings, prompt = self._workspace.settings, self._workspace.prompt
        changed = {
            ExclusionReason.QUOTATION: replace(settings, exclude_quotations=ticked),
            ExclusionReason.REFERENCE: replace(settings, exclude_references=ticked),
            ExclusionReason.NAME_LINE: replace(settings, exclude_name_lines=ticked),
            ExclusionReason.SHORT: replace(settings, minimum_units=self._minimum_units if ticked else 0),
            ExclusionReason.COMMON: replace(settings, exclude_common=ticked),
            ExclusionReason.PROMPT: replace(settings, prompt=str(prompt.path) if ticked else None),
        }
        self._workspace.set_settings(changed[reason])

    def _set_minimum(self, units: int) -> None:
        self._workspace.set_settings(replace(self._workspace.settings, minimum_units=units))
        self._show()

    def ask_for_prompt(self) -> None:
        """Ask for the file whose sentences are excluded."""
        title = _("Open the prompt or template")
        dialog = ask_for_documents(self.window(), title, QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self._workspace.prompt.read(Path(name)))

    # --- contents

    def _follow_settings(self, changed: SettingsPart) -> None:
        if SettingsPart.EXCLUSIONS in changed:
            self._show()

    def _follow_comparison(self, changed: ComparisonPart) -> None:
        if ComparisonPart.EXCLUSIONS in changed:
            self._show()

    def _follow_class(self, changed: ClassPart) -> None:
        if ClassPart.COMMON in changed or ClassPart.STUDENTS in changed:
            self._show()

    def _show(self) -> None:
        active = self._active()
        names = {
            ExclusionReason.QUOTATION: _("Quotations"),
            ExclusionReason.REFERENCE: _("Reference list"),
            ExclusionReason.NAME_LINE: _("Name, class and date lines"),
            ExclusionReason.SHORT: _("Short sentences"),
            ExclusionReason.COMMON: _("Common text: task, cover, declaration"),
            ExclusionReason.PROMPT: self._prompt_name(),
        }
        for reason, action in self.ticks.items():
            action.setChecked(active[reason])
            count = self._count(reason) if active[reason] else ""
            action.setText(f"{names[reason]}\t{count}" if count else names[reason])
        for action in (self.ticks[ExclusionReason.COMMON], self.open_common):
            action.setVisible(bool(self._workspace.class_state.common))
        self._show_common_count()
        self.ticks[ExclusionReason.PROMPT].setVisible(bool(self._prompt_name()))
        self.ticks[ExclusionReason.PROMPT].setEnabled(self._workspace.prompt.pending is None)
        self._show_minima()
        self.left_out.show_count()
        self.open_prompt.setText(_("Prompt or template…"))
        self._show_button(sum(active.values()) + bool(self._workspace.settings.left_out))

    def _show_common_count(self) -> None:
        """Show the number of sentences left out of the class; those of the pair are beside the tick."""
        state, is_excluded = self._workspace.class_state, self._workspace.settings.exclude_common
        count = sum(is_excluded and not state.is_counted(each.digest) for each in state.common)
        words = ngettext("{count} does not count", "{count} do not count", count)
        name = _("Common sentences…")
        self.open_common.setText(f"{name}\t{words}")

    def _show_minima(self) -> None:
        # remembered while short sentences count, for the next time they are excluded
        self._minimum_units = self._workspace.settings.minimum_units or self._minimum_units
        fewer = _("Fewer than {count} characters or words")
        self._minima_menu.setTitle(fewer.format(count=self._minimum_units))
        for units, action in self.minima.items():
            action.setText(fewer.format(count=units))
            action.setChecked(units == self._minimum_units)

    def _show_button(self, count: int) -> None:
        kinds = ngettext("Excluded: {count} kind", "Excluded: {count} kinds", count)
        self.setText(kinds if count else _("Excluded: nothing"))
        tip = _(
            "What the share leaves out: quotations, references, name lines, short sentences, the prompt, "
            "common text, and sentences left out by hand from their context menu. "
            "Dialogue in a story is counted."
        )
        self.setToolTip(tip)
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(tip)

    def _active(self) -> dict[ExclusionReason, bool]:
        settings = self._workspace.settings
        return {
            ExclusionReason.QUOTATION: settings.exclude_quotations,
            ExclusionReason.REFERENCE: settings.exclude_references,
            ExclusionReason.PROMPT: settings.prompt is not None,
            ExclusionReason.NAME_LINE: settings.exclude_name_lines,
            ExclusionReason.SHORT: settings.minimum_units > 0,
            ExclusionReason.COMMON: settings.exclude_common and bool(self._workspace.class_state.common),
        }

    def _prompt_name(self) -> str:
        """Name of the prompt as menu text; empty without a prompt."""
        prompt = self._workspace.prompt
        if prompt.pending is not None:
            return _("{name}, reading…").format(name=escape_menu_text(prompt.pending.name))
        name = escape_menu_text(prompt.path.name) if prompt.path else ""
        others = len(self._workspace.class_state.templates.keys() - {prompt.path})
        return _("{name} and {count} more").format(name=name, count=f"{others:,}") if others else name

    def _count(self, reason: ExclusionReason) -> str:
        """Count the sentences of the pair that are excluded for a reason; empty without a pair."""
        comparison = self._workspace.comparison
        if comparison is None:
            return ""
        sides = (comparison.left_excluded, comparison.right_excluded)
        return f"{sum(side.count(reason).sentences for side in sides):,}"
