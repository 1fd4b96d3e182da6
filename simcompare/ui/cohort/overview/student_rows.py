"""Rows of the list of students: figures of each student's essay, files, and decisions on its pairs."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from math import isnan

from simcompare.report.wording import also_named, decisions_counted, enumerated, with_share_before
from simcompare.session.decisions import Decision
from simcompare.support.i18n import _, ngettext
from simcompare.ui.labels import doubts_summary
from simcompare.ui.state.cohort.class_picture import ClassPicture
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.workspace import Workspace

NO_FIGURE = "–"


class StudentColumn(IntEnum):
    """Columns of the list, from the left."""

    STUDENT = 0
    HIGHEST = 1
    NEAREST = 2
    LIBRARY = 3
    FILES = 4
    DECISIONS = 5


@dataclass(frozen=True, slots=True)
class StudentListRow:
    """Values of a student; highest, in_library: NaN without a known share in the class and in the library.

    highest: after decisions, in the pair with `nearest`; before: highest before them. keys: documents, the
    current one first. doubts: a line for other names and for each file to check. decisions: number of pairs
    by decision.
    """

    id: str
    label: str
    number: str
    keys: tuple[int, ...]
    highest: float = float("nan")
    before: float = float("nan")
    nearest: str = ""
    doubts: tuple[str, ...] = ()
    decisions: Counter[Decision] = field(default_factory=Counter)
    in_library: float = float("nan")

    def text(self, column: StudentColumn) -> str:
        """Return the text of a cell."""
        if column is StudentColumn.STUDENT:
            return self.label
        if column in (StudentColumn.HIGHEST, StudentColumn.LIBRARY):
            before = self.share(column)
            after = self.highest if column is StudentColumn.HIGHEST else before
            return NO_FIGURE if isnan(before) else with_share_before(after, before)
        if column is StudentColumn.NEAREST:
            return self.nearest if self.highest > 0 else NO_FIGURE
        return self.files_in_words() if column is StudentColumn.FILES else self.decisions_in_words()

    def share(self, column: StudentColumn) -> float:
        """Return the share in the library or, of any other column, the highest one before decisions."""
        return self.in_library if column is StudentColumn.LIBRARY else self.before

    def files_in_words(self) -> str:
        """Return "2 files, to check"; "" for a single file without doubts."""
        count = len(self.keys)
        files = ngettext("{count} file", "{count} files", count)
        return enumerated([*([files] if count > 1 else []), *([_("to check")] if self.doubts else [])])

    def decisions_in_words(self) -> str:
        """Return "1 copied, 2 no concern"."""
        return decisions_counted(self.decisions[Decision.COPIED], self.decisions[Decision.FINE])

    def sort_key(self, column: StudentColumn) -> tuple[float, str]:
        """Return the key for sorting in ascending order."""
        figures = {
            StudentColumn.STUDENT: 0.0,
            StudentColumn.HIGHEST: 1.0 if isnan(self.highest) else -self.highest,
            StudentColumn.LIBRARY: 1.0 if isnan(self.in_library) else -self.in_library,
            StudentColumn.NEAREST: float(self.text(column) == NO_FIGURE),
            StudentColumn.FILES: -float(2 * len(self.doubts) + len(self.keys)),
            StudentColumn.DECISIONS: -float(1000 * self.decisions[Decision.COPIED] + self.decisions.total()),
        }
        words = self.text(column) if column is StudentColumn.NEAREST else f"{self.number} {self.label}"
        return figures[column], words.casefold()


def student_rows(workspace: Workspace, picture: ClassPicture, labels: StudentLabels) -> list[StudentListRow]:
    """Return a row for each student with a file; a possible template of no student is none."""
    highest, nearest = picture.after.nearest
    before = picture.figures.nearest[0]
    decisions = _decisions(workspace)
    rows = []
    templates = set(workspace.class_state.proposed_templates)
    for student in workspace.class_state.students:
        if not student.name and templates.issuperset(student.keys):
            continue
        index = picture.index_of(student.keys[0])
        has_share = index is not None and nearest[index] >= 0
        rows.append(
            StudentListRow(
                student.id,
                labels.text_of(student.keys[0]) or student.id,
                student.number,
                tuple(student.keys),
                float(highest[index]) if has_share else float("nan"),
                float(before[index]) if has_share else float("nan"),
                picture.labels[int(nearest[index])] if has_share else "",
                tuple(filter(None, [also_named(student.other_names), *_doubts(workspace, student.keys)])),
                decisions[student.keys[0]],
                workspace.library_shares.shares.get(student.keys[0], float("nan")),
            )
        )
    return rows


def _decisions(workspace: Workspace) -> defaultdict[int, Counter[Decision]]:
    counts: defaultdict[int, Counter[Decision]] = defaultdict(Counter)
    for pair, review in workspace.review.pairs().items():
        if review.overall.decision is not None:
            for key in pair:
                counts[key][review.overall.decision] += 1
    return counts


def _doubts(workspace: Workspace, keys: tuple[int, ...]) -> Iterator[str]:
    for key in keys:
        entry = workspace.documents.entries.get(key)
        if entry is not None and entry.is_doubtful and entry.prepared_document is not None:
            yield doubts_summary(entry.prepared_document.document.receipt)
