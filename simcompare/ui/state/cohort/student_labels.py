"""Labels of documents in the views of a class: the student's name if it is known, else the file's."""

from collections import Counter
from collections.abc import Sequence

from simcompare.ui.state.cohort.class_students import WindowStudent
from simcompare.ui.state.document_listing import NO_NAME, DocumentName
from simcompare.ui.state.workspace import Workspace


class StudentLabels:
    """Labels of documents by key; of several students of one name, with the number or the file's."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._students: Sequence[WindowStudent] = ()
        self._counts: Counter[str] = Counter()

    def name_of(self, key: int) -> DocumentName:
        """Return the label of a document, and how it is shortened."""
        state = self._workspace.class_state
        if state.students is not self._students:
            self._students = state.students
            self._counts = Counter(student.name for student in state.students)
        student = state.student_of(key)
        # a draft has the name of its file, to distinguish it from the essay that counts
        if student is None or not student.name or key != student.keys[0]:
            return self._workspace.documents.names.get(key, NO_NAME)
        if self._counts[student.name] == 1:
            return DocumentName(student.name)
        numbered = DocumentName(f"{student.name} {student.number}")
        return numbered if student.number else self._workspace.documents.names.get(key, NO_NAME)

    def text_of(self, key: int) -> str:
        """Return the label of a document."""
        return self.name_of(key).text

    def search_texts(self) -> dict[int, str]:
        """Return label and file name of each document, by which pairs are sorted and found."""
        names = self._workspace.documents.names
        labels = ((key, self.text_of(key), name.text) for key, name in names.items())
        return {key: label if label == name else f"{label} {name}" for key, label, name in labels}
