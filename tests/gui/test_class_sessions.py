"""Sessions of a class: roles, class lists, limit, and scores that are used again."""

import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from simcompare.cohort.pair_pool import Batch, PairPool
from simcompare.cohort.scored_class import RestoredScores, saved_scores
from simcompare.comparison.figures import SUMMARY_FIELDS
from simcompare.session.school_class import DocumentRole
from simcompare.session.session_data import SavedLayout, SavedScores
from simcompare.session.session_file import read_session, write_session
from simcompare.ui.session.session_keeper import SessionKeeper
from simcompare.ui.state.workspace import Workspace
from tests.gui.class_samples import (
    ABSENT,
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
from tests.session.session_files import rewritten

Opened = tuple[Workspace, SessionKeeper]


@pytest.fixture
def opened(qtbot: QtBot) -> Iterator[Callable[[], Opened]]:
    """Opens workspaces, each with a keeper of its session."""
    with ExitStack() as stack:

        def open_another() -> Opened:
            workspace = stack.enter_context(open_workspace())
            keeper = SessionKeeper(workspace, SavedLayout)
            stack.callback(keeper.close)
            return workspace, keeper

        yield open_another


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> list[Batch]:
    """The batches that are scored."""
    batches: list[Batch] = []
    submit = PairPool.submit
    monkeypatch.setattr(PairPool, "submit", lambda pool, batch: (batches.append(batch), submit(pool, batch)))
    return batches


@pytest.fixture
def saved(opened: Callable[[], Opened], tmp_path: Path, qtbot: QtBot) -> tuple[Workspace, Path]:
    """A class with a draft, a template, earlier work and a class list, and the session it was saved to."""
    workspace, keeper = opened()
    essays = write_class(tmp_path, 7)
    essays[1].write_text(class_text(ESSAYS[0][:200] + ESSAYS[1][200:]), "utf-8")
    (tmp_path / "题目.txt").write_text(QUESTION, "utf-8")
    workspace.documents.add(
        [*essays, write_draft(tmp_path), tmp_path / "题目.txt", write_roster(tmp_path, 7)]
    )
    qtbot.waitUntil(lambda: bool(workspace.class_state.school.missing), timeout=TIMEOUT_MS)
    workspace.class_state.set_role([key_of(workspace, tmp_path / "题目.txt")], DocumentRole.TEMPLATE)
    workspace.class_state.set_role([7], DocumentRole.OLD)
    workspace.class_state.set_limit(0.2)
    qtbot.waitUntil(lambda: workspace.prompt.prepared is not None, timeout=TIMEOUT_MS)
    settle_class(workspace, qtbot)
    path = tmp_path / "class.simcompare"
    with qtbot.waitSignal(keeper.saved, timeout=TIMEOUT_MS):
        keeper.save(path)
    return workspace, path


def reopen(opened: Callable[[], Opened], path: Path, qtbot: QtBot) -> Workspace:
    workspace, keeper = opened()
    with qtbot.waitSignal(keeper.opened, timeout=TIMEOUT_MS):
        keeper.open(path)
    return workspace


def figures(workspace: Workspace) -> dict[tuple[str, str], list[float]]:
    """Figures of each pair by the names of its documents."""
    names = {key: entry.path.name for key, entry in workspace.documents.entries.items()}
    return {
        (names[int(row["left"])], names[int(row["right"])]): [float(row[name]) for name in SUMMARY_FIELDS]
        for row in workspace.pairs.table.rows
    }


def assert_same_figures(first: Workspace, second: Workspace) -> None:
    before, after = figures(first), figures(second)
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[pair], after[pair], equal_nan=True) for pair in before)


def known_pairs(scores: SavedScores) -> set[tuple[int, ...]]:
    """Numbers of the documents of the pairs whose figures are saved."""
    return set(map(tuple, scores.pairs[scores.figures["is_known"].astype(bool)].tolist()))


def test_that_a_reopened_session_has_its_roles_lists_and_limit(
    saved: tuple[Workspace, Path], opened: Callable[[], Opened], qtbot: QtBot
) -> None:
    state = reopen(opened, saved[1], qtbot).class_state
    before = saved[0].class_state
    names = [[student.name for student in each.school.students] for each in (state, before)]
    assert names[0] == names[1]
    assert state.school.missing == before.school.missing
    assert [student.names[0] for student in state.school.missing] == [NAMES[6], ABSENT]
    assert [state.role_of(key) for key in range(1, 10)] == [before.role_of(key) for key in range(1, 10)]
    assert [roster.path for roster in state.rosters] == [roster.path for roster in before.rosters]
    assert state.limit == 0.2
    assert [sentence.text for sentence in state.common] == [sentence.text for sentence in before.common]


