"""`simcompare check`: compare the essays of a class with each other, and with earlier work."""

# ruff: noqa: PLC0415 - numpy and the readers are loaded after the options are checked, a form when it is used

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.anonymity_options import AnonymityOptions, ReplacedWords, owner_lines, print_names_left
from simcompare.cli.library.files import (
    encode_libraries,
    library_files,
    library_option,
    opened_library,
    parsed_tags,
)
from simcompare.cli.options import (
    KeepCommon,
    Meaning,
    OwnWords,
    Password,
    argument,
    option,
    percentage_above,
    typer_command,
    word_lists,
)
from simcompare.cli.output import (
    INPUT_FAILED,
    OutputNeededError,
    check_bundle_output,
    check_suffix,
    deliver,
    has_file_suffix,
    print_error,
    progress_bar,
    writing_reports,
)
from simcompare.export.output_paths import OutputError, check_output
from simcompare.model.errors import SimcompareError
from simcompare.model.file_kinds import SESSION_SUFFIX
from simcompare.model.settings import ComparisonSettings
from simcompare.support.clock import now
from simcompare.support.i18n import N_, _
from simcompare.support.interrupts import interruptible

if TYPE_CHECKING:
    from simcompare.cohort.class_check import ClassCheck
    from simcompare.cohort.cohort_scoring import UnreadDocument
    from simcompare.cohort.pair_scores import PairScores

CheckFormat = Literal["text", "json", "csv", "xlsx", "html", "pdf"]


class SessionOutputError(OutputError):
    template = N_("{path} cannot be written: {cause}. Choose another place with --session.")


class NothingToCompareError(SimcompareError):
    template = N_(
        "There are fewer than two essays of different students to compare. Name a folder, a zip archive or "
        "several files."
    )


@typer_command(
    N_(
        "Compare the essays of a class with each other and show what is unusual. The exit status is 0 when "
        "all were checked, 1 when not."
    )
)
def check_command(  # noqa: PLR0913 - a parameter is an option of the command
    *,
    places: Annotated[
        list[Path],
        argument(N_("What the students handed in: folders, zip archives or files."), "FOLDER|ZIP|FILE..."),
    ],
    templates: Annotated[
        list[Path] | None,
        option(
            N_("Exclude sentences that match a sentence of this template; may be repeated."),
            "FILE",
            "--template",
        ),
    ] = None,
    old: Annotated[
        list[Path] | None,
        option(
            N_(
                "Earlier work, a folder, zip archive, file or session: compared with the class and not with "
                "itself; may be repeated."
            ),
            "PLACE",
        ),
    ] = None,
    roster: Annotated[
        Path | None,
        option(
            N_("The class list: a text, CSV or Excel file. By default one that is found among the files."),
            "FILE",
        ),
    ] = None,
    keep_common: KeepCommon = False,
    user_words: OwnWords = None,
    meaning: Meaning = None,
    above: Annotated[
        float | None,
        option(
            N_(
                "Only pairs in which the share of one text is at least this. By default, text lists the "
                "unusual pairs, and the other formats list all."
            ),
            "PERCENT",
            parser=percentage_above,
        ),
    ] = None,
    session: Annotated[
        Path | None,
        option(N_("Save a session with all documents and scores, to open in the window."), "OUT.simcompare"),
    ] = None,
    to: Annotated[CheckFormat, option(N_("Format of the result."))] = "text",
    output: Annotated[
        Path | None,
        option(
            N_(
                "Write to this file instead of standard output. With --to html or pdf, a folder or .zip also "
                "gets a report of each unusual pair."
            ),
            "PLACE",
        ),
    ] = None,
    anonymous: Annotated[
        bool,
        option(
            N_(
                "Replace names and numbers of students by pseudonyms. The name key is printed, and kept in a "
                "session saved with --session."
            )
        ),
    ] = False,
    replaced: ReplacedWords = None,
    library: Annotated[
        str | None, library_option("FILE|URL", N_("Also search each essay in this library of past years."))
    ] = None,
    library_tag: Annotated[
        list[str] | None,
        option(
            N_(
                "A tag that this class has in the library: only entries with it can be these essays "
                "themselves, and all others are compared with them; may be repeated."
            ),
            "NAME=VALUE",
            "--library-tag",
        ),
    ] = None,
    password: Password = None,
) -> None:
    from simcompare.cli.class_inputs import listed_inputs, read_inputs
    from simcompare.cohort.class_check import check_class
    from simcompare.export.export_tasks import redacted
    from simcompare.redaction.redacted_class import class_pseudonyms
    from simcompare.text.sentence_meaning import is_meaning_wanted

    by_meaning = False
    if library is not None:
        from simcompare.library.search.meaning_search import is_searched_by_meaning

        # errors of the library before anything is read
        parsed_tags(library_tag)
        with opened_library(library) as opened:
            by_meaning = is_searched_by_meaning(meaning, [opened])
    spellings = AnonymityOptions(anonymous, None, replaced).students()
    left_out = library_files(library) if library else ()
    inputs = listed_inputs(places, templates or (), old or (), roster, left_out, session)
    paths = [*inputs.paths, *word_lists(user_words)]
    _check_result_place(to, output, paths)
    _check_session_output(session, [*paths, *([] if output is None else [output])])
    settings = ComparisonSettings(
        exclude_common=not keep_common,
        prompt=str(inputs.templates[0]) if inputs.templates else None,
        user_words=user_words,
        meaning=meaning,
    )
    encoded = is_meaning_wanted(settings, has_sources=by_meaning or bool(old))
    files = read_inputs(inputs, settings, password, meaning=encoded)
    unread = (*files.unread, *files.unread_old)
    if to != "text" or output is not None:
        _print_errors(unread)
    for noted in inputs.submitted.noted:
        print_error(noted)
    scores: dict[tuple[int, int], PairScores] | None = None if session is None else {}
    with progress_bar(_("Comparing")) as tick:
        check = interruptible(lambda stop: check_class(files, settings, now(), tick, stop, scores))
    if not check.cohort.pairs:
        if not unread:
            raise NothingToCompareError
        if to == "text" and output is None:
            _print_errors(unread)
        raise typer.Exit(INPUT_FAILED)
    if library is not None:
        check = _with_library_hits(check, library, library_tag)
    pseudonyms = None
    if anonymous:
        pseudonyms = class_pseudonyms(check, [*files.listed, *spellings])
        for line in owner_lines(pseudonyms, pseudonyms.owners):
            typer.echo(line, err=True)
        print_names_left(pseudonyms, (each.document for each in check.cohort.documents))
    # the name of the only folder or archive, unless it may name someone
    class_name = "" if anonymous or len(places) != 1 else places[0].resolve().stem
    _deliver(redacted(check, pseudonyms), to, None if above is None else above / 100, output, class_name)
    if session is not None:
        from simcompare.cohort.scored_class import session_of
        from simcompare.pseudonyms.roster import read_students
        from simcompare.session.school_class import Roster
        from simcompare.session.session_file import write_session

        rosters = [Roster(path, read_students(path)) for path in inputs.rosters]
        content = session_of(check, files.unread, scores or {}, rosters)
        write_session(replace(content, pseudonyms=pseudonyms), session)
    if unread or check.uncompared or (check.library_hits is not None and check.library_hits.failed):
        raise typer.Exit(INPUT_FAILED)


