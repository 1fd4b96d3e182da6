"""Rows of the list of students: figures of each student's essay, files, and decisions on its pairs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from simcompare.report.wording import also_named, decisions_counted, enumerated
from simcompare.session.decisions import Decision
from simcompare.support.i18n import _, ngettext
from simcompare.ui.labels import doubts_summary
from simcompare.ui.state.cohort.class_picture import ClassPicture
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.workspace import Workspace


class StudentColumn(IntEnum):
    """Columns of the list, from the left."""

    STUDENT = 0
    HIGHEST = 1
    NEAREST = 2
    RARE_TEXT = 3
    LIBRARY = 4
    FILES = 5
    DECISIONS = 6


@dataclass(frozen=True, slots=True)
class StudentListRow:
    """Values of a student; highest, in_library: NaN without a known share in the class and in the library.

    highest: after decisions, in the pair with `nearest`; before: highest before them. keys: documents, the
    current one first. doubts: a line for other names and for each file to check. decisions: number of pairs
    by decision. limit: share before decisions from which a pair is listed as similar. rank_score: highest of
    any pair, NaN if unknown.
    """

    id: str
    label: str
    number: str
    keys: tuple[int, ...]
    highest: float = float("nan")
    before: float = float("nan")
    nearest: str = ""
    doubts: tuple[str, ...] = ()
    decisions: Counter[Decision | None] = field(default_factory=Counter)
    in_library: float = float("nan")
    limit: float = 1.0
    rank_score: float = float("nan")

    def files_in_words(self) -> str:
        """Return "2 files, to check"; "" for a single file without doubts."""
        count = len(self.keys)
        files = ngettext("{count} file", "{count} files", count)
        return enumerated([*([files] if count > 1 else []), *([_("to check")] if self.doubts else [])])

    def decisions_in_words(self) -> str:
        """Return "1 copied, 2 no concern (1 cited)"."""
        return decisions_counted(self.decisions)


def student_rows(workspace: Workspace, picture: ClassPicture, labels: StudentLabels) -> list[StudentListRow]:
    """Return a row for each student with a file, by number; a possible template of no student is none."""
    highest, nearest = picture.after.nearest
    before = picture.figures.nearest[0]
    decisions = _decisions(workspace)
    rows = []
    templates = set(workspace.class_state.proposed_templates)
    for student in workspace.class_state.school.students:
        if not student.name and templates.issuperset(student.files):
            continue
        index = picture.index_of(student.current)
        has_share = index is not None and nearest[index] >= 0
        rows.append(
            StudentListRow(
                student.id,
                labels.text_of(student.current) or student.id,
                student.number,
                tuple(student.files),
                float(highest[index]) if has_share else float("nan"),
                float(before[index]) if has_share else float("nan"),
                picture.labels[int(nearest[index])] if has_share else "",
                tuple(filter(None, [also_named(student.other_names), *_doubts(workspace, student.files)])),
                decisions[student.current],
                workspace.library_shares.shares.get(student.current, float("nan")),
                workspace.class_state.limit,
                float("nan") if index is None else float(picture.ranks[index]),
            )
        )
    return sorted(rows, key=lambda row: f"{row.number} {row.label}".casefold())


def _decisions(workspace: Workspace) -> defaultdict[int, Counter[Decision | None]]:
    counts: defaultdict[int, Counter[Decision | None]] = defaultdict(Counter)
    for pair, review in workspace.review.pairs().items():
        if review.overall.decision is not None:
            for key in pair:
                counts[key][review.overall.decision] += 1
    return counts


def _doubts(workspace: Workspace, keys: Iterable[int]) -> Iterator[str]:
    for key in keys:
        entry = workspace.documents.entries.get(key)
        if entry is not None and entry.is_doubtful and entry.prepared_document is not None:
            yield doubts_summary(entry.prepared_document.document.receipt)
