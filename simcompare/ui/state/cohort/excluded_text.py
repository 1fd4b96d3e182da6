"""Text from elsewhere, excluded in all pairs: the prompt, templates, and what is common to the class."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from simcompare.comparison.compare_documents import PairCommonText
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.ui.state.changes import SettingsPart
from simcompare.ui.state.cohort.class_state import ClassPart, ClassState
from simcompare.ui.state.cohort.pair_comparisons import PairComparisons
from simcompare.ui.state.comparison_run import RunOutcome
from simcompare.ui.state.prompt_file import PromptFile

if TYPE_CHECKING:
    from simcompare.ui.state.workspace import Workspace


class ExcludedText(QObject):
    """Finds the sentences of the text from elsewhere in the table of pairs and in the comparison shown.

    The candidates of the comparison follow with the signal `scored` of the prompt.
    """

    def __init__(
        self,
        prompt: PromptFile,
        class_state: ClassState,
        pairs: PairComparisons,
        workspace: "Workspace",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self._class_state = class_state
        self._pairs = pairs
        self._workspace = workspace
        prompt.ready.connect(self._exclude_prompt)
        prompt.restored.connect(self._follow_texts)
        prompt.failed.connect(class_state.follow)
        class_state.changed.connect(self._follow_class)
        class_state.templates_chosen.connect(self._exclude_templates)

    def common_of(self, left: PreparedDocument, right: PreparedDocument) -> PairCommonText:
        """Return which sentences of two texts are common to the class."""
        return self._class_state.common_text.of_pair(left, right)

    def follow_documents(self) -> None:
        """Follow the texts and roles of the documents."""
        self._class_state.follow()
        self._prompt.use_templates(self._class_state.templates)

    def follow_settings(self, changed: SettingsPart) -> None:
        """Classify the table of pairs by the current settings."""
        self._pairs.use(
            self._workspace.settings, self._prompt.prepared, self._class_state.common_text.by_text
        )
        if SettingsPart.EXCLUSIONS in changed:
            self._class_state.follow()

    def follow_run(self, outcome: RunOutcome) -> None:
        """Find the candidates of a comparison again if it used another prompt or common text."""
        common = self.common_of(outcome.comparison.left, outcome.comparison.right)
        is_other = any(now is not used for now, used in zip(common, outcome.common, strict=True))
        if is_other or outcome.prompt is not self._prompt.prepared:
            self._score()

    def _score(self) -> None:
        """Find the exclusion candidates of the comparison shown, in the background."""
        if (comparison := self._workspace.comparison) is not None:
            common = self.common_of(comparison.left, comparison.right)
            self._prompt.score(comparison, self._workspace.thesaurus, common)

    def _follow_class(self, changed: ClassPart) -> None:
        self._prompt.use_templates(self._class_state.templates)
        if ClassPart.COMMON in changed:
            self._follow_texts()

    def _exclude_templates(self) -> None:
        self._prompt.use_templates(self._class_state.templates)
        self._workspace.change_prompt(str(self._prompt.path))

    def _exclude_prompt(self) -> None:
        settings = self._workspace.settings
        if settings.prompt is None:
            self._workspace.set_settings(replace(settings, prompt=str(self._prompt.path)))
        self._follow_texts()

    def _follow_texts(self) -> None:
        """Exclude what is loaded now; the settings name the prompt or the first template."""
        if self._prompt.is_ready:
            self._workspace.change_prompt(self._workspace.settings.prompt)
        self.follow_settings(SettingsPart(0))
        self._class_state.follow()
        self._score()
