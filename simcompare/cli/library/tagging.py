"""`simcompare library tag` and `retain`: change the tags of entries, and set their last day."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.library.options import LibraryFile, Tags, opened_library, parsed_tags
from simcompare.cli.options import Language, TextOrJson
from simcompare.cli.output import deliver
from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import N_

if TYPE_CHECKING:
    from simcompare.library.entries import StoredEntry

# ruff: noqa: PLC0415 - these load the database toolkit


class NothingToTagError(SimcompareError):
    """It is not said in exactly one way which entries to change."""

    template = N_("Say which entries to change: either numbers of entries, or --tag.")


class NoChangeError(SimcompareError):
    """Neither a new tag nor one to remove is given."""

    template = N_("Say what to change: --set NAME=VALUE, or --unset NAME.")


ChosenEntries = Annotated[
    list[int] | None,
    typer.Argument(metavar="ENTRY", help=N_("Numbers of entries, as `list` gives them."), show_default=False),
]


def tag_command(
    entries: ChosenEntries = None,
    tag: Tags = None,
    new: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help=N_("A tag to set instead of those of its name; may be repeated."),
            show_default=False,
        ),
    ] = None,
    unset: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help=N_("The name of tags to remove; may be repeated."), show_default=False
        ),
    ] = None,
    to: TextOrJson = "text",
    library: LibraryFile = None,
    language: Language = "",
) -> None:
    """Change the tags of the entries with these numbers, or with all of the tags of --tag."""
    from simcompare.library.tagging import change_tags
    from simcompare.library.tags import normal_name

    tags, new_tags, removed = parsed_tags(tag), parsed_tags(new), list(map(normal_name, unset or ()))
    _check_choice(entries, tag)
    if not new_tags and not removed:
        raise NoChangeError
    with opened_library(library) as opened:
        changed = change_tags(opened, entries or (), tags, new_tags, removed)
    _deliver(changed, to)


def retain_command(
    until: Annotated[
        str,
        typer.Option(
            metavar="DATE",
            help=N_("The last day on which the entries may be kept, such as 2028-07-31."),
            show_default=False,
        ),
    ],
    entries: ChosenEntries = None,
    tag: Tags = None,
    to: TextOrJson = "text",
    library: LibraryFile = None,
    language: Language = "",
) -> None:
    """Set the last day of entries, as the tag until; only `remove --expired` removes them after it."""
    from simcompare.library.tagging import retain
    from simcompare.library.tags import parsed_date

    last_day, tags = parsed_date(until), parsed_tags(tag)
    _check_choice(entries, tag)
    with opened_library(library) as opened:
        changed = retain(opened, entries or (), tags, last_day)
    _deliver(changed, to)


def _check_choice(entries: Sequence[int] | None, tags: Sequence[str] | None) -> None:
    if bool(entries) == bool(tags):
        raise NothingToTagError


def _deliver(changed: "Sequence[StoredEntry]", to: str) -> None:
    from simcompare.report.comparison_json import as_json
    from simcompare.report.library.library_json import changes_as_dict
    from simcompare.report.library.library_text import changes_as_text

    deliver(as_json(changes_as_dict(changed)) if to == "json" else changes_as_text(changed), None)
