"""`simcompare compare`: compare two files and print or write the result."""

# ruff: noqa: PLC0415 - numpy and the readers are loaded after the options are checked

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcompare.cli.anonymity_options import AnonymityOptions, new_pseudonyms
from simcompare.cli.options import (
    ExclusionOptions,
    FileOptions,
    LeftFile,
    MatchingOptions,
    Output,
    Recipe,
    RightFile,
    checked_choice,
    option,
    preset_settings,
    read_files,
    typer_command,
    word_lists,
)
from simcompare.cli.output import INPUT_FAILED, OutputNeededError, deliver, print_error, progress_bar
from simcompare.export.output_paths import check_output
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.report.report_forms import NAMED_FORMS, all_forms
from simcompare.support.clock import now
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.comparison.comparison_result import Comparison
    from simcompare.comparison.prepared_document import PreparedDocument
    from simcompare.text.thesaurus import Thesaurus


@typer_command(N_("Compare two files and show what they have in common and why."))
def compare_command(  # noqa: PLR0913 - a parameter is an option of the command
    *,
    left: LeftFile,
    right: RightFile,
    to: Annotated[
        str,
        option(
            N_("Format of the result."),
            f"<{'|'.join(NAMED_FORMS)}>",
            autocompletion=lambda: list(all_forms()),
        ),
    ] = "text",
    output: Output = None,
    matching: MatchingOptions,
    recipe: Recipe = None,
    exclusions: ExclusionOptions,
    threads: Annotated[
        int | None, option(N_("Number of threads, up to 4; by default one per processor."), "N", min=1)
    ] = None,
    anonymity: AnonymityOptions,
    reading: FileOptions,
) -> None:
    settings = chosen_settings(matching, exclusions, recipe)
    from simcompare.cohort.pair_facts import facts_of_comparison
    from simcompare.report.evidence import Evidence
    from simcompare.text.thesaurus import load_thesaurus

    paths = [left, right, *exclusions.prompts]
    form = all_forms()[checked_choice("--to", to, list(all_forms()))]
    if output is None and not form.is_text:
        raise OutputNeededError(form=to.upper())
    check_output(
        output, [*paths, Path(settings.thesaurus), *anonymity.lists, *word_lists(settings.user_words)]
    )
    students = anonymity.students()
    synonyms = load_thesaurus(settings.thesaurus)
    prepared_documents = read_prepared_documents(paths, settings, reading)
    comparison = compare_prepared_documents(prepared_documents, settings, synonyms, threads)
    documents = [prepared_document.document for prepared_document in prepared_documents[:2]]
    evidence = Evidence(comparison, synonyms, now(), facts=facts_of_comparison(comparison))
    if anonymity.anonymous:
        from simcompare.redaction.redacted_class import anonymous_evidence

        evidence = anonymous_evidence(evidence, new_pseudonyms(documents, students, anonymity.lists))
    deliver(form.render(evidence), output)


def chosen_settings(
    matching: MatchingOptions, exclusions: ExclusionOptions, recipe: str | None = None
) -> ComparisonSettings:
    """Return the settings of the preset, changed by the options that are given."""
    start = preset_settings(matching.preset, meaning=matching.meaning)
    chosen = {
        each.name: getattr(options, each.name)
        for options in (matching, exclusions)
        for each in fields(options)
    }
    chosen |= {"recipe": recipe, "word_stage": not chosen.pop("without_words")}
    given: dict[str, Any] = {}
    for name, value in chosen.items():
        if name.startswith("keep_"):
            given[name.replace("keep_", "exclude_")] = not value
        elif value is not None and name != "preset":
            given[name] = str(value) if isinstance(value, Path) else value
    return replace(start, **given)


def read_prepared_documents(
    paths: Sequence[Path], settings: ComparisonSettings, reading: FileOptions
) -> "list[PreparedDocument]":
    """Read all files; print the errors and exit if some fail."""
    from simcompare.cohort.document_preparation import PRELOADED_READERS, read_prepared_document

    options = reading.options(settings.user_words, meaning=bool(settings.meaning))
    outcomes = read_files(read_prepared_document, paths, settings.recipe, options, preload=PRELOADED_READERS)
    # a file given twice gives one error
    errors = list(dict.fromkeys(outcome for outcome in outcomes if isinstance(outcome, SimcompareError)))
    for error in errors:
        print_error(error)
    if errors:
        raise typer.Exit(INPUT_FAILED)
    return [outcome for outcome in outcomes if not isinstance(outcome, SimcompareError)]


def compare_prepared_documents(
    prepared_documents: "Sequence[PreparedDocument]",
    settings: ComparisonSettings,
    thesaurus: "Thesaurus | None",
    threads: int | None,
) -> "Comparison":
    """Compare the first two documents; a third one is the prompt."""
    from simcompare.comparison.compare_documents import compare
    from simcompare.comparison.comparison_matrix import MOST_THREADS

    left, right, *prompts = prepared_documents
    prompt = prompts[0].prepared if prompts else None
    executor = ThreadPoolExecutor(min(threads or os.cpu_count() or 1, MOST_THREADS))
    try:
        with progress_bar(_("Comparing")) as tick:
            return compare(
                left, right, settings, thesaurus, prompt=prompt, tick=tick, map_blocks=executor.map
            )
    finally:
        # do not wait for the rest after Ctrl+C
        executor.shutdown(wait=False, cancel_futures=True)
