"""The class of a session: roles, class lists, students, and the scores of its pairs as columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from simcompare.pseudonyms.students import Student

SavedRole = Literal["current", "draft", "old", "template"]
SavedFileRole = Literal["current", "draft", "appendix", "duplicate"]
_Number = Annotated[int, Meta(ge=0)]

FIGURES = np.dtype(
    [
        ("left_in_right", "<f8"),
        ("right_in_left", "<f8"),
        ("after_exclusions_left_in_right", "<f8"),
        ("after_exclusions_right_in_left", "<f8"),
        ("sentence_left_in_right", "<f8"),
        ("sentence_right_in_left", "<f8"),
        ("after_exclusions_sentence_left_in_right", "<f8"),
        ("after_exclusions_sentence_right_in_left", "<f8"),
        ("longest_passage_units", "<i4"),
        ("matches", "<i4"),
        ("is_known", "u1"),
    ]
)
"""Figures of a pair; NaN if no unit counts. All others are meaningless unless is_known."""


@dataclass(frozen=True, slots=True)
class Roster:
    """A class list: the path that it was read from, and the students on it."""

    path: Path
    students: tuple[Student, ...]


@dataclass(frozen=True, slots=True)
class SavedStudent:
    """A student and the numbers of the documents handed in, those that count first.

    roles: as detected, in the order of the documents; empty in sessions of earlier programs.
    """

    id: str
    name: str
    number: str
    is_listed: bool
    documents: tuple[_Number, ...]
    roles: tuple[SavedFileRole, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedClass:
    """The class of a session.

    roles: chosen by the teacher, by number of the document. limit: share from which pairs are unusual, if the
    teacher chose it. students, missing: as found when the session was saved; they can be found again.
    """

    roles: Mapping[int, SavedRole] = field(default_factory=lambda: MappingProxyType({}))
    rosters: tuple[Roster, ...] = ()
    limit: float | None = None
    students: tuple[SavedStudent, ...] = field(default=(), compare=False)
    missing: tuple[Student, ...] = field(default=(), compare=False)

    @property
    def not_compared(self) -> frozenset[int]:
        """Numbers of the documents that are templates or drafts."""
        apart = {number for number, role in self.roles.items() if role in {"draft", "template"}}
        for student in self.students:
            own = [
                number for number in student.documents if self.roles.get(number) not in {"old", "template"}
            ]
            chosen = [number for number in own if self.roles.get(number) == "current"]
            counted = chosen or [number for number in own if number not in apart][:1]
            apart.update(number for number in own if number not in counted)
        return frozenset(apart)

    @property
    def old(self) -> frozenset[int]:
        """Numbers of the documents that are earlier work, which is not compared with itself."""
        return frozenset(number for number, role in self.roles.items() if role == "old")


@dataclass(frozen=True, slots=True)
class SavedCommonSentence:
    """A sentence common to the class, with the numbers of the documents that have it."""

    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
    text: str
    documents: tuple[_Number, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SavedScores:
    """Scores and figures of n pairs of d documents, in columns.

    stamp, figures_stamp  digests of all that scores and figures depend on besides the texts
    texts                 digest of each prepared text, "" for a document without one
    common                the sentences common to the class
    pairs                 (n, 2) numbers of the documents, the lower one first
    cell_counts           (n,)   cells of each pair
    passage_counts        (n,)   passages of each pair, -1 if they are made of matched sentences
    cells                 (c, 3) of all pairs one after the other: row, column, LCS
    weights               (c, 2) P and w of each cell
    spans                 (p, 4) spans of the passages, left and right
    summaries             (p,)   which side of a passage is a summary: 0 none, 1 left, 2 right
    figures               (n,)   FIGURES
    sentence_counts       (d,)   sentences of each document for which `common_numbers` has a number
    common_numbers        (s,)   index in `common` of each sentence, -1 if it is not common
    """

    stamp: str
    figures_stamp: str
    texts: tuple[str, ...]
    common: tuple[SavedCommonSentence, ...]
    pairs: NDArray[np.int32]
    cell_counts: NDArray[np.int32]
    passage_counts: NDArray[np.int32]
    cells: NDArray[np.int32]
    weights: NDArray[np.float64]
    spans: NDArray[np.int32]
    summaries: NDArray[np.int8]
    figures: NDArray[np.void]
    sentence_counts: NDArray[np.int32]
    common_numbers: NDArray[np.int32]
