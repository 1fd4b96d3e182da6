"""Options shared by several commands, and reading of the files given to a command."""

import logging
import math
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from inspect import Parameter, Signature, signature
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

import typer

from simcompare.cli.config_file import use_config
from simcompare.cli.output import progress_bar
from simcompare.model.errors import MeaningModelMissingError, SimcompareError, UnknownRecipeError
from simcompare.model.settings import PRESETS, ComparisonSettings, UserWords
from simcompare.support.display_text import display_name, distinct_labels, escape_invisible
from simcompare.support.i18n import LANGUAGES, N_, _, current_language, set_language
from simcompare.support.interrupts import interrupts_blocked
from simcompare.support.plugins import load_plugins

if TYPE_CHECKING:
    from simcompare.loading.extraction import ReadingOptions


_log = logging.getLogger(__name__)


class UnknownChoiceError(SimcompareError):
    template = N_("{option} cannot be {value}. Choose one of: {known}.")


def checked_choice(option: str, value: str, known: list[str]) -> str:
    """Return `value`. Raises UnknownChoiceError unless it is one of `known`."""
    if value not in known:
        raise UnknownChoiceError(option=option, value=value, known=", ".join(known))
    return value


def _use_language(language: str) -> str:
    """Set the language; runs before the callbacks of other options."""
    if language:
        set_language(checked_choice("--language", language, list(LANGUAGES)))
    return current_language()


class NoPercentageError(SimcompareError):
    template = N_("{option} cannot be {value}. Write a percentage from 0 to 100, such as 50.")


def percentage_above(value: str) -> float:
    """Parse the value of --above: "50", "50%" and the like. Raises NoPercentageError."""
    digits = value.strip().removesuffix("%").removesuffix("\N{FULLWIDTH PERCENT SIGN}").strip()
    try:
        number = float(digits)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 100:
        raise NoPercentageError(option="--above", value=escape_invisible(value))
    return number


def option(text: str, metavar: str | None = None, *names: str, **more: Any) -> Any:
    """Return an option with a help `text`, marked with N_, and what stands for its value there."""
    return typer.Option(*names, metavar=metavar, help=text, **more)


def argument(text: str, metavar: str) -> Any:
    return typer.Argument(metavar=metavar, help=text, show_default=False)


LANGUAGE = Parameter(
    "language",
    Parameter.KEYWORD_ONLY,
    default="",
    annotation=Annotated[
        str,
        option(
            N_("Language of messages and reports."),
            "en|zh",
            callback=_use_language,
            is_eager=True,
            autocompletion=lambda: list(LANGUAGES),
        ),
    ],
)


def _log_from(level: str) -> str:
    """Log what simcompare does, and not its libraries, whose lines may quote a text."""
    handler = logging.StreamHandler()
    if level in {"debug", "info"}:  # warnings and errors are sentences, as other errors of commands
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("simcompare")
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper())
    return level


NO_CONFIG = Parameter(
    "no_config",
    Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool,
        option(N_("Leave out your file of defaults."), callback=use_config, is_eager=True),
    ],
)
LOG_LEVEL = Parameter(
    "log_level",
    Parameter.KEYWORD_ONLY,
    default="warning",
    annotation=Annotated[
        Literal["debug", "info", "warning", "error"],
        option(N_("What to log on standard error: at debug, each file with its time."), callback=_log_from),
    ],
)

SHARED = (NO_CONFIG, LOG_LEVEL, LANGUAGE)


