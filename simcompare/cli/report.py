"""`simcompare report`: what a session holds, as a table of its pairs, as one report or as many."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.anonymity_options import AnonymousSession, StudentList, asked_list, session_pseudonyms
from simcompare.cli.command_runner import INPUT_FAILED, interruptible, tell
from simcompare.cli.options import Language, checked_choice
from simcompare.cli.output import check_place, progress_bar
from simcompare.cli.report_choice import (
    KINDS,
    check_bundle_place,
    check_ending,
    check_judged,
    free_place,
    named_files,
    named_pair,
)
from simcompare.cli.report_writing import ReportForm, Wanted, deliver_bundle, deliver_report, deliver_table
from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.atomic_file import change_stamp
from simcompare.support.display_text import distinct_labels, escape_invisible
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.cohort.cohort_data import Cohort, CohortDocuments
    from simcompare.model.settings import ComparisonSettings
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.session.session_data import Session

_TABLES = frozenset({"csv", "xlsx"})
_FOLDER = "-reports"


class TooFewTextsError(FileError):
    """A session without two texts to compare."""

    template = N_("{name} holds fewer than two texts that can be compared. Add documents and save it again.")


class NotReadYetError(FileError):
    """A document of a session whose text is not known."""

    template = N_(
        "{name} was not read yet when the session was saved. Open the session in the window, wait until "
        "it is read, and save it again."
    )


class PairOrChoiceError(SimcompareError):
    """A pair was named, and others were chosen besides."""

    template = N_("Name one pair with --pair, or choose pairs with --pairs, --top and --above, not both.")


class NoPercentageError(SimcompareError):
    """What was given as a percentage is none. Values: option, value."""

    template = N_("{option} cannot be {value}. Write a percentage from 0 to 100, such as 50.")


def _percentage(value: str) -> float:
    """Return 50.0 for "50", "50%" and the like; raises NoPercentageError."""
    written = value.strip().removesuffix("%").removesuffix("\N{FULLWIDTH PERCENT SIGN}").strip()
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 100:
        raise NoPercentageError(option="--above", value=escape_invisible(value))
    return number


def report_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    session: Annotated[
        Path,
        typer.Argument(metavar="SESSION", help=N_("A session saved by simcompare."), show_default=False),
    ],
    to: Annotated[
        ReportForm, typer.Option(help=N_("A table of the pairs (csv, xlsx), or reports of pairs."))
    ] = "html",
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="PLACE",
            help=N_(
                "The file to write; for several reports a folder or a .zip. Beside the session by default."
            ),
        ),
    ] = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help=N_("Two documents of the session: report them alone.")),
    ] = None,
    pairs: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(KINDS),
            help=N_(
                "Which pairs: those judged have a decision or a note of yours. By default a table lists all, "
                "and reports are made of those judged as copied and of those with most in common, 20 in all. "
                "Without this option there is no report of a pair judged as fine."
            ),
            show_default=False,
        ),
    ] = None,
    top: Annotated[
        int | None, typer.Option(min=1, metavar="N", help=N_("Only the N pairs with most in common."))
    ] = None,
    above: Annotated[
        float | None,
        typer.Option(
            parser=_percentage,
            metavar="PERCENT",
            help=N_("Only pairs with so much of one text covered by the other, exclusions not counted."),
        ),
    ] = None,
    notes: Annotated[
        bool | None,
        typer.Option(
            "--notes/--no-notes",
            help=N_("Whether your notes go along: by default they do, but not with --anonymous."),
            show_default=False,
        ),
    ] = None,
    anonymous: AnonymousSession = False,
    names: StudentList = None,
    language: Language = "",
) -> None:
    """Compare as the session says, and write the result with its decisions and notes."""
    if pairs is not None:
        checked_choice("--pairs", pairs, list(KINDS))
    wanted = Wanted(
        session, to, output, pair, pairs, top, above, [] if names is None else [names], notes, anonymous
    )
    if pair is not None and wanted.is_choice:
        raise PairOrChoiceError
    students, stamp = asked_list(anonymous, names), change_stamp(session)
    with progress_bar(_("Reading the session")):
        # numpy and the readers load when the command is known to be sound
        from simcompare.session.session_reader import read_session  # noqa: PLC0415

        kept = read_session(session)
    _report(wanted, kept, session_pseudonyms(session, kept, stamp, students) if anonymous else None)


def _report(wanted: Wanted, kept: "Session", names: "Pseudonyms | None") -> None:
    from simcompare.session.session_reader import lost_thesaurus, usable_settings  # noqa: PLC0415
    from simcompare.text.thesaurus import load_thesaurus  # noqa: PLC0415

    settings = usable_settings(kept)
    if lost := lost_thesaurus(kept, settings):
        typer.echo(lost, err=True)
    load_thesaurus(settings.thesaurus)
    paths = [file.path for file in kept.documents]
    places = _documents(wanted, kept, paths)
    is_one_pair = len(places) == 2 and not wanted.is_choice
    is_single = is_one_pair and wanted.to not in _TABLES and not _is_zip(wanted.output)
    called = distinct_labels(paths if names is None else list(map(names.path_of, paths)))
    place = _place(wanted, kept, [called[place] for place in places] if is_single else None, names)
    # all are compared whichever are wanted: groups have the numbers that they have among all
    compared = places if is_single else range(len(paths))
    documents = _prepared(wanted, kept, settings, compared, {paths[place] for place in places})
    if is_single:
        alone = _uncompared(documents, settings, distinct_labels(paths), places)
        deliver_report(wanted, alone, place, names)
    else:
        cohort = _compared(documents, settings, names, {paths[place] for place in places})
        deliver = deliver_table if wanted.to in _TABLES else deliver_bundle
        deliver(wanted, cohort, place)
    if documents.unread:
        raise typer.Exit(INPUT_FAILED)


def _documents(wanted: Wanted, kept: "Session", paths: Sequence[Path]) -> Sequence[int]:
    """Return the places of the documents it is about; with --pair in the order in which they were named."""
    if len(paths) < 2:
        raise TooFewTextsError(wanted.session)
    if wanted.pair is not None:
        return named_pair(wanted.session, paths, wanted.pair)
    if wanted.kind is not None:
        check_judged(kept, wanted.session, wanted.kind)
    return range(len(paths))


def _is_zip(output: Path | None) -> bool:
    from simcompare.report.cohort.report_bundle import ZIP_SUFFIX  # noqa: PLC0415

    return output is not None and output.suffix.lower() == ZIP_SUFFIX


def _place(wanted: Wanted, kept: "Session", pair: Sequence[str] | None, names: "Pseudonyms | None") -> Path:
    """Return where the result goes; `pair` is what the two are called where it is one report.

    Raises OutputError before the work is done for nothing.
    """
    from simcompare.report.cohort.report_bundle import pair_name  # noqa: PLC0415

    folder, stem = wanted.session.parent, wanted.session.stem
    if names is not None:
        stem = names.replaced(stem)
    is_bundle = pair is None and wanted.to not in _TABLES
    if pair is not None:
        stem = pair_name(*pair)
    elif is_bundle:
        stem += _FOLDER
    place = wanted.output or free_place(folder, stem, "" if is_bundle else f".{wanted.to}")
    inputs = [wanted.session, *wanted.lists, *named_files(kept, place)]
    if is_bundle:
        check_bundle_place(place, inputs)
    else:
        check_place(place, inputs)
        check_ending(place, wanted.to)
    return place


def _prepared(
    wanted: Wanted,
    kept: "Session",
    settings: "ComparisonSettings",
    places: Collection[int],
    about: Collection[Path],
) -> "CohortDocuments":
    """Make the texts at these places ready; of those that cannot be compared keep and tell those it is about.

    Raises where fewer than two of these can be compared.
    """
    from simcompare.cohort.session_preparation import prepare_session_documents  # noqa: PLC0415

    with progress_bar(_("Preparing")) as tick:
        documents = interruptible(lambda stop: prepare_session_documents(kept, settings, places, tick, stop))
    unread = tuple(one for one in documents.unread if one.path in about)
    for one in unread:
        tell(one.error or NotReadYetError(one.path))
    if (
        sum(prepared_document.document.path in about for prepared_document in documents.prepared_documents)
        < 2
    ):
        if wanted.pair is None:
            raise TooFewTextsError(wanted.session)
        raise typer.Exit(INPUT_FAILED)
    return replace(documents, unread=unread)


def _uncompared(
    documents: "CohortDocuments", settings: "ComparisonSettings", called: Sequence[str], places: Sequence[int]
) -> "Cohort":
    """Return the cohort of two documents alone, the one that was named first on the left."""
    from simcompare.cohort.cohort_data import CohortPair  # noqa: PLC0415
    from simcompare.cohort.cohort_scoring import cohort_without_pairs  # noqa: PLC0415
    from simcompare.session.decisions import NO_REVIEW  # noqa: PLC0415

    review = documents.reviews.get((0, 1), NO_REVIEW)
    is_mirrored = places[0] > places[1]
    pair = CohortPair(1, 0, None, review.mirrored) if is_mirrored else CohortPair(0, 1, None, review)
    cohort = cohort_without_pairs(documents, settings, datetime.now().astimezone())
    return replace(cohort, pairs=(pair,), cohort_labels=tuple(called[place] for place in sorted(places)))


def _compared(
    documents: "CohortDocuments",
    settings: "ComparisonSettings",
    names: "Pseudonyms | None",
    about: Collection[Path],
) -> "Cohort":
    """Compare every two documents, as groups are told among all, and return the pairs that it is about."""
    from simcompare.cohort.cohort_data import with_detected_groups  # noqa: PLC0415
    from simcompare.cohort.cohort_scoring import make_cohort  # noqa: PLC0415
    from simcompare.redaction.redacted_cohort import anonymous_cohort  # noqa: PLC0415

    now = datetime.now().astimezone()
    with progress_bar(_("Comparing")) as tick:
        cohort = with_detected_groups(
            interruptible(lambda stop: make_cohort(documents, settings, now, tick, stop))
        )
    wanted = {place for place, one in enumerate(cohort.documents) if one.document.path in about}
    cohort = replace(cohort, pairs=tuple(pair for pair in cohort.pairs if {pair.left, pair.right} <= wanted))
    return cohort if names is None else anonymous_cohort(cohort, names)
