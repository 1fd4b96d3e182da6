"""Samples of the program: two essays, and a small class with its question and a draft."""

from collections.abc import Callable

from simcompare.session.school_class import DocumentRole
from simcompare.support.i18n import N_, language_among
from simcompare.support.resources import resource_path
from simcompare.ui.actions import Command
from simcompare.ui.state.document_store import DocumentStore

_PAIRS = {
    "zh": ("家乡的石桥.docx", "心中的桥.html"),
    "en": ("The last bus.docx", "Waiting for the last bus.pdf"),
}
_CLASSES = {"zh": "示例班级", "en": "Sample class"}
"""Folders, which a saved session is named after."""
_QUESTIONS = {"zh": "作文题目.txt", "en": "Essay question.txt"}
"""Files of the classes that are not essays, but the template of all."""


class SampleEssays:
    """Opens the samples in the language of the window."""

    def __init__(
        self, documents: DocumentStore, begin_with: Callable[[Callable[[], object]], object]
    ) -> None:
        """begin_with: starts an empty session and calls a function that adds documents to it."""
        self._documents = documents
        self._begin_with = begin_with

    def commands(self) -> list[Command]:
        return [
            Command("sample_class", N_("Open a sample class"), None, self.open_class),
            Command("sample_pair", N_("Open two sample essays"), None, self.open_pair),
        ]

    def open_pair(self) -> None:
        pair = [resource_path("samples", name) for name in _PAIRS[language_among(_PAIRS)]]
        self._begin_with(lambda: self._documents.add(pair))

    def open_class(self) -> None:
        self._begin_with(self._add_class)

    def _add_class(self) -> None:
        language = language_among(_CLASSES)
        question = resource_path("samples", _CLASSES[language], _QUESTIONS[language])
        essays = sorted(path for path in question.parent.glob("*.txt") if path != question)
        self._documents.add(essays)
        self._documents.add([question], DocumentRole.TEMPLATE)
