"""Commands for files: compare and annotate two, extract and fingerprint any, verify a case; and schema."""

# ruff: noqa: PLC0415 - numpy and the readers are loaded after the options are checked

import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from simcompare.cli.anonymity_options import AnonymityOptions, new_pseudonyms
from simcompare.cli.options import (
    ExclusionOptions,
    FileOptions,
    LeftFile,
    MatchingOptions,
    Output,
    OwnWords,
    Recipe,
    RightFile,
    TextOrJson,
    argument,
    checked_choice,
    option,
    outcome_of,
    preset_settings,
    read_files,
    read_in_order,
    typer_command,
    word_lists,
)
from simcompare.cli.output import (
    INPUT_FAILED,
    OutputNeededError,
    deliver,
    deliver_parts,
    print_error,
    progress_bar,
)
from simcompare.export.output_paths import check_output, is_one_of
from simcompare.model.errors import ReadingTimeoutError, RecognitionNeededError, SimcompareError, os_errors_as
from simcompare.model.settings import ComparisonSettings
from simcompare.report.report_forms import NAMED_FORMS, all_forms
from simcompare.support.atomic_file import write_atomically
from simcompare.support.clock import now
from simcompare.support.display_text import display_name, distinct_labels, escape_invisible
from simcompare.support.i18n import N_, _, current_language, ngettext
from simcompare.support.interrupts import interrupts_blocked
from simcompare.support.resources import resource_path

if TYPE_CHECKING:
    from simcompare.comparison.comparison_result import Comparison
    from simcompare.comparison.prepared_document import PreparedDocument
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.model.document import Document
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.report.annotated.annotations import Side
    from simcompare.report.evidence import Evidence
    from simcompare.text.thesaurus import Thesaurus

    _TimedRead = tuple[Document | SimcompareError, float]
    from simcompare.model.document import Document
    from simcompare.model.errors import SimcompareError


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


SideChoice = Literal["left", "right", "both"]
# 344 pages with all sentences marked take 5 seconds on an idle processor.
_SECONDS_PER_FILE = 600.0


class CopyNotWrittenError(SimcompareError):
    template = N_("{path} cannot be written: {cause}. Choose another folder with --output-dir.")


@typer_command(N_("Compare two files and write copies with the matches highlighted and commented."))
def annotate_command(  # noqa: PLR0913 - a parameter is an option of the command
    *,
    left: LeftFile,
    right: RightFile,
    output_dir: Annotated[
        Path, option(N_("The folder for the annotated copies; an earlier copy is replaced."), "FOLDER")
    ],
    side: Annotated[SideChoice, option(N_("Which of the files to annotate."))] = "both",
    matching: MatchingOptions,
    exclusions: ExclusionOptions,
    anonymity: AnonymityOptions,
    reading: FileOptions,
) -> None:
    settings = chosen_settings(matching, exclusions)
    from simcompare.report.evidence import Evidence
    from simcompare.text.thesaurus import load_thesaurus

    paths = [left, right, *exclusions.prompts]
    sides: list[Side] = ["left", "right"] if side == "both" else [side]
    originals = [left if chosen == "left" else right for chosen in sides]
    students = anonymity.students()
    with os_errors_as(CopyNotWrittenError, output_dir, (OSError, ValueError)):
        output_dir.mkdir(parents=True, exist_ok=True)
    synonyms = load_thesaurus(settings.thesaurus)
    prepared_documents = read_prepared_documents(paths, settings, reading)
    documents = [prepared_document.document for prepared_document in prepared_documents[:2]]
    pseudonyms = new_pseudonyms(documents, students, anonymity.lists) if anonymity.anonymous else None
    if pseudonyms is not None:
        originals = list(map(pseudonyms.path_of, originals))
    copy_paths = _copy_paths(originals, output_dir, paths)
    comparison = compare_prepared_documents(prepared_documents, settings, synonyms, None)
    evidence = Evidence(comparison, synonyms, now())
    _deliver(evidence, sides, copy_paths, reading.password, pseudonyms)


def _copy_paths(originals: Sequence[Path], folder: Path, inputs: Sequence[Path]) -> list[Path]:
    """Return the paths of the copies. Raises CopyNotWrittenError if one is an input file."""
    from simcompare.report.annotated.annotate import copy_names

    paths = [folder / name for name in copy_names(originals)]
    for path in paths:
        with os_errors_as(CopyNotWrittenError, path, (OSError, ValueError)):
            if path.exists() and is_one_of(path, inputs):
                raise CopyNotWrittenError(path=path, cause=_("it is one of the files to read"))
    return paths


