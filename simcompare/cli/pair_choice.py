"""Choose the documents and pairs of a session for `simcompare report`."""

import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.export.reported_pairs import IS_OF_KIND, default_pairs, pairs_decided
from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.display_text import display_name, distinct_labels
from simcompare.support.i18n import N_

if TYPE_CHECKING:
    from simcompare.cohort.cohort_scoring import Cohort, CohortPair
    from simcompare.session.session_data import Session

_MOST_NAMES = 3


class NoSuchDocumentError(FileError):
    template = N_("{name} holds no document called {wanted}. Nearest to it: {near}.")


class SeveralDocumentsError(FileError):
    template = N_("Several documents of {name} have {wanted} in their names. Name one of them: {known}.")


class SameDocumentError(SimcompareError):
    template = N_("{wanted} is one document. Name two different ones after --pair.")


class NothingChosenError(SimcompareError):
    template = N_("None of the {count} pairs of {name} fits. Choose others with --pairs, --top or --above.")


class NothingSharedError(SimcompareError):
    template = N_(
        "None of the {count} pairs of {name} has a match, so there is nothing to report. "
        "Write the table with --to xlsx, or name a pair with --pair."
    )


class OnlyFineError(SimcompareError):
    template = N_(
        "All pairs of {name} that could be reported are of no concern. Report them with --pairs judged."
    )


def chosen_pairs(
    cohort: "Cohort", session: Path, kind: str, top: int | None, above: float | None
) -> "list[CohortPair]":
    """Return the first `top` pairs of a kind (IS_OF_KIND) whose coverage is at least `above`.

    `above`: minimum percentage, compared with the rounded one that is shown. Raises NothingChosenError.
    """
    from simcompare.cohort.cohort_scoring import larger_share  # noqa: PLC0415
    from simcompare.support.display_text import reaches  # noqa: PLC0415

    def is_wanted(pair: "CohortPair") -> bool:
        share = larger_share(pair)
        is_high = above is None or (share is not None and reaches(share, above / 100))
        return is_high and IS_OF_KIND[kind](pair.review)

    chosen = [pair for pair in cohort.pairs if is_wanted(pair)][:top]
    if not chosen:
        raise NothingChosenError(name=display_name(session.name), count=len(cohort.pairs))
    return chosen