def test_that_a_reopened_session_knows_what_the_other_files_of_a_student_are(
    tmp_path: Path, opened: Callable[[], Opened], qtbot: QtBot
) -> None:
    workspace, keeper = opened()
    paths = write_class(tmp_path)
    equal, appendix = (paths[0].with_stem(f"{paths[0].stem}{end}") for end in (" (1)", "-附件"))
    equal.write_text(paths[0].read_text("utf-8"), "utf-8")
    appendix.write_text(class_text(ESSAYS[1][:200]), "utf-8")
    workspace.documents.add([*paths, equal, appendix, write_draft(tmp_path)])
    settle_class(workspace, qtbot)
    before = [student.files for student in workspace.class_state.grouping.groups.students]
    assert sorted(before[0].values()) == ["appendix", "current", "draft", "duplicate"]
    path = tmp_path / "class.simcompare"
    with qtbot.waitSignal(keeper.saved, timeout=TIMEOUT_MS):
        keeper.save(path)
    again = reopen(opened, path, qtbot).class_state
    assert [student.files for student in again.grouping.groups.students] == before


def test_that_students_of_a_session_are_found_again(
    opened: Callable[[], Opened], saved: tuple[Workspace, Path], qtbot: QtBot
) -> None:
    before, path = saved
    session = read_session(path)
    wrong = tuple(replace(student, name="萧伟") for student in session.school_class.students)
    write_session(replace(session, school_class=replace(session.school_class, students=wrong)), path)
    after = reopen(opened, path, qtbot)
    names = [student.name for student in before.class_state.school.students]
    qtbot.waitUntil(
        lambda: [student.name for student in after.class_state.school.students] == names, timeout=TIMEOUT_MS
    )