def _deliver(
    evidence: "Evidence",
    sides: "Sequence[Side]",
    copy_paths: Sequence[Path],
    password: str | None,
    pseudonyms: "Pseudonyms | None",
) -> None:
    """Write the copies; print their paths, the errors, and at the end the remarks on the copies.

    Each is made in a worker, which can be killed if it hangs or takes too much memory.
    """
    from simcompare.export.export_tasks import dump_chunked, render_copy, sendable_review
    from simcompare.loading.workers.isolation import ReaderPool
    from simcompare.report.annotated.annotate import placed_in_words, remarks_in_words
    from simcompare.report.annotated.annotations import prepared_document_of
    from simcompare.report.wording import named

    files = [prepared_document_of(evidence.comparison, side).document.path for side in sides]
    sendable = replace(evidence, review=sendable_review(evidence.review, with_notes=True))
    packed, language = dump_chunked((sendable, pseudonyms)), current_language()
    with ReaderPool(len(sides), _SECONDS_PER_FILE) as pool:
        with interrupts_blocked():
            futures = [
                pool.submit(render_copy, file, packed, side, language, password)
                for file, side in zip(files, sides, strict=True)
            ]
        outcomes = list(map(outcome_of, futures))
    remarks: list[str] = []
    for file, copy_path, outcome in zip(files, copy_paths, outcomes, strict=True):
        if isinstance(outcome, SimcompareError):
            print_error(outcome)
            continue
        with os_errors_as(CopyNotWrittenError, copy_path, (OSError, ValueError)):
            write_atomically(copy_path, methodcaller("write", outcome.data))
        typer.echo(named(str(copy_path), placed_in_words(outcome)))
        remarks += remarks_in_words(outcome, file)
    for remark in remarks:
        typer.echo(remark, err=True)
    if any(isinstance(outcome, SimcompareError) for outcome in outcomes):
        raise typer.Exit(INPUT_FAILED)


_ERROR = "error"
# blocks are positions in the text
_TEXT_KEYS = frozenset({"text", "blocks"})


@dataclass(frozen=True, slots=True)
class ExtractedFile:
    """Document or error of a file, and the reading time in seconds, None if it is unknown."""

    path: Path
    outcome: "Document | SimcompareError"
    seconds: float | None

    @property
    def document(self) -> "Document | None":
        return None if isinstance(self.outcome, SimcompareError) else self.outcome

    @property
    def state(self) -> str:
        """State of the file in JSON: "ok", "doubtful" or "error"."""
        return _ERROR if isinstance(self.outcome, SimcompareError) else self.outcome.receipt.state


@typer_command(
    N_("Print the text of files as simcompare reads it. The exit status is 0 when all were read, 1 when not.")
)
def extract_command(
    *,
    files: Annotated[
        list[Path],
        argument(
            N_("Files or folders; of a folder, all files in it and its sub-folders but hidden ones."),
            "FILE|FOLDER...",
        ),
    ],
    to: Annotated[
        Literal["text", "json", "jsonl"],
        option(N_("Format of the result; jsonl is one JSON object per line.")),
    ] = "text",
    no_text: Annotated[bool, option(N_("Leave out the text: receipts only."))] = False,
    receipt: Annotated[bool, option(N_("Print to standard error what was kept and left out."))] = False,
    output: Output = None,
    reading: FileOptions,
) -> None:
    """Read every file and write the results in the order of the files; errors do not stop the others."""
    # loads the readers, which --help does not need
    from simcompare.loading.archive_members import list_files
    from simcompare.report.comparison_json import as_json, as_json_line

    listed = list_files(files)
    # reading a refused path gives its error
    paths = [*listed.files, *(error.path for error in listed.refused)]
    check_output(output, [*files, *paths])
    start = time.monotonic()
    states: Counter[str] = Counter()
    # a bar would disturb results that are printed to the same terminal
    bar = output is not None or not sys.stdout.isatty()
    read = read_in_order(read_timed, paths, reading.options(), bar=bar)
    names = dict(zip(paths, distinct_labels(paths), strict=True))

    def extracted() -> Iterator[ExtractedFile]:
        for path, outcome in read:
            if isinstance(outcome, SimcompareError):
                # the worker was stopped or died: only a timeout has a known duration
                limit = float(outcome.values["seconds"]) if isinstance(outcome, ReadingTimeoutError) else None
                result = ExtractedFile(path, outcome, limit)
            else:
                result = ExtractedFile(path, *outcome)
            states[result.state] += 1
            if to != "jsonl":
                _print_receipt(result, names[path], whole=receipt or (no_text and to == "text"))
            yield result

    results = extracted()
    alone = paths == files and len(paths) == 1
    if to == "jsonl":
        deliver_parts((as_json_line(_line(result, with_text=not no_text)) for result in results), output)
    elif to == "json":
        values = [_value(result, with_text=not no_text) for result in results]
        # a single file that failed has no result, only the printed error
        if not alone:
            deliver(as_json(values), output)
        elif not states[_ERROR]:
            deliver(as_json(values[0]), output)
    else:
        texts = ("" if no_text or r.document is None else _text(r.path, r.document, alone) for r in results)
        deliver_parts(texts, output)
    if not alone:
        typer.echo(_summary(states, time.monotonic() - start), err=True)
    if states[_ERROR]:
        raise typer.Exit(INPUT_FAILED)