def _with_library_hits(check: "ClassCheck", library: str, tags: Sequence[str] | None) -> "ClassCheck":
    """Return a check with what the library has of the class; `tags`: those of the class.

    Raises TagError, LibraryError.
    """
    from simcompare.library.class_search import search_class
    from simcompare.library.search.meaning_search import is_searched_by_meaning

    with opened_library(library) as opened:
        if is_searched_by_meaning(check.cohort.settings.meaning, [opened]):
            encode_libraries([opened])
        with progress_bar(_("Searching the library")) as tick:
            hits = interruptible(lambda stop: search_class(opened, check, tick, stop, parsed_tags(tags)))
    return replace(check, library_hits=hits)


def _check_result_place(to: CheckFormat, output: Path | None, inputs: Sequence[Path]) -> None:
    """Raise an error if the result cannot be written, before the work starts; no input is overwritten."""
    if output is None:
        if to in {"xlsx", "pdf"}:
            raise OutputNeededError(form=to.upper())
    elif _is_bundle(to, output):
        check_bundle_output(output, inputs)
    else:
        check_output(output, inputs)
        if to not in {"text", "json", "csv"}:
            check_suffix(output, f".{to}")


def _is_bundle(to: CheckFormat, output: Path) -> bool:
    from simcompare.report.cohort.report_bundle import ZIP_SUFFIX

    return to in {"html", "pdf"} and (output.suffix.lower() == ZIP_SUFFIX or not has_file_suffix(output))


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
    for error in filter(None, (document.error for document in unread)):
        print_error(error)


def _deliver(
    check: "ClassCheck", to: CheckFormat, least: float | None, output: Path | None, class_name: str
) -> None:
    """Write the result. least: minimum share of the pairs that text and tables list, by default as usual."""
    if output is not None and _is_bundle(to, output):
        from simcompare.export.export_tasks import begin_report
        from simcompare.report.class_report.class_forms import write_class_bundle

        with writing_reports(output) as tick:
            write_class_bundle(check, class_name, f".{to}", output, tick, begin_report)
    else:
        deliver(_rendered(check, to, least, class_name), output)


def _rendered(check: "ClassCheck", to: CheckFormat, least: float | None, class_name: str) -> str | bytes:
    if to == "text":
        from simcompare.report.cohort.check_output import check_as_text

        return check_as_text(check, least)
    if to == "json":
        from simcompare.report.cohort.check_output import check_as_dict
        from simcompare.report.comparison_json import as_json

        return as_json(check_as_dict(check, least or 0.0))
    if to == "csv":
        from simcompare.report.class_report.class_forms import class_pairs_as_csv

        return class_pairs_as_csv(check, least or 0.0)
    if to == "xlsx":
        from simcompare.report.class_report.class_forms import check_as_xlsx

        return check_as_xlsx(check, least or 0.0)
    from simcompare.export.export_tasks import render_class_report

    return render_class_report(check, f".{to}", class_name)
