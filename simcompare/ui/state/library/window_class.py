"""The class in the window as the library sees it: essays that count, their students and names of files."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from simcompare.cohort.class_check import DocumentRole
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.ui.state.library.additions import ClassEssay, ClassToAdd
from simcompare.ui.state.workspace import Workspace


def class_essays(workspace: Workspace) -> dict[int, PreparedDocument]:
    """Return the prepared essays that count, by key: without drafts, templates and earlier work.

    A possible template is not an essay until the teacher says so: the question of a class is not to be
    stored and found as an essay of past years.
    """
    state = workspace.class_state
    proposed = set(state.proposed_templates)
    return {
        key: entry.prepared_document
        for key, entry in workspace.documents.entries.items()
        if entry.prepared_document is not None
        and state.role_of(key) is DocumentRole.CURRENT
        and key not in proposed
    }


def class_to_add(workspace: Workspace) -> ClassToAdd:
    """Return the essays that count, with the names of their students."""
    state = workspace.class_state
    students = {key: state.student_of(key) for key in workspace.documents.entries}
    names = {key: "" if student is None else student.name for key, student in students.items()}
    essays = [ClassEssay(prepared, names[key]) for key, prepared in class_essays(workspace).items()]
    listed = [student for roster in state.rosters for student in roster.students]
    return ClassToAdd(essays, listed, workspace.pseudonyms)


def names_of_files(workspace: Workspace) -> Mapping[str, Collection[str]]:
    """Return the names under which the files of the class may be stored, by SHA-256 of the file."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    pseudonyms = workspace.pseudonyms
    for prepared in class_essays(workspace).values():
        path, sha256 = prepared.document.path, prepared.document.sha256
        names[sha256].add(path.name)
        if pseudonyms is not None and pseudonyms.owner_of(path) is not None:
            names[sha256].add(pseudonyms.path_of(path).name)
    return names
