"""Help pages: translated, with examples and exit statuses; errors become a sentence and an exit status."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from simcompare.cli.config_file import config_path, keys_in_use, value_error
from simcompare.cli.output import WRONG_USE, exit_status, print_error
from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import N_, _, joined_items

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
EXIT_STATUSES = (
    ("0", N_("all was done")),
    ("1", N_("an input failed and the rest was done, or what was verified or checked is not right")),
    ("2", N_("wrong use: an option, a value, or a place that cannot be written")),
    ("130", N_("interrupted with Ctrl+C")),
)
EXAMPLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "compare": (
        ("compare a.docx b.pdf", N_("What two files have in common, in the terminal.")),
        ("compare a.docx b.pdf --to html --output report.html", N_("The whole report, as a web page.")),
        ("compare a.docx b.pdf --to json | jq .share", N_("A figure for another program.")),
    ),
    "check": (
        ("check class.zip", N_("Which pairs of a class are unusual.")),
        (
            "check class.zip --session class.simcompare --to html --output class.html",
            N_("The class report, and a session to open in the window."),
        ),
        ("check class/ --template task.docx --old 2024.zip", N_("Without the task; also with earlier work.")),
    ),
    "annotate": (("annotate a.docx b.pdf --output-dir copies", N_("Copies with the matches highlighted.")),),
    "report": (
        ("report class.simcompare --output reports", N_("A folder of reports of the first pairs.")),
        (
            "report class.simcompare --pairs copied --to pdf --output committee.zip",
            N_("The pairs that you have marked as copied."),
        ),
        ("report class.simcompare --to xlsx --output pairs.xlsx", N_("A table of all pairs.")),
    ),
    "fingerprint": (
        ("fingerprint a.docx b.pdf", N_("One line per file, as of md5sum.")),
        ("fingerprint a.docx --levels --to json", N_("Also of the paragraphs and sentences.")),
    ),
    "extract": (
        ("extract essay.docx", N_("The text of a file, as it is compared.")),
        ("extract class/ --no-text --receipt", N_("What was read of each file, and what was left out.")),
        ("extract class.zip --to jsonl --output texts.jsonl", N_("One line of JSON per file.")),
    ),
    "evaluate": (("evaluate corpus/ --plot figures.svg", N_("Precision and recall, as tables and a plot.")),),
    "batch": (
        ("batch pairs suspicious/ sources/ --to pan --output found/", N_("Passages, in the format of PAN.")),
    ),
    "verify": (("verify committee.case.zip", N_("Whether a case file says what its files do.")),),
    "whois": (
        ("whois class.simcompare", N_("All pseudonyms of a session.")),
        ("whois class.simcompare 7", N_("Who Student 07 is.")),
    ),
    "schema": (("schema compare > comparison.schema.json", N_("What each key of a comparison means.")),),
    "library": (
        ("library add 2024.zip --tag year=2024", N_("Keep the essays of a year.")),
        ("library search essay.docx", N_("What they share with an essay.")),
    ),
    "library add": (
        ("library add class.zip --tag year=2025 --tag class=3", N_("The essays of a class.")),
        ("library add essays/ --students pseudonym", N_("Without the names of the students.")),
    ),
    "library search": (
        ("library search essay.docx --top 20", N_("The 20 entries that share most with a file.")),
        ('library search --sentence "We walked home in the rain."', N_("The entries with a sentence.")),
    ),
    "library list": (
        ("library list --tag year=2024", N_("The entries of a year.")),
        ("library list --expired", N_("Those whose last day has passed.")),
    ),
    "library remove": (
        ("library remove 12 13", N_("Two entries.")),
        ("library remove --expired", N_("All whose last day has passed.")),
    ),
    "library tag": (("library tag --tag class=3 --set class=3a", N_("Give a class another name.")),),
    "library retain": (
        ("library retain --tag year=2024 --until 2028-07-31", N_("Keep a year up to a day.")),
    ),
    "library export": (("library export past.zip --tag year=2024", N_("A year, in one file.")),),
    "library import": (("library import past.zip", N_("Add what this library does not have of it.")),),
    "library check": (("library check", N_("Whether the library is sound.")),),
    "library migrate": (("library migrate", N_("After an update, before others use it.")),),
    "library stats": (("library stats", N_("How much there is of each year and class.")),),
}
"""Examples of each command, without the name of the program, with what they do."""
# the words of typer
_OF_TYPER = (
    N_("Options"),
    N_("Arguments"),
    N_("Commands"),
    N_("Install completion for the current shell."),
    N_("Show completion for the current shell, to copy it or customize the installation."),
    N_("Show this message and exit."),
)


class _Translated:
    """Mixin of commands whose help texts, marked with N_, are translated when they are shown.

    Given texts, files and flags only, they start without pydantic.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for each in parameters:
            each.process_value = partial(_plain_value, each)
        return parameters

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _translate(self, ctx)
        section = formatter.section
        formatter.section = lambda name: section(_(name))
        super().format_help(ctx, formatter)  # type: ignore[misc]

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the help line for the list of commands."""
        _translate(self)
        return super().get_short_help_str(limit)  # type: ignore[misc,no-any-return]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples; for the program, the exit statuses and the file of defaults."""
        name = ctx.command_path.partition(" ")[2]
        if not name:
            with formatter.section(N_("Exit status")):
                formatter.write_dl([(status, _(words)) for status, words in EXIT_STATUSES])
            with formatter.section(N_("Defaults")):
                words = _(
                    "Options can have other defaults in {path}, such as: [compare] keep-quotations = true. "
                    "--no-config leaves it out."
                )
                formatter.write_text(words.format(path=config_path()))
        if name in EXAMPLES:
            with formatter.section(N_("Examples")):
                for line, words in EXAMPLES[name]:
                    formatter.write_text(_(words))
                    formatter.write(f"{'':{formatter.current_indent + 2}}simcompare {line}\n")


class TranslatedCommand(_Translated, TyperCommand):
    """Command of the program."""


def _plain_value(parameter: Any, ctx: Any, value: Any) -> Any:
    """Return the value of a parameter as typer does, which loads pydantic for 60 ms even if there is none."""
    kind = parameter.type_descriptor
    is_plain = kind.annotation in (str, Path) or value in get_args(kind.annotation)  # of Literal
    if value is None and not parameter.required:
        value = () if parameter.multiple or parameter.nargs == -1 else None
    elif isinstance(value, str) and is_plain and kind.parameter_info.parser is None:
        value = Path(value) if kind.annotation is Path else value
    else:
        return type(parameter).process_value(parameter, ctx, value)
    return value if parameter.callback is None else parameter.callback(ctx, parameter, value)


class TranslatedGroup(_Translated, TyperGroup):
    """Group of all commands; turns their errors into messages and exit statuses."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a SimcompareError becomes a sentence and an exit status."""
        try:
            return super().invoke(ctx)
        except SimcompareError as error:
            print_error(error)
            status = exit_status(error)
            if status == WRONG_USE and (keys := keys_in_use(ctx)):
                words = _("{path} gives defaults for this command: {keys}. --no-config leaves it out.")
                typer.echo(words.format(path=config_path(), keys=joined_items(keys)), err=True)
            raise typer.Exit(status) from None
        except typer.BadParameter as error:
            of_config = value_error(error)
            if of_config is None:
                raise
            print_error(of_config)
            raise typer.Exit(WRONG_USE) from None


def _translate(command: Any, context: Any = None) -> None:
    """Translate the help of a command and its parameters; a second call changes nothing."""
    help_option = () if context is None else (command.get_help_option(context),)
    for part in (command, *command.params, *help_option):
        part.help = _(part.help or "")