def read_timed(path: Path, options: "ReadingOptions") -> "_TimedRead":
    """Read a file in a worker and measure the time."""
    from simcompare.loading import load_document

    start = time.perf_counter()
    try:
        document = replace(load_document(path, options), character_boxes=None)
    except RecognitionNeededError:
        # the file will be read again with text recognition
        raise
    except SimcompareError as error:
        return error, time.perf_counter() - start
    return document, time.perf_counter() - start


def _print_receipt(result: ExtractedFile, name: str, *, whole: bool) -> None:
    """Print the error on standard error, or the whole receipt or only its doubts."""
    # loads numpy, which the form jsonl does not need
    from simcompare.report.receipts import doubts_in_words, receipt_lines
    from simcompare.report.wording import named

    if isinstance(result.outcome, SimcompareError):
        print_error(result.outcome)
    elif whole:
        for label, words in receipt_lines(result.outcome.receipt):
            typer.echo(escape_invisible(named(name, named(label, words))), err=True)
    elif doubts := doubts_in_words(result.outcome.receipt):
        line = _("Please check {file}: {doubts}").format(file=name, doubts=doubts)
        typer.echo(escape_invisible(line), err=True)


def _text(path: Path, document: "Document", alone: bool) -> str:
    return f"{document.text}\n" if alone else f"==> {path} <==\n{document.text}\n\n"


def _value(result: ExtractedFile, *, with_text: bool) -> dict[str, Any]:
    from simcompare.report.comparison_json import document_as_dict

    if result.document is None:
        return {"path": str(result.path), "state": _ERROR, "error": str(result.outcome)}
    value = document_as_dict(result.document)
    return value if with_text else {key: part for key, part in value.items() if key not in _TEXT_KEYS}


def _line(result: ExtractedFile, *, with_text: bool) -> dict[str, Any]:
    document = result.document
    value: dict[str, Any] = {
        "path": str(result.path),
        "state": result.state,
        "title": None if document is None else document.title,
        "receipt": None if document is None else asdict(document.receipt),
    }
    if with_text:
        value["text"] = None if document is None else document.text
    value["error"] = None if document is not None else str(result.outcome)
    value["seconds"] = None if result.seconds is None else round(result.seconds, 3)
    return value


def _summary(states: Counter[str], seconds: float) -> str:
    count = states.total()
    files = ngettext("{count} file", "{count} files", count)
    words = _("{files}: {ok} read, {doubtful} read with doubts, {failed} failed; {seconds} seconds")
    return words.format(
        files=files,
        ok=f"{states['ok']:,}",
        doubtful=f"{states['doubtful']:,}",
        failed=f"{states[_ERROR]:,}",
        seconds=f"{seconds:.1f}",
    )


@typer_command(N_("Print the fingerprint of each file."))
def fingerprint_command(
    *,
    files: Annotated[list[Path], argument(N_("The files."), "FILE...")],
    recipe: Recipe = None,
    user_words: OwnWords = None,
    levels: Annotated[bool, option(N_("Also print the fingerprints of paragraphs and sentences."))] = False,
    to: TextOrJson = "text",
    output: Output = None,
    reading: FileOptions,
) -> None:
    from simcompare.report.comparison_json import as_json

    check_output(output, [*files, *word_lists(user_words)])
    recipe = recipe or ComparisonSettings().recipe
    outcomes = read_files(read_fingerprint, files, recipe, levels, reading.options(user_words))
    failed = [outcome for outcome in outcomes if isinstance(outcome, SimcompareError)]
    fingerprints = [outcome for outcome in outcomes if not isinstance(outcome, SimcompareError)]
    for error in failed:
        print_error(error)
    deliver(as_json(fingerprints) if to == "json" else "".join(map(_fingerprint_lines, fingerprints)), output)
    if failed:
        raise typer.Exit(INPUT_FAILED)


