"""Labels of documents in the views of a class: the student's name if it is known, else the file's."""

from collections.abc import Mapping

from simcompare.cohort.student_groups import student_labels
from simcompare.session.school_class import SchoolClass
from simcompare.ui.state.document_listing import NO_NAME, DocumentName
from simcompare.ui.state.workspace import Workspace


class StudentLabels:
    """Labels of documents by key, as `student_labels` gives them, otherwise the names of the files."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._school = SchoolClass()
        self._labels: Mapping[str, str] = {}

    def name_of(self, key: int) -> DocumentName:
        state = self._workspace.class_state
        if state.school is not self._school:
            self._school = state.school
            self._labels = student_labels((each.id, each.name, each.number) for each in state.school.students)
        student = state.student_of(key)
        # a draft has the name of its file, to distinguish it from the essay that counts
        label = self._labels[student.id] if student is not None and key == student.current else ""
        entry = self._workspace.documents.entries.get(key)
        label = label or (entry.stored_student if entry is not None else "")
        return DocumentName(label) if label else self._workspace.documents.names.get(key, NO_NAME)

    def text_of(self, key: int) -> str:
        return self.name_of(key).text

    def search_texts(self) -> dict[int, str]:
        """Return label and file name of each document, by which pairs are sorted and found."""
        names = self._workspace.documents.names
        labels = ((key, self.text_of(key), name.text) for key, name in names.items())
        return {key: label if label == name else f"{label} {name}" for key, label, name in labels}
