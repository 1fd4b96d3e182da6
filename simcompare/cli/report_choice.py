"""Which pairs of a session `simcompare report` is about."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.cli.output import OutputError, check_place
from simcompare.model.errors import FileError, SimcompareError, os_errors_as
from simcompare.support.display_text import display_name, distinct_labels
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.cohort.cohort_data import Cohort, CohortPair
    from simcompare.session.decisions import PairReview
    from simcompare.session.session_data import Session

MOST_REPORTS = 20
"""How many pairs are reported where nobody says which, unless more were judged as copied."""
_MOST_NAMED = 3


class NoSuchDocumentError(FileError):
    """A document was named that a session does not hold. Values: wanted, near."""

    template = N_("{name} holds no document called {wanted}. Nearest to it: {near}.")


class SeveralDocumentsError(FileError):
    """A name, or a part of names, that several documents of a session have. Values: wanted, known."""

    template = N_("Several documents of {name} have {wanted} in their names. Name one of them: {known}.")


class SameDocumentError(SimcompareError):
    """One document was named as both of a pair. Values: wanted."""

    template = N_("{wanted} is one document. Name two different ones after --pair.")


class NothingChosenError(SimcompareError):
    """No pair fits what was asked for. Values: name, count."""

    template = N_(
        "None of the {count} pairs of {name} is chosen. Choose others with --pairs, --top or --above."
    )


class NothingSharedError(SimcompareError):
    """No two texts have a match. Values: name, count."""

    template = N_(
        "None of the {count} pairs of {name} has a match, so there is nothing to report. "
        "Write the table with --to xlsx, or name a pair with --pair."
    )


class OnlyFineError(SimcompareError):
    """All pairs that could be reported were judged as fine. Values: name."""

    template = N_(
        "All pairs of {name} that could be reported were judged as fine. Report them with --pairs judged."
    )


def chosen_pairs(
    cohort: "Cohort", session: Path, kind: str, top: int | None, above: float | None
) -> "list[CohortPair]":
    """Return the pairs of a kind (KINDS) and coverage, of these the first `top`.

    `above` is the least percentage, compared with what reports show. Raises NothingChosenError.
    """
    from simcompare.cohort.cohort_data import larger_share  # noqa: PLC0415
    from simcompare.support.display_text import percentage  # noqa: PLC0415

    def is_wanted(pair: "CohortPair") -> bool:
        share = larger_share(pair)
        reaches = above is None or (share is not None and percentage(share) >= above)
        return reaches and _IS_OF_KIND[kind](pair.review)

    chosen = [pair for pair in cohort.pairs if is_wanted(pair)][:top]
    if not chosen:
        raise NothingChosenError(name=display_name(session.name), count=len(cohort.pairs))
    return chosen


_IS_OF_KIND: "dict[str, Callable[[PairReview], bool]]" = {
    "all": lambda _review: True,
    "judged": lambda review: not review.is_empty,
    "copied": lambda review: review.overall.decision == "copied",
}
KINDS = tuple(_IS_OF_KIND)
"""All; those with a decision or note, on the pair or on a match; those judged as copied."""


def check_judged(kept: "Session", session: Path, kind: str) -> None:
    """Raise NothingChosenError where no pair is judged so, before all are compared for nothing."""
    is_of_kind = _IS_OF_KIND[kind]
    if not any(map(is_of_kind, kept.reviews.values())):
        count = len(kept.documents)
        raise NothingChosenError(name=display_name(session.name), count=count * (count - 1) // 2)


def telling_pairs(cohort: "Cohort", session: Path) -> "list[CohortPair]":
    """Return the pairs judged as copied, and with them up to MOST_REPORTS of those with most in common.

    Those judged as fine are left out. Raises NothingSharedError where no two texts have a match, and
    OnlyFineError where all that have one were judged as fine.
    """
    copied = judged_so(cohort.pairs, "copied")
    fine = judged_so(cohort.pairs, "fine")
    alike = [
        pair
        for pair in cohort.pairs
        if pair not in copied and pair not in fine and pair.summary is not None and pair.summary.matches
    ]
    if not copied and not alike:
        error = OnlyFineError if fine else NothingSharedError
        raise error(name=display_name(session.name), count=len(cohort.pairs))
    return [*copied, *alike[: max(0, MOST_REPORTS - len(copied))]]


def leading_pairs(
    cohort: "Cohort", session: Path, top: int | None, above: float | None
) -> "tuple[list[CohortPair], int]":
    """Return the pairs of a coverage, of these the first `top`, and how many of these are left out.

    That are those judged as fine: further ones take their places. Raises NothingChosenError, OnlyFineError.
    """
    fitting = chosen_pairs(cohort, session, "all", None, above)
    fine = judged_so(fitting, "fine")
    if len(fine) == len(fitting):
        raise OnlyFineError(name=display_name(session.name))
    left = [pair for pair in fitting if pair not in fine][:top]
    return left, len(judged_so(fitting[:top], "fine"))


def judged_so(pairs: "Iterable[CohortPair]", decision: str) -> "list[CohortPair]":
    """Return the pairs that were judged "copied" or "fine"."""
    return [pair for pair in pairs if pair.review.overall.decision == decision]


def named_pair(session: Path, documents: Sequence[Path], wanted: tuple[str, str]) -> tuple[int, int]:
    """Return the places of two documents of a session that a person named.

    A name may lack its folder or its ending, and a part of it is enough, where only one document has it;
    capitals do not matter.
    Raises NoSuchDocumentError, SeveralDocumentsError, SameDocumentError.
    """
    left, right = (_named(session, documents, name) for name in wanted)
    if left == right:
        raise SameDocumentError(wanted=display_name(wanted[0]))
    return left, right


def _named(session: Path, documents: Sequence[Path], wanted: str) -> int:
    names = distinct_labels(documents)
    for known in (
        names,
        [str(path) for path in documents],
        [path.name for path in documents],
        [_folded(path.name) for path in documents],
        [_folded(path.stem) for path in documents],
        [_folded(name.removesuffix(Path(name).suffix)) for name in names],
    ):
        places = [place for place, name in enumerate(known) if name in {wanted, _folded(wanted)}]
        if places:
            return _only(session, places, names, wanted)
    part = _folded(wanted.strip())
    if part and (places := [place for place, name in enumerate(names) if part in _folded(name)]):
        return _only(session, places, names, wanted)
    shown = ", ".join(_nearest(wanted, names))
    raise NoSuchDocumentError(session, wanted=display_name(wanted), near=shown)


def _only(session: Path, places: Sequence[int], names: Sequence[str], wanted: str) -> int:
    if len(places) == 1:
        return places[0]
    several = ", ".join(names[place] for place in places)
    raise SeveralDocumentsError(session, wanted=display_name(wanted), known=several)


def _nearest(wanted: str, names: Sequence[str]) -> Sequence[str]:
    """Return the names most like one; without their endings, which make all alike."""
    stems = [_folded(Path(name).stem) for name in names]
    near = get_close_matches(_folded(Path(wanted).stem), stems, _MOST_NAMED)
    shown = [name for name, stem in zip(names, stems, strict=True) if stem in near]
    return (shown or names)[:_MOST_NAMED]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


if TYPE_CHECKING:
    from simcompare.session.session_data import Session


def free_place(folder: Path, stem: str, suffix: str) -> Path:
    """Return a place where nothing is yet: "class.xlsx", else "class (2).xlsx" and so on."""
    names = chain([stem], (f"{stem} ({number})" for number in count(2)))
    return next(place for name in names if not (place := folder / f"{name}{suffix}").exists())


def named_files(kept: "Session", output: Path) -> list[Path]:
    """Return the files that a session names and that `output` could write over.

    A text that was pasted has no file. No other computer is asked for a session, which may come from anybody,
    unless the person who writes has named that place too.
    """
    from simcompare.session.session_reader import is_remote  # noqa: PLC0415

    paths = [*(document.path for document in kept.documents), Path(kept.settings.thesaurus)]
    if kept.prompt is not None:
        paths.append(kept.prompt.path)
    return [path for path in paths if path.is_absolute() and (path == output or not is_remote(str(path)))]


class SeveralReportsError(SimcompareError):
    """Several reports, and a place that sounds like one file. Values: path."""

    template = N_("{path} would be one file, and there are several reports. Name a folder or a .zip file.")


class OtherEndingError(SimcompareError):
    """A file whose ending is that of another form. Values: path, form, name."""

    template = N_("{path} has not the ending of {form}. Call it {name}, or choose another form with --to.")


_ENDINGS = frozenset(
    {".html", ".htm", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".txt"}
    | {".json", ".csv", ".tsv", ".xlsx", ".xls", ".ods", ".zip", ".simcompare"}
)
"""Those by which people and programs know a form; what else follows a point is part of a name."""
_SAME_FORM = {".htm": ".html"}


def check_ending(output: Path, form: str) -> None:
    """Raise OtherEndingError where programs would take a file for one of another form."""
    ending = output.suffix.lower()
    if ending in _ENDINGS and _SAME_FORM.get(ending, ending) != f".{form}":
        raise OtherEndingError(path=output, form=form, name=output.with_suffix(f".{form}").name)


def check_bundle_place(output: Path, inputs: Sequence[Path]) -> None:
    """Raise where no folder or zip of reports could be written, before the work is done for nothing.

    It may take the place of none of the inputs. Raises OutputError, SeveralReportsError.
    """
    from simcompare.report.cohort.report_bundle import ZIP_SUFFIX, check_folder  # noqa: PLC0415

    if output.suffix.lower() == ZIP_SUFFIX:
        check_place(output, inputs)
        return
    if output.suffix.lower() in _ENDINGS:
        raise SeveralReportsError(path=output)
    if not output.resolve().parent.is_dir():
        raise OutputError(path=output, cause=_("its folder does not exist"))
    with os_errors_as(OutputError, output):
        try:
            check_folder(output)
        except FileExistsError as error:
            raise OutputError(path=output, cause=_("something of that name is there")) from error
