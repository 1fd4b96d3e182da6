"""The class in the window: students, roles, class lists, and what is unusual."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.session.school_class import DocumentRole
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.cohort.pair_rows_data import larger_share
from simcompare.ui.state.workspace import Workspace
from tests.gui.class_samples import (
    ABSENT,
    DECLARATION,
    ESSAYS,
    NAMES,
    QUESTION,
    class_text,
    key_of,
    open_workspace,
    pairs_of,
    settle_class,
    write_class,
    write_draft,
    write_roster,
)
from tests.gui.pair_table import TIMEOUT_MS

CURRENT, DRAFT, OLD, TEMPLATE = (
    DocumentRole.CURRENT,
    DocumentRole.DRAFT,
    DocumentRole.OLD,
    DocumentRole.TEMPLATE,
)


@pytest.fixture
def workspace(qtbot: QtBot) -> Iterator[Workspace]:
    with open_workspace() as workspace:
        yield workspace


@pytest.fixture
def with_draft(workspace: Workspace, tmp_path: Path, qtbot: QtBot) -> Workspace:
    """Six essays with the keys 1 to 6, and a draft of the first student with key 7."""
    workspace.documents.add(write_class(tmp_path))
    workspace.documents.add([write_draft(tmp_path)])
    settle_class(workspace, qtbot)
    return workspace


def all_pairs(*keys: int) -> set[tuple[int, int]]:
    return set(combinations(sorted(keys), 2))


def test_that_a_draft_belongs_to_its_student_and_has_no_pairs(with_draft: Workspace) -> None:
    state = with_draft.class_state
    assert [student.name for student in state.school.students] == list(NAMES[:6])
    assert list(state.school.students[0].files) == [1, 7]
    assert state.student_of(7) is state.school.students[0]
    assert state.role_of(7) is DRAFT
    assert pairs_of(with_draft) == all_pairs(1, 2, 3, 4, 5, 6)


def test_that_another_first_file_of_a_student_is_told(with_draft: Workspace, qtbot: QtBot) -> None:
    state = with_draft.class_state
    state.set_role([1, 7], CURRENT)
    settle_class(with_draft, qtbot)
    first, *others = state.grouping.groups.students
    turned = replace(first, files=dict(reversed(first.files.items())))
    with qtbot.waitSignal(state.changed, check_params_cb=lambda part: ClassPart.STUDENTS in part):
        state.grouping.restore(replace(state.grouping.groups, students=(turned, *others)))
        state.follow()
    assert state.school.students[0].current == 7


def test_that_a_final_text_read_later_makes_the_first_one_a_draft(
    workspace: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    essays = write_class(tmp_path)
    workspace.documents.add([write_draft(tmp_path), *essays[1:]])
    settle_class(workspace, qtbot)
    assert len(pairs_of(workspace)) == 15
    draft = key_of(workspace, tmp_path / f"2025001-{NAMES[0]}-初稿.txt")
    workspace.documents.add(essays[:1])
    settle_class(workspace, qtbot)
    assert workspace.class_state.role_of(draft) is DRAFT
    assert pairs_of(workspace) == all_pairs(*(set(range(1, 8)) - {draft}))


def test_that_earlier_work_is_compared_with_the_class_and_not_with_itself(
    with_draft: Workspace, qtbot: QtBot
) -> None:
    with_draft.class_state.set_role([5, 6], OLD)
    settle_class(with_draft, qtbot)
    state = with_draft.class_state
    assert state.student_of(5) is None
    assert len(state.school.students) == 4
    assert pairs_of(with_draft) == all_pairs(1, 2, 3, 4, 5, 6) - {(5, 6)}
    assert len(state.shares.shares) == 6
    with_draft.history.undo()
    settle_class(with_draft, qtbot)
    assert len(state.school.students) == 6
    assert pairs_of(with_draft) == all_pairs(1, 2, 3, 4, 5, 6)


def test_that_a_chosen_draft_counts_in_place_of_the_detected_text(
    with_draft: Workspace, qtbot: QtBot
) -> None:
    state = with_draft.class_state
    state.set_role([7], CURRENT)
    settle_class(with_draft, qtbot)
    assert list(state.school.students[0].files) == [7, 1]
    assert state.role_of(1) is DRAFT
    assert pairs_of(with_draft) == all_pairs(2, 3, 4, 5, 6, 7)
    state.set_role([7], None)
    settle_class(with_draft, qtbot)
    assert state.role_of(7) is DRAFT
    assert pairs_of(with_draft) == all_pairs(1, 2, 3, 4, 5, 6)


def test_that_a_role_is_chosen_and_taken_back_in_one_step_each(with_draft: Workspace, qtbot: QtBot) -> None:
    state = with_draft.class_state
    state.set_role([2, 3], TEMPLATE)
    assert with_draft.history.count() == 1
    assert pairs_of_roles(with_draft, TEMPLATE) == [2, 3]
    with_draft.history.undo()
    assert pairs_of_roles(with_draft, TEMPLATE) == []
    with_draft.history.redo()
    assert pairs_of_roles(with_draft, TEMPLATE) == [2, 3]
    settle_class(with_draft, qtbot)
    assert pairs_of(with_draft) == all_pairs(1, 4, 5, 6)


def pairs_of_roles(workspace: Workspace, role: DocumentRole) -> list[int]:
    return [key for key in workspace.documents.entries if workspace.class_state.role_of(key) is role]


def test_that_returning_pairs_are_not_scored_again(with_draft: Workspace, qtbot: QtBot) -> None:
    scores = dict(with_draft.pairs._scores)
    with_draft.class_state.set_role([2], TEMPLATE)
    settle_class(with_draft, qtbot)
    with_draft.history.undo()
    with_draft.documents.remove([3])
    settle_class(with_draft, qtbot)
    with_draft.history.undo()
    settle_class(with_draft, qtbot)
    assert pairs_of(with_draft) == all_pairs(1, 2, 3, 4, 5, 6)
    assert all(with_draft.pairs._scores[pair] is held for pair, held in scores.items())


def test_that_a_class_list_names_the_students_who_have_not_handed_in(
    with_draft: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    state = with_draft.class_state
    state.use_roster(write_roster(tmp_path))
    qtbot.waitUntil(lambda: bool(state.school.missing))
    assert [student.names[0] for student in state.school.missing] == [ABSENT]
    assert all(student.is_listed for student in state.school.students)
    state.remove_roster(state.rosters[0].path)
    settle_class(with_draft, qtbot)
    assert not state.school.missing
    with_draft.history.undo()
    qtbot.waitUntil(lambda: bool(state.school.missing))


def test_that_a_class_list_among_the_files_is_no_essay(
    workspace: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    essays, roster = write_class(tmp_path), write_roster(tmp_path)
    workspace.documents.add([tmp_path])
    state = workspace.class_state
    qtbot.waitUntil(lambda: bool(state.school.missing), timeout=TIMEOUT_MS)
    settle_class(workspace, qtbot)
    assert [entry.path for entry in workspace.documents.entries.values()] == essays
    assert [held.path for held in state.rosters] == [roster]
    state.read_as_essay(roster)
    settle_class(workspace, qtbot)
    assert not state.rosters
    assert len(workspace.documents.prepared_documents) == 7


def test_that_a_file_that_is_no_class_list_is_refused_in_words(
    with_draft: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "leer.csv").write_text("", "utf-8")
    with qtbot.waitSignal(with_draft.noticed) as noticed:
        with_draft.class_state.use_roster(tmp_path / "leer.csv")
    assert "leer.csv" in noticed.args[0]


def test_that_a_copied_pair_is_unusual_in_its_class(
    workspace: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    essays = write_class(tmp_path, 10)
    essays[1].write_text(class_text(ESSAYS[0][:200] + ESSAYS[1][200:]), "utf-8")
    workspace.documents.add(essays)
    settle_class(workspace, qtbot)
    assert not [workspace.documents.entries[key].error for key in workspace.documents.problems]
    assert pairs_of(workspace) == all_pairs(*range(1, 11))
    state = workspace.class_state
    assert len(state.shares.shares) == 45
    row = workspace.pairs.table.rows[workspace.pairs.table.place_of((1, 2)) or 0]
    share = float(row["after_exclusions_left_in_right"])
    assert state.rarity(share).is_unusual
    state.set_limit(0.9)
    assert state.limit == 0.9
    assert not state.rarity(share).is_unusual
    state.set_limit(None)
    assert state.limit == state.proposed_limit


# --- common text and templates


@pytest.fixture
def class_of_six(workspace: Workspace, tmp_path: Path, qtbot: QtBot) -> Workspace:
    workspace.documents.add(write_class(tmp_path))
    settle_class(workspace, qtbot)
    wait_for_pair(workspace, qtbot)
    return workspace


def wait_for_pair(workspace: Workspace, qtbot: QtBot) -> None:
    """Wait until the exclusions of the comparison shown are those of the class."""
    qtbot.waitUntil(
        lambda: (
            workspace.comparison is not None
            and (workspace.comparison.exclusion_candidates[0].common is not None)
            == bool(workspace.class_state.common)
        ),
        timeout=TIMEOUT_MS,
    )


def excluded_as(workspace: Workspace, reason: ExclusionReason) -> list[str]:
    """Sentences of the left text of the comparison shown that are excluded for a reason."""
    comparison = workspace.comparison
    assert comparison is not None
    text, prepared = comparison.left.document.text, comparison.left.prepared
    found = comparison.left_excluded.sentences()
    return [prepared.sentence_span(n).of(text).strip() for n, held in found if held is reason]


def largest_share(workspace: Workspace) -> float:
    return float(np.nanmax(larger_share(workspace.pairs.table.rows)))


def test_that_the_question_is_excluded_in_the_table_and_in_compare(
    class_of_six: Workspace,
) -> None:
    common = class_of_six.class_state.common
    assert [sentence.text for sentence in common] == [QUESTION, DECLARATION]
    assert all(sentence.documents == (1, 2, 3, 4, 5, 6) for sentence in common)
    assert largest_share(class_of_six) == 0
    assert excluded_as(class_of_six, ExclusionReason.COMMON) == [QUESTION, DECLARATION]


def test_that_counting_a_common_sentence_changes_all_figures(class_of_six: Workspace, qtbot: QtBot) -> None:
    state = class_of_six.class_state
    state.count_common([state.common[0].digest], counted=True)
    settle_class(class_of_six, qtbot)
    assert state.is_counted(state.common[0].digest)
    assert not state.is_counted(state.common[1].digest)
    assert largest_share(class_of_six) > 0
    assert excluded_as(class_of_six, ExclusionReason.COMMON) == [DECLARATION]
    state.count_common([state.common[0].digest], counted=False)
    settle_class(class_of_six, qtbot)
    assert largest_share(class_of_six) == 0
    class_of_six.history.undo()
    settle_class(class_of_six, qtbot)
    assert largest_share(class_of_six) > 0


def test_that_identical_essays_stay_at_a_full_share(
    workspace: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    essays = write_class(tmp_path)
    essays[1].write_bytes(essays[0].read_bytes())
    workspace.documents.add(essays)
    settle_class(workspace, qtbot)
    assert len(workspace.class_state.common) == 2
    row = workspace.pairs.table.rows[workspace.pairs.table.place_of((1, 2)) or 0]
    assert row["after_exclusions_left_in_right"] == 1


def test_that_only_the_equal_lines_of_a_form_are_common_to_a_lone_pair(
    workspace: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    workspace.documents.add(write_class(tmp_path, 2))
    settle_class(workspace, qtbot)
    wait_for_pair(workspace, qtbot)
    qtbot.waitUntil(lambda: bool(workspace.class_state.common))
    assert [sentence.text for sentence in workspace.class_state.common] == [QUESTION, DECLARATION]
    qtbot.waitUntil(lambda: bool(excluded_as(workspace, ExclusionReason.COMMON)))


def test_that_several_templates_are_excluded_like_a_prompt(
    workspace: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    essays = write_class(tmp_path, 3)
    for name, text in (("题目.txt", QUESTION), ("承诺书.txt", DECLARATION)):
        (tmp_path / name).write_text(text, "utf-8")
    workspace.documents.add([*essays, tmp_path / "题目.txt", tmp_path / "承诺书.txt"])
    settle_class(workspace, qtbot)
    keys = [key_of(workspace, tmp_path / name) for name in ("题目.txt", "承诺书.txt")]
    workspace.class_state.set_role(keys, TEMPLATE)
    qtbot.waitUntil(
        lambda: excluded_as(workspace, ExclusionReason.PROMPT) == [QUESTION, DECLARATION], timeout=TIMEOUT_MS
    )
    settle_class(workspace, qtbot)
    assert len(pairs_of(workspace)) == 3
    assert largest_share(workspace) == 0
    workspace.history.undo()
    qtbot.waitUntil(lambda: excluded_as(workspace, ExclusionReason.PROMPT) == [], timeout=TIMEOUT_MS)
    settle_class(workspace, qtbot)
    assert workspace.settings.prompt is None
    assert len(pairs_of(workspace)) == 10
