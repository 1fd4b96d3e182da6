"""The options that several commands have."""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import typer

from simcompare.cli.output import progress_bar
from simcompare.model.errors import SimcompareError, UnknownRecipeError
from simcompare.support.i18n import LANGUAGES, N_, _, current_language, set_language


class UnknownChoiceError(SimcompareError):
    """An option was given a value it does not have. Values: option, value, known."""

    template = N_("{option} cannot be {value}. Choose one of: {known}.")


def checked_choice(option: str, value: str, known: list[str]) -> str:
    """Return `value`; raises UnknownChoiceError where it is not one of `known`."""
    if value not in known:
        raise UnknownChoiceError(option=option, value=value, known=", ".join(known))
    return value


def _speak(language: str) -> str:
    """Use the language from now on, before any other option is looked at."""
    if language:
        set_language(checked_choice("--language", language, list(LANGUAGES)))
    return current_language()


Language = Annotated[
    str,
    typer.Option(
        callback=_speak,
        is_eager=True,
        metavar="en|zh",
        help=N_("Language of texts for people."),
        show_default=False,
    ),
]
Output = Annotated[
    Path | None, typer.Option(metavar="FILE", help=N_("Write to this file instead of standard output."))
]


def _known_recipe(recipe: str | None) -> str | None:
    # numpy and the segmenter load when there is something to read
    from simcompare.fingerprint.recipes import RECIPES  # noqa: PLC0415

    if recipe is not None and recipe not in RECIPES:
        raise UnknownRecipeError(recipe=recipe, known=", ".join(RECIPES))
    return recipe


Recipe = Annotated[
    str | None, typer.Option(metavar="NAME", callback=_known_recipe, help=N_("How fingerprints are made."))
]
LeftFile = Annotated[Path, typer.Argument(metavar="A", help=N_("The one file."), show_default=False)]
RightFile = Annotated[Path, typer.Argument(metavar="B", help=N_("The other file."), show_default=False)]
Preset = Annotated[
    str, typer.Option(metavar="NAME", help=N_("Settings to start from: balanced, sensitive or paper."))
]
SimilarWeight = Annotated[
    float | None, typer.Option(metavar="X", help=N_("P from which the words of two sentences decide."))
]
RightWeight = Annotated[
    float | None, typer.Option(metavar="Y", help=N_("P or w from which two sentences match."))
]
ThesaurusName = Annotated[
    str | None, typer.Option(metavar="NAME", help=N_("Synonyms: starter, cilin, none or a file."))
]
WithoutWords = Annotated[
    bool,
    typer.Option(
        "--without-words", help=N_("Match by what agrees in order alone, not by words and synonyms.")
    ),
]
KeepQuotations = Annotated[
    bool, typer.Option("--keep-quotations", help=N_("Let quotations count in the net similarity."))
]
KeepReferences = Annotated[
    bool, typer.Option("--keep-references", help=N_("Let reference lists count in the net similarity."))
]
KeepNameLines = Annotated[
    bool,
    typer.Option(
        "--keep-name-lines",
        help=N_("Let lines with name, class or date alone count in the net similarity."),
    ),
]
MinimumUnits = Annotated[
    int | None,
    typer.Option(
        min=0, metavar="N", help=N_("Exclude sentences of fewer characters or words; 0 excludes none.")
    ),
]
Prompt = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help=N_("Exclude sentences that match one of this prompt or template.")),
]
Threads = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help=N_("Threads that compare; as many as processors by default.")),
]
Password = Annotated[
    str | None,
    typer.Option(
        metavar="WORD", help=N_("Password to try on each file that asks for one."), show_default=False
    ),
]
WholePage = Annotated[
    bool, typer.Option("--whole-page", help=N_("Of web pages take all text, not the article alone."))
]
TextOrJson = Annotated[Literal["text", "json"], typer.Option(help=N_("Form of the result."))]


Result = TypeVar("Result")


def read_files(
    function: Callable[..., Result], paths: Sequence[Path], *args: object, language: str
) -> list[Result | SimcompareError]:
    """Return function(path, *args) for each path, in order, or the error of that file.

    A file given several times is read once. `language` is that of the messages. Where the last of `args` are
    ReadingOptions, text recognition takes part.
    """
    outcomes = dict(read_in_order(function, list(dict.fromkeys(paths)), *args, language=language))
    return [outcomes[path] for path in paths]


def read_in_order(
    function: Callable[..., Result], paths: Sequence[Path], *args: object, language: str, bar: bool = True
) -> Iterator[tuple[Path, Result | SimcompareError]]:
    """Yield each path with function(path, *args), or the error of that file, as soon as it is its turn.

    `bar` shows how far it is, where a terminal is watched.
    """
    # loads pebble, which the help and --version do without
    from simcompare.loading.workers.isolation import ReaderPool  # noqa: PLC0415
    from simcompare.loading.workers.text_recognition import submitter  # noqa: PLC0415

    if not paths:
        return
    workers = min(len(paths), os.cpu_count() or 1)
    with (
        progress_bar(_("Reading"), wanted=bar) as tick,
        ReaderPool(workers, initializer=set_language, initargs=(language,)) as pool,
    ):
        with deaf_to_interrupts():
            begin = submitter(pool, function, *args)
            futures: deque[Future[Result]] = deque(map(begin, paths))
        for done, path in enumerate(paths, start=1):
            # what was taken is not kept: a folder may hold more text than memory does
            outcome = outcome_of(futures.popleft())
            yield path, outcome
            tick(done, len(paths))


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started within not hear Ctrl+C: this one hears it and stops them.

    Else one that is still starting up would answer with a traceback of its own.
    """
    if sys.platform == "win32":
        yield
        return
    # it would give the signal free again when it starts together with the first process
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def outcome_of(future: Future[Result]) -> Result | SimcompareError:
    """Return what a process gave, or the error that a person can mend."""
    try:
        return future.result()
    except SimcompareError as error:
        return error
