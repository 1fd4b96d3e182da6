"""The options that several commands have."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from simcompare.errors import SimcompareError, UnknownRecipeError
from simcompare.i18n import LANGUAGES, N_, current_language, set_language


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