def typer_command(text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command with the help `text` of a function with keyword parameters.

    A parameter that is a dataclass stands for the options that are its fields, which may be dataclasses, too.
    The last options are the same for all commands; the last one, --language, is the language of messages.
    """

    def made(function: Callable[..., None]) -> Callable[..., None]:
        parameters = signature(function).parameters

        def command(language: str, log_level: str, no_config: bool, **values: Any) -> None:
            load_plugins()
            function(**{name: _taken(each.annotation, name, values) for name, each in parameters.items()})

        options = chain.from_iterable(map(_options, (*parameters.values(), *SHARED)))
        vars(command).update(__signature__=Signature(list(options)), __wrapped__=function)
        command.__doc__ = text
        return command

    return made


def _options(parameter: Parameter) -> Iterator[Parameter]:
    if not is_dataclass(parameter.annotation):
        kind, *more = get_args(parameter.annotation)
        if kind is bool:  # no "--no-…"
            more[0].param_decls = (f"--{parameter.name.replace('_', '-')}",)
        yield parameter
        return
    for each in fields(parameter.annotation):
        default = Parameter.empty if each.default is MISSING else each.default
        option = Parameter(each.name, Parameter.KEYWORD_ONLY, default=default, annotation=each.type)
        yield from _options(option)


def _taken(kind: Any, name: str, values: dict[str, Any]) -> object:
    """Take the value of an option, or those of a dataclass of options, out of `values`."""
    if not (isinstance(kind, type) and is_dataclass(kind)):
        return values.pop(name)
    return kind(**{each.name: _taken(each.type, each.name, values) for each in fields(kind)})


Output = Annotated[Path | None, option(N_("Write to this file instead of standard output."), "FILE")]
TextOrJson = Annotated[Literal["text", "json"], option(N_("Format of the result."))]
LeftFile = Annotated[Path, argument(N_("The first file."), "A")]
RightFile = Annotated[Path, argument(N_("The second file."), "B")]
KeepCommon = Annotated[
    bool,
    option(N_("Count what is common to the class, and equal lines of a task or form.")),
]
Password = Annotated[str | None, option(N_("Password to try on each file that asks for one."), "WORD")]


def _known_recipe(recipe: str | None) -> str | None:
    # loads numpy and the segmenter
    from simcompare.fingerprint.simhash import RECIPES  # noqa: PLC0415

    if recipe is not None and recipe not in RECIPES:
        raise UnknownRecipeError(recipe=recipe, known=", ".join(RECIPES))
    return recipe


Recipe = Annotated[str | None, option(N_("Fingerprint method."), "NAME", callback=_known_recipe)]


def _read_user_words(file: str) -> UserWords:
    from simcompare.text.words import read_user_words  # noqa: PLC0415 - loads numpy

    return read_user_words(Path(file))


OwnWords = Annotated[
    UserWords | None,
    option(
        N_("Your own Chinese words for segmentation, one per line, as for jieba: word, frequency, tag."),
        "FILE",
        "--user-words",
        parser=_read_user_words,
    ),
]


def _available(meaning: bool | None) -> bool | None:
    if meaning:
        from simcompare.text.sentence_meaning import is_meaning_available  # noqa: PLC0415 - loads numpy

        if not is_meaning_available():
            raise MeaningModelMissingError
    return meaning


Meaning = Annotated[
    bool | None,
    option(
        N_(
            "Also find passages that may say the same in other words, in either language; takes longer. By "
            "default only in earlier work and in a small library, if the model is installed."
        ),
        None,
        "--meaning/--no-meaning",
        callback=_available,
    ),
]


def preset_settings(preset: str, *, meaning: bool | None) -> ComparisonSettings:
    """Return the settings of a preset, which with meaning searches passages. Raises UnknownChoiceError."""
    option = "--preset with --meaning" if meaning else "--preset"
    known = [name for name, settings in PRESETS.items() if settings.passages or not meaning]
    return replace(PRESETS[checked_choice(option, preset, known)], meaning=meaning)


def word_lists(user_words: UserWords | None) -> list[Path]:
    """Return the file of a user's own words, if there is one, which no output may replace."""
    return [] if user_words is None else [Path(user_words.file)]


@dataclass(frozen=True, slots=True)
class MatchingOptions:
    preset: Annotated[
        str,
        option(
            N_("Settings to start from: balanced, sensitive or paper."),
            "NAME",
            autocompletion=lambda: list(PRESETS),
        ),
    ] = "balanced"
    similar_weight: Annotated[
        float | None, option(N_("Possible from: the P from which the words of two sentences decide."), "X")
    ] = None
    right_weight: Annotated[
        float | None, option(N_("Sure from: the P or w from which two sentences match."), "Y")
    ] = None
    thesaurus: Annotated[
        str | None, option(N_("Thesaurus: starter (built in), cilin, none or a file."), "NAME")
    ] = None
    without_words: Annotated[
        bool,
        option(N_("Compare the order of characters or words only, without synonyms.")),
    ] = False
    user_words: OwnWords = None
    meaning: Meaning = None


@dataclass(frozen=True, slots=True)
class ExclusionOptions:
    keep_quotations: Annotated[bool, option(N_("Count quotations."))] = False
    keep_references: Annotated[bool, option(N_("Count reference lists."))] = False
    keep_name_lines: Annotated[bool, option(N_("Count title, name, class and date lines."))] = False
    keep_common: KeepCommon = False
    minimum_units: Annotated[
        int | None,
        option(N_("Exclude sentences with fewer characters or words; 0 excludes none."), "N", min=0),
    ] = None
    prompt: Annotated[
        Path | None, option(N_("Exclude sentences that match a sentence of this prompt or template."), "FILE")
    ] = None

    @property
    def prompts(self) -> Sequence[Path]:
        """The prompt, if there is one, to be read as a file."""
        return () if self.prompt is None else (self.prompt,)


@dataclass(frozen=True, slots=True)
class FileOptions:
    password: Password = None
    whole_page: Annotated[bool, option(N_("Read all text of web pages, not only the article."))] = False

    def options(self, user_words: UserWords | None = None, *, meaning: bool = False) -> "ReadingOptions":
        """Return them as readers take them."""
        from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415 - loads the readers

        return ReadingOptions(self.password, self.whole_page, user_words=user_words, meaning=meaning)


Result = TypeVar("Result")
_READERS = "simcompare.loading.load"


def read_files(
    function: Callable[..., Result], paths: Sequence[Path], *args: object, preload: str = _READERS
) -> list[Result | SimcompareError]:
    """Return function(path, *args) for each path in order, or the error of the file.

    A file given several times is read once. `preload`: module that workers need. Text recognition is used if
    the last of `args` is a ReadingOptions.
    """
    outcomes = dict(read_in_order(function, list(dict.fromkeys(paths)), *args, preload=preload))
    return [outcomes[path] for path in paths]


def read_in_order(
    function: Callable[..., Result],
    paths: Sequence[Path],
    *args: object,
    bar: bool = True,
    preload: str = _READERS,
) -> Iterator[tuple[Path, Result | SimcompareError]]:
    """Yield each path in order with function(path, *args), or the error of the file, when it is ready.

    Files that took long are named on standard error at the end. `bar`: whether to show the progress;
    `preload` as in `read_files`.
    """
    # loads pebble, which --help and --version do not need
    from simcompare.loading.workers.isolation import ReaderPool  # noqa: PLC0415
    from simcompare.loading.workers.text_recognition import submitter  # noqa: PLC0415
    from simcompare.support.workers.worker_process import fork_server_here  # noqa: PLC0415

    if not paths:
        return
    fork_server_here(preload)
    workers = min(len(paths), os.cpu_count() or 1)
    _log.debug("%d files, %d workers", len(paths), workers)
    with (
        progress_bar(_("Reading"), wanted=bar) as tick,
        ReaderPool(
            workers, initializer=set_language, initargs=(current_language(),), preload=preload
        ) as pool,
    ):
        with interrupts_blocked():
            begin = submitter(pool, function, *args)
            futures = deque(map(begin, paths))
        seconds: dict[Path, float] = {}
        for done, path in enumerate(paths, start=1):
            # not kept: a folder may have more text than fits into memory
            future = futures.popleft()
            outcome = outcome_of(future)
            seconds[path] = future.seconds_used or 0.0
            read = type(outcome).__name__ if isinstance(outcome, SimcompareError) else "read"
            _log.debug("%s: %s, %.2f s of processor time", display_name(path.name), read, seconds[path])
            yield path, outcome
            tick(done, len(paths))
    _print_slow_files(seconds)


def _print_slow_files(seconds: Mapping[Path, float]) -> None:
    """Name the files that took long on standard error."""
    from simcompare.loading.workers.isolation import LONG_SECONDS  # noqa: PLC0415 - loads pebble

    if max(seconds.values()) <= LONG_SECONDS:
        return
    from simcompare.report.receipts import slow_files_in_words  # noqa: PLC0415 - loads numpy

    names = dict(zip(seconds, distinct_labels(list(seconds)), strict=True))
    slow = {names[path]: used for path, used in seconds.items() if used > LONG_SECONDS}
    typer.echo(slow_files_in_words(slow, LONG_SECONDS), err=True)


def outcome_of(future: Future[Result]) -> Result | SimcompareError:
    """Return the result of a worker, or its SimcompareError."""
    try:
        return future.result()
    except SimcompareError as error:
        return error