def read_fingerprint(path: Path, recipe: str, levels: bool, options: "ReadingOptions") -> dict[str, Any]:
    """Read a file in a worker and return its fingerprint as for JSON, with those of its parts if wanted."""
    # loads the readers and the segmenter, which only the worker needs
    from simcompare.cohort.document_preparation import read_prepared_document
    from simcompare.report.comparison_json import fingerprint_as_dict, parts_as_dicts

    read = read_prepared_document(path, recipe, options)
    return fingerprint_as_dict(read) | ({"parts": parts_as_dicts(read, recipe)} if levels else {})


def _fingerprint_lines(fingerprint: dict[str, Any]) -> str:
    """Return a line for the document, then one for each paragraph and sentence that has a fingerprint."""
    # digits first, as md5sum prints them: they have a fixed length
    lines = [f"{fingerprint['hex']}  {fingerprint['recipe']}  {fingerprint['path']}"]
    paragraph = sentence = 0
    for part in fingerprint.get("parts", ()):
        if part["level"] == "paragraph":
            paragraph, sentence = paragraph + 1, 0
            number = str(paragraph)
        else:
            sentence += 1
            number = f"{paragraph}.{sentence}"
        if part["hex"]:
            lines.append(f"{part['hex']}  {number:<7}  {display_name(' '.join(part['text'].split()))}")
    return "".join(f"{line}\n" for line in lines)


@typer_command(
    N_(
        "Compute every figure of a case file again from its contents. "
        "The exit status is 0 when all is unchanged, 1 when something differs."
    )
)
def verify_command(
    *,
    case: Annotated[Path, argument(N_("A case file (.zip), written with --to case."), "CASE")],
    reading: FileOptions,
) -> None:
    # loads numpy and the readers
    from simcompare.export.case_proof import outcome_in_words, verify_case
    from simcompare.loading.load import load_document

    def read(path: Path, whole_page: bool) -> "Document | SimcompareError":
        options = reading.options()
        (outcome,) = read_files(load_document, [path], replace(options, whole_page=whole_page))
        return outcome

    checks = []
    for check in verify_case(case, read):
        checks.append(check)
        for line in check.lines:
            typer.echo(line)
    typer.echo(outcome_in_words(checks))
    if any(check.is_locked for check in checks):
        typer.echo(_("Give the password with --password."))
    if any(check.differences for check in checks):
        raise typer.Exit(INPUT_FAILED)


_SHARED = re.compile(r'"\$ref": ?"comparison\.schema\.json#/\$defs/(\w+)"')


@typer_command(N_("Print the JSON Schema of what a command writes with --to json."))
def schema_command(
    *,
    name: Annotated[
        Literal["compare", "report", "check", "extract", "fingerprint", "library"],
        argument(N_("The command."), "COMMAND"),
    ],
    output: Output = None,
) -> None:
    deliver(json.dumps(schema_of(name), ensure_ascii=False, indent=2) + "\n", output)


def schema_of(command: str) -> dict[str, Any]:
    """Return the schema of a command with the definitions of that of comparisons that it needs."""
    name = {"compare": "comparison", "report": "comparison"}.get(command, command)
    text, definitions = _schema_text(name), json.loads(_schema_text("comparison"))["$defs"]
    schema: dict[str, Any] = json.loads(_SHARED.sub(r'"$ref": "#/$defs/\1"', text))
    needed = {name: definitions[name] for name in _needed(set(_SHARED.findall(text)), definitions)}
    return {**schema, "$defs": {**needed, **schema.get("$defs", {})}} if needed else schema


def _schema_text(name: str) -> str:
    return resource_path("schemas", f"{name}.schema.json").read_text(encoding="utf-8")


def _needed(names: set[str], definitions: dict[str, Any]) -> Iterator[str]:
    """Yield these definitions and all that they refer to."""
    done: set[str] = set()
    while more := names - done:
        done |= more
        yield from sorted(more)
        for name in more:
            names |= set(re.findall(r"#/\$defs/(\w+)", json.dumps(definitions[name])))
