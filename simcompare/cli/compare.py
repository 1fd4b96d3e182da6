"""`simcompare compare`: compare two files and print or write the result."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcompare.cli.anonymity_options import (
    Anonymous,
    ReplacedWords,
    StudentList,
    new_pseudonyms,
    read_student_list,
)
from simcompare.cli.options import (
    KeepCommon,
    KeepNameLines,
    KeepQuotations,
    KeepReferences,
    Language,
    LeftFile,
    MinimumUnits,
    Output,
    OwnWords,
    Password,
    Preset,
    Prompt,
    Recipe,
    RightFile,
    RightWeight,
    SimilarWeight,
    ThesaurusName,
    Threads,
    WholePage,
    WithoutWords,
    checked_choice,
    read_files,
)
from simcompare.cli.output import INPUT_FAILED, OutputNeededError, deliver, print_error, progress_bar
from simcompare.export.output_paths import check_output
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.report.report_forms import NAMED_FORMS, FormName
from simcompare.support.clock import now
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.comparison.comparison_result import Comparison
    from simcompare.comparison.prepared_document import PreparedDocument
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.text.thesaurus import Thesaurus


def compare_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    context: typer.Context,
    left: LeftFile,
    right: RightFile,
    to: Annotated[FormName, typer.Option(help=N_("Format of the result."))] = "text",
    output: Output = None,
    preset: Preset = "balanced",
    similar_weight: SimilarWeight = None,
    right_weight: RightWeight = None,
    thesaurus: ThesaurusName = None,
    without_words: WithoutWords = False,
    user_words: OwnWords = None,
    recipe: Recipe = None,
    keep_quotations: KeepQuotations = False,
    keep_references: KeepReferences = False,
    keep_name_lines: KeepNameLines = False,
    keep_common: KeepCommon = False,
    minimum_units: MinimumUnits = None,
    prompt: Prompt = None,
    threads: Threads = None,
    anonymous: Anonymous = False,
    names: StudentList = None,
    replaced: ReplacedWords = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Read both files, compare them sentence by sentence, and print or write the result."""
    settings = chosen_settings(context)
    # loads numpy and the readers, after the options are checked
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415
    from simcompare.report.evidence import Evidence  # noqa: PLC0415
    from simcompare.text.thesaurus import load_thesaurus  # noqa: PLC0415

    paths = [left, right] if prompt is None else [left, right, prompt]
    form = NAMED_FORMS[to]
    if output is None and not form.is_text:
        raise OutputNeededError(form=to.upper())
    lists = [Path(settings.thesaurus), *([] if names is None else [names])]
    lists += [Path(user_words.file)] if user_words else []
    check_output(output, [*paths, *lists])
    students = read_student_list(anonymous, names, replaced)
    synonyms = load_thesaurus(settings.thesaurus)
    prepared_documents = read_prepared_documents(
        paths, settings.recipe, ReadingOptions(password, whole_page, user_words=user_words), language
    )
    comparison = compare_prepared_documents(prepared_documents, settings, synonyms, threads)
    evidence = Evidence(comparison, synonyms, now())
    if anonymous:
        from simcompare.redaction.redacted_evidence import anonymous_evidence  # noqa: PLC0415

        documents = [prepared_document.document for prepared_document in prepared_documents[:2]]
        evidence = anonymous_evidence(evidence, new_pseudonyms(documents, students))
    deliver(form.render(evidence), output)


def chosen_settings(context: typer.Context) -> ComparisonSettings:
    """Return the settings of the preset, changed by the options of a command that are given."""
    options = context.params
    start = PRESETS[checked_choice("--preset", options["preset"], list(PRESETS))]
    chosen: dict[str, Any] = {
        name: options.get(name)
        for name in ("similar_weight", "right_weight", "thesaurus", "recipe", "minimum_units", "user_words")
    }
    for kind in ("quotations", "references", "name_lines", "common"):
        chosen[f"exclude_{kind}"] = not options[f"keep_{kind}"]
    chosen |= {
        "word_stage": not options["without_words"],
        "prompt": None if options["prompt"] is None else str(options["prompt"]),
    }
    return replace(start, **{name: value for name, value in chosen.items() if value is not None})


def read_prepared_documents(
    paths: Sequence[Path], recipe: str, options: "ReadingOptions", language: str
) -> "list[PreparedDocument]":
    """Read all files; print the errors and exit if some fail."""
    from simcompare.cohort.document_preparation import read_prepared_document  # noqa: PLC0415 - loads all readers

    outcomes = read_files(read_prepared_document, paths, recipe, options, language=language)
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
    from simcompare.comparison.compare_documents import compare  # noqa: PLC0415 - loads rapidfuzz

    left, right, *prompts = prepared_documents
    prompt = prompts[0].prepared if prompts else None
    executor = ThreadPoolExecutor(threads or os.cpu_count())
    try:
        with progress_bar(_("Comparing")) as tick:
            return compare(
                left, right, settings, thesaurus, prompt=prompt, tick=tick, map_blocks=executor.map
            )
    finally:
        # do not wait for the rest after Ctrl+C
        executor.shutdown(wait=False, cancel_futures=True)