def test_that_a_reopened_session_scores_and_classifies_nothing_again(
    saved: tuple[Workspace, Path],
    opened: Callable[[], Opened],
    submitted: list[Batch],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    classified: list[object] = []
    monkeypatch.setattr(
        "simcompare.cohort.pair_scores.PairClassifier.classify",
        lambda _classifier, *pair: classified.append(pair),
    )
    workspace = reopen(opened, saved[1], qtbot)
    settle_class(workspace, qtbot)
    assert len(pairs_of(workspace)) == 21
    assert_same_figures(saved[0], workspace)
    assert not submitted
    assert not classified


def test_that_a_reopened_session_is_listed_before_its_texts_are_prepared(
    opened: Callable[[], Opened], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    workspace, keeper = opened()
    workspace.documents.add([*write_class(tmp_path, 7), write_draft(tmp_path)])
    settle_class(workspace, qtbot)
    path = tmp_path / "class.simcompare"
    with qtbot.waitSignal(keeper.saved, timeout=TIMEOUT_MS):
        keeper.save(path)
    second, keeper = opened()
    monkeypatch.setattr(second._reading, "prepare", lambda *_document: None)
    keeper.open(path)
    qtbot.waitUntil(lambda: len(second.pairs.table) == 21, timeout=TIMEOUT_MS)
    assert len(pairs_of(second)) == 21
    assert not second.documents.prepared_documents
    assert [len(student.files) for student in second.class_state.school.students] == [2, 1, 1, 1, 1, 1, 1]
    assert_same_figures(workspace, second)
    second.documents.remove([key_of(second, tmp_path / "2025003-张敏.txt")])
    assert len(pairs_of(second)) == 15


@pytest.mark.parametrize("prepared", [0, 4])
def test_that_a_session_saved_before_its_texts_are_prepared_keeps_its_scores(
    prepared: int,
    saved: tuple[Workspace, Path],
    opened: Callable[[], Opened],
    submitted: list[Batch],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    workspace, keeper = opened()
    prepare = workspace._reading.prepare
    monkeypatch.setattr(
        workspace._reading,
        "prepare",
        lambda key, *given: prepare(key, *given) if key <= prepared else None,
    )
    with qtbot.waitSignal(keeper.opened, timeout=TIMEOUT_MS):
        keeper.open(saved[1])
    qtbot.waitUntil(lambda: len(workspace.documents.prepared_documents) == prepared, timeout=TIMEOUT_MS)
    again = tmp_path / "again.simcompare"
    with qtbot.waitSignal(keeper.saved, timeout=TIMEOUT_MS):
        keeper.save(again)
    before, after = read_session(saved[1]).scores, read_session(again).scores
    assert before is not None
    assert after is not None
    assert set(map(tuple, after.pairs.tolist())) == set(map(tuple, before.pairs.tolist()))
    assert (after.texts, after.common, after.figures_stamp) == (
        before.texts,
        before.common,
        before.figures_stamp,
    )
    assert np.array_equal(after.common_numbers, before.common_numbers)
    # pairs of the template may have been scored before it was one: they have scores and no figures
    assert len(known_pairs(after)) == 21
    assert known_pairs(after) == known_pairs(before)
    reopened = reopen(opened, again, qtbot)
    settle_class(reopened, qtbot)
    assert_same_figures(saved[0], reopened)
    assert not submitted


def test_that_scores_of_a_text_that_was_replaced_are_not_saved(
    saved: tuple[Workspace, Path], opened: Callable[[], Opened], tmp_path: Path, qtbot: QtBot
) -> None:
    workspace = saved[0]
    scored = workspace.class_state.scored()
    first, second = (
        key_of(workspace, tmp_path / "2025001-王伟.txt"),
        key_of(workspace, tmp_path / "2025002-李芳.txt"),
    )
    unused = RestoredScores(
        {first: b"another text", second: b"another text"}, scored.scores, scored.figures, "", (), {}
    )
    kept = saved_scores(replace(scored, scores={}, figures=scored.figures[:0], unused=unused), range(1, 10))
    assert len(kept.pairs) == len([pair for pair in scored.scores if not {first, second} & set(pair)])


def test_that_other_settings_classify_the_saved_scores(
    saved: tuple[Workspace, Path], opened: Callable[[], Opened], submitted: list[Batch], qtbot: QtBot
) -> None:
    workspace = reopen(opened, saved[1], qtbot)
    settle_class(workspace, qtbot)
    for each in (saved[0], workspace):
        each.set_settings(replace(each.settings, right_weight=0.7, exclude_common=False, prompt=None))
        settle_class(each, qtbot)
    assert_same_figures(saved[0], workspace)
    assert not submitted


def test_that_a_late_essay_scores_only_its_pairs(
    saved: tuple[Workspace, Path],
    opened: Callable[[], Opened],
    submitted: list[Batch],
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    workspace = reopen(opened, saved[1], qtbot)
    settle_class(workspace, qtbot)
    late = tmp_path / "2025008-黄强.txt"
    late.write_text(class_text(ESSAYS[8]), "utf-8")
    workspace.documents.add([late])
    settle_class(workspace, qtbot)
    key = key_of(workspace, late)
    assert sum(len(batch.pairs) for batch in submitted) == 7
    assert len(pairs_of(workspace)) == 28
    texts = {text for batch in submitted for pair in batch.pairs for text in pair}
    assert len(texts) == 8
    assert {pair for pair in pairs_of(workspace) if key in pair} == {
        pair for pair in combinations(sorted({key, *range(1, 8)}), 2) if key in pair
    }


def test_that_scores_of_another_thesaurus_are_not_used(
    saved: tuple[Workspace, Path], opened: Callable[[], Opened], submitted: list[Batch], qtbot: QtBot
) -> None:
    session = read_session(saved[1])
    write_session(replace(session, settings=replace(session.settings, thesaurus="none")), saved[1])
    workspace = reopen(opened, saved[1], qtbot)
    settle_class(workspace, qtbot)
    assert sum(len(batch.pairs) for batch in submitted) == 21


def test_that_a_text_that_differs_from_the_scores_is_scored_again(
    saved: tuple[Workspace, Path], opened: Callable[[], Opened], submitted: list[Batch], qtbot: QtBot
) -> None:
    with zipfile.ZipFile(saved[1]) as archive:
        text = archive.read("documents/0003/text.txt").decode()
    rewritten(saved[1], {"documents/0003/text.txt": text.replace("的", "地").encode()})
    workspace = reopen(opened, saved[1], qtbot)
    settle_class(workspace, qtbot)
    assert len(pairs_of(workspace)) == 21
    assert sum(len(batch.pairs) for batch in submitted) == 6


@pytest.mark.parametrize("broken", [b"", b"\xff" * 4000, None])
def test_that_broken_scores_are_made_again(
    broken: bytes | None,
    saved: tuple[Workspace, Path],
    opened: Callable[[], Opened],
    submitted: list[Batch],
    qtbot: QtBot,
) -> None:
    rewritten(saved[1], {"scores/columns.bin": broken})
    workspace = reopen(opened, saved[1], qtbot)
    settle_class(workspace, qtbot)
    assert sum(len(batch.pairs) for batch in submitted) == 21
    settle_class(saved[0], qtbot)
    assert_same_figures(saved[0], workspace)


def test_that_roles_are_unsaved_work_and_scores_are_not(
    saved: tuple[Workspace, Path], opened: Callable[[], Opened], qtbot: QtBot
) -> None:
    workspace, keeper = opened()
    with qtbot.waitSignal(keeper.opened, timeout=TIMEOUT_MS):
        keeper.open(saved[1])
    settle_class(workspace, qtbot)
    assert not keeper.is_modified
    workspace.class_state.set_role([3], DocumentRole.OLD)
    assert keeper.is_modified
    workspace.history.undo()
    assert not keeper.is_modified
