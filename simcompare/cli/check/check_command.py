"""`simcompare check`: compare the essays of a class with each other, and with earlier work."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.anonymity_options import ReplacedWords, read_student_list
from simcompare.cli.library.options import OwnTags, SearchedLibrary, library_files
from simcompare.cli.library.search import check_library, with_library_hits
from simcompare.cli.options import KeepCommon, Language, OwnWords, Password, percentage_above
from simcompare.cli.output import INPUT_FAILED, print_error, progress_bar
from simcompare.cli.report_writing import CheckFormat, check_result_place, deliver_check, printed_pseudonyms
from simcompare.export.output_paths import OutputError, check_output
from simcompare.model.errors import SimcompareError
from simcompare.model.file_kinds import SESSION_SUFFIX
from simcompare.model.settings import ComparisonSettings
from simcompare.support.clock import now
from simcompare.support.i18n import N_, _
from simcompare.support.interrupts import interruptible

if TYPE_CHECKING:
    from simcompare.cohort.class_check import ClassCheck, ClassFiles
    from simcompare.cohort.cohort_data import UnreadDocument
    from simcompare.cohort.pair_scores import PairScores
    from simcompare.pseudonyms.pseudonyms import Pseudonyms


class SessionOutputError(OutputError):
    """A session cannot be saved to a path of the command line. Values: path, cause."""

    template = N_("{path} cannot be written: {cause}. Choose another place with --session.")


class NothingToCompareError(SimcompareError):
    """There are no two documents to compare with each other."""

    template = N_(
        "There are fewer than two essays of different students to compare. Name a folder, a zip archive or "
        "several files."
    )


def check_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER|ZIP|FILE...",
            help=N_("What the students handed in: folders, zip archives or files."),
            show_default=False,
        ),
    ],
    templates: Annotated[
        list[Path] | None,
        typer.Option(
            "--template",
            metavar="FILE",
            help=N_("Exclude sentences that match a sentence of this template; may be repeated."),
            show_default=False,
        ),
    ] = None,
    old: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PLACE",
            help=N_(
                "Earlier work, a folder, zip archive, file or session: compared with the class and not with "
                "itself; may be repeated."
            ),
            show_default=False,
        ),
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=N_(
                "The class list: a text, CSV or Excel file. By default one that is found among the files."
            ),
            show_default=False,
        ),
    ] = None,
    keep_common: KeepCommon = False,
    user_words: OwnWords = None,
    above: Annotated[
        float | None,
        typer.Option(
            parser=percentage_above,
            metavar="PERCENT",
            help=N_(
                "Only pairs in which the share of one text is at least this. By default, text lists the "
                "unusual pairs, and the other formats list all."
            ),
        ),
    ] = None,
    session: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.simcompare",
            help=N_("Save a session with all documents and scores, to open in the window."),
            show_default=False,
        ),
    ] = None,
    to: Annotated[CheckFormat, typer.Option(help=N_("Format of the result."))] = "text",
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="PLACE",
            help=N_(
                "Write to this file instead of standard output. With --to html or pdf, a folder or .zip also "
                "gets a report of each unusual pair."
            ),
        ),
    ] = None,
    anonymous: Annotated[
        bool,
        typer.Option(
            "--anonymous",
            help=N_(
                "Replace names and numbers of students by pseudonyms. The name key is printed, and kept in a "
                "session saved with --session."
            ),
        ),
    ] = False,
    replaced: ReplacedWords = None,
    library: SearchedLibrary = None,
    library_tag: OwnTags = None,
    password: Password = None,
    language: Language = "",
) -> None:
    """Read every file, compare the current documents of the students, and write what is unusual."""
    # load the readers and numpy, which --help does not need
    from simcompare.cli.check.class_inputs import listed_inputs, read_inputs  # noqa: PLC0415
    from simcompare.cohort.class_check import check_class  # noqa: PLC0415
    from simcompare.redaction.redacted_class import anonymous_check  # noqa: PLC0415

    check_library(library, library_tag)
    spellings = read_student_list(anonymous, None, replaced)
    left_out = library_files(library) if library else ()
    inputs = listed_inputs(places, templates or (), old or (), roster, left_out)
    paths = [*inputs.paths, *([Path(user_words.file)] if user_words else [])]
    check_result_place(to, output, paths)
    _check_session_output(session, [*paths, *([] if output is None else [output])])
    settings = ComparisonSettings(
        exclude_common=not keep_common,
        prompt=str(inputs.templates[0]) if inputs.templates else None,
        user_words=user_words,
    )
    files = read_inputs(inputs, settings, password, language)
    unread = (*files.unread, *files.unread_old)
    if to != "text" or output is not None:
        _print_errors(unread)
    scores: dict[tuple[int, int], PairScores] | None = None if session is None else {}
    with progress_bar(_("Comparing")) as tick:
        check = interruptible(lambda stop: check_class(files, settings, now(), tick, stop, scores))
    if not check.cohort.pairs:
        if not unread:
            raise NothingToCompareError
        if to == "text" and output is None:
            _print_errors(unread)
        raise typer.Exit(INPUT_FAILED)
    pseudonyms = None
    result = check = with_library_hits(check, library, library_tag)
    if anonymous:
        pseudonyms = printed_pseudonyms(check, [*files.listed, *spellings])
        result = anonymous_check(check, pseudonyms)
    deliver_check(result, to, None if above is None else above / 100, output, _class_name(places, anonymous))
    if session is not None:
        _save_session(session, check, files, scores or {}, inputs.rosters, pseudonyms)
    if unread or check.uncompared or (check.library_hits is not None and check.library_hits.failed):
        raise typer.Exit(INPUT_FAILED)


def _save_session(
    place: Path,
    check: "ClassCheck",
    files: "ClassFiles",
    scores: "Mapping[tuple[int, int], PairScores]",
    rosters: Sequence[Path],
    pseudonyms: "Pseudonyms | None",
) -> None:
    """Save a session with all documents and scores. Raises the errors of saving it."""
    from simcompare.cohort.sessions.class_session import session_of  # noqa: PLC0415 - loads numpy
    from simcompare.pseudonyms.roster import read_students  # noqa: PLC0415
    from simcompare.session.class_data import Roster  # noqa: PLC0415
    from simcompare.session.session_writer import write_session  # noqa: PLC0415

    content = session_of(check, files.unread, scores, [Roster(path, read_students(path)) for path in rosters])
    write_session(replace(content, pseudonyms=pseudonyms), place)


def _check_session_output(session: Path | None, others: Sequence[Path]) -> None:
    """Raise SessionOutputError if a session cannot be saved; `others`: paths that it must not overwrite."""
    if session is None:
        return
    if session.suffix.lower() != SESSION_SUFFIX:
        raise SessionOutputError(path=session, cause=_("its name does not end in .simcompare"))
    if session.resolve() in {path.resolve() for path in others}:
        raise SessionOutputError(path=session, cause=_("it is one of the files to read"))
    try:
        check_output(session, ())
    except OutputError as error:
        raise SessionOutputError(**error.values) from None


def _print_errors(unread: "Iterable[UnreadDocument]") -> None:
    for document in unread:
        if document.error is not None:
            print_error(document.error)


def _class_name(places: Sequence[Path], anonymous: bool) -> str:
    """Return the name of the only folder or archive; "" with several places, or if it may name someone."""
    return "" if anonymous or len(places) != 1 else places[0].resolve().stem
