"""`simcompare extract`: print the text of files as simcompare reads it, with receipts."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from simcompare.cli.options import FileOptions, Output, argument, option, read_in_order, typer_command
from simcompare.cli.output import INPUT_FAILED, deliver, deliver_parts, print_error
from simcompare.export.output_paths import check_output
from simcompare.model.errors import ReadingTimeoutError, RecognitionNeededError, SimcompareError
from simcompare.support.display_text import distinct_labels, escape_invisible
from simcompare.support.i18n import N_, _, ngettext

if TYPE_CHECKING:
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.model.document import Document

    _TimedRead = tuple[Document | SimcompareError, float]

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
    from simcompare.loading.archive_members import list_files  # noqa: PLC0415
    from simcompare.report.comparison_json import as_json, as_json_line  # noqa: PLC0415

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
    from simcompare.loading import load_document  # noqa: PLC0415 - only the reading process needs it

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
    from simcompare.report.receipts import doubts_in_words, receipt_lines  # noqa: PLC0415
    from simcompare.report.wording import named  # noqa: PLC0415

    if isinstance(result.outcome, SimcompareError):
        print_error(result.outcome)
    elif whole:
        for label, words in receipt_lines(result.outcome.receipt):
            typer.echo(escape_invisible(named(name, named(label, words))), err=True)
    elif doubts := doubts_in_words(result.outcome.receipt):
        line = _("A doubt about {file}: {doubts}").format(file=name, doubts=doubts)
        typer.echo(escape_invisible(line), err=True)


def _text(path: Path, document: "Document", alone: bool) -> str:
    return f"{document.text}\n" if alone else f"==> {path} <==\n{document.text}\n\n"


def _value(result: ExtractedFile, *, with_text: bool) -> dict[str, Any]:
    from simcompare.report.comparison_json import document_as_dict  # noqa: PLC0415 - loads numpy

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
