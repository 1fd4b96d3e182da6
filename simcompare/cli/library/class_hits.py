"""`simcompare check --library`: search a library for the essays of a class."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.cli.library.options import opened_library, parsed_tags
from simcompare.cli.output import progress_bar
from simcompare.support.i18n import _
from simcompare.support.interrupts import interruptible

if TYPE_CHECKING:
    from simcompare.cohort.class_check import ClassCheck

# ruff: noqa: PLC0415 - these load the database toolkit


def check_library(library: Path | None, tags: Sequence[str] | None) -> None:
    """Raise the errors of a library that cannot be searched, if one is given, before anything is read."""
    if library is not None:
        parsed_tags(tags)
        opened_library(library).close()


def with_library_hits(check: "ClassCheck", library: Path | None, tags: Sequence[str] | None) -> "ClassCheck":
    """Return a check with what the library has of the class, if one is given; `tags`: those of the class.

    Raises TagError, LibraryError.
    """
    if library is None:
        return check
    from simcompare.library.class_search import search_class

    with opened_library(library) as opened, progress_bar(_("Searching the library")) as tick:
        hits = interruptible(lambda stop: search_class(opened, check, tick, stop, parsed_tags(tags)))
    return replace(check, library_hits=hits)