def check_kind(content: "Session", session: Path, kind: str) -> None:
    """Raise NothingChosenError if no pair of a session can be of a kind, before all are compared."""
    from simcompare.session.decisions import NO_REVIEW  # noqa: PLC0415

    if not any(map(IS_OF_KIND[kind], (NO_REVIEW, *content.reviews.values()))):
        count = len(content.documents)
        raise NothingChosenError(name=display_name(session.name), count=count * (count - 1) // 2)


def pairs_by_default(cohort: "Cohort", session: Path) -> "list[CohortPair]":
    """Return `default_pairs` of a cohort.

    Raises NothingSharedError if no pair has a match, OnlyFineError if all pairs with matches
    were decided to be fine.
    """
    pairs = default_pairs(cohort.pairs)
    if not pairs:
        error = OnlyFineError if pairs_decided(cohort.pairs, "fine") else NothingSharedError
        raise error(name=display_name(session.name), count=len(cohort.pairs))
    return pairs


def leading_pairs(
    cohort: "Cohort", session: Path, top: int | None, above: float | None
) -> "tuple[list[CohortPair], int]":
    """Return the first `top` pairs with a coverage of at least `above`, and the number of pairs omitted.

    Pairs decided to be fine are omitted; the next pairs take their places. Raises NothingChosenError,
    OnlyFineError.
    """
    covered = chosen_pairs(cohort, session, "all", None, above)
    fine = pairs_decided(covered, "fine")
    if len(fine) == len(covered):
        raise OnlyFineError(name=display_name(session.name))
    pairs = [pair for pair in covered if pair not in fine][:top]
    return pairs, len(pairs_decided(covered[:top], "fine"))


def named_pair(
    session: Path, documents: Sequence[Path], wanted: tuple[str, str], labels: Sequence[str] = ()
) -> tuple[int, int]:
    """Return the indices of the two documents of a session that were named, as `named_document` does.

    Raises NoSuchDocumentError, SeveralDocumentsError, SameDocumentError.
    """
    left, right = (named_document(session, documents, name, labels) for name in wanted)
    if left == right:
        raise SameDocumentError(wanted=display_name(wanted[0]))
    return left, right


def named_document(session: Path, documents: Sequence[Path], wanted: str, labels: Sequence[str]) -> int:
    """Return the index of the document of a session that was named.

    A name without folder or suffix, one of `session_labels`, or a part of either, is enough if only one
    document has it; case does not matter. Raises NoSuchDocumentError, SeveralDocumentsError.
    """
    names = distinct_labels(documents)
    labels = labels or names
    # from the strictest comparison to the loosest
    for candidates in (
        names,
        [str(path) for path in documents],
        [path.name for path in documents],
        [_folded(path.name) for path in documents],
        [_folded(path.stem) for path in documents],
        [_folded(name.removesuffix(Path(name).suffix)) for name in names],
        [_folded(label) for label in labels],
    ):
        places = [place for place, name in enumerate(candidates) if name in {wanted, _folded(wanted)}]
        if places:
            return _only(session, places, labels, wanted)
    part = _folded(wanted.strip())
    both = [f"{name}\n{label}" for name, label in zip(names, labels, strict=True)]
    if part and (places := [place for place, name in enumerate(both) if part in _folded(name)]):
        return _only(session, places, labels, wanted)
    near = ", ".join(_nearest(wanted, list(dict.fromkeys([*labels, *names]))))
    raise NoSuchDocumentError(session, wanted=display_name(wanted), near=near)


def _only(session: Path, places: Sequence[int], names: Sequence[str], wanted: str) -> int:
    if len(places) == 1:
        return places[0]
    known = ", ".join(names[place] for place in places)
    raise SeveralDocumentsError(session, wanted=display_name(wanted), known=known)


def _nearest(wanted: str, names: Sequence[str]) -> Sequence[str]:
    """Return the names closest to `wanted`, compared without their suffixes, which make all similar."""
    stems = [_folded(Path(name).stem) for name in names]
    near = get_close_matches(_folded(Path(wanted).stem), stems, _MOST_NAMES)
    nearest = [name for name, stem in zip(names, stems, strict=True) if stem in near]
    return (nearest or names)[:_MOST_NAMES]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def session_labels(content: "Session") -> list[str]:
    """Return the label of each document of a session as `check` has it: its student, or its file."""
    from simcompare.cohort.student_groups import student_labels  # noqa: PLC0415
    from simcompare.report.class_report.student_rows import document_labels  # noqa: PLC0415
    from simcompare.session.school_class import DocumentRole  # noqa: PLC0415

    paths, school = [document.path for document in content.documents], content.school_class.arranged()
    roles = [school.role_of(number) for number in range(len(paths))]
    students = {n: each for each in school.students for n in each.files if roles[n] is DocumentRole.CURRENT}
    keys = ((each.current, each.name, each.number) for each in students.values())
    labels = student_labels(keys, with_numbers=True)
    return list(document_labels(distinct_labels(paths), roles, students, labels))


def named_files(content: "Session", output: Path) -> list[Path]:
    """Return the files named in a session that `output` could overwrite.

    A pasted text has no file. Paths on other computers are omitted unless they are `output`: a session from
    an unknown source must not make the program contact other computers.
    """
    from simcompare.session.session_file import is_remote  # noqa: PLC0415

    paths = [*(document.path for document in content.documents), Path(content.settings.thesaurus)]
    if content.prompt is not None:
        paths.append(content.prompt.path)
    return [path for path in paths if path.is_absolute() and (path == output or not is_remote(str(path)))]
